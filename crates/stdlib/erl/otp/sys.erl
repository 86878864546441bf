%% System messages: suspending, inspecting, debugging and code change of
%% processes that follow the OTP conventions.
%%
%% A debug list has entries {trace, true}, {log, Log}, {log_to_file, Device},
%% {statistics, Data}, {Fun, FunState} and {Id, {Fun, FunState}}. A log is
%% {Left, Size, Newest, Oldest}: a queue of at most Size events, of which Left
%% places are free; adding to a full log drops the oldest.
-module(sys).

-export([suspend/1, suspend/2, resume/1, resume/2,
         get_status/1, get_status/2, get_state/1, get_state/2,
         replace_state/2, replace_state/3,
         change_code/4, change_code/5, terminate/2, terminate/3,
         log/2, log/3, trace/2, trace/3, log_to_file/2, log_to_file/3,
         statistics/2, statistics/3, no_debug/1, no_debug/2,
         install/2, install/3, remove/2, remove/3]).

-export([handle_system_msg/6, handle_system_msg/7, handle_debug/4,
         print_log/1, get_log/1, get_debug/3, debug_options/1]).

-export([suspended/5]).

-export_type([dbg_opt/0, dbg_fun/0, debug_option/0, system_event/0]).

-type name() :: pid() | atom() | {atom(), node()} | {global, term()} | {via, module(), term()}.
-type system_event() :: term().
-type dbg_opt() :: term().
-type dbg_fun() :: fun((FuncState :: term(), Event :: system_event(), ProcState :: term()) ->
                           done | (NewFuncState :: term())).
-type debug_option() :: trace | log | {log, pos_integer()} | statistics
                      | {log_to_file, file:name()}
                      | {install, {dbg_fun(), term()} | {term(), dbg_fun(), term()}}.

-define(LOG_SIZE, 10).

-callback system_continue(Parent :: pid(), Debug :: [dbg_opt()], Misc :: term()) -> no_return().
-callback system_terminate(Reason :: term(), Parent :: pid(), Debug :: [dbg_opt()],
                           Misc :: term()) -> no_return().
-callback system_code_change(Misc :: term(), Module :: module(), OldVsn :: term(),
                             Extra :: term()) -> {ok, NewMisc :: term()}.
-callback system_get_state(Misc :: term()) -> {ok, State :: term()}.
-callback system_replace_state(StateFun :: fun((term()) -> term()), Misc :: term()) ->
    {ok, NewState :: term(), NewMisc :: term()}.
-optional_callbacks([system_get_state/1, system_replace_state/2, system_code_change/4]).

%%% ------------------------------------------------------------- the user side

-spec suspend(name()) -> ok.
suspend(Name) -> send_system_msg(Name, suspend).
suspend(Name, Timeout) -> send_system_msg(Name, suspend, Timeout).

resume(Name) -> send_system_msg(Name, resume).
resume(Name, Timeout) -> send_system_msg(Name, resume, Timeout).

get_status(Name) -> send_system_msg(Name, get_status).
get_status(Name, Timeout) -> send_system_msg(Name, get_status, Timeout).



change_code(Name, Mod, Vsn, Extra) ->
    send_system_msg(Name, {change_code, Mod, Vsn, Extra}).
change_code(Name, Mod, Vsn, Extra, Timeout) ->
    send_system_msg(Name, {change_code, Mod, Vsn, Extra}, Timeout).

terminate(Name, Reason) -> send_system_msg(Name, {terminate, Reason}).
terminate(Name, Reason, Timeout) -> send_system_msg(Name, {terminate, Reason}, Timeout).

log(Name, Flag) -> send_system_msg(Name, {debug, {log, Flag}}).
log(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {log, Flag}}, Timeout).

trace(Name, Flag) -> send_system_msg(Name, {debug, {trace, Flag}}).
trace(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {trace, Flag}}, Timeout).

log_to_file(Name, File) -> send_system_msg(Name, {debug, {log_to_file, File}}).
log_to_file(Name, File, Timeout) -> send_system_msg(Name, {debug, {log_to_file, File}}, Timeout).

statistics(Name, Flag) -> send_system_msg(Name, {debug, {statistics, Flag}}).
statistics(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {statistics, Flag}}, Timeout).

no_debug(Name) -> send_system_msg(Name, {debug, no_debug}).
no_debug(Name, Timeout) -> send_system_msg(Name, {debug, no_debug}, Timeout).

install(Name, Spec) when tuple_size(Spec) =:= 2; tuple_size(Spec) =:= 3 ->
    send_system_msg(Name, {debug, {install, Spec}}).
install(Name, Spec, Timeout) when tuple_size(Spec) =:= 2; tuple_size(Spec) =:= 3 ->
    send_system_msg(Name, {debug, {install, Spec}}, Timeout).

remove(Name, FunOrId) -> send_system_msg(Name, {debug, {remove, FunOrId}}).
remove(Name, FunOrId, Timeout) -> send_system_msg(Name, {debug, {remove, FunOrId}}, Timeout).

%% The exit reason names the API call that sent the request.
failure(Class, Reason, Stack, Name, Request, Timeout) ->
    {Function, Args} = case Request of
                           {debug, {F, Arg}} -> {F, [Arg]};
                           {change_code, Mod, Vsn, Extra} -> {change_code, [Mod, Vsn, Extra]};
                           {terminate, Why} -> {terminate, [Why]};
                           Other -> {Other, []}
                       end,
    Failure = case Class of error -> {Reason, Stack}; _ -> Reason end,
    {Failure, {?MODULE, Function, [Name] ++ Args ++ Timeout}}.

%%% ---------------------------------------------------------- the process side

handle_system_msg(Request, From, Parent, Mod, Debug, Misc) ->
    handle_system_msg(Request, From, Parent, Mod, Debug, Misc, false).

handle_system_msg(Request, From, Parent, Mod, Debug, Misc, Hibernated) ->
    serve(running, Request, From, Parent, Mod, Debug, {Misc, Hibernated}).

serve(SysState, Request, From, Parent, Mod, Debug, {Misc, Hibernated}) ->
    {Next, Reply, NewDebug, NewMisc} = perform(Request, SysState, Parent, Mod, Debug, Misc),
    gen:reply(From, Reply),
    case Next of
        running -> Mod:system_continue(Parent, NewDebug, NewMisc);
        suspended when Hibernated -> suspended(Parent, Mod, NewDebug, NewMisc, true);
        suspended -> suspended(Parent, Mod, NewDebug, NewMisc, false);
        {terminating, Reason} -> Mod:system_terminate(Reason, Parent, NewDebug, NewMisc)
    end.

suspended(Parent, Mod, Debug, Misc, false) ->
    receive
        {system, From, Request} ->
            serve(suspended, Request, From, Parent, Mod, Debug, {Misc, false});
        {'EXIT', Parent, Reason} ->
            Mod:system_terminate(Reason, Parent, Debug, Misc)
    end;
suspended(Parent, Mod, Debug, Misc, true) ->
    receive
        {system, From, Request} ->
            serve(suspended, Request, From, Parent, Mod, Debug, {Misc, true});
        {'EXIT', Parent, Reason} ->
            Mod:system_terminate(Reason, Parent, Debug, Misc)
    after 0 ->
        proc_lib:hibernate(?MODULE, suspended, [Parent, Mod, Debug, Misc, true])
    end.

perform(suspend, _, _, _, Debug, Misc) ->
    {suspended, ok, Debug, Misc};
perform(resume, _, _, _, Debug, Misc) ->
    {running, ok, Debug, Misc};
perform({terminate, Reason}, _, _, _, Debug, Misc) ->
    {{terminating, Reason}, ok, Debug, Misc};
perform(get_state, SysState, _, Mod, Debug, Misc) ->
    {SysState, current_state(Mod, Misc), Debug, Misc};
perform({replace_state, Fun}, SysState, _, Mod, Debug, Misc) ->
    {Reply, NewMisc} = replaced_state(Fun, Mod, Misc),
    {SysState, Reply, Debug, NewMisc};
perform(get_status, SysState, Parent, Mod, Debug, Misc) ->
    Dictionary = get(),
    Shown = case erlang:function_exported(Mod, format_status, 2) of
                true -> Mod:format_status(normal, [Dictionary, SysState, Parent, Debug, Misc]);
                false -> Misc
            end,
    Status = {status, self(), {module, Mod}, [Dictionary, SysState, Parent, Debug, Shown]},
    {SysState, Status, Debug, Misc};
perform({debug, Command}, SysState, _, _, Debug, Misc) ->
    {Reply, NewDebug} = debug(Command, Debug),
    {SysState, Reply, NewDebug, Misc};
perform({change_code, Module, Vsn, Extra}, suspended, _, Mod, Debug, Misc) ->
    case catch Mod:system_code_change(Misc, Module, Vsn, Extra) of
        {ok, NewMisc} -> {suspended, ok, Debug, NewMisc};
        Other -> {suspended, {error, Other}, Debug, Misc}
    end;
perform(Other, SysState, _, _, Debug, Misc) ->
    {SysState, {error, {unknown_system_msg, Other}}, Debug, Misc}.

current_state(Mod, Misc) ->
    case erlang:function_exported(Mod, system_get_state, 1) of
        true ->
            try
                {ok, State} = Mod:system_get_state(Misc),
                State
            catch
                Class:Reason -> callback_failed({Mod, system_get_state}, Class, Reason)
            end;
        false ->
            Misc
    end.

replaced_state(Fun, Mod, Misc) ->
    {Callback, Replace} =
        case erlang:function_exported(Mod, system_replace_state, 2) of
            true ->
                {{Mod, system_replace_state},
                 fun() ->
                         {ok, State, NewMisc} = Mod:system_replace_state(Fun, Misc),
                         {State, NewMisc}
                 end};
            false ->
                {Fun, fun() -> New = Fun(Misc), {New, New} end}
        end,
    try Replace()
    catch
        Class:Reason -> {callback_failed(Callback, Class, Reason), Misc}
    end.

callback_failed(Callback, Class, Reason) ->
    {error, {callback_failed, Callback, {Class, Reason}}}.

%%% ----------------------------------------------------------------- debugging

handle_debug(Debug, Format, Extra, Event) ->
    lists:append([debugged(Option, Format, Extra, Event) || Option <- Debug]).

debugged({trace, true} = Option, Format, Extra, Event) ->
    Format(standard_io, Event, Extra),
    [Option];
debugged({log, Log}, Format, Extra, Event) ->
    [{log, log_add({Event, Extra, Format}, Log)}];
debugged({log_to_file, Device} = Option, Format, Extra, Event) ->
    Format(Device, Event, Extra),
    [Option];
debugged({statistics, Data}, _, _, Event) ->
    [{statistics, count(Event, Data)}];
debugged({Id, {Fun, FunState}}, _, Extra, Event) ->
    [{Id, {Fun, New}} || {state, New} <- [installed(Fun, FunState, Event, Extra)]];
debugged({Fun, FunState}, _, Extra, Event) ->
    [{Fun, New} || {state, New} <- [installed(Fun, FunState, Event, Extra)]].

%% An installed function that fails is removed.
installed(Fun, FunState, Event, Extra) ->
    try Fun(FunState, Event, Extra) of
        done -> done;
        New -> {state, New}
    catch
        throw:done -> done;
        throw:New -> {state, New};
        _:_ -> done
    end.

debug({trace, true}, Debug) -> {ok, add(trace, true, Debug)};
debug({trace, false}, Debug) -> {ok, lists:keydelete(trace, 1, Debug)};
debug({log, true}, Debug) -> {ok, ensure_log(?LOG_SIZE, Debug)};
debug({log, {true, N}}, Debug) when is_integer(N), N >= 1 -> {ok, ensure_log(N, Debug)};
debug({log, false}, Debug) -> {ok, lists:keydelete(log, 1, Debug)};
debug({log, print}, Debug) -> print_log(Debug), {ok, Debug};
debug({log, get}, Debug) -> {{ok, get_log(Debug)}, Debug};
debug({log_to_file, false}, Debug) -> {ok, close_file(Debug)};
debug({log_to_file, File}, Debug) ->
    Closed = close_file(Debug),
    case open_file(File) of
        {ok, Device} -> {ok, add(log_to_file, Device, Closed)};
        _ -> {{error, open_file}, Closed}
    end;
debug({statistics, true}, Debug) -> {ok, add(statistics, new_statistics(), Debug)};
debug({statistics, false}, Debug) -> {ok, lists:keydelete(statistics, 1, Debug)};
debug({statistics, get}, Debug) -> {{ok, shown_statistics(get_debug(statistics, Debug, none))}, Debug};
debug(no_debug, Debug) -> close_file(Debug), {ok, []};
debug({install, {Fun, FunState}}, Debug) -> {ok, add(Fun, FunState, Debug)};
debug({install, {Id, Fun, FunState}}, Debug) -> {ok, add(Id, {Fun, FunState}, Debug)};
debug({remove, FunOrId}, Debug) -> {ok, lists:keydelete(FunOrId, 1, Debug)};
debug(_, Debug) -> {unknown_debug, Debug}.

debug_options(Options) ->
    lists:foldl(fun debug_option/2, [], Options).

debug_option(trace, Debug) -> add(trace, true, Debug);
debug_option(log, Debug) -> add(log, log_new(?LOG_SIZE), Debug);
debug_option({log, N}, Debug) when is_integer(N), N > 0 -> add(log, log_new(N), Debug);
debug_option(statistics, Debug) -> add(statistics, new_statistics(), Debug);
debug_option({log_to_file, File}, Debug) ->
    case open_file(File) of
        {ok, Device} -> add(log_to_file, Device, Debug);
        _ -> Debug
    end;
debug_option({install, {Fun, FunState}}, Debug) -> add(Fun, FunState, Debug);
debug_option({install, {Id, Fun, FunState}}, Debug) -> add(Id, {Fun, FunState}, Debug);
debug_option(_, Debug) -> Debug.

%% What is installed already stays as it is.
add(Key, Value, Debug) ->
    case lists:keymember(Key, 1, Debug) of
        true -> Debug;
        false -> [{Key, Value} | Debug]
    end.

get_debug(Key, Debug, Default) ->
    case lists:keyfind(Key, 1, Debug) of
        {_, Value} -> Value;
        false -> Default
    end.

open_file(File) ->
    file:open(File, [write, {encoding, utf8}]).

close_file(Debug) ->
    case lists:keytake(log_to_file, 1, Debug) of
        {value, {_, Device}, Rest} ->
            ok = file:close(Device),
            Rest;
        false ->
            Debug
    end.

%%% ---------------------------------------------------------------- statistics

new_statistics() ->
    {reductions, Reductions} = process_info(self(), reductions),
    {erlang:localtime(), Reductions, 0, 0}.

count(Event, {Start, Reductions, In, Out}) when element(1, Event) =:= in ->
    {Start, Reductions, In + 1, Out};
count(Event, {Start, Reductions, In, Out}) when element(1, Event) =:= out ->
    {Start, Reductions, In, Out + 1};
count(_, Data) ->
    Data.

shown_statistics(none) ->
    no_statistics;
shown_statistics({Start, Before, In, Out}) ->
    {reductions, Now} = process_info(self(), reductions),
    [{start_time, Start}, {current_time, erlang:localtime()},
     {reductions, Now - Before}, {messages_in, In}, {messages_out, Out}].

%%% ----------------------------------------------------------------- event log

log_new(Size) -> {Size, Size, [], []}.

log_add(Item, {0, Size, Newest, [_ | Oldest]}) -> {0, Size, [Item | Newest], Oldest};
log_add(Item, {0, Size, Newest, []}) -> log_add(Item, {0, Size, [], lists:reverse(Newest)});
log_add(Item, {Left, Size, Newest, Oldest}) -> {Left - 1, Size, [Item | Newest], Oldest}.

log_items({_, _, Newest, Oldest}) -> Oldest ++ lists:reverse(Newest).

ensure_log(Size, Debug) ->
    case lists:keyfind(log, 1, Debug) of
        false -> [{log, log_new(Size)} | Debug];
        {_, _} -> Debug
    end.

print_log(Debug) ->
    lists:foreach(fun({Event, Extra, Format}) -> Format(standard_io, Event, Extra) end, logged(Debug)).

get_log(Debug) ->
    [Event || {Event, _, _} <- logged(Debug)].

logged(Debug) ->
    case lists:keyfind(log, 1, Debug) of
        {_, Log} -> log_items(Log);
        false -> []
    end.

%%% -------------------------------------------------------------------- frames
%%
%% Names, arities and lines as in OTP 25.2.3: they are seen in stack traces.

-file("sys.erl", 137).
get_state(Name) ->
    case send_system_msg(Name, get_state) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

-file("sys.erl", 147).
get_state(Name, Timeout) ->
    case send_system_msg(Name, get_state, Timeout) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

-file("sys.erl", 157).
replace_state(Name, Fun) ->
    case send_system_msg(Name, {replace_state, Fun}) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

-file("sys.erl", 168).
replace_state(Name, Fun, Timeout) ->
    case send_system_msg(Name, {replace_state, Fun}, Timeout) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

-file("sys.erl", 334).
send_system_msg(Name, Request) ->
    try gen:call(Name, system, Request) of {ok, Reply} -> Reply
    catch
        Class:Reason:Stack -> exit(failure(Class, Reason, Stack, Name, Request, []))
    end.

send_system_msg(Name, Request, Timeout) ->
    try gen:call(Name, system, Request, Timeout) of {ok, Reply} -> Reply
    catch
        Class:Reason:Stack -> exit(failure(Class, Reason, Stack, Name, Request, [Timeout]))
    end.
