%% Tables and other values that processes share, and looks at processes.
-module(tables).
-compile([export_all, nowarn_export_all]).

%= 2
ets_owner() -> S = self(), P = spawn(fun() -> ets:new(t, [named_table, public]), S ! ready, receive stop -> ok end end),
  receive ready -> ok end, P ! stop, catch ets:lookup(t, k).

%= 1
ets_heir() -> S = self(), P = spawn(fun() -> ets:new(t, [named_table, {heir, S, data}]), S ! ready end),
  receive ready -> ok end, receive {'ETS-TRANSFER', t, P, data} -> ets:info(t, owner) =:= S end.

%= 3
ets_give() -> S = self(), P = spawn(fun() -> receive {'ETS-TRANSFER', _, S, d} -> ets:insert(t, {a, 1}) end end),
  ets:new(t, [named_table]), ets:give_away(t, P, d), catch ets:lookup(t, a).

%= 1 abnormal_exit 1 deadlock 1
ets_protected() -> ets:new(t, [named_table]), spawn(fun() -> ets:insert(t, {a, 1}) end), receive after infinity -> ok end.

%= 6 deadlock 6
ets_counter() -> ets:new(t, [named_table, public]), ets:insert(t, {c, 0}),
  [spawn(fun() -> ets:update_counter(t, c, 1) end) || _ <- [1,2,3]], receive after infinity -> ok end.

%= 4 abnormal_exit 1
ets_first_next() -> ets:new(t, [named_table, public, ordered_set]), ets:insert(t, [{1}, {2}]),
  spawn(fun() -> ets:delete(t, 2) end), F = ets:first(t), catch ets:next(t, F).

%= 4
ets_take() -> ets:new(t, [named_table, public]), ets:insert(t, {k, 1}), S = self(),
  [spawn(fun() -> S ! ets:take(t, k) end) || _ <- [1,2]], A = receive X -> X end, B = receive Y -> Y end, true = (A =:= [] orelse B =:= []).

%= 7 abnormal_exit 1
ets_foldl() -> ets:new(t, [named_table, public]), ets:insert(t, [{a, 1}, {b, 2}]),
  spawn(fun() -> ets:insert(t, {c, 3}) end), ets:foldl(fun({_, N}, Acc) -> N + Acc end, 0, t).

%= 3 abnormal_exit 1
ets_replace() -> ets:new(t, [named_table, public]), ets:insert(t, [{a, 1}, {b, 2}]),
  spawn(fun() -> ets:insert(t, {a, 5}) end), ets:select_replace(t, [{{'$1', 1}, [], [{{'$1', 9}}]}]).

%= 1
ets_guard_select() -> ets:new(t, [named_table, public]), ets:insert(t, {a, 1}), S = self(),
  spawn(fun() -> ets:insert(t, {b, 2}), S ! done end), L = ets:select(t, [{{'$1', '$2'}, [{'<', '$2', 2}], ['$1']}]),
  receive done -> L end.

%= 1
ets_guard_delete() -> ets:new(t, [named_table, public]), ets:insert(t, [{a, 1}, {b, 5}]), S = self(),
  spawn(fun() -> ets:insert(t, {c, 9}), ets:delete(t, b), S ! done end),
  1 = ets:select_delete(t, [{{'_', '$1'}, [{'<', '$1', 3}], [true]}]), receive done -> ok end.

%= 1
ets_match_delete() -> ets:new(t, [named_table, public]), ets:insert(t, {a, 1}), S = self(),
  spawn(fun() -> ets:match_delete(t, {'_', 1}), S ! done end), ets:insert(t, {b, 2}), receive done -> ets:tab2list(t) end.

%= 2
ets_match_delete_meets() -> ets:new(t, [named_table, public]), ets:insert(t, {a, 1}), S = self(),
  spawn(fun() -> ets:match_delete(t, {'_', 1}), S ! done end), ets:insert(t, {b, 1}), receive done -> ets:tab2list(t) end.

%= 6 abnormal_exit 2
atomics_race() -> A = atomics:new(1, []), S = self(), [spawn(fun() -> V = atomics:get(A, 1), atomics:put(A, 1, V + 1), S ! ok end) || _ <- [1,2]],
  receive ok -> ok end, receive ok -> ok end, 2 = atomics:get(A, 1).

%= 2
counters_ok() -> C = counters:new(1, []), S = self(), [spawn(fun() -> counters:add(C, 1, 1), S ! ok end) || _ <- [1,2]],
  receive ok -> ok end, receive ok -> ok end, 2 = counters:get(C, 1).

%= 2
pt_race() -> persistent_term:put(k, 0), spawn(fun() -> persistent_term:put(k, 1) end), persistent_term:get(k).

%= 1
info1() -> P = spawn(fun() -> receive stop -> ok end end), is_list(process_info(P)), P ! stop.

%= 4
info_mql() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end), process_info(S, message_queue_len).

%= 5
info_msgs() -> S = self(), spawn(fun() -> S ! a end), spawn(fun() -> S ! b end), process_info(S, messages).

%= 1
alias_late() -> A = alias([reply]), P = spawn(fun() -> receive {go, X} -> X ! one, X ! two end end), P ! {go, A},
  receive one -> ok end, receive two -> two after 0 -> none end.

%= 1
monitor3() -> P = spawn(fun() -> receive {r, X} -> X ! {X, hi} end end), R = monitor(process, P, [{alias, reply_demonitor}]), P ! {r, R},
  receive {R, hi} -> ok; {'DOWN', R, _, _, W} -> W end.

%= 2
monitor_tag() -> P = spawn(fun() -> ok end), R = monitor(process, P, [{tag, mine}]), receive {mine, R, process, P, W} -> W end.

%= 1
io_it() -> spawn(fun() -> io:format("a~n") end), io:format("b~n").

%= 1 abnormal_exit 1
bad_send() -> nobody ! hi.

%= 1
send_opts() -> erlang:send(self(), x, [noconnect, nosuspend]), receive x -> ok end.

%= 1
hib() -> P = spawn(fun() -> proc_lib:hibernate(?MODULE, awake, []) end), P ! go.

awake() -> receive go -> ok end.
