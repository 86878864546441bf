%% Failures in the bodies and guards of receives.
%% inputs: main(list(int)), guards(any), timeout(int)
-module(handled_receive).
-export([main/1, guards/1, timeout/1]).

main(L) ->
    [self() ! {n, X} || X <- L],
    put(sum, 0),
    take(),
    Sum = get(sum),
    Sum.

take() ->
    Goes = try
        receive
            {n, X} when X > 6 -> throw({over, X});
            {n, X} -> put(sum, get(sum) + 12 div X), true
        after 0 -> false
        end
    catch
        throw:{over, _} -> true;
        error:badarith -> put(zero, true)
    end,
    Goes =/= false andalso take().

guards(T) ->
    self() ! T,
    self() ! {1, 2},
    put(kind, none),
    try
        receive
            X when element(1, X) > 0, tuple_size(X) =:= 2 -> put(kind, pair);
            [X | _] when X + 1 > 3 -> throw({list, X});
            X when length(X) =:= 0 -> put(kind, empty)
        end
    catch throw:{list, _} -> ok
    end,
    Kind = get(kind),
    Left = receive _ -> yes after 0 -> no end,
    {Kind, Left}.

timeout(N) ->
    put(waited, no),
    try
        receive after (N rem 3) - 1 -> put(waited, yes) end
    catch error:timeout_value -> ok
    end,
    Waited = get(waited),
    Waited.
