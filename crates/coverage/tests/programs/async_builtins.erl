%% Messages that builtins send to their caller later, under a tag that the caller chose.
-module(async_builtins).
-export([main/0]).

main() ->
    P = spawn(fun idle/0),
    true = erlang:suspend_process(P, [{asynchronous, {tag, 1}}]),
    receive {{tag, 1}, State} -> seen(State) end,
    erlang:resume_process(P),
    async = erlang:garbage_collect(P, [{type, minor}, {async, gc}]),
    receive {garbage_collect, gc, Collected} -> seen(Collected) end,
    async = erlang:check_process_code(P, ?MODULE, [{async, code}]),
    receive {check_process_code, code, Old} -> seen(Old) end,
    R = erlang:monitor(process, P, [{alias, demonitor}, {tag, gone}]),
    exit(P, kill),
    receive {gone, R, process, P, Why} -> seen(Why) end,
    T = erlang:start_timer(100000, self(), later),
    ok = erlang:cancel_timer(T, [{info, true}, {async, true}]),
    receive {cancel_timer, T, Left} -> seen(is_integer(Left)) end,
    Id = erlang:spawn_request(fun idle/0, [monitor, {reply_tag, started}]),
    receive {started, Id, ok, Q} -> exit(Q, stop) end,
    receive {'DOWN', Id, process, Q2, stop} -> seen(is_pid(Q2)) end,
    Bad = erlang:spawn_request(nonode@nohost, ?MODULE, nothing, [], [{reply, error_only}]),
    receive {spawn_reply, Bad, error, Reason} -> seen(Reason) after 10 -> ok end.

idle() -> receive stop -> ok end.

seen(X) -> io:format("~p~n", [X]).
