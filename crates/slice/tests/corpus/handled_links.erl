%% Exits of linked processes, trapped: the only effect of a failure.
%% inputs: main(int), chain(int), ends(int)
-module(handled_links).
-export([main/1, chain/1, ends/1]).

main(X) ->
    process_flag(trap_exit, true),
    put(got, none),
    P = spawn_link(fun() -> X > 3 andalso exit({too_big, X}), ok end),
    receive
        {'EXIT', P, normal} -> put(got, fine);
        {'EXIT', P, {too_big, _}} -> ok
    end,
    Got = get(got),
    Got.

chain(X) ->
    process_flag(trap_exit, true),
    Me = self(),
    P = spawn_link(fun() ->
        Q = spawn_link(fun() -> receive {number, N} -> 10 div N end end),
        Q ! {number, X},
        receive stop -> ok after 50 -> Me ! {alive, X} end
    end),
    How = receive
        {'EXIT', P, {badarith, _}} -> failed;
        {'EXIT', P, normal} -> fine
    end,
    Alive = receive {alive, N} -> N after 0 -> none end,
    {How, Alive}.

ends(X) ->
    T = ets:new(t, [public]),
    ets:insert(T, {steps, 0}),
    {P, M} = spawn_monitor(fun() ->
        spawn_link(fun() -> X rem 2 =:= 0 andalso exit(odd) end),
        receive after 20 -> ok end,
        ets:update_counter(T, steps, 1)
    end),
    R = receive {'DOWN', M, process, P, Why} -> Why end,
    Steps = ets:lookup_element(T, steps, 2),
    {R, Steps}.
