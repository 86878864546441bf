//! The modules of a run and those of a graph: which is which.
//!
//! A graph speaks of the nodes of its own trees. A run may have read the same texts again; where they are the
//! same, so are the numbers of their nodes.

use std::collections::BTreeSet;
use std::sync::Arc;

use atom::Atom;
use syntax::ast::{Module, NodeId};

use crate::Flow;

/// Which modules of a program the modules of a run are: by name, if they were read from the same text.
#[derive(Default)]
pub struct SameTrees {
    /// For each module of the run: its tree, and the module of the program that it is.
    known: Vec<Option<(Arc<Module>, Option<u32>)>>,
    /// Modules of the program that the run has with another text.
    pub others: BTreeSet<u32>,
}

impl SameTrees {
    /// The module of the program that module `index` of a run is.
    pub fn find(&mut self, flow: &Flow, index: u32, name: Atom, tree: &Arc<Module>) -> Option<u32> {
        if let Some(Some((known, found))) = self.known.get(index as usize)
            && Arc::ptr_eq(known, tree)
        {
            return *found;
        }
        let position = flow.modules.iter().position(|module| module.name == name);
        let same = position.filter(|&position| {
            let own = &flow.modules[position].tree;
            Arc::ptr_eq(own, tree) || is_same(own, tree)
        });
        if let (Some(position), None) = (position, same) {
            self.others.insert(position as u32);
        }
        let found = same.map(|position| position as u32);
        if self.known.len() <= index as usize {
            self.known.resize(index as usize + 1, None);
        }
        self.known[index as usize] = Some((Arc::clone(tree), found));
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
