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
3
Atom on(disk1, left)
Atom on(disk1, middle)
Atom on(disk1, right)
end_variable
begin_variable
var1
-1
3
Atom on(disk2, left)
Atom on(disk2, middle)
Atom on(disk2, right)
end_variable
begin_variable
var2
-1
3
Atom on(disk3, left)
Atom on(disk3, middle)
Atom on(disk3, right)
end_variable
begin_variable
var3
-1
3
Atom on(disk4, left)
Atom on(disk4, middle)
Atom on(disk4, right)
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
0 2
1 2
2 2
3 2
end_goal
24
begin_operator
move-disk disk1 left middle
0
1
0 0 0 1
1
end_operator
begin_operator
move-disk disk1 left right
0
1
0 0 0 2
1
end_operator
begin_operator
move-disk disk1 middle left
0
1
0 0 1 0
1
end_operator
begin_operator
move-disk disk1 middle right
0
1
0 0 1 2
1
end_operator
begin_operator
move-disk disk1 right left
0
1
0 0 2 0
1
end_operator
begin_operator
move-disk disk1 right middle
0
1
0 0 2 1
1
end_operator
begin_operator
move-disk disk2 left middle
1
0 2
1
0 1 0 1
1
end_operator
begin_operator
move-disk disk2 left right
1
0 1
1
0 1 0 2
1
end_operator
begin_operator
move-disk disk2 middle left
1
0 2
1
0 1 1 0
1
end_operator
begin_operator
move-disk disk2 middle right
1
0 0
1
0 1 1 2
1
end_operator
begin_operator
move-disk disk2 right left
1
0 1
1
0 1 2 0
1
end_operator
begin_operator
move-disk disk2 right middle
1
0 0
1
0 1 2 1
1
end_operator
begin_operator
move-disk disk3 left middle
2
0 2
1 2
1
0 2 0 1
1
end_operator
begin_operator
move-disk disk3 left right
2
0 1
1 1
1
0 2 0 2
1
end_operator
begin_operator
move-disk disk3 middle left
2
0 2
1 2
1
0 2 1 0
1
end_operator
begin_operator
move-disk disk3 middle right
2
0 0
1 0
1
0 2 1 2
1
end_operator
begin_operator
move-disk disk3 right left
2
0 1
1 1
1
0 2 2 0
1
end_operator
begin_operator
move-disk disk3 right middle
2
0 0
1 0
1
0 2 2 1
1
end_operator
begin_operator
move-disk disk4 left middle
3
0 2
1 2
2 2
1
0 3 0 1
1
end_operator
begin_operator
move-disk disk4 left right
3
0 1
1 1
2 1
1
0 3 0 2
1
end_operator
begin_operator
move-disk disk4 middle left
3
0 2
1 2
2 2
1
0 3 1 0
1
end_operator
begin_operator
move-disk disk4 middle right
3
0 0
1 0
2 0
1
0 3 1 2
1
end_operator
begin_operator
move-disk disk4 right left
3
0 1
1 1
2 1
1
0 3 2 0
1
end_operator
begin_operator
move-disk disk4 right middle
3
0 0
1 0
2 0
1
0 3 2 1
1
end_operator
0
