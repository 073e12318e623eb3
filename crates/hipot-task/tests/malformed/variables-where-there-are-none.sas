begin_version
3
end_version
begin_metric
0
end_metric
0
0
begin_state
end_state
begin_goal
1
0 0
end_goal
0
0
