%% Exceptions that handlers raise again, as they are or changed.
%% inputs: main(int), class(int), wrapped(int)
-module(handled_raise).
-export([main/1, class/1, wrapped/1]).

main(X) ->
    put(n, 0),
    try
        try
            fail(X),
            add(1)
        catch
            C:R:S when R =/= quiet -> add(2), erlang:raise(C, R, S);
            _:quiet -> ok
        end,
        add(4)
    catch
        error:loud -> ok;
        throw:{loud, _} -> add(8)
    end,
    N = get(n),
    N.

fail(X) when X > 6 -> error(loud);
fail(X) when X > 4 -> error(quiet);
fail(X) when X > 2 -> throw({loud, X});
fail(X) when X < 0 -> throw(quiet);
fail(_) -> ok.

add(N) -> put(n, get(n) + N).

class(X) ->
    put(n, 0),
    Class = if X > 3 -> error; true -> throw end,
    try
        erlang:raise(Class, {reason, X}, []),
        add(1)
    catch
        throw:{reason, Y} when Y > 0 -> add(2);
        throw:_ -> ok;
        error:{reason, 4} -> ok;
        error:_:_ -> add(4)
    end,
    N = get(n),
    N.

wrapped(X) ->
    put(n, 0),
    try
        try fail(X) catch throw:T -> exit({wrapped, T}); error:E -> throw({error, E}) end,
        add(1)
    catch
        exit:{wrapped, {loud, _}} -> ok;
        exit:{wrapped, quiet} -> add(2);
        throw:{error, quiet} -> ok;
        throw:{error, _} -> add(4)
    end,
    N = get(n),
    N.
