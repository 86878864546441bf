%% Thesis, Figures 10.5 and 10.6: of two accumulators one. All is as in Figure 10.6 but for the call around the
%% criterion, io:format/2, which the thesis's tool prints since Sum stands in it. The criterion is the value of
%% Sum: it is there before the call is made, and the thesis's own definition (a sequence of values at the
%% criterion) holds without the call. Chapter 5 wants that, too: Figures 5.2 and 5.5 leave out the expressions
%% around the criterion.
-module(figure_10_5).
-export([main/0]).

main() ->
    {Sum, ‹Prod›} = sum_prod(‹10›, 10, 0, ‹0›),
    ⟨io:format("~p", [«Sum»])⟩,
    ‹io:format("~p", [Prod])›.

sum_prod(‹N›, 0, S, ‹P›) -> {S, ‹P›};
sum_prod(‹N›, L, S, ‹P›) ->
    S1 = S + 1,
    ‹P1 = P + N›,
    sum_prod(‹N›, L - 1, S1, ‹P1›).
