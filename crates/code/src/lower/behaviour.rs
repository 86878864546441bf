//! `behaviour_info/1`, which OTP's compiler adds to a module with `-callback` attributes.

use atom::Atom;
use syntax::ast::{ExportKind, Kind, NodeId, NodeList, SpecKind};
use term::Term;

use super::Lowerer;
use crate::instr::{Instr, Slot, Use};
use crate::module::Function;

impl Lowerer<'_> {
    pub(super) fn behaviour_info(&mut self) {
        let name = Atom::new("behaviour_info");
        if self.local.contains_key(&(name, 1)) {
            return;
        }
        let (mut callbacks, mut optional) = (Vec::new(), Vec::new());
        for &form in &self.m.forms {
            match self.m.kind(form) {
                Kind::SpecAttribute { which: SpecKind::Callback, name, clauses, .. } => {
                    if let Kind::Atom(name) = self.m.kind(name) {
                        callbacks.push((name, self.spec_arity(clauses)));
                    }
                }
                Kind::ExportAttribute { which: ExportKind::OptionalCallbacks, names } => {
                    optional.extend(self.names_and_arities(names));
                }
                _ => {}
            }
        }
        if callbacks.is_empty() {
            return;
        }
        let argument = Slot(0);
        let mut instrs = vec![Instr::Enter { size: 1 }];
        for (question, answer) in [("callbacks", callbacks), ("optional_callbacks", optional)] {
            let pairs = answer
                .iter()
                .map(|&(name, arity)| Term::tuple([Term::from(name), Term::from(arity)]));
            let index = self.const_index(Term::list(pairs.collect::<Vec<_>>()));
            let fail = instrs.len() as u32 + 3;
            instrs.push(Instr::IsAtom { a: Use::of(argument), atom: Atom::new(question), fail });
            instrs.push(Instr::LoadConst { dst: argument, index });
            instrs.push(Instr::Return { src: Use::of(argument) });
        }
        instrs.push(Instr::FunctionClause { arity: 1 });
        let origin = self.m.forms.first().copied().unwrap_or(NodeId(0));
        let origins = vec![origin; instrs.len()];
        self.code.exports.push((name, 1));
        self.code.functions.push(Function::lowered(name, 1, 1, instrs, origins));
    }

    fn spec_arity(&self, clauses: NodeList) -> u32 {
        let Some(&clause) = self.m.list(clauses).first() else { return 0 };
        let fun = match self.m.kind(clause) {
            Kind::BoundedFunType { fun, .. } => fun,
            _ => clause,
        };
        match self.m.kind(fun) {
            Kind::FunType { args, .. } => args.map_or(0, |args| args.len),
            _ => 0,
        }
    }
}
