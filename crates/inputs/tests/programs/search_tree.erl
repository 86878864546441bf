-module(search_tree).
%% Trees and what is wrong with them.
-export([main/2]).
-type tree() :: nil | {tree(), integer(), tree()}.
-spec main(tree(), integer()) -> term().
main(T, X) ->
    case is_sorted(T) of
        true -> {sorted, find(T, X), balance(T)};
        false -> unsorted
    end.

is_sorted(T) -> increasing(to_list(T)).
to_list(nil) -> [];
to_list({L, X, R}) -> to_list(L) ++ [X | to_list(R)].
increasing([A, B | T]) -> A < B andalso increasing([B | T]);
increasing(_) -> true.

find(nil, _) -> no;
find({_, X, _}, X) -> found;
find({L, Y, _}, X) when X < Y -> find(L, X);
find({_, _, R}, X) -> find(R, X).

balance(T) ->
    case {depth(T), length(to_list(T))} of
        {D, _} when D >= 4 -> deep;
        {D, N} when D > 1, N =:= (1 bsl D) - 1 -> full;
        {0, 0} -> empty;
        _ -> some
    end.
depth(nil) -> 0;
depth({L, _, R}) -> 1 + max(depth(L), depth(R)).
