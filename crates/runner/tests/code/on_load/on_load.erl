%% Functions that run when a module is loaded.
-module(on_load).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    show(loaded_by_call, load_good:value()),
    show(undefined, try load_bad:value() catch C1:R1 -> {C1, R1} end),
    show(spawned, element(1, await(spawn_monitor(load_bad, value, [])))),
    show(spawned_fun, await(spawn_monitor(fun load_good2:value/0))),
    show(failed, code:ensure_loaded(load_bad)),
    show(crashed, code:ensure_loaded(load_crash)),
    show(good, code:ensure_loaded(load_good)),
    show(nif, load_nif:value()).

await({Pid, Ref}) -> receive {'DOWN', Ref, process, Pid, Reason} -> Reason end.

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).
