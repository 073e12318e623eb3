begin_version
3
end_version
begin_metric
0
end_metric
5
begin_variable
var0
-1
2
Atom heads(coin1)
NegatedAtom heads(coin1)
end_variable
begin_variable
var1
-1
2
Atom heads(coin2)
NegatedAtom heads(coin2)
end_variable
begin_variable
var2
-1
2
Atom heads(coin3)
NegatedAtom heads(coin3)
end_variable
begin_variable
var3
-1
2
Atom heads(coin4)
NegatedAtom heads(coin4)
end_variable
begin_variable
var4
-1
2
Atom heads(coin5)
NegatedAtom heads(coin5)
end_variable
0
begin_state
0
0
0
0
0
end_state
begin_goal
5
0 1
1 1
2 1
3 1
4 1
end_goal
40
begin_operator
turn coin1 coin2 heads heads
0
2
0 0 0 1
0 1 0 1
1
end_operator
begin_operator
turn coin1 coin2 heads tails
0
2
0 0 0 1
0 1 1 0
1
end_operator
begin_operator
turn coin1 coin2 tails heads
0
2
0 0 1 0
0 1 0 1
1
end_operator
begin_operator
turn coin1 coin2 tails tails
0
2
0 0 1 0
0 1 1 0
1
end_operator
begin_operator
turn coin1 coin3 heads heads
0
2
0 0 0 1
0 2 0 1
1
end_operator
begin_operator
turn coin1 coin3 heads tails
0
2
0 0 0 1
0 2 1 0
1
end_operator
begin_operator
turn coin1 coin3 tails heads
0
2
0 0 1 0
0 2 0 1
1
end_operator
begin_operator
turn coin1 coin3 tails tails
0
2
0 0 1 0
0 2 1 0
1
end_operator
begin_operator
turn coin1 coin4 heads heads
0
2
0 0 0 1
0 3 0 1
1
end_operator
begin_operator
turn coin1 coin4 heads tails
0
2
0 0 0 1
0 3 1 0
1
end_operator
begin_operator
turn coin1 coin4 tails heads
0
2
0 0 1 0
0 3 0 1
1
end_operator
begin_operator
turn coin1 coin4 tails tails
0
2
0 0 1 0
0 3 1 0
1
end_operator
begin_operator
turn coin1 coin5 heads heads
0
2
0 0 0 1
0 4 0 1
1
end_operator
begin_operator
turn coin1 coin5 heads tails
0
2
0 0 0 1
0 4 1 0
1
end_operator
begin_operator
turn coin1 coin5 tails heads
0
2
0 0 1 0
0 4 0 1
1
end_operator
begin_operator
turn coin1 coin5 tails tails
0
2
0 0 1 0
0 4 1 0
1
end_operator
begin_operator
turn coin2 coin3 heads heads
0
2
0 1 0 1
0 2 0 1
1
end_operator
begin_operator
turn coin2 coin3 heads tails
0
2
0 1 0 1
0 2 1 0
1
end_operator
begin_operator
turn coin2 coin3 tails heads
0
2
0 1 1 0
0 2 0 1
1
end_operator
begin_operator
turn coin2 coin3 tails tails
0
2
0 1 1 0
0 2 1 0
1
end_operator
begin_operator
turn coin2 coin4 heads heads
0
2
0 1 0 1
0 3 0 1
1
end_operator
begin_operator
turn coin2 coin4 heads tails
0
2
0 1 0 1
0 3 1 0
1
end_operator
begin_operator
turn coin2 coin4 tails heads
0
2
0 1 1 0
0 3 0 1
1
end_operator
begin_operator
turn coin2 coin4 tails tails
0
2
0 1 1 0
0 3 1 0
1
end_operator
begin_operator
turn coin2 coin5 heads heads
0
2
0 1 0 1
0 4 0 1
1
end_operator
begin_operator
turn coin2 coin5 heads tails
0
2
0 1 0 1
0 4 1 0
1
end_operator
begin_operator
turn coin2 coin5 tails heads
0
2
0 1 1 0
0 4 0 1
1
end_operator
begin_operator
turn coin2 coin5 tails tails
0
2
0 1 1 0
0 4 1 0
1
end_operator
begin_operator
turn coin3 coin4 heads heads
0
2
0 2 0 1
0 3 0 1
1
end_operator
begin_operator
turn coin3 coin4 heads tails
0
2
0 2 0 1
0 3 1 0
1
end_operator
begin_operator
turn coin3 coin4 tails heads
0
2
0 2 1 0
0 3 0 1
1
end_operator
begin_operator
turn coin3 coin4 tails tails
0
2
0 2 1 0
0 3 1 0
1
end_operator
begin_operator
turn coin3 coin5 heads heads
0
2
0 2 0 1
0 4 0 1
1
end_operator
begin_operator
turn coin3 coin5 heads tails
0
2
0 2 0 1
0 4 1 0
1
end_operator
begin_operator
turn coin3 coin5 tails heads
0
2
0 2 1 0
0 4 0 1
1
end_operator
begin_operator
turn coin3 coin5 tails tails
0
2
0 2 1 0
0 4 1 0
1
end_operator
begin_operator
turn coin4 coin5 heads heads
0
2
0 3 0 1
0 4 0 1
1
end_operator
begin_operator
turn coin4 coin5 heads tails
0
2
0 3 0 1
0 4 1 0
1
end_operator
begin_operator
turn coin4 coin5 tails heads
0
2
0 3 1 0
0 4 0 1
1
end_operator
begin_operator
turn coin4 coin5 tails tails
0
2
0 3 1 0
0 4 1 0
1
end_operator
0
