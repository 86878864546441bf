-module(structures).
-export([f/2]).
-record(r, {a, b = 0}).

f(X, Y) ->
  h({pair, X, [Y]}),
  g(#{k => X}),
  i(#r{a = Y}).

h({pair, A, [B | C]}) -> {A, B, C};
h({other, A, _}) -> A.

g(#{k := V, l := W}) -> {V, W}.

i(#r{a = A, b = B}) -> A + B.
