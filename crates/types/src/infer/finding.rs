//! What is wrong with a program by its types.

use atom::Atom;
use program::index::NameArity;
use syntax::ast::NodeId;

use super::callee::Callee;
use crate::ty::Type;

/// Something that cannot succeed, or never happens.
#[derive(Clone, Debug)]
pub struct Finding {
    pub node: NodeId,
    pub why: Why,
}

#[derive(Clone, Debug)]
pub enum Why {
    /// A call with such arguments never returns. `bad` is the first argument (from 0) that no
    /// clause takes, with what it would have to be.
    Call { module: Atom, function: NameArity, args: Vec<Type>, bad: Option<(usize, Type)> },
    /// An operator that fails on such operands.
    Operator { op: &'static str, args: Vec<Type> },
    /// A pattern that never matches such a value.
    Match { value: Type },
    /// A clause that is never chosen for such values.
    Clause { values: Vec<Type>, guard: bool },
    /// A clause that is never reached, since those before it take all.
    Covered,
}

impl Why {
    pub(super) fn call(module: Atom, function: NameArity, args: Vec<Type>, callee: &Callee) -> Why {
        let bad = args.iter().enumerate().find_map(|(place, arg)| {
            // Only this one as it is, the others anything.
            let mut alone = vec![Type::Any; args.len()];
            alone[place] = arg.clone();
            if !callee.ways(&alone).is_empty() {
                return None;
            }
            let ways = callee.ways(&vec![Type::Any; args.len()]);
            let expected =
                ways.iter().fold(Type::None, |joined, way| joined.join(&way.args[place]));
            Some((place, expected))
        });
        Why::Call { module, function, args, bad }
    }
}
