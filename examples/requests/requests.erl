%% A client that asks a server again and again until it is told that this was the last time.
-module(requests).
-export([start/1, start/0, two_clients/0]).
-export([client/2]).

start() -> start(3).

start(Most) ->
    Server = self(),
    spawn(?MODULE, client, [1, Server]),
    server(Most).

%% With a second client the server ends when it has answered the first, and one may wait for ever.
two_clients() ->
    Server = self(),
    spawn(?MODULE, client, [1, Server]),
    spawn(?MODULE, client, [1, Server]),
    server(2).

server(Most) ->
    receive
        {Client, N} when N < Most -> Client ! ok, server(Most);
        {Client, N} when N >= Most -> Client ! last
    end.

client(N, Server) ->
    Server ! {self(), N},
    receive
        ok -> client(N + 1, Server);
        last -> done
    end.
