%% A library function hands elements on one by one: of the pairs only what the fun makes of their first
%% elements is asked for.
-module(trap_library_elements).
-export([f/2]).

f(A, ‹B›) ->
    L = [{A, ‹B›}],
    M = lists:map(fun({X, ‹Y›}) -> {X + 1, ‹Y›} end, L),
    [{V, ‹W›}] = M,
    {«V», ‹W›}.
