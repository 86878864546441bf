-module(closures).
-export([f/1, g/1]).

f(X) ->
  Y = X,
  fun(A) -> fun() -> {X, Y, A} end end.

g(N) ->
  F = fun Loop(0) -> N; Loop(M) -> Loop(M - 1) end,
  F(N).
