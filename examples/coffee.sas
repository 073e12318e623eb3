begin_version
3
end_version
begin_metric
1
end_metric
5
begin_variable
var0
-1
4
Atom at(robot, lab)
Atom at(robot, hall)
Atom at(robot, kitchen)
Atom at(robot, library)
end_variable
begin_variable
var1
-1
2
Atom empty(hand)
NegatedAtom empty(hand)
end_variable
begin_variable
var2
-1
5
Atom at(mug, lab)
Atom at(mug, hall)
Atom at(mug, kitchen)
Atom at(mug, library)
Atom held(mug)
end_variable
begin_variable
var3
-1
5
Atom at(book, lab)
Atom at(book, hall)
Atom at(book, kitchen)
Atom at(book, library)
Atom held(book)
end_variable
begin_variable
var4
-1
3
Atom dirty(mug)
Atom clean(mug)
Atom full(mug)
end_variable
1
begin_mutex_group
3
1 0
2 4
3 4
end_mutex_group
begin_state
0
0
0
3
0
end_state
begin_goal
3
2 0
3 0
4 2
end_goal
33
begin_operator
roll lab hall
0
1
0 0 0 1
2
end_operator
begin_operator
roll hall lab
0
1
0 0 1 0
2
end_operator
begin_operator
roll hall kitchen
0
1
0 0 1 2
1
end_operator
begin_operator
roll kitchen hall
0
1
0 0 2 1
1
end_operator
begin_operator
roll hall library
0
1
0 0 1 3
4
end_operator
begin_operator
roll library hall
0
1
0 0 3 1
4
end_operator
begin_operator
climb kitchen library dirty-mug
1
4 0
1
0 0 2 3
2
end_operator
begin_operator
climb library kitchen dirty-mug
1
4 0
1
0 0 3 2
2
end_operator
begin_operator
climb kitchen library clean-mug
1
4 1
1
0 0 2 3
2
end_operator
begin_operator
climb library kitchen clean-mug
1
4 1
1
0 0 3 2
2
end_operator
begin_operator
climb kitchen library empty-hand
2
1 0
4 2
1
0 0 2 3
2
end_operator
begin_operator
climb library kitchen empty-hand
2
1 0
4 2
1
0 0 3 2
2
end_operator
begin_operator
climb kitchen library book-in-hand
2
3 4
4 2
1
0 0 2 3
2
end_operator
begin_operator
climb library kitchen book-in-hand
2
3 4
4 2
1
0 0 3 2
2
end_operator
begin_operator
take mug lab
1
0 0
2
0 2 0 4
0 1 0 1
1
end_operator
begin_operator
put mug lab
1
0 0
2
0 2 4 0
0 1 -1 0
1
end_operator
begin_operator
take mug hall
1
0 1
2
0 2 1 4
0 1 0 1
1
end_operator
begin_operator
put mug hall
1
0 1
2
0 2 4 1
0 1 -1 0
1
end_operator
begin_operator
take mug kitchen
1
0 2
2
0 2 2 4
0 1 0 1
1
end_operator
begin_operator
put mug kitchen
1
0 2
2
0 2 4 2
0 1 -1 0
1
end_operator
begin_operator
take mug library
1
0 3
2
0 2 3 4
0 1 0 1
1
end_operator
begin_operator
put mug library
1
0 3
2
0 2 4 3
0 1 -1 0
1
end_operator
begin_operator
take book lab
1
0 0
2
0 3 0 4
0 1 0 1
1
end_operator
begin_operator
put book lab
1
0 0
2
0 3 4 0
0 1 -1 0
1
end_operator
begin_operator
take book hall
1
0 1
2
0 3 1 4
0 1 0 1
1
end_operator
begin_operator
put book hall
1
0 1
2
0 3 4 1
0 1 -1 0
1
end_operator
begin_operator
take book kitchen
1
0 2
2
0 3 2 4
0 1 0 1
1
end_operator
begin_operator
put book kitchen
1
0 2
2
0 3 4 2
0 1 -1 0
1
end_operator
begin_operator
take book library
1
0 3
2
0 3 3 4
0 1 0 1
1
end_operator
begin_operator
put book library
1
0 3
2
0 3 4 3
0 1 -1 0
1
end_operator
begin_operator
rinse mug
2
0 2
2 4
1
0 4 0 1
2
end_operator
begin_operator
brew mug
2
0 2
2 2
1
0 4 1 2
5
end_operator
begin_operator
buy-espresso mug
2
0 3
2 4
1
0 4 1 2
9
end_operator
0
