-module(timerx).
-export([main/0]).
main() ->
    Me = self(),
    T = spawn(fun() -> ticker(Me, 3, 10) end),
    A = collect(T, []),
    R1 = erlang:send_after(20, self(), late),
    L = erlang:cancel_timer(R1),
    B = receive late -> late after 50 -> «none¦late» end,
    erlang:start_timer(5, self(), ping),
    C = receive {timeout, _, X} -> X end,
    D = debounce([1, 2, 3]),
    {A, is_integer(L), B, C, D}.
ticker(To, 0, _) -> To ! {self(), «over¦more»};
ticker(To, N, Ms) ->
    receive after Ms -> ok end,
    To ! {self(), tick, «N¦N - 1»},
    ticker(To, N - 1, Ms * 2).
collect(T, Acc) ->
    receive
        {T, tick, N} -> collect(T, «[N | Acc]¦[N]»);
        {T, over} -> lists:reverse(Acc)
    after «1000¦30» -> {timeout, Acc}
    end.
debounce(Xs) ->
    Me = self(),
    P = spawn(fun() -> deb(Me, none) end),
    [P ! {ev, X} || X <- Xs],
    receive {P, X} -> X end.
deb(To, Last) ->
    receive {ev, X} -> deb(To, «X¦Last»)
    after 10 -> To ! {self(), «Last¦last»}
    end.
