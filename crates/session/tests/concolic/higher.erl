%% Funs as inputs: what they answer is made up, and kept.
-module(higher).

-export([
    bug_applied/1, bug_two_rows/1, bug_of_list/2, bug_binary/2, bug_compose/2, bug_same_twice/1,
    bug_arity_zero/1, bug_predicate/2, bug_not_monotonic/1, bug_returns_fun/1, bug_in_tuple/1,
    bug_which_arity/1, bug_any_term/1, bug_fold/2, bug_apply/2, bug_process/2, bug_caught/1,
    bug_map_of_funs/1, bug_key/2, bug_untyped/1,
    safe_same/1, safe_bool/1, safe_identity/2, safe_sum/1
]).

-spec bug_applied(fun((integer()) -> integer())) -> ok.
bug_applied(F) ->
    case F(3) of
        42 -> error(bug);
        _ -> ok
    end.

-spec bug_two_rows(fun((integer()) -> integer())) -> ok.
bug_two_rows(F) ->
    case {F(1), F(2)} of
        {X, Y} when X > 10, Y < X - 100 -> error(bug);
        _ -> ok
    end.

-spec bug_of_list(fun((integer()) -> boolean()), [integer()]) -> ok.
bug_of_list(F, L) ->
    case lists:filter(F, L) of
        [7, 9] when length(L) =:= 3 -> error(bug);
        _ -> ok
    end.

-spec bug_binary(fun((integer(), integer()) -> integer()), integer()) -> ok.
bug_binary(F, X) ->
    case F(X, 1) + F(1, X) of
        17 when X > 1 -> error(bug);
        _ -> ok
    end.

-spec bug_compose(fun((integer()) -> integer()), integer()) -> ok.
bug_compose(F, X) ->
    case F(F(X)) of
        Y when Y =:= X + 1 -> error(bug);
        _ -> ok
    end.

%% The same fun answers the same: a bug only where the arguments differ.
-spec bug_same_twice({fun((0..5) -> 0..5), 0..5, 0..5}) -> ok.
bug_same_twice({F, X, Y}) ->
    case F(X) =/= F(Y) of
        true when X + Y =:= 9 -> error(bug);
        _ -> ok
    end.

-spec bug_arity_zero(fun(() -> atom())) -> ok.
bug_arity_zero(F) ->
    case F() of
        hello -> error(bug);
        _ -> ok
    end.

-spec bug_predicate(fun((atom()) -> boolean()), atom()) -> ok.
bug_predicate(P, X) ->
    case P(X) andalso not P(other) of
        true -> error(bug);
        false -> ok
    end.

%% Holds of functions that grow only.
-spec bug_not_monotonic(fun((integer()) -> integer())) -> ok.
bug_not_monotonic(F) ->
    case F(1) =< F(2) of
        true -> ok;
        false -> error(bug)
    end.

-spec bug_returns_fun(fun((integer()) -> fun((integer()) -> integer()))) -> ok.
bug_returns_fun(F) ->
    G = F(1),
    case G(2) of
        99 -> error(bug);
        _ -> ok
    end.

-spec bug_in_tuple({pair, fun((integer()) -> atom()), integer()}) -> ok.
bug_in_tuple({pair, F, N}) ->
    case F(N + 1) of
        here when N > 5 -> error(bug);
        _ -> ok
    end.

-spec bug_which_arity(fun()) -> ok.
bug_which_arity(F) when is_function(F, 2) ->
    case F(a, b) of
        {x, y} -> error(bug);
        _ -> ok
    end;
bug_which_arity(_) -> ok.

-spec bug_any_term(term()) -> ok.
bug_any_term(F) when is_function(F, 1) ->
    case F(1) of
        [one] -> error(bug);
        _ -> ok
    end;
bug_any_term(_) -> ok.

-spec bug_fold(fun((integer(), integer()) -> integer()), [integer()]) -> ok.
bug_fold(F, L) ->
    case lists:foldl(F, 0, L) of
        1000 when length(L) =:= 2 -> error(bug);
        _ -> ok
    end.

-spec bug_apply(fun((integer()) -> integer()), [integer()]) -> ok.
bug_apply(F, [_] = Args) ->
    case apply(F, Args) of
        5 -> error(bug);
        _ -> ok
    end;
bug_apply(_, _) -> ok.

-spec bug_process(fun((integer()) -> integer()), integer()) -> ok.
bug_process(F, N) ->
    Self = self(),
    spawn(fun() -> Self ! {got, F(N)} end),
    receive
        {got, 77} when N > 3 -> error(bug);
        {got, _} -> ok
    end.

-spec bug_caught(fun((integer()) -> integer())) -> ok.
bug_caught(F) ->
    try F(1) of
        12 -> error(bug);
        _ -> ok
    catch
        throw:_ -> ok
    end.

-spec bug_map_of_funs(#{f := fun((integer()) -> integer())}) -> ok.
bug_map_of_funs(#{f := F}) ->
    case F(0) of
        31 -> error(bug);
        _ -> ok
    end.

-spec bug_key(fun((integer()) -> integer()), [integer()]) -> ok.
bug_key(F, L) ->
    case [X || X <- L, F(X) =:= 3] of
        [X] when X =/= hd(L) -> error(bug);
        _ -> ok
    end.

bug_untyped(F) ->
    case F(1) of
        12 -> error(bug);
        _ -> ok
    end.

-spec safe_same(fun((0..3) -> 0..3)) -> ok.
safe_same(F) ->
    case F(1) =:= F(1) of
        true -> ok;
        false -> error(bug)
    end.

-spec safe_bool(fun((0..3) -> boolean())) -> ok.
safe_bool(F) ->
    case F(1) of
        true -> ok;
        false -> ok;
        _ -> error(bug)
    end.

-spec safe_identity(fun((0..3) -> 0..3), 0..3) -> ok.
safe_identity(F, X) ->
    case X of
        1 ->
            case F(X) =:= F(1) of
                true -> ok;
                false -> error(bug)
            end;
        _ -> ok
    end.

-spec safe_sum(fun((0..3) -> 0..3)) -> ok.
safe_sum(F) ->
    case F(1) + F(2) > 6 of
        true -> error(bug);
        false -> ok
    end.
