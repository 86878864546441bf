//! Dates and times: conversions between calendars and units, and what day it is.
//!
//! Which time zone is local says the World.

use term::{Term, arith, order};

use super::{Builtin, Fallible, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};
use crate::world::World;

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "date"/0 => |cx, _| part_of_now(cx, 0),
    "time"/0 => |cx, _| part_of_now(cx, 1),
    "localtime"/0 => |cx, _| Ok(from_seconds(local_now(cx))),
    "universaltime"/0 => |cx, _| Ok(from_seconds(now(cx))),
    "localtime_to_universaltime"/1 => |cx, a| to_universal(cx, &a[0], None),
    "localtime_to_universaltime"/2 => localtime_to_universaltime,
    "universaltime_to_localtime"/1 => universaltime_to_localtime,
    "universaltime_to_posixtime"/1 => universaltime_to_posixtime,
    "posixtime_to_universaltime"/1 => posixtime_to_universaltime,
    "convert_time_unit"/3 => convert_time_unit,
);

struct DateTime {
    date: [i64; 3],
    time: [i64; 3],
}

fn triple(term: &Term) -> Option<[i64; 3]> {
    match term.as_tuple()? {
        [a, b, c] => Some([a.as_int()?, b.as_int()?, c.as_int()?]),
        _ => None,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && year % 100 != 0 || year % 400 == 0
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// A `{{Year, Month, Day}, {Hour, Minute, Second}}` that exists.
fn date_time(term: &Term) -> Fallible<DateTime> {
    let Some([date, time]) = term.as_tuple() else { return Err(bad()) };
    let date = triple(date).ok_or_else(bad)?;
    let time = triple(time).ok_or_else(bad)?;
    let ([year, month, day], [hour, minute, second]) = (date, time);
    let exists = year >= 1600
        && (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..60).contains(&second);
    if exists { Ok(DateTime { date, time }) } else { Err(bad()) }
}

/// Seconds since 1970.
fn now(cx: &Ctx<'_>) -> i64 {
    (cx.s.node.system_time() / 1_000_000_000) as i64
}

fn local_now(cx: &Ctx<'_>) -> i64 {
    let now = now(cx);
    now + cx.s.host.world.utc_offset(now).seconds
}

fn part_of_now(cx: &mut Ctx<'_>, part: usize) -> Return {
    let now = from_seconds(local_now(cx));
    Ok(now.as_tuple().map_or(Term::NIL, |parts| parts[part].clone()))
}

fn localtime_to_universaltime(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let is_dst = args[1].as_bool();
    if is_dst.is_none() && !args[1].same_word(&Term::UNDEFINED) {
        return Err(bad());
    }
    to_universal(cx, &args[0], is_dst)
}

fn to_universal(cx: &mut Ctx<'_>, local: &Term, is_dst: Option<bool>) -> Return {
    let local = local_time(local)?.seconds();
    Ok(from_seconds(local_to_utc(&*cx.s.host.world, local, is_dst)))
}

fn universaltime_to_localtime(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let utc = local_time(&args[0])?.seconds();
    Ok(from_seconds(utc + cx.s.host.world.utc_offset(utc).seconds))
}

/// When it was what the clock on the wall shows. Where the clock shows a time twice, the first is
/// meant, or the one with or without summer time, if that is said. Where it skips a time, the clock
/// is taken to have gone on.
pub(in crate::builtins) fn local_to_utc(
    world: &dyn World,
    local: i64,
    is_dst: Option<bool>,
) -> i64 {
    let before = world.utc_offset(local - DAY);
    let after = world.utc_offset(local + DAY);
    let meant = |offset: &&crate::world::UtcOffset| {
        let there = world.utc_offset(local - offset.seconds);
        there.seconds == offset.seconds && is_dst.is_none_or(|is_dst| is_dst == there.is_dst)
    };
    match [before, after].iter().find(meant) {
        Some(offset) => local - offset.seconds,
        None => {
            // Summer time, asked for where there is none, is taken for an hour ahead.
            let offset = world.utc_offset(local - before.seconds);
            let hour = match is_dst {
                Some(true) if !offset.is_dst => 3600,
                Some(false) if offset.is_dst => -3600,
                _ => 0,
            };
            local - before.seconds.min(offset.seconds) - hour
        }
    }
}

/// Seconds since 1970 of a date and time that exists.
pub(in crate::builtins) fn to_seconds(term: &Term) -> Option<i64> {
    date_time(term).ok().map(|time| time.seconds())
}

/// A date and time that the C library knows as local time.
fn local_time(term: &Term) -> Fallible<DateTime> {
    date_time(term).and_then(|time| if time.date[0] >= 1902 { Ok(time) } else { Err(bad()) })
}

/// Days from 1970-01-01 to a day, by counting years from a March before all of them.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month > 2 { year } else { year - 1 };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn date(days: i64) -> [i64; 3] {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [era * 400 + year_of_era + carry, month, day]
}

const DAY: i64 = 86_400;

fn universaltime_to_posixtime(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::int(date_time(&args[0])?.seconds()))
}

fn posixtime_to_universaltime(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let seconds = arith::to_bigint(&args[0]).and_then(|seconds| i64::try_from(seconds).ok());
    Ok(from_seconds(seconds.ok_or_else(bad)?))
}

impl DateTime {
    /// Since 1970.
    fn seconds(&self) -> i64 {
        let DateTime { date: [year, month, day], time: [hour, minute, second] } = *self;
        days(year, month, day) * DAY + hour * 3600 + minute * 60 + second
    }
}

pub(in crate::builtins) fn from_seconds(seconds: i64) -> Term {
    let of_day = seconds.rem_euclid(DAY);
    let date = date(seconds.div_euclid(DAY)).map(Term::int);
    let time = [of_day / 3600, of_day / 60 % 60, of_day % 60].map(Term::int);
    Term::tuple([Term::tuple(date), Term::tuple(time)])
}

/// How many of a unit are in a second.
fn per_second(unit: &Term) -> Fallible<Term> {
    if unit.is_integer() && order::compare(unit, &Term::int(0)).is_gt() {
        return Ok(unit.clone());
    }
    Ok(Term::int(match unit.as_atom().map(atom::Atom::as_str) {
        Some("second" | "seconds") => 1,
        Some("millisecond" | "milli_seconds") => 1_000,
        Some("microsecond" | "micro_seconds") => 1_000_000,
        Some("nanosecond" | "nano_seconds" | "native" | "perf_counter") => 1_000_000_000,
        _ => return Err(bad()),
    }))
}

fn convert_time_unit(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let from = per_second(&args[1])?;
    let to = per_second(&args[2])?;
    if !args[0].is_integer() {
        return Err(bad());
    }
    let scaled = arith::mul(&args[0], &to).map_err(|_| bad())?;
    // Division rounds down.
    let scaled = if arith::is_negative(&scaled) {
        arith::sub(&scaled, &from).and_then(|scaled| arith::add(&scaled, &Term::int(1)))
    } else {
        Ok(scaled)
    };
    scaled.and_then(|scaled| arith::int_div(&scaled, &from)).map_err(|_| bad())
}
