-module(sample_eunit).
-include_lib("eunit/include/eunit.hrl").

a_test() -> io:format("hello~n"), ?assertEqual(3, id(1) + 2).
b_test() -> io:format("out ~p~n", [x]), ?assertEqual(4, id(1) + 2).
c_test_() -> [?_assert(true), ?_assertNot(id(1) =:= 2), {"titled", ?_assertMatch({ok, _}, {ok, 1})}].
d_test_() -> {setup, fun() -> put(k, v), started end, fun(started) -> ok end,
              fun(S) -> [?_assertEqual(started, S), fun() -> undefined = get(k) end] end}.
e_test_() -> {foreach, fun() -> 1 end, [fun(X) -> ?_assertEqual(1, X) end, fun(X) -> {"two", ?_assertEqual(2, X)} end]}.
f_test_() -> {inparallel, [fun() -> timer:sleep(20), ok end, fun() -> ok end, ?_assertError(badarith, 1 / id(0))]}.
h_test_() -> [fun() -> exit(boom) end, fun() -> ok end].
j_test_() -> {setup, fun() -> error(no_setup) end, fun(_) -> [?_assert(true)] end}.
k_test_() -> {foreachx, fun(X) -> X * 2 end, fun(_, _) -> ok end,
              [{1, fun(1, 2) -> ?_assert(true) end}, {2, fun(X, Y) -> {"pair", ?_assertEqual(5, X + Y)} end}]}.
l_test_() -> {with, 7, [fun(X) -> ?assertEqual(7, X) end, fun m/1]}.
o_test() -> properties(fun() -> ?assertException(throw, foo, throw(bar)) end).
p_test() -> ?assertException(error, foo, ok).
q_test() -> ?assertNotMatch({_, _}, {1, 2}, "my comment").
r_test_() -> {inorder, [{"x", [{"y", fun() -> ok end}]}, {"z", {setup, local, fun() -> ok end, [fun() -> ok end]}}]}.
s_test_() -> {setup, [{db, fun() -> db end, fun(db) -> ok end}, {web, fun() -> web end}], fun([db, web]) -> ?_assert(true) end}.
t_test() -> "Hi" = begin io:format("Hi"), ?capturedOutput end.
u_test() -> ?assert(id(maybe)).
v_test() -> properties(fun() -> ?assertNotException(error, _, error(x)) end).

id(X) -> X.

%% Without the stack, which is the runner's.
properties(Fun) ->
    try Fun() catch error:{Kind, List} -> error({Kind, [case P of {K, {C, R, _}} -> {K, C, R}; _ -> P end || P <- List]}) end.

m(X) -> ?assert(X > 10).
