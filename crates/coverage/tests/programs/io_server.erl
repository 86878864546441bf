%% A process that speaks the io protocol, and one that listens to what others print.
-module(io_server).
-export([main/0, loop/1]).

main() ->
    Device = spawn_link(?MODULE, loop, [[]]),
    io:format(Device, "~p ~s~n", [1, "x"]),
    io:put_chars(Device, "abc"),
    Line = io:get_line(Device, 'prompt'),
    Old = group_leader(),
    group_leader(Device, self()),
    io:format("captured~n"),
    group_leader(Old, self()),
    Device ! {self(), all},
    receive {Device, Texts} -> io:format("~p ~p~n", [length(Texts), Line]) end.

loop(Texts) ->
    receive
        {io_request, From, As, Request} ->
            {Reply, More} = request(Request),
            From ! {io_reply, As, Reply},
            loop(More ++ Texts);
        {Client, all} -> Client ! {self(), Texts}
    end.

request({put_chars, _, Chars}) -> {ok, [Chars]};
request({put_chars, _, M, F, A}) -> {ok, [apply(M, F, A)]};
request({get_line, _, _}) -> {"line\n", []};
request({requests, L}) -> lists:foldl(fun(R, {_, T}) -> {V, M} = request(R), {V, M ++ T} end, {ok, []}, L);
request(_) -> {{error, request}, []}.
