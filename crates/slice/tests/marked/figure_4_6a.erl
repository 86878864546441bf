%% Thesis, Figure 4.6a: a loop that takes constraints off the stack: all of it is needed.
-module(figure_4_6a).
-export([main/3]).

main(Max, B, Init) ->
    X = loop(0, Max, B, Init),
    {C, ‹_D›} = X,
    «C».

loop(I, Max, B, X) when I < Max ->
    A = {X, I},
    loop(I + 1, Max, B, {A, B});
loop(_, _, _, X) ->
    X.
