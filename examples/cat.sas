begin_version
3
end_version
begin_metric
1
end_metric
2
begin_variable
cat
-1
2
Atom at(cat, garden)
Atom at(cat, sofa)
end_variable
begin_variable
door
-1
2
Atom closed()
Atom open()
end_variable
0
begin_state
0
0
end_state
begin_goal
2
0 1
1 0
end_goal
3
begin_operator
open
0
1
0 1 0 1
1
end_operator
begin_operator
close
0
1
0 1 1 0
1
end_operator
begin_operator
walk
1
1 1
1
0 0 0 1
2
end_operator
0
