//! What values do when they arrive: the watches of the constraint system.

use atom::{Atom, known};

use crate::analysis::Analysis;
use crate::values::*;

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
            Watch::Cons { head, tail } => match self.values.get(value) {
                Value::Cons(object) => {
                    let fields = &self.values.objects[object as usize].fields;
                    let (first, rest) = (fields[0], fields[1]);
                    self.include(first, head);
                    self.include(rest, tail);
                }
                other => {
                    self.part_of_unknown(other, value, head);
                    self.part_of_unknown(other, value, tail);
                }
            },
            Watch::TupleAll(to) => match self.values.get(value) {
                Value::Tuple(object) => self.include_fields(object, to),
                other => self.part_of_unknown(other, value, to),
            },
            Watch::Map(read) => self.fire_map_read(read, Some(value), None),
            Watch::MapKey(read) => self.fire_map_read(read, None, Some(value)),
            Watch::MapAll { keys, values } => match self.values.get(value) {
                Value::Map(object) => {
                    if let Some(map) = &self.values.objects[object as usize].map {
                        let (all_keys, all_values) = (map.keys, map.all);
                        self.include(all_keys, keys);
                        self.include(all_values, values);
                    }
                }
                other => {
                    self.part_of_unknown(other, value, keys);
                    self.part_of_unknown(other, value, values);
                }
            },
            Watch::MapBase(object) => match self.values.get(value) {
                Value::Map(parent) => self.add_map_parent(object, parent),
                other => {
                    if let Some(map) = &self.values.objects[object as usize].map {
                        let (keys, loose) = (map.keys, map.loose);
                        self.part_of_unknown(other, value, loose);
                        self.part_of_unknown(other, value, keys);
                    }
                }
            },
            Watch::MapStore { object, value: stored } => {
                if self.is_exact_key(value) {
                    let field = self.map_field(object, value);
                    self.include(stored, field);
                } else if let Some(map) = &self.values.objects[object as usize].map {
                    let loose = map.loose;
                    self.include(stored, loose);
                }
            }
            Watch::Callee(call) => self.fire_callee(call, value),
            Watch::CallName(call) => self.fire_call_name(call, var, value),
            Watch::Arguments(walk) => self.fire_arguments(walk, value),
            Watch::Destination(send) => {
                if let Value::Pid(process) = self.values.get(value) {
                    let message = self.sends[send as usize].message;
                    let mailbox = self.processes[process as usize].mailbox;
                    self.include(message, mailbox);
                }
            }
            Watch::Receive(receive) => {
                if let Value::Pid(process) = self.values.get(value) {
                    let mailbox = self.processes[process as usize].mailbox;
                    let input = self.receives[receive as usize].input;
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
                let is_name = match self.values.get(value) {
                    Value::Atom(_) | Value::AnyAtom | Value::Everything => true,
                    Value::Tuple(object) => self.values.objects[object as usize].fields.len() == 2,
                    _ => false,
                };
                if is_name {
                    self.include(from, to);
                }
            }
            Watch::End(reason) => {
                if let Value::Pid(process) = self.values.get(value) {
                    let exit = self.processes[process as usize].exit;
                    self.include(reason, exit);
                }
            }
            Watch::Element(read) => self.fire_element(read, var, value),
            Watch::Pids(to) => self.fire_pids(value, to),
            Watch::Each(call) => self.fire_each(call, value),
            Watch::Processes(to) => {
                if let Value::Pid(_) = self.values.get(value) {
                    self.insert(to, value);
                }
            }
            Watch::Tuples(to) => {
                if !matches!(
                    self.values.get(value),
                    Value::Cons(_) | Value::Nil | Value::Atom(_) | Value::Int(_) | Value::Fun(_)
                ) {
                    self.insert(to, value);
                }
            }
        }
    }

    /// A part of something unknown is unknown.
    fn part_of_unknown(&mut self, whole: Value, value: ValueId, to: VarId) {
        if whole == Value::Unknown {
            self.insert(to, value);
        }
    }

    fn include_fields(&mut self, object: u32, to: VarId) {
        for index in 0..self.values.objects[object as usize].fields.len() {
            let field = self.values.objects[object as usize].fields[index];
            self.include(field, to);
        }
    }

    fn fire_tuple(&mut self, parts: u32, value: ValueId) {
        let whole = self.values.get(value);
        let Value::Tuple(object) = whole else {
            for index in 0..self.tuple_parts[parts as usize].fields.len() {
                let to = self.tuple_parts[parts as usize].fields[index].1;
                self.part_of_unknown(whole, value, to);
            }
            return;
        };
        if !self.fits(parts, object) {
            return;
        }
        for index in 0..self.tuple_parts[parts as usize].fields.len() {
            let (position, to) = self.tuple_parts[parts as usize].fields[index];
            let from = self.values.objects[object as usize].fields[position as usize];
            self.include(from, to);
        }
    }

    /// Whether a tuple can be one that a pattern takes apart, as far as literals tell.
    pub(crate) fn fits(&self, parts: u32, object: u32) -> bool {
        let pattern = &self.tuple_parts[parts as usize];
        let fields = &self.values.objects[object as usize].fields;
        let fits = |&(position, literal): &(u32, ValueId)| {
            let field = &self.vars[fields[position as usize] as usize];
            !field.constant || field.items.first().is_some_and(|&value| self.may_be(value, literal))
        };
        fields.len() as u32 == pattern.arity && pattern.literals.iter().all(fits)
    }

    /// Whether what is known of a value does not rule out a literal.
    fn may_be(&self, value: ValueId, literal: ValueId) -> bool {
        value == literal
            || match self.values.get(value) {
                Value::Unknown | Value::Everything => true,
                Value::AnyAtom => matches!(self.values.get(literal), Value::Atom(_)),
                Value::Number => matches!(self.values.get(literal), Value::Int(_)),
                _ => false,
            }
    }

    fn fire_element(&mut self, read: u32, var: VarId, value: ValueId) {
        let ElementRead { position, tuple, result } = self.element_reads[read as usize];
        let (positions, tuples): (Vec<ValueId>, Vec<ValueId>) = if var == position {
            (vec![value], self.done_items(tuple))
        } else {
            (self.done_items(position), vec![value])
        };
        for &tuple in &tuples {
            let whole = self.values.get(tuple);
            let Value::Tuple(object) = whole else {
                self.part_of_unknown(whole, tuple, result);
                continue;
            };
            for &position in &positions {
                match self.values.get(position) {
                    Value::Int(position) => {
                        let fields = &self.values.objects[object as usize].fields;
                        let field = usize::try_from(position - 1).ok().and_then(|p| fields.get(p));
                        if let Some(&field) = field {
                            self.include(field, result);
                        }
                    }
                    _ => self.include_fields(object, result),
                }
            }
        }
    }

    pub(crate) fn done_items(&self, var: VarId) -> Vec<ValueId> {
        let variable = &self.vars[var as usize];
        variable.items[..variable.done as usize].to_vec()
    }

    // ---- Maps --------------------------------------------------------------------------------

    pub(crate) fn new_map(&mut self) -> u32 {
        let map = MapObject {
            fields: Vec::new(),
            keys: self.fresh(),
            all: self.fresh(),
            loose: self.fresh(),
            parents: Vec::new(),
        };
        let (all, loose) = (map.all, map.loose);
        self.include(loose, all);
        self.values.object(Box::default(), Some(Box::new(map)))
    }

    /// Whether a key tells fields apart.
    fn is_exact_key(&self, key: ValueId) -> bool {
        matches!(self.values.get(key), Value::Atom(_) | Value::Int(_))
    }

    /// A field that the place which makes the map writes.
    pub(crate) fn write_map(&mut self, object: u32, key: VarId, value: VarId) {
        let literal = {
            let key = &self.vars[key as usize];
            key.constant.then(|| key.items.first().copied()).flatten()
        };
        let exact = literal.filter(|&key| self.is_exact_key(key));
        let Some(map) = self.values.objects[object as usize].map.as_mut() else { return };
        let (keys, all) = (map.keys, map.all);
        self.include(value, all);
        self.include(key, keys);
        match exact {
            Some(key) => {
                if let Some(map) = self.values.objects[object as usize].map.as_mut() {
                    map.fields.push(MapField { key, var: value, own: true });
                }
            }
            None => self.watch(key, Watch::MapStore { object, value }),
        }
    }

    pub(crate) fn add_map_parent(&mut self, object: u32, parent: u32) {
        if object == parent {
            return;
        }
        let Some(of_parent) = self.values.objects[parent as usize].map.as_deref() else { return };
        let (keys, all, loose) = (of_parent.keys, of_parent.all, of_parent.loose);
        let Some(map) = self.values.objects[object as usize].map.as_mut() else { return };
        if map.parents.contains(&parent) {
            return;
        }
        map.parents.push(parent);
        let fields = map.fields.clone();
        let own = (map.keys, map.all, map.loose);
        self.include(keys, own.0);
        self.include(all, own.1);
        self.include(loose, own.2);
        for field in fields.iter().filter(|field| !field.own) {
            let from = self.map_field(parent, field.key);
            self.include(from, field.var);
        }
    }

    /// The variable of a field, made if need be, with those of the maps before. A summary does not
    /// tell its fields apart.
    fn map_field(&mut self, object: u32, key: ValueId) -> VarId {
        if let Some(var) = self.find_map_field(object, key) {
            return var;
        }
        let mut made = Vec::new();
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            if self.find_map_field(object, key).is_some() {
                continue;
            }
            let Some(map) = self.values.objects[object as usize].map.as_deref() else { continue };
            let (loose, parents) = (map.loose, map.parents.clone());
            let var = self.fresh();
            self.include(loose, var);
            if let Some(map) = self.values.objects[object as usize].map.as_mut() {
                map.fields.push(MapField { key, var, own: false });
            }
            made.push((object, var));
            pending.extend(&parents);
        }
        // Now all of them have the field: connect those that were made.
        for (object, var) in made {
            let Some(map) = self.values.objects[object as usize].map.as_deref() else { continue };
            for parent in map.parents.clone() {
                if let Some(from) = self.find_map_field(parent, key) {
                    self.include(from, var);
                }
            }
        }
        self.find_map_field(object, key).unwrap_or(NOWHERE)
    }

    fn find_map_field(&self, object: u32, key: ValueId) -> Option<VarId> {
        let is_summary = self.values.objects[object as usize].is_summary;
        let map = self.values.objects[object as usize].map.as_deref()?;
        if is_summary {
            return Some(map.all);
        }
        map.fields.iter().find(|field| field.key == key).map(|field| field.var)
    }

    fn fire_map_read(&mut self, read: u32, map: Option<ValueId>, key: Option<ValueId>) {
        let MapRead { map: map_var, key: key_var, result } = self.map_reads[read as usize];
        let maps = map.map_or_else(|| self.done_items(map_var), |map| vec![map]);
        let keys = key.map_or_else(|| self.done_items(key_var), |key| vec![key]);
        for &map in &maps {
            let whole = self.values.get(map);
            let Value::Map(object) = whole else {
                self.part_of_unknown(whole, map, result);
                continue;
            };
            for &key in &keys {
                if self.is_exact_key(key) {
                    let field = self.map_field(object, key);
                    self.include(field, result);
                } else if let Some(map) = &self.values.objects[object as usize].map {
                    let all = map.all;
                    self.include(all, result);
                }
            }
        }
    }

    // ---- Tables, processes -------------------------------------------------------------------

    pub(crate) fn space(&mut self, space: Atom) -> &mut Space {
        if !self.spaces.contains_key(&space) {
            let (all, loose) = (self.fresh(), self.fresh());
            self.include(loose, all);
            self.spaces.insert(space, Space { cells: Default::default(), all, loose });
        }
        self.spaces.entry(space).or_default()
    }

    /// The cell of a key; what was written under an unknown key is in it, too.
    pub(crate) fn cell(&mut self, space: Atom, key: ValueId) -> VarId {
        let table = self.space(space);
        if let Some(&cell) = table.cells.get(&key) {
            return cell;
        }
        let (all, loose) = (table.all, table.loose);
        let cell = self.fresh();
        self.space(space).cells.insert(key, cell);
        self.include(loose, cell);
        self.include(cell, all);
        cell
    }

    fn fire_cell(&mut self, access: u32, key: ValueId) {
        let CellAccess { space, write, read, .. } = self.cell_accesses[access as usize];
        let exact = matches!(
            self.values.get(key),
            Value::Atom(_) | Value::Int(_) | Value::Ref(_) | Value::Pid(_)
        );
        if exact {
            let cell = self.cell(space, key);
            self.include(write, cell);
            self.include(cell, read);
        } else {
            let (all, loose) = (self.space(space).all, self.space(space).loose);
            self.include(write, loose);
            self.include(all, read);
        }
    }

    fn fire_pids(&mut self, value: ValueId, to: VarId) {
        match self.values.get(value) {
            Value::Pid(_) => self.insert(to, value),
            Value::Atom(_) => {
                let cell = self.cell(Atom::new("registered"), value);
                self.include(cell, to);
            }
            // It may be any name that there is.
            Value::AnyAtom | Value::Unknown => {
                let registered = self.space(Atom::new("registered")).all;
                self.include(registered, to);
            }
            // {Name, Node}
            Value::Tuple(object) => {
                if let [name, _] = self.values.objects[object as usize].fields[..]
                    && self.names_in_pairs.insert((name, to))
                {
                    self.watch(name, Watch::Pids(to));
                }
            }
            Value::Ref(reference) => {
                let body = self.refs[reference as usize].0;
                let processes = self.bodies[body as usize].processes;
                self.include(processes, to);
            }
            _ => {}
        }
    }

    fn fire_inside(&mut self, value: ValueId, contents: VarId) {
        match self.values.get(value) {
            Value::Tuple(object) | Value::Cons(object) => self.include_fields(object, contents),
            Value::Map(object) => {
                if let Some(map) = &self.values.objects[object as usize].map {
                    let (keys, all) = (map.keys, map.all);
                    self.include(keys, contents);
                    self.include(all, contents);
                }
            }
            _ => {}
        }
    }

    /// A process on one side of a connection. Links are kept by pairs; of monitors each that is monitored
    /// has one message, which all that monitor it hear.
    fn fire_connection(&mut self, connection: u32, var: VarId, value: ValueId) {
        let Connection { from, to, reference, messages, .. } =
            self.connections[connection as usize];
        let Value::Pid(process) = self.values.get(value) else { return };
        if reference == NOWHERE {
            let others = if var == from { self.done_items(to) } else { self.done_items(from) };
            for other in others {
                if let Value::Pid(other) = self.values.get(other) {
                    self.link_processes(process, other);
                    self.link_processes(other, process);
                }
            }
            return;
        }
        if var == from {
            let mailbox = self.processes[process as usize].mailbox;
            self.include(messages, mailbox);
        }
        if var == to {
            self.down_message(connection, process);
        }
    }

    /// `process` hears of the end of `other` if it traps exits.
    fn link_processes(&mut self, process: u32, other: u32) {
        if process == other || !self.linked.insert((process, other)) {
            return;
        }
        self.processes[process as usize].links.push(other);
        // The reason of the one is that of the other.
        let (reason, exit) =
            (self.processes[other as usize].exit, self.processes[process as usize].exit);
        self.include(reason, exit);
        if self.processes[process as usize].traps {
            self.exit_signal(other, process);
        }
    }

    fn fire_trap(&mut self, value: ValueId) {
        let Value::Pid(process) = self.values.get(value) else { return };
        if !std::mem::replace(&mut self.processes[process as usize].traps, true) {
            for other in self.processes[process as usize].links.clone() {
                self.exit_signal(other, process);
            }
        }
    }

    fn exit_signal(&mut self, from: u32, to: u32) {
        let mut message = self.processes[from as usize].exit_message;
        if message == NOWHERE {
            let pid = self.values.number(Value::Pid(from));
            let pid = self.constant(pid);
            let tag = self.atom(known::EXIT);
            let reason = self.processes[from as usize].exit;
            message = self.tuple_of(&[tag, pid, reason]);
            self.processes[from as usize].exit_message = message;
        }
        self.processes[from as usize].told.push(to);
        let mailbox = self.processes[to as usize].mailbox;
        self.include(message, mailbox);
    }

    /// A process is monitored.
    fn down_message(&mut self, connection: u32, from: u32) {
        let Connection { reference, messages, others, .. } = self.connections[connection as usize];
        let exit = self.processes[from as usize].exit;
        let pid = self.values.number(Value::Pid(from));
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
        let told_apart = self.downs.entry(connection).or_default();
        told_apart.push((from, message));
        if told_apart.len() >= MOST_ENDS {
            self.connections[connection as usize].others = Some((who, why));
        }
    }

    /// A new tuple in a variable of its own.
    pub(crate) fn tuple_of(&mut self, fields: &[VarId]) -> VarId {
        let object = self.values.object(fields.into(), None);
        let value = self.values.number(Value::Tuple(object));
        self.constant(value)
    }

    // ---- Lists of arguments ------------------------------------------------------------------

    /// A list of arguments that is known down to here goes on.
    fn fire_arguments(&mut self, walk: u32, value: ValueId) {
        let ArgumentWalk { call, heads, path } = self.walks[walk as usize].clone();
        match self.values.get(value) {
            Value::Nil => self.call_with(call, heads),
            Value::Cons(object) => {
                let fields = &self.values.objects[object as usize].fields;
                let (head, tail) = (fields[0], fields[1]);
                let lists = self.list_counts.entry(call).or_default();
                *lists += 1;
                let is_long = heads.len() >= MOST_ARGUMENTS
                    || *lists > MOST_LISTS
                    || path.contains(&object)
                    || self.values.objects[object as usize].is_summary;
                if is_long {
                    // A list of unknown length: any number of arguments, each any element.
                    let any = self.fresh();
                    for head in heads {
                        self.include(head, any);
                    }
                    let rest = self.constant(value);
                    self.elements_into(rest, any);
                    self.call_with_any(call, any);
                    return;
                }
                let (mut heads, mut path) = (heads, path);
                heads.push(head);
                path.push(object);
                self.walks.push(ArgumentWalk { call, heads, path });
                let walk = self.walks.len() as u32 - 1;
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

    /// The elements of a list, wherever in the list.
    pub(crate) fn elements_into(&mut self, list: VarId, to: VarId) {
        let spine = self.fresh();
        self.include(list, spine);
        self.watch(spine, Watch::Cons { head: to, tail: spine });
    }
}
