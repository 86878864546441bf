%% Thesis, Figure 4.6c: a loop that grows the stack: each round looks one level deeper.
-module(figure_4_6c).
-export([main/2]).

main(Max, Init) ->
    X = loop(0, Max, Init),
    {C, ‹_D›} = X,
    «C».

loop(I, Max, X) when I < Max ->
    B = X,
    {X1, ‹_A›} = B,
    loop(I + 1, Max, X1);
loop(_, _, X) ->
    X.
