begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
F
-1
2
on
off
end_variable
begin_variable
G
-1
2
on
off
end_variable
begin_variable
X
-1
2
0
1
end_variable
begin_variable
Y
-1
2
0
1
end_variable
0
begin_state
0
1
0
1
end_state
begin_goal
4
0 1
1 0
2 0
3 1
end_goal
6
begin_operator
o
0
2
0 0 0 1
0 1 0 1
24
end_operator
begin_operator
f-at-0
1
2 0
1
0 0 0 1
8
end_operator
begin_operator
f-at-1
1
2 1
1
0 0 0 1
6
end_operator
begin_operator
g-at-0-0
2
2 0
3 0
1
0 1 0 1
16
end_operator
begin_operator
g-at-1-0
2
2 1
3 0
1
0 1 0 1
3
end_operator
begin_operator
restore-g-at-0-1
2
2 0
3 1
1
0 1 1 0
7
end_operator
0
