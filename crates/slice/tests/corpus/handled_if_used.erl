%% The same failure with and without a use of what the handler binds.
%% inputs: main(int), both(int), late(int)
-module(handled_if_used).
-export([main/1, both/1, late/1]).

main(X) ->
    put(n, 0),
    R = try
        X > 3 andalso throw({v, X, X * 2}),
        put(n, 1),
        {none, 0}
    catch throw:{v, A, B} -> {A, B}
    end,
    {First, Second} = R,
    N = get(n),
    {First, Second, N}.

both(X) ->
    put(n, 0),
    try
        X > 3 andalso throw({v, X}),
        X < 0 andalso throw({w, X, -X}),
        put(n, 1)
    catch
        throw:{v, A} when A > 5 -> put(big, A);
        throw:{v, 4} -> ok;
        throw:{w, _, A} when A > 2 -> put(low, A);
        throw:{w, A, _} -> put(n, A);
        throw:{v, A} -> put(n, {v, A})
    end,
    N = get(n),
    Big = get(big),
    Low = get(low),
    {N, Big, Low}.

late(X) ->
    put(n, 0),
    Y = (catch case X of 1 -> throw({one, X}); 2 -> exit({two, X}); _ -> X end),
    Z = case Y of
        {one, A} -> A;
        {'EXIT', {two, A}} -> A * 10;
        A -> put(n, A), 0
    end,
    N = get(n),
    {Z, N}.
