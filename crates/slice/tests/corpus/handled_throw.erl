%% A throw that a handler only ends: what was not done is seen in the process dictionary.
%% inputs: main(int), plain(int), part(int), whole(int)
-module(handled_throw).
-export([main/1, plain/1, part/1, whole/1]).

main(X) ->
    put(seen, 1),
    try
        X > 3 andalso throw(stop),
        put(seen, 2)
    catch throw:stop -> ok
    end,
    Seen = get(seen),
    Seen.

plain(X) ->
    put(seen, 1),
    try
        X > 3 andalso throw({stop, X}),
        put(seen, 2)
    catch
        {stop, Y} -> io:format("~p~n", [Y])
    end,
    Seen = get(seen),
    {Seen, X}.

part(X) ->
    put(seen, 1),
    try
        X > 5 andalso throw({stop, high, X}),
        X < 0 andalso throw({stop, low, X}),
        put(seen, 2)
    catch
        throw:{stop, low, _} -> put(seen, 3);
        throw:{stop, high, Z} when Z > 6 -> ok;
        throw:{stop, _, 6} -> ok
    end,
    Seen = get(seen),
    Seen.

whole(X) ->
    put(seen, 1),
    Reason = {stop, [X, X + 1]},
    try
        case X of
            N when N > 3 -> throw(Reason);
            _ -> put(seen, 2)
        end
    catch throw:Reason -> ok
    end,
    Seen = get(seen),
    Seen.
