%% Variables that are bound to constants: funs do not take them along, which shows in their names in stack traces and in
%% what they are made of.
-module(constants_in_funs).
-export([main/0, id/1]).

main() ->
    [io:format("~p~n", [made(F)]) || F <- [one(), two(3), shadowed(), in_case(1), nested(4), before()]],
    io:format("~p~n", [[F(1) || F <- [one(), two(3), shadowed(), in_case(1), nested(4), before()]]]),
    [io:format("~p~n", [failure(F)]) || F <- [one(), two(3), nested(4)]],
    patterns().

made(F) ->
    {env, Env} = erlang:fun_info(F, env),
    length(Env).

failure(F) ->
    try F(a)
    catch error:Reason:Stack -> {Reason, [{Name, Arity} || {?MODULE, Name, Arity, _} <- Stack]}
    end.

one() ->
    Timeout = 5000,
    fun(X) -> ?MODULE:id(X) + Timeout end.

two(N) ->
    Name = "abc",
    Pair = {a, [1, 2.0]},
    fun(X) -> {?MODULE:id(X) + N, Name, Pair} end.

%% The second clause has another X.
shadowed() ->
    X = 7,
    F = fun(a) -> X; (X) -> fun() -> X end end,
    fun(N) -> {F(a), (F(N))()} end.

%% In one of two branches.
in_case(N) ->
    case N of
        1 -> K = 10;
        _ -> K = ?MODULE:id(11)
    end,
    fun(X) -> X + K end.

nested(N) ->
    Base = 2,
    fun(X) -> Step = 3, (fun(Y) -> Y * Base + Step * N + X end)(?MODULE:id(X)) end.

%% The value is known only afterwards.
before() ->
    V = ?MODULE:id(5),
    F = fun(X) -> X + V end,
    V = 5,
    F.

patterns() ->
    Size = 8,
    Key = k,
    Is = 3,
    F = fun(<<N:Size, Rest/binary>>, #{Key := Is}, Is) -> {N, Rest}; (_, _, _) -> no end,
    {F(<<1, 2>>, #{k => 3}, 3), F(<<1, 2>>, #{k => 4}, 3), F(<<1>>, #{k => 3}, 4), [X || X <- [1, 2, 3], X =/= Is]}.

id(X) -> X.
