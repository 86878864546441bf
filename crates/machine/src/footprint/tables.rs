//! What the functions of `ets` touch.
//!
//! An operation on objects by key touches that key of the table; whatever walks, counts or clears
//! touches the whole table. A table that is named is found through its name. Keys that an ordered
//! set takes for equal (`1` and `1.0`) have different hashes: a key with a float in it stands for
//! all keys.
//!
//! Who looks for a pattern (`match`, `select`, …) does not care for objects that cannot match it.
//! Objects and patterns have a [`Shape`]: the size of the tuple and a small hash of each of its
//! first elements, nothing for what is not given; guards, and patterns of which that says too
//! little, are judged by `wanted.rs`. Inserting an object adds to its shape; looking for a pattern
//! reads the shape of the pattern, and the keys of all objects of such a shape that the table ever
//! had: these may be overwritten or deleted. (Those that it has now are not enough: an object that
//! was overwritten before would have been found earlier.) Who deletes or replaces what matches does
//! the same, and changes these keys.
//!
//! Removing objects is an assignment of one value, whatever is removed: in which order objects go
//! does not matter, unless they are counted.

use std::rc::Rc;

use smallvec::SmallVec;
use term::{Boxed, Ref, Term, View};

use super::{Class, Footprint, Kind, Look, Object, fingerprint, key_hash, wanted};
use crate::ets::table::Table;

/// The whole of a table.
pub(crate) fn whole(id: Ref) -> Object {
    Object::of_ref(Class::Table, id)
}

/// One key of a table.
fn at_key(table: &Table, key: &Term) -> Object {
    match has_float(key) {
        true => whole(table.id),
        false => Object::keyed(Class::Table, table.id.0 + 1, key),
    }
}

/// That the table is there, and was not cleared.
fn existence(table: &Table) -> Object {
    Object { class: Class::Table, owner: table.id.0 + 1, part: u64::MAX }
}

/// What is known of an object, or wanted of one: the size of the tuple in the upper four bits, ten
/// bits for each of the first six elements. 0 stands for anything. Without a size it is the number
/// of a clause of a match specification (and one), see `wanted.rs`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Shape(pub(crate) u64);

impl Shape {
    const ELEMENTS: usize = 6;

    fn new(elements: &[Term], is_given: impl Fn(&Term) -> bool) -> Shape {
        let size = elements.len().min(14) as u64 + 1;
        let mut shape = size << 60;
        for (at, element) in elements.iter().take(Shape::ELEMENTS).enumerate() {
            // Numbers are equal to others in some tables.
            if is_given(element) && !has_float(element) {
                shape |= (key_hash(element) % 1023 + 1) << (10 * at);
            }
        }
        Shape(shape)
    }

    pub(super) fn of_object(object: &Term) -> Shape {
        object.as_tuple().map_or(Shape(0), |elements| Shape::new(elements, |_| true))
    }

    fn of_clause(clause: &Clause) -> Shape {
        let Clause { pattern, guards, .. } = clause;
        let shape = pattern.as_tuple().map_or(Shape(0), |elements| Shape::new(elements, is_ground));
        match wanted::is_plain(pattern, guards, is_ground) {
            true => shape,
            false => Shape(u64::from(wanted::note_clause(shape, pattern, guards)) + 1),
        }
    }

    /// The clause that it stands for.
    fn clause(self) -> Option<u32> {
        if self.0 >> 60 != 0 { None } else { u32::try_from(self.0.checked_sub(1)?).ok() }
    }

    /// The same as far as it does not depend on a run of ours.
    pub(crate) fn plain(self) -> Shape {
        self.clause().map_or(self, wanted::shape_of)
    }

    /// Whether an object could have both.
    pub(crate) fn meets(self, other: Shape) -> bool {
        match (self.clause(), other.clause()) {
            (None, None) => {}
            (Some(clause), None) => return wanted::takes(clause, other),
            (None, Some(clause)) => return wanted::takes(clause, self),
            (Some(_), Some(_)) => return true,
        }
        let fits = |shift: usize, mask: u64| {
            let (a, b) = (self.0 >> shift & mask, other.0 >> shift & mask);
            a == b || a == 0 || b == 0
        };
        fits(60, 0xf) && (0..Shape::ELEMENTS).all(|at| fits(10 * at, 0x3ff))
    }
}

fn of_shape(table: &Table, shape: Shape) -> Object {
    Object { class: Class::Objects, owner: table.id.0 + 1, part: shape.0 }
}

/// The shapes and keys of all objects that tables ever had. A list that copies share: adding to it
/// is cheap, and is done at every insertion; looking through it is for who looks for a pattern.
#[derive(Clone, Default)]
pub(crate) struct Ever(Option<Rc<Link>>);

/// Table, shape, key.
type Known = (Ref, u64, u64);

struct Link {
    known: Known,
    before: Ever,
}

impl Drop for Ever {
    /// The list may be long, and hangs together link by link.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.0.take();
        }
    }
}

impl Ever {
    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.0.as_deref(), |link| link.before.0.as_deref())
    }

    pub(crate) fn insert(&mut self, known: Known) {
        // What is inserted again and again is noted once.
        if self.links().take(Ever::LATEST).all(|link| link.known != known) {
            let before = std::mem::take(self);
            self.0 = Some(Rc::new(Link { known, before }));
        }
    }

    const LATEST: usize = 4;

    /// Shapes and keys of what was in a table, each once, in an order that does not depend on who
    /// was first.
    fn of(&self, table: Ref) -> Vec<(u64, u64)> {
        let links = self.links().filter(|link| link.known.0 == table);
        let mut found: Vec<(u64, u64)> = links.map(|link| (link.known.1, link.known.2)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the two are the same list.
    pub(crate) fn is(&self, other: &Ever) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(its)) => Rc::ptr_eq(mine, its),
            (mine, its) => mine.is_none() && its.is_none(),
        }
    }
}

impl FromIterator<Known> for Ever {
    fn from_iter<T: IntoIterator<Item = Known>>(all: T) -> Ever {
        let mut ever = Ever::default();
        all.into_iter().for_each(|known| ever.insert(known));
        ever
    }
}

/// Notes what is about to be inserted: objects, with the footprint of inserting them.
pub(crate) fn remember(ever: &mut Ever, table: &Table, objects: &[&Term], footprint: &Footprint) {
    let part = |class| {
        let mut accesses = footprint.0.iter().map(|access| access.object);
        accesses.find(|o| o.class == class && o.owner == table.id.0 + 1).map(|object| object.part)
    };
    let mut note = |shape: u64, key: u64| ever.insert((table.id, shape, key));
    if let ([_], Some(shape), Some(key)) = (objects, part(Class::Objects), part(Class::Table)) {
        return note(shape, key);
    }
    for object in objects {
        note(Shape::of_object(object).0, at_key(table, table.key_of(object)).part);
    }
}

/// Notes that the object of a key, or those of all keys, are about to become others.
pub(crate) fn remember_changed(ever: &mut Ever, table: &Table, key: Option<&Term>) {
    ever.insert((table.id, 0, key.map_or(0, |key| at_key(table, key).part)));
}

fn has_float(term: &Term) -> bool {
    match term.view() {
        View::Float(_) => return true,
        View::Cons(_) | View::Tuple(_) | View::Map(_) | View::Boxed(Boxed::Record(_)) => {}
        _ => return false,
    }
    let mut pending: SmallVec<[&Term; 16]> = SmallVec::new();
    pending.push(term);
    while let Some(term) = pending.pop() {
        match term.view() {
            View::Float(_) => return true,
            View::Cons(cell) => pending.extend([&cell.head, &cell.tail]),
            View::Tuple(elements) => pending.extend(elements),
            View::Map(map) => pending.extend(map.iter().flat_map(|(key, value)| [key, value])),
            View::Boxed(Boxed::Record(record)) => pending.extend(record.values()),
            _ => {}
        }
    }
    false
}

/// The table that the first argument means; that it was found through its name is noted.
fn found<'a>(look: &Look<'a>, args: &[Term], f: &mut Footprint) -> Option<&'a Table> {
    let table = args.first()?;
    if let Some(name) = table.as_atom() {
        f.read(Object::named(Class::TableName, name));
    }
    match look.s.node.tables.id_of(table) {
        Ok(id) => look.s.node.tables.get(id),
        Err(_) => {
            // That it is gone is what was seen.
            match table.as_ref() {
                Some(id) => f.read(whole(id)),
                // A continuation, or nonsense.
                None if table.as_atom().is_none() => f.read(Object::all(Class::Table)),
                None => {}
            }
            None
        }
    }
}

pub(crate) fn read_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.read(at_key(table, &args[1]));
    }
}

/// Asks whether a key is there.
pub(crate) fn peek_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.add(Kind::Peek, at_key(table, &args[1]));
    }
}

/// Changes the object of a key, or inserts one if a default is given.
pub(crate) fn update_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        let is_there = || table.contains(&args[1]);
        let kind = match args.len() > 3 {
            true => Kind::Write,
            false if is_there() => Kind::Change,
            // It fails, or says so.
            false => return f.add(Kind::Peek, at_key(table, &args[1])),
        };
        f.add(kind, at_key(table, &args[1]));
        // What the object will be is not looked at.
        f.add(Kind::Add, of_shape(table, Shape(0)));
    }
}

/// The objects to be inserted or deleted, with their keys.
fn each_object(table: &Table, objects: &Term, mut each: impl FnMut(Object, &Term)) {
    let mut one = |object: &Term| {
        let place = table.settings.keypos.checked_sub(1);
        if let (Some(elements), Some(place)) = (object.as_tuple(), place)
            && let Some(key) = elements.get(place)
        {
            each(at_key(table, key), object);
        }
    };
    match objects.to_vec() {
        Some(objects) => objects.iter().for_each(one),
        None => one(objects),
    }
}

/// The same object inserted twice is there once, or twice, whoever was first.
pub(crate) fn insert(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        each_object(table, &args[1], |key, object| {
            let number = fingerprint(object);
            f.add(Kind::Assign(number), key);
            f.add(Kind::Add, of_shape(table, wanted::note_object(object, number)));
        });
    }
}

/// Inserts nothing if one of the keys is there.
pub(crate) fn insert_new(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(table) = found(look, args, f) else { return };
    let mut taken = false;
    each_object(table, &args[1], |_, object| taken |= table.contains(table.key_of(object)));
    let kind = if taken { Kind::Peek } else { Kind::Write };
    each_object(table, &args[1], |key, object| {
        f.add(kind, key);
        if kind == Kind::Write {
            let shape = wanted::note_object(object, fingerprint(object));
            f.add(Kind::Add, of_shape(table, shape));
        }
    });
}

/// The object is returned.
pub(crate) fn take(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.write(at_key(table, &args[1]));
    }
}

pub(crate) fn delete_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.assign(at_key(table, &args[1]), &Term::NIL);
    }
}

pub(crate) fn delete_object(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        each_object(table, &args[1], |key, _| f.assign(key, &Term::NIL));
    }
}

pub(crate) fn delete_all(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.add(removing(look), whole(table.id));
    }
}

/// How objects go that are looked for: their number is the answer, unless nobody looks at that.
fn removing(look: &Look<'_>) -> Kind {
    match look.p.ignores_count() {
        true => Kind::Assign(fingerprint(&Term::NIL)),
        false => Kind::Write,
    }
}

/// Asks which keys there are.
pub(crate) fn peek_all(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.add(Kind::Peek, whole(table.id));
    }
}

/// Goes on from a key. If that is gone, it is known only while the table is fixed.
pub(crate) fn next_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(table) = found(look, args, f) else { return };
    f.add(Kind::Peek, whole(table.id));
    if !table.is_fixed_by(look.p.pid) && !table.contains(&args[1]) {
        f.read(fixed(table.id));
    }
}

/// What is asked about a table.
pub(crate) fn info(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(table) = found(look, args, f) else { return };
    let Some(item) = args.get(1).and_then(Term::as_atom) else { return f.read(whole(table.id)) };
    match item.as_str() {
        "memory" => f.read(whole(table.id)),
        "fixed" | "safe_fixed" | "safe_fixed_monotonic_time" | "stats" => {
            f.add(Kind::Peek, whole(table.id));
            f.read(fixed(table.id));
        }
        _ => f.add(Kind::Peek, whole(table.id)),
    }
}

/// Who keeps a table fixed.
pub(crate) fn fixed(id: Ref) -> Object {
    Object::of_ref(Class::Fixed, id)
}

/// Fixes a table, or does so no more.
pub(crate) fn fix(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.read(whole(table.id));
        f.add(Kind::Add, fixed(table.id));
    }
}

pub(crate) fn read_all(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.read(whole(table.id));
    }
}

pub(crate) fn write_all(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.write(whole(table.id));
    }
}

/// A clause of a match specification.
struct Clause {
    pattern: Term,
    guards: Term,
    body: Term,
}

/// The clauses of a match specification, or the pattern that is given.
fn clauses(args: &[Term]) -> Option<Vec<Clause>> {
    let what = args.get(1).filter(|_| args.len() == 2)?;
    let clause = |clause: &Term| match clause.as_tuple()? {
        [pattern, guards, body] => {
            let [pattern, guards, body] = [pattern, guards, body].map(Clone::clone);
            Some(Clause { pattern, guards, body })
        }
        _ => None,
    };
    match what.to_vec() {
        Some(clauses) => clauses.iter().map(clause).collect(),
        None => Some(vec![Clause { pattern: what.clone(), guards: Term::NIL, body: Term::NIL }]),
    }
}

/// By patterns: those whose key is given look at that key, others at what could match.
pub(crate) fn read_matching(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    touch_matching(look, args, Kind::Read, f);
}

/// Deletes what matches.
pub(crate) fn delete_matching(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    touch_matching(look, args, removing(look), f);
}

/// Others take the place of what matches, with the same keys.
pub(crate) fn replace_matching(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    touch_matching(look, args, Kind::Write, f);
    if let Some(table) = found(look, args, f) {
        for clause in clauses(args).unwrap_or_default() {
            f.add(Kind::Add, of_shape(table, clause.result()));
        }
    }
}

/// The next part of a walk through a large table: `[Table, {Aim, Spec, …}]`, see `ets/parts.rs`.
/// (What a part has passed does not matter to the next ones; that is not looked at.)
pub(crate) fn walk_on(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let [table, walk] = args else { return };
    let Some([aim, spec, ..]) = walk.as_tuple() else { return };
    let args = [table.clone(), spec.clone()];
    match aim.as_atom().map(term::Atom::as_str) {
        Some("select_delete") => touch_matching(look, &args, Kind::Write, f),
        Some("select_replace") => replace_matching(look, &args, f),
        _ => read_matching(look, &args, f),
    }
}

fn touch_matching(look: &Look<'_>, args: &[Term], kind: Kind, f: &mut Footprint) {
    let Some(table) = found(look, args, f) else { return };
    let Some(clauses) = clauses(args) else { return f.add(kind, whole(table.id)) };
    for clause in &clauses {
        if let Some(key) = given_key(table, &clause.pattern) {
            f.add(kind, key);
            continue;
        }
        let wanted = Shape::of_clause(clause);
        f.read(existence(table));
        f.read(of_shape(table, wanted));
        // What a table ever had is remembered only where a run is driven step by step.
        if kind != Kind::Read && !look.s.is_driven() {
            f.add(kind, whole(table.id));
        }
        for (_, key) in ever_of(look.s.ever(), table, wanted) {
            f.add(kind, Object { class: Class::Table, owner: table.id.0 + 1, part: key });
        }
    }
}

/// The shapes and keys of objects that a table ever had and that meet a shape.
fn ever_of(ever: &Ever, table: &Table, wanted: Shape) -> Vec<(u64, u64)> {
    let mut found = ever.of(table.id);
    found.retain(|(shape, _)| Shape(*shape).meets(wanted));
    found
}

/// Notes that what matches a specification is about to become something else.
pub(crate) fn remember_replaced(ever: &mut Ever, table: &Table, args: &[Term]) {
    let Some(clauses) = clauses(args) else { return remember_changed(ever, table, None) };
    for clause in &clauses {
        let result = clause.result();
        if let Some(key) = given_key(table, &clause.pattern) {
            ever.insert((table.id, result.0, key.part));
            continue;
        }
        for (_, key) in ever_of(ever, table, Shape::of_clause(clause)) {
            ever.insert((table.id, result.0, key));
        }
    }
}

impl Clause {
    /// What is known of the shape of what it gives: the size of a tuple that is made, and its
    /// constants.
    fn result(&self) -> Shape {
        let is_constant = |term: &Term| match term.view() {
            View::Atom(name) => !name.as_str().starts_with('$'),
            View::Int(_) => true,
            _ => false,
        };
        match self.body.elements().last().and_then(Term::as_tuple) {
            Some([made]) => {
                made.as_tuple().map_or(Shape(0), |elements| Shape::new(elements, is_constant))
            }
            _ => Shape(0),
        }
    }
}

/// The key that a pattern wants, if it wants just one.
fn given_key(table: &Table, pattern: &Term) -> Option<Object> {
    let key = pattern.as_tuple()?.get(table.settings.keypos.checked_sub(1)?)?;
    is_ground(key).then(|| at_key(table, key))
}

/// Whether a pattern has no variables in it. (Maps in patterns match more than themselves.)
fn is_ground(pattern: &Term) -> bool {
    let mut pending = vec![pattern];
    while let Some(term) = pending.pop() {
        match term.view() {
            View::Atom(name) => {
                let text = name.as_str();
                let number = text.strip_prefix('$');
                let is_variable = number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
                if text == "_" || is_variable {
                    return false;
                }
            }
            View::Cons(cell) => pending.extend([&cell.head, &cell.tail]),
            View::Tuple(elements) => pending.extend(elements),
            View::Map(_) => return false,
            _ => {}
        }
    }
    true
}

/// The name of a table, if others can find it by that.
fn name_of(table: &Table) -> Option<Object> {
    table.settings.named.then(|| Object::named(Class::TableName, table.name))
}

/// The table, its name and its place among the tables change.
pub(crate) fn gone(table: &Table, mut touch: impl FnMut(Kind, Object)) {
    touch(Kind::Write, whole(table.id));
    touch(Kind::Add, Object::all(Class::Tables));
    if let Some(name) = name_of(table) {
        touch(Kind::Write, name);
    }
}

/// The owner of a table ends: it goes to its heir, if there is one and that one has not begun to
/// end, or away.
pub(crate) fn ends(table: &Table, mut touch: impl FnMut(Kind, Object)) {
    if let Some((heir, _)) = &table.settings.heir {
        touch(Kind::Read, Object::begun(*heir));
        touch(Kind::Add, Object::of(Class::Owned, *heir));
    }
    gone(table, touch);
}

pub(crate) fn delete(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        gone(table, |kind, object| f.add(kind, object));
        // The end of its owner has less to do.
        f.add(Kind::Add, Object::of(Class::Owned, table.owner));
    }
}

pub(crate) fn new(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let named = args[1]
        .elements()
        .any(|option| option.as_atom().is_some_and(|option| option.as_str() == "named_table"));
    if named && let Some(name) = args[0].as_atom() {
        f.write(Object::named(Class::TableName, name));
    }
    f.add(Kind::Add, Object::all(Class::Tables));
    heirs(look, &args[1], f);
}

/// An heir that does not exist is none. That matters only to who asks for the heir.
fn heirs(look: &Look<'_>, options: &Term, f: &mut Footprint) {
    if !look.s.is_exact() {
        return;
    }
    for option in options.elements() {
        if let Some([_, heir, _]) = option.as_tuple()
            && let Some(heir) = heir.as_pid()
        {
            f.read(Object::begun(heir));
        }
    }
}

pub(crate) fn rename(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(table) = found(look, args, f) else { return };
    f.write(whole(table.id));
    f.add(Kind::Add, Object::all(Class::Tables));
    if let Some(old) = name_of(table) {
        f.write(old);
        if let Some(name) = args[1].as_atom() {
            f.write(Object::named(Class::TableName, name));
        }
    }
}

/// One option, or several.
pub(crate) fn set_options(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    write_all(look, args, f);
    match args[1].as_tuple() {
        Some(_) => heirs(look, &Term::list([args[1].clone()]), f),
        None => heirs(look, &args[1], f),
    }
}

pub(crate) fn give_away(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    write_all(look, args, f);
    if let Some(pid) = args[1].as_pid() {
        f.read(Object::begun(pid));
        f.add(Kind::Add, Object::of(Class::Owned, pid));
    }
}

pub(crate) fn whereis(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(name) = args[0].as_atom() {
        f.read(Object::named(Class::TableName, name));
    }
}

pub(crate) fn all(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.read(Object::all(Class::Tables));
}
