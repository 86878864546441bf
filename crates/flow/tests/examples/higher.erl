%% Functions as values: funs, named funs, names, lists of them, library functions that call.
-module(higher).
-export([main/0, one/1, two/1, add/2]).

main() ->
    Funs = [fun one/1, fun ?MODULE:two/1, fun(X) -> X end],
    [F(1) || F <- Funs],
    lists:map(fun one/1, [1, 2]),
    lists:foldl(fun add/2, 0, [1, 2]),
    lists:foreach(fun(G) -> G(2) end, [fun two/1]),
    Fact = fun Loop(0) -> 1; Loop(N) -> N * Loop(N - 1) end,
    Fact(3),
    call(higher, two),
    apply(higher, add, [1, 2]),
    apply(fun one/1, [3]),
    M = maps:put(f, fun one/1, #{g => fun two/1}),
    (maps:get(f, M))(4),
    #{g := Get} = M,
    Get(5),
    {_, Second} = {fun one/1, fun two/1},
    Second(6),
    put(key, fun add/2),
    (get(key))(1, 2),
    outside:apply(fun one/1),
    F2 = outside:get(),
    F2(1).

call(M, F) -> M:F(0).

one(X) -> X.
two(X) -> X.
add(X, Y) -> X + Y.
