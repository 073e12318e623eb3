; Two toads and two frogs change sides.
(define (problem two-and-two)
  (:domain frogs)
  (:objects
    bufo bella - toad
    rana ribbit - frog
    s1 s2 s3 s4 s5 - stone)
  (:init
    (right-of s2 s1) (right-of s3 s2) (right-of s4 s3) (right-of s5 s4)
    (on bufo s1) (on bella s2) (free s3) (on rana s4) (on ribbit s5))
  (:goal (and (on rana s1) (on ribbit s2) (on bufo s4) (on bella s5))))
