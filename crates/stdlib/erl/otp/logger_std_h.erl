%% The standard handler: writes formatted events to standard output, standard
%% error, a process's device, or a file. It has no process and no overload
%% protection; its settings for that are kept and have no effect.
-module(logger_std_h).
-behaviour(logger).

-export([log/2, adding_handler/1, changing_config/3, removing_handler/1, filter_config/1,
         filesync/1]).

-define(OVERLOAD, #{burst_limit_enable => true, burst_limit_max_count => 500,
                    burst_limit_window_time => 1000, drop_mode_qlen => 200, flush_qlen => 1000,
                    overload_kill_enable => false, overload_kill_mem_size => 3000000,
                    overload_kill_qlen => 20000, overload_kill_restart_after => 5000,
                    sync_mode_qlen => 10}).

adding_handler(#{id := Id} = Config) ->
    Own = case maps:get(config, Config, #{}) of
              #{file := _} = C when not is_map_key(type, C) -> C#{type => file};
              C -> C
          end,
    complete(Id, Config, Own).

complete(Id, Config, Own) when is_map(Own) ->
    Known = maps:keys(?OVERLOAD) ++ [type, file, modes, file_check, filesync_repeat_interval,
                                     max_no_bytes, max_no_files, compress_on_rotate],
    case {maps:get(type, Own, standard_io), maps:without(Known, Own)} of
        {Type, Unknown} when map_size(Unknown) =:= 0 ->
            case destination(Type, Id, Own) of
                {ok, Set} ->
                    {ok, Config#{config => maps:merge(?OVERLOAD, maps:merge(Own, Set))}};
                error ->
                    {error, {invalid_config, ?MODULE, #{type => Type}}}
            end;
        {_, Unknown} ->
            {error, {invalid_config, ?MODULE, Unknown}}
    end;
complete(_, _, Own) ->
    {error, {invalid_config, ?MODULE, Own}}.

destination(Type, _, _) when Type =:= standard_io; Type =:= standard_error ->
    {ok, #{type => Type}};
destination({device, Device}, _, _) ->
    {ok, #{type => {device, Device}}};
destination({file, File}, _, Own) ->
    {ok, file_settings(File, Own)};
destination({file, File, Modes}, _, Own) ->
    {ok, (file_settings(File, Own))#{modes => Modes}};
destination(file, Id, Own) ->
    {ok, file_settings(maps:get(file, Own, atom_to_list(Id)), Own)};
destination(_, _, _) ->
    error.

file_settings(File, Own) ->
    Absolute = filename:absname(File),
    maps:merge(#{type => file, file => Absolute, modes => [delayed_write, append, raw], file_check => 0,
                 filesync_repeat_interval => no_repeat, max_no_bytes => infinity, max_no_files => 0,
                 compress_on_rotate => false},
               (maps:without([type], Own))#{file => Absolute}).

changing_config(How, #{config := Old} = OldConfig, #{id := Id} = New) ->
    Own = case How of
              set -> maps:merge(maps:with([type, file, modes], Old), maps:get(config, New, #{}));
              update -> maps:merge(Old, maps:get(config, New, #{}))
          end,
    Fixed = [type, file, modes],
    case complete(Id, New, Own) of
        {ok, #{config := Complete} = Config} ->
            case maps:with(Fixed, Complete) =:= maps:with(Fixed, maps:get(config, OldConfig)) of
                true ->
                    {ok, Config};
                false ->
                    Differs = [K || K <- Fixed, maps:get(K, Old, none) =/= maps:get(K, Complete, none)],
                    {error, {illegal_config_change, ?MODULE, maps:with(Differs, Old),
                             maps:with(Differs, Complete)}}
            end;
        Error ->
            Error
    end.

removing_handler(_) -> ok.

filter_config(Config) -> Config.

filesync(_) -> ok.

log(Event, #{config := #{type := Type} = Own, formatter := {Formatter, FormatterConfig}}) ->
    Text = text(Event, Formatter, FormatterConfig),
    case Type of
        _ when Type =:= standard_io; Type =:= standard_error ->
            erlscope_native:io_write(Type, unicode:characters_to_binary(Text));
        {device, Device} -> io:put_chars(Device, Text);
        file -> file:write_file(maps:get(file, Own), unicode:characters_to_binary(Text), [append])
    end,
    %% In OTP another process writes, and others run meanwhile: the turn of this one ends.
    erlang:bump_reductions(4000),
    ok;
log(Event, Config) ->
    log(Event, Config#{config => #{type => standard_io}}).

%% A formatter that fails must not lose the event.
text(Event, Formatter, Config) ->
    try Formatter:format(Event, Config)
    catch
        Class:Reason:Stack ->
            logger_formatter:format(Event#{msg := {"FORMATTER CRASH: ~tp", [{Class, Reason, Stack}]}},
                                    #{legacy_header => true, single_line => false})
    end.
