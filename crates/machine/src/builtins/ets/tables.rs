//! Tables as a whole: making, naming, giving away, emptying.

use term::{Term, View};

use super::{Ctx, bad, because, write};
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::ets::table::{Access, Kind, Settings};
use crate::ets::{Need, Refusal, Tables};
use crate::footprint::tables;

pub(super) const TABLE: &[Builtin] = builtins!(ETS;
    "new"/2 [visible(tables::new)] => new,
    "delete"/1 [visible(tables::delete)] => delete,
    "rename"/2 [visible(tables::rename)] => rename,
    "whereis"/1 [visible(tables::whereis)] => whereis,
    "all"/0 [visible(tables::all)] => |cx, _| {
        let tables: Vec<Term> = cx.s.node.tables.iter().map(|table| table.handle()).collect();
        cx.s.node.turn.charge(super::TABLE + u32::try_from(tables.len()).unwrap_or(u32::MAX >> 1));
        Ok(Term::list(tables))
    },
    "give_away"/3 [visible(tables::give_away).sends()] => give_away,
    "setopts"/2 [visible(tables::set_options)] => setopts,
    "internal_delete_all"/2 [visible(tables::delete_all)] => |cx, args| {
        cx.p.ignore_count(false);
        let table = write(cx, &args[0])?;
        let count = table.count();
        table.clear();
        Ok(Term::from(count))
    },
);

fn new(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let name = args[0].as_atom().ok_or_else(bad)?;
    let options = args[1].to_vec().ok_or_else(bad)?;
    let mut settings = settings(&options).ok_or_else(bad)?;
    appoint(cx, &mut settings);
    cx.s.node.turn.charge(super::TABLE);
    let id = Tables::identifier(cx.s.new_ref());
    let made = cx.s.node.tables.add(id, name, cx.p.pid, settings);
    made.map_err(|_| because("already_exists"))
}

/// An heir that does not exist is none. Driven step by step, the end of the owner touches the same
/// all the same.
fn appoint(cx: &mut Ctx<'_>, settings: &mut Settings) {
    settings.heir_was_gone = false;
    let Some((heir, _)) = &settings.heir else { return };
    let exists = cx.node().accepts(*heir);
    if cx.s.is_driven() {
        settings.heir_was_gone = !exists;
    } else if !exists {
        settings.heir = None;
    }
}

/// How many locks a table may be told to have.
const LOCKS: std::ops::RangeInclusive<i64> = 1..=32_768;

fn settings(options: &[Term]) -> Option<Settings> {
    let mut settings = Settings {
        kind: Kind::Set,
        access: Access::Protected,
        named: false,
        keypos: 1,
        heir: None,
        heir_was_gone: false,
        compressed: false,
        read_concurrency: false,
        write_concurrency: Term::FALSE,
        decentralized_counters: false,
    };
    let mut decentralized = None;
    for option in options {
        match option.view() {
            View::Atom(name) => match name.as_str() {
                // The first of these has no effect after another.
                "set" | "protected" => {}
                "ordered_set" => {
                    settings.kind = Kind::OrderedSet;
                    settings.decentralized_counters = true;
                }
                "bag" => settings.kind = Kind::Bag,
                "duplicate_bag" => settings.kind = Kind::DuplicateBag,
                "public" => settings.access = Access::Public,
                "private" => settings.access = Access::Private,
                "named_table" => settings.named = true,
                "compressed" => settings.compressed = true,
                _ => return None,
            },
            View::Tuple([name, value]) => match name.as_atom()?.as_str() {
                "keypos" => {
                    settings.keypos = usize::try_from(value.as_int()?).ok().filter(|&n| n > 0)?;
                }
                "read_concurrency" => settings.read_concurrency = value.as_bool()?,
                "write_concurrency" => write_concurrency(&mut settings, value)?,
                "decentralized_counters" => decentralized = Some(value.as_bool()?),
                "heir" if value.is_atom(term::Atom::new("none")) => settings.heir = None,
                _ => return None,
            },
            View::Tuple([name, heir, data]) if name.is_atom(term::Atom::new("heir")) => {
                settings.heir = Some((heir.as_pid()?, data.clone()));
            }
            _ => return None,
        }
    }
    finish(&mut settings, decentralized)?;
    Some(settings)
}

fn write_concurrency(settings: &mut Settings, value: &Term) -> Option<()> {
    match value.view() {
        View::Atom(name) if name.as_str() == "auto" => settings.decentralized_counters = true,
        View::Tuple([name, locks]) => {
            let valid = name.is_atom(term::Atom::new("debug_hash_fixed_number_of_locks"))
                && locks.as_int().is_some_and(|locks| LOCKS.contains(&locks));
            if !valid {
                return None;
            }
            settings.decentralized_counters = true;
        }
        _ => {
            if value.as_bool()? && settings.kind != Kind::OrderedSet {
                settings.decentralized_counters = false;
            }
        }
    }
    settings.write_concurrency = value.clone();
    Some(())
}

/// What the options mean together.
fn finish(settings: &mut Settings, decentralized: Option<bool>) -> Option<()> {
    if let Some(decentralized) = decentralized {
        settings.decentralized_counters = decentralized;
    }
    if settings.kind == Kind::OrderedSet && settings.write_concurrency.as_tuple().is_some() {
        return None;
    }
    if settings.access == Access::Private {
        settings.write_concurrency = Term::FALSE;
        settings.read_concurrency = false;
    }
    if let Some([name, locks]) = settings.write_concurrency.as_tuple() {
        // A power of two, and not too few.
        let locks = u64::try_from(locks.as_int()?).ok()?;
        let locks = (1u64 << locks.max(1).ilog2()).max(64);
        settings.write_concurrency = Term::tuple([name.clone(), Term::from(locks)]);
    }
    settings.decentralized_counters &= !settings.write_concurrency.same_word(&Term::FALSE);
    Some(())
}

fn delete(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = write(cx, &args[0])?;
    let (id, owner) = (table.id, table.owner);
    cx.s.node.turn.charge(super::TABLE);
    cx.s.node.tables.remove(id);
    if owner != cx.p.pid {
        cx.s.dispossess(owner);
    }
    Ok(Term::TRUE)
}

fn rename(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let id = write(cx, &args[0])?.id;
    let name = args[1].as_atom().ok_or_else(bad)?;
    cx.s.node.tables.rename(id, name).map_err(|_| bad())
}

fn whereis(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let name = args[0].as_atom().ok_or_else(bad)?;
    Ok(cx.s.node.tables.named(name).map_or(Term::UNDEFINED, Term::from))
}

fn give_away(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let me = cx.p.pid;
    let table = write(cx, &args[0])?;
    let (id, owner, handle) = (table.id, table.owner, table.handle());
    let to = args[1].as_pid().filter(|to| cx.node().accepts(*to)).ok_or_else(bad)?;
    if owner != me {
        return Err(because("not_owner"));
    }
    if to == me {
        return Err(because("owner"));
    }
    cx.s.node.tables.give(id, to);
    let transfer = Term::atom("ETS-TRANSFER");
    cx.node().send(to, Term::tuple([transfer, handle, Term::from(me), args[2].clone()]));
    Ok(Term::TRUE)
}

/// What `setopts/2` is to change.
#[derive(Default)]
struct Changes {
    heir: Option<Option<(term::Pid, Term)>>,
    access: Option<Access>,
}

fn changes(options: &Term) -> Result<Changes, Box<Stop>> {
    let options = match options.as_tuple() {
        Some(_) => vec![options.clone()],
        None => options.to_vec().ok_or_else(bad)?,
    };
    let mut changes = Changes::default();
    for option in &options {
        let elements = option.as_tuple().unwrap_or_default();
        let name = elements.first().and_then(Term::as_atom).ok_or_else(bad)?;
        match (name.as_str(), &elements[1..]) {
            ("heir", [none]) if none.is_atom(term::Atom::new("none")) && changes.heir.is_none() => {
                changes.heir = Some(None);
            }
            ("heir", [heir, data]) if changes.heir.is_none() => {
                changes.heir = Some(Some((heir.as_pid().ok_or_else(bad)?, data.clone())));
            }
            ("protection", [access]) if changes.access.is_none() => {
                let access = access.as_atom().and_then(|access| match access.as_str() {
                    "public" => Some(Access::Public),
                    "protected" => Some(Access::Protected),
                    "private" => Some(Access::Private),
                    _ => None,
                });
                changes.access = Some(access.ok_or_else(bad)?);
            }
            _ => return Err(bad()),
        }
    }
    Ok(changes)
}

fn setopts(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let me = cx.p.pid;
    cx.s.node.tables.read(&args[0], me, Need::Write)?;
    let changes = changes(&args[1])?;
    let table = write(cx, &args[0])?;
    if table.owner != me {
        return Err(bad());
    }
    if let Some(access) = changes.access {
        table.settings.access = access;
    }
    if let Some(heir) = changes.heir {
        let mut settings = Settings { heir, ..table.settings.clone() };
        appoint(cx, &mut settings);
        write(cx, &args[0])?.settings = settings;
    }
    Ok(Term::TRUE)
}

/// The table that a term means, for those who only ask; `None` if it is gone.
pub(super) fn known<'a>(
    cx: &'a Ctx<'_>,
    table: &Term,
) -> Result<Option<&'a crate::ets::table::Table>, Box<Stop>> {
    match cx.s.node.tables.read(table, cx.p.pid, Need::Info) {
        Ok(table) => Ok(Some(table)),
        Err(Refusal::Id) => Ok(None),
        Err(refusal) => Err(refusal.into()),
    }
}
