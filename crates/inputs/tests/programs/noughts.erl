-module(noughts).
%% Who has won.
-export([main/1]).
-type cell() :: x | o | e.
-spec main([cell()]) -> term().
main(Board) when length(Board) =/= 9 -> {error, size};
main(Board) ->
    Xs = length([x || x <- Board]),
    Os = length([o || o <- Board]),
    case {wins(x, Board), wins(o, Board)} of
        {true, true} -> {error, both};
        {true, false} when Xs < Os -> {error, cheat};
        {true, false} -> x;
        {false, true} -> o;
        {false, false} when Xs + Os =:= 9 -> draw;
        {false, false} -> open
    end.

wins(P, [P, P, P, _, _, _, _, _, _]) -> true;
wins(P, [_, _, _, P, P, P, _, _, _]) -> true;
wins(P, [_, _, _, _, _, _, P, P, P]) -> true;
wins(P, [P, _, _, P, _, _, P, _, _]) -> true;
wins(P, [_, P, _, _, P, _, _, P, _]) -> true;
wins(P, [_, _, P, _, _, P, _, _, P]) -> true;
wins(P, [P, _, _, _, P, _, _, _, P]) -> true;
wins(P, [_, _, P, _, P, _, P, _, _]) -> true;
wins(_, _) -> false.
