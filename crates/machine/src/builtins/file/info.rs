//! The record `file_info` of `kernel/include/file.hrl`, and the times in it.

use term::{Term, View};

use super::BADARG;
use crate::builtins::data::calendar;
use crate::state::State;
use crate::world::files::{Info, Kind, Result};

/// How times are written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Times {
    Local,
    Universal,
    Posix,
}

/// The option `{time, Times}`.
pub(super) fn times(options: &Term) -> Result<Times> {
    for option in options.elements() {
        if let View::Tuple([key, kind]) = option.view()
            && key.is_atom(term::Atom::new("time"))
        {
            return match kind.as_atom().map(term::Atom::as_str) {
                Some("local") => Ok(Times::Local),
                Some("universal") => Ok(Times::Universal),
                Some("posix") => Ok(Times::Posix),
                _ => Err(BADARG),
            };
        }
    }
    Ok(Times::Local)
}

pub(super) fn record(s: &State, info: &Info, options: &Term) -> Result<Term> {
    let times = times(options)?;
    let time = |seconds: i64| match times {
        Times::Posix => Term::int(seconds),
        Times::Universal => calendar::from_seconds(seconds),
        Times::Local => calendar::from_seconds(seconds + s.host.world.utc_offset(seconds).seconds),
    };
    let kind = match info.kind {
        Kind::Regular => "regular",
        Kind::Directory => "directory",
        Kind::Symlink => "symlink",
        Kind::Device => "device",
        Kind::Other => "other",
    };
    let access = match (info.readable, info.writable) {
        (true, true) => "read_write",
        (true, false) => "read",
        (false, true) => "write",
        (false, false) => "none",
    };
    Ok(Term::tuple([
        Term::atom("file_info"),
        Term::from(info.size),
        Term::atom(kind),
        Term::atom(access),
        time(info.accessed),
        time(info.modified),
        time(info.changed),
        Term::from(info.mode),
        Term::from(info.links),
        Term::from(info.major_device),
        Term::from(info.minor_device),
        Term::from(info.inode),
        Term::from(info.uid),
        Term::from(info.gid),
    ]))
}

/// What `write_file_info` is to change.
pub(super) struct Change {
    pub(crate) mode: Option<u32>,
    pub(crate) uid: Option<u32>,
    pub(crate) gid: Option<u32>,
    pub(crate) accessed: i64,
    pub(crate) modified: i64,
}

/// Reads a record; a time that is not given is now, or the one before it.
pub(super) fn change(s: &State, record: &Term, options: &Term) -> Result<Change> {
    let times = times(options)?;
    let Some(fields) = record.as_tuple().filter(|fields| fields.len() == 14) else {
        return Err(BADARG);
    };
    let number = |field: &Term| -> Result<Option<u32>> {
        match field.view() {
            View::Int(number) => u32::try_from(number).map(Some).map_err(|_| BADARG),
            _ if field.same_word(&Term::UNDEFINED) => Ok(None),
            _ => Err(BADARG),
        }
    };
    let time = |field: &Term, default: i64| -> Result<i64> {
        if field.same_word(&Term::UNDEFINED) {
            return Ok(default);
        }
        match times {
            Times::Posix => field.as_int().ok_or(BADARG),
            Times::Universal => calendar::to_seconds(field).ok_or(BADARG),
            Times::Local => {
                let local = calendar::to_seconds(field).ok_or(BADARG)?;
                Ok(calendar::local_to_utc(&*s.host.world, local, None))
            }
        }
    };
    let now = (s.node.system_time() / 1_000_000_000) as i64;
    let accessed = time(&fields[4], now)?;
    Ok(Change {
        mode: number(&fields[7])?,
        uid: number(&fields[12])?,
        gid: number(&fields[13])?,
        accessed,
        modified: time(&fields[5], accessed)?,
    })
}
