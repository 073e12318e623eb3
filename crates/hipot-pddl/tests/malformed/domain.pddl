(define (domain delivery)
  (:requirements :strips :typing :action-costs)
  (:types room thing - object
          robot parcel - thing)
  (:constants depot - room)
  (:predicates (at ?x - thing ?r - room)
               (holding ?b - robot ?p - parcel)
               (free ?b - robot)
               (door ?from ?to - room))
  (:functions (total-cost) - number
              (distance ?from ?to - room) - number)
  (:action move
    :parameters (?b - robot ?from ?to - room)
    :precondition (and (at ?b ?from) (door ?from ?to))
    :effect (and (not (at ?b ?from))
                 (at ?b ?to)
                 (increase (total-cost) (distance ?from ?to))))
  (:action grasp
    :parameters (?b - robot ?p - parcel ?r - room)
    :precondition (and (at ?b ?r) (at ?p ?r) (free ?b))
    :effect (and (holding ?b ?p)
                 (not (free ?b))
                 (not (at ?p ?r))
                 (increase (total-cost) 1))))
