begin_version
3
end_version
begin_metric
0
end_metric
4
begin_variable
var0
-1
2
Atom at(farmer, left)
Atom at(farmer, right)
end_variable
begin_variable
var1
-1
2
Atom at(wolf, left)
Atom at(wolf, right)
end_variable
begin_variable
var2
-1
2
Atom at(goat, left)
Atom at(goat, right)
end_variable
begin_variable
var3
-1
2
Atom at(cabbage, left)
Atom at(cabbage, right)
end_variable
0
begin_state
0
0
0
0
end_state
begin_goal
4
0 1
1 1
2 1
3 1
end_goal
14
begin_operator
ferry goat left right
0
2
0 0 0 1
0 2 0 1
1
end_operator
begin_operator
ferry wolf left right goat-across
1
2 1
2
0 0 0 1
0 1 0 1
1
end_operator
begin_operator
ferry wolf left right goat-alone
2
2 0
3 1
2
0 0 0 1
0 1 0 1
1
end_operator
begin_operator
ferry cabbage left right goat-across
1
2 1
2
0 0 0 1
0 3 0 1
1
end_operator
begin_operator
ferry cabbage left right goat-alone
2
1 1
2 0
2
0 0 0 1
0 3 0 1
1
end_operator
begin_operator
row left right goat-across
1
2 1
1
0 0 0 1
1
end_operator
begin_operator
row left right goat-alone
3
1 1
2 0
3 1
1
0 0 0 1
1
end_operator
begin_operator
ferry goat right left
0
2
0 0 1 0
0 2 1 0
1
end_operator
begin_operator
ferry wolf right left goat-across
1
2 0
2
0 0 1 0
0 1 1 0
1
end_operator
begin_operator
ferry wolf right left goat-alone
2
2 1
3 0
2
0 0 1 0
0 1 1 0
1
end_operator
begin_operator
ferry cabbage right left goat-across
1
2 0
2
0 0 1 0
0 3 1 0
1
end_operator
begin_operator
ferry cabbage right left goat-alone
2
1 0
2 1
2
0 0 1 0
0 3 1 0
1
end_operator
begin_operator
row right left goat-across
1
2 0
1
0 0 1 0
1
end_operator
begin_operator
row right left goat-alone
3
1 0
2 1
3 0
1
0 0 1 0
1
end_operator
0
