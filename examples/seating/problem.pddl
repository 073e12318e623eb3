; Five guests at a table of six: the children shall have the best
; seats.
(define (problem supper)
  (:domain seating)
  (:objects
    anna bruno clara - adult
    emil fritzi - child
    rex - dog
    head left right foot - chair
    window wall - bench)
  (:init
    (sits anna head) (sits bruno left) (sits emil right) (sits clara foot) (sits fritzi wall)
    (empty window)
    (beside head left) (beside left head) (beside left foot) (beside foot left)
    (beside foot window) (beside window foot) (beside window wall) (beside wall window)
    (beside wall right) (beside right wall) (beside right head) (beside head right))
  (:goal (and (sits emil head) (sits fritzi left) (sits anna window) (sits bruno wall)
              (sits clara foot))))
