-module(sudoku_row).
%% A row of nine different digits.
-export([main/1]).
-spec main([1..9]) -> atom().
main(Row) when length(Row) > 9 -> too_long;
main(Row) when length(Row) < 9 -> partial(Row);
main(Row) ->
    case lists:usort(Row) of
        Row -> in_order;
        [1, 2, 3, 4, 5, 6, 7, 8, 9] -> complete;
        [_] -> all_the_same;
        _ -> repeated
    end.

partial([]) -> empty;
partial([9, 9 | _]) -> two_nines;
partial([1, 2, 3, 4 | _]) -> counting;
partial(Row) when length(Row) =:= 8 -> nearly(Row);
partial(_) -> part.

nearly(Row) ->
    case lists:seq(1, 9) -- Row of
        [Missing] -> {missing, Missing};
        _ -> repeated
    end.
