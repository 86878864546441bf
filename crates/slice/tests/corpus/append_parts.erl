%% What reaches an element of an appended list.
%% inputs: third(int, int, int), word(string), minus(list(int))
-module(append_parts).
-export([third/3, word/1, minus/1]).

third(A, B, C) ->
    X = [A],
    Y = [B, C],
    [_, Mid | _] = X ++ Y,
    Z = Y ++ X,
    [_, _, End] = Z,
    {Mid, End}.

word(W) ->
    Greeting = "hello, " ++ W,
    [Initial | _] = Greeting,
    "hello, " ++ Tail = Greeting,
    Loud = string:to_upper(Tail),
    {Initial, Loud, length(Greeting)}.

minus(L) ->
    Unwanted = [0, 1],
    Kept = L -- Unwanted,
    case Kept of
        [] -> nothing;
        [K | More] -> {K, length(More)}
    end.
