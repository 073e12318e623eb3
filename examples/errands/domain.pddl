; Errands in town. Costs are euros and cents: a bus ride has one price, a taxi ride one for each street.
(define (domain errands)
  (:requirements :strips :typing :action-costs)
  (:types place errand)
  (:predicates
    (at ?p - place)
    (street ?p ?q - place)
    (line ?p ?q - place)
    (to-do-at ?e - errand ?p - place)
    (done ?e - errand))
  (:functions
    (total-cost) - number
    (fare ?p ?q - place) - number)

  (:action ride
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (line ?p ?q))
    :effect (and (not (at ?p)) (at ?q) (increase (total-cost) 2.75)))

  (:action taxi
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (street ?p ?q))
    :effect (and (not (at ?p)) (at ?q) (increase (total-cost) (+ 3.5 (fare ?p ?q)))))

  (:action do
    :parameters (?e - errand ?p - place)
    :precondition (and (at ?p) (to-do-at ?e ?p))
    :effect (and (done ?e) (increase (total-cost) 0))))
