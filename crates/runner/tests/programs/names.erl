%% Registered names: errors, taking over, and sending to them.
-module(names).
-export([main/0]).
main() ->
    true = register(main_process, self()),
    io:format("~p~n", [catch_badarg(fun() -> register(main_process, self()) end)]),
    io:format("~p~n", [catch_badarg(fun() -> register(undefined, self()) end)]),
    io:format("~p~n", [catch_badarg(fun() -> nobody ! hello end)]),
    main_process ! hello,
    receive hello -> io:format("by name~n") end,
    true = unregister(main_process),
    io:format("~p~n", [catch_badarg(fun() -> unregister(main_process) end)]),
    P = spawn(fun() -> receive stop -> ok end end),
    register(other, P),
    Ref = monitor(process, other),
    other ! stop,
    receive {'DOWN', Ref, process, {other, Node}, normal} -> Node =:= node() end,
    whereis(other).

catch_badarg(F) ->
    try F() catch error:badarg -> badarg end.
