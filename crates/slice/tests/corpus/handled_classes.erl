%% Class variables and handlers for several classes.
%% inputs: main(int), same(int), default(int)
-module(handled_classes).
-export([main/1, same/1, default/1]).

main(X) ->
    put(class, none),
    try
        fail(X),
        put(class, fine)
    catch
        C:{reason, Y} when C =:= error; Y > 5 -> put(class, C);
        C:{reason, _} when C =/= throw -> ok;
        _:_ -> put(class, other)
    end,
    Class = get(class),
    Class.

fail(X) when X > 3 -> exit({reason, X});
fail(X) when X > 1 -> error({reason, X});
fail(X) when X < 0 -> throw({reason, X});
fail(X) -> X.

same(X) ->
    put(seen, 0),
    Wanted = if X > 2 -> exit; true -> throw end,
    try
        try
            fail(X),
            put(seen, 1)
        catch Wanted:_ -> ok
        end,
        put(seen, get(seen) + 2)
    catch C:R when C =:= error, element(2, R) =:= 2 -> ok; _:_ -> put(seen, lost)
    end,
    Seen = get(seen),
    Seen.

default(X) ->
    put(seen, 0),
    try
        fail(X),
        put(seen, 1)
    catch
        {reason, -1} -> ok;
        {reason, _} -> put(seen, -1);
        exit:_ -> ok;
        error:{reason, 2} -> ok;
        error:{reason, 3} -> put(seen, 3)
    end,
    Seen = get(seen),
    Seen.
