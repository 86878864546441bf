-module(scenario_statem).

-export([scenarios/0]).

-define(CB, test_statem_callback).

start() -> start(idle, []).
start(State, Data) -> {ok, Pid} = gen_statem:start_link(?CB, {State, Data}, []), Pid.

look(P) -> gen_statem:call(P, get).

%% Runs an event in the machine and looks at it afterwards.
do(Fun) -> P = start(), gen_statem:cast(P, Fun), timer:sleep(15), {catch look(P), flush()}.

with_mode(Mode, Fun) ->
    persistent_term:put(statem_mode, Mode),
    try Fun() after persistent_term:erase(statem_mode) end.

scenarios() ->
    [{call, fun() -> look(start()) end},
     {cast_info, fun() -> P = start(), gen_statem:cast(P, a), P ! b, look(P) end},
     {next_state, fun() -> do(fun(_, D) -> {next_state, ready, [x | D]} end) end},
     {postpone, fun() -> P = start(), Id = gen_statem:send_request(P, wait), gen_statem:cast(P, fun(_, D) -> {next_state, ready, D} end), {gen_statem:receive_response(Id), look(P)} end},
     {postpone_order, fun() -> P = start(), [P ! fun(S, D) when S =:= ready -> {keep_state, [N | D]}; (_, _) -> {keep_state_and_data, postpone} end || N <- [1, 2, 3]], gen_statem:cast(P, fun(_, D) -> {next_state, ready, D} end), look(P) end},
     {next_events, fun() -> do(fun(_, _) -> {keep_state_and_data, [{next_event, internal, i}, {next_event, cast, c}, {next_event, info, n}]} end) end},
     {event_timeout, fun() -> do(fun(_, _) -> {keep_state_and_data, 5} end) end},
     {event_timeout_cancelled, fun() -> P = start(), gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, {timeout, 20, x}} end), gen_statem:cast(P, other), timer:sleep(30), look(P) end},
     {state_timeout, fun() -> do(fun(_, D) -> {next_state, s2, D, {state_timeout, 3, st}} end) end},
     {state_timeout_cancelled, fun() -> P = start(), gen_statem:cast(P, fun(_, D) -> {next_state, s2, D, {state_timeout, 10, st}} end), gen_statem:cast(P, fun(_, D) -> {next_state, s3, D} end), timer:sleep(20), look(P) end},
     {generic_timeouts, fun() -> do(fun(_, _) -> {keep_state_and_data, [{{timeout, a}, 2, ta}, {{timeout, b}, 0, tb}, {{timeout, c}, 2, tc}, {{timeout, c}, cancel}]} end) end},
     {timeout_zero_order, fun() -> do(fun(_, _) -> {keep_state_and_data, [{timeout, 0, t}, {next_event, internal, i}, {state_timeout, 0, s}]} end) end},
     {timeout_update, fun() -> P = start(), gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, [{{timeout, a}, 15, old}]} end), gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, [{{timeout, a}, update, new}, {{timeout, z}, update, none}]} end), timer:sleep(30), look(P) end},
     {timeout_abs, fun() -> do(fun(_, _) -> {keep_state_and_data, [{{timeout, a}, erlang:monotonic_time(millisecond) + 2, x, [{abs, true}]}]} end) end},
     {repeat_state, fun() -> with_mode([handle_event_function, state_enter], fun() -> do(fun(_, D) -> {repeat_state, [r | D]} end) end) end},
     {enter_calls, fun() -> with_mode([handle_event_function, state_enter], fun() -> P = start(), gen_statem:cast(P, fun(_, D) -> {next_state, s2, D} end), gen_statem:cast(P, fun(_, D) -> {next_state, s2, D} end), look(P) end) end},
     {enter_bad_next, fun() -> with_mode([handle_event_function, state_enter], fun() -> process_flag(trap_exit, true), {gen_statem:start_link(?CB, fun() -> {ok, fun_state, []} end, []), flush()} end) end},
     {reply_list, fun() -> gen_statem:call(start(), fun(F, _, _) -> {keep_state_and_data, [{reply, F, one}]} end) end},
     {stop, fun() -> do(fun(_, _) -> stop end) end},
     {stop_reason, fun() -> do(fun(_, _) -> {stop, why} end) end},
     {stop_reason_data, fun() -> do(fun(_, _) -> {stop, {shutdown, a}, data} end) end},
     {stop_and_reply, fun() -> P = start(), {gen_statem:call(P, fun(F, _, _) -> {stop_and_reply, normal, {reply, F, bye}} end), flush()} end},
     {stop_and_reply_data, fun() -> P = start(), {gen_statem:call(P, fun(F, _, _) -> {stop_and_reply, bad, [{reply, F, bye}], new} end), flush()} end},
     {bad_return, fun() -> do(fun(_, _) -> foo end) end},
     {bad_action, fun() -> P = start(), gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, [bad_one]} end), [{'EXIT', P, {R, _}}] = flush(), R end, quiet},
     {bad_reply_action, fun() -> P = start(), gen_statem:cast(P, fun(_, _) -> {stop_and_reply, normal, [foo]} end), [{'EXIT', P, {R, _}}] = flush(), R end, quiet},
     {crash, fun() -> P = start(), catch gen_statem:call(P, fun(_, _) -> error(ouch) end) end},
     {crash_exit, fun() -> P = start(), {catch gen_statem:call(P, fun(_, _) -> exit(ouch) end), flush()} end},
     {throw, fun() -> do(fun(_, D) -> throw({next_state, thrown, D}) end) end},
     {crash_functions, fun() -> {ok, P} = gen_statem:start_link(test_statem_functions, [], []), gen_statem:call(P, crash) end, quiet},
     {functions, fun() -> {ok, P} = gen_statem:start_link(test_statem_functions, [], []), R1 = gen_statem:call(P, go), R2 = look(P), timer:sleep(15), {R1, R2, look(P)} end},
     {unknown_state_function, fun() -> {ok, P} = gen_statem:start_link(test_statem_functions, [], []), gen_statem:cast(P, what), flush() end},
     {init_stop, fun() -> {gen_statem:start_link(?CB, fun() -> {stop, no} end, []), flush()} end},
     {init_ignore, fun() -> {gen_statem:start_link({local, st}, ?CB, fun() -> ignore end, []), flush()} end},
     {init_crash, fun() -> {gen_statem:start_link(?CB, fun() -> error(no) end, []), flush()} end},
     {init_bad, fun() -> {gen_statem:start_link({local, st}, ?CB, fun() -> bad end, []), flush()} end},
     {init_actions, fun() -> {ok, P} = gen_statem:start_link(?CB, fun() -> {ok, s, [], [{next_event, internal, first}, {state_timeout, 2, t}]} end, []), timer:sleep(15), look(P) end},
     {bad_mode, fun() -> with_mode(bad_mode, fun() -> {ok, P} = gen_statem:start_link(?CB, {s, d}, []), [{_, P, {R, _}}] = flush(), R end) end, quiet},
     {terminate_crash, fun() -> P = start(s, {on_terminate, fun(_) -> error(in_terminate) end}), {element(1, element(2, catch gen_statem:stop(P))), length(flush())} end, quiet},
     {call_noproc, fun() -> gen_statem:call(no_such, x) end},
     {call_timeout, fun() -> P = start(), gen_statem:call(P, fun(_, _) -> timer:sleep(30), keep_state_and_data end, 1) end},
     {call_dirty, fun() -> P = start(), {gen_statem:call(P, get, {dirty_timeout, 100}), gen_statem:call(P, get, {clean_timeout, 100}), try gen_statem:call(P, get, {foo, 1}) catch C:R -> {C, R} end} end},
     {get_state, fun() -> P = start(), {sys:get_state(P), sys:replace_state(P, fun({S, D}) -> {S, [new | D]} end), look(P)} end},
     {get_status, fun() -> {ok, _} = gen_statem:start_link({local, named}, ?CB, {s, d}, []), {status, _, M, [_ | Rest]} = sys:get_status(named), {M, Rest} end},
     {change_code, fun() -> P = start(), sys:suspend(P), R = sys:change_code(P, ?CB, old, x), sys:resume(P), {R, sys:get_state(P)} end},
     {log, fun() -> P = start(), sys:log(P, true), gen_statem:cast(P, a), look(P), gen_statem:cast(P, fun(_, D) -> {next_state, s2, D, [{state_timeout, 1000, t}]} end), look(P), sys:log(P, get) end},
     {hibernate, fun() -> P = start(), gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, hibernate} end), timer:sleep(5), {process_info(P, current_function), look(P)} end},
     {hibernate_after, fun() -> {ok, P} = gen_statem:start_link(?CB, {s, []}, [{hibernate_after, 3}]), timer:sleep(15), {process_info(P, current_function), look(P)} end},
     {push_module, fun() -> P = start(), gen_statem:cast(P, fun(_, D) -> {next_state, idle, D, [{push_callback_module, test_statem_functions}]} end), R = look(P), gen_statem:cast(P, x), {R, [element(1, element(3, E)) || E <- flush()]} end},
     {pop_module_bad, fun() -> P = start(), gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, pop_callback_module} end), [{'EXIT', P, {R, _}}] = flush(), R end, quiet},
     {parent_exit, fun() -> Self = self(), P0 = spawn(fun() -> Self ! start(), receive after infinity -> ok end end), P = receive X -> X end, R = monitor(process, P), exit(P0, out), receive {'DOWN', R, _, _, W} -> W end end},
     {enter_loop, fun() -> P = proc_lib:spawn_link(fun() -> gen_statem:enter_loop(?CB, [], s, [], [{next_event, internal, i}]) end), look(P) end},
     {reply, fun() -> Self = self(), P = start(), Id = gen_statem:send_request(P, fun(F, _, _) -> Self ! F, keep_state_and_data end), F = receive X -> X end, gen_statem:reply([{reply, F, done}]), gen_statem:wait_response(Id, 100) end},
     {reports, fun() -> P = start(), [P ! fun(_, _) -> {keep_state_and_data, postpone} end || _ <- [1, 2]], gen_statem:cast(P, fun(_, _) -> {keep_state_and_data, [{{timeout, x}, 10000, y}]} end), catch gen_statem:call(P, fun(_, _) -> error(with_all) end), ok end}].

flush() -> receive M -> [M | flush()] after 30 -> [] end.
