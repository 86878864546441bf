%% Receive with time-outs.
%% inputs: wait(int), poll(nat), flush(list(int))
-module(receive_after).
-export([wait/1, poll/1, flush/1]).

wait(N) ->
    Self = self(),
    Time = 5,
    if N > 0 -> Self ! {value, N}; true -> ok end,
    Got = receive
        {value, V} -> {got, V}
    after Time ->
        {timeout, Time}
    end,
    {Tag, Data} = Got,
    {Data, Tag}.

poll(Tries0) ->
    Tries = Tries0 rem 4,
    erlang:send_after(20, self(), ready),
    poll_loop(Tries, 0).

poll_loop(0, Spent) -> {gave_up, Spent};
poll_loop(N, Spent) ->
    receive
        ready -> {ready, Spent}
    after 10 ->
        poll_loop(N - 1, Spent + 10)
    end.

flush(L) ->
    [self() ! X || X <- L],
    Messages = drain(),
    Count = length(Messages),
    {Count, Messages}.

drain() ->
    receive
        M -> [M | drain()]
    after 0 ->
        []
    end.
