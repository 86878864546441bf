%% Locks that are given back whatever happens; exceptions that are raised again.
%% inputs: run(list(int), int)
-module(locks_and_rethrows).
-export([run/2]).

run(L, N) ->
    put(open, 0),
    put(log, []),
    R = [guarded(X, N) || X <- L],
    S = (catch with_lock(fun() -> lists:foldl(fun(X, A) -> A div X end, 1000, L) end)),
    Left = get(open),
    Log = get(log),
    {R, is_integer(S), Left, Log}.

guarded(X, N) ->
    try
        with_lock(fun() ->
            with_lock(fun() -> work(X, N) end) + get(open)
        end)
    catch
        error:badarith -> note(arith), {bad, X};
        throw:{early, V} when V > 2 -> V;
        C:R:_ -> {C, R, get(open)}
    end.

with_lock(F) ->
    put(open, get(open) + 1),
    try F() of
        V when V > 100 -> note(large), 100;
        V -> V
    catch
        error:E:St ->
            note(E),
            erlang:raise(error, E, St);
        exit:R -> note({exited, R}), throw({early, R})
    after
        put(open, get(open) - 1)
    end.

note(X) -> put(log, [X | get(log)]).

work(0, N) -> 10 div (N - N);
work(X, N) when X > 5 -> exit(X + N);
work(X, _) when X < -2 -> throw({early, -X});
work(X, N) when X =:= N -> error({same, X});
work(X, N) -> X * N.
