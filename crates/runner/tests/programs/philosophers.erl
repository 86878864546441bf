%% Dining philosophers with ordered forks: nobody starves.
-module(philosophers).
-export([main/0]).
main() ->
    N = 5,
    Forks = list_to_tuple([spawn_link(fun fork/0) || _ <- lists:seq(1, N)]),
    Me = self(),
    [spawn_link(fun() -> philosopher(I, N, Forks, 3, Me) end) || I <- lists:seq(1, N)],
    Eaten = [receive {ate, I} -> I end || _ <- lists:seq(1, N * 3)],
    lists:sort(Eaten).

fork() ->
    receive
        {take, P} ->
            P ! {taken, self()},
            receive {put, P} -> fork() end
    end.

philosopher(_, _, _, 0, _) -> ok;
philosopher(I, N, Forks, Times, Main) ->
    [A, B] = lists:sort([I, I rem N + 1]),
    [take(element(F, Forks)) || F <- [A, B]],
    Main ! {ate, I},
    [element(F, Forks) ! {put, self()} || F <- [A, B]],
    philosopher(I, N, Forks, Times - 1, Main).

take(Fork) ->
    Fork ! {take, self()},
    receive {taken, Fork} -> ok end.
