%% A server with several kinds of requests, some of which change what others answer.
%% inputs: dialogue(int, int), mixed(list(one(inc; dec; reset))), forward(int)
-module(message_protocol).
-export([dialogue/2, mixed/1, forward/1]).

start(N) ->
    Parent = self(),
    spawn(fun() -> Parent ! ready, server(N, #{calls => 0}) end).

server(N, Stats) ->
    receive
        {From, {add, X}} ->
            From ! {self(), N + X},
            server(N + X, count(Stats));
        {From, get} ->
            From ! {self(), N},
            server(N, count(Stats));
        {From, stats} ->
            From ! {self(), maps:get(calls, Stats)},
            server(N, Stats);
        inc -> server(N + 1, Stats);
        dec -> server(N - 1, Stats);
        reset -> server(0, #{calls => 0});
        stop -> done
    end.

count(#{calls := C} = S) -> S#{calls := C + 1}.

ask(Pid, What) ->
    Pid ! {self(), What},
    receive {Pid, Answer} -> Answer end.

dialogue(A, B) ->
    Pid = start(A),
    receive ready -> ok end,
    X = ask(Pid, {add, B}),
    Y = ask(Pid, get),
    Z = ask(Pid, stats),
    Pid ! stop,
    {X, Y, Z}.

mixed(Ops) ->
    Pid = start(10),
    receive ready -> go end,
    lists:foreach(fun(Op) -> Pid ! Op end, Ops),
    N = ask(Pid, get),
    Pid ! stop,
    N.

forward(X) ->
    Me = self(),
    Relay = spawn(fun() -> receive {fwd, To, M} -> To ! {relayed, M, self()} end end),
    Relay ! {fwd, Me, {x, X}},
    receive
        {relayed, {x, V}, Relay} -> V * 2
    after 50 ->
        lost
    end.
