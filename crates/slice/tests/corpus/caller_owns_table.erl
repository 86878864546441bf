%% Who enters the program fails, and its table is gone.
%% inputs: run(int)
-module(caller_owns_table).
-export([run/1]).

run(N) ->
    T = ets:new(t, [public, named_table]),
    Me = self(),
    ets:insert(T, {value, 0}),
    spawn(fun() -> Me ! go, timer:sleep(5), report(T) end),
    receive go -> ok end,
    V = 12 div N,
    ets:insert(T, {value, V}),
    timer:sleep(3),
    1 = N band 1,
    timer:sleep(20).

report(T) ->
    Is = ets:info(T, size),
    V = try ets:lookup_element(T, value, 2) catch error:badarg -> lost end,
    {Is, V}.
