%% Thesis, Figure 4.6b: a balanced loop: the second element is never needed.
-module(figure_4_6b).
-export([main/2]).

main(Max, Init) ->
    X = loop(0, Max, Init),
    {C, ‹_D›} = X,
    «C».

loop(I, Max, X) when I < Max ->
    {A, ‹B›} = X,
    loop(I + 1, Max, {A + I, ‹B + I›});
loop(_, _, X) ->
    X.
