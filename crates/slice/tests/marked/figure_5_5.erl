%% Thesis, Figure 5.5: the variable of a generator depends on its source only.
-module(figure_5_5).
-export([f/1]).

f(L1) ->
    [‹[X, Y]› || {«X», ‹Y›} <- L1, ‹X < 1›, ‹Y > 2›].
