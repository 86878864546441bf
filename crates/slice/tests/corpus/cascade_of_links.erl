%% Processes that link to those started before, and end with them.
%% inputs: cascade(list(int))
-module(cascade_of_links).
-export([cascade/1]).

check(N) when N > 4 -> error({large, N});
check(N) when N < -1 -> exit(low);
check(_) -> ok.

cascade(L) ->
    process_flag(trap_exit, true),
    Ps = lists:foldl(fun(X, Acc) ->
        P = spawn_link(fun() -> [link(Q) || Q <- Acc], receive go -> check(X), receive never -> ok end end end),
        [P | Acc] end, [], L),
    timer:sleep(2),
    [P ! go || P <- Ps],
    timer:sleep(2),
    Alive = length([P || P <- Ps, is_process_alive(P)]),
    [begin unlink(P), exit(P, kill) end || P <- Ps],
    Alive.

