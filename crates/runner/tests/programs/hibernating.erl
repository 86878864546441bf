%% A process that sleeps between messages and keeps nothing of its stack.
-module(hibernating).
-export([main/0]).
-export([awake/1]).

main() ->
    P = spawn(fun() -> erlang:hibernate(?MODULE, awake, [0]) end),
    [P ! {add, N} || N <- [1, 2, 3]],
    P ! {get, self()},
    receive {sum, S} -> S end.

awake(Sum) ->
    receive
        {add, N} -> erlang:hibernate(?MODULE, awake, [Sum + N]);
        {get, P} -> P ! {sum, Sum}
    end.
