%% The right side of `++` after a comprehension is evaluated first, whatever else the order is.
-module(comprehension_append).
-export([main/0]).

main() ->
    io:format("~p~n", [[say(X) || X <- [1, 2]] ++ [say(end_of_list)]]),
    io:format("~p~n", [([say(X) || X <- [1]] ++ [say(Y) || Y <- [2]]) ++ say([3])]),
    io:format("~p~n", [[say(X) || X <- []] ++ say(no_list)]),
    io:format("~p~n", [[a] ++ [say(X) || X <- [1]] ++ say([4])]),
    try [error(left) || true] ++ error(right)
    catch error:Reason -> io:format("~p~n", [Reason])
    end,
    io:format("~p~n", [[say(X) || X <- [1]] -- say([1])]).

say(X) ->
    io:format("~p ", [X]),
    X.
