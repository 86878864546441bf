//! What is in sets that grew too large: one set for all of them, by shape.
//!
//! A set that becomes [`Value::Everything`] hands its values to [`EVERYWHERE`]. Who looks into such
//! a set looks for something: a tuple of a size, a function of an arity, a process. So the values
//! of `EVERYWHERE` are also kept by shape, and a watch is put on the shapes that it can do
//! something with. Without that, every pattern that sees "everything" would be shown every function
//! of the program, which grows as the square of the program.
//!
//! Each call of "everything" reaches each function of its arity that is in `EVERYWHERE`, and each
//! call of a name in a module that is not known each function that is exported under the name;
//! their arguments, results, exceptions and processes meet in one [`Hub`] for each arity and each
//! name, instead of going from each call to each function. That is the same, as all of them reach
//! all: only the list of who calls whom is as long as before.

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::constraints::{BodyId, CallId, CallKind, FOR_ALL, PerClass};
use crate::solution::{EVERYWHERE, Solution};
use crate::values::{NOWHERE, Value, ValueId, VarId};
use crate::watches::{MapRead, Watch};

/// What a watch can look for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    Unknown,
    /// List cells and the empty list.
    List,
    /// Tuples of a size; of any size.
    Tuple(u32),
    Tuples,
    Map,
    /// Functions of an arity, of any arity; those outside of the program are among them.
    Fun(u32),
    Funs,
    Pid,
    Ref,
}

/// Which calls and functions meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum HubKey {
    /// Calls of everything with so many arguments.
    Arity(u32),
    /// Calls of everything with any number of them.
    Any,
    /// Calls of a function in a module that is not known.
    Named(Atom, u32),
}

/// The calls that go by hubs, and the bodies that they reach.
#[derive(Debug, Default)]
pub(crate) struct Hubs {
    all: FxHashMap<HubKey, Hub>,
    by_call: FxHashMap<CallId, HubKey>,
    reached: FxHashSet<(HubKey, BodyId)>,
}

/// Where calls of everything and the functions that they reach meet.
#[derive(Clone, Debug)]
struct Hub {
    args: Vec<VarId>,
    result: VarId,
    processes: VarId,
    raises: PerClass,
}

impl Solution {
    /// The variable that holds the values of a shape.
    fn shaped(&mut self, shape: Shape) -> VarId {
        if let Some(&var) = self.shapes.get(&shape) {
            return var;
        }
        let var = self.fresh_keeping();
        self.shapes.insert(shape, var);
        var
    }

    /// Puts a value that is new in [`EVERYWHERE`] where those of its shape are.
    pub(crate) fn sort_in(&mut self, value: ValueId) {
        let shapes: [Option<Shape>; 2] = match self.values.get(value) {
            Value::Unknown => [Some(Shape::Unknown), None],
            Value::Nil | Value::Cons(_) => [Some(Shape::List), None],
            Value::Tuple(object) => {
                let size = self.values.objects[object].fields.len() as u32;
                [Some(Shape::Tuple(size)), Some(Shape::Tuples)]
            }
            Value::Map(_) => [Some(Shape::Map), None],
            Value::Fun(_, arity) | Value::External(_, _, arity) => {
                [Some(Shape::Fun(arity)), Some(Shape::Funs)]
            }
            Value::Pid(_) => [Some(Shape::Pid), None],
            Value::Ref(_) => [Some(Shape::Ref), None],
            Value::Everything
            | Value::Atom(_)
            | Value::AnyAtom
            | Value::Int(_)
            | Value::Number
            | Value::Binary => [None, None],
        };
        for shape in shapes.into_iter().flatten() {
            let var = self.shaped(shape);
            self.insert(var, value);
        }
    }

    /// Hands what is everywhere of some shapes to a watch.
    fn look_for(&mut self, watch: Watch, shapes: &[Shape]) -> bool {
        for &shape in shapes {
            let var = self.shaped(shape);
            self.watch(var, watch);
        }
        true
    }
}

impl Analysis<'_> {
    /// A variable that stands for everything: whoever looks at its values looks at all there are
    /// of the shapes that matter. Whether that is all there is to do.
    pub(crate) fn fire_everything(&mut self, var: VarId, watch: Watch) -> bool {
        let shapes: &[Shape] = match watch {
            // Names: everything is as good as unknown.
            Watch::CallName(_) | Watch::CellKey(_) | Watch::FunName(_) | Watch::MapKey(_) => {
                return false;
            }
            Watch::MapStore { .. }
            | Watch::Named { .. }
            | Watch::Narrow { .. }
            | Watch::Each(_) => return false,
            Watch::Element(read)
                if self.constraints.accesses.element_reads[read].position == var =>
            {
                return false;
            }
            Watch::Element(read) => {
                let to = self.constraints.accesses.element_reads[read].result;
                return self
                    .solution
                    .look_for(Watch::TupleAll(to), &[Shape::Tuples, Shape::Unknown]);
            }
            Watch::Map(read) => {
                let MapRead { result, .. } = self.constraints.accesses.map_reads[read];
                let all = Watch::MapAll { keys: NOWHERE, values: result };
                return self.solution.look_for(all, &[Shape::Map, Shape::Unknown]);
            }
            Watch::Tuple(parts) => {
                let size = self.constraints.accesses.tuple_parts[parts].arity;
                return self.solution.look_for(watch, &[Shape::Tuple(size), Shape::Unknown]);
            }
            Watch::Callee(call) => {
                let site = &self.constraints.calls[call];
                let (shape, hub) = match site.any_args {
                    NOWHERE => {
                        let arity = site.args.len() as u32;
                        (Shape::Fun(arity), HubKey::Arity(arity))
                    }
                    _ => (Shape::Funs, HubKey::Any),
                };
                self.join_hub(call, hub);
                return self.solution.look_for(watch, &[shape, Shape::Unknown]);
            }
            Watch::Pids(to) => {
                // A name that is not told apart from others any more.
                let registered = self.solution.space(Atom::new("registered")).all;
                self.include(registered, to);
                &[Shape::Pid, Shape::Tuple(2), Shape::Ref]
            }
            Watch::Cons { .. } | Watch::Arguments(_) => &[Shape::List, Shape::Unknown],
            Watch::TupleAll(_) => &[Shape::Tuples, Shape::Unknown],
            Watch::MapAll { .. } | Watch::MapBase(_) => &[Shape::Map, Shape::Unknown],
            Watch::Destination(_)
            | Watch::Receive(_)
            | Watch::Connect(_)
            | Watch::Trap
            | Watch::End(_)
            | Watch::Processes(_) => &[Shape::Pid],
            // All that is inside of anything is there already.
            Watch::Inside(_) => return true,
            Watch::Tuples(_) => {
                self.watch(EVERYWHERE, watch);
                return true;
            }
        };
        self.solution.look_for(watch, shapes)
    }

    /// From now on data goes between this call and what it reaches by way of a hub.
    pub(crate) fn join_hub(&mut self, call: CallId, key: HubKey) {
        let site = &self.constraints.calls[call];
        let is_plain = !matches!(site.kind, CallKind::Spawn(_));
        let Some(body) = site.body.filter(|_| is_plain) else { return };
        if self.constraints.hubs.by_call.contains_key(&call) {
            return;
        }
        self.constraints.hubs.by_call.insert(call, key);
        let (result, handlers) = (site.result, site.raises);
        let args = match site.any_args {
            NOWHERE => site.args.clone(),
            any => vec![any],
        };
        let hub = self.hub(key);
        for (&from, &to) in args.iter().zip(&hub.args) {
            self.include(from, to);
        }
        self.include(hub.result, result);
        let callers = self.constraints.bodies[body].processes;
        self.include(callers, hub.processes);
        for (&from, &to) in hub.raises.iter().zip(&handlers) {
            self.include(from, to);
        }
    }

    /// The hub by which a call reaches a body, if there is one.
    pub(crate) fn hub_between(&self, call: CallId, target: BodyId) -> Option<HubKey> {
        let key = *self.constraints.hubs.by_call.get(&call)?;
        let function = self.sources.function(self.constraints.bodies[target].function);
        let fits = match key {
            HubKey::Arity(arity) => function.arity == arity,
            HubKey::Any => true,
            // An instance for one call is not for the others.
            HubKey::Named(name, arity) => {
                function.exported
                    && function.name == name
                    && function.arity == arity
                    && self.constraints.context_of(target) == FOR_ALL
            }
        };
        fits.then_some(key)
    }

    /// A function that the calls of a hub reach.
    pub(crate) fn reach_from_hub(&mut self, key: HubKey, target: BodyId) {
        if !self.constraints.hubs.reached.insert((key, target)) {
            return;
        }
        let body = &self.constraints.bodies[target];
        let (params, result) = (body.params.clone(), body.result);
        let (processes, raises) = (body.processes, body.raises);
        let hub = self.hub(key);
        for (index, &to) in params.iter().enumerate() {
            let from = if key == HubKey::Any { hub.args[0] } else { hub.args[index] };
            self.include(from, to);
        }
        self.include(result, hub.result);
        self.include(hub.processes, processes);
        for (&from, &to) in raises.iter().zip(&hub.raises) {
            self.include(from, to);
        }
    }

    fn hub(&mut self, key: HubKey) -> Hub {
        if let Some(hub) = self.constraints.hubs.all.get(&key) {
            return hub.clone();
        }
        let arity = match key {
            HubKey::Arity(arity) | HubKey::Named(_, arity) => arity,
            HubKey::Any => 1,
        };
        let hub = Hub {
            args: (0..arity).map(|_| self.fresh()).collect(),
            result: self.fresh(),
            processes: self.fresh_keeping(),
            raises: [self.fresh(), self.fresh(), self.fresh()],
        };
        self.constraints.hubs.all.insert(key, hub.clone());
        hub
    }
}
