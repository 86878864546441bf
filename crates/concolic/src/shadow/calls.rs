//! Calls: of funs, of functions by their names, of native functions.

use std::rc::Rc;

use code::instr::{Instr, Pc, Slot};
use code::module::Mfa;
use machine::Term;
use machine::code_space::Target;
use machine::control::Start;
use solver::{ExprId, Test};
use term::Fun;

use super::{Here, State, Value};
use crate::models::Outcome;
use crate::path::At;

/// A call of a native function, or a send, of which it is not known yet whether it was made.
pub(crate) struct Pending {
    pc: Pc,
    base: usize,
    depth: usize,
    at: Option<At>,
    pub(super) what: Called,
    pub(super) args: Vec<Value>,
    /// Where its result goes on the stack, and the arguments of what it calls.
    result: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Called {
    Native(u32),
    Send,
}

/// Modules that only show what they are given.
const OUTPUT: &[&str] = &["io", "logger", "error_logger"];

impl State {
    pub(super) fn call(&mut self, here: Here<'_>, instr: &Instr) {
        match *instr {
            // The arguments are where the called function has them.
            Instr::Call { .. }
            | Instr::TailCall { .. }
            | Instr::CallBody { .. }
            | Instr::TailBody { .. } => {}
            Instr::CallImport { import, at, len } => self.call_import(here, import, at, len),
            Instr::TailImport { import, len } => self.call_import(here, import, Slot(0), len),
            Instr::CallBuiltin { builtin, at, len } => self.call_native(here, builtin, at, len),
            Instr::GuardBuiltin { builtin, at, len, .. } => {
                let first = here.process.base + at.0 as usize;
                if !self.any(here, at, len as usize) {
                    self.lane.set(first, None);
                    return;
                }
                let args = self.args(here, at, len as usize);
                match self.native_or_lost(here, builtin, &args) {
                    Outcome::Gives(expr) => self.lane.set(first, expr),
                    _ => self.lane.set(first, None),
                }
            }
            Instr::CallFun { at, len } => self.call_fun(here, at, len, here.process.frames.len()),
            // Who called this one goes on with what it gives.
            Instr::TailFun { len } => {
                let depth = here.process.frames.len().saturating_sub(1);
                self.call_fun(here, Slot(0), len, depth);
            }
            Instr::CallDynamic { at, len } => self.call_dynamic(here, at, len),
            Instr::TailDynamic { len } => self.call_dynamic(here, Slot(0), len),
            _ => {}
        }
    }

    pub(super) fn args(&self, here: Here<'_>, at: Slot, len: usize) -> Vec<Value> {
        (0..len).map(|i| self.value(here, at.0 as usize + i)).collect()
    }

    fn call_import(&mut self, here: Here<'_>, import: u32, at: Slot, len: u8) {
        let (mfa, target) = here.code.import(import);
        self.call_target(here, mfa, target, at, len);
    }

    fn call_target(&mut self, here: Here<'_>, mfa: Mfa, target: Target, at: Slot, len: u8) {
        match target {
            Target::Builtin(builtin) => self.call_native(here, builtin, at, len),
            Target::Code(_) => {
                if OUTPUT.contains(&mfa.module.as_str()) || mfa.module.as_str() == "io_lib" {
                    self.shown(here, mfa, at, len);
                }
            }
            Target::Undefined => {}
        }
    }

    /// Arguments of a function that shows them: what it does with them is not followed.
    fn shown(&mut self, here: Here<'_>, mfa: Mfa, at: Slot, len: u8) {
        if !self.any(here, at, len as usize) {
            return;
        }
        let args = self.args(here, at, len as usize);
        if mfa.module.as_str() == "io_lib" && is_plain_format(&args) {
            return;
        }
        let is_harmless = mfa.module.as_str() != "io_lib"
            && args.iter().filter(|arg| arg.expr.is_none()).any(|arg| shows_anything(&arg.term));
        if !is_harmless {
            self.lose(format!("{}:{}/{}", mfa.module, mfa.name, mfa.arity));
        }
        let first = here.process.base + at.0 as usize;
        (first..first + len as usize).for_each(|at| self.lane.set(at, None));
    }

    fn call_native(&mut self, here: Here<'_>, builtin: u32, at: Slot, len: u8) {
        let result = here.process.base + at.0 as usize;
        let is_followed = self.any(here, at, len as usize)
            || self.remembers(here.code.builtins[builtin as usize].module);
        if !is_followed {
            // Nothing depends on the inputs.
            self.lane.set(result, None);
            return;
        }
        let mut args = self.args(here, at, len as usize);
        let called = here.code.builtins[builtin as usize];
        if (called.module, args.first().is_some_and(|key| key.expr.is_some())) == ("erlang", true)
            && matches!((called.name, len), ("get" | "erase", 1) | ("put", 2))
        {
            let keys = here.process.dictionary.iter().map(|(key, _)| key.clone());
            args.push(Value::plain(Term::list(keys)));
        }
        if (called.module, called.name) == ("erlscope_native", "finish") {
            // Nothing comes after it.
            self.finished(&args);
            return;
        }
        self.wait(here, Called::Native(builtin), args, result);
    }

    /// Whether a module's functions may give what depends on the inputs without being given it.
    fn remembers(&self, module: &str) -> bool {
        match module {
            "ets" => true,
            "erlang" => !self.lane.dictionary.is_empty(),
            _ => false,
        }
    }

    pub(super) fn wait(&mut self, here: Here<'_>, what: Called, args: Vec<Value>, result: usize) {
        let process = here.process;
        let (pc, base, depth, at) = (here.pc, process.base, process.frames.len(), self.place);
        self.lane.pending = Some(Pending { pc, base, depth, at, what, args, result });
    }

    /// Calls a fun, which has returned when there are no more frames than `depth`.
    fn call_fun(&mut self, here: Here<'_>, at: Slot, len: u8, depth: usize) {
        let slot = at.0 as usize + len as usize;
        let fun = self.value(here, slot);
        self.takes(&fun, u32::from(len));
        match fun.term.as_fun() {
            Some(Fun::Local(closure)) if closure.arity == u32::from(len) => {
                let args = self.args(here, at, len as usize);
                let first = here.process.base + at.0 as usize;
                if self.asks(&fun, &args, first, depth) {
                    self.enter_fun(here.process.base + slot, closure.env.len(), None);
                    return;
                }
                let env = self.env_or_lost(&fun);
                self.enter_fun(here.process.base + slot, closure.env.len(), env);
            }
            Some(&Fun::External { module, name, arity }) if arity == u32::from(len) => {
                self.lose_fun(&fun);
                let mfa = Mfa { module, name, arity };
                self.call_target(here, mfa, here.code.target_of(mfa), at, len);
            }
            _ => {}
        }
    }

    /// Whether a value is a fun of so many arguments decides whether it can be called.
    fn takes(&mut self, fun: &Value, arity: u32) {
        if let Some(expr) = fun.expr
            && self.env_of(expr).is_none()
        {
            let test = self.exprs.test(Test::FunctionOf(arity), expr);
            let is_one = fun.term.as_fun().is_some_and(|fun| fun.arity() == arity);
            self.decide(test, is_one);
        }
    }

    fn lose_fun(&mut self, fun: &Value) {
        if fun.expr.is_some() {
            self.lose("a call of an unknown fun".to_owned());
        }
    }

    fn env_or_lost(&mut self, fun: &Value) -> Option<Rc<[Option<ExprId>]>> {
        let env = self.env_of(fun.expr?);
        if env.is_none() {
            self.lose_fun(fun);
        }
        env
    }

    /// What a fun has taken along comes after its arguments.
    fn enter_fun(&mut self, first: usize, len: usize, env: Option<Rc<[Option<ExprId>]>>) {
        for number in 0..len {
            let expr = env.as_ref().and_then(|env| env.get(number).copied().flatten());
            self.lane.set(first + number, expr);
        }
    }

    fn call_dynamic(&mut self, here: Here<'_>, at: Slot, len: u8) {
        let slot = at.0 as usize + len as usize;
        let names = [self.value(here, slot), self.value(here, slot + 1)];
        self.which(here, &names, u32::from(len));
        if let (Some(module), Some(name)) = (names[0].term.as_atom(), names[1].term.as_atom()) {
            let mfa = Mfa { module, name, arity: u32::from(len) };
            self.call_target(here, mfa, here.code.target_of(mfa), at, len);
        }
    }

    /// Which function is called by its name is decided: one of those that the module exports, or
    /// none. Of a module that is unknown, or not there, the names are taken as they are.
    fn which(&mut self, here: Here<'_>, names: &[Value], arity: u32) {
        if names.iter().all(|name| name.expr.is_none()) {
            return;
        }
        if let [module, name] = names
            && module.expr.is_none()
            && let Some(expr) = name.expr
            && let Some(info) = module.term.as_atom().and_then(|module| here.code.module(module))
        {
            let exports = info.exports.iter().filter(|(_, other)| *other == arity);
            let mut known: Vec<atom::Atom> = exports.map(|(name, _)| *name).collect();
            known.sort_by(|a, b| a.as_str().cmp(b.as_str()));
            if !self.decide_test(Test::Atom, name, name.term.as_atom().is_some()) {
                return;
            }
            let mut ways: Vec<ExprId> = Vec::new();
            for &other in &known {
                ways.push(self.is_term(expr, Term::from(other)));
            }
            let others: Vec<ExprId> = ways.iter().map(|&way| self.exprs.not(way)).collect();
            ways.push(self.exprs.and(&others));
            let taken = known.iter().position(|&other| name.term.is_atom(other));
            self.choose(ways, taken.unwrap_or(known.len()));
            return;
        }
        self.lose("a call of an unknown function".to_owned());
        self.pin(names);
    }

    /// A call that waits was made, unless the same instruction is about to be executed again.
    pub(super) fn commit(&mut self, here: Here<'_>, next: Option<&Instr>) {
        let Some(pending) = self.lane.pending.take() else { return };
        let process = here.process;
        let place = (process.pc, process.base, process.frames.len());
        if next.is_some() && place == (pending.pc, pending.base, pending.depth) {
            return;
        }
        let Called::Native(number) = pending.what else { return };
        let now = std::mem::replace(&mut self.place, pending.at);
        let builtin = here.code.builtins[number as usize];
        let outcome = match (builtin.module, builtin.name) {
            ("erlang", "apply") => self.apply(here, &pending),
            ("erlang", "hibernate") => self.hibernate(&pending),
            ("ets", "new") => {
                self.new_table(here.process.stack.get(pending.result), pending.args.get(1));
                Outcome::Gives(None)
            }
            _ => self.native_or_lost(here, number, &pending.args),
        };
        match outcome {
            Outcome::Gives(expr) => self.lane.set(pending.result, expr),
            Outcome::Fails(reason) => self.lane.raising = reason,
            // What it called gives the result.
            Outcome::Unknown => {}
        }
        self.place = now;
    }

    /// What a native function makes of expressions; without a model, values are as they are.
    fn native_or_lost(&mut self, here: Here<'_>, number: u32, args: &[Value]) -> Outcome {
        let builtin = here.code.builtins[number as usize];
        match self.native(builtin.module, builtin.name, args) {
            Outcome::Unknown => {
                if args.iter().any(|arg| arg.expr.is_some()) {
                    let (module, name, arity) = (builtin.module, builtin.name, builtin.arity);
                    self.lose(format!("{module}:{name}/{arity}"));
                    self.pin(args);
                }
                Outcome::Gives(None)
            }
            outcome => outcome,
        }
    }

    /// `apply/2,3`: the elements of the list are the arguments of what is called.
    fn apply(&mut self, here: Here<'_>, pending: &Pending) -> Outcome {
        let Some((list, what)) = pending.args.split_last() else { return Outcome::Unknown };
        let (args, _) = self.spine(list);
        let target = match what {
            [fun] => {
                self.takes(fun, args.len() as u32);
                match fun.term.as_fun() {
                    Some(&Fun::External { module, name, arity }) => {
                        self.lose_fun(fun);
                        here.code.target_of(Mfa { module, name, arity })
                    }
                    Some(Fun::Local(closure)) => {
                        if self.asks(fun, &args, pending.result, pending.depth) {
                            return Outcome::Unknown;
                        }
                        let env = self.env_or_lost(fun);
                        self.enter_fun(pending.result + args.len(), closure.env.len(), env);
                        Target::Code(closure.entry)
                    }
                    None => return Outcome::Unknown,
                }
            }
            [module, name] => match (module.term.as_atom(), name.term.as_atom()) {
                (Some(module), Some(name)) => {
                    self.which(here, what, args.len() as u32);
                    here.code.target_of(Mfa { module, name, arity: args.len() as u32 })
                }
                _ => return Outcome::Unknown,
            },
            _ => return Outcome::Unknown,
        };
        if let Target::Builtin(number) = target {
            return self.native_or_lost(here, number, &args);
        }
        for (number, arg) in args.iter().enumerate() {
            self.lane.set(pending.result + number, arg.expr);
        }
        Outcome::Unknown
    }

    fn hibernate(&mut self, pending: &Pending) -> Outcome {
        if let Some(list) = pending.args.get(2) {
            let (args, _) = self.spine(list);
            self.lane.start = Some(args.into_iter().map(|arg| arg.expr).collect());
        }
        Outcome::Unknown
    }

    /// What a process that is started begins with.
    pub(super) fn started(&mut self, entry: &Start) -> Option<Vec<Option<ExprId>>> {
        let pending = self.lane.pending.as_ref()?;
        let args = pending.args.clone();
        if args.iter().all(|arg| arg.expr.is_none()) {
            return None;
        }
        match entry {
            Start::Apply { args: given, .. } => {
                // The list of its arguments is one of those of `spawn`.
                let is_list = |value: &&Value| {
                    value.expr.is_some() && value.term.list_len() == Some(given.len())
                };
                let list = args.iter().find(is_list)?.clone();
                let (elements, _) = self.spine(&list);
                Some(elements.into_iter().map(|element| element.expr).collect())
            }
            Start::Fun { fun, args: given } => {
                let closure = match fun.as_fun()? {
                    Fun::Local(closure) => closure,
                    Fun::External { .. } => return None,
                };
                let fun = args.iter().find(|arg| arg.expr.is_some() && arg.term.as_fun().is_some());
                let env = self.env_of(fun?.expr?)?;
                let mut start = vec![None; given.len()];
                start.extend((0..closure.env.len()).map(|n| env.get(n).copied().flatten()));
                Some(start)
            }
            Start::Raise(_) => None,
        }
    }
}

/// Whether these are a format of texts, integers and characters only, and what it is given: the
/// code that does that is followed.
fn is_plain_format(args: &[Value]) -> bool {
    let Some(format) = args.first().filter(|format| format.expr.is_none()) else { return false };
    let Some(text) = machine::builtins::text_of(&format.term) else { return false };
    let mut rest = text.as_str();
    while let Some(at) = rest.find('~') {
        rest = rest[at + 1..].trim_start_matches(|c: char| "0123456789.-t".contains(c));
        if !rest.starts_with(['b', 'B', 's', 'c', 'n', '~']) {
            return false;
        }
        rest = &rest[1..];
    }
    true
}

/// Whether a text is a format that shows any term that it is given.
fn shows_anything(format: &Term) -> bool {
    let Some(text) = machine::builtins::text_of(format) else { return false };
    let mut rest = text.as_str();
    while let Some(at) = rest.find('~') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || c == 't');
        if !rest.starts_with(['p', 'w', 'n', '~']) {
            return false;
        }
        rest = &rest[1..];
    }
    true
}
