-module(rate).
-export([main/0]).
main() ->
    ets:new(rate_tab, [named_table, public, set]),
    reset(u1, 3),
    A = [take(u1) || _ <- lists:seq(1, 5)],
    tick(2),
    B = [take(u1) || _ <- lists:seq(1, 3)],
    C = (catch take(u2)),
    T = spawn(fun() -> ticker(3) end),
    R = monitor(process, T),
    receive {'DOWN', R, process, T, _} -> ok end,
    {A, B, C, ets:lookup(rate_tab, u1), report()}.
reset(U, N) -> ets:insert(rate_tab, {U, N, «N¦N - 1», 0}).
take(U) ->
    case ets:lookup(rate_tab, U) of
        [{U, 0, _, _}] -> ets:update_counter(rate_tab, U, {4, «1¦2»}), denied;
        [{U, N, _, _}] -> ets:update_element(rate_tab, U, {2, N «- 1¦- 2»}), {ok, N};
        [] -> error({no_user, «U¦x»})
    end.
tick(K) ->
    ets:foldl(fun({U, N, Max, _}, _) -> ets:update_element(rate_tab, U, {2, min(N + K, Max)}) end, ok, rate_tab).
ticker(0) -> done;
ticker(N) -> receive after 2 -> tick(«1¦0») end, ticker(N - 1).
report() -> [{U, D} || {U, _, _, D} <- ets:tab2list(rate_tab), D > 0].
