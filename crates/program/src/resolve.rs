//! Which function a call means.
//!
//! As the compiler decides it: a function of the module; one that it imports; one of `erlang` that
//! every module imports; else a function of the module that is not there. What a variable holds is
//! not looked into.

use atom::{Atom, known};
use syntax::ast::{Kind, Module, NodeId};
use syntax::token::Literal;

use crate::bifs;
use crate::index::{ModuleIndex, NameArity};

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A function of the module itself.
    Local(NameArity),
    /// A function of a named module; `erlang` for those that are built in. A call of the module
    /// itself by its name is one of these: it means the newest version of the module, and only
    /// functions that are exported.
    Remote(Atom, NameArity),
    /// Known only when running: `F(X)`, `M:f(X)`.
    Dynamic,
}

impl Target {
    /// Module, function and arity, `own` being the module that the call is in.
    pub fn mfa(self, own: Atom) -> Option<(Atom, Atom, u32)> {
        match self {
            Target::Local((name, arity)) => Some((own, name, arity)),
            Target::Remote(module, (name, arity)) => Some((module, name, arity)),
            Target::Dynamic => None,
        }
    }
}

/// The target of a [`Kind::Call`], [`Kind::FunName`] or [`Kind::FunRemote`]; `None` for other nodes.
pub fn target(module: &Module, index: &ModuleIndex, node: NodeId) -> Option<Target> {
    match module.kind(node) {
        Kind::Call { callee, args } => Some(match module.kind(callee) {
            Kind::Atom(name) => local(index, (name, args.len)),
            Kind::Remote { module: of, name } => remote(module, of, name, args.len),
            _ => Target::Dynamic,
        }),
        Kind::FunName { name, arity } => Some(
            arity_of(module, arity).map_or(Target::Dynamic, |arity| local(index, (name, arity))),
        ),
        Kind::FunRemote { module: of, name, arity } => Some(match arity_of(module, arity) {
            Some(arity) => remote(module, of, name, arity),
            None => Target::Dynamic,
        }),
        _ => None,
    }
}

/// What a bare name means.
pub fn local(index: &ModuleIndex, function: NameArity) -> Target {
    if index.functions.contains(function) {
        Target::Local(function)
    } else if let Some(&module) = index.imports.get(function) {
        Target::Remote(module, function)
    } else if bifs::is_auto_imported(function.0, function.1) && index.auto_imports(function) {
        Target::Remote(known::ERLANG, function)
    } else {
        Target::Local(function)
    }
}

fn remote(module: &Module, of: NodeId, name: NodeId, arity: u32) -> Target {
    match (module.kind(of), module.kind(name)) {
        (Kind::Atom(of), Kind::Atom(name)) => Target::Remote(of, (name, arity)),
        _ => Target::Dynamic,
    }
}

fn arity_of(module: &Module, node: NodeId) -> Option<u32> {
    let Kind::Integer(literal) = module.kind(node) else { return None };
    match module.literal(literal) {
        Literal::Integer(value) => u32::try_from(value).ok(),
        _ => None,
    }
}
