%% The macros of EDBC, as in its examples.
-module(edbc_macros).
-include_lib("edbc/include/edbc.hrl").
-compile([export_all, nowarn_export_all]).

?PRE(fun pre_f/0).
f(0) -> 10;
f(N) -> Prev = f(N - 1), Prev - 1.
?POST(fun post_f/0).

pre_f() ->
    case ?P(1) >= 0 of
        true -> true;
        false -> {false, "The first parameter should be greater than or equal to 0."}
    end.
post_f() -> ?R >= ?P(1).

?PRE(fun() -> length(?P(1)) > 0 end).
?SDECREASES(?P(1)).
?PURE.
-spec find([integer()], integer()) -> integer().
find([K | _], K) -> 1;
find([_], _) -> -1;
find([_ | T], K) ->
    case find(T, K) of
        -1 -> -1;
        N -> N + 1
    end.
?POST(fun() -> ?R < 0 orelse (?R =< length(?P(1)) andalso lists:nth(?R, ?P(1)) == ?P(2)) end).
?POST(fun() -> ?R > 0 orelse lists:all(fun(K) -> K /= ?P(2) end, ?P(1)) end).

?SDECREASES(?P(1)).
-spec fib(integer()) -> integer().
fib(0) -> 0;
fib(1) -> 1;
fib(N) -> fib(N - 1) + fib(N + 2).

?DECREASES([?P(1), ?P(2)]).
both(0, _) -> ok;
both(A, B) -> both(A - 1, B + 1).

?EXPECTED_TIME(fun() -> 20 + (length(?P(1)) * 100) end).
f_time(L) -> [timer:sleep(100 * (1 + (N rem 2))) || N <- L], ok.

?TIMEOUT(fun() -> 150 end).
f_stop(L) -> [timer:sleep(100) || _ <- L], ok.

?PURE.
g3() -> put(x, 1).
?PURE.
g4() -> lists:sum([1, 2]).

%! f(3): 7
%! f(6): post callee
%! f(-1): pre caller
%! find([1,2,3], 3): 3
%! find([1,2,3], 4): -1
%! find([], 3): pre caller
%! find([a], 3): spec caller
%! fib(2): sdecreases callee
%! fib(a): spec caller
%! both(2, 2): decreases callee
%! f_time([2,4,6]): ok
%! f_time([1,2,3,4,5,6,7,8,9,10]): expected_time callee
%! f_stop([1]): ok
%! f_stop([1,2,3]): timeout callee
%! g3(): pure callee
%! g4(): 3
