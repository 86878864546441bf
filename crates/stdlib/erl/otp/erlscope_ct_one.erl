%% One case of a Common Test suite at a time, in the process that asks: the init and end functions of the suite,
%% of the groups on the way and of the case are called around it, with nothing else around: no time limit, no
%% other process, output as it comes. For tools that run a case again and again under other schedules.
%%
%% A case is run as if it were the only one: what cases before it leave behind or save is not there, groups
%% are not repeated, and cases of parallel groups run alone.
-module(erlscope_ct_one).

-export([list/1, run/4]).

%% The cases of a suite: [{Case, Groups}], each once.
list(Suite) ->
    lists:uniq([{Case, Groups} || {Groups, Case} <- erlscope_ct:cases(Suite)]).

%% Runs a case; fails as it does. Options as for erlscope_ct:run/2; there need not be a directory for
%% files.
run(Suite, Case, Groups, Options) ->
    erlscope_ct = ets:new(erlscope_ct, [named_table, public, set]),
    Config = erlscope_ct:base_config(Suite, Options ++ [{priv_dir, "."}]),
    Known = erlscope_ct:groups(Suite),
    inside([suite | [{group, Group} || Group <- Groups]], {Suite, Case, Known}, Config).

inside([suite | Inner], {Suite, _, _} = What, Config) ->
    Info = erlscope_ct:info(Suite, suite, []),
    around({init_per_suite, end_per_suite, [], Info}, Suite, Config,
           fun(NewConfig) -> inside(Inner, What, NewConfig) end);
inside([{group, Name} = Group | Inner], {Suite, _, Known} = What, Config) ->
    Info = erlscope_ct:info(Suite, group, [Name]),
    {group, _, Properties, _} = erlscope_ct:resolve(Group, Known),
    Outer = [Of || {tc_group_properties, Of} <- Config],
    Plain = [Pair || Pair <- Config, not is_about_groups(Pair)],
    Told = [{tc_group_properties, [{name, Name} | Properties]}, {tc_group_path, Outer} | Plain],
    around({init_per_group, end_per_group, [Name], Info}, Suite, Told,
           fun(NewConfig) -> inside(Inner, What, NewConfig) end);
inside([], {Suite, Case, _}, Config) ->
    Info = erlscope_ct:info(Suite, Case, []),
    around({init_per_testcase, end_per_testcase, [Case], Info}, Suite, [{tc_logfile, ""} | Config],
           fun(NewConfig) -> call(Suite, Case, NewConfig) end).

is_about_groups({Key, _}) -> Key =:= tc_group_properties orelse Key =:= tc_group_path;
is_about_groups(_) -> false.

%% Inner between an init and an end function; nothing of it if one of them, or what is required, says so.
around({Init, End, Args, Info}, Suite, Config, Inner) ->
    [erlscope_ct:add_config([{Key, Value}]) || {default_config, Key, Value} <- Info],
    case erlscope_ct:requirements(Info) of
        ok ->
            case init(Suite, Init, Args, Config) of
                skip -> ok;
                NewConfig ->
                    try Inner(NewConfig)
                    after
                        %% As for Common Test, how this ends does not matter.
                        catch exported(Suite, End, Args ++ [NewConfig], ok)
                    end
            end;
        {error, _} -> ok
    end.

init(Suite, Function, Args, Config) ->
    try exported(Suite, Function, Args ++ [Config], Config) of
        New when is_list(New) -> New;
        {fail, Reason} -> exit(Reason);
        {Skip, _} when Skip =:= skip; Skip =:= skipped -> skip;
        {skip_and_save, _, _} -> skip;
        {save_config, _} -> Config;
        _ when Function =:= init_per_group -> Config;
        _ -> error({bad_return, {Suite, Function}})
    catch
        throw:{Skip, _} when Skip =:= skip; Skip =:= skipped -> skip;
        exit:{Skip, _} when Skip =:= skip; Skip =:= skipped -> skip
    end.

call(Suite, Case, Config) ->
    try Suite:Case(Config) of
        {Failed, Reason} when Failed =:= fail; Failed =:= failed -> exit(Reason);
        _ -> ok
    catch
        throw:{Skip, _} when Skip =:= skip; Skip =:= skipped -> ok;
        exit:{Skip, _} when Skip =:= skip; Skip =:= skipped -> ok
    end.

%% Calls a function of the suite if it is there.
exported(Suite, Function, Args, Otherwise) ->
    case erlang:function_exported(Suite, Function, length(Args)) of
        true -> apply(Suite, Function, Args);
        false -> Otherwise
    end.
