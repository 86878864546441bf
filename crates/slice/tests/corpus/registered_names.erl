%% A server that is known by its name.
%% inputs: counter(list(int)), missing(atom), rename(int)
-module(registered_names).
-export([counter/1, missing/1, rename/1]).

counter(L) ->
    Pid = spawn(fun() -> loop(0) end),
    register(the_counter, Pid),
    [the_counter ! {add, X} || X <- L],
    the_counter ! {get, self()},
    Total = receive {total, T} -> T end,
    the_counter ! stop,
    Total.

loop(Sum) ->
    receive
        {add, N} -> loop(Sum + N);
        {get, From} ->
            From ! {total, Sum},
            loop(Sum);
        stop -> ok
    end.

missing(Name) ->
    case whereis(Name) of
        undefined -> {nobody, Name};
        Pid when is_pid(Pid) -> somebody
    end.

rename(N) ->
    register(first, self()),
    first ! {n, N},
    unregister(first),
    register(second, self()),
    second ! {m, N + 1},
    A = receive {n, X} -> X end,
    B = receive {m, Y} -> Y end,
    unregister(second),
    {A, B, whereis(first)}.
