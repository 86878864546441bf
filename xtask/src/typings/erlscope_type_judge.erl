%% The types that OTP's dialyzer finds for all functions of modules, as specs.
%%
%% strip([Dir | Beams]): copies of modules without their specs, so that these are not believed.
%% infer([Plt, Out | Beams]): the types, records written as tuples.
%% (OTP 25's own `typer` fails on modules with records, and so does dialyzer where it is told not to
%% use specs.)
-module(erlscope_type_judge).
-export([strip/1, infer/1, compile/1, warnings/1]).

-include_lib("dialyzer/src/dialyzer.hrl").

strip([Dir | Beams]) ->
    lists:foreach(fun(Beam) -> strip(Dir, Beam) end, Beams).

strip(Dir, Beam) ->
    {ok, {Module, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
    Left = [Form || Form <- Forms, not is_spec(Form)],
    {ok, Module, Code} = compile:forms(Left, [debug_info]),
    ok = file:write_file(filename:join(Dir, atom_to_list(Module) ++ ".beam"), Code).

is_spec({attribute, _, spec, _}) -> true;
is_spec(_) -> false.

infer([PltFile, Out | Beams]) ->
    Self = self(),
    {_, _} = statistics(runtime),
    Plt = dialyzer_plt:from_file(PltFile),
    Doc = dialyzer_plt:new(),
    Analysis = #analysis{
        type = succ_typings,
        doc_plt = Doc,
        plt = Plt,
        files = Beams,
        start_from = byte_code,
        use_contracts = true,
        solvers = []
    },
    Backend = spawn_link(fun() -> dialyzer_analysis_callgraph:start(Self, [], Analysis) end),
    Known = wait(Backend),
    Modules = [list_to_atom(filename:basename(Beam, ".beam")) || Beam <- Beams],
    {ok, File} = file:open(Out, [write, {encoding, utf8}]),
    lists:foreach(fun(Module) -> module(File, Known, Doc, Module) end, Modules),
    ok = file:close(File),
    {_, Runtime} = statistics(runtime),
    io:format("~w~n", [Runtime]).

wait(Backend) ->
    receive
        {Backend, done, Known, _} -> Known;
        {'EXIT', Backend, Reason} -> exit(Reason);
        _ -> wait(Backend)
    end.

%% What is exported is in the one table, with what it takes; all functions are in the other, where
%% those that others can call take anything.
module(File, Known, Doc, Module) ->
    io:format(File, "%% ~tp~n", [Module]),
    case dialyzer_plt:lookup_module(Doc, Module) of
        {value, Functions} -> [spec(File, Known, Function) || Function <- lists:sort(Functions)];
        none -> ok
    end.

spec(File, Known, {{_, Name, _} = Function, Result0, Args0}) ->
    {Result, Args} = case dialyzer_plt:lookup(Known, Function) of
        {value, Found} -> Found;
        none -> {Result0, Args0}
    end,
    Shown = lists:join(", ", [erl_types:t_to_string(Arg) || Arg <- Args]),
    Text = io_lib:format("-spec ~tp(~ts) -> ~ts.", [Name, Shown, erl_types:t_to_string(Result)]),
    % One line each.
    io:format(File, "~ts~n", [[C || C <- lists:flatten(Text), C =/= $\n]]).

%% compile([Dir | Sources]): compiled code in Dir. Tells which could be compiled.
compile([Dir | Sources]) ->
    lists:foreach(fun(Source) -> compile(Dir, Source) end, Sources).

compile(Dir, Source) ->
    Src = filename:dirname(Source),
    Include = filename:join(filename:dirname(Src), "include"),
    % What the makefiles of OTP define.
    Macros = [{d, 'COMPILER_VSN', "8"}, {d, 'VSN', "1"}],
    Options = [debug_info, return, {outdir, Dir}, {i, Src}, {i, Include} | Macros],
    case compile:file(Source, Options) of
        {ok, _, _} -> io:format("~ts~n", [Source]);
        _ -> ok
    end.

%% warnings([Plt, Out | Beams]): what dialyzer says by default, FILE LINE KIND each.
warnings([Plt, Out | Beams]) ->
    {_, _} = statistics(runtime),
    Warnings = dialyzer:run([
        {files, Beams},
        {init_plt, Plt},
        {check_plt, false},
        {from, byte_code},
        {analysis_type, succ_typings}
    ]),
    {ok, File} = file:open(Out, [write, {encoding, utf8}]),
    lists:foreach(
        fun({_, {Source, Place}, {Kind, _}}) ->
            Line = case Place of {L, _} -> L; L -> L end,
            io:format(File, "~ts ~w ~w~n", [filename:basename(Source), Line, Kind])
        end,
        Warnings
    ),
    ok = file:close(File),
    {_, Runtime} = statistics(runtime),
    io:format("~w~n", [Runtime]).
