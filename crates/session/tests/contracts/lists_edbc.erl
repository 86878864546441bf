%% EDBC's manner, on functions over lists: `_bad` twins have a mistake planted.
-module(lists_edbc).
-include_lib("edbc.hrl").
-compile([export_all, nowarn_export_all]).

?PRE(fun is_nonempty_list/0).
-spec maximum([integer(),...]) -> integer().
maximum([X]) -> X;
maximum([X | Xs]) -> erlang:max(X, maximum(Xs)).
?POST(fun() -> lists:member(?R, ?P(1)) end).
?POST(fun() -> lists:all(fun(Y) -> Y =< ?R end, ?P(1)) end).

?PRE(fun is_nonempty_list/0).
maximum_bad([X]) -> X;
maximum_bad([X | Xs]) -> erlang:min(X, maximum_bad(Xs)).
?POST(fun() -> lists:member(?R, ?P(1)) end).
?POST(fun() -> lists:all(fun(Y) -> Y =< ?R end, ?P(1)) end).

is_nonempty_list() ->
    case ?P(1) of
        [_ | _] -> true;
        [] -> {false, "the list is empty"};
        _ -> {false, "no list"}
    end.

?SDECREASES(?P(1)).
?PURE.
reverse(L, Acc) when is_list(L), is_list(Acc) ->
    case L of [] -> Acc; [H | T] -> reverse(T, [H | Acc]) end.
?POST(fun() -> length(?R) =:= length(?P(1)) + length(?P(2)) end).

?SDECREASES(?P(1)).
reverse_bad([], Acc) -> Acc;
reverse_bad([H | T], Acc) when length(Acc) > 2 -> reverse_bad([H, H | T], Acc);
reverse_bad([H | T], Acc) -> reverse_bad(T, [H | Acc]).

?PRE(fun() -> is_list(?P(1)) andalso is_list(?P(2)) end).
?DECREASES([?P(1), ?P(2)]).
merge([], Ys) -> Ys;
merge(Xs, []) -> Xs;
merge([X | Xs], [Y | _] = Ys) when X =< Y -> [X | merge(Xs, Ys)];
merge(Xs, [Y | Ys]) -> [Y | merge(Xs, Ys)].
?POST(fun post_merge/0).

?PRE(fun() -> is_list(?P(1)) andalso is_list(?P(2)) end).
merge_bad([], _Ys) -> [];
merge_bad(Xs, []) -> Xs;
merge_bad([X | Xs], [Y | _] = Ys) when X =< Y -> [X | merge_bad(Xs, Ys)];
merge_bad(Xs, [Y | Ys]) -> [Y | merge_bad(Xs, Ys)].
?POST(fun post_merge/0).

post_merge() ->
    Expected = length(?P(1)) + length(?P(2)),
    case length(?R) of
        Expected -> true;
        Other ->
            {false, io_lib:format("~p elements, not ~p", [Other, Expected])}
    end.

?PRE(fun() -> ?P(2) > 0 end).
?SDECREASES(?P(1)).
chunks([], _) -> [];
chunks(L, N) when length(L) =< N -> [L];
chunks(L, N) -> {A, B} = lists:split(N, L), [A | chunks(B, N)].
?POST(fun() -> lists:append(?R) =:= ?P(1) end).

?PRE(fun() -> ?P(2) > 0 end).
chunks_bad([], _) -> [];
chunks_bad(L, N) when length(L) =< N -> [L];
chunks_bad(L, N) -> {A, [_ | B]} = lists:split(N, L), [A | chunks_bad(B, N)].
?POST(fun() -> lists:append(?R) =:= ?P(1) end).

config() -> #{a => 1, b => 2}.
?POST(fun() -> is_map(?R) andalso maps:size(?R) =:= 2 end).

?PRE(fun() -> lists:sort(?P(2)) =:= ?P(2) end).
insert(X, []) -> [X];
insert(X, [Y | _] = L) when X =< Y -> [X | L];
insert(X, [Y | T]) -> [Y | insert(X, T)].
?POST(fun() -> lists:sort(?R) =:= ?R end).
?POST(fun() -> ?R -- [?P(1)] =:= ?P(2) end).

?PRE(fun() -> lists:sort(?P(2)) =:= ?P(2) end).
insert_bad(X, []) -> [X];
insert_bad(X, [Y | _] = L) when X >= Y -> [X | L];
insert_bad(X, [Y | T]) -> [Y | insert_bad(X, T)].
?POST(fun() -> lists:sort(?R) =:= ?R end).

-spec zip3(list(), list(), list()) -> [{term(), term(), term()}].
?PRE(fun() ->
         A = length(?P(1)),
         A =:= length(?P(2)) andalso A =:= length(?P(3))
     end).
zip3([A | As], [B | Bs], [C | Cs]) -> [{A, B, C} | zip3(As, Bs, Cs)];
zip3([], [], []) -> [].

%! maximum([3,1,2]): 3
%! maximum([]): pre caller
%! maximum(x): pre caller
%! maximum([a]): spec caller
%! maximum_bad([3]): 3
%! maximum_bad([3,1,2]): post callee
%! reverse([1,2,3], []): [3,2,1]
%! reverse_bad([1,2], []): [2,1]
%! reverse_bad([1,2,3,4,5], []): sdecreases callee
%! merge([1,3], [2,4]): [1,2,3,4]
%! merge(a, []): pre caller
%! merge_bad([3], [2]): [2,3]
%! merge_bad([1], [2]): post callee
%! chunks([1,2,3,4,5], 2): [[1,2],[3,4],[5]]
%! chunks([1], 0): pre caller
%! config(): #{a => 1,b => 2}
%! insert(2, [1,3]): [1,2,3]
%! insert(2, [3,1]): pre caller
%! insert_bad(2, [1,3]): post callee
%! zip3([1], [2], [3]): [{1,2,3}]
%! zip3([1], [2], []): pre caller
%! zip3(1, [2], []): spec caller
