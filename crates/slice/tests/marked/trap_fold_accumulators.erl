%% Two accumulators of a fold, one of them asked for.
-module(trap_fold_accumulators).
-export([f/1]).

f(L) ->
    {Sum, ‹Count›} = lists:foldl(fun(X, {S, ‹C›}) -> {S + X, ‹C + 1›} end, {0, ‹0›}, L),
    {«Sum», ‹Count›}.
