; A hike from hut to hut. Time is what counts: a path takes as long as the map
; says, uphill longer than downhill, and packing takes long for heavy things.
; Ladders are shorter, but need both hands.
(define (domain hike)
  (:requirements :strips :typing :action-costs)
  (:types hut thing)
  (:predicates
    (at ?hut - hut)
    (path ?from ?to - hut)
    (ladder ?from ?to - hut)
    (lies ?thing - thing ?hut - hut)
    (carried ?thing - thing)
    (empty-handed)
    (opens ?key - thing ?hut - hut)
    (open ?hut - hut))
  (:functions
    (minutes ?from ?to - hut) - number
    (weight ?thing - thing) - number
    (total-cost) - number)

  (:action walk
    :parameters (?from ?to - hut)
    :precondition (and (at ?from) (path ?from ?to))
    :effect (and (at ?to) (not (at ?from))
                 (increase (total-cost) (minutes ?from ?to))))

  (:action climb
    :parameters (?from ?to - hut)
    :precondition (and (at ?from) (ladder ?from ?to) (empty-handed))
    :effect (and (at ?to) (not (at ?from))
                 (increase (total-cost) (minutes ?from ?to))))

  (:action pack
    :parameters (?thing - thing ?hut - hut)
    :precondition (and (at ?hut) (lies ?thing ?hut) (empty-handed))
    :effect (and (carried ?thing) (not (lies ?thing ?hut)) (not (empty-handed))
                 (increase (total-cost) (weight ?thing))))

  (:action put-down
    :parameters (?thing - thing ?hut - hut)
    :precondition (and (at ?hut) (carried ?thing))
    :effect (and (lies ?thing ?hut) (empty-handed) (not (carried ?thing))))

  (:action unlock
    :parameters (?hut - hut ?key - thing)
    :precondition (and (at ?hut) (carried ?key) (opens ?key ?hut))
    :effect (and (open ?hut) (increase (total-cost) 2))))
