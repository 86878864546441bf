%% What the reasons of failures say, and which functions there are.
%% inputs: args_of(int), badarity(int), badfun(any), case_clause(int), if_clause(int), try_clause(int), badmap(any), badkey(int), badrecord(any), generator(any), undef(int), error_args(int), arith(any), badarg(any), fun_clause(int), nocatch(int), limit(int), badmatch2(int), exported(int), info(int), arity_of(int), same_fun(int), opaque(int), update(any)
-module(failing_reasons).
-export([args_of/1, badarity/1, badfun/1, case_clause/1, if_clause/1, try_clause/1, badmap/1, badkey/1, badrecord/1, generator/1, undef/1, error_args/1, arith/1, badarg/1, fun_clause/1, nocatch/1, limit/1, badmatch2/1, exported/1, info/1, arity_of/1, same_fun/1, opaque/1, update/1]).
-export([helper/1, other/2]).
-record(r, {a, b}).

f(1, X) -> X;
f(2, X) -> X * 2.

args_of(N) ->
    A = try f(N, N * 3) of V -> V catch error:function_clause:S -> [{_, F, Args, _} | _] = S, {F, Args} end,
    A.

badarity(N) ->
    F = fun(X) -> X + N end,
    A = try F(N, N + 1) catch error:{badarity, {_, Args}} -> Args end,
    A.

badfun(X) ->
    A = try X(1) catch error:{badfun, Y} -> {no, Y}; error:{badarity, _} -> ar end,
    A.

case_clause(N) ->
    A = try case {N, N + 1} of {1, Y} -> Y; {2, _} -> two end catch error:{case_clause, {_, Z}} -> Z end,
    A.

if_clause(N) ->
    A = try if N > 3 -> big; N < 0 -> small end catch error:if_clause -> none end,
    A.

try_clause(N) ->
    A = try try N * 2 of 2 -> two; 4 -> four catch throw:_ -> no end catch error:{try_clause, V} -> V end,
    A.

badmap(X) ->
    A = try X#{a => 1} catch error:{badmap, Y} -> Y end,
    B = try maps:get(key, X) catch error:{badkey, K} -> K; error:{badmap, Z} -> {nomap, Z} end,
    {A, B}.

badkey(N) ->
    M = #{N => 1},
    A = try map_get(3, M) catch error:{badkey, K} -> {K, maps:size(M)} end,
    A.

badrecord(X) ->
    A = try X#r.a catch error:{badrecord, Y} -> Y end,
    A.

generator(X) ->
    A = try [Y || Y <- X] catch error:{bad_generator, Z} -> {gen, Z} end,
    A.

undef(N) ->
    A = try ?MODULE:nothing(N) catch error:undef:S -> [{_, F, Args, _} | _] = S, {F, Args} end,
    B = try helper(N) catch error:_ -> e end,
    {A, B}.

helper(N) -> N + 1.

other(A, B) -> A + B.

error_args(N) ->
    A = try error({bad, N}, [N, x]) catch error:{bad, V}:S -> [{_, _, Args, _} | _] = S, {V, Args} end,
    A.

arith(X) ->
    A = try X + 1 catch error:badarith -> bad end,
    B = try 10 div X catch error:badarith -> bad end,
    C = try -X catch _:_ -> bad end,
    {A, B, C}.

badarg(X) ->
    A = try list_to_atom(X) catch error:badarg -> bad end,
    B = try element(2, X) catch error:badarg -> bad end,
    C = try binary_to_term(X) catch error:badarg -> bad end,
    {is_atom(A), B, C}.

fun_clause(N) ->
    F = fun(0) -> zero; (K) when K > 5 -> {big, K} end,
    A = try F(N) catch error:function_clause -> none end,
    A.

nocatch(N) ->
    {P, R} = spawn_monitor(fun() -> if N > 3 -> throw({t, N}); true -> exit({n, N}) end end),
    A = receive {'DOWN', R, process, P, {{nocatch, T}, _}} -> T; {'DOWN', R, process, P, W} -> W end,
    A.

limit(N) ->
    A = try binary:part(<<"abcdef">>, N, 2) catch error:badarg -> out end,
    B = try lists:nth(N, [a, b, c]) catch error:_ -> out end,
    C = try lists:seq(1, N) of L -> length(L) catch error:_ -> none end,
    {A, B, C}.

badmatch2(N) ->
    A = try {ok, [X | _]} = g(N), X catch error:{badmatch, {ok, []}} -> empty; error:{badmatch, {E, V}} -> {E, V} end,
    A.

g(N) when N > 3 -> {error, N};
g(N) when N < 0 -> {ok, []};
g(N) -> {ok, [N, N]}.

exported(N) ->
    A = erlang:function_exported(?MODULE, helper, 1),
    B = erlang:function_exported(?MODULE, other, 2),
    C = erlang:function_exported(?MODULE, g, 1),
    {A, B, C, N}.

info(N) ->
    E = ?MODULE:module_info(exports),
    A = lists:member({other, 2}, E),
    B = proplists:get_value(arity, erlang:fun_info(fun other/2)),
    {A, B, N}.

arity_of(N) ->
    F = case N > 3 of true -> fun(X) -> X end; false -> fun(X, Y) -> X + Y end end,
    A = is_function(F, 1),
    {arity, B} = erlang:fun_info(F, arity),
    C = case F of G when is_function(G, 2) -> G(N, 1); G -> G(N) end,
    {A, B, C}.

same_fun(N) ->
    F = fun helper/1,
    G = fun ?MODULE:helper/1,
    H = fun ?MODULE:helper/1,
    A = G =:= H,
    B = F(N) =:= G(N),
    {A, B}.

opaque(N) ->
    T = term_to_binary({N, [a, b]}),
    {M, _} = binary_to_term(T),
    A = erlang:phash2({N, x}) =:= erlang:phash2({M, x}),
    {M, A}.

update(X) ->
    A = try X#r{b = 2} catch error:{badrecord, Y} -> {no, Y} end,
    B = try X#{k := 1} catch error:{badmap, Z} -> Z; error:{badkey, _} -> key end,
    {A, B}.
