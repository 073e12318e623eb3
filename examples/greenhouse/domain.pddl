; A sprinkler waters all beds at once, open windows dry all of them, and a can waters
; one bed more.
(define (domain greenhouse)
  (:requirements :strips :typing :conditional-effects :universal-preconditions :action-costs)
  (:types bed)
  (:predicates (dry ?b - bed) (moist ?b - bed) (wet ?b - bed))
  (:functions (liters) - number)

  (:action sprinkle
    :effect (and
      (forall (?b - bed)
        (and
          (when (dry ?b) (and (not (dry ?b)) (moist ?b)))
          (when (moist ?b) (and (not (moist ?b)) (wet ?b)))))
      (increase (liters) 5)))

  (:action open-windows
    :effect (and
      (forall (?b - bed)
        (and
          (when (wet ?b) (and (not (wet ?b)) (moist ?b)))
          (when (moist ?b) (and (not (moist ?b)) (dry ?b)))))
      (increase (liters) 1)))

  (:action water
    :parameters (?b - bed)
    :precondition (not (wet ?b))
    :effect (and
      (when (dry ?b) (and (not (dry ?b)) (moist ?b)))
      (when (moist ?b) (and (not (moist ?b)) (wet ?b)))
      (increase (liters) 2))))
