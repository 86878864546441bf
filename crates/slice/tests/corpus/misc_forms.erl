%% Forms of expressions that are used less often.
%% inputs: ifs(int, int), bools(any, any), begin_end(int), strings(int), ops(int, int), macro(int), compare(any, any), lists_ops(list(int)), funs_cmp(int), update(nat), catchy(any)
-module(misc_forms).
-export([ifs/2, bools/2, begin_end/1, strings/1, ops/2, macro/1, compare/2, lists_ops/1, funs_cmp/1, update/1, catchy/1]).

-define(SQ(X), ((X) * (X))).
-define(LOG(X), (put(log, [X | old(get(log))]))).
-define(IFPOS(X, A, B), if X > 0 -> A; true -> B end).

ifs(A, B) ->
    X = if A > B, A > 0 -> gt; A =:= B; A =:= 0 -> eq; true -> lt end,
    Y = if is_integer(A) andalso B > 3 -> A; B < -1 -> B; true -> 0 end,
    {X, Y}.

bools(A, B) ->
    X = is_atom(A) andalso B,
    Y = is_list(B) orelse (is_atom(B) andalso A =:= B),
    Z = (catch not B),
    W = (Y xor is_integer(A)) or (A == B),
    {X, Y, is_boolean(Z), W}.

begin_end(N) ->
    A = begin B = N + 1, C = B * 2, {B, C} end,
    {D, _} = A,
    E = (F = D + C) + B,
    [G | _] = H = [E, F],
    {G, length(H)}.

strings(N) ->
    S = "abc" ++ integer_to_list(N) ++ "d" "ef",
    T = S -- "b",
    U = [C || C <- T, C >= $a],
    {T, U, lists:nth(2, S)}.

ops(A, B) ->
    C = A bxor B band 7 bor 1,
    D = -A + +B,
    E = (A + 5) rem 3,
    F = bnot C,
    G = 1 bsl (B band 3),
    {C - D, E, F, G, A / 2}.

macro(N) ->
    X = ?SQ(N + 1),
    ?LOG(X),
    Y = ?IFPOS(N, X, -X),
    ?LOG(Y),
    L = get(log),
    {Y, L, ?LINE, ?MODULE}.

compare(A, B) ->
    M = max(A, B),
    N = A < B,
    O = A =:= B,
    P = {A, [B]} =< {B, [A]},
    {M, N orelse O, P}.

lists_ops(L) ->
    S = lists:sort(L),
    {Small, Big} = lists:partition(fun(X) -> X < 3 end, S),
    [A | _] = Big ++ [100],
    Z = lists:zipwith(fun(X, Y) -> X - Y end, L, lists:reverse(L)),
    {Sum, Max} = lists:foldr(fun(X, {P, Q}) -> {P + X, max(X, Q)} end, {0, -100}, Z),
    D = lists:dropwhile(fun(X) -> X < 0 end, L),
    T = lists:takewhile(fun(X) -> X < 5 end, D),
    Any = lists:any(fun(X) -> X =:= A end, L),
    {Small, A, Sum, Max, T, Any}.

funs_cmp(N) ->
    Fs = [fun(X) -> X + N end, fun erlang:abs/1, fun helper/1],
    Rs = [F(N) || F <- Fs],
    Compose = lists:foldl(fun(F, G) -> fun(X) -> F(G(X)) end end, fun(X) -> X end, Fs),
    R = Compose(N),
    {Rs, R}.

old(undefined) -> [];
old(L) -> L.

helper(X) when X > 0 -> X * 3;
helper(X) -> X.

update(N) ->
    T = {N, N + 1, N + 2},
    U = setelement(2, T, x),
    V = erlang:append_element(U, last),
    W = element(1, V),
    X = tuple_size(V),
    Y = erlang:delete_element(1, V),
    {W, X, element(3, Y)}.

catchy(X) ->
    A = catch hd(X),
    B = catch throw({t, X}),
    C = case catch element(1, X) of {'EXIT', _} -> no; V -> V end,
    D = (catch exit(X)),
    {is_tuple(A), B, C, D}.
