begin_version
3
end_version
begin_metric
0
end_metric
8
begin_variable
var0
-1
2
Atom closed(main)
NegatedAtom closed(main)
end_variable
begin_variable
var1
-1
2
Atom closed(stage)
NegatedAtom closed(stage)
end_variable
begin_variable
var2
-1
2
Atom closed(hall)
NegatedAtom closed(hall)
end_variable
begin_variable
var3
-1
2
Atom intact(fuse)
NegatedAtom intact(fuse)
end_variable
begin_variable
var4
0
2
Atom live(cellar)
NegatedAtom live(cellar)
end_variable
begin_variable
var5
0
2
Atom live(stage)
NegatedAtom live(stage)
end_variable
begin_variable
var6
0
2
Atom live(hall)
NegatedAtom live(hall)
end_variable
begin_variable
var7
1
2
Atom glowing(exit-sign)
NegatedAtom glowing(exit-sign)
end_variable
0
begin_state
0
1
1
1
1
1
1
1
end_state
begin_goal
2
5 0
7 1
end_goal
7
begin_operator
close main
0
1
0 0 1 0
1
end_operator
begin_operator
open main
0
1
0 0 0 1
1
end_operator
begin_operator
close stage
0
1
0 1 1 0
1
end_operator
begin_operator
open stage
0
1
0 1 0 1
1
end_operator
begin_operator
close hall
0
1
0 2 1 0
1
end_operator
begin_operator
open hall
0
1
0 2 0 1
1
end_operator
begin_operator
replace fuse
2
0 1
4 1
1
0 3 1 0
1
end_operator
4
begin_rule
2
0 0
3 0
4 1 0
end_rule
begin_rule
2
1 0
4 0
5 1 0
end_rule
begin_rule
2
2 0
4 0
6 1 0
end_rule
begin_rule
1
6 1
7 1 0
end_rule
