%% try ... of: patterns of the value, failures of the section behind of are not handled here.
%% inputs: main(int), section(int), guards(int)
-module(handled_try_of).
-export([main/1, section/1, guards/1]).

main(X) ->
    put(n, 0),
    R = try value(X) of
        {ok, V} when V > 2 -> put(n, V), large;
        {ok, V} -> put(n, -V), small;
        none -> none
    catch
        throw:{low, _} -> low
    end,
    N = get(n),
    {R, N}.

value(X) when X > 6 -> none;
value(X) when X < 0 -> throw({low, X});
value(X) -> {ok, X}.

section(X) ->
    put(n, 0),
    try
        try value(X) of
            {ok, V} -> put(n, 1), value(V - 3);
            none -> value(-1)
        catch
            throw:{low, -4} -> ok;
            throw:{low, _} -> put(n, 2)
        end,
        put(n, get(n) + 10)
    catch
        throw:{low, L} when L > -3 -> ok;
        throw:{low, _} -> put(n, lost)
    end,
    N = get(n),
    N.

guards(X) ->
    put(n, 0),
    try
        try value(X) of
            {ok, V} when V < 2 -> put(n, 1);
            {ok, V} when V rem 2 =:= 0 -> put(n, 2)
        catch
            throw:_ -> ok
        end,
        put(n, get(n) + 10)
    catch
        error:{try_clause, none} -> ok;
        error:{try_clause, {ok, W}} when W > 3 -> put(n, W);
        error:{try_clause, _} -> ok
    end,
    N = get(n),
    N.
