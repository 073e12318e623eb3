; A sheepdog drives sheep from field to field. It barks, and all sheep in its
; field that can walk run where it wants them, with their lambs, wherever those
; are. A lame sheep stays until the vet has treated it, and the vet wants no
; other sheep around.
(define (domain flock)
  (:requirements :adl)
  (:types field sheep)
  (:predicates
    (in ?sheep - sheep ?field - field)
    (dog-in ?field - field)
    (gate ?one ?other - field)
    (closed ?one ?other - field)
    (lame ?sheep - sheep)
    (follows ?lamb ?mother - sheep)
    (muddy ?field - field)
    (tired))

  (:action run
    :parameters (?from ?to - field)
    :precondition (and (dog-in ?from)
                       (or (gate ?from ?to) (gate ?to ?from)))
    :effect (and (dog-in ?to) (not (dog-in ?from)) (not (tired))))

  ; Barking makes tired, and a tired dog does not bark across mud.
  (:action bark
    :parameters (?from ?to - field)
    :precondition (and (dog-in ?from)
                       (or (gate ?from ?to) (gate ?to ?from))
                       (not (closed ?from ?to))
                       (not (closed ?to ?from))
                       (exists (?sheep - sheep)
                         (and (in ?sheep ?from) (not (lame ?sheep))))
                       (imply (tired) (not (muddy ?to))))
    :effect (and (tired)
                 (forall (?sheep - sheep)
                   (when (or (and (in ?sheep ?from) (not (lame ?sheep)))
                             (exists (?mother - sheep)
                               (and (follows ?sheep ?mother) (in ?mother ?from)
                                    (not (lame ?mother)))))
                     (in ?sheep ?to)))
                 (forall (?sheep - sheep ?field - field)
                   (when (and (in ?sheep ?field)
                              (not (= ?field ?to))
                              (or (and (= ?field ?from) (not (lame ?sheep)))
                                  (exists (?mother - sheep)
                                    (and (follows ?sheep ?mother) (in ?mother ?from)
                                         (not (lame ?mother))))))
                     (not (in ?sheep ?field))))))

  (:action treat
    :parameters (?sheep - sheep ?field - field)
    :precondition (and (lame ?sheep)
                       (in ?sheep ?field)
                       (forall (?other - sheep)
                         (imply (in ?other ?field) (= ?other ?sheep))))
    :effect (not (lame ?sheep)))

  (:action close-gate
    :parameters (?one ?other - field)
    :precondition (and (gate ?one ?other)
                       (dog-in ?one)
                       (not (exists (?sheep - sheep) (in ?sheep ?one))))
    :effect (closed ?one ?other)))
