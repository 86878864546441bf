%% Errors about maps and records: badmap, badkey, badrecord.
%% inputs: maps(int), keys(one(a; b; c; d)), records(int)
-module(handled_maps).
-export([maps/1, keys/1, records/1]).
-record(item, {name, count = 0}).

maps(X) ->
    M = map(X),
    put(size, none),
    try
        put(size, map_size(M)),
        M2 = M#{k := 1},
        put(size, {M2, changed})
    catch
        error:{badmap, _} -> ok;
        error:{badkey, k} -> ok
    end,
    Size = get(size),
    Size.

map(X) when X > 4 -> X;
map(X) when X < 0 -> #{};
map(X) -> #{k => X}.

keys(K) ->
    put(found, []),
    M = #{a => 1, b => {2}},
    try
        put(found, [maps:get(K, M) | get(found)]),
        {Inner} = map_get(K, M),
        put(found, [Inner | get(found)])
    catch
        error:{badkey, c} -> ok;
        error:{badkey, Other} -> put(found, Other);
        error:{badmatch, 1} -> ok
    end,
    Found = get(found),
    Found.

records(X) ->
    put(count, none),
    R = record(X),
    try
        put(count, R#item.count),
        R2 = R#item{name = other},
        put(count, {R2#item.count, R2#item.name})
    catch error:{badrecord, _} -> ok
    end,
    Count = get(count),
    Count.

record(X) when X > 3 -> {item, X};
record(X) -> #item{name = x, count = X}.
