%% Names: two processes use the same name at the same time, and a third has it or not.
-module(race_names).
-export([calls/0, both/3]).

operations() -> [take, give, drop, ask, send, list, watch, finish, kill, info, owner_drops].

calls() ->
    [{both, [Owner, A, B]} || Owner <- [nobody, somebody], A <- operations(), B <- operations(), A =< B].

both(Owner, A, B) ->
    Main = self(),
    P = spawn(fun() ->
        Owner =:= somebody andalso register(p, self()),
        Main ! ready,
        owner(0)
    end),
    receive ready -> ok end,
    X = spawn(fun() -> receive go -> Main ! {a, operate(A, P)} end, receive never -> ok end end),
    Y = spawn(fun() -> receive go -> Main ! {b, operate(B, P)} end, receive never -> ok end end),
    X ! go,
    Y ! go,
    RA = receive {a, R1} -> R1 end,
    RB = receive {b, R2} -> R2 end,
    Last = case whereis(p) of P -> owner; X -> a; Y -> b; undefined -> nobody end,
    {RA, RB, Last}.

owner(N) ->
    receive
        x -> owner(N + 1);
        finish -> ok;
        {drop, From} -> From ! {dropped, try unregister(p) catch error:badarg -> badarg end}, owner(N);
        {count, From} -> From ! {count, N}, owner(N)
    end.

operate(take, _) -> try register(p, self()) catch error:badarg -> badarg end;
operate(give, P) -> try register(p, P) catch error:badarg -> badarg end;
operate(drop, _) -> try unregister(p) catch error:badarg -> badarg end;
operate(ask, P) -> case whereis(p) of P -> owner; undefined -> nobody; _ -> other end;
operate(send, _) -> try p ! x of x -> sent catch error:badarg -> badarg end;
operate(list, _) -> lists:member(p, registered());
operate(watch, _) ->
    R = monitor(process, p),
    receive {'DOWN', R, _, _, Why} -> Why after 1 -> demonitor(R, [flush]), still end;
operate(finish, P) -> P ! finish, sent;
operate(kill, P) -> exit(P, kill);
operate(info, P) ->
    case process_info(P, registered_name) of {registered_name, p} -> p; [] -> none; undefined -> ended end;
operate(owner_drops, P) -> P ! {drop, self()}, receive {dropped, R} -> R after 1 -> late end.
