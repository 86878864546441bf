%% Exits that a handler only ends.
%% inputs: main(int), names(one(normal; shutdown; other; {shutdown, 3}))
-module(handled_exit).
-export([main/1, names/1]).

main(X) ->
    put(seen, 1),
    try
        X > 3 andalso exit({shutdown, X}),
        X < 0 andalso exit(normal),
        put(seen, 2)
    catch
        exit:{shutdown, _} -> ok;
        exit:normal -> put(low, X)
    end,
    Seen = get(seen),
    Low = get(low),
    {Seen, Low}.

names(Reason) ->
    put(ends, 0),
    Kind = try
        leave(Reason),
        put(ends, get(ends) + 1),
        stayed
    catch
        exit:normal -> quiet;
        exit:shutdown -> quiet;
        exit:{shutdown, _} -> quiet;
        exit:_ -> loud
    end,
    Ends = get(ends),
    {Kind, Ends}.

leave(other) -> other;
leave(Reason) -> exit(Reason).
