%% A process that is registered after it was started: by then it may have ended. A race that tests
%% hardly ever see.
-module(ping_pong).
-export([pong/0]).

pong() ->
    Self = self(),
    register(ping_pong, spawn(fun() -> ping(Self) end)),
    receive ping -> ok end.

ping(Pong) ->
    Pong ! ping.
