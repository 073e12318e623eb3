begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
lamp
-1
2
lamp off
lamp on
end_variable
begin_variable
door
-1
3
door closed
door ajar
door open
end_variable
begin_variable
bright
0
2
it is bright
it is dark
end_variable
begin_variable
safe
1
2
all is safe
all is not safe
end_variable
1
begin_mutex_group
2
0 0
1 2
end_mutex_group
begin_state
0
0
1
1
end_state
begin_goal
2
1 2
3 0
end_goal
2
begin_operator
push door
1
0 1
1
0 1 0 1
2
end_operator
begin_operator
turn lamp
0
2
0 0 -1 1
1 0 1 1 1 2
0
end_operator
2
begin_rule
1
0 1
2 1 0
end_rule
begin_rule
2
1 2
2 0
3 1 0
end_rule
the end
