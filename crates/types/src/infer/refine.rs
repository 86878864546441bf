//! The second pass: what functions that only their own module can call are called with.
//!
//! Module by module, parameters and results are found together: functions that others can call are
//! given anything; what they call with what is noted; a function whose parameters have grown, or
//! that calls one whose result has grown, is looked at again. So both start from nothing and grow
//! until they stand still, as dialyzer's data flow does. Functions further down are looked at
//! first: those that call them then see all of their results at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use program::index::NameArity;
use rustc_hash::FxHashMap;

use super::body::{Callees, Wanted};
use super::callee::{Callee, Signature};
use super::graph::Index;
use super::rounds::{EXACT_ROUNDS, Followed, MOST_ROUNDS, Seen, World, depth_in};
use crate::ty::Type;

/// How often what was let go of too early is looked at again.
const DESCENTS: u32 = 1;

/// A function that is called, and what with.
type Call = (NameArity, Vec<Type>);

/// What was found out about a function.
pub(super) struct Refined {
    pub(super) index: Index,
    pub(super) signature: Arc<Signature>,
    /// None for those that others can call.
    pub(super) params: Option<Vec<Type>>,
}

/// A module while its functions are looked at.
pub(super) struct ModuleFlow<'a, 'b> {
    world: &'b World<'a>,
    module: usize,
    /// Callees before their callers.
    order: &'b [usize],
    /// The functions of the module, ascending.
    functions: Vec<Index>,
    signatures: Vec<Arc<Signature>>,
    params: FxHashMap<Index, Vec<Type>>,
    visits: FxHashMap<Index, u32>,
    callers: FxHashMap<Index, Vec<Index>>,
    open: BTreeSet<(usize, Index)>,
}

/// The signatures of a module as far as they are known, those of others as they are.
struct Inside<'a, 'b> {
    seen: Seen<'a, 'b>,
}

impl Callees for Inside<'_, '_> {
    fn callee(&self, module: atom::Atom, function: NameArity) -> Callee {
        self.seen.callee(module, function)
    }

    fn record(&self, module: atom::Atom, name: atom::Atom) -> Option<Type> {
        self.seen.record(module, name)
    }

    fn diverges(&self, module: atom::Atom, function: NameArity) -> bool {
        match self.seen.world.graph.by_name.get(&(module, function)) {
            Some(&index) => self.seen.world.signatures[index].diverges,
            None => self.seen.diverges(module, function),
        }
    }
}

impl<'a, 'b> ModuleFlow<'a, 'b> {
    pub(super) fn new(world: &'b World<'a>, module: usize, order: &'b [usize]) -> Self {
        let nodes = &world.graph.nodes;
        let functions: Vec<Index> =
            (0..nodes.len()).filter(|&index| nodes[index].module == module).collect();
        let mut callers: FxHashMap<Index, Vec<Index>> = FxHashMap::default();
        for &caller in &functions {
            for &callee in &nodes[caller].calls {
                if nodes[callee].module == module {
                    callers.entry(callee).or_default().push(caller);
                }
            }
        }
        let open = functions
            .iter()
            .filter(|&&index| nodes[index].escapes)
            .map(|&index| (order[index], index))
            .collect();
        let nothing = Arc::new(Signature::default());
        let signatures = vec![nothing; functions.len()];
        let (params, visits) = (FxHashMap::default(), FxHashMap::default());
        ModuleFlow { world, module, order, functions, signatures, params, visits, callers, open }
    }

    pub(super) fn run(mut self) -> Vec<Refined> {
        // In rounds, so that one does not see what changes drop by drop.
        while !self.open.is_empty() {
            for (_, index) in std::mem::take(&mut self.open) {
                self.visit(index);
            }
        }
        for _ in 0..DESCENTS {
            self.descend();
        }
        let mut found = Vec::new();
        for (place, &index) in self.functions.iter().enumerate() {
            let params = self.params.remove(&index);
            // What nobody calls stays as it was.
            if self.visits.contains_key(&index) {
                let signature = Arc::clone(&self.signatures[place]);
                found.push(Refined { index, signature, params });
            }
        }
        found
    }

    /// Takes back what was let go of too early: whatever is larger than what the functions make of
    /// it, once more from what was found, is made that. Both are upper bounds, so this one is, too.
    fn descend(&mut self) {
        let mut visited: Vec<Index> = self.visits.keys().copied().collect();
        visited.sort_unstable_by_key(|&index| (std::cmp::Reverse(self.order[index]), index));
        let mut called: FxHashMap<Index, Vec<Type>> = FxHashMap::default();
        for &index in &visited {
            let followed = self.follow(index, Some(Vec::new()));
            for (function, args) in followed.wanted.calls.unwrap_or_default() {
                let Some(callee) = self.closed(function) else { continue };
                if self.fails(callee, &args) {
                    continue;
                }
                match called.get_mut(&callee) {
                    None => {
                        called.insert(callee, args);
                    }
                    Some(params) => {
                        params
                            .iter_mut()
                            .zip(&args)
                            .for_each(|(param, arg)| *param = param.join(arg));
                    }
                }
            }
        }
        for &index in &visited {
            if let (Some(before), Some(now)) = (self.params.get_mut(&index), called.remove(&index))
            {
                for (before, now) in before.iter_mut().zip(&now) {
                    if now.is_within(before) {
                        *before = now.limited();
                    }
                }
            }
        }
        for &index in visited.iter().rev() {
            let followed = self.follow(index, None);
            if let Ok(place) = self.functions.binary_search(&index) {
                self.signatures[place] = Arc::new(followed.signature);
            }
        }
    }

    /// Follows a function with what it is called with, and notes calls if asked to.
    fn follow(&self, index: Index, calls: Option<Vec<Call>>) -> Followed {
        let escapes = self.world.graph.nodes[index].escapes;
        let given = self.params.get(&index).filter(|_| !escapes);
        let seen =
            Seen { world: self.world, component: &self.functions, signatures: &self.signatures };
        let wanted = Wanted { calls, findings: None };
        self.world.follow(index, given.map(Vec::as_slice), &Inside { seen }, wanted)
    }

    /// Whether a call is certain to fail: then it says nothing about what the function is meant
    /// for, and is what is wrong.
    fn fails(&self, callee: Index, args: &[Type]) -> bool {
        let signature = &self.world.signatures[callee];
        !signature.ways.is_empty() && !signature.diverges && !signature.takes(args)
    }

    /// A function of the module that others cannot call.
    fn closed(&self, function: NameArity) -> Option<Index> {
        let module = self.world.modules[self.module].name;
        let &callee = self.world.graph.by_name.get(&(module, function))?;
        (!self.world.graph.nodes[callee].escapes).then_some(callee)
    }

    fn visit(&mut self, index: Index) {
        let node = &self.world.graph.nodes[index];
        let arity = node.function.1 as usize;
        let visits = self.visits.entry(index).or_insert(0);
        *visits += 1;
        let visits = *visits;
        let followed = self.follow(index, Some(Vec::new()));
        let Ok(place) = self.functions.binary_search(&index) else { return };
        let before = &self.signatures[place];
        let mut signature = followed.signature;
        if visits > MOST_ROUNDS && signature != **before {
            signature = signature.given_up(before, arity);
        } else if visits > EXACT_ROUNDS {
            signature = signature.widened_since(before, arity, depth_in(visits));
        }
        let changed = signature.ways != before.ways;
        if changed {
            self.signatures[place] = Arc::new(signature);
        }
        for (function, args) in followed.wanted.calls.unwrap_or_default() {
            self.called(function, &args);
        }
        if changed {
            for &caller in self.callers.get(&index).map(Vec::as_slice).unwrap_or_default() {
                if self.visits.contains_key(&caller) {
                    self.open.insert((self.order[caller], caller));
                }
            }
        }
    }

    /// Notes a call of a function of the module.
    fn called(&mut self, function: NameArity, args: &[Type]) {
        let Some(callee) = self.closed(function) else { return };
        if self.fails(callee, args) {
            return;
        }
        let visits = self.visits.get(&callee).copied().unwrap_or(0);
        let grown = match self.params.get(&callee) {
            None => args.iter().map(Type::limited).collect(),
            Some(before) => {
                let mut grown = before.clone();
                for (param, arg) in grown.iter_mut().zip(args) {
                    if arg.is_within(param) {
                        continue;
                    }
                    let joined = param.join(arg);
                    *param = if visits <= EXACT_ROUNDS {
                        joined.limited()
                    } else if visits <= MOST_ROUNDS {
                        joined.widened_since(param, depth_in(visits))
                    } else {
                        Type::Any
                    };
                }
                if grown == *before {
                    return;
                }
                grown
            }
        };
        self.params.insert(callee, grown);
        self.open.insert((self.order[callee], callee));
    }
}
