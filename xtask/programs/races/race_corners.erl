%% Corners: several mechanisms of the language at once, around ends of processes. Each function is one program; what it
%% comes to is told as text, because a reason that has that of another process in it would be told as a consequence.
-module(race_corners).
-compile([export_all, nowarn_export_all]).

calls() ->
    None = [calls, got, module_info],
    [{told, [F]} || {F, 0} <- ?MODULE:module_info(exports), not lists:member(F, None)].

told(F) -> iolist_to_binary(io_lib:format("~0p", [?MODULE:F()])).

all(Funs) ->
    Main = self(),
    Ps = [spawn(fun() -> Main ! {value, self(), F()} end) || F <- Funs],
    [receive {value, P, V} -> V end || P <- Ps].

why(R) -> receive {'DOWN', R, _, _, Why} -> Why end.

got() -> receive M -> [M | got()] after 0 -> [] end.

attempt(F) -> try F() catch error:Why -> Why; exit:Why -> {exit, Why}; throw:Why -> {throw, Why} end.

quiet(F) -> spawn(fun() -> F(), receive never -> ok end end).

reason({W, [_ | _]}) -> W;
reason(W) -> W.

%% ---- links

ring_of_links() ->
    Main = self(),
    Ps = [A, B, C] = [spawn(fun() -> receive {link, P} -> link(P), Main ! linked end, receive W -> exit(W) end end) || _ <- [1, 2, 3]],
    [P ! {link, Q} || {P, Q} <- [{A, B}, {B, C}, {C, A}]],
    [receive linked -> ok end || _ <- Ps],
    Rs = [monitor(process, P) || P <- Ps],
    A ! a,
    B ! b,
    [why(R) || R <- Rs].

ring_killed() ->
    Main = self(),
    {A, RA} = spawn_monitor(fun() -> receive never -> ok end end),
    {B, RB} = spawn_monitor(fun() -> link(A), Main ! ready, receive never -> ok end end),
    {_, RC} = spawn_monitor(fun() -> process_flag(trap_exit, true), link(A), link(B), Main ! ready,
        receive {'EXIT', P, W} -> exit({case P of A -> a; B -> b end, W}) end end),
    [receive ready -> ok end || _ <- [1, 2]],
    exit(A, kill),
    {why(RA), why(RB), why(RC)}.

unlinked_by_the_other() ->
    Main = self(),
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> unlink(Main), exit(bad) end),
    R = monitor(process, P),
    {reason(why(R)), [W || {'EXIT', _, W} <- got()]}.

unlink_both() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> receive {other, Q} -> link(Q), Main ! linked, unlink(Q), exit(done) end end),
    {Q, RQ} = spawn_monitor(fun() -> receive stop -> ok end end),
    P ! {other, Q},
    receive linked -> ok end,
    spawn(fun() -> exit(Q, bang) end),
    {why(R), why(RQ)}.

link_while_ending_with_name() ->
    Main = self(),
    P = spawn(fun() -> register(n, self()), Main ! up, receive stop -> exit(bye) end end),
    receive up -> ok end,
    process_flag(trap_exit, true),
    P ! stop,
    link(P),
    receive {'EXIT', P, W} -> {W, whereis(n)} end.

trap_between() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> C = spawn_link(fun() -> receive go -> exit(child) end end), Main ! {child, C},
        process_flag(trap_exit, true), process_flag(trap_exit, false), receive after 1 -> exit({lived, length(got())}) end end),
    receive {child, C} -> C ! go end,
    true = is_pid(P),
    why(R).

exit_from_two_links() ->
    {_, R} = spawn_monitor(fun() -> spawn_link(fun() -> exit(x) end), spawn_link(fun() -> exit(y) end), receive after 2 -> ok end end),
    why(R).

exit_from_two_links_trapped() ->
    process_flag(trap_exit, true),
    A = spawn_link(fun() -> exit(x) end),
    spawn_link(fun() -> exit(y) end),
    First = receive {'EXIT', _, W} -> W end,
    unlink(A),
    {First, [V || {'EXIT', _, V} <- got()]}.

normal_exit_of_link_and_kill() ->
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    {_, RQ} = spawn_monitor(fun() -> attempt(fun() -> link(P) end), receive after 2 -> exit(survived) end end),
    all([fun() -> P ! stop end, fun() -> exit(P, kill) end]),
    {why(R), why(RQ)}.

%% ---- monitors

monitor_name_taken_over() ->
    Main = self(),
    A = spawn(fun() -> register(n, self()), Main ! up, receive stop -> unregister(n), exit(a) end end),
    receive up -> ok end,
    A ! stop,
    B = spawn(fun() -> Main ! {took, attempt(fun() -> register(n, self()) end)}, receive stop -> exit(b) end end),
    R = monitor(process, n),
    T = receive {took, X} -> X end,
    B ! stop,
    receive {'DOWN', R, process, {n, _}, W} -> {T, W} end.

monitor_again() ->
    {P, R1} = spawn_monitor(fun() -> exit(x) end),
    demonitor(R1),
    R2 = monitor(process, P),
    W = why(R2),
    {W, [V || {'DOWN', R, _, _, V} <- got(), R =:= R1]}.

monitor_and_message_order() ->
    Main = self(),
    P = spawn(fun() -> Main ! one, Main ! two, exit(three) end),
    R = monitor(process, P),
    lists:map(fun({'DOWN', X, _, _, W}) when X =:= R -> W; (M) -> M end, [receive M -> M end || _ <- [1, 2, 3]]).

monitors_told_to_two() ->
    Main = self(),
    P = spawn(fun() -> receive stop -> exit(x) end end),
    Q = spawn(fun() -> R = monitor(process, P), Main ! ready, receive {'DOWN', R, _, _, _} -> Main ! q_heard end end),
    receive ready -> ok end,
    R = monitor(process, P),
    P ! stop,
    true = is_pid(Q),
    [receive q_heard -> q; {'DOWN', R, _, _, _} -> me end || _ <- [1, 2]].

down_or_reply() ->
    Main = self(),
    S = spawn(fun() -> receive {ask, F, T} -> F ! {T, yes} end end),
    spawn(fun() -> exit(S, kill), Main ! killed end),
    R = monitor(process, S),
    S ! {ask, self(), R},
    A = receive {R, X} -> X; {'DOWN', R, _, _, W} -> W end,
    receive killed -> ok end,
    demonitor(R, [flush]),
    {A, got()}.

alias_of_ended_caller() ->
    Main = self(),
    S = spawn(fun() -> receive {ask, A} -> A ! {A, answer}, Main ! served end end),
    {C, RC} = spawn_monitor(fun() -> A = alias([reply]), S ! {ask, A}, receive {A, V} -> exit({got, V}) after 1 -> exit(late) end end),
    true = is_pid(C),
    receive served -> ok end,
    why(RC).

tagged_monitor() ->
    P = spawn(fun() -> receive stop -> exit(x) end end),
    R = monitor(process, P, [{tag, my_down}]),
    spawn(fun() -> P ! stop end),
    receive {my_down, R, process, P, W} -> W after 1 -> demonitor(R, [flush]), {late, length(got())} end.

%% ---- names

name_of_ending_is_free() ->
    Main = self(),
    P = spawn(fun() -> register(n, self()), ets:new(t, [named_table]), Main ! up, receive stop -> ok end end),
    receive up -> ok end,
    P ! stop,
    case whereis(n) of
        undefined -> {attempt(fun() -> register(n, self()) end), ets:whereis(t)};
        P -> there
    end.

names_exchanged() ->
    [A, B] = [quiet(fun() -> ok end) || _ <- [1, 2]],
    register(a, A),
    register(b, B),
    Seen = all([fun() -> {whereis(a) =:= A, whereis(b) =:= B} end,
         fun() -> unregister(a), unregister(b), register(a, B), register(b, A) end]),
    {hd(Seen), whereis(a) =:= B}.

send_by_name_to_two() ->
    Main = self(),
    A = spawn(fun() -> register(n, self()), Main ! up, receive stop -> ok; M -> Main ! {a, M} end end),
    receive up -> ok end,
    spawn(fun() -> attempt(fun() -> n ! hello end), Main ! sent end),
    A ! stop,
    B = spawn(fun() -> attempt(fun() -> register(n, self()) end), receive M -> Main ! {b, M} after 3 -> Main ! {b, none} end end),
    receive sent -> ok end,
    true = is_pid(B),
    receive {b, X} -> {X, got()} end.

register_ending() ->
    P = spawn(fun() -> receive stop -> ok end end),
    R = monitor(process, P),
    P ! stop,
    A = attempt(fun() -> register(n, P) end),
    {A, why(R), whereis(n)}.

%% ---- tables

heir_after_heir() ->
    Main = self(),
    H = spawn(fun() -> receive {'ETS-TRANSFER', T, _, _} -> ets:setopts(T, {heir, Main, second}), exit(enough) end end),
    O = spawn(fun() -> ets:new(t, [named_table, {heir, H, first}]), Main ! up, receive stop -> ok end end),
    receive up -> ok end,
    RH = monitor(process, H),
    O ! stop,
    W = why(RH),
    {W, [D || {'ETS-TRANSFER', t, _, D} <- got()], ets:info(t, owner) =:= self()}.

given_while_owner_is_killed() ->
    Main = self(),
    O = spawn(fun() -> ets:new(t, [named_table, public]), Main ! up, ets:give_away(t, Main, gift), receive never -> ok end end),
    receive up -> ok end,
    R = monitor(process, O),
    exit(O, kill),
    why(R),
    {ets:info(t, size), [D || {'ETS-TRANSFER', t, _, D} <- got()]}.

two_tables_of_one_owner() ->
    Main = self(),
    O = spawn(fun() -> ets:new(a, [named_table, public]), ets:new(b, [named_table, public]), Main ! up, receive stop -> ok end end),
    receive up -> ok end,
    O ! stop,
    {ets:whereis(b) =:= undefined, ets:whereis(a) =:= undefined}.

table_and_down() ->
    Main = self(),
    {O, R} = spawn_monitor(fun() -> ets:new(t, [named_table, public]), Main ! up, receive stop -> ok end end),
    receive up -> ok end,
    O ! stop,
    X = attempt(fun() -> ets:insert(t, {k}) end),
    why(R),
    {X, ets:whereis(t)}.

fixed_by_ended() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, [{1}, {2}]),
    P = quiet(fun() -> ets:safe_fixtable(t, true) end),
    R = monitor(process, P),
    F = ets:info(t, fixed),
    exit(P, kill),
    why(R),
    {F, ets:info(t, fixed)}.

counter_by_three() ->
    ets:new(t, [named_table, public]),
    Vs = all([fun() -> attempt(fun() -> ets:update_counter(t, c, 1) end) end, fun() -> ets:insert_new(t, {c, 5}) end,
              fun() -> ets:delete(t, c) end]),
    {Vs, ets:lookup(t, c)}.

match_delete_and_count() ->
    ets:new(t, [named_table, public, bag]),
    ets:insert(t, [{a, 1}, {a, 2}, {b, 1}]),
    Vs = all([fun() -> ets:match_delete(t, {a, '_'}) end, fun() -> ets:insert(t, {a, 3}) end,
              fun() -> ets:select_count(t, [{{a, '_'}, [], [true]}]) end]),
    {lists:last(Vs), lists:sort(ets:lookup(t, a))}.

update_element_default() ->
    ets:new(t, [named_table, public]),
    all([fun() -> ets:update_element(t, k, {2, x}) end, fun() -> ets:insert(t, {k, y}) end,
         fun() -> ets:lookup(t, k) end]).

%% ---- timers

timer_of_ended_process() ->
    Main = self(),
    P = spawn(fun() -> erlang:send_after(1, Main, from_timer), Main ! set end),
    receive set -> ok end,
    R = monitor(process, P),
    why(R),
    receive from_timer -> rang after 5 -> silent end.

timer_cancelled_by_other() ->
    T = erlang:send_after(1, self(), ring),
    Main = self(),
    spawn(fun() -> Main ! {left, is_integer(erlang:cancel_timer(T))} end),
    L = receive {left, X} -> X end,
    M = receive ring -> rang after 5 -> silent end,
    {L, M}.

timer_or_message_or_timeout() ->
    Main = self(),
    erlang:send_after(2, self(), timer),
    spawn(fun() -> Main ! message end),
    receive message -> message; timer -> timer after 1 -> timeout end.

timers_in_order() ->
    [erlang:send_after(N, self(), N) || N <- [2, 1]],
    [receive M -> M end || _ <- [1, 2]].

%% ---- dictionary, flags, values

dictionary_while_waiting() ->
    Main = self(),
    P = spawn(fun() -> put(n, 0), Main ! up, receive a -> put(n, 1) end, receive b -> put(n, 2) end, receive never -> ok end end),
    receive up -> ok end,
    P ! a,
    X = process_info(P, dictionary),
    P ! b,
    Y = process_info(P, dictionary),
    {X, Y}.

flag_of_other() ->
    P = quiet(fun() -> process_flag(trap_exit, true), process_flag(trap_exit, false) end),
    {element(2, process_info(P, trap_exit)), element(2, process_info(P, trap_exit))}.

persistent_counter() ->
    C = counters:new(1, []),
    persistent_term:put({?MODULE, c}, C),
    Seen = all([fun() -> attempt(fun() -> counters:add(persistent_term:get({?MODULE, c}), 1, 1) end) end,
         fun() -> persistent_term:erase({?MODULE, c}) end,
         fun() -> attempt(fun() -> counters:get(persistent_term:get({?MODULE, c}), 1) end) end]),
    persistent_term:erase({?MODULE, c}),
    Seen.

atomics_flags() ->
    A = atomics:new(3, []),
    all([fun() -> atomics:put(A, 1, 1), atomics:put(A, 2, 1) end,
         fun() -> X = atomics:get(A, 2), Y = atomics:get(A, 1), {X, Y} end,
         fun() -> atomics:compare_exchange(A, 1, 0, 7) end]).

spin_bounded() ->
    A = atomics:new(1, []),
    Lock = fun Lock(0) -> gave_up; Lock(N) -> case atomics:compare_exchange(A, 1, 0, 1) of ok -> atomics:put(A, 1, 0), got; _ -> Lock(N - 1) end end,
    lists:sort(all([fun() -> Lock(2) end, fun() -> Lock(2) end])).

%% ---- spawning

spawn_in_spawn() ->
    Main = self(),
    spawn(fun() -> spawn(fun() -> Main ! inner end), Main ! outer end),
    spawn(fun() -> Main ! other end),
    [receive M -> M end || _ <- [1, 2, 3]].

monitored_spawner_ends() ->
    Main = self(),
    {_, R} = spawn_monitor(fun() -> spawn(fun() -> Main ! child end), exit(parent) end),
    [receive child -> child; {'DOWN', R, _, _, W} -> W end || _ <- [1, 2]].

exit_of_leader() ->
    G = spawn(fun() -> receive stop -> ok end end),
    Main = self(),
    {_, R} = spawn_monitor(fun() -> group_leader(G, self()), G ! stop, Main ! {leader, is_process_alive(group_leader())} end),
    A = receive {leader, X} -> X end,
    {A, why(R)}.
