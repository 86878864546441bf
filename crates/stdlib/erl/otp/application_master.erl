%% The master of a running application: group leader of all its processes. A
%% second process calls the callback module and holds the top supervisor, so
%% that the master can always serve; it relays I/O requests to the group leader
%% it was started with.
-module(application_master).

-export([launch/3, stop/1, get_child/1, start_type/0]).

-export([init/4, keeper/4]).

-record(state, {parent, app, keys, leader, keeper, waiting = []}).

%% Tells application_controller:started/2 how the start ended.
launch(App, Keys, Type) ->
    proc_lib:spawn_link(?MODULE, init, [self(), App, Keys, Type]).

stop(Master) -> request(Master, stop).

%% {TopSupervisor, CallbackModule}, or error.
get_child(Master) -> request(Master, get_child).

start_type() -> application:start_type().

request(Master, Request) ->
    Ref = monitor(process, Master),
    Master ! {Request, Ref, self()},
    receive
        {Ref, Result} ->
            demonitor(Ref, [flush]),
            Result;
        {'DOWN', Ref, process, _, _} ->
            ok
    end.

%%% -------------------------------------------------------------------- master

init(Parent, App, #{maxT := MaxTime} = Keys, Type) ->
    process_flag(trap_exit, true),
    Leader = group_leader(),
    group_leader(self(), self()),
    erlscope_native:io_relay(self(), Leader),
    ets:insert(ac_tab, {{?MODULE, App}, self()}),
    Keeper = spawn_link(?MODULE, keeper, [self(), App, Keys, Type]),
    State = #state{parent = Parent, app = App, keys = Keys, leader = Leader, keeper = Keeper},
    case await_start(State) of
        {ok, Started} ->
            is_integer(MaxTime) andalso erlang:send_after(MaxTime, self(), max_time),
            application_controller:started(App, {ok, self()}),
            loop(Started);
        {error, _} = Error ->
            ets:delete(ac_tab, {?MODULE, App}),
            application_controller:started(App, Error),
            exit(normal)
    end.

await_start(#state{parent = Parent, keeper = Keeper} = State) ->
    receive
        {Keeper, started, ok} -> {ok, State};
        {Keeper, started, Error} -> Error;
        {'EXIT', Keeper, Reason} -> {error, Reason};
        {'EXIT', Parent, Reason} -> terminate(Reason, State);
        Message -> await_start(serve(Message, State))
    end.

loop(#state{parent = Parent, keeper = Keeper} = State) ->
    receive
        {'EXIT', Parent, Reason} -> terminate(Reason, State);
        {'EXIT', Keeper, Reason} -> terminate(Reason, State#state{keeper = none});
        max_time -> terminate(normal, State);
        Message -> loop(serve(Message, State))
    end.

serve(Request, #state{leader = Leader} = State) when element(1, Request) =:= io_request ->
    Leader ! Request,
    State;
serve({get_child, Ref, From}, #state{keeper = Keeper, waiting = Waiting} = State) ->
    Keeper ! {self(), get_child, Ref},
    State#state{waiting = [{Ref, From} | Waiting]};
serve({child, Ref, Child}, #state{waiting = Waiting} = State) ->
    {value, {_, From}, Left} = lists:keytake(Ref, 1, Waiting),
    From ! {Ref, Child},
    State#state{waiting = Left};
serve({stop, Ref, From}, State) ->
    catch terminate(normal, State),
    From ! {Ref, ok},
    exit(normal);
serve(_, State) ->
    State.

await_end(#state{keeper = Keeper} = State) ->
    receive
        {'EXIT', Keeper, _} -> ok;
        Message -> await_end(serve(Message, State))
    end.

%% Whoever still has this group leader goes too, and whom they spawned meanwhile.
kill_members() ->
    Self = self(),
    Members = [Pid || Pid <- processes(), Pid =/= Self,
                      process_info(Pid, group_leader) =:= {group_leader, Self}],
    case Members of
        [] -> ok;
        _ ->
            [exit(Pid, kill) || Pid <- Members],
            kill_members()
    end.

%%% -------------------------------------------------------------------- keeper

keeper(Master, App, #{mod := {Mod0, Args0}, start_phases := Phases}, Type) ->
    process_flag(trap_exit, true),
    {Mod, Args} = case {Mod0, Args0} of
                      {application_starter, [M, A]} when Phases =/= undefined -> {M, A};
                      _ -> {Mod0, Args0}
                  end,
    case start(Mod, Args, Type) of
        {ok, Child, AppState} ->
            link(Child),
            case run_phases(Phases, Type, App) of
                ok ->
                    Master ! {self(), started, ok},
                    keep(Master, Child, Mod, AppState);
                Error ->
                    unlink(Child),
                    Master ! {self(), started, Error}
            end;
        Error ->
            Master ! {self(), started, Error}
    end.

start(Mod, Args, Type) ->
    Call = {Mod, start, [Type, Args]},
    case catch Mod:start(Type, Args) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid, []};
        {ok, Pid, AppState} when is_pid(Pid) -> {ok, Pid, AppState};
        {error, Reason} -> {error, {Reason, Call}};
        {'EXIT', normal} -> {error, {{'EXIT', normal}, Call}};
        Other -> {error, {bad_return, {Call, Other}}}
    end.

keep(Master, Child, Mod, AppState) ->
    receive
        {Master, get_child, Ref} ->
            Master ! {child, Ref, {Child, Mod}},
            keep(Master, Child, Mod, AppState);
        {Master, terminate} ->
            stop_child(shutdown, Child, Mod, AppState),
            exit(normal);
        {'EXIT', Master, Reason} ->
            stop_child(Reason, Child, Mod, AppState),
            exit(Reason);
        {'EXIT', Child, Reason} ->
            catch Mod:stop(prepared(Mod, AppState)),
            exit(Reason);
        _ ->
            keep(Master, Child, Mod, AppState)
    end.

stop_child(Reason, Child, Mod, AppState) ->
    Prepared = prepared(Mod, AppState),
    exit(Child, Reason),
    receive {'EXIT', Child, _} -> ok end,
    catch Mod:stop(Prepared).

prepared(Mod, AppState) ->
    case erlang:function_exported(Mod, prep_stop, 1) of
        true ->
            case catch Mod:prep_stop(AppState) of
                {'EXIT', Reason} ->
                    error_logger:error_report([{?MODULE, shutdown_error},
                                               {Mod, {prep_stop, [AppState]}},
                                               {error_info, Reason}]),
                    AppState;
                Prepared ->
                    Prepared
            end;
        false ->
            AppState
    end.

%%% -------------------------------------------------------------- start phases

run_phases(undefined, _, _) ->
    ok;
run_phases(Phases, Type, App) ->
    try
        [run_phase(Phase, Type, App) || {Phase, _} <- Phases],
        ok
    catch
        throw:{error, _} = Error -> Error
    end.

%% Included applications take part when the callback module is application_starter.
run_phase(Phase, Type, App) ->
    case application:get_key(App, mod) of
        {ok, {application_starter, [Mod, _]}} ->
            run_own_phase(Phase, Type, App, Mod),
            {ok, Included} = application:get_key(App, included_applications),
            [run_phase(Phase, Type, Other) || Other <- Included];
        {ok, {Mod, _}} ->
            run_own_phase(Phase, Type, App, Mod)
    end.

run_own_phase(Phase, Type, App, Mod) ->
    Phases = case application:get_key(App, start_phases) of
                 {ok, undefined} -> throw({error, {start_phases_undefined, App}});
                 {ok, List} -> List
             end,
    case lists:keyfind(Phase, 1, Phases) of
        false -> ok;
        {_, Args} ->
            Call = {Mod, start_phase, [Phase, Type, Args]},
            case catch Mod:start_phase(Phase, Type, Args) of
                ok -> ok;
                {error, Reason} -> throw({error, {Reason, Call}});
                Other -> throw({error, {bad_return_value, {Call, Other}}})
            end
    end.

%%% -------------------------------------------------------------------- frames
%%
%% Name, arity and line as in OTP 25.2.3: they are seen in stack traces.

-file("application_master.erl", 226).
terminate(Reason, #state{keeper = Keeper, waiting = Waiting} = State) ->
    [From ! {Ref, error} || {Ref, From} <- Waiting],
    case Keeper of
        none -> ok;
        _ ->
            Keeper ! {self(), terminate},
            await_end(State#state{waiting = []})
    end,
    kill_members(),
    exit(Reason).
