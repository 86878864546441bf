//! Native records (EEP 79, OTP 29): what expressions and patterns do with them
//! (`code::lower::native`), and what the library's module `records` is made of.
//!
//! `term::record` names the documents that the meaning is taken from. Exceptions are those of OTP
//! 29: `{badrecord, Value}` where a value is not the record that is meant or its fields are not for
//! this module, `{badrecord, {Module, Name}}` where there is no definition to build one from,
//! `{badfield, {{Module, Name}, Field}}` and `{novalue, {{Module, Name}, Field}}`.

use std::mem;
use std::rc::Rc;

use atom::{Atom, known};
use code::module::NativeRecord;
use term::record::{Record, Shape};
use term::{Map, Term, Tuple};

use super::{Builtin, Failure, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Control, Ctx, Return, builtins};
use crate::exception::Exception;

/// These take what they are given.
pub(super) const OWNING: &[Builtin] = builtins!(NATIVE, HIDDEN, in_place;
    "record_new"/2 [HIDDEN.operation()] => new,
    "record_create"/3 [HIDDEN.operation()] => create,
    "record_update"/4 [HIDDEN.operation()] => update,
);

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "record_get"/3 [HIDDEN.operation()] => get,
    "record_is"/2 [HIDDEN.operation()] => is,
    "record_parts"/1 => |_, args| parts(&args[0]),
    "record_make"/4 => make,
    "record_put"/2 => put,
    "record_definition"/2 => definition,
);

fn about(shape: &Shape, tag: &str, field: Term) -> Failure {
    Exception::tagged(Atom::new(tag), Term::tuple([shape.id(), field])).into()
}

fn bad_record(value: &Term) -> Failure {
    Exception::tagged(known::BADRECORD, value.clone()).into()
}

/// Which record is meant, as `code::lower::native` says it.
struct Meant {
    module: Atom,
    name: Atom,
    access: Access,
}

#[derive(PartialEq, Eq)]
enum Access {
    Local,
    External,
    Anonymous,
}

impl Meant {
    fn new(id: &Term) -> Option<Meant> {
        let Some([module, name, access]) = id.as_tuple() else { return None };
        let access = match access.as_atom()?.as_str() {
            "local" => Access::Local,
            "external" => Access::External,
            _ => Access::Anonymous,
        };
        Some(Meant { module: module.as_atom()?, name: name.as_atom()?, access })
    }

    /// Whether it is the record that is meant, by its name alone.
    fn is(&self, shape: &Shape) -> bool {
        self.access == Access::Anonymous || shape.module == self.module && shape.name == self.name
    }

    /// Whether its fields may be looked at. A record that is not exported is accessible by its
    /// plain name in its module only, or by no name at all there.
    fn may_enter(&self, shape: &Shape) -> bool {
        self.is(shape)
            && match self.access {
                Access::Local => true,
                Access::External => shape.exported,
                Access::Anonymous => shape.exported || shape.module == self.module,
            }
    }
}

/// `record_new(Prototype, Values)`
fn new(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    let shape =
        args[0].as_record().map(|prototype| Rc::clone(prototype.shape())).ok_or_else(bad)?;
    let values = mem::take(&mut args[1]).into_tuple().map_err(|_| bad())?;
    Record::new(shape, values).map(Term::record).ok_or_else(bad)
}

/// `record_create(Id, Fields, Values)`: a module that is not loaded is loaded first.
fn create(cx: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    let meant = Meant::new(&args[0]).ok_or_else(bad)?;
    if !cx.code.is_loaded(meant.module) && !mem::take(&mut cx.p.module_missing) {
        return Err(Control::NeedModule(meant.module).into());
    }
    let found = find(cx, meant.module, meant.name).filter(|record| record.shape.exported);
    let Some(definition) = found else {
        let id = Term::tuple([Term::from(meant.module), Term::from(meant.name)]);
        return Err(bad_record(&id));
    };
    let names = args[1].as_tuple().ok_or_else(bad)?;
    let given = args[2].as_tuple().ok_or_else(bad)?;
    let shape = &definition.shape;
    let mut values: Vec<Option<Term>> = vec![None; shape.fields().len()];
    for (name, value) in names.iter().zip(given) {
        match name.as_atom().and_then(|name| shape.position(name)) {
            Some(at) => values[at] = Some(value.clone()),
            None => return Err(about(shape, "badfield", name.clone())),
        }
    }
    let mut complete = Vec::with_capacity(values.len());
    for (at, value) in values.into_iter().enumerate() {
        match value.or_else(|| definition.defaults[at].clone()) {
            Some(value) => complete.push(value),
            None => return Err(about(shape, "novalue", Term::from(shape.fields()[at]))),
        }
    }
    let values = Tuple::from_iter(complete);
    Record::new(Rc::clone(shape), values).map(Term::record).ok_or_else(bad)
}

/// The current definition of a record.
fn find<'c>(cx: &Ctx<'c>, module: Atom, name: Atom) -> Option<&'c NativeRecord> {
    cx.code.module(module)?.records.iter().find(|record| record.shape.name == name)
}

/// `record_update(Record, Id, Fields, Values)`
fn update(_: &mut Ctx<'_>, args: &mut [Term]) -> Return {
    let meant = Meant::new(&args[1]).ok_or_else(bad)?;
    let record = args[0].as_record().filter(|record| meant.may_enter(record.shape()));
    let Some(record) = record else { return Err(bad_record(&args[0])) };
    let shape = record.shape();
    let names = args[2].as_tuple().ok_or_else(bad)?;
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        match name.as_atom().and_then(|name| shape.position(name)) {
            Some(at) => places.push(at),
            None => return Err(about(shape, "badfield", name.clone())),
        }
    }
    let given = args[3].as_tuple().ok_or_else(bad)?.to_vec();
    let mut record = mem::take(&mut args[0]).into_record().map_err(|_| bad())?;
    let values = record.values_mut();
    for (at, value) in places.into_iter().zip(given) {
        values[at] = value;
    }
    Ok(Term::record(record))
}

/// `record_get(Record, Id, Field)`
fn get(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let meant = Meant::new(&args[1]).ok_or_else(bad)?;
    let field = args[2].as_atom().ok_or_else(bad)?;
    match args[0].as_record() {
        Some(record) if meant.may_enter(record.shape()) => record
            .get(field)
            .cloned()
            .ok_or_else(|| about(record.shape(), "badfield", Term::from(field))),
        _ => Err(bad_record(&args[0])),
    }
}

/// `record_is(Term, Id)`
fn is(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let meant = Meant::new(&args[1]).ok_or_else(bad)?;
    Ok(Term::bool(args[0].as_record().is_some_and(|record| meant.is(record.shape()))))
}

/// `{Module, Name, IsExported, Fields, Values}`, or `false`.
fn parts(term: &Term) -> Return {
    let Some(record) = term.as_record() else { return Ok(Term::FALSE) };
    let shape = record.shape();
    let fields = shape.fields().iter().map(|field| Term::from(*field));
    Ok(Term::tuple([
        Term::from(shape.module),
        Term::from(shape.name),
        Term::bool(shape.exported),
        Term::list(fields),
        Term::list(record.values().iter().cloned()),
    ]))
}

/// `record_make(Module, Name, [{Field, Value}], IsExported)`
fn make(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(module), Some(name)) = (args[0].as_atom(), args[1].as_atom()) else {
        return Err(bad_record(&args[1]));
    };
    let exported = args[3].as_bool().ok_or_else(bad)?;
    let pairs = args[2].to_vec().ok_or_else(bad)?;
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for pair in &pairs {
        let Some([field, value]) = pair.as_tuple() else { return Err(bad()) };
        let Some(field_name) = field.as_atom() else {
            let id = Term::tuple([Term::from(module), Term::from(name)]);
            let what = Term::tuple([id, field.clone()]);
            return Err(Exception::tagged(Atom::new("badfield"), what).into());
        };
        names.push(field_name);
        values.push(value.clone());
    }
    let shape = Shape::new(module, name, exported, names).ok_or_else(bad)?;
    let record = Record::new(Rc::new(shape), Tuple::from_iter(values)).ok_or_else(bad)?;
    Ok(Term::record(record))
}

/// `record_put(Record, Map)`: whoever looks, in any record.
fn put(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let record = args[0].as_record().ok_or_else(|| bad_record(&args[0]))?;
    let changes = args[1].as_map();
    let changes = changes.ok_or_else(|| Exception::tagged(known::BADMAP, args[1].clone()))?;
    let mut record = record.clone();
    for (field, value) in changes.iter() {
        match field.as_atom().and_then(|field| record.shape().position(field)) {
            Some(at) => record.values_mut()[at] = value.clone(),
            None => return Err(about(record.shape(), "badfield", field.clone())),
        }
    }
    Ok(Term::record(record))
}

/// `record_definition(Module, Name)`: `{#{is_exported => boolean()}, [Field | {Field, Default}]}`
fn definition(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (Some(module), Some(name)) = (args[0].as_atom(), args[1].as_atom()) else {
        return Err(bad());
    };
    let NativeRecord { shape, defaults } = find(cx, module, name).ok_or_else(bad)?;
    let fields = shape.fields().iter().zip(defaults).map(|(field, default)| match default {
        Some(value) => Term::tuple([Term::from(*field), value.clone()]),
        None => Term::from(*field),
    });
    let exported = (Term::atom("is_exported"), Term::bool(shape.exported));
    Ok(Term::tuple([Term::map(Map::from_iter([exported])), Term::list(fields)]))
}
