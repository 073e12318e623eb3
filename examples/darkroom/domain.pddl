; Photographs are developed in the dark, one sheet of paper in a tray at a time:
; exposed, developed, fixed, and looked at in the light.
(define (domain darkroom)
  (:requirements :strips :typing :negative-preconditions)
  (:types sheet tray)
  (:constants developer fixer - tray)
  (:predicates
    (light)
    (box-open)
    (in-box ?sheet - sheet)
    (in ?sheet - sheet ?tray - tray)
    (occupied ?tray - tray)
    (exposed ?sheet - sheet)
    (done ?sheet - sheet ?tray - tray)
    (checked ?sheet - sheet))

  ; The box of paper must be closed first.
  (:action light-on
    :parameters ()
    :precondition (and (not (light)) (not (box-open)) (not (occupied developer)))
    :effect (light))

  (:action light-off
    :parameters ()
    :precondition (light)
    :effect (not (light)))

  (:action open-box
    :parameters ()
    :precondition (and (not (light)) (not (box-open)))
    :effect (box-open))

  (:action close-box
    :parameters ()
    :precondition (box-open)
    :effect (not (box-open)))

  (:action expose
    :parameters (?sheet - sheet)
    :precondition (and (not (light)) (box-open) (in-box ?sheet))
    :effect (and (exposed ?sheet) (not (in-box ?sheet))))

  (:action develop
    :parameters (?sheet - sheet)
    :precondition (and (not (light)) (exposed ?sheet) (not (done ?sheet developer))
                       (not (occupied developer)))
    :effect (and (in ?sheet developer) (occupied developer) (done ?sheet developer)))

  (:action move-to-fixer
    :parameters (?sheet - sheet)
    :precondition (and (in ?sheet developer) (not (occupied fixer)))
    :effect (and (in ?sheet fixer) (occupied fixer) (done ?sheet fixer)
                 (not (in ?sheet developer)) (not (occupied developer))))

  (:action check
    :parameters (?sheet - sheet)
    :precondition (and (light) (in ?sheet fixer))
    :effect (and (checked ?sheet) (not (in ?sheet fixer)) (not (occupied fixer)))))
