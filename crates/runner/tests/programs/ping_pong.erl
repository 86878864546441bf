%% Two processes talk; the names of both are registered.
-module(ping_pong).
-export([main/0]).
main() ->
    Me = self(),
    register(ping, spawn(fun() -> ping(3, Me) end)),
    register(pong, spawn(fun() -> pong() end)),
    ping ! start,
    receive finished -> ok end,
    [whereis(ping), whereis(nobody)].

ping(0, Main) ->
    pong ! stop,
    unregister(ping),
    Main ! finished;
ping(N, Main) ->
    receive
        start -> ok;
        pong -> io:format("ping got pong~n")
    end,
    pong ! {ping, self()},
    ping(N - 1, Main).

pong() ->
    receive
        stop -> ok;
        {ping, From} ->
            io:format("pong got ping~n"),
            From ! pong,
            pong()
    end.
