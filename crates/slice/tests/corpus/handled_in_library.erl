%% Exceptions through functions of the library that call back.
%% inputs: each(list(int)), folds(list(int)), more(list(int)), maps(int)
-module(handled_in_library).
-export([each/1, folds/1, more/1, maps/1]).

each(L) ->
    put(sum, 0),
    try
        lists:foreach(fun(X) -> check(X), put(sum, get(sum) + X) end, L)
    catch throw:{bad, _} -> ok
    end,
    Sum = get(sum),
    Sum.

check(X) when X > 5 -> throw({bad, X});
check(_) -> ok.

folds(L) ->
    put(last, none),
    Total = try
        lists:foldl(fun(X, A) -> put(last, X), A + 20 div X end, 0, L)
    catch error:badarith -> none
    end,
    try
        lists:foldr(fun(X, A) -> check(X), put(last, {X, A}), X end, 0, L)
    catch throw:{bad, X} when X > 6 -> ok; throw:_ -> put(last, six)
    end,
    Last = get(last),
    {Total, Last}.

more(L) ->
    put(seen, []),
    see(fun() -> lists:map(fun(X) -> note(X), check(X) end, L) end),
    see(fun() -> lists:filter(fun(X) -> note(X), X > 2 orelse throw({bad, X}) end, L) end),
    see(fun() -> lists:any(fun(X) -> note(X), check(X), X =:= 3 end, L) end),
    see(fun() -> lists:sort(fun(X, Y) -> check(X), note({X, Y}), X =< Y end, L) end),
    see(fun() -> lists:keymap(fun(X) -> note(X), check(X) end, 1, [{X} || X <- L]) end),
    Seen = get(seen),
    Seen.

see(F) -> try F(), note(done) catch throw:{bad, 7} -> note(seven); throw:{bad, _} -> ok end.

note(X) -> put(seen, [X | get(seen)]).

maps(X) ->
    put(n, 0),
    M = #{a => X, b => X + 2},
    try
        maps:fold(fun(_, V, A) -> check(V), put(n, get(n) + V), A + V end, 0, M)
    catch throw:{bad, _} -> ok
    end,
    try maps:map(fun(K, V) -> put({mapped, K}, V), check(V + 1) end, M) catch throw:_ -> ok end,
    try maps:foreach(fun(K, _) -> put(key, K), check(X + 3) end, M)
        catch throw:{bad, Y} when Y > 0 -> ok end,
    N = get(n),
    Mapped = get({mapped, b}),
    Key = get(key),
    {N, Mapped, Key}.
