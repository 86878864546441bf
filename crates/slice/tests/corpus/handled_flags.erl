%% Flags in the dictionary that handlers and what follows them look at.
%% inputs: main(list(int)), lock(int)
-module(handled_flags).
-export([main/1, lock/1]).

main(L) ->
    put(failed, 0),
    put(ok, 0),
    [run(X) || X <- L],
    Failed = get(failed),
    Ok = get(ok),
    {Failed, Ok}.

run(X) ->
    put(running, true),
    try
        work(X),
        put(ok, get(ok) + 1),
        put(running, false)
    catch throw:{skip, _} -> ok
    end,
    case get(running) of
        true -> put(failed, get(failed) + 1);
        false -> ok
    end.

work(X) when X rem 3 =:= 0 -> throw({skip, X});
work(_) -> ok.

lock(X) ->
    put(lock, free),
    put(log, []),
    try with_lock(fun() -> X > 4 andalso error(inside), log(work) end) catch error:inside -> ok end,
    try with_lock(fun() -> with_lock(fun() -> log(deep) end) end) catch throw:{locked, _} -> ok end,
    Lock = get(lock),
    Log = get(log),
    {Lock, Log}.

with_lock(F) ->
    get(lock) =:= free orelse throw({locked, F}),
    put(lock, taken),
    try F() after put(lock, free) end.

log(X) -> put(log, [X | get(log)]).
