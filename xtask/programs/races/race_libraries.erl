%% Programs as people write them with OTP's behaviours and libraries: servers, state machines, supervisors, global names,
%% groups, tasks, applications. Each function is one program; this module is the callback module of all of them.
-module(race_libraries).
-compile([export_all, nowarn_export_all]).

calls() ->
    [{told, [F]} || {F, 0} <- ?MODULE:module_info(exports), is_program(atom_to_list(F))].

told(F) -> iolist_to_binary(io_lib:format("~0p", [?MODULE:F()])).

is_program(Name) ->
    lists:any(fun(P) -> lists:prefix(P, Name) end,
        ["server_", "statem_", "event_", "sup_", "global_", "pg_", "app_", "task_", "timer_", "sys_"]).

%% ---- tools

all(Funs) ->
    Main = self(),
    Ps = [spawn(fun() -> Main ! {value, self(), F()} end) || F <- Funs],
    [receive {value, P, V} -> V end || P <- Ps].

why(R) -> receive {'DOWN', R, _, _, Why} -> Why end.

%% Calls that fail, without the call itself.
attempt(F) ->
    try F()
    catch
        exit:{Why, {M, _, _}} when is_atom(M) -> {exit, Why};
        exit:Why -> {exit, Why};
        error:Why -> {error, Why}
    end.

call(S, M) -> attempt(fun() -> gen_server:call(S, M, infinity) end).

quiet(F) -> spawn(fun() -> F(), receive never -> ok end end).

got() -> receive M -> [M | got()] after 0 -> [] end.

%% ---- callbacks: a counter that can do all kinds of things

init({sup, Flags, Children}) -> {ok, {Flags, Children}};
init({statem, State}) -> {ok, State, []};
init({event, Main}) -> {ok, Main};
init({continue, N}) -> {ok, N, {continue, add}};
init({trap, Main}) -> process_flag(trap_exit, true), {ok, {trap, Main}};
init({named, Main, N}) -> Main ! {up, N}, {ok, 0};
init(refuse) -> {stop, refused};
init(ignore) -> ignore;
init(N) -> {ok, N}.

handle_call(inc, _, N) -> {reply, N, N + 1};
handle_call(get, _, N) -> {reply, N, N};
handle_call(crash, _, _) -> exit(crashed);
handle_call(stop, _, N) -> {stop, normal, stopping, N};
handle_call(stop_silently, _, N) -> {stop, normal, N};
handle_call(elsewhere, From, N) -> spawn(fun() -> gen_server:reply(From, elsewhere) end), {noreply, N + 1};
handle_call(twice, {P, _} = From, N) -> gen_server:reply(From, first), P ! aside, {noreply, N};
handle_call({ask, Other}, _, N) -> {reply, attempt(fun() -> gen_server:call(Other, get, infinity) end), N}.

handle_cast(inc, N) -> {noreply, N + 1};
handle_cast({set, N}, _) -> {noreply, N};
handle_cast(crash, _) -> exit(crashed);
handle_cast(stop, N) -> {stop, normal, N}.

handle_info(inc, N) -> {noreply, N + 1};
handle_info(timeout, N) -> {noreply, {timeout, N}};
handle_info({wait, P}, N) -> P ! waiting, {noreply, N, 1};
handle_info(_, N) -> {noreply, N}.

handle_continue(add, N) -> {noreply, N + 1000}.

terminate(Why, {trap, Main}) -> Main ! {terminated, Why};
terminate(_, _) -> ok.

%% ---- gen_server

start(N) -> {ok, P} = gen_server:start(?MODULE, N, []), P.

server_call_and_cast() ->
    S = start(0),
    all([fun() -> gen_server:cast(S, inc), call(S, get) end, fun() -> call(S, inc) end, fun() -> S ! inc, call(S, get) end]).

server_call_against_stop() ->
    S = start(0),
    all([fun() -> call(S, inc) end, fun() -> gen_server:stop(S) end, fun() -> call(S, get) end]).

server_stop_twice() ->
    S = start(0),
    Stop = fun() -> attempt(fun() -> gen_server:stop(S) end) end,
    lists:sort(all([Stop, Stop])).

server_crash_in_call() ->
    S = start(0),
    all([fun() -> call(S, crash) end, fun() -> call(S, get) end]).

server_crash_by_cast() ->
    S = start(0),
    R = monitor(process, S),
    gen_server:cast(S, crash),
    {call(S, get), why(R)}.

server_stops_silently() ->
    S = start(0),
    all([fun() -> call(S, stop_silently) end, fun() -> call(S, stop) end]).

server_killed() ->
    S = start(0),
    all([fun() -> call(S, inc) end, fun() -> exit(S, kill) end]).

server_same_name() ->
    Main = self(),
    Start = fun() ->
        R = gen_server:start({local, counter}, ?MODULE, {named, Main, x}, []),
        case R of {ok, _} -> ok; {error, {already_started, P}} -> {already, P =:= whereis(counter)} end
    end,
    lists:sort(all([Start, Start])).

server_start_link_fails() ->
    process_flag(trap_exit, true),
    A = gen_server:start_link(?MODULE, refuse, []),
    B = gen_server:start_link(?MODULE, ignore, []),
    {A, B, [W || {'EXIT', _, W} <- got()]}.

server_name_is_gone() ->
    {ok, S} = gen_server:start({local, counter}, ?MODULE, 0, []),
    all([fun() -> attempt(fun() -> gen_server:call(counter, inc, infinity) end) end,
         fun() -> gen_server:cast(S, stop) end,
         fun() -> gen_server:cast(counter, inc) end]).

server_short_timeout() ->
    S = start(0),
    A = attempt(fun() -> gen_server:call(S, inc, 1) end),
    B = call(S, get),
    {A, B, length(got())}.

server_replies_from_elsewhere() ->
    S = start(0),
    all([fun() -> call(S, elsewhere) end, fun() -> call(S, get) end]).

server_replies_and_says() ->
    S = start(0),
    A = call(S, twice),
    {A, got()}.

server_continues() ->
    {ok, S} = gen_server:start({local, counter}, ?MODULE, {continue, 1}, []),
    all([fun() -> call(S, inc) end, fun() -> counter ! inc, call(counter, get) end]).

server_times_out() ->
    S = start(0),
    S ! {wait, self()},
    receive waiting -> ok end,
    call(S, get).

server_requests() ->
    S = start(0),
    A = gen_server:send_request(S, inc),
    B = gen_server:send_request(S, get),
    spawn(fun() -> gen_server:cast(S, {set, 10}) end),
    RB = gen_server:receive_response(B, infinity),
    RA = gen_server:receive_response(A, infinity),
    {RA, RB}.

server_request_times_out() ->
    S = start(0),
    A = gen_server:send_request(S, inc),
    case gen_server:receive_response(A, 1) of timeout -> {timeout, call(S, get)}; {reply, R} -> {R, call(S, get)} end.

server_multi_call() ->
    {ok, S} = gen_server:start({local, counter}, ?MODULE, 0, []),
    spawn(fun() -> exit(S, kill) end),
    case gen_server:multi_call([node()], counter, inc) of {[{_, R}], []} -> {answered, R}; {[], [_]} -> nobody end.

server_shut_down_by_parent() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> {ok, S} = gen_server:start_link(?MODULE, {trap, Main}, []), Main ! {server, S},
        receive go -> exit(shutdown) end end),
    S = receive {server, X} -> X end,
    RS = monitor(process, S),
    spawn(fun() -> S ! anything end),
    P ! go,
    {why(R), why(RS), got()}.

server_calls_server() ->
    A = start(1),
    B = start(2),
    all([fun() -> call(A, {ask, B}) end, fun() -> gen_server:stop(B) end]).

server_abcast() ->
    {ok, S} = gen_server:start({local, counter}, ?MODULE, 0, []),
    all([fun() -> gen_server:abcast([node()], counter, inc) end, fun() -> call(S, inc) end]),
    call(S, get).

server_waits_for_client() ->
    S = start(0),
    {C, R} = spawn_monitor(fun() -> N = gen_server:call(S, inc, infinity), exit({got, N}) end),
    spawn(fun() -> exit(C, kill) end),
    W = why(R),
    {W, call(S, get)}.

%% ---- sys

sys_suspend() ->
    S = start(0),
    ok = sys:suspend(S),
    C = quiet_value(fun() -> call(S, inc) end),
    gen_server:cast(S, {set, 5}),
    ok = sys:resume(S),
    quiet_value(C).

quiet_value(F) when is_function(F) -> Main = self(), spawn(fun() -> Main ! {value, self(), F()} end);
quiet_value(P) -> receive {value, P, V} -> V end.

sys_get_and_replace() ->
    S = start(0),
    all([fun() -> gen_server:cast(S, inc), sys:get_state(S) end,
         fun() -> sys:replace_state(S, fun(N) -> N * 2 + 1000 end) end]).

sys_terminate() ->
    S = start(0),
    R = monitor(process, S),
    spawn(fun() -> gen_server:cast(S, crash) end),
    attempt(fun() -> sys:terminate(S, told) end),
    why(R).

%% ---- gen_statem

callback_mode() -> [handle_event_function, state_enter].

handle_event(enter, _, timed, D) -> {keep_state, D, [{state_timeout, 1, over}]};
handle_event(enter, _, _, _) -> keep_state_and_data;
handle_event(cast, {go, S}, _, D) -> {next_state, S, D};
handle_event(state_timeout, over, timed, D) -> {next_state, over, D};
handle_event({call, _}, take, closed, _) -> {keep_state_and_data, [postpone]};
handle_event({call, F}, take, S, D) -> {keep_state, D, [{reply, F, {taken, S}}]};
handle_event({call, F}, push, S, [N]) -> {next_state, S, [N + 1], [{reply, F, N}]};
handle_event({call, F}, push, open, D) -> {next_state, closed, D, [{reply, F, was_open}]};
handle_event({call, F}, push, closed, D) -> {next_state, open, D, [{reply, F, was_closed}]};
handle_event({call, F}, state, S, _) -> {keep_state_and_data, [{reply, F, S}]};
handle_event({call, F}, later, _, _) -> {keep_state_and_data, [{{timeout, answer}, 1, F}]};
handle_event({timeout, answer}, F, S, _) -> {keep_state_and_data, [{reply, F, {later, S}}]};
handle_event({call, F}, stop, _, _) -> {stop_and_reply, normal, [{reply, F, bye}]};
handle_event(info, _, _, _) -> keep_state_and_data.

machine(State) -> {ok, P} = gen_statem:start(?MODULE, {statem, State}, []), P.

ask(S, M) -> attempt(fun() -> gen_statem:call(S, M, infinity) end).

statem_push() ->
    S = machine(open),
    all([fun() -> ask(S, push) end, fun() -> ask(S, push) end, fun() -> ask(S, state) end]).

statem_postponed() ->
    S = machine(closed),
    all([fun() -> ask(S, take) end, fun() -> gen_statem:cast(S, {go, open}), ask(S, state) end]).

statem_state_timeout() ->
    S = machine(timed),
    gen_statem:cast(S, {go, open}),
    ask(S, state).

statem_generic_timeout() ->
    S = machine(open),
    all([fun() -> ask(S, later) end, fun() -> gen_statem:cast(S, {go, closed}) end]).

statem_stops() ->
    S = machine(open),
    all([fun() -> ask(S, stop) end, fun() -> ask(S, state) end]).

%% ---- gen_event

handle_event({note, X}, Main) -> Main ! {noted, X}, {ok, Main};
handle_event(remove, _) -> remove_handler;
handle_event(crash, _) -> exit(crashed).

event_handlers() ->
    {ok, E} = gen_event:start(),
    Main = self(),
    all([fun() -> gen_event:add_handler(E, ?MODULE, {event, Main}), ok end,
         fun() -> gen_event:sync_notify(E, {note, 1}) end]),
    gen_event:sync_notify(E, {note, 2}),
    got().

event_same_handler_twice() ->
    {ok, E} = gen_event:start(),
    Main = self(),
    Add = fun() -> gen_event:add_handler(E, ?MODULE, {event, Main}) end,
    {length([ok || ok <- all([Add, Add])]), gen_event:which_handlers(E)}.

event_handler_removed() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, ?MODULE, {event, self()}),
    all([fun() -> gen_event:sync_notify(E, remove) end, fun() -> gen_event:sync_notify(E, {note, 1}) end]),
    {gen_event:which_handlers(E), got()}.

event_supervised() ->
    {ok, E} = gen_event:start(),
    Main = self(),
    {P, R} = spawn_monitor(fun() -> gen_event:add_sup_handler(E, ?MODULE, {event, Main}), Main ! added,
        receive {gen_event_EXIT, _, W} -> exit({told, W}); stop -> ok end end),
    receive added -> ok end,
    all([fun() -> P ! stop end, fun() -> gen_event:notify(E, remove) end]),
    {why(R), gen_event:which_handlers(E)}.

event_crashing() ->
    {ok, E} = gen_event:start(),
    gen_event:add_handler(E, ?MODULE, {event, self()}),
    all([fun() -> gen_event:sync_notify(E, crash) end, fun() -> gen_event:sync_notify(E, {note, 1}) end]),
    {gen_event:which_handlers(E), got()}.

%% ---- supervisor

child(Id, Main) -> child(Id, Main, permanent).
child(Id, Main, Restart) ->
    #{id => Id, start => {gen_server, start_link, [{local, Id}, ?MODULE, {named, Main, Id}, []]}, restart => Restart,
      shutdown => brutal_kill}.

supervised(Strategy, Intensity, Children) ->
    {ok, P} = supervisor:start_link(?MODULE, {sup, #{strategy => Strategy, intensity => Intensity, period => 5}, Children}),
    P.

sup_client_during_restart() ->
    process_flag(trap_exit, true),
    Main = self(),
    supervised(one_for_one, 3, [child(one, Main)]),
    receive {up, one} -> ok end,
    exit(whereis(one), kill),
    A = attempt(fun() -> gen_server:call(one, get, infinity) end),
    receive {up, one} -> A end.

sup_terminate_child() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 3, [child(one, self())]),
    A = all([fun() -> attempt(fun() -> gen_server:call(one, get, infinity) end) end,
             fun() -> supervisor:terminate_child(S, one) end]),
    {A, [{I, P} || {I, P, _, _} <- supervisor:which_children(S)]}.

sup_terminate_and_restart() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 3, [child(one, self())]),
    Simple = fun({ok, _}) -> ok; (X) -> X end,
    all([fun() -> supervisor:terminate_child(S, one) end,
         fun() -> Simple(supervisor:restart_child(S, one)) end,
         fun() -> supervisor:delete_child(S, one) end]).

sup_start_same_child() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 3, []),
    Main = self(),
    Start = fun() -> case supervisor:start_child(S, child(one, Main)) of
        {ok, _} -> ok; {error, {already_started, _}} -> already; X -> X end end,
    lists:sort(all([Start, Start])).

sup_too_many_restarts() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 0, [child(one, self())]),
    exit(whereis(one), kill),
    receive {'EXIT', S, Why} -> {Why, whereis(one)} end.

sup_one_for_all() ->
    process_flag(trap_exit, true),
    supervised(one_for_all, 3, [child(one, self()), child(two, self())]),
    [receive {up, N} -> ok end || N <- [one, two]],
    Before = whereis(two),
    exit(whereis(one), kill),
    A = attempt(fun() -> gen_server:call(two, inc, infinity) end),
    [receive {up, N} -> ok end || N <- [one, two]],
    {A, whereis(two) =/= Before}.

sup_rest_for_one() ->
    process_flag(trap_exit, true),
    supervised(rest_for_one, 3, [child(one, self()), child(two, self())]),
    [receive {up, N} -> ok end || N <- [one, two]],
    [A, B] = [whereis(one), whereis(two)],
    exit(B, kill),
    receive {up, two} -> ok end,
    {whereis(one) =:= A, whereis(two) =:= B}.

sup_temporary() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 3, [child(one, self(), temporary)]),
    exit(whereis(one), kill),
    length(supervisor:which_children(S)).

sup_transient() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 3, [child(one, self(), transient)]),
    all([fun() -> gen_server:cast(one, stop) end, fun() -> gen_server:cast(one, crash) end]),
    proplists:get_value(active, supervisor:count_children(S)).

sup_simple() ->
    process_flag(trap_exit, true),
    S = supervised(simple_one_for_one, 3, [#{id => x, start => {gen_server, start_link, [?MODULE, 0, []]}, restart => temporary}]),
    Start = fun() -> {ok, P} = supervisor:start_child(S, []), P end,
    [A, _] = all([Start, Start]),
    exit(A, kill),
    proplists:get_value(active, supervisor:count_children(S)).

sup_ended_with_parent() ->
    Main = self(),
    {P, R} = spawn_monitor(fun() -> process_flag(trap_exit, true), S = supervised(one_for_one, 3, [child(one, Main)]),
        Main ! {sup, S}, receive {'EXIT', S, W} -> exit({sup_ended, W}); go -> exit(done) end end),
    S = receive {sup, X} -> X end,
    RS = monitor(process, S),
    P ! go,
    spawn(fun() -> attempt(fun() -> gen_server:call(one, stop, infinity) end) end),
    {why(R), why(RS), whereis(one)}.

sup_stops_while_called() ->
    process_flag(trap_exit, true),
    S = supervised(one_for_one, 3, [child(one, self())]),
    C = quiet_value(fun() -> attempt(fun() -> gen_server:call(one, get, infinity) end) end),
    exit(S, shutdown),
    receive {'EXIT', S, W} -> {W, quiet_value(C)} end.

%% ---- global, pg

global_two_register() ->
    Try = fun() -> R = global:register_name(boss, self()), R end,
    Main = self(),
    Ps = [spawn_monitor(fun() -> Main ! {self(), Try()}, receive stop -> ok end end) || _ <- [1, 2]],
    Rs = [receive {P, R} -> R end || {P, _} <- Ps],
    [begin P ! stop, why(M) end || {P, M} <- Ps],
    Rs.

global_send_to_ended() ->
    Main = self(),
    {P, M} = spawn_monitor(fun() -> yes = global:register_name(boss, self()), Main ! up, receive stop -> ok; hello -> Main ! hi, receive stop -> ok end end end),
    receive up -> ok end,
    P ! stop,
    R = attempt(fun() -> global:send(boss, hello) =:= P end),
    why(M),
    case R of true -> sent; {exit, _} -> badarg end.

global_unregister() ->
    P = quiet(fun() -> ok end),
    yes = global:register_name(boss, P),
    [A, _] = all([fun() -> global:whereis_name(boss) =:= P end, fun() -> global:unregister_name(boss) end]),
    exit(P, kill),
    {A, global:whereis_name(boss)}.

global_trans() ->
    ets:new(t, [named_table, public]),
    ets:insert(t, {c, 0}),
    Add = fun() -> global:trans({lock, self()}, fun() -> [{c, V}] = ets:lookup(t, c), ets:insert(t, {c, V + 1}), V end, [node()], 0) end,
    all([Add, Add]).

global_server() ->
    {ok, S} = gen_server:start({global, counter}, ?MODULE, 0, []),
    R = monitor(process, S),
    A = all([fun() -> attempt(fun() -> gen_server:call({global, counter}, inc, infinity) end) end,
         fun() -> gen_server:stop(S) end]),
    why(R),
    A.

pg_join_and_leave() ->
    {ok, _} = pg:start(race_scope),
    P = quiet(fun() -> ok end),
    A = all([fun() -> pg:join(race_scope, g, P) end, fun() -> length(pg:get_members(race_scope, g)) end,
             fun() -> pg:leave(race_scope, g, P) end]),
    {A, length(pg:get_members(race_scope, g))}.

pg_member_ends() ->
    {ok, _} = pg:start(race_scope),
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    ok = pg:join(race_scope, g, P),
    P ! stop,
    A = length(pg:get_members(race_scope, g)),
    why(R),
    {A, length(pg:get_members(race_scope, g))}.

pg_broadcast() ->
    {ok, _} = pg:start(race_scope),
    Main = self(),
    M = fun(N) -> spawn(fun() -> pg:join(race_scope, g, self()), Main ! joined, receive X -> Main ! {N, X} after 3 -> Main ! {N, none} end end) end,
    M(1),
    M(2),
    receive joined -> ok end,
    [P ! x || P <- pg:get_members(race_scope, g)],
    receive joined -> ok end,
    {receive {1, A} -> A end, receive {2, B} -> B end}.

%% ---- tasks

task_erpc() ->
    P = quiet(fun() -> ok end),
    register(n, P),
    all([fun() -> erpc:call(node(), erlang, whereis, [n]) =:= P end, fun() -> unregister(n) end]).

task_erpc_fails() ->
    all([fun() -> try erpc:call(node(), erlang, error, [oops]) catch error:{exception, W, _} -> W end end,
         fun() -> try erpc:call(node(), erlang, exit, [oops]) catch exit:{exception, W} -> W end end]).

task_erpc_timeout() ->
    try erpc:call(node(), erlang, node, [], 0) of _ -> answered catch error:{erpc, W} -> W end.

task_rpc_async() ->
    K = rpc:async_call(node(), erlang, length, [[1, 2]]),
    case rpc:nb_yield(K) of {value, V} -> V; timeout -> {waited, rpc:yield(K)} end.

task_proc_lib() ->
    process_flag(trap_exit, true),
    Main = self(),
    Start = fun(What) -> proc_lib:start_link(?MODULE, begin_with, [Main, What]) end,
    A = case Start(good) of {ok, P} when is_pid(P) -> ok; X -> X end,
    B = Start(bad),
    {A, B, [W || {'EXIT', _, W} <- got()]}.

begin_with(_, good) -> proc_lib:init_ack({ok, self()});
begin_with(_, bad) -> exit(no_start).

task_proc_lib_stop() ->
    P = proc_lib:spawn(fun() -> receive {system, F, {terminate, W}} -> gen:reply(F, ok), exit(W) end end),
    spawn(fun() -> exit(P, kill) end),
    attempt(fun() -> proc_lib:stop(P, told, infinity) end).

timer_sends() ->
    {ok, T} = timer:send_after(1, ring),
    R = timer:cancel(T),
    M = receive ring -> rang after 5 -> silent end,
    {element(1, R), M}.

timer_applies() ->
    ets:new(t, [named_table, public]),
    {ok, _} = timer:apply_after(1, ets, insert, [t, {k}]),
    A = ets:member(t, k),
    receive after 3 -> ok end,
    A.

timer_kills() ->
    {P, R} = spawn_monitor(fun() -> receive go -> ok after 1 -> exit(slept) end end),
    {ok, _} = timer:kill_after(1, P),
    why(R).

%% ---- applications

app_environment() ->
    application:unset_env(race_app, key),
    R = all([fun() -> application:set_env(race_app, key, 1) end, fun() -> application:get_env(race_app, key) end,
             fun() -> application:set_env(race_app, key, 2) end]),
    application:unset_env(race_app, key),
    lists:nth(2, R).

app_load_twice() ->
    Spec = {application, race_app, [{vsn, "1"}, {modules, []}, {registered, []}, {applications, [kernel]}]},
    R = all([fun() -> application:load(Spec) end, fun() -> application:load(Spec) end]),
    application:unload(race_app),
    [case X of {error, {Why, _}} -> Why; ok -> ok end || X <- R].

start(_, Main) -> supervisor:start_link(?MODULE, {sup, #{}, [child(one, Main)]}).
stop(_) -> ok.

app_start_twice() ->
    Spec = {application, race_app,
        [{vsn, "1"}, {modules, []}, {registered, []}, {applications, [kernel]}, {mod, {?MODULE, self()}}]},
    ok = application:load(Spec),
    Start = fun() -> application:ensure_all_started(race_app) end,
    A = all([Start, Start]),
    ok = application:stop(race_app),
    application:unload(race_app),
    A.

app_stop_while_called() ->
    Spec = {application, race_app,
        [{vsn, "1"}, {modules, []}, {registered, []}, {applications, [kernel]}, {mod, {?MODULE, self()}}]},
    ok = application:load(Spec),
    ok = application:start(race_app),
    A = all([fun() -> application:stop(race_app) end, fun() -> attempt(fun() -> gen_server:call(one, get, infinity) end) end]),
    application:unload(race_app),
    A.
