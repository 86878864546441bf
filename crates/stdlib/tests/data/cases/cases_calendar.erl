-module(cases_calendar).
-export([cases/0, scripts/0, skipped/0]).

-import(arb, [list/2, elements/1, freq/1, int/2, tuple/1, const/1, compose/2]).

cases() ->
    Year = freq([{3, int(1970, 2100)}, {2, int(0, 3000)}, {1, int(-3, 5)}]),
    Month = freq([{9, int(1, 12)}, {1, int(-1, 14)}]),
    Day = freq([{9, int(1, 28)}, {2, int(28, 31)}, {1, int(-1, 33)}]),
    Date = tuple([Year, Month, Day]),
    Time = tuple([int(0, 23), int(0, 59), int(0, 59)]),
    DateTime = tuple([Date, Time]),
    Recent = tuple([tuple([int(1971, 2037), int(1, 12), int(1, 28)]), Time]),
    Unit = elements([second, millisecond, microsecond, nanosecond, native]),
    Seconds = freq([{3, int(0, 4000000000)}, {1, int(-100000000000, 300000000000)}, {1, int(-100, 100)}]),
    Zone = elements(["Z", "z", "+02:00", "-11:30", "+05", "", "x", 3600, -7200]),
    Options = list(freq([{2, tuple([const(unit), Unit])}, {2, tuple([const(offset), Zone])},
                         {1, tuple([const(time_designator), elements([$\s, $t])])}]), 3),
    Stamp = fun() -> stamp(DateTime(), arb:pick(["Z", "+01:00", "-02:30", "z", "", "+03"])) end,
    [{date_to_gregorian_days, [Date]}, {date_to_gregorian_days, [Year, Month, Day]},
     {datetime_to_gregorian_seconds, [DateTime]}, {day_of_the_week, [Date]}, {day_of_the_week, [Year, Month, Day]},
     {gregorian_days_to_date, [freq([{4, int(0, 1000000)}, {2, int(-3, 900)}])], [{count, 3000}, any_error]},
     {gregorian_seconds_to_datetime, [freq([{4, int(0, 100000000000)}, {1, int(-10, 10)}])], [any_error]},
     {is_leap_year, [Year]}, {iso_week_number, [Date], [{count, 3000}]},
     {last_day_of_the_month, [Year, Month]}, {local_time_to_universal_time, [Recent]},
     {local_time_to_universal_time, [Recent, elements([true, false, undefined])]},
     {local_time_to_universal_time_dst, [Recent]}, {now_to_datetime, [tuple([int(0, 3000), int(0, 999999), int(0, 999999)])]},
     {now_to_local_time, [tuple([int(0, 2000), int(0, 999999), int(0, 999999)])]},
     {now_to_universal_time, [tuple([int(0, 3000), int(0, 999999), int(0, 999999)])]},
     {rfc3339_to_system_time, [Stamp]}, {rfc3339_to_system_time, [Stamp, Options]},
     {seconds_to_daystime, [int(-1000000, 1000000)]}, {seconds_to_time, [int(-5, 90000)]},
     {system_time_to_local_time, [Seconds, Unit], [any_error]}, {system_time_to_rfc3339, [Seconds], [any_error]},
     {system_time_to_rfc3339, [Seconds, Options], [any_error]},
     {system_time_to_universal_time, [Seconds, Unit], [any_error]},
     {time_difference, [DateTime, DateTime]}, {time_to_seconds, [Time]},
     {universal_time_to_local_time, [Recent]}, {valid_date, [Date]}, {valid_date, [Year, Month, Day]}].

stamp({{Y, Mo, D}, {H, Mi, S}}, Zone) ->
    Fraction = arb:pick(["", ".5", ".123456789", ".000"]),
    lists:flatten(io_lib:format("~4..0w-~2..0w-~2..0w~c~2..0w:~2..0w:~2..0w~s~s",
                                [Y, Mo, D, arb:pick("Tt "), H, Mi, S, Fraction, Zone])).

%% The clock.
skipped() -> [{iso_week_number, 0}, {local_time, 0}, {universal_time, 0}].

scripts() ->
    [{"every day of four centuries", 1, fun(Lib) ->
         M = Lib(calendar),
         [begin Date = M:gregorian_days_to_date(N), {Date, M:date_to_gregorian_days(Date)} end
          || N <- lists:seq(0, 146097 + 400)]
     end}].
