%% Runs one Common Test suite on the BEAM and writes what became of every case.
%%
%%   erl -noshell -sname NAME -s erlscope_suite_judge run DIR SUITE LOGS RESULTS
%%
%% DIR holds the suite and its helpers, compiled here; RESULTS gets one JSON object a line, as soon
%% as a case has ended, so that a suite that is stopped for its time keeps what it has.
%% This module is its own Common Test hook.
-module(erlscope_suite_judge).

-export([run/1]).
-export([id/1, init/2, post_end_per_testcase/5, on_tc_fail/4, on_tc_skip/4]).

run([Dir, Suite, Logs, Results]) ->
    [D, L, R] = [atom_to_list(A) || A <- [Dir, Logs, Results]],
    ok = file:set_cwd(D),
    compile(Suite),
    ok = filelib:ensure_path(L),
    ok = file:write_file(R, <<>>),
    _ = ct:run_test([{dir, D}, {suite, Suite}, {logdir, L}, {auto_compile, false}, {ct_hooks, [{?MODULE, R}]},
                     {enable_builtin_hooks, false}, {abort_if_missing_suites, false}]),
    tell(R, "{\"done\":true}"),
    erlang:halt(0).

%% The suite, and every module beside it that is no suite.
compile(Suite) ->
    Helpers = [list_to_atom(filename:basename(F, ".erl")) || F <- filelib:wildcard("*.erl"),
                                                              string:find(F, "_SUITE") =:= nomatch],
    Missing = [M || M <- Helpers, not filelib:is_regular(atom_to_list(M) ++ ".beam")],
    [compile:file(M, [debug_info, {outdir, "."}]) || M <- Missing],
    case compile:file(Suite, [debug_info, report_errors, {outdir, "."}]) of
        {ok, _} -> ok;
        error -> erlang:halt(3)
    end.

id(File) -> File.

init(_, File) -> {ok, File}.

post_end_per_testcase(_Suite, Case, Config, Return, File) ->
    Group = case proplists:get_value(tc_group_properties, Config) of
                undefined -> undefined;
                Properties -> proplists:get_value(name, Properties)
            end,
    case Return of
        {skip, _} -> ok;
        {skipped, _} -> ok;
        {'EXIT', Reason} -> result(File, Group, Case, failed, Reason);
        {failed, Reason} -> result(File, Group, Case, failed, Reason);
        {fail, Reason} -> result(File, Group, Case, failed, Reason);
        {timetrap_timeout, _} -> result(File, Group, Case, failed, Return);
        _ -> result(File, Group, Case, ok, none)
    end,
    {Return, File}.

on_tc_fail(_Suite, Name, Reason, File) ->
    {Case, Group} = case Name of
                        {C, G} -> {C, G};
                        C -> {C, undefined}
                    end,
    result(File, Group, Case, failed, Reason),
    File.

on_tc_skip(_Suite, Name, Reason, File) ->
    {Case, Group} = case Name of
                        {C, G} -> {C, G};
                        C -> {C, undefined}
                    end,
    result(File, Group, Case, skipped, Reason),
    File.

result(File, Group, Case, Result, Reason) ->
    Text = case Reason of
               none -> "";
               _ -> lists:flatten(io_lib:format("~0tP", [Reason, 40]))
           end,
    tell(File, ["{\"group\":", case Group of undefined -> "null"; _ -> quoted(io_lib:format("~ts", [Group])) end,
                ",\"case\":", quoted(io_lib:format("~tw", [Case])), ",\"result\":", quoted(atom_to_list(Result)),
                ",\"reason\":", quoted(lists:sublist(Text, 400)), "}"]).

tell(File, Line) ->
    ok = file:write_file(File, [unicode:characters_to_binary(Line), $\n], [append]).

quoted(Text) ->
    [$", [case C of
              $" -> "\\\"";
              $\\ -> "\\\\";
              _ when C < 32 -> io_lib:format("\\u~4.16.0b", [C]);
              _ -> C
          end || C <- lists:flatten(Text)], $"].
