//! Names of types that nobody declares.
//!
//! Where a type is not known it is taken as `any()`: that is safe, and says less than the
//! programmer meant, so it is told.

use atom::Atom;
use program::LoadedModule;
use syntax::ast::{Kind, NodeId};

use super::Declarations;

/// A type that is used and not declared, or not exported where it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The use.
    pub node: NodeId,
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    NoModule,
    NotDeclared,
    NotExported,
}

/// The types of other modules that a module uses in vain. (Of its own the lint tells.)
pub fn unknown(declarations: &Declarations, module: &LoadedModule) -> Vec<Unknown> {
    let tree = &module.tree;
    let mut found = Vec::new();
    for &form in &tree.forms {
        if !matches!(
            tree.kind(form),
            Kind::TypeAttribute { .. } | Kind::SpecAttribute { .. } | Kind::RecordAttribute { .. }
        ) {
            continue;
        }
        tree.for_each_below(form, |node| {
            let Kind::RemoteType { module: of, name, args } = tree.kind(node) else { return };
            let (Kind::Atom(of), Kind::Atom(name)) = (tree.kind(of), tree.kind(name)) else {
                return;
            };
            let key = (name, args.len);
            let why = match declarations.module(of) {
                None => Why::NoModule,
                Some(of) if !of.source().index.types.contains(key) => Why::NotDeclared,
                Some(of) if !of.source().index.exported_types.contains(key) => Why::NotExported,
                Some(_) => return,
            };
            found.push(Unknown { node, module: of, name, arity: args.len, why });
        });
    }
    found
}
