%% The tests of a project on the BEAM, and what became of each of their cases.
%%
%%   erl -noshell -s erlscope_project_judge configure DIR RESULTS   lets rebar3 tell this module about the cases
%%   erl -noshell -s erlscope_project_judge plain DIR RESULTS       compiles and runs a project that has no rebar3
%%
%% RESULTS gets one JSON object a line for each case as soon as it has ended. This module is a listener of EUnit
%% and a hook of Common Test.
-module(erlscope_project_judge).

-export([configure/1, plain/1]).
-export([start/1, init/1, handle_begin/3, handle_end/3, handle_cancel/3, terminate/2]).
-export([id/1, init/2, post_end_per_testcase/5, on_tc_fail/4, on_tc_skip/4]).

%% The rebar.config of a copy of a project, with this module among its listeners and hooks.
configure([Dir, Results]) ->
    [D, R] = [atom_to_list(A) || A <- [Dir, Results]],
    File = filename:join(D, "rebar.config"),
    case file:consult(File) of
        {ok, Terms} ->
            Eunit = added(eunit_opts, {report, {?MODULE, [{file, R}]}}, Terms),
            Ct = hooked(R, Eunit),
            ok = file:write_file(File, [io_lib:format("~tp.~n", [T]) || T <- Ct]),
            erlang:halt(0);
        _ ->
            erlang:halt(3)
    end.

added(Key, Value, Terms) ->
    Known = proplists:get_value(Key, Terms, []),
    lists:keystore(Key, 1, Terms, {Key, Known ++ [Value]}).

hooked(File, Terms) ->
    Options = proplists:get_value(ct_opts, Terms, []),
    Hooks = proplists:get_value(ct_hooks, Options, []),
    With = lists:keystore(ct_hooks, 1, Options, {ct_hooks, Hooks ++ [{?MODULE, File}]}),
    lists:keystore(ct_opts, 1, Terms, {ct_opts, With}).

%% Everything below `src` and `test` is compiled as its directories say; what others need comes first, by trying again.
plain([Dir, Results]) ->
    [D, R] = [atom_to_list(A) || A <- [Dir, Results]],
    ok = file:set_cwd(D),
    Out = filename:join(D, "erlscope_ebin"),
    ok = filelib:ensure_path(Out),
    Deps = filelib:wildcard("{deps,_checkouts,lib}/*"),
    Roots = Deps ++ ["."],
    true = code:add_patha(Out),
    [grammar(F) || Root <- Roots, F <- filelib:wildcard(filename:join(Root, "src/**/*.{yrl,xrl}"))],
    Sources = [F || Root <- Roots, F <- filelib:wildcard(filename:join(Root, "src/**/*.erl"))]
        ++ [F || F <- filelib:wildcard("test/**/*.erl"), string:find(F, "_SUITE_data") =:= nomatch],
    Includes = [{i, filename:join(Root, Sub)} || Root <- Roots, Sub <- ["include", "src", "test", "."]]
        ++ [{i, "deps"}, {i, "_checkouts"}],
    compiled(Sources, [{outdir, Out}, {d, 'TEST'}, debug_info, nowarn_export_all | Includes], length(Sources) + 1),
    [copied(F, Out) || Root <- Roots, F <- filelib:wildcard(filename:join(Root, "{src,ebin}/*.{app.src,app}"))],
    Modules = lists:usort([list_to_atom(filename:basename(F, ".erl")) || F <- Sources, not lists:prefix("deps", F),
                                                                       not lists:prefix("_checkouts", F)]),
    Suites = [M || M <- Modules, lists:suffix("_SUITE", atom_to_list(M))],
    [catch eunit:test({module, M}, [no_tty, {report, {?MODULE, [{file, R}]}}])
     || M <- Modules -- Suites, code:ensure_loaded(M) =:= {module, M}, has_tests(M)],
    Logs = filename:join(D, "erlscope_logs"),
    ok = filelib:ensure_path(Logs),
    [ct:run_test([{dir, suite_dir(S, Sources)}, {suite, S}, {logdir, Logs}, {auto_compile, false}, {ct_hooks, [{?MODULE, R}]}])
     || S <- Suites, code:ensure_loaded(S) =:= {module, S}],
    erlang:halt(0).

has_tests(Module) ->
    lists:any(fun({F, 0}) -> lists:suffix("_test", atom_to_list(F)) orelse lists:suffix("_test_", atom_to_list(F));
                 (_) -> false
              end, Module:module_info(exports)).

suite_dir(Suite, Sources) ->
    [File | _] = [F || F <- Sources, filename:basename(F, ".erl") =:= atom_to_list(Suite)],
    filename:absname(filename:dirname(File)).

grammar(File) ->
    case filename:extension(File) of
        ".yrl" -> catch yecc:file(File);
        ".xrl" -> catch leex:file(File)
    end.

copied(File, Out) ->
    Name = filename:basename(filename:basename(File, ".src"), ".app") ++ ".app",
    case file:consult(File) of
        {ok, [{application, App, Keys}]} ->
            Vsn = case lists:keyfind(vsn, 1, Keys) of {vsn, V} when is_list(V) -> V; _ -> "0" end,
            Term = {application, App, lists:keystore(vsn, 1, Keys, {vsn, Vsn})},
            file:write_file(filename:join(Out, Name), io_lib:format("~tp.~n", [Term]));
        _ -> ok
    end.

compiled([], _, _) -> ok;
compiled(Sources, Options, Rounds) ->
    Left = [F || F <- Sources, not is_tuple(catch compile:file(F, Options))],
    case Rounds > 1 andalso length(Left) < length(Sources) of
        true -> compiled(Left, Options, Rounds - 1);
        false -> ok
    end.

%% EUnit

start(Options) -> eunit_listener:start(?MODULE, Options).

init(Options) ->
    Options1 = case lists:keyfind(file, 1, Options) of {file, _} -> Options; false -> [{file, "/dev/null"}] end,
    proplists:get_value(file, Options1).

handle_begin(_, _, File) -> File.

handle_end(test, Data, File) ->
    case proplists:get_value(status, Data) of
        ok -> eunit_case(File, Data, ok, none);
        {skipped, Reason} -> eunit_case(File, Data, skipped, Reason);
        {error, Reason} -> eunit_case(File, Data, failed, Reason)
    end,
    File;
handle_end(_, _, File) -> File.

handle_cancel(test, Data, File) ->
    eunit_case(File, Data, skipped, proplists:get_value(reason, Data)),
    File;
handle_cancel(_, _, File) -> File.

terminate(_, _) -> ok.

eunit_case(File, Data, Result, Reason) ->
    {Module, Function, _} = proplists:get_value(source, Data),
    Name = atom_to_list(Function),
    Own = case lists:suffix("_test", Name) of
              true -> Name;
              false -> "generated"
          end,
    result(File, atom_to_list(Module), Own, Result, Reason).

%% Common Test

id(_) -> ?MODULE.

init(_, File) -> {ok, File}.

post_end_per_testcase(Suite, Case, Config, Return, File) ->
    Name = named(proplists:get_value(name, proplists:get_value(tc_group_properties, Config, [])), Case),
    {Result, Reason} = case Return of
                           {skip, R} -> {skipped, R};
                           {skipped, R} -> {skipped, R};
                           {'EXIT', R} -> {failed, R};
                           {failed, R} -> {failed, R};
                           {fail, R} -> {failed, R};
                           {timetrap_timeout, _} -> {failed, Return};
                           _ -> {ok, none}
                       end,
    %% What failed or was skipped is told again, below.
    Result =:= ok andalso result(File, atom_to_list(Suite), Name, ok, Reason),
    {Return, File}.

on_tc_fail(Suite, Name, Reason, File) -> told(Suite, Name, failed, Reason, File).

on_tc_skip(Suite, Name, Reason, File) -> told(Suite, Name, skipped, Reason, File).

named(undefined, Case) -> atom_to_list(Case);
named(Group, Case) -> lists:flatten(io_lib:format("~w:~w", [Group, Case])).

told(Suite, Name, Result, Reason, File) ->
    {Case, Text} = case Name of
                       {C, G} -> {C, named(G, C)};
                       C -> {C, atom_to_list(C)}
                   end,
    lists:member(Case, [init_per_suite, end_per_suite, init_per_group, end_per_group])
        orelse result(File, atom_to_list(Suite), Text, Result, Reason),
    File.

result(File, Module, Name, Result, Reason) ->
    Text = lists:flatten(io_lib:format("~0tP", [Reason, 40])),
    Line = ["{\"module\":", quoted(Module), ",\"case\":", quoted(Name), ",\"result\":", quoted(atom_to_list(Result)),
            ",\"reason\":", quoted(lists:sublist(Text, 300)), "}\n"],
    _ = file:write_file(File, unicode:characters_to_binary(Line), [append]).

quoted(Text) ->
    [$", [case C of
              $" -> "\\\"";
              $\\ -> "\\\\";
              _ when C < 32 -> io_lib:format("\\u~4.16.0b", [C]);
              _ -> C
          end || C <- lists:flatten(Text)], $"].
