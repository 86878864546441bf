%% The standard formatter of logger: a template of texts and metadata keys, with
%% the message limited in depth and size, on one line or many.
-module(logger_formatter).

-export([format/2, check_config/1]).

-export_type([config/0, template/0]).

-type config() :: map().
-type template() :: [term()].

-define(IS_KEY(K), (is_atom(K) orelse (is_list(K) andalso is_atom(hd(K))))).

%%% --------------------------------------------------------------------- format

format(#{level := Level, msg := Message, meta := Meta0}, Config0) when is_map(Config0) ->
    Config = complete(Config0),
    Meta = with_header(Level, Meta0, Config),
    #{template := Template, max_size := MaxSize, single_line := Single} = Config,
    {Before, Rest} = lists:splitwith(fun(Part) -> Part =/= msg end, Template),
    Head = parts(Before, Level, Meta, Config),
    {Text, Tail} =
        case Rest of
            [msg | After] ->
                T = parts(After, Level, Meta, Config),
                {message(Message, Meta, remaining(Config, [Head, T])), T};
            [] ->
                {"", ""}
        end,
    Shown = case Single of
                true when Text =/= "" -> on_one_line(Text);
                _ -> Text
            end,
    limit_size([Head, Shown, Tail], MaxSize).

remaining(#{chars_limit := unlimited} = Config, _) -> Config;
remaining(#{chars_limit := Limit} = Config, Around) ->
    Config#{chars_limit := max(0, Limit - io_lib:chars_length(Around))}.

on_one_line(Text) ->
    Trimmed = string:trim(unicode:characters_to_list(Text), both, " \r\n"),
    join_lines(Trimmed).

%% A line break, with a comma before it and blanks after it, becomes ", ".
join_lines([$,, $\r, $\n | Rest]) -> ", " ++ join_lines(skip_blanks(Rest));
join_lines([$,, $\n | Rest]) -> ", " ++ join_lines(skip_blanks(Rest));
join_lines([$\r, $\n | Rest]) -> ", " ++ join_lines(skip_blanks(Rest));
join_lines([$\n | Rest]) -> ", " ++ join_lines(skip_blanks(Rest));
join_lines([Char | Rest]) -> [Char | join_lines(Rest)];
join_lines([]) -> [].

skip_blanks([Char | Rest]) when Char =:= $\s; Char =:= $\t; Char =:= $\n; Char =:= $\r;
                                Char =:= $\v; Char =:= $\f -> skip_blanks(Rest);
skip_blanks(Rest) -> Rest.

limit_size(Text, unlimited) ->
    Text;
limit_size(Text, Size) ->
    case io_lib:chars_length(Text) > Size of
        false ->
            Text;
        true ->
            Flat = unicode:characters_to_list(Text),
            Dots = case lists:last(Flat) of $\n -> "...\n"; _ -> "..." end,
            lists:sublist(Flat, Size - length(Dots)) ++ Dots
    end.

%%% ------------------------------------------------------------------- template

parts(Template, Level, Meta, Config) ->
    [part(Part, Level, Meta, Config) || Part <- Template].

part(level, Level, _, Config) ->
    value_text(level, Level, Config);
part({Key, Present, Absent}, Level, Meta, Config) ->
    case find(Key, Meta) of
        {ok, Value} -> parts(Present, Level, Meta#{Key => Value}, Config);
        error -> parts(Absent, Level, Meta, Config)
    end;
part(Key, _, Meta, Config) when ?IS_KEY(Key) ->
    case find(Key, Meta) of
        {ok, Value} -> value_text(Key, Value, Config);
        error -> ""
    end;
part(Text, _, _, _) ->
    Text.

%% A list of keys leads into nested maps.
find(Key, Meta) when is_map_key(Key, Meta) -> maps:find(Key, Meta);
find([Key | Keys], Meta) when is_map_key(Key, Meta) -> find(Keys, maps:get(Key, Meta));
find([], Value) -> {ok, Value};
find(_, _) -> error.

value_text(time, Time, #{time_offset := Offset, time_designator := Designator}) when is_integer(Time) ->
    calendar:system_time_to_rfc3339(Time, [{unit, microsecond}, {offset, Offset},
                                           {time_designator, Designator}]);
value_text(mfa, {M, F, A}, _) when is_atom(M), is_atom(F), is_integer(A) ->
    io_lib:fwrite("~tw:~tw/~w", [M, F, A]);
value_text(mfa, {M, F, A}, Config) when is_atom(M), is_atom(F), is_list(A) ->
    value_text(mfa, {M, F, length(A)}, Config);
value_text(_, Value, _) when is_atom(Value) -> atom_to_list(Value);
value_text(_, Value, _) when is_integer(Value) -> integer_to_list(Value);
value_text(_, Value, _) when is_pid(Value) -> pid_to_list(Value);
value_text(_, Value, _) when is_reference(Value) -> ref_to_list(Value);
value_text(_, Value, Config) ->
    case is_list(Value) andalso Value =/= [] andalso io_lib:printable_list(lists:flatten(Value)) of
        true -> Value;
        false -> io_lib:format(control(Config), [Value])
    end.

control(#{single_line := true}) -> "~0tp";
control(_) -> "~tp".

%%% -------------------------------------------------------------------- message

message({string, Text}, Meta, Config) ->
    message({"~ts", [Text]}, Meta, Config);
message({report, Report}, Meta, #{report_cb := Fun} = Config) ->
    report(Fun, Report, Meta, maps:remove(report_cb, Config));
message({report, Report}, #{report_cb := Fun} = Meta, Config)
  when is_function(Fun, 1); is_function(Fun, 2) ->
    report(Fun, Report, Meta, Config);
message({report, Report}, Meta, Config) ->
    report(fun logger:format_report/1, Report, Meta, Config);
message({Format, Args}, _, #{depth := Depth, chars_limit := Limit, single_line := Single} = Config) ->
    Options = case Limit of unlimited -> []; _ -> [{chars_limit, Limit}] end,
    try
        io_lib:build_text(limited(io_lib:scan_format(Format, Args), Depth, Single), Options)
    catch
        _:_ ->
            P = control(Config),
            io_lib:format("FORMAT ERROR: " ++ P ++ " - " ++ P, [Format, Args], Options)
    end.

report(Fun, Report, Meta, Config) when is_function(Fun, 1) ->
    try Fun(Report) of
        {Format, Args} when is_list(Format), is_list(Args) -> message({Format, Args}, Meta, Config);
        Other -> bad_report("REPORT_CB/1 ERROR: ", Report, "; Returned: ", Other, Meta, Config)
    catch
        Class:Reason:Stack ->
            bad_report("REPORT_CB/1 CRASH: ", Report, "; Reason: ", crash(Class, Reason, Stack), Meta, Config)
    end;
report(Fun, Report, Meta, Config) when is_function(Fun, 2) ->
    try Fun(Report, maps:with([depth, chars_limit, single_line], Config)) of
        Text when is_list(Text); is_binary(Text) ->
            case catch unicode:characters_to_list(Text) of
                List when is_list(List) -> List;
                _ -> bad_report("REPORT_CB/2 ERROR: ", Report, "; Returned: ", Text, Meta, Config)
            end;
        Other ->
            bad_report("REPORT_CB/2 ERROR: ", Report, "; Returned: ", Other, Meta, Config)
    catch
        Class:Reason:Stack ->
            bad_report("REPORT_CB/2 CRASH: ", Report, "; Reason: ", crash(Class, Reason, Stack), Meta, Config)
    end.

crash(Class, Reason, Stack) ->
    {Class, Reason, logger:filter_stacktrace(?MODULE, Stack)}.

bad_report(What, Report, How, Term, Meta, Config) ->
    P = control(Config),
    message({What ++ P ++ How ++ P, [Report, Term]}, Meta, Config).

%% Depth turns ~p and ~w into ~P and ~W; one line needs width zero for ~p.
limited(Format, unlimited, false) -> Format;
limited(Format, Depth, Single) -> [limited_control(Part, Depth, Single) || Part <- Format].

limited_control(#{control_char := $p} = Control, Depth, true) -> deep(Control#{width => 0}, Depth);
limited_control(#{control_char := $P} = Control, _, true) -> Control#{width => 0};
limited_control(#{control_char := C} = Control, Depth, _) when C =:= $p; C =:= $w -> deep(Control, Depth);
limited_control(Part, _, _) -> Part.

deep(Control, unlimited) -> Control;
deep(#{control_char := C, args := Args} = Control, Depth) ->
    Control#{control_char := C - $a + $A, args := Args ++ [Depth]}.

%%% -------------------------------------------------------- header of old style

with_header(Level, #{time := Time} = Meta, #{legacy_header := true} = Config) ->
    Own = maps:get(?MODULE, Meta, #{}),
    Title = case Own of
                #{title := T} -> T;
                _ ->
                    Shown = case Level =:= notice andalso is_map_key(error_logger, Meta) of
                                true -> maps:get(error_logger_notice_header, Config);
                                false -> Level
                            end,
                    string:uppercase(atom_to_list(Shown)) ++ " REPORT"
            end,
    {{{Year, Month, Day}, {Hour, Minute, Second}}, Zone} = date_time(Time div 1000000, Config),
    Header = io_lib:format("=~ts==== ~w-~s-~4w::~2..0w:~2..0w:~2..0w.~6..0w ~s===",
                           [Title, Day, month(Month), Year, Hour, Minute, Second,
                            Time rem 1000000, Zone]),
    Meta#{?MODULE => Own#{title => Title, header => Header}};
with_header(_, Meta, _) ->
    Meta.

date_time(Seconds, #{time_offset := Offset}) ->
    Universal = erlang:posixtime_to_universaltime(Seconds),
    case is_utc(Offset) of
        true -> {Universal, "UTC "};
        false -> {erlang:universaltime_to_localtime(Universal), ""}
    end.

is_utc(0) -> true;
is_utc("z") -> true;
is_utc("Z") -> true;
is_utc([$+ | Zone]) -> io_lib:fread("~d:~d", Zone) =:= {ok, [0, 0], []};
is_utc(_) -> false.

month(N) ->
    element(N, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}).

%%% -------------------------------------------------------------- configuration

complete(Config0) ->
    Config = maps:merge(#{chars_limit => unlimited, error_logger_notice_header => info,
                          legacy_header => false, single_line => true, time_designator => $T,
                          max_size => unlimited}, Config0),
    Depth = case Config of
                #{depth := D} when is_integer(D) -> max(5, D);
                #{depth := D} -> D;
                _ -> error_logger:get_format_depth()
            end,
    Size = case Config of
               #{max_size := S} when is_integer(S) -> max(10, S);
               #{max_size := S} -> S
           end,
    Offset = case Config of
                 #{time_offset := O} -> O;
                 _ -> case utc_log() of true -> "Z"; false -> "" end
             end,
    Template = case Config of
                   #{template := T} -> T;
                   #{legacy_header := true} -> [[?MODULE, header], "\n", msg, "\n"];
                   #{single_line := true} -> [time, " ", level, ": ", msg, "\n"];
                   _ -> [time, " ", level, ":\n", msg, "\n"]
               end,
    Config#{depth => Depth, max_size => Size, time_offset => Offset, template => Template}.

utc_log() ->
    case application:get_env(sasl, utc_log) of
        {ok, Sasl} when is_boolean(Sasl) -> Sasl;
        _ -> application:get_env(stdlib, utc_log) =:= {ok, true}
    end.

check_config(Config) when is_map(Config) ->
    case lists:dropwhile(fun is_valid/1, maps:to_list(Config)) of
        [] -> ok;
        [{template, Template} | _] -> {error, {invalid_formatter_template, ?MODULE, Template}};
        [Entry | _] -> {error, {invalid_formatter_config, ?MODULE, Entry}}
    end;
check_config(Config) ->
    {error, {invalid_formatter_config, ?MODULE, Config}}.

is_valid({Key, Limit}) when Key =:= chars_limit; Key =:= depth; Key =:= max_size ->
    Limit =:= unlimited orelse (is_integer(Limit) andalso Limit > 0);
is_valid({Key, Value}) when Key =:= single_line; Key =:= legacy_header -> is_boolean(Value);
is_valid({error_logger_notice_header, Value}) -> Value =:= info orelse Value =:= notice;
is_valid({report_cb, Fun}) -> is_function(Fun, 1) orelse is_function(Fun, 2);
is_valid({template, Template}) -> is_template(Template);
is_valid({time_offset, Offset}) -> is_offset(Offset);
is_valid({time_designator, Char}) ->
    is_integer(Char) andalso Char >= 0 andalso Char =< 255 andalso io_lib:printable_latin1_list([Char]);
is_valid(_) -> false.

is_template([]) -> true;
is_template([Part | Parts]) -> is_template_part(Part) andalso is_template(Parts);
is_template(_) -> false.

is_template_part(Key) when is_atom(Key) -> true;
is_template_part({Key, Present, Absent}) when ?IS_KEY(Key) -> is_template(Present) andalso is_template(Absent);
is_template_part(Key) when is_list(Key), is_atom(hd(Key)) -> lists:all(fun is_atom/1, Key);
is_template_part(Text) when is_list(Text) -> io_lib:printable_unicode_list(Text);
is_template_part(Text) when is_binary(Text) ->
    case unicode:characters_to_list(Text) of
        List when is_list(List) -> io_lib:printable_unicode_list(List);
        _ -> false
    end;
is_template_part(_) -> false.

is_offset(Offset) when is_integer(Offset) -> true;
is_offset("") -> true;
is_offset("z") -> true;
is_offset("Z") -> true;
is_offset([Sign | Zone]) when Sign =:= $+; Sign =:= $- ->
    try io_lib:fread("~d:~d", Zone) of
        {ok, [_, _], []} -> true;
        _ -> false
    catch
        _:_ -> false
    end;
is_offset(_) -> false.
