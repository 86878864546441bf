%% Several accumulators in one loop.
%% inputs: stats(list(int)), sum_prod(nat, int), split(list(int), int)
-module(accumulators).
-export([stats/1, sum_prod/2, split/2]).

stats(L) ->
    {Count, Sum, Max} = stats(L, 0, 0, 0),
    Mean = if Count =:= 0 -> none; true -> Sum div Count end,
    {Mean, Max}.

stats([], C, S, M) -> {C, S, M};
stats([X | Xs], C, S, M) when X > M -> stats(Xs, C + 1, S + X, X);
stats([X | Xs], C, S, M) -> stats(Xs, C + 1, S + X, M).

sum_prod(N, X) ->
    {Sum, Prod} = loop(N rem 6, X, 0, 1),
    Diff = Prod - Sum,
    {Sum, Prod, Diff}.

loop(0, _, S, P) -> {S, P};
loop(N, X, S, P) ->
    S1 = S + X,
    P1 = P * X,
    loop(N - 1, X, S1, P1).

split(L, Pivot) ->
    {Low, High} = split(L, Pivot, [], []),
    length(Low) - length(High).

split([], _, Low, High) -> {Low, High};
split([X | Xs], P, Low, High) ->
    case X < P of
        true -> split(Xs, P, [X | Low], High);
        false -> split(Xs, P, Low, [X | High])
    end.
