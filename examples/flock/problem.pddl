; Four sheep into the fold, and the gate behind them closed.
(define (problem evening)
  (:domain flock)
  (:objects
    hill meadow fold - field
    dolly shaun flossy lammie - sheep)
  (:init
    (gate hill meadow) (gate meadow fold)
    (dog-in fold)
    (in dolly hill) (in shaun hill) (in flossy meadow) (in lammie meadow)
    (follows lammie dolly)
    (lame shaun)
    (muddy fold))
  (:goal (and (forall (?sheep - sheep) (in ?sheep fold))
              (exists (?field - field) (closed ?field fold)))))
