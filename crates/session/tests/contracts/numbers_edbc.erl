%% EDBC's manner, on numbers, time, purity and records.
-module(numbers_edbc).
-include_lib("edbc/include/edbc.hrl").
-compile([export_all, nowarn_export_all]).
-record(account, {owner :: atom(), balance = 0 :: integer(), limit = 0}).
-define(MIN, 0).

?PRE(fun() -> ?P(1) >= ?MIN end).
?SDECREASES(?P(1)).
factorial(0) -> 1;
factorial(N) when N > 0 -> N * factorial(N - 1).
?POST(fun() -> ?R >= ?P(1) end).

?PRE(fun() -> ?P(1) >= ?MIN end).
?SDECREASES(?P(1)).
factorial_bad(0) -> 0;
factorial_bad(N) when N > 0 -> N * factorial_bad(N - 1).
?POST(fun() -> ?R >= ?P(1) end).
?POST(fun() -> ?R > 0 end).

?PRE(fun() -> is_integer(?P(1)) andalso is_integer(?P(2)) andalso ?P(2) =/= 0 end).
?SDECREASES(abs(?P(2))).
gcd(A, B) when A rem B =:= 0 -> abs(B);
gcd(A, B) -> gcd(B, A rem B).
?POST(fun() -> ?P(1) rem ?R =:= 0 andalso ?P(2) rem ?R =:= 0 end).

?PRE(fun() -> ?P(2) =/= 0 end).
?SDECREASES(?P(2)).
gcd_bad(A, B) when A rem B =:= 0 -> B;
gcd_bad(A, B) -> gcd_bad(B, B + A rem B).

?SDECREASES([?P(1)]).
ackermann_outer(0, N) -> N + 1;
ackermann_outer(M, 0) -> ackermann_outer(M - 1, 1);
ackermann_outer(M, N) -> ackermann_outer(M - 1, ackermann_outer(M, N - 1)).

?DECREASES(?P(1)).
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

%% The tuple of both is lexicographic.
?SDECREASES({?P(1), ?P(2)}).
ackermann_lex(0, N) -> N + 1;
ackermann_lex(M, 0) -> ackermann_lex(M - 1, 1);
ackermann_lex(M, N) -> ackermann_lex(M - 1, ackermann_lex(M, N - 1)).

?SDECREASES(?P(2) - ?P(1)).
up(N, N) -> done;
up(A, N) when A < N -> up(A + 1, N).

?SDECREASES(?P(2) - ?P(1)).
up_bad(N, N) -> done;
up_bad(A, N) when A rem 3 =:= 0 -> up_bad(A, N + 1);
up_bad(A, N) -> up_bad(A + 1, N).

?PRE(fun() -> #account{balance = B, limit = L} = ?P(1), B - ?P(2) >= L end).
withdraw(#account{balance = B} = A, N) -> A#account{balance = B - N}.
?POST(fun() -> ?R#account.balance =:= (?P(1))#account.balance - ?P(2) end).

withdraw_bad(#account{balance = B} = A, N) when N > 100 -> A#account{balance = B};
withdraw_bad(#account{balance = B} = A, N) -> A#account{balance = B - N}.
?POST(fun() -> ?R#account.balance =:= (?P(1))#account.balance - ?P(2) end).

?EXPECTED_TIME(fun() -> 10 * length(?P(1)) + 5 end).
sleepy(L) -> lists:foreach(fun(_) -> timer:sleep(10) end, L), done.
?EXPECTED_TIME(fun() -> 10 * length(?P(1)) + 5 end).
sleepy_bad(L) -> lists:foreach(fun(X) -> timer:sleep(10 * X) end, L), done.

?TIMEOUT(fun() -> 50 end).
-spec waits(timeout()) -> ok.
waits(T) -> receive never -> never after T -> ok end.

?TIMEOUT(fun() -> 20 end).
loops(0) -> done;
loops(N) -> loops(N - 1).

?PURE.
mean(L) -> lists:sum(L) / length(L).
?PURE.
mean_bad(L) -> self() ! counted, lists:sum(L) / length(L).
?PURE.
stamp(X) -> {X, X + 1}.
?PURE.
stamp_bad(X) -> {X, erlang:monotonic_time()}.
?PURE.
logs(X) -> io_lib:format("~p", [X]), X.
?PURE.
logs_bad(X) -> io:format("~p", [X]), X.
?PURE.
memo(K, M) -> maps:get(K, M, none).
?PURE.
memo_bad(K) -> case get(K) of undefined -> none; V -> V end.
?PURE.
sorts(L) -> lists:sort(fun(A, B) -> A >= B end, L).
?PURE.
sorts_bad(L) -> lists:sort(fun(A, B) -> erlang:send(self(), {A, B}), A >= B end, L).
?PURE.
tables_bad() -> T = ets:new(t, []), ets:insert(T, {a, 1}), ets:lookup(T, a).
?PURE.
spawns_bad() -> spawn(fun() -> ok end), ok.
?PURE.
receives_bad() -> receive X -> X after 0 -> none end.

-spec bounded(X, [X]) -> boolean() when X :: atom().
bounded(X, L) -> lists:member(X, L).
-spec overloaded(integer()) -> integer(); (atom()) -> atom().
overloaded(X) when is_integer(X) -> X + 1;
overloaded(a) -> 1;
overloaded(X) -> X.

%! factorial(5): 120
%! factorial(-1): pre caller
%! factorial_bad(3): post callee
%! gcd(12, 18): 6
%! gcd(12, 0): pre caller
%! gcd_bad(12, 4): 4
%! gcd_bad(12, 18): sdecreases callee
%! ackermann(2, 2): 7
%! ackermann_outer(0, 3): 4
%! ackermann_outer(2, 2): sdecreases callee
%! ackermann_lex(2, 3): 9
%! up(1, 5): done
%! up_bad(1, 2): done
%! up_bad(1, 5): sdecreases callee
%! withdraw({account, a, 10, 0}, 4): {account,a,6,0}
%! withdraw({account, a, 10, 0}, 11): pre caller
%! withdraw(other, 1): pre contract
%! withdraw_bad({account, a, 10, 0}, 4): {account,a,6,0}
%! withdraw_bad({account, a, 1000, 0}, 400): post callee
%! sleepy([1,2,3]): done
%! sleepy_bad([1,1]): done
%! sleepy_bad([2,2]): expected_time callee
%! waits(10): ok
%! waits(1000): timeout callee
%! waits(x): spec caller
%! loops(1000): done
%! loops(5000000): timeout callee
%! mean([1,2,3]): 2.0
%! mean_bad([1,2,3]): pure callee
%! stamp(1): {1,2}
%! stamp_bad(1): pure callee
%! logs(1): 1
%! logs_bad(1): pure callee
%! memo(a, #{a => 1}): 1
%! memo_bad(a): pure callee
%! sorts([1,2]): [2,1]
%! sorts_bad([1,2]): pure callee
%! tables_bad(): pure callee
%! spawns_bad(): pure callee
%! receives_bad(): pure callee
%! bounded(a, [b]): false
%! bounded(1, [b]): spec caller
%! bounded(a, [1]): spec caller
%! overloaded(1): 2
%! overloaded(b): b
%! overloaded(a): spec callee
%! overloaded("a"): spec caller
