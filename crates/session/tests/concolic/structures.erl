%% Tuples, records, maps, atoms, and terms of several kinds.
-module(structures).
-export([bug_tuple/1, bug_tagged/1, bug_nested/1, bug_element/1, bug_index/2, bug_setelement/1,
         bug_size/1, bug_record/1, bug_update/1, bug_to_list/1, bug_from_list/1, bug_tree/1,
         bug_expression/1, bug_atom/1, bug_atoms/2, bug_boolean/2, bug_six/6, bug_kind/1,
         bug_order/1, bug_equal_parts/1, bug_loose/1, bug_map_pattern/1, bug_map_key/2, bug_map_get/1,
         bug_map_default/1, bug_map_size/1, bug_map_update/1, bug_map_nested/1, bug_map_find/1,
         bug_map_build/2, bug_map_list/1, bug_option/1, bug_state/2, bug_stack/1, bug_queue/1,
         safe_swap/1, safe_record/1, safe_map/2]).

-record(account, {name :: atom(), balance = 0 :: integer(), open = true :: boolean()}).

-spec bug_tuple({integer(), integer()}) -> ok.
bug_tuple({X, Y}) when X + Y =:= 9, X =:= 2 * Y -> erlang:error(bug);
bug_tuple(_) -> ok.

-spec bug_tagged({ok, integer()} | {error, atom()}) -> ok.
bug_tagged({error, enoent}) -> erlang:error(bug);
bug_tagged(_) -> ok.

-spec bug_nested({a, {b, {c, integer()}}} | none) -> ok.
bug_nested({a, {b, {c, 8}}}) -> erlang:error(bug);
bug_nested(_) -> ok.

-spec bug_element({integer(), integer(), integer()}) -> ok.
bug_element(T) ->
    case element(2, T) =:= 3 andalso element(3, T) =:= element(1, T) + 4 of
        true -> erlang:error(bug);
        false -> ok
    end.

-spec bug_index(integer(), {atom(), atom(), atom()}) -> ok.
bug_index(N, T) when N >= 1, N =< 3 ->
    case element(N, T) of
        found when N =:= 3 -> erlang:error(bug);
        _ -> ok
    end;
bug_index(_, _) -> ok.

-spec bug_setelement({integer(), integer()}) -> ok.
bug_setelement(T) ->
    case setelement(1, T, 5) of
        {5, 6} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_size(tuple()) -> ok.
bug_size(T) when tuple_size(T) =:= 3, element(1, T) =:= x -> erlang:error(bug);
bug_size(_) -> ok.

-spec bug_record(#account{}) -> ok.
bug_record(#account{name = bob, balance = B, open = false}) when B < -10, B > -12 ->
    erlang:error(bug);
bug_record(_) -> ok.

-spec bug_update(#account{}) -> ok.
bug_update(A) ->
    B = A#account{balance = A#account.balance + 5},
    case B#account.balance of
        100 when B#account.open -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_to_list({integer(), integer()}) -> ok.
bug_to_list(T) ->
    case tuple_to_list(T) of
        [1, 9] -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_from_list([atom()]) -> ok.
bug_from_list([_, _] = L) ->
    case list_to_tuple(L) of
        {left, right} -> erlang:error(bug);
        _ -> ok
    end;
bug_from_list(_) -> ok.

-type tree() :: leaf | {node, tree(), integer(), tree()}.
-spec bug_tree(tree()) -> ok.
bug_tree({node, leaf, 1, {node, leaf, 2, _}}) -> erlang:error(bug);
bug_tree(_) -> ok.

-type expression() :: integer() | {add, expression(), expression()} | {neg, expression()}.
-spec bug_expression(expression()) -> ok.
bug_expression({add, {neg, X}, Y}) when is_integer(X), is_integer(Y), Y - X =:= 12 ->
    erlang:error(bug);
bug_expression(_) -> ok.

-spec bug_atom(atom()) -> ok.
bug_atom(secret) -> erlang:error(bug);
bug_atom(_) -> ok.

-spec bug_atoms(a | b | c, a | b | c) -> ok.
bug_atoms(X, Y) when X =/= a, X =/= b, Y =:= X -> erlang:error(bug);
bug_atoms(_, _) -> ok.

-spec bug_boolean(boolean(), boolean()) -> ok.
bug_boolean(A, B) ->
    case (A or B) and not (A and B) of
        true when B -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_six(boolean(), boolean(), boolean(), boolean(), boolean(), boolean()) -> ok.
bug_six(A, B, C, D, E, F) ->
    if
        A, not B, C, D, not E, F -> erlang:error(bug);
        true -> ok
    end.

-spec bug_kind(term()) -> ok.
bug_kind(X) when is_float(X) -> ok;
bug_kind(X) when is_list(X) -> ok;
bug_kind({_, X}) when is_binary(X) -> erlang:error(bug);
bug_kind(_) -> ok.

-spec bug_order(term()) -> ok.
bug_order(X) when X > foo, X < {}, not is_atom(X) -> ok;
bug_order(X) when X > {}, is_tuple(X), tuple_size(X) =:= 1, X < {1}  -> erlang:error(bug);
bug_order(_) -> ok.

-spec bug_equal_parts({term(), term()}) -> ok.
bug_equal_parts({[X | _], {X, 1}}) -> erlang:error(bug);
bug_equal_parts(_) -> ok.

-spec bug_loose({number(), number()}) -> ok.
bug_loose({X, Y}) when X == Y, X =/= Y -> erlang:error(bug);
bug_loose(_) -> ok.

-spec bug_map_pattern(#{atom() => integer()}) -> ok.
bug_map_pattern(#{key := 12}) -> erlang:error(bug);
bug_map_pattern(_) -> ok.

-spec bug_map_key(#{integer() => atom()}, integer()) -> ok.
bug_map_key(M, K) when K > 5 ->
    case M of
        #{K := yes} -> erlang:error(bug);
        _ -> ok
    end;
bug_map_key(_, _) -> ok.

-spec bug_map_get(#{a => integer(), b => integer()}) -> ok.
bug_map_get(M) when is_map_key(a, M), is_map_key(b, M) ->
    case map_get(a, M) - map_get(b, M) of
        33 -> erlang:error(bug);
        _ -> ok
    end;
bug_map_get(_) -> ok.

-spec bug_map_default(#{a => integer()}) -> ok.
bug_map_default(M) ->
    case maps:get(a, M, 0) of
        5 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_map_size(#{atom() => integer()}) -> ok.
bug_map_size(M) when map_size(M) =:= 1 ->
    case M of
        #{only := 1} -> erlang:error(bug);
        _ -> ok
    end;
bug_map_size(_) -> ok.

-spec bug_map_update(#{n => integer()}) -> ok.
bug_map_update(#{n := N} = M) ->
    M2 = M#{n := N + 1, last => N},
    case M2 of
        #{n := 10, last := L} when L =:= 9 -> erlang:error(bug);
        _ -> ok
    end;
bug_map_update(_) -> ok.

-spec bug_map_nested(#{in => #{x => integer()}}) -> ok.
bug_map_nested(#{in := #{x := 3}}) -> erlang:error(bug);
bug_map_nested(_) -> ok.

-spec bug_map_find(#{atom() => atom()}) -> ok.
bug_map_find(M) ->
    case maps:find(who, M) of
        {ok, me} -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_map_build(integer(), integer()) -> ok.
bug_map_build(X, Y) ->
    M = #{x => X, y => Y, z => X + Y},
    case M of
        #{z := 21, x := V} when V > 15 -> erlang:error(bug);
        _ -> ok
    end.

-spec bug_map_list([{atom(), integer()}]) -> ok.
bug_map_list([_, _] = L) ->
    M = maps:from_list(L),
    case M of
        #{a := 1, b := 2} -> erlang:error(bug);
        _ -> ok
    end;
bug_map_list(_) -> ok.

-spec bug_option([{atom(), term()}]) -> ok.
bug_option(Options) when length(Options) < 3 ->
    case proplists:get_value(mode, Options) of
        fast -> erlang:error(bug);
        _ -> ok
    end;
bug_option(_) -> ok.

-spec bug_state(idle | busy, [start | stop | {set, integer()}]) -> ok.
bug_state(State, Events) when length(Events) < 4 -> run(State, 0, Events);
bug_state(_, _) -> ok.

run(busy, 77, []) -> erlang:error(bug);
run(_, _, []) -> ok;
run(idle, N, [start | T]) -> run(busy, N, T);
run(busy, _, [{set, M} | T]) -> run(busy, M, T);
run(busy, N, [stop | T]) -> run(idle, N, T);
run(S, N, [_ | T]) -> run(S, N, T).

-spec bug_stack([{push, integer()} | pop | add]) -> ok.
bug_stack(Program) when length(Program) < 4 ->
    case machine(Program, []) of
        [24] -> erlang:error(bug);
        _ -> ok
    end;
bug_stack(_) -> ok.

machine([{push, X} | T], S) -> machine(T, [X | S]);
machine([pop | T], [_ | S]) -> machine(T, S);
machine([add | T], [A, B | S]) -> machine(T, [A + B | S]);
machine([], S) -> S;
machine(_, _) -> stuck.

-spec bug_queue([integer()]) -> ok.
bug_queue([_, _] = L) ->
    Q = lists:foldl(fun queue:in/2, queue:new(), L),
    case queue:out(Q) of
        {{value, 44}, _} -> erlang:error(bug);
        _ -> ok
    end;
bug_queue(_) -> ok.

-spec safe_swap({integer(), integer()}) -> ok.
safe_swap({X, Y} = T) ->
    {B, A} = {element(2, T), element(1, T)},
    if A =:= X, B =:= Y -> ok; true -> erlang:error(bug) end.

-spec safe_record(#account{}) -> ok.
safe_record(#account{balance = B} = A) ->
    #account{balance = C} = A#account{open = false},
    if B =:= C -> ok; true -> erlang:error(bug) end.

-spec safe_map(integer(), integer()) -> ok.
safe_map(K, V) ->
    case #{K => V} of
        #{K := V} -> ok;
        _ -> erlang:error(bug)
    end.
