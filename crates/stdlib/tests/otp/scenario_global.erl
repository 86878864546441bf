-module(scenario_global).

-export([scenarios/0]).

scenarios() ->
    [{names, fun() -> R = {global:register_name(n, self()), global:register_name(n, self()), global:whereis_name(n), global:registered_names(), global:unregister_name(n), global:whereis_name(n)}, R end},
     {death, fun() -> P = spawn(fun() -> receive die -> ok end end), global:register_name(n, P), P ! die, timer:sleep(10), {global:whereis_name(n), global:register_name(n, self()), global:unregister_name(n)} end},
     {re_register, fun() -> P = spawn(fun() -> receive die -> ok end end), global:register_name(n, P), R = {global:re_register_name(n, self()), global:whereis_name(n) =:= self()}, global:unregister_name(n), R end},
     {send, fun() -> global:register_name(n, self()), global:send(n, hello), global:unregister_name(n), {receive X -> X end, catch global:send(n, hello)} end},
     {locks, fun() -> Self = self(), R1 = global:set_lock({r, Self}), P = spawn(fun() -> Self ! {other, global:set_lock({r, self()}, [node()], 0)} end), R2 = receive {other, X} -> X end, is_pid(P), R3 = global:del_lock({r, Self}), spawn(fun() -> Self ! {other, global:set_lock({r, self()}, [node()], 0)} end), R4 = receive {other, Y} -> Y end, {R1, R2, R3, R4} end},
     {lock_freed, fun() -> Self = self(), spawn(fun() -> global:set_lock({r2, self()}), Self ! go end), receive go -> ok end, timer:sleep(10), R = global:set_lock({r2, Self}, [node()], 0), global:del_lock({r2, Self}), R end},
     {trans, fun() -> {global:trans({t, self()}, fun() -> done end), try global:trans({t, self()}, fun() -> error(x) end) catch C:R -> {C, R} end, global:trans({t, self()}, fun() -> again end, [node()], 0)} end}].
