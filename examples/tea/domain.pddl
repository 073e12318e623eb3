; A cup of tea.
(define (domain tea)
  (:requirements :strips)
  (:predicates (filled) (boiling) (leaves-in-pot) (brewed) (poured))

  (:action fill-kettle
    :precondition (and)
    :effect (filled))

  (:action boil
    :precondition (filled)
    :effect (boiling))

  (:action spoon-leaves
    :precondition (and)
    :effect (leaves-in-pot))

  ; The kettle is empty afterward.
  (:action brew
    :precondition (and (boiling) (leaves-in-pot))
    :effect (and (brewed) (not (boiling)) (not (filled))))

  (:action pour
    :precondition (brewed)
    :effect (and (poured) (not (brewed)))))
