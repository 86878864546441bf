%% Configuration of logger, and the way of an event: primary filters, then for
%% each handler its level, its filters, its callback.
%%
%% The configuration is one map behind erlscope_native:logger_config/0,2:
%%   primary   level, filters, filter_default, metadata
%%   handlers  [{Id, Config}], the last added first
%%   modules   #{Module => Level}
%%   proxy     kept only to be read again
%% It is read, changed and written back by the caller; two processes that change
%% it at the same time may lose one of the changes (OTP has a server for this).
-module(erlscope_logger).

-export([allow/1, allow/2, severity/1, log/4,
         primary/0, handler/1, handler_ids/0, proxy/0, module_levels/0, default_handler/0,
         add_handler/3, remove_handler/1, add_filter/2, remove_filter/2,
         set_config/3, set_config/4, set_proxy/2, set_module_level/2, unset_module_level/1,
         reconfigure/0, rows/0]).

-define(IN_CALLBACK, '$logger_callback').
-define(IS_STRING(S), (is_list(S) orelse is_binary(S))).
-define(IS_FORMAT(F), (?IS_STRING(F) orelse is_atom(F))).
-define(IS_REPORT(R), (is_map(R) orelse (is_list(R) andalso is_tuple(hd(R))))).

%%% -------------------------------------------------------------------- levels

severity(emergency) -> 0;
severity(alert) -> 1;
severity(critical) -> 2;
severity(error) -> 3;
severity(warning) -> 4;
severity(notice) -> 5;
severity(info) -> 6;
severity(debug) -> 7;
severity(none) -> -1;
severity(all) -> 10;
severity(_) -> bad.

allow(Level) ->
    #{primary := #{level := Limit}} = config(),
    is_within(Level, Limit).

allow(Level, Module) ->
    case config() of
        #{modules := #{Module := Limit}} -> is_within(Level, Limit);
        #{primary := #{level := Limit}} -> is_within(Level, Limit)
    end.

is_within(Level, Limit) ->
    case severity(Level) of
        N when is_integer(N), N >= 0, N =< 7 -> N =< severity(Limit);
        _ -> error(function_clause)
    end.

%%% ------------------------------------------------------------------- stored

config() ->
    case erlscope_native:logger_config() of
        undefined -> default();
        Config -> Config
    end.

store(Config) ->
    erlscope_native:logger_config(Config, rows(Config)),
    ok.

%% The configuration as it is in the table logger.
rows() -> rows(config()).

rows(#{primary := Primary, handlers := Handlers, modules := Modules, proxy := Proxy}) ->
    [{'$proxy_config$', Proxy}, {'$primary_config$', Primary#{handlers => [Id || {Id, _} <- Handlers]}}]
        ++ [{{'$handler_config$', Id}, Handler} || {Id, Handler} <- Handlers]
        ++ [{Module, Level} || {Module, Level} <- maps:to_list(Modules)].

default() ->
    #{primary => default_primary(),
      handlers => [{default, default_handler()}],
      modules => #{},
      proxy => default_proxy()}.

default_primary() ->
    #{level => notice, metadata => #{}, filters => [], filter_default => log}.

%% As the kernel application sets it up.
default_handler() ->
    Config = (default_config(default, logger_std_h))
        #{filter_default => stop,
          filters => [{remote_gl, {fun logger_filters:remote_gl/2, stop}},
                      {domain, {fun logger_filters:domain/2, {log, super, [otp, sasl]}}},
                      {no_domain, {fun logger_filters:domain/2, {log, undefined, []}}}],
          formatter => {logger_formatter, #{legacy_header => true, single_line => false}}},
    {ok, Complete} = logger_std_h:adding_handler(Config),
    Complete.

default_config(Id, Module) ->
    #{id => Id, module => Module, level => all, filters => [], filter_default => log,
      formatter => {logger_formatter, #{}}}.

default_proxy() ->
    #{burst_limit_enable => false, burst_limit_max_count => 500, burst_limit_window_time => 1000,
      drop_mode_qlen => 1000, flush_qlen => 5000, overload_kill_enable => false,
      overload_kill_mem_size => 3000000, overload_kill_qlen => 20000,
      overload_kill_restart_after => 5000, sync_mode_qlen => 500}.

primary() -> maps:get(primary, config()).

handler(Id) ->
    case lists:keyfind(Id, 1, maps:get(handlers, config())) of
        {_, Config} -> {ok, Config};
        false -> {error, {not_found, Id}}
    end.

handler_ids() -> [Id || {Id, _} <- maps:get(handlers, config())].

proxy() -> maps:get(proxy, config()).

module_levels() -> lists:sort(maps:to_list(maps:get(modules, config()))).

put_owner(primary, New) ->
    store((config())#{primary := New});
put_owner(Id, New) ->
    #{handlers := Handlers} = Config = config(),
    store(Config#{handlers := lists:keyreplace(Id, 1, Handlers, {Id, New})}).

owner(primary) -> {ok, primary()};
owner(Id) -> handler(Id).

%%% ------------------------------------------------------------------ changing

add_handler(Id, Module, Config0) ->
    guarded({add_handler, Id, Module, Config0},
            fun() ->
                    check(is_atom(Id), {invalid_id, Id}),
                    check(is_atom(Module), {invalid_module, Module}),
                    check_config(handler, Config0),
                    case handler(Id) of
                        {ok, _} -> {error, {already_exist, Id}};
                        _ -> install(Id, Module, maps:merge(default_config(Id, Module), Config0))
                    end
            end).

install(Id, Module, Config) ->
    case callback(Module, adding_handler, [Config], {ok, Config}) of
        {ok, Complete} ->
            _ = code:ensure_loaded(Module),
            case erlang:function_exported(Module, log, 2) of
                true ->
                    #{handlers := Handlers} = All = config(),
                    store(All#{handlers := [{Id, Complete} | Handlers]});
                false ->
                    {error, {invalid_handler, {function_not_exported, {Module, log, 2}}}}
            end;
        {error, Reason} ->
            {error, {handler_not_added, Reason}}
    end.

remove_handler(Id) ->
    guarded({remove_handler, Id},
            fun() ->
                    case handler(Id) of
                        {ok, #{module := Module} = Config} ->
                            callback(Module, removing_handler, [Config], ok),
                            #{handlers := Handlers} = All = config(),
                            store(All#{handlers := lists:keydelete(Id, 1, Handlers)});
                        Error ->
                            Error
                    end
            end).

add_filter(Owner, {Id, _} = Filter) ->
    guarded({add_filter, Owner, Filter},
            fun() ->
                    check_filters([Filter]),
                    change_filters(Owner,
                                   fun(Filters) ->
                                           check(not lists:keymember(Id, 1, Filters), {already_exist, Id}),
                                           [Filter | Filters]
                                   end)
            end).

remove_filter(Owner, Id) ->
    guarded({remove_filter, Owner, Id},
            fun() ->
                    change_filters(Owner,
                                   fun(Filters) ->
                                           check(lists:keymember(Id, 1, Filters), {not_found, Id}),
                                           lists:keydelete(Id, 1, Filters)
                                   end)
            end).

change_filters(Owner, Change) ->
    case owner(Owner) of
        {ok, #{filters := Filters} = Config} -> put_owner(Owner, Config#{filters := Change(Filters)});
        Error -> Error
    end.

set_config(How, primary, New) ->
    guarded({change_config, How, primary, New},
            fun() ->
                    check_config(primary, New),
                    Base = case How of set -> default_primary(); update -> primary() end,
                    put_owner(primary, maps:merge(Base, New))
            end);
set_config(How, Id, New) ->
    change_handler(How, Id, New,
                   fun(#{module := Module} = Old) ->
                           case How of
                               set -> maps:merge(default_config(Id, Module), New);
                               update -> maps:merge(Old, New)
                           end
                   end).

set_config(Id, How, Key, Value) ->
    change_handler(How, Id, #{Key => Value}, fun(Old) -> Old#{Key => Value} end).

change_handler(How, Id, New, Merge) ->
    guarded({change_config, How, Id, New},
            fun() ->
                    check(is_atom(Id), {invalid_id, Id}),
                    check_config(handler, New),
                    case handler(Id) of
                        {ok, Old} -> changed_handler(How, Id, Old, Merge(Old));
                        Error -> Error
                    end
            end).

changed_handler(How, Id, #{module := Module} = Old, New) ->
    Fixed = [id, module],
    case maps:with(Fixed, Old) =:= maps:with(Fixed, New) of
        true ->
            Changed = case erlang:function_exported(Module, changing_config, 3) of
                          true -> callback(Module, changing_config, [How, Old, New], {ok, New});
                          false -> callback(Module, changing_config, [Old, New], {ok, New})
                      end,
            case Changed of
                {ok, Complete} -> put_owner(Id, Complete);
                Error -> Error
            end;
        false ->
            Differs = [Key || Key <- Fixed, maps:get(Key, Old) =/= maps:get(Key, New, none)],
            {error, {illegal_config_change, maps:with(Differs, Old), maps:with(Differs, New)}}
    end.

set_proxy(How, New) when is_map(New) ->
    Base = case How of set -> default_proxy(); update -> proxy() end,
    store((config())#{proxy := maps:merge(Base, New)});
set_proxy(_, New) ->
    {error, {invalid_config, New}}.

set_module_level(Modules, Level) ->
    guarded({set_module_level, Modules, Level},
            fun() ->
                    check_modules(Modules),
                    check_level(Level),
                    #{modules := Levels} = Config = config(),
                    New = maps:from_list([{Module, Level} || Module <- Modules]),
                    store(Config#{modules := maps:merge(Levels, New)})
            end).

unset_module_level(all) ->
    store((config())#{modules := #{}});
unset_module_level(Modules) ->
    guarded({unset_module_level, Modules},
            fun() ->
                    check_modules(Modules),
                    #{modules := Levels} = Config = config(),
                    store(Config#{modules := maps:without(Modules, Levels)})
            end).

%% Back to what the environment of the kernel application says.
reconfigure() ->
    [remove_handler(Id) || Id <- handler_ids()],
    Env = application:get_env(kernel, logger, []),
    Level = application:get_env(kernel, logger_level, notice),
    Metadata = application:get_env(kernel, logger_metadata, #{}),
    Primary0 = (default_primary())#{level := Level, metadata := Metadata},
    Primary = case lists:keyfind(filters, 1, Env) of
                  {_, Default, Filters} -> Primary0#{filters := Filters, filter_default := Default};
                  false -> Primary0
              end,
    Levels = maps:from_list([{M, L} || {module_level, L, Ms} <- Env, M <- Ms]),
    store((default())#{primary := Primary, modules := Levels, handlers := []}),
    case lists:keymember(default, 2, Env) of
        true -> ok;
        false -> store((config())#{handlers := [{default, default_handler()}]})
    end,
    logger:add_handlers(kernel).

%% Errors of the checks are thrown; a handler's callback must not change the
%% handlers, filters or configurations itself.
guarded(Request, Change) ->
    case get(?IN_CALLBACK) =:= true andalso not lists:member(element(1, Request),
                                                             [set_module_level, unset_module_level]) of
        true -> {error, {attempting_syncronous_call_to_self, Request}};
        false -> try Change() catch throw:{logger, Reason} -> {error, Reason} end
    end.

%% Callbacks run in a process of their own: their failure, their links and their
%% tables are no concern of the caller.
callback(Module, Function, Args, Default) ->
    {Pid, Ref} = spawn_monitor(fun() ->
                                       put(?IN_CALLBACK, true),
                                       exit({?MODULE, run_callback(Module, Function, Args, Default)})
                               end),
    receive
        {'DOWN', Ref, process, Pid, {?MODULE, {error, {callback_crashed, Reason}} = Result}} ->
            internal(error, [{logger, callback_crashed}, {process, logger}, {reason, Reason}]),
            Result;
        {'DOWN', Ref, process, Pid, {?MODULE, Result}} ->
            Result;
        {'DOWN', Ref, process, Pid, Reason} ->
            internal(error, [{logger, process_exited}, {process, Pid}, {reason, Reason}]),
            {error, {logger_process_exited, Pid, Reason}}
    end.

%% What logger has to say about itself. Such an event never leads to another.
internal(Level, Report) ->
    case allow(Level, ?MODULE) of
        true -> log(Level, Report, #{internal_log_event => true},
                    #{mfa => {?MODULE, internal, 2}, file => ?FILE, line => ?LINE});
        false -> ok
    end.

internal(_, #{meta := #{internal_log_event := true}}, _) -> ok;
internal(Level, _, Report) -> internal(Level, Report).

run_callback(Module, Function, Args, Default) ->
    try apply(Module, Function, Args)
    catch
        Class:Reason:Stack ->
            case {Class, Reason, Stack} of
                {error, undef, [{Module, Function, Args, _} | _]} -> Default;
                _ -> {error, crash(Class, Reason, Stack)}
            end
    end.

crash(Class, Reason, Stack) ->
    {callback_crashed, {Class, Reason, logger:filter_stacktrace(?MODULE, Stack)}}.

%%% -------------------------------------------------------------------- checks

check(true, _) -> ok;
check(false, Reason) -> throw({logger, Reason}).

check_level(Level) -> check(severity(Level) =/= bad, {invalid_level, Level}).

check_modules(Modules) ->
    check(is_list(Modules) andalso lists:all(fun is_atom/1, Modules), {not_a_list_of_modules, Modules}).

check_config(Type, Config) ->
    check(is_map(Config), {invalid_config, Config}),
    lists:foreach(fun(Entry) -> check_entry(Type, Entry) end, maps:to_list(Config)).

check_entry(_, {level, Level}) -> check_level(Level);
check_entry(_, {filters, Filters}) -> check_filters(Filters);
check_entry(_, {filter_default, Default}) ->
    check(Default =:= log orelse Default =:= stop, {invalid_filter_default, Default});
check_entry(primary, {metadata, Meta}) when is_map(Meta) -> ok;
check_entry(primary, Entry) -> check(false, {invalid_primary_config, Entry});
check_entry(handler, {formatter, Formatter}) -> check_formatter(Formatter);
check_entry(handler, _) -> ok.

check_filters(Filters) when is_list(Filters) ->
    lists:foreach(fun({Id, {Fun, _}}) when is_atom(Id), is_function(Fun, 2) -> ok;
                     (Filter) -> check(false, {invalid_filter, Filter})
                  end, Filters);
check_filters(Filters) ->
    check(false, {invalid_filters, Filters}).

check_formatter({Module, Config}) ->
    check(is_atom(Module), {invalid_module, Module}),
    try Module:check_config(Config) of
        ok -> ok;
        {error, Reason} -> check(false, Reason)
    catch
        Class:Reason:Stack ->
            case {Class, Reason, Stack} of
                {error, undef, [{Module, check_config, [Config], _} | _]} -> ok;
                _ -> check(false, crash(Class, Reason, Stack))
            end
    end;
check_formatter(Formatter) ->
    check(false, {invalid_formatter, Formatter}).

%%% --------------------------------------------------------------------- events

log(Level, {Fun, Arg} = Call, Meta, Location) when is_function(Fun, 1) ->
    try Fun(Arg) of
        ignore -> ok;
        {Message, #{} = More} -> lazy(Level, Message, maps:merge(Meta, More), Location, Call);
        Message -> lazy(Level, Message, Meta, Location, Call)
    catch
        Class:Reason ->
            log(Level, {"LAZY_FUN CRASH: ~tp; Reason: ~tp", [Call, {Class, Reason}]}, Meta, Location)
    end;
log(Level, Message, Meta, Location) when is_map(Meta) ->
    #{primary := #{metadata := Common, filters := Filters, filter_default := Default},
      handlers := Handlers} = config(),
    Own = case logger:get_process_metadata() of
              undefined -> #{};
              Set -> Set
          end,
    Whole = lists:foldl(fun(More, Acc) -> maps:merge(Acc, More) end, Location, [Common, Own, Meta]),
    Event = #{level => Level, msg => message(Message), meta => logger:add_default_metadata(Whole)},
    case filter(primary, Event, Filters, Default) of
        stop -> ok;
        Passed -> lists:foreach(fun({Id, Config}) -> handle(Id, Passed, Config) end, Handlers)
    end.

lazy(Level, ignore, _, _, _) when is_atom(Level) ->
    ok;
lazy(Level, {Format, Args} = Message, Meta, Location, _) when ?IS_FORMAT(Format), is_list(Args) ->
    log(Level, Message, Meta, Location);
lazy(Level, Message, Meta, Location, _) when ?IS_REPORT(Message); ?IS_STRING(Message) ->
    log(Level, Message, Meta, Location);
lazy(Level, Other, Meta, Location, Call) ->
    log(Level, {"LAZY_FUN ERROR: ~tp; Returned: ~tp", [Call, Other]}, Meta, Location).

message({Format, Args}) when is_atom(Format), is_list(Args) -> {atom_to_list(Format), Args};
message({Format, Args} = Message) when ?IS_STRING(Format), is_list(Args) -> Message;
message(Report) when ?IS_REPORT(Report) -> {report, Report};
message(String) when ?IS_STRING(String) -> {string, String}.

handle(Id, #{level := Level} = Event, #{level := Limit, module := Module, filters := Filters,
                                        filter_default := Default} = Config) ->
    case is_within(Level, Limit) andalso filter(Id, Event, Filters, Default) of
        false -> ok;
        stop -> ok;
        Passed ->
            try
                Module:log(Passed, maps:without([level, filters, filter_default], Config))
            catch
                Class:Reason:Stack ->
                    case remove_handler(Id) of
                        ok ->
                            logger:internal_log(error, {removed_failing_handler, Id}),
                            {callback_crashed, Crash} = crash(Class, Reason, Stack),
                            internal(debug, Passed,
                                     [{logger, removed_failing_handler}, {handler, {Id, Module}},
                                      {log_event, Passed}, {config, Config}, {reason, Crash}]);
                        _ ->
                            ok
                    end
            end
    end.

%% The event as the filters leave it, or stop. Filters that all ignore the
%% event leave the decision to the default.
filter(Owner, Event, Filters, Default) ->
    case filter_all(Owner, Event, Filters, ignored) of
        {ignored, Unchanged} when Default =:= log -> Unchanged;
        {ignored, _} -> stop;
        {taken, Passed} -> Passed;
        stop -> stop
    end.

filter_all(Owner, Event, [{Id, {Fun, Arg}} | Filters], State) ->
    try Fun(Event, Arg) of
        stop -> stop;
        ignore -> filter_all(Owner, Event, Filters, State);
        #{level := Level, msg := _, meta := Meta} = Passed when is_atom(Level), is_map(Meta) ->
            filter_all(Owner, Passed, Filters, taken);
        Bad ->
            drop_filter(Owner, Id, Event, {bad_return_value, Bad}),
            filter_all(Owner, Event, Filters, State)
    catch
        Class:Reason:Stack ->
            {callback_crashed, Crash} = crash(Class, Reason, Stack),
            drop_filter(Owner, Id, Event, Crash),
            filter_all(Owner, Event, Filters, State)
    end;
filter_all(_, Event, [], State) ->
    {State, Event}.

drop_filter(Owner, Id, Event, Reason) ->
    case remove_filter(Owner, Id) of
        ok ->
            logger:internal_log(error, {removed_failing_filter, Id}),
            internal(debug, Event, [{logger, removed_failing_filter}, {filter, Id}, {owner, Owner},
                                    {log_event, Event}, {reason, Reason}]);
        _ ->
            ok
    end.
