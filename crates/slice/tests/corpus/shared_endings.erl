%% What others see of a process that has failed: tables, names, messages that do not come.
%% inputs: table(int), terms(int), merged(int), killed(int), owner(int), heir(int), counter(int), alive(int), named(int), dictionary(int), linked_quietly(int), given(int)
-module(shared_endings).
-export([table/1, terms/1, merged/1, killed/1, owner/1, heir/1, counter/1, alive/1, named/1, dictionary/1, linked_quietly/1, given/1]).

table(N) ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {a, 1}), check(N), ets:insert(T, {a, 2}) end),
    timer:sleep(5),
    [{a, V}] = ets:lookup(T, a),
    V.

terms(N) ->
    spawn(fun() -> persistent_term:put(the_a, 1), check(N), persistent_term:put(the_a, 2) end),
    timer:sleep(5),
    V = persistent_term:get(the_a, none),
    V.

merged(N) ->
    Me = self(),
    spawn(fun() -> Me ! {x, 1}, check(N), Me ! {x, 2} end),
    timer:sleep(5),
    spawn(fun() -> Me ! {x, 3} end),
    A = receive {x, X} -> X end,
    B = receive {x, Y} -> Y end,
    {A, B}.

killed(N) ->
    Me = self(),
    P = spawn(fun() -> receive {go, V} -> Me ! {x, V} end end),
    spawn(fun() -> maybe_kill(P, N) end),
    timer:sleep(5),
    P ! {go, N},
    timer:sleep(5),
    Me ! {x, none},
    A = receive {x, X} -> X end,
    A.

maybe_kill(P, N) when N > 3 -> exit(P, kill);
maybe_kill(_, _) -> ok.

owner(N) ->
    Me = self(),
    spawn(fun() ->
        ets:new(the_owned, [named_table, public]),
        ets:insert(the_owned, {k, N}),
        Me ! ready,
        check(N),
        receive stop -> ok end
    end),
    receive ready -> ok end,
    timer:sleep(5),
    V = try ets:lookup(the_owned, k) of [{k, X}] -> X catch error:badarg -> gone end,
    I = ets:info(the_owned, size),
    W = ets:whereis(the_owned) =:= undefined,
    {V, I, W}.

heir(N) ->
    Me = self(),
    spawn(fun() ->
        T = ets:new(the_heir, [public, {heir, Me, {from, N}}]),
        ets:insert(T, {k, N * 2}),
        check(N),
        ets:insert(T, {k, N * 3})
    end),
    receive
        {'ETS-TRANSFER', T, _, {from, M}} ->
            [{k, V}] = ets:lookup(T, k),
            {M, V}
    end.

given(N) ->
    Me = self(),
    P = spawn(fun() -> receive {'ETS-TRANSFER', T, From, Data} ->
        ets:insert(T, {got, Data}), From ! {seen, ets:info(T, size)} end end),
    T = ets:new(the_given, [public]),
    ets:insert(T, {first, N}),
    ets:give_away(T, P, {data, N + 1}),
    S = receive {seen, Size} -> Size end,
    Me ! done,
    S.

counter(N) ->
    C = counters:new(1, []),
    spawn(fun() -> counters:add(C, 1, 1), check(N), counters:add(C, 1, 10) end),
    timer:sleep(5),
    V = counters:get(C, 1),
    V.

alive(N) ->
    P = spawn(fun() -> check(N), receive stop -> ok end end),
    timer:sleep(5),
    A = is_process_alive(P),
    Info = erlang:process_info(P, status),
    {A, Info =:= undefined}.

named(N) ->
    P = spawn(fun() -> check(N), receive stop -> ok end end),
    register(the_named, P),
    timer:sleep(5),
    A = whereis(the_named) =:= undefined,
    B = (catch the_named ! hello),
    C = B =:= hello,
    D = lists:member(the_named, registered()),
    catch unregister(the_named),
    {A, C, D}.

dictionary(N) ->
    put(key, N),
    helper(N + 1),
    A = get(key),
    F = fun() -> put(key, A + 1), get(key) end,
    B = F(),
    Me = self(),
    spawn(fun() -> put(key, other), Me ! {dict, get(key), get(none)} end),
    C = receive {dict, X, undefined} -> X end,
    D = erase(key),
    E = get(key),
    {A, B, C, D, E}.

helper(N) when N > 4 -> put(key, N * 2);
helper(_) -> ok.

linked_quietly(N) ->
    Me = self(),
    spawn(fun() ->
        spawn_link(fun() -> check(N) end),
        timer:sleep(3),
        Me ! {x, first}
    end),
    timer:sleep(10),
    Me ! {x, second},
    A = receive {x, X} -> X end,
    A.

check(N) when N > 4 -> error({large, N});
check(N) when N < -1 -> exit(low);
check(_) -> ok.
