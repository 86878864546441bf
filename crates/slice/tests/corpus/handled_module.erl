%% State in the environment of an application and of the node's time-outs, after failures.
%% inputs: main(int), terms(int)
-module(handled_module).
-export([main/1, terms/1]).

main(X) ->
    application:set_env(handled_module, level, 1),
    try
        X > 3 andalso error({level, X}),
        application:set_env(handled_module, level, 2)
    catch error:{level, _} -> ok
    end,
    Level = application:get_env(handled_module, level),
    Level.

terms(X) ->
    put(n, 0),
    B = term_to_binary({x, X}),
    Broken = if X > 3 -> binary_part(B, 0, 3); true -> B end,
    try
        {x, Y} = binary_to_term(Broken),
        put(n, Y)
    catch error:badarg -> ok
    end,
    try
        [Z] = io_lib:format("~w", [X]),
        put(n, {get(n), lists:flatten(Z)}),
        put(n, {get(n), io_lib:format("~w ~w", [X])})
    catch error:badarg -> ok
    end,
    N = get(n),
    N.
