begin_version
3
end_version
begin_metric
0
end_metric
7
begin_variable
var0
-1
2
Atom lit(lamp1)
NegatedAtom lit(lamp1)
end_variable
begin_variable
var1
-1
2
Atom lit(lamp2)
NegatedAtom lit(lamp2)
end_variable
begin_variable
var2
-1
2
Atom lit(lamp3)
NegatedAtom lit(lamp3)
end_variable
begin_variable
var3
-1
2
Atom lit(lamp4)
NegatedAtom lit(lamp4)
end_variable
begin_variable
var4
-1
2
Atom lit(lamp5)
NegatedAtom lit(lamp5)
end_variable
begin_variable
var5
-1
2
Atom lit(lamp6)
NegatedAtom lit(lamp6)
end_variable
begin_variable
var6
-1
2
Atom lit(lamp7)
NegatedAtom lit(lamp7)
end_variable
0
begin_state
1
1
1
0
1
1
1
end_state
begin_goal
7
0 1
1 1
2 1
3 1
4 1
5 1
6 1
end_goal
7
begin_operator
press switch1
0
4
1 0 1 0 -1 0
1 0 0 0 -1 1
1 1 1 1 -1 0
1 1 0 1 -1 1
1
end_operator
begin_operator
press switch2
0
6
1 0 1 0 -1 0
1 0 0 0 -1 1
1 1 1 1 -1 0
1 1 0 1 -1 1
1 2 1 2 -1 0
1 2 0 2 -1 1
1
end_operator
begin_operator
press switch3
0
6
1 1 1 1 -1 0
1 1 0 1 -1 1
1 2 1 2 -1 0
1 2 0 2 -1 1
1 3 1 3 -1 0
1 3 0 3 -1 1
1
end_operator
begin_operator
press switch4
0
6
1 2 1 2 -1 0
1 2 0 2 -1 1
1 3 1 3 -1 0
1 3 0 3 -1 1
1 4 1 4 -1 0
1 4 0 4 -1 1
1
end_operator
begin_operator
press switch5
0
6
1 3 1 3 -1 0
1 3 0 3 -1 1
1 4 1 4 -1 0
1 4 0 4 -1 1
1 5 1 5 -1 0
1 5 0 5 -1 1
1
end_operator
begin_operator
press switch6
0
6
1 4 1 4 -1 0
1 4 0 4 -1 1
1 5 1 5 -1 0
1 5 0 5 -1 1
1 6 1 6 -1 0
1 6 0 6 -1 1
1
end_operator
begin_operator
press switch7
0
4
1 5 1 5 -1 0
1 5 0 5 -1 1
1 6 1 6 -1 0
1 6 0 6 -1 1
1
end_operator
0
