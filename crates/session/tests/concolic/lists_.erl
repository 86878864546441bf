%% Lists, and functions of the library on them.
-module(lists_).
-export([bug_pattern/1, bug_second/1, bug_length/1, bug_length_and_head/1, bug_sum/1, bug_nested/1,
         bug_improper/1, bug_hd/1, bug_tl/1, bug_reverse/1, bug_member/1, bug_append/2, bug_minus/1,
         bug_last/1, bug_nth/1, bug_max/1, bug_sorted/1, bug_sort/1, bug_zip/2, bug_keyfind/1,
         bug_keystore/1, bug_map/1, bug_filter/1, bug_foldl/1, bug_all/1, bug_any/1,
         bug_comprehension/1, bug_palindrome/1, bug_string/1, bug_prefix/1, bug_find/1, bug_flatten/1, bug_usort/1, bug_uniq/1,
         bug_split/1, bug_delete/1, bug_dropwhile/1, bug_same/2, bug_seq/1, bug_count/1,
         bug_partition/1, fine_length/1, safe_head/1, safe_append/1]).

-spec bug_pattern([integer()]) -> ok.
bug_pattern([1, 2, 3]) -> erlang:error(bug);
bug_pattern(_) -> ok.

-spec bug_second([integer()]) -> ok.
bug_second([_, X | _]) when X > 10, X < 12 -> erlang:error(bug);
bug_second(_) -> ok.

-spec bug_length(list()) -> ok.
bug_length(L) when length(L) =:= 4 -> erlang:error(bug);
bug_length(_) -> ok.

-spec bug_length_and_head([atom()]) -> ok.
bug_length_and_head([stop | _] = L) when length(L) > 2 -> erlang:error(bug);
bug_length_and_head(_) -> ok.

-spec bug_sum([integer()]) -> ok.
bug_sum([_, _] = L) ->
    case lists:sum(L) of
        77 -> erlang:error(bug);
        _ -> ok
    end;
bug_sum(_) -> ok.

-spec bug_nested([[integer()]]) -> ok.
bug_nested([[_], [X, Y | _] | _]) when X =:= Y + 1 -> erlang:error(bug);
bug_nested(_) -> ok.

-spec bug_improper(maybe_improper_list()) -> ok.
bug_improper([_ | tail]) -> erlang:error(bug);
bug_improper(_) -> ok.

-spec bug_hd([integer()]) -> ok.
bug_hd(L) ->
    case L =/= [] andalso hd(L) of
        31 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_tl([integer()]) -> ok.
bug_tl([_ | _] = L) ->
    case tl(L) of
        [5] -> erlang:error(bug);
        _ -> ok
    end;
bug_tl(_) -> ok.

-spec bug_reverse([integer()]) -> ok.
bug_reverse(L) ->
    case lists:reverse(L) of
        [9, 8 | _] -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_member([atom()]) -> ok.
bug_member(L) when length(L) < 4 ->
    case lists:member(needle, L) of
        true -> erlang:error(bug);
        false -> ok
    end;
bug_member(_) -> ok.

-spec bug_append([integer()], [integer()]) -> ok.
bug_append(A, B) ->
    case A ++ B of
        [1, 2, 3] when length(A) =:= 2 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_minus([integer()]) -> ok.
bug_minus([_, _] = L) ->
    case L -- [1, 2] of
        [] -> erlang:error(bug);
        _ -> ok
    end;
bug_minus(_) -> ok.

-spec bug_last([integer()]) -> ok.
bug_last([_, _ | _] = L) ->
    case lists:last(L) of
        13 -> erlang:error(bug);
        _ -> ok
    end;
bug_last(_) -> ok.

-spec bug_nth([integer()]) -> ok.
bug_nth(L) when length(L) =:= 3 ->
    case lists:nth(2, L) of
        21 -> erlang:error(bug);
        _ -> ok
    end;
bug_nth(_) -> ok.

-spec bug_max([integer()]) -> ok.
bug_max([_, _, _] = L) ->
    case lists:max(L) of
        50 when hd(L) =:= 49 -> erlang:error(bug);
        _ -> ok
    end;
bug_max(_) -> ok.

-spec bug_sorted([integer()]) -> ok.
bug_sorted([A, B, C]) when A < B, B < C, C < A + 3 -> erlang:error(bug);
bug_sorted(_) -> ok.

-spec bug_sort([integer()]) -> ok.
bug_sort([_, _, _] = L) ->
    case lists:sort(L) of
        [1, 2, 3] when hd(L) =:= 2 -> erlang:error(bug);
        _ -> ok
    end;
bug_sort(_) -> ok.

-spec bug_zip([integer()], [atom()]) -> ok.
bug_zip([_, _] = A, [_, _] = B) ->
    case lists:zip(A, B) of
        [_, {7, x}] -> erlang:error(bug);
        _ -> ok
    end;
bug_zip(_, _) -> ok.

-spec bug_keyfind([{atom(), integer()}]) -> ok.
bug_keyfind(L) when length(L) < 3 ->
    case lists:keyfind(key, 1, L) of
        {key, 99} -> erlang:error(bug);
        _ -> ok
    end;
bug_keyfind(_) -> ok.

-spec bug_keystore([{atom(), integer()}]) -> ok.
bug_keystore([_, _] = L) ->
    case lists:keystore(b, 1, L, {b, 2}) of
        [{a, 1}, {b, 2}] -> erlang:error(bug);
        _ -> ok
    end;
bug_keystore(_) -> ok.

-spec bug_map([integer()]) -> ok.
bug_map(L) ->
    case lists:map(fun(X) -> X * 2 end, L) of
        [10, 20] -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_filter([integer()]) -> ok.
bug_filter([_, _, _] = L) ->
    case lists:filter(fun(X) -> X > 100 end, L) of
        [X] when X < 102 -> erlang:error(bug);
        _ -> ok
    end;
bug_filter(_) -> ok.

-spec bug_foldl([integer()]) -> ok.
bug_foldl([_, _] = L) ->
    case lists:foldl(fun(X, A) -> 10 * A + X end, 0, L) of
        42 -> erlang:error(bug);
        _ -> ok
    end;
bug_foldl(_) -> ok.

-spec bug_all([integer()]) -> ok.
bug_all([_, _ | _] = L) when length(L) < 4 ->
    case lists:all(fun(X) -> X > 5 end, L) of
        true -> erlang:error(bug);
        false -> ok
    end;
bug_all(_) -> ok.

-spec bug_any([atom()]) -> ok.
bug_any([_, _] = L) ->
    case lists:any(fun(X) -> X =:= no end, L) of
        true -> erlang:error(bug);
        false -> ok
    end;
bug_any(_) -> ok.

-spec bug_comprehension([integer()]) -> ok.
bug_comprehension([_, _] = L) ->
    case [X + 1 || X <- L, X > 0] of
        [5] -> erlang:error(bug);
        _ -> ok
    end;
bug_comprehension(_) -> ok.

-spec bug_palindrome([integer()]) -> ok.
bug_palindrome([_, B, _ | _] = L) when length(L) =:= 3, B =:= 4 ->
    case lists:reverse(L) =:= L andalso hd(L) > 1 of
        true -> erlang:error(bug);
        false -> ok
    end;
bug_palindrome(_) -> ok.

-spec bug_string(string()) -> ok.
bug_string("bug") -> erlang:error(bug);
bug_string(_) -> ok.

-spec bug_prefix(string()) -> ok.
bug_prefix("ab" ++ [C]) when C > $c, C < $e -> erlang:error(bug);
bug_prefix(_) -> ok.

-spec bug_find([{integer(), atom()}]) -> ok.
bug_find([]) -> ok;
bug_find([{17, hit} | _]) -> erlang:error(bug);
bug_find([_ | T]) when length(T) < 3 -> bug_find(T);
bug_find(_) -> ok.

-spec bug_flatten([integer() | [integer()]]) -> ok.
bug_flatten([_, _] = L) ->
    case lists:flatten(L) of
        [3, 1] when is_list(hd(L)) -> erlang:error(bug);
        _ -> ok
    end;
bug_flatten(_) -> ok.

-spec bug_usort([integer()]) -> ok.
bug_usort([_, _, _] = L) ->
    case lists:usort(L) of
        [5] -> erlang:error(bug);
        _ -> ok
    end;
bug_usort(_) -> ok.

-spec bug_uniq([integer()]) -> ok.
bug_uniq([_, _, _] = L) ->
    case lists:uniq(L) of
        [8, 9] -> erlang:error(bug);
        _ -> ok
    end;
bug_uniq(_) -> ok.

-spec bug_split([integer()]) -> ok.
bug_split([_, _, _] = L) ->
    case lists:split(1, L) of
        {[1], [2, 3]} -> erlang:error(bug);
        _ -> ok
    end;
bug_split(_) -> ok.

-spec bug_delete([atom()]) -> ok.
bug_delete([_, _] = L) ->
    case lists:delete(a, L) of
        [b] -> erlang:error(bug);
        _ -> ok
    end;
bug_delete(_) -> ok.

-spec bug_dropwhile([integer()]) -> ok.
bug_dropwhile([_, _] = L) ->
    case lists:dropwhile(fun(X) -> X < 10 end, L) of
        [10] -> erlang:error(bug);
        _ -> ok
    end;
bug_dropwhile(_) -> ok.

-spec bug_same([integer()], [integer()]) -> ok.
bug_same([A, _] = X, Y) when X =:= Y, A =:= 3 -> erlang:error(bug);
bug_same(_, _) -> ok.

-spec bug_seq(integer()) -> ok.
bug_seq(N) when N > 0, N < 8 ->
    case length(lists:duplicate(N, x)) of
        6 -> erlang:error(bug);
        _ -> ok
    end;
bug_seq(_) -> ok.

-spec bug_count([boolean()]) -> ok.
bug_count([_, _, _] = L) ->
    case length([X || X <- L, X]) of
        2 -> erlang:error(bug);
        _ -> ok
    end;
bug_count(_) -> ok.

-spec bug_partition([integer()]) -> ok.
bug_partition([_, _, _] = L) ->
    case lists:partition(fun(X) -> X rem 2 =:= 0 end, L) of
        {[_, _], [7]} -> erlang:error(bug);
        _ -> ok
    end;
bug_partition(_) -> ok.

-spec fine_length([integer()]) -> ok.
fine_length(L) when length(L) >= 0 -> ok;
fine_length(_) -> erlang:error(bug).

-spec safe_head(nonempty_list(integer())) -> integer().
safe_head(L) -> hd(L).

-spec safe_append([a]) -> ok.
safe_append([_, _] = L) ->
    case L ++ [b] of
        [_, _, b] -> ok;
        _ -> erlang:error(bug)
    end;
safe_append(_) -> ok.
