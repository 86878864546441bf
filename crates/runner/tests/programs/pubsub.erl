%% A broker that forgets subscribers that end.
-module(pubsub).
-export([main/0]).
main() ->
    Broker = spawn_link(fun() -> broker(#{}) end),
    Broker ! {subscribe, self()},
    Other = spawn(fun() -> receive {news, N} -> exit({got, N}) end end),
    Ref = monitor(process, Other),
    Broker ! {subscribe, Other},
    Broker ! {publish, 1},
    receive {news, 1} -> ok end,
    receive {'DOWN', Ref, process, Other, Reason} -> io:format("~p~n", [Reason]) end,
    Broker ! {publish, 2},
    receive {news, 2} -> ok end,
    Broker ! {count, self()},
    receive {count, C} -> C end.

broker(Subscribers) ->
    receive
        {subscribe, P} -> broker(Subscribers#{P => monitor(process, P)});
        {publish, News} -> [P ! {news, News} || P <- maps:keys(Subscribers)], broker(Subscribers);
        {'DOWN', _, process, P, _} -> broker(maps:remove(P, Subscribers));
        {count, From} -> From ! {count, map_size(Subscribers)}, broker(Subscribers)
    end.
