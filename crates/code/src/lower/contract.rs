//! Functions with contracts: their code looks at arguments and results on the way.
//!
//! Whoever reads contracts (crate `contracts`) adds functions to the module that have names of
//! their own ([`before`], [`after`]); a function `f/N` for which there are such becomes
//!
//! ```text
//! f/N:    begin contract (else: plain)    inside of a contract there are no contracts
//!         call before(A1, …, AN)
//!         end contract
//!         if it said `again`: plain
//!         R = call body(A1, …, AN)        only if there is something to do afterwards
//!         begin contract
//!         call after(A1, …, AN, R)
//!         end contract
//!         return R
//! plain:  body(A1, …, AN)                 in tail position
//! ```
//!
//! and its clauses a function of their own, the body, which has the same name: nobody can tell
//! them apart, and calls of `f` come to the contract first. So tail calls stay tail calls where
//! nothing has to be done afterwards. `again` is what `before` says if what is to be done
//! afterwards will be done by a call of the function that this one takes the place of.

use atom::Atom;
use syntax::ast::{NodeId, NodeList};

use super::builder::FnBuilder;
use super::{Lowerer, Result};
use crate::instr::{Instr, Slot, Use};

/// What names of functions that belong to contracts begin with.
pub const PREFIX: &str = "-contract ";

/// The function that is called before the body of another, with its arguments.
pub fn before(name: Atom, arity: u32) -> String {
    format!("{PREFIX}{name}/{arity} before-")
}

/// The function that is called after the body of another, with its arguments and its result.
pub fn after(name: Atom, arity: u32) -> String {
    format!("{PREFIX}{name}/{arity} after-")
}

/// Whether a function belongs to a contract.
pub fn is_of_contract(name: Atom) -> bool {
    name.as_str().starts_with(PREFIX)
}

/// The functions to be called around another: their indices.
#[derive(Clone, Copy)]
pub(super) struct Hooks {
    before: Option<u32>,
    after: Option<u32>,
}

impl Lowerer<'_> {
    /// What is to be called around a function, if anything.
    pub(super) fn hooks(&self, name: Atom, arity: u32) -> Option<Hooks> {
        if !self.options.contracts {
            return None;
        }
        let find = |name: String, arity| self.local.get(&(Atom::new(&name), arity)).copied();
        let hooks = Hooks {
            before: find(before(name, arity), arity),
            after: find(after(name, arity), arity + 1),
        };
        // The number of arguments is a byte.
        (arity < 255 && (hooks.before.is_some() || hooks.after.is_some())).then_some(hooks)
    }

    /// A function with a contract: its clauses become a function of their own.
    pub(super) fn contracted(
        &mut self,
        (name, arity): (Atom, u32),
        id: NodeId,
        clauses: NodeList,
        hooks: Hooks,
    ) -> Result<()> {
        let body = self.reserve(name, arity);
        self.building.push(FnBuilder::new(name, arity, (name, arity), id));
        self.function_clauses(clauses, arity)?;
        self.finish(body)?;
        self.building.push(FnBuilder::new(name, arity, (name, arity), id));
        self.around(arity, body, hooks);
        let index = self.local[&(name, arity)];
        self.finish(index)
    }

    fn around(&mut self, arity: u32, body: u32, hooks: Hooks) {
        let len = arity as u8;
        self.emit(Instr::Enter { size: 0 });
        let (plain, on) = (self.new_label(), self.new_label());
        self.emit(Instr::BeginContract { skip: plain });
        if let Some(function) = hooks.before {
            let mark = self.mark();
            let at = self.copied(arity);
            self.release(mark);
            self.emit(Instr::Call { function, at, len });
            self.emit(Instr::EndContract);
            if hooks.after.is_some() {
                let again = Atom::new("again");
                self.emit(Instr::IsAtom { a: Use::of(at), atom: again, fail: on });
                self.jump(plain);
            }
        } else {
            self.emit(Instr::EndContract);
        }
        self.bind_label(on);
        if let Some(function) = hooks.after {
            let result = self.temp();
            let mark = self.mark();
            let at = self.copied(arity);
            self.release(mark);
            self.emit(Instr::CallBody { function: body, at, len });
            self.move_to(result, at);
            let done = self.new_label();
            self.emit(Instr::BeginContract { skip: done });
            let at = self.copied(arity);
            let last = self.temp();
            self.move_to(last, result);
            self.emit(Instr::Call { function, at, len: len + 1 });
            self.emit(Instr::EndContract);
            self.bind_label(done);
            self.emit(Instr::Return { src: Use::of(result) });
        }
        self.bind_label(plain);
        self.emit(Instr::TailBody { function: body, len });
    }

    /// The arguments once more, in a row.
    fn copied(&mut self, arity: u32) -> Slot {
        let at = self.temps((arity as usize).max(1));
        for i in 0..arity as u16 {
            self.move_to(Slot(at.0 + i), Slot(i));
        }
        at
    }
}
