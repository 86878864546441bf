//! Funs, and the numbers that OTP's compiler gives them.

use atom::{Atom, known};
use rustc_hash::FxHashSet;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList};
use term::Term;

use super::builder::FnBuilder;
use super::expr::Want;
use super::scope::free_variables;
use super::{Lowerer, Result};
use crate::instr::{Instr, Slot};
use crate::module::ClosureCode;

impl Lowerer<'_> {
    /// Gives every fun and generator of a function its number, in the order in which OTP's
    /// compiler does: a fun after what is inside it, a comprehension's qualifiers before its
    /// generators, those before its template; arguments, elements of tuples and lists, segments of
    /// binaries and operands from the last to the first (see [`in_order`]). Not imitated: the
    /// number that a long `after` block takes, and those of funs in the default values of records.
    /// That is done when the first of them asks: most functions have none.
    pub(super) fn number_of(&mut self, id: NodeId) -> u32 {
        if let Some(function) = self.unnumbered.take() {
            self.numbers.clear();
            self.number(function, &mut 0);
        }
        self.numbers.get(&id).copied().unwrap_or(0)
    }

    fn number(&mut self, id: NodeId, next: &mut u32) {
        let m = self.m;
        let mut take = |this: &mut Self, id: NodeId| {
            this.numbers.insert(id, *next);
            *next += 1;
        };
        match m.kind(id) {
            Kind::Comprehension { exprs, qualifiers, .. } => {
                let mut generators = Vec::new();
                for &qualifier in m.list(qualifiers) {
                    if let Kind::Generator { .. } | Kind::ZipGenerator { .. } = m.kind(qualifier) {
                        generators.push(qualifier);
                    }
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.number(qualifier, next));
                }
                for generator in generators {
                    self.numbers.insert(generator, *next);
                    *next += 1;
                }
                for &expr in m.list(exprs) {
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.number(expr, next));
                }
            }
            Kind::Fun { .. } => {
                m.for_each_child(id, |child| {
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.number(child, next));
                });
                self.numbers.insert(id, *next);
                *next += 1;
            }
            Kind::FunName { .. } => take(self, id),
            _ => {
                let start = self.to_number.len();
                in_order(m, id, &mut self.to_number);
                for at in start..self.to_number.len() {
                    let child = self.to_number[at];
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.number(child, next));
                }
                self.to_number.truncate(start);
            }
        }
    }

    /// The name of a function that is made out of part of another.
    pub(super) fn part_name(&mut self, part: &str) -> Atom {
        let (name, arity) = self.f().home;
        Atom::new(&format!("-{name}/{arity}-{part}-"))
    }

    /// Reserves the index of a function that is about to be made.
    pub(super) fn reserve(&mut self, name: Atom, arity: u32) -> u32 {
        self.code.functions.push(FnBuilder::placeholder(name, arity));
        self.code.functions.len() as u32 - 1
    }

    /// Starts a function whose last parameters are the values of `captured`.
    pub(super) fn begin_part(&mut self, name: Atom, arity: u32, captured: &[Atom], node: NodeId) {
        let home = self.f().home;
        let total = arity + captured.len() as u32;
        let mut builder = FnBuilder::new(name, total, home, node);
        for (i, &variable) in captured.iter().enumerate() {
            builder.slots.insert(variable, Slot(arity as u16 + i as u16));
            builder.bound.push(variable);
        }
        self.building.push(builder);
    }

    /// The function that was begun has these constants as values of variables around it.
    fn inherit_constants(&mut self, constants: Vec<(Atom, Term)>) {
        for (name, _) in &constants {
            let slot = self.temp();
            let f = self.f();
            f.slots.insert(*name, slot);
            f.bound.push(*name);
        }
        self.f().constants = constants;
    }

    /// At its beginning they are put where the variables live.
    pub(super) fn load_constants(&mut self) {
        for (name, constant) in self.f().constants.clone() {
            let slot = self.var_slot(name);
            self.load(slot, constant);
        }
    }

    /// Puts the values of variables into slots in a row; the first of them.
    pub(super) fn gather(&mut self, variables: &[Atom]) -> Slot {
        let at = self.temps(variables.len());
        for (i, &variable) in variables.iter().enumerate() {
            let slot = self.var_slot(variable);
            self.move_to(Slot(at.0 + i as u16), slot);
        }
        at
    }

    pub(super) fn fun(
        &mut self,
        id: NodeId,
        name: Option<Atom>,
        clauses: NodeList,
        dst: Slot,
    ) -> Result<()> {
        let m = self.m;
        let mut used = FxHashSet::default();
        free_variables(m, id, &mut used);
        let constants = self.used_constants(&used);
        let is_constant = |name: &Atom| constants.iter().any(|(constant, _)| constant == name);
        let mut captured = self.captured(&used, &[id]);
        captured.retain(|name| !is_constant(name));
        let arity = match m.list(clauses).first().map(|&clause| m.kind(clause)) {
            Some(Kind::Clause { patterns, .. }) => patterns.len,
            _ => 0,
        };
        let number = self.number_of(id);
        // A name that is not used makes no difference.
        let part = match name.filter(|name| self.uses_own_name(*name, id)) {
            Some(name) => {
                self.lifted += 1;
                format!("{name}/{arity}-{}", self.lifted - 1)
            }
            None => format!("fun-{number}"),
        };
        let part_name = self.part_name(&part);
        let total = arity + captured.len() as u32;
        let function = self.reserve(part_name, total);
        let closure = self.code.closures.len() as u32;
        self.code.closures.push(ClosureCode { function, arity, index: closure });

        self.begin_part(part_name, arity, &captured, id);
        self.inherit_constants(constants);
        if let Some(name) = name {
            self.bind_own_name(name, id, closure, &captured);
        }
        self.function_clauses(clauses, arity)?;
        self.finish(function)?;

        let mark = self.mark();
        let at = self.gather(&captured);
        self.emit(Instr::Closure { dst, at, len: captured.len() as u16, index: closure });
        self.release(mark);
        Ok(())
    }

    /// Whether the name of a fun occurs in it.
    fn uses_own_name(&self, name: Atom, fun: NodeId) -> bool {
        let m = self.m;
        let Kind::Fun { clauses, .. } = m.kind(fun) else { return false };
        let mut used = false;
        for &clause in m.list(clauses) {
            m.for_each_below(clause, |id| {
                used |= matches!(m.kind(id), Kind::Var(variable) if variable == name);
            });
        }
        used && name != known::UNDERSCORE
    }

    /// A named fun knows itself: makes the closure again from the environment, where it is used.
    fn bind_own_name(&mut self, name: Atom, fun: NodeId, closure: u32, captured: &[Atom]) {
        if !self.uses_own_name(name, fun) {
            return;
        }
        let slot = self.temp();
        self.f().slots.insert(name, slot);
        self.emit(Instr::Enter { size: 0 });
        let mark = self.mark();
        let at = self.gather(captured);
        self.emit(Instr::Closure { dst: slot, at, len: captured.len() as u16, index: closure });
        self.release(mark);
        self.bind(name);
    }

    /// `fun name/1`
    pub(super) fn fun_name(
        &mut self,
        id: NodeId,
        name: Atom,
        arity: NodeId,
        dst: Slot,
    ) -> Result<()> {
        let Some(arity) = self.constant(arity).and_then(|a| u32::try_from(a.as_int()?).ok()) else {
            return self.unsupported(id, "the arity of a fun must be a number");
        };
        if let Some(&function) = self.local.get(&(name, arity)) {
            // The same function named twice is the same fun.
            let closures = &mut self.code.closures;
            let known = closures.iter().position(|c| c.function == function && c.arity == arity);
            let index = known.unwrap_or_else(|| {
                let index = closures.len() as u32;
                closures.push(ClosureCode { function, arity, index });
                index as usize
            }) as u32;
            self.emit(Instr::Closure { dst, at: dst, len: 0, index });
            return Ok(());
        }
        let module = match self.imported.get(&(name, arity)) {
            Some(&module) => module,
            None if name == known::MODULE_INFO => self.code.name,
            None => known::ERLANG,
        };
        let index = self.import(module, name, arity);
        self.emit(Instr::ExternalFun { dst, index });
        Ok(())
    }

    /// `fun M:F/A`
    pub(super) fn fun_remote(
        &mut self,
        module: NodeId,
        name: NodeId,
        arity: NodeId,
        dst: Slot,
    ) -> Result<()> {
        let m = self.m;
        if let (Kind::Atom(module), Kind::Atom(name), Some(arity)) =
            (m.kind(module), m.kind(name), self.constant(arity).and_then(|a| a.as_int()))
            && let Ok(arity) = u32::try_from(arity)
        {
            let index = self.import(module, name, arity);
            self.emit(Instr::ExternalFun { dst, index });
            return Ok(());
        }
        let mark = self.mark();
        let at = self.temps(3);
        for (i, part) in [module, name, arity].into_iter().enumerate() {
            self.eval(part, Want::Value(Slot(at.0 + i as u16)))?;
        }
        self.builtin("make_fun", at, 3);
        self.move_to(dst, at);
        self.release(mark);
        Ok(())
    }
}

/// Adds the children of an expression in the order in which OTP's compiler comes to them.
fn in_order(m: &Module, id: NodeId, children: &mut Vec<NodeId>) {
    let start = children.len();
    match m.kind(id) {
        // What is called comes first if it is computed, last if it is a name with a module.
        Kind::Call { callee, args } => {
            let is_remote = matches!(m.kind(callee), Kind::Remote { .. });
            children.extend((!is_remote).then_some(callee));
            children.extend(m.list(args).iter().rev());
            children.extend(is_remote.then_some(callee));
        }
        Kind::Receive { clauses, .. } => {
            let clauses = m.list(clauses);
            m.for_each_child(id, |child| {
                if !clauses.contains(&child) {
                    children.push(child);
                }
            });
            children.extend(clauses);
        }
        kind => {
            m.for_each_child(id, |child| children.push(child));
            let backwards = match kind {
                Kind::Tuple { .. } | Kind::List { .. } | Kind::Binary { .. } => true,
                Kind::Record { base: None, .. } | Kind::Remote { .. } => true,
                Kind::BinaryOp { op, .. } => !matches!(op, BinaryOp::Andalso | BinaryOp::Orelse),
                _ => false,
            };
            if backwards {
                children[start..].reverse();
            }
        }
    }
}
