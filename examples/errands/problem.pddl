(define (problem errands-3)
  (:domain errands)
  (:objects
    home market bank post - place
    shopping payment parcel - errand)
  (:init
    (= (total-cost) 0)
    (at home)
    (line home market) (line market home) (line market bank) (line bank home)
    (street home market) (= (fare home market) 1.20)
    (street market post) (= (fare market post) 0.4)
    (street post bank) (= (fare post bank) 2)
    (street bank home) (= (fare bank home) 0.005)
    (to-do-at shopping market)
    (to-do-at payment bank)
    (to-do-at parcel post))
  (:goal (and (done shopping) (done payment) (done parcel) (at home)))
  (:metric minimize (total-cost)))
