; Two want to cross.
(define (problem two-castaways)
  (:domain raft)
  (:objects
    robinson friday - person
    island mainland - shore)
  (:init
    (on robinson island) (on friday island) (raft-at island)
    (across island mainland) (across mainland island))
  (:goal (and (on robinson mainland) (on friday mainland))))
