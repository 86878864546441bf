//! What values do when they arrive: the watches of the constraint system.
//!
//! A value that arrives in a variable is handed to each [`Watch`] on it once. Most watches add
//! inclusions between the parts of the value and other variables: a tuple pattern takes the fields
//! of a tuple that fits, an access the value under a key, a destination joins the message with the
//! mailbox. Where a watch asks for two things (a key and a map, a position and a tuple, two
//! processes), whichever comes later finds what was passed on of the other. Calls are in
//! [`crate::linking`], values that stand for everything in [`crate::everything`].
//!
//! Bounds: lists of arguments are followed up to [`MOST_ARGUMENTS`] elements and [`MOST_LISTS`]
//! lists of one call, then any element may be any argument; the ends of the first [`MOST_ENDS`]
//! processes that one place monitors are told apart. What is not known (an unknown value where a
//! structure is taken apart) gives unknown parts. Cost: a watch costs what it includes.

use atom::{Atom, known};

use crate::analysis::Analysis;
use crate::constraints::ProcessId;
use crate::values::{ANY_ATOM, EVERYTHING, NOWHERE, ObjectId, Value, ValueId, VarId};
use crate::watches::{
    ArgumentWalk, CellAccess, CellAccessId, Connection, ConnectionId, ElementRead, ElementReadId,
    MapRead, MapReadId, TuplePartsId, WalkId, Watch,
};

/// More arguments than any function that is applied to a list of them.
const MOST_ARGUMENTS: usize = 64;
/// So many processes that one place monitors are told apart.
const MOST_ENDS: usize = 8;
/// After so many list cells the lists of one call are not told apart any more.
const MOST_LISTS: u32 = 100;

impl Analysis<'_> {
    pub(crate) fn fire(&mut self, var: VarId, watch: Watch, value: ValueId) {
        if value == EVERYTHING && self.fire_everything(var, watch) {
            return;
        }
        match watch {
            Watch::Tuple(parts) => self.fire_tuple(parts, value),
            Watch::Cons { head, tail } => match self.value(value) {
                Value::Cons(object) => {
                    let fields = &self.solution.values.objects[object].fields;
                    let (first, rest) = (fields[0], fields[1]);
                    self.include(first, head);
                    self.include(rest, tail);
                }
                other => {
                    self.solution.part_of_unknown(other, value, head);
                    self.solution.part_of_unknown(other, value, tail);
                }
            },
            Watch::TupleAll(to) => match self.value(value) {
                Value::Tuple(object) => self.solution.include_fields(object, to),
                other => self.solution.part_of_unknown(other, value, to),
            },
            Watch::Map(read) => self.fire_map_read(read, Some(value), None),
            Watch::MapKey(read) => self.fire_map_read(read, None, Some(value)),
            Watch::MapAll { keys, values } => match self.value(value) {
                Value::Map(object) => {
                    if let Some(map) = &self.solution.values.objects[object].map {
                        let (all_keys, all_values) = (map.keys, map.all);
                        self.include(all_keys, keys);
                        self.include(all_values, values);
                    }
                }
                other => {
                    self.solution.part_of_unknown(other, value, keys);
                    self.solution.part_of_unknown(other, value, values);
                }
            },
            Watch::MapBase(object) => match self.value(value) {
                Value::Map(parent) => self.solution.add_map_parent(object, parent),
                other => {
                    if let Some(map) = &self.solution.values.objects[object].map {
                        let (keys, loose) = (map.keys, map.loose);
                        self.solution.part_of_unknown(other, value, loose);
                        self.solution.part_of_unknown(other, value, keys);
                    }
                }
            },
            Watch::MapStore { object, value: stored } => {
                if self.solution.is_exact_key(value) {
                    let field = self.solution.map_field(object, value);
                    self.include(stored, field);
                } else if let Some(map) = &self.solution.values.objects[object].map {
                    let loose = map.loose;
                    self.include(stored, loose);
                }
            }
            Watch::Callee(call) => self.fire_callee(call, value),
            Watch::CallName(call) => self.fire_call_name(call, var, value),
            Watch::Arguments(walk) => self.fire_arguments(walk, value),
            Watch::Destination(send) => {
                if let Value::Pid(process) = self.value(value) {
                    let message = self.constraints.sends[send].message;
                    let mailbox = self.constraints.processes[process].mailbox;
                    self.include(message, mailbox);
                }
            }
            Watch::Receive(receive) => {
                if let Value::Pid(process) = self.value(value) {
                    let mailbox = self.constraints.processes[process].mailbox;
                    let input = self.constraints.receives[receive].input;
                    self.include(mailbox, input);
                }
            }
            Watch::Inside(to) => self.fire_inside(value, to),
            Watch::CellKey(access) => self.fire_cell(access, value),
            Watch::Connect(connection) => self.fire_connection(connection, var, value),
            Watch::FunName(maker) => self.fire_fun_name(maker),
            Watch::Trap => self.fire_trap(value),
            Watch::Narrow { module, variable, to } => {
                if self.passes(module, variable, value) {
                    self.insert(to, value);
                }
            }
            Watch::Named { from, to } => {
                let is_name = match self.value(value) {
                    Value::Atom(_) | Value::AnyAtom | Value::Everything => true,
                    Value::Tuple(object) => self.solution.values.objects[object].fields.len() == 2,
                    _ => false,
                };
                if is_name {
                    self.include(from, to);
                }
            }
            Watch::End(reason) => {
                if let Value::Pid(process) = self.value(value) {
                    let exit = self.constraints.processes[process].exit;
                    self.include(reason, exit);
                }
            }
            Watch::Element(read) => self.fire_element(read, var, value),
            Watch::Pids(to) => self.fire_pids(value, to),
            Watch::Each(call) => self.fire_each(call, value),
            Watch::Processes(to) => {
                if let Value::Pid(_) = self.value(value) {
                    self.insert(to, value);
                }
            }
            Watch::Tuples(to) => {
                if !matches!(
                    self.value(value),
                    Value::Cons(_) | Value::Nil | Value::Atom(_) | Value::Int(_) | Value::Fun(..)
                ) {
                    self.insert(to, value);
                }
            }
        }
    }

    /// Whether a tuple can be one that a pattern takes apart, as far as literals tell.
    pub(crate) fn fits(&self, parts: TuplePartsId, object: ObjectId) -> bool {
        self.solution.fits(&self.constraints.accesses.tuple_parts[parts], object)
    }

    fn fire_tuple(&mut self, parts: TuplePartsId, value: ValueId) {
        let whole = self.value(value);
        let Value::Tuple(object) = whole else {
            for index in 0..self.constraints.accesses.tuple_parts[parts].fields.len() {
                let to = self.constraints.accesses.tuple_parts[parts].fields[index].1;
                self.solution.part_of_unknown(whole, value, to);
            }
            return;
        };
        if !self.fits(parts, object) {
            return;
        }
        for index in 0..self.constraints.accesses.tuple_parts[parts].fields.len() {
            let (position, to) = self.constraints.accesses.tuple_parts[parts].fields[index];
            let from = self.solution.values.objects[object].fields[position as usize];
            self.include(from, to);
        }
    }

    fn fire_element(&mut self, read: ElementReadId, var: VarId, value: ValueId) {
        let ElementRead { position, tuple, result } = self.constraints.accesses.element_reads[read];
        let (positions, tuples): (Vec<ValueId>, Vec<ValueId>) = if var == position {
            (vec![value], self.solution.done_items(tuple))
        } else {
            (self.solution.done_items(position), vec![value])
        };
        for &tuple in &tuples {
            let whole = self.value(tuple);
            let Value::Tuple(object) = whole else {
                self.solution.part_of_unknown(whole, tuple, result);
                continue;
            };
            for &position in &positions {
                match self.value(position) {
                    Value::Int(position) => {
                        let fields = &self.solution.values.objects[object].fields;
                        let field = usize::try_from(position - 1).ok().and_then(|p| fields.get(p));
                        if let Some(&field) = field {
                            self.include(field, result);
                        }
                    }
                    _ => self.solution.include_fields(object, result),
                }
            }
        }
    }

    // ---- Maps --------------------------------------------------------------------------------

    fn fire_map_read(&mut self, read: MapReadId, map: Option<ValueId>, key: Option<ValueId>) {
        let MapRead { map: map_var, key: key_var, result } =
            self.constraints.accesses.map_reads[read];
        let maps = map.map_or_else(|| self.solution.done_items(map_var), |map| vec![map]);
        let keys = key.map_or_else(|| self.solution.done_items(key_var), |key| vec![key]);
        for &map in &maps {
            let whole = self.value(map);
            let Value::Map(object) = whole else {
                self.solution.part_of_unknown(whole, map, result);
                continue;
            };
            for &key in &keys {
                if self.solution.is_exact_key(key) {
                    let field = self.solution.map_field(object, key);
                    self.include(field, result);
                } else if let Some(map) = &self.solution.values.objects[object].map {
                    let all = map.all;
                    self.include(all, result);
                }
            }
        }
    }

    // ---- Tables, processes -------------------------------------------------------------------

    fn fire_cell(&mut self, access: CellAccessId, key: ValueId) {
        let CellAccess { space, write, read, .. } = self.constraints.accesses.cells[access];
        let exact = matches!(
            self.value(key),
            Value::Atom(_) | Value::Int(_) | Value::Ref(_) | Value::Pid(_)
        );
        if exact {
            let cell = self.solution.cell(space, key);
            self.include(write, cell);
            self.include(cell, read);
        } else {
            let (all, loose) = (self.solution.space(space).all, self.solution.space(space).loose);
            self.include(write, loose);
            self.include(all, read);
        }
    }

    fn fire_pids(&mut self, value: ValueId, to: VarId) {
        match self.value(value) {
            Value::Pid(_) => self.insert(to, value),
            Value::Atom(_) => {
                let cell = self.solution.cell(Atom::new("registered"), value);
                self.include(cell, to);
            }
            // It may be any name that there is.
            Value::AnyAtom | Value::Unknown => {
                let registered = self.solution.space(Atom::new("registered")).all;
                self.include(registered, to);
            }
            // {Name, Node}
            Value::Tuple(object) => {
                if let [name, _] = self.solution.values.objects[object].fields[..]
                    && self.solution.names_in_pairs.insert((name, to))
                {
                    self.watch(name, Watch::Pids(to));
                }
            }
            Value::Ref(reference) => {
                let body = self.constraints.maker_of(reference);
                let processes = self.constraints.bodies[body].processes;
                self.include(processes, to);
            }
            _ => {}
        }
    }

    fn fire_inside(&mut self, value: ValueId, contents: VarId) {
        match self.value(value) {
            Value::Tuple(object) | Value::Cons(object) => {
                self.solution.include_fields(object, contents)
            }
            Value::Map(object) => {
                if let Some(map) = &self.solution.values.objects[object].map {
                    let (keys, all) = (map.keys, map.all);
                    self.include(keys, contents);
                    self.include(all, contents);
                }
            }
            _ => {}
        }
    }

    /// A process on one side of a connection. Links are kept by pairs; of monitors each that is
    /// monitored has one message, which all that monitor it hear.
    fn fire_connection(&mut self, connection: ConnectionId, var: VarId, value: ValueId) {
        let Connection { from, to, reference, messages, .. } =
            self.constraints.accesses.connections[connection];
        let Value::Pid(process) = self.value(value) else { return };
        if reference == NOWHERE {
            let others = if var == from {
                self.solution.done_items(to)
            } else {
                self.solution.done_items(from)
            };
            for other in others {
                if let Value::Pid(other) = self.value(other) {
                    self.link_processes(process, other);
                    self.link_processes(other, process);
                }
            }
            return;
        }
        if var == from {
            let mailbox = self.constraints.processes[process].mailbox;
            self.include(messages, mailbox);
        }
        if var == to {
            self.down_message(connection, process);
        }
    }

    /// `process` hears of the end of `other` if it traps exits.
    fn link_processes(&mut self, process: ProcessId, other: ProcessId) {
        if process == other || !self.solution.linked.insert((process, other)) {
            return;
        }
        self.constraints.processes[process].links.push(other);
        // The reason of the one is that of the other.
        let (reason, exit) =
            (self.constraints.processes[other].exit, self.constraints.processes[process].exit);
        self.include(reason, exit);
        if self.constraints.processes[process].traps {
            self.exit_signal(other, process);
        }
    }

    fn fire_trap(&mut self, value: ValueId) {
        let Value::Pid(process) = self.value(value) else { return };
        if !std::mem::replace(&mut self.constraints.processes[process].traps, true) {
            for other in self.constraints.processes[process].links.clone() {
                self.exit_signal(other, process);
            }
        }
    }

    fn exit_signal(&mut self, from: ProcessId, to: ProcessId) {
        let mut message = self.constraints.processes[from].exit_message;
        if message == NOWHERE {
            let pid = self.number(Value::Pid(from));
            let pid = self.constant(pid);
            let tag = self.atom(known::EXIT);
            let reason = self.constraints.processes[from].exit;
            message = self.tuple_of(&[tag, pid, reason]);
            self.constraints.processes[from].exit_message = message;
        }
        self.constraints.processes[from].told.push(to);
        let mailbox = self.constraints.processes[to].mailbox;
        self.include(message, mailbox);
    }

    /// A process is monitored.
    fn down_message(&mut self, connection: ConnectionId, from: ProcessId) {
        let Connection { reference, messages, others, .. } =
            self.constraints.accesses.connections[connection];
        let exit = self.constraints.processes[from].exit;
        let pid = self.number(Value::Pid(from));
        if let Some((who, why)) = others {
            self.insert(who, pid);
            self.include(exit, why);
            return;
        }
        let (who, why) = (self.fresh_keeping(), self.fresh());
        self.insert(who, pid);
        self.include(exit, why);
        // Who monitors by a name is told the name and the node.
        let any = self.constant(ANY_ATOM);
        let named = self.tuple_of(&[any, any]);
        self.include(named, who);
        let gone = self.atom(known::NOPROC);
        self.include(gone, why);
        let (tag, process) = (self.atom(known::DOWN), self.atom(known::PROCESS));
        let message = self.tuple_of(&[tag, reference, process, who, why]);
        self.include(message, messages);
        let told_apart = self.solution.downs.entry(connection).or_default();
        told_apart.push((from, message));
        if told_apart.len() >= MOST_ENDS {
            self.constraints.accesses.connections[connection].others = Some((who, why));
        }
    }

    // ---- Lists of arguments ------------------------------------------------------------------

    /// A list of arguments that is known down to here goes on.
    fn fire_arguments(&mut self, walk: WalkId, value: ValueId) {
        let ArgumentWalk { call, heads, path } = self.constraints.accesses.walks[walk].clone();
        match self.value(value) {
            Value::Nil => self.call_with(call, heads),
            Value::Cons(object) => {
                let fields = &self.solution.values.objects[object].fields;
                let (head, tail) = (fields[0], fields[1]);
                let lists = self.solution.calls.list_counts.entry(call).or_default();
                *lists += 1;
                let is_long = heads.len() >= MOST_ARGUMENTS
                    || *lists > MOST_LISTS
                    || path.contains(&object)
                    || self.solution.values.objects[object].is_summary;
                if is_long {
                    // A list of unknown length: any number of arguments, each any element.
                    let any = self.fresh();
                    for head in heads {
                        self.include(head, any);
                    }
                    let rest = self.constant(value);
                    self.solution.elements_into(rest, any);
                    self.call_with_any(call, any);
                    return;
                }
                let (mut heads, mut path) = (heads, path);
                heads.push(head);
                path.push(object);
                let walk = self.constraints.accesses.walks.push(ArgumentWalk { call, heads, path });
                self.watch(tail, Watch::Arguments(walk));
            }
            Value::Unknown | Value::Everything => {
                let any = self.constant(value);
                let all = self.fresh();
                self.include(any, all);
                for head in heads {
                    self.include(head, all);
                }
                self.call_with_any(call, all);
            }
            _ => {}
        }
    }
}
