%% Named funs: recursion, funs in funs, names that shadow.
%% inputs: fact(nat), walk(list(int)), mutual(nat), shadow(int, list(int)), acc(list({atom, int}))
-module(named_fun_mix).
-export([fact/1, walk/1, mutual/1, shadow/2, acc/1]).

fact(N) ->
    M = N rem 7,
    F = fun Self(0, Acc) -> Acc; Self(K, Acc) -> Self(K - 1, Acc * K) end,
    R = F(M, 1),
    {M, R}.

walk(L) ->
    Tree = build(L),
    Depth = fun D(nil) -> 0; D({_, Lf, Rt}) -> 1 + max(D(Lf), D(Rt)) end,
    Sum = fun S(nil) -> 0; S({V, Lf, Rt}) -> V + S(Lf) + S(Rt) end,
    Deep = Depth(Tree),
    Total = Sum(Tree),
    {Deep, Total}.

build(L) -> lists:foldl(fun insert/2, nil, L).

insert(X, nil) -> {X, nil, nil};
insert(X, {Y, L, R}) when X < Y -> {Y, insert(X, L), R};
insert(X, {Y, L, R}) -> {Y, L, insert(X, R)}.

mutual(N) ->
    M = N rem 9,
    Even = fun E(0) -> true; E(K) -> Odd = fun O(0) -> false; O(J) -> E(J - 1) end, Odd(K - 1) end,
    Is = Even(M),
    Count = (fun C(0) -> []; C(K) -> [K | C(K - 1)] end)(M),
    {Is, length(Count), Count}.

shadow(X, L) ->
    F = fun X(Y) when Y > 3 -> Y; X(Y) -> X(Y + 1) end,
    G = fun(Y) -> Z = Y + X, H = fun(X1) -> X1 * Z end, H(Y) end,
    A = [F(E) || E <- L],
    B = lists:map(G, L),
    {A, B}.

acc(Pairs) ->
    {Names, Sum} = lists:foldl(
        fun({Name, N}, {Ns, S}) -> {[Name | Ns], S + N} end, {[], 0}, Pairs),
    Sorted = lists:usort(Names),
    First = case Sorted of [F | _] -> F; [] -> none end,
    {First, Sum}.
