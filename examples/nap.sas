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
2
Atom asleep(cat)
NegatedAtom asleep(cat)
end_variable
begin_variable
var1
-1
2
Atom at(cat, sofa)
Atom at(cat, window)
end_variable
0
begin_state
0
0
end_state
begin_goal
1
0 0
end_goal
4
begin_operator
wake cat
0
1
0 0 0 1
1
end_operator
begin_operator
doze cat
0
1
0 0 1 0
1
end_operator
begin_operator
stroll sofa window
1
0 1
1
0 1 0 1
1
end_operator
begin_operator
stroll window sofa
1
0 1
1
0 1 1 0
1
end_operator
0
