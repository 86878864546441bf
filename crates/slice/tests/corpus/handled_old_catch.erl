%% Old-style catch: it ends everything, and tells throws from errors in its value.
%% inputs: main(int), values(int), in_args(int)
-module(handled_old_catch).
-export([main/1, values/1, in_args/1]).

main(X) ->
    put(n, 0),
    catch begin fail(X), put(n, 1) end,
    (catch put(n, get(n) + 10 div X)),
    N = get(n),
    N.

fail(X) when X > 5 -> exit({gone, X});
fail(X) when X > 3 -> throw({thrown, X});
fail(X) when X < 0 -> error({bad, X});
fail(X) -> X.

values(X) ->
    put(n, 0),
    case catch fail(X) of
        {'EXIT', {gone, _}} -> ok;
        {'EXIT', {{bad, Y}, _}} -> put(n, Y);
        {thrown, 4} -> ok;
        {thrown, Y} -> put(n, Y);
        Y -> put(n, {value, Y})
    end,
    N = get(n),
    N.

in_args(X) ->
    put(n, 0),
    Pair = {(catch fail(X)), (catch begin put(n, 1), fail(-X), put(n, 2) end)},
    N = get(n),
    Size = tuple_size(Pair),
    {N, Size}.
