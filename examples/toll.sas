begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
var0
-1
7
Atom at(car, home)
Atom at(car, mill)
Atom at(car, bridge)
Atom at(car, inn)
Atom at(car, pass)
Atom at(car, chapel)
Atom at(car, coast)
end_variable
begin_variable
var1
-1
2
Atom raised(barrier1)
NegatedAtom raised(barrier1)
end_variable
begin_variable
var2
-1
2
Atom raised(barrier2)
NegatedAtom raised(barrier2)
end_variable
begin_variable
var3
-1
2
Atom raised(barrier3)
NegatedAtom raised(barrier3)
end_variable
0
begin_state
0
1
1
1
end_state
begin_goal
1
0 6
end_goal
18
begin_operator
raise barrier1
1
0 0
1
0 1 1 0
0
end_operator
begin_operator
lower barrier1
1
0 0
1
0 1 0 1
0
end_operator
begin_operator
take-road home bridge
1
1 0
1
0 0 0 2
2147483647
end_operator
begin_operator
drive home mill
1
1 0
1
0 0 0 1
1073741825
end_operator
begin_operator
drive mill bridge
0
1
0 0 1 2
1073741821
end_operator
begin_operator
go-back bridge home
0
1
0 0 2 0
0
end_operator
begin_operator
raise barrier2
1
0 2
1
0 2 1 0
0
end_operator
begin_operator
lower barrier2
1
0 2
1
0 2 0 1
0
end_operator
begin_operator
take-road bridge pass
1
2 0
1
0 0 2 4
2147483647
end_operator
begin_operator
drive bridge inn
1
2 0
1
0 0 2 3
1073741826
end_operator
begin_operator
drive inn pass
0
1
0 0 3 4
1073741820
end_operator
begin_operator
go-back pass bridge
0
1
0 0 4 2
0
end_operator
begin_operator
raise barrier3
1
0 4
1
0 3 1 0
0
end_operator
begin_operator
lower barrier3
1
0 4
1
0 3 0 1
0
end_operator
begin_operator
take-road pass coast
1
3 0
1
0 0 4 6
2147483647
end_operator
begin_operator
drive pass chapel
1
3 0
1
0 0 4 5
1073741827
end_operator
begin_operator
drive chapel coast
0
1
0 0 5 6
1073741819
end_operator
begin_operator
go-back coast pass
0
1
0 0 6 4
0
end_operator
0
