-module(scenario_supervisor).

-export([scenarios/0]).

spec(Id) -> spec(Id, #{}).
spec(Id, More) -> maps:merge(#{id => Id, start => {test_sup, worker, [Id]}}, More).

flags(Strategy) -> #{strategy => Strategy, intensity => 3, period => 10}.

sup(Strategy, Specs) -> {ok, P} = test_sup:start({ok, {flags(Strategy), Specs}}), P.

simple(More) -> sup(simple_one_for_one, [maps:merge(#{id => s, start => {gen_server, start_link, [test_server_callback, [], []]}}, More)]).

children(P) -> [{Id, is_pid(Pid), T, M} || {Id, Pid, T, M} <- supervisor:which_children(P)].

crash(Name) -> crash(Name, boom).
crash(Name, Reason) -> P = whereis(Name), R = monitor(process, P), exit(P, Reason), receive {'DOWN', R, _, _, _} -> ok end, timer:sleep(10).

stop(P) -> unlink(P), R = monitor(process, P), exit(P, shutdown), receive {'DOWN', R, _, _, W} -> W end.

%% Which of the names have another process than before.
changed(Names, Fun) -> Before = [whereis(N) || N <- Names], Fun(), timer:sleep(10), [N || {N, B} <- lists:zip(Names, Before), whereis(N) =/= B].

scenarios() ->
    [{start, fun() -> P = sup(one_for_one, [spec(a), spec(b)]), R = {children(P), supervisor:count_children(P)}, {R, stop(P), whereis(a)} end},
     {ignore, fun() -> test_sup:start(ignore) end},
     {bad_return, fun() -> {test_sup:start(foo), flush()} end},
     {bad_flags, fun() -> [begin timer:sleep(5), test_sup:start({ok, {F, []}}) end || F <- [foo, {bad, 1, 1}, {one_for_one, -1, 1}, {one_for_one, 1, 0}, #{auto_shutdown => x}]] end},
     {bad_specs, fun() -> [supervisor:check_childspecs([S]) || S <- [foo, #{}, #{id => a}, #{id => a, start => x}, spec(a, #{restart => x}), spec(a, #{shutdown => x}), spec(a, #{type => x}), spec(a, #{modules => x}), spec(a, #{modules => [1]}), spec(a, #{significant => x}), spec(a, #{significant => true}), {a, {m, f, []}, permanent, 1, worker, [m]}]] end},
     {duplicate, fun() -> {test_sup:start({ok, {flags(one_for_one), [spec(a), spec(a)]}}), flush()} end},
     {start_fails, fun() -> {test_sup:start({ok, {flags(one_for_one), [spec(a), spec(b, #{start => {test_sup, worker, [b, fun() -> {stop, no} end]}})]}}), flush(), whereis(a)} end, quiet},
     {start_undef, fun() -> {{error, {shutdown, {failed_to_start_child, a, {'EXIT', {undef, [F | _]}}}}}, _} = {test_sup:start({ok, {flags(one_for_one), [spec(a, #{start => {no_module, f, []}})]}}), flush()}, F end, quiet},
     {init_crash, fun() -> {test_sup:start(fun() -> error(x) end), flush()} end},
     {one_for_one, fun() -> P = sup(one_for_one, [spec(a), spec(b), spec(c)]), R = changed([a, b, c], fun() -> crash(b) end), stop(P), R end},
     {one_for_all, fun() -> P = sup(one_for_all, [spec(a), spec(b), spec(c)]), R = changed([a, b, c], fun() -> crash(b) end), stop(P), R end},
     {rest_for_one, fun() -> P = sup(rest_for_one, [spec(a), spec(b), spec(c)]), R = changed([a, b, c], fun() -> crash(b) end), stop(P), R end},
     {transient, fun() -> P = sup(one_for_one, [spec(a, #{restart => transient})]), crash(a), A = whereis(a) =/= undefined, crash(a, shutdown), R = {A, children(P)}, stop(P), R end},
     {temporary, fun() -> P = sup(one_for_one, [spec(a, #{restart => temporary})]), crash(a), R = children(P), stop(P), R end},
     {intensity, fun() -> P = sup(one_for_one, [spec(a)]), unlink(P), Ref = monitor(process, P), [crash(a) || _ <- [1, 2, 3, 4]], receive {'DOWN', Ref, _, _, W} -> W end end},
     {start_child, fun() -> P = sup(one_for_one, []), R1 = supervisor:start_child(P, spec(a)), R2 = supervisor:start_child(P, spec(a)), R3 = supervisor:start_child(P, bad), R4 = supervisor:start_child(P, spec(z, #{start => {test_sup, worker, [z, fun() -> {stop, no} end]}})), stop(P), {element(1, R1), R2, R3, R4} end, quiet},
     {start_child_ignore, fun() -> P = sup(one_for_one, []), R = {supervisor:start_child(P, spec(i, #{start => {test_sup, worker, [i, fun() -> ignore end]}})), supervisor:start_child(P, spec(t, #{restart => temporary, start => {test_sup, worker, [t, fun() -> ignore end]}})), supervisor:which_children(P)}, stop(P), R end},
     {terminate_child, fun() -> P = sup(one_for_one, [spec(a), spec(b, #{restart => temporary})]), R = {supervisor:delete_child(P, a), supervisor:restart_child(P, a), supervisor:terminate_child(P, a), supervisor:terminate_child(P, b), supervisor:terminate_child(P, nobody), children(P), element(1, supervisor:restart_child(P, a)), supervisor:terminate_child(P, a), supervisor:delete_child(P, a), supervisor:delete_child(P, a), children(P)}, stop(P), R end},
     {get_childspec, fun() -> P = sup(one_for_one, [spec(a)]), R = {supervisor:get_childspec(P, a), supervisor:get_childspec(P, b), supervisor:get_callback_module(P)}, stop(P), R end},
     {simple, fun() -> P = simple(#{}), {ok, A} = supervisor:start_child(P, []), {ok, _} = supervisor:start_child(P, []), R1 = {supervisor:count_children(P), length(supervisor:which_children(P)), supervisor:get_childspec(P, A)}, R2 = {supervisor:terminate_child(P, A), supervisor:terminate_child(P, A), supervisor:terminate_child(P, self()), supervisor:terminate_child(P, x), supervisor:restart_child(P, x), supervisor:delete_child(P, x), supervisor:count_children(P)}, {R1, R2, stop(P)} end},
     {simple_restart, fun() -> P = simple(#{}), {ok, A} = supervisor:start_child(P, []), exit(A, boom), timer:sleep(15), [{_, B, _, _}] = supervisor:which_children(P), R = B =/= A, stop(P), R end},
     {simple_temporary, fun() -> P = simple(#{restart => temporary}), {ok, A} = supervisor:start_child(P, []), exit(A, boom), timer:sleep(15), R = supervisor:which_children(P), stop(P), R end},
     {simple_start_fails, fun() -> P = sup(simple_one_for_one, [#{id => s, start => {gen_server, start_link, [test_server_callback]}}]), R = {supervisor:start_child(P, [fun() -> {stop, no} end, []]), supervisor:start_child(P, [fun() -> ignore end, []]), supervisor:count_children(P)}, stop(P), R end, quiet},
     {simple_bad_spec, fun() -> {test_sup:start({ok, {flags(simple_one_for_one), []}}), flush()} end},
     {shutdown_kill, fun() -> P = sup(one_for_one, [spec(a, #{shutdown => brutal_kill})]), R = monitor(process, a), supervisor:terminate_child(P, a), W = receive {'DOWN', R, _, _, X} -> X end, stop(P), W end},
     {shutdown_timeout, fun() -> P = sup(one_for_one, [spec(a, #{shutdown => 5, start => {test_sup, worker, [a, fun() -> process_flag(trap_exit, true), {ok, {on_terminate, fun(_) -> timer:sleep(1000) end}} end]}})]), R = {supervisor:terminate_child(P, a), children(P)}, stop(P), R end},
     {retry, fun() -> P = sup(one_for_one, [spec(a, #{start => {test_sup, fail_second, [a]}})]), crash(a), R = {whereis(a) =/= undefined, children(P)}, stop(P), R end},
     {retry_all, fun() -> {ok, P} = test_sup:start({ok, {#{strategy => one_for_all, intensity => 10, period => 10}, [spec(b), spec(a, #{start => {test_sup, fail_second, [a]}})]}}), crash(b), R = {whereis(a) =/= undefined, whereis(b) =/= undefined, children(P)}, stop(P), R end},
     {any_significant, fun() -> {ok, P} = test_sup:start({ok, {#{auto_shutdown => any_significant}, [spec(a, #{restart => transient, significant => true}), spec(b)]}}), unlink(P), R = monitor(process, P), gen_server:stop(a), receive {'DOWN', R, _, _, W} -> W end end},
     {all_significant, fun() -> {ok, P} = test_sup:start({ok, {#{auto_shutdown => all_significant}, [spec(a, #{restart => transient, significant => true}), spec(b, #{restart => temporary, significant => true})]}}), unlink(P), R = monitor(process, P), gen_server:stop(a), timer:sleep(5), A = is_process_alive(P), gen_server:stop(b), receive {'DOWN', R, _, _, W} -> {A, W} end end},
     {unexpected, fun() -> P = sup(one_for_one, []), P ! hello, timer:sleep(5), stop(P) end},
     {status, fun() -> {ok, P} = test_sup:start(named_sup, {ok, {flags(one_for_one), [spec(a)]}}), {status, _, M, [D | Rest]} = sys:get_status(P), S = sys:get_state(P), stop(P), {M, lists:sort(D), Rest, S} end},
     {change_code, fun() -> persistent_term:put(sup_init, {ok, {flags(one_for_one), [spec(a)]}}), {ok, P} = test_sup:start(fun() -> persistent_term:get(sup_init) end), persistent_term:put(sup_init, {ok, {flags(rest_for_one), [spec(b), spec(a, #{shutdown => 77})]}}), sys:suspend(P), R = sys:change_code(P, supervisor, x, y), sys:resume(P), C = {R, children(P), supervisor:get_childspec(P, a)}, stop(P), C end},
     {names, fun() -> {ok, P} = test_sup:start(s1, {ok, {flags(one_for_one), []}}), R = {test_sup:start(s1, {ok, {flags(one_for_one), []}}), supervisor:which_children(s1), element(1, element(2, catch supervisor:which_children(nobody)))}, stop(P), R end}].

flush() -> receive M -> [M | flush()] after 20 -> [] end.
