%% The highest number wins on a ring.
-module(election).
-export([main/0]).
main() ->
    Ids = [3, 17, 5, 11, 2],
    Me = self(),
    Nodes = [{Id, spawn_link(fun() -> start(Id, Me) end)} || Id <- Ids],
    Pids = [P || {_, P} <- Nodes],
    [P ! {next, N} || {P, N} <- lists:zip(Pids, tl(Pids) ++ [hd(Pids)])],
    [P ! go || P <- Pids],
    receive {leader, L} -> L end.

start(Id, Main) ->
    receive {next, Next} ->
            receive go -> Next ! {elect, Id} end,
            run(Id, Next, Main)
    end.

run(Id, Next, Main) ->
    receive
        {elect, Id} -> Main ! {leader, Id};
        {elect, Other} when Other > Id -> Next ! {elect, Other}, run(Id, Next, Main);
        {elect, _} -> run(Id, Next, Main)
    end.
