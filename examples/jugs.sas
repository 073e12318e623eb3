begin_version
3
end_version
begin_metric
0
end_metric
2
begin_variable
var0
-1
4
Atom holds(small, 0)
Atom holds(small, 1)
Atom holds(small, 2)
Atom holds(small, 3)
end_variable
begin_variable
var1
-1
6
Atom holds(large, 0)
Atom holds(large, 1)
Atom holds(large, 2)
Atom holds(large, 3)
Atom holds(large, 4)
Atom holds(large, 5)
end_variable
0
begin_state
0
0
end_state
begin_goal
1
1 4
end_goal
34
begin_operator
fill small
0
1
0 0 -1 3
1
end_operator
begin_operator
empty small
0
1
0 0 -1 0
1
end_operator
begin_operator
fill large
0
1
0 1 -1 5
1
end_operator
begin_operator
empty large
0
1
0 1 -1 0
1
end_operator
begin_operator
pour small large 1 0
0
2
0 0 1 0
0 1 0 1
1
end_operator
begin_operator
pour small large 1 1
0
2
0 0 1 0
0 1 1 2
1
end_operator
begin_operator
pour small large 1 2
0
2
0 0 1 0
0 1 2 3
1
end_operator
begin_operator
pour small large 1 3
0
2
0 0 1 0
0 1 3 4
1
end_operator
begin_operator
pour small large 1 4
0
2
0 0 1 0
0 1 4 5
1
end_operator
begin_operator
pour small large 2 0
0
2
0 0 2 0
0 1 0 2
1
end_operator
begin_operator
pour small large 2 1
0
2
0 0 2 0
0 1 1 3
1
end_operator
begin_operator
pour small large 2 2
0
2
0 0 2 0
0 1 2 4
1
end_operator
begin_operator
pour small large 2 3
0
2
0 0 2 0
0 1 3 5
1
end_operator
begin_operator
pour small large 2 4
0
2
0 0 2 1
0 1 4 5
1
end_operator
begin_operator
pour small large 3 0
0
2
0 0 3 0
0 1 0 3
1
end_operator
begin_operator
pour small large 3 1
0
2
0 0 3 0
0 1 1 4
1
end_operator
begin_operator
pour small large 3 2
0
2
0 0 3 0
0 1 2 5
1
end_operator
begin_operator
pour small large 3 3
0
2
0 0 3 1
0 1 3 5
1
end_operator
begin_operator
pour small large 3 4
0
2
0 0 3 2
0 1 4 5
1
end_operator
begin_operator
pour large small 1 0
0
2
0 1 1 0
0 0 0 1
1
end_operator
begin_operator
pour large small 1 1
0
2
0 1 1 0
0 0 1 2
1
end_operator
begin_operator
pour large small 1 2
0
2
0 1 1 0
0 0 2 3
1
end_operator
begin_operator
pour large small 2 0
0
2
0 1 2 0
0 0 0 2
1
end_operator
begin_operator
pour large small 2 1
0
2
0 1 2 0
0 0 1 3
1
end_operator
begin_operator
pour large small 2 2
0
2
0 1 2 1
0 0 2 3
1
end_operator
begin_operator
pour large small 3 0
0
2
0 1 3 0
0 0 0 3
1
end_operator
begin_operator
pour large small 3 1
0
2
0 1 3 1
0 0 1 3
1
end_operator
begin_operator
pour large small 3 2
0
2
0 1 3 2
0 0 2 3
1
end_operator
begin_operator
pour large small 4 0
0
2
0 1 4 1
0 0 0 3
1
end_operator
begin_operator
pour large small 4 1
0
2
0 1 4 2
0 0 1 3
1
end_operator
begin_operator
pour large small 4 2
0
2
0 1 4 3
0 0 2 3
1
end_operator
begin_operator
pour large small 5 0
0
2
0 1 5 2
0 0 0 3
1
end_operator
begin_operator
pour large small 5 1
0
2
0 1 5 3
0 0 1 3
1
end_operator
begin_operator
pour large small 5 2
0
2
0 1 5 4
0 0 2 3
1
end_operator
0
