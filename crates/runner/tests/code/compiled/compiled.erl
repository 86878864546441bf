%% What the compiler answers, and what is in what it makes.
-module(compiled).
-export([main/0]).

main() ->
    Forms = [{attribute, 1, module, made}, {attribute, 2, export, [{f, 1}]}, {attribute, 3, author, me},
             {function, 4, f, 1, [{clause, 4, [{var, 4, 'X'}], [], [{op, 5, '+', {var, 5, 'X'}, {integer, 5, 1}}]}]},
             {function, 6, g, 0, [{clause, 6, [], [], [{atom, 6, unused}]}]},
             {eof, 7}],
    {ok, made, Code} = compile:forms(Forms),
    show(loaded, code:load_binary(made, "made.beam", Code)),
    show(value, made:f(1)),
    show(which, code:which(made)),
    {ok, made, Debug, Warnings} = compile:forms(Forms, [debug_info, return]),
    show(warnings, Warnings),
    show(messages, [lists:flatten(M:format_error(D)) || {_, Ws} <- Warnings, {_, M, D} <- Ws]),
    show(no_code, beam_lib:chunks(Code, [abstract_code])),
    {ok, {made, [{abstract_code, {raw_abstract_v1, Again}}]}} = beam_lib:chunks(Debug, [abstract_code]),
    show(forms, Again =:= Forms),
    show(exports, beam_lib:chunks(Code, [exports])),
    {ok, {made, [{attributes, Attributes}]}} = beam_lib:chunks(Code, [attributes]),
    show(attributes, lists:keydelete(vsn, 1, Attributes)),
    show(missing, element(3, beam_lib:chunks(Code, ["XXXX"]))  =:= {missing_chunk, Code, "XXXX"}),
    show(allowed, beam_lib:chunks(Code, ["XXXX"], [allow_missing_chunks])),
    show(not_a_file, element(1, element(3, beam_lib:info(<<"this is no compiled module">>)))),
    show(module, proplists:get_value(module, beam_lib:info(Code))),
    show(export_all, begin
                         {ok, made, All} = compile:forms(Forms, [export_all]),
                         {module, made} = code:load_binary(made, "made", All),
                         made:g()
                     end),
    Bad = [{attribute, 1, module, made}, {function, 2, f, 0, [{clause, 2, [], [], [{var, 2, 'Y'}, {call, 3, {atom, 3, no}, []}]}]}],
    show(bad, compile:forms(Bad, [return])),
    show(bad, compile:forms(Bad, [])),
    compile:forms(Bad, [report, {source, "bad.erl"}]),
    show(transform, compile:forms([{attribute, 1, compile, {parse_transform, no_such_transform}} | Forms], [return])),
    show(pp, compile:forms(Forms, ['P'])).

show(What, Value) -> io:format("~w: ~tp~n", [What, Value]).
