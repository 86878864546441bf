%% Parse transform of eunit.hrl when NOTEST is defined: removes test functions.
-module(eunit_striptests).

-export([parse_transform/2]).

parse_transform(Forms, _Options) ->
    [without_exports(Form) || Form <- Forms, not is_test_function(Form)].

is_test_function({function, _, Name, Arity, _}) -> is_test({Name, Arity});
is_test_function(_) -> false.

without_exports({attribute, Line, export, Exports}) ->
    {attribute, Line, export, [F || F <- Exports, not is_test(F)]};
without_exports(Form) ->
    Form.

is_test({Name, 0}) ->
    Text = atom_to_list(Name),
    lists:suffix("_test", Text) orelse lists:suffix("_test_", Text);
is_test(_) ->
    false.
