%% Processes that know their ancestors and their initial call, that acknowledge
%% their start, and that leave a crash report when they fail.
%%
%% A spawn costs one read of the caller's own registered name (ancestors are
%% named where possible) and the spawn itself. The report of a crash is built
%% only when logger lets errors of this module through; its text is made by
%% erlscope_crash.
-module(proc_lib).

-export([spawn/1, spawn/2, spawn/3, spawn/4,
         spawn_link/1, spawn_link/2, spawn_link/3, spawn_link/4,
         spawn_opt/2, spawn_opt/3, spawn_opt/4, spawn_opt/5,
         start/3, start/4, start/5,
         start_link/3, start_link/4, start_link/5,
         start_monitor/3, start_monitor/4, start_monitor/5,
         init_ack/1, init_ack/2, init_fail/2, init_fail/3, hibernate/3, stop/1, stop/3,
         initial_call/1, translate_initial_call/1, set_label/1, get_label/1,
         format/1, format/2, format/3, report_cb/2]).

%% Entry points of the processes themselves.
-export([init_p/3, init_p/5, wake_up/3]).

-export_type([spawn_option/0, start_spawn_option/0]).

-include_lib("kernel/include/logger.hrl").

-type spawn_option() :: erlang:spawn_opt_option().
-type start_spawn_option() :: link
                            | {priority, erlang:priority_level()}
                            | {fullsweep_after, non_neg_integer()}
                            | {min_heap_size, non_neg_integer()}
                            | {min_bin_vheap_size, non_neg_integer()}
                            | {max_heap_size, erlang:max_heap_size()}
                            | {message_queue_data, erlang:message_queue_data()}.

%% How many processes a crash report describes besides the crashed one.
-define(MAX_NEIGHBOURS, 15).

%%% ------------------------------------------------------------------ spawning

spawn(Fun) when is_function(Fun) ->
    erlang:spawn(?MODULE, init_p, [own_name(), ancestors() | [Fun]]).

spawn(Node, Fun) when is_function(Fun) ->
    erlang:spawn(Node, ?MODULE, init_p, [own_name(), ancestors() | [Fun]]).

spawn(M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn(?MODULE, init_p, [own_name(), ancestors() | [M, F, A]]).

spawn(Node, M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn(Node, ?MODULE, init_p, [own_name(), ancestors() | [M, F, A]]).

spawn_link(Fun) when is_function(Fun) ->
    erlang:spawn_link(?MODULE, init_p, [own_name(), ancestors() | [Fun]]).

spawn_link(Node, Fun) when is_function(Fun) ->
    erlang:spawn_link(Node, ?MODULE, init_p, [own_name(), ancestors() | [Fun]]).

spawn_link(M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_link(?MODULE, init_p, [own_name(), ancestors() | [M, F, A]]).

spawn_link(Node, M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_link(Node, ?MODULE, init_p, [own_name(), ancestors() | [M, F, A]]).

spawn_opt(Fun, Opts) when is_function(Fun) ->
    erlang:spawn_opt(?MODULE, init_p, [own_name(), ancestors() | [Fun]], Opts).

spawn_opt(Node, Fun, Opts) when is_function(Fun) ->
    erlang:spawn_opt(Node, ?MODULE, init_p, [own_name(), ancestors() | [Fun]], Opts).

spawn_opt(M, F, A, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_opt(?MODULE, init_p, [own_name(), ancestors() | [M, F, A]], Opts).

spawn_opt(Node, M, F, A, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_opt(Node, ?MODULE, init_p, [own_name(), ancestors() | [M, F, A]], Opts).

own_name() ->
    case process_info(self(), registered_name) of
        {registered_name, Name} -> Name;
        [] -> self()
    end.

ancestors() ->
    case get('$ancestors') of
        Ancestors when is_list(Ancestors) -> Ancestors;
        _ -> []
    end.

%%% --------------------------------------------------------- life of a process

init_p(Parent, Ancestors, M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    put('$ancestors', [Parent | Ancestors]),
    put('$initial_call', behaviour_call(M, F, A)),
    init_p_do_apply(M, F, A).

hibernate(M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:hibernate(?MODULE, wake_up, [M, F, A]).

failed(Class, Reason, Stack) ->
    report_crash(Class, Reason, Stack),
    ExitReason = case Class of
                     exit -> Reason;
                     error -> {Reason, Stack};
                     throw -> {{nocatch, Reason}, Stack}
                 end,
    erlang:raise(exit, ExitReason, Stack).

%% The callback module's init function stands for the behaviour's own.
behaviour_call(gen, init_it, [gen_event | _]) ->
    {gen_event, init_it, 6};
behaviour_call(gen, init_it, [GenMod, _Starter, _Parent, Mod, Args, _Options]) when is_atom(Mod) ->
    callback_init(GenMod, Mod, Args);
behaviour_call(gen, init_it, [GenMod, _Starter, _Parent, _Name, Mod, Args | _]) when is_atom(Mod) ->
    callback_init(GenMod, Mod, Args);
behaviour_call(M, F, A) ->
    {M, F, length(A)}.

callback_init(gen_server, supervisor, {_Name, Mod, _Args}) -> {supervisor, Mod, 1};
callback_init(gen_server, supervisor_bridge, [Mod | _]) -> {supervisor_bridge, Mod, 1};
callback_init(_GenMod, Mod, _Args) -> {Mod, init, 1}.

%%% --------------------------------------------------------- synchronous start

start(M, F, A) -> start(M, F, A, infinity).

start(M, F, A, Timeout) -> start(M, F, A, Timeout, []).

start(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor([M, F, A, Timeout, Opts]),
    {Pid, Ref} = ?MODULE:spawn_opt(M, F, A, [monitor | Opts]),
    receive
        {ack, Pid, Return} ->
            erlang:demonitor(Ref, [flush]),
            Return;
        {nack, Pid, Return} ->
            receive {'DOWN', Ref, process, Pid, _} -> Return end;
        {'DOWN', Ref, process, Pid, Reason} ->
            {error, Reason}
    after Timeout ->
        erlang:demonitor(Ref, [flush]),
        kill(Pid),
        {error, timeout}
    end.

start_link(M, F, A) -> start_link(M, F, A, infinity).

start_link(M, F, A, Timeout) -> start_link(M, F, A, Timeout, []).

start_link(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor([M, F, A, Timeout, Opts]),
    Pid = ?MODULE:spawn_opt(M, F, A, [link | Opts]),
    receive
        {ack, Pid, Return} -> Return;
        {nack, Pid, Return} ->
            Ref = erlang:monitor(process, Pid),
            unlink(Pid),
            receive {'DOWN', Ref, process, Pid, _} -> ok end,
            receive {'EXIT', Pid, _} -> Return after 0 -> Return end;
        {'EXIT', Pid, Reason} -> {error, Reason}
    after Timeout ->
        kill(Pid),
        {error, timeout}
    end.

start_monitor(M, F, A) -> start_monitor(M, F, A, infinity).

start_monitor(M, F, A, Timeout) -> start_monitor(M, F, A, Timeout, []).

start_monitor(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor([M, F, A, Timeout, Opts]),
    {Pid, Ref} = ?MODULE:spawn_opt(M, F, A, [monitor | Opts]),
    receive
        {ack, Pid, Return} ->
            {Return, Ref};
        {nack, Pid, Return} ->
            receive {'DOWN', Ref, process, Pid, _} = Ended -> self() ! Ended end,
            {Return, Ref};
        {'DOWN', Ref, process, Pid, Reason} = Down ->
            %% The caller is promised a 'DOWN' message in every case.
            self() ! Down,
            {{error, Reason}, Ref}
    after Timeout ->
        kill(Pid),
        {{error, timeout}, Ref}
    end.

no_monitor(Args) ->
    Opts = lists:last(Args),
    case lists:member(monitor, Opts) orelse lists:keymember(monitor, 1, Opts) of
        true -> erlang:error(badarg, Args);
        false -> ok
    end.

kill(Pid) ->
    unlink(Pid),
    exit(Pid, kill),
    receive {'EXIT', Pid, _} -> ok after 0 -> ok end.

init_ack(Parent, Return) ->
    Parent ! {ack, self(), Return},
    ok.

init_ack(Return) ->
    [Parent | _] = get('$ancestors'),
    init_ack(Parent, Return).

%% Since OTP 26: the start has failed. Who started the process gets Return once it has ended.
init_fail(Parent, Return, Exception) ->
    Parent ! {nack, self(), Return},
    case Exception of
        {Class, Reason} -> erlang:raise(Class, Reason, []);
        {Class, Reason, Stack} -> erlang:raise(Class, Reason, Stack)
    end.

init_fail(Return, Exception) ->
    [Parent | _] = get('$ancestors'),
    init_fail(Parent, Return, Exception).

%%% ------------------------------------------------------------------ stopping

stop(Process) -> stop(Process, normal, infinity).

now_ms(infinity) -> 0;
now_ms(_) -> erlang:monotonic_time(millisecond).

remaining(infinity, _) -> infinity;
remaining(Timeout, Before) -> max(0, Timeout - (now_ms(Timeout) - Before)).

%%% -------------------------------------------------------------- initial call

%% Since OTP 27: what a process is for, as tools show it.
-spec set_label(term()) -> ok.
set_label(Label) ->
    put('$process_label', Label),
    ok.

-spec get_label(pid()) -> term().
get_label(Pid) when Pid =:= self() -> get('$process_label');
get_label(Pid) ->
    try process_info(Pid, dictionary) of
        {dictionary, Dictionary} -> proplists:get_value('$process_label', Dictionary);
        undefined -> undefined
    catch
        error:badarg -> undefined
    end.

initial_call(Process) ->
    case recorded_call(Process) of
        {M, F, A} -> {M, F, dummy_args(A)};
        false -> false
    end.

translate_initial_call(Process) ->
    case recorded_call(Process) of
        false -> {?MODULE, init_p, 5};
        Call -> Call
    end.

recorded_call({X, Y, Z}) when is_integer(X), is_integer(Y), is_integer(Z) ->
    recorded_call(list_to_pid(lists:flatten(io_lib:format("<~w.~w.~w>", [X, Y, Z]))));
recorded_call(Pid) when is_pid(Pid) ->
    case info(Pid, dictionary) of
        {dictionary, _} = Dictionary -> recorded_call([Dictionary]);
        _ -> false
    end;
recorded_call(ProcessInfo) when is_list(ProcessInfo) ->
    Dictionary = case lists:keyfind(dictionary, 1, ProcessInfo) of
                     {dictionary, D} -> D;
                     false -> []
                 end,
    case lists:keyfind('$initial_call', 1, Dictionary) of
        {_, {_, _, _} = Call} -> Call;
        _ -> false
    end.

dummy_args(Arity) ->
    [list_to_atom("Argument__" ++ integer_to_list(N)) || N <- lists:seq(1, Arity)].

%%% -------------------------------------------------------------- crash report

report_crash(exit, normal, _) -> ok;
report_crash(exit, shutdown, _) -> ok;
report_crash(exit, {shutdown, _}, _) -> ok;
report_crash(Class, Reason, Stack) ->
    ?LOG_ERROR(#{label => {proc_lib, crash},
                 report => [crasher(Class, Reason, Stack), neighbours(self())]},
               #{domain => [otp, sasl],
                 report_cb => fun ?MODULE:report_cb/2,
                 logger_formatter => #{title => "CRASH REPORT"},
                 error_logger => #{tag => error_report, type => crash_report}}).

crasher(Class, Reason, Stack) ->
    Self = self(),
    Dictionary = get(),
    Cleaned = [Entry || {Key, _} = Entry <- Dictionary,
                        Key =/= '$ancestors', Key =/= '$initial_call'],
    Depth = error_logger:get_format_depth(),
    initial_call_of_crasher() ++
        [{pid, Self},
         info(Self, registered_name),
         {error_info, {Class, Reason, Stack}},
         {ancestors, ancestors()},
         info(Self, message_queue_len),
         {messages, error_logger:limit_term(own_messages(Depth))},
         info(Self, links),
         {dictionary, error_logger:limit_term(Cleaned)}
         | [info(Self, Item) || Item <- [trap_exit, status, heap_size, stack_size, reductions]]].

initial_call_of_crasher() ->
    case get('$initial_call') of
        {M, F, A} when is_atom(M), is_atom(F), is_integer(A) ->
            [{initial_call, {M, F, dummy_args(A)}}];
        _ ->
            []
    end.

own_messages(unlimited) ->
    {messages, Messages} = process_info(self(), messages),
    Messages;
own_messages(0) ->
    [];
own_messages(N) ->
    receive Message -> [Message | own_messages(N - 1)] after 0 -> [] end.

%% Processes that the crash takes down too: those reachable over links through
%% processes which do not trap exits, the nearest first, a limited number.
neighbours(Pid) ->
    {_, Visited} = visit(victims(Pid), {?MAX_NEIGHBOURS, [Pid]}),
    lists:append([neighbour(P) || P <- Visited, P =/= Pid]).

visit([P | Rest], {Left, Visited} = Seen) when Left > 0 ->
    case lists:member(P, Visited) of
        true -> visit(Rest, Seen);
        false -> visit(victims(P), visit(Rest, {Left - 1, [P | Visited]}))
    end;
visit(_, Seen) ->
    Seen.

victims(Pid) ->
    case info(Pid, links) of
        {links, Links} -> [P || P <- Links, is_pid(P), info(P, trap_exit) =:= {trap_exit, false}];
        _ -> []
    end.

neighbour(Pid) ->
    Items = [info(Pid, registered_name), call_of_neighbour(Pid)]
        ++ [info(Pid, current_function), ancestors_of(Pid)]
        ++ [info(Pid, Item) || Item <- [message_queue_len, links, trap_exit, status,
                                        heap_size, stack_size, reductions,
                                        current_stacktrace]],
    case lists:member(undefined, Items) of
        true -> [];                                  % it died meanwhile
        false -> [{neighbour, [{pid, Pid} | Items]}]
    end.

call_of_neighbour(Pid) ->
    case initial_call(Pid) of
        false -> info(Pid, initial_call);
        Call -> {initial_call, Call}
    end.

ancestors_of(Pid) ->
    case info(Pid, dictionary) of
        {dictionary, Dictionary} ->
            case lists:keyfind('$ancestors', 1, Dictionary) of
                {_, Ancestors} -> {ancestors, Ancestors};
                false -> {ancestors, []}
            end;
        _ ->
            {ancestors, []}
    end.

info(Pid, Item) when node(Pid) =:= node() ->
    case process_info(Pid, Item) of
        [] when Item =:= registered_name -> {registered_name, []};
        Info -> Info
    end;
info(Pid, Item) ->
    case lists:member(node(Pid), nodes()) of
        true ->
            case rpc:call(node(Pid), erlang, process_info, [Pid, Item]) of
                {badrpc, _} -> undefined;
                [] when Item =:= registered_name -> {registered_name, []};
                Info -> Info
            end;
        false ->
            hidden
    end.

%%% ---------------------------------------------------------- text of a report

report_cb(#{label := {proc_lib, crash}, report := Report}, Options) ->
    erlscope_crash:format(Report, Options).

format(Report) -> format(Report, latin1).

format(Report, Encoding) -> format(Report, Encoding, unlimited).

format(Report, Encoding, Depth) ->
    erlscope_crash:format(Report, #{encoding => Encoding, depth => Depth}).

%%% -------------------------------------------------------------------- frames
%%
%% These functions end the stack traces that programs see; names and lines are
%% those of OTP 25.2.3.

-file("proc_lib.erl", 219).
init_p(Parent, Ancestors, Fun) when is_function(Fun) ->
    put('$ancestors', [Parent | Ancestors]),
    {module, M} = erlang:fun_info(Fun, module), {name, F} = erlang:fun_info(Fun, name),
    put('$initial_call', {M, F, element(2, erlang:fun_info(Fun, arity))}),
    try
        Fun()
    catch
        Class:Reason:Stack -> failed(Class, Reason, Stack)
    end.

-file("proc_lib.erl", 237).
init_p_do_apply(M, F, A) ->
    try
        apply(M, F, A)
    catch
        Class:Reason:Stack -> failed(Class, Reason, Stack)
    end.

-file("proc_lib.erl", 247).
wake_up(M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    try
        apply(M, F, A)
    catch
        Class:Reason:Stack -> failed(Class, Reason, Stack)
    end.

-file("proc_lib.erl", 1082).
stop(Process, Reason, Timeout) ->
    Ref = erlang:monitor(process, Process),
    Before = now_ms(Timeout),
    try sys:terminate(Process, Reason, Timeout) of
        ok -> ok
    catch
        exit:{noproc, {sys, terminate, _}} ->

            erlang:demonitor(Ref, [flush]), exit(noproc);
        exit:{timeout, {sys, terminate, _}} ->

            erlang:demonitor(Ref, [flush]), exit(timeout);
        exit:Failure ->

            erlang:demonitor(Ref, [flush]), exit(Failure)
    end,
    receive
        {'DOWN', Ref, _, _, Reason} ->
            ok;
        {'DOWN', Ref, _, _, Other} ->
            exit(Other)
    after remaining(Timeout, Before) ->
        erlang:demonitor(Ref, [flush]),
        exit(timeout)
    end.
