-module(patterns).
-export([f/2]).

%% Variables that are bound already are uses in patterns.
f(X, L) ->
  {X, Z} = hd(L),
  [W || {W, Z} <- L, Z > X],
  case L of
    X -> Z;
    _ when X > 1 -> 0
  end.
