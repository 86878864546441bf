%% Comprehensions whose value nobody looks at: they need no stack, whatever their length.
-module(unused_comprehensions).
-export([main/0]).

main() ->
    _ = [refused(N) || N <- lists:seq(1, 300000)],
    [refused(N) || N <- lists:seq(1, 1000), N rem 3 =:= 0],
    case id(1) of
        1 -> [put({A, B}, A * B) || A <- [1, 2, 3], B <- [A, 10], A =/= B];
        _ -> none
    end,
    io:format("~p~n", [lists:sort(get())]),
    begin [io:format("~p ", [X]) || <<X>> <= <<1, 2, 3>>], io:format("~n") end,
    _ = [begin Square = N * N, io:format("~p~n", [Square]) end || N <- [1, 2]],
    try [fails(N) || N <- [1, 2, 3]], ok
    catch error:Reason:Stack -> io:format("~p ~p~n", [Reason, named(Stack)])
    end,
    try _ = [[fails(N + M) || M <- [1]] || N <- [0, 1, 2]], ok
    catch error:Reason2:Stack2 -> io:format("~p ~p~n", [Reason2, named(Stack2)])
    end,
    Used = [N + 1 || N <- [1, 2, 3]],
    Used.

refused(N) ->
    {'EXIT', {badarith, _}} = (catch N + id(a)).

fails(3) -> error(three);
fails(N) -> N.

named(Stack) -> [{F, A} || {?MODULE, F, A, _} <- Stack].

id(X) -> X.
