%% Matches that fail, and handlers that look at what did not match.
%% inputs: main(int), deep(int), list(list(int))
-module(handled_badmatch).
-export([main/1, deep/1, list/1]).

main(X) ->
    put(seen, 1),
    try
        {ok, _} = f(X),
        put(seen, 2)
    catch error:{badmatch, {error, big}} -> ok
    end,
    Seen = get(seen),
    Seen.

f(X) when X > 3 -> {error, big};
f(X) -> {ok, X}.

deep(X) ->
    put(seen, [start]),
    try
        {ok, {point, Y, 0}} = place(X),
        put(seen, [Y | get(seen)])
    catch
        error:{badmatch, {ok, {point, _, Z}}} when Z > 1 -> ok;
        error:{badmatch, {ok, {line, _, Z}}} -> put(seen, [Z])
    end,
    Seen = get(seen),
    Seen.

place(X) when X > 4 -> {ok, {line, X, X}};
place(X) when X < 0 -> {ok, {point, X, 2 - X}};
place(X) -> {ok, {point, X, 0}}.

list(L) ->
    put(first, none),
    try
        [A, B | _] = L,
        put(first, A + B)
    catch
        error:{badmatch, []} -> ok;
        error:{badmatch, [_]} -> put(first, one)
    end,
    First = get(first),
    First.
