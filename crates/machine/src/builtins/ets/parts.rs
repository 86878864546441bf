//! Walks through large tables, in parts.
//!
//! The BEAM interrupts a function that goes through a table after about a thousand objects, and
//! others may act before it goes on. A node that runs freely has no use for that: nobody acts in
//! between. Where a node is driven action by action each part is an action: the function calls
//! `erlscope_native:ets_walk_on/2` in its place until the end of the table is reached. Where nobody
//! else changes the table meanwhile the parts commute with all that others do, and cost nothing but
//! themselves.
//!
//! As on the BEAM the table stays fixed until then, and tables that are in order are gone through
//! from their greatest key on, but by `select_reverse/2`.
//!
//! Not here: searches that give their results in parts themselves (`select/3` and its like) look
//! at all objects of one part at once, however few of them match.

use std::rc::Rc;

use term::{Ref, Term};

use super::Ctx;
use super::select::{Scope, Search, Verdict, count, extents, objects_in, scope};
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::control::{Control, Start};
use crate::ets::Need;
use crate::ets::match_spec::Compiled;
use crate::ets::table::{Store, Table};
use crate::footprint::{Kind, tables};

pub(super) const NATIVE: &[Builtin] = builtins!(NATIVE;
    "ets_walk_on"/2 [visible(tables::walk_on)] => walk_on,
);

/// How many objects the BEAM looks at before it interrupts a search.
pub(super) const UNINTERRUPTED: usize = 1000;

/// What a walk is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Select,
    Reverse,
    Count,
    Delete,
    Replace,
}

impl Aim {
    const NAMES: [(&str, Aim); 5] = [
        ("select", Aim::Select),
        ("select_reverse", Aim::Reverse),
        ("select_count", Aim::Count),
        ("select_delete", Aim::Delete),
        ("select_replace", Aim::Replace),
    ];

    fn name(self) -> &'static str {
        Aim::NAMES.iter().find(|(_, aim)| *aim == self).map_or("select", |(name, _)| name)
    }

    fn from_term(term: &Term) -> Option<Aim> {
        let name = term.as_atom()?;
        Aim::NAMES.iter().find(|(known, _)| name.as_str() == *known).map(|(_, aim)| *aim)
    }

    fn needs(self) -> Need {
        match self {
            Aim::Select | Aim::Reverse | Aim::Count => Need::Read,
            Aim::Delete | Aim::Replace => Need::Write,
        }
    }

    /// Which objects something is to be done with, by what a specification gives.
    pub(super) fn verdict(self, result: Option<Term>) -> Verdict {
        match (self, result) {
            (Aim::Replace, Some(value)) => Verdict::Replace(value),
            (Aim::Count | Aim::Delete, Some(value)) if value.is_true() => Verdict::Delete,
            _ => Verdict::Keep,
        }
    }
}

/// A walk: what it is for, the specification, where it goes on (a key, or the number of a chain),
/// and what it has found so far: results, or how many.
struct Walk {
    aim: Aim,
    spec: Term,
    at: Option<Term>,
    found: Term,
}

impl Walk {
    /// `{Aim, Spec, At, Found}`, where `At` is `[]` or `[Place]`.
    fn to_term(&self) -> Term {
        let at = Term::list(self.at.clone());
        Term::tuple([Term::atom(self.aim.name()), self.spec.clone(), at, self.found.clone()])
    }

    fn from_term(term: &Term) -> Option<Walk> {
        let [aim, spec, at, found] = term.as_tuple()? else { return None };
        let at = at.elements().next().cloned();
        Some(Walk { aim: Aim::from_term(aim)?, spec: spec.clone(), at, found: found.clone() })
    }
}

/// Whether a walk is done in parts.
pub(super) fn are_many(cx: &Ctx<'_>, table: &Table, scope: &Scope) -> bool {
    cx.s.is_driven() && !matches!(scope, Scope::Keys(_)) && table.count() > UNINTERRUPTED
}

/// The first part of a walk, in which it may end.
pub(super) fn begin(cx: &mut Ctx<'_>, table: Rc<Table>, aim: Aim, spec: Compiled) -> Return {
    let found = match aim {
        Aim::Select | Aim::Reverse => Term::NIL,
        Aim::Count | Aim::Delete | Aim::Replace => Term::int(0),
    };
    let (id, source) = (table.id, spec.source.clone());
    drop(table);
    cx.s.touch(Kind::Add, tables::fixed(id));
    cx.s.node.tables.fix(id, cx.p.pid, cx.s.node.now);
    go_on(cx, id, spec, Walk { aim, spec: source, at: None, found })
}

/// The next part of a walk.
fn walk_on(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let walk = Walk::from_term(&args[1]).ok_or_else(super::bad)?;
    let id = cx.s.node.tables.hold(&args[0], cx.p.pid, walk.aim.needs())?.id;
    let spec = super::select::compiled(cx, &walk.spec)?;
    go_on(cx, id, spec, walk)
}

fn go_on(cx: &mut Ctx<'_>, id: Ref, spec: Compiled, mut walk: Walk) -> Return {
    let me = cx.p.pid;
    let next = match one_part(cx, id, spec, &mut walk) {
        Ok(Some(next)) => next,
        ended => {
            cx.s.touch(Kind::Add, tables::fixed(id));
            cx.s.node.tables.unfix(id, me);
            return ended.map(|_| walk.found);
        }
    };
    walk.at = Some(next);
    let args = vec![Term::from(id), walk.to_term()];
    let (module, name) = (term::Atom::new("erlscope_native"), term::Atom::new("ets_walk_on"));
    Err(Control::Call(Start::Apply { module, name, args }).into())
}

/// Does one part; says where the next one begins.
fn one_part(
    cx: &mut Ctx<'_>,
    id: Ref,
    spec: Compiled,
    walk: &mut Walk,
) -> Result<Option<Term>, Box<Stop>> {
    let id = Term::from(id);
    let table = super::select::hold(cx, &id, walk.aim.needs())?;
    let (groups, next) = portion(&table, &scope(&spec, table.keypos()), walk);
    let mut search = Search::new(cx, spec);
    let mut judged = Vec::new();
    for objects in &groups {
        if let Aim::Select | Aim::Reverse = walk.aim {
            for object in objects.iter().rev() {
                if let Some(result) = search.run(object)? {
                    walk.found = Term::cons(result, std::mem::replace(&mut walk.found, Term::NIL));
                }
            }
            continue;
        }
        let Some(first) = objects.first() else { continue };
        let verdicts = objects.iter().map(|object| Ok(walk.aim.verdict(search.run(object)?)));
        let verdicts = verdicts.collect::<Result<Vec<Verdict>, Box<Stop>>>()?;
        if verdicts.iter().any(|verdict| !matches!(verdict, Verdict::Keep)) {
            judged.push((table.key_of(first).clone(), verdicts));
        }
    }
    drop(table);
    if let Some(before) = walk.found.as_int() {
        walk.found = Term::int(before + count(&judged) as i64);
    }
    match walk.aim {
        Aim::Delete => super::select::remove(cx, &id, judged)?,
        Aim::Replace => super::select::replace(cx, &[id, walk.spec.clone()], judged)?,
        Aim::Select | Aim::Reverse | Aim::Count => {}
    }
    Ok(next)
}

/// The objects that the next part looks at, those of a key together, and where the one after it
/// begins.
fn portion(table: &Table, scope: &Scope, walk: &Walk) -> (Vec<Vec<Term>>, Option<Term>) {
    let mut groups = Vec::new();
    let mut seen = 0;
    match &table.store {
        Store::Hashed(store) => {
            let start = walk.at.as_ref().and_then(Term::as_int).unwrap_or(0);
            let mut chains = store.walk_from(usize::try_from(start).unwrap_or(0));
            while let Some(chain) = chains.next() {
                for entry in store.chain(chain) {
                    seen += entry.objects().len();
                    groups.push(entry.objects().to_vec());
                }
                if seen >= UNINTERRUPTED {
                    return (groups, chains.next().map(Term::from));
                }
            }
        }
        Store::Ordered(store) => {
            let extents = extents(store, scope);
            let backwards = walk.aim != Aim::Reverse;
            let mut objects =
                objects_in(store, extents.as_deref(), walk.at.as_ref(), backwards).peekable();
            while let Some(object) = objects.next() {
                seen += 1;
                groups.push(vec![object.clone()]);
                if seen == UNINTERRUPTED && objects.peek().is_some() {
                    return (groups, Some(table.key_of(object).clone()));
                }
            }
        }
    }
    (groups, None)
}
