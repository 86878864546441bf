//! Open files: `{file_descriptor, prim_file, #{handle := Reference, owner := Process, ...}}`.
//!
//! Reading ahead and delayed writing are accepted and change nothing: both only save calls.

use term::{Map, Ref, Term, View};

use super::{BADARG, done, error, info, name, ok, value};
use crate::builtins::data::iolist;
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Control, Ctx, Return, builtins};
use crate::exception::Exception;
use crate::footprint::touches;
use crate::outside::Opened;
use crate::world::files::{How, Posix, Result};

pub(in crate::builtins) const TABLE: &[Builtin] = builtins!(
    PRIM_FILE, visible(touches::write_world);
    "open"/2 => open,
    "close"/1 => close,
    "read"/2 => read,
    "read_line"/1 => read_line,
    "write"/2 => write,
    "position"/2 => position,
    "pread"/2 => pread_list,
    "pread"/3 => pread,
    "pwrite"/2 => pwrite_list,
    "pwrite"/3 => pwrite,
    "truncate"/1 => truncate,
    "sync"/1 => |cx, a| with(cx, &a[0], |cx, handle| Ok(done(cx.s.files().sync(handle)))),
    "datasync"/1 => |cx, a| with(cx, &a[0], |cx, handle| Ok(done(cx.s.files().sync(handle)))),
    "advise"/4 => advise,
    "allocate"/3 => allocate,
    "read_handle_info"/1 => |cx, a| read_info(cx, &a[0], &Term::NIL),
    "read_handle_info"/2 => |cx, a| read_info(cx, &a[0], &a[1]),
);

/// The most that is read at once: a number that a program makes up must not take all memory.
const MAX_READ: usize = 1 << 31;

/// How modes say that a file is to be opened, whether it is in memory only, and whether lists are
/// read.
fn modes(term: &Term) -> std::result::Result<(How, bool, bool), Option<Control>> {
    let modes = term.to_vec().ok_or(None)?;
    let mut how = How::default();
    let (mut ram, mut lists) = (false, false);
    for mode in &modes {
        match mode.as_atom().map(term::Atom::as_str) {
            Some("read") => how.read = true,
            Some("write") => how.write = true,
            Some("append") => how.append = true,
            Some("exclusive") => how.exclusive = true,
            Some("directory") => how.directory = true,
            Some("ram") => ram = true,
            Some("$lists") => lists = true,
            Some("compressed" | "compressed_one") => {
                let what = "file:open/2 with the mode compressed";
                return Err(Some(Control::Unsupported(what.to_owned())));
            }
            // What does not concern the file itself is read by the library.
            _ => {}
        }
    }
    if how.append || how.exclusive {
        how.write = true;
    } else if !how.write {
        how.read = true;
    }
    Ok((how, ram, lists))
}

fn open(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (how, ram, lists) = match modes(&args[1]) {
        Ok(modes) => modes,
        Err(Some(control)) => return Err(control.into()),
        Err(None) => return Ok(error("badarg")),
    };
    let owner = cx.p.pid;
    let handle = cx.s.new_ref();
    if ram {
        let Some(bytes) = iolist::bytes(&args[0]) else { return Ok(error("badarg")) };
        // Such files can always be read, and start with what they were given.
        let how = How { read: true, ..how };
        cx.s.files().open_nameless(bytes, Opened::nameless(owner, how, lists), handle);
    } else {
        let opened =
            name(&args[0]).and_then(|path| cx.s.files().open(&path, how, owner, handle, lists));
        if let Err(Posix(reason)) = opened {
            return Ok(error(reason));
        }
    }
    let data = Map::from_iter([
        (Term::atom("handle"), Term::from(handle)),
        (Term::atom("owner"), Term::from(owner)),
        (Term::atom("r_ahead_size"), Term::int(0)),
    ]);
    let descriptor = [Term::atom("file_descriptor"), Term::atom("prim_file"), Term::map(data)];
    Ok(ok(Term::tuple(descriptor)))
}

/// How many calls an operation on a file counts as, for those who look at the clock: a microsecond.
const OPERATION: u32 = 100;

/// Does something with an open file, if the caller may.
fn with(
    cx: &mut Ctx<'_>,
    descriptor: &Term,
    action: impl FnOnce(&mut Ctx<'_>, Ref) -> Result<Term>,
) -> Return {
    cx.s.node.turn.charge(OPERATION);
    let data = match descriptor.as_tuple() {
        Some([_, _, data]) => data.as_map(),
        _ => None,
    };
    let handle = data.and_then(|data| data.get(&Term::atom("handle"))).and_then(Term::as_ref);
    let owner = data.and_then(|data| data.get(&Term::atom("owner"))).and_then(Term::as_pid);
    let (Some(handle), Some(owner)) = (handle, owner) else { return Ok(error("badarg")) };
    if owner != cx.p.pid {
        return Err(Exception::atom(term::Atom::new("not_on_controlling_process")).into());
    }
    Ok(action(cx, handle).unwrap_or_else(|Posix(reason)| error(reason)))
}

fn opened<'a>(cx: &'a mut Ctx<'_>, handle: Ref) -> Result<&'a mut Opened> {
    cx.s.host.outside.opened_mut(handle).ok_or(Posix("einval"))
}

fn close(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        if cx.s.host.outside.close(handle) { Ok(Term::OK) } else { Err(Posix("einval")) }
    })
}

fn natural(term: &Term) -> Result<u64> {
    term.as_int().and_then(|number| u64::try_from(number).ok()).ok_or(BADARG)
}

/// Bytes as the file's reader wants them.
fn data(lists: bool, bytes: Vec<u8>) -> Term {
    if lists {
        Term::list(bytes.iter().map(|&byte| Term::from(u32::from(byte))))
    } else {
        Term::binary(bytes)
    }
}

/// Reads from a place. The file must be open for reading.
fn bytes_at(cx: &mut Ctx<'_>, handle: Ref, at: u64, len: u64) -> Result<Vec<u8>> {
    if !opened(cx, handle)?.how.read {
        return Err(Posix("ebadf"));
    }
    cx.s.files().read_at(handle, at, usize::try_from(len).unwrap_or(MAX_READ).min(MAX_READ))
}

/// `{ok, Data}`; `eof` if there is nothing although something was wanted.
fn read_result(lists: bool, wanted: u64, bytes: Vec<u8>) -> Term {
    if bytes.is_empty() && wanted > 0 { Term::atom("eof") } else { ok(data(lists, bytes)) }
}

fn read(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let wanted = natural(&args[1])?;
        let (at, lists) = opened(cx, handle).map(|file| (file.position, file.lists))?;
        let bytes = bytes_at(cx, handle, at, wanted)?;
        opened(cx, handle)?.position += bytes.len() as u64;
        Ok(read_result(lists, wanted, bytes))
    })
}

/// Up to and with the next line break, before which a carriage return is dropped.
fn read_line(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    const BLOCK: u64 = 4096;
    with(cx, &args[0], |cx, handle| {
        let (at, lists) = opened(cx, handle).map(|file| (file.position, file.lists))?;
        let mut line: Vec<u8> = Vec::new();
        let mut searched = 0;
        loop {
            if let Some(end) = memchr::memchr(b'\n', &line[searched..]) {
                line.truncate(searched + end + 1);
                break;
            }
            searched = line.len();
            let more = bytes_at(cx, handle, at + searched as u64, BLOCK.max(searched as u64))?;
            if more.is_empty() {
                break;
            }
            line.extend(more);
        }
        opened(cx, handle)?.position = at + line.len() as u64;
        if line.ends_with(b"\r\n") {
            line.truncate(line.len() - 2);
            line.push(b'\n');
        }
        Ok(read_result(lists, 1, line))
    })
}

fn write(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let bytes = iolist::bytes(&args[1]).ok_or(BADARG)?;
        let file = opened(cx, handle)?;
        let (how, at) = (file.how, file.position);
        if !how.write {
            return Err(Posix("ebadf"));
        }
        let end = if how.append {
            cx.s.files().append(handle, &bytes)?
        } else {
            cx.s.files().write_at(handle, at, &bytes)?;
            at + bytes.len() as u64
        };
        opened(cx, handle)?.position = end;
        Ok(Term::OK)
    })
}

fn position(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let (mark, offset) = match args[1].view() {
            View::Tuple([mark, offset]) => {
                (mark.as_atom().ok_or(BADARG)?, offset.as_int().ok_or(BADARG)?)
            }
            View::Atom(mark) => (mark, 0),
            View::Int(offset) => (term::Atom::new("bof"), offset),
            _ => return Err(BADARG),
        };
        let here = opened(cx, handle)?.position;
        let from = match mark.as_str() {
            "bof" => 0,
            "cur" => here,
            "eof" => cx.s.files().info_of(handle)?.size,
            _ => return Err(BADARG),
        };
        let target = i64::try_from(from).ok().and_then(|from| from.checked_add(offset));
        let target = target.and_then(|at| u64::try_from(at).ok()).ok_or(Posix("einval"))?;
        opened(cx, handle)?.position = target;
        Ok(ok(Term::from(target)))
    })
}

fn pread(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let (at, wanted) = (place(&args[1])?, natural(&args[2])?);
        let lists = opened(cx, handle)?.lists;
        let bytes = bytes_at(cx, handle, at, wanted)?;
        Ok(read_result(lists, wanted, bytes))
    })
}

fn pread_list(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let places = args[1].to_vec().ok_or(BADARG)?;
        let lists = opened(cx, handle)?.lists;
        let mut found = Vec::new();
        for pair in &places {
            let Some([at, wanted]) = pair.as_tuple() else { return Err(BADARG) };
            let (at, wanted) = (place(at)?, natural(wanted)?);
            let bytes = bytes_at(cx, handle, at, wanted)?;
            let is_end = bytes.is_empty() && wanted > 0;
            found.push(if is_end { Term::atom("eof") } else { data(lists, bytes) });
        }
        Ok(ok(Term::list(found)))
    })
}

/// A place in a file; also `{bof, Offset}`.
fn place(term: &Term) -> Result<u64> {
    match term.as_tuple() {
        Some([mark, offset]) if mark.is_atom(term::Atom::new("bof")) => place(offset),
        _ => match term.as_int() {
            Some(at) => u64::try_from(at).map_err(|_| Posix("einval")),
            None => Err(BADARG),
        },
    }
}

fn write_at(cx: &mut Ctx<'_>, handle: Ref, at: &Term, bytes: &Term) -> Result<()> {
    let (at, bytes) = (place(at)?, iolist::bytes(bytes).ok_or(BADARG)?);
    let how = opened(cx, handle)?.how;
    match how {
        How { write: false, .. } => Err(Posix("ebadf")),
        // Whoever appends cannot write elsewhere.
        How { append: true, .. } => cx.s.files().append(handle, &bytes).map(|_| ()),
        _ => cx.s.files().write_at(handle, at, &bytes),
    }
}

fn pwrite(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| Ok(done(write_at(cx, handle, &args[1], &args[2]))))
}

fn pwrite_list(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let places = args[1].to_vec().ok_or(BADARG)?;
        for (number, pair) in places.iter().enumerate() {
            let Some([at, bytes]) = pair.as_tuple() else { return Err(BADARG) };
            if let Err(Posix(reason)) = write_at(cx, handle, at, bytes) {
                if reason == "badarg" {
                    return Err(BADARG);
                }
                let reason = Term::tuple([Term::from(number), Term::atom(reason)]);
                return Ok(Term::tuple([Term::atom("error"), reason]));
            }
        }
        Ok(Term::OK)
    })
}

fn truncate(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let file = opened(cx, handle)?;
        let at = file.position;
        if !file.how.write {
            return Err(Posix("einval"));
        }
        Ok(done(cx.s.files().set_len(handle, at)))
    })
}

/// Advice is taken and forgotten.
fn advise(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        opened(cx, handle)?;
        let (Some(_), Some(_)) = (args[1].as_int(), args[2].as_int()) else { return Err(BADARG) };
        match args[3].as_atom().map(term::Atom::as_str) {
            Some("normal" | "random" | "sequential" | "will_need" | "dont_need" | "no_reuse") => {
                Ok(Term::OK)
            }
            Some(_) => Err(Posix("einval")),
            None => Err(BADARG),
        }
    })
}

/// Makes a file at least that long.
fn allocate(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    with(cx, &args[0], |cx, handle| {
        let (at, len) = (natural(&args[1])?, natural(&args[2])?);
        if !opened(cx, handle)?.how.write {
            return Err(Posix("ebadf"));
        }
        let end = at.checked_add(len).ok_or(Posix("efbig"))?;
        let size = cx.s.files().info_of(handle)?.size;
        if end > size { Ok(done(cx.s.files().set_len(handle, end))) } else { Ok(Term::OK) }
    })
}

fn read_info(cx: &mut Ctx<'_>, descriptor: &Term, options: &Term) -> Return {
    with(cx, descriptor, |cx, handle| {
        let found = cx.s.files().info_of(handle)?;
        Ok(value(info::record(cx.s, &found, options)))
    })
}
