%% Validation by exceptions whose reasons are maps, lists, records.
%% inputs: main(int, atom), lists(list(int)), records(int)
-module(handled_validation).
-export([main/2, lists/1, records/1]).
-record(bad, {field, value}).

main(Age, Name) ->
    put(valid, unknown),
    try
        Age > 5 andalso throw(#{field => age, value => Age}),
        Name =:= b andalso throw(#{field => name, value => Name}),
        put(valid, yes)
    catch
        throw:#{field := age, value := V} when V > 6 -> put(valid, {age, V});
        throw:#{field := age} -> ok;
        throw:#{value := b} -> ok
    end,
    Valid = get(valid),
    Valid.

lists(L) ->
    put(first, none),
    try
        Bad = [X || X <- L, X > 4],
        Bad =:= [] orelse throw(Bad),
        put(first, fine)
    catch
        throw:[_] -> ok;
        throw:[X, _ | _] when X > 5 -> put(first, X);
        throw:[_ | [_ | _]] -> ok
    end,
    First = get(first),
    First.

records(X) ->
    put(seen, 0),
    try
        X > 5 andalso error(#bad{field = high, value = X}),
        X < 0 andalso error(#bad{field = low, value = X}),
        put(seen, 1)
    catch
        error:#bad{field = high, value = 6} -> put(seen, six);
        error:#bad{field = high} -> ok;
        error:#bad{value = V} = B when V < -1 -> put(seen, B#bad.field);
        error:#bad{} -> ok
    end,
    Seen = get(seen),
    Seen.
