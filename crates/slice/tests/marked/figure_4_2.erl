%% Thesis, Figure 4.2: a tuple is collapsed into a variable and taken apart again.
-module(figure_4_2).
-export([foo/2]).

foo(‹X›, ‹Y›) ->
    ‹{A, B} = {X, Y}›,
    Z = {[7], ‹A›},
    {[«C»], ‹D›} = Z.
