%% Messages are taken in the order in which the program wants them.
-module(selective).
-export([main/0]).
main() ->
    [self() ! M || M <- [{low, 1}, {high, 2}, {low, 3}, {high, 4}, other, {low, 5}]],
    A = high(),
    B = high(),
    C = any(),
    D = any(),
    {messages, Left} = process_info(self(), messages),
    io:format("~p ~p~n", [[A, B, C, D], Left]),
    flush().

high() -> receive {high, X} -> X after 0 -> any() end.
any() -> receive X -> X end.

flush() ->
    receive X -> [X | flush()] after 0 -> [] end.
