-module(groups_tests).
%% Which tests of which groups share a process: each writes its process, what the last test left in the
%% dictionary, and how many messages there are.
-include_lib("eunit/include/eunit.hrl").
l(N) -> 
    K = get(seen), put(seen, N),
    Q = element(2, process_info(self(), message_queue_len)), self() ! N,
    file:write_file("procs.txt", io_lib:format("~s ~p ~p ~p~n", [N, self(), K, Q]), [append]).
a_test() -> l(a).
b_test() -> l(b).
c_test_() -> l(cgen), [fun() -> l(c1) end, {"title", fun() -> l(c2) end}, ?_test(l(c3))].
d_test_() -> {spawn, [?_test(l(d1)), ?_test(l(d2))]}.
e_test_() -> {setup, fun() -> l(esetup) end, fun(_) -> l(ecleanup) end, fun(_) -> l(einst), [?_test(l(e1)), ?_test(l(e2))] end}.
f_test_() -> {setup, local, fun() -> l(fsetup) end, fun(_) -> l(fcleanup) end, [?_test(l(f1)), ?_test(l(f2))]}.
g_test_() -> {setup, spawn, fun() -> l(gsetup) end, [?_test(l(g1)), ?_test(l(g2))]}.
h_test_() -> {foreach, fun() -> l(hsetup) end, fun(_) -> l(hcleanup) end, [fun(_) -> ?_test(l(h1)) end, fun(_) -> ?_test(l(h2)) end]}.
i_test_() -> {foreach, local, fun() -> l(isetup) end, fun(_) -> l(icleanup) end, [fun(_) -> ?_test(l(i1)) end, fun(_) -> ?_test(l(i2)) end]}.
j_test_() -> {inparallel, [?_test(l(j1)), ?_test(l(j2))]}.
k_test_() -> {inorder, [?_test(l(k1)), {inparallel, 1, [?_test(l(k2)), ?_test(l(k3))]}]}.
m_test_() -> {timeout, 10, [?_test(l(m1)), {timeout, 3, ?_test(l(m2))}]}.
n_test_() -> {"group", [{"inner", [?_test(l(n1))]}, {generator, fun() -> l(ngen), ?_test(l(n2)) end}]}.
o_test_() -> {with, x, [fun(_) -> l(o1) end, fun(_) -> l(o2) end]}.
p_test_() -> {spawn, {setup, local, fun() -> l(psetup) end, fun(_) -> ok end, [?_test(l(p1))]}}.
q_test_() -> {foreachx, fun(_) -> l(qsetup) end, fun(_, _) -> ok end, [{1, fun(_, _) -> ?_test(l(q1)) end}]}.
z_test() -> l(z).
