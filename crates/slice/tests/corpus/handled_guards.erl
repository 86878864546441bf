%% Guards of handlers decide whether an exception ends here or further out.
%% inputs: main(int), bound(int, int), types(any)
-module(handled_guards).
-export([main/1, bound/2, types/1]).

main(X) ->
    put(seen, 1),
    try
        try
            X > 1 andalso throw(X),
            put(seen, 2)
        catch
            throw:T when is_integer(T), T > 4 -> ok;
            throw:T when T =:= 3; T =:= 2 -> put(seen, 3)
        end,
        put(after_inner, yes)
    catch throw:_ -> ok
    end,
    Seen = get(seen),
    After = get(after_inner),
    {Seen, After}.

bound(X, Limit) ->
    put(seen, 1),
    try
        X > 0 andalso throw({limit, X}),
        put(seen, 2)
    catch
        throw:{limit, L} when L < Limit -> ok;
        throw:{limit, Limit} -> put(seen, exact);
        throw:{limit, L} when L rem 2 =:= 0 -> put(seen, even);
        _:_ -> ok
    end,
    Seen = get(seen),
    Seen.

types(T) ->
    put(kind, unknown),
    try throw(T)
    catch
        X when is_list(X), length(X) > 1 -> put(kind, list);
        X when is_tuple(X), element(1, X) =:= element(2, X) -> put(kind, pair);
        X when is_map(X); is_binary(X) -> ok;
        X when hd(X) > 3 -> put(kind, large);
        _ -> ok
    end,
    Kind = get(kind),
    Kind.
