; Two prints, and the light is on when we begin.
(define (problem two-prints)
  (:domain darkroom)
  (:objects portrait landscape - sheet)
  (:init (light) (in-box portrait) (in-box landscape))
  (:goal (and (checked portrait) (checked landscape) (not (box-open)))))
