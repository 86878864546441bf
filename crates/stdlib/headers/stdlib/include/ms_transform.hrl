%% Requests the transform that turns `ets:fun2ms/1` and `dbg:fun2ms/1` into match
%% specifications.
-compile({parse_transform, ms_transform}).
