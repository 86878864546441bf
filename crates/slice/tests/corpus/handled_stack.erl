%% Stack traces in handlers: raised again, looked at, passed on.
%% inputs: main(int), depth(int), given(int)
-module(handled_stack).
-export([main/1, depth/1, given/1]).

main(X) ->
    put(n, 0),
    try
        try outer(X), put(n, 1)
        catch error:R:St ->
            put(has, is_list(St)),
            erlang:raise(exit, {passed, R}, St)
        end
    catch exit:{passed, {zero, _}} -> ok; exit:{passed, badarith} -> put(n, 2)
    end,
    N = get(n),
    Has = get(has),
    {N, Has}.

outer(X) when X < 2 -> error({zero, X});
outer(X) -> 10 div (X - 4).

depth(X) ->
    put(n, 0),
    try outer(X)
    catch
        error:badarith:St -> [{M, F, _, _} | _] = St, put(n, {M, F});
        error:{zero, _}:St -> put(n, element(2, hd(St)));
        _:_ -> ok
    end,
    N = get(n),
    N.

given(X) ->
    put(n, 0),
    try
        erlang:error({given, X}, [X, 1])
    catch
        error:{given, Y}:_ when Y > 3 -> ok;
        error:{given, _}:St -> put(n, length(element(3, hd(St))))
    end,
    N = get(n),
    N.
