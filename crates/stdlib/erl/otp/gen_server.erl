%% Client-server behaviour.
%%
%% The loop carries only what it needs: what to wait for (Next), the callback
%% state, the debug list, and four constants. Next is a time limit, hibernate
%% or {continue, _}. A message costs its receive and what the callback does;
%% the reply is one send.
-module(gen_server).

-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4,
         stop/1, stop/3, call/2, call/3, cast/2, reply/2, abcast/2, abcast/3,
         multi_call/2, multi_call/3, multi_call/4,
         send_request/2, send_request/4, wait_response/2, wait_response/3,
         receive_response/2, receive_response/3, check_response/2, check_response/3,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1,
         enter_loop/3, enter_loop/4, enter_loop/5]).

%% For gen, sys, proc_lib and logger.
-export([init_it/6, wake_hib/6, system_continue/3, system_terminate/4, system_code_change/4,
         system_get_state/1, system_replace_state/2, format_status/2,
         format_log/1, format_log/2]).

-export_type([from/0, reply_tag/0, request_id/0, request_id_collection/0, format_status/0,
              server_name/0, server_ref/0, start_opt/0, enter_loop_opt/0,
              start_ret/0, start_mon_ret/0]).

-include_lib("kernel/include/logger.hrl").

-type from() :: {Client :: pid(), Tag :: reply_tag()}.
-type reply_tag() :: gen:reply_tag().
-type request_id() :: gen:request_id().
-type request_id_collection() :: gen:request_id_collection().
-type format_status() :: #{state => term(), message => term(), reason => term(),
                           log => [sys:system_event()]}.
-type server_name() :: {local, atom()} | {global, term()} | {via, module(), term()}.
-type server_ref() :: pid() | atom() | {atom(), node()} | {global, term()}
                    | {via, module(), term()}.
-type start_opt() :: {timeout, timeout()} | {spawn_opt, [proc_lib:spawn_option()]}
                   | enter_loop_opt().
-type enter_loop_opt() :: {hibernate_after, timeout()} | {debug, [sys:debug_option()]}.
-type start_ret() :: {ok, pid()} | ignore | {error, term()}.
-type start_mon_ret() :: {ok, {pid(), reference()}} | ignore | {error, term()}.

-callback init(Args :: term()) ->
    {ok, State :: term()} | {ok, State :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term()} | ignore.
-callback handle_call(Request :: term(), From :: from(), State :: term()) ->
    {reply, Reply :: term(), NewState :: term()} |
    {reply, Reply :: term(), NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), Reply :: term(), NewState :: term()} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_cast(Request :: term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_info(Info :: timeout | term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback handle_continue(Info :: term(), State :: term()) ->
    {noreply, NewState :: term()} |
    {noreply, NewState :: term(), timeout() | hibernate | {continue, term()}} |
    {stop, Reason :: term(), NewState :: term()}.
-callback terminate(Reason :: normal | shutdown | {shutdown, term()} | term(), State :: term()) ->
    term().
-callback code_change(OldVsn :: term() | {down, term()}, State :: term(), Extra :: term()) ->
    {ok, NewState :: term()} | {error, Reason :: term()}.
-callback format_status(Opt :: normal | terminate, StatusData :: [term()]) -> term().
-callback format_status(Status :: format_status()) -> format_status().
-optional_callbacks([handle_info/2, handle_continue/2, terminate/2, code_change/3,
                     format_status/1, format_status/2]).

-define(IS_TIMEOUT(T), (T =:= infinity orelse (is_integer(T) andalso T >= 0))).
%% What a callback may ask for after its state.
-define(IS_NEXT(N), (?IS_TIMEOUT(N) orelse N =:= hibernate orelse
                     (tuple_size(N) =:= 2 andalso element(1, N) =:= continue))).
%% The current stack without asking the process table.
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
-spec call(server_ref(), Request :: term()) -> term().
-spec call(server_ref(), Request :: term(), timeout()) -> term().
-spec cast(server_ref(), Request :: term()) -> ok.
-spec reply(from(), Reply :: term()) -> ok.
-spec abcast(Name :: atom(), Request :: term()) -> abcast.
-spec abcast([node()], Name :: atom(), Request :: term()) -> abcast.

start(Mod, Args, Options) -> gen:start(?MODULE, nolink, Mod, Args, Options).
start(Name, Mod, Args, Options) -> gen:start(?MODULE, nolink, Name, Mod, Args, Options).

start_link(Mod, Args, Options) -> gen:start(?MODULE, link, Mod, Args, Options).
start_link(Name, Mod, Args, Options) -> gen:start(?MODULE, link, Name, Mod, Args, Options).

start_monitor(Mod, Args, Options) -> gen:start(?MODULE, monitor, Mod, Args, Options).
start_monitor(Name, Mod, Args, Options) -> gen:start(?MODULE, monitor, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

%%% ------------------------------------------------------------------- clients

cast({global, Name}, Request) ->
    catch global:send(Name, {'$gen_cast', Request}),
    ok;
cast({via, Registry, Name}, Request) ->
    catch Registry:send(Name, {'$gen_cast', Request}),
    ok;
cast({Name, Node} = Server, Request) when is_atom(Name), is_atom(Node) ->
    send_cast(Server, Request);
cast(Server, Request) when is_atom(Server); is_pid(Server) ->
    send_cast(Server, Request).

send_cast(Server, Request) ->
    try erlang:send(Server, {'$gen_cast', Request}) catch error:_ -> ok end,
    ok.

reply(From, Reply) -> gen:reply(From, Reply).

abcast(Name, Request) when is_atom(Name) ->
    abcast([node() | nodes()], Name, Request).

abcast(Nodes, Name, Request) when is_list(Nodes), is_atom(Name) ->
    lists:foreach(fun(Node) when is_atom(Node) -> send_cast({Name, Node}, Request) end, Nodes),
    abcast.

%% Errors of gen are raised anew with the arguments of the function called here.
-define(CHECKED(Call, Args), try Call catch error:badarg -> error(badarg, Args) end).

send_request(Server, Request) ->
    ?CHECKED(gen:send_request(Server, '$gen_call', Request), [Server, Request]).
send_request(Server, Request, Label, Ids) ->
    ?CHECKED(gen:send_request(Server, '$gen_call', Request, Label, Ids),
             [Server, Request, Label, Ids]).

wait_response(Id, Timeout) -> ?CHECKED(gen:wait_response(Id, Timeout), [Id, Timeout]).
wait_response(Ids, Timeout, Delete) ->
    ?CHECKED(gen:wait_response(Ids, Timeout, Delete), [Ids, Timeout, Delete]).

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

%%% ---------------------------------------------------------------- multi_call

multi_call(Name, Request) when is_atom(Name) ->
    multi_call([node() | nodes()], Name, Request).

multi_call(Nodes, Name, Request) when is_list(Nodes), is_atom(Name) ->
    multi_call(Nodes, Name, Request, infinity).

multi_call([Node], Name, Request, infinity) when Node =:= node(), is_atom(Name) ->
    try gen:call(Name, '$gen_call', Request, infinity) of
        {ok, Reply} -> {[{Node, Reply}], []}
    catch
        exit:_ -> {[], [Node]}
    end;
multi_call(Nodes, Name, Request, Timeout) when is_list(Nodes), is_atom(Name), ?IS_TIMEOUT(Timeout) ->
    Requests = [multi_request(Node, Name, Request) || Node <- Nodes, is_atom(Node)],
    Deadline = case Timeout of
                   infinity -> infinity;
                   _ -> {abs, erlang:monotonic_time(millisecond) + Timeout}
               end,
    %% Collected from the last node to the first, so that the result is in order.
    lists:foldr(fun({Node, Ref}, {Replies, Bad}) ->
                        case multi_reply(Node, Ref, Deadline) of
                            {reply, Reply} -> {[{Node, Reply} | Replies], Bad};
                            none -> {Replies, [Node | Bad]}
                        end
                end, {[], []}, Requests).

multi_request(Node, Name, _) when Node =/= node(), node() =:= nonode@nohost ->
    Ref = make_ref(),
    self() ! {'DOWN', Ref, process, {Name, Node}, noconnection},
    {Node, Ref};
multi_request(Node, Name, Request) ->
    Ref = erlang:monitor(process, {Name, Node}, [{alias, demonitor}]),
    catch erlang:send({Name, Node}, {'$gen_call', {self(), [[alias | Ref] | Node]}, Request}, [noconnect]),
    {Node, Ref}.

multi_reply(Node, Ref, Deadline) ->
    Time = case Deadline of
               infinity -> infinity;
               {abs, At} -> max(0, At - erlang:monotonic_time(millisecond))
           end,
    receive
        {[[alias | Ref] | Node], Reply} ->
            erlang:demonitor(Ref, [flush]),
            {reply, Reply};
        {'DOWN', Ref, _, _, _} ->
            none
    after Time ->
        erlang:demonitor(Ref, [flush]),
        receive {[[alias | Ref] | Node], Reply} -> {reply, Reply} after 0 -> none end
    end.

%%% ---------------------------------------------------------------- enter_loop

enter_loop(Mod, Options, State) when is_atom(Mod), is_list(Options) ->
    enter_loop(Mod, Options, State, self(), infinity).

enter_loop(Mod, Options, State, {Scope, _} = Name)
  when is_atom(Mod), is_list(Options), (Scope =:= local orelse Scope =:= global) ->
    enter_loop(Mod, Options, State, Name, infinity);
enter_loop(Mod, Options, State, {via, _, _} = Name) when is_atom(Mod), is_list(Options) ->
    enter_loop(Mod, Options, State, Name, infinity);
enter_loop(Mod, Options, State, Next) when is_atom(Mod), is_list(Options), ?IS_NEXT(Next) ->
    enter_loop(Mod, Options, State, self(), Next).

%%% ---------------------------------------------------------------- sys callbacks

system_continue(Parent, Debug, [Name, State, Mod, Next, HibernateAfter]) ->
    loop(Next, State, Debug, Mod, Name, Parent, HibernateAfter).

system_code_change([Name, State, Mod, Next, HibernateAfter], _, OldVsn, Extra) ->
    case catch Mod:code_change(OldVsn, State, Extra) of
        {ok, NewState} -> {ok, [Name, NewState, Mod, Next, HibernateAfter]};
        Other -> Other
    end.

system_get_state([_, State | _]) ->
    {ok, State}.

system_replace_state(Replace, [Name, State | Rest]) ->
    NewState = Replace(State),
    {ok, NewState, [Name, NewState | Rest]}.

format_status(Opt, [Dictionary, SysState, Parent, Debug, [Name, State, Mod | _]]) ->
    Status = gen:format_status(Mod, Opt, #{state => State, log => sys:get_log(Debug)},
                               [Dictionary, State]),
    Shown = case Status of
                #{'EXIT' := Text} -> [{data, [{"State", Text}]}];
                #{'$status' := Data} when is_list(Data) -> Data;
                #{'$status' := Data} -> [Data];
                #{state := S} -> [{data, [{"State", S}]}]
            end,
    [{header, gen:format_status_header("Status for generic server", Name)},
     {data, [{"Status", SysState},
             {"Parent", Parent},
             {"Logged events", shown_log(Mod, maps:get(log, Status))}]}
     | Shown].

%% States inside logged events pass through the callback module too, unless its
%% format_status/1 has seen the log already.
shown_log(Mod, Log) ->
    case erlang:function_exported(Mod, format_status, 1) of
        true -> Log;
        false -> [shown_event(Mod, Event) || Event <- Log]
    end.

shown_event(Mod, {out, Reply, To, State}) -> {out, Reply, To, shown_state(Mod, State)};
shown_event(Mod, {noreply, State}) -> {noreply, shown_state(Mod, State)};
shown_event(_, Event) -> Event.

shown_state(Mod, State) ->
    maps:get(state, gen:format_status(Mod, terminate, #{state => State}, [get(), State])).

%%% ------------------------------------------------------------------- reports

print_event(Device, {in, {'$gen_call', {From, _}, Request}}, Name) ->
    io:format(Device, "*DBG* ~tp got call ~tp from ~tw~n", [Name, Request, From]);
print_event(Device, {in, {'$gen_cast', Request}}, Name) ->
    io:format(Device, "*DBG* ~tp got cast ~tp~n", [Name, Request]);
print_event(Device, {in, Message}, Name) ->
    io:format(Device, "*DBG* ~tp got ~tp~n", [Name, Message]);
print_event(Device, {out, Reply, {To, _}, State}, Name) ->
    io:format(Device, "*DBG* ~tp sent ~tp to ~tw, new state ~tp~n", [Name, Reply, To, State]);
print_event(Device, {noreply, State}, Name) ->
    io:format(Device, "*DBG* ~tp new state ~tp~n", [Name, State]);
print_event(Device, Event, Name) ->
    io:format(Device, "*DBG* ~tp dbg  ~tp~n", [Name, Event]).

report_failure(_, _, application_controller, _, _, _, _, _) ->
    %% The whole node goes down; init says so.
    ok;
report_failure(Reason, Stack, Name, From, Message, Mod, State, Debug) ->
    Status = gen:format_status(Mod, terminate,
                               #{reason => Reason, state => State, message => Message,
                                 log => sys:get_log(Debug)},
                               [get(), State]),
    #{reason := ShownReason, message := ShownMessage, log := Log} = Status,
    ShownState = case Status of
                     #{'EXIT' := Text} -> Text;
                     #{'$status' := S} -> S;
                     #{state := S} -> S
                 end,
    ?LOG_ERROR(#{label => {gen_server, terminate},
                 name => Name,
                 last_message => ShownMessage,
                 state => ShownState,
                 log => shown_log(Mod, Log),
                 reason => case Stack of
                               undefined -> ShownReason;
                               _ -> {ShownReason, Stack}
                           end,
                 client_info => erlscope_report:client_info(From)},
               #{domain => [otp],
                 report_cb => fun ?MODULE:format_log/2,
                 error_logger => #{tag => error, report_cb => fun ?MODULE:format_log/1}}).

report_no_handle_info(Mod, Message) ->
    ?LOG_WARNING(#{label => {gen_server, no_handle_info}, module => Mod, message => Message},
                 #{domain => [otp],
                   report_cb => fun ?MODULE:format_log/2,
                   error_logger => #{tag => warning_msg, report_cb => fun ?MODULE:format_log/1}}).

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

parts(#{label := {gen_server, no_handle_info}, module := Mod, message := Message}, Options) ->
    case Options of
        #{single_line := true} ->
            ["Undefined handle_info in ", {t, Mod}, ". Unhandled message: ", {t, Message}, "."];
        _ ->
            ["** Undefined handle_info in ", {p, Mod}, "~n** Unhandled message: ", {t, Message}, "~n"]
    end;
parts(#{label := {gen_server, terminate}, name := Name, last_message := Message, state := State,
        log := Log, reason := Reason0, client_info := Client}, Options) ->
    Reason = erlscope_report:reason(Reason0),
    case Options of
        #{single_line := true} ->
            ["Generic server ", {t, Name}, " terminating. Reason: ", {t, Reason},
             ". Last message: ", {t, Message}, ". State: ", {t, State}, "."];
        _ ->
            ["** Generic server ", {t, Name}, " terminating \n",
             "** Last message in was ", {t, Message}, "~n",
             "** When Server state == ", {t, State}, "~n",
             "** Reason for termination ==~n** ", {t, Reason}, "~n"]
    end
        ++ erlscope_report:log(Log, Options)
        ++ erlscope_report:client(Client, Options).

failure(error, Reason, Stack) -> {Reason, Stack};
failure(_, Reason, _) -> Reason.

%%% -------------------------------------------------------------------- frames
%%
%% From here on are the functions whose frames appear in stack traces; their
%% names, arities and lines are those of OTP 25.2.3.

-file("gen_server.erl", 364).
call(Server, Request) ->
    try gen:call(Server, '$gen_call', Request) of
        {ok, Reply} -> Reply
    catch
        Class:Reason:Stack ->
            exit({failure(Class, Reason, Stack), {?MODULE, call, [Server, Request]}})
    end.

-file("gen_server.erl", 379).
call(Server, Request, Timeout) ->
    try gen:call(Server, '$gen_call', Request, Timeout) of
        {ok, Reply} -> Reply
    catch
        Class:Reason:Stack ->
            exit({failure(Class, Reason, Stack), {?MODULE, call, [Server, Request, Timeout]}})
    end.

-file("gen_server.erl", 780).
enter_loop(Mod, Options, State, ServerName, Next) when is_atom(Mod), is_list(Options), ?IS_NEXT(Next) ->
    Name = gen:get_proc_name(ServerName),
    Parent = gen:get_parent(),
    loop(Next, State, gen:debug_options(Name, Options), Mod, Name, Parent,
         gen:hibernate_after(Options)).

-file("gen_server.erl", 806).
init_it(Starter, self, Name, Mod, Args, Options) ->
    init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, FullName, Mod, Args, Options) ->
    Name = gen:name(FullName),
    Debug = gen:debug_options(Name, Options),
    HibernateAfter = gen:hibernate_after(Options),

    case init_it(Mod, Args) of
        {ok, {ok, State}} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(infinity, State, Debug, Mod, Name, Parent, HibernateAfter);
        {ok, {ok, State, Next}} when ?IS_NEXT(Next) ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Next, State, Debug, Mod, Name, Parent, HibernateAfter);
        {'EXIT', Class, Reason, Stack} ->
            gen:unregister_name(FullName),
            proc_lib:init_ack(Starter, {error, failure(Class, Reason, Stack)}),
            erlang:raise(Class, Reason, Stack);
        %%
        %% The name must be free before the starter hears of the failure: it
        %% may try again at once.
        %%

        {ok, {stop, Reason}} ->


            gen:unregister_name(FullName),
            proc_lib:init_ack(Starter, {error, Reason}),
            exit(Reason);
        {ok, ignore} ->
            gen:unregister_name(FullName),
            proc_lib:init_ack(Starter, ignore),
            exit(normal);
        {ok, Other} ->

            proc_lib:init_ack(Starter, {error, {bad_return_value, Other}}),
            exit({bad_return_value, Other})
    end.

-file("gen_server.erl", 848).
init_it(Mod, Args) ->
    try
        {ok, Mod:init(Args)}
    catch
        throw:Result -> {ok, Result};
        Class:Reason:Stack -> {'EXIT', Class, Reason, Stack}
    end.

-file("gen_server.erl", 863).
loop({continue, Continue} = Event, State, Debug, Mod, Name, Parent, HibernateAfter) ->
    Result = try_dispatch(Mod, handle_continue, Continue, State),
    Debug1 = debug(Debug, Name, Event),
    handle_common_reply(Result, undefined, Event, State, Debug1, Mod, Name, {Parent, HibernateAfter});
loop(hibernate, State, Debug, Mod, Name, Parent, HibernateAfter) ->
    proc_lib:hibernate(?MODULE, wake_hib, [State, Debug, Mod, Name, Parent, HibernateAfter]);
loop(infinity, State, Debug, Mod, Name, Parent, HibernateAfter) ->
    receive
        Message ->
            decode_msg(Message, infinity, State, Debug, Mod, Name, Parent, HibernateAfter, false)
    after HibernateAfter ->
        loop(hibernate, State, Debug, Mod, Name, Parent, HibernateAfter)
    end;
loop(Time, State, Debug, Mod, Name, Parent, HibernateAfter) ->
    Message = receive Input -> Input after Time -> timeout end,
    decode_msg(Message, Time, State, Debug, Mod, Name, Parent, HibernateAfter, false).

wake_hib(State, Debug, Mod, Name, Parent, HibernateAfter) ->
    receive
        Message ->
            decode_msg(Message, hibernate, State, Debug, Mod, Name, Parent, HibernateAfter, true)
    end.

-file("gen_server.erl", 901).
decode_msg({system, From, Request}, Next, State, Debug, Mod, Name, Parent, HibernateAfter, Woken) ->
    sys:handle_system_msg(Request, From, Parent, ?MODULE, Debug,
                          [Name, State, Mod, Next, HibernateAfter], Woken);
decode_msg(Message, _Next, State, Debug, Mod, Name, Parent, HibernateAfter, _Woken) ->
    case Message of
        {'EXIT', Parent, Reason} ->

            terminate(Reason, ?STACK(), Name, undefined, Message, Mod, State, Debug);
        _ ->
            handle_msg(Message, State, debug(Debug, Name, {in, Message}), Mod, Name,
                       {Parent, HibernateAfter})
    end.

debug([], _, _) -> [];
debug(Debug, Name, Event) -> sys:handle_debug(Debug, fun print_event/3, Name, Event).

try_dispatch({'$gen_cast', Message}, Mod, State) -> try_dispatch(Mod, handle_cast, Message, State);
try_dispatch(Message, Mod, State) -> try_dispatch(Mod, handle_info, Message, State).

-file("gen_server.erl", 1120).
try_dispatch(Mod, Callback, Message, State) ->
    try
        {ok, Mod:Callback(Message, State)}
    catch
        throw:Result ->
            {ok, Result};
        error:undef:Stack when Callback =:= handle_info ->
            case erlang:function_exported(Mod, handle_info, 2) of
                true ->
                    {'EXIT', error, undef, Stack};
                false ->
                    report_no_handle_info(Mod, Message),
                    {ok, {noreply, State}}
            end;
        Class:Reason:Stack ->
            {'EXIT', Class, Reason, Stack}
    end.

-file("gen_server.erl", 1146).
try_handle_call(Mod, Request, From, State) ->
    try
        {ok, Mod:handle_call(Request, From, State)}
    catch
        throw:Result -> {ok, Result};
        Class:Reason:Stack -> {'EXIT', Class, Reason, Stack}
    end.

-file("gen_server.erl", 1156).
try_terminate(Mod, Reason, State) ->
    case erlang:function_exported(Mod, terminate, 2) of
        true ->
            try
                {ok, Mod:terminate(Reason, State)}
            catch
                throw:Result -> {ok, Result};
                Class:Why:Stack -> {'EXIT', Class, Why, Stack}
            end;
        false ->
            {ok, ok}
    end.

-file("gen_server.erl", 1176).
handle_msg({'$gen_call', From, Request}, State, Debug, Mod, Name, {Parent, HibernateAfter} = Env) ->
    Result = try_handle_call(Mod, Request, From, State),
    case Result of
        {ok, {reply, Reply, NewState}} ->
            gen:reply(From, Reply),
            loop(infinity, NewState, debug(Debug, Name, {out, Reply, From, NewState}),
                 Mod, Name, Parent, HibernateAfter);
        {ok, {reply, Reply, NewState, Next}} when ?IS_NEXT(Next) ->
            gen:reply(From, Reply),
            loop(Next, NewState, debug(Debug, Name, {out, Reply, From, NewState}),
                 Mod, Name, Parent, HibernateAfter);

        {ok, {stop, Reason, Reply, NewState}} ->
            %% The answer is the last that the server does.
            try

                terminate(Reason, ?STACK(), Name, From, Request, Mod, NewState, Debug)
            after
                gen:reply(From, Reply), _ = debug(Debug, Name, {out, Reply, From, NewState})
            end;
        _ -> handle_common_reply(Result, From, Request, State, Debug, Mod, Name, Env)
    end;
handle_msg(Message, State, Debug, Mod, Name, Env) ->
    Result = try_dispatch(Message, Mod, State),
    handle_common_reply(Result, undefined, Message, State, Debug, Mod, Name, Env).

-file("gen_server.erl", 1229).
handle_common_reply(Result, From, Message, State, Debug, Mod, Name, Env) ->
    case Result of
        {ok, {noreply, NewState}} ->
            {Parent, HibernateAfter} = Env,
            loop(infinity, NewState, debug(Debug, Name, {noreply, NewState}),
                 Mod, Name, Parent, HibernateAfter);
        {ok, {noreply, NewState, Next}} when ?IS_NEXT(Next) ->
            {Parent, HibernateAfter} = Env,
            loop(Next, NewState, debug(Debug, Name, {noreply, NewState}),
                 Mod, Name, Parent, HibernateAfter);
        {ok, {stop, Reason, NewState}} ->
            terminate(Reason, ?STACK(), Name, From, Message, Mod, NewState, Debug);
        {'EXIT', Class, Reason, Stack} ->
            terminate(Class, Reason, Stack, true, Name, From, Message, Mod, State, Debug);
        {ok, Bad} ->
            terminate({bad_return_value, Bad}, ?STACK(), Name, From, Message, Mod, State, Debug)
    end.

-file("gen_server.erl", 1283).
system_terminate(Reason, _Parent, Debug, [Name, State, Mod | _]) ->
    terminate(Reason, ?STACK(), Name, undefined, [], Mod, State, Debug).

%% A stop that the callback asked for: where it happened is not worth a report.
terminate(Reason, Stack, Name, From, Message, Mod, State, Debug) ->
    terminate(exit, Reason, Stack, false, Name, From, Message, Mod, State, Debug).

-file("gen_server.erl", 1349).
terminate(Class, Reason, Stack, ReportStack, Name, From, Message, Mod, State, Debug) ->
    case try_terminate(Mod, failure(Class, Reason, Stack), State) of
        {'EXIT', Class1, Reason1, Stack1} ->
            report_failure(Reason1, Stack1, Name, From, Message, Mod, State, Debug),
            erlang:raise(Class1, Reason1, Stack1);
        {ok, _} ->
            case {Class, Reason} of
                {exit, normal} -> ok;
                {exit, shutdown} -> ok;
                {exit, {shutdown, _}} -> ok;
                _ when ReportStack ->
                    report_failure(Reason, Stack, Name, From, Message, Mod, State, Debug);
                _ ->
                    report_failure(Reason, undefined, Name, From, Message, Mod, State, Debug)
            end,
            erlang:raise(Class, Reason, Stack)
    end.
