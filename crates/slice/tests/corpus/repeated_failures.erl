%% What is called for one element after the other is not called any more once it failed: by the library, in
%% comprehensions.
%% inputs: each(list(int)), folded(list(int)), mapped(list(int)), in_map(list(int)), by_table(list(int)), body(list(int)), filter(list(int)), inner(list(int)), bits(list(nat)), waited(list(nat))
-module(repeated_failures).
-export([each/1, folded/1, mapped/1, in_map/1, by_table/1, body/1, filter/1, inner/1, bits/1, waited/1]).

each(L) ->
    put(seen, none),
    R = (catch lists:foreach(fun(X) -> put(seen, X), check(X) end, L)),
    Seen = get(seen),
    {R, Seen}.

folded(L) ->
    put(count, 0),
    try lists:foldl(fun(X, A) -> put(count, get(count) + 1), A + small(X) end, 0, L)
    catch throw:_ -> none
    end,
    Count = get(count),
    Count.

mapped(L) ->
    put(last, none),
    catch lists:map(fun note/1, L),
    Last = get(last),
    Last.

note(X) ->
    put(last, X),
    10 div X.

in_map(L) ->
    put(last, none),
    M = maps:from_list([{X, X + 1} || X <- L]),
    catch maps:foreach(fun(K, V) -> put(last, K), check(V) end, M),
    Last = get(last),
    Last.

by_table(L) ->
    put(rows, 0),
    T = ets:new(rows, [ordered_set]),
    ets:insert(T, [{X} || X <- L]),
    catch ets:foldl(fun({X}, ok) -> put(rows, get(rows) + 1), check(X) end, ok, T),
    ets:delete(T),
    Rows = get(rows),
    Rows.

body(L) ->
    put(seen, none),
    catch [begin put(seen, X), check(X) end || X <- L],
    Seen = get(seen),
    Seen.

filter(L) ->
    put(seen, 0),
    catch [X || X <- L, put(seen, get(seen) + X) =/= none, check(X) =:= ok],
    Seen = get(seen),
    Seen.

inner(L) ->
    put(seen, none),
    catch [put(seen, {X, Y}) || X <- L, Y <- lists:seq(1, small(X))],
    Seen = get(seen),
    Seen.

bits(L) ->
    put(seen, none),
    B = << <<X>> || X <- L >>,
    catch << <<(begin put(seen, X), small(X) end)>> || <<X>> <= B >>,
    Seen = get(seen),
    Seen.

check(X) when X > 2 -> throw(large);
check(X) when X < -2 -> error(small);
check(_) -> ok.

small(X) when X > 3 -> throw(large);
small(X) -> X.

waited(L) ->
    Me = self(),
    Pid = spawn(fun() ->
        lists:foreach(fun(X) -> Me ! {at, X}, receive go -> ok end end, L),
        Me ! done
    end),
    First = receive {at, A} -> A; done -> none end,
    Rest = receive {at, B} -> B; done -> done after 20 -> nothing end,
    Pid ! go,
    Last = receive {at, C} -> C; done -> end_of_it after 20 -> nothing end,
    {First, Rest, Last}.
