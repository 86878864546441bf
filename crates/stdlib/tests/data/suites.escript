#!/usr/bin/env escript
%%! +A0 -noinput
%% Runs OTP's own test suites with our data modules loaded in the place of OTP's.
%%
%% usage: suites.escript DIR [-m MODULE]... [-otp] [SUITE[:CASE]]...
%%
%% DIR is lib/stdlib/test of OTP's sources (never part of this repository). `-m` loads only the named
%% modules, `-otp` none (to see what fails on OTP itself). Cases run one after the other in processes of
%% their own, each within 120 s, in the fashion of Common Test: init_per_suite, init_per_group,
%% init_per_testcase and their counterparts are called, the rest of Common Test is not there.
-mode(compile).

main([Dir | Args]) ->
    {Modules, Suites} = arguments(Args, all, []),
    Here = filename:dirname(filename:absname(escript:script_name())),
    Out = "/tmp/stdlib_suites." ++ os:getpid(),
    ok = filelib:ensure_dir(filename:join(Out, "x")),
    code:add_patha(Out),
    Wanted = case Suites of [] -> default_suites(); _ -> Suites end,
    Compiled = [{Suite, Case, compile_suite(Dir, Out, Suite)} || {Suite, Case} <- Wanted],
    load_own(Here, Modules),
    Results = [run_suite(Suite, Case, Dir, Out) || {Suite, Case, ok} <- Compiled],
    {Passed, Failed, Skipped} = lists:foldl(
        fun({P, F, S}, {P0, F0, S0}) -> {P + P0, F + F0, S + S0} end, {0, 0, 0}, Results),
    os:cmd("rm -rf " ++ Out),
    io:format("~w passed, ~w failed, ~w skipped~n", [Passed, Failed, Skipped]),
    halt(case Failed of 0 -> 0; _ -> 1 end).

arguments(["-m", M | Rest], all, Suites) -> arguments(Rest, [list_to_atom(M)], Suites);
arguments(["-m", M | Rest], Ms, Suites) -> arguments(Rest, [list_to_atom(M) | Ms], Suites);
arguments(["-otp" | Rest], _, Suites) -> arguments(Rest, [], Suites);
arguments([Suite | Rest], Ms, Suites) ->
    Wanted = case string:split(Suite, ":") of
                 [S, C] -> {list_to_atom(S), list_to_atom(C)};
                 [S] -> {list_to_atom(S), all}
             end,
    arguments(Rest, Ms, [Wanted | Suites]);
arguments([], Ms, Suites) -> {Ms, lists:reverse(Suites)}.

default_suites() ->
    [{S, all} || S <- [lists_SUITE, proplists_SUITE, dict_SUITE, sets_SUITE, maps_SUITE, queue_SUITE,
                       array_SUITE, string_SUITE, base64_SUITE, calendar_SUITE, filename_SUITE, filelib_SUITE,
                       rand_SUITE, random_SUITE, digraph_SUITE, digraph_utils_SUITE, sofs_SUITE,
                       uri_string_SUITE, erl_anno_SUITE, erl_internal_SUITE, binary_module_SUITE, unicode_SUITE,
                       ms_transform_SUITE, math_SUITE, y2k_SUITE]].

compile_suite(Dir, Out, Suite) ->
    Helpers = [dict_test_lib, sets_test_lib, random_iolist, random_unicode_list, binref, error_info_lib],
    [compile:file(filename:join(Dir, H), [{outdir, Out}, nowarn_deprecated_function])
     || H <- Helpers, code:which(H) =:= non_existing, filelib:is_file(filename:join(Dir, atom_to_list(H) ++ ".erl"))],
    case compile:file(filename:join(Dir, Suite), [{outdir, Out}, {i, Dir}, report_errors, nowarn_deprecated_function]) of
        {ok, _} -> ok;
        error -> io:format("~w: does not compile~n", [Suite]), error
    end.

%% The modules are compiled first and loaded together, since the compiler itself uses them.
load_own(Here, Modules) ->
    Files = filelib:wildcard(filename:join([Here, "..", "..", "erl", "data", "*.erl"])),
    Wanted = [F || F <- Files, M <- [list_to_atom(filename:basename(F, ".erl"))],
                   Modules =:= all orelse lists:member(M, Modules) orelse lists:prefix("stdlib_", atom_to_list(M))],
    Compiled = [begin
                    {ok, M, Code} = compile:file(F, [binary, report_errors]),
                    {M, F, Code}
                end || F <- Wanted],
    code:unstick_dir(filename:join(code:lib_dir(stdlib), "ebin")),
    lists:foreach(fun({M, F, Code}) ->
        code:purge(M),
        {module, M} = code:load_binary(M, F, Code)
    end, Compiled),
    io:format("~w modules of ours loaded~n", [length(Compiled)]).

run_suite(Suite, Only, Dir, Out) ->
    Priv = filename:join([Out, "priv_" ++ atom_to_list(Suite)]) ++ "/",
    ok = filelib:ensure_dir(Priv),
    Data = filename:join(Dir, atom_to_list(Suite) ++ "_data") ++ "/",
    Config = [{priv_dir, Priv}, {data_dir, Data}, {tc_logfile, "none"}],
    put(counts, {0, 0, 0}),
    {ok, Cwd} = file:get_cwd(),
    case guarded(fun() -> optional(Suite, init_per_suite, [Config], Config) end) of
        {ok, Config1} when is_list(Config1) ->
            Cases = [C || C <- flat_cases(Suite, Suite:all(), []), Only =:= all orelse element(1, C) =:= Only],
            [run_case(Suite, Case, Config1) || Case <- Cases],
            guarded(fun() -> optional(Suite, end_per_suite, [Config1], ok) end);
        Other -> io:format("~w: not run: ~0P~n", [Suite, Other, 20])
    end,
    file:set_cwd(Cwd),
    {P, F, S} = get(counts),
    io:format("~-22w ~4w passed ~4w failed ~4w skipped~n", [Suite, P, F, S]),
    {P, F, S}.

%% Groups are flattened: a case becomes {Name, [Group]}.
flat_cases(Suite, [{group, G} | Rest], Path) ->
    Groups = optional(Suite, groups, [], []),
    case lists:keyfind(G, 1, Groups) of
        {G, _, Members} -> flat_cases(Suite, Members, Path ++ [G]);
        {G, Members} -> flat_cases(Suite, Members, Path ++ [G]);
        false -> []
    end ++ flat_cases(Suite, Rest, Path);
flat_cases(Suite, [{group, G, _} | Rest], Path) -> flat_cases(Suite, [{group, G} | Rest], Path);
flat_cases(Suite, [{testcase, C, _} | Rest], Path) -> flat_cases(Suite, [C | Rest], Path);
flat_cases(Suite, [{G, _, Members} | Rest], Path) when is_list(Members) ->
    flat_cases(Suite, Members, Path ++ [G]) ++ flat_cases(Suite, Rest, Path);
flat_cases(Suite, [C | Rest], Path) when is_atom(C) -> [{C, Path} | flat_cases(Suite, Rest, Path)];
flat_cases(_Suite, _, _Path) -> [].

run_case(Suite, {Case, Path}, Config) ->
    Result = guarded(fun() ->
        Config1 = lists:foldl(fun(G, Acc) ->
                                  case optional(Suite, init_per_group, [G, Acc], Acc) of
                                      {skip, _} = Skip -> throw(Skip);
                                      New -> New
                                  end
                              end, Config, Path),
        case optional(Suite, init_per_testcase, [Case, Config1], Config1) of
            {skip, _} = Skip -> Skip;
            Config2 ->
                Value = Suite:Case(Config2),
                optional(Suite, end_per_testcase, [Case, Config2], ok),
                Value
        end
    end),
    {P, F, S} = get(counts),
    case Result of
        {ok, {skip, _}} -> put(counts, {P, F, S + 1});
        {ok, {skipped, _}} -> put(counts, {P, F, S + 1});
        {ok, {comment, _}} -> put(counts, {P + 1, F, S});
        {ok, _} -> put(counts, {P + 1, F, S});
        {throw, {skip, _}} -> put(counts, {P, F, S + 1});
        Failure ->
            io:format("  ~w:~w failed: ~0tP~n", [Suite, Case, Failure, 40]),
            put(counts, {P, F + 1, S})
    end.

optional(Suite, Function, Args, Default) ->
    case erlang:function_exported(Suite, Function, length(Args)) of
        true -> apply(Suite, Function, Args);
        false -> Default
    end.

guarded(Fun) ->
    Self = self(),
    Ref = make_ref(),
    Leader = group_leader(),
    {Pid, Monitor} = spawn_monitor(fun() ->
        group_leader(Leader, self()),
        process_flag(max_heap_size, #{size => 200 * 1000 * 1000, kill => true}),
        Self ! {Ref, try {ok, Fun()} catch C:R:St -> {C, R, lists:sublist(St, 4)} end}
    end),
    receive
        {Ref, Result} -> erlang:demonitor(Monitor, [flush]), Result;
        {'DOWN', Monitor, process, Pid, Reason} -> {exit, Reason}
    after 120000 ->
        exit(Pid, kill),
        timeout
    end.
