%% Every builtin that takes a pid, a reference or a port, with numbers that no process, reference or port has: each answers as
%% on the BEAM, at once.
-module(made_up).
-export([main/0, test/0]).

pids() ->
    [list_to_pid("<0.9999.1>"), list_to_pid("<0.32767.8191>"), binary_to_term(<<131, 88, 119, 13, "nonode@nohost", 32767:32, 8191:32, 0:32>>)].
refs() ->
    [list_to_ref("#Ref<0.33554431.2.3>"),
     binary_to_term(<<131, 90, 3:16, 119, 13, "nonode@nohost", 0:32, 3:32, 2:32, 33554431:32>>)].
ports() ->
    [list_to_port("#Port<0.268435455>"),
     binary_to_term(<<131, 89, 119, 13, "nonode@nohost", 268435455:32, 0:32>>)].

%% What the BEAM answers.
expected() ->
    OfPids = [m, m, ok, true, true, true, true, false, true, true, true, reference, true, reference,
              false, undefined, undefined, badarg, badarg, false, badarg, false, true, badarg, true,
              true, true, true, true, true, true, true],
    OfRefs = [m, true, false, false, false, false, badarg, badarg, badarg, badarg, badarg, badarg,
              badarg, badarg, false, false, true, true],
    OfPorts = [m, true, true, reference, undefined, undefined, badarg, badarg, badarg, true, true],
    [OfPids, OfPids, OfPids, OfRefs, OfRefs, OfPorts, OfPorts].

main() ->
    case answers() =:= expected() of
        true -> io:format("as on the BEAM~n");
        false -> io:format("~p~n", [answers()])
    end.

test() -> true = answers() =:= expected().

answers() ->
    [try_all(pids_calls(P)) || P <- pids()] ++ [try_all(refs_calls(R)) || R <- refs()] ++ [try_all(port_calls(P)) || P <- ports()].

try_all(Calls) -> [shape(catch Call()) || Call <- Calls].

shape({'EXIT', {R, _}}) -> R;
shape(R) when is_reference(R) -> reference;
shape(R) -> R.

pids_calls(P) ->
    [fun() -> P ! m end, fun() -> erlang:send(P, m) end, fun() -> erlang:send(P, m, [noconnect]) end,
     fun() -> erlang:send_nosuspend(P, m) end,
     fun() -> exit(P, normal) end, fun() -> exit(P, bad) end, fun() -> exit(P, kill) end,
     fun() -> process_flag(trap_exit, true) end,
     fun() -> link(P) end, fun() -> unlink(P) end,
     fun() -> process_flag(trap_exit, false) end,
     fun() -> monitor(process, P) end,
     fun() -> demonitor(monitor(process, P), [flush]) end, fun() -> monitor(process, P, [{alias, reply_demonitor}]) end,
     fun() -> is_process_alive(P) end, fun() -> process_info(P) end, fun() -> process_info(P, status) end,
     fun() -> register(name, P) end, fun() -> group_leader(self(), P) end,
     fun() -> garbage_collect(P) end, fun() -> process_flag(P, save_calls, 0) end,
     fun() -> erlang:check_process_code(P, lists) end,
     fun() -> is_reference(erlang:send_after(0, P, m)) end,
     fun() -> T = ets:new(t, []), ets:give_away(T, P, gift) end,
     fun() -> T = ets:new(t, [{heir, P, x}]), ets:info(T, heir), ets:delete(T) end,
     fun() -> T = ets:new(t, []), ets:setopts(T, {heir, P, x}), ets:delete(T) end,
     fun() -> is_list(io_lib:format("~p", [P])) end, fun() -> list_to_pid(pid_to_list(P)) =:= P end,
     fun() -> binary_to_term(term_to_binary(P)) =:= P end,
     fun() -> T = ets:new(t, [public]), ets:insert(T, {P, 1}), ets:lookup(T, P) =:= [{P, 1}] end,
     fun() -> erlang:phash2(P) >= 0 end, fun() -> P > self() end].

refs_calls(R) ->
    [fun() -> R ! m end, fun() -> demonitor(R) end, fun() -> demonitor(R, [flush, info]) end, fun() -> unalias(R) end,
     fun() -> erlang:cancel_timer(R) end, fun() -> erlang:read_timer(R) end,
     fun() -> ets:lookup(R, k) end, fun() -> ets:insert(R, {k, 1}) end, fun() -> ets:info(R) end, fun() -> ets:delete(R) end,
     fun() -> ets:whereis(R) end, fun() -> atomics:get(R, 1) end, fun() -> atomics:put(R, 1, 1) end, fun() -> counters:get({atomics, R}, 1) end,
     fun() -> erlang:spawn_request_abandon(R) end, fun() -> ets:is_compiled_ms(R) end,
     fun() -> list_to_ref(ref_to_list(R)) =:= R end, fun() -> binary_to_term(term_to_binary(R)) =:= R end].

port_calls(P) ->
    [fun() -> P ! m end, fun() -> exit(P, normal) end, fun() -> unlink(P) end, fun() -> monitor(port, P) end,
     fun() -> erlang:port_info(P) end, fun() -> erlang:port_info(P, name) end, fun() -> port_close(P) end, fun() -> port_command(P, "x") end,
     fun() -> register(name, P) end,
     fun() -> list_to_port(port_to_list(P)) =:= P end, fun() -> binary_to_term(term_to_binary(P)) =:= P end].
