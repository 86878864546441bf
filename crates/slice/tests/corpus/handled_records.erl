%% State in records and maps that is handed through handlers.
%% inputs: main(list(int)), update(int)
-module(handled_records).
-export([main/1, update/1]).
-record(state, {sum = 0, failures = [], last}).

main(L) ->
    Final = lists:foldl(fun step/2, #state{}, L),
    Sum = Final#state.sum,
    Failures = Final#state.failures,
    Last = Final#state.last,
    {Sum, Failures, Last}.

step(X, S) ->
    try
        V = divide(X),
        S#state{sum = S#state.sum + V, last = X}
    catch
        error:badarith -> S#state{failures = [zero | S#state.failures]};
        throw:{large, Y} when Y > 7 -> S;
        throw:{large, Y} -> S#state{failures = [Y | S#state.failures], last = S#state.sum}
    end.

divide(X) when X > 5 -> throw({large, X});
divide(X) -> 20 div X.

update(X) ->
    M0 = #{count => 0, log => []},
    M1 = try add(M0, X) catch throw:{M, _} -> M end,
    M2 = try add(M1, X + 3)
        catch throw:{Low, low} -> Low;
            throw:{_, high} -> M1#{log => [high]} end,
    Count = maps:get(count, M2),
    Log = maps:get(log, M2),
    {Count, Log}.

add(M, X) when X > 5 -> throw({M#{log := [x]}, high});
add(M, X) when X < 0 -> throw({M#{count := -1}, low});
add(#{count := C} = M, X) -> M#{count := C + X}.
