%% Handlers in handlers; variables bound before a failure.
%% inputs: retry(nat), layers(one(inner; outer; none)), rethrow(int), effects(int)
-module(nested_try).
-export([retry/1, layers/1, rethrow/1, effects/1]).

retry(N) -> attempt(N rem 4, 0).

attempt(Fails, Tries) when Tries < 5 ->
    try
        work(Fails, Tries)
    of
        Result -> {Result, Tries}
    catch
        throw:again -> attempt(Fails, Tries + 1)
    end;
attempt(_, Tries) -> {gave_up, Tries}.

work(Fails, Tries) when Tries < Fails -> throw(again);
work(_, _) -> done.

layers(Where) ->
    try
        A = try
            fail_if(Where, inner),
            1
        catch
            throw:inner -> 2
        end,
        fail_if(Where, outer),
        A * 10
    catch
        throw:X -> {caught, X}
    end.

fail_if(X, X) -> throw(X);
fail_if(_, _) -> ok.

rethrow(N) ->
    try
        try
            100 div N
        catch
            error:R -> throw({wrapped, R, N})
        end
    catch
        throw:{wrapped, Why, Value} -> {Why, Value}
    end.

effects(N) ->
    put(seen, start),
    V = try
        put(seen, before),
        X = 10 div (N - 1),
        put(seen, X),
        X
    catch
        error:_ -> get(seen)
    end,
    {V, get(seen)}.
