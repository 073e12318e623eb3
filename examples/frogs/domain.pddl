; Frogs and toads on a row of stones, one animal to a stone. Toads go only to
; the right, frogs only to the left: to the next stone, or over one animal.
(define (domain frogs)
  (:requirements :strips :typing)
  (:types
    frog toad - animal
    stone)
  (:predicates
    (on ?animal - animal ?stone - stone)
    (free ?stone - stone)
    (right-of ?right ?left - stone))

  (:action hop-right
    :parameters (?toad - toad ?from ?to - stone)
    :precondition (and (on ?toad ?from) (right-of ?to ?from) (free ?to))
    :effect (and (on ?toad ?to) (free ?from) (not (on ?toad ?from)) (not (free ?to))))

  (:action hop-left
    :parameters (?frog - frog ?from ?to - stone)
    :precondition (and (on ?frog ?from) (right-of ?from ?to) (free ?to))
    :effect (and (on ?frog ?to) (free ?from) (not (on ?frog ?from)) (not (free ?to))))

  (:action leap-right
    :parameters (?toad - toad ?over - animal ?from ?middle ?to - stone)
    :precondition (and (on ?toad ?from) (right-of ?middle ?from) (on ?over ?middle)
                       (right-of ?to ?middle) (free ?to))
    :effect (and (on ?toad ?to) (free ?from) (not (on ?toad ?from)) (not (free ?to))))

  (:action leap-left
    :parameters (?frog - frog ?over - animal ?from ?middle ?to - stone)
    :precondition (and (on ?frog ?from) (right-of ?from ?middle) (on ?over ?middle)
                       (right-of ?middle ?to) (free ?to))
    :effect (and (on ?frog ?to) (free ?from) (not (on ?frog ?from)) (not (free ?to)))))
