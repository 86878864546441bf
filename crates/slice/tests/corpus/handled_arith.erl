%% Errors of operators and of builtins, ended by handlers for just these.
%% inputs: divide(int, int), builtins(int), texts(string), sums(list(any))
-module(handled_arith).
-export([divide/2, builtins/1, texts/1, sums/1]).

divide(X, Y) ->
    put(result, none),
    try
        put(result, X div Y),
        put(result, get(result) rem (X - 1))
    catch error:badarith -> ok
    end,
    Result = get(result),
    Result.

builtins(N) ->
    put(done, []),
    try element(N, {a, b, c}), done(element) catch error:badarg -> ok end,
    try hd(lists:nthtail(N, [1, 2, 3])), done(hd)
        catch error:badarg -> ok;
            error:function_clause -> ok end,
    try length([a | N]), done(length) catch error:badarg -> ok end,
    try list_to_tuple(lists:seq(1, N)), done(seq) catch error:function_clause -> ok end,
    try binary_part(<<1, 2, 3>>, 0, N), done(part) catch error:badarg -> ok end,
    Done = get(done),
    Done.

done(What) -> put(done, [What | get(done)]).

texts(T) ->
    put(number, none),
    try put(number, list_to_integer(T)) catch error:badarg -> ok end,
    try put(word, list_to_existing_atom(T)) catch error:_ -> put(word, none) end,
    {get(number), get(word)},
    Number = get(number),
    Number.

sums(L) ->
    put(sum, 0),
    try
        lists:foreach(fun(X) -> put(sum, get(sum) + X) end, L)
    catch error:badarith -> ok
    end,
    Sum = get(sum),
    Sum.
