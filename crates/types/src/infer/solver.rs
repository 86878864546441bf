//! Types of values, and the relations between them: constraints, solved by propagation.
//!
//! Every value of a function's body (a parameter, a part of a pattern, the result of a call) has a
//! type, at first the largest. *Narrowing* one to what it must be for the function to go on wakes
//! the [`Relation`]s that it takes part in, which narrow their other values in turn, until nothing
//! changes or nothing is left (the function cannot return this way: [`Dead`]). That solves the
//! conjunctions of Lindahl and Sagonas' constraints as their algorithm does.
//!
//! Disjunctions (clauses of a `case`, clauses of a function that is called) are solved
//! *constructively*: each branch is followed by itself and taken back ([`Solver::undo`]); what all
//! branches that can go on agree on holds afterwards. The branches stay as a relation: when later
//! something excludes all but one (their result must be `true`, say), that one's narrowings hold
//! again. So `case is_integer(X) of true -> …` says what a guard would say.
//!
//! A value that would have to hold itself (`X = [X]`, which never holds) is not narrowed for ever:
//! its type may become only so deep ([`limits`]).
//!
//! Cost: a value is narrowed a bounded number of times (the lattice has finite height below any
//! type that is met); for the bad case there is a budget a function ([`BUDGET`]), beyond which
//! narrowing wakes nobody: the types are then larger, never wrong.

use atom::Atom;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use syntax::ast::NodeId;

use super::callee::Callee;
#[cfg(doc)]
use crate::ty::limits;
use crate::ty::{Key, MapType, Type};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ValueId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RelationId(u32);

/// There is no way to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dead;

pub(super) type Alive<T = ()> = Result<T, Dead>;

/// How often relations are woken while one function is looked at.
const BUDGET: u32 = 40_000;
/// Branches and narrowings that a disjunction remembers.
const MOST_BRANCHES: usize = 24;
const MOST_REMEMBERED: usize = 160;

struct Value {
    ty: Type,
    relations: SmallVec<[RelationId; 4]>,
    /// The expression that narrowed it last.
    cause: Option<NodeId>,
}

/// What holds between values.
pub(super) enum Relation {
    /// `{P1, …, Pn}`
    Tuple { whole: ValueId, parts: Box<[ValueId]> },
    /// The element at a place (from 0) of a tuple of a size.
    Element { whole: ValueId, size: usize, place: usize, part: ValueId },
    /// `[Head | Tail]`
    Cell { whole: ValueId, head: ValueId, tail: ValueId },
    /// The same value.
    Equal(ValueId, ValueId),
    /// A map that has a key.
    Field { map: ValueId, key: Key, value: ValueId },
    /// A call, or an operator.
    Call { callee: Callee, args: Box<[ValueId]>, result: ValueId },
    /// What came out of branches.
    Branches { outputs: Box<[ValueId]>, branches: Box<[Branch]>, decided: bool },
}

/// How a branch ended.
pub(super) struct Branch {
    /// Its outputs, and their types at its end.
    outputs: Box<[(ValueId, Type)]>,
    narrowed: Vec<(ValueId, Type)>,
    relations: Vec<RelationId>,
    bound: Vec<(Atom, ValueId)>,
}

enum Undo {
    Type(ValueId, Type, Option<NodeId>),
    Attached(RelationId),
    Bound(Atom, Option<ValueId>),
    Decided(RelationId),
}

/// How far a solver was.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

#[derive(Default)]
pub(super) struct Solver {
    values: Vec<Value>,
    relations: Vec<Relation>,
    variables: FxHashMap<Atom, ValueId>,
    trail: Vec<Undo>,
    queue: Vec<RelationId>,
    woken: u32,
    /// A relation that need not be woken by what it says itself: it would say the same again.
    settled: Option<RelationId>,
    /// The expression that is looked at.
    pub(super) here: Option<NodeId>,
}

impl Solver {
    pub(super) fn value(&mut self, ty: Type) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(Value { ty, relations: SmallVec::new(), cause: self.here });
        id
    }

    pub(super) fn ty(&self, value: ValueId) -> &Type {
        &self.values[value.0 as usize].ty
    }

    /// The expressions that made a value what it is, as far as they are known, with what it was
    /// from then on: the last first.
    pub(super) fn history(&self, value: ValueId) -> Vec<(NodeId, Type)> {
        let now = &self.values[value.0 as usize];
        let mut states = vec![(now.cause, now.ty.clone())];
        for entry in self.trail.iter().rev() {
            if let Undo::Type(id, ty, cause) = entry
                && *id == value
            {
                // One expression may narrow step by step.
                if states.last().is_none_or(|last| last.0 != *cause) {
                    states.push((*cause, ty.clone()));
                }
            }
        }
        states.retain(|(_, ty)| !ty.is_any());
        states.into_iter().filter_map(|(cause, ty)| Some((cause?, ty))).collect()
    }

    pub(super) fn variable(&self, name: Atom) -> Option<ValueId> {
        self.variables.get(&name).copied()
    }

    pub(super) fn bind(&mut self, name: Atom, value: ValueId) {
        let before = self.variables.insert(name, value);
        self.trail.push(Undo::Bound(name, before));
    }

    /// Lets a variable be unbound, for a scope that has one of the same name.
    pub(super) fn unbind(&mut self, name: Atom) {
        if let Some(before) = self.variables.remove(&name) {
            self.trail.push(Undo::Bound(name, Some(before)));
        }
    }

    /// Says that something holds, and what follows.
    pub(super) fn relate(&mut self, relation: Relation) -> Alive {
        let id = RelationId(self.relations.len() as u32);
        self.relations.push(relation);
        self.attach(id);
        self.queue.push(id);
        self.propagate()
    }

    /// Lets a relation be woken by its values.
    fn attach(&mut self, id: RelationId) {
        let values = &mut self.values;
        self.relations[id.0 as usize].for_each_value(|value| {
            values[value.0 as usize].relations.push(id);
        });
        self.trail.push(Undo::Attached(id));
    }

    /// A value must be of a type.
    pub(super) fn narrow(&mut self, value: ValueId, ty: &Type) -> Alive {
        self.cut(value, ty)?;
        self.propagate()
    }

    /// The first half of narrowing: the value itself.
    fn cut(&mut self, value: ValueId, ty: &Type) -> Alive {
        if ty.is_any() {
            return Ok(());
        }
        let entry = &mut self.values[value.0 as usize];
        let both = entry.ty.meet(ty);
        if both == entry.ty {
            return Ok(());
        }
        if *both.opened() == Type::None {
            self.queue.clear();
            return Err(Dead);
        }
        // Saying less is never wrong.
        if !both.is_workable() {
            return Ok(());
        }
        let before = std::mem::replace(&mut entry.ty, both);
        let here = self.here.or(entry.cause);
        let cause = std::mem::replace(&mut entry.cause, here);
        self.trail.push(Undo::Type(value, before, cause));
        if self.woken < BUDGET {
            for &relation in &entry.relations {
                if self.settled != Some(relation) && !self.queue.contains(&relation) {
                    self.queue.push(relation);
                }
            }
        }
        Ok(())
    }

    /// Wakes relations until nothing changes.
    fn propagate(&mut self) -> Alive {
        while let Some(id) = self.queue.pop() {
            self.woken += 1;
            // Taken out, so that it can look at the values.
            let empty = Relation::Equal(ValueId(0), ValueId(0));
            let mut relation = std::mem::replace(&mut self.relations[id.0 as usize], empty);
            self.settled = relation.says_all_at_once().then_some(id);
            let result = self.revise(id, &mut relation);
            self.settled = None;
            self.relations[id.0 as usize] = relation;
            if result.is_err() {
                self.queue.clear();
                return result;
            }
        }
        Ok(())
    }

    fn revise(&mut self, id: RelationId, relation: &mut Relation) -> Alive {
        match relation {
            Relation::Tuple { whole, parts } => self.revise_tuple(*whole, parts),
            Relation::Element { whole, size, place, part } => {
                let element = self.ty(*whole).parts().tuples.element(*size, *place);
                self.cut(*part, &element)?;
                let part = self.ty(*part).clone();
                if part.is_any() {
                    return Ok(());
                }
                let mut elements = vec![Type::Any; *size];
                elements[*place] = part;
                self.cut(*whole, &Type::tuple(elements))
            }
            Relation::Cell { whole, head, tail } => {
                let (first, rest) = (self.ty(*whole).head(), self.ty(*whole).tail());
                self.cut(*head, &first)?;
                self.cut(*tail, &rest)?;
                let cell = Type::cell(self.ty(*head), self.ty(*tail));
                self.cut(*whole, &cell)
            }
            Relation::Equal(a, b) => {
                let of_b = self.ty(*b).clone();
                self.cut(*a, &of_b)?;
                let of_a = self.ty(*a).clone();
                self.cut(*b, &of_a)
            }
            Relation::Field { map, key, value } => {
                let there = match &self.ty(*map).parts().maps {
                    Some(map) => map.at(*key).0,
                    None => Type::None,
                };
                self.cut(*value, &there)?;
                let with = MapType::all().put(&key.to_type(), self.ty(*value));
                self.cut(*map, &Type::map(with))
            }
            Relation::Call { callee, args, result } => self.revise_call(id, callee, args, *result),
            Relation::Branches { outputs, branches, decided } => {
                if *decided {
                    return Ok(());
                }
                let alive: Vec<&Branch> =
                    branches.iter().filter(|branch| self.is_possible(outputs, branch)).collect();
                if let [only] = alive[..] {
                    *decided = true;
                    self.trail.push(Undo::Decided(id));
                    return self.decide(outputs, only);
                }
                self.agree(outputs, &alive)
            }
        }
    }

    fn revise_tuple(&mut self, whole: ValueId, parts: &[ValueId]) -> Alive {
        let size = parts.len();
        for (place, &part) in parts.iter().enumerate() {
            let element = self.ty(whole).parts().tuples.element(size, place);
            self.cut(part, &element)?;
        }
        let elements = parts.iter().map(|&part| self.ty(part).clone()).collect();
        self.cut(whole, &Type::tuple(elements))
    }

    /// The ways in which a call can go, given what is known of its arguments and its result.
    fn revise_call(
        &mut self,
        id: RelationId,
        callee: &Callee,
        args: &[ValueId],
        result: ValueId,
    ) -> Alive {
        let given: SmallVec<[Type; 4]> = args.iter().map(|&arg| self.ty(arg).clone()).collect();
        let wanted = self.ty(result).clone();
        let mut ways = callee.ways(&given);
        ways.retain(|way| wanted.is_any() || !way.result.is_disjoint(&wanted));
        let Some(first) = ways.pop() else { return Err(Dead) };
        let (mut joined, mut of_result) = (first.args, first.result);
        for way in ways {
            joined.iter_mut().zip(&way.args).for_each(|(a, b)| *a = a.join(b));
            of_result = of_result.join(&way.result);
        }
        for (&arg, ty) in args.iter().zip(&joined) {
            self.cut(arg, ty)?;
        }
        // What it gives rules out none of the ways that it was made of.
        self.settled = Some(id);
        self.cut(result, &of_result)
    }
}

impl Solver {
    pub(super) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Takes back everything since.
    pub(super) fn undo(&mut self, mark: Mark) {
        self.queue.clear();
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Undo::Type(value, ty, cause)) => {
                    let entry = &mut self.values[value.0 as usize];
                    (entry.ty, entry.cause) = (ty, cause);
                }
                Some(Undo::Attached(id)) => {
                    let values = &mut self.values;
                    self.relations[id.0 as usize].for_each_value(|value| {
                        values[value.0 as usize].relations.pop();
                    });
                }
                Some(Undo::Bound(name, Some(before))) => {
                    self.variables.insert(name, before);
                }
                Some(Undo::Bound(name, None)) => {
                    self.variables.remove(&name);
                }
                Some(Undo::Decided(id)) => {
                    if let Relation::Branches { decided, .. } = &mut self.relations[id.0 as usize] {
                        *decided = false;
                    }
                }
                None => {}
            }
        }
    }

    /// What a branch that began at a mark, and goes on here, has found.
    pub(super) fn capture(&self, mark: Mark, output: ValueId) -> Branch {
        let mut narrowed: Vec<ValueId> = Vec::new();
        let mut relations = Vec::new();
        let mut names: Vec<Atom> = Vec::new();
        for entry in &self.trail[mark.0..] {
            match entry {
                Undo::Type(value, ..) => narrowed.push(*value),
                Undo::Attached(id) => relations.push(*id),
                Undo::Bound(name, _) => {
                    if !names.contains(name) {
                        names.push(*name);
                    }
                }
                Undo::Decided(_) => {}
            }
        }
        narrowed.sort_unstable();
        narrowed.dedup();
        let narrowed = narrowed.into_iter().map(|id| (id, self.ty(id).clone())).collect();
        let bound =
            names.into_iter().filter_map(|name| Some((name, self.variable(name)?))).collect();
        let outputs = [(output, self.ty(output).clone())].into();
        Branch { outputs, narrowed, relations, bound }
    }

    /// Goes on behind branches: gives their output. What all agree on holds.
    pub(super) fn merge(&mut self, mut branches: Vec<Branch>) -> Alive<ValueId> {
        if branches.len() <= 1 {
            let branch = branches.pop().ok_or(Dead)?;
            self.enter(&branch)?;
            for &(name, value) in &branch.bound {
                self.bind(name, value);
            }
            return Ok(branch.outputs[0].0);
        }
        // Variables that every branch binds are outputs, too.
        let names: Vec<Atom> = branches[0]
            .bound
            .iter()
            .map(|bound| bound.0)
            .filter(|name| branches.iter().all(|branch| branch.value_of(*name).is_some()))
            .collect();
        let mut outputs = vec![self.output(&branches, |branch| branch.outputs[0].clone())];
        for branch in &mut branches {
            let more = names.iter().filter_map(|&name| branch.value_of(name));
            let more: Vec<(ValueId, Type)> =
                more.map(|value| (value, branch.type_of(self, value))).collect();
            branch.outputs = branch.outputs.iter().cloned().chain(more).collect();
        }
        for (place, &name) in names.iter().enumerate() {
            let output = self.output(&branches, |branch| branch.outputs[place + 1].clone());
            self.bind(name, output);
            outputs.push(output);
        }
        let result = outputs[0];
        let remembered: usize = branches.iter().map(|branch| branch.narrowed.len()).sum();
        if branches.len() <= MOST_BRANCHES && remembered <= MOST_REMEMBERED {
            self.relate(Relation::Branches {
                outputs: outputs.into(),
                branches: branches.into(),
                decided: false,
            })?;
        } else {
            let alive: Vec<&Branch> = branches.iter().collect();
            self.agree(&outputs, &alive)?;
            self.propagate()?;
        }
        Ok(result)
    }

    /// A value that is one of several.
    fn output(&mut self, branches: &[Branch], of: impl Fn(&Branch) -> (ValueId, Type)) -> ValueId {
        let first = of(&branches[0]).0;
        if branches.iter().all(|branch| of(branch).0 == first) {
            return first;
        }
        let joined = branches.iter().fold(Type::None, |joined, branch| joined.join(&of(branch).1));
        self.value(joined)
    }

    /// Lets what a branch found hold.
    fn enter(&mut self, branch: &Branch) -> Alive {
        for &relation in &branch.relations {
            self.attach(relation);
        }
        for (value, ty) in &branch.narrowed {
            self.cut(*value, ty)?;
        }
        self.propagate()
    }

    /// Whether a branch fits what is known by now.
    fn is_possible(&self, outputs: &[ValueId], branch: &Branch) -> bool {
        let fits = |value: ValueId, ty: &Type| {
            let known = self.ty(value);
            known.is_any() || ty.is_any() || !known.is_disjoint(ty)
        };
        outputs.iter().zip(&branch.outputs).all(|(&output, (_, ty))| fits(output, ty))
            && branch.narrowed.iter().all(|(value, ty)| fits(*value, ty))
    }

    /// Only one branch is possible.
    fn decide(&mut self, outputs: &[ValueId], branch: &Branch) -> Alive {
        for &relation in &branch.relations {
            self.attach(relation);
        }
        for (value, ty) in &branch.narrowed {
            self.cut(*value, ty)?;
        }
        for (&output, (value, _)) in outputs.iter().zip(&branch.outputs) {
            if output != *value {
                let id = RelationId(self.relations.len() as u32);
                self.relations.push(Relation::Equal(output, *value));
                self.attach(id);
                self.queue.push(id);
            }
        }
        Ok(())
    }

    /// Lets what all of several branches say hold.
    fn agree(&mut self, outputs: &[ValueId], branches: &[&Branch]) -> Alive {
        let Some((first, others)) = branches.split_first() else { return Err(Dead) };
        for (place, &output) in outputs.iter().enumerate() {
            let joined = branches
                .iter()
                .fold(Type::None, |joined, branch| joined.join(&branch.outputs[place].1));
            self.cut(output, &joined)?;
        }
        'values: for (value, ty) in &first.narrowed {
            let mut joined = ty.clone();
            for other in others {
                match other.narrowed.binary_search_by_key(value, |narrowed| narrowed.0) {
                    Ok(at) => joined = joined.join(&other.narrowed[at].1),
                    Err(_) => continue 'values,
                }
            }
            self.cut(*value, &joined)?;
        }
        Ok(())
    }
}

impl Branch {
    fn value_of(&self, name: Atom) -> Option<ValueId> {
        self.bound.iter().find(|bound| bound.0 == name).map(|bound| bound.1)
    }

    /// The type that a value had at its end.
    fn type_of(&self, solver: &Solver, value: ValueId) -> Type {
        match self.narrowed.binary_search_by_key(&value, |narrowed| narrowed.0) {
            Ok(at) => self.narrowed[at].1.clone(),
            Err(_) => solver.ty(value).clone(),
        }
    }
}

impl Relation {
    /// Whether it has nothing more to say after it was heard once, as long as nobody else says
    /// anything. (Specs with variables, and rules, say more of a result once they have narrowed
    /// arguments; of tuples one element may be another's part.)
    fn says_all_at_once(&self) -> bool {
        match self {
            Relation::Call { callee, .. } => matches!(callee, Callee::Known(_)),
            Relation::Tuple { .. } | Relation::Element { .. } => false,
            _ => true,
        }
    }

    /// The values that wake it.
    fn for_each_value(&self, mut look: impl FnMut(ValueId)) {
        match self {
            Relation::Tuple { whole, parts } => {
                look(*whole);
                parts.iter().copied().for_each(look);
            }
            Relation::Element { whole, part, .. } => [*whole, *part].into_iter().for_each(look),
            Relation::Cell { whole, head, tail } => {
                [*whole, *head, *tail].into_iter().for_each(look);
            }
            Relation::Equal(a, b) => [*a, *b].into_iter().for_each(look),
            Relation::Field { map, value, .. } => [*map, *value].into_iter().for_each(look),
            Relation::Call { args, result, .. } => {
                look(*result);
                args.iter().copied().for_each(look);
            }
            Relation::Branches { outputs, branches, .. } => {
                outputs.iter().copied().for_each(&mut look);
                for branch in branches {
                    branch.narrowed.iter().map(|narrowed| narrowed.0).for_each(&mut look);
                }
            }
        }
    }
}
