%% Tables that change hands: give_away, heirs, and what is in them: funs and processes.
-module(table_owners).
-export([main/0]).

main() ->
    Me = self(),
    T = ets:new(things, [public]),
    P = spawn(fun() -> owner(Me) end),
    ets:give_away(T, P, gift),
    receive {P, got, gift} -> ok end,
    Q = spawn(fun() ->
        H = ets:new(heirloom, [{heir, Me, {from, self()}}]),
        ets:insert(H, {f, fun double/1}),
        ets:insert(H, [{k, Me}, {g, fun(X) -> triple(X) end}])
    end),
    receive
        {'ETS-TRANSFER', H, Q, {from, Q2}} when Q2 =:= Q ->
            [{f, F}] = ets:lookup(H, f),
            io:format("~p~n", [F(4)]),
            G = ets:lookup_element(H, g, 2),
            io:format("~p~n", [G(4)]),
            [{_, Who}] = ets:lookup(H, k),
            Who ! to_myself
    end,
    receive to_myself -> io:format("mine~n") end,
    ets:new(named, [named_table, public]),
    ets:insert(named, {a, fun half/1}),
    ets:foldl(fun({_, F2}, Sum) -> Sum + F2(10) end, 0, named),
    [F3 || [F3] <- ets:match(named, {'_', '$1'})],
    [apply(F4, [2]) || F4 <- ets:select(named, [{{'_', '$1'}, [], ['$1']}])],
    P ! stop,
    persistent_term:put(key, fun quarter/1),
    (persistent_term:get(key))(8).

owner(Client) ->
    receive
        {'ETS-TRANSFER', _T, Client, Gift} -> Client ! {self(), got, Gift}, owner(Client);
        stop -> ok
    end.

double(X) -> X * 2.
triple(X) -> X * 3.
half(X) -> X div 2.
quarter(X) -> X div 4.
