%% Looking through a long mailbox takes time: a process that does nothing else sees a timer fire.
-module(mailbox_search).
-export([main/0]).

main() ->
    [self() ! {other, N} || N <- lists:seq(1, 50000)],
    erlang:send_after(20, self(), stop),
    io:format("~p~n", [search()]),
    {message_queue_len, Left} = process_info(self(), message_queue_len),
    io:format("~p left~n", [Left]).

search() ->
    receive
        stop -> stopped
    after 0 ->
        search()
    end.
