//! The modules of a run and those of a graph: which is which.
//!
//! A graph speaks of the nodes of its own trees. A run may have read the same texts again; where
//! they are the same, so are the numbers of their nodes.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use flow::{Flow, ModuleId, Site};
use machine::code_space::CodeSpace;
use machine::observe;
use syntax::ast::{Module, NodeId};

/// Which modules of a program the modules of a run are: by name, if they were read from the same
/// text.
pub struct SameTrees {
    flow: Rc<Flow>,
    /// What is known about each module of the run.
    known: Vec<Option<Known>>,
    /// Modules of the program that the run has with another text.
    others: BTreeSet<ModuleId>,
}

#[derive(Clone)]
enum Known {
    /// The program has no module of this name.
    Foreign(Atom),
    /// With this tree it is that module of the program.
    Tree(Arc<Module>, Option<ModuleId>),
}

impl SameTrees {
    pub fn new(flow: Rc<Flow>) -> SameTrees {
        SameTrees { flow, known: Vec::new(), others: BTreeSet::new() }
    }

    /// The place of the program that a site of a run is, if its module is one of the program.
    pub fn place(&mut self, code: &CodeSpace, site: observe::Site) -> Option<Site> {
        let info = code.modules.get(site.module as usize)?;
        let module = self.find(site.module, info.name, || info.source.tree())?;
        Some(Site { module, node: site.node })
    }

    /// Modules of the program that the run has with another text: nothing is known about them.
    pub fn others(&self) -> impl Iterator<Item = ModuleId> {
        self.others.iter().copied()
    }

    /// The module of the program that module `index` of a run is. Its tree is asked for only if the
    /// program has a module of its name.
    fn find<'t>(
        &mut self,
        index: u32,
        name: Atom,
        tree: impl Fn() -> &'t Arc<Module>,
    ) -> Option<ModuleId> {
        match self.known.get(index as usize) {
            Some(Some(Known::Foreign(known))) if *known == name => return None,
            Some(Some(Known::Tree(known, found))) if Arc::ptr_eq(known, tree()) => return *found,
            _ => {}
        }
        let position = self.flow.modules.position(|module| module.name == name);
        let known = match position {
            None => Known::Foreign(name),
            Some(position) => {
                let (own, tree) = (&self.flow.modules[position].tree, tree());
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
pub fn is_same(a: &Module, b: &Module) -> bool {
    let texts = |module: &Module| module.files.first().map(|file| file.text.clone());
    a.nodes.len() == b.nodes.len()
        && texts(a) == texts(b)
        && (0..a.nodes.len()).all(|node| {
            let node = NodeId(node as u32);
            std::mem::discriminant(&a.kind(node)) == std::mem::discriminant(&b.kind(node))
        })
}
