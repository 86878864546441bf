%% Processes that work on a table by turns.
%% inputs: tickets(nat), handover(int, int)
-module(shared_table).
-export([tickets/1, handover/2]).

tickets(N0) ->
    N = 1 + N0 rem 3,
    T = ets:new(tickets, [public, set]),
    ets:insert(T, {next, 100}),
    Me = self(),
    Take = fun() ->
        Ticket = ets:update_counter(T, next, 1),
        ets:insert(T, {{ticket, Ticket}, taken}),
        Me ! done
    end,
    [spawn(Take) || _ <- lists:seq(1, N)],
    [receive done -> ok end || _ <- lists:seq(1, N)],
    [{next, Last}] = ets:lookup(T, next),
    Taken = length(ets:match_object(T, {{ticket, '_'}, taken})),
    {Last, Taken}.

handover(A, B) ->
    T = ets:new(box, [public]),
    Me = self(),
    P = spawn(fun() ->
        receive go -> ok end,
        [{in, X}] = ets:lookup(T, in),
        ets:insert(T, {out, X * 2}),
        Me ! finished
    end),
    ets:insert(T, {in, A}),
    ets:insert(T, {other, B}),
    P ! go,
    receive finished -> ok end,
    Out = ets:lookup_element(T, out, 2),
    Other = ets:lookup_element(T, other, 2),
    {Out, Other}.
