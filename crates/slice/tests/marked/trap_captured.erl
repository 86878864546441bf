%% A captured variable where the fun is called elsewhere.
-module(trap_captured).
-export([f/2]).

f(A, ‹B›) ->
    N = A + 1,
    F = fun(‹X›) -> {«N», ‹X›, ‹B›} end,
    call(F, ‹B›).

call(F, ‹V›) ->
    F(‹V›).
