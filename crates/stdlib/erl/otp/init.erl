%% The first process: brings up what every program finds, knows the arguments,
%% and takes the node down in order.
%%
%% boot/0 runs in the process with the first identifier. It starts the standard
%% devices and the application controller, with kernel and stdlib counted as
%% running, calls erlscope_native:booted/0, and then waits for a stop and for questions.
-module(init).

-export([boot/0, boot/1, get_arguments/0, get_argument/1, get_plain_arguments/0, get_status/0,
         stop/0, stop/1, restart/0, restart/1, reboot/0, script_id/0, script_name/0,
         notify_when_started/1, wait_until_started/0, ensure_loaded/1, make_permanent/2,
         log/0, log/1, fetch_loaded/0, archive_extension/0, objfile_extension/0, code_path_choice/0]).

get_arguments() ->
    Home = case os:getenv("HOME") of
               false -> "/";
               Directory -> Directory
           end,
    [{root, [code:root_dir()]}, {progname, ["erl"]}, {home, [Home]} | erlscope_native:arguments()].

get_argument(Flag) ->
    case [Values || {F, Values} <- get_arguments(), F =:= Flag] of
        [] -> error;
        All -> {ok, All}
    end.

get_plain_arguments() -> erlscope_native:plain_arguments().

get_status() -> {started, started}.

%% Returns at once; the node stops when its applications have.
stop() -> stop(0).

stop(Status) when is_integer(Status), Status >= 0; is_list(Status); Status =:= abort ->
    init ! {stop, Status},
    ok.

%% A node that restarts is a new run: this one only ends.
restart() -> stop(0).
restart(_) -> stop(0).
reboot() -> stop(0).

script_id() -> {"Erlscope", "25"}.
script_name() -> "start".
notify_when_started(Pid) -> Pid ! {init, started}, ok.
wait_until_started() -> ok.
ensure_loaded(Module) -> code:ensure_loaded(Module).
make_permanent(_, _) -> ok.
fetch_loaded() -> [{Module, File} || {Module, File} <- code:all_loaded()].
archive_extension() -> ".ez".
objfile_extension() -> ".beam".
code_path_choice() -> relaxed.

boot() ->
    boot([{application, kernel,
           [{description, "ERTS  CXC 138 10"}, {vsn, "8.5.3"}, {modules, []},
            {registered, [application_controller, init, user, standard_error]},
            {applications, []},
            {env, [{logger_level, notice}, {logger_sasl_compatible, false}, {net_tickintensity, 4},
                   {net_ticktime, 60}, {prevent_overlapping_partitions, true}, {shell_docs_ansi, auto}]},
            {mod, {kernel, []}}]},
          {application, stdlib,
           [{description, "ERTS  CXC 138 10"}, {vsn, "4.2"}, {modules, []},
            {registered, [timer_server]}, {applications, [kernel]}, {env, []}]}]).

%% The process logger: gets what the runtime itself has to say, such as that a
%% process has ended by an error.
log(Starter) ->
    ets:new(logger, [set, protected, named_table, {read_concurrency, true}, {write_concurrency, true}]),
    ets:insert(logger, erlscope_logger:rows()),
    Starter ! {self(), ready},
    log().

log() ->
    receive
        {log, Level, Format, Args, Meta} ->
            case logger:allow(Level, ?MODULE) of
                true -> erlscope_logger:log(Level, {Format, Args}, Meta, #{});
                false -> ok
            end,
            log();
        _ ->
            log()
    end.

%% The specifications of kernel and of what else counts as running.
boot([Kernel | Others]) ->
    register(init, self()),
    process_flag(trap_exit, true),
    User = user:start(user),
    user:start(standard_error),
    group_leader(User, self()),
    register(logger, started(spawn(?MODULE, log, [self()]))),
    register(kernel_safe_sup, spawn(kernel, wait, [self(), kernel_safe_sup])),
    {ok, Controller} = application_controller:start(Kernel, Others),
    register(kernel_sup, spawn(kernel, wait, [self(), kernel_sup])),
    register(global_name_server, started(spawn(kernel, global_names, [self()]))),
    erlscope_native:booted(),
    loop(Controller).

%% A process that is ready before the node is.
started(Pid) -> receive {Pid, ready} -> Pid end.

loop(Controller) ->
    receive
        {stop, Status} ->
            shut_down(Controller),
            erlang:halt(Status);
        {'EXIT', Controller, Reason} ->
            %% A permanent application ended, and the node with it.
            Text = io_lib:format("Kernel pid terminated (~w) (~ts)~n",
                                 [application_controller, case is_list(Reason) of
                                                              true -> Reason;
                                                              false -> io_lib:format("~tp", [Reason])
                                                          end]),
            erlscope_native:io_write(standard_error, unicode:characters_to_binary(Text)),
            erlang:halt(1);
        {From, Question} when is_pid(From) ->
            answer(From, Question),
            loop(Controller);
        _ ->
            loop(Controller)
    end.

%% What others ask by messages.
answer(From, get_arguments) -> From ! {init, get_arguments()};
answer(From, get_plain_arguments) -> From ! {init, get_plain_arguments()};
answer(From, {get_argument, Flag}) -> From ! {init, get_argument(Flag)};
answer(From, get_status) -> From ! {init, get_status()};
answer(From, script_id) -> From ! {init, script_id()};
answer(From, fetch_loaded) -> From ! {init, []};
answer(From, {ensure_loaded, Module}) -> From ! {init, ensure_loaded(Module)};
answer(From, {make_permanent, _, _}) -> From ! {init, {error, badarg}};
answer(_, {notify_when_started, Pid}) when is_pid(Pid) -> Pid ! {init, started};
answer(_, _) -> ok.

shut_down(Controller) ->
    exit(Controller, shutdown),
    receive {'EXIT', Controller, _} -> ok end.
