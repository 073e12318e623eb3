(define (domain lamps))
