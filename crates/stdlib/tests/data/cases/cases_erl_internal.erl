-module(cases_erl_internal).
-export([cases/0, scripts/0]).

-import(arb, [elements/1, freq/1, int/2]).

cases() ->
    Name = elements([element(1, X) || X <- erlang:module_info(exports)] ++ [atom, list, number, any, term, '!', 'andalso', foo]),
    Arity = int(0, 5),
    [{F, [Name, Arity], [{count, 4000}]} || F <- [bif, old_bif, guard_bif, type_test, new_type_test, old_type_test, arith_op, bool_op, comp_op,
                                                 list_op, send_op, op_type, is_type]]
    ++ [{bif, [elements([erlang, lists]), Name, Arity]}, {add_predefined_functions, [fun forms/0], [{wrong, 0}]}].

forms() ->
    [{attribute, 1, module, m}] ++
    arb:pick([[], [{attribute, 2, callback, {{init, 1}, []}}, {attribute, 3, callback, {{stop, 0}, []}}], [{attribute, 2, callback, {{m, init, 1}, []}}]]) ++
    arb:pick([[], [{attribute, 4, optional_callbacks, [{stop, 0}]}], [{attribute, 4, optional_callbacks, foo}]]) ++
    [{function, 5, f, 0, []}].

%% All types by name.
scripts() ->
    [{"every builtin", 1, fun(Lib) ->
         M = Lib(erl_internal),
         [{F, A, M:bif(F, A), M:old_bif(F, A), M:guard_bif(F, A), M:type_test(F, A)} || {F, A} <- lists:sort(erlang:module_info(exports))]
     end},
     {"every type", 1, fun(Lib) ->
         M = Lib(erl_internal),
         Names = [any, arity, atom, binary, bitstring, bool, boolean, byte, char, float, function, identifier, integer, iodata, iolist, list, map,
                  maybe_improper_list, mfa, module, neg_integer, nil, no_return, node, non_neg_integer, none, nonempty_binary, nonempty_bitstring,
                  nonempty_improper_list, nonempty_list, nonempty_maybe_improper_list, nonempty_string, number, pid, port, pos_integer, reference,
                  string, term, timeout, tuple, dynamic, record],
         [{N, A, M:is_type(N, A), M:old_type_test(N, A)} || N <- Names, A <- [0, 1, 2, 3]]
     end}].
