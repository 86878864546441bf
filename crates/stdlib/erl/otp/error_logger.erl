%% The old interface for error reports, on top of logger. The event manager
%% error_logger exists while there are report handlers; a logger handler of the
%% same name turns logger events into the old event terms for it.
-module(error_logger).

-export([error_msg/1, error_msg/2, format/2, error_report/1, error_report/2,
         warning_msg/1, warning_msg/2, warning_report/1, warning_report/2, warning_map/0,
         info_msg/1, info_msg/2, info_report/1, info_report/2, error_info/1,
         add_report_handler/1, add_report_handler/2, delete_report_handler/1,
         which_report_handlers/0, tty/1, logfile/1,
         start/0, start_link/0, stop/0, get_format_depth/0, limit_term/1]).

%% For logger.
-export([adding_handler/1, removing_handler/1, log/2]).

%%% ------------------------------------------------------------------- messages

error_msg(Format) -> error_msg(Format, []).
error_msg(Format, Args) -> message(error, error_msg, error, Format, Args).

format(Format, Args) -> error_msg(Format, Args).

warning_msg(Format) -> warning_msg(Format, []).
warning_msg(Format, Args) -> message(warning, warning_msg, warning_msg, Format, Args).

info_msg(Format) -> info_msg(Format, []).
info_msg(Format, Args) -> message(notice, info_msg, info_msg, Format, Args).

error_report(Report) -> error_report(std_error, Report).
error_report(Type, Report) -> report(error, error_report, Type, std_error, Report).

warning_report(Report) -> warning_report(std_warning, Report).
warning_report(Type, Report) -> report(warning, warning_report, Type, std_warning, Report).

info_report(Report) -> info_report(std_info, Report).
info_report(Type, Report) -> report(notice, info_report, Type, std_info, Report).

message(Level, Label, Tag, Format, Args) ->
    logger:log(Level, #{label => {?MODULE, Label}, format => Format, args => Args},
               #{?MODULE => #{tag => Tag}, report_cb => fun report_to_format/1}).

%% A report of a type of its own is in the domain of that type.
report(Level, Tag, Type, Standard, Report) ->
    Meta = #{?MODULE => #{tag => Tag, type => Type}, report_cb => fun report_to_format/1},
    logger:log(Level, #{label => {?MODULE, Tag}, report => Report},
               case Type of
                   Standard -> Meta;
                   _ -> Meta#{domain => [Type]}
               end).

error_info(Error) ->
    {Format, Args} = case is_list(Error) andalso Error =/= [] andalso
                         io_lib:printable_list(lists:flatten(Error)) of
                         true -> {Error, []};
                         false -> {"~p", [Error]}
                     end,
    logger:log(notice, Format, Args, #{?MODULE => #{tag => info, type => Error}, domain => [Error]}).

report_to_format(#{label := {?MODULE, _}, report := Report}) when is_map(Report) ->
    {"~tp\n", [Report]};
report_to_format(#{label := {?MODULE, _}, format := Format, args := Args}) ->
    try io_lib:scan_format(Format, Args) of
        _ -> {Format, Args}
    catch
        _:_ -> {"ERROR: ~tp - ~tp", [Format, Args]}
    end;
report_to_format(Report) ->
    logger:format_otp_report(Report).

%% Warnings are warnings; the emulator flag that changes this does not exist here.
warning_map() -> warning.

%%% ------------------------------------------------------------ report handlers

start() ->
    case whereis(?MODULE) of
        undefined ->
            case gen_event:start({local, ?MODULE}, [{spawn_opt, [{message_queue_data, off_heap}]}]) of
                {ok, _} -> ok;
                Error -> Error
            end;
        _ ->
            ok
    end.

start_link() -> gen_event:start_link({local, ?MODULE}, [{spawn_opt, [{message_queue_data, off_heap}]}]).

stop() ->
    case whereis(?MODULE) of
        undefined -> ok;
        Manager -> gen_event:stop(Manager, {shutdown, stopped}, infinity)
    end.

add_report_handler(Module) when is_atom(Module) -> add_report_handler(Module, []).

add_report_handler(Module, Args) when is_atom(Module) ->
    _ = logger:add_handler(?MODULE, ?MODULE, #{level => info, filter_default => log}),
    gen_event:add_handler(?MODULE, Module, Args).

delete_report_handler(Module) when is_atom(Module) ->
    case whereis(?MODULE) of
        undefined ->
            ok;
        Manager ->
            Result = gen_event:delete_handler(Manager, Module, []),
            case gen_event:which_handlers(Manager) of
                [] -> _ = logger:remove_handler(?MODULE);
                _ -> ok
            end,
            Result
    end.

which_report_handlers() ->
    case whereis(?MODULE) of
        undefined -> [];
        Manager -> gen_event:which_handlers(Manager)
    end.

adding_handler(#{id := ?MODULE} = Config) ->
    case start() of
        ok -> {ok, Config};
        Error -> Error
    end.

removing_handler(#{id := ?MODULE}) ->
    stop(),
    ok.

log(#{level := Level, msg := Message, meta := #{?MODULE := #{tag := Tag0} = Own, pid := Pid0, gl := Leader} = Meta},
    _Config) ->
    {Tag, What, Data} =
        case {Message, Own} of
            {{report, #{label := _, report := Report}}, #{type := Type}} -> {Tag0, Type, Report};
            {{report, Report}, #{type := Type}} -> {Tag0, Type, Report};
            {{report, #{label := _, format := Format, args := Args}}, _} -> {Tag0, Format, Args};
            {{report, Report}, _} ->
                {Format, Args} = format_and_args(Report, Meta),
                {Tag0, Format, Args};
            {{string, Text}, _} -> {Tag0, "~ts", [Text]};
            {{Format, Args}, _} -> {Tag0, Format, Args}
        end,
    Pid = case Own of
              #{emulator := true} -> emulator;
              _ -> Pid0
          end,
    is_atom(Level) andalso gen_event:notify(?MODULE, {Tag, Leader, {Pid, What, Data}}),
    ok;
log(_, _) ->
    ok.

format_and_args(Report, Meta) ->
    Fun = case Meta of
              #{?MODULE := #{report_cb := F}} -> F;
              #{report_cb := F} -> F;
              _ -> fun logger:format_report/1
          end,
    try
        case is_function(Fun, 1) of
            true ->
                {Format, Args} = Fun(Report),
                true = is_list(Format) andalso is_list(Args),
                {Format, Args};
            false ->
                {"~ts", [Fun(Report, #{depth => get_format_depth(), chars_limit => unlimited,
                                       single_line => false})]}
        end
    catch
        Class:Reason:Stack ->
            {"REPORT_CB CRASH: ~tp; Reason: ~tp", [Report, {Class, Reason, Stack}]}
    end.

%%% -------------------------------------------------------------- destinations

tty(true) ->
    _ = case logger:get_handler_config(default) of
            {ok, #{module := logger_std_h, config := #{type := standard_io}}} ->
                logger:remove_handler_filter(default, error_logger_tty_false);
            _ ->
                Default = maps:without([id, module], erlscope_logger:default_handler()),
                logger:add_handler(error_logger_tty_true, logger_std_h, Default)
        end,
    ok;
tty(false) ->
    delete_report_handler(error_logger_tty_h),
    _ = logger:remove_handler(error_logger_tty_true),
    _ = case logger:get_handler_config(default) of
            {ok, #{module := logger_std_h, config := #{type := standard_io}}} ->
                logger:add_handler_filter(default, error_logger_tty_false,
                                          {fun(_, _) -> stop end, ok});
            _ ->
                ok
        end,
    ok.

%% The log file is a logger handler.
logfile({open, File}) ->
    case logger:get_handler_config(error_logger_file) of
        {ok, _} ->
            {error, allready_have_logfile};
        _ ->
            Default = maps:without([id, module, config], erlscope_logger:default_handler()),
            case file:write_file(File, <<>>) of
                ok -> logger:add_handler(error_logger_file, logger_std_h,
                                         Default#{config => #{type => {file, File}}, file_name => File});
                Error -> Error
            end
    end;
logfile(close) ->
    case logger:remove_handler(error_logger_file) of
        ok -> ok;
        _ -> {error, module_not_found}
    end;
logfile(filename) ->
    case logger:get_handler_config(error_logger_file) of
        {ok, #{file_name := File}} -> File;
        _ -> {error, no_log_file}
    end.

%%% --------------------------------------------------------------------- limits

limit_term(Term) ->
    case get_format_depth() of
        unlimited -> Term;
        Depth -> io_lib:limit_term(Term, Depth)
    end.

get_format_depth() ->
    case application:get_env(kernel, error_logger_format_depth) of
        {ok, Depth} when is_integer(Depth) -> max(10, Depth);
        _ -> unlimited
    end.
