(define (problem greenhouse-1)
  (:domain greenhouse)
  (:objects cress mint cactus fern basil - bed)
  (:init
    (= (liters) 0)
    (dry cress) (moist mint) (wet cactus) (dry fern) (moist basil))
  (:goal (and (wet cress) (moist mint) (dry cactus) (wet fern) (wet basil)))
  (:metric minimize (liters)))
