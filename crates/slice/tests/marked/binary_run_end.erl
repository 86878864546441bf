%% A part that begins with the last of some numbers and goes on in the binary behind them.
-module(binary_run_end).
-export([f/5]).

f(‹A›, ‹B›, C, X, ‹Y›) ->
    Rest = <<X:8, ‹Y›:8>>,
    Made = <<‹A›:8, ‹B›:8, C:8, Rest/binary>>,
    <<‹_›:16, Part:2/binary, ‹_›/binary>> = Made,
    «Part».
