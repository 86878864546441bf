//! What is in sets that grew too large: one set for all of them, by shape.
//!
//! A set that becomes [`Value::Everything`] hands its values to [`EVERYWHERE`]. Who looks into such a set
//! looks for something: a tuple of a size, a function of an arity, a process. So the values of
//! `EVERYWHERE` are also kept by shape, and a watch is put on the shapes that it can do something with.
//! Without that, every pattern that sees "everything" would be shown every function of the program,
//! which grows as the square of the program.

use crate::analysis::{Analysis, EVERYWHERE};
use crate::values::*;

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

impl Analysis<'_> {
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
                let size = self.values.objects[object as usize].fields.len() as u32;
                [Some(Shape::Tuple(size)), Some(Shape::Tuples)]
            }
            Value::Map(_) => [Some(Shape::Map), None],
            Value::Fun(body) => {
                let function = self.bodies[body as usize].function;
                let arity = self.sources.function(function).arity;
                [Some(Shape::Fun(arity)), Some(Shape::Funs)]
            }
            Value::External(_, _, arity) => [Some(Shape::Fun(arity)), Some(Shape::Funs)],
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
            Watch::Element(read) if self.element_reads[read as usize].position == var => {
                return false;
            }
            Watch::Element(read) => {
                let to = self.element_reads[read as usize].result;
                return self.look_for(Watch::TupleAll(to), &[Shape::Tuples, Shape::Unknown]);
            }
            Watch::Map(read) => {
                let MapRead { result, .. } = self.map_reads[read as usize];
                let all = Watch::MapAll { keys: NOWHERE, values: result };
                return self.look_for(all, &[Shape::Map, Shape::Unknown]);
            }
            Watch::Tuple(parts) => {
                let size = self.tuple_parts[parts as usize].arity;
                return self.look_for(watch, &[Shape::Tuple(size), Shape::Unknown]);
            }
            Watch::Callee(call) => {
                let site = &self.calls[call as usize];
                let shape = match site.any_args {
                    NOWHERE => Shape::Fun(site.args.len() as u32),
                    _ => Shape::Funs,
                };
                return self.look_for(watch, &[shape, Shape::Unknown]);
            }
            Watch::Pids(to) => {
                // A name that is not told apart from others any more.
                let registered = self.space(atom::Atom::new("registered")).all;
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
        self.look_for(watch, shapes)
    }

    fn look_for(&mut self, watch: Watch, shapes: &[Shape]) -> bool {
        for &shape in shapes {
            let var = self.shaped(shape);
            self.watch(var, watch);
        }
        true
    }
}
