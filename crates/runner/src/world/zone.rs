//! The local time zone, from the files of the time zone database (RFC 8536).
//!
//! `TZ` names the zone (`Europe/Berlin`, `:/path`) or describes it (`CET-1CEST,M3.5.0,M10.5.0/3`);
//! without it, it is the one of `/etc/localtime`. Leap seconds are not counted, as in POSIX.

use std::path::{Path, PathBuf};

use machine::world::UtcOffset;

/// The changes of a zone's offset, in order, and what holds after the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Zone {
    first: UtcOffset,
    changes: Vec<(i64, UtcOffset)>,
    rule: Option<Rule>,
}

/// A zone as POSIX describes it: two offsets and when they change, every year alike.
#[derive(Clone, PartialEq, Debug)]
struct Rule {
    standard: i64,
    summer: Option<Summer>,
}

#[derive(Clone, PartialEq, Debug)]
struct Summer {
    offset: i64,
    start: Change,
    end: Change,
}

/// A day of the year, and the second of that day by the clock that is valid before.
#[derive(Clone, PartialEq, Debug)]
struct Change {
    day: Day,
    second: i64,
}

#[derive(Clone, PartialEq, Debug)]
enum Day {
    /// From 1 to 365, February 29 is not counted.
    Julian(i64),
    /// From 0 to 365.
    Zero(i64),
    /// Month, week (5 is the last), day of the week from Sunday.
    Month(i64, i64, i64),
}

impl Zone {
    pub(super) fn of_environment() -> Zone {
        let database = Path::new("/usr/share/zoneinfo");
        match std::env::var("TZ") {
            Err(_) => Zone::from_file(Path::new("/etc/localtime")).unwrap_or_default(),
            Ok(name) => {
                let path = PathBuf::from(name.strip_prefix(':').unwrap_or(&name));
                let file = Zone::from_file(&database.join(path)).filter(|_| !name.is_empty());
                file.or_else(|| Zone::described(&name)).unwrap_or_default()
            }
        }
    }

    fn from_file(path: &Path) -> Option<Zone> {
        Zone::parse(&std::fs::read(path).ok()?)
    }

    fn described(text: &str) -> Option<Zone> {
        let rule = Rule::parse(text)?;
        let first = UtcOffset { seconds: rule.standard, is_dst: false };
        Some(Zone { first, changes: Vec::new(), rule: Some(rule) })
    }

    pub(super) fn offset(&self, at: i64) -> UtcOffset {
        match (&self.rule, self.changes.last()) {
            (Some(rule), None) => return rule.offset(at),
            (Some(rule), Some((last, _))) if at >= *last => return rule.offset(at),
            _ => {}
        }
        let after = self.changes.partition_point(|(time, _)| *time <= at);
        match after.checked_sub(1) {
            Some(index) => self.changes[index].1,
            None => self.first,
        }
    }

    /// Reads a file: the second part, with 64-bit times, if there is one.
    fn parse(bytes: &[u8]) -> Option<Zone> {
        let version = *bytes.get(4)?;
        let (zone, rest) = part(bytes, 4)?;
        if version < b'2' {
            return Some(zone);
        }
        let (mut zone, rest) = part(rest, 8)?;
        let footer = std::str::from_utf8(rest).ok()?.trim_matches('\n');
        zone.rule = Rule::parse(footer);
        Some(zone)
    }
}

/// Reads one part of a file, whose times are `width` bytes wide; also what comes after it.
fn part(bytes: &[u8], width: usize) -> Option<(Zone, &[u8])> {
    if bytes.get(..4)? != b"TZif" {
        return None;
    }
    let number = |at: usize| -> Option<usize> {
        let bytes = bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    let (utc, standard, leaps) = (number(20)?, number(24)?, number(28)?);
    let (times, types, names) = (number(32)?, number(36)?, number(40)?);
    let sizes = [times * width, times, types * 6, names, leaps * (width + 4), standard, utc];
    let mut rest = bytes.get(44..)?;
    let mut parts = Vec::new();
    for size in sizes {
        let (part, after) = rest.split_at_checked(size)?;
        parts.push(part);
        rest = after;
    }
    let offsets: Vec<UtcOffset> = parts[2]
        .chunks_exact(6)
        .map(|entry| UtcOffset {
            seconds: i64::from(i32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]])),
            is_dst: entry[4] != 0,
        })
        .collect();
    let time = |bytes: &[u8]| match *bytes {
        [a, b, c, d] => i64::from(i32::from_be_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => i64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    };
    let changes = parts[0]
        .chunks_exact(width)
        .zip(parts[1])
        .map(|(at, kind)| Some((time(at), *offsets.get(usize::from(*kind))?)))
        .collect::<Option<Vec<_>>>()?;
    let first = offsets.iter().find(|offset| !offset.is_dst).or(offsets.first());
    Some((Zone { first: first.copied().unwrap_or_default(), changes, rule: None }, rest))
}

// ---- rules -------------------------------------------------------------------------------------

const DAY: i64 = 86_400;

impl Rule {
    fn parse(text: &str) -> Option<Rule> {
        let rest = name(text)?;
        let (offset, rest) = clock(rest)?;
        let standard = -offset;
        if rest.is_empty() {
            return Some(Rule { standard, summer: None });
        }
        let rest = name(rest)?;
        let (offset, rest) = match clock(rest) {
            Some((offset, rest)) => (-offset, rest),
            None => (standard + 3600, rest),
        };
        // What POSIX leaves open is taken as in the United States.
        let rules = if rest.is_empty() { ",M3.2.0,M11.1.0" } else { rest };
        let (start, end) = rules.strip_prefix(',')?.split_once(',')?;
        let summer = Summer { offset, start: Change::parse(start)?, end: Change::parse(end)? };
        Some(Rule { standard, summer: Some(summer) })
    }

    fn offset(&self, at: i64) -> UtcOffset {
        let standard = UtcOffset { seconds: self.standard, is_dst: false };
        let Some(summer) = &self.summer else { return standard };
        let year = year_of((at + self.standard).div_euclid(DAY));
        let start = summer.start.at(year) - self.standard;
        let end = summer.end.at(year) - summer.offset;
        let is_summer = match start < end {
            true => (start..end).contains(&at),
            // The south: summer is at both ends of the year.
            false => !(end..start).contains(&at),
        };
        if is_summer { UtcOffset { seconds: summer.offset, is_dst: true } } else { standard }
    }
}

impl Change {
    fn parse(text: &str) -> Option<Change> {
        let (day, time) = text.split_once('/').unwrap_or((text, "2"));
        let (second, rest) = clock(time)?;
        let day = match day.split_at_checked(1)? {
            ("J", day) => Day::Julian(day.parse().ok()?),
            ("M", parts) => {
                let parts: Vec<i64> =
                    parts.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
                let [month @ 1..=12, week @ 1..=5, day @ 0..=6] = parts[..] else { return None };
                Day::Month(month, week, day)
            }
            _ => Day::Zero(day.parse().ok()?),
        };
        rest.is_empty().then_some(Change { day, second })
    }

    /// Seconds since 1970 by the clock on the wall, in a year.
    fn at(&self, year: i64) -> i64 {
        let first = days_before(year);
        let is_leap = days_before(year + 1) - first == 366;
        let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let day = match self.day {
            Day::Julian(day) => first + day - 1 + i64::from(is_leap && day > 59),
            Day::Zero(day) => first + day,
            Day::Month(month, week, weekday) => {
                let before = lengths.iter().take(month as usize - 1).sum::<i64>();
                let length = lengths[month as usize - 1];
                let start = first + before;
                // January 1, 1970 was a Thursday.
                let first_weekday = (start + 4).rem_euclid(7);
                let first = (weekday - first_weekday).rem_euclid(7);
                let day = first + (week - 1) * 7;
                start + if day >= length { day - 7 } else { day }
            }
        };
        day * DAY + self.second
    }
}

/// Days from 1970 to the start of a year.
fn days_before(year: i64) -> i64 {
    let years = year - 1;
    years * 365 + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400) - 719_162
}

fn year_of(day: i64) -> i64 {
    let guess = 1970 + day.div_euclid(365);
    // The guess is too late by a year for every 365 leap days in between.
    let mut year = guess - (guess - 1970).abs() / 1460 - 1;
    while days_before(year + 1) <= day {
        year += 1;
    }
    while days_before(year) > day {
        year -= 1;
    }
    year
}

/// What comes after the name of a zone.
fn name(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('<') {
        return quoted.split_once('>').map(|(_, rest)| rest);
    }
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    (end >= 3).then(|| &text[end..])
}

/// `[+-]H[:M[:S]]` in seconds, and what comes after it.
fn clock(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|c: char| !matches!(c, '+' | '-' | ':' | '0'..='9')).unwrap_or(text.len());
    let (time, rest) = text.split_at(end);
    let (sign, time) = match time.strip_prefix('-') {
        Some(time) => (-1, time),
        None => (1, time.strip_prefix('+').unwrap_or(time)),
    };
    let mut seconds = 0;
    for (part, unit) in time.split(':').zip([3600, 60, 1]) {
        seconds += part.parse::<i64>().ok().filter(|part| *part <= 167)? * unit;
    }
    Some((sign * seconds, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(zone: &str, at: i64) -> (i64, bool) {
        let offset = Zone::described(zone).unwrap_or_default().offset(at);
        (offset.seconds, offset.is_dst)
    }

    #[test]
    fn rules_of_posix() {
        let berlin = "CET-1CEST,M3.5.0,M10.5.0/3";
        // 2024-03-31 01:00 UTC and 2024-10-27 01:00 UTC.
        assert_eq!(offset(berlin, 1_711_846_799), (3600, false));
        assert_eq!(offset(berlin, 1_711_846_800), (7200, true));
        assert_eq!(offset(berlin, 1_729_990_799), (7200, true));
        assert_eq!(offset(berlin, 1_729_990_800), (3600, false));
        // Southern summer.
        let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3";
        assert_eq!(offset(sydney, 1_704_067_200), (39_600, true));
        assert_eq!(offset(sydney, 1_719_792_000), (36_000, false));
        assert_eq!(offset("UTC0", 0), (0, false));
        assert_eq!(offset("<+0545>-5:45", 0), (20_700, false));
        assert_eq!(Rule::parse("nonsense"), None);
        assert_eq!(Rule::parse("CET-1CEST,M13.5.0,M10.5.0"), None);
    }

    #[test]
    fn years_of_days() {
        for (day, year) in
            [(0, 1970), (-1, 1969), (365, 1971), (-719_162, 1), (19_722, 2023), (19_723, 2024)]
        {
            assert_eq!(year_of(day), year, "day {day}");
        }
    }

    #[test]
    fn broken_files_are_no_zones() {
        assert!(Zone::parse(b"").is_none());
        assert!(Zone::parse(b"TZif2").is_none());
        let mut huge = b"TZif2".to_vec();
        huge.extend([0xFF; 100]);
        assert!(Zone::parse(&huge).is_none());
    }
}
