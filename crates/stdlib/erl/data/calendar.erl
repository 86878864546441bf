%% calendar: dates and times of the Gregorian calendar, extended back to the year 0.
%%
%% Dates and day numbers are converted by arithmetic on years that begin in March (so that the leap day is
%% the last day of the year) in eras of 400 years; H. Hinnant, "chrono-compatible low-level date algorithms".
-module(calendar).

-export([date_to_gregorian_days/1, date_to_gregorian_days/3, datetime_to_gregorian_seconds/1,
         day_of_the_week/1, day_of_the_week/3, gregorian_days_to_date/1,
         gregorian_seconds_to_datetime/1, is_leap_year/1, iso_week_number/0, iso_week_number/1,
         last_day_of_the_month/2, local_time/0, local_time_to_universal_time/1,
         local_time_to_universal_time/2, local_time_to_universal_time_dst/1, now_to_datetime/1,
         now_to_local_time/1, now_to_universal_time/1, rfc3339_to_system_time/1,
         rfc3339_to_system_time/2, seconds_to_daystime/1, seconds_to_time/1,
         system_time_to_local_time/2, system_time_to_rfc3339/1, system_time_to_rfc3339/2,
         system_time_to_universal_time/2, time_difference/2, time_to_seconds/1, universal_time/0,
         universal_time_to_local_time/1, valid_date/1, valid_date/3]).

-export_type([date/0, datetime/0, datetime1970/0, day/0, hour/0, minute/0, month/0, second/0, time/0,
              year/0]).

-type year() :: non_neg_integer().
-type month() :: 1..12.
-type day() :: 1..31.
-type hour() :: 0..23.
-type minute() :: 0..59.
-type second() :: 0..59.
-type date() :: {year(), month(), day()}.
-type time() :: {hour(), minute(), second()}.
-type datetime() :: {date(), time()}.
-type datetime1970() :: {{1970..10000, month(), day()}, time()}.

-define(SECONDS_PER_DAY, 86400).
-define(DAYS_TO_1970, 719528).
-define(SECONDS_TO_1970, (?DAYS_TO_1970 * ?SECONDS_PER_DAY)).
-define(SECONDS_TO_10000, (2932897 * ?SECONDS_PER_DAY)).

%% ---- dates ----

-spec is_leap_year(year()) -> boolean().
is_leap_year(Year) when is_integer(Year), Year >= 0 ->
    Year rem 4 =:= 0 andalso (Year rem 100 =/= 0 orelse Year rem 400 =:= 0).

-spec last_day_of_the_month(year(), month()) -> 28..31.
last_day_of_the_month(Year, Month) when is_integer(Year), Year >= 0 -> last_day(Year, Month).

last_day(Year, 2) ->
    case is_leap_year(Year) of
        true -> 29;
        false -> 28
    end;
last_day(_Year, Month) when Month =:= 4; Month =:= 6; Month =:= 9; Month =:= 11 -> 30;
last_day(_Year, Month) when is_integer(Month), Month >= 1, Month =< 12 -> 31.

-spec valid_date(date()) -> boolean().
valid_date({Year, Month, Day}) -> valid_date(Year, Month, Day).

-spec valid_date(integer(), integer(), integer()) -> boolean().
valid_date(Year, Month, Day) when is_integer(Year), is_integer(Month), is_integer(Day) ->
    Year >= 0 andalso Month >= 1 andalso Month =< 12 andalso Day >= 1
        andalso Day =< last_day(Year, Month).

-spec date_to_gregorian_days(date()) -> non_neg_integer().
date_to_gregorian_days({Year, Month, Day}) -> date_to_gregorian_days(Year, Month, Day).

-spec date_to_gregorian_days(year(), month(), day()) -> non_neg_integer().
date_to_gregorian_days(Year, Month, Day) when is_integer(Day), Day > 0 ->
    Last = last_day_of_the_month(Year, Month),
    if
        Day =< Last -> days_from_march(Year, Month, Day) + 60
    end.

%% Days since the first of March of the year 0.
days_from_march(Year, Month, Day) when Month > 2 ->
    year_days(Year) + (153 * (Month - 3) + 2) div 5 + Day - 1;
days_from_march(0, Month, Day) -> 31 * (Month - 1) + Day - 1 - 60;
days_from_march(Year, Month, Day) ->
    year_days(Year - 1) + (153 * (Month + 9) + 2) div 5 + Day - 1.

%% Days before the given year, counting years that begin in March.
year_days(Year) -> 365 * Year + Year div 4 - Year div 100 + Year div 400.

-spec gregorian_days_to_date(non_neg_integer()) -> date().
gregorian_days_to_date(Days) when is_integer(Days), Days >= 60 ->
    FromMarch = Days - 60,
    Era = FromMarch div 146097,
    DayOfEra = FromMarch rem 146097,
    YearOfEra = (DayOfEra - DayOfEra div 1460 + DayOfEra div 36524 - DayOfEra div 146096) div 365,
    DayOfYear = DayOfEra - year_days(YearOfEra),
    MonthFromMarch = (5 * DayOfYear + 2) div 153,
    Day = DayOfYear - (153 * MonthFromMarch + 2) div 5 + 1,
    Year = 400 * Era + YearOfEra,
    if
        MonthFromMarch < 10 -> {Year, MonthFromMarch + 3, Day};
        true -> {Year + 1, MonthFromMarch - 9, Day}
    end;
gregorian_days_to_date(Days) when is_integer(Days), Days >= 0 ->
    {0, Days div 31 + 1, Days rem 31 + 1};
gregorian_days_to_date(Days) when is_integer(Days) ->
    erlang:error(function_clause, [Days]);
gregorian_days_to_date(_Days) -> erlang:error(badarith).

%% Monday is 1.
-spec day_of_the_week(date()) -> 1..7.
day_of_the_week({Year, Month, Day}) -> day_of_the_week(Year, Month, Day).

-spec day_of_the_week(year(), month(), day()) -> 1..7.
day_of_the_week(Year, Month, Day) -> (date_to_gregorian_days(Year, Month, Day) + 5) rem 7 + 1.

-spec iso_week_number() -> {year(), 1..53}.
iso_week_number() ->
    {Date, _} = local_time(),
    iso_week_number(Date).

%% A week belongs to the year of its Thursday.
-spec iso_week_number(date()) -> {year(), 1..53}.
iso_week_number({Year, Month, Day}) ->
    Days = date_to_gregorian_days(Year, Month, Day),
    Thursday = Days - (Days + 5) rem 7 + 3,
    if
        Thursday >= 0 ->
            {WeekYear, _, _} = gregorian_days_to_date(Thursday),
            {WeekYear, (Thursday - date_to_gregorian_days(WeekYear, 1, 1)) div 7 + 1};
        true -> last_day_of_the_month(-1, 12) % no such year
    end.

%% ---- times ----

-spec time_to_seconds(time()) -> 0..?SECONDS_PER_DAY.
time_to_seconds({Hour, Minute, Second})
  when is_integer(Hour), is_integer(Minute), is_integer(Second) ->
    (Hour * 60 + Minute) * 60 + Second.

-spec seconds_to_time(0..?SECONDS_PER_DAY) -> time().
seconds_to_time(Seconds) when Seconds >= 0, Seconds < ?SECONDS_PER_DAY ->
    {Seconds div 3600, Seconds div 60 rem 60, Seconds rem 60}.

-spec seconds_to_daystime(integer()) -> {integer(), time()}.
seconds_to_daystime(Seconds) ->
    case Seconds rem ?SECONDS_PER_DAY of
        Rest when Rest < 0 ->
            {Seconds div ?SECONDS_PER_DAY - 1, seconds_to_time(Rest + ?SECONDS_PER_DAY)};
        Rest -> {Seconds div ?SECONDS_PER_DAY, seconds_to_time(Rest)}
    end.

-spec datetime_to_gregorian_seconds(datetime()) -> non_neg_integer().
datetime_to_gregorian_seconds({Date, Time}) ->
    ?SECONDS_PER_DAY * date_to_gregorian_days(Date) + time_to_seconds(Time).

-spec gregorian_seconds_to_datetime(non_neg_integer()) -> datetime().
gregorian_seconds_to_datetime(Seconds) when Seconds >= 0 ->
    {gregorian_days_to_date(Seconds div ?SECONDS_PER_DAY),
     seconds_to_time(Seconds rem ?SECONDS_PER_DAY)}.

-spec time_difference(datetime(), datetime()) -> {integer(), time()}.
time_difference({{_, _, _}, {_, _, _}} = From, {{_, _, _}, {_, _, _}} = To) ->
    seconds_to_daystime(datetime_to_gregorian_seconds(To) - datetime_to_gregorian_seconds(From)).

%% ---- the clock and time zones ----

-spec local_time() -> datetime().
local_time() -> erlang:localtime().

-spec universal_time() -> datetime().
universal_time() -> erlang:universaltime().

-spec local_time_to_universal_time(datetime1970()) -> datetime1970().
local_time_to_universal_time(DateTime) -> erlang:localtime_to_universaltime(DateTime).

-spec local_time_to_universal_time(datetime1970(), true | false | undefined) -> datetime1970().
local_time_to_universal_time(DateTime, IsDst) ->
    erlang:localtime_to_universaltime(DateTime, IsDst).

%% The one or two universal times of a local time; none if the clock skips it.
-spec local_time_to_universal_time_dst(datetime1970()) -> [datetime1970()].
local_time_to_universal_time_dst(DateTime) ->
    Summer = erlang:localtime_to_universaltime(DateTime, true),
    Winter = erlang:localtime_to_universaltime(DateTime, false),
    Candidates = [Summer | [Winter || Winter =/= Summer]],
    [Time || Time <- Candidates, erlang:universaltime_to_localtime(Time) =:= DateTime].

-spec universal_time_to_local_time(datetime()) -> datetime().
universal_time_to_local_time(DateTime) -> erlang:universaltime_to_localtime(DateTime).

-spec now_to_datetime(erlang:timestamp()) -> datetime1970().
now_to_datetime({MegaSeconds, Seconds, _MicroSeconds}) ->
    to_datetime(MegaSeconds * 1000000 + Seconds).

-spec now_to_universal_time(erlang:timestamp()) -> datetime1970().
now_to_universal_time(Now) -> now_to_datetime(Now).

-spec now_to_local_time(erlang:timestamp()) -> datetime1970().
now_to_local_time({_, _, _} = Now) -> erlang:universaltime_to_localtime(now_to_datetime(Now)).

-spec system_time_to_universal_time(integer(), erlang:time_unit()) -> datetime().
system_time_to_universal_time(Time, Unit) ->
    to_datetime(erlang:convert_time_unit(Time, Unit, second)).

-spec system_time_to_local_time(integer(), erlang:time_unit()) -> datetime().
system_time_to_local_time(Time, Unit) ->
    erlang:universaltime_to_localtime(system_time_to_universal_time(Time, Unit)).

to_datetime(SystemSeconds) -> gregorian_seconds_to_datetime(SystemSeconds + ?SECONDS_TO_1970).

%% ---- RFC 3339 ----

-type unit() :: second | millisecond | microsecond | nanosecond | native.

-spec rfc3339_to_system_time(string()) -> integer().
rfc3339_to_system_time(Text) -> rfc3339_to_system_time(Text, []).

-spec rfc3339_to_system_time(string(), [{unit, unit()}]) -> integer().
rfc3339_to_system_time(Text, Options) ->
    Unit = proplists:get_value(unit, Options, second),
    [Y1, Y2, Y3, Y4, $-, Mo1, Mo2, $-, D1, D2, _, H1, H2, $:, Mi1, Mi2, $:, S1, S2 | Rest] = Text,
    Date = {list_to_integer([Y1, Y2, Y3, Y4]), list_to_integer([Mo1, Mo2]), list_to_integer([D1, D2])},
    Time = {list_to_integer([H1, H2]), list_to_integer([Mi1, Mi2]), list_to_integer([S1, S2])},
    {Fraction, Zone} = lists:splitwith(fun(C) -> C =:= $. orelse (C >= $0 andalso C =< $9) end, Rest),
    Local = datetime_to_gregorian_seconds({Date, Time}) - ?SECONDS_TO_1970,
    Seconds = Local - zone_offset(Zone),
    check_range(Seconds, [Text, Options]),
    Units = erlang:convert_time_unit(Seconds, second, Unit),
    case fraction_units(Fraction, Unit) of
        More when Units < 0 -> Units - More;
        More -> Units + More
    end.

fraction_units(_Fraction, second) -> 0;
fraction_units([], _Unit) -> 0;
fraction_units(Fraction, Unit) -> round(per_second(Unit) * list_to_float([$0 | Fraction])).

per_second(second) -> 1;
per_second(millisecond) -> 1000;
per_second(microsecond) -> 1000000;
per_second(nanosecond) -> 1000000000;
per_second(native) -> erlang:convert_time_unit(1, second, native).

zone_offset("Z") -> 0;
zone_offset("z") -> 0;
zone_offset(Zone) ->
    [Sign, H1, H2 | Rest] = Zone,
    Hours = list_to_integer([H1, H2]),
    Minutes = case Rest of
                  [$:, M1, M2] -> list_to_integer([M1, M2]);
                  [] -> 0
              end,
    Seconds = (Hours * 60 + Minutes) * 60,
    case Sign of
        $+ -> Seconds;
        $- -> -Seconds
    end.

check_range(Seconds, _Args) when Seconds >= -?SECONDS_TO_1970, Seconds < ?SECONDS_TO_10000 -> ok;
check_range(_Seconds, Args) -> erlang:error({badarg, Args}).

-spec system_time_to_rfc3339(integer()) -> string().
system_time_to_rfc3339(Time) -> system_time_to_rfc3339(Time, []).

-spec system_time_to_rfc3339(integer(), [Option]) -> string()
              when Option :: {offset, string() | integer()} | {time_designator, byte()}
                           | {unit, unit()}.
system_time_to_rfc3339(Time, Options) ->
    Offset = proplists:get_value(offset, Options, ""),
    case proplists:get_value(unit, Options, second) of
        native ->
            ToMillis = fun(T) -> erlang:convert_time_unit(T, native, millisecond) end,
            MilliOffset = if
                              is_integer(Offset) -> ToMillis(Offset);
                              true -> Offset
                          end,
            to_rfc3339(ToMillis(Time), millisecond, MilliOffset, Options);
        Unit -> to_rfc3339(Time, Unit, Offset, Options)
    end.

to_rfc3339(Time, Unit, Offset, Options) ->
    OffsetSeconds = offset_seconds(Offset, Time, Unit),
    Shifted = Time + erlang:convert_time_unit(OffsetSeconds, second, Unit),
    PerSecond = per_second(Unit),
    Seconds = Shifted div PerSecond,
    check_range(Seconds, [Time, Options]),
    {{Year, Month, Day}, {Hour, Minute, Second}} = to_datetime(Seconds),
    Designator = proplists:get_value(time_designator, Options, $T),
    lists:append([digits(Year, 4), "-", digits(Month, 2), "-", digits(Day, 2), [Designator],
                  digits(Hour, 2), ":", digits(Minute, 2), ":", digits(Second, 2),
                  fraction_text(abs(Shifted rem PerSecond), Unit), offset_text(Offset, OffsetSeconds)]).

offset_seconds("", Time, Unit) ->
    Universal = system_time_to_universal_time(Time, Unit),
    Local = erlang:universaltime_to_localtime(Universal),
    datetime_to_gregorian_seconds(Local) - datetime_to_gregorian_seconds(Universal);
offset_seconds(Zone, _Time, _Unit) when is_list(Zone) -> zone_offset(Zone);
offset_seconds(Offset, _Time, Unit) when is_integer(Offset) ->
    erlang:convert_time_unit(Offset, Unit, second).

offset_text(Offset, Seconds) when Offset =:= ""; is_integer(Offset) ->
    Minutes = abs(Seconds) div 60,
    Sign = if
               Seconds < 0 -> "-";
               true -> "+"
           end,
    Sign ++ digits(Minutes div 60, 2) ++ ":" ++ digits(Minutes rem 60, 2);
offset_text(Zone, _Seconds) -> Zone.

fraction_text(_Fraction, second) -> "";
fraction_text(Fraction, millisecond) -> [$. | digits(Fraction, 3)];
fraction_text(Fraction, microsecond) -> [$. | digits(Fraction, 6)];
fraction_text(Fraction, nanosecond) -> [$. | digits(Fraction, 9)].

digits(N, Width) ->
    Digits = integer_to_list(N),
    lists:duplicate(max(0, Width - length(Digits)), $0) ++ Digits.
