%% What programs seldom do.
%% inputs: imports(list(int)), shadow_bif(int), names(int), dynamic(one(plus; minus; nothing), int), raising(int), self_loop(nat), catch_args(any), guards_fail(any, any), rec_defaults(int), send3(int), persist(int), counters(list(int)), keypos(list({int, atom})), element_update(int), replace(list(int)), env(int), block_in_arg(int), tuple_calls(int), big_case(int), after_only(int), nested_try(int, int), fun_in_map(int, int), acc_in_state(list(int)), early(list(int))
-module(odd_corners).
-export([imports/1, shadow_bif/1, names/1, dynamic/2, raising/1, self_loop/1, catch_args/1, guards_fail/2, rec_defaults/1, send3/1, persist/1, counters/1, keypos/1, element_update/1, replace/1, env/1, block_in_arg/1, tuple_calls/1, big_case/1, after_only/1, nested_try/2, fun_in_map/2, acc_in_state/1, early/1]).
-export([plus/1, minus/1]).
-import(lists, [reverse/1, foldl/3]).
-compile({no_auto_import, [length/1]}).

-record(opt, {a = next(1), b = [x], c}).

imports(L) ->
    R = reverse(L),
    S = foldl(fun(X, A) -> X - A end, 0, R),
    {R, S, length(L)}.

length(L) -> foldl(fun(_, N) -> N + 2 end, 0, L).

shadow_bif(N) ->
    L = lists:seq(1, N rem 4 + 1),
    A = length(L),
    B = erlang:length(L),
    {A, B}.

names(N) ->
    {?FUNCTION_NAME, ?FUNCTION_ARITY, N + ?LINE - ?LINE}.

dynamic(F, N) ->
    R = try ?MODULE:F(N) catch error:undef -> none end,
    G = fun ?MODULE:plus/1,
    H = erlang:make_fun(?MODULE, minus, 1),
    A = G(N), B = H(A),
    {R, A, B}.

plus(N) -> N + 10.
minus(N) -> N - 10.

raising(N) ->
    try
        try
            if N > 5 -> error({big, N}); N > 2 -> throw(N); true -> N end
        catch
            error:{big, M}:S when M < 100 -> erlang:raise(throw, {rethrown, M}, S)
        end
    of
        V -> {fine, V}
    catch
        throw:{rethrown, K} -> {again, K};
        throw:K -> {thrown, K};
        C:_ -> C
    end.

self_loop(N) ->
    self() ! {step, N rem 6, []},
    loop().

loop() ->
    receive
        {step, 0, Acc} -> Acc;
        {step, K, Acc} -> self() ! {step, K - 1, [K * K | Acc]}, loop()
    end.

catch_args(X) ->
    T = {catch hd(X), catch tl(X), catch X + 1},
    {A, _, C} = T,
    B = case A of {'EXIT', {Why, _}} -> Why; Other -> Other end,
    D = case C of {'EXIT', _} -> no; _ -> C end,
    {B, D}.

guards_fail(A, B) when hd(A) > 1; element(1, B) =:= x -> {first, A};
guards_fail(A, B) when A + B > 3 -> {second, A + B};
guards_fail(_, B) when is_map(B), map_size(B) > 0 -> map;
guards_fail(A, B) -> {none, A, B}.

rec_defaults(N) ->
    R = #opt{c = N},
    S = R#opt{b = [N | R#opt.b]},
    #opt{a = A, b = [B | _]} = S,
    {A, B, S#opt.c}.

next(N) -> N + 41.

send3(N) ->
    P = self(),
    ok = erlang:send(P, {m, N}, [noconnect]),
    Q = spawn(fun() -> receive {x, Y} -> erlang:send(P, {y, Y + N}) end end),
    Q ! {x, 5},
    A = receive {m, V} -> V end,
    B = receive {y, W} -> W end,
    {A, B}.

persist(N) ->
    persistent_term:put({?MODULE, k}, N),
    persistent_term:put(other, N * 2),
    A = persistent_term:get({?MODULE, k}),
    B = persistent_term:get(missing, A + 1),
    persistent_term:erase(other),
    C = persistent_term:get(other, gone),
    {A, B, C}.

counters(L) ->
    C = counters:new(2, []),
    [counters:add(C, 1 + abs(X) rem 2, X) || X <- L],
    A = counters:get(C, 1),
    R = atomics:new(1, []),
    [atomics:add(R, 1, X) || X <- L, X > 0],
    B = atomics:exchange(R, 1, 7),
    D = atomics:get(R, 1),
    {A, B, D}.

keypos(L) ->
    T = ets:new(t, [{keypos, 2}, ordered_set]),
    [ets:insert(T, P) || P <- L],
    A = case ets:lookup(T, a) of [{N, a}] -> N; [] -> none end,
    B = ets:select_count(T, [{{'$1', '_'}, [{'>', '$1', 0}], [true]}]),
    F = ets:first(T),
    {A, B, F}.

element_update(N) ->
    T = ets:new(t, []),
    ets:insert(T, {k, N, old}),
    true = ets:update_element(T, k, {2, N + 1}),
    ets:update_element(T, k, [{3, new}]),
    C = ets:update_counter(T, k, {2, 5}),
    D = ets:update_counter(T, fresh, 1, {fresh, N}),
    [{k, A, B}] = ets:lookup(T, k),
    {A, B, C, D}.

replace(L) ->
    T = ets:new(t, []),
    ets:insert(T, [{X, 0} || X <- L]),
    N = ets:select_replace(T, [{{'$1', '$2'}, [{'>', '$1', 2}], [{{'$1', 1}}]}]),
    Ones = ets:match_object(T, {'_', 1}),
    ets:match_delete(T, {'_', 0}),
    {N, lists:sort(Ones), ets:info(T, size)}.

env(N) ->
    application:set_env(my_app, key, N),
    {ok, A} = application:get_env(my_app, key),
    B = application:get_env(my_app, none, A * 2),
    application:unset_env(my_app, key),
    C = application:get_env(my_app, key),
    {A, B, C}.

block_in_arg(N) ->
    A = lists:max([begin X = N * 2, X + 1 end, case N of 1 -> Y = 5, Y; _ -> Y = 6, 0 end]),
    {A, X, Y}.

tuple_calls(N) ->
    F = {fun(X) -> X + N end, fun(X) -> X * N end},
    {P, M} = F,
    A = (element(1, F))(3),
    B = P(M(2)),
    {A, B}.

big_case(N) ->
    X = case N of
        1 -> {a, N};
        2 -> {b, N, N};
        _ when N < 0 -> {neg, -N};
        _ -> [N]
    end,
    case X of
        {_, V} -> V;
        {_, V, W} -> V + W;
        [V | _] -> V
    end.

after_only(N) ->
    put(x, 0),
    R = try put(x, N), N * 2 after put(x, get(x) + 1) end,
    X = get(x),
    S = (catch try throw(N) after put(x, X + 5) end),
    {R, X, S, get(x)}.

nested_try(A, B) ->
    X = try A div B catch error:badarith -> try hd(B) catch error:badarg -> bad; error:Y -> {other, Y} end end,
    Z = try X + 1 of W when W > 3 -> W; _ -> small catch _:_ -> failed end,
    {X, Z}.

fun_in_map(A, B) ->
    M = #{add => fun(X) -> X + A end, mul => fun(X) -> X * B end, val => A},
    #{add := F, val := V} = M,
    G = maps:get(mul, M),
    R = F(V),
    S = (maps:get(add, M))(G(R)),
    {R, S}.

acc_in_state(L) ->
    Pid = spawn(fun() -> keeper([], 0) end),
    [Pid ! {add, X} || X <- L],
    Pid ! {get, self()},
    {List, Sum} = receive {state, Ls, Sm} -> {Ls, Sm} end,
    Pid ! stop,
    {erlang:length(List), Sum}.

keeper(L, Sum) ->
    receive
        {add, X} when X > 5 -> keeper([X | L], Sum);
        {add, X} -> keeper(L, Sum + X);
        {get, To} -> To ! {state, L, Sum}, keeper(L, Sum);
        stop -> ok
    end.

early(L) ->
    R = (catch [case X of 3 -> throw({stop, X}); _ -> put(last, X), X end || X <- L]),
    Last = get(last),
    case R of
        {stop, S} -> {stopped, S, Last};
        _ -> {all, R}
    end.
