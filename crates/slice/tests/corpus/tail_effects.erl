%% Effects at the end of functions whose results nobody wants.
%% inputs: log(list(int)), output(int), chain(int)
-module(tail_effects).
-export([log/1, output/1, chain/1]).

log(L) ->
    T = ets:new(log, [ordered_set]),
    add_all(T, L, 1),
    Entries = ets:tab2list(T),
    Count = ets:info(T, size),
    ets:delete(T),
    {Count, Entries}.

add_all(_, [], _) -> ok;
add_all(T, [X | Xs], N) ->
    ets:insert(T, {N, X}),
    add_all(T, Xs, N + 1).

output(N) ->
    io:format("~p~n", [N]),
    X = announce(N),
    announce(X),
    X + 1.

announce(V) ->
    io:format("value ~p~n", [V]),
    V * 2.

chain(N) ->
    Self = self(),
    Self ! {step, 1, N},
    step(3),
    receive {done, V} -> V end.

step(Max) ->
    receive
        {step, K, V} when K < Max ->
            self() ! {step, K + 1, V * 2},
            step(Max);
        {step, _, V} ->
            self() ! {done, V}
    end.
