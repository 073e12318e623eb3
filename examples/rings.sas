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
Atom on-bar(ring1)
NegatedAtom on-bar(ring1)
end_variable
begin_variable
var1
-1
2
Atom on-bar(ring2)
NegatedAtom on-bar(ring2)
end_variable
begin_variable
var2
-1
2
Atom on-bar(ring3)
NegatedAtom on-bar(ring3)
end_variable
begin_variable
var3
-1
2
Atom on-bar(ring4)
NegatedAtom on-bar(ring4)
end_variable
begin_variable
var4
-1
2
Atom on-bar(ring5)
NegatedAtom on-bar(ring5)
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
10
begin_operator
take-off ring1
0
1
0 0 0 1
1
end_operator
begin_operator
put-on ring1
0
1
0 0 1 0
1
end_operator
begin_operator
take-off ring2
1
0 0
1
0 1 0 1
1
end_operator
begin_operator
put-on ring2
1
0 0
1
0 1 1 0
1
end_operator
begin_operator
take-off ring3
2
0 1
1 0
1
0 2 0 1
1
end_operator
begin_operator
put-on ring3
2
0 1
1 0
1
0 2 1 0
1
end_operator
begin_operator
take-off ring4
3
0 1
1 1
2 0
1
0 3 0 1
1
end_operator
begin_operator
put-on ring4
3
0 1
1 1
2 0
1
0 3 1 0
1
end_operator
begin_operator
take-off ring5
4
0 1
1 1
2 1
3 0
1
0 4 0 1
1
end_operator
begin_operator
put-on ring5
4
0 1
1 1
2 1
3 0
1
0 4 1 0
1
end_operator
0
