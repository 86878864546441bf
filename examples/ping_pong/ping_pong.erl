%% Two processes, one of which sends to the name of the other: a race that tests hardly ever see.
-module(ping_pong).
-export([start/0]).

start() ->
    Pong = spawn(fun() -> pong() end),
    spawn(fun() -> ping() end),
    register(pong, Pong).

ping() ->
    pong ! {ping, self()},
    receive pong -> done end.

pong() ->
    receive {ping, From} -> From ! pong end.
