%% Tables end with their owner, or go to an heir.
-module(ets_owner).
-export([main/0]).
main() ->
    Me = self(),
    P = spawn(fun() ->
                      T = ets:new(t, [public]),
                      H = ets:new(h, [public, {heir, Me, gift}]),
                      G = ets:new(g, []),
                      ets:insert(H, {k, v}),
                      ets:give_away(G, Me, present),
                      Me ! {tables, T, H},
                      receive stop -> ok end
              end),
    receive {'ETS-TRANSFER', G, P, present} -> io:format("~p~n", [ets:info(G, owner) =:= Me]) end,
    receive {tables, T, H} -> ok end,
    io:format("~p~n", [ets:info(T, size)]),
    P ! stop,
    receive {'ETS-TRANSFER', H, P, gift} -> io:format("~p~n", [ets:lookup(H, k)]) end,
    ets:info(T, size).
