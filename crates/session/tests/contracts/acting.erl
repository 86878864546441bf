%% Purity and time.
-module(acting).
-compile([export_all, nowarn_export_all]).

-pure([area/1, total/1, sorted/1, squares/1, raises/1, loop/1, nested/1]).
-pure([puts/1, gets/0, sends/1, receives/0, spawns/0, prints/1, table/1, deep/1, refs/0, clock/0]).
-expected_time("short(_) -> 50").
-expected_time("sleeps(_) -> 50").
-expected_time("linear(L) -> 1 + length(L)").
-timeout("stops(_) -> 20").
-timeout("waits(_) -> 20").
-timeout("quick(_) -> 20").
-spec typed(integer()) -> integer().
-timeout("typed(_) -> 20").

area({square, S}) -> S * S;
area({circle, R}) -> 3.14 * R * R.
total(L) -> lists:sum(lists:map(fun(X) -> X + 1 end, L)).
sorted(L) -> lists:sort(L).
squares(N) -> [X * X || X <- lists:seq(1, N)].
raises(X) -> try error(X) catch error:Y -> Y end.
loop(0) -> ok;
loop(N) -> loop(N - 1).
nested(N) -> puts_not(N).
puts_not(N) -> N.
puts(X) -> put(a, X), X.
gets() -> get(a).
sends(X) -> self() ! X.
receives() -> receive _ -> ok after 0 -> none end.
spawns() -> is_pid(spawn(fun() -> ok end)).
prints(X) -> io:format("~p~n", [X]).
table(X) -> T = ets:new(t, []), ets:insert(T, {a, X}), ets:lookup(T, a).
deep(N) -> lists:map(fun(X) -> inner(X) end, [N]).
inner(X) -> erase(X).
refs() -> make_ref() =:= make_ref().
clock() -> erlang:monotonic_time() > 0.

short(N) -> lists:sum(lists:seq(1, N)).
sleeps(N) -> timer:sleep(N), N.
linear(L) -> lists:sum([begin timer:sleep(X), X end || X <- L]).
stops(N) -> spin(N).
spin(0) -> ok;
spin(N) -> spin(N - 1).
waits(N) -> timer:sleep(N), N.
quick(N) -> N + 1.
typed(N) -> N + 1.

%! area({square,2}): 4
%! total([1,2]): 5
%! sorted([2,1]): [1,2]
%! squares(3): [1,4,9]
%! raises(x): x
%! loop(100000): ok
%! nested(1): 1
%! puts(1): pure callee
%! gets(): pure callee
%! sends(1): pure callee
%! receives(): pure callee
%! spawns(): pure callee
%! prints(1): pure callee
%! table(1): pure callee
%! deep(1): pure callee
%! refs(): pure callee
%! clock(): pure callee
%! short(100): 5050
%! sleeps(10): 10
%! sleeps(60): expected_time callee
%! linear([1,1]): 2
%! linear([1,8]): expected_time callee
%! stops(1000): ok
%! stops(10000000): timeout callee
%! waits(10): 10
%! waits(1000): timeout callee
%! quick(1): 2
%! typed(1): 2
%! typed(a): spec caller
