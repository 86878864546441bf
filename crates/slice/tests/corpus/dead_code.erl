%% Functions that nobody calls, clauses that never match, results that nobody wants.
%% inputs: main(int), constant(int), subsumed(one(1; 2; 7))
-module(dead_code).
-export([main/1, constant/1, subsumed/1]).

main(N) ->
    Used = helper(N, 1),
    Unused = other(N),
    Log = {log, Unused},
    Result = case Used of
        {ok, V} -> V;
        {error, E} -> {never, E}
    end,
    _ = Log,
    Result.

helper(N, 1) -> {ok, N + 1};
helper(N, 2) -> {error, N}.

other(N) -> expensive(N) + expensive(N - 1).

expensive(N) -> N * N * N.

constant(N) ->
    Mode = fast,
    Factor = case Mode of
        fast -> 2;
        slow -> N
    end,
    Flag = true,
    R = if Flag -> N * Factor; not Flag -> N end,
    R.

subsumed(X) ->
    R = f(X),
    T = g({X, X}),
    {R, T}.

f(1) -> one;
f(X) -> {any, X};
f(7) -> seven.

g({A, B}) when is_integer(A) -> A + B;
g({A, _}) -> A;
g(Other) -> Other.
