%% Thesis, Figure 4.13: what the last match takes out never was in the calls.
-module(figure_4_13_c).
-export([foo/1]).

foo(‹Arg›) ->
    ‹{A, B} = bar(Arg)›,
    Z = {[7], ‹A›},
    {[«C»], ‹D›} = Z,
    ‹{B, C, D}›.

‹bar(X) ->
    bar2(X).›

‹bar2({_, B, C}) ->
    {B, C}.›
