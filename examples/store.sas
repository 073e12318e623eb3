begin_version
3
end_version
begin_metric
0
end_metric
3
begin_variable
lid
-1
2
lid closed
lid open
end_variable
begin_variable
lamp
-1
2
lamp dark
lamp lit
end_variable
begin_variable
charge
-1
2
charge empty
charge full
end_variable
0
begin_state
0
0
0
end_state
begin_goal
3
0 0
1 1
2 0
end_goal
4
begin_operator
open
0
2
0 0 0 1
0 2 0 1
1
end_operator
begin_operator
light
0
2
0 1 0 1
0 2 1 0
1
end_operator
begin_operator
charge
1
0 1
1
0 2 0 1
1
end_operator
begin_operator
close
0
2
0 0 1 0
0 2 1 0
1
end_operator
0
