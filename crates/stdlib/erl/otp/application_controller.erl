%% The application controller: knows what is loaded and running, starts and
%% stops applications through their masters.
%%
%% The table ac_tab (named, public) holds
%%   {{env, App, Key}, Value}, {{loaded, App}, Keys}, {{application_master, App}, Pid}.
%% A start spawns the master, linked, and ends when the master reports; other
%% requests are served meanwhile. Distributed applications do not exist.
-module(application_controller).
-behaviour(gen_server).

-export([start/1, start/2, load_application/1, unload_application/1, start_application/2,
         start_boot_application/2, stop_application/1, permit_application/2, is_running/1,
         which_applications/0, which_applications/1, loaded_applications/0, info/0, start_type/1,
         get_env/2, get_all_env/1, get_key/2, get_all_key/1, get_master/1,
         get_loaded/1, get_application/1, get_application_module/1, set_config/3, check_config/1,
         change_application_data/2, prep_config_change/0, config_change/1, started/2]).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2,
         format_log/1, format_log/2]).

-include_lib("kernel/include/logger.hrl").

-define(SERVER, ?MODULE).

%% running, started: the last started first. starting: who waits for the result.
%% denied: started but not permitted to run. config: overrides of environments.
-record(state, {running = [], started = [], starting = #{}, denied = [], config = []}).

%%% ----------------------------------------------------------------------- API

start(Kernel) -> start(Kernel, []).

%% Assumed are applications that count as running from the beginning.
start(Kernel, Assumed) ->
    case gen_server:start_link({local, ?SERVER}, ?MODULE, {Kernel, Assumed}, []) of
        {ok, Pid} -> {ok, Pid};
        {error, Reason} -> text(Reason)
    end.

load_application(App) -> gen_server:call(?SERVER, {load, App}, infinity).
unload_application(App) -> gen_server:call(?SERVER, {unload, App}, infinity).
start_application(App, Type) -> gen_server:call(?SERVER, {start, App, Type}, infinity).
start_boot_application(App, Type) -> application:start(App, Type).
stop_application(App) -> gen_server:call(?SERVER, {stop, App}, infinity).
permit_application(App, Permission) -> gen_server:call(?SERVER, {permit, App, Permission}, infinity).
is_running(App) when is_atom(App) -> gen_server:call(?SERVER, {is_running, App}, infinity).
which_applications() -> gen_server:call(?SERVER, which_applications).
which_applications(Timeout) -> gen_server:call(?SERVER, which_applications, Timeout).
info() -> gen_server:call(?SERVER, info).
start_type(App) -> gen_server:call(?SERVER, {start_type, App}, infinity).
set_config(App, Key, Value) -> gen_server:call(?SERVER, {set_config, App, Key, Value}, infinity).
prep_config_change() -> gen_server:call(?SERVER, prep_config_change, infinity).
config_change(Before) -> gen_server:call(?SERVER, {config_change, Before}, infinity).
change_application_data(Apps, Config) ->
    gen_server:call(?SERVER, {change_application_data, Apps, Config}, infinity).

%% Called by a master when its start has ended.
started(App, Result) -> gen_server:cast(?SERVER, {application_started, App, Result}).

%%% ----------------------------------------------------- reading without a call

loaded_applications() ->
    [{App, Description, Vsn}
     || [App, #{description := Description, vsn := Vsn}] <- ets:match(ac_tab, {{loaded, '$1'}, '$2'})].

get_env(App, Key) -> application:get_env(App, Key).

get_all_env(App) ->
    [{Key, Value} || [Key, Value] <- ets:match(ac_tab, {{env, App, '$1'}, '$2'})].

get_key(App, env) ->
    case loaded(App) of
        false -> undefined;
        _ -> {ok, get_all_env(App)}
    end;
get_key(App, Key) ->
    case loaded(App) of
        #{Key := Value} -> {ok, Value};
        _ -> undefined
    end.

get_all_key(App) ->
    case loaded(App) of
        false -> undefined;
        Keys ->
            Order = [description, id, vsn, modules, maxP, maxT, registered, included_applications,
                     optional_applications, applications, env, mod, start_phases],
            {ok, [{Key, case Key of env -> get_all_env(App); _ -> maps:get(Key, Keys) end}
                  || Key <- Order]}
    end.

get_master(App) ->
    case ets:lookup(ac_tab, {application_master, App}) of
        [{_, Pid}] -> Pid;
        [] -> undefined
    end.

get_application(Master) ->
    case ets:match(ac_tab, {{application_master, '$1'}, Master}) of
        [[App]] -> {ok, App};
        _ -> undefined
    end.

get_application_module(Module) ->
    Owners = [App || [App, #{modules := Modules}] <- ets:match(ac_tab, {{loaded, '$1'}, '$2'}),
                     lists:member(Module, Modules)],
    case Owners of
        [App | _] -> {ok, App};
        [] -> undefined
    end.

%% As the record that OTP's controller keeps.
get_loaded(App) ->
    case loaded(App) of
        false -> false;
        #{description := Description, id := Id, vsn := Vsn, modules := Modules, maxP := MaxP, maxT := MaxT,
          registered := Registered, included_applications := Included, optional_applications := Optional,
          applications := Applications, mod := Mod, start_phases := Phases} ->
            Data = {appl_data, App, Registered, Phases, Mod, Modules, MaxP, MaxT},
            {true, {appl, App, Data, Description, Id, Vsn, undefined, Included, Optional, Applications}}
    end.

loaded(App) ->
    case ets:lookup(ac_tab, {loaded, App}) of
        [{_, Keys}] -> Keys;
        [] -> false
    end.

%%% -------------------------------------------------------------------- server

init({Kernel, Assumed}) ->
    process_flag(trap_exit, true),
    ets:new(ac_tab, [set, public, named_table, {read_concurrency, true}]),
    try
        State = #state{config = command_line_config()},
        lists:foreach(fun(App) -> load(App, State) end, [Kernel | Assumed]),
        Names = [name(App) || App <- [Kernel | Assumed], Assumed =/= []],
        {ok, State#state{running = [{Name, undefined} || Name <- lists:reverse(Names)],
                         started = [{Name, permanent} || Name <- lists:reverse(Names)]}}
    catch
        throw:Reason -> {stop, Reason}
    end.

handle_call({load, App}, _, State) ->
    {reply, try load(App, State) catch throw:Error -> Error end, State};
handle_call({unload, App}, _, #state{running = Running} = State) ->
    Reply = case {lists:keymember(App, 1, Running), loaded(App)} of
                {true, _} -> {error, {running, App}};
                {false, false} -> {error, {not_loaded, App}};
                _ -> unload(App)
            end,
    {reply, Reply, State};
handle_call({start, App, _}, From, #state{starting = Starting} = State) when is_map_key(App, Starting) ->
    #{App := {Type, Waiting}} = Starting,
    {noreply, State#state{starting = Starting#{App := {Type, [From | Waiting]}}}};
handle_call({start, App, Type}, From, #state{denied = Denied} = State) ->
    case start_condition(App, Type, State) of
        {ok, Keys} ->
            case is_permitted(App) of
                true -> {noreply, begin_start(App, Type, Keys, [From], State)};
                false -> {reply, ok, State#state{denied = lists:keystore(App, 1, Denied, {App, Type})}}
            end;
        Error ->
            {reply, Error, State}
    end;
handle_call({is_running, App}, _, #state{running = Running} = State) ->
    {reply, lists:keymember(App, 1, Running), State};
handle_call({stop, App}, _, #state{started = Started} = State) ->
    case lists:keymember(App, 1, Started) of
        true ->
            #state{started = Left} = Stopped = stop_running(App, State),
            {reply, ok, Stopped#state{started = lists:keydelete(App, 1, Left)}};
        false ->
            {reply, {error, {not_started, App}}, State}
    end;
handle_call({permit, App, Permission}, From, State) ->
    case loaded(App) of
        false -> {reply, {error, {not_loaded, App}}, State};
        Keys -> permit(App, Permission, Keys, From, State)
    end;
handle_call(which_applications, _, #state{running = Running} = State) ->
    Reply = [begin
                 #{description := Description, vsn := Vsn} = loaded(App),
                 {App, Description, Vsn}
             end || {App, _} <- Running],
    {reply, Reply, State};
handle_call(info, _, #state{running = Running, started = Started, starting = Starting, denied = Denied} = State) ->
    {reply, [{loaded, loaded_applications()}, {loading, []}, {started, Started},
             {start_p_false, Denied}, {running, Running},
             {starting, [{App, Type, normal, From} || {App, {Type, [From | _]}} <- maps:to_list(Starting)]}],
     State};
handle_call({start_type, App}, _, #state{starting = Starting} = State) ->
    {reply, case Starting of #{App := _} -> normal; _ -> local end, State};
handle_call({set_config, App, Key, Value}, _, #state{config = Config} = State) ->
    Env0 = lists:keydelete(Key, 1, option(App, Config, [])),
    Env = case Value of {value, V} -> [{Key, V} | Env0]; none -> Env0 end,
    {reply, ok, State#state{config = lists:keystore(App, 1, Config, {App, Env})}};
handle_call(prep_config_change, _, #state{running = Running} = State) ->
    {reply, [{App, get_all_env(App)} || {App, _} <- Running], State};
handle_call({config_change, Before}, _, #state{running = Running} = State) ->
    Results = [tell_change(App, option(App, Before, [])) || {App, _} <- Running],
    Reply = case [Reason || {error, Reason} <- Results] of
                [] -> ok;
                Reasons -> {error, lists:reverse(Reasons)}
            end,
    {reply, Reply, State};
handle_call({change_application_data, Apps, Config}, _, State) ->
    NewState = State#state{config = expand(Config, ".")},
    Reply = try
                [begin
                     {Keys, Env} = described(App),
                     Name = name(App),
                     ets:match_delete(ac_tab, {{env, Name, '_'}, '_'}),
                     store(Name, Keys, Env, NewState)
                 end || App <- Apps, loaded(name(App)) =/= false],
                ok
            catch
                throw:Error -> Error
            end,
    {reply, Reply, NewState}.

handle_cast({application_started, App, Result}, #state{starting = Starting} = State) ->
    case maps:take(App, Starting) of
        {{Type, Waiting}, Rest} ->
            finish_start(App, Result, Type, Waiting, State#state{starting = Rest});
        error ->
            {noreply, State}
    end.

handle_info({'EXIT', Pid, Reason}, #state{running = Running, started = Started} = State) ->
    ets:match_delete(ac_tab, {{application_master, '_'}, Pid}),
    case lists:keytake(Pid, 2, Running) of
        {value, {App, _}, Left} ->
            {_, Type} = lists:keyfind(App, 1, Started),
            report_exit(App, Reason, Type),
            NewState = State#state{running = Left},
            case Type =:= temporary orelse (Type =:= transient andalso Reason =:= normal) of
                true -> {noreply, NewState};
                false -> {stop, text({application_terminated, App, Reason}), NewState}
            end;
        false ->
            {noreply, State}
    end;
handle_info(_, State) ->
    {noreply, State}.

%% The node goes down: applications end in reverse order of their start.
terminate(Reason, #state{running = Running}) ->
    case application:get_env(kernel, shutdown_func) of
        {ok, {M, F}} -> catch M:F(Reason);
        _ -> ok
    end,
    Timeout = application:get_env(kernel, shutdown_timeout, infinity),
    [begin
         Ref = monitor(process, Master),
         unlink(Master),
         exit(Master, shutdown),
         receive
             {'DOWN', Ref, process, _, _} -> ok
         after Timeout ->
             exit(Master, kill),
             receive {'DOWN', Ref, process, _, _} -> ok end
         end
     end || {_, Master} <- Running, is_pid(Master)],
    ets:delete(ac_tab),
    ok.

%%% ------------------------------------------------------------------- loading

load(App, State) ->
    Name = name(App),
    loaded(Name) =:= false orelse throw({error, {already_loaded, App}}),
    {#{included_applications := Included} = Keys, Env} = described(App),
    store(Name, Keys, Env, State),
    [load(Other, State) || Other <- Included, loaded(Other) =:= false],
    ok.

name(App) when is_atom(App) -> App;
name({application, Name, _}) when is_atom(Name) -> Name;
name(App) -> throw({error, {bad_application, App}}).

%% The environment: the application's own, then configuration, then arguments.
store(Name, Keys, Env, #state{config = Config}) ->
    ets:insert(ac_tab, {{loaded, Name}, Keys}),
    [ets:insert(ac_tab, {{env, Name, Key}, Value})
     || Layer <- [Env, option(Name, Config, []), argument_env(Name)], {Key, Value} <- Layer],
    ok.

unload(App) ->
    #{included_applications := Included} = loaded(App),
    ets:match_delete(ac_tab, {{env, App, '_'}, '_'}),
    ets:delete(ac_tab, {loaded, App}),
    [unload(Other) || Other <- Included, loaded(Other) =/= false],
    ok.

described(App) when is_atom(App) ->
    File = atom_to_list(App) ++ ".app",
    case code:where_is_file(File) of
        non_existing ->
            case erlscope_app:source_resource(atom_to_list(App)) of
                non_existing -> throw({error, {"no such file or directory", File}});
                Path -> described(erlscope_app:built_resource(Path, consulted(Path, File)))
            end;
        Path ->
            described(consulted(Path, File))
    end;
described({application, Name, Given}) when is_atom(Name), is_list(Given) ->
    Defaults = #{description => "", id => "", vsn => "", modules => [], registered => [],
                 applications => [], included_applications => [], optional_applications => [],
                 mod => [], start_phases => undefined, maxP => infinity, maxT => infinity},
    Keys = maps:map(fun(Key, Default) -> option(Key, Given, Default) end, Defaults),
    case Keys of
        #{mod := {Mod, _}} when is_atom(Mod) -> ok;
        #{mod := []} -> ok;
        #{mod := Other} -> throw({error, {badstartspec, Other}})
    end,
    {Keys, option(env, Given, [])};
described({application, _, Given}) when not is_list(Given) ->
    throw({error, {invalid_options, Given}});
described(Other) ->
    throw({error, {bad_application, Other}}).

consulted(Path, File) ->
    case file:consult(Path) of
        {ok, [Description]} -> Description;
        {ok, Other} -> throw({error, {bad_application, Other}});
        {error, Reason} -> throw({error, {file:format_error(Reason), File}})
    end.

option(Key, List, Default) ->
    case lists:keyfind(Key, 1, List) of
        {_, Value} -> Value;
        false -> Default
    end.

argument_env(Name) ->
    case init:get_argument(Name) of
        {ok, Arguments} -> lists:append([pairs(Strings) || Strings <- lists:reverse(Arguments)]);
        error -> []
    end.

pairs([Key, Value | Rest]) -> [{term(Key), term(Value)} | pairs(Rest)];
pairs(_) -> [].

term(String) ->
    case erl_scan:string(String ++ ".") of
        {ok, Tokens, _} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Term} -> Term;
                {error, _} -> throw({error, {bad_environment_value, String}})
            end;
        {error, _, _} ->
            throw({error, {bad_environment_value, String}})
    end.

%% Files named by -config; a sys.config may name further files.
command_line_config() ->
    Files = case init:get_argument(config) of
                {ok, Arguments} -> lists:append(Arguments);
                error -> []
            end,
    lists:foldl(fun(File, Config) -> merge(Config, config_file(File)) end, [], Files).

config_file(Name) ->
    Path = filename:rootname(Name, ".config") ++ ".config",
    case file:consult(Path) of
        {ok, [Config]} when is_list(Config) ->
            expand(Config, filename:dirname(Path));
        {ok, _} ->
            throw({error, {Path, "configuration must be a list ended by <dot><whitespace>"}});
        {error, Reason} ->
            throw({error, {Path, file:format_error(Reason)}})
    end.

%% Entries of a configuration that are file names stand for the files' contents.
expand(Config, Dir) ->
    lists:foldl(fun({_, _} = Own, Acc) -> merge(Acc, [Own]);
                   (File, Acc) -> merge(Acc, config_file(filename:absname(File, Dir)))
                end, [], Config).

merge(Config, More) ->
    lists:foldl(fun({App, Env}, Acc) ->
                        Old = [Pair || {Key, _} = Pair <- option(App, Acc, []),
                                       not lists:keymember(Key, 1, Env)],
                        lists:keystore(App, 1, Acc, {App, Old ++ Env})
                end, Config, More).

%% ok, or what is wrong with a configuration.
check_config([{App, Env} | Rest]) when is_atom(App), is_list(Env) ->
    case lists:keymember(App, 1, Rest) of
        true -> {error, "duplicate application config: " ++ atom_to_list(App)};
        false ->
            case check_parameters(Env, App) of
                ok -> check_config(Rest);
                Error -> Error
            end
    end;
check_config([]) -> ok;
check_config([{App, Env} | _]) when is_list(Env) ->
    {error, shown("application: ~tp; application name must be an atom", [App])};
check_config([{App, _} | _]) ->
    {error, shown("application: ~tp; parameters must be a list", [App])};
check_config([Other | _]) ->
    {error, shown("invalid application config: ~tp", [Other])};
check_config(_) ->
    {error, "configuration must be a list ended by <dot><whitespace>"}.

check_parameters([{Key, Value} | Rest], App) when is_atom(Key) ->
    case lists:keymember(Key, 1, Rest) of
        true -> {error, shown("application: ~w; duplicate parameter: ~w", [App, Key])};
        false when App =:= kernel, Key =:= distributed, not is_list(Value) ->
            {error, "application: kernel; erroneous parameter: distributed"};
        false -> check_parameters(Rest, App)
    end;
check_parameters([], _) -> ok;
check_parameters([{Key, _} | _], App) ->
    {error, shown("application: ~w; invalid parameter name: ~tp", [App, Key])};
check_parameters([Other | _], App) ->
    {error, shown("application: ~w; invalid parameter: ~tp", [App, Other])}.

shown(Format, Args) -> lists:flatten(io_lib:format(Format, Args)).

%%% ------------------------------------------------------- starting and stopping

start_condition(App, Type, #state{running = Running, started = Started}) ->
    case loaded(App) of
        _ when Type =/= permanent, Type =/= transient, Type =/= temporary ->
            {error, {invalid_restart_type, Type}};
        false ->
            {error, {not_loaded, App}};
        #{applications := Needed, optional_applications := Optional} = Keys ->
            case lists:keymember(App, 1, Running) of
                true ->
                    {error, {already_started, App}};
                false ->
                    case [Other || Other <- Needed, not lists:keymember(Other, 1, Started),
                                   not lists:member(Other, Optional)] of
                        [] -> {ok, Keys};
                        [Other | _] -> {error, {not_started, Other}}
                    end
            end
    end.

begin_start(App, Type, #{mod := Mod} = Keys, Waiting, #state{starting = Starting, running = Running} = State) ->
    case Mod of
        [] -> started(App, {ok, undefined});
        _ ->
            #{applications := Needed, optional_applications := Optional} = Keys,
            case [Other || Other <- Needed, not lists:keymember(Other, 1, Running),
                           not lists:member(Other, Optional)] of
                [] -> application_master:launch(App, Keys, normal);
                [Other | _] -> started(App, {info, {not_running, Other}})
            end
    end,
    State#state{starting = Starting#{App => {Type, Waiting}}}.

finish_start(App, Result, Type, Waiting, #state{running = Running, started = Started} = State) ->
    Reply = case Result of
                {ok, _} -> ok;
                {info, Info} -> {error, Info};
                Error -> Error
            end,
    [gen_server:reply(From, Reply) || From <- Waiting, From =/= none],
    case Result of
        {ok, Master} ->
            report_start(App),
            {noreply, State#state{running = [{App, Master} | lists:keydelete(App, 1, Running)],
                                  started = [{App, Type} | lists:keydelete(App, 1, Started)]}};
        {Kind, Reason} ->
            Kind =:= error andalso report_exit(App, Reason, Type),
            case Type of
                temporary -> {noreply, State};
                transient when element(1, Reason) =:= {'EXIT', normal} -> {noreply, State};
                _ -> {stop, text({application_start_failure, App, Reason}), State}
            end
    end.

stop_running(App, #state{running = Running, started = Started} = State) ->
    case lists:keytake(App, 1, Running) of
        {value, {_, Master}, Left} ->
            {_, Type} = lists:keyfind(App, 1, Started),
            case Master of
                undefined -> ok;
                _ ->
                    unlink(Master),
                    application_master:stop(Master),
                    ets:delete(ac_tab, {application_master, App})
            end,
            report_exit(App, stopped, Type),
            State#state{running = Left};
        false ->
            State
    end.

is_permitted(App) ->
    case application:get_env(kernel, permissions) of
        {ok, Permissions} -> not lists:member({App, false}, Permissions);
        undefined -> true
    end.

permit(App, true, Keys, From, #state{running = Running, denied = Denied, started = Started} = State) ->
    set_permission(App, true),
    Type = case {lists:keyfind(App, 1, Denied), lists:keyfind(App, 1, Started)} of
               {{_, T}, _} -> T;
               {_, {_, T}} -> T;
               _ -> none
           end,
    case Type =:= none orelse lists:keymember(App, 1, Running) of
        true -> {reply, ok, State};
        false -> {noreply, begin_start(App, Type, Keys, [From],
                                       State#state{denied = lists:keydelete(App, 1, Denied)})}
    end;
permit(App, false, _, _, #state{denied = Denied} = State) ->
    set_permission(App, false),
    Stopped = stop_running(App, State),
    {reply, ok, Stopped#state{denied = lists:keydelete(App, 1, Denied)}}.

set_permission(App, Permission) ->
    Old = application:get_env(kernel, permissions, []),
    application:set_env(kernel, permissions, lists:keystore(App, 1, Old, {App, Permission})).

%%% -------------------------------------------------------------- config change

tell_change(App, Before) ->
    Now = get_all_env(App),
    Changed = [Pair || {Key, Value} = Pair <- Now, {_, Old} <- [lists:keyfind(Key, 1, Before)], Old =/= Value],
    New = [Pair || {Key, _} = Pair <- Now, not lists:keymember(Key, 1, Before)],
    Removed = [Key || {Key, _} <- Before, not lists:keymember(Key, 1, Now)],
    case {Changed, New, Removed} of
        {[], [], []} -> ok;
        _ ->
            case get_key(App, mod) of
                {ok, {Mod, _}} ->
                    case catch Mod:config_change(Changed, New, Removed) of
                        ok -> ok;
                        {'EXIT', {undef, _}} -> ok;
                        {error, _} = Error -> Error;
                        Other -> {error, Other}
                    end;
                {ok, []} -> {error, {module_not_defined, App}};
                undefined -> {error, {application_not_found, App}}
            end
    end.

%%% -------------------------------------------------------------------- reports

text(Reason) ->
    case is_list(Reason) andalso io_lib:printable_unicode_list(Reason) of
        true -> Reason;
        false -> shown("~0tp", [Reason])
    end.

report_start(App) ->
    ?LOG_INFO(#{label => {?MODULE, progress}, report => [{application, App}, {started_at, node()}]},
              #{domain => [otp, sasl],
                report_cb => fun ?MODULE:format_log/2,
                logger_formatter => #{title => "PROGRESS REPORT"},
                error_logger => #{tag => info_report, type => progress,
                                  report_cb => fun ?MODULE:format_log/1}}).

report_exit(App, Reason, Type) ->
    ?LOG_NOTICE(#{label => {?MODULE, exit},
                  report => [{application, App}, {exited, Reason}, {type, Type}]},
                #{domain => [otp],
                  report_cb => fun ?MODULE:format_log/2,
                  error_logger => #{tag => info_report, type => std_info,
                                    report_cb => fun ?MODULE:format_log/1}}).

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

parts(#{report := Report}, #{single_line := false}) ->
    lists:append([["    ", atom_to_list(Key), ": ", {t, Value}, "~n"] || {Key, Value} <- Report]);
parts(#{report := [{application, App}, {started_at, Node}]}, _) ->
    ["Application: ", {t, App}, ". Started at: ", {t, Node}, "."];
parts(#{report := [{application, App}, {exited, Reason}, {type, Type}]}, _) ->
    ["Application: ", {t, App}, ". Exited: ", {t, Reason}, ". Type: ", {t, Type}, "."].
