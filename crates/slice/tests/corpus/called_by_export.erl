%% Functions that are called by names, some of which the module is asked for.
%% inputs: run(int, one(inc; dec; sq; none))
-module(called_by_export).
-export([run/2, inc/1, dec/1, sq/1]).
run(N, Op) ->
    A = case erlang:function_exported(?MODULE, Op, 1) of true -> ?MODULE:Op(N); false -> none end,
    F = fun ?MODULE:inc/1,
    B = F(N),
    {module, M} = erlang:fun_info(F, module),
    {arity, Ar} = erlang:fun_info(fun dec/1, arity),
    C = M:dec(N),
    Fs = [{K, V} || {K, V} <- ?MODULE:module_info(exports), K =/= module_info],
    D = lists:foldl(fun({Fn, 1}, Acc) -> apply(?MODULE, Fn, [Acc]); (_, Acc) -> Acc end, N, lists:sort(Fs)),
    E = try apply(called_by_export_nowhere, f, [N]) catch error:undef -> undef end,
    G = try apply(?MODULE, Op, []) catch error:undef:St -> [{_, Fx, _, _} | _] = St, Fx end,
    {A, B, Ar, C, D, E, G}.
inc(X) -> X + 1.
dec(X) -> X - 1.
sq(X) -> X * X.
