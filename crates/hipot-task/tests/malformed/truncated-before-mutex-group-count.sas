begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
lamp
-1
2
lamp off
lamp on
end_variable
begin_variable
door
-1
3
door closed
door ajar
door open
end_variable
begin_variable
bright
0
2
it is bright
it is dark
end_variable
begin_variable
safe
1
2
all is safe
all is not safe
end_variable
