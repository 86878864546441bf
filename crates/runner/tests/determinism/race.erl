%% Who wins depends on the schedule, and on nothing else.
-module(race).
-export([main/0]).

main() ->
    Self = self(),
    Table = ets:new(seen, [public, bag]),
    Workers = [spawn_link(fun() -> worker(Self, Table, N, 5) end) || N <- lists:seq(1, 6)],
    Order = collect(length(Workers), []),
    io:format("order ~w~n", [Order]),
    io:format("table ~w~n", [ets:tab2list(Table)]),
    io:format("refs ~w ~w~n", [make_ref(), erlang:unique_integer()]),
    io:format("time ~w~n", [erlang:monotonic_time()]),
    ok.

worker(Parent, Table, N, 0) ->
    ets:insert(Table, {N, erlang:unique_integer([monotonic])}),
    Parent ! {done, N, self()};
worker(Parent, Table, N, Rounds) ->
    ets:insert(Table, {Rounds, N}),
    Parent ! {round, N, Rounds},
    worker(Parent, Table, N, Rounds - 1).

collect(0, Order) -> lists:reverse(Order);
collect(Left, Order) ->
    receive
        {done, N, Pid} -> collect(Left - 1, [{N, Pid} | Order]);
        {round, N, Round} -> collect(Left, [{N, Round} | Order])
    end.
