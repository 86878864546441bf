%% Work that is tried again after a failure.
%% inputs: main(int), budget(nat), alternatives(list(int))
-module(handled_retry).
-export([main/1, budget/1, alternatives/1]).

main(X) ->
    put(tries, 0),
    R = retry(fun() -> attempt(X) end, 4),
    Tries = get(tries),
    {R, Tries}.

attempt(X) ->
    put(tries, get(tries) + 1),
    case get(tries) * 2 of
        N when N < X -> throw({again, N});
        N -> N
    end.

retry(_, 0) -> gave_up;
retry(F, N) ->
    try F()
    catch throw:{again, _} -> retry(F, N - 1)
    end.

budget(N) ->
    put(left, N rem 10),
    try spend() catch exit:broke -> ok end,
    Left = get(left),
    Left.

spend() ->
    case get(left) of
        0 -> exit(broke);
        L when L rem 4 =:= 3 -> exit({odd, L});
        L -> put(left, L - 1)
    end,
    try spend() catch exit:{odd, O} when O < 5 -> put(left, -1) end.

alternatives(L) ->
    put(chosen, none),
    first(L),
    Chosen = get(chosen),
    Chosen.

first([]) -> ok;
first([X | Xs]) ->
    try choose(X)
        catch throw:no -> first(Xs);
            error:{no, Y} when Y > 3 -> first(Xs);
            error:_ -> ok end.

choose(X) when X < 0 -> throw(no);
choose(X) when X rem 2 =:= 1 -> error({no, X});
choose(X) -> put(chosen, X).
