%% Exceptions out of funs, handled where they are called.
%% inputs: main(int), stored(int), returned(int)
-module(handled_in_funs).
-export([main/1, stored/1, returned/1]).

main(X) ->
    put(n, 0),
    F = fun(Y) -> Y > 3 andalso throw({over, Y}), put(n, Y) end,
    try
        F(X),
        F(X + 2),
        F(X + 4)
    catch throw:{over, _} -> ok
    end,
    N = get(n),
    N.

stored(X) ->
    put(n, 0),
    Steps = #{check => fun check/1, add => fun(Y) -> put(n, get(n) + Y) end},
    safely(maps:get(check, Steps), X),
    safely(fun(Y) -> (maps:get(check, Steps))(Y), (maps:get(add, Steps))(Y) end, X),
    N = get(n),
    N.

check(X) when X > 5 -> error({too_big, X});
check(X) when X < 0 -> exit(low);
check(_) -> ok.

safely(F, X) ->
    try F(X) catch error:{too_big, Y} when Y < 8 -> ok; error:_ -> put(n, -1); exit:low -> ok end.

returned(X) ->
    put(n, 0),
    Make = fun(Limit) -> fun(Y) when Y < Limit -> put(n, Y);
        (Y) -> throw({limit, Limit, Y}) end end,
    Three = Make(3),
    Five = Make(5),
    try Five(X), Three(X) catch throw:{limit, 3, _} -> ok; throw:{limit, 5, _} -> put(n, five) end,
    N = get(n),
    N.
