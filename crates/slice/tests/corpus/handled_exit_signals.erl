%% Exit signals that are sent on purpose; who traps them goes on.
%% inputs: main(int), kill(one(kill; stop; normal))
-module(handled_exit_signals).
-export([main/1, kill/1]).

main(X) ->
    Me = self(),
    P = spawn(fun() ->
        X > 3 andalso process_flag(trap_exit, true),
        Me ! ready,
        receive
            {'EXIT', _, {stop, N}} -> Me ! {stopped, N};
            go_on -> Me ! went_on
        after 20 -> Me ! nothing
        end
    end),
    M = monitor(process, P),
    receive ready -> ok end,
    exit(P, {stop, X}),
    Down = receive {'DOWN', M, _, _, Why} -> Why end,
    Said = receive {stopped, N} -> N; nothing -> nothing after 0 -> none end,
    {Down, Said}.

kill(Reason) ->
    Me = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        Me ! ready,
        receive {'EXIT', Me, R} -> exit({got, R}) after 20 -> ok end
    end),
    M = monitor(process, P),
    receive ready -> ok end,
    exit(P, Reason),
    How = receive
        {'DOWN', M, _, _, {got, R}} -> {got, R};
        {'DOWN', M, _, _, killed} -> killed;
        {'DOWN', M, _, _, normal} -> normal
    end,
    How.
