-module(scenario_process).

-export([scenarios/0, acked/1, not_acked/0, crashing/1, sleeping/0, woken/1, system_continue/3]).

acked(What) -> proc_lib:init_ack({ok, What}), receive stop -> ok end.
not_acked() -> ok.
crashing(Reason) -> error(Reason).
sleeping() -> proc_lib:hibernate(?MODULE, woken, [x]).
woken(_) -> receive crash -> error(woke) end.
system_continue(_, _, _) -> ok.

scenarios() ->
    [{start, fun() -> {proc_lib:start(?MODULE, acked, [self()]), flush()} end},
     {start_link, fun() -> {proc_lib:start_link(?MODULE, acked, [1]), flush()} end},
     {start_monitor, fun() -> {proc_lib:start_monitor(?MODULE, acked, [1]), flush()} end},
     {start_no_ack, fun() -> {proc_lib:start(?MODULE, not_acked, []), proc_lib:start_link(?MODULE, not_acked, []), proc_lib:start_monitor(?MODULE, not_acked, []), flush()} end},
     {start_timeout, fun() -> {proc_lib:start(timer, sleep, [1000], 5), proc_lib:start_link(timer, sleep, [1000], 5), flush()} end},
     {start_crash, fun() -> {proc_lib:start_link(?MODULE, crashing, [x]), flush()} end},
     {start_bad_opts, fun() -> try proc_lib:start(m, f, [], infinity, [monitor]) catch C:R -> {C, R} end end},
     {crash, fun() -> proc_lib:spawn_link(?MODULE, crashing, [x]), flush() end},
     {crash_fun, fun() -> proc_lib:spawn_link(fun() -> error(y) end), flush() end},
     {crash_throw, fun() -> proc_lib:spawn_link(fun() -> throw(y) end), flush() end},
     {crash_exit, fun() -> proc_lib:spawn_link(fun() -> exit(y) end), flush() end},
     {exit_shutdown, fun() -> [proc_lib:spawn_link(fun() -> exit(R) end) || R <- [normal, shutdown, {shutdown, x}]], lists:sort([R || {_, _, R} <- flush()]) end},
     {crash_messages, fun() -> P = proc_lib:spawn_link(fun() -> put(k, v), receive go -> error(z) end end), P ! a, P ! b, P ! go, flush() end},
     {crash_named, fun() -> proc_lib:spawn_link(fun() -> register(a_name, self()), error(z) end), flush() end},
     {crash_neighbour, fun() -> proc_lib:spawn(fun() -> proc_lib:spawn_link(timer, sleep, [10000]), timer:sleep(2), error(z) end), timer:sleep(20) end},
     {ancestors, fun() -> register(parent_name, self()), Self = self(), proc_lib:spawn(fun() -> proc_lib:spawn(fun() -> Self ! get('$ancestors') end) end), receive X -> X end end},
     {wake_crash, fun() -> P = proc_lib:spawn_link(?MODULE, sleeping, []), timer:sleep(5), P ! crash, flush() end},
     {initial_call, fun() -> P = proc_lib:spawn(?MODULE, acked, [1]), Q = spawn(fun() -> timer:sleep(100) end), {proc_lib:initial_call(P), proc_lib:translate_initial_call(P), proc_lib:initial_call(Q), proc_lib:translate_initial_call(Q)} end},
     {spawn_opt, fun() -> {P, R} = proc_lib:spawn_opt(?MODULE, crashing, [x], [monitor]), receive {'DOWN', R, process, P, {W, _}} -> W end end, quiet},
     {format, fun() -> Report = [[{initial_call, {m, f, [a, b]}}, {pid, self()}, {registered_name, []}, {error_info, {error, badarg, [{m, f, 2, [{file, "m.erl"}, {line, 3}]}, {m, g, 0, []}]}}, {ancestors, []}, {messages, [1, 2]}, {dictionary, [{k, lists:seq(1, 60)}]}], [{neighbour, [{pid, self()}, {links, []}]}]],
                         [re:replace(proc_lib:report_cb(#{label => {proc_lib, crash}, report => Report}, O), "<[0-9.]+>", "PID", [global, {return, list}]) || O <- [#{}, #{single_line => true}, #{depth => 8}, #{depth => 8, single_line => true}]] end},
     {stop, fun() -> {ok, P} = gen_server:start(test_server_callback, [], []), {proc_lib:stop(P, normal, 100), catch proc_lib:stop(P, normal, 100)} end},
     {sys_unknown, fun() -> {ok, P} = gen_server:start_link(test_server_callback, [], []), {gen:call(P, system, whatever), gen:call(P, system, {debug, what})} end},
     {sys_debug_options, fun() -> {ok, P} = gen_server:start_link(test_server_callback, [], [{debug, [log, {bad, option}]}]), gen_server:call(P, a), {sys:log(P, get), sys:no_debug(P), sys:log(P, get)} end},
     {sys_state_fails, fun() -> {ok, P} = gen_server:start_link(test_server_callback, [], []), {catch sys:replace_state(P, fun(_) -> error(no) end), sys:get_state(P)} end},
     {timer_send, fun() -> {ok, _} = timer:send_after(2, hello), flush() end},
     {timer_zero, fun() -> timer:send_after(0, self(), zero), flush() end},
     {timer_name, fun() -> register(timed, self()), {ok, _} = timer:send_after(2, timed, named), flush() end},
     {timer_cancel, fun() -> {ok, T} = timer:send_after(10, never), {timer:cancel(T), timer:cancel(T), timer:cancel(foo), flush()} end},
     {timer_apply, fun() -> {ok, _} = timer:apply_after(2, erlang, send, [self(), applied]), flush() end},
     {timer_interval, fun() -> {ok, T} = timer:send_interval(4, tick), M = [receive X -> X end || _ <- [1, 2, 3]], timer:cancel(T), timer:sleep(10), flush0(), {M, flush()} end},
     {timer_exit, fun() -> P = spawn_link(fun() -> timer:sleep(1000) end), {ok, _} = timer:exit_after(2, P, out), Q = spawn_link(fun() -> timer:sleep(1000) end), {ok, _} = timer:kill_after(2, Q), lists:sort([W || {'EXIT', _, W} <- flush()]) end},
     {timer_bad, fun() -> [timer:send_after(a, b), timer:send_after(1, 2, 3), timer:apply_after(-1, m, f, []), timer:apply_interval(x, m, f, []), timer:send_interval(1, 2, 3), timer:exit_after(a, b, c)] end},
     {timer_units, fun() -> [timer:seconds(2), timer:minutes(2), timer:hours(2), timer:hms(1, 2, 3), timer:now_diff({1, 2, 3}, {0, 1, 1})] end},
     {timer_tc, fun() -> {T, 3} = timer:tc(fun() -> 3 end), {U, 3} = timer:tc(fun(X) -> X end, [3]), {V, 3} = timer:tc(erlang, abs, [-3]), [is_integer(X) || X <- [T, U, V]] end}].

flush() -> receive M -> [M | flush()] after 25 -> [] end.
flush0() -> receive _ -> flush0() after 0 -> ok end.
