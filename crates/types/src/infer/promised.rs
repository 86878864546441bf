//! What breaks a promise though it may not fail: a call of what is not exported, a record that
//! holds what it is declared not to hold, a look into an opaque type of another module.
//!
//! An opaque type is known by its name: it is one where a spec of another module says so, or the
//! type itself still is that name. A value that has lost it (by a join with something else, say) is
//! not watched, so some looks are not seen.

use atom::{Atom, known};
use program::LoadedModule;
use program::index::NameArity;
use syntax::ast::{Kind, NodeId};
use syntax::diagnostic::{Diagnostic, Severity};

use super::body::{Body, Known};
use super::finding::Why;
use super::rules;
use super::solver::ValueId;
use crate::declared::{Declarations, Found};
use crate::ty::{Tuples, Type, What};

/// Builtins that look at what an argument (from 0) is made of.
const LOOKING: &[(&str, u32, usize)] = &[
    ("element", 2, 1),
    ("hd", 1, 0),
    ("length", 1, 0),
    ("map_get", 2, 1),
    ("map_size", 1, 0),
    ("setelement", 3, 1),
    ("tl", 1, 0),
    ("tuple_size", 1, 0),
    ("tuple_to_list", 1, 0),
];

impl Body<'_> {
    /// A call that is about to be followed.
    pub(super) fn check_call(
        &mut self,
        node: NodeId,
        (module, function): (Atom, NameArity),
        args: &[ValueId],
    ) {
        if self.wanted.findings.is_none() {
            return;
        }
        if module == known::ERLANG {
            let looks = LOOKING
                .iter()
                .find(|(name, arity, _)| (*name, *arity) == (function.0.as_str(), function.1));
            if let Some(&(_, _, place)) = looks {
                self.check_opaque(node, args[place]);
            }
        } else if module != self.module.name
            && !self.is_caught
            && is_missing(self.callees.declarations(), module, function)
        {
            self.note(node, &[], Why::Missing { module, function });
        }
    }

    /// The value of a call of another module's function that is opaque by its spec.
    pub(super) fn note_opaque(&mut self, module: Atom, function: NameArity, value: ValueId) {
        if self.wanted.findings.is_none() || module == self.module.name {
            return;
        }
        let contract = self.callees.declarations().contract(module, function);
        if let Some(contract) = contract
            && let [_] = contract.clauses[..]
            && let ty = contract.result()
            && self.is_foreign(&ty)
        {
            self.opaque.push((value, ty));
        }
    }

    /// What a value is made of is looked at.
    pub(super) fn check_opaque(&mut self, node: NodeId, value: ValueId) {
        if self.wanted.findings.is_none() {
            return;
        }
        let known = self.opaque.iter().find(|(of, _)| *of == value).map(|(_, ty)| ty.clone());
        let ty = known.unwrap_or_else(|| self.solver.ty(value).clone());
        if self.is_foreign(&ty) {
            let known: Vec<Known> = self.known(&[value]);
            self.note(node, &known, Why::Opaque { ty });
        }
    }

    fn is_foreign(&self, ty: &Type) -> bool {
        let Type::Named(named) = ty else { return false };
        let module = named.opaque_in();
        module.is_some_and(|module| module != self.module.name && module != known::ERLANG)
    }

    /// A value that a field of a record (at a place, from 0) is given.
    pub(super) fn check_field(
        &mut self,
        node: NodeId,
        record: Atom,
        (field, place): (Atom, usize),
        value: ValueId,
    ) {
        if self.wanted.findings.is_none() {
            return;
        }
        let what = What::Record { module: self.module.name, name: record };
        let all = self.callees.declarations().named(what);
        let Tuples::Some(tuples) = &all.parts().tuples else { return };
        let [tuple] = &tuples[..] else { return };
        let Some(declared) = tuple.get(place + 1).cloned() else { return };
        let given = self.solver.ty(value).clone();
        let is_pattern = given.single_atom().is_some_and(|atom| {
            // Of match specifications.
            atom.as_str() == "_" || atom.as_str().starts_with('$')
        });
        let says_nothing = *declared.opened() == Type::None || *given.opened() == Type::None;
        if !is_pattern && !says_nothing && given.is_disjoint(&declared) {
            let known = self.known(&[value]);
            self.note(node, &known, Why::Field { record, field, declared, given });
        }
    }
}

/// Whether a module is known that has no such function for others.
fn is_missing(declarations: &Declarations, module: Atom, function: NameArity) -> bool {
    let (name, arity) = function;
    let is_everywhere = matches!((name.as_str(), arity), ("module_info", 0 | 1));
    if is_everywhere || rules::of_library(module.as_str(), name.as_str(), arity as usize).is_some()
    {
        return false;
    }
    match declarations.module(module) {
        Some(Found::Own(module)) => lacks(module, function),
        Some(Found::Library(module)) => lacks(&module, function),
        // Ours has not all that OTP's has.
        Some(Found::Embedded(_)) | None => false,
    }
}

fn lacks(module: &LoadedModule, function: NameArity) -> bool {
    let index = &module.index;
    let handles_all = (Atom::new("$handle_undefined_function"), 2);
    let is_error = |found: &Diagnostic| found.severity == Severity::Error;
    let may_be_made = !index.parse_transforms.is_empty()
        || !module.unit.erl_opts.parse_transforms.is_empty()
        || module.diagnostics.iter().any(is_error);
    !index.is_exported(function) && !index.is_exported(handles_all) && !may_be_made
}

/// Whether a pattern looks at what a value is made of.
pub(super) fn looks_inside(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Tuple { .. }
            | Kind::List { .. }
            | Kind::Nil
            | Kind::Map { .. }
            | Kind::Record { .. }
            | Kind::Binary { .. }
            | Kind::String(_)
            | Kind::Integer(_)
    )
}
