%% Library functions over lists that take structures apart.
%% inputs: people(list({atom, int})), zipped(list(int), list(atom)), folded(list(int)), parts(list(int))
-module(list_library).
-export([people/1, zipped/2, folded/1, parts/1]).

people(P) ->
    Sorted = lists:keysort(2, P),
    Names = [N || {N, _} <- Sorted],
    Found = lists:keyfind(a, 1, Sorted),
    Age = case Found of {a, A} -> A; false -> none end,
    {Names, Age}.

zipped(Ns, As) ->
    Len = min(length(Ns), length(As)),
    Pairs = lists:zip(lists:sublist(Ns, Len), lists:sublist(As, Len)),
    {Numbers, Atoms} = lists:unzip(Pairs),
    Sum = lists:sum(Numbers),
    {Sum, Atoms}.

folded(L) ->
    {Mapped, Total} = lists:mapfoldl(fun(X, Acc) -> {X * 2, Acc + X} end, 0, L),
    Last = case Mapped of [] -> none; _ -> lists:last(Mapped) end,
    {Last, Total}.

parts(L) ->
    {Even, Odd} = lists:partition(fun(X) -> X rem 2 =:= 0 end, L),
    {Small, Large} = lists:splitwith(fun(X) -> X < 5 end, Even),
    Flat = lists:flatten([Small, [Odd, []]]),
    Numbered = lists:zip(lists:seq(1, length(Flat)), Flat),
    {Large, [I || {I, X} <- Numbered, X > 2]}.
