%% Variables of funs and comprehensions that hide others of the same name.
%% inputs: funs(int, int), generators(list(int), int), clauses(int)
-module(shadowing).
-export([funs/2, generators/2, clauses/1]).

funs(X, Y) ->
    F = fun(X) -> X + Y end,
    A = F(10),
    G = fun(Y) -> Y * X end,
    B = G(3),
    {A, B, X}.

generators(L, X) ->
    Doubled = [X * 2 || X <- L],
    Sum = lists:sum(Doubled) + X,
    Filtered = [Y || Y <- Doubled, Y > X],
    {Sum, Filtered}.

clauses(N) ->
    F = fun(0) -> zero;
           (N) when N > 5 -> {big, N};
           (M) -> {small, M, N}
        end,
    A = F(N + 1),
    B = F(7),
    {A, B}.
