; The mill shall have water and the garden too, but the cellar must stay dry;
; the keeper goes home, to the north.
(define (problem mill)
  (:domain canals)
  (:objects
    main mill garden cellar - canal
    north south - bank)
  (:init
    (keeper-on north)
    (sluice lake main) (stands-at lake main north)
    (sluice main mill) (stands-at main mill south)
    (sluice main cellar) (stands-at main cellar south)
    (sluice mill garden) (stands-at mill garden north)
    (open lake main) (open main cellar)
    (ford north south main))
  (:goal (and (wet mill) (wet garden) (not (wet cellar)) (keeper-on north))))
