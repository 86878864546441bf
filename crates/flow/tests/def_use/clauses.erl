-module(clauses).
-export([f/1]).

f(X) ->
  case X of
    {a, Y} -> Z = Y;
    Y -> Z = 0
  end,
  {Y, Z}.
