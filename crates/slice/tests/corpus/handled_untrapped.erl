%% Who is linked to a process that fails ends with it, unless the failure is handled there.
%% inputs: main(int), unlinked(int)
-module(handled_untrapped).
-export([main/1, unlinked/1]).

main(X) ->
    Me = self(),
    {_, M} = spawn_monitor(fun() ->
        Middle = self(),
        spawn_link(fun() ->
            try check(X) catch throw:{small, _} -> ok end,
            Middle ! {checked, X}
        end),
        receive {checked, Y} -> Me ! {told, Y} end
    end),
    Down = receive
        {'DOWN', M, _, _, {{nocatch, {large, N}}, _}} -> {large, N};
        {'DOWN', M, _, _, Why} -> Why
    end,
    Told = receive {told, Y} -> Y after 0 -> none end,
    {Down, Told}.

check(X) when X > 5 -> throw({large, X});
check(X) when X < 0 -> throw({small, X});
check(_) -> ok.

unlinked(X) ->
    Me = self(),
    P = spawn(fun() ->
        Q = spawn_link(fun() -> receive go -> check(X) end end),
        X < 8 andalso unlink(Q),
        Q ! go,
        receive after 20 -> Me ! {alive, self()} end
    end),
    Alive = receive {alive, P} -> true after 100 -> false end,
    Alive.
