%% Rows of a table that a failure left out.
%% inputs: main(int), several(list(int)), counters(int)
-module(handled_ets).
-export([main/1, several/1, counters/1]).

main(X) ->
    T = ets:new(t, []),
    ets:insert(T, {seen, 1}),
    try
        check(X),
        ets:insert(T, {seen, 2})
    catch throw:{bad, Y} -> io:format("~p~n", [Y])
    end,
    [{_, Seen}] = ets:lookup(T, seen),
    Seen.

check(X) when X > 3 -> throw({bad, X});
check(_) -> ok.

several(L) ->
    T = ets:new(rows, [ordered_set]),
    lists:foreach(
        fun(X) ->
            try
                ets:insert(T, {X, 10 div X}),
                check(X),
                ets:insert(T, {X, checked})
            catch
                error:badarith -> ok;
                throw:{bad, 4} -> ets:delete(T, X);
                throw:{bad, _} -> ok
            end
        end,
        L
    ),
    Rows = ets:tab2list(T),
    Rows.

counters(X) ->
    ets:new(named, [named_table]),
    ets:insert(named, [{a, 0}, {b, text}]),
    try
        ets:update_counter(named, a, X),
        ets:update_counter(named, b, X),
        ets:update_counter(named, a, X)
    catch error:badarg -> ok
    end,
    try
        ets:update_counter(named, c, X),
        ets:insert(named, {a, lost})
    catch error:badarg -> ok
    end,
    A = ets:lookup_element(named, a, 2),
    A.
