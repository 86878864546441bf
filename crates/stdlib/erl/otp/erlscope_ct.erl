%% Runs Common Test suites.
%%
%% A step is one configuration function, or one test case with its init and end
%% functions. It runs in a process of its own with a capture of output as group
%% leader; the runner waits for it and sees to its time limit. The table
%% erlscope_ct holds the settings of steps, by group leader, and the
%% configuration that ct:get_config reads.
%%
%% Results are told by erlscope_native:test_event/1, see NATIVES.md. Hooks
%% (erlscope_ct_hooks) are called in the process of the step that they are about.
-module(erlscope_ct).

-export([run/1, run/2, run_test/1, cases/1]).

%% For ct and test_server.
-export([set/2, setting/2, config/0, add_config/1, timetrap/1, abort/1,
         capture_start/0, capture_stop/0, capture_get/0]).

-export([leader/2]).

%% For erlscope_ct_one.
-export([groups/1, resolve/2, base_config/2, info/3, requirements/1]).

-define(TIMETRAP, 30 * 60 * 1000).

%% suite, groups: definitions. config: as passed down. path: of the enclosing
%% groups. timetrap, required: of suite and groups. only: cases to run, or all.
-record(run, {suite, groups, config, path = [], timetrap = ?TIMETRAP, only = all, saved}).

%%% ----------------------------------------------------------------------- API

run(Suites) -> run(Suites, []).

%% {Passed, Failed, {SkippedByUser, SkippedAutomatically}}.
%% Options: {testcase, Names}, {group, Names}, {config, Pairs}, {data_dir, Dir},
%% {priv_dir, Dir}.
run(Suites, Options) when is_list(Suites) ->
    Owner = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       %% A test that keeps high priority for itself can be ended.
                                       process_flag(priority, max),
                                       group_leader(group_leader(), Owner),
                                       ets:new(?MODULE, [named_table, public, set]),
                                       add_config(proplists:get_value(config, Options, [])),
                                       [erlscope_ct_hooks:add(Hooks) || {ct_hooks, Hooks} <- Options],
                                       Counts = [run_suite(Suite, Options) || Suite <- Suites],
                                       erlscope_ct_hooks:finish(),
                                       exit({?MODULE, lists:foldl(fun add/2, zero(), Counts)})
                               end),
    receive
        {'DOWN', Ref, process, Pid, {?MODULE, {P, F, U, A, C}}} ->
            erlscope_native:test_event({done, #{passed => P, failed => F + C, skipped => U + A, cancelled => 0}}),
            {P, F, {U, A}};
        {'DOWN', Ref, process, Pid, Reason} ->
            exit(Reason)
    end;
run(Suite, Options) ->
    run([Suite], Options).

%% As ct:run_test: suites by name, perhaps in a directory.
run_test(Options) ->
    Dirs = lists:append([case Dir of [C | _] when is_integer(C) -> [Dir]; _ -> Dir end
                         || Dir <- proplists:get_all_values(dir, Options)]),
    [code:add_patha(Dir) || Dir <- Dirs],
    Named = case proplists:get_value(suite, Options) of
                undefined -> [filename:basename(F, ".beam") || D <- Dirs, F <- filelib:wildcard(D ++ "/*_SUITE.beam")];
                [C | _] = Name when is_integer(C) -> [Name];
                Name when is_atom(Name) -> [Name];
                Names -> Names
            end,
    run([case Suite of
             _ when is_atom(Suite) -> Suite;
             _ -> list_to_atom(filename:basename(Suite, ".beam"))
         end || Suite <- Named],
        [Option || {Key, _} = Option <- Options, lists:member(Key, [testcase, group])]).

%% The test cases of a suite, as {[Group], Case}.
cases(Suite) ->
    %% Loads it.
    _ = Suite:module_info(module),
    Groups = groups(Suite),
    lists:append([members([], Item, Groups) || Item <- all(Suite)]).

members(Path, Item, Groups) ->
    case resolve(Item, Groups) of
        {group, Name, _, Members} -> lists:append([members(Path ++ [Name], M, Groups) || M <- Members]);
        {testcase, Case, _} -> [{Path, Case}]
    end.

%%% -------------------------------------------------------------------- counts

%% Passed, failed, skipped by the user, skipped automatically; failed
%% configuration functions, which are no test cases.
zero() -> {0, 0, 0, 0, 0}.

config_failed() -> {0, 0, 0, 0, 1}.

add({P, F, U, A, C}, {P1, F1, U1, A1, C1}) -> {P + P1, F + F1, U + U1, A + A1, C + C1}.

count(ok) -> {1, 0, 0, 0, 0};
count({failed, _, _, _}) -> {0, 1, 0, 0, 0};
count({skipped, {auto, _}}) -> {0, 0, 0, 1, 0};
count({skipped, _}) -> {0, 0, 1, 0, 0}.

%%% -------------------------------------------------------------------- suites

run_suite(Suite, Options) ->
    %% Loads it.
    _ = Suite:module_info(module),
    Info = info(Suite, suite, []),
    IsHooked = erlscope_ct_hooks:is_used([Info]),
    Groups = case IsHooked of
                 true -> erlscope_ct_hooks:groups(Suite, groups(Suite));
                 false -> groups(Suite)
             end,
    Run = limits(Info, #run{suite = Suite, groups = Groups, config = base_config(Suite, Options),
                            only = proplists:get_value(testcase, Options, all)}),
    Items = case proplists:get_value(group, Options) of
                undefined when IsHooked -> erlscope_ct_hooks:all(Suite, all(Suite));
                undefined -> all(Suite);
                Names -> [{group, Name} || Name <- listed(Names)]
            end,
    erlscope_native:test_event({group_begin, #{id => [Suite], title => atom_to_binary(Suite)}}),
    Counts = case Items of
                 {skip, Reason} -> event(Run, all, {skipped, Reason}, <<>>, 0, none);
                 _ ->
                     {Ran, _} = configured(init_per_suite, end_per_suite, [], Info, selected(Items, Run),
                                           fun run_items/2, Run),
                     Ran
             end,
    erlscope_native:test_event({group_end, #{id => [Suite], title => atom_to_binary(Suite)}}),
    Counts.

all(Suite) ->
    case erlang:function_exported(Suite, all, 0) of
        true -> Suite:all();
        false -> [F || {F, 1} <- Suite:module_info(exports),
                       not lists:member(F, [init_per_suite, end_per_suite, module_info, group])]
    end.

groups(Suite) ->
    case erlang:function_exported(Suite, groups, 0) of
        true -> Suite:groups();
        false -> []
    end.

listed([C | _] = Name) when is_integer(C) -> [list_to_atom(Name)];
listed(Names) when is_list(Names) -> Names;
listed(Name) -> [Name].

base_config(Suite, Options) ->
    Name = atom_to_list(Suite),
    Data = case proplists:get_value(data_dir, Options) of
               undefined ->
                   File = case code:which(Suite) of
                              F when is_list(F), F =/= "" -> F;
                              _ -> "."
                          end,
                   filename:join(filename:dirname(File), Name ++ "_data");
               Dir ->
                   Dir
           end,
    Priv = case proplists:get_value(priv_dir, Options) of
               undefined -> filename:join([erlscope_native:scratch_dir(), Name, "priv"]);
               Base -> filename:join(Base, "priv")
           end,
    _ = filelib:ensure_dir(filename:join(Priv, "x")),
    [{data_dir, slashed(Data)}, {priv_dir, slashed(Priv)}].

slashed(Dir) -> string:trim(filename:absname(Dir), trailing, "/") ++ "/".

%% The list that a suite, group or test case tells about itself.
info(Suite, Function, Args) ->
    case erlang:function_exported(Suite, Function, length(Args)) of
        true ->
            case catch apply(Suite, Function, Args) of
                List when is_list(List) -> List;
                _ -> []
            end;
        false ->
            []
    end.

limits(Info, #run{timetrap = Default} = Run) ->
    [add_config([{Key, Value}]) || {default_config, Key, Value} <- Info],
    case lists:keyfind(timetrap, 1, Info) of
        {_, Time} -> Run#run{timetrap = test_server:milliseconds(Time)};
        false -> Run#run{timetrap = Default}
    end.

%% ok, or why the required configuration is not there.
requirements(Info) ->
    Results = [case Requirement of
                   {require, Key} -> ct:require(Key);
                   {require, Name, Key} -> ct:require(Name, Key)
               end || Requirement <- Info, element(1, Requirement) =:= require],
    case [Reason || {error, Reason} <- Results] of
        [] -> ok;
        [Reason | _] -> {error, {require_failed, Reason}}
    end.

%%% ------------------------------------------------------ suites and groups

%% Items between an init and an end function, run by RunItems. Args come before
%% the configuration. {Counts, [ok | failed | skipped]}
configured(Init, End, Args, Info, Items, RunItems, #run{suite = Suite, config = Config} = Run) ->
    Arity = length(Args) + 1,
    IsHooked = erlscope_ct_hooks:is_used([Info, Config]),
    Started = case {requirements(Info), IsHooked orelse erlang:function_exported(Suite, Init, Arity)} of
                  {{error, Missing}, _} -> {auto, Missing};
                  {ok, true} -> config_step(Init, Args, Config, [Hooks || {ct_hooks, _} = Hooks <- Info], Run);
                  {ok, false} -> {ok, Config}
              end,
    Result = case Started of
        {ok, NewConfig} ->
            Inner = Run#run{config = NewConfig},
            {Counts, Results} = RunItems(Items, Inner),
            Kinds = [Kind || {_, Kind} <- Results],
            case IsHooked orelse erlscope_ct_hooks:is_used([]) orelse erlang:function_exported(Suite, End, Arity) of
                true ->
                    case end_step(End, Args, NewConfig, Results, Inner) of
                        {none, EndCounts} -> {add(Counts, EndCounts), Kinds};
                        {GroupResult, EndCounts} -> {add(Counts, EndCounts), [GroupResult]}
                    end;
                false ->
                    {Counts, Kinds}
            end;
        {skip, Reason} ->
            hook_skip(Suite, hooked_name(Init, Args), {tc_user_skip, Reason}),
            {skip_items(Items, {skipped, Reason}, Run), [skipped]};
        {failed, Class, Reason, Stack, Output, Time} ->
            event(Run, Init, {failed, Class, Reason, Stack}, Output, Time, none),
            hook_fail(Suite, hooked_name(Init, Args), thrown(Class, Reason, Stack)),
            Skipped = skip_items(Items, {skipped, {auto, {failed, {Suite, Init, Reason}}}}, Run),
            {add(config_failed(), Skipped), [failed]};
        {auto, Reason} ->
            {skip_items(Items, {skipped, {auto, Reason}}, Run), [skipped]}
    end,
    [erlscope_ct_hooks:ended([Suite | Args]) || erlscope_ct_hooks:is_used([])],
    Result.

%% How hooks are told of a configuration function.
hooked_name(Function, []) -> Function;
hooked_name(Function, [Group]) -> {Function, Group}.

hook_fail(Suite, Case, Reason) ->
    [erlscope_ct_hooks:failed(Suite, Case, Reason) || erlscope_ct_hooks:is_used([])].

hook_skip(Suite, Case, Reason) ->
    [erlscope_ct_hooks:skipped(Suite, Case, Reason) || erlscope_ct_hooks:is_used([])].

stage(pre, Function) -> list_to_atom("pre_" ++ atom_to_list(Function));
stage(post, Function) -> list_to_atom("post_" ++ atom_to_list(Function)).

%% A configuration function between its hooks.
hooked(Function, Args, Config, Call) ->
    case erlscope_ct_hooks:is_used([Config]) of
        false -> Call(Config);
        true ->
            case erlscope_ct_hooks:call(stage(pre, Function), Args, Config) of
                Given when is_list(Given) ->
                    try Call(Given) of
                        Return -> erlscope_ct_hooks:call(stage(post, Function), Args ++ [Given], Return)
                    catch Class:Reason:Stack ->
                        Raised = {'EXIT', thrown(Class, Reason, own_frames(Stack))},
                        case erlscope_ct_hooks:call(stage(post, Function), Args ++ [Given], Raised) of
                            Raised -> erlang:raise(Class, Reason, Stack);
                            Changed -> Changed
                        end
                    end;
                Refused -> erlscope_ct_hooks:call(stage(post, Function), Args ++ [Config], Refused)
            end
    end.

config_step(Function, Args, Config, Hooks, #run{suite = Suite, timetrap = Timetrap}) ->
    Call = fun(Given) ->
                   case erlang:function_exported(Suite, Function, length(Args) + 1) of
                       true -> apply(Suite, Function, Args ++ [Given]);
                       false -> Given
                   end
           end,
    {Result, Output, Time, _} =
        step(fun() -> hooked(Function, [Suite | Args], Config ++ Hooks, Call) end, Timetrap, {Suite, Function}),
    case Result of
        {value, {skip, Reason}} -> {skip, Reason};
        {value, {skipped, Reason}} -> {skip, Reason};
        {value, {skip_and_save, Reason, _}} -> {skip, Reason};
        {value, {fail, Reason}} -> {failed, exit, Reason, [], Output, Time};
        {value, [_ | _] = New} -> {ok, New};
        {value, []} -> {ok, []};
        {value, {save_config, _}} -> {ok, Config};
        {value, _} when Function =:= init_per_suite ->
            {failed, error, {bad_return, {Suite, Function}}, [], Output, Time};
        {value, _} -> {ok, Config};
        {exception, throw, {Skip, Reason}, _} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
        {exception, exit, {Skip, Reason}, _} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
        {exception, Class, Reason, Stack} -> {failed, Class, Reason, Stack, Output, Time}
    end.

end_step(Function, Args, Config, Results, #run{suite = Suite, timetrap = Timetrap} = Run) ->
    Status = {tc_group_result, [{Kind, [Case || {Case, K} <- Results, K =:= Kind]} || Kind <- [ok, skipped, failed]]},
    Call = fun(Given) ->
                   case erlang:function_exported(Suite, Function, length(Args) + 1) of
                       true -> apply(Suite, Function, Args ++ [Given]);
                       false -> ok
                   end
           end,
    {Result, Output, Time, _} =
        step(fun() -> hooked(Function, [Suite | Args], [Status | Config], Call) end, Timetrap, {Suite, Function}),
    case Result of
        {exception, Class, Reason, Stack} ->
            event(Run, Function, {failed, Class, Reason, Stack}, Output, Time, none),
            hook_fail(Suite, hooked_name(Function, Args), thrown(Class, Reason, Stack)),
            {none, config_failed()};
        {value, {return_group_result, GroupResult}} ->
            {GroupResult, zero()};
        {value, _} ->
            {none, zero()}
    end.

skip_items(Items, Result, #run{groups = Groups} = Run) ->
    lists:foldl(fun(Item, Acc) ->
                        case resolve(Item, Groups) of
                            {group, Name, _, Members} ->
                                add(Acc, skip_items(Members, Result, in_group(Name, Run)));
                            {testcase, Case, _} ->
                                case is_selected(Case, Run) of
                                    true ->
                                        hook_result(Run, Case, Result),
                                        add(Acc, event(Run, Case, Result, <<>>, 0, none));
                                    false -> Acc
                                end
                        end
                end, zero(), Items).

in_group(Name, #run{path = Path} = Run) -> Run#run{path = Path ++ [Name]}.

%% Without groups that have no case to run.
selected(Items, #run{only = all}) -> Items;
selected(Items, #run{groups = Groups} = Run) ->
    [Item || Item <- Items, lists:any(fun({_, Case}) -> is_selected(Case, Run) end, members([], Item, Groups))].

is_selected(_, #run{only = all}) -> true;
is_selected(Case, #run{only = Only}) -> lists:member(Case, listed(Only)).

%% {group, Name, Properties, Members} or {testcase, Name, Properties}
resolve({group, Name}, Groups) -> resolve({group, Name, default}, Groups);
resolve({group, Name, Properties}, Groups) ->
    case lists:keyfind(Name, 1, Groups) of
        {_, Own, Members} when Properties =:= default -> {group, Name, Own, Members};
        {_, _, Members} -> {group, Name, Properties, Members};
        {_, Members} when Properties =:= default -> {group, Name, [], Members};
        {_, Members} -> {group, Name, Properties, Members};
        false ->
            case [G || G <- nested(Groups), element(1, G) =:= Name] of
                [G | _] -> resolve({group, Name, Properties}, [G]);
                [] -> {group, Name, [], []}
            end
    end;
resolve({group, Name, Properties, _Sub}, Groups) -> resolve({group, Name, Properties}, Groups);
resolve({testcase, Case}, _) -> {testcase, Case, []};
resolve({testcase, Case, Properties}, _) -> {testcase, Case, Properties};
resolve({Name, Properties, Members}, _) when is_list(Properties), is_list(Members) ->
    {group, Name, Properties, Members};
resolve({Name, Members}, _) when is_list(Members) -> {group, Name, [], Members};
resolve({_Suite, Case}, _) when is_atom(Case) -> {testcase, Case, []};
resolve(Case, _) when is_atom(Case) -> {testcase, Case, []}.

%% Groups may be defined inside others.
nested(Groups) ->
    lists:append([[Group | nested([G || G <- element(tuple_size(Group), Group), is_tuple(G),
                                        element(1, G) =/= group, element(1, G) =/= testcase])]
                  || Group <- Groups, is_tuple(Group)]).

%% {Counts, [{Case, ok | failed | skipped}]}
run_items(Items, Run) ->
    run_items_in_order(Items, Run, {zero(), []}).

run_items_in_order([], _, {Counts, Results}) ->
    {Counts, lists:reverse(Results)};
run_items_in_order([Item | Items], #run{groups = Groups} = Run, {Counts, Results}) ->
    case resolve(Item, Groups) of
        {group, Name, Properties, Members} ->
            {C, Kind} = run_group(Name, Properties, Members, Run),
            run_items_in_order(Items, Run, {add(C, Counts), [{{group, Name}, Kind} | Results]});
        {testcase, Case, Properties} ->
            case is_selected(Case, Run) of
                true ->
                    {C, Kind, Saved} = repeated_case(Case, Properties, Run),
                    run_items_in_order(Items, Run#run{saved = Saved}, {add(C, Counts), [{Case, Kind} | Results]});
                false ->
                    run_items_in_order(Items, Run, {Counts, Results})
            end
    end.

repeated_case(Case, Properties, Run) ->
    N = proplists:get_value(repeat, Properties, 1),
    lists:foldl(fun(_, {Counts, _, Saved}) ->
                        {C, Kind, NewSaved} = run_case(Case, Run#run{saved = Saved}),
                        {add(C, Counts), Kind, NewSaved}
                end, {zero(), ok, Run#run.saved}, lists:seq(1, N)).

%%% --------------------------------------------------------------------- groups

run_group(Name, Properties, Members, Run) ->
    {Until, N} = repetition(Properties),
    run_group(Name, Properties, Members, Run, Until, N, zero()).

repetition(Properties) ->
    Kinds = [repeat, repeat_until_all_ok, repeat_until_all_fail, repeat_until_any_ok, repeat_until_any_fail],
    case [Property || {Kind, _} = Property <- Properties, lists:member(Kind, Kinds)] of
        [{Kind, forever} | _] -> {Kind, 1000000};
        [{Kind, N} | _] -> {Kind, N};
        [] -> {repeat, 1}
    end.

run_group(Name, Properties, Members, Run, Until, N, Before) ->
    {Counts, Kinds} = run_group_once(Name, Properties, Members, Run),
    Total = add(Counts, Before),
    Ok = lists:member(ok, Kinds),
    Failed = lists:member(failed, Kinds),
    Done = case Until of
               repeat -> false;
               repeat_until_all_ok -> not Failed;
               repeat_until_any_ok -> Ok;
               repeat_until_all_fail -> Failed andalso not Ok;
               repeat_until_any_fail -> Failed
           end,
    case Done orelse N =< 1 of
        true -> {Total, case Failed of true -> failed; false -> ok end};
        false ->
            %% The group is told how often it still runs.
            Left = lists:keydelete(Until, 1, Properties) ++ [{Until, N - 1} || N > 2],
            run_group(Name, Left, Members, Run, Until, N - 1, Total)
    end.

run_group_once(Name, Properties, Members, #run{suite = Suite, config = Config} = Run0) ->
    Info = info(Suite, group, [Name]),
    Inner0 = in_group(Name, limits(Info, Run0)),
    Group = {tc_group_properties, [{name, Name} | [P || P <- Properties, not is_internal(P)]]},
    Path = {tc_group_path, [Props || {tc_group_properties, Props} <- Config]},
    Inner = Inner0#run{config = [Group, Path | lists:keydelete(tc_group_path, 1,
                                                               lists:keydelete(tc_group_properties, 1, Config))]},
    RunItems = case {lists:member(parallel, Properties), lists:member(sequence, Properties)} of
                   {true, _} -> fun run_in_parallel/2;
                   {_, true} -> fun(Items, R) -> run_sequence(Items, R, {zero(), []}) end;
                   _ -> fun run_items/2
               end,
    Id = [Suite | Inner#run.path],
    erlscope_native:test_event({group_begin, #{id => Id, title => atom_to_binary(Name)}}),
    Result = configured(init_per_group, end_per_group, [Name], Info, shuffled(Properties, Members), RunItems, Inner),
    erlscope_native:test_event({group_end, #{id => Id, title => atom_to_binary(Name)}}),
    Result.

is_internal({Kind, _}) -> Kind =:= override;
is_internal(_) -> false.

%% The order is mixed by the seed, the same each time.
shuffled(Properties, Members) ->
    Seed = case lists:keyfind(shuffle, 1, Properties) of
               {_, S} -> S;
               false -> lists:member(shuffle, Properties) andalso {1, 2, 3}
           end,
    case Seed of
        false -> Members;
        _ ->
            State = rand:seed_s(exsss, Seed),
            {Keyed, _} = lists:mapfoldl(fun(Member, S0) ->
                                                {Value, S1} = rand:uniform_s(S0),
                                                {{Value, Member}, S1}
                                        end, State, Members),
            [Member || {_, Member} <- lists:sort(Keyed)]
    end.

%% After a failure the rest is skipped.
run_sequence([], _, {Counts, Results}) ->
    {Counts, lists:reverse(Results)};
run_sequence([Item | Items], #run{suite = Suite} = Run, {Counts, Results}) ->
    {C, [{What, Kind} | _] = R} = case run_items([Item], Run) of
                                      {Counted, []} -> {Counted, [{none, ok}]};
                                      Ran -> Ran
                                  end,
    case Kind of
        failed ->
            Case = case What of {group, G} -> G; _ -> What end,
            Skipped = skip_items(Items, {skipped, {auto, {failed, {Suite, Case}}}}, Run),
            {add(Skipped, add(C, Counts)), lists:reverse(R ++ Results)};
        _ ->
            run_sequence(Items, Run, {add(C, Counts), R ++ Results})
    end.

%% All at once; results are told in the order of the group.
run_in_parallel(Items, Run) ->
    Running = [spawn_monitor(fun() -> exit({?MODULE, run_items([Item], Run)}) end) || Item <- Items],
    Done = [receive
                {'DOWN', Ref, process, Pid, {?MODULE, Result}} -> Result;
                {'DOWN', Ref, process, Pid, Reason} -> exit(Reason)
            end || {Pid, Ref} <- Running],
    lists:foldl(fun({C, R}, {Counts, Results}) -> {add(C, Counts), Results ++ R} end, {zero(), []}, Done).

%%% ----------------------------------------------------------------- test cases

%% {Counts, ok | failed | skipped, SavedConfig}
run_case(Case, #run{suite = Suite, config = Config0, saved = Saved} = Run0) ->
    Info = info(Suite, Case, []),
    #run{timetrap = Timetrap} = Run = limits(Info, Run0),
    Config = [{tc_logfile, ""} | Config0] ++ [{saved_config, Saved} || Saved =/= undefined],
    erlscope_native:test_event({test_begin, about(Run, Case)}),
    {Result, Output, Time, Comment} =
        case requirements(Info) of
            {error, Reason} ->
                {{skipped, {auto, Reason}, undefined}, <<>>, 0, none};
            ok ->
                Self = self(),
                Key = make_ref(),
                {Outcome, Out, T, Text} =
                    step(fun() -> case_body(Suite, Case, Config, {Self, Key}) end, Timetrap, {Suite, Case}),
                {case_result(Outcome, Suite, Case, Config, Key, Timetrap), Out, T, Text}
        end,
    settle(),
    {Told, NewSaved} = case Result of
                           {R, S} -> {R, S};
                           {skipped, Why, S} -> {{skipped, Why}, S}
                       end,
    {FinalComment, Final} = case Told of
                                {comment, C} -> {C, ok};
                                _ -> {Comment, Told}
                            end,
    hook_result(Run, Case, Final),
    Counts = event(Run, Case, Final, Output, Time, FinalComment),
    Kind = case Final of
               ok -> ok;
               {failed, _, _, _} -> failed;
               {skipped, _} -> skipped
           end,
    {Counts, Kind, case NewSaved of undefined -> undefined; _ -> {Case, NewSaved} end}.

%% Hooks hear of what did not pass; a case in a group is told with the group.
hook_result(_, _, ok) -> ok;
hook_result(#run{suite = Suite, path = Path}, Case, Result) ->
    Told = case Path of
               [] -> Case;
               _ -> {Case, lists:last(Path)}
           end,
    case Result of
        {failed, _, {timetrap_timeout, _}, _} -> hook_fail(Suite, Told, timetrap_timeout);
        {failed, Class, Reason, Stack} -> hook_fail(Suite, Told, thrown(Class, Reason, Stack));
        {skipped, {auto, Reason}} -> hook_skip(Suite, Told, {tc_auto_skip, Reason});
        {skipped, Reason} -> hook_skip(Suite, Told, {tc_user_skip, Reason})
    end.

%% Between two test cases Common Test talks to its servers and writes its logs, which takes
%% milliseconds; what a case leaves behind (processes that were linked to it, messages on their way)
%% comes to its end meanwhile, and suites rely on that. Here the shortest time passes.
settle() ->
    receive after 1 -> ok end.

%% Runs in the process of the step. The runner keeps the configuration in case
%% the process does not get to the end function.
case_body(Suite, Case, Config, {Runner, Key}) ->
    case hooked_init(Suite, Case, Config) of
        {ok, NewConfig} ->
            Runner ! {Key, in_case, NewConfig},
            {Status, Return} = call_case(Suite, Case, NewConfig),
            EndConfig = [{tc_status, Status} | NewConfig],
            Runner ! {Key, in_end, ok},
            {NewReturn, Ended} = hooked_end(Suite, Case, EndConfig, Return),
            {case_return, NewReturn, Ended};
        Skipped ->
            {case_return, Skipped, ok}
    end.

%% The init function of a case between its hooks.
hooked_init(Suite, Case, Config) ->
    case erlscope_ct_hooks:is_used([Config]) of
        false -> init_case(Suite, Case, Config);
        true ->
            {Ready, Before} = case erlscope_ct_hooks:call(pre_init_per_testcase, [Suite, Case], Config) of
                                  Given when is_list(Given) -> {init_case(Suite, Case, Given), Given};
                                  {fail, Reason} -> {{failed, exit, Reason, []}, Config};
                                  {Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {{skip, Reason}, none};
                                  {auto_skip, Reason} -> {{skip, {auto, Reason}}, none}
                              end,
            Status = fun(_, _) when Before =:= none -> Config;
                        (How, Why) -> [{tc_status, {How, Why}} | Before]
                     end,
            {Result, After} = case Ready of
                                  {ok, New} -> {ok, New};
                                  {failed, _, Why, _} -> {{error, Why}, Status(failed, Why)};
                                  {skip, {auto, Why}} -> {{skip, Why}, Status(skipped, Why)};
                                  {skip, Why} -> {{skip, Why}, Status(skipped, Why)};
                                  {skip_and_save, Why, _} -> {{skip, Why}, Status(skipped, Why)}
                              end,
            case erlscope_ct_hooks:call(post_init_per_testcase, [Suite, Case, After], Result) of
                Result -> Ready;
                {fail, Changed} -> {failed, exit, Changed, []};
                {Skip2, Changed} when Skip2 =:= skip; Skip2 =:= skipped -> {skip, Changed};
                Changed when is_list(Changed) -> {ok, Changed};
                _ -> Ready
            end
    end.

%% The end function of a case between its hooks, which may make something else of the result of the case.
hooked_end(Suite, Case, Config, Return) ->
    case erlscope_ct_hooks:is_used([Config]) of
        false -> {Return, end_case(Suite, Case, Config)};
        true ->
            Given = case erlscope_ct_hooks:call(pre_end_per_testcase, [Suite, Case], Config) of
                        List when is_list(List) -> List;
                        _ -> Config
                    end,
            Ended = end_case(Suite, Case, Given),
            Result = case {Return, Ended} of
                         {_, {fail, Why}} -> {failed, Why};
                         {{failed, _, {timetrap_timeout, _} = Why, _}, _} -> Why;
                         {{failed, Class, Why, Stack}, _} -> {error, thrown(Class, Why, Stack)};
                         {{Skip, Why}, _} when Skip =:= skip; Skip =:= skipped -> {skip, Why};
                         {_, {end_failed, Why}} -> {failed, {Suite, end_per_testcase, {'EXIT', Why}}};
                         _ -> ok
                     end,
            Changed = erlscope_ct_hooks:call(post_end_per_testcase, [Suite, Case, Given], Result),
            erlscope_ct_hooks:ended([Suite, Case, testcase]),
            case Changed of
                Result -> {Return, Ended};
                {fail, Reason} -> {{failed, exit, Reason, []}, ok};
                {Skip2, Reason} when Skip2 =:= skip; Skip2 =:= skipped -> {{skip, Reason}, ok};
                _ -> {Return, Ended}
            end
    end.

init_case(Suite, Case, Config) ->
    case erlang:function_exported(Suite, init_per_testcase, 2) of
        false -> {ok, Config};
        true ->
            try Suite:init_per_testcase(Case, Config) of
                {Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
                {skip_and_save, Reason, Saved} -> {skip_and_save, Reason, Saved};
                {fail, Reason} -> {failed, exit, Reason, []};
                New when is_list(New) -> {ok, New};
                Bad -> {skip, {auto, {failed, {Suite, init_per_testcase, {bad_return, Bad}}}}}
            catch
                throw:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
                exit:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {skip, Reason};
                Class:Reason:Stack ->
                    {skip, {auto, {failed, {Suite, init_per_testcase, thrown(Class, Reason, own_frames(Stack))}}}}
            end
    end.

call_case(Suite, Case, Config) ->
    try Suite:Case(Config) of
        {Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {{skipped, Reason}, {skip, Reason}};
        {skip_and_save, Reason, Saved} -> {{skipped, Reason}, {skip_and_save, Reason, Saved}};
        {failed, Reason} -> {{failed, Reason}, {failed, exit, Reason, []}};
        {fail, Reason} -> {{failed, Reason}, {failed, exit, Reason, []}};
        Return -> {ok, Return}
    catch
        throw:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {{skipped, Reason}, {skip, Reason}};
        exit:{Skip, Reason} when Skip =:= skip; Skip =:= skipped -> {{skipped, Reason}, {skip, Reason}};
        Class:Reason:Stack ->
            Own = own_frames(Stack),
            {{failed, thrown(Class, Reason, Own)}, {failed, Class, Reason, Own}}
    end.

thrown(error, Reason, Stack) -> {Reason, Stack};
thrown(throw, Reason, Stack) -> {thrown, {Reason, Stack}};
thrown(exit, Reason, _) -> Reason.

end_case(Suite, Case, Config) ->
    Call = case {erlang:function_exported(Suite, end_per_testcase, 2),
                 erlang:function_exported(Suite, fin_per_testcase, 2)} of
               {true, _} -> fun() -> Suite:end_per_testcase(Case, Config) end;
               {_, true} -> fun() -> Suite:fin_per_testcase(Case, Config) end;
               _ -> fun() -> ok end
           end,
    %% A failure in the end function is told, and does not change the result.
    try Call()
    catch
        Class:Reason:Stack ->
            io:format("~w:end_per_testcase failed: ~tp~n", [Suite, {Class, Reason, own_frames(Stack)}]),
            {end_failed, thrown(Class, Reason, own_frames(Stack))}
    end.

%% {Result, SavedConfig}
case_result({value, {case_return, Return, Ended}}, _, _, _, Key, _) ->
    flush(Key),
    Saved = case {Ended, Return} of
                {{save_config, S}, _} -> S;
                {_, {save_config, S}} -> S;
                {_, {skip_and_save, _, S}} -> S;
                _ -> undefined
            end,
    case {Ended, Return} of
        {{fail, Reason}, _} -> {{failed, exit, Reason, []}, Saved};
        {_, {skip, Reason}} -> {{skipped, Reason}, Saved};
        {_, {skip_and_save, Reason, _}} -> {{skipped, Reason}, Saved};
        {_, {failed, _, _, _} = Failed} -> {Failed, Saved};
        {_, {comment, Text}} -> {{comment, Text}, Saved};
        _ -> {ok, Saved}
    end;
case_result({exception, Class, Reason, Stack}, Suite, Case, _, Key, Timetrap) ->
    %% Timed out, ended by a link, or aborted: the end function still runs, unless
    %% the process was killed.
    Started = receive {Key, in_case, Config} -> {ok, Config} after 0 -> none end,
    Ended = receive {Key, in_end, _} -> true after 0 -> false end,
    case Started of
        {ok, NewConfig} when not Ended, Reason =/= killed ->
            Told = case Reason of
                       {timetrap_timeout, _} -> timetrap_timeout;
                       _ -> thrown(Class, Reason, Stack)
                   end,
            Status = {tc_status, {failed, Told}},
            _ = step(fun() -> hooked_end(Suite, Case, [Status | NewConfig], {failed, Class, Reason, Stack}) end, Timetrap,
                     {Suite, Case});
        _ ->
            ok
    end,
    {{failed, Class, Reason, Stack}, undefined}.

flush(Key) ->
    receive {Key, _, _} -> flush(Key) after 0 -> ok end.

%%% ---------------------------------------------------------------------- steps

%% Runs Fun in a process of its own: {Outcome, Output, Milliseconds, Comment}.
step(Fun, Timetrap, Current) ->
    Device = erlscope_native:io_capture_in_front(),
    Leader = spawn(?MODULE, leader, [self(), Device]),
    receive {Leader, ready} -> ok end,
    Before = erlang:monotonic_time(millisecond),
    Key = make_ref(),
    %% Linked, as in OTP: nobody monitors a process that runs a test.
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() ->
                             receive {Key, go} -> ok end,
                             exit({Key, outcome(Fun)})
                     end),
    group_leader(Leader, Pid),
    ets:insert(?MODULE, [{{Leader, guard}, {self(), Key}}, {{Leader, timetrap}, Timetrap},
                         {{Leader, current}, Current}, {{Leader, device}, Device}]),
    Pid ! {Key, go},
    Outcome = await(Pid, Key, Timetrap, deadline(Timetrap)),
    Time = erlang:monotonic_time(millisecond) - Before,
    Comment = case ets:lookup(?MODULE, {Leader, comment}) of
                  [{_, Text}] -> Text;
                  [] -> none
              end,
    ets:match_delete(?MODULE, {{Leader, '_'}, '_'}),
    Output = iolist_to_binary(erlscope_native:io_captured(Device)),
    Leader ! stop,
    {Outcome, Output, Time, Comment}.

outcome(Fun) ->
    try {value, Fun()}
    catch Class:Reason:Stack -> {exception, Class, Reason, own_frames(Stack)}
    end.

own_frames(Stack) ->
    lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Stack).

deadline(infinity) -> infinity;
deadline(Time) -> erlang:monotonic_time(millisecond) + Time.

await(Pid, Key, Timetrap, Deadline) ->
    Left = case Deadline of
               infinity -> infinity;
               _ -> max(0, Deadline - erlang:monotonic_time(millisecond))
           end,
    receive
        {'EXIT', Pid, {Key, Outcome}} -> Outcome;
        {'EXIT', Pid, Reason} -> {exception, exit, Reason, []};
        {Key, timetrap, Time} -> await(Pid, Key, Time, deadline(Time));
        {Key, abort, Reason} -> stopped(Pid, {testcase_aborted, Reason})
    after Left ->
        stopped(Pid, {timetrap_timeout, Timetrap})
    end.

stopped(Pid, Reason) ->
    Stack = case process_info(Pid, current_stacktrace) of
                {_, Frames} -> own_frames(Frames);
                undefined -> []
            end,
    exit(Pid, kill),
    receive {'EXIT', Pid, _} -> ok end,
    {exception, exit, Reason, Stack}.

%% The group leader of a step.
leader(Starter, Device) ->
    erlscope_native:io_attach(self(), Device),
    Starter ! {self(), ready},
    erlscope_io:loop(Device).

%%% ------------------------------------------------ settings of the running step

set(Key, Value) ->
    ets:insert(?MODULE, {{group_leader(), Key}, Value}),
    ok.

setting(Key, Default) ->
    try ets:lookup(?MODULE, {group_leader(), Key}) of
        [{_, Value}] -> Value;
        [] -> Default
    catch
        error:badarg -> Default
    end.

config() ->
    try ets:lookup(?MODULE, config) of
        [{_, Pairs}] -> Pairs;
        [] -> []
    catch
        error:badarg -> []
    end.

add_config(Pairs) ->
    ets:insert(?MODULE, {config, config() ++ Pairs}),
    ok.

timetrap(Time) ->
    case setting(guard, none) of
        {Guard, Key} ->
            set(timetrap, Time),
            Guard ! {Key, timetrap, Time},
            ok;
        none ->
            ok
    end.

abort(Reason) ->
    case setting(guard, none) of
        {Guard, Key} ->
            Guard ! {Key, abort, Reason},
            ok;
        none ->
            {error, no_testcase_running}
    end.

%% What is written between start and stop, as a list of strings.
capture_start() -> set(captured, {length(chunks()), all}).

capture_stop() ->
    case setting(captured, none) of
        {From, all} -> set(captured, {From, length(chunks())});
        _ -> ok
    end.

capture_get() ->
    case setting(captured, none) of
        none -> [];
        {From, To} ->
            Chunks = case To of
                         all -> chunks();
                         _ -> lists:sublist(chunks(), To)
                     end,
            set(captured, {length(chunks()), To}),
            [unicode:characters_to_list(Chunk) || Chunk <- lists:nthtail(min(From, length(Chunks)), Chunks)]
    end.

chunks() ->
    case setting(device, none) of
        none -> [];
        Device -> erlscope_native:io_captured(Device)
    end.

%%% --------------------------------------------------------------------- events

event(Run, Case, Result, Output, Time, Comment) ->
    erlscope_native:test_event({test, (about(Run, Case))#{result => Result, output => Output, time => Time,
                                                          comment => comment(Comment)}}),
    count(Result).

comment(none) -> undefined;
comment(Text) ->
    try unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        _ -> unicode:characters_to_binary(io_lib:format("~tp", [Text]))
    catch
        _:_ -> unicode:characters_to_binary(io_lib:format("~tp", [Text]))
    end.

about(#run{suite = Suite, path = Path}, Case) ->
    #{id => [Suite | Path] ++ [Case], module => Suite, function => Case, arity => 1, title => undefined}.
