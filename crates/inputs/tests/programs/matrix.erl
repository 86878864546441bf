-module(matrix).
%% What a matrix is.
-export([main/1]).
-spec main([[integer()]]) -> term().
main([]) -> empty;
main([Row | Rows] = M) ->
    Width = length(Row),
    case lists:all(fun(R) -> length(R) =:= Width end, Rows) of
        false -> ragged;
        true when Width =:= 0 -> {error, no_columns};
        true when length(M) =:= Width -> square(M, Width);
        true when Width =:= 1 -> column;
        true -> rectangular
    end.

square([[N]], 1) -> {number, N};
square([[A, B], [C, D]], 2) when A * D =:= B * C -> singular;
square([[A, B], [B, A]], 2) -> symmetric;
square([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 3) -> identity;
square(_, 3) -> three;
square(_, N) when N > 3 -> large;
square(_, _) -> regular.
