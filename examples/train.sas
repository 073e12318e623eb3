begin_version
3
end_version
begin_metric
1
end_metric
8
begin_variable
var0
-1
4
Atom at(engine, yard)
Atom at(engine, depot)
Atom at(engine, harbor)
Atom at(engine, station)
end_variable
begin_variable
var1
-1
3
Atom at(coal, harbor)
Atom at(coal, station)
Atom loaded(coal)
end_variable
begin_variable
var2
-1
2
Atom straight(points1)
NegatedAtom straight(points1)
end_variable
begin_variable
var3
-1
2
Atom straight(points2)
NegatedAtom straight(points2)
end_variable
begin_variable
var4
0
2
Atom open(depot)
NegatedAtom open(depot)
end_variable
begin_variable
var5
0
2
Atom open(harbor)
NegatedAtom open(harbor)
end_variable
begin_variable
var6
0
2
Atom open(station)
NegatedAtom open(station)
end_variable
begin_variable
var7
1
2
Atom green(signal)
NegatedAtom green(signal)
end_variable
0
begin_state
0
0
1
0
1
1
1
1
end_state
begin_goal
2
0 1
1 1
end_goal
12
begin_operator
pull lever-a
1
0 0
4
1 2 0 2 -1 1
1 2 1 2 -1 0
2 2 0 3 0 3 -1 1
2 2 0 3 1 3 -1 0
2
end_operator
begin_operator
pull lever-b
1
0 0
2
1 3 0 3 -1 1
1 3 1 3 -1 0
3
end_operator
begin_operator
drive yard harbor
2
5 0
7 0
1
0 0 0 2
5
end_operator
begin_operator
drive harbor yard
2
5 0
7 0
1
0 0 2 0
5
end_operator
begin_operator
drive yard station
2
6 0
7 0
1
0 0 0 3
4
end_operator
begin_operator
drive station yard
2
6 0
7 0
1
0 0 3 0
4
end_operator
begin_operator
drive yard depot
1
4 0
1
0 0 0 1
1
end_operator
begin_operator
drive depot yard
1
4 0
1
0 0 1 0
1
end_operator
begin_operator
load coal harbor
1
0 2
1
0 1 0 2
1
end_operator
begin_operator
unload coal harbor
1
0 2
1
0 1 2 0
1
end_operator
begin_operator
load coal station
1
0 3
1
0 1 1 2
1
end_operator
begin_operator
unload coal station
1
0 3
1
0 1 2 1
1
end_operator
4
begin_rule
1
2 1
4 1 0
end_rule
begin_rule
2
2 0
3 0
5 1 0
end_rule
begin_rule
2
2 0
3 1
6 1 0
end_rule
begin_rule
1
4 1
7 1 0
end_rule
