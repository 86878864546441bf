%% Event manager behaviour: one process with a list of handlers, the newest
%% first, each with a callback module, an optional id, a state, and possibly a
%% supervising process.
%%
%% A request other than notify is a gen call whose label is the caller's pid.
%% Nothing a handler does harms the manager: a handler that fails is terminated,
%% reported and removed.
-module(gen_event).

-export([start/0, start/1, start/2, start_link/0, start_link/1, start_link/2,
         start_monitor/0, start_monitor/1, start_monitor/2, stop/1, stop/3,
         notify/2, sync_notify/2, call/3, call/4,
         add_handler/3, add_sup_handler/3, delete_handler/3, swap_handler/3, swap_sup_handler/3,
         which_handlers/1,
         send_request/3, send_request/5, wait_response/2, wait_response/3,
         receive_response/2, receive_response/3, check_response/2, check_response/3,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1]).

%% For gen, sys, proc_lib and logger.
-export([init_it/6, wake_hib/5, system_continue/3, system_terminate/4, system_code_change/4,
         system_get_state/1, system_replace_state/2, format_status/2,
         format_log/1, format_log/2]).

-export_type([handler/0, handler_args/0, add_handler_ret/0, del_handler_ret/0, request_id/0,
              request_id_collection/0, format_status/0]).

-include_lib("kernel/include/logger.hrl").

-type handler() :: atom() | {atom(), term()}.
-type handler_args() :: term().
-type add_handler_ret() :: term().
-type del_handler_ret() :: term().
-type request_id() :: gen:request_id().
-type request_id_collection() :: gen:request_id_collection().
-type format_status() :: #{state => term(), message => term(), reason => term(),
                           log => [sys:system_event()]}.

-callback init(InitArgs :: term()) ->
    {ok, State :: term()} | {ok, State :: term(), hibernate} | {error, Reason :: term()}.
-callback handle_event(Event :: term(), State :: term()) ->
    {ok, NewState :: term()} | {ok, NewState :: term(), hibernate} |
    {swap_handler, Args1 :: term(), NewState :: term(), Handler2 :: handler(), Args2 :: term()} |
    remove_handler.
-callback handle_call(Request :: term(), State :: term()) ->
    {ok, Reply :: term(), NewState :: term()} |
    {ok, Reply :: term(), NewState :: term(), hibernate} |
    {swap_handler, Reply :: term(), Args1 :: term(), NewState :: term(), Handler2 :: handler(),
     Args2 :: term()} |
    {remove_handler, Reply :: term()}.
-callback handle_info(Info :: term(), State :: term()) ->
    {ok, NewState :: term()} | {ok, NewState :: term(), hibernate} |
    {swap_handler, Args1 :: term(), NewState :: term(), Handler2 :: handler(), Args2 :: term()} |
    remove_handler.
-callback terminate(Args :: term(), State :: term()) -> term().
-callback code_change(OldVsn :: term() | {down, term()}, State :: term(), Extra :: term()) ->
    {ok, NewState :: term()}.
-callback format_status(Opt :: normal | terminate, StatusData :: [term()]) -> term().
-callback format_status(Status :: format_status()) -> format_status().
-optional_callbacks([handle_info/2, terminate/2, code_change/3,
                     format_status/1, format_status/2]).

-record(handler, {module, id = false, state, supervised = false}).

%% A handler that was removed, or stays with whether the manager shall hibernate.
-define(KEEP(Handler, Hibernate), {keep, Handler, Hibernate}).

%%% ------------------------------------------------------------ start and stop

-type manager_ref() :: pid() | atom() | {atom(), node()} | {global, term()}
                     | {via, module(), term()}.

-spec notify(manager_ref(), Event :: term()) -> ok.
-spec sync_notify(manager_ref(), Event :: term()) -> ok.
-spec call(manager_ref(), handler(), Request :: term()) -> term().
-spec call(manager_ref(), handler(), Request :: term(), timeout()) -> term().
-spec add_handler(manager_ref(), handler(), Args :: term()) -> term().
-spec add_sup_handler(manager_ref(), handler(), Args :: term()) -> term().
-spec delete_handler(manager_ref(), handler(), Args :: term()) -> term().
-spec which_handlers(manager_ref()) -> [handler()].
-spec stop(manager_ref()) -> ok.
-spec stop(manager_ref(), Reason :: term(), timeout()) -> ok.

start() -> start_it(nolink, []).
start(NameOrOptions) -> start_it(nolink, NameOrOptions).
start(Name, Options) -> start_it(nolink, Name, Options).

start_link() -> start_it(link, []).
start_link(NameOrOptions) -> start_it(link, NameOrOptions).
start_link(Name, Options) -> start_it(link, Name, Options).

start_monitor() -> start_it(monitor, []).
start_monitor(NameOrOptions) -> start_it(monitor, NameOrOptions).
start_monitor(Name, Options) -> start_it(monitor, Name, Options).

start_it(Linkage, Name) when is_tuple(Name) ->
    start_it(Linkage, Name, []);
start_it(Linkage, Options) when is_list(Options) ->
    gen:start(?MODULE, Linkage, 'no callback module', [], Options).

start_it(Linkage, Name, Options) ->
    gen:start(?MODULE, Linkage, Name, 'no callback module', [], Options).

init_it(Starter, self, Name, Mod, Args, Options) ->
    init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, FullName, _, _, Options) ->
    process_flag(trap_exit, true),
    Name = gen:name(FullName),
    Debug = gen:debug_options(Name, Options),
    proc_lib:init_ack(Starter, {ok, self()}),
    loop([], false, Debug, Name, Parent, gen:hibernate_after(Options)).

stop(Manager) -> gen:stop(Manager).
stop(Manager, Reason, Timeout) -> gen:stop(Manager, Reason, Timeout).

%%% ------------------------------------------------------------------- clients

notify(Manager, Event) -> send(Manager, {notify, Event}).

sync_notify(Manager, Event) -> request(Manager, {sync_notify, Event}).

add_handler(Manager, Handler, Args) -> request(Manager, {add_handler, Handler, Args}).
add_sup_handler(Manager, Handler, Args) ->
    request(Manager, {add_sup_handler, Handler, Args, self()}).

delete_handler(Manager, Handler, Args) -> request(Manager, {delete_handler, Handler, Args}).

swap_handler(Manager, {Old, OldArgs}, {New, NewArgs}) ->
    request(Manager, {swap_handler, Old, OldArgs, New, NewArgs}).
swap_sup_handler(Manager, {Old, OldArgs}, {New, NewArgs}) ->
    request(Manager, {swap_sup_handler, Old, OldArgs, New, NewArgs, self()}).

which_handlers(Manager) -> request(Manager, which_handlers).

request(Manager, Request) ->
    {ok, Reply} = gen:call(Manager, self(), Request, infinity),
    Reply.

-define(CHECKED(Call, Args), try answer(Call) catch error:badarg -> error(badarg, Args) end).

%% An error reply of a handler counts as an error response.
answer({reply, {error, _} = Error}) -> Error;
answer({{reply, {error, _} = Error}, Label, Ids}) -> {Error, Label, Ids};
answer(Response) -> Response.

send_request(Manager, Handler, Request) ->
    ?CHECKED(gen:send_request(Manager, self(), {call, Handler, Request}),
             [Manager, Handler, Request]).
send_request(Manager, Handler, Request, Label, Ids) ->
    ?CHECKED(gen:send_request(Manager, self(), {call, Handler, Request}, Label, Ids),
             [Manager, Handler, Request, Label, Ids]).

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

%%% ---------------------------------------------------------------------- loop

loop(Handlers, true, Debug, Name, Parent, HibernateAfter) ->
    proc_lib:hibernate(?MODULE, wake_hib, [Handlers, Debug, Name, Parent, HibernateAfter]);
loop(Handlers, false, Debug, Name, Parent, HibernateAfter) ->
    fetch(Handlers, false, Debug, Name, Parent, HibernateAfter).

wake_hib(Handlers, Debug, Name, Parent, HibernateAfter) ->
    fetch(Handlers, true, Debug, Name, Parent, HibernateAfter).

fetch(Handlers, Hibernated, Debug, Name, Parent, HibernateAfter) ->
    receive
        {system, From, Request} ->
            sys:handle_system_msg(Request, From, Parent, ?MODULE, Debug,
                                  [Name, Handlers, HibernateAfter, Hibernated], Hibernated);
        {'EXIT', Parent, Reason} ->
            terminate_server(Reason, Parent, Handlers, Name);
        Message ->
            handle_msg(Message, Handlers, debug(Debug, Name, Message), Name, Parent, HibernateAfter)
    after HibernateAfter ->
        loop(Handlers, true, Debug, Name, Parent, HibernateAfter)
    end.

debug([], _, _) -> [];
debug(Debug, Name, Message) -> sys:handle_debug(Debug, fun print_event/3, Name, {in, Message}).

%% The handlers that depend on a process which has exited go first.
exited(Pid, Reason, Handlers, Name) ->
    lists:filter(fun(#handler{supervised = Supervisor} = Handler) when Supervisor =:= Pid ->
                         finish(Handler, {stop, Reason}, {parent_terminated, {Pid, Reason}}, shutdown, Name),
                         false;
                    (_) ->
                         true
                 end, Handlers).

%% {Reply, Handlers, Hibernate}
serve({delete_handler, Handler, Args}, Handlers, Name) ->
    case take(Handler, Handlers) of
        {Old, Rest} -> {finish(Old, Args, delete, normal, Name), Rest, false};
        false -> {{error, module_not_found}, Handlers, false}
    end;
serve({swap_handler, Old, OldArgs, New, NewArgs}, Handlers, Name) ->
    swap(Old, OldArgs, New, NewArgs, false, Handlers, Name);
serve({swap_sup_handler, Old, OldArgs, New, NewArgs, Supervisor}, Handlers, Name) ->
    swap(Old, OldArgs, New, NewArgs, Supervisor, Handlers, Name);
serve(which_handlers, Handlers, _) ->
    {[shown_id(Handler) || Handler <- Handlers], Handlers, false};
serve(get_modules, Handlers, _) ->
    {lists:usort([Mod || #handler{module = Mod} <- Handlers]), Handlers, false};
serve(_, _, _) ->
    unknown.

%%% ------------------------------------------------------------------ handlers

new_handler({Mod, Id}, Supervisor) -> #handler{module = Mod, id = Id, supervised = Supervisor};
new_handler(Mod, Supervisor) -> #handler{module = Mod, supervised = Supervisor}.

shown_id(#handler{module = Mod, id = false}) -> Mod;
shown_id(#handler{module = Mod, id = Id}) -> {Mod, Id}.

is_handler({Mod, Id}, #handler{module = Mod, id = Id}) -> true;
is_handler(Mod, #handler{module = Mod, id = false}) -> true;
is_handler(_, _) -> false.

take(Id, Handlers) ->
    case lists:splitwith(fun(Handler) -> not is_handler(Id, Handler) end, Handlers) of
        {Before, [Handler | After]} -> {Handler, Before ++ After};
        {_, []} -> false
    end.

install(Id, Args, false, Handlers) ->
    server_add_handler(Id, Args, Handlers);
install(Id, Args, Supervisor, Handlers) ->
    server_add_sup_handler(Id, Args, Handlers, Supervisor).

%% The new handler inherits the supervisor of the old one unless it gets its own.
swap(OldId, OldArgs, NewId, NewArgs, Supervisor0, Handlers, Name) ->
    {Result, Supervisor, Rest} =
        case take(OldId, Handlers) of
            {#handler{supervised = OldSupervisor} = Old, Others} ->
                S = case Supervisor0 of false -> OldSupervisor; _ -> Supervisor0 end,
                {finish(Old, OldArgs, swapped, {swapped, NewId, S}, Name), S, Others};
            false ->
                {error, Supervisor0, Handlers}
        end,
    case install(NewId, {NewArgs, Result}, Supervisor, Rest) of
        {ok, _, _} = Installed -> Installed;
        {Failure, NewHandlers, Hibernate} -> {{error, Failure}, NewHandlers, Hibernate}
    end.

after_event({ok, State}, Handler, _, _) ->
    ?KEEP(Handler#handler{state = State}, false);
after_event({ok, State, hibernate}, Handler, _, _) ->
    ?KEEP(Handler#handler{state = State}, true);
after_event({swap_handler, Args, State, New, NewArgs}, Handler, _, Name) ->
    do_swap(Handler#handler.module, Handler, Args, State, New, NewArgs, Name);
after_event(remove_handler, Handler, _, Name) ->
    finish(Handler, remove_handler, remove, normal, Name),
    removed;
after_event({'EXIT', {undef, [{Mod, handle_info, [_, _], _} | _]}},
            #handler{module = Mod} = Handler, Event, _) ->
    ?LOG_WARNING(#{label => {gen_event, no_handle_info}, module => Mod, message => Event},
                 #{domain => [otp],
                   report_cb => fun ?MODULE:format_log/2,
                   error_logger => #{tag => warning_msg, report_cb => fun ?MODULE:format_log/1}}),
    ?KEEP(Handler, false);
after_event(Other, Handler, Event, Name) ->
    finish(Handler, {error, Other}, Event, {crash, Other}, Name),
    removed.

after_call({ok, Reply, State}, Handler, _, _) ->
    {Reply, ?KEEP(Handler#handler{state = State}, false)};
after_call({ok, Reply, State, hibernate}, Handler, _, _) ->
    {Reply, ?KEEP(Handler#handler{state = State}, true)};
after_call({swap_handler, Reply, Args, State, New, NewArgs}, Handler, _, Name) ->
    {Reply, do_swap(Handler#handler.module, Handler, Args, State, New, NewArgs, Name)};
after_call({remove_handler, Reply}, Handler, _, Name) ->
    finish(Handler, remove_handler, remove, normal, Name),
    {Reply, removed};
after_call(Other, Handler, Query, Name) ->
    finish(Handler, {error, Other}, Query, {crash, Other}, Name),
    {{error, Other}, removed}.

%% Ends a handler: its terminate function, then the report. How is normal,
%% shutdown, {swapped, NewHandler, Supervisor} or {crash, WhatTheCallbackReturned}.
finish(#handler{module = Mod, state = State} = Handler, Args, LastMessage, How, Name) ->
    Result = case erlang:function_exported(Mod, terminate, 2) of
                 true -> catch Mod:terminate(Args, State);
                 false -> ok
             end,
    Reason = case How of {crash, Why} -> Why; _ -> How end,
    announce(Handler, Reason, State, LastMessage, Name),
    Result.

announce(#handler{supervised = Supervisor} = Handler, Reason, State, LastMessage, Name) ->
    report(Handler, Reason, State, LastMessage, Name),
    is_pid(Supervisor) andalso (Supervisor ! {gen_event_EXIT, shown_id(Handler), Reason}),
    ok.

%%% -------------------------------------------------------------- sys callbacks

system_continue(Parent, Debug, [Name, Handlers, HibernateAfter, Hibernate]) ->
    loop(Handlers, Hibernate, Debug, Name, Parent, HibernateAfter).

system_terminate(Reason, Parent, _Debug, [Name, Handlers | _]) ->
    terminate_server(Reason, Parent, Handlers, Name).

system_code_change([Name, Handlers | Rest], Mod, OldVsn, Extra) ->
    Change = fun(#handler{module = M, state = State} = Handler) when M =:= Mod ->
                     {ok, NewState} = Mod:code_change(OldVsn, State, Extra),
                     Handler#handler{state = NewState};
                (Handler) ->
                     Handler
             end,
    {ok, [Name, [Change(Handler) || Handler <- Handlers] | Rest]}.

system_get_state([_, Handlers | _]) ->
    {ok, [state_entry(Handler) || Handler <- Handlers]}.

system_replace_state(Replace, [Name, Handlers | Rest]) ->
    NewHandlers = [try
                       {Mod, Id, NewState} = Replace(state_entry(Handler)),
                       Handler#handler{state = NewState}
                   catch
                       _:_ -> Handler
                   end || #handler{module = Mod, id = Id} = Handler <- Handlers],
    {ok, [state_entry(Handler) || Handler <- NewHandlers], [Name, NewHandlers | Rest]}.

state_entry(#handler{module = Mod, id = Id, state = State}) -> {Mod, Id, State}.

format_status(Opt, [Dictionary, SysState, Parent, Debug, [Name, Handlers | _]]) ->
    Show = fun(#handler{module = Mod, state = State} = Handler, Log) ->
                   Status = gen:format_status(Mod, Opt, #{log => Log, state => State},
                                              [Dictionary, State]),
                   {Handler#handler{state = shown_state(Status)}, maps:get(log, Status)}
           end,
    {Shown, Log} = lists:mapfoldl(Show, sys:get_log(Debug), Handlers),
    [{header, gen:format_status_header("Status for event handler", Name)},
     {data, [{"Status", SysState}, {"Logged Events", Log}, {"Parent", Parent}]},
     {items, {"Installed handlers", Shown}}].

shown_state(#{'$status' := Shown}) -> Shown;
shown_state(#{state := State}) -> State.

%%% ------------------------------------------------------------------- reports

print_event(Device, {in, {notify, Event}}, Name) ->
    io:format(Device, "*DBG* ~tp got event ~tp~n", [Name, Event]);
print_event(Device, {in, {_, _, {call, Handler, Query}}}, Name) ->
    io:format(Device, "*DBG* ~tp(~tp) got call ~tp~n", [Name, Handler, Query]);
print_event(Device, {in, Message}, Name) ->
    io:format(Device, "*DBG* ~tp got ~tp~n", [Name, Message]);
print_event(Device, Event, Name) ->
    io:format(Device, "*DBG* ~tp : ~tp~n", [Name, Event]).

report(_, normal, _, _, _) -> ok;
report(_, shutdown, _, _, _) -> ok;
report(_, {swapped, _, _}, _, _, _) -> ok;
report(#handler{module = Mod} = Handler, Exit, State, LastMessage, Name) ->
    %% format_status sees the bare reason, without 'EXIT' and stack.
    {Bare, Wrap} = case Exit of
                       {'EXIT', {R, Stack}} -> {R, fun(S) -> {'EXIT', {S, Stack}} end};
                       {'EXIT', R} -> {R, fun(S) -> {'EXIT', S} end};
                       R -> {R, fun(S) -> S end}
                   end,
    #{message := ShownMessage, reason := ShownReason} = Status =
        gen:format_status(Mod, terminate,
                          #{state => State, message => LastMessage, reason => Bare},
                          [get(), State]),
    ?LOG_ERROR(#{label => {gen_event, terminate},
                 handler => shown_id(Handler),
                 name => Name,
                 last_message => ShownMessage,
                 state => shown_state(Status),
                 reason => Wrap(ShownReason)},
               #{domain => [otp],
                 report_cb => fun ?MODULE:format_log/2,
                 error_logger => #{tag => error, report_cb => fun ?MODULE:format_log/1}}).

format_log(Report) ->
    erlscope_report:legacy(fun(Options) -> parts(Report, Options) end).

format_log(Report, Options0) ->
    Options = erlscope_report:options(Options0),
    erlscope_report:text(parts(Report, Options), Options).

parts(#{label := {gen_event, no_handle_info}, module := Mod, message := Message},
      #{single_line := true}) ->
    ["Undefined handle_info in ", {t, Mod}, ". Unhandled message: ", {t, Message}, "."];
parts(#{label := {gen_event, no_handle_info}, module := Mod, message := Message}, _) ->
    ["** Undefined handle_info in ", {p, Mod}, "\n** Unhandled message: ", {t, Message}, "\n"];
parts(#{label := {gen_event, terminate}, handler := Handler, name := Name,
        last_message := Message, state := State, reason := Reason0}, Options) ->
    Reason = case Reason0 of
                 {'EXIT', R} -> erlscope_report:reason(R);
                 R -> R
             end,
    case Options of
        #{single_line := true} ->
            ["Generic event handler ", {t, Handler}, " crashed. Installed: ", {t, Name},
             ". Last event: ", {t, Message}, ". State: ", {t, State},
             ". Reason: ", {t, Reason}, "."];
        _ ->
            ["** gen_event handler ", {t, Handler}, " crashed.\n",
             "** Was installed in ", {t, Name}, "\n",
             "** Last event was: ", {t, Message}, "\n",
             "** When handler state == ", {t, State}, "\n",
             "** Reason == ", {t, Reason}, "\n"]
    end.

%%% -------------------------------------------------------------------- frames
%%
%% Names, arities and lines as in OTP 25.2.3: they are seen in stack traces.

-file("gen_event.erl", 455).
call(Manager, Handler, Query) -> call1(Manager, Handler, Query).
call(Manager, Handler, Query, Timeout) -> call1(Manager, Handler, Query, Timeout).

-file("gen_event.erl", 462).
call1(Manager, Handler, Query) ->
    try gen:call(Manager, self(), {call, Handler, Query}) of
        {ok, Reply} ->
            Reply
    catch
        exit:Reason ->
            exit({Reason, {?MODULE, call, [Manager, Handler, Query]}})
    end.

-file("gen_event.erl", 472).
call1(Manager, Handler, Query, Timeout) ->
    try gen:call(Manager, self(), {call, Handler, Query}, Timeout) of
        {ok, Reply} ->
            Reply
    catch
        exit:Reason ->
            exit({Reason, {?MODULE, call, [Manager, Handler, Query, Timeout]}})
    end.

-file("gen_event.erl", 481).
send({global, Name}, Message) ->
    catch global:send(Name, Message),
    ok;
send({via, Registry, Name}, Message) ->
    catch Registry:send(Name, Message),
    ok;
send(Manager, Message) ->
    Manager ! Message,
    ok.

-file("gen_event.erl", 522).
handle_msg(Message, Handlers, Debug, Name, Parent, HibernateAfter) ->
    case Message of
        {notify, Event} ->
            {New, Hibernate} = server_notify(Event, handle_event, Handlers, Name),
            loop(New, Hibernate, Debug, Name, Parent, HibernateAfter);
        {_, From, {sync_notify, Event}} ->
            {New, Hibernate} = server_notify(Event, handle_event, Handlers, Name),
            gen:reply(From, ok),
            loop(New, Hibernate, Debug, Name, Parent, HibernateAfter);
        {'EXIT', Pid, Reason} ->
            {New, _} = server_notify(Message, handle_info, exited(Pid, Reason, Handlers, Name), Name),
            loop(New, false, Debug, Name, Parent, HibernateAfter);
        {_, From, {call, Id, Query}} ->
            {Reply, New, Hibernate} = server_call(Id, Query, Handlers, Name),
            gen:reply(From, Reply),
            loop(New, Hibernate, Debug, Name, Parent, HibernateAfter);
        {_, From, {add_handler, Id, Args}} ->
            {Reply, New, Hibernate} = server_add_handler(Id, Args, Handlers),
            gen:reply(From, Reply),
            loop(New, Hibernate, Debug, Name, Parent, HibernateAfter);
        {_, From, {add_sup_handler, Id, Args, Supervisor}} ->
            {Reply, New, Hibernate} = server_add_sup_handler(Id, Args, Handlers, Supervisor),
            gen:reply(From, Reply),
            loop(New, Hibernate, Debug, Name, Parent, HibernateAfter);
        {_, From, stop} ->
            catch terminate_server(normal, Parent, Handlers, Name),
            gen:reply(From, ok);
        _ ->
            Served = case Message of
                         {_, Caller, Request} -> {Caller, serve(Request, Handlers, Name)};
                         _ -> unknown
                     end,
            case Served of
                {From, {Reply, New, Hibernate}} ->
                    gen:reply(From, Reply),
                    loop(New, Hibernate, Debug, Name, Parent, HibernateAfter);
                _ -> handle_other(Message, Handlers, Debug, Name, Parent, HibernateAfter)
            end
    end.

handle_other(Message, Handlers, Debug, Name, Parent, HibernateAfter) ->
    {New, Hibernate} = server_notify(Message, handle_info, Handlers, Name),
    loop(New, Hibernate, Debug, Name, Parent, HibernateAfter).

-file("gen_event.erl", 576).
terminate_server(Reason, Parent, Handlers, Name) ->
    [finish(Handler, stop, stop, shutdown, Name) || Handler <- Handlers],
    [unlink(Pid) || #handler{supervised = Pid} <- Handlers, is_pid(Pid), Pid =/= Parent],
    exit(Reason).

%% {Reply, Handlers, Hibernate}
server_add_handler(Id, Args, Handlers) ->
    #handler{module = Mod} = Handler = new_handler(Id, false),
    server_add_handler(Mod, Handler, Args, Handlers).

server_add_sup_handler(Id, Args, Handlers, Supervisor) ->
    link(Supervisor),
    #handler{module = Mod} = Handler = new_handler(Id, Supervisor),
    server_add_handler(Mod, Handler, Args, Handlers).

-file("gen_event.erl", 696).
server_add_handler(Mod, Handler, Args, Handlers) ->
    case catch Mod:init(Args) of
        {ok, State} -> {ok, [Handler#handler{state = State} | Handlers], false};
        {ok, State, hibernate} -> {ok, [Handler#handler{state = State} | Handlers], true};
        Other -> {Other, Handlers, false}
    end.

-file("gen_event.erl", 782).
server_notify(Event, Callback, [Handler | Handlers], Name) ->
    case after_event(server_update(Handler, Callback, Event, Name), Handler, Event, Name) of
        ?KEEP(NewHandler, Hibernate) ->
            {Others, HibernateToo} = server_notify(Event, Callback, Handlers, Name),
            {[NewHandler | Others], Hibernate orelse HibernateToo};
        removed ->
            server_notify(Event, Callback, Handlers, Name)
    end;
server_notify(_, _, [], _) ->
    {[], false}.

-file("gen_event.erl", 798).
server_update(#handler{module = Mod, state = State}, Callback, Event, _Name) ->


    Result = catch Mod:Callback(Event, State), Result.

%% A swap that the handler itself asks for keeps its place in the list.
-file("gen_event.erl", 828).
do_swap(_Mod, #handler{supervised = Supervisor} = Old, Args, State, NewId, NewArgs, Name) ->
    Result = finish(Old#handler{state = State}, Args, swapped, {swapped, NewId, Supervisor}, Name),
    #handler{module = Mod} = New = new_handler(NewId, Supervisor),



    case catch Mod:init({NewArgs, Result}) of
        {ok, NewState} ->
            ?KEEP(New#handler{state = NewState}, false);
        Other ->
            announce(New, crash, {error, Other}, Name, false),
            removed
    end.

-file("gen_event.erl", 870).
server_call(Id, Query, Handlers, Name) ->
    {Before, At} = lists:splitwith(fun(Handler) -> not is_handler(Id, Handler) end, Handlers),
    Outcome = At =/= [] andalso
        server_call_update(hd(At), Query, Name),
    case Outcome of
        false -> {{error, bad_module}, Handlers, false};
        {Reply, ?KEEP(New, Hibernate)} -> {Reply, Before ++ [New | tl(At)], Hibernate};
        {Reply, removed} -> {Reply, Before ++ tl(At), false}
    end.

-file("gen_event.erl", 921).
server_call_update(#handler{module = Mod, state = State} = Handler, Query, Name) ->


    after_call(catch Mod:handle_call(Query, State), Handler, Query, Name).
