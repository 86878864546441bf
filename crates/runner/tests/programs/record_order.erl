%% In which order the parts of record expressions are evaluated, and where they fail.
-module(record_order).
-export([main/0]).
-record(r, {a = say(default_a), b, c = say(default_c)}).

main() ->
    io:format("~p~n", [#r{c = say(1), a = say(2)}]),
    io:format("~p~n", [#r{b = say(3), _ = say(4)}]),
    R = #r{},
    io:format("~p~n", [(say(R))#r{c = say(5), a = say(6)}]),
    io:format("~p~n", [(say(R))#r{b = say(7)}]),
    where(fun() -> access(x) end),
    where(fun() -> update(x) end),
    where(fun() -> update_many(x) end).

access(X) ->
    Y = (case id(X) of
        a -> b;
        Z -> Z
    end)#r.b,
    {Y}.

update(X) ->
    Y = (
      id(X)
    )#r{b =
        1},
    {Y}.

update_many(X) ->
    Y = (
      id(X)
    )#r{b = 1, a =
        1, c = 7},
    {Y}.

where(F) ->
    try F() catch error:E:S -> io:format("~p ~p~n", [E, [{N, L} || {?MODULE, N, _, [_, {line, L}]} <- S]]) end.

say(X) -> io:format("~p~n", [X]), X.
id(X) -> X.
