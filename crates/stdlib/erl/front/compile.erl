%% The compiler, as far as there is something to compile here: forms go through
%% parse transforms and the checks, and are then put as they are into the
%% container that `.beam' files have. Its own chunk "ErlS" holds the forms, which
%% is what this runtime loads; debug information, attributes, exports and names
%% stand where OTP's compiler puts them, so that `beam_lib' finds them. There is no
%% machine code, and no intermediate language can be asked for.
%%
%% The checks are those of `erl_lint' where OTP is installed, otherwise our own,
%% whose descriptors are formatted by `erlscope_lint'.
-module(compile).

-export([file/1, file/2, noenv_file/2, forms/1, forms/2, noenv_forms/2,
         output_generated/1, noenv_output_generated/1, format_error/1,
         options/0, env_compiler_options/0, env_default_opts/0, iofile/1]).

%% For `code'.
-export([object/2]).

-export_type([option/0, forms/0]).

-type option() :: atom() | {atom(), term()} | {d, atom(), term()}.
-type forms() :: [erl_parse:abstract_form() | erl_parse:form_info()].

-define(VERSION, "8.2.3").

%%% ------------------------------------------------------------------ interface

file(File) -> file(File, [verbose, report_errors, report_warnings]).

file(File, Options) -> noenv_file(File, options_list(Options) ++ env_default_opts()).

noenv_file(File, Options) -> in_process(fun() -> compile_file(File, options_list(Options)) end).

forms(Forms) -> forms(Forms, [verbose, report_errors, report_warnings]).

forms(Forms, Options) -> noenv_forms(Forms, options_list(Options) ++ env_default_opts()).

noenv_forms(Forms, Options) ->
    in_process(fun() -> compile_forms(Forms, [binary | options_list(Options)]) end).

options_list(Options) when is_list(Options) -> Options;
options_list(Option) -> [Option].

%% A transform may leave anything behind in its process.
in_process(Fun) ->
    {Pid, Ref} = spawn_monitor(fun() ->
                                       exit(try {compiled, Fun()}
                                            catch Class:Reason:Stack -> {Class, Reason, Stack}
                                            end)
                               end),
    receive
        {'DOWN', Ref, process, Pid, {compiled, Result}} -> Result;
        {'DOWN', Ref, process, Pid, {Class, Reason, Stack}} -> erlang:raise(Class, Reason, Stack);
        {'DOWN', Ref, process, Pid, Reason} -> exit(Reason)
    end.

output_generated(Options) -> noenv_output_generated(Options ++ env_default_opts()).

noenv_output_generated(Options) -> not lists:any(fun(O) -> lists:member(O, Options) end, ['P', 'E', 'S', binary, strong_validation]).

env_compiler_options() -> env_default_opts().

env_default_opts() ->
    case os:getenv("ERL_COMPILER_OPTIONS") of
        false -> [];
        Text ->
            case erl_scan:string(Text) of
                {ok, Tokens, _} ->
                    case erl_parse:parse_term(Tokens ++ [{dot, 1}]) of
                        {ok, List} when is_list(List) -> List;
                        {ok, Term} -> [Term];
                        {error, _} -> []
                    end;
                {error, _, _} ->
                    []
            end
    end.

options() ->
    io:format("The options of compile:file/2 and compile:forms/2 that have a meaning here:\n"
              "binary, return, report, verbose, debug_info, export_all, warnings_as_errors,\n"
              "{i,Dir}, {d,Macro}, {d,Macro,Value}, {outdir,Dir}, {parse_transform,Module}\n").

iofile(File) when is_atom(File) -> iofile(atom_to_list(File));
iofile(File) -> {filename:dirname(File), filename:basename(File, ".erl")}.

format_error({epp, E}) -> epp:format_error(E);
format_error(write_error) -> "error writing file";
format_error({write_error, Reason}) -> io_lib:format("error writing file: ~ts", [file:format_error(Reason)]);
format_error({open, E}) -> io_lib:format("open error '~ts'", [file:format_error(E)]);
format_error({undef_parse_transform, M}) -> io_lib:format("undefined parse transform '~ts'", [M]);
format_error({parse_transform, M, C, R, Stk}) ->
    ["error in parse transform '", atom_to_list(M), "':\n", erl_error:format_exception(C, R, Stk)];
format_error({parse_transform, M, R}) ->
    io_lib:format("error in parse transform '~ts': ~tp", [M, R]);
format_error({unsupported, What}) ->
    io_lib:format("~ts: nothing is compiled that far here", [What]);
format_error(no_module_definition) -> "no module definition".

%%% ----------------------------------------------------------------------- file

compile_file(File0, Options) ->
    Name = case File0 of
               _ when is_atom(File0) -> atom_to_list(File0);
               _ -> unicode:characters_to_list(File0)
           end,
    File = case filename:extension(Name) of
               ".erl" -> Name;
               _ -> Name ++ ".erl"
           end,
    case epp:parse_file(File, [{includes, ["." , filename:dirname(File)] ++ [Dir || {i, Dir} <- Options]},
                               {macros, macros(Options)},
                               {source_name, proplists:get_value(source, Options, File)},
                               {location, location(Options)}
                               | [Option || {feature, _, _} = Option <- Options]]) of
        {ok, Forms} -> compile(Forms, File, Options);
        {error, Reason} -> failed([{File, [{none, ?MODULE, {epp, Reason}}]}], [], Options)
    end.

location(Options) ->
    case proplists:get_value(error_location, Options, column) of
        line -> 1;
        column -> {1, 1}
    end.

macros(Options) ->
    lists:flatmap(fun({d, Name, Value}) -> [{Name, Value}];
                     ({d, Name}) -> [Name];
                     (_) -> []
                  end, Options).

compile_forms(Forms, Options) ->
    Source = case lists:keyfind(source, 1, Options) of
                 {source, Name} -> Name;
                 false -> ""
             end,
    compile(located(Forms, Options), Source, Options).

%% Positions are only lines if that is asked for.
located(Forms, Options) ->
    case proplists:get_value(error_location, Options, column) of
        line -> [lines_only(Form) || Form <- Forms];
        column -> Forms
    end.

lines_only({error, {{Line, _}, Module, Error}}) -> {error, {Line, Module, Error}};
lines_only({warning, {{Line, _}, Module, Warning}}) -> {warning, {Line, Module, Warning}};
lines_only({eof, {Line, _}}) -> {eof, Line};
lines_only(Form) when element(1, Form) =:= error; element(1, Form) =:= warning; element(1, Form) =:= eof -> Form;
lines_only(Form) -> erl_parse:map_anno(fun(A) -> erl_anno:set_location(erl_anno:line(A), A) end, Form).

%%% -------------------------------------------------------------------- passes

compile(Forms0, File, Options0) ->
    Options = Options0 ++ [Option || {attribute, _, compile, Value} <- Forms0, Option <- options_list(Value)],
    case [What || What <- Options, not is_reachable(What)] of
        [What | _] ->
            failed([{File, [{none, ?MODULE, {unsupported, What}}]}], [], Options);
        [] ->
            Transforms = [Module || {parse_transform, Module} <- Options],
            transform(Transforms, erlscope_code:without_transforms(Forms0), File, {Options0, Options}, [])
    end.

is_reachable(What) ->
    not lists:member(What, ['S', to_core, to_kernel, to_asm, to_dis, from_core, from_asm, dcore, makedep]).

%% What the preprocessor and the parser left in the forms.
errors_in_forms(Forms, File) ->
    {Errors, Warnings, _} =
        lists:foldl(fun({error, {_, _, _} = Error}, {Es, Ws, F}) -> {[{F, Error} | Es], Ws, F};
                       ({error, Error}, {Es, Ws, F}) -> {[{F, {none, ?MODULE, Error}} | Es], Ws, F};
                       ({warning, Warning}, {Es, Ws, F}) -> {Es, [{F, Warning} | Ws], F};
                       ({attribute, _, file, {F, _}}, {Es, Ws, _}) -> {Es, Ws, F};
                       (_, Acc) -> Acc
                    end, {[], [], File}, Forms),
    {by_file(lists:reverse(Errors)), by_file(lists:reverse(Warnings))}.

by_file([]) ->
    [];
by_file([{File, _} | _] = Entries) ->
    {Same, Others} = lists:partition(fun({F, _}) -> F =:= File end, Entries),
    [{File, [Entry || {_, Entry} <- Same]} | by_file(Others)].

%% Transforms are given the options of the call, without those of the module.
transform([Module | Rest], Forms0, File, {Given, Options} = Both, Warnings) ->
    case code:ensure_loaded(Module) =:= {module, Module}
        andalso erlang:function_exported(Module, parse_transform, 2) of
        false ->
            failed([{File, [{none, ?MODULE, {undef_parse_transform, Module}}]}], Warnings, Options);
        true ->
            Forms = as_wanted(Module, Forms0),
            try Module:parse_transform(Forms, Given) of
                {error, Errors, More} -> failed(Errors, Warnings ++ More, Options);
                {warning, New, More} -> transform(Rest, New, File, Both, Warnings ++ More);
                New when is_list(New) -> transform(Rest, New, File, Both, Warnings);
                Other ->
                    failed([{File, [{none, ?MODULE, {parse_transform, Module, {bad_return, Other}}}]}],
                           Warnings, Options)
            catch
                Class:Reason:Stack ->
                    failed([{File, [{none, ?MODULE, {parse_transform, Module, Class, Reason, Stack}}]}],
                           Warnings, Options)
            end
    end;
transform([], Forms, File, {_, Options}, Warnings) ->
    case lists:member('P', Options) orelse lists:member(to_pp, Options) of
        true -> listing([], Forms, ".P", File, Warnings, Options);
        false -> check(Forms, File, Options, Warnings)
    end.

%% Forms as a result, or as text in a file.
listing(Module, Forms, Extension, File, Warnings, Options) ->
    case lists:member(binary, Options) of
        true ->
            succeeded(Module, Forms, Warnings, Options);
        false ->
            Path = filename:join(proplists:get_value(outdir, Options, "."),
                                 filename:basename(File, ".erl") ++ Extension),
            Text = unicode:characters_to_binary([erl_pp:form(Form) || Form <- Forms]),
            case file:write_file(Path, Text) of
                ok -> succeeded(Module, none, Warnings, Options);
                {error, Reason} ->
                    failed([{Path, [{none, ?MODULE, {write_error, Reason}}]}], Warnings, Options)
            end
    end.

%% A transform may say that it cannot stand columns.
as_wanted(Module, Forms) ->
    Wanted = case erlang:function_exported(Module, parse_transform_info, 0) of
                 true -> maps:get(error_location, Module:parse_transform_info(), column);
                 false -> column
             end,
    case Wanted of
        line -> [lines_only(Form) || Form <- Forms];
        column -> Forms
    end.

check(Forms, File, Options, Warnings) ->
    case lint(Forms, File, Options) of
        {ok, More} ->
            case lists:member('E', Options) orelse lists:member(to_exp, Options) of
                true ->
                    Expanded = erl_expand_records:module(Forms, Options),
                    listing(module_name(Forms), Expanded, ".E", File, Warnings ++ More, Options);
                false ->
                    finish(Forms, File, Options, Warnings ++ More)
            end;
        {error, Errors, More} ->
            failed(Errors, Warnings ++ More, Options)
    end.

lint(Forms, File, Options) ->
    case is_later(Forms) orelse code:ensure_loaded(erl_lint) of
        {module, _} -> erl_lint:module(Forms, File, Options);
        _ -> own_lint(Forms, File, Options)
    end.

%% Whether forms are of the language of a later release than OTP 25, whose erl_lint knows nothing of them.
is_later([Part | Parts]) -> is_later(Part) orelse is_later(Parts);
is_later({attribute, _, Name, _}) -> lists:member(Name, [native_record, export_record, import_record]);
is_later(Node) when is_tuple(Node), tuple_size(Node) > 1 ->
    is_later_node(element(1, Node)) orelse is_later(tl(tuple_to_list(Node)));
is_later(_) -> false.

is_later_node(Tag) ->
    lists:member(Tag, [mc, m_generate, m_generate_strict, generate_strict, b_generate_strict, zip]).

own_lint(Forms, File, Options) ->
    case errors_in_forms(Forms, File) of
        {[], Warnings} ->
            case remarks(Forms, File, Options) of
                {ok, More} -> {ok, Warnings ++ More};
                {error, Errors, More} -> {error, Errors, Warnings ++ More}
            end;
        {Errors, Warnings} ->
            {error, Errors, Warnings}
    end.

remarks(Forms, File, Options) ->
    Remarks = erlscope_native:lint(Forms, Options),
    Errors = [{Location, erlscope_lint, {Code, Message}} || {true, Location, Code, Message} <- Remarks],
    Warnings = [{Location, erlscope_lint, {Code, Message}} || {false, Location, Code, Message} <- Remarks],
    Named = fun([]) -> [];
               (List) -> [{File, List}]
            end,
    case Errors of
        [] -> {ok, Named(Warnings)};
        _ -> {error, Named(Errors), Named(Warnings)}
    end.

finish(Forms, File, Options, Warnings) ->
    case lists:member(warnings_as_errors, Options) andalso Warnings =/= [] of
        true ->
            failed([], Warnings, Options);
        false ->
            Module = module_name(Forms),
            Binary = container(Module, Forms, File, Options),
            output(Module, Binary, File, Options, Warnings)
    end.

module_name(Forms) ->
    case lists:keyfind(module, 3, [Form || Form <- Forms, element(1, Form) =:= attribute]) of
        {attribute, _, module, {Module, _Parameters}} -> Module;
        {attribute, _, module, Module} -> Module;
        false -> []
    end.

%%% --------------------------------------------------------------------- output

output(Module, Binary, File, Options, Warnings) ->
    Validation = lists:any(fun(Option) -> lists:member(Option, Options) end,
                           [basic_validation, strong_validation]),
    case lists:member(binary, Options) of
        _ when Validation ->
            succeeded(Module, none, Warnings, Options);
        true ->
            succeeded(Module, Binary, Warnings, Options);
        false ->
            Dir = proplists:get_value(outdir, Options, "."),
            Base = filename:basename(File, ".erl"),
            Path = filename:join(Dir, Base ++ ".beam"),
            case file:write_file(Path, Binary) of
                ok -> succeeded(Module, none, Warnings, Options);
                {error, Reason} ->
                    failed([{Path, [{none, ?MODULE, {write_error, Reason}}]}], Warnings, Options)
            end
    end.

succeeded(Module, Result, Warnings, Options) ->
    report(Warnings, report_warnings, "Warning: ", Options),
    Parts = case Result of
                none -> [ok, Module];
                _ -> [ok, Module, Result]
            end,
    case is_set(return_warnings, Options) of
        true -> list_to_tuple(Parts ++ [Warnings]);
        false -> list_to_tuple(Parts)
    end.

failed(Errors, Warnings, Options) ->
    report(Errors, report_errors, "", Options),
    report(Warnings, report_warnings, "Warning: ", Options),
    case is_set(return_errors, Options) of
        true -> {error, Errors, Warnings};
        false -> error
    end.

is_set(Option, Options) ->
    Both = case Option of
               return_errors -> return;
               return_warnings -> return;
               report_errors -> report;
               report_warnings -> report
           end,
    lists:member(Option, Options) orelse lists:member(Both, Options).

report(Entries, Option, Prefix, Options) ->
    case is_set(Option, Options) of
        true ->
            [io:put_chars(described(File, Prefix, Entry)) || {File, List} <- Entries, Entry <- List];
        false ->
            ok
    end.

described(File, Prefix, {none, Module, Descriptor}) ->
    io_lib:format("~ts: ~ts~ts\n", [File, Prefix, Module:format_error(Descriptor)]);
described(File, Prefix, {{Line, Column}, Module, Descriptor}) ->
    io_lib:format("~ts:~w:~w: ~ts~ts\n", [File, Line, Column, Prefix, Module:format_error(Descriptor)]);
described(File, Prefix, {Line, Module, Descriptor}) ->
    io_lib:format("~ts:~w: ~ts~ts\n", [File, Line, Prefix, Module:format_error(Descriptor)]).

%%% ------------------------------------------------------------------ container

%% The object code of a module that was accepted before, with debug information.
object(Forms, File) ->
    Source = filename:rootname(File, ".beam") ++ ".erl",
    Options = [debug_info | [Option || {attribute, _, compile, Value} <- Forms, Option <- options_list(Value)]],
    container(module_name(Forms), Forms, Source, Options).

container(Module, Forms0, File, Options) ->
    Forms = exported(Forms0, Options),
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    Info = [{module_info, 0}, {module_info, 1}],
    Exports = exports(Forms, Functions, Options) ++ Info,
    Locals = Functions -- Exports,
    Imports = lists:usort([{erlang, get_module_info, 1}, {erlang, get_module_info, 2} | called(Forms, [])]),
    Atoms = atom_table([Module | [Name || {Name, _} <- Exports ++ Locals]
                                     ++ lists:append([[M, F] || {M, F, _} <- Imports])]),
    Essential = [{<<"AtU8">>, atoms(Atoms)},
                 {<<"ExpT">>, functions(Exports, Atoms)},
                 {<<"ImpT">>, imports(Imports, Atoms)},
                 {<<"LocT">>, functions(Locals, Atoms)}],
    Encoded = term_to_binary([without_place(Form) || Form <- Forms], [{minor_version, 2}]),
    Md5 = erlang:md5([Bytes || {_, Bytes} <- Essential] ++ [Encoded]),
    Attributes = attributes(Forms, Md5),
    Kept = [Option || Option <- Options, is_kept(Option)],
    Compile = [{version, ?VERSION}, {options, Kept}, {source, source(File)}],
    Debug = case lists:member(debug_info, Options) of
                true -> {Forms, Kept};
                false -> {none, Kept}
            end,
    build(Essential ++
              [{<<"Attr">>, term_to_binary(Attributes)},
               {<<"CInf">>, term_to_binary(Compile)},
               {<<"Dbgi">>, term_to_binary({debug_info_v1, erl_abstract_code, Debug}, [compressed])},
               {<<"ErlS">>, term_to_binary(Forms)}]).

%% `export_all' among the options has to be among the forms.
exported(Forms, Options) ->
    case lists:member(export_all, Options)
        andalso not lists:any(fun({attribute, _, compile, Value}) -> lists:member(export_all, options_list(Value));
                                 (_) -> false
                              end, Forms) of
        true -> after_module(Forms);
        false -> Forms
    end.

after_module([{attribute, Anno, module, _} = Form | Forms]) ->
    [Form, {attribute, Anno, compile, [export_all]} | Forms];
after_module([Form | Forms]) -> [Form | after_module(Forms)];
after_module([]) -> [].

exports(Forms, Functions, Options) ->
    All = lists:member(export_all, Options),
    case All of
        true -> lists:usort(Functions);
        false -> lists:usort([Entry || {attribute, _, export, List} <- Forms, Entry <- List])
    end.

without_place({attribute, _, file, _}) -> file;
without_place(Form) -> Form.

attributes(Forms, Md5) ->
    Own = [{Name, options_list(Value)} || {attribute, _, Name, Value} <- Forms, is_attribute(Name)],
    case lists:keymember(vsn, 1, Own) of
        true -> Own;
        false ->
            <<Number:128>> = Md5,
            [{vsn, [Number]} | Own]
    end.

is_attribute(Name) ->
    not lists:member(Name, [module, export, import, type, spec, callback, opaque, export_type, record,
                            optional_callbacks, file, compile, feature]).

is_kept(Option) ->
    not lists:member(Option, [binary, return, return_errors, return_warnings, report, report_errors,
                              report_warnings, verbose]).

source("") -> filename:absname("");
source(File) -> filename:absname(File).

atom_table([Module | Names]) -> [Module | lists:usort(Names) -- [Module]].

atoms(Atoms) ->
    Entries = << <<(byte_size(Text)), Text/binary>> || Atom <- Atoms, Text <- [atom_to_binary(Atom)] >>,
    <<(length(Atoms)):32, Entries/binary>>.

%% Name, arity and label of each; the labels are only numbers here.
functions(Functions, Atoms) ->
    Index = maps:from_list(lists:zip(Atoms, lists:seq(1, length(Atoms)))),
    Numbered = lists:zip(Functions, lists:seq(2, 2 * length(Functions), 2)),
    Entries = << <<(maps:get(Name, Index)):32, Arity:32, Label:32>> || {{Name, Arity}, Label} <- Numbered >>,
    <<(length(Functions)):32, Entries/binary>>.

imports(Imports, Atoms) ->
    Index = maps:from_list(lists:zip(Atoms, lists:seq(1, length(Atoms)))),
    Entries = << <<(maps:get(M, Index)):32, (maps:get(F, Index)):32, A:32>> || {M, F, A} <- Imports >>,
    <<(length(Imports)):32, Entries/binary>>.

%% The functions of other modules that are called by name.
called({call, _, {remote, _, {atom, _, M}, {atom, _, F}}, Args}, Acc) ->
    called(Args, [{M, F, length(Args)} | Acc]);
called({call, _, {atom, _, F}, Args}, Acc) ->
    case erl_internal:bif(F, length(Args)) of
        true -> called(Args, [{erlang, F, length(Args)} | Acc]);
        false -> called(Args, Acc)
    end;
called({'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}, Acc) -> [{M, F, A} | Acc];
called({attribute, _, _, _}, Acc) -> Acc;
called(Tuple, Acc) when is_tuple(Tuple) -> called(tuple_to_list(Tuple), Acc);
called([Head | Tail], Acc) -> called(Tail, called(Head, Acc));
called(_, Acc) -> Acc.

build(Chunks) ->
    Body = << <<Name:4/binary, (byte_size(Bytes)):32, Bytes/binary, 0:((-byte_size(Bytes) band 3) * 8)>>
              || {Name, Bytes} <- Chunks >>,
    <<"FOR1", (byte_size(Body) + 4):32, "BEAM", Body/binary>>.
