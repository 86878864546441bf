%% The API of logging: log calls, levels, metadata of processes, and the texts
%% of plain reports. Configuration and the way of an event through filters and
%% handlers are in erlscope_logger.
%%
%% A call at a level that is not allowed costs one look at the configuration;
%% everything runs in the calling process, there is no server.
-module(logger).

-export([emergency/1, emergency/2, emergency/3,
         alert/1, alert/2, alert/3,
         critical/1, critical/2, critical/3,
         error/1, error/2, error/3,
         warning/1, warning/2, warning/3,
         notice/1, notice/2, notice/3,
         info/1, info/2, info/3,
         debug/1, debug/2, debug/3,
         log/2, log/3, log/4]).

-export([allow/2, macro_log/3, macro_log/4, macro_log/5, add_default_metadata/1]).

-export([add_handler/3, remove_handler/1, add_handlers/1,
         add_primary_filter/2, remove_primary_filter/1,
         add_handler_filter/3, remove_handler_filter/2,
         get_primary_config/0, set_primary_config/1, set_primary_config/2,
         update_primary_config/1,
         get_handler_config/0, get_handler_config/1, get_handler_ids/0,
         set_handler_config/2, set_handler_config/3,
         update_handler_config/2, update_handler_config/3,
         update_formatter_config/2, update_formatter_config/3,
         get_proxy_config/0, set_proxy_config/1, update_proxy_config/1,
         set_module_level/2, unset_module_level/0, unset_module_level/1,
         get_module_level/0, get_module_level/1,
         set_application_level/2, unset_application_level/1,
         get_config/0, reconfigure/0, internal_init_logger/0, i/0, i/1]).

-export([compare_levels/2, timestamp/0,
         set_process_metadata/1, update_process_metadata/1,
         get_process_metadata/0, unset_process_metadata/0,
         format_report/1, format_otp_report/1, internal_log/2, filter_stacktrace/2]).

-export_type([log_event/0, level/0, report/0, report_cb/0, report_cb_config/0, msg_fun/0,
              metadata/0, primary_config/0, handler_config/0, handler_id/0, filter_id/0,
              filter/0, filter_arg/0, filter_return/0, config_handler/0, formatter_config/0,
              olp_config/0, timestamp/0]).

-compile({no_auto_import, [error/1, error/2, error/3]}).

-type level() :: emergency | alert | critical | error | warning | notice | info | debug.
-type report() :: map() | [{atom(), term()}].
-type report_cb_config() :: #{depth := pos_integer() | unlimited,
                              chars_limit := pos_integer() | unlimited,
                              single_line := boolean()}.
-type report_cb() :: fun((report()) -> {io:format(), [term()]})
                   | fun((report(), report_cb_config()) -> unicode:chardata()).
-type msg_fun() :: fun((term()) -> term()).
-type timestamp() :: integer().
-type metadata() :: map().
-type log_event() :: #{level := level(), msg := term(), meta := metadata()}.
-type handler_id() :: atom().
-type filter_id() :: atom().
-type filter_arg() :: term().
-type filter_return() :: stop | ignore | log_event().
-type filter() :: {fun((log_event(), filter_arg()) -> filter_return()), filter_arg()}.
-type primary_config() :: map().
-type handler_config() :: map().
-type formatter_config() :: map().
-type olp_config() :: map().
-type config_handler() :: {handler, handler_id(), module(), handler_config()}.

-callback log(log_event(), handler_config()) -> term().
-callback adding_handler(handler_config()) -> {ok, handler_config()} | {error, term()}.
-callback changing_config(set | update, handler_config(), handler_config()) ->
    {ok, handler_config()} | {error, term()}.
-callback removing_handler(handler_config()) -> term().
-callback filter_config(handler_config()) -> handler_config().
-optional_callbacks([adding_handler/1, changing_config/3, removing_handler/1, filter_config/1]).

-define(METADATA_KEY, '$logger_metadata$').

%%% ------------------------------------------------------------------- logging

emergency(X) -> log(emergency, X).
emergency(X, Y) -> log(emergency, X, Y).
emergency(X, Y, Z) -> log(emergency, X, Y, Z).

alert(X) -> log(alert, X).
alert(X, Y) -> log(alert, X, Y).
alert(X, Y, Z) -> log(alert, X, Y, Z).

critical(X) -> log(critical, X).
critical(X, Y) -> log(critical, X, Y).
critical(X, Y, Z) -> log(critical, X, Y, Z).

error(X) -> log(error, X).
error(X, Y) -> log(error, X, Y).
error(X, Y, Z) -> log(error, X, Y, Z).

warning(X) -> log(warning, X).
warning(X, Y) -> log(warning, X, Y).
warning(X, Y, Z) -> log(warning, X, Y, Z).

notice(X) -> log(notice, X).
notice(X, Y) -> log(notice, X, Y).
notice(X, Y, Z) -> log(notice, X, Y, Z).

info(X) -> log(info, X).
info(X, Y) -> log(info, X, Y).
info(X, Y, Z) -> log(info, X, Y, Z).

debug(X) -> log(debug, X).
debug(X, Y) -> log(debug, X, Y).
debug(X, Y, Z) -> log(debug, X, Y, Z).

log(Level, StringOrReport) ->
    log_if_allowed(Level, StringOrReport, #{}).

log(Level, StringOrReport, Meta) when is_map(Meta), not is_function(StringOrReport) ->
    log_if_allowed(Level, StringOrReport, Meta);
log(Level, FormatOrFun, Args) ->
    log_if_allowed(Level, {FormatOrFun, Args}, #{}).

log(Level, FormatOrFun, Args, Meta) ->
    log_if_allowed(Level, {FormatOrFun, Args}, Meta).

%% Metadata may name the function, hence the module whose level counts.
log_if_allowed(Level, Message, Meta) ->
    Allowed = case Meta of
                  #{mfa := {Module, _, _}} -> erlscope_logger:allow(Level, Module);
                  _ -> erlscope_logger:allow(Level)
              end,
    case Allowed of
        true -> erlscope_logger:log(Level, Message, Meta, #{});
        false -> ok
    end.

allow(Level, Module) when is_atom(Module) ->
    erlscope_logger:allow(Level, Module).

macro_log(Location, Level, StringOrReport) ->
    erlscope_logger:log(Level, StringOrReport, #{}, Location).

macro_log(Location, Level, StringOrReport, Meta) when is_map(Meta), not is_function(StringOrReport) ->
    erlscope_logger:log(Level, StringOrReport, Meta, Location);
macro_log(Location, Level, FormatOrFun, Args) ->
    erlscope_logger:log(Level, {FormatOrFun, Args}, #{}, Location).

macro_log(Location, Level, FormatOrFun, Args, Meta) ->
    erlscope_logger:log(Level, {FormatOrFun, Args}, Meta, Location).

add_default_metadata(Meta) ->
    maps:merge(#{pid => self(), gl => group_leader(), time => timestamp()}, Meta).

timestamp() -> os:system_time(microsecond).

compare_levels(Level1, Level2) ->
    case {erlscope_logger:severity(Level1), erlscope_logger:severity(Level2)} of
        {bad, _} -> erlang:error(badarg, [Level1, Level2]);
        {_, bad} -> erlang:error(badarg, [Level1, Level2]);
        {N, N} -> eq;
        {N1, N2} when N1 < N2 -> gt;
        _ -> lt
    end.

%%% ---------------------------------------------------------- process metadata

set_process_metadata(Meta) when is_map(Meta) ->
    put(?METADATA_KEY, Meta),
    ok;
set_process_metadata(Meta) ->
    erlang:error(badarg, [Meta]).

update_process_metadata(Meta) when is_map(Meta) ->
    case get(?METADATA_KEY) of
        undefined -> set_process_metadata(Meta);
        Old -> set_process_metadata(maps:merge(Old, Meta))
    end;
update_process_metadata(Meta) ->
    erlang:error(badarg, [Meta]).

get_process_metadata() -> get(?METADATA_KEY).

unset_process_metadata() ->
    erase(?METADATA_KEY),
    ok.

%%% ------------------------------------------------------------- configuration

add_handler(Id, Module, Config) -> erlscope_logger:add_handler(Id, Module, Config).
remove_handler(Id) -> erlscope_logger:remove_handler(Id).

%% Handlers as the environment of an application describes them.
add_handlers(App) when is_atom(App) ->
    add_handlers(App, application:get_env(App, logger, []));
add_handlers(Handlers) when is_list(Handlers) ->
    add_handlers(undefined, Handlers).

add_handlers(App, Entries) ->
    Known = fun({handler, _, _, _}) -> true;
               ({Key, _, _}) -> App =:= kernel andalso lists:member(Key, [handler, filters, module_level]);
               ({proxy, _}) -> App =:= kernel;
               (_) -> false
            end,
    Results = case lists:all(Known, Entries) of
                  true ->
                      [case erlscope_logger:add_handler(Id, Module, with_default_filters(Id, Config)) of
                           ok -> ok;
                           {error, Reason} -> {bad, Reason}
                       end || {handler, Id, Module, Config} <- Entries];
                  false ->
                      [{bad, lists:dropwhile(Known, Entries)}]
              end,
    case [Reason || {bad, Reason} <- Results] of
        [] -> ok;
        [Reason | _] when App =:= undefined -> {error, {bad_config, {handler, Reason}}};
        [Reason | _] -> {error, {bad_config, {handler, {App, Reason}}}}
    end.

with_default_filters(default, Config) when not is_map_key(filters, Config) ->
    maps:merge(maps:with([filters, filter_default], erlscope_logger:default_handler()), Config);
with_default_filters(_, Config) ->
    Config.

add_primary_filter(Id, Filter) -> erlscope_logger:add_filter(primary, {Id, Filter}).
remove_primary_filter(Id) -> erlscope_logger:remove_filter(primary, Id).
add_handler_filter(Handler, Id, Filter) -> erlscope_logger:add_filter(Handler, {Id, Filter}).
remove_handler_filter(Handler, Id) -> erlscope_logger:remove_filter(Handler, Id).

get_primary_config() -> erlscope_logger:primary().
set_primary_config(Config) -> erlscope_logger:set_config(set, primary, Config).
set_primary_config(Key, Value) -> erlscope_logger:set_config(update, primary, #{Key => Value}).
update_primary_config(Config) -> erlscope_logger:set_config(update, primary, Config).

get_handler_config() ->
    [Config || Id <- get_handler_ids(), {ok, Config} <- [get_handler_config(Id)]].

get_handler_config(Id) ->
    case erlscope_logger:handler(Id) of
        {ok, #{module := Module} = Config} ->
            {ok, try Module:filter_config(Config) catch _:_ -> Config end};
        Error ->
            Error
    end.

get_handler_ids() -> erlscope_logger:handler_ids().

set_handler_config(Id, Config) -> erlscope_logger:set_config(set, Id, Config).
set_handler_config(Id, Key, Value) -> erlscope_logger:set_config(Id, set, Key, Value).
update_handler_config(Id, Config) -> erlscope_logger:set_config(update, Id, Config).
update_handler_config(Id, Key, Value) -> erlscope_logger:set_config(Id, update, Key, Value).

update_formatter_config(Id, Key, Value) -> update_formatter_config(Id, #{Key => Value}).
update_formatter_config(Id, Config) when is_map(Config) ->
    case erlscope_logger:handler(Id) of
        {ok, #{formatter := {Module, Old}}} ->
            erlscope_logger:set_config(update, Id, #{formatter => {Module, maps:merge(Old, Config)}});
        Error ->
            Error
    end;
update_formatter_config(_, Config) ->
    {error, {invalid_formatter_config, Config}}.

%% There are no remote nodes, hence no proxy; its settings are kept all the same.
get_proxy_config() -> erlscope_logger:proxy().
set_proxy_config(Config) -> erlscope_logger:set_proxy(set, Config).
update_proxy_config(Config) -> erlscope_logger:set_proxy(update, Config).

set_module_level(Module, Level) when is_atom(Module) -> set_module_level([Module], Level);
set_module_level(Modules, Level) -> erlscope_logger:set_module_level(Modules, Level).

unset_module_level() -> erlscope_logger:unset_module_level(all).
unset_module_level(Module) when is_atom(Module) -> unset_module_level([Module]);
unset_module_level(Modules) -> erlscope_logger:unset_module_level(Modules).

get_module_level() -> erlscope_logger:module_levels().
get_module_level(Module) when is_atom(Module) -> get_module_level([Module]);
get_module_level(Modules) when is_list(Modules) ->
    [Entry || {Module, _} = Entry <- get_module_level(), lists:member(Module, Modules)].

set_application_level(App, Level) ->
    case application:get_key(App, modules) of
        {ok, Modules} -> set_module_level(Modules, Level);
        undefined -> {error, {not_loaded, App}}
    end.

unset_application_level(App) ->
    case application:get_key(App, modules) of
        {ok, Modules} -> unset_module_level(Modules);
        undefined -> {error, {not_loaded, App}}
    end.

get_config() ->
    #{primary => get_primary_config(), handlers => get_handler_config(),
      proxy => get_proxy_config(), module_levels => get_module_level()}.

reconfigure() -> erlscope_logger:reconfigure().

%% Called when the kernel application starts; the default configuration stands.
internal_init_logger() -> ok.

%%% ------------------------------------------------------------ showing config

i() ->
    lists:foreach(fun i/1, [primary, handlers, proxy, modules]).

i(primary) ->
    #{level := Level, filters := Filters, filter_default := Default} = get_primary_config(),
    io:format("Primary configuration: ~n    Level: ~p~n    Filter Default: ~p~n    Filters: ~n",
              [Level, Default]),
    show_filters("        ", Filters);
i(handlers) ->
    io:format("Handler configuration: ~n"),
    show_handlers(get_handler_config());
i(proxy) ->
    io:format("Proxy configuration: ~n"),
    show_map("    ", get_proxy_config());
i(modules) ->
    io:format("Level set per module: ~n"),
    case get_module_level() of
        [] -> io:format("    (none)~n");
        Levels -> [io:format("    Module: ~tp~n        Level: ~p~n", [M, L]) || {M, L} <- Levels], ok
    end;
i(Id) when is_atom(Id) ->
    case get_handler_config(Id) of
        {ok, Config} ->
            io:format("Handler configuration: ~n"),
            show_handlers([Config]);
        Error ->
            Error
    end;
i(What) ->
    erlang:error(badarg, [What]).

show_handlers([]) ->
    io:format("    (none)~n");
show_handlers(Handlers) ->
    lists:foreach(fun show_handler/1, Handlers).

show_handler(#{id := Id, module := Module, level := Level, filters := Filters,
               filter_default := Default, formatter := {Formatter, FormatterConfig}} = Config) ->
    io:format("    Id: ~tp~n        Module: ~p~n        Level:  ~p~n"
              "        Formatter:~n            Module: ~p~n            Config:~n",
              [Id, Module, Level, Formatter]),
    show_map("                ", FormatterConfig),
    io:format("        Filter Default: ~p~n        Filters:~n", [Default]),
    show_filters("            ", Filters),
    [begin
         io:format("        Handler Config:~n"),
         show_map("            ", Own)
     end || #{config := Own} <- [Config]],
    case maps:without([filter_default, filters, formatter, level, module, id, config], Config) of
        Rest when map_size(Rest) =:= 0 -> ok;
        Rest ->
            io:format("        Custom Config:~n"),
            show_map("            ", Rest)
    end.

show_filters(Indent, []) ->
    io:format("~s(none)~n", [Indent]);
show_filters(Indent, Filters) ->
    [io:format("~sId: ~tp~n~s    Fun: ~tp~n~s    Arg: ~tp~n", [Indent, Id, Indent, Fun, Indent, Arg])
     || {Id, {Fun, Arg}} <- Filters],
    ok.

show_map(Indent, Map) when is_map(Map) ->
    [io:format("~s~tp: ~tp~n", [Indent, Key, Value]) || {Key, Value} <- lists:sort(maps:to_list(Map))],
    ok;
show_map(Indent, Term) ->
    io:format("~s~tp~n", [Indent, Term]).

%%% -------------------------------------------------------------- plain reports

format_otp_report(#{label := _, report := Report}) -> format_report(Report);
format_otp_report(Report) -> format_report(Report).

%% A string stays a string; a list or map shows one entry a line.
format_report(Report) when is_map(Report) ->
    format_report(maps:to_list(Report));
format_report(Report) ->
    try {Report, lists:flatten(Report)} of
        {_, []} -> {"~tp", [[]]};
        {_, Flat} ->
            case io_lib:printable_unicode_list(Flat) of
                true -> {"~ts", [Flat]};
                false -> entries(Report)
            end
    catch
        _:_ -> {"~tp", [Report]}
    end.

entries(Report) ->
    Lines = [case Entry of
                 {Tag, Data} -> {"    ~tp: " ++ data_control(Data), [Tag, Data]};
                 _ -> {"    ~tp", [Entry]}
             end || Entry <- Report],
    {Formats, Args} = lists:unzip(Lines),
    {lists:append(lists:join("\n", Formats)), lists:append(Args)}.

data_control(Data) ->
    try lists:flatten(Data) of
        [] -> "~tp";
        Flat ->
            case io_lib:printable_unicode_list(Flat) of
                true -> "~ts";
                false -> "~tp"
            end
    catch
        _:_ -> "~tp"
    end.

internal_log(Level, Term) when is_atom(Level) ->
    erlang:display_string("Logger - " ++ atom_to_list(Level) ++ ": "),
    erlang:display(Term).

%% The frames above those of Module.
filter_stacktrace(Module, Stack) ->
    lists:takewhile(fun({M, _, _, _}) -> M =/= Module end, Stack).
