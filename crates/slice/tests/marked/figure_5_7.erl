%% Thesis, Figure 5.7: the value of an if depends on its conditions and on all its branches.
-module(figure_5_7).
-export([f/1]).

f(Y) ->
    X = if Y > 0 -> 1; true -> 2 end,
    ‹Other = Y * 2›,
    {«X», ‹Other›}.
