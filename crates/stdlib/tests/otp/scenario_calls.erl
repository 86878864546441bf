%% rpc, erpc, pg, global.
-module(scenario_calls).

-export([scenarios/0, die/1]).

die(Reason) -> exit(Reason).

try_(Fun) -> try Fun() catch C:R -> {C, R} end.

scenarios() ->
    [{call, fun() -> [rpc:call(node(), lists, reverse, [[1, 2]]), rpc:call(node(), lists, reverse, [[1, 2]], 1000), rpc:call(no@node, lists, reverse, [[1]])] end},
     {call_exit, fun() -> [rpc:call(node(), ?MODULE, die, [x]), rpc:call(node(), ?MODULE, die, [x], 1000), rpc:call(node(), erlang, throw, [t]), rpc:call(node(), erlang, throw, [t], 1000)] end},
     {call_error, fun() -> [{badrpc, {'EXIT', {R, _}}} = X || X = {badrpc, {'EXIT', {R, _}}} <- [rpc:call(node(), erlang, hd, [[]])], R =:= badarg] =/= [] end},
     {call_timeout, fun() -> [rpc:call(node(), timer, sleep, [100], 1), try_(fun() -> erpc:call(node(), timer, sleep, [100], 1) end)] end},
     {call_undef, fun() -> {badrpc, {'EXIT', {undef, [F | _]}}} = rpc:call(node(), no_mod, f, [1]), F end},
     {multicall, fun() -> [rpc:multicall([node(), no@node], erlang, abs, [-1]), rpc:multicall(erlang, abs, [-1]), rpc:multicall([node()], ?MODULE, die, [x], 1000)] end},
     {async, fun() -> K = rpc:async_call(node(), erlang, abs, [-1]), A = rpc:yield(K), K2 = rpc:async_call(node(), timer, sleep, [20]), B = rpc:nb_yield(K2, 1), {A, B, rpc:nb_yield(K2, 100)} end},
     {others, fun() -> {rpc:cast(node(), erlang, abs, [1]), rpc:abcast([node()], nobody, m), rpc:block_call(node(), erlang, abs, [-2]), rpc:pmap({erlang, abs}, [], [-1, -2]), rpc:parallel_eval([{erlang, abs, [-1]}, {lists, seq, [1, 3]}])} end},
     {erpc, fun() -> [erpc:call(node(), fun() -> 3 end), erpc:call(node(), erlang, abs, [-1]), erpc:call(node(), fun() -> 4 end, 1000)] end},
     {erpc_errors, fun() -> [try_(fun() -> erpc:call(node(), ?MODULE, die, [x]) end), try_(fun() -> erpc:call(node(), ?MODULE, die, [x], 1000) end), try_(fun() -> erpc:call(node(), erlang, throw, [t]) end), try_(fun() -> erpc:call(node(), erlang, throw, [t], 1000) end), try_(fun() -> erpc:call(node(), fun() -> exit(self(), kill), receive after infinity -> ok end end, 1000) end), try_(fun() -> erpc:call(no@node, erlang, abs, [1]) end), try_(fun() -> erpc:call(node(), erlang, abs, foo) end), try_(fun() -> erpc:call(node(), erlang, abs, [1], foo) end)] end},
     {erpc_stack, fun() -> [try_(fun() -> erpc:call(node(), erlang, hd, [[]]) end), try_(fun() -> erpc:call(node(), erlang, hd, [[]], 1000) end), try_(fun() -> erpc:call(node(), no_mod, f, [1], 1000) end)] end},
     {erpc_requests, fun() -> R = erpc:send_request(node(), erlang, abs, [-1]), A = erpc:receive_response(R), R2 = erpc:send_request(node(), timer, sleep, [20]), B = erpc:wait_response(R2, 1), {A, B, erpc:wait_response(R2, 100), try_(fun() -> erpc:receive_response(foo) end)} end},
     {erpc_check, fun() -> R = erpc:send_request(node(), erlang, abs, [-1]), M = receive X -> X end, {erpc:check_response(foo, R), erpc:check_response(M, R)} end},
     {erpc_collection, fun() -> C0 = erpc:reqids_new(), C1 = erpc:send_request(node(), erlang, abs, [-1], l1, C0), {A, L, C2} = erpc:receive_response(C1, 100, true), C3 = erpc:send_request(node(), ?MODULE, die, [x], l2, C2), {A, L, erpc:reqids_size(C2), try_(fun() -> {W, _, _} = erpc:wait_response(C3, 100, true), W end) =/= ok, erpc:receive_response(C2, 1, true)} end, quiet},
     {erpc_multicall, fun() -> {erpc:multicall([node(), no@node], erlang, abs, [-1]), erpc:multicall([node()], ?MODULE, die, [x]), erpc:multicall([node()], timer, sleep, [50], 1), erpc:multicall([node(), node()], fun() -> 7 end)} end},
     {pg, fun() -> {ok, S} = pg:start_link(sc), A = pg:join(sc, g, self()), B = pg:join(sc, g, [self(), self()]), C = pg:get_members(sc, g), D = pg:which_groups(sc), E = pg:leave(sc, g, self()), F = pg:leave(sc, other, self()), G = length(pg:get_local_members(sc, g)), gen_server:stop(S), {A, B, length(C), D, E, F, G} end},
     {pg_death, fun() -> {ok, S} = pg:start_link(sc), P = spawn(fun() -> receive die -> ok end end), pg:join(sc, g, P), P ! die, timer:sleep(10), R = {pg:get_members(sc, g), pg:which_groups(sc)}, gen_server:stop(S), R end},
     {pg_monitor, fun() -> {ok, S} = pg:start_link(sc), {R, M} = pg:monitor_scope(sc), pg:join(sc, g, self()), pg:leave(sc, g, self()), X = flush(), pg:demonitor(sc, R), pg:join(sc, g, self()), Y = flush(), gen_server:stop(S), {M, X, Y} end},
     {pg_bad, fun() -> {ok, S} = pg:start_link(sc), R = {try_(fun() -> pg:join(sc, g, foo) end), try_(fun() -> pg:join(sc, g, [foo]) end)}, gen_server:stop(S), R end}].

flush() -> receive M -> [M | flush()] after 15 -> [] end.
