%% Exceptions out of comprehensions: generators, filters, elements.
%% inputs: elements(list(int)), filters(list(int)), generators(list(list(int))), binaries(binary)
-module(handled_comprehension).
-export([elements/1, filters/1, generators/1, binaries/1]).

elements(L) ->
    put(last, none),
    try
        [begin X > 5 andalso throw({bad, X}), put(last, X) end || X <- L]
    catch throw:{bad, _} -> ok
    end,
    Last = get(last),
    Last.

filters(L) ->
    put(last, none),
    R = try
        [X || X <- L, allowed(X), put(last, X) =/= none]
    catch
        throw:{no, Y} when Y > -3 -> [];
        throw:_ -> stopped
    end,
    Last = get(last),
    {R, Last}.

allowed(X) when X < 0 -> throw({no, X});
allowed(X) -> X rem 2 =:= 0.

generators(Ls) ->
    put(rows, 0),
    try
        [put(rows, get(rows) + Y) || L <- Ls, Y <- rest(L)]
    catch error:function_clause -> ok
    end,
    Rows = get(rows),
    Rows.

rest([_ | L]) -> L.

binaries(B) ->
    put(n, 0),
    try
        << <<(put_in(X)):8>> || <<X>> <= B >>
    catch
        error:{large, _} -> ok
    end,
    N = get(n),
    N.

put_in(X) when X > 100 -> error({large, X});
put_in(X) -> put(n, get(n) + 1), X.
