%% Answers that are waited for by a new reference, while many messages lie in the mailbox.
-module(long_mailbox).
-export([main/0]).
main() ->
    Server = spawn_link(fun() -> server() end),
    [self() ! {noise, N} || N <- lists:seq(1, 300)],
    Sum = lists:sum([call(Server, N) || N <- lists:seq(1, 200)]),
    %% Nested, and with messages taken out before the mark.
    Outer = make_ref(),
    Server ! {self(), Outer, 7},
    Inner = call(Server, 1),
    [receive {noise, N} -> ok end || N <- lists:seq(1, 100)],
    Got = receive {Outer, X} -> X end,
    %% A reference of long ago is found wherever its message is.
    Old = make_ref(),
    self() ! {Old, old},
    [self() ! {noise, N} || N <- lists:seq(301, 400)],
    _ = [make_ref() || _ <- lists:seq(1, 50)],
    Found = receive {Old, Y} -> Y end,
    Mixed = receive {Outer, _} -> outer; {noise, First} -> First end,
    {Sum, Inner, Got, Found, Mixed, element(2, process_info(self(), message_queue_len))}.

call(Server, N) ->
    Ref = monitor(process, Server),
    Server ! {self(), Ref, N},
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, Reason} -> exit(Reason)
    end.

server() ->
    receive {From, Ref, N} -> From ! {Ref, N * 2}, server() end.
