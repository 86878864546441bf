%% Clauses that are chosen or not by what is written: the tested variable itself, constructors of it, literals of calls.
%% inputs: itself(int, int), parts(int, any), shadowed(any), literals(one(a; b)), lists(int, list(int)), repeated(int, int)
-module(chosen_by_text).
-export([itself/2, parts/2, shadowed/1, literals/1, lists/2, repeated/2]).

itself(Y, W) ->
    V = case Y of W -> 1; Y -> 2; _ -> W + 3 end,
    V.

parts(X, Y) ->
    A = case {X, Y} of {1, Y} -> one; {X, 2} -> two; {X, Y} -> both; _ -> X end,
    B = case {X, [Y]} of {X, [_]} -> here; {_, _} -> put(there, X) end,
    C = case P = {X, 1} of {Z, 1} -> {Z, P}; _ -> none end,
    There = get(there),
    {A, B, C, There}.

shadowed(X) ->
    F = fun(Y) -> case Y of X -> same; Y -> other; _ -> never end end,
    G = fun(X) -> case X of X -> X; _ -> never end end,
    {F(X), F(1), G(2)},
    R = F(1),
    S = G(X),
    {R, S}.

literals(K) ->
    A = pick(a, 1),
    B = pick(b, A),
    C = pick(K, B),
    D = pick({x, K}, C),
    {A, B, C, D}.

pick(a, X) -> X + 1;
pick({x, a}, X) -> X * 2;
pick({x, Y}, X) -> {Y, X};
pick(b, X) when X > 2 -> X;
pick(_, X) -> X - 1.

lists(X, L) ->
    A = take([X, 1]),
    B = take([X | L]),
    C = case [X | L] of [_ | L] -> L; _ -> none end,
    {A, B, C}.

take([]) -> none;
take([A, B]) -> A + B;
take([A | _]) -> A;
take(Other) -> Other.

repeated(X, Y) ->
    A = same(1, 1),
    B = same(X, Y),
    C = case {X, Y} of {Z, Z} -> Z; {_, _} -> differ end,
    {A, B, C}.

same(A, A) -> equal;
same(1, _) -> one;
same(_, _) -> differ.
