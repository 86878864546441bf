%% Sources that a program writes, reads, compiles and loads itself.
-module(tools).
-export([main/0]).

main() ->
    ok = file:write_file("made.hrl", "-define(GREETING, \"hello\").\n-record(point, {x = 1, y}).\n"),
    ok = file:write_file("made.erl",
                         "-module(made).\n-export([f/1, point/0]).\n-include(\"made.hrl\").\n"
                         "-ifdef(EXTRA).\nf(X) -> {extra, ?EXTRA, X}.\n-else.\nf(X) -> {?GREETING, X, ?LINE}.\n-endif.\n"
                         "point() -> #point{y = ?MODULE}.\n"),
    {ok, Forms} = epp:parse_file("made.erl", []),
    show(forms, Forms),
    {ok, Columns} = epp:parse_file("made.erl", [{location, {1, 1}}, {macros, [{'EXTRA', [a, "b"]}]}]),
    show(columns, Columns),
    show(missing, epp:parse_file("no_such_file.erl", [])),
    {ok, Epp} = epp:open("made.erl", []),
    show(first, epp:parse_erl_form(Epp)),
    show(second, epp:parse_erl_form(Epp)),
    show(closed, epp:close(Epp)),
    show(compiled, compile:file("made.erl")),
    show(loaded, code:load_abs("made")),
    show(value, made:f(1)),
    show(record, made:point()),
    show(again, compile:file("made", [{d, 'EXTRA', 5}, binary, return]) =:= error),
    {ok, made, Code, []} = compile:file("made", [{d, 'EXTRA', 5}, binary, return]),
    show(purged, code:purge(made)),
    show(loaded, code:load_binary(made, "made.erl", Code)),
    show(value, made:f(2)),
    ok = file:make_dir("lib"),
    show(compiled, compile:file("made.erl", [{outdir, "lib"}])),
    code:purge(made),
    true = code:delete(made),
    code:purge(made),
    ok = file:delete("made.beam"),
    ok = file:rename("made.erl", "other.erl"),
    show(unknown, try made:f(3) catch error:undef -> undef end),
    show(path, code:add_patha("lib")),
    show(value, made:f(3)),
    show(bad, code:add_patha("no_such_dir")),
    ok = file:write_file("terms", "{a, 1}.\n[b, \"c\", $d, <<1, 2>>, #{e => -1.5}].\n"),
    show(consult, file:consult("terms")),
    ok = file:write_file("terms", "{a, 1}.\n{b, .\n"),
    show(bad_consult, file:consult("terms")),
    ok = file:write_file("script", "X = 1,\nX + Y.\n"),
    show(script, file:script("script", [{'Y', 41}])),
    show(read, begin
                   {ok, T, _} = erl_scan:string("fun(A) -> A * 2 end."),
                   {ok, [E]} = erl_parse:parse_exprs(T),
                   {value, F, _} = erl_eval:expr(E, [], none),
                   lists:map(F, [1, 2, 3])
               end),
    show(callbacks, [gen_event:behaviour_info(callbacks) =/= [], behaviour:behaviour_info(callbacks),
                     behaviour:behaviour_info(optional_callbacks)]).

show(What, Value) -> io:format("~w: ~0tp~n", [What, Value]).
