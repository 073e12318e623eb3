; A cup for the guest, and water boiling for the next one.
(define (problem tea-for-two)
  (:domain tea)
  (:init)
  (:goal (and (poured) (boiling))))
