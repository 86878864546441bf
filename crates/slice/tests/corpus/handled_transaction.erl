%% A transaction: what is written is undone where something fails.
%% inputs: main(list(one({put, a, 1}; {put, b, 2}; {drop, a}; {drop, c}; fail; {check, a})))
-module(handled_transaction).
-export([main/1]).

main(Commands) ->
    T = ets:new(store, []),
    ets:insert(T, {a, 0}),
    R = transaction(T, fun() -> [run(T, C) || C <- Commands] end),
    A = ets:lookup(T, a),
    B = ets:lookup(T, b),
    {R, A, B}.

transaction(T, F) ->
    Before = ets:tab2list(T),
    try
        F(),
        commit
    catch
        throw:{rollback, _} ->
            ets:delete_all_objects(T),
            ets:insert(T, Before),
            rollback;
        error:{missing, Key} when Key =/= a -> partly
    end.

run(T, {put, K, V}) -> ets:insert(T, {K, V});
run(T, {drop, K}) -> ets:member(T, K) orelse error({missing, K}), ets:delete(T, K);
run(_, fail) -> throw({rollback, fail});
run(T, {check, K}) ->
    case ets:lookup(T, K) of
        [{K, 1}] -> throw({rollback, K});
        _ -> ok
    end.
