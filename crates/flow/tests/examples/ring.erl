%% Processes told apart by what they run, names through tables and messages.
-module(ring).
-export([main/0, node_loop/1]).

main() ->
    Self = self(),
    A = spawn(fun() -> echo(Self) end),
    B = spawn(?MODULE, node_loop, [A]),
    B ! {hello, Self},
    ets:new(names, [named_table]),
    ets:insert(names, {echo, A}),
    [{echo, P}] = ets:lookup(names, echo),
    P ! {direct, 1},
    Ref = make_ref(),
    A ! {call, Self, Ref},
    receive {Ref, Answer} -> Answer end,
    receive {passed, X} -> X end.

echo(To) ->
    receive
        {hello, From} -> From ! {passed, To}, echo(To);
        {direct, _} -> echo(To);
        {call, From, Ref} -> From ! {Ref, ok}, echo(To);
        unused -> ok
    end.

node_loop(Next) ->
    receive {hello, _} = M -> Next ! M, node_loop(Next) end.
