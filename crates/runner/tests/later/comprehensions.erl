%% Comprehensions of OTP 26 to 29: of maps (EEP 58), strict (EEP 70), side by side (EEP 73), with several
%% values (EEP 78), with assignments (EEP 77, a feature).
-module(comprehensions).
-feature(compr_assign, enable).
-export([main/0]).

main() ->
    M = #{a => 1, b => 2, c => 3},
    show(maps, [#{V => K || K := V <- M}, #{I => I * I || I <- [1, 2, 3]}, #{I => x || <<I>> <= <<1, 2>>}, #{K => V || K := V <- M, V > 1}]),
    show(from_maps, [lists:sort([{K, V} || K := V <- M, V > 1]), [V || b := V <- M], << <<V>> || _ := V <- maps:iterator(M, ordered) >>]),
    show(iterators, [[K || K := _ <- maps:iterator(M, reversed)], [K || K := _ <- maps:iterator(#{})], [K || K := _ <- maps:next(maps:iterator(M, ordered))]]),
    show(large, lists:sum([V || _ := V <- #{I => I || I <- lists:seq(1, 1000)}])),
    show(same_key, #{K => V || {K, V} <- [{a, 1}, {b, 2}, {a, 3}]}),
    show(no_source, [caught(F) || F <- [fun() -> [K || K := _ <- x] end, fun() -> [K || K := _ <- [1]] end, fun() -> #{K => 1 || K <- #{}} end, fun() -> [K || K <:- {a}] end]]),
    show(strict, [[X || {ok, X} <:- [{ok, 1}, {ok, 2}]], [X || <<X:4>> <:= <<1, 2>>], [X || _ := {ok, X} <:- #{a => {ok, 1}}], [X || X <:- []]]),
    show(not_matched, [caught(F) || F <- [fun() -> [X || {ok, X} <:- [{ok, 1}, {error, 2}]] end, fun() -> [X || <<1:4, X:4>> <:= <<16#11, 16#22>>] end,
                                          fun() -> [X || _ := {ok, X} <:- #{a => {error, 1}}] end, fun() -> << <<X>> || <<X:6>> <:= <<1, 2>> >> end,
                                          fun() -> #{X => 1 || {X} <:- [1]} end]]),
    show(zipped, [[{X, Y} || X <- [1, 2, 3] && Y <- "abc"], [{X, Y, Z} || X <- [1, 2] && <<Y>> <= <<3, 4>> && _ := Z <- maps:iterator(#{a => 1, b => 2}, ordered)],
                  [{X, Y, Z} || X <- [1, 2] && Y <- [a, b], Z <- [X, Y]], [X + Y || X <- [1, 2, 3] && Y <- [1, 2, 3], X =/= 2], #{X => Y || X <- [a] && Y <- [b]}]),
    show(zipped_some, [{X, Y} || {ok, X} <- [{ok, 1}, no, {ok, 3}] && Y <- [a, b, c]]),
    show(uneven, [caught(F) || F <- [fun() -> [{X, Y} || X <- [1, 2, 3] && Y <- [1]] end, fun() -> [{X, Y} || X <- [] && Y <- [1]] end]]),
    show(several, [[I, -I || I <- [1, 2, 3]], #{I => a, -I => b || I <- [1, 2]}, [X, Y, {X, Y} || {X, Y} <- [{1, 2}, {3, 4}]], << <<I>> || I <- [1, 2] >>]),
    show(assigned, [[Y || X <- [1, 2, 3], Y = X * X, Y > 1], [{A, B} || X <- [1, 2], {A, B} = {X, X + 1}], [Z || Z = 7], [{X, Y} || Y = 1, X <- [Y, 2], Y = X + 1]]),
    Y = outer,
    show(hidden, {[Y || X <- [1, 2], Y = X * 10], Y}),
    show(not_assigned, [caught(fun() -> [X || X <- [1, 2], 1 = X] end), caught(fun() -> [X || X <- [1], {ok, _} = X] end)]),
    show(applied, {adder(1)(2), (fun(A) -> fun(B) -> fun(C) -> {A, B, C} end end end)(1)(2)(3)}).

adder(X) -> fun(Y) -> X + Y end.

show(What, Value) -> io:format("~w: ~w~n", [What, Value]).

caught(F) ->
    try F() catch Class:Reason -> {Class, Reason} end.
%> maps: [#{1 => a,2 => b,3 => c},#{1 => 1,2 => 4,3 => 9},#{1 => x,2 => x},#{b => 2,c => 3}]
%> from_maps: [[{b,2},{c,3}],[2],<<1,2,3>>]
%> iterators: [[c,b,a],[],[a,b,c]]
%> large: 500500
%> same_key: #{a => 3,b => 2}
%> no_source: [{error,{bad_generator,x}},{error,{bad_generator,[1]}},{error,{bad_generator,#{}}},{error,{bad_generator,{a}}}]
%> strict: [[1,2],[0,1,0,2],[1],[]]
%> not_matched: [{error,{badmatch,{error,2}}},{error,{badmatch,<<34>>}},{error,{badmatch,{a,{error,1}}}},{error,{badmatch,<<2:4>>}},{error,{badmatch,1}}]
%> zipped: [[{1,97},{2,98},{3,99}],[{1,3,1},{2,4,2}],[{1,a,1},{1,a,a},{2,b,2},{2,b,b}],[2,6],#{a => b}]
%> zipped_some: [{1,a},{3,c}]
%> uneven: [{error,{bad_generators,{[2,3],[]}}},{error,{bad_generators,{[],[1]}}}]
%> several: [[1,-1,2,-2,3,-3],#{-2 => b,-1 => b,1 => a,2 => a},[1,2,{1,2},3,4,{3,4}],<<1,2>>]
%> assigned: [[4,9],[{1,2},{2,3}],[7],[{1,2},{2,3}]]
%> hidden: {[10,20],outer}
%> not_assigned: [{error,{badmatch,2}},{error,{badmatch,1}}]
%> applied: {3,{1,2,3}}
