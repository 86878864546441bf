%% The parse transform of proper.hrl: exports the properties of a module (`prop_*/0`), and makes
%% generators of types: a call of a function that the module does not have is meant as a type of that
%% name, and so is `m:f(…)` where a type is expected, if `m` has no such function.
-module(proper_transformer).

-export([parse_transform/2]).

-record(known, {functions, types}).

parse_transform(Forms, _Options) ->
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    Imports = lists:append([Names || {attribute, _, import, {_, Names}} <- Forms]),
    Types = [{Name, length(Variables)} || {attribute, _, Kind, {Name, _, Variables}} <- Forms,
                                          Kind =:= type orelse Kind =:= opaque orelse Kind =:= nominal],
    [Module | _] = [M || {attribute, _, module, M} <- Forms],
    Known = #known{functions = maps:from_keys(Functions ++ Imports, true),
                   types = maps:from_keys(Types, true)},
    Exports = [{Name, 0} || {Name, 0} <- Functions, lists:prefix("prop_", atom_to_list(Name))],
    exported(Exports, [form(Form, Module, Known) || Form <- Forms]).

exported(Exports, Forms) ->
    IsHead = fun(Form) -> not (element(1, Form) =:= attribute andalso element(3, Form) =:= module) end,
    {Before, [Module | After]} = lists:splitwith(IsHead, Forms),
    Before ++ [Module, {attribute, element(2, Module), export, Exports} | After].

form({function, At, Name, Arity, Clauses}, Module, Known) ->
    {function, At, Name, Arity, expr(Clauses, Module, Known)};
form(Form, _, _) ->
    Form.

%% Any part of a function.
expr({call, At, {atom, _, Name} = Callee, Arguments}, Module, Known) ->
    Inside = expr(Arguments, Module, Known),
    case as_type({Name, length(Arguments)}, Known) of
        true -> native(At, Module, Name, Inside);
        false -> {call, At, Callee, Inside}
    end;
expr({call, At, {remote, _, {atom, _, M}, {atom, _, F}} = Callee, [Type | Rest]}, Module, Known) ->
    Inside = expr(Type, Module, Known),
    First = case takes_type(M, F, length(Rest) + 1) of
                true -> type(Inside);
                false -> Inside
            end,
    {call, At, Callee, [First | expr(Rest, Module, Known)]};
expr(Tuple, Module, Known) when is_tuple(Tuple) ->
    list_to_tuple(expr(tuple_to_list(Tuple), Module, Known));
expr([First | Rest], Module, Known) ->
    [expr(First, Module, Known) | expr(Rest, Module, Known)];
expr(Other, _, _) ->
    Other.

%% A name that is no function. Types of the language need not be declared.
as_type(NameArity, #known{functions = Functions, types = Types}) ->
    {Name, Arity} = NameArity,
    not is_map_key(NameArity, Functions)
        andalso (is_map_key(NameArity, Types)
                 orelse (is_type_of_language(Name, Arity)
                         andalso not erl_internal:bif(Name, Arity))).

is_type_of_language(Name, Arity) ->
    lists:member({Name, Arity},
                 [{iolist, 0}, {iodata, 0}, {nonempty_string, 0}, {nonempty_list, 1}, {nonempty_list, 0},
                  {nonempty_binary, 0}, {nonempty_bitstring, 0}, {maybe_improper_list, 0},
                  {maybe_improper_list, 2}, {nonempty_maybe_improper_list, 2}, {pid, 0}, {reference, 0},
                  {mfa, 0}, {module, 0}, {map, 0}, {map, 2}, {identifier, 0}, {nil, 0},
                  {function, 0}, {dynamic, 0}]).

native(At, Module, Name, Arguments) ->
    Description = {tuple, At, [{atom, At, Name}, list(At, Arguments)]},
    call(At, native_type, [{atom, At, Module}, Description]).

%% Whose first argument is a type.
takes_type(proper, forall, _) -> true;
takes_type(proper, exists, _) -> true;
takes_type(proper_types, bind, 3) -> true;
takes_type(proper_types, add_constraint, 3) -> true;
takes_type(_, _, _) -> false.

%% A type, with those in it.
type({call, At, {remote, _, {atom, _, M} = Module, {atom, _, _} = Name}, Arguments})
  when M =/= proper_types, M =/= proper ->
    call(At, remote, [Module, Name, list(At, [type(A) || A <- Arguments])]);
type({call, At, {remote, _, {atom, _, proper_types}, {atom, _, Maker}} = Callee, Arguments})
  when Maker =/= bind, Maker =/= add_constraint, Maker =/= sized, Maker =/= lazy ->
    {call, At, Callee, [type(A) || A <- Arguments]};
type({call, At, {atom, _, _} = Callee, Arguments}) ->
    {call, At, Callee, [type(A) || A <- Arguments]};
type({tuple, At, Types}) ->
    {tuple, At, [type(T) || T <- Types]};
type({cons, At, First, Rest}) ->
    {cons, At, type(First), type(Rest)};
type(Other) ->
    Other.

call(At, Function, Arguments) ->
    {call, At, {remote, At, {atom, At, proper_types}, {atom, At, Function}}, Arguments}.

list(At, []) -> {nil, At};
list(At, [First | Rest]) -> {cons, At, First, list(At, Rest)}.
