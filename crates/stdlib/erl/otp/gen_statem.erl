%% State machine behaviour.
%%
%% The machine (record m) is what lasts between events. One event makes one
%% transition (record tr): the state callback, perhaps a state enter call, and
%% the actions of both collect in it; `transition' then turns it into the next
%% machine. The queue holds the event at hand and those inserted or un-postponed
%% after it. A timer is {Ref, Content}; a time-out of zero has no timer, its type
%% waits in `zero' until the queue is empty.
-module(gen_statem).

-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4,
         stop/1, stop/3, cast/2, call/2, call/3, reply/1, reply/2,
         send_request/2, send_request/4, wait_response/1, wait_response/2, wait_response/3,
         receive_response/1, receive_response/2, receive_response/3,
         check_response/2, check_response/3,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1,
         enter_loop/4, enter_loop/5, enter_loop/6]).

%% For gen, sys, proc_lib and logger.
-export([init_it/6, wakeup_from_hibernate/3, system_continue/3, system_terminate/4,
         system_code_change/4, system_get_state/1, system_replace_state/2, format_status/2,
         format_log/1, format_log/2]).

-export_type([event_type/0, from/0, reply_tag/0, callback_mode_result/0, init_result/1,
              init_result/2, state_enter_result/1, state_enter_result/2,
              event_handler_result/1, event_handler_result/2, reply_action/0, enter_action/0,
              action/0, server_name/0, server_ref/0, start_opt/0, start_ret/0,
              enter_loop_opt/0, start_mon_ret/0, request_id/0, request_id_collection/0,
              format_status/0]).

-include_lib("kernel/include/logger.hrl").

-type from() :: {To :: pid(), Tag :: reply_tag()}.
-type reply_tag() :: gen:reply_tag().
-type state() :: term().
-type data() :: term().
-type timeout_event_type() :: timeout | {timeout, Name :: term()} | state_timeout.
-type event_type() :: {call, From :: from()} | cast | info | timeout_event_type() | internal.
-type callback_mode_result() :: term().
-type timeout_action() :: timeout() | {timeout_event_type(), term(), term()}
                        | {timeout_event_type(), term(), term(), term()}
                        | {timeout_event_type(), cancel} | {timeout_event_type(), update, term()}.
-type reply_action() :: {reply, From :: from(), Reply :: term()}.
-type enter_action() :: hibernate | {hibernate, boolean()} | timeout_action() | reply_action().
-type action() :: postpone | {postpone, boolean()}
                | {next_event, EventType :: event_type(), EventContent :: term()}
                | {change_callback_module, module()} | {push_callback_module, module()}
                | pop_callback_module | enter_action().
-type init_result(StateType) :: init_result(StateType, term()).
-type init_result(StateType, DataType) ::
        {ok, StateType, DataType} | {ok, StateType, DataType, [action()] | action()}
      | ignore | {stop, term()}.
-type state_enter_result(State) :: state_enter_result(State, term()).
-type state_enter_result(State, DataType) ::
        {next_state, State, DataType} | {next_state, State, DataType, [enter_action()] | enter_action()}
      | term().
-type event_handler_result(StateType) :: event_handler_result(StateType, term()).
-type event_handler_result(StateType, DataType) ::
        {next_state, StateType, DataType} | {next_state, StateType, DataType, [action()] | action()}
      | term().
-type server_name() :: {local, atom()} | {global, term()} | {via, module(), term()}.
-type server_ref() :: pid() | atom() | {atom(), node()} | {global, term()} | {via, module(), term()}.
-type start_opt() :: {timeout, timeout()} | {spawn_opt, [proc_lib:spawn_option()]} | enter_loop_opt().
-type enter_loop_opt() :: {hibernate_after, timeout()} | {debug, [sys:debug_option()]}.
-type start_ret() :: {ok, pid()} | ignore | {error, term()}.
-type start_mon_ret() :: {ok, {pid(), reference()}} | ignore | {error, term()}.
-type request_id() :: gen:request_id().
-type request_id_collection() :: gen:request_id_collection().
-type format_status() :: #{state => state(), data => data(), reason => term(), queue => [term()],
                           postponed => [term()], timeouts => [term()],
                           log => [sys:system_event()]}.

-callback init(Args :: term()) -> init_result(state()).
-callback callback_mode() -> callback_mode_result().
-callback state_name(event_type(), EventContent :: term(), Data :: data()) ->
    event_handler_result(atom()).
-callback handle_event(event_type(), EventContent :: term(), state(), data()) ->
    event_handler_result(state()).
-callback terminate(Reason :: normal | shutdown | {shutdown, term()} | term(), state(), data()) -> any().
-callback code_change(OldVsn :: term() | {down, term()}, state(), data(), Extra :: term()) ->
    {ok, state(), data()} | (Reason :: term()).
-callback format_status(StatusOption :: normal | terminate, [term()]) -> Status :: term().
-callback format_status(Status :: format_status()) -> format_status().
-optional_callbacks([format_status/1, format_status/2, terminate/3, code_change/4,
                     state_name/3, handle_event/4]).

-record(m, {parent, name, modules, mode = state_functions, state_enter = false,
            hibernate_after = infinity, state, data,
            postponed = [],                 % the last postponed first
            timers = #{}, zero = [],
            hibernate = false}).

-record(tr, {state, data,
             events = [], timeouts = [],    % both the last first
             hibernate = false, postpone = false, enter = false}).

-define(IS_RELATIVE(T), ((is_integer(T) andalso T >= 0) orelse T =:= infinity)).
-define(IS_FROM(From), (tuple_size(From) =:= 2 andalso is_pid(element(1, From)))).
-define(STACK(), try throw(stack) catch throw:stack:Here -> Here end).

%%% ------------------------------------------------------------ start and stop

-spec start(module(), term(), [start_opt()]) -> start_ret().
-spec start(server_name(), module(), term(), [start_opt()]) -> start_ret().
-spec start_link(module(), term(), [start_opt()]) -> start_ret().
-spec start_link(server_name(), module(), term(), [start_opt()]) -> start_ret().
-spec start_monitor(module(), term(), [start_opt()]) -> start_mon_ret().
-spec start_monitor(server_name(), module(), term(), [start_opt()]) -> start_mon_ret().
-spec stop(server_ref()) -> ok.
-spec stop(server_ref(), Reason :: term(), timeout()) -> ok.
-spec cast(server_ref(), Message :: term()) -> ok.
-spec call(server_ref(), Request :: term()) -> term().
-spec call(server_ref(), Request :: term(),
           timeout() | {clean_timeout, timeout()} | {dirty_timeout, timeout()}) -> term().
-spec reply([reply_action()] | reply_action()) -> ok.
-spec reply(from(), Reply :: term()) -> ok.

start(Mod, Args, Options) -> gen:start(?MODULE, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(?MODULE, nolink, Name, Mod, Args, Options).

start_link(Mod, Args, Options) -> gen:start(?MODULE, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(?MODULE, link, Name, Mod, Args, Options).

start_monitor(Mod, Args, Options) -> gen:start(?MODULE, monitor, Mod, Args, Options).
start_monitor(Name, Mod, Args, Options) -> gen:start(?MODULE, monitor, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

%%% ------------------------------------------------------------------- clients

cast({global, Name}, Message) ->
    catch global:send(Name, {'$gen_cast', Message}),
    ok;
cast({via, Registry, Name}, Message) ->
    catch Registry:send(Name, {'$gen_cast', Message}),
    ok;
cast(Server, Message) when is_pid(Server); is_atom(Server); is_atom(element(1, Server)) ->
    try erlang:send(Server, {'$gen_cast', Message}) catch error:_ -> ok end,
    ok.

call(Server, Request) ->
    call(Server, Request, infinity).

%% Late replies cannot happen, so clean and dirty time-outs are the same.
call(Server, Request, {Kind, Time} = Timeout) when Kind =:= clean_timeout; Kind =:= dirty_timeout ->
    call_dirty(Server, Request, Timeout, Time);
call(Server, Request, {_, _} = Timeout) ->
    error(badarg, [Server, Request, Timeout]);
call(Server, Request, Timeout) ->
    call_dirty(Server, Request, Timeout, Timeout).

reply({reply, From, Reply}) ->
    gen:reply(From, Reply);
reply(Replies) when is_list(Replies) ->
    lists:foreach(fun({reply, From, Reply}) -> gen:reply(From, Reply) end, Replies).

reply(From, Reply) -> gen:reply(From, Reply).

-define(CHECKED(Call, Args), try Call catch error:badarg -> error(badarg, Args) end).

send_request(Server, Request) ->
    ?CHECKED(gen:send_request(Server, '$gen_call', Request), [Server, Request]).
send_request(Server, Request, Label, Ids) ->
    ?CHECKED(gen:send_request(Server, '$gen_call', Request, Label, Ids),
             [Server, Request, Label, Ids]).

wait_response(Id) -> wait_response(Id, infinity).
wait_response(Id, Timeout) -> ?CHECKED(gen:wait_response(Id, Timeout), [Id, Timeout]).
wait_response(Ids, Timeout, Delete) ->
    ?CHECKED(gen:wait_response(Ids, Timeout, Delete), [Ids, Timeout, Delete]).

receive_response(Id) -> receive_response(Id, infinity).
receive_response(Id, Timeout) -> ?CHECKED(gen:receive_response(Id, Timeout), [Id, Timeout]).
receive_response(Ids, Timeout, Delete) ->
    ?CHECKED(gen:receive_response(Ids, Timeout, Delete), [Ids, Timeout, Delete]).

check_response(Message, Id) -> ?CHECKED(gen:check_response(Message, Id), [Message, Id]).
check_response(Message, Ids, Delete) ->
    ?CHECKED(gen:check_response(Message, Ids, Delete), [Message, Ids, Delete]).

reqids_new() -> gen:reqids_new().
reqids_size(Ids) -> ?CHECKED(gen:reqids_size(Ids), [Ids]).
reqids_add(Id, Label, Ids) -> ?CHECKED(gen:reqids_add(Id, Label, Ids), [Id, Label, Ids]).
reqids_to_list(Ids) -> ?CHECKED(gen:reqids_to_list(Ids), [Ids]).

%%% ------------------------------------------------------------------ entering

enter_loop(Mod, Options, State, Data) ->
    enter_loop(Mod, Options, State, Data, self(), []).

enter_loop(Mod, Options, State, Data, Actions) when is_list(Actions) ->
    enter_loop(Mod, Options, State, Data, self(), Actions);
enter_loop(Mod, Options, State, Data, Server) ->
    enter_loop(Mod, Options, State, Data, Server, []).

enter_loop(Mod, Options, State, Data, Server, Actions) ->
    is_atom(Mod) orelse error({atom, Mod}),
    Parent = gen:get_parent(),
    Name = gen:get_proc_name(Server),
    M = #m{parent = Parent, name = Name, modules = [Mod],
           hibernate_after = gen:hibernate_after(Options)},
    enter(State, Data, Actions, M, gen:debug_options(Name, Options)).

%% The start counts as an internal event that the initial actions belong to.
enter(State, Data, Actions, #m{name = Name, modules = [Mod | _] = Modules} = M0, Debug) ->
    M = M0#m{state = State, data = Data},
    Queue = [{internal, init_state}],
    case with_callback_mode(Modules, M) of
        #m{} = Ready ->
            actions(listed(Actions) ++ [{postpone, false}],
                    #tr{state = State, data = Data, enter = true}, true,
                    Queue, Ready, debug(Debug, Name, {enter, Mod, State}));
        {Class, Reason, Stack} ->
            terminate(Class, Reason, Stack, M, Debug, Queue)
    end.

with_callback_mode([Mod | _] = Modules, M) ->
    try Mod:callback_mode() of
        Result -> callback_mode(Result, Modules, M)
    catch
        throw:Result -> callback_mode(Result, Modules, M);
        Class:Reason:Stack -> {Class, Reason, Stack}
    end.

callback_mode(Result, Modules, M) ->
    Items = listed(Result),
    Modes = [Item || Item <- Items, Item =:= state_functions orelse Item =:= handle_event_function],
    Rest = [Item || Item <- Items, Item =/= state_functions, Item =/= handle_event_function,
                    Item =/= state_enter],
    case {Modes, Rest} of
        {[_ | _], []} ->
            M#m{modules = Modules, mode = lists:last(Modes),
                state_enter = lists:member(state_enter, Items)};
        _ ->
            {error, {bad_return_from_callback_mode, Result}, ?STACK()}
    end.

listed(Items) when is_list(Items) -> Items;
listed(Item) -> [Item].

%%% ---------------------------------------------------------------------- loop

loop(#m{hibernate = true} = M, Debug) ->
    proc_lib:hibernate(?MODULE, wakeup_from_hibernate, [M, Debug, true]);
loop(M, Debug) ->
    fetch(M, Debug).

wakeup_from_hibernate(M, Debug, _) ->
    fetch(M, Debug).

fetch(#m{hibernate_after = HibernateAfter} = M, Debug) ->
    receive
        Message -> message(Message, M, Debug)
    after HibernateAfter ->
        proc_lib:hibernate(?MODULE, wakeup_from_hibernate, [M, Debug, true])
    end.

message({'$gen_call', From, Request}, M, Debug) ->
    external({{call, From}, Request}, M, Debug);
message({'$gen_cast', Message}, M, Debug) ->
    external({cast, Message}, M, Debug);
message({timeout, Ref, Type} = Message, #m{timers = Timers} = M, Debug) ->
    case Timers of
        #{Type := {Ref, Content}} ->
            external({Type, Content}, M#m{timers = maps:remove(Type, Timers)}, Debug);
        _ ->
            external({info, Message}, M, Debug)
    end;
message({system, From, Request}, #m{parent = Parent, hibernate = Hibernate} = M, Debug) ->
    sys:handle_system_msg(Request, From, Parent, ?MODULE, Debug, M, Hibernate);
message({'EXIT', Parent, Reason}, #m{parent = Parent} = M, Debug) ->
    terminate(exit, Reason, ?STACK(), M, Debug, []);
message(Message, M, Debug) ->
    external({info, Message}, M, Debug).

external(Event, #m{name = Name, state = State} = M, Debug) ->
    event([Event], M, debug(Debug, Name, {in, Event, State})).

event([{Type, Content} | _] = Queue, #m{state = State, data = Data, mode = Mode,
                                        modules = [Mod | _]} = M, Debug) ->
    loop_state_callback(Type, Content, State, Data, #tr{}, true, Queue, M, Debug, Mode, Mod).

%% What a callback returned, but for stopping: the next state and data, whether
%% this asks for a state enter call, and the actions.
result({next_state, Next, NewData}, State, _) -> {Next, NewData, Next =/= State, []};
result({next_state, Next, NewData, Actions}, State, _) -> {Next, NewData, Next =/= State, Actions};
result({keep_state, NewData}, State, _) -> {State, NewData, false, []};
result({keep_state, NewData, Actions}, State, _) -> {State, NewData, false, Actions};
result(keep_state_and_data, State, Data) -> {State, Data, false, []};
result({keep_state_and_data, Actions}, State, Data) -> {State, Data, false, Actions};
result({repeat_state, NewData}, State, _) -> {State, NewData, true, []};
result({repeat_state, NewData, Actions}, State, _) -> {State, NewData, true, Actions};
result(repeat_state_and_data, State, Data) -> {State, Data, true, []};
result({repeat_state_and_data, Actions}, State, Data) -> {State, Data, true, Actions};
result(_, _, _) -> bad.

%%% ------------------------------------------------------------------- actions

actions([Action | Actions], #tr{state = State, data = Data, hibernate = Hibernate} = Tr, IsEvent,
        Queue, M, Debug) ->
    case action(Action, Tr, IsEvent, M, Debug) of
        {#tr{} = NewTr, NewM, NewDebug} ->
            actions(Actions, NewTr, IsEvent, Queue, NewM, NewDebug);
        #tr{} = NewTr ->
            actions(Actions, NewTr, IsEvent, Queue, M, Debug);
        {Class, Reason, Stack} ->
            terminate(Class, Reason, Stack, M#m{state = State, data = Data, hibernate = Hibernate},
                      Debug, Queue)
    end;
actions([], #tr{enter = true, state = State, data = Data} = Tr, _, Queue,
        #m{state_enter = true, state = Previous, mode = Mode, modules = [Mod | _]} = M, Debug) ->
    loop_state_callback(enter, Previous, State, Data, Tr#tr{enter = false}, false, Queue, M, Debug,
                        Mode, Mod);
actions([], Tr, _, Queue, M, Debug) ->
    transition(Tr, Queue, M, Debug).

%% The transition after the action, possibly with a new machine and debug list,
%% or the exception to terminate with.
action({reply, From, Reply}, Tr, _, #m{name = Name} = M, Debug) when ?IS_FROM(From) ->
    gen:reply(From, Reply),
    {Tr, M, debug(Debug, Name, {out, Reply, From})};
action(hibernate, Tr, _, _, _) ->
    Tr#tr{hibernate = true};
action({hibernate, Hibernate}, Tr, _, _, _) when is_boolean(Hibernate) ->
    Tr#tr{hibernate = Hibernate};
action(postpone, Tr, true, _, _) ->
    Tr#tr{postpone = true};
action({postpone, Postpone}, Tr, IsEvent, _, _) when not Postpone; is_boolean(Postpone), IsEvent ->
    Tr#tr{postpone = Postpone};
action({next_event, Type, Content} = Action, #tr{events = Events, state = State} = Tr, IsEvent,
       #m{name = Name} = M, Debug) ->
    case is_event_type(Type) of
        true when IsEvent ->
            Event = {Type, Content},
            {Tr#tr{events = [Event | Events]}, M, debug(Debug, Name, {in, Event, State})};
        _ ->
            bad_action(Action, IsEvent)
    end;
action({change_callback_module, Mod}, Tr, true, #m{modules = [_ | Modules]} = M, Debug) when is_atom(Mod) ->
    change_module([Mod | Modules], Tr, M, Debug);
action({push_callback_module, Mod}, Tr, true, #m{modules = Modules} = M, Debug) when is_atom(Mod) ->
    change_module([Mod | Modules], Tr, M, Debug);
action(pop_callback_module, Tr, true, #m{modules = [_ | [_ | _] = Modules]} = M, Debug) ->
    change_module(Modules, Tr, M, Debug);
action(Action, #tr{timeouts = Timeouts} = Tr, IsEvent, #m{modules = Modules}, _) ->
    case timeout_action(Action) of
        bad -> bad_action(Action, IsEvent orelse not not_for_enter(Action, Modules));
        Timeout -> Tr#tr{timeouts = [Timeout | Timeouts]}
    end.

change_module([Mod | _] = Modules, #tr{state = State} = Tr, #m{name = Name} = M, Debug) ->
    case with_callback_mode(Modules, M) of
        #m{} = NewM -> {Tr, NewM, debug(Debug, Name, {module, Mod, State})};
        Exception -> Exception
    end.

%% Actions that are right in themselves but not after a state enter call.
not_for_enter(postpone, _) -> true;
not_for_enter({change_callback_module, Mod}, _) -> is_atom(Mod);
not_for_enter({push_callback_module, Mod}, _) -> is_atom(Mod);
not_for_enter(pop_callback_module, [_, _ | _]) -> true;
not_for_enter(_, _) -> false.

bad_action(Action, true) -> {error, {bad_action_from_state_function, Action}, ?STACK()};
bad_action(Action, false) -> {error, {bad_state_enter_action_from_state_function, Action}, ?STACK()}.

is_event_type({call, From}) -> ?IS_FROM(From);
is_event_type(cast) -> true;
is_event_type(info) -> true;
is_event_type(internal) -> true;
is_event_type(Type) -> is_timeout_type(Type).

is_timeout_type(timeout) -> true;
is_timeout_type(state_timeout) -> true;
is_timeout_type({timeout, _}) -> true;
is_timeout_type(_) -> false.

%% {Type, Time, Content, Options}; Time may be update, and is infinity to cancel.
timeout_action({Type, Time, Content, Options0}) ->
    Options = listed(Options0),
    IsProper = is_timeout_type(Type) andalso
        lists:all(fun({abs, Abs}) -> is_boolean(Abs); (_) -> false end, Options),
    case IsProper andalso lists:member({abs, true}, Options) of
        true when is_integer(Time); Time =:= infinity -> {Type, Time, Content, [{abs, true}]};
        false when IsProper, ?IS_RELATIVE(Time) -> {Type, Time, Content, []};
        _ -> bad
    end;
timeout_action({Type, Time, Content}) when ?IS_RELATIVE(Time); Time =:= update ->
    case is_timeout_type(Type) of
        true -> {Type, Time, Content, []};
        false -> bad
    end;
timeout_action({Type, cancel}) ->
    case is_timeout_type(Type) of
        true -> {Type, infinity, undefined, []};
        false -> bad
    end;
timeout_action(Time) when ?IS_RELATIVE(Time) ->
    {timeout, Time, Time, []};
timeout_action(_) ->
    bad.

%%% --------------------------------------------------------------- transitions

transition(#tr{state = Next, data = NewData, events = Inserted, hibernate = Hibernate} = Tr,
           [Event | Later], #m{name = Name, state = State, postponed = Postponed0} = M0, Debug0) ->
    {Postponed1, Tag} = case Tr of
                            #tr{postpone = true} -> {[Event | Postponed0], postpone};
                            _ -> {Postponed0, consume}
                        end,
    Debug1 = debug(Debug0, Name, {Tag, Event, State, Next}),
    {Queue, Postponed, M1} =
        case Next =:= State of
            true -> {Later, Postponed1, cancel(timeout, M0)};
            false -> {lists:reverse(Postponed1, Later), [], cancel(timeout, cancel(state_timeout, M0))}
        end,
    {M2, Debug} = set_timeouts(Tr#tr.timeouts, Next, M1, Debug1),
    next(lists:reverse(Inserted, Queue),
         M2#m{state = Next, data = NewData, postponed = Postponed, hibernate = Hibernate},
         Debug).

next([], #m{zero = [Type | Zero], timers = Timers} = M, Debug) ->
    {{0, Content}, Rest} = maps:take(Type, Timers),
    external({Type, Content}, M#m{zero = Zero, timers = Rest}, Debug);
next([], M, Debug) ->
    loop(M, Debug);
next(Queue, M, Debug) ->
    event(Queue, M, Debug).

cancel(Type, #m{timers = Timers, zero = Zero} = M) ->
    case Timers of
        #{Type := {0, _}} ->
            M#m{timers = maps:remove(Type, Timers), zero = lists:delete(Type, Zero)};
        #{Type := {Ref, _}} ->
            case erlang:cancel_timer(Ref) of
                false -> receive {timeout, Ref, _} -> ok end;
                _ -> ok
            end,
            M#m{timers = maps:remove(Type, Timers)};
        _ ->
            M
    end.

set_timeouts([], _, M, Debug) ->
    {M, Debug};
set_timeouts(Timeouts, State, M, Debug) ->
    %% Of several actions for one time-out the last one counts.
    {Last, _} = lists:foldl(fun({Type, _, _, _} = Timeout, {Kept, Seen}) ->
                                    case Seen of
                                        #{Type := _} -> {Kept, Seen};
                                        _ -> {[Timeout | Kept], Seen#{Type => true}}
                                    end
                            end, {[], #{}}, Timeouts),
    lists:foldl(fun(Timeout, {M1, Debug1}) -> set_timeout(Timeout, State, M1, Debug1) end,
                {M, Debug}, Last).

set_timeout({Type, infinity, _, _}, _, M, Debug) ->
    {cancel(Type, M), Debug};
set_timeout({Type, update, Content, _}, _, #m{timers = Timers, zero = Zero} = M, Debug) ->
    case Timers of
        #{Type := {Ref, _}} -> {M#m{timers = Timers#{Type := {Ref, Content}}}, Debug};
        _ -> {M#m{timers = Timers#{Type => {0, Content}}, zero = Zero ++ [Type]}, Debug}
    end;
set_timeout({Type, Time, Content, Options} = Timeout, State, #m{name = Name} = M0, Debug) ->
    #m{timers = Timers, zero = Zero} = M = cancel(Type, M0),
    NewM = case Time of
               0 ->
                   M#m{timers = Timers#{Type => {0, Content}}, zero = Zero ++ [Type]};
               _ ->
                   Ref = erlang:start_timer(Time, self(), Type, Options),
                   M#m{timers = Timers#{Type => {Ref, Content}}}
           end,
    {NewM, debug(Debug, Name, {start_timer, Timeout, State})}.

%%% ---------------------------------------------------------------- terminating

reply_then_terminate([{reply, From, Reply} | Replies], Reason, Stack, #m{name = Name} = M, Debug, Queue)
  when ?IS_FROM(From) ->
    gen:reply(From, Reply),
    reply_then_terminate(Replies, Reason, Stack, M, debug(Debug, Name, {out, Reply, From}), Queue);
reply_then_terminate([Bad | _], _, _, M, Debug, Queue) ->
    terminate(error, {bad_reply_action_from_state_function, Bad}, ?STACK(), M, Debug, Queue);
reply_then_terminate([], Reason, Stack, M, Debug, Queue) ->
    terminate(exit, Reason, Stack, M, Debug, Queue);
reply_then_terminate(Single, Reason, Stack, M, Debug, Queue) ->
    reply_then_terminate([Single], Reason, Stack, M, Debug, Queue).

terminate(Class, Reason, Stack, #m{name = Name, modules = [Mod | _], state = State, data = Data} = M,
          Debug, Queue) ->
    case erlang:function_exported(Mod, terminate, 3) of
        true ->
            try Mod:terminate(Reason, State, Data) of
                _ -> ok
            catch
                throw:_ -> ok;
                Class1:Reason1:Stack1 ->
                    report_failure(Class1, Reason1, Stack1, M, Debug, Queue),
                    erlang:raise(Class1, Reason1, Stack1)
            end;
        false ->
            ok
    end,
    case Reason of
        normal -> debug(Debug, Name, {terminate, Reason, State});
        shutdown -> debug(Debug, Name, {terminate, Reason, State});
        {shutdown, _} -> debug(Debug, Name, {terminate, Reason, State});
        _ -> report_failure(Class, Reason, Stack, M, Debug, Queue)
    end,
    erlang:raise(Class, Reason, Stack).

%%% -------------------------------------------------------------- sys callbacks

system_continue(Parent, Debug, M) ->
    loop(M#m{parent = Parent}, Debug).

system_code_change(#m{modules = [Mod | _] = Modules, state = State, data = Data} = M, _, OldVsn, Extra) ->
    Result = try Mod:code_change(OldVsn, State, Data, Extra) catch throw:Thrown -> Thrown end,
    case Result of
        {ok, NewState, NewData} ->
            case with_callback_mode(Modules, M) of
                #m{} = NewM -> {ok, NewM#m{state = NewState, data = NewData}};
                {Class, Reason, Stack} -> erlang:raise(Class, Reason, Stack)
            end;
        {ok, _} ->
            error({case_clause, Result});
        _ ->
            Result
    end.

system_get_state(#m{state = State, data = Data}) ->
    {ok, {State, Data}}.

system_replace_state(Replace, #m{state = State, data = Data} = M) ->
    {NewState, NewData} = Result = Replace({State, Data}),
    {ok, Result, M#m{state = NewState, data = NewData}}.

format_status(Opt, [Dictionary, SysState, Parent, Debug,
                    #m{name = Name, modules = [Mod | _] = Modules, state = State, data = Data,
                       postponed = Postponed, timers = Timers}]) ->
    Original = #{state => State, data => Data, postponed => Postponed,
                 log => sys:get_log(Debug), timeouts => shown_timeouts(Timers)},
    {Status, Shown} =
        case gen:format_status(Mod, Opt, Original, [Dictionary, State, Data]) of
            #{'EXIT' := Text} -> {Original, [{data, [{"State", {State, Text}}]}]};
            #{'$status' := S} = Edited when is_list(S) -> {Edited, S};
            #{'$status' := S} = Edited -> {Edited, [S]};
            #{state := S, data := D} = Edited -> {Edited, [{data, [{"State", {S, D}}]}]}
        end,
    #{timeouts := Timeouts, log := Log, postponed := ShownPostponed} = Status,
    [{header, gen:format_status_header("Status for state machine", Name)},
     {data, [{"Status", SysState},
             {"Parent", Parent},
             {"Modules", Modules},
             {"Time-outs", {map_size(Timers), Timeouts}},
             {"Logged Events", Log},
             {"Postponed", ShownPostponed}]}
     | Shown].

shown_timeouts(Timers) ->
    maps:fold(fun(Type, {_, Content}, Acc) -> [{Type, Content} | Acc] end, [], Timers).

%%% ------------------------------------------------------------------- reports

debug([], _, _) -> [];
debug(Debug, Name, Event) -> sys:handle_debug(Debug, fun print_event/3, Name, Event).

print_event(Device, Event, Name) ->
    {Format, Args} =
        case Event of
            {in, E, State} -> {"receive ~ts in state ~tp", [event_text(E), State]};
            {out, Reply, {To, _}} -> {"send ~tp to ~tw", [Reply, To]};
            {Tag, What, State} -> {"~tw ~tp in state ~tp", [Tag, What, State]};
            {Tag, E, Same, Same} -> {"~tw ~ts in state ~tp", [Tag, event_text(E), Same]};
            {Tag, E, State, Next} -> {"~tw ~ts in state ~tp => ~tp", [Tag, event_text(E), State, Next]}
        end,
    io:format(Device, "*DBG* ~tp " ++ Format ++ "~n", [Name | Args]).

event_text({{call, {Pid, _}}, Request}) -> io_lib:format("call ~tp from ~tw", [Request, Pid]);
event_text({Type, Content}) -> io_lib:format("~tw ~tp", [Type, Content]).

report_failure(Class, Reason, Stack,
               #m{name = Name, modules = [Mod | _] = Modules, mode = Mode, state_enter = StateEnter,
                  postponed = Postponed, timers = Timers, state = State, data = Data}, Debug, Queue) ->
    Status = gen:format_status(Mod, terminate,
                               #{reason => Reason, state => State, data => Data, queue => Queue,
                                 postponed => Postponed, timeouts => shown_timeouts(Timers),
                                 log => sys:get_log(Debug)},
                               [get(), State, Data]),
    #{reason := ShownReason, queue := ShownQueue, postponed := ShownPostponed,
      timeouts := Timeouts, log := Log} = Status,
    ?LOG_ERROR(#{label => {gen_statem, terminate},
                 name => Name,
                 queue => ShownQueue,
                 postponed => ShownPostponed,
                 modules => Modules,
                 callback_mode => Mode,
                 state_enter => StateEnter,
                 state => case Status of
                              #{'$status' := S} -> S;
                              #{state := S, data := D} -> {S, D}
                          end,
                 timeouts => {map_size(Timers), Timeouts},
                 log => Log,
                 reason => {Class, ShownReason, Stack},
                 client_info => case Queue of
                                    [{{call, From}, _} | _] -> erlscope_report:client_info(From);
                                    _ -> undefined
                                end},
               #{domain => [otp],
                 report_cb => fun ?MODULE:format_log/2,
                 error_logger => #{tag => error, report_cb => fun ?MODULE:format_log/1}}).

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

parts(#{label := {gen_statem, terminate}, name := Name, queue := Queue, state := State, log := Log,
        reason := {Class, Reason0, Stack0}, client_info := Client} = Report, Options) ->
    {Reason, Stack} = shown_reason(Class, Reason0, Stack0),
    Last = case Queue of [] -> none; [Event | _] -> {event, Event} end,
    case Options of
        #{single_line := true} ->
            ["State machine ", {t, Name}, " terminating. Reason: ", {t, Reason}]
                ++ [P || Stack =/= [], P <- [". Stack: ", {t, Stack}]]
                ++ [P || {event, E} <- [Last], P <- [". Last event: ", {t, E}]]
                ++ [". State: ", {t, State}]
                ++ [P || Log =/= [], P <- [". Log: ", {l, Log}]]
                ++ ["."];
        _ ->
            #{postponed := Postponed, modules := Modules, callback_mode := Mode,
              state_enter := StateEnter, timeouts := {NTimeouts, _} = Timeouts} = Report,
            ["** State machine ", {t, Name}, " terminating~n"]
                ++ [P || {event, E} <- [Last], P <- ["** Last event = ", {t, E}, "~n"]]
                ++ ["** When server state  = ", {t, State}, "~n",
                    "** Reason for termination = ", {t, Class}, ":", {t, Reason}, "~n",
                    "** Callback modules = ", {t, Modules}, "~n",
                    "** Callback mode = ",
                    {t, case StateEnter of true -> [Mode, state_enter]; false -> Mode end}, "~n"]
                ++ [P || [_ | [_ | _] = Queued] <- [Queue], P <- ["** Queued = ", {t, Queued}, "~n"]]
                ++ [P || Postponed =/= [], P <- ["** Postponed = ", {t, Postponed}, "~n"]]
                ++ [P || Stack =/= [], P <- ["** Stacktrace =~n**  ", {t, Stack}, "~n"]]
                ++ [P || NTimeouts > 0, P <- ["** Time-outs: ", {t, Timeouts}, "~n"]]
                ++ [P || Log =/= [], P <- ["** Log =~n**  ", {l, Log}, "~n"]]
    end
        ++ erlscope_report:client(Client, Options).

%% The frame of the undefined function moves into the reason.
shown_reason(error, undef, [{M, F, A, _} | Rest] = Stack) ->
    Arity = case is_list(A) of true -> length(A); false -> A end,
    case erlang:module_loaded(M) of
        false -> {{'module could not be loaded', M}, Rest};
        true ->
            case erlang:function_exported(M, F, Arity) of
                true -> {undef, Stack};
                false -> {{'function not exported', {M, F, Arity}}, Rest}
            end
    end;
shown_reason(_, Reason, Stack) ->
    {Reason, Stack}.

%%% -------------------------------------------------------------------- frames
%%
%% Names, arities and lines as in OTP 25.2.3: they are seen in stack traces.

-file("gen_statem.erl", 898).
call_dirty(Server, Request, Timeout, Time) ->
    try gen:call(Server, '$gen_call', Request, Time) of
        {ok, Reply} ->
            Reply
    catch
        exit:Reason:Stack ->
            erlang:raise(exit, {Reason, {?MODULE, call, [Server, Request, Timeout]}}, Stack)
    end.

-file("gen_statem.erl", 1011).
init_it(Starter, self, Name, Mod, Args, Options) ->
    init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, FullName, Mod, Args, Options) ->
    Name = gen:name(FullName),
    Debug = gen:debug_options(Name, Options),
    HibernateAfter = gen:hibernate_after(Options),
    try Mod:init(Args) of
        Result ->
            init_result(Starter, Parent, FullName, Mod, Result, Name, Debug, HibernateAfter)
    catch
        throw:Result ->
            init_result(Starter, Parent, FullName, Mod, Result, Name, Debug, HibernateAfter);
        Class:Reason:Stack ->
            gen:unregister_name(FullName),
            proc_lib:init_ack(Starter, {error, Reason}),
            report_failure(Class, Reason, Stack, #m{parent = Parent, name = Name, modules = [Mod]}, Debug, []),
            erlang:raise(Class, Reason, Stack)
    end.

-file("gen_statem.erl", 1042).
init_result(Starter, Parent, FullName, Mod, Result, Name, Debug, HibernateAfter) ->
    M = #m{parent = Parent, name = Name, modules = [Mod], hibernate_after = HibernateAfter},
    case Result of
        {ok, State, Data} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            enter(State, Data, [], M, Debug);
        {ok, State, Data, Actions} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            enter(State, Data, Actions, M, Debug);
        {stop, Reason} ->

            gen:unregister_name(FullName),
            proc_lib:init_ack(Starter, {error, Reason}),


            exit(Reason);
        ignore ->
            gen:unregister_name(FullName),
            proc_lib:init_ack(Starter, ignore),
            exit(normal);
        _ ->
            gen:unregister_name(FullName),
            Error = {bad_return_from_init, Result},

            proc_lib:init_ack(Starter, {error, Error}),
            report_failure(error, Error, ?STACK(), M, Debug, []),


            exit(Error)
    end.

-file("gen_statem.erl", 1084).
system_terminate(Reason, Parent, Debug, M) ->
    terminate(exit, Reason, ?STACK(), M#m{parent = Parent}, Debug, []).

-file("gen_statem.erl", 1421).
loop_state_callback(Type, Content, State, Data, Tr, IsEvent, Queue, M, Debug, Mode, Mod) ->
    try
        case Mode of
            state_functions ->
                Mod:State(Type, Content, Data);
            handle_event_function ->
                Mod:handle_event(Type, Content, State, Data)
        end
    of
        Result ->
            #tr{events = Events, hibernate = Hibernate, timeouts = Timeouts, postpone = Postpone} = Tr,
            loop_state_callback_result(Result, State, Data, Events, Hibernate, Timeouts, Postpone,
                                       IsEvent, Queue, M, Debug)
    catch
        throw:Result ->
            #tr{events = Events, hibernate = Hibernate, timeouts = Timeouts, postpone = Postpone} = Tr,
            loop_state_callback_result(Result, State, Data, Events, Hibernate, Timeouts, Postpone,
                                       IsEvent, Queue, M, Debug);
        Class:Reason:Stack ->
            terminate(Class, Reason, Stack, M, Debug, Queue)
    end.

-file("gen_statem.erl", 1525).
loop_state_callback_result(Result, State, Data, Events, Hibernate, Timeouts, Postpone, IsEvent,
                           Queue, M, Debug) ->
    case result(Result, State, Data) of
        {Next, _, _, _} when Next =/= State, not IsEvent ->
            terminate(error, {bad_state_enter_return_from_state_function, Result}, ?STACK(),
                      M#m{state = State, data = Data, hibernate = Hibernate}, Debug, Queue);
        {Next, NewData, Enter, Actions} ->
            actions(listed(Actions),
                    #tr{state = Next, data = NewData, events = Events, timeouts = Timeouts,
                        hibernate = Hibernate, postpone = Postpone, enter = Enter},
                    IsEvent, Queue, M, Debug);
        bad when Result =:= stop ->



            terminate(exit, normal, ?STACK(),
                      M#m{state = State,
                          data = Data,
                          hibernate = Hibernate},
                      Debug,
                      Queue);
        bad when tuple_size(Result) =:= 2, element(1, Result) =:= stop ->
            terminate(exit, element(2, Result), ?STACK(),
                      M#m{state = State,
                          data = Data,
                          hibernate = Hibernate},
                      Debug,
                      Queue);
        bad when tuple_size(Result) =:= 3, element(1, Result) =:= stop ->
            terminate(exit, element(2, Result), ?STACK(),
                      M#m{state = State,
                          data = element(3, Result),
                          hibernate = Hibernate},
                      Debug,
                      Queue);

        bad when tuple_size(Result) =:= 3, element(1, Result) =:= stop_and_reply ->
            reply_then_terminate(element(3, Result), element(2, Result), ?STACK(),
                                 M#m{state = State,
                                     data = Data,
                                     hibernate = Hibernate},
                                 Debug,
                                 Queue);
        bad when tuple_size(Result) =:= 4, element(1, Result) =:= stop_and_reply ->
            reply_then_terminate(element(3, Result), element(2, Result), ?STACK(),
                                 M#m{state = State,
                                     data = element(4, Result),
                                     hibernate = Hibernate},
                                 Debug,
                                 Queue);
        bad ->



            terminate(error, {bad_return_from_state_function, Result}, ?STACK(),
                      M#m{state = State, data = Data, hibernate = Hibernate}, Debug, Queue)
    end.
