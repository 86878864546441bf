%% A module that a transform of the same program rewrites.
-module(transforms).
-compile({parse_transform, doubling}).
-export([main/0]).

main() ->
    io:format("~w~n", [[1, 2, 3]]),
    io:format("~w~n", [added(7)]),
    try failing() catch error:Reason:Stack ->
        {_, Name, _, Where} = hd(Stack),
        io:format("~w ~w ~w~n", [Reason, Name, proplists:get_value(line, Where)]) end,
    io:format("~w~n", [lists:keyfind(seen, 1, ?MODULE:module_info(attributes))]).

failing() ->
    _ = 1,
    error(oops).
