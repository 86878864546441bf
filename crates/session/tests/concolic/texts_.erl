%% Texts, lists, maps and records, as everyday code has them.
-module(texts_).
-export([bug_atomprefix/1, bug_atombin/1, bug_toint/1, bug_keyfind/1, bug_mapget/1, bug_nested/1,
         bug_rec/1, bug_recupdate/1, bug_sorted/1, bug_palindrome/1, bug_caesar/1, bug_prefix/1,
         bug_password/1, bug_nth/2, bug_ord/2, bug_delete/2]).

-record(user, {name :: atom(), age = 0 :: non_neg_integer(), tags = [] :: [atom()]}).

-spec bug_atomprefix(atom()) -> ok.
bug_atomprefix(A) ->
    case atom_to_list(A) of
        "adm_" ++ Rest when length(Rest) =:= 2 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_atombin(atom()) -> ok.
bug_atombin(A) ->
    case atom_to_binary(A) of
        <<"x-", _/binary>> -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_toint(string()) -> ok.
bug_toint(S) ->
    try list_to_integer(S) of
        4711 -> erlang:error(bug);
        _ -> ok
    catch error:badarg -> ok end.

-spec bug_keyfind([{atom(), integer()}]) -> ok.
bug_keyfind(L) ->
    case lists:keyfind(port, 1, L) of
        {port, P} when P > 1024, P < 1026 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_mapget(#{atom() => integer()}) -> ok.
bug_mapget(M) ->
    case maps:get(limit, M, 0) + maps:get(used, M, 0) of
        100 when map_size(M) =:= 2 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_nested(#{user := #{id := integer(), roles := [atom()]}}) -> ok.
bug_nested(#{user := #{id := 7, roles := Rs}}) ->
    case lists:member(root, Rs) of
        true -> erlang:error(bug);
        false -> ok
    end;
bug_nested(_) -> ok.

-spec bug_rec(#user{}) -> ok.
bug_rec(#user{name = bob, age = A, tags = [vip | _]}) when A >= 65 -> erlang:error(bug);
bug_rec(_) -> ok.

-spec bug_recupdate(#user{}) -> ok.
bug_recupdate(U) ->
    V = U#user{age = U#user.age + 1},
    if V#user.age =:= 18, V#user.tags =/= [] -> erlang:error(bug); true -> ok end.

-spec bug_sorted([integer()]) -> ok.
bug_sorted(L) when length(L) =:= 4 ->
    case lists:sort(L) of
        L when hd(L) > 5 -> case lists:sum(L) of 42 -> erlang:error(bug); _ -> ok end;
        _ -> ok
    end;
bug_sorted(_) -> ok.

-spec bug_palindrome(string()) -> ok.
bug_palindrome(S) when length(S) =:= 5 ->
    case lists:reverse(S) of
        S when hd(S) =:= $r, hd(tl(S)) =:= $a -> erlang:error(bug);
        _ -> ok
    end;
bug_palindrome(_) -> ok.

-spec bug_caesar(string()) -> ok.
bug_caesar(S) ->
    case [C + 3 || C <- S] of
        "khoor" -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_prefix(string()) -> ok.
bug_prefix(S) ->
    case string:prefix(S, "http://") of
        nomatch -> ok;
        [_ | _] -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_password(string()) -> ok.
bug_password([A, B, C, D]) when A =:= B + 1, C =:= D * 2 - 90, D > $0, D < $:, B >= $a, B =< $z, A + D =:= 155 ->
    erlang:error(bug);
bug_password(_) -> ok.

-spec bug_nth([integer()], integer()) -> ok.
bug_nth(L, N) when N > 2, length(L) < 5 ->
    try lists:nth(N, L) of
        88 -> erlang:error(bug);
        _ -> ok
    catch error:_ -> ok end;
bug_nth(_, _) -> ok.

-spec bug_ord(term(), term()) -> ok.
bug_ord(A, B) when A < B, is_atom(B), is_float(A), A > 1.5 -> erlang:error(bug);
bug_ord(_, _) -> ok.

-spec bug_delete([integer()], integer()) -> ok.
bug_delete(L, X) ->
    case lists:delete(X, L) of
        [4, 5] when X =:= 9 -> erlang:error(bug);
        _ -> ok
    end.
