%% Requests the transform that turns `qlc:q/1,2` into query handles.
-compile({parse_transform, qlc}).
