%% Programs as people write them in the plain language: tables as caches and locks, handshakes, mutual exclusion, pools,
%% monitors and links around ends, names, timers, flags, counters. Each function is one program; what it comes to is
%% told as text, because a reason that has that of another process in it would be told as a consequence of that.
-module(race_patterns).
-export([awake/1]).
-compile([export_all, nowarn_export_all]).

calls() ->
    None = [calls, got, got_transfer, free, empty, module_info],
    [{told, [F]} || {F, 0} <- ?MODULE:module_info(exports), not lists:member(F, None)].

told(F) -> iolist_to_binary(io_lib:format("~0p", [?MODULE:F()])).

%% ---- tools

%% Runs funs in processes of their own, begun one after the other; their values in this order.
all(Funs) ->
    Main = self(),
    Ps = [spawn(fun() -> Main ! {value, self(), F()} end) || F <- Funs],
    [receive {value, P, V} -> V end || P <- Ps].

%% The reason for which a fun ends.
ending(Fun) ->
    {_, R} = spawn_monitor(Fun),
    R.

why(R) -> receive {'DOWN', R, _, _, Why} -> Why end.

got() -> receive M -> [M | got()] after 0 -> [] end.

attempt(F) -> try F() catch error:Why -> Why; exit:Why -> {exit, Why}; throw:Why -> {throw, Why} end.

quiet(F) -> spawn(fun() -> F(), receive never -> ok end end).

%% ---- tables

ets_lost_update() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, {c, 0}),
    Add = fun() -> [{c, V}] = ets:lookup(t, c), ets:insert(t, {c, V + 1}), V end,
    Seen = all([Add, Add]),
    {Seen, ets:lookup(t, c)}.

ets_counter_with_reader() ->
    ets:new(t, [named_table, public]),
    Add = fun() -> ets:update_counter(t, c, {2, 1}, {c, 0}) end,
    all([Add, Add, fun() -> ets:lookup(t, c) end]).

ets_leader() ->
    ets:new(t, [named_table, public]),
    Try = fun(Me) -> fun() -> {ets:insert_new(t, {leader, Me}), ets:lookup_element(t, leader, 2)} end end,
    all([Try(a), Try(b), Try(c)]).

ets_store_buffering() ->
    ets:new(t, [named_table, public]),
    all([fun() -> ets:insert(t, {x, 1}), ets:member(t, y) end,
         fun() -> ets:insert(t, {y, 1}), ets:member(t, x) end]).

ets_four_readers() ->
    ets:new(t, [named_table, public]),
    all([fun() -> ets:insert(t, {x, 1}) end, fun() -> ets:insert(t, {y, 1}) end,
         fun() -> {ets:member(t, x), ets:member(t, y)} end, fun() -> {ets:member(t, y), ets:member(t, x)} end]).

ets_message_passing() ->
    ets:new(t, [named_table, public]),
    Reader = spawn_value(fun() -> receive go -> ets:lookup(t, data) after 1 -> {early, ets:lookup(t, data)} end end),
    spawn(fun() -> ets:insert(t, {data, 1}), pid_of(Reader) ! go end),
    value_of(Reader).

spawn_value(F) ->
    Main = self(),
    spawn(fun() -> Main ! {value, self(), F()} end).
pid_of(P) -> P.
value_of(P) -> receive {value, P, V} -> V end.

ets_select_delete_overlap() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, [{1, a}, {2, b}, {3, c}]),
    all([fun() -> ets:select_delete(t, [{{'$1', '_'}, [{'<', '$1', 3}], [true]}]) end,
         fun() -> ets:select_delete(t, [{{'$1', '_'}, [{'>', '$1', 1}], [true]}]) end]).

ets_select_delete_insert() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, [{1, old}, {2, old}]),
    N = all([fun() -> ets:select_delete(t, [{{'_', old}, [], [true]}]) end,
             fun() -> ets:insert(t, {3, old}) end, fun() -> ets:insert(t, {1, new}) end]),
    {N, lists:sort(ets:tab2list(t))}.

ets_select_count_update() ->
    ets:new(t, [named_table, public, ordered_set]),
    ets:insert(t, [{1, 0}, {2, 0}]),
    all([fun() -> ets:select_count(t, [{{'_', 1}, [], [true]}]) end,
         fun() -> ets:update_element(t, 1, {2, 1}), ets:update_element(t, 2, {2, 1}) end]).

ets_heir_is_ending() ->
    Main = self(),
    Heir = spawn(fun() -> receive stop -> ok; {'ETS-TRANSFER', _, _, D} -> Main ! {got, D} end end),
    Owner = spawn(fun() -> ets:new(t, [named_table, {heir, Heir, data}]), Main ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    R = monitor(process, Owner),
    RH = monitor(process, Heir),
    Heir ! stop,
    Owner ! stop,
    {why(R), why(RH), got(), ets:info(t, size)}.

ets_heir_writes() ->
    Main = self(),
    Heir = spawn(fun() ->
        receive {'ETS-TRANSFER', T, _, _} -> Main ! {heir, attempt(fun() -> ets:insert(T, {k, heir}) end)} end,
        receive never -> ok end
    end),
    spawn(fun() -> T = ets:new(t, [named_table, protected, {heir, Heir, x}]), ets:insert(T, {k, owner}), Main ! ready,
        receive after 0 -> ok end end),
    receive ready -> ok end,
    Seen = attempt(fun() -> ets:lookup(t, k) end),
    receive {heir, W} -> {Seen, W, ets:lookup(t, k)} end.

ets_give_away_then_write() ->
    Main = self(),
    Other = spawn(fun() -> receive {'ETS-TRANSFER', t, From, gift} -> From ! thanks, receive never -> ok end end end),
    spawn(fun() ->
        ets:new(t, [named_table, protected]),
        ets:insert(t, {k, 0}),
        Main ! ready,
        ets:give_away(t, Other, gift),
        W = attempt(fun() -> ets:insert(t, {k, 1}) end),
        receive thanks -> Main ! {W, ets:lookup(t, k)} end
    end),
    receive ready -> ok end,
    Owner = case ets:info(t, owner) of Other -> other; _ -> first end,
    receive {_, _} = X -> {Owner, X} end.

ets_give_to_dead() ->
    ets:new(t, [named_table]),
    P = spawn(fun() -> ok end),
    A = attempt(fun() -> ets:give_away(t, P, x) end),
    receive after 1 -> ok end,
    {A, ets:info(t, size)}.

ets_owner_dies() ->
    Main = self(),
    spawn(fun() -> ets:new(t, [named_table, public]), ets:insert(t, {k, v}), Main ! ready end),
    receive ready -> ok end,
    case ets:info(t) of
        undefined -> no_table;
        _ -> attempt(fun() -> ets:lookup(t, k) end)
    end.

ets_name_again() ->
    Main = self(),
    spawn(fun() -> ets:new(t, [named_table]), Main ! ready end),
    receive ready -> ok end,
    case attempt(fun() -> ets:new(t, [named_table]) end) of t -> {mine, ets:info(t, size)}; Why -> Why end.

ets_rename_swap() ->
    ets:new(a, [named_table, public]),
    ets:insert(a, {k, first}),
    Look = fun() -> {attempt(fun() -> ets:lookup(a, k) end), attempt(fun() -> ets:lookup(b, k) end)} end,
    P = spawn_value(Look),
    ets:rename(a, b),
    ets:new(a, [named_table, public]),
    ets:insert(a, {k, second}),
    value_of(P).

ets_take_queue() ->
    ets:new(q, [named_table, public, ordered_set]),
    ets:insert(q, [{1, x}, {2, y}]),
    Pop = fun() -> case ets:first(q) of '$end_of_table' -> empty; K -> ets:take(q, K) end end,
    Out = all([Pop, Pop]),
    {Out, ets:tab2list(q)}.

ets_iterate_delete() ->
    ets:new(t, [named_table, public, ordered_set]),
    ets:insert(t, [{1}, {2}, {3}]),
    Walk = fun Walk('$end_of_table') -> []; Walk(K) -> [K | attempt(fun() -> Walk(ets:next(t, K)) end)] end,
    all([fun() -> Walk(ets:first(t)) end, fun() -> ets:delete(t, 2), ets:insert(t, {4}) end]).

ets_iterate_fixed() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, [{1}, {2}]),
    Walk = fun Walk('$end_of_table') -> []; Walk(K) -> [K | Walk(ets:next(t, K))] end,
    all([fun() -> ets:safe_fixtable(t, true), Ks = attempt(fun() -> Walk(ets:first(t)) end), ets:safe_fixtable(t, false),
              lists:sort(Ks) end,
         fun() -> ets:delete(t, 1) end]).

ets_select_in_parts() ->
    ets:new(t, [named_table, public, ordered_set]),
    ets:insert(t, [{N} || N <- [1, 3, 5]]),
    All = fun All('$end_of_table') -> []; All({Ks, C}) -> Ks ++ All(ets:select(C)) end,
    all([fun() -> All(ets:select(t, [{{'$1'}, [], ['$1']}], 1)) end,
         fun() -> ets:insert(t, {2}), ets:delete(t, 5), ets:insert(t, {4}) end]).

ets_tid_after_delete() ->
    T = ets:new(t, [named_table, public]),
    ets:insert(t, {k, 1}),
    all([fun() -> Tid = ets:whereis(t), {Tid =:= undefined, attempt(fun() -> ets:lookup(Tid, k) end)} end,
         fun() -> ets:delete(T) end]).

ets_private_of_other() ->
    Main = self(),
    spawn(fun() -> ets:new(t, [named_table, private]), Main ! ready, ets:delete(t) end),
    receive ready -> ok end,
    {attempt(fun() -> ets:lookup(t, k) end), attempt(fun() -> ets:info(t, protection) end)}.

ets_bag() ->
    ets:new(t, [named_table, public, bag]),
    Out = all([fun() -> ets:insert(t, {k, 1}), ets:insert(t, {k, 2}) end, fun() -> ets:insert(t, {k, 2}), ets:lookup(t, k) end,
         fun() -> ets:delete_object(t, {k, 2}) end]),
    {Out, ets:lookup(t, k)}.

ets_duplicate_bag() ->
    ets:new(t, [named_table, public, duplicate_bag]),
    all([fun() -> ets:insert(t, {k, 1}) end, fun() -> ets:insert(t, {k, 1}) end]),
    P = spawn_value(fun() -> ets:delete_object(t, {k, 1}), ets:lookup(t, k) end),
    ets:insert(t, {k, 1}),
    {value_of(P), ets:lookup(t, k)}.

ets_counter_threshold() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, {c, 0, 0}),
    Up = fun() -> ets:update_counter(t, c, [{2, 1, 2, 0}, {3, 2}]) end,
    {lists:sort(all([Up, Up, Up])), ets:lookup(t, c)}.

ets_cache() ->
    ets:new(t, [named_table, public]),
    Get = fun(Me) -> fun() ->
        case ets:lookup(t, k) of
            [{k, V}] -> {hit, V};
            [] -> case ets:insert_new(t, {k, Me}) of true -> computed; false -> {lost, ets:lookup(t, k)} end
        end
    end end,
    all([Get(a), Get(b)]).

ets_compare_and_swap() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, {k, 0}),
    Cas = fun(New) -> fun() -> ets:select_replace(t, [{{k, 0}, [], [{{k, New}}]}]) end end,
    {all([Cas(1), Cas(2)]), ets:lookup(t, k)}.

ets_match_and_insert() ->
    ets:new(t, [named_table, public]),
    all([fun() -> length(ets:match_object(t, {{u, '_'}, '_'})) end,
         fun() -> ets:insert(t, {{u, 1}, x}), ets:insert(t, {{v, 1}, x}), ets:insert(t, {{u, 2}, x}) end]).

ets_delete_all_objects() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, [{1}, {2}]),
    all([fun() -> ets:delete_all_objects(t), ets:insert(t, {3}) end, fun() -> ets:info(t, size) end,
         fun() -> ets:member(t, 1) end]).

ets_table_of_tables() ->
    ets:new(index, [named_table, public]),
    Main = self(),
    P = quiet(fun() -> T = ets:new(data, [public]), ets:insert(T, {k, v}), ets:insert(index, {t, T}), Main ! ready,
        receive stop -> ets:delete(index, t), ets:delete(T) end end),
    receive ready -> ok end,
    P ! stop,
    case ets:lookup(index, t) of [] -> none; [{t, T}] -> attempt(fun() -> ets:lookup(T, k) end) end.

ets_select_reverse() ->
    ets:new(t, [named_table, public, ordered_set]),
    ets:insert(t, [{1}, {2}]),
    all([fun() -> ets:select_reverse(t, [{{'$1'}, [], ['$1']}]) end, fun() -> ets:insert(t, {3}), ets:delete(t, 1) end]).

ets_last_prev() ->
    ets:new(t, [named_table, public, ordered_set]),
    ets:insert(t, [{1}, {5}]),
    all([fun() -> L = ets:last(t), {L, attempt(fun() -> ets:prev(t, L) end)} end,
         fun() -> ets:insert(t, {3}), ets:delete(t, 5) end]).

ets_info_owner() ->
    Main = self(),
    P = spawn(fun() -> ets:new(t, [named_table, {heir, Main, x}]), Main ! ready end),
    receive ready -> ok end,
    case ets:info(t, owner) of P -> {child, got_transfer()}; Main -> {me, got_transfer()} end.

got_transfer() -> receive {'ETS-TRANSFER', t, _, x} -> got after 0 -> not_yet end.

ets_lookup_element_default() ->
    ets:new(t, [named_table, public]),
    all([fun() -> attempt(fun() -> ets:lookup_element(t, k, 2) end) end, fun() -> ets:insert(t, {k, 7}) end]).

ets_setopts_heir() ->
    Main = self(),
    P = spawn(fun() -> ets:new(t, [named_table]), Main ! ready, ets:setopts(t, {heir, Main, later}) end),
    receive ready -> ok end,
    R = monitor(process, P),
    exit(P, kill),
    why(R),
    {ets:info(t, size), [M || {'ETS-TRANSFER', _, _, M} <- got()]}.

%% ---- names

name_three_take() ->
    Take = fun() -> attempt(fun() -> register(boss, self()) end) end,
    Ps = [begin M = self(), {P, _} = spawn_monitor(fun() -> M ! {it, Take()}, receive never -> ok end end), P end
          || _ <- [1, 2, 3]],
    Rs = [receive {it, R} -> R end || _ <- Ps],
    {lists:sort(Rs), is_pid(whereis(boss))}.

name_of_dead() ->
    P = spawn(fun() -> ok end),
    {attempt(fun() -> register(n, P) end), whereis(n) =:= P}.

name_send_to_ended() ->
    Main = self(),
    P = spawn(fun() -> register(n, self()), Main ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    P ! stop,
    attempt(fun() -> n ! hello end).

name_hand_over() ->
    Main = self(),
    Echo = fun(Me) -> spawn(fun() -> echo(Me) end) end,
    [A, B] = [Echo(a), Echo(b)],
    register(service, A),
    Client = spawn(fun() -> Main ! {answer, attempt(fun() -> service ! {hi, self()}, receive X -> X after 5 -> none end end)} end),
    unregister(service),
    register(service, B),
    A ! stop,
    receive {answer, R} -> Client ! x, R end.

echo(Me) -> receive {hi, P} -> P ! Me, echo(Me); stop -> ok end.

name_whereis_monitor() ->
    Main = self(),
    spawn(fun() -> register(n, self()), Main ! ready end),
    receive ready -> ok end,
    case whereis(n) of undefined -> gone; P -> R = monitor(process, P), why(R) end.

name_monitor_by_name() ->
    Main = self(),
    P = spawn(fun() -> register(n, self()), Main ! ready, receive stop -> exit(stopped) end end),
    receive ready -> ok end,
    P ! stop,
    R = monitor(process, n),
    receive {'DOWN', R, process, {n, N}, Why} when N =:= node() -> Why end.

name_registered() ->
    Main = self(),
    P = quiet(fun() -> register(n1, self()), register_or(n2), Main ! done end),
    A = [N || N <- [n1, n2], lists:member(N, registered())],
    receive done -> ok end,
    unlink(P),
    A.

register_or(N) -> attempt(fun() -> register(N, self()) end).

name_unregister_twice() ->
    register(n, quiet(fun() -> ok end)),
    U = fun() -> attempt(fun() -> unregister(n) end) end,
    lists:sort(all([U, U])).

name_ended_owner_taken() ->
    Main = self(),
    spawn(fun() -> register(n, self()), Main ! ready end),
    receive ready -> ok end,
    {attempt(fun() -> register(n, self()) end), whereis(n) =:= self()}.

%% ---- links, exits, monitors

link_chain() ->
    Main = self(),
    C = spawn(fun() -> receive never -> ok end end),
    B = spawn(fun() -> link(C), Main ! ready, receive never -> ok end end),
    receive ready -> ok end,
    A = spawn(fun() -> link(B), Main ! ready, receive fail -> exit(broken) end end),
    receive ready -> ok end,
    [RA, RB, RC] = [monitor(process, P) || P <- [A, B, C]],
    A ! fail,
    Order = [receive {'DOWN', R, _, _, broken} -> case R of RA -> a; RB -> b; RC -> c end end || _ <- [1, 2, 3]],
    Order.

link_to_ended() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> exit(early) end),
    link(P),
    receive {'EXIT', P, Why} -> Why end.

link_to_ended_untrapped() ->
    R = ending(fun() -> P = spawn(fun() -> exit(early) end), link(P), receive after 2 -> survived end end),
    case why(R) of {Why, [_ | _]} -> Why; Why -> Why end.

link_normal_end() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> ok end),
    Alive = is_process_alive(P),
    receive {'EXIT', P, normal} -> {Alive, is_process_alive(P)} end.

unlink_and_flush() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(bad) end),
    unlink(P),
    receive {'EXIT', P, Why} -> {late, Why} after 0 -> nothing end.

unlink_without_trap() ->
    R = ending(fun() -> P = spawn_link(fun() -> exit(bad) end), unlink(P), receive after 1 -> exit(survived) end end),
    why(R).

trap_late() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> Main ! ready, process_flag(trap_exit, true), receive {'EXIT', _, W} -> exit({trapped, W}) end end),
    receive ready -> ok end,
    exit(P, bye),
    why(R).

trap_off() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), Main ! ready, process_flag(trap_exit, false),
        N = length(got()), receive after 2 -> exit({lived, N}) end end),
    receive ready -> ok end,
    exit(P, bye),
    why(R).

exit_two_reasons() ->
    {P, R} = spawn_monitor(fun() -> receive never -> ok end end),
    all([fun() -> exit(P, one) end, fun() -> exit(P, two) end]),
    why(R).

exit_kill_and_shutdown() ->
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), receive {'EXIT', _, W} -> exit({told, W}) end end),
    all([fun() -> exit(P, shutdown) end, fun() -> exit(P, kill) end]),
    why(R).

exit_normal_to_other() ->
    {P, R} = spawn_monitor(fun() -> receive M -> exit({got, M}) end end),
    exit(P, normal),
    P ! hello,
    why(R).

exit_normal_to_itself() ->
    why(ending(fun() -> exit(self(), normal), receive after 1 -> exit(lived) end end)).

exit_kill_reason_of_links() ->
    Main = self(),
    {A, RA} = spawn_monitor(fun() -> receive never -> ok end end),
    {_, RB} = spawn_monitor(fun() -> link(A), Main ! linked, receive never -> ok end end),
    receive linked -> ok end,
    exit(A, kill),
    {why(RA), why(RB)}.

exit_while_working() ->
    ets:new(t, [named_table, public]),
    {P, R} = spawn_monitor(fun() -> ets:insert(t, {a}), ets:insert(t, {b}), ets:insert(t, {c}) end),
    exit(P, kill),
    {why(R), [K || K <- [a, b, c], ets:member(t, K)]}.

exit_catch() ->
    why(ending(fun() -> P = self(), spawn(fun() -> exit(P, stop) end),
        catch receive after 1 -> ok end, exit(finished) end)).

link_both_end() ->
    Main = self(),
    {A, RA} = spawn_monitor(fun() -> receive go -> exit(a) end end),
    {B, RB} = spawn_monitor(fun() -> process_flag(trap_exit, true), link(A), Main ! linked,
        receive go -> exit(b); {'EXIT', A, W} -> exit({heard, W}) end end),
    receive linked -> ok end,
    all([fun() -> A ! go end, fun() -> B ! go end]),
    {why(RA), why(RB)}.

link_star() ->
    process_flag(trap_exit, true),
    Ps = [spawn_link(fun() -> exit(N) end) || N <- [1, 2, 3]],
    [receive {'EXIT', P, N} -> N end || P <- Ps].

link_star_any_order() ->
    process_flag(trap_exit, true),
    Ps = [spawn_link(fun() -> exit(N) end) || N <- [1, 2, 3]],
    [receive {'EXIT', _, N} -> N end || _ <- Ps].

monitor_after_end() ->
    P = spawn(fun() -> exit(quick) end),
    R = monitor(process, P),
    why(R).

monitor_and_demonitor() ->
    {P, R} = spawn_monitor(fun() -> exit(quick) end),
    D = demonitor(R, [flush, info]),
    {D, got(), is_process_alive(P)}.

monitor_demonitor_no_flush() ->
    {_, R} = spawn_monitor(fun() -> exit(quick) end),
    demonitor(R),
    [W || {'DOWN', _, _, _, W} <- got()].

monitor_two_of_one() ->
    P = spawn(fun() -> receive stop -> exit(done) end end),
    R1 = monitor(process, P),
    R2 = monitor(process, P),
    P ! stop,
    demonitor(R1),
    W = receive {'DOWN', R2, _, _, X} -> X end,
    {W, length(got())}.

monitor_mutual() ->
    Main = self(),
    Watch = fun() -> receive {watch, P} -> R = monitor(process, P), Main ! watching, receive stop -> done; {'DOWN', R, _, _, W} -> {heard, W} end end end,
    A = spawn_value(Watch),
    B = spawn_value(Watch),
    A ! {watch, B},
    B ! {watch, A},
    [receive watching -> ok end || _ <- [1, 2]],
    A ! stop,
    VA = value_of(A),
    B ! stop,
    {VA, value_of(B)}.

monitor_order_of_two() ->
    {_, R1} = spawn_monitor(fun() -> ok end),
    {_, R2} = spawn_monitor(fun() -> ok end),
    [receive {'DOWN', R, _, _, _} -> case R of R1 -> first; R2 -> second end end || _ <- [1, 2]].

monitor_message_then_end() ->
    Main = self(),
    {_, R} = spawn_monitor(fun() -> Main ! last_word end),
    receive last_word -> message; {'DOWN', R, _, _, _} -> {down, got()} end.

spawn_link_monitor() ->
    process_flag(trap_exit, true),
    {P, R} = spawn_opt(fun() -> exit(oops) end, [link, monitor]),
    Order = [receive {'EXIT', P, oops} -> exit; {'DOWN', R, _, _, oops} -> down end || _ <- [1, 2]],
    Order.

spawn_requested() ->
    Id = spawn_request(fun() -> exit(ended) end, [monitor]),
    receive {spawn_reply, Id, ok, P} when is_pid(P) -> receive {'DOWN', Id, process, P, W} -> {started, W} end;
        {'DOWN', Id, _, _, W} -> {down_first, W} end.

alive_then_link() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> ok end),
    case is_process_alive(P) of
        true -> link(P), receive {'EXIT', P, W} -> {alive, W} end;
        false -> dead
    end.

alive_processes() ->
    P = spawn(fun() -> ok end),
    {lists:member(P, processes()), is_process_alive(P)}.

%% ---- aliases

alias_call(Timeout, Work) ->
    Server = spawn(fun() -> receive {call, Alias, Tag} -> Work(), Alias ! {Tag, answer}, Alias ! {Tag, again} end end),
    Alias = monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {call, Alias, Alias},
    receive
        {Alias, Answer} -> {Answer, [x || _ <- got()]};
        {'DOWN', Alias, _, _, Why} -> {Why, [x || _ <- got()]}
    after Timeout ->
        demonitor(Alias, [flush]),
        {timeout, length(got())}
    end.

alias_call_infinity() -> alias_call(infinity, fun() -> ok end).
alias_call_short() -> alias_call(1, fun() -> ok end).
alias_call_fails() -> alias_call(1, fun() -> exit(busy) end).

alias_unaliased() ->
    A = alias(),
    P = spawn_value(fun() -> A ! one, A ! two, sent end),
    Was = receive one -> unalias(A) after 1 -> unalias(A) end,
    {Was, value_of(P), got()}.

%% ---- timers, time-outs

timer_cancel() ->
    T = erlang:send_after(1, self(), ring),
    all([fun() -> ok end]),
    case erlang:cancel_timer(T) of false -> {late, got()}; N when is_integer(N) -> {cancelled, got()} end.

timer_two() ->
    erlang:send_after(1, self(), one),
    erlang:send_after(3, self(), three),
    [receive M -> M end || _ <- [1, 2]].

timer_start_timer() ->
    T = erlang:start_timer(0, self(), ring),
    R = erlang:read_timer(T),
    receive {timeout, T, ring} -> {is_integer(R), erlang:read_timer(T)} end.

timer_to_ended() ->
    {P, R} = spawn_monitor(fun() -> receive ring -> exit(rung) after 1 -> exit(gave_up) end end),
    erlang:send_after(1, P, ring),
    why(R).

timer_to_name() ->
    Main = self(),
    erlang:send_after(1, n, {ring, Main}),
    P = quiet(fun() -> attempt(fun() -> register(n, self()) end), receive {ring, M} -> M ! rung end end),
    R = receive rung -> rung after 5 -> silent end,
    exit(P, kill),
    R.

timeout_zero() ->
    Main = self(),
    spawn(fun() -> Main ! a, Main ! b end),
    First = receive b -> b after 0 -> none end,
    Second = receive a -> a after 0 -> none end,
    {First, Second}.

timeout_nested() ->
    Main = self(),
    spawn(fun() -> Main ! {urgent, 1} end),
    spawn(fun() -> Main ! {normal, 2} end),
    receive {urgent, X} -> X after 0 -> receive {_, Y} -> {any, Y} after 1 -> none end end.

timeout_and_ticks() ->
    Main = self(),
    P = spawn(fun() -> tick(Main, 2) end),
    R = receive {tick, 0} -> done after 3 -> late end,
    exit(P, kill),
    R.

tick(_, 0) -> ok;
tick(To, N) -> receive after 1 -> To ! {tick, N - 1}, tick(To, N - 1) end.

sleep_against_message() ->
    Main = self(),
    spawn(fun() -> timer:sleep(1), Main ! slow end),
    spawn(fun() -> Main ! fast end),
    [receive M -> M end || _ <- [1, 2]].

%% ---- messages

messages_three() ->
    Main = self(),
    [spawn(fun() -> Main ! N end) || N <- [1, 2, 3]],
    [receive N -> N end || _ <- [1, 2, 3]].

messages_forwarded() ->
    Main = self(),
    F = spawn(fun() -> receive M -> Main ! {forwarded, M} end end),
    spawn(fun() -> F ! x, Main ! direct end),
    [receive M -> M end || _ <- [1, 2]].

messages_priority() ->
    Main = self(),
    spawn(fun() -> Main ! low, Main ! high end),
    spawn(fun() -> Main ! high end),
    Next = fun() -> receive high -> high after 0 -> receive M -> M end end end,
    [Next(), Next(), Next()].

messages_stash() ->
    Main = self(),
    spawn(fun() -> Main ! {data, 1}, Main ! ready end),
    spawn(fun() -> Main ! {data, 2} end),
    receive ready -> ok end,
    [receive {data, N} -> N end || _ <- [1, 2]].

messages_queue_length() ->
    Main = self(),
    P = spawn(fun() -> receive go -> Main ! ok, receive never -> ok end end end),
    P ! a,
    spawn(fun() -> P ! b end),
    P ! go,
    receive ok -> ok end,
    process_info(P, message_queue_len).

messages_seen() ->
    P = quiet(fun() -> ok end),
    all([fun() -> P ! a, P ! b end, fun() -> P ! c end]),
    process_info(P, messages).

%% ---- what a process says about itself

info_dictionary() ->
    Main = self(),
    P = spawn(fun() -> put(state, 1), Main ! ready, put(state, 2), receive stop -> put(state, 3), Main ! x end end),
    receive ready -> ok end,
    process_info(P, dictionary).

info_links_and_monitors() ->
    Main = self(),
    Q = quiet(fun() -> ok end),
    P = quiet(fun() -> link(Q), monitor(process, Q), Main ! ready end),
    {links, Ls} = process_info(P, links),
    {monitors, Ms} = process_info(P, monitors),
    {monitored_by, Bs} = process_info(Q, monitored_by),
    receive ready -> ok end,
    {length(Ls), length(Ms), length(Bs)}.

info_name() ->
    Main = self(),
    P = quiet(fun() -> register(n, self()), Main ! x, unregister(n) end),
    A = process_info(P, registered_name),
    receive x -> {A, process_info(P, registered_name)} end.

info_of_ended() ->
    P = spawn(fun() -> put(k, v) end),
    {process_info(P, trap_exit), process_info(P, dictionary)}.

info_several() ->
    P = quiet(fun() -> process_flag(trap_exit, true), put(k, v) end),
    process_info(P, [trap_exit, dictionary, message_queue_len]).

leader_changes() ->
    G = quiet(fun() -> ok end),
    Main = self(),
    P = spawn(fun() -> Main ! {leader, group_leader() =:= G}, receive again -> Main ! {leader, group_leader() =:= G} end end),
    Before = group_leader(),
    group_leader(G, P),
    P ! again,
    A = receive {leader, X} -> X end,
    B = receive {leader, Y} -> Y end,
    true = Before =:= group_leader(),
    {A, B}.

hibernated() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> Main ! ready, erlang:hibernate(?MODULE, awake, [Main]) end),
    receive ready -> ok end,
    spawn(fun() -> P ! a end),
    spawn(fun() -> exit(P, b) end),
    why(R).

awake(_) -> receive M -> exit({woken, M}) end.

flag_priority() ->
    P = quiet(fun() -> process_flag(priority, high) end),
    element(2, process_info(P, priority)).

%% ---- shared values

persistent() ->
    persistent_term:put(?MODULE, 0),
    Seen = all([fun() -> persistent_term:put(?MODULE, 1) end, fun() -> persistent_term:get(?MODULE, none) end,
         fun() -> persistent_term:erase(?MODULE) end]),
    Last = persistent_term:get(?MODULE, none),
    persistent_term:erase(?MODULE),
    {Seen, Last}.

atomics_exchange() ->
    A = atomics:new(1, []),
    Seen = all([fun() -> atomics:exchange(A, 1, N) end || N <- [1, 2]]),
    {Seen, atomics:get(A, 1)}.

atomics_compare_exchange() ->
    A = atomics:new(1, []),
    Cas = fun(N) -> fun() -> atomics:compare_exchange(A, 1, 0, N) end end,
    {all([Cas(1), Cas(2), fun() -> atomics:get(A, 1) end]), atomics:get(A, 1)}.

atomics_lost_update() ->
    A = atomics:new(1, []),
    Inc = fun() -> V = atomics:get(A, 1), atomics:put(A, 1, V + 1) end,
    all([Inc, Inc]),
    atomics:get(A, 1).

atomics_add_get() ->
    A = atomics:new(2, []),
    all([fun() -> atomics:add(A, 1, 1), atomics:add_get(A, 2, 1) end, fun() -> {atomics:get(A, 2), atomics:get(A, 1)} end]).

atomics_peterson() ->
    A = atomics:new(4, []),
    Enter = fun(Me, Other) -> fun() ->
        atomics:put(A, Me, 1),
        atomics:put(A, 3, Other),
        case {atomics:get(A, Other), atomics:get(A, 3)} of
            {1, Other} -> atomics:put(A, Me, 0), refused;
            _ -> N = atomics:add_get(A, 4, 1), atomics:sub(A, 4, 1), atomics:put(A, Me, 0), {inside, N}
        end
    end end,
    all([Enter(1, 2), Enter(2, 1)]).

atomics_naive_lock() ->
    A = atomics:new(2, []),
    Enter = fun() ->
        case atomics:get(A, 1) of
            0 -> atomics:put(A, 1, 1), N = atomics:add_get(A, 2, 1), atomics:sub(A, 2, 1), atomics:put(A, 1, 0), {inside, N};
            1 -> refused
        end
    end,
    all([Enter, Enter]).

counters_sum() ->
    C = counters:new(2, [atomics]),
    Seen = all([fun() -> counters:add(C, 1, 5), counters:add(C, 2, 5) end,
                fun() -> {counters:get(C, 2), counters:get(C, 1)} end, fun() -> counters:sub(C, 1, 2) end]),
    {Seen, counters:get(C, 1)}.

unique_numbers() ->
    [A, B] = all([fun() -> erlang:unique_integer([monotonic]) end, fun() -> erlang:unique_integer([monotonic]) end]),
    A < B.

%% ---- larger patterns

mutex_holder_dies() ->
    Lock = spawn(fun() -> free() end),
    Crit = fun() -> Lock ! {acquire, self()}, receive granted -> ok end, Lock ! {release, self()} end,
    {H, RH} = spawn_monitor(fun() -> Lock ! {acquire, self()}, receive granted -> exit(crashed) end end),
    {_, RC} = spawn_monitor(fun() -> Crit(), exit(served) end),
    true = is_pid(H),
    {why(RH), why(RC)}.

free() -> receive {acquire, P} -> R = monitor(process, P), P ! granted, held(P, R) end.
held(P, R) -> receive {release, P} -> demonitor(R, [flush]), free(); {'DOWN', R, _, _, _} -> free() end.

pool_requeues() ->
    Main = self(),
    Worker = fun(Fails) -> spawn_monitor(fun() -> receive {job, J} -> case Fails of true -> exit({failed, J}); false -> Main ! {done, J} end end end) end,
    {A, RA} = Worker(true),
    {B, _} = Worker(false),
    A ! {job, 1},
    receive {'DOWN', RA, _, _, {failed, J}} -> B ! {job, J} after 1 -> B ! {job, 2} end,
    receive {done, D} -> D end.

first_answer_wins() ->
    Main = self(),
    Tag = make_ref(),
    Ps = [spawn(fun() -> Main ! {Tag, N} end) || N <- [1, 2, 3]],
    First = receive {Tag, N} -> N end,
    [exit(P, kill) || P <- Ps],
    Rs = [monitor(process, P) || P <- Ps],
    [why(R) || R <- Rs],
    {First, lists:sort([X || {T, X} <- got(), T =:= Tag])}.

parallel_map() ->
    Work = fun(2) -> exit(bad_item); (N) -> N * N end,
    Main = self(),
    Jobs = [spawn_monitor(fun() -> Main ! {self(), Work(N)} end) || N <- [1, 2, 3]],
    [receive {P, V} -> demonitor(R, [flush]), V; {'DOWN', R, _, P, Why} -> Why end || {P, R} <- Jobs].

publish_subscribe() ->
    Main = self(),
    Bus = spawn(fun() -> bus([]) end),
    S = spawn_value(fun() -> Bus ! {subscribe, self()}, Main ! subscribed, receive {news, N} -> N after 1 -> missed end end),
    Bus ! {publish, 1},
    receive subscribed -> ok end,
    Bus ! {publish, 2},
    value_of(S).

bus(Ss) -> receive {subscribe, P} -> bus([P | Ss]); {publish, N} -> [S ! {news, N} || S <- Ss], bus(Ss) end.

barrier() ->
    ets:new(t, [named_table, public]),
    Main = self(),
    B = spawn(fun() -> Ps = [receive {arrived, P} -> P end || _ <- [1, 2]], [P ! go || P <- Ps] end),
    Step = fun(K) -> spawn(fun() -> ets:insert(t, {K, 1}), B ! {arrived, self()}, receive go -> ok end,
        Main ! {K, ets:info(t, size)}, ets:insert(t, {K, 2}) end) end,
    Step(a),
    Step(b),
    {receive {a, X} -> X end, receive {b, Y} -> Y end}.

ring_of_three() ->
    Main = self(),
    C = spawn(fun() -> receive {token, N} -> Main ! {token, N + 1} end end),
    B = spawn(fun() -> receive {token, N} -> C ! {token, N + 1} end end),
    A = spawn(fun() -> receive {token, N} -> B ! {token, N + 1} end end),
    spawn(fun() -> exit(B, kill) end),
    A ! {token, 0},
    receive {token, N} -> N after 5 -> lost end.

election() ->
    Main = self(),
    Ps = [spawn(fun() -> receive {ring, Next} -> Next ! {candidate, N}, elect(N, Next, Main) end end) || N <- [2, 1]],
    [A, B] = Ps,
    A ! {ring, B},
    B ! {ring, A},
    receive {elected, N} -> N end.

elect(Me, Next, Main) ->
    receive
        {candidate, Me} -> Main ! {elected, Me};
        {candidate, N} when N > Me -> Next ! {candidate, N}, elect(Me, Next, Main);
        {candidate, _} -> elect(Me, Next, Main)
    end.

two_phase_commit() ->
    Main = self(),
    P = fun(Vote) -> spawn(fun() -> receive prepare -> Main ! {vote, self(), Vote} end,
        receive D -> Main ! {did, self(), D} after 5 -> Main ! {did, self(), blocked} end end) end,
    Ps = [P(yes), P(no)],
    [X ! prepare || X <- Ps],
    Votes = [receive {vote, _, V} -> V after 2 -> late end || _ <- Ps],
    Decision = case lists:usort(Votes) of [yes] -> commit; _ -> abort end,
    [X ! Decision || X <- Ps],
    {Votes, [receive {did, X, D} -> D end || X <- Ps]}.

bounded_buffer() ->
    Buffer = spawn(fun() -> empty() end),
    Put = fun(V) -> fun() -> Buffer ! {put, self(), V}, receive ok -> V end end end,
    Get = fun() -> Buffer ! {get, self()}, receive {item, V} -> V end end,
    all([Put(1), Put(2), Get, Get]).

empty() -> receive {put, P, V} -> P ! ok, full(V) end.
full(V) -> receive {get, P} -> P ! {item, V}, empty() end.

readers_writer() ->
    S = spawn(fun() -> value(0) end),
    Ask = fun(M) -> fun() -> S ! {M, self()}, receive {S, V} -> V end end end,
    all([Ask(read), Ask(write), Ask(read)]).

value(N) -> receive {read, P} -> P ! {self(), N}, value(N); {write, P} -> P ! {self(), ok}, value(N + 1) end.

restarts_by_hand() ->
    process_flag(trap_exit, true),
    Main = self(),
    Start = fun() -> P = spawn_link(fun() -> register(srv, self()), Main ! up, receive crash -> exit(crash); {ask, F} -> F ! answer end end),
        receive up -> P end end,
    P1 = Start(),
    C = spawn_value(fun() -> attempt(fun() -> srv ! {ask, self()}, receive answer -> answer after 5 -> silence end end) end),
    P1 ! crash,
    receive {'EXIT', P1, Why} -> Start(), {Why, value_of(C)} end.

double_check() ->
    ets:new(t, [named_table, public]),
    Lock = spawn(fun() -> free() end),
    Get = fun(Me) -> fun() ->
        case ets:lookup(t, instance) of
            [{_, V}] -> V;
            [] ->
                Lock ! {acquire, self()},
                receive granted -> ok end,
                V = case ets:lookup(t, instance) of [{_, W}] -> W; [] -> ets:insert(t, {instance, Me}), Me end,
                Lock ! {release, self()},
                V
        end
    end end,
    all([Get(a), Get(b)]).

bank_transfer() ->
    Account = fun(N) -> spawn(fun() -> account(N) end) end,
    [A, B] = [Account(10), Account(0)],
    Move = fun(N) -> fun() -> case ask(A, {take, N}) of ok -> ask(B, {give, N}), moved; no -> refused end end end,
    Total = spawn_value(fun() -> ask(A, balance) + ask(B, balance) end),
    Moves = all([Move(6), Move(7)]),
    {Moves, value_of(Total)}.

account(N) ->
    receive
        {balance, P} -> P ! {self(), N}, account(N);
        {{take, M}, P} when M =< N -> P ! {self(), ok}, account(N - M);
        {{take, _}, P} -> P ! {self(), no}, account(N);
        {{give, M}, P} -> P ! {self(), ok}, account(N + M)
    end.

ask(S, What) -> S ! {What, self()}, receive {S, V} -> V end.

heartbeat() ->
    Main = self(),
    P = spawn(fun() -> Main ! {beat, 1}, receive after 1 -> Main ! {beat, 2} end end),
    R = monitor(process, P),
    beats(R, 0).

beats(R, N) -> receive {beat, M} -> beats(R, M); {'DOWN', R, _, _, _} -> {down, N} after 1 -> {suspect, N} end.

stop_with_acknowledgement() ->
    Main = self(),
    P = spawn(fun() -> serve(Main, 0) end),
    R = monitor(process, P),
    spawn(fun() -> P ! work end),
    P ! {stop, self()},
    N = receive {stopped, M} -> M; {'DOWN', R, _, _, Why} -> Why end,
    {N, [x || {'DOWN', _, _, _, _} <- got()]}.

serve(Main, N) -> receive work -> serve(Main, N + 1); {stop, P} -> P ! {stopped, N} end.
