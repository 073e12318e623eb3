; Guests change seats at a table. Grown-ups swap places as they like, children
; only with their neighbors; empty chairs are for grown-ups, benches for all.
(define (domain seating)
  (:requirements :typing :equality :negative-preconditions)
  (:types adult child dog chair bench)
  (:predicates
    (sits ?guest - (either adult child) ?seat - (either chair bench))
    (empty ?seat - (either chair bench))
    (beside ?one ?other - (either chair bench)))

  (:action swap
    :parameters (?one ?other - adult ?here ?there - (either chair bench))
    :precondition (and (not (= ?one ?other)) (sits ?one ?here) (sits ?other ?there))
    :effect (and (sits ?one ?there) (sits ?other ?here)
                 (not (sits ?one ?here)) (not (sits ?other ?there))))

  (:action swap-with-child
    :parameters (?one - (either adult child) ?child - child ?here ?there - (either chair bench))
    :precondition (and (not (= ?one ?child)) (sits ?one ?here) (sits ?child ?there)
                       (beside ?here ?there))
    :effect (and (sits ?one ?there) (sits ?child ?here)
                 (not (sits ?one ?here)) (not (sits ?child ?there))))

  (:action move-to-chair
    :parameters (?guest - adult ?from - (either chair bench) ?to - chair)
    :precondition (and (sits ?guest ?from) (empty ?to))
    :effect (and (sits ?guest ?to) (empty ?from)
                 (not (sits ?guest ?from)) (not (empty ?to))))

  (:action move-to-bench
    :parameters (?guest - (either adult child) ?from - (either chair bench) ?to - bench)
    :precondition (and (sits ?guest ?from) (empty ?to))
    :effect (and (sits ?guest ?to) (empty ?from)
                 (not (sits ?guest ?from)) (not (empty ?to)))))
