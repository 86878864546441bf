%% Signals: links, monitors, exits, aliases and flags, used by two processes on a third at the same time.
-module(race_signals).
-export([calls/0, both/3, same/3, requests/2]).

operations() ->
    [link, unlink, watch, unwatch, bad, normal, kill, finish, trap, untrap, message, alive, info_links, info_watched,
     info_trap, priority, leader, queue, dictionary].

calls() ->
    [{both, [Traps, A, B]} || Traps <- [true, false], A <- operations(), B <- operations(), A =< B]
        ++ [{same, [Traps, A, B]} || Traps <- [true, false], A <- operations(), B <- operations(), A =/= B]
        ++ [{requests, [A, B]} || A <- answers(), B <- answers()].

%% Two processes, one operation each; what they get, and how the third one ends when it is told to stop.
both(Traps, A, B) ->
    Main = self(),
    P = third(Traps),
    R = monitor(process, P),
    {X, MX} = spawn_monitor(fun() -> receive go -> Main ! {a, attempt(A, P)}, receive never -> ok end end end),
    {Y, MY} = spawn_monitor(fun() -> receive go -> Main ! {b, attempt(B, P)}, receive never -> ok end end end),
    X ! go,
    Y ! go,
    RA = answer_of(a, MX),
    RB = answer_of(b, MY),
    {RA, RB, stopped(P, R)}.

%% One process, one operation after the other.
same(Traps, A, B) ->
    Main = self(),
    P = third(Traps),
    R = monitor(process, P),
    {_, M} = spawn_monitor(fun() ->
        RA = attempt(A, P),
        RB = attempt(B, P),
        Main ! {a, {RA, RB}},
        receive never -> ok end
    end),
    RAB = answer_of(a, M),
    {RAB, stopped(P, R)}.

%% A link may end who made it before it answers.
answer_of(Tag, M) -> receive {Tag, Answer} -> Answer; {'DOWN', M, _, _, Why} -> {died, Why} end.

third(Traps) ->
    Main = self(),
    P = spawn(fun() -> process_flag(trap_exit, Traps), put(key, 0), Main ! ready, loop([]) end),
    receive ready -> ok end,
    P.

loop(Got) ->
    receive
        finish -> exit(finished);
        {stop, From} -> From ! {got, self(), lists:reverse(Got)};
        trap -> process_flag(trap_exit, true), loop(Got);
        untrap -> process_flag(trap_exit, false), loop(Got);
        message -> put(key, get(key) + 1), loop([message | Got]);
        {'EXIT', _, Why} -> loop([Why | Got])
    end.

stopped(P, R) ->
    P ! {stop, self()},
    receive
        {got, P, Got} -> {stopped, Got};
        {'DOWN', R, _, _, Why} -> receive {got, P, Got} -> {stopped, Got} after 0 -> {ended, Why} end
    end.

attempt(What, P) -> try operate(What, P) catch error:Why -> Why end.

operate(link, P) ->
    process_flag(trap_exit, true),
    link(P),
    receive {'EXIT', P, Why} -> Why after 0 -> linked end;
operate(unlink, P) -> link(P), unlink(P);
operate(watch, P) -> R = monitor(process, P), receive {'DOWN', R, _, _, Why} -> Why after 0 -> watching end;
operate(unwatch, P) -> R = monitor(process, P), demonitor(R, [flush, info]);
operate(bad, P) -> exit(P, bad);
operate(normal, P) -> exit(P, normal);
operate(kill, P) -> exit(P, kill);
operate(finish, P) -> P ! finish, sent;
operate(trap, P) -> P ! trap, sent;
operate(untrap, P) -> P ! untrap, sent;
operate(message, P) -> P ! message, sent;
operate(alive, P) -> is_process_alive(P);
operate(info_links, P) -> case process_info(P, links) of {links, Ls} -> length(Ls); U -> U end;
operate(info_watched, P) -> case process_info(P, monitored_by) of {_, Ls} -> length(Ls); U -> U end;
operate(info_trap, P) -> case process_info(P, trap_exit) of {_, T} -> T; U -> U end;
operate(priority, P) -> case process_info(P, status) of {_, _} -> there; U -> U end;
operate(leader, P) -> group_leader(group_leader(), P);
operate(queue, P) -> case process_info(P, message_queue_len) of {_, N} -> N; U -> U end;
operate(dictionary, P) -> case process_info(P, dictionary) of {_, D} -> D; U -> U end.

%% A request with an alias or a monitor, against its answer and the end of who answers.
answers() -> [reply, twice, ends, late, alias, alias_twice, unalias, demonitor, reply_demonitor, explicit].

requests(A, B) ->
    S = spawn(fun() -> receive {request, Tag, From, Alias} -> answer(A, Tag, From, Alias) end end),
    request(B, S).

answer(ends, _, _, _) -> ok;
answer(late, Tag, From, _) -> receive after 1 -> From ! {Tag, answered} end;
answer(alias, Tag, _, Alias) -> Alias ! {Tag, answered};
answer(alias_twice, Tag, _, Alias) -> Alias ! {Tag, answered}, Alias ! {Tag, again};
answer(twice, Tag, From, _) -> From ! {Tag, answered}, From ! {Tag, again};
answer(_, Tag, From, _) -> From ! {Tag, answered}.

request(unalias, S) ->
    Alias = alias(),
    S ! {request, t, self(), Alias},
    X = receive {t, Y} -> Y after 1 -> none end,
    {X, unalias(Alias), rest()};
request(explicit, S) ->
    Alias = alias([explicit_unalias]),
    S ! {request, t, self(), Alias},
    Z = unalias(Alias),
    {Z, rest()};
request(alias, S) ->
    R = monitor(process, S, [{alias, reply_demonitor}]),
    S ! {request, t, self(), R},
    receive {t, X} -> {X, rest()}; {'DOWN', R, _, _, Why} -> {Why, rest()} end;
request(reply_demonitor, S) ->
    R = monitor(process, S, [{alias, reply_demonitor}]),
    S ! {request, t, self(), R},
    X = receive {t, Y} -> Y after 1 -> none end,
    {X, demonitor(R, [info]), rest()};
request(demonitor, S) ->
    R = monitor(process, S, [{alias, demonitor}]),
    S ! {request, t, self(), R},
    X = receive {t, Y} -> Y after 1 -> none end,
    {X, demonitor(R, [flush, info]), rest()};
request(alias_twice, S) ->
    Alias = alias([reply]),
    S ! {request, t, self(), Alias},
    X = receive {t, Y} -> Y after 1 -> none end,
    {X, rest()};
request(late, S) ->
    R = monitor(process, S),
    S ! {request, t, self(), self()},
    X = receive {t, Y} -> Y after 1 -> none end,
    {X, demonitor(R, [flush, info]), rest()};
request(_, S) ->
    R = monitor(process, S),
    S ! {request, t, self(), self()},
    receive {t, X} -> {X, rest()}; {'DOWN', R, _, _, Why} -> {Why, rest()} end.

rest() -> receive {t, X} -> [X | rest()]; {'DOWN', _, _, _, Why} -> [Why | rest()] after 0 -> [] end.
