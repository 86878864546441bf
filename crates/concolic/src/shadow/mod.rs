//! Beside every value of a run: what it is as an expression over the inputs.
//!
//! The [`Shadow`] is told every instruction before it is executed. It keeps for each slot of each
//! process's stack an expression, or nothing where the value does not depend on the inputs. Frames
//! overlap on the Machine's stack, so calls and returns move next to nothing here either.
//!
//! What an instruction will do follows from the values that it finds, so most is done at once.
//! Calls of native functions wait until the next instruction of their process shows that they were
//! made: one may have to be tried again, when a module was loaded or others have acted.
//!
//! Where a way is chosen by a value that has an expression, a [`Decision`] is noted. An expression
//! that is kept always has a value in the run: decisions before it saw to that.

mod asked;
mod bits;
mod calls;
mod dictionary;
mod ends;
mod facts;
mod instructions;
mod messages;
mod numbers;
pub mod probes;
mod structures;
mod tables;

use std::cell::RefCell;
use std::rc::Rc;

use code::instr::Pc;
use machine::code_space::CodeSpace;
use machine::observe::{Event, Interest, MessageId, Moment, Observer};
use machine::process::Process;
use machine::{Pid, Term};
use rustc_hash::{FxHashMap, FxHashSet};
pub use solver::ExprId;
use solver::{Exprs, Model, VarId};

use crate::funs::Funs;
use crate::path::{At, Decision, Loss, Path};

/// A value, and what it is as an expression if it depends on the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) term: Term,
    pub(crate) expr: Option<ExprId>,
}

impl Value {
    pub(crate) fn plain(term: Term) -> Value {
        Value { term, expr: None }
    }
}

/// What is known of one process.
#[derive(Default)]
pub(crate) struct Lane {
    /// By place on the stack.
    slots: Vec<Option<ExprId>>,
    /// What it begins with, until it does.
    start: Option<Vec<Option<ExprId>>>,
    pending: Option<calls::Pending>,
    /// What a fun of the inputs, that is being called, gives.
    answer: Option<asked::Answer>,
    /// A value that is looked at when it is there.
    after: Option<instructions::After>,
    /// The reason of the exception that is raised.
    raising: Option<ExprId>,
    /// What slots had before a `receive` was asked about messages.
    kept: Option<probes::Kept>,
    /// What of its dictionary depends on the inputs.
    pub(crate) dictionary: Vec<dictionary::Entry>,
}

impl Lane {
    fn get(&self, at: usize) -> Option<ExprId> {
        self.slots.get(at).copied().flatten()
    }

    fn set(&mut self, at: usize, expr: Option<ExprId>) {
        if at >= self.slots.len() {
            if expr.is_none() {
                return;
            }
            self.slots.resize(at + 16, None);
        }
        self.slots[at] = expr;
    }
}

/// Watches runs.
pub struct Shadow {
    state: RefCell<State>,
}

/// Where the process is that acts.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub(crate) code: &'a CodeSpace,
    pub(crate) process: &'a Process,
    pub(crate) pc: Pc,
}

pub(crate) struct State {
    pub(crate) exprs: Exprs,
    is_own: Box<dyn Fn(atom::Atom) -> bool>,
    /// More decisions are not kept.
    most: usize,
    /// Whether it matters if a run gives `true`.
    pub(crate) is_predicate: bool,
    /// Funs that inputs may have in them, and the unknowns that stand for what they give: by the
    /// fun, and how many it gave before.
    funs: Funs,
    results: FxHashMap<(usize, usize), VarId>,
    /// The unknowns that stand for the pairs of a map of so many: the first of them.
    pairs: FxHashMap<(ExprId, usize), VarId>,
    /// How many unknowns there are that are not those of the inputs.
    made_up: u32,
    // ---- of a run
    /// What the unknowns are.
    model: Model,
    path: Path,
    /// What was decided: conditions that hold or do not.
    decided: FxHashMap<ExprId, bool>,
    integers: FxHashSet<ExprId>,
    floats: FxHashSet<ExprId>,
    lanes: FxHashMap<Pid, Lane>,
    /// The process that begins, which nobody is linked to.
    main: Option<Pid>,
    /// The process that acts, taken out of the others.
    current: Option<Pid>,
    pub(crate) lane: Lane,
    messages: FxHashMap<MessageId, ExprId>,
    /// Messages in the order in which they were sent, and to whom.
    sent: Vec<(Pid, MessageId, Term)>,
    /// The message that a `receive` is asked about after the run.
    missed: Option<MessageId>,
    /// What funs have taken along, by the number of the unknown that stands for the fun.
    closures: Vec<Rc<[Option<ExprId>]>>,
    pub(crate) tables: tables::Tables,
    ends: ends::Ends,
    /// Where the instruction is that is followed.
    place: Option<At>,
    /// Which modules are the program's, by their number in the code space.
    own: Vec<Option<bool>>,
}

/// The first number of unknowns that stand for funs that runs make: those of inputs are below.
pub(crate) const FUNS: u32 = 1 << 30;
/// The first number of unknowns that stand for what funs of inputs give, and for pairs of maps.
const RESULTS: u32 = 1 << 29;

impl Shadow {
    /// One that keeps so many decisions of a run; modules of the program are told by `is_own`.
    pub fn new(most: usize, is_own: Box<dyn Fn(atom::Atom) -> bool>) -> Shadow {
        Shadow {
            state: RefCell::new(State {
                exprs: Exprs::new(),
                is_own,
                most,
                is_predicate: false,
                funs: Funs::default(),
                results: FxHashMap::default(),
                pairs: FxHashMap::default(),
                made_up: 0,
                model: Model::default(),
                path: Path::default(),
                decided: FxHashMap::default(),
                integers: FxHashSet::default(),
                floats: FxHashSet::default(),
                lanes: FxHashMap::default(),
                main: None,
                current: None,
                lane: Lane::default(),
                messages: FxHashMap::default(),
                sent: Vec::new(),
                missed: None,
                closures: Vec::new(),
                tables: tables::Tables::default(),
                ends: ends::Ends::default(),
                place: None,
                own: Vec::new(),
            }),
        }
    }

    /// Expressions are asked for, or made.
    pub fn with<T>(&self, work: impl FnOnce(&mut Exprs) -> T) -> T {
        work(&mut self.state.borrow_mut().exprs)
    }

    /// The same, and what funs there are.
    pub(crate) fn with_funs<T>(&self, work: impl FnOnce(&Exprs, &Funs) -> T) -> T {
        let state = self.state.borrow();
        work(&state.exprs, &state.funs)
    }

    /// From now on it is a decision whether a run gives `true`.
    pub fn decide_results(&self) {
        self.state.borrow_mut().is_predicate = true;
    }

    /// What funs there are among the inputs.
    pub(crate) fn know(&self, funs: Funs) {
        self.state.borrow_mut().funs = funs;
    }

    /// What unknowns are in the runs that come.
    pub(crate) fn assume(&self, model: &Model) {
        self.state.borrow_mut().model = model.clone();
    }

    /// A run begins: this process is given arguments, some of which are unknown.
    pub fn begin(&self, pid: Pid, args: Vec<Option<ExprId>>) {
        let state = &mut *self.state.borrow_mut();
        state.path = Path::default();
        state.decided.clear();
        state.integers.clear();
        state.floats.clear();
        state.lanes.clear();
        state.messages.clear();
        state.sent.clear();
        state.missed = None;
        state.closures.clear();
        state.tables = tables::Tables::default();
        state.ends = ends::Ends::default();
        (state.current, state.lane) = (None, Lane::default());
        state.main = Some(pid);
        state.lanes.insert(pid, Lane { start: Some(args), ..Lane::default() });
    }

    /// The run is over.
    pub fn end(&self) -> Path {
        std::mem::take(&mut self.state.borrow_mut().path)
    }
}

impl Observer for Shadow {
    fn interest(&self) -> Interest {
        Interest::INSTRUCTIONS
            .and(Interest::EXCEPTIONS)
            .and(Interest::PROCESSES)
            .and(Interest::MESSAGES)
    }

    fn instruction(&self, moment: &Moment<'_>, instr: &code::instr::Instr) {
        let Some(process) = moment.process else { return };
        let state = &mut *self.state.borrow_mut();
        let here = Here { code: moment.code, process, pc: process.pc };
        state.turn_to(process);
        state.forget_probes();
        state.locate(moment);
        state.finish(here, Some(instr));
        state.step(here, moment, instr);
    }

    fn probed(&self, moment: &Moment<'_>, instr: &code::instr::Instr) {
        let Some(process) = moment.process else { return };
        let state = &mut *self.state.borrow_mut();
        let here = Here { code: moment.code, process, pc: process.pc };
        state.turn_to(process);
        state.locate(moment);
        state.probe(here, moment, instr);
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        let state = &mut *self.state.borrow_mut();
        if let Some(process) = moment.process {
            state.turn_to(process);
        }
        state.told(moment, event);
    }
}

impl State {
    /// The process that acts.
    fn turn_to(&mut self, process: &Process) {
        if self.current == Some(process.pid) {
            return;
        }
        let next = self.lanes.remove(&process.pid).unwrap_or_default();
        let before = std::mem::replace(&mut self.lane, next);
        if let Some(pid) = self.current.replace(process.pid) {
            self.lanes.insert(pid, before);
        }
    }

    /// Where the instruction is that comes.
    fn locate(&mut self, moment: &Moment<'_>) {
        self.place = None;
        if let Some(site) = moment.site()
            && let Some(module) = moment.code.modules.get(site.module as usize)
        {
            let number = site.module as usize;
            if number >= self.own.len() {
                self.own.resize(number + 1, None);
            }
            let own = *self.own[number].get_or_insert_with(|| (self.is_own)(module.name));
            self.place = Some(At { module: module.name, node: site.node, own });
        }
    }

    /// What a value in a slot of the current frame is.
    fn value(&self, here: Here<'_>, slot: usize) -> Value {
        let at = here.process.base + slot;
        let term = here.process.stack.get(at).cloned().unwrap_or(Term::NIL);
        Value { term, expr: self.lane.get(at) }
    }

    /// The expression of a value, a constant if it has none.
    pub(crate) fn expr(&mut self, value: &Value) -> ExprId {
        match value.expr {
            Some(expr) => expr,
            None => self.exprs.constant(value.term.clone()),
        }
    }

    /// An expression that is worth to be kept: constants are not.
    pub(crate) fn kept(&self, expr: ExprId) -> Option<ExprId> {
        self.exprs.as_const(expr).is_none().then_some(expr)
    }

    /// A condition holds or does not, as the values say.
    pub(crate) fn decide(&mut self, condition: ExprId, holds: bool) {
        if let Some(known) = self.exprs.as_const(condition) {
            if known.is_true() != holds {
                self.path.wrong += 1;
            }
            return;
        }
        let (condition, holds) = match *self.exprs.get(condition) {
            solver::Expr::Not(inner) => (self.exprs.holds(inner), !holds),
            _ => (condition, holds),
        };
        if let Some(&known) = self.decided.get(&condition) {
            if known != holds {
                self.path.wrong += 1;
            }
            return;
        }
        self.decided.insert(condition, holds);
        let not = self.exprs.not(condition);
        self.note([condition, not].into(), usize::from(!holds));
    }

    /// One of several ways is taken; exactly one of their conditions holds.
    pub(crate) fn choose(&mut self, ways: Vec<ExprId>, taken: usize) {
        if ways.iter().any(|&way| self.exprs.as_const(way).is_some_and(Term::is_true)) {
            return;
        }
        let way = ways[taken];
        if self.decided.get(&way) == Some(&true) {
            return;
        }
        for (number, &way) in ways.iter().enumerate() {
            self.decided.insert(way, number == taken);
        }
        self.note(ways.into(), taken);
    }

    fn note(&mut self, ways: Rc<[ExprId]>, taken: usize) {
        if !self.closures.is_empty() && self.is_about_funs(&ways) {
            self.lose("a comparison of funs".to_owned());
            return;
        }
        if self.path.decisions.len() >= self.most {
            self.path.is_cut = true;
            return;
        }
        self.path.decisions.push(Decision { ways, taken, at: self.place });
    }

    fn is_about_funs(&self, ways: &[ExprId]) -> bool {
        self.exprs.vars(ways).iter().any(|var| var.0 >= FUNS)
    }

    /// Something depends on unknowns in a way that is not known.
    pub(crate) fn lose(&mut self, what: String) {
        let at = self.place;
        *self.path.losses.entry(Loss { what, at }).or_default() += 1;
    }

    /// The same: from here on these values are taken as they are.
    pub(crate) fn pin(&mut self, values: &[Value]) {
        for value in values {
            let Some(expr) = value.expr else { continue };
            let constant = self.exprs.constant(value.term.clone());
            let same = self.exprs.exact(expr, constant);
            if self.decided.get(&same) == Some(&true) || self.exprs.as_const(same).is_some() {
                continue;
            }
            self.decided.insert(same, true);
            self.note([same].into(), 0);
        }
    }

    /// So many unknowns that no run has used for anything else: the first.
    fn make_up(&mut self, count: usize) -> VarId {
        let first = RESULTS + self.made_up;
        self.made_up += count as u32;
        VarId(first)
    }

    /// A fun that has taken unknowns along.
    fn fun(&mut self, env: Vec<Option<ExprId>>) -> ExprId {
        let number = FUNS + self.closures.len() as u32;
        self.closures.push(env.into());
        self.exprs.var(VarId(number))
    }

    /// What a fun has taken along, if that is known.
    fn env_of(&self, fun: ExprId) -> Option<Rc<[Option<ExprId>]>> {
        match *self.exprs.get(fun) {
            solver::Expr::Var(VarId(number)) if number >= FUNS => {
                self.closures.get((number - FUNS) as usize).cloned()
            }
            _ => None,
        }
    }
}
