%% tries in tries: which one takes an exception decides what is skipped.
%% inputs: main(int), classes(int), handlers(int)
-module(handled_nested).
-export([main/1, classes/1, handlers/1]).

main(X) ->
    put(path, []),
    try
        try
            try
                go(X),
                mark(1)
            catch throw:{a, _} -> ok
            end,
            mark(2)
        catch throw:{b, _} -> ok
        end,
        mark(3)
    catch throw:{_, _} -> ok
    end,
    Path = get(path),
    Path.

go(X) when X > 5 -> throw({a, X});
go(X) when X > 2 -> throw({b, X});
go(X) when X < 0 -> throw({c, X});
go(_) -> ok.

mark(N) -> put(path, [N | get(path)]).

classes(X) ->
    put(path, []),
    try
        try
            fail(X),
            mark(1)
        catch
            exit:_ -> mark(exit)
        end,
        mark(2)
    catch
        error:_ -> ok;
        throw:_ -> mark(throw)
    end,
    Path = get(path),
    Path.

fail(X) when X > 5 -> exit(X);
fail(X) when X > 2 -> error(X);
fail(X) when X < 0 -> throw(X);
fail(_) -> ok.

handlers(X) ->
    put(path, []),
    try
        try
            fail(X)
        catch
            _:Y ->
                try
                    fail(Y - 4),
                    mark(handled)
                catch
                    error:_ -> mark(again)
                end
        end,
        mark(inner)
    catch _:_ -> ok
    end,
    Path = get(path),
    Path.
