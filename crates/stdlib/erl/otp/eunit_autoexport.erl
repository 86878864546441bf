%% Parse transform of eunit.hrl: exports the functions whose names end in _test,
%% _test_ or _exported_, and adds test/0 unless the module has one.
-module(eunit_autoexport).

-export([parse_transform/2]).

parse_transform(Forms, _Options) ->
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    Module = hd([M || {attribute, _, module, M} <- Forms]),
    HasTest = lists:member({test, 0}, Functions),
    Exports = [F || {Name, Arity} = F <- Functions, is_exported(atom_to_list(Name), Arity)]
        ++ [{test, 0} || not HasTest],
    {Head, Rest} = split(Forms),
    Head ++ [{attribute, 0, export, Exports}] ++ with_test(HasTest, Module, Rest).

is_exported(Name, 0) ->
    lists:suffix("_test", Name) orelse lists:suffix("_test_", Name) orelse lists:suffix("_exported_", Name);
is_exported(Name, 1) ->
    Name =:= "eunit_wrapper_" orelse lists:suffix("_exported_", Name);
is_exported(Name, _) ->
    lists:suffix("_exported_", Name).

%% After the module attribute.
split(Forms) ->
    {Before, [Module | After]} =
        lists:splitwith(fun(Form) -> not (element(1, Form) =:= attribute andalso element(3, Form) =:= module) end,
                        Forms),
    {Before ++ [Module], After}.

%% test() -> eunit:test(Module).
with_test(true, _, Forms) ->
    Forms;
with_test(false, Module, Forms) ->
    Call = {call, 0, {remote, 0, {atom, 0, eunit}, {atom, 0, test}}, [{atom, 0, Module}]},
    Function = {function, 0, test, 0, [{clause, 0, [], [], [Call]}]},
    {Body, End} = lists:splitwith(fun(Form) -> element(1, Form) =/= eof end, Forms),
    Body ++ [Function | End].
