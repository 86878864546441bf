%% erl_internal: what the compiler knows about builtin functions, operators and types.
%%
%% The lists are those of OTP 25.
-module(erl_internal).

-export([add_predefined_functions/1, arith_op/2, bif/2, bif/3, bool_op/2, comp_op/2, guard_bif/2,
         is_type/2, list_op/2, new_type_test/2, old_bif/2, old_type_test/2, op_type/2, send_op/2,
         type_test/2]).

%% ---- functions ----

%% The functions of the module erlang that can be called without naming it.
-spec bif(module(), atom(), arity()) -> boolean().
bif(erlang, Name, Arity) -> bif(Name, Arity);
bif(Module, Name, Arity) when is_atom(Module), is_atom(Name), is_integer(Arity) -> false.

-spec bif(atom(), arity()) -> boolean().
bif(Name, Arity) when is_atom(Name), is_integer(Arity) -> lists:member(Name, auto_imported(Arity)).

%% Those that were there before OTP R14: a module may not define them without further ado.
-spec old_bif(atom(), arity()) -> boolean().
old_bif(Name, Arity) when is_atom(Name), is_integer(Arity) ->
    lists:member(Name, auto_imported(Arity)) andalso not lists:member(Name, newer(Arity)).

auto_imported(0) ->
    [alias, date, erase, garbage_collect, get, get_keys, group_leader, halt, is_alive, make_ref,
     node, nodes, now, pre_loaded, processes, registered, self, time];
auto_imported(1) ->
    [abs, alias, atom_to_binary, atom_to_list, binary_to_atom, binary_to_existing_atom,
     binary_to_float, binary_to_integer, binary_to_list, binary_to_term, bit_size,
     bitstring_to_list, byte_size, ceil, check_old_code, delete_module, demonitor,
     disconnect_node, erase, error, exit, float, float_to_binary, float_to_list, floor,
     garbage_collect, get, get_keys, halt, hd, integer_to_binary, integer_to_list, iolist_size,
     iolist_to_binary, is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function,
     is_integer, is_list, is_map, is_number, is_pid, is_port, is_process_alive, is_reference,
     is_tuple, length, link, list_to_atom, list_to_binary, list_to_bitstring,
     list_to_existing_atom, list_to_float, list_to_integer, list_to_pid, list_to_port,
     list_to_ref, list_to_tuple, map_size, module_loaded, node, nodes, pid_to_list, port_close,
     port_to_list, process_info, purge_module, ref_to_list, round, size, spawn, spawn_link,
     spawn_monitor, spawn_request, spawn_request_abandon, statistics, term_to_binary,
     term_to_iovec, throw, tl, trunc, tuple_size, tuple_to_list, unalias, unlink, unregister,
     whereis];
auto_imported(2) ->
    [apply, atom_to_binary, binary_part, binary_to_atom, binary_to_existing_atom,
     binary_to_integer, binary_to_term, check_process_code, demonitor, element, error, exit,
     float_to_binary, float_to_list, garbage_collect, group_leader, halt, integer_to_binary,
     integer_to_list, is_function, is_map_key, is_record, list_to_integer, load_module, map_get,
     max, min, monitor, monitor_node, nodes, open_port, port_command, port_connect, process_flag,
     process_info, put, register, spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request,
     split_binary, term_to_binary, term_to_iovec];
auto_imported(3) ->
    [apply, binary_part, binary_to_list, check_process_code, error, is_record, monitor,
     port_command, port_control, process_flag, setelement, spawn, spawn_link, spawn_monitor,
     spawn_opt, spawn_request];
auto_imported(4) ->
    [spawn, spawn_link, spawn_monitor, spawn_opt, spawn_request];
auto_imported(5) ->
    [spawn_opt, spawn_request];
auto_imported(_) -> [].

%% The auto-imported functions that came later.
newer(0) ->
    [alias, get_keys];
newer(1) ->
    [alias, atom_to_binary, binary_to_atom, binary_to_existing_atom, binary_to_float,
     binary_to_integer, ceil, check_old_code, demonitor, error, float_to_binary, floor,
     integer_to_binary, is_map, list_to_port, list_to_ref, map_size, port_to_list, ref_to_list,
     spawn_request, spawn_request_abandon, term_to_iovec, unalias];
newer(2) ->
    [binary_part, binary_to_integer, binary_to_term, demonitor, error, float_to_binary,
     float_to_list, garbage_collect, halt, integer_to_binary, integer_to_list, is_map_key,
     list_to_integer, map_get, max, min, monitor, nodes, spawn_monitor, spawn_request,
     term_to_iovec];
newer(3) ->
    [binary_part, check_process_code, error, monitor, port_command, spawn_request];
newer(4) ->
    [spawn_monitor, spawn_request];
newer(5) ->
    [spawn_request];
newer(_) -> [].

-spec guard_bif(atom(), arity()) -> boolean().
guard_bif(Name, Arity) when is_atom(Name), is_integer(Arity) ->
    new_type_test(Name, Arity) orelse lists:member(Name, guards(Arity)).

guards(0) -> [node, self];
guards(1) ->
    [abs, bit_size, byte_size, ceil, float, floor, hd, length, map_size, node, round, size, tl, trunc,
     tuple_size];
guards(2) -> [binary_part, element, is_map_key, map_get];
guards(3) -> [binary_part];
guards(_) -> [].

-spec type_test(atom(), arity()) -> boolean().
type_test(Name, Arity) -> new_type_test(Name, Arity) orelse old_type_test(Name, Arity).

-spec new_type_test(atom(), arity()) -> boolean().
new_type_test(Name, 1) when is_atom(Name) ->
    lists:member(Name, [is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function, is_integer,
                        is_list, is_map, is_number, is_pid, is_port, is_reference, is_tuple]);
new_type_test(Name, 2) when is_atom(Name) -> Name =:= is_function orelse Name =:= is_record;
new_type_test(Name, 3) when is_atom(Name) -> Name =:= is_record;
new_type_test(Name, Arity) when is_atom(Name), is_integer(Arity) -> false.

-spec old_type_test(atom(), arity()) -> boolean().
old_type_test(Name, 1) when is_atom(Name) ->
    lists:member(Name, [atom, binary, float, function, integer, list, number, pid, port, reference,
                        tuple]);
old_type_test(Name, 2) when is_atom(Name) -> Name =:= record;
old_type_test(Name, Arity) when is_atom(Name), is_integer(Arity) -> false.

%% ---- operators ----

-spec op_type(atom(), 1..2) -> arith | bool | comp | list | send.
op_type(Op, 1) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot' -> arith;
op_type('not', 1) -> bool;
op_type(Op, 2)
  when Op =:= '*'; Op =:= '/'; Op =:= '+'; Op =:= '-'; Op =:= 'div'; Op =:= 'rem'; Op =:= 'band';
       Op =:= 'bor'; Op =:= 'bxor'; Op =:= 'bsl'; Op =:= 'bsr' -> arith;
op_type(Op, 2) when Op =:= 'and'; Op =:= 'or'; Op =:= 'xor' -> bool;
op_type(Op, 2)
  when Op =:= '=='; Op =:= '/='; Op =:= '=<'; Op =:= '<'; Op =:= '>='; Op =:= '>'; Op =:= '=:=';
       Op =:= '=/=' -> comp;
op_type(Op, 2) when Op =:= '++'; Op =:= '--' -> list;
op_type('!', 2) -> send.

-spec arith_op(atom(), arity()) -> boolean().
arith_op(Op, Arity) -> is_op(Op, Arity, arith).

-spec bool_op(atom(), arity()) -> boolean().
bool_op(Op, Arity) -> is_op(Op, Arity, bool).

-spec comp_op(atom(), arity()) -> boolean().
comp_op(Op, Arity) -> is_op(Op, Arity, comp).

-spec list_op(atom(), arity()) -> boolean().
list_op(Op, Arity) -> is_op(Op, Arity, list).

-spec send_op(atom(), arity()) -> boolean().
send_op(Op, Arity) -> is_op(Op, Arity, send).

is_op(Op, Arity, Type) when is_atom(Op), is_integer(Arity) ->
    try op_type(Op, Arity) =:= Type
    catch error:function_clause -> false
    end.

%% ---- types ----

-spec is_type(atom(), arity()) -> boolean().
is_type(Name, 0) ->
    lists:member(Name, [any, arity, atom, binary, bitstring, bool, boolean, byte, char, float, function,
                        identifier, integer, iodata, iolist, list, map, maybe_improper_list, mfa, module,
                        neg_integer, nil, no_return, node, non_neg_integer, none, nonempty_binary,
                        nonempty_bitstring, nonempty_list, nonempty_maybe_improper_list,
                        nonempty_string, number, pid, port, pos_integer, reference, string, term,
                        timeout, tuple]);
is_type(Name, 1) -> Name =:= list orelse Name =:= nonempty_list;
is_type(Name, 2) ->
    lists:member(Name, [maybe_improper_list, nonempty_improper_list, nonempty_maybe_improper_list]);
is_type(_Name, _Arity) -> false.

%% ---- functions that every module has ----

%% Adds module_info/0,1 and, if the module has callbacks, behaviour_info/1.
-spec add_predefined_functions([erl_parse:abstract_form()]) -> [erl_parse:abstract_form()].
add_predefined_functions(Forms) ->
    Attributes = [{Name, Value} || {attribute, _, Name, Value} <- Forms],
    {module, Module} = lists:keyfind(module, 1, Attributes),
    Functions = [erl_parse:new_anno(Function)
                 || Function <- behaviour_info(Attributes) ++ predefined(Module)],
    Exported = [{Name, Arity} || {function, _, Name, Arity, _} <- Functions],
    Forms ++ [{attribute, 0, export, Exported} | Functions].

predefined(Module) ->
    [{function, 0, module_info, length(Args),
      [{clause, 0, Args, [],
        [{call, 0, {remote, 0, {atom, 0, erlang}, {atom, 0, get_module_info}},
          [{atom, 0, Module} | Args]}]}]}
     || Args <- [[], [{var, 0, 'X'}]]].

behaviour_info(Attributes) ->
    case [Callback || {callback, {Callback, _}} <- Attributes, tuple_size(Callback) =:= 2] of
        [] ->
            case lists:keymember(callback, 1, Attributes) of
                true -> [behaviour_info([], Attributes)];
                false -> []
            end;
        Callbacks -> [behaviour_info(Callbacks, Attributes)]
    end.

behaviour_info(Callbacks, Attributes) ->
    Optional = lists:append([List || {optional_callbacks, List} <- Attributes, is_function_list(List)]),
    {function, 0, behaviour_info, 1,
     [{clause, 0, [{atom, 0, Key}], [], [abstract_list(List)]}
      || {Key, List} <- [{callbacks, Callbacks}, {optional_callbacks, Optional}]]}.

is_function_list([{Name, Arity} | List]) when is_atom(Name), is_integer(Arity), Arity >= 0 ->
    is_function_list(List);
is_function_list(List) -> List =:= [].

abstract_list([{Name, Arity} | List]) ->
    {cons, 0, {tuple, 0, [{atom, 0, Name}, {integer, 0, Arity}]}, abstract_list(List)};
abstract_list([]) -> {nil, 0}.
