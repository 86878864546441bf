%% Receives inside other expressions, with messages that stay in the mailbox.
-module(receive_places).
-export([main/0]).

main() ->
    io:format("~p~n", [one()]),
    io:format("~p~n", [two()]),
    io:format("~p~n", [three()]),
    io:format("~p~n", [try four() catch error:R -> R end]),
    five().

one() ->
    self() ! {other, 1},
    self() ! {a, 2},
    receive {a, X} when X > 5 -> X after 0 -> late end.

two() ->
    self() ! {b, 3},
    receive {b, X} -> X end.

three() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(<< <<E:8>> || E <- [] >>) end),
    receive {'EXIT', P, {_, [_|_]}} -> first; {'EXIT', P, D} -> D end.

four() ->
    try error(begin self() ! {c, 3}, receive {c, X} -> X after 0 -> 4 end end)
    catch exit:_ -> no
    end.

five() ->
    << <<B:3>> || <<B:2>> <= (begin P = spawn_link(fun() -> exit(<<1,2>>) end),
      receive {'EXIT', P, {_, [_|_]}} -> <<"abc">>; {'EXIT', P, D} -> D end end) >>.
