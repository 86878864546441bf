-module(hello).
-export([main/0]).

main() ->
    io:format("hello ~p~n", [world]),
    ok.
