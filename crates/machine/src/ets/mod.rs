//! ETS: the tables of a node.
//!
//! * [`Tables`] knows all tables, by identifier and by name, and what processes hold of them.
//! * [`table::Table`] is one table; its objects are [`hashed`] or [`ordered`].
//! * Everything is persistent: copying the tables copies no object, and a later change copies a
//!   path. (Names and owners are copied as a whole when they change after a copy: they are few, and
//!   asked for often.)
//!
//! Tables belong to a process and end with it, or go to an heir ([`Tables::process_ended`]).

pub(crate) mod hashed;
pub(crate) mod match_spec;
pub(crate) mod ordered;
pub mod table;
mod trie;

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;
use rustc_hash::FxHashMap;
use term::{Atom, Pid, Ref, Term};

use crate::sparse::Sparse;
use match_spec::Compiled;
use table::{Access, Settings, Table};

/// The key of an object that a table with this key position accepted.
fn key_of(object: &Term, keypos: usize) -> &Term {
    // An object that was accepted has that many elements; anything else is its own key.
    object.as_tuple().and_then(|elements| elements.get(keypos - 1)).unwrap_or(object)
}

/// A key is not in a table without order.
#[derive(Clone, Copy, Debug)]
pub struct NoSuchKey;

/// Another table has that name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameTaken;

/// What an operation does with a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    Read,
    Write,
    /// Only asks about it: everybody may.
    Info,
}

/// Why a table cannot be used; the name of it in `error_info`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The term cannot stand for a table.
    Type,
    /// There is no such table.
    Id,
    /// The process must not do that.
    Access,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    tables: GenericOrdMap<Ref, Rc<Table>, RcK>,
    names: Sparse<FxHashMap<Atom, Ref>>,
    owned: Sparse<BTreeSet<(Pid, Ref)>>,
    fixed: Sparse<BTreeSet<(Pid, Ref)>>,
    /// What `ets:match_spec_compile/1` made. It stays to the end of the run: nobody knows who still
    /// has the reference.
    match_specs: GenericOrdMap<Ref, Compiled, RcK>,
    /// Whether `fixed` keeps tables that are gone, until those end who had fixed them.
    remembers: bool,
}

/// Set in references that are identifiers of tables, so that one of a table that is gone is still
/// known as such, and nobody has to remember it. (References have 58 bits.)
const TABLE_BIT: u64 = 1 << 57;

/// A message that an heir gets.
pub(crate) struct Inheritance {
    pub(crate) heir: Pid,
    /// The table as programs name it.
    pub(crate) table: Term,
    pub(crate) data: Term,
}

impl Table {
    /// What programs call it.
    pub(crate) fn handle(&self) -> Term {
        if self.settings.named { Term::from(self.name) } else { Term::from(self.id) }
    }
}

impl Tables {
    /// Becomes a copy of others, of which most are the same.
    pub(crate) fn become_like(&mut self, others: &Tables) {
        let Tables { tables, names, owned, fixed, match_specs, remembers } = others;
        self.remembers = *remembers;
        if !self.tables.ptr_eq(tables) {
            self.tables.clone_from(tables);
        }
        self.names.clone_from(names);
        self.owned.clone_from(owned);
        self.fixed.clone_from(fixed);
        if !self.match_specs.ptr_eq(match_specs) {
            self.match_specs.clone_from(match_specs);
        }
    }

    /// The identifier that a table has when this reference is made for it.
    pub(crate) fn identifier(made: Ref) -> Ref {
        Ref(made.0 | TABLE_BIT)
    }

    pub(crate) fn len(&self) -> usize {
        self.tables.len()
    }

    /// All tables, the newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().rev().map(|table| &**table)
    }

    pub(crate) fn get(&self, id: Ref) -> Option<&Table> {
        self.tables.get(&id).map(|table| &**table)
    }

    pub(crate) fn get_mut(&mut self, id: Ref) -> Option<&mut Table> {
        self.tables.get_mut(&id).map(Rc::make_mut)
    }

    pub(crate) fn named(&self, name: Atom) -> Option<Ref> {
        self.names.get(&name).copied()
    }

    /// Which table a term means.
    pub(crate) fn id_of(&self, term: &Term) -> Result<Ref, Refusal> {
        if let Some(id) = term.as_ref() {
            return match self.tables.contains_key(&id) {
                true => Ok(id),
                false if id.0 & TABLE_BIT != 0 => Err(Refusal::Id),
                false => Err(Refusal::Type),
            };
        }
        match term.as_atom() {
            Some(name) => self.named(name).ok_or(Refusal::Id),
            None => Err(Refusal::Type),
        }
    }

    fn may(table: &Table, by: Pid, need: Need) -> Result<(), Refusal> {
        let allowed = match (need, table.settings.access) {
            (Need::Info, _) | (_, Access::Public) | (Need::Read, Access::Protected) => true,
            _ => table.owner == by,
        };
        if allowed { Ok(()) } else { Err(Refusal::Access) }
    }

    /// The table that a term means, to be read.
    pub(crate) fn read(&self, term: &Term, by: Pid, need: Need) -> Result<&Table, Refusal> {
        let table = match term.as_ref() {
            // The usual case takes one search.
            Some(id) if let Some(table) = self.tables.get(&id) => table,
            _ => {
                let id = self.id_of(term)?;
                self.tables.get(&id).ok_or(Refusal::Id)?
            }
        };
        Tables::may(table, by, need)?;
        Ok(table)
    }

    /// The table that a term means, held: it stays as it is now. Who changes tables should let go
    /// of it before.
    pub(crate) fn hold(&self, term: &Term, by: Pid, need: Need) -> Result<Rc<Table>, Refusal> {
        let id = self.id_of(term)?;
        let table = self.tables.get(&id).ok_or(Refusal::Id)?;
        Tables::may(table, by, need)?;
        Ok(table.clone())
    }

    /// A compiled match specification.
    pub(crate) fn match_spec(&self, id: Ref) -> Option<Compiled> {
        self.match_specs.get(&id).cloned()
    }

    pub(crate) fn add_match_spec(&mut self, id: Ref, spec: Compiled) {
        self.match_specs.insert(id, spec);
    }

    /// The table that a term means, to be changed.
    pub(crate) fn write(&mut self, term: &Term, by: Pid) -> Result<&mut Table, Refusal> {
        let id = match term.as_ref() {
            Some(id) if self.tables.contains_key(&id) => id,
            _ => self.id_of(term)?,
        };
        let table = self.tables.get_mut(&id).ok_or(Refusal::Id)?;
        Tables::may(table, by, Need::Write)?;
        Ok(Rc::make_mut(table))
    }

    /// Makes a table; `Err` if its name is taken.
    pub(crate) fn add(
        &mut self,
        id: Ref,
        name: Atom,
        owner: Pid,
        settings: Settings,
    ) -> Result<Term, NameTaken> {
        if settings.named {
            if self.names.contains_key(&name) {
                return Err(NameTaken);
            }
            self.names.insert(name, id);
        }
        let table = Table::new(id, name, owner, settings);
        let handle = table.handle();
        self.tables.insert(id, Rc::new(table));
        self.owned.insert((owner, id));
        Ok(handle)
    }

    /// Removes a table for good.
    pub(crate) fn remove(&mut self, id: Ref) {
        let Some(table) = self.tables.remove(&id) else { return };
        if table.settings.named {
            self.names.remove(&table.name);
        }
        self.owned.remove(&(table.owner, id));
        for by in table.fixed_by.keys().filter(|_| !self.remembers) {
            self.fixed.remove(&(*by, id));
        }
    }

    /// From now on the ends of those who had fixed a table that is gone are as if it were not.
    pub(crate) fn remember_fixed(&mut self) {
        self.remembers = true;
    }

    /// The tables that a process keeps fixed, or kept when they were deleted.
    pub(crate) fn fixed_by(&self, pid: Pid) -> Vec<Ref> {
        Tables::of(&self.fixed, pid)
    }

    /// Gives a table another name; `Err` if it is taken.
    pub(crate) fn rename(&mut self, id: Ref, name: Atom) -> Result<Term, NameTaken> {
        let table = Rc::make_mut(self.tables.get_mut(&id).ok_or(NameTaken)?);
        if table.settings.named {
            if self.names.contains_key(&name) {
                return Err(NameTaken);
            }
            self.names.remove(&table.name);
            self.names.insert(name, id);
        }
        table.name = name;
        Ok(table.handle())
    }

    /// Makes another process the owner.
    pub(crate) fn give(&mut self, id: Ref, to: Pid) {
        let Some(table) = self.tables.get_mut(&id) else { return };
        let table = Rc::make_mut(table);
        self.owned.remove(&(table.owner, id));
        self.owned.insert((to, id));
        table.owner = to;
    }

    pub(crate) fn fix(&mut self, id: Ref, by: Pid, now: u64) {
        if let Some(table) = self.tables.get_mut(&id) {
            Rc::make_mut(table).fix(by, now);
            self.fixed.insert((by, id));
        }
    }

    pub(crate) fn unfix(&mut self, id: Ref, by: Pid) {
        if self.fixed.contains(&(by, id))
            && let Some(table) = self.tables.get_mut(&id)
            && Rc::make_mut(table).unfix(by)
        {
            self.fixed.remove(&(by, id));
        }
    }

    /// Whether a process owns a table.
    pub(crate) fn has_owner(&self, pid: Pid) -> bool {
        Tables::has(&self.owned, pid)
    }

    /// Whether a process owns a table or keeps one fixed.
    pub(crate) fn concern(&self, pid: Pid) -> bool {
        Tables::has(&self.owned, pid) || Tables::has(&self.fixed, pid)
    }

    fn has(set: &BTreeSet<(Pid, Ref)>, pid: Pid) -> bool {
        // Most often there is one or none.
        match set.len() {
            0 => false,
            1 => set.first().is_some_and(|(owner, _)| *owner == pid),
            _ => set.range((pid, Ref(0))..).next().is_some_and(|(owner, _)| *owner == pid),
        }
    }

    fn of(set: &BTreeSet<(Pid, Ref)>, pid: Pid) -> Vec<Ref> {
        if !Tables::has(set, pid) {
            return Vec::new();
        }
        set.range((pid, Ref(0))..=(pid, Ref(u64::MAX))).map(|(_, id)| *id).collect()
    }

    /// What a process owns, the oldest first.
    pub(crate) fn owned_by(&self, pid: Pid) -> Vec<Ref> {
        Tables::of(&self.owned, pid)
    }

    /// A process has ended: its tables end, or go to an heir that is alive; what it kept fixed is
    /// fixed no longer.
    pub(crate) fn process_ended(
        &mut self,
        pid: Pid,
        alive: impl Fn(Pid) -> bool,
    ) -> Vec<Inheritance> {
        for id in Tables::of(&self.fixed, pid) {
            self.fixed.remove(&(pid, id));
            if let Some(table) = self.tables.get_mut(&id) {
                Rc::make_mut(table).unfix_all(pid);
            }
        }
        let owned = self.owned_by(pid);
        owned.into_iter().filter_map(|id| self.owner_ended(id, pid, &alive)).collect()
    }

    /// A table of a process that ends goes to an heir that is alive, or ends.
    pub(crate) fn owner_ended(
        &mut self,
        id: Ref,
        owner: Pid,
        alive: impl Fn(Pid) -> bool,
    ) -> Option<Inheritance> {
        let heir = self.get(id).and_then(|table| table.settings.heir.clone());
        match heir {
            Some((heir, data)) if heir != owner && alive(heir) => {
                self.give(id, heir);
                let table = self.get(id).map_or(Term::NIL, Table::handle);
                Some(Inheritance { heir, table, data })
            }
            _ => {
                self.remove(id);
                None
            }
        }
    }
}
