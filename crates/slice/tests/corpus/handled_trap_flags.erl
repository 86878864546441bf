%% Whether exits are trapped is itself decided by something that may fail.
%% inputs: main(int), switched(int)
-module(handled_trap_flags).
-export([main/1, switched/1]).

main(X) ->
    T = ets:new(t, [public]),
    ets:insert(T, {state, none}),
    P = spawn(fun() ->
        try
            X > 4 andalso throw({no_trap, X}),
            process_flag(trap_exit, true)
        catch throw:{no_trap, _} -> ok
        end,
        ets:insert(T, {state, started}),
        spawn_link(fun() -> X rem 2 =:= 0 andalso exit({child, X}) end),
        receive {'EXIT', _, {child, _}} -> ets:insert(T, {state, told});
            {'EXIT', _, normal} -> ets:insert(T, {state, ended})
        after 20 -> ets:insert(T, {state, nothing})
        end
    end),
    M = monitor(process, P),
    Why = receive {'DOWN', M, _, _, W} -> W end,
    State = ets:lookup_element(T, state, 2),
    {Why, State}.

switched(X) ->
    Old = process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit({n, X}) end),
    receive {'EXIT', P, {n, N}} when N > 3 -> put(got, high); {'EXIT', P, _} -> ok end,
    try
        put(flag, process_flag(trap_exit, X =:= 2 orelse X)),
        put(got, {switched, get(got)})
    catch error:badarg -> ok
    end,
    Got = get(got),
    {Old, Got}.
