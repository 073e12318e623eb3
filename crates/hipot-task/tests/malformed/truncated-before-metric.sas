begin_version
3
end_version
