//! Files and directories by their names.

use term::{Bits, Term};

use super::{BADARG, done, error, info, name, ok, shown, value};
use crate::builtins::data::iolist;
use crate::builtins::row::{HIDDEN, visible};
use crate::builtins::{Builtin, Ctx, Return, badarg, builtins};
use crate::footprint::touches;
use crate::outside::FileSystem;
use crate::world::files::{How, Posix, Result};

pub(in crate::builtins) const TABLE: &[Builtin] = builtins!(
    PRIM_FILE, visible(touches::write_world);
    "read_file"/1 => |cx, a| Ok(value(read_file(cx, &a[0]))),
    "write_file"/2 => |cx, a| Ok(done(write_file(cx, &a[0], &a[1]))),
    "list_dir"/1 => |cx, a| Ok(value(list(cx, &a[0], false))),
    "list_dir_all"/1 => |cx, a| Ok(value(list(cx, &a[0], true))),
    "read_link"/1 => |cx, a| Ok(value(read_link(cx, &a[0], false))),
    "read_link_all"/1 => |cx, a| Ok(value(read_link(cx, &a[0], true))),
    "read_file_info"/1 => |cx, a| Ok(value(read_info(cx, &a[0], true, &Term::NIL))),
    "read_file_info"/2 => |cx, a| Ok(value(read_info(cx, &a[0], true, &a[1]))),
    "read_link_info"/1 => |cx, a| Ok(value(read_info(cx, &a[0], false, &Term::NIL))),
    "read_link_info"/2 => |cx, a| Ok(value(read_info(cx, &a[0], false, &a[1]))),
    "write_file_info"/2 => |cx, a| Ok(done(write_info(cx, &a[0], &a[1], &Term::NIL))),
    "write_file_info"/3 => |cx, a| Ok(done(write_info(cx, &a[0], &a[1], &a[2]))),
    "delete"/1 => |cx, a| one(cx, &a[0], |files, path| files.delete(path)),
    "make_dir"/1 => |cx, a| one(cx, &a[0], |files, path| files.make_dir(path)),
    "del_dir"/1 => |cx, a| one(cx, &a[0], |files, path| files.delete_dir(path)),
    "rename"/2 => |cx, a| two(cx, a, |files, from, to| files.rename(from, to)),
    "make_link"/2 => |cx, a| two(cx, a, |files, old, new| files.hard_link(old, new)),
    "make_symlink"/2 => |cx, a| two(cx, a, |files, old, new| files.symlink(old, new)),
    "set_cwd"/1 => |cx, a| one(cx, &a[0], |files, path| files.set_current_dir(path)),
    "altname"/1 => |_, _| Ok(error("enotsup")),
);

pub(in crate::builtins) const NAMES: &[Builtin] = builtins!(PRIM_FILE, HIDDEN;
    "get_cwd"/0 => |cx, _| Ok(ok(shown(cx.s.host.outside.current_dir()).unwrap_or(Term::NIL))),
    "get_cwd"/1 => get_drive,
    "internal_name2native"/1 => |_, a| match name(&a[0]) {
        Ok(bytes) => Ok(Term::binary([&bytes[..], b"\0"].concat())),
        Err(_) => badarg(),
    },
    "internal_native2name"/1 => |_, a| match a[0].as_bits().and_then(Bits::to_bytes) {
        Some(bytes) => Ok(shown(&bytes).unwrap_or_else(|| error("ignore"))),
        None => badarg(),
    },
    "is_translatable"/1 => |_, a| Ok(Term::bool(name(&a[0]).is_ok())),
);

pub(in crate::builtins) const FILE: &[Builtin] = builtins!(FILE, HIDDEN;
    "native_name_encoding"/0 => |_, _| Ok(Term::atom("utf8")),
);

/// Drives are Windows' business.
fn get_drive(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let is_name = args[0].as_cons().is_some();
    Ok(error(match name(&args[0]).as_deref() {
        Ok([letter, b':']) if letter.is_ascii_alphabetic() => "enotsup",
        _ if is_name => "einval",
        _ => "badarg",
    }))
}

fn one(
    cx: &mut Ctx<'_>,
    path: &Term,
    action: impl FnOnce(&mut FileSystem<'_>, &[u8]) -> Result<()>,
) -> Return {
    Ok(done(name(path).and_then(|path| action(&mut cx.s.files(), &path))))
}

fn two(
    cx: &mut Ctx<'_>,
    args: &[Term],
    action: impl FnOnce(&mut FileSystem<'_>, &[u8], &[u8]) -> Result<()>,
) -> Return {
    let names = name(&args[0]).and_then(|one| Ok((one, name(&args[1])?)));
    Ok(done(names.and_then(|(one, other)| action(&mut cx.s.files(), &one, &other))))
}

fn read_file(cx: &mut Ctx<'_>, path: &Term) -> Result<Term> {
    Ok(Term::binary(cx.s.files().read_file(&name(path)?)?))
}

fn write_file(cx: &mut Ctx<'_>, path: &Term, bytes: &Term) -> Result<()> {
    let (path, bytes) = (name(path)?, iolist::bytes(bytes).ok_or(BADARG)?);
    let handle = cx.s.new_ref();
    let how = How { write: true, ..How::default() };
    let owner = cx.p.pid;
    cx.s.files().open(&path, how, owner, handle, false)?;
    let written = cx.s.files().write_at(handle, 0, &bytes);
    cx.s.host.outside.close(handle);
    written
}

/// Names in a directory. Those that are not UTF-8 are left out, or given as they are.
fn list(cx: &mut Ctx<'_>, path: &Term, all: bool) -> Result<Term> {
    let names = cx.s.files().list(&name(path)?)?;
    let names = names.into_iter().filter_map(|name| match shown(&name) {
        None if all => Some(Term::binary(name)),
        shown => shown,
    });
    Ok(Term::list(names.collect::<Vec<_>>()))
}

fn read_link(cx: &mut Ctx<'_>, path: &Term, all: bool) -> Result<Term> {
    let target = cx.s.files().read_link(&name(path)?)?;
    match shown(&target) {
        Some(target) => Ok(target),
        None if all => Ok(Term::binary(target)),
        None => Err(Posix("einval")),
    }
}

fn read_info(cx: &mut Ctx<'_>, path: &Term, follow: bool, options: &Term) -> Result<Term> {
    let found = cx.s.files().info(&name(path)?, follow)?;
    info::record(cx.s, &found, options)
}

fn write_info(cx: &mut Ctx<'_>, path: &Term, record: &Term, options: &Term) -> Result<()> {
    let path = name(path)?;
    let change = info::change(cx.s, record, options)?;
    let mut files = cx.s.files();
    if change.uid.is_some() || change.gid.is_some() {
        files.set_owner(&path, change.uid, change.gid)?;
    }
    if let Some(mode) = change.mode {
        files.set_mode(&path, mode)?;
    }
    files.set_times(&path, change.accessed, change.modified)
}
