-module(bits_of_large).
-export([main/0]).

main() ->
    X = id(1 bsl 59),
    io:format("~p~n", [catch << <<E:8>> || E <- [X] >>]),
    io:format("~p~n", [catch <<X:8>>]),
    io:format("~p~n", [catch <<X:100>>]),
    io:format("~p~n", [catch <<(-X):7>>]),
    io:format("~p~n", [catch << <<E:8>> || E <- [5] >>]),
    io:format("~p~n", [catch << <<E:8>> || E <- try id([X]) catch error:_ -> [] end >>]),
    maps:get(k, #{k => << <<E:8>> || E <- try id([X]) catch error:_ -> [] end >>, l => 1}).

id(X) -> X.
