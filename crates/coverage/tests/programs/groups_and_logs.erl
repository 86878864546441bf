%% Groups that are watched, reports that funs make, filters.
-module(groups_and_logs).
-export([main/0]).
main() ->
    {ok, _} = pg:start(scope),
    {R, []} = pg:monitor(scope, grp),
    ok = pg:join(scope, grp, [self()]),
    receive {R, join, grp, [P]} -> P ! member end,
    receive member -> ok end,
    logger:set_primary_config(level, all),
    logger:add_primary_filter(f, {fun(Ev, X) -> X ! {filtered, maps:get(level, Ev)}, stop end, self()}),
    logger:notice(fun(A) -> {"~p", [A]} end, [1]),
    receive {filtered, L} -> L end,
    file:make_dir("/tmp/su12"), file:write_file("/tmp/su12/a.txt", "x"),
    N = filelib:fold_files("/tmp/su12", ".*", true, fun(F, Acc) -> [F | Acc] end, []),
    {L, length(N)}.
