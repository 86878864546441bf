%% The object code of a module of the program: read, changed, loaded under another name and in its place.
-module(objects).
-export([main/0]).

main() ->
    show(value, subject:value(1)),
    {subject, Code, File} = code:get_object_code(subject),
    show(file, {filename:basename(File), File =:= code:which(subject)}),
    show(module, proplists:get_value(module, beam_lib:info(Code))),
    {ok, {subject, [{exports, Exports}]}} = beam_lib:chunks(code:which(subject), [exports]),
    show(exports, Exports),
    {ok, {subject, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Code, [abstract_code]),
    show(functions, [{Name, Arity} || {function, _, Name, Arity, _} <- Forms]),
    %% A copy under another name, and a mock that calls it.
    Renamed = [case Form of
                   {attribute, A, module, subject} -> {attribute, A, module, subject_original};
                   _ -> Form
               end || Form <- Forms],
    {ok, subject_original, Copy} = compile:forms(Renamed, []),
    show(copy, code:load_binary(subject_original, "subject_original", Copy)),
    Mock = [{attribute, 1, module, subject}, {attribute, 1, export, [{value, 1}]},
            {function, 2, value, 1,
             [{clause, 2, [{var, 2, 'X'}], [],
               [{tuple, 2, [{atom, 2, mocked},
                            {call, 2, {remote, 2, {atom, 2, subject_original}, {atom, 2, value}}, [{var, 2, 'X'}]}]}]}]}],
    {ok, subject, Mocked} = compile:forms(Mock),
    show(mock, code:load_binary(subject, "subject.erl", Mocked)),
    show(value, subject:value(2)),
    %% Back again.
    true = code:soft_purge(subject),
    show(back, code:load_binary(subject, File, Code)),
    show(value, subject:value(3)),
    show(version, is_list(element(2, element(2, beam_lib:version(Code))))),
    show(md5, beam_lib:md5(Code) =:= beam_lib:md5(File)).

show(What, Value) -> io:format("~w: ~0tp~n", [What, Value]).
