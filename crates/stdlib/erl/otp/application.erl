%% Applications: the API. Reading the environment and the keys of an application
%% is a look into the table ac_tab, setting the environment a write to it; only
%% loading, starting and stopping go through the application controller.
-module(application).

-export([load/1, load/2, unload/1, start/1, start/2, stop/1, start_boot/1, start_boot/2,
         ensure_started/1, ensure_started/2, ensure_all_started/1, ensure_all_started/2,
         takeover/2, permit/2, which_applications/0, which_applications/1,
         loaded_applications/0, info/0, start_type/0,
         get_env/1, get_env/2, get_env/3, get_all_env/0, get_all_env/1,
         set_env/1, set_env/2, set_env/3, set_env/4, unset_env/2, unset_env/3,
         get_key/1, get_key/2, get_all_key/0, get_all_key/1,
         get_application/0, get_application/1]).

-export_type([start_type/0, restart_type/0]).

-type start_type() :: normal | {takeover, node()} | {failover, node()}.
-type restart_type() :: permanent | transient | temporary.

-callback start(StartType :: start_type(), StartArgs :: term()) ->
    {ok, pid()} | {ok, pid(), State :: term()} | {error, Reason :: term()}.
-callback stop(State :: term()) -> term().

%%% --------------------------------------------------------- loading, starting

-spec load(atom() | tuple()) -> ok | {error, term()}.
-spec unload(atom()) -> ok | {error, term()}.
-spec start(atom()) -> ok | {error, term()}.
-spec start(atom(), restart_type()) -> ok | {error, term()}.
-spec stop(atom()) -> ok | {error, term()}.
-spec ensure_started(atom()) -> ok | {error, term()}.
-spec ensure_started(atom(), restart_type()) -> ok | {error, term()}.
-spec get_env(atom()) -> undefined | {ok, term()}.
-spec get_env(atom(), atom()) -> undefined | {ok, term()}.
-spec get_env(atom(), atom(), Default :: term()) -> term().
-spec get_all_env() -> [{atom(), term()}].
-spec get_all_env(atom()) -> [{atom(), term()}].
-spec set_env(atom(), atom(), term()) -> ok.
-spec unset_env(atom(), atom()) -> ok.
-spec get_application() -> undefined | {ok, atom()}.
-spec get_application(pid() | module()) -> undefined | {ok, atom()}.

load(App) -> load(App, []).

%% There is one node: where an application may run needs no attention.
load(App, _DistNodes) -> application_controller:load_application(App).

unload(App) -> application_controller:unload_application(App).

start(App) -> start(App, temporary).

start(App, Type) ->
    case ensure_loaded(App) of
        {ok, Name} -> application_controller:start_application(Name, Type);
        Error -> Error
    end.

start_boot(App) -> start_boot(App, temporary).

start_boot(App, Type) -> start(App, Type).

ensure_loaded(App) ->
    case load(App) of
        ok when is_atom(App) -> {ok, App};
        ok -> {ok, element(2, App)};
        {error, {already_loaded, {application, Name, _}}} -> {ok, Name};
        {error, {already_loaded, Name}} -> {ok, Name};
        Error -> Error
    end.

ensure_started(App) -> ensure_started(App, temporary).

ensure_started(App, Type) ->
    case start(App, Type) of
        {error, {already_started, App}} -> ok;
        Result -> Result
    end.

ensure_all_started(App) -> ensure_all_started(App, temporary).

ensure_all_started(App, Type) ->
    case start_all([App], [], Type, []) of
        {ok, Started} ->
            {ok, lists:reverse(Started)};
        {error, Reason, Started} ->
            lists:foreach(fun stop/1, Started),
            {error, Reason}
    end.

%% Depth first; Started has the last started first. An optional application
%% may be missing.
start_all([], _, _, Started) ->
    {ok, Started};
start_all([App | Apps], Optional, Type, Started) ->
    case start_with_dependencies(App, Type, Started) of
        {ok, NewStarted} ->
            start_all(Apps, Optional, Type, NewStarted);
        {missing, Reason} ->
            case lists:member(App, Optional) of
                true -> start_all(Apps, Optional, Type, Started);
                false -> {error, {App, Reason}, Started}
            end;
        Error ->
            Error
    end.

start_with_dependencies(App, Type, Started) ->
    case application_controller:is_running(App) of
        true ->
            {ok, Started};
        false ->
            case ensure_loaded(App) of
                {ok, Name} ->
                    {ok, Needed} = get_key(Name, applications),
                    {ok, Optional} = get_key(Name, optional_applications),
                    case start_all(Needed, Optional, Type, Started) of
                        {ok, NewStarted} -> start_itself(Name, App, Type, NewStarted);
                        Error -> Error
                    end;
                {error, {"no such file or directory", _} = Reason} ->
                    {missing, Reason};
                {error, Reason} ->
                    {error, {App, Reason}, Started}
            end
    end.

start_itself(Name, App, Type, Started) ->
    case application_controller:start_application(Name, Type) of
        ok -> {ok, [App | Started]};
        {error, {already_started, App}} -> {ok, Started};
        {error, Reason} -> {error, {App, Reason}, Started}
    end.

stop(App) -> application_controller:stop_application(App).

takeover(App, _Type) -> {error, {not_distributed, App}}.

permit(App, Permission) when is_boolean(Permission) ->
    application_controller:permit_application(App, Permission);
permit(App, Bad) ->
    exit({badarg, {?MODULE, permit, [App, Bad]}}).

which_applications() -> application_controller:which_applications().

which_applications(Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    application_controller:which_applications(Timeout).

loaded_applications() -> application_controller:loaded_applications().

info() -> application_controller:info().

start_type() ->
    case get_application() of
        {ok, App} -> application_controller:start_type(App);
        undefined -> undefined
    end.

%%% --------------------------------------------------------------- environment

get_env(Key) ->
    case get_application() of
        {ok, App} -> get_env(App, Key);
        undefined -> undefined
    end.

get_env(App, Key) ->
    case ets:lookup(ac_tab, {env, App, Key}) of
        [{_, Value}] -> {ok, Value};
        [] -> undefined
    end.

get_env(App, Key, Default) ->
    case ets:lookup(ac_tab, {env, App, Key}) of
        [{_, Value}] -> Value;
        [] -> Default
    end.

get_all_env() ->
    case get_application() of
        {ok, App} -> get_all_env(App);
        undefined -> []
    end.

get_all_env(App) -> application_controller:get_all_env(App).

set_env(Config) when is_list(Config) -> set_env(Config, []).

set_env(Config, Options) when is_list(Config), is_list(Options) ->
    case application_controller:check_config(Config) of
        ok ->
            [set_env(App, Key, Value, Options) || {App, Env} <- Config, {Key, Value} <- Env],
            ok;
        {error, Text} ->
            error({badarg, Text}, [Config, Options])
    end.

set_env(App, Key, Value) -> set_env(App, Key, Value, []).

set_env(App, Key, Value, Options) when is_list(Options) ->
    true = ets:insert(ac_tab, {{env, App, Key}, Value}),
    persist(Options, App, Key, {value, Value});
set_env(App, Key, Value, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    set_env(App, Key, Value, []).

unset_env(App, Key) -> unset_env(App, Key, []).

unset_env(App, Key, Options) when is_list(Options) ->
    true = ets:delete(ac_tab, {env, App, Key}),
    persist(Options, App, Key, none);
unset_env(App, Key, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    unset_env(App, Key, []).

%% What is persistent outlives unloading and loading again.
persist(Options, App, Key, Value) ->
    case lists:keyfind(persistent, 1, Options) of
        {_, true} -> application_controller:set_config(App, Key, Value);
        _ -> ok
    end.

%%% ---------------------------------------------------------------------- keys

get_key(Key) ->
    case get_application() of
        {ok, App} -> get_key(App, Key);
        undefined -> undefined
    end.

get_key(App, Key) -> application_controller:get_key(App, Key).

get_all_key() ->
    case get_application() of
        {ok, App} -> get_all_key(App);
        undefined -> []
    end.

get_all_key(App) -> application_controller:get_all_key(App).

%% A process belongs to the application whose master is its group leader.
get_application() -> application_controller:get_application(group_leader()).

get_application(Pid) when is_pid(Pid) ->
    case process_info(Pid, group_leader) of
        {group_leader, Leader} -> application_controller:get_application(Leader);
        undefined -> undefined
    end;
get_application(Module) when is_atom(Module) ->
    application_controller:get_application_module(Module).
