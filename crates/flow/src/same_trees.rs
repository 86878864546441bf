//! The modules of a run and those of a graph: which is which.
//!
//! A graph speaks of the nodes of its own trees. A run may have read the same texts again; where
//! they are the same, so are the numbers of their nodes.

use std::collections::BTreeSet;
use std::sync::Arc;

use atom::Atom;
use syntax::ast::{Module, NodeId};

use crate::Flow;
use crate::sources::ModuleId;

/// Which modules of a program the modules of a run are: by name, if they were read from the same
/// text.
#[derive(Default)]
pub struct SameTrees {
    /// What is known about each module of the run.
    known: Vec<Option<Known>>,
    /// Modules of the program that the run has with another text.
    pub others: BTreeSet<ModuleId>,
}

#[derive(Clone)]
enum Known {
    /// The program has no module of this name.
    Foreign(Atom),
    /// With this tree it is that module of the program.
    Tree(Arc<Module>, Option<ModuleId>),
}

impl SameTrees {
    /// The module of the program that module `index` of a run is. Its tree is asked for only if the
    /// program has a module of its name.
    pub fn find<'t>(
        &mut self,
        flow: &Flow,
        index: u32,
        name: Atom,
        tree: impl Fn() -> &'t Arc<Module>,
    ) -> Option<ModuleId> {
        match self.known.get(index as usize) {
            Some(Some(Known::Foreign(known))) if *known == name => return None,
            Some(Some(Known::Tree(known, found))) if Arc::ptr_eq(known, tree()) => return *found,
            _ => {}
        }
        let position = flow.modules.position(|module| module.name == name);
        let known = match position {
            None => Known::Foreign(name),
            Some(position) => {
                let (own, tree) = (&flow.modules[position].tree, tree());
                let is_same = Arc::ptr_eq(own, tree) || is_same(own, tree);
                if !is_same {
                    self.others.insert(position);
                }
                Known::Tree(Arc::clone(tree), is_same.then_some(position))
            }
        };
        let found = match known {
            Known::Foreign(_) => None,
            Known::Tree(_, found) => found,
        };
        if self.known.len() <= index as usize {
            self.known.resize(index as usize + 1, None);
        }
        self.known[index as usize] = Some(known);
        found
    }
}

/// Whether two trees were read from the same text in the same way: then their nodes have the same
/// numbers.
fn is_same(a: &Module, b: &Module) -> bool {
    let texts = |module: &Module| module.files.first().map(|file| file.text.clone());
    a.nodes.len() == b.nodes.len()
        && texts(a) == texts(b)
        && (0..a.nodes.len()).all(|node| {
            let node = NodeId(node as u32);
            std::mem::discriminant(&a.kind(node)) == std::mem::discriminant(&b.kind(node))
        })
}
