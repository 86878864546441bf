-module(dates).
%% Whether there is such a day.
-export([main/3]).
-spec main(integer(), integer(), integer()) -> atom().
main(Y, M, D) when Y >= 1583, Y =< 9999, M >= 1, M =< 12, D >= 1 -> day(M, D, is_leap(Y));
main(_, _, _) -> out_of_range.

is_leap(Y) when Y rem 400 =:= 0 -> true;
is_leap(Y) when Y rem 100 =:= 0 -> false;
is_leap(Y) -> Y rem 4 =:= 0.

day(2, 29, true) -> leap_day;
day(2, 29, false) -> no_leap_day;
day(2, D, _) when D > 29 -> none;
day(M, D, _) when D =< 30, (M =:= 4 orelse M =:= 6 orelse M =:= 9 orelse M =:= 11) -> short;
day(12, 31, _) -> new_years_eve;
day(_, D, _) when D =< 31 -> long;
day(_, _, _) -> none.
