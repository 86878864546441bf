%% Thesis, Figure 4.6d: one cycle that is no loop, and one that grows the stack.
-module(figure_4_6d).
-export([main/2]).

main(Max, Init) ->
    X = loop(0, Max, Init),
    {C, ‹_D›} = X,
    «C».

loop(I, Max, X) when I < Max ->
    {‹_E›, D} = X,
    {A, B} = D,
    loop(I + 1, Max, {A, B});
loop(_, _, X) ->
    X.
