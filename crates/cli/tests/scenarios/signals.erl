%% Signals, ends, names, timers, and who is there.
-module(signals).
-compile([export_all, nowarn_export_all]).

%= 2 abnormal_exit 1
link_dead() -> P = spawn(fun() -> ok end), link(P), receive never -> ok after 0 -> ok end.

%= 2
link_trap_dead() -> process_flag(trap_exit, true), P = spawn(fun() -> ok end), link(P), receive {'EXIT', P, R} -> R end.

%= 2 abnormal_exit 2
unlink_flush() -> process_flag(trap_exit, true), P = spawn_link(fun() -> exit(bad) end), unlink(P),
  receive {'EXIT', P, _} -> got after 0 -> none end.

%= 2 killed 2
kill_trapper() -> P = spawn(fun() -> process_flag(trap_exit, true), receive never -> ok end end),
  R = monitor(process, P), exit(P, kill), receive {'DOWN', R, _, _, killed} -> ok end.

%= 2
exit_normal_ignored() -> P = spawn(fun() -> receive go -> ok end end), exit(P, normal), P ! go,
  R = monitor(process, P), receive {'DOWN', R, _, _, W} -> W end.

%= 1
exit_self_normal() -> spawn(fun() -> exit(self(), normal), receive never -> ok end end).

%= 2
demonitor_flush() -> P = spawn(fun() -> ok end), R = monitor(process, P), demonitor(R, [flush]),
  receive {'DOWN', _, _, _, _} -> error(x) after 0 -> ok end.

%= 3
demonitor_info() -> P = spawn(fun() -> ok end), R = monitor(process, P), demonitor(R, [info]).

%= 3
demonitor_plain() -> P = spawn(fun() -> ok end), R = monitor(process, P), demonitor(R),
  receive {'DOWN', _, _, _, _} -> yes after 0 -> no end.

%= 1
monitor_named() -> P = spawn(fun() -> receive stop -> ok end end), register(nm, P), R = monitor(process, nm),
  P ! stop, receive {'DOWN', R, process, {nm, _}, normal} -> ok end.

%= 1
monitor_noproc() -> R = monitor(process, nobody), receive {'DOWN', R, process, {nobody, _}, noproc} -> ok end.

%= 3
two_monitors() -> P = spawn(fun() -> ok end), R1 = monitor(process, P), R2 = monitor(process, P),
  receive {'DOWN', R1, _, _, A} -> A end, receive {'DOWN', R2, _, _, B} -> B end, {A, B}.

%= 2 deadlock 1
whereis_race() -> spawn(fun() -> register(w, self()), receive stop -> ok end end),
  case whereis(w) of undefined -> no; P -> P ! stop end.

%= 4 abnormal_exit 2
unregister_race() -> register(u, self()), P = spawn(fun() -> u ! hi end), unregister(u), monitor(process, P),
  receive {'DOWN', _, _, _, R} -> R end.

%= 4 abnormal_exit 2
reg_twice() -> [spawn(fun() -> register(same, self()) end) || _ <- [1,2]].

%= 2
alive_race() -> P = spawn(fun() -> ok end), is_process_alive(P).

%= 1 killed 1
alive_kill() -> P = spawn(fun() -> receive x -> ok end end), exit(P, kill), false = is_process_alive(P).

%= 2
procs_race() -> spawn(fun() -> ok end), length(processes()).

%= 1 abnormal_exit 1
spawn_monitor_race() -> {P, R} = spawn_monitor(fun() -> exit(a) end), receive {'DOWN', R, _, P, a} -> ok end.

%= 1 abnormal_exit 1
spawn_opt_link() -> process_flag(trap_exit, true), P = spawn_opt(fun() -> exit(a) end, [link]), receive {'EXIT', P, a} -> ok end.

%= 1
spawn_request_it() -> R = spawn_request(fun() -> ok end), receive {spawn_reply, R, ok, P} -> is_pid(P) end.

%= 1
gl() -> P = spawn(fun() -> receive go -> ok end end), group_leader(self(), P), P ! go.

%= 2 halted 2
halting() -> spawn(fun() -> halt(3) end), ok.

%= 1
halt0() -> spawn(fun() -> halt(0) end), receive never -> ok end.

%= 1 deadlock 1
after_inf() -> receive after infinity -> ok end.

%= 1
after0() -> self() ! a, receive a -> ok after 0 -> error(late) end.

%= 2
after_any() -> S = self(), spawn(fun() -> S ! a end), receive a -> a after 10 -> late end.

%= 1
flag_prio() -> process_flag(priority, high), ok.

%= 3 abnormal_exit 2
trap_race() -> P = spawn(fun() -> process_flag(trap_exit, true), receive {'EXIT', _, W} -> exit(W) after 5 -> ok end end), exit(P, bad).

%= 3 killed 2
exit_and_send() -> P = spawn(fun() -> receive a -> ok end end), P ! a, exit(P, kill).

%= 1 abnormal_exit 1
link_cycle() -> A = spawn(fun() -> receive {l, P} -> link(P), exit(boom) end end),
  B = spawn(fun() -> receive never -> ok end end), A ! {l, B}.

%= 2 deadlock 1
exit_from_linked_normal() -> P = spawn_link(fun() -> ok end), R = monitor(process, P), receive {'DOWN', R, _, _, normal} -> ok end.

%= 2
timer_cancel() -> T = erlang:send_after(10, self(), tick), case erlang:cancel_timer(T) of false -> receive tick -> fired end; N when is_integer(N) -> cancelled end.

%= 2
timer_read() -> T = erlang:send_after(10, self(), tick), erlang:read_timer(T).

%= 1
start_timer_it() -> T = erlang:start_timer(10, self(), x), receive {timeout, T, x} -> ok end.

%= 2
two_timers() -> erlang:send_after(10, self(), a), erlang:send_after(20, self(), b), receive X -> X end, receive Y -> Y end.

%= 1
timer_to_dead() -> P = spawn(fun() -> ok end), erlang:send_after(10, P, x).

%= 4
timer_to_name() -> erlang:send_after(10, tn, x), register(tn, self()), receive x -> ok after 100 -> lost end.

%= 1
timer_sleep() -> timer:sleep(10), ok.

%= 1
timer_module() -> {ok, _} = timer:send_after(10, x), receive x -> ok end.

%= 2 abnormal_exit 1
halt_before() -> spawn(fun() -> error(bug) end), halt(0).

%= 2 abnormal_exit 1
halt_after() -> S = self(), spawn(fun() -> S ! x, error(bug) end), receive x -> halt(0) end.

%= 3 halted 2 halted 1
halt_twice() -> spawn(fun() -> halt(1) end), spawn(fun() -> halt(2) end), receive never -> ok end.
