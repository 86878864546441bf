%% Handlers and failures that macros make.
%% inputs: main(int), asserted(int)
-module(handled_macros).
-export([main/1, asserted/1]).
-define(CHECK(C, R), (C) orelse throw({check, R})).
-define(SAFELY(E), try E catch throw:{check, _} -> ok end).
-define(assertSmall(X), case X < 4 of true -> ok; false -> error({assert, X}) end).

main(X) ->
    put(n, 0),
    ?SAFELY(begin ?CHECK(X < 5, X), put(n, 1) end),
    try
        ?CHECK(X > 0, low),
        put(n, get(n) + 2)
    catch
        throw:{check, low} -> ok
    end,
    N = get(n),
    N.

asserted(X) ->
    put(n, 0),
    try
        ?assertSmall(X),
        put(n, 1),
        ?assertSmall(X + 2),
        put(n, 2)
    catch error:{assert, _} -> ok
    end,
    N = get(n),
    N.
