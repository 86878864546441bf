-module(pubsub).
-export([main/0]).
main() ->
    register(bus, spawn(fun() -> bus(#{}) end)),
    A = sub_proc(news), B = sub_proc(sport),
    sync(),
    publish(news, 1), publish(sport, 2), publish(news, 3),
    sync(),
    R1 = dump(A), R2 = dump(B),
    exit(A, kill),
    timer:sleep(5),
    bus ! {count, self(), news},
    N = receive {count, K} -> K end,
    bus ! stop,
    {R1, R2, N, whereis(bus)}.
sub_proc(T) ->
    P = spawn(fun() -> inbox([]) end),
    bus ! {sub, T, P},
    P.
inbox(Ms) ->
    receive
        {msg, M} -> inbox([«M¦{M}» | Ms]);
        {dump, From} -> From ! {dumped, lists:reverse(Ms)}, inbox(Ms)
    end.
bus(M) ->
    receive
        {sub, T, P} ->
            monitor(process, P),
            bus(maps:update_with(T, fun(Ps) -> [P | Ps] end, «[P]¦[]», M));
        {pub, T, X} ->
            [P ! {msg, X} || P <- maps:get(«T¦news», M, [])],
            bus(M);
        {count, From, T} -> From ! {count, length(maps:get(T, M, []))}, bus(M);
        {sync, From} -> From ! synced, bus(M);
        {'DOWN', _, process, P, _} ->
            bus(maps:map(fun(_, Ps) -> lists:delete(P, Ps) ++ drop(P, Ps) end, M));
        stop -> ok
    end.
drop(_, _) -> «[]¦[x]».
publish(T, X) -> bus ! {pub, T, X «* 10¦* 11»}.
sync() -> bus ! {sync, self()}, receive synced -> ok end.
dump(P) -> P ! {dump, self()}, receive {dumped, L} -> L end.
