//! The sets that solve the constraints, and the work that is left.
//!
//! A variable of the constraint system is a growing set of values ([`Variable`]). An inclusion
//! hands what is in one set to another; a watch hands each value to [`crate::project`]. Only
//! differences are handed on: a set knows how many of its values were passed on, and waits in a
//! queue while there are more. Sets of handlers and mailboxes wait for their part of an iteration
//! ([`Hold`]). An inclusion or a watch that is new where values were passed on already has to catch
//! up.
//!
//! *Widening*: a set with [`WIDE`] values takes further structures only as the summary of all
//! structures of their tag and size, further integers as "a number"; a set with [`WIDEST`] becomes
//! [`Value::Everything`], and hands what it has to [`EVERYWHERE`], the one set for all that grew so
//! large. Nothing is lost, distinctions are. Which structures are told apart depends on the order
//! of arrival, so the order in which work is done is part of the result.
//!
//! Cost: each value goes once along each inclusion of each set; with sets of at most [`WIDEST`]
//! values (but for sets of processes and `EVERYWHERE`) that is linear in the constraints.

use std::collections::VecDeque;

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constraints::{BodyId, CallId, ProcessId};
use crate::contents::Space;
use crate::everything::Shape;
use crate::ids::IdVec;
use crate::matching::Matched;
use crate::sources::FunctionId;
use crate::values::{
    ANY_ATOM, EVERYTHING, Hold, NOWHERE, NUMBER, ObjectId, Value, ValueId, Values, VarId, Variable,
};
use crate::watches::{ConnectionId, Watch};

/// From here on a set takes structures as summaries.
const WIDE: usize = 12;
/// From here on a set is not told apart from other such sets.
const WIDEST: usize = 32;
/// The same for mailboxes: what a server is asked for decides which clauses answer, and there is
/// one of them a process.
const WIDE_MAILBOX: usize = 64;
const WIDEST_MAILBOX: usize = 256;
/// From here on summaries do not even tell tags apart: in [`EVERYWHERE`] only.
const TAGS: usize = 1 << 30;

/// The variable that holds what is in any set that grew too large.
pub(crate) const EVERYWHERE: VarId = VarId::new(0);

/// What is known of the solution so far.
#[derive(Debug, Default)]
pub(crate) struct Solution {
    pub(crate) values: Values,
    pub(crate) vars: IdVec<VarId, Variable>,
    constants: FxHashMap<ValueId, VarId>,
    summaries: FxHashMap<SummaryKey, ObjectId>,
    /// The tables that processes share, and their dictionaries.
    pub(super) spaces: FxHashMap<Atom, Space>,
    /// What is everywhere, by shape.
    pub(super) shapes: FxHashMap<Shape, VarId>,
    agenda: Agenda,
    inclusions: FxHashSet<(VarId, VarId)>,
    /// Names in destinations that were taken apart.
    pub(crate) names_in_pairs: FxHashSet<(VarId, VarId)>,
    /// Who calls whom.
    pub(crate) calls: CallGraph,
    /// Processes that are linked.
    pub(crate) linked: FxHashSet<(ProcessId, ProcessId)>,
    /// What is heard of the ends of processes that a connection monitors; the last stands for
    /// others, too.
    pub(crate) downs: FxHashMap<ConnectionId, Vec<(ProcessId, VarId)>>,
    pub(crate) iteration: u32,
    pub(crate) matched: Matched,
}

/// What is to be passed on.
#[derive(Debug, Default)]
struct Agenda {
    work: VecDeque<VarId>,
    held_throws: Vec<VarId>,
    held_messages: Vec<VarId>,
    new_inclusions: Vec<(VarId, VarId)>,
    /// Watches that have to catch up with so many values.
    new_watches: Vec<(VarId, Watch, u32)>,
}

/// The calls that were found, and those that wait for their part of an iteration.
#[derive(Debug, Default)]
pub(crate) struct CallGraph {
    links: FxHashSet<(CallId, BodyId)>,
    pub(crate) pending: Vec<(CallId, BodyId)>,
    /// In the order in which they were found.
    pub(crate) found: Vec<FoundCall>,
    /// Functions that are reached, and bodies whose code is to be generated.
    pub(crate) active: FxHashSet<FunctionId>,
    pub(crate) reached: Vec<BodyId>,
    /// Calls by names that may leave the program.
    pub(crate) outside: FxHashSet<CallId>,
    /// Calls of functions that are neither in the program nor modelled.
    pub(crate) unknown_functions: FxHashMap<(Atom, Atom, u32), Vec<CallId>>,
    /// List cells that were looked at for the arguments of a call.
    pub(crate) list_counts: FxHashMap<CallId, u32>,
}

/// An edge that data flow found, with the iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundCall {
    pub(crate) call: CallId,
    pub(crate) target: BodyId,
    pub(crate) iteration: u32,
}

impl CallGraph {
    /// Links a call and a body; whether that is new.
    pub(crate) fn link(&mut self, call: CallId, target: BodyId) -> bool {
        self.links.insert((call, target))
    }

    /// A link that data flow found: it waits for its part of the iteration.
    pub(crate) fn link_later(&mut self, call: CallId, target: BodyId) {
        if !self.links.contains(&(call, target)) {
            self.pending.push((call, target));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum SummaryKey {
    Cons,
    Map,
    Tuple(u32, Option<ValueId>),
}

impl Solution {
    pub(crate) fn new() -> Solution {
        let mut solution = Solution { values: Values::new(), ..Solution::default() };
        let everywhere = solution.fresh();
        debug_assert_eq!(everywhere, EVERYWHERE);
        solution
    }

    // ---- Variables ---------------------------------------------------------------------------

    pub(crate) fn fresh(&mut self) -> VarId {
        self.vars.push(Variable::default())
    }

    pub(crate) fn fresh_held(&mut self, hold: Hold) -> VarId {
        let var = self.fresh();
        self.vars[var].hold = hold;
        var
    }

    /// A variable for processes, which are always told apart.
    pub(crate) fn fresh_keeping(&mut self) -> VarId {
        let var = self.fresh();
        self.vars[var].keeps_all = true;
        var
    }

    /// The variable that holds one value for ever.
    pub(crate) fn constant(&mut self, value: ValueId) -> VarId {
        if let Some(&var) = self.constants.get(&value) {
            return var;
        }
        let var = self.fresh();
        let variable = &mut self.vars[var];
        variable.insert(value);
        variable.done = 1;
        variable.constant = true;
        self.constants.insert(value, var);
        var
    }

    pub(crate) fn items(&self, var: VarId) -> &[ValueId] {
        &self.vars[var].items
    }

    /// What a variable may hold, with what [`Value::Everything`] stands for.
    pub(crate) fn all_items(&self, var: VarId) -> impl Iterator<Item = ValueId> + '_ {
        let everywhere = if self.vars[var].is_everything { EVERYWHERE } else { var };
        let more: &[ValueId] = if everywhere == var { &[] } else { self.items(everywhere) };
        self.items(var).iter().chain(more).copied()
    }

    /// What a variable holds and has passed on.
    pub(crate) fn done_items(&self, var: VarId) -> Vec<ValueId> {
        let variable = &self.vars[var];
        variable.items[..variable.done as usize].to_vec()
    }

    /// The processes in a variable.
    pub(crate) fn pids_in(&self, var: VarId) -> impl Iterator<Item = ProcessId> + '_ {
        self.items(var).iter().filter_map(|&value| match self.values.get(value) {
            Value::Pid(process) => Some(process),
            _ => None,
        })
    }

    /// Adds a value to a variable.
    pub(crate) fn insert(&mut self, var: VarId, value: ValueId) {
        if var == NOWHERE {
            return;
        }
        let variable = &self.vars[var];
        let size = variable.items.len();
        let (wide, widest) = match variable.hold {
            Hold::Messages => (WIDE_MAILBOX, WIDEST_MAILBOX),
            _ => (WIDE, WIDEST),
        };
        let value = if var == EVERYWHERE {
            match self.values.get(value) {
                Value::Everything => return,
                Value::Atom(_) => ANY_ATOM,
                _ => self.widened(value, usize::MAX),
            }
        } else if variable.is_everything {
            if value != EVERYTHING {
                self.insert(EVERYWHERE, value);
            }
            return;
        } else if value == EVERYTHING || (size >= widest && !variable.keeps_all) {
            self.give_up(var);
            self.insert(EVERYWHERE, value);
            EVERYTHING
        } else if size >= wide {
            self.widened(value, size)
        } else {
            value
        };
        let variable = &mut self.vars[var];
        debug_assert!(!variable.constant || variable.contains(value), "constants do not change");
        if !variable.insert(value) {
            return;
        }
        if !variable.queued {
            variable.queued = true;
            match variable.hold {
                Hold::Never => self.agenda.work.push_back(var),
                Hold::Throws => self.agenda.held_throws.push(var),
                Hold::Messages => self.agenda.held_messages.push(var),
            }
        }
        if var == EVERYWHERE {
            self.sort_in(value);
        }
    }

    /// From now on a variable holds what is anywhere.
    fn give_up(&mut self, var: VarId) {
        self.vars[var].is_everything = true;
        for index in 0..self.vars[var].items.len() {
            let value = self.vars[var].items[index];
            self.insert(EVERYWHERE, value);
        }
    }

    // ---- Constraints -------------------------------------------------------------------------

    /// What `from` holds, `to` holds.
    pub(crate) fn include(&mut self, from: VarId, to: VarId) {
        if from == to || from == NOWHERE || to == NOWHERE {
            return;
        }
        let variable = &mut self.vars[from];
        if !variable.constant {
            if !self.inclusions.insert((from, to)) {
                return;
            }
            variable.into.push(to);
        }
        if variable.done > 0 {
            self.agenda.new_inclusions.push((from, to));
        }
    }

    /// Each value that is in `var`, or comes, is handed to a watch.
    pub(crate) fn watch(&mut self, var: VarId, watch: Watch) {
        if var == NOWHERE {
            return;
        }
        let variable = &mut self.vars[var];
        if !variable.constant {
            variable.watches.push(watch);
        }
        if variable.done > 0 {
            self.agenda.new_watches.push((var, watch, variable.done));
        }
    }

    /// The values are known: what led to them is not needed any more, and is most of the memory.
    pub(crate) fn forget_constraints(&mut self) {
        self.inclusions = FxHashSet::default();
        self.calls.links = FxHashSet::default();
        self.linked = FxHashSet::default();
        self.names_in_pairs = FxHashSet::default();
        for variable in &mut self.vars {
            variable.into = Vec::new();
            variable.watches = Vec::new();
        }
    }

    /// A call reaches a body.
    pub(crate) fn found(&mut self, call: CallId, target: BodyId) {
        self.calls.found.push(FoundCall { call, target, iteration: self.iteration });
    }

    // ---- Work --------------------------------------------------------------------------------

    /// Lets new inclusions catch up.
    pub(crate) fn catch_up(&mut self) {
        while let Some((from, to)) = self.agenda.new_inclusions.pop() {
            for index in 0..self.vars[from].done as usize {
                let value = self.vars[from].items[index];
                self.insert(to, value);
            }
        }
    }

    /// A watch that has to catch up with so many values of a variable.
    pub(crate) fn next_watch(&mut self) -> Option<(VarId, Watch, u32)> {
        self.agenda.new_watches.pop()
    }

    /// A variable that has values to pass on.
    pub(crate) fn next_variable(&mut self) -> Option<VarId> {
        self.agenda.work.pop_front()
    }

    /// The variables that waited for a part of an iteration.
    pub(crate) fn take_held(&mut self, hold: Hold) -> Vec<VarId> {
        match hold {
            Hold::Never => Vec::new(),
            Hold::Throws => std::mem::take(&mut self.agenda.held_throws),
            Hold::Messages => std::mem::take(&mut self.agenda.held_messages),
        }
    }

    /// Hands what is new in a variable to the variables that include it. Gives what is new, and the
    /// number of watches, which are the caller's business.
    pub(crate) fn pass_on(&mut self, var: VarId) -> (Vec<ValueId>, usize) {
        let variable = &mut self.vars[var];
        variable.queued = false;
        let start = variable.done as usize;
        let fresh: Vec<ValueId> = variable.items[start..].to_vec();
        variable.done = variable.items.len() as u32;
        let (targets, watches) = (variable.into.len(), variable.watches.len());
        for index in 0..targets {
            let to = self.vars[var].into[index];
            for &value in &fresh {
                self.insert(to, value);
            }
        }
        (fresh, watches)
    }

    // ---- Widening ----------------------------------------------------------------------------

    /// The value that a set of this size takes for another one.
    fn widened(&mut self, value: ValueId, size: usize) -> ValueId {
        let level = usize::from(size >= TAGS);
        if let Value::Cons(object) | Value::Tuple(object) | Value::Map(object) =
            self.values.get(value)
        {
            if let Some(known) = self.values.objects[object].summaries[level] {
                return known;
            }
            let summary = self.summary_of(value, size);
            self.values.objects[object].summaries[level] = Some(summary);
            return summary;
        }
        self.summary_of(value, size)
    }

    fn summary_of(&mut self, value: ValueId, size: usize) -> ValueId {
        match self.values.get(value) {
            Value::Int(_) => NUMBER,
            Value::Cons(object) => {
                let summary = self.merge(object, SummaryKey::Cons, 0);
                self.values.number(Value::Cons(summary))
            }
            Value::Map(object) => {
                let summary = self.merge(object, SummaryKey::Map, 0);
                self.values.number(Value::Map(summary))
            }
            Value::Tuple(object) => {
                let fields = &self.values.objects[object].fields;
                let arity = fields.len() as u32;
                let first = fields.first().map(|&field| &self.vars[field]);
                let tag = first.filter(|field| field.constant && size < TAGS);
                let tag = tag.and_then(|field| field.items.first().copied());
                let level = usize::from(tag.is_none());
                let summary = self.merge(object, SummaryKey::Tuple(arity, tag), level);
                self.values.number(Value::Tuple(summary))
            }
            _ => value,
        }
    }

    /// Makes a summary hold what an object holds.
    fn merge(&mut self, object: ObjectId, key: SummaryKey, level: usize) -> ObjectId {
        let summary = match self.summaries.get(&key) {
            Some(&summary) => summary,
            None => {
                let summary = self.new_summary(key);
                self.summaries.insert(key, summary);
                summary
            }
        };
        if summary == object
            || std::mem::replace(&mut self.values.objects[object].merged[level], true)
        {
            return summary;
        }
        if key == SummaryKey::Map {
            self.add_map_parent(summary, object);
        } else {
            for index in 0..self.values.objects[object].fields.len() {
                let from = self.values.objects[object].fields[index];
                let to = self.values.objects[summary].fields[index];
                if !self.vars[to].constant {
                    self.include(from, to);
                }
            }
        }
        summary
    }

    fn new_summary(&mut self, key: SummaryKey) -> ObjectId {
        let summary = match key {
            SummaryKey::Map => self.new_map(),
            SummaryKey::Cons => {
                let fields = [self.fresh(), self.fresh()];
                self.values.object(fields.into(), None)
            }
            SummaryKey::Tuple(arity, tag) => {
                let mut fields: Vec<VarId> = (0..arity).map(|_| self.fresh()).collect();
                if let (Some(tag), Some(first)) = (tag, fields.first_mut()) {
                    *first = self.constants[&tag];
                }
                self.values.object(fields.into(), None)
            }
        };
        self.values.objects[summary].is_summary = true;
        summary
    }
}
