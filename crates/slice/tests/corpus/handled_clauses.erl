%% No clause is chosen: of a case, an if, a function, a fun, a try.
%% inputs: main(int), several(list(int))
-module(handled_clauses).
-export([main/1, several/1]).

main(X) ->
    put(n, 0),
    try step(X), add(1) catch error:{case_clause, {big, _}} -> ok; error:if_clause -> ok end,
    try if X < 4 -> add(2) end catch error:if_clause -> ok end,
    try only_small(X), add(4) catch error:function_clause -> ok end,
    F = fun(Y) when Y < 2 -> Y end,
    try F(X), add(8) catch error:function_clause -> ok end,
    try
        try size_of(X) of
            small -> add(16)
        catch
            throw:_ -> ok
        end
    catch error:{try_clause, {big, _}} -> ok
    end,
    N = get(n),
    N.

step(X) ->
    case size_of(X) of
        small -> if X > -2 -> ok end
    end.

size_of(X) when X > 4 -> {big, X};
size_of(_) -> small.

only_small(X) when X < 3 -> X.

add(N) -> put(n, get(n) + N).

several(L) ->
    put(n, 0),
    [try step(X), add(1)
        catch error:{case_clause, {big, Y}} when Y < 9 -> ok;
            error:_ -> add(100) end || X <- L],
    N = get(n),
    N.
