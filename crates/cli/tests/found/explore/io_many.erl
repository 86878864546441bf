-module(io_many).
-export([test/0, ordered/0]).
test() ->
    [spawn(fun() -> io:format("~p~n", [N]), io:put_chars(standard_error, "x") end) || N <- lists:seq(1, 5)],
    io:format("end~n").
ordered() ->
    Refs = [begin R = make_ref(), group_leader() ! {io_request, self(), R, {put_chars, unicode, T}}, R end || T <- ["a", "b", "c"]],
    [receive {io_reply, _, ok} = M -> {io_reply, R, ok} = M end || R <- Refs].
