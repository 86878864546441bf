%% Exceptions of all kinds, and who takes them.
-module(failures_of_all_kinds).
-export([main/0, thrower/1, start/0]).
main() ->
    Cases = [fun() -> lists:map(fun(X) -> throw({t, X}) end, [1]) end, fun() -> thrower(e) end, fun() -> thrower(x) end, fun() -> thrower(badarith) end,
             fun() -> thrower(badmatch) end, fun() -> thrower(case_clause) end, fun() -> thrower(if_clause) end, fun() -> thrower(nope) end, fun() -> thrower(badarg) end,
             fun() -> thrower(undef) end, fun() -> thrower(badfun) end, fun() -> thrower(badarity) end, fun() -> thrower(noproc) end, fun() -> thrower(rethrow) end,
             fun() -> thrower(badmap) end, fun() -> thrower(badrecord) end, fun() -> thrower(in_after) end, fun() -> thrower(nested) end, fun() -> thrower(lc) end, fun() -> thrower(bad_generator) end, fun() -> thrower(bin) end, fun() -> thrower(trycl) end],
    A = [outer(C) || C <- Cases],
    B = [catch C() || C <- Cases],
    C = try deep(5) catch throw:{deep, N} -> N end,
    D = try maps:fold(fun(K, V, _) -> exit({K, V}) end, 0, #{a => 1}) catch exit:{a, V} -> V end,
    E = case catch ets:foldl(fun(X, _) -> throw(X) end, 0, tab()) of {k, v} -> kv; Other -> Other end,
    F = try gen_server:call(start(), die) catch exit:{Reason, {gen_server, call, _}} -> element(1, Reason) end,
    G = try sets:fold(fun(X, _) -> error({s, X}) end, 0, sets:from_list([1])) catch error:{s, Y} -> Y after self() ! done end,
    receive done -> ok end,
    {A, B, C, D, E, F, G}.
start() -> spawn(fun() -> receive {'$gen_call', _, die} -> exit({boom, 1}) end end).
tab() -> T = ets:new(t, []), ets:insert(T, {k, v}), T.
deep(0) -> throw({deep, 0});
deep(N) -> X = deep(N - 1), X + 1.
outer(C) ->
    try C() of
        V -> {v, V}
    catch
        throw:T when is_tuple(T) -> {t, T};
        error:E:S -> inner(E, S);
        exit:_ -> x;
        _:_ -> rest
    end.
inner(E, S) -> try erlang:raise(error, {wrapped, E}, S) catch error:{wrapped, undef} -> u; _:{wrapped, X} -> X end.
-record(r, {a}).
thrower(e) -> error(e);
thrower(x) -> exit(x);
thrower(badarith) -> 1 / id(0);
thrower(badmatch) -> {a, X} = id(b), X;
thrower(case_clause) -> case id(1) of 2 -> ok end;
thrower(if_clause) -> Y = id(1), if Y > 1 -> ok end;
thrower(badarg) -> atom_to_list(id(1));
thrower(undef) -> nomod:nofun(1);
thrower(badfun) -> F = id(a), F(1);
thrower(badarity) -> F = id(fun() -> ok end), F(1);
thrower(noproc) -> gen_server:call(nobody_there, x);
thrower(rethrow) -> try throw(inner) catch throw:I -> throw({again, I}) end;
thrower(badmap) -> M = id(a), M#{a => 1};
thrower(badrecord) -> R = id(a), R#r.a;
thrower(in_after) -> try ok after throw({from_after, 1}) end;
thrower(nested) -> try try error(one) catch error:two -> ok end catch error:one -> throw({two, 2}) after id(3) end;
thrower(lc) -> [throw({lc, X}) || X <- [1, 2]];
thrower(bad_generator) -> [X || X <- id(a)];
thrower(bin) -> <<(id(a))/binary>>;
thrower(trycl) -> try id(1) of 2 -> ok catch _:_ -> no end;
thrower(N) when is_integer(N) -> N.
id(X) -> X.
