%% Handlers whose patterns are variables that are bound already.
%% inputs: main(int, int), computed(int), inner(int, int)
-module(handled_bound).
-export([main/2, computed/1, inner/2]).

main(X, Y) ->
    put(seen, 1),
    try
        X > 0 andalso throw(X),
        put(seen, 2)
    catch
        throw:Y -> ok;
        throw:Z when Z > Y -> put(seen, {above, Y});
        throw:_ -> ok
    end,
    Seen = get(seen),
    Seen.

computed(X) ->
    put(seen, 1),
    Expected = {stop, X rem 3, [X]},
    try
        X > 0 andalso throw({stop, X rem 4, [X]}),
        put(seen, 2)
    catch
        throw:Expected -> ok;
        throw:{stop, R, _} -> put(seen, {rest, R})
    end,
    Seen = get(seen),
    Seen.

inner(X, Y) ->
    put(seen, 1),
    Key = Y rem 2,
    try
        X > 0 andalso throw(#{Key => X, 5 => Y}),
        put(seen, 2)
    catch
        throw:#{0 := V} when V > 4 -> ok;
        throw:#{Key := V} when V < 3 -> ok;
        throw:#{5 := V} -> put(seen, V)
    end,
    Seen = get(seen),
    Seen.
