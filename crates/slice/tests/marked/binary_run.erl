%% Several numbers taken as one part, from the middle of others.
-module(binary_run).
-export([f/8]).

f(‹A›, ‹B›, C, D, E, F, ‹G›, ‹H›) ->
    Made = <<‹A›:8, ‹B›:8, C:8, D:8, E:8, F:8, ‹G›:8, ‹H›:8>>,
    <<‹_›:16, Part:4/binary, ‹_›/binary>> = Made,
    «Part».
