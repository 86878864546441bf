%% Sorting by merging; the number of comparisons is counted along.
%% inputs: sort(list(int)), compare_count(list(int))
-module(merge_sort).
-export([sort/1, compare_count/1]).

sort(L) ->
    {Sorted, _Count} = msort(L),
    Sorted.

compare_count(L) ->
    {_, Count} = msort(L),
    Count.

msort([]) -> {[], 0};
msort([X]) -> {[X], 0};
msort(L) ->
    Half = length(L) div 2,
    {Left, Right} = lists:split(Half, L),
    {A, N1} = msort(Left),
    {B, N2} = msort(Right),
    {Merged, N3} = merge(A, B, 0),
    {Merged, N1 + N2 + N3}.

merge([], B, N) -> {B, N};
merge(A, [], N) -> {A, N};
merge([X | Xs], [Y | Ys], N) when X =< Y ->
    {Rest, M} = merge(Xs, [Y | Ys], N + 1),
    {[X | Rest], M};
merge(Xs, [Y | Ys], N) ->
    {Rest, M} = merge(Xs, Ys, N + 1),
    {[Y | Rest], M}.
