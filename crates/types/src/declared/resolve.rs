//! A type expression of the tree to a [`Type`].

use atom::{Atom, known};
use num_traits::ToPrimitive;
use program::index::Record;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, TypeKind, UnaryOp};
use syntax::token::Literal;

use super::{Declarations, Source};
use crate::ty::{Field, Key, MapType, Presence, Type, What};

/// What the variables of a definition or spec stand for.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    known: Vec<(Atom, Type)>,
    /// Whether others stay variables; else they are `any()`.
    open: bool,
}

impl Variables {
    pub(crate) fn none() -> Variables {
        Variables::default()
    }

    /// Every variable stays one.
    pub(crate) fn all_open() -> Variables {
        Variables { known: Vec::new(), open: true }
    }

    /// The parameters of a type definition.
    pub(crate) fn of_params(tree: &Module, params: NodeList, args: &[Type]) -> Variables {
        let names =
            tree.list(params).iter().zip(args).filter_map(|(&param, arg)| match tree.kind(param) {
                Kind::Var(name) => Some((name, arg.clone())),
                _ => None,
            });
        Variables { known: names.collect(), open: false }
    }

    fn get(&self, name: Atom) -> Type {
        match self.known.iter().find(|known| known.0 == name) {
            Some((_, ty)) => ty.clone(),
            None if self.open && name.as_str() != "_" => Type::Var(name),
            None => Type::Any,
        }
    }
}

/// Reads type expressions of one module.
pub(crate) struct Resolver<'a> {
    pub(crate) declarations: &'a Declarations,
    pub(crate) module: Source<'a>,
    pub(crate) variables: &'a Variables,
}

/// Nesting of type expressions is bounded by memory, not by the thread's stack.
const RED_ZONE: usize = 64 * 1024;
const MORE_STACK: usize = 1024 * 1024;

impl Resolver<'_> {
    fn tree(&self) -> &Module {
        self.module.tree
    }

    pub(crate) fn ty(&self, node: NodeId) -> Type {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || self.ty_here(node))
    }

    fn list(&self, list: NodeList) -> Vec<Type> {
        self.tree().list(list).iter().map(|&node| self.ty(node)).collect()
    }

    fn ty_here(&self, node: NodeId) -> Type {
        match self.tree().kind(node) {
            Kind::Atom(atom) => Type::the_atom(atom),
            Kind::Var(name) => self.variables.get(name),
            Kind::Integer(_) | Kind::Char(_) | Kind::UnaryOp { .. } | Kind::BinaryOp { .. } => {
                match integer(self.tree(), node) {
                    Some(value) => Type::the_integer(value),
                    None => Type::integer(),
                }
            }
            Kind::UnionType { members } => {
                let mut joined = Type::None;
                for &member in self.tree().list(members) {
                    joined = joined.join(&self.ty(member));
                }
                joined
            }
            Kind::AnnotatedType { ty, .. } => self.ty(ty),
            Kind::NamedType { name, args } => self.named(name, args),
            Kind::RemoteType { module, name, args } => {
                match (self.tree().kind(module), self.tree().kind(name)) {
                    (Kind::Atom(module), Kind::Atom(name)) => {
                        let args = self.list(args).into();
                        self.declarations.named(What::Type { module, name, args, opaque: false })
                    }
                    _ => Type::Any,
                }
            }
            Kind::TupleType { elements } => Type::tuple(self.list(elements)),
            Kind::ListType { element, nonempty: false } => Type::list(self.ty(element)),
            Kind::ListType { element, nonempty: true } => Type::nonempty_list(self.ty(element)),
            Kind::NilType | Kind::Nil => Type::nil(),
            Kind::MapType { fields } => self.map(fields),
            Kind::RecordType { name, fields } => self.record(name, fields),
            Kind::BinaryType { size, unit } => {
                let number = |node: Option<NodeId>| match node {
                    None => Some(0),
                    Some(node) => integer(self.tree(), node).and_then(|n| u32::try_from(n).ok()),
                };
                match (number(size), number(unit)) {
                    (Some(base), Some(unit)) => Type::bits(unit, base),
                    _ => Type::bitstring(),
                }
            }
            Kind::RangeType { low, high } => {
                let bound = |node| integer(self.tree(), node);
                Type::integers(bound(low), bound(high))
            }
            Kind::AnyFunType => Type::any_fun(),
            Kind::FunType { args, result, .. } => match args {
                None => Type::fun_of_any_arity(self.ty(result)),
                Some(args) => Type::fun(self.list(args), self.ty(result)),
            },
            Kind::BoundedFunType { fun, .. } => self.ty(fun),
            _ => Type::Any,
        }
    }

    fn named(&self, name: Atom, args: NodeList) -> Type {
        let own = self.module.index.types.get((name, args.len));
        let args = self.list(args);
        // The module that documents what is built in declares it as itself.
        if self.module.name == known::ERLANG
            && let Some(ty) = built_in(self.declarations, name, &args)
        {
            return ty;
        }
        match own {
            Some(declared) => {
                let opaque = declared.which == TypeKind::Opaque;
                let (module, args) = (self.module.name, args.into());
                self.declarations.named(What::Type { module, name, args, opaque })
            }
            None => built_in(self.declarations, name, &args).unwrap_or(Type::Any),
        }
    }

    fn map(&self, fields: NodeList) -> Type {
        let mut map = MapType::empty();
        for &field in self.tree().list(fields) {
            let Kind::MapField { exact, key, value } = self.tree().kind(field) else { continue };
            let (key, value) = (self.ty(key), self.ty(value));
            let presence = if exact { Presence::Required } else { Presence::Optional };
            match Key::of(&key) {
                // The first of several says what counts.
                Some(key) if map.fields.iter().any(|field| field.key == key) => {}
                Some(key) => map.fields.push(Field { key, presence, value }),
                None => {
                    map.other_keys = map.other_keys.join(&key);
                    map.other_values = map.other_values.join(&value);
                }
            }
        }
        Type::map(map)
    }

    fn record(&self, name: NodeId, fields: NodeList) -> Type {
        let Kind::Atom(name) = self.tree().kind(name) else { return Type::any_tuple() };
        if fields.is_empty() {
            return self.declarations.named(What::Record { module: self.module.name, name });
        }
        let mut given = Vec::new();
        for &field in self.tree().list(fields) {
            let Kind::RecordFieldType { name, ty } = self.tree().kind(field) else { continue };
            if let Kind::Atom(name) = self.tree().kind(name) {
                given.push((name, self.ty(ty)));
            }
        }
        record_type(self.declarations, self.module, name, &given, self.variables)
    }
}

/// The tuples of a record, with fields as declared or as given.
pub(crate) fn record_type(
    declarations: &Declarations,
    module: Source<'_>,
    name: Atom,
    given: &[(Atom, Type)],
    variables: &Variables,
) -> Type {
    let Some(Record { fields, native, .. }) = module.index.records.get(name) else {
        return Type::any_tuple();
    };
    if *native {
        return Type::record();
    }
    let resolver = Resolver { declarations, module, variables };
    let mut elements = vec![Type::the_atom(name)];
    for &(field, definition) in fields {
        let declared = match module.tree.kind(definition) {
            Kind::RecordFieldDef { ty: Some(ty), .. } => resolver.ty(ty),
            _ => Type::Any,
        };
        elements.push(match given.iter().find(|given| given.0 == field) {
            Some((_, given)) => given.meet(&declared),
            None => declared,
        });
    }
    Type::tuple(elements)
}

/// A type that the language has.
pub(crate) fn built_in(declarations: &Declarations, name: Atom, args: &[Type]) -> Option<Type> {
    let any = Type::Any;
    Some(match (name.as_str(), args) {
        ("any" | "term" | "dynamic", []) => any,
        ("none" | "no_return", []) => Type::None,
        ("atom" | "module" | "node", []) => Type::atom(),
        ("boolean" | "bool", []) => Type::boolean(),
        ("integer", []) => Type::integer(),
        ("non_neg_integer", []) => Type::non_negative(),
        ("pos_integer", []) => Type::positive(),
        ("neg_integer", []) => Type::negative(),
        ("byte", []) => Type::byte(),
        ("char", []) => Type::char(),
        ("arity", []) => Type::arity(),
        ("float", []) => Type::float(),
        ("number", []) => Type::number(),
        ("pid", []) => Type::pid(),
        ("port", []) => Type::port(),
        ("reference", []) => Type::reference(),
        ("identifier", []) => Type::pid().join(&Type::port()).join(&Type::reference()),
        ("bitstring", []) => Type::bitstring(),
        ("binary", []) => Type::binary(),
        ("nonempty_binary", []) => Type::bits(8, 8),
        ("nonempty_bitstring", []) => Type::bits(1, 1),
        ("nil", []) => Type::nil(),
        ("list", []) => Type::list(any),
        ("list", [element]) => Type::list(element.clone()),
        ("nonempty_list", []) => Type::nonempty_list(any),
        ("nonempty_list", [element]) => Type::nonempty_list(element.clone()),
        ("string", []) => Type::list(Type::char()),
        ("nonempty_string", []) => Type::nonempty_list(Type::char()),
        ("maybe_improper_list", []) => Type::cell(&any, &any).join(&Type::nil()),
        ("maybe_improper_list", [element, tail]) => {
            Type::cell(element, &tail.join(&Type::nil())).join(&Type::nil())
        }
        ("nonempty_improper_list", [element, tail]) => Type::cell(element, tail),
        ("nonempty_maybe_improper_list", []) => Type::cell(&any, &any),
        ("nonempty_maybe_improper_list", [element, tail]) => {
            Type::cell(element, &tail.join(&Type::nil()))
        }
        ("tuple", []) => Type::any_tuple(),
        ("map", []) => Type::any_map(),
        ("function" | "fun", []) => Type::any_fun(),
        ("record", []) => Type::record(),
        ("mfa", []) => Type::tuple(vec![Type::atom(), Type::atom(), Type::arity()]),
        ("timeout", []) => Type::non_negative().join(&Type::the_atom(known::INFINITY)),
        ("iodata", []) => Type::binary().join(&iolist(declarations)),
        ("iolist", []) => iolist(declarations),
        _ => return None,
    })
}

/// `iolist()`: lists of bytes, binaries and such lists, that may end in a binary.
fn iolist(declarations: &Declarations) -> Type {
    // Inside itself it is a name.
    let (module, name, args) = (known::ERLANG, Atom::new("iolist"), [].into());
    let itself = declarations.named(What::Type { module, name, args, opaque: false });
    let element = Type::byte().join(&Type::binary()).join(&itself);
    Type::cell(&element, &Type::binary().join(&Type::nil())).join(&Type::nil())
}

/// The value of a constant expression, if it fits in 64 bits.
pub(crate) fn integer(tree: &Module, node: NodeId) -> Option<i64> {
    match tree.kind(node) {
        Kind::Char(code) => Some(i64::from(code)),
        Kind::Integer(literal) => match tree.literal(literal) {
            Literal::Integer(value) => value.to_i64(),
            _ => None,
        },
        Kind::UnaryOp { op, operand } => {
            let value = integer(tree, operand)?;
            match op {
                UnaryOp::Plus => Some(value),
                UnaryOp::Minus => value.checked_neg(),
                UnaryOp::Bnot => Some(!value),
                UnaryOp::Not => None,
            }
        }
        Kind::BinaryOp { op, left, right } => {
            let (left, right) = (integer(tree, left)?, integer(tree, right)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                BinaryOp::IntDiv => left.checked_div(right),
                BinaryOp::Rem => left.checked_rem(right),
                BinaryOp::Band => Some(left & right),
                BinaryOp::Bor => Some(left | right),
                BinaryOp::Bxor => Some(left ^ right),
                BinaryOp::Bsl => shifted(left, right),
                BinaryOp::Bsr => shifted(left, right.checked_neg()?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A number shifted left, or right by less than nothing.
fn shifted(value: i64, by: i64) -> Option<i64> {
    match u32::try_from(by) {
        Ok(by) => {
            let shifted = i128::from(value).checked_shl(by)?;
            if by > 63 { None } else { i64::try_from(shifted).ok() }
        }
        Err(_) => value.checked_shr(u32::try_from(by.checked_neg()?).ok()?),
    }
}
