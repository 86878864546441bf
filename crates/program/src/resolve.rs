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

/// The target of a [`Kind::Call`], [`Kind::FunName`] or [`Kind::FunRemote`]; `None` for other
/// nodes.
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

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::Arc;
    use syntax::options::Options;

    /// The target of every call and named fun of a module, in the order of the text.
    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let library = Arc::new(crate::files::Library::without_otp());
        let files = crate::files::ProjectFiles::new(library, BTreeMap::new());
        let bytes = text.as_bytes().to_vec();
        let module =
            syntax::read_module_bytes(Path::new("m.erl"), bytes, &files, &Options::default());
        let index = ModuleIndex::of(&module);
        let mut lines = String::new();
        for &form in &module.forms {
            module.for_each_below(form, |node| {
                if let Some(target) = target(&module, &index, node) {
                    let text = module.text(module.span(node));
                    let shown = match target {
                        Target::Local((name, arity)) => format!("{name}/{arity}"),
                        Target::Remote(of, (name, arity)) => format!("{of}:{name}/{arity}"),
                        Target::Dynamic => "dynamic".to_owned(),
                    };
                    lines += &format!("{text} is {shown}\n");
                }
            });
        }
        expected.assert_eq(&lines);
    }

    #[test]
    fn calls() {
        check(
            "-module(m).\n-import(lists, [map/2]).\n-compile({no_auto_import, [node/0]}).\n\
             f(F) -> g(), length([]), size(F), map(F, []), node(), m:f(1), x:y(), F(1), F:z(),\n\
                 fun size/1, fun g/0, fun x:y/2, fun F:y/2, nothing().\n\
             g() -> length().\nsize(_) -> 1.\n",
            expect![[r#"
                g() is g/0
                length([]) is erlang:length/1
                size(F) is size/1
                map(F, []) is lists:map/2
                node() is node/0
                m:f(1) is m:f/1
                x:y() is x:y/0
                F(1) is dynamic
                F:z() is dynamic
                fun size/1 is size/1
                fun g/0 is g/0
                fun x:y/2 is x:y/2
                fun F:y/2 is dynamic
                nothing() is nothing/0
                length() is length/0
            "#]],
        );
    }
}
