%% A server that sends back what it gets, and a client.
-module(echo).
-export([main/0]).

main() ->
    {ok, Listen} = gen_tcp:listen(0, [binary, {active, false}]),
    {ok, Port} = inet:port(Listen),
    spawn_link(fun() -> serve(Listen) end),
    {ok, Socket} = gen_tcp:connect("localhost", Port, [binary, {active, false}]),
    ok = gen_tcp:send(Socket, "hello"),
    {ok, Answer} = gen_tcp:recv(Socket, 5),
    io:format("client got ~p~n", [binary_to_list(Answer)]).

serve(Listen) ->
    {ok, Socket} = gen_tcp:accept(Listen),
    {ok, Bytes} = gen_tcp:recv(Socket, 0),
    ok = gen_tcp:send(Socket, Bytes),
    gen_tcp:close(Socket).
