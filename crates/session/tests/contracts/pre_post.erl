%% Preconditions and postconditions: right functions, and the same with a mistake planted.
-module(pre_post).
-compile([export_all, nowarn_export_all]).

-pre("find(L, _) -> length(L) > 0").
-post("find(L, K) = R -> R < 0 orelse (R =< length(L) andalso lists:nth(R, L) == K)").
-post("find(L, K) = R -> R > 0 orelse lists:all(fun(X) -> X /= K end, L)").
-post("find_bad(L, K) = R -> R < 0 orelse (R =< length(L) andalso lists:nth(R, L) == K)").
-pre("sqrt(X) -> X >= 0").
-post("sqrt(X) = R -> R * R =< X, (R + 1) * (R + 1) > X").
-post("sqrt_bad(X) = R -> R * R =< X andalso (R + 1) * (R + 1) > X").
-pre({divide/2, may_divide/2}).
-post({divide/2, divided/3}).
-post({divide_bad/2, divided/3}).
-post("sorted(L) = R -> R =:= lists:sort(L)").
-post("sorted_bad(L) = R -> R =:= lists:sort(L)").
-post("rev(L) = R -> length(R) =:= length(L) andalso lists:reverse(R) =:= L").
-post("rev_bad(L) = R -> length(R) =:= length(L)").
-pre("twice(0) -> true; twice(N) when N > 0 -> true; twice(_) -> false").
-pre("tagged(X) -> case X of {ok, _} -> true; _ -> {false, \"it should be {ok, _}\"} end").
-pre(["two(X, _) -> is_integer(X)", "two(_, Y) -> is_atom(Y)"]).
-post("maps(M) = #{a := A} -> A > map_size(M)").
-post("bits(<<N, _/binary>>) = R -> R =:= N").
-post("bits_bad(<<N, _/binary>>) = R -> R =:= N").
-pre("none() -> true").
-post("none() = R -> R =:= ok").
-post("none_bad() = R -> R =:= ok").
-post("thrown(_) = _ -> false").

find(L, K) -> find(L, K, 1).
find([], _, _) -> -1;
find([K | _], K, N) -> N;
find([_ | T], K, N) -> find(T, K, N + 1).
find_bad(L, K) -> case find(L, K, 1) of -1 -> -1; N -> N + 1 end.
sqrt(X) -> sqrt(X, 0).
sqrt(X, N) when (N + 1) * (N + 1) > X -> N;
sqrt(X, N) -> sqrt(X, N + 1).
sqrt_bad(X) -> X div 2.
divide(A, B) -> {A div B, A rem B}.
divide_bad(A, B) -> {A div B, B}.
may_divide(_, B) -> B =/= 0.
divided(A, B, {Q, R}) -> Q * B + R =:= A.
sorted([]) -> [];
sorted([X | T]) -> insert(X, sorted(T)).
insert(X, [Y | T]) when Y < X -> [Y | insert(X, T)];
insert(X, L) -> [X | L].
sorted_bad(L) -> lists:usort(L).
rev(L) -> lists:foldl(fun(X, A) -> [X | A] end, [], L).
rev_bad([_ | T]) -> rev(T);
rev_bad([]) -> [].
twice(N) -> 2 * N.
tagged({ok, X}) -> X;
tagged(_) -> none.
two(X, Y) -> {X, Y}.
maps(M) -> M#{a => 10}.
bits(<<N, _/binary>>) -> N.
bits_bad(<<N, _/binary>>) -> N band 15.
none() -> ok.
none_bad() -> not_ok.
thrown(X) -> throw(X).

%! find([1,2,3], 3): 3
%! find([1,2,3], 4): -1
%! find([], 3): pre caller
%! find_bad([1,2,3], 2): post callee
%! find_bad([1,2,3], 9): -1
%! sqrt(17): 4
%! sqrt(-1): pre caller
%! sqrt_bad(16): post callee
%! sqrt_bad(4): 2
%! divide(7, 2): {3,1}
%! divide(7, 0): pre caller
%! divide_bad(7, 2): post callee
%! sorted([3,1,2,1]): [1,1,2,3]
%! sorted_bad([3,1,2,1]): post callee
%! sorted_bad([3,1,2]): [1,2,3]
%! rev([1,2,3]): [3,2,1]
%! rev_bad([1,2,3]): post callee
%! rev_bad([]): []
%! twice(0): 0
%! twice(4): 8
%! twice(-4): pre caller
%! tagged({ok,1}): 1
%! tagged(no): pre caller
%! two(1, a): {1,a}
%! two(a, a): pre caller
%! two(1, 1): pre caller
%! maps(#{}): #{a => 10}
%! bits(<<200, 1>>): 200
%! bits_bad(<<200, 1>>): post callee
%! bits_bad(<<3>>): 3
%! none(): ok
%! none_bad(): post callee
