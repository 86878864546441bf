%% Supervisor behaviour, on top of gen_server.
%%
%% Children are kept as {Ids, Specs}: the identifiers, the last started first,
%% and a map from identifier to child. A simple_one_for_one supervisor has one
%% child as a template there, and its processes in `dynamics': a map from pid
%% to start arguments (to [] for temporary children, which never start again).
%% The records `child' and `state' are seen by programs through error returns
%% and sys:get_state/1; their layout is fixed.
-module(supervisor).
-behaviour(gen_server).

-export([start_link/2, start_link/3, start_child/2, restart_child/2, terminate_child/2,
         delete_child/2, get_childspec/2, which_children/1, count_children/1,
         check_childspecs/1, check_childspecs/2, get_callback_module/1]).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3,
         format_status/2, format_log/1, format_log/2]).

-export_type([sup_flags/0, child_spec/0, strategy/0, startchild_ret/0, startchild_err/0,
              startlink_ret/0, startlink_err/0, sup_name/0, sup_ref/0, auto_shutdown/0]).

-include_lib("kernel/include/logger.hrl").

-type auto_shutdown() :: never | any_significant | all_significant.
-type child() :: undefined | pid().
-type child_id() :: term().
-type mfargs() :: {M :: module(), F :: atom(), A :: [term()] | undefined}.
-type modules() :: [module()] | dynamic.
-type restart() :: permanent | transient | temporary.
-type shutdown() :: brutal_kill | timeout().
-type worker() :: worker | supervisor.
-type sup_name() :: {local, Name :: atom()} | {global, Name :: term()}
                  | {via, Module :: module(), Name :: any()}.
-type sup_ref() :: (Name :: atom()) | {Name :: atom(), Node :: node()} | {global, Name :: term()}
                 | {via, Module :: module(), Name :: any()} | pid().
-type child_spec() :: #{id := child_id(), start := mfargs(), restart => restart(),
                        significant => boolean(), shutdown => shutdown(), type => worker(),
                        modules => modules()}
                    | {Id :: child_id(), StartFunc :: mfargs(), Restart :: restart(),
                       Shutdown :: shutdown(), Type :: worker(), Modules :: modules()}.
-type strategy() :: one_for_all | one_for_one | rest_for_one | simple_one_for_one.
-type sup_flags() :: #{strategy => strategy(), intensity => non_neg_integer(),
                       period => pos_integer(), auto_shutdown => auto_shutdown()}
                   | {RestartStrategy :: strategy(), Intensity :: non_neg_integer(),
                      Period :: pos_integer()}.
-type startlink_err() :: {already_started, pid()} | {shutdown, term()} | term().
-type startlink_ret() :: {ok, pid()} | ignore | {error, startlink_err()}.
-type startchild_err() :: already_present | {already_started, Child :: child()} | term().
-type startchild_ret() :: {ok, Child :: child()} | {ok, Child :: child(), Info :: term()}
                        | {error, startchild_err()}.

-callback init(Args :: term()) ->
    {ok, {SupFlags :: sup_flags(), [ChildSpec :: child_spec()]}} | ignore.

%% pid: a pid, undefined, {restarting, pid() | undefined}, or for a report on
%% many dynamic children the list of their pids.
-record(child, {pid = undefined, id, mfargs, restart_type, significant, shutdown, child_type,
                modules = []}).

-record(state, {name, strategy, children = {[], #{}}, dynamics, intensity, period,
                restarts = [], dynamic_restarts = 0, auto_shutdown, module, args}).

-define(IS_SIMPLE(State), State#state.strategy =:= simple_one_for_one).

%%% ----------------------------------------------------------------------- API

-spec start_link(module(), Args :: term()) -> startlink_ret().
-spec start_link(sup_name(), module(), Args :: term()) -> startlink_ret().
-spec start_child(sup_ref(), child_spec() | [term()]) -> startchild_ret().
-spec restart_child(sup_ref(), child_id()) ->
    {ok, child()} | {ok, child(), Info :: term()} | {error, term()}.
-spec terminate_child(sup_ref(), pid() | child_id()) -> ok | {error, not_found | simple_one_for_one}.
-spec delete_child(sup_ref(), child_id()) ->
    ok | {error, running | restarting | not_found | simple_one_for_one}.
-spec which_children(sup_ref()) -> [{child_id() | undefined, child() | restarting, worker(), modules()}].
-spec count_children(sup_ref()) -> [{specs | active | supervisors | workers, non_neg_integer()}].
-spec check_childspecs([child_spec()]) -> ok | {error, term()}.

start_link(Mod, Args) ->
    gen_server:start_link(?MODULE, {self, Mod, Args}, []).

start_link(Name, Mod, Args) ->
    gen_server:start_link(Name, ?MODULE, {Name, Mod, Args}, []).

start_child(Supervisor, SpecOrArgs) -> call(Supervisor, {start_child, SpecOrArgs}).
restart_child(Supervisor, Id) -> call(Supervisor, {restart_child, Id}).
delete_child(Supervisor, Id) -> call(Supervisor, {delete_child, Id}).
terminate_child(Supervisor, Id) -> call(Supervisor, {terminate_child, Id}).
get_childspec(Supervisor, Id) -> call(Supervisor, {get_childspec, Id}).
which_children(Supervisor) -> call(Supervisor, which_children).
count_children(Supervisor) -> call(Supervisor, count_children).

call(Supervisor, Request) ->
    gen_server:call(Supervisor, Request, infinity).

check_childspecs(Specs) ->
    check_childspecs(Specs, undefined).

check_childspecs(Specs, AutoShutdown)
  when is_list(Specs), AutoShutdown =:= undefined orelse AutoShutdown =:= never orelse
       AutoShutdown =:= any_significant orelse AutoShutdown =:= all_significant ->
    case children_of(Specs, AutoShutdown) of
        {ok, _, _} -> ok;
        Error -> {error, Error}
    end;
check_childspecs(Specs, AutoShutdown) when is_list(Specs) ->
    {error, {badarg, AutoShutdown}};
check_childspecs(Specs, _) ->
    {error, {badarg, Specs}}.

get_callback_module(Pid) ->
    {status, _, _, [_, _, _, _, Status]} = sys:get_status(Pid),
    case lists:keyfind(supervisor, 1, Status) of
        {supervisor, [{"Callback", Mod}]} ->
            Mod;
        _ ->
            [_Header, _Data, {data, [{"State", #state{module = Mod}}]} | _] = Status,
            Mod
    end.

%%% ---------------------------------------------------------------------- init

init_static(Specs, #state{name = Name, auto_shutdown = AutoShutdown} = State) ->
    case children_of(Specs, AutoShutdown) of
        {ok, Ids, Db} ->
            case start_children(Ids, Db, Name) of
                {ok, Children} ->
                    {ok, State#state{children = Children}};
                {error, Children, Reason} ->
                    terminate_children(Children, Name),
                    {stop, {shutdown, Reason}}
            end;
        Error ->
            {stop, {start_spec, Error}}
    end.

init_dynamic([Spec], #state{auto_shutdown = AutoShutdown} = State) ->
    case children_of([Spec], AutoShutdown) of
        {ok, Ids, Db} ->
            [#child{restart_type = Restart}] = maps:values(Db),
            Kind = case Restart of temporary -> mapsets; _ -> maps end,
            {ok, State#state{children = {Ids, Db}, dynamics = {Kind, #{}}}};
        Error ->
            {stop, {start_spec, Error}}
    end;
init_dynamic(Specs, _) ->
    {stop, {bad_start_spec, Specs}}.

set_flags({Strategy, Intensity, Period}, State) ->
    set_flags(#{strategy => Strategy, intensity => Intensity, period => Period}, State);
set_flags(Flags, State) when is_map(Flags) ->
    Strategy = maps:get(strategy, Flags, one_for_one),
    Intensity = maps:get(intensity, Flags, 1),
    Period = maps:get(period, Flags, 5),
    AutoShutdown = maps:get(auto_shutdown, Flags, never),
    Checks = [{lists:member(Strategy, [one_for_one, one_for_all, rest_for_one, simple_one_for_one]),
               {invalid_strategy, Strategy}},
              {is_integer(Intensity) andalso Intensity >= 0, {invalid_intensity, Intensity}},
              {is_integer(Period) andalso Period > 0, {invalid_period, Period}},
              {lists:member(AutoShutdown, [never, any_significant, all_significant]),
               {invalid_auto_shutdown, AutoShutdown}}],
    case [Error || {false, Error} <- Checks] of
        [] -> {ok, State#state{strategy = Strategy, intensity = Intensity, period = Period,
                               auto_shutdown = AutoShutdown}};
        [Error | _] -> Error
    end;
set_flags(Other, _) ->
    {invalid_type, Other}.

%%% --------------------------------------------------------------- child specs

%% {ok, IdsInStartOrder, #{Id => Child}} or what is wrong.
children_of(Specs, AutoShutdown) -> children_of(Specs, AutoShutdown, [], #{}).

children_of([Spec | Specs], AutoShutdown, Ids, Db) ->
    case child_of(Spec, AutoShutdown) of
        {ok, #child{id = Id}} when is_map_key(Id, Db) -> {duplicate_child_name, Id};
        {ok, #child{id = Id} = Child} -> children_of(Specs, AutoShutdown, [Id | Ids], Db#{Id => Child});
        Error -> Error
    end;
children_of([], _, Ids, Db) ->
    {ok, lists:reverse(Ids), Db}.

child_of({Id, Start, Restart, Shutdown, Type, Modules}, AutoShutdown) ->
    child_of(#{id => Id, start => Start, restart => Restart, significant => false,
               shutdown => Shutdown, type => Type, modules => Modules}, AutoShutdown);
child_of(#{id := _, start := Start} = Spec, AutoShutdown) ->
    Restart = maps:get(restart, Spec, permanent),
    Significant = maps:get(significant, Spec, false),
    Type = maps:get(type, Spec, worker),
    Shutdown = maps:get(shutdown, Spec, case Type of supervisor -> infinity; _ -> 5000 end),
    Modules = maps:get(modules, Spec, case Start of {M, _, _} -> [M]; _ -> [] end),
    try
        valid_start(Start),
        valid(lists:member(Restart, [permanent, transient, temporary]),
              {invalid_restart_type, Restart}),
        valid_significant(Significant, Restart, AutoShutdown),
        valid(Type =:= worker orelse Type =:= supervisor, {invalid_child_type, Type}),
        valid(Shutdown =:= infinity orelse Shutdown =:= brutal_kill orelse
              (is_integer(Shutdown) andalso Shutdown >= 0), {invalid_shutdown, Shutdown}),
        valid_modules(Modules),
        {ok, #child{id = maps:get(id, Spec), mfargs = Start, restart_type = Restart,
                    significant = Significant, shutdown = Shutdown, child_type = Type,
                    modules = Modules}}
    catch
        throw:Error -> Error
    end;
child_of(#{id := _}, _) ->
    missing_start;
child_of(#{}, _) ->
    missing_id;
child_of(Other, _) ->
    {invalid_child_spec, Other}.

valid(true, _) -> ok;
valid(false, Error) -> throw(Error).

valid_start({M, F, A}) when is_atom(M), is_atom(F), is_list(A) -> ok;
valid_start(Start) -> throw({invalid_mfa, Start}).

valid_significant(true, _, never) ->
    throw({bad_combination, [{auto_shutdown, never}, {significant, true}]});
valid_significant(true, permanent, _) ->
    throw({bad_combination, [{restart, permanent}, {significant, true}]});
valid_significant(Significant, _, _) ->
    valid(is_boolean(Significant), {invalid_significant, Significant}).

valid_modules(dynamic) -> ok;
valid_modules(Modules) when is_list(Modules) ->
    [throw({invalid_module, M}) || M <- Modules, not is_atom(M)],
    ok;
valid_modules(Modules) -> throw({invalid_modules, Modules}).

spec_of(#child{id = Id, mfargs = Start, restart_type = Restart, significant = Significant,
               shutdown = Shutdown, child_type = Type, modules = Modules}) ->
    #{id => Id, start => Start, restart => Restart, significant => Significant,
      shutdown => Shutdown, type => Type, modules => Modules}.

%%% ------------------------------------------------------------------ requests

handle_call({get_childspec, Id}, _, State) ->
    Reply = case find(Id, State) of
                {ok, Child} -> {ok, spec_of(Child)};
                error -> {error, not_found}
            end,
    {reply, Reply, State};
handle_call(Request, _, State) when ?IS_SIMPLE(State) ->
    {Reply, NewState} = simple_request(Request, State),
    {reply, Reply, NewState};
handle_call(Request, _, State) ->
    {Reply, NewState} = request(Request, State),
    {reply, Reply, NewState}.

request({start_child, Spec}, #state{name = Name, auto_shutdown = AutoShutdown} = State) ->
    case child_of(Spec, AutoShutdown) of
        {ok, #child{id = Id} = Child} ->
            case find(Id, State) of
                {ok, #child{pid = Pid}} when is_pid(Pid) -> {{error, {already_started, Pid}}, State};
                {ok, _} -> {{error, already_present}, State};
                error -> add_child(Child, start(Child, Name), State)
            end;
        Error ->
            {{error, Error}, State}
    end;
request({terminate_child, Id}, #state{name = Name} = State) ->
    case find(Id, State) of
        {ok, Child} ->
            stop(Child, Name),
            {ok, forget(Child, State)};
        error ->
            {{error, not_found}, State}
    end;
request({restart_child, Id}, #state{name = Name} = State) ->
    stopped_child(Id, State,
                  fun(Child) ->
                          case start(Child, Name) of
                              {error, _} = Error -> {Error, State};
                              Started -> {Started, set_pid(element(2, Started), Id, State)}
                          end
                  end);
request({delete_child, Id}, #state{children = {Ids, Db}} = State) ->
    stopped_child(Id, State,
                  fun(_) ->
                          {ok, State#state{children = {lists:delete(Id, Ids), maps:remove(Id, Db)}}}
                  end);
request(which_children, #state{children = {Ids, Db}} = State) ->
    {[begin
          #child{pid = Pid, child_type = Type, modules = Modules} = maps:get(Id, Db),
          {Id, shown_pid(Pid), Type, Modules}
      end || Id <- Ids], State};
request(count_children, #state{children = {_, Db}} = State) ->
    Children = maps:values(Db),
    Active = length([Pid || #child{pid = Pid} <- Children, is_pid(Pid), is_process_alive(Pid)]),
    Supervisors = length([x || #child{child_type = supervisor} <- Children]),
    Specs = length(Children),
    {[{specs, Specs}, {active, Active}, {supervisors, Supervisors}, {workers, Specs - Supervisors}],
     State}.

stopped_child(Id, State, Action) ->
    case find(Id, State) of
        {ok, #child{pid = undefined} = Child} -> Action(Child);
        {ok, #child{pid = {restarting, _}}} -> {{error, restarting}, State};
        {ok, _} -> {{error, running}, State};
        error -> {{error, not_found}, State}
    end.

add_child(Child, {error, Reason}, State) ->
    {{error, {Reason, Child}}, State};
add_child(#child{restart_type = temporary}, {ok, undefined} = Ignored, State) ->
    {Ignored, State};
add_child(#child{id = Id, mfargs = {M, F, _}} = Child0, Started, #state{children = {Ids, Db}} = State) ->
    %% The arguments of a temporary child are not needed any more.
    Child = case Child0 of
                #child{restart_type = temporary} -> Child0#child{mfargs = {M, F, undefined}};
                _ -> Child0
            end,
    {Started, State#state{children = {[Id | Ids], Db#{Id => Child#child{pid = element(2, Started)}}}}}.

shown_pid({restarting, _}) -> restarting;
shown_pid(Pid) -> Pid.

simple_request({start_child, Extra}, State) ->
    #child{mfargs = {M, F, A}} = template(State),
    Args = A ++ Extra,
    case start_mfa(M, F, Args) of
        {ok, Pid} = Started when is_pid(Pid) -> {Started, add_dynamic(Pid, Args, State)};
        {ok, Pid, _} = Started -> {Started, add_dynamic(Pid, Args, State)};
        Other -> {Other, State}
    end;
simple_request({terminate_child, Pid}, #state{name = Name} = State) when is_pid(Pid) ->
    case find(Pid, State) of
        {ok, Child} ->
            stop(Child, Name),
            {ok, forget(Child, State)};
        error ->
            {{error, not_found}, State}
    end;
simple_request(which_children, #state{dynamics = {_, Db}} = State) ->
    #child{child_type = Type, modules = Modules} = template(State),
    {[{undefined, shown_pid(Pid), Type, Modules} || Pid <- maps:keys(Db)], State};
simple_request(count_children, #state{dynamics = {_, Db}, dynamic_restarts = Restarting} = State) ->
    N = map_size(Db),
    {Supervisors, Workers} = case template(State) of
                                 #child{child_type = supervisor} -> {N, 0};
                                 _ -> {0, N}
                             end,
    {[{specs, 1}, {active, N - Restarting}, {supervisors, Supervisors}, {workers, Workers}], State};
simple_request({Request, _}, State)
  when Request =:= terminate_child; Request =:= restart_child; Request =:= delete_child ->
    {{error, simple_one_for_one}, State}.

%%% -------------------------------------------------------------- child tables

template(#state{children = {[Id], Db}}) -> maps:get(Id, Db).

add_dynamic(Pid, _, #state{dynamics = {mapsets, Db}} = State) ->
    State#state{dynamics = {mapsets, Db#{Pid => []}}};
add_dynamic(Pid, Args, #state{dynamics = {maps, Db}} = State) ->
    State#state{dynamics = {maps, Db#{Pid => Args}}}.

remove_dynamic(Pid, #state{dynamics = {Kind, Db}} = State) ->
    State#state{dynamics = {Kind, maps:remove(Pid, Db)}}.

find(Pid, #state{dynamics = {_, Db}} = State) when is_pid(Pid) ->
    Child = template(State),
    if
        is_map_key(Pid, Db) -> {ok, Child#child{pid = Pid}};
        is_map_key({restarting, Pid}, Db) -> {ok, Child#child{pid = {restarting, Pid}}};
        true ->
            %% Who is dead already has been terminated as wished.
            case is_process_alive(Pid) of
                true -> error;
                false -> {ok, Child}
            end
    end;
find(Id, #state{children = {_, Db}}) ->
    maps:find(Id, Db).

%% The child of an exited process, or of a restart that is tried again, with
%% the arguments to start it.
exited(Pid, #state{dynamics = {Kind, Db}} = State) ->
    case Db of
        #{Pid := Args} ->
            #child{mfargs = {M, F, _}} = Child = template(State),
            Known = case Kind of maps -> Args; mapsets -> undefined end,
            {ok, Child#child{pid = Pid, mfargs = {M, F, Known}}};
        _ ->
            error
    end;
exited(Pid, #state{children = {_, Db}}) when is_pid(Pid) ->
    by_pid(Pid, maps:next(maps:iterator(Db)));
exited(Id, State) ->
    find(Id, State).

by_pid(_, none) -> error;
by_pid(Pid, {_, #child{pid = Pid} = Child, _}) -> {ok, Child};
by_pid(Pid, {_, _, Next}) -> by_pid(Pid, maps:next(Next)).

set_pid(Pid, Id, #state{children = {Ids, Db}} = State) ->
    Child = maps:get(Id, Db),
    State#state{children = {Ids, Db#{Id := Child#child{pid = Pid}}}}.

%% The child runs no more; a temporary one disappears.
forget(#child{pid = Pid}, State) when ?IS_SIMPLE(State) ->
    remove_dynamic(Pid, State);
forget(#child{id = Id, restart_type = temporary}, #state{children = {Ids, Db}} = State) ->
    State#state{children = {lists:delete(Id, Ids), maps:remove(Id, Db)}};
forget(#child{id = Id}, State) ->
    set_pid(undefined, Id, State).

%%% ------------------------------------------------------------------ starting

%% Starts in the given order. The result has the last started first; on an
%% error it holds the children that were not reached too.
start_children(Ids, Db, Name) -> start_children(Ids, Db, Name, []).

start_children([Id | Ids], Db, Name, Started) ->
    #child{restart_type = Restart} = Child = maps:get(Id, Db),
    case start(Child, Name) of
        {ok, undefined} when Restart =:= temporary ->
            start_children(Ids, maps:remove(Id, Db), Name, Started);
        {error, Reason} ->
            report(start_error, Reason, Child, Name),
            {error, {lists:reverse(Ids, [Id | Started]), Db}, {failed_to_start_child, Id, Reason}};
        Ok ->
            NewDb = Db#{Id := Child#child{pid = element(2, Ok)}},
            start_children(Ids, NewDb, Name, [Id | Started])
    end;
start_children([], Db, _, Started) ->
    {ok, {Started, Db}}.

start(#child{mfargs = {M, F, A}} = Child, Name) ->
    Result = start_mfa(M, F, A),
    case Result of
        {ok, Pid} when is_pid(Pid) -> report_progress(Child#child{pid = Pid}, Name);
        {ok, Pid, _} -> report_progress(Child#child{pid = Pid}, Name);
        _ -> ok
    end,
    Result.

start_mfa(M, F, A) ->
    case catch apply(M, F, A) of
        {ok, Pid} = Started when is_pid(Pid) -> Started;
        {ok, Pid, _} = Started when is_pid(Pid) -> Started;
        ignore -> {ok, undefined};
        {error, _} = Error -> Error;
        Other -> {error, Other}
    end.

%%% ------------------------------------------------------------------ stopping

terminate(_, State) when ?IS_SIMPLE(State) ->
    terminate_dynamic(State);
terminate(_, #state{children = Children, name = Name}) ->
    terminate_children(Children, Name).

%% From the last started to the first. What remains can be started again.
terminate_children({Ids, Db}, Name) ->
    [stop(maps:get(Id, Db), Name) || Id <- Ids],
    Kept = [Id || Id <- Ids, (maps:get(Id, Db))#child.restart_type =/= temporary],
    {Kept, maps:map(fun(_, Child) -> Child#child{pid = undefined} end, maps:with(Kept, Db))}.

stop(#child{pid = Pid, shutdown = Shutdown} = Child, Name) when is_pid(Pid) ->
    Ref = monitor(process, Pid),
    exit(Pid, first_signal(Shutdown)),
    Limit = case Shutdown of brutal_kill -> infinity; _ -> Shutdown end,
    Reason = receive
                 {'DOWN', Ref, process, Pid, Down} -> Down
             after Limit ->
                 exit(Pid, kill),
                 receive {'DOWN', Ref, process, Pid, Down} -> Down end
             end,
    ExitReason = link_reason(Pid, Reason),
    is_expected(ExitReason, Child) orelse report(shutdown_error, ExitReason, Child, Name),
    ok;
stop(_, _) ->
    ok.

first_signal(brutal_kill) -> kill;
first_signal(_) -> shutdown.

%% After unlink no exit message of the dead process can be under way; the one
%% that came tells the reason better than a late monitor.
link_reason(Pid, Default) ->
    unlink(Pid),
    receive {'EXIT', Pid, Reason} -> Reason after 0 -> Default end.

is_expected(killed, #child{shutdown = brutal_kill}) -> true;
is_expected(shutdown, #child{shutdown = Shutdown}) when Shutdown =/= brutal_kill -> true;
is_expected(_, #child{restart_type = permanent}) -> false;
is_expected(shutdown, _) -> true;
is_expected({shutdown, _}, _) -> true;
is_expected(normal, _) -> true;
is_expected(_, _) -> false.

%% All at once: their number may be large.
terminate_dynamic(#state{dynamics = {_, Db}, name = Name} = State) ->
    #child{shutdown = Shutdown} = Child = template(State),
    Signal = first_signal(Shutdown),
    Monitors = maps:from_list([begin
                                   Ref = monitor(process, Pid),
                                   exit(Pid, Signal),
                                   {Ref, Pid}
                               end || Pid <- maps:keys(Db), is_pid(Pid)]),
    Timer = case Shutdown of
                _ when map_size(Monitors) =:= 0 -> none;
                _ when is_integer(Shutdown) -> erlang:start_timer(Shutdown, self(), kill);
                _ -> none
            end,
    Errors = await_dynamic(Monitors, Timer, Child, #{}),
    maps:foreach(fun(Reason, Pids) ->
                         report(shutdown_error, Reason, Child#child{pid = Pids}, Name)
                 end, Errors).

await_dynamic(Monitors, Timer, _, Errors) when map_size(Monitors) =:= 0 ->
    case Timer of
        none -> ok;
        _ ->
            _ = erlang:cancel_timer(Timer),
            receive {timeout, Timer, kill} -> ok after 0 -> ok end
    end,
    Errors;
await_dynamic(Monitors, Timer, Child, Errors) ->
    receive
        {'DOWN', Ref, process, Pid, Down} when is_map_key(Ref, Monitors) ->
            Reason = link_reason(Pid, Down),
            NewErrors = case is_expected(Reason, Child) of
                            true -> Errors;
                            false -> Errors#{Reason => [Pid | maps:get(Reason, Errors, [])]}
                        end,
            await_dynamic(maps:remove(Ref, Monitors), Timer, Child, NewErrors);
        {timeout, Timer, kill} ->
            [exit(Pid, kill) || Pid <- maps:values(Monitors)],
            await_dynamic(Monitors, none, Child, Errors)
    end.

%%% ---------------------------------------------------------------- restarting

handle_cast({try_again_restart, Which}, State) ->
    case exited(Which, State) of
        {ok, #child{pid = {restarting, _}} = Child} -> continue(restart(Child, State));
        _ -> {noreply, State}
    end.

handle_info({'EXIT', Pid, Reason}, State) ->
    case exited(Pid, State) of
        {ok, Child} -> continue(child_exited(Reason, Child, State));
        error -> {noreply, State}
    end;
handle_info(Message, State) ->
    ?LOG_ERROR("Supervisor received unexpected message: ~tp~n", [Message],
               #{domain => [otp], error_logger => #{tag => error}}),
    {noreply, State}.

continue({ok, State}) -> {noreply, State};
continue({shutdown, State}) -> {stop, shutdown, State}.

child_exited(Reason, #child{restart_type = Restart} = Child, #state{name = Name} = State) ->
    Normal = case Reason of
                 normal -> true;
                 shutdown -> true;
                 {shutdown, _} -> true;
                 _ -> false
             end,
    if
        Restart =:= permanent; Restart =:= transient, not Normal ->
            report(child_terminated, Reason, Child, Name),
            restart(Child, State);
        Normal ->
            auto_shutdown(Child, forget(Child, State));
        true ->
            report(child_terminated, Reason, Child, Name),
            auto_shutdown(Child, forget(Child, State))
    end.

auto_shutdown(#child{significant = true}, #state{auto_shutdown = any_significant} = State) ->
    {shutdown, State};
auto_shutdown(#child{significant = true}, #state{auto_shutdown = all_significant} = State) ->
    Remain = case State of
                 #state{dynamics = {_, Dynamic}} -> map_size(Dynamic) > 0;
                 #state{children = {_, Db}} ->
                     lists:any(fun(#child{pid = Pid, significant = Significant}) ->
                                       Significant andalso Pid =/= undefined
                               end, maps:values(Db))
             end,
    {case Remain of true -> ok; false -> shutdown end, State};
auto_shutdown(_, State) ->
    {ok, State}.

restart(Child, #state{name = Name, intensity = Intensity, period = Period,
                      restarts = Before, strategy = Strategy} = State0) ->
    Now = erlang:monotonic_time(second),
    Restarts = [Now | lists:takewhile(fun(Time) -> Time >= Now - Period end, Before)],
    State = State0#state{restarts = Restarts},
    case length(Restarts) =< Intensity of
        true ->
            case restart(Strategy, Child, State) of
                {try_again, Which, NewState} ->
                    %% Other requests come first, perhaps one that ends this.
                    gen_server:cast(self(), {try_again_restart, Which}),
                    {ok, NewState};
                Ok ->
                    Ok
            end;
        false ->
            report(shutdown, reached_max_restart_intensity, Child, Name),
            {shutdown, forget(Child, State)}
    end.

restart(simple_one_for_one, #child{pid = Old, mfargs = {M, F, A}} = Child, #state{name = Name} = State0) ->
    State1 = remove_dynamic(Old, State0),
    State = #state{dynamic_restarts = N} =
        case Old of
            {restarting, _} -> State1#state{dynamic_restarts = State1#state.dynamic_restarts - 1};
            _ -> State1
        end,
    case start_mfa(M, F, A) of
        {error, Reason} ->
            Restarting = restarting(Old),
            report(start_error, Reason, Child, Name),
            {try_again, Restarting,
             add_dynamic(Restarting, A, State#state{dynamic_restarts = N + 1})};
        Started ->
            {ok, add_dynamic(element(2, Started), A, State)}
    end;
restart(one_for_one, #child{id = Id, pid = Old} = Child, #state{name = Name} = State) ->
    case start(Child, Name) of
        {error, Reason} ->
            report(start_error, Reason, Child, Name),
            {try_again, Id, set_pid(restarting(Old), Id, State)};
        Started ->
            {ok, set_pid(element(2, Started), Id, State)}
    end;
restart(rest_for_one, #child{id = Id} = Child, #state{children = {Ids, Db}} = State) ->
    {Later, [Id | Earlier]} = lists:splitwith(fun(Other) -> Other =/= Id end, Ids),
    Affected = Later ++ [Id],
    {Result, {NewIds, NewDb}} = restart_group({Affected, maps:with(Affected, Db)}, Child, State),
    Children = {NewIds ++ Earlier, maps:merge(maps:with(Earlier, Db), NewDb)},
    restarted(Result, State#state{children = Children});
restart(one_for_all, Child, #state{children = Children} = State) ->
    {Result, NewChildren} = restart_group(Children, Child, State),
    restarted(Result, State#state{children = NewChildren}).

restarted(ok, State) -> {ok, State};
restarted({try_again, Id}, State) -> {try_again, Id, State}.

%% Stops the children of the group except the one that exited, and starts all.
restart_group({Ids, Db}, #child{id = Id, pid = Old}, #state{name = Name}) ->
    Exited = maps:get(Id, Db),
    {Kept, Stopped} = terminate_children({Ids, Db#{Id := Exited#child{pid = undefined}}}, Name),
    case start_children(lists:reverse(Kept), Stopped, Name) of
        {ok, Children} ->
            {ok, Children};
        {error, {NewIds, NewDb}, {failed_to_start_child, Failed, _}} ->
            Restarting = case Failed of Id -> restarting(Old); _ -> {restarting, undefined} end,
            FailedChild = maps:get(Failed, NewDb),
            {{try_again, Failed}, {NewIds, NewDb#{Failed := FailedChild#child{pid = Restarting}}}}
    end.

restarting(Pid) when is_pid(Pid) -> {restarting, Pid};
restarting(Restarting) -> Restarting.

%%% --------------------------------------------------------------- code change

code_change(_, #state{module = Mod, args = Args} = State, _) ->
    case Mod:init(Args) of
        {ok, {Flags, Specs}} ->
            case set_flags(Flags, State) of
                {ok, NewState} -> change_specs(Specs, NewState);
                {invalid_type, Flags} -> {error, {bad_flags, Flags}};
                Error -> {error, Error}
            end;
        ignore -> {ok, State};
        Error -> Error
    end.

change_specs(Specs, #state{auto_shutdown = AutoShutdown, children = {OldIds, OldDb}} = State) ->
    case children_of(Specs, AutoShutdown) of
        {ok, Ids, Db} when ?IS_SIMPLE(State), length(Ids) =:= 1 ->
            {ok, State#state{children = {Ids, Db}}};
        {ok, Ids, Db} when ?IS_SIMPLE(State) ->
            {error, {ok, {Ids, Db}}};
        {ok, Ids, Db} ->
            %% Children without a new specification stay.
            Kept = [Id || Id <- OldIds, not is_map_key(Id, Db)],
            Running = maps:map(fun(Id, Child) ->
                                       case OldDb of
                                           #{Id := #child{pid = Pid}} -> Child#child{pid = Pid};
                                           _ -> Child
                                       end
                               end, Db),
            {ok, State#state{children = {Kept ++ lists:reverse(Ids),
                                         maps:merge(maps:with(Kept, OldDb), Running)}}};
        Error ->
            {error, Error}
    end.

%%% ------------------------------------------------------------------- reports

format_status(terminate, [_, State]) ->
    State;
format_status(_, [_, #state{module = Mod} = State]) ->
    [{data, [{"State", State}]}, {supervisor, [{"Callback", Mod}]}].

report(Context, Reason, Child, Name) ->
    ?LOG_ERROR(#{label => {supervisor, Context},
                 report => [{supervisor, Name},
                            {errorContext, Context},
                            {reason, Reason},
                            {offender, shown_child(Child)}]},
               #{domain => [otp, sasl],
                 report_cb => fun ?MODULE:format_log/2,
                 logger_formatter => #{title => "SUPERVISOR REPORT"},
                 error_logger => #{tag => error_report, type => supervisor_report,
                                   report_cb => fun ?MODULE:format_log/1}}).

report_progress(Child, Name) ->
    ?LOG_INFO(#{label => {supervisor, progress},
                report => [{supervisor, Name}, {started, shown_child(Child)}]},
              #{domain => [otp, sasl],
                report_cb => fun ?MODULE:format_log/2,
                logger_formatter => #{title => "PROGRESS REPORT"},
                error_logger => #{tag => info_report, type => progress,
                                  report_cb => fun ?MODULE:format_log/1}}).

shown_child(#child{pid = Pid, id = Id, mfargs = Start, restart_type = Restart,
                   significant = Significant, shutdown = Shutdown, child_type = Type}) ->
    [case is_list(Pid) of
         true -> {nb_children, length(Pid)};
         false -> {pid, Pid}
     end,
     {id, Id}, {mfargs, Start}, {restart_type, Restart}, {significant, Significant},
     {shutdown, Shutdown}, {child_type, Type}].

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

parts(#{report := Report}, #{single_line := false}) ->
    lists:append([["    ", atom_to_list(Key), ": ", {t, Value}, "~n"] || {Key, Value} <- Report]);
parts(#{report := [{supervisor, Name}, {started, Child}]}, _) ->
    ["Supervisor: ", {t, Name}, "."] ++ one_line_child("Started:", Child);
parts(#{report := [{supervisor, Name}, {errorContext, Context}, {reason, Reason},
                   {offender, Child}]}, _) ->
    ["Supervisor: ", {t, Name}, ". Context: ", {t, Context}, ". Reason: ", {t, Reason}, "."]
        ++ one_line_child("Offender:", Child).

one_line_child(Tag, [{Which, Value} | _] = Child) ->
    {id, Id} = lists:keyfind(id, 1, Child),
    [" ", {s, Tag}, " id=", {w, Id}, ",", atom_to_list(Which), "=", {w, Value}, "."].

%%% -------------------------------------------------------------------- frames
%%
%% Name, arity and line of the call as in OTP 25.2.3: it is seen in stack traces.

-file("supervisor.erl", 327).
init({Name, Mod, Args}) ->
    process_flag(trap_exit, true),
    case Mod:init(Args) of
        {ok, {Flags, Specs}} ->
            State0 = #state{name = case Name of self -> {self(), Mod}; _ -> Name end,
                            module = Mod, args = Args, auto_shutdown = never},
            case set_flags(Flags, State0) of
                {ok, State} when ?IS_SIMPLE(State) -> init_dynamic(Specs, State);
                {ok, State} -> init_static(Specs, State);
                Error -> {stop, {supervisor_data, Error}}
            end;
        ignore ->
            ignore;
        Other ->
            {stop, {bad_return, {Mod, init, Other}}}
    end.
