%% Thesis, Figure 4.13 (Example 4.8): through two calls only the element that is asked for.
-module(figure_4_13_a).
-export([foo/1]).

foo(Arg) ->
    {«A», ‹B›} = bar(Arg),
    ‹Z = {[7], A}›,
    ‹{[C], D} = Z›,
    ‹{B, C, D}›.

bar(X) ->
    bar2(X).

bar2({_, B, ‹C›}) ->
    {B, ‹C›}.
