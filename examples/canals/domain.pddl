; Water flows from the lake through every open sluice, as far as it gets. The
; keeper of the sluices has only fords to cross by: they must be dry.
(define (domain canals)
  (:requirements :adl :derived-predicates)
  (:types canal bank)
  (:constants lake - canal)
  (:predicates
    (sluice ?from ?to - canal)
    (open ?from ?to - canal)
    (stands-at ?from ?to - canal ?bank - bank)
    (ford ?one ?other - bank ?canal - canal)
    (keeper-on ?bank - bank)
    (wet ?canal - canal))

  (:derived (wet ?canal - canal)
    (or (= ?canal lake)
        (exists (?above - canal) (and (wet ?above) (open ?above ?canal)))))

  (:action lift
    :parameters (?from ?to - canal ?bank - bank)
    :precondition (and (keeper-on ?bank) (sluice ?from ?to) (stands-at ?from ?to ?bank)
                       (not (open ?from ?to)))
    :effect (open ?from ?to))

  (:action lower
    :parameters (?from ?to - canal ?bank - bank)
    :precondition (and (keeper-on ?bank) (open ?from ?to) (stands-at ?from ?to ?bank))
    :effect (not (open ?from ?to)))

  (:action cross
    :parameters (?from ?to - bank ?canal - canal)
    :precondition (and (keeper-on ?from) (not (wet ?canal))
                       (or (ford ?from ?to ?canal) (ford ?to ?from ?canal)))
    :effect (and (keeper-on ?to) (not (keeper-on ?from)))))
