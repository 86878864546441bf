%% Cells in a set of coordinates.
%% inputs: blinker(nat), cells(list({nat, nat}))
-module(game_of_life).
-export([blinker/1, cells/1]).

blinker(N) ->
    Start = [{1, 0}, {1, 1}, {1, 2}],
    End = generations(N rem 3, Start),
    [{X, _} | _] = End,
    {X, length(End)}.

generations(0, Cells) -> Cells;
generations(N, Cells) -> generations(N - 1, next(Cells)).

next(Cells) ->
    Around = lists:usort(lists:append([neighbours(C) || C <- Cells])),
    Candidates = lists:usort(Cells ++ Around),
    [C || C <- Candidates, alive(C, Cells)].

neighbours({X, Y}) ->
    [{X + DX, Y + DY} || DX <- [-1, 0, 1], DY <- [-1, 0, 1], {DX, DY} =/= {0, 0}].

alive(Cell, Cells) ->
    Near = length([N || N <- neighbours(Cell), lists:member(N, Cells)]),
    case lists:member(Cell, Cells) of
        true when Near =:= 2; Near =:= 3 -> true;
        false when Near =:= 3 -> true;
        _ -> false
    end.

cells(L) ->
    Small = [{X rem 3, Y rem 3} || {X, Y} <- L],
    Cells = lists:usort(Small),
    New = next(Cells),
    {length(Cells), length(New)}.
