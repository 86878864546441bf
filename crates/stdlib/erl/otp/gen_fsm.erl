%% The old state machine behaviour, kept for the programs that still use it.
-module(gen_fsm).

-export([start/3, start/4, start_link/3, start_link/4, stop/1, stop/3,
         send_event/2, sync_send_event/2, sync_send_event/3,
         send_all_state_event/2, sync_send_all_state_event/2, sync_send_all_state_event/3,
         reply/2, start_timer/2, send_event_after/2, cancel_timer/1,
         enter_loop/4, enter_loop/5, enter_loop/6]).

%% For gen, sys, proc_lib and logger.
-export([init_it/6, wake_hib/7, system_continue/3, system_terminate/4, system_code_change/4,
         system_get_state/1, system_replace_state/2, format_status/2,
         format_log/1, format_log/2]).

-include_lib("kernel/include/logger.hrl").

-callback init(Args :: term()) ->
    {ok, StateName :: atom(), StateData :: term()} |
    {ok, StateName :: atom(), StateData :: term(), timeout() | hibernate} |
    {stop, Reason :: term()} | ignore.
-callback handle_event(Event :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback handle_sync_event(Event :: term(), From :: {pid(), Tag :: term()}, StateName :: atom(),
                            StateData :: term()) -> term().
-callback handle_info(Info :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback terminate(Reason :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback code_change(OldVsn :: term() | {down, term()}, StateName :: atom(), StateData :: term(),
                      Extra :: term()) -> {ok, NextStateName :: atom(), NewStateData :: term()}.
-callback format_status(Opt :: normal | terminate, StatusData :: [term()]) -> term().
-optional_callbacks([handle_info/3, terminate/3, code_change/4, format_status/2]).

%%% ----------------------------------------------------------------------- API

start(Mod, Args, Options) -> gen:start(?MODULE, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(?MODULE, nolink, Name, Mod, Args, Options).

start_link(Mod, Args, Options) -> gen:start(?MODULE, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(?MODULE, link, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

send_event(Server, Event) -> send(Server, {'$gen_event', Event}).
send_all_state_event(Server, Event) -> send(Server, {'$gen_all_state_event', Event}).

send({global, Name}, Message) -> catch global:send(Name, Message), ok;
send({via, Registry, Name}, Message) -> catch Registry:send(Name, Message), ok;
send(Server, Message) -> Server ! Message, ok.

sync_send_event(Server, Event) ->
    try_call('$gen_sync_event', sync_send_event, [Server, Event]).
sync_send_event(Server, Event, Timeout) ->
    try_call('$gen_sync_event', sync_send_event, [Server, Event, Timeout]).

sync_send_all_state_event(Server, Event) ->
    try_call('$gen_sync_all_state_event', sync_send_all_state_event, [Server, Event]).
sync_send_all_state_event(Server, Event, Timeout) ->
    try_call('$gen_sync_all_state_event', sync_send_all_state_event, [Server, Event, Timeout]).

try_call(Label, Function, [Server, Event | Timeout] = Args) ->
    try apply(gen, call, [Server, Label, Event | Timeout]) of
        {ok, Reply} -> Reply
    catch
        error:Reason:Stack -> exit({{Reason, Stack}, {?MODULE, Function, Args}});
        exit:Reason -> exit({Reason, {?MODULE, Function, Args}})
    end.

reply(From, Reply) -> gen:reply(From, Reply).

start_timer(Time, Message) -> erlang:start_timer(Time, self(), {'$gen_timer', Message}).

send_event_after(Time, Event) -> erlang:start_timer(Time, self(), {'$gen_event', Event}).

cancel_timer(Ref) ->
    case erlang:cancel_timer(Ref) of
        false -> receive {timeout, Ref, _} -> 0 after 0 -> false end;
        Left -> Left
    end.

enter_loop(Mod, Options, StateName, StateData) ->
    enter_loop(Mod, Options, StateName, StateData, self(), infinity).

enter_loop(Mod, Options, StateName, StateData, {Scope, _} = Name) when Scope =:= local; Scope =:= global ->
    enter_loop(Mod, Options, StateName, StateData, Name, infinity);
enter_loop(Mod, Options, StateName, StateData, {via, _, _} = Name) ->
    enter_loop(Mod, Options, StateName, StateData, Name, infinity);
enter_loop(Mod, Options, StateName, StateData, Timeout) ->
    enter_loop(Mod, Options, StateName, StateData, self(), Timeout).

enter_loop(Mod, Options, StateName, StateData, ServerName, Timeout) ->
    Name = gen:get_proc_name(ServerName),
    Parent = gen:get_parent(),
    loop(Timeout, StateName, StateData, gen:debug_options(Name, Options), Mod, Name,
         {Parent, gen:hibernate_after(Options)}).

%%% ---------------------------------------------------------------------- loop

init_it(Starter, self, Name, Mod, Args, Options) ->
    init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, FullName, Mod, Args, Options) ->
    Name = gen:name(FullName),
    Debug = gen:debug_options(Name, Options),
    Env = {Parent, gen:hibernate_after(Options)},
    case catch Mod:init(Args) of
        {ok, StateName, StateData} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(infinity, StateName, StateData, Debug, Mod, Name, Env);
        {ok, StateName, StateData, Next} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Next, StateName, StateData, Debug, Mod, Name, Env);
        {stop, Reason} ->
            not_started(Starter, FullName, {error, Reason}, Reason);
        ignore ->
            not_started(Starter, FullName, ignore, normal);
        {'EXIT', Reason} ->
            not_started(Starter, FullName, {error, Reason}, Reason);
        Other ->
            Error = {bad_return_value, Other},
            proc_lib:init_ack(Starter, {error, Error}),
            exit(Error)
    end.

not_started(Starter, FullName, Answer, Reason) ->
    gen:unregister_name(FullName),
    proc_lib:init_ack(Starter, Answer),
    exit(Reason).

loop(hibernate, StateName, StateData, Debug, Mod, Name, Env) ->
    proc_lib:hibernate(?MODULE, wake_hib, [hibernate, StateName, StateData, Debug, Mod, Name, Env]);
loop(infinity, StateName, StateData, Debug, Mod, Name, {_, HibernateAfter} = Env) ->
    receive
        Message -> decode(Message, infinity, StateName, StateData, Debug, Mod, Name, Env)
    after HibernateAfter ->
        loop(hibernate, StateName, StateData, Debug, Mod, Name, Env)
    end;
loop(Time, StateName, StateData, Debug, Mod, Name, Env) ->
    Message = receive Input -> Input after Time -> {'$gen_event', timeout} end,
    decode(Message, Time, StateName, StateData, Debug, Mod, Name, Env).

wake_hib(Next, StateName, StateData, Debug, Mod, Name, Env) ->
    receive
        Message -> decode(Message, Next, StateName, StateData, Debug, Mod, Name, Env)
    end.

decode({system, From, Request}, Next, StateName, StateData, Debug, Mod, Name, {Parent, HibernateAfter}) ->
    sys:handle_system_msg(Request, From, Parent, ?MODULE, Debug,
                          [Name, StateName, StateData, Mod, Next, HibernateAfter],
                          Next =:= hibernate);
decode({'EXIT', Parent, Reason} = Message, _, StateName, StateData, Debug, Mod, Name, {Parent, _}) ->
    terminate(Reason, Name, undefined, Message, Mod, StateName, StateData, Debug);
decode(Message, _, StateName, StateData, Debug0, Mod, Name, Env) ->
    Debug = debug(Debug0, Name, {in, Message, StateName}),
    From = case Message of
               {'$gen_sync_event', F, _} -> F;
               {'$gen_sync_all_state_event', F, _} -> F;
               _ -> undefined
           end,
    case catch dispatch(Message, Mod, StateName, StateData) of
        {next_state, Next, NewData} ->
            loop(infinity, Next, NewData, debug(Debug, Name, {noreply, Next}), Mod, Name, Env);
        {next_state, Next, NewData, Time} ->
            loop(Time, Next, NewData, debug(Debug, Name, {noreply, Next}), Mod, Name, Env);
        {reply, Reply, Next, NewData} when From =/= undefined ->
            gen:reply(From, Reply),
            loop(infinity, Next, NewData, debug(Debug, Name, {out, Reply, From, Next}), Mod, Name, Env);
        {reply, Reply, Next, NewData, Time} when From =/= undefined ->
            gen:reply(From, Reply),
            loop(Time, Next, NewData, debug(Debug, Name, {out, Reply, From, Next}), Mod, Name, Env);
        {stop, Reason, NewData} ->
            terminate(Reason, Name, From, Message, Mod, StateName, NewData, Debug);
        {stop, Reason, Reply, NewData} when From =/= undefined ->
            try
                terminate(Reason, Name, From, Message, Mod, StateName, NewData, Debug)
            after
                gen:reply(From, Reply),
                debug(Debug, Name, {out, Reply, From, StateName})
            end;
        {'EXIT', {undef, [{Mod, handle_info, [_, _, _], _} | _]}} ->
            report_no_handle_info(Mod, Message),
            loop(infinity, StateName, StateData, Debug, Mod, Name, Env);
        {'EXIT', Reason} ->
            terminate(Reason, Name, From, Message, Mod, StateName, StateData, Debug);
        Other ->
            terminate({bad_return_value, Other}, Name, From, Message, Mod, StateName, StateData, Debug)
    end.

dispatch({'$gen_event', Event}, Mod, StateName, Data) -> Mod:StateName(Event, Data);
dispatch({'$gen_all_state_event', Event}, Mod, StateName, Data) -> Mod:handle_event(Event, StateName, Data);
dispatch({'$gen_sync_event', From, Event}, Mod, StateName, Data) -> Mod:StateName(Event, From, Data);
dispatch({'$gen_sync_all_state_event', From, Event}, Mod, StateName, Data) ->
    Mod:handle_sync_event(Event, From, StateName, Data);
dispatch({timeout, Ref, {'$gen_timer', Message}}, Mod, StateName, Data) ->
    Mod:StateName({timeout, Ref, Message}, Data);
dispatch({timeout, _, {'$gen_event', Event}}, Mod, StateName, Data) -> Mod:StateName(Event, Data);
dispatch(Info, Mod, StateName, Data) -> Mod:handle_info(Info, StateName, Data).

terminate(Reason, Name, From, Message, Mod, StateName, StateData, Debug) ->
    Result = case erlang:function_exported(Mod, terminate, 3) of
                 true -> catch Mod:terminate(Reason, StateName, StateData);
                 false -> ok
             end,
    ExitReason = case Result of {'EXIT', R} -> R; _ -> Reason end,
    case {Result, Reason} of
        {{'EXIT', _}, _} -> report(ExitReason, Name, From, Message, Mod, StateName, StateData, Debug);
        {_, normal} -> ok;
        {_, shutdown} -> ok;
        {_, {shutdown, _}} -> ok;
        _ -> report(ExitReason, Name, From, Message, Mod, StateName, StateData, Debug)
    end,
    exit(ExitReason).

%%% -------------------------------------------------------------- sys callbacks

system_continue(Parent, Debug, [Name, StateName, StateData, Mod, Next, HibernateAfter]) ->
    loop(Next, StateName, StateData, Debug, Mod, Name, {Parent, HibernateAfter}).

system_terminate(Reason, _, Debug, [Name, StateName, StateData, Mod | _]) ->
    terminate(Reason, Name, undefined, [], Mod, StateName, StateData, Debug).

system_code_change([Name, StateName, StateData, Mod | Rest], _, OldVsn, Extra) ->
    case catch Mod:code_change(OldVsn, StateName, StateData, Extra) of
        {ok, NewName, NewData} -> {ok, [Name, NewName, NewData, Mod | Rest]};
        Other -> Other
    end.

system_get_state([_, StateName, StateData | _]) ->
    {ok, {StateName, StateData}}.

system_replace_state(Replace, [Name, StateName, StateData | Rest]) ->
    {NewName, NewData} = Result = Replace({StateName, StateData}),
    {ok, Result, [Name, NewName, NewData | Rest]}.

format_status(Opt, [Dictionary, SysState, Parent, Debug, [Name, StateName, StateData, Mod | _]]) ->
    Shown = case shown_data(Opt, Mod, Dictionary, StateData) of
                S when is_list(S) -> S;
                S -> [S]
            end,
    [{header, gen:format_status_header("Status for state machine", Name)},
     {data, [{"Status", SysState}, {"Parent", Parent}, {"Logged events", sys:get_log(Debug)},
             {"StateName", StateName}]}
     | Shown].

shown_data(Opt, Mod, Dictionary, StateData) ->
    Default = case Opt of
                  terminate -> StateData;
                  _ -> [{data, [{"StateData", StateData}]}]
              end,
    case erlang:function_exported(Mod, format_status, 2) of
        true ->
            case catch Mod:format_status(Opt, [Dictionary, StateData]) of
                {'EXIT', _} -> Default;
                Shown -> Shown
            end;
        false ->
            Default
    end.

%%% ------------------------------------------------------------------- reports

debug([], _, _) -> [];
debug(Debug, Name, Event) -> sys:handle_debug(Debug, fun print_event/3, Name, Event).

print_event(Device, {in, Message, StateName}, Name) ->
    {Format, Args} =
        case Message of
            {'$gen_event', Event} -> {"event ~tp", [Event]};
            {'$gen_all_state_event', Event} -> {"all_state_event ~tp", [Event]};
            {'$gen_sync_event', {From, _}, Event} -> {"sync_event ~tp from ~tw", [Event, From]};
            {'$gen_sync_all_state_event', {From, _}, Event} ->
                {"sync_all_state_event ~tp from ~tw", [Event, From]};
            {timeout, Ref, {'$gen_timer', M}} -> {"timer ~tp", [{timeout, Ref, M}]};
            {timeout, _, {'$gen_event', Event}} -> {"timer ~tp", [Event]};
            _ -> {"~tp", [Message]}
        end,
    io:format(Device, "*DBG* ~tp got " ++ Format ++ " in state ~tw~n", [Name | Args] ++ [StateName]);
print_event(Device, {out, Reply, {To, _}, StateName}, Name) ->
    io:format(Device, "*DBG* ~tp sent ~tp to ~tw~n      and switched to state ~tw~n",
              [Name, Reply, To, StateName]);
print_event(Device, {noreply, StateName}, Name) ->
    io:format(Device, "*DBG* ~tp switched to state ~tw~n", [Name, StateName]).

report(Reason, Name, From, Message, Mod, StateName, StateData, Debug) ->
    ?LOG_ERROR(#{label => {gen_fsm, terminate},
                 name => Name,
                 last_message => Message,
                 state_name => StateName,
                 state_data => shown_data(terminate, Mod, get(), StateData),
                 log => sys:get_log(Debug),
                 reason => Reason,
                 client_info => erlscope_report:client_info(From)},
               #{domain => [otp],
                 report_cb => fun ?MODULE:format_log/2,
                 error_logger => #{tag => error, report_cb => fun ?MODULE:format_log/1}}).

report_no_handle_info(Mod, Message) ->
    ?LOG_WARNING(#{label => {gen_fsm, no_handle_info}, module => Mod, message => Message},
                 #{domain => [otp],
                   report_cb => fun ?MODULE:format_log/2,
                   error_logger => #{tag => warning_msg, report_cb => fun ?MODULE:format_log/1}}).

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

parts(#{label := {gen_fsm, no_handle_info}, module := Mod, message := Message}, #{single_line := true}) ->
    ["Undefined handle_info in ", {t, Mod}, ". Unhandled message: ", {t, Message}, "."];
parts(#{label := {gen_fsm, no_handle_info}, module := Mod, message := Message}, _) ->
    ["** Undefined handle_info in ", {p, Mod}, "~n** Unhandled message: ", {t, Message}, "~n"];
parts(#{label := {gen_fsm, terminate}, name := Name, last_message := Message,
        state_name := StateName, state_data := StateData, log := Log, reason := Reason0,
        client_info := Client}, Options) ->
    Reason = erlscope_report:reason(Reason0),
    case Options of
        #{single_line := true} ->
            ["State machine ", {t, Name}, " terminating. Reason: ", {t, Reason},
             ". Last event: ", {t, [Term || {_, Term} <- last_message(Message)]},
             ". State: ", {t, StateName}, ". Data: ", {t, StateData}]
                ++ [P || Log =/= [], P <- [". Log: ", {l, Log}]]
                ++ ["."];
        _ ->
            ["** State machine ", {t, Name}, " terminating \n"]
                ++ last_message(Message)
                ++ ["** When State == ", {t, StateName}, "~n",
                    "**      Data  == ", {t, StateData}, "~n",
                    "** Reason for termination ==~n** ", {t, Reason}, "~n"]
                ++ [P || Log =/= [], P <- ["** Log ==~n**", {l, Log}, "~n"]]
    end
        ++ erlscope_report:client(Client, Options).

last_message({'$gen_event', Event}) ->
    ["** Last event in was ", {t, Event}, "~n"];
last_message({'$gen_sync_event', {From, _}, Event}) ->
    ["** Last sync event in was ", {t, Event}, " from ", {w, From}, "~n"];
last_message({'$gen_all_state_event', Event}) ->
    ["** Last event in was ", {t, Event}, " (for all states)~n"];
last_message({'$gen_sync_all_state_event', {From, _}, Event}) ->
    ["** Last sync event in was ", {t, Event}, " (for all states) from ", {t, From}, "~n"];
last_message({timeout, Ref, {'$gen_timer', Message}}) ->
    ["** Last timer event in was ", {t, {timeout, Ref, Message}}, "~n"];
last_message({timeout, _, {'$gen_event', Event}}) ->
    ["** Last timer event in was ", {t, Event}, "~n"];
last_message(Message) ->
    ["** Last message in was ", {t, Message}, "~n"].
