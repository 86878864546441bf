%% Processes wait for each other, twice.
-module(barrier).
-export([main/0]).
main() ->
    N = 4,
    Me = self(),
    Barrier = spawn_link(fun() -> barrier(N, []) end),
    [spawn_link(fun() ->
                        Me ! {I, before},
                        wait(Barrier),
                        Me ! {I, between},
                        wait(Barrier),
                        Me ! {I, behind}
                end) || I <- lists:seq(1, N)],
    Events = [receive {I, E} -> {E, I} end || _ <- lists:seq(1, 3 * N)],
    {Before, Rest} = lists:split(N, Events),
    {Between, Behind} = lists:split(N, Rest),
    [lists:sort(L) || L <- [Before, Between, Behind]].

wait(Barrier) ->
    Barrier ! {here, self()},
    receive {Barrier, go} -> ok end.

barrier(N, Waiting) when length(Waiting) =:= N ->
    [P ! {self(), go} || P <- Waiting],
    barrier(N, []);
barrier(N, Waiting) ->
    receive {here, P} -> barrier(N, [P | Waiting]) end.
