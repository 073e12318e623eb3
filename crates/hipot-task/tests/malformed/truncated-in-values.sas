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
