; A raft carries one person, and does not come back by itself.
(define (domain raft)
  (:requirements :strips :typing)
  (:types person shore)
  (:predicates
    (on ?person - person ?shore - shore)
    (raft-at ?shore - shore)
    (across ?one ?other - shore))

  (:action row
    :parameters (?person - person ?from ?to - shore)
    :precondition (and (on ?person ?from) (raft-at ?from) (across ?from ?to))
    :effect (and (on ?person ?to) (raft-at ?to)
                 (not (on ?person ?from)) (not (raft-at ?from)))))
