//! The modules and functions that an analysis looks at: those of the program, and the models of
//! library modules that are not part of it.
//!
//! Every function and every fun expression gets a [`FunctionId`]. Modules of the program come
//! first, so that whatever is said about the program is numbered independently of the models.

use std::borrow::Cow;
use std::sync::Arc;

use atom::Atom;
use program::Program;
use program::index::ModuleIndex;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId, NodeList};

use crate::bindings::Bindings;
use crate::contexts::Instantiated;
use crate::ids::IdVec;
use crate::narrowing::Narrowing;

crate::ids! {
    /// A module: a position in [`crate::Flow::modules`].
    pub ModuleId;
    /// A function or a fun expression: a position in [`crate::Flow::functions`].
    pub FunctionId;
}

/// A node of the tree of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    pub module: ModuleId,
    pub node: NodeId,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub module: ModuleId,
    /// The form, or the `fun` expression.
    pub node: NodeId,
    /// Of a fun expression, the name of the function around it.
    pub name: Atom,
    pub arity: u32,
    pub clauses: NodeList,
    /// The function or fun around a fun expression.
    pub parent: Option<FunctionId>,
    pub exported: bool,
}

impl Function {
    pub fn is_fun(&self) -> bool {
        self.parent.is_some()
    }

    pub fn site(&self) -> Site {
        Site { module: self.module, node: self.node }
    }
}

/// A module as the analysis sees it.
#[derive(Debug)]
pub(crate) struct Source<'p> {
    pub(crate) name: Atom,
    pub(crate) tree: Arc<Module>,
    pub(crate) index: Cow<'p, ModuleIndex>,
    pub(crate) bindings: Arc<Bindings>,
    pub(crate) narrowing: Narrowing,
    pub(crate) is_model: bool,
    /// The fun expressions.
    pub(crate) funs: FxHashMap<NodeId, FunctionId>,
}

/// All modules and functions.
#[derive(Debug, Default)]
pub(crate) struct Sources<'p> {
    pub(crate) modules: IdVec<ModuleId, Source<'p>>,
    pub(crate) functions: IdVec<FunctionId, Function>,
    by_module: FxHashMap<Atom, ModuleId>,
    by_name: FxHashMap<(ModuleId, Atom, u32), FunctionId>,
    /// The models, those of modules that the program has, too.
    models: FxHashMap<Atom, ModuleId>,
    /// The exported functions of the program, by name.
    exported: FxHashMap<Atom, Vec<FunctionId>>,
    /// How many of the modules, and of the functions, are the program's.
    pub(crate) own_modules: usize,
    pub(crate) own_functions: usize,
    /// What is known of functions before anything is solved.
    pub(crate) instantiated: Instantiated,
}

impl<'p> Sources<'p> {
    pub(crate) fn new(program: &'p Program) -> Sources<'p> {
        let mut sources = Sources::default();
        for module in &program.modules {
            sources.add(module.name, module.tree.clone(), Cow::Borrowed(&module.index), false);
        }
        sources.own_modules = sources.modules.len();
        sources.own_functions = sources.functions.len();
        sources
    }

    /// Adds a module. One whose name is taken is there, but cannot be called by name.
    pub(crate) fn add(
        &mut self,
        name: Atom,
        tree: Arc<Module>,
        index: Cow<'p, ModuleIndex>,
        is_model: bool,
    ) {
        let module = self.modules.next_id();
        let first = *self.by_module.entry(name).or_insert(module) == module;
        if is_model {
            self.models.insert(name, module);
        }
        let mut funs = FxHashMap::default();
        for &form in &tree.forms {
            let Kind::Function { name, arity, clauses } = tree.kind(form) else { continue };
            let exported = index.is_exported((name, arity));
            let id = self.functions.push(Function {
                module,
                node: form,
                name,
                arity,
                clauses,
                parent: None,
                exported,
            });
            if first || is_model {
                self.by_name.entry((module, name, arity)).or_insert(id);
            }
            if exported && !is_model {
                self.exported.entry(name).or_default().push(id);
            }
            self.add_funs(&tree, module, form, id, &mut funs);
        }
        let bindings = Arc::new(Bindings::of(&tree));
        let narrowing = Narrowing::of(&tree, &bindings);
        self.modules.push(Source { name, tree, index, bindings, narrowing, is_model, funs });
    }

    /// Fun expressions below a form, each with the function around it.
    fn add_funs(
        &mut self,
        tree: &Module,
        module: ModuleId,
        form: NodeId,
        top: FunctionId,
        funs: &mut FxHashMap<NodeId, FunctionId>,
    ) {
        let mut pending = vec![(form, top)];
        let mut children = Vec::new();
        while let Some((node, parent)) = pending.pop() {
            let mut around = parent;
            if let Kind::Fun { clauses, .. } = tree.kind(node) {
                let first = tree.list(clauses).first().map(|&clause| tree.kind(clause));
                let arity = match first {
                    Some(Kind::Clause { patterns, .. }) => patterns.len,
                    _ => 0,
                };
                let name = self.functions[top].name;
                around = self.functions.push(Function {
                    module,
                    node,
                    name,
                    arity,
                    clauses,
                    parent: Some(parent),
                    exported: false,
                });
                funs.insert(node, around);
            }
            children.clear();
            tree.for_each_child(node, |child| children.push(child));
            pending.extend(children.iter().rev().map(|&child| (child, around)));
        }
    }

    pub(crate) fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }

    pub(crate) fn source(&self, module: ModuleId) -> &Source<'p> {
        &self.modules[module]
    }

    /// The module of a name.
    pub(crate) fn module(&self, name: Atom) -> Option<ModuleId> {
        self.by_module.get(&name).copied()
    }

    /// A function of a module.
    pub(crate) fn find(&self, module: ModuleId, name: Atom, arity: u32) -> Option<FunctionId> {
        self.by_name.get(&(module, name, arity)).copied()
    }

    /// A function of the model of a module.
    pub(crate) fn model_of(&self, module: Atom, name: Atom, arity: u32) -> Option<FunctionId> {
        self.find(self.models.get(&module).copied()?, name, arity)
    }

    /// The functions that modules of the program export under a name.
    pub(crate) fn exported_as(&self, name: Atom) -> &[FunctionId] {
        self.exported.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The modules of the program.
    pub(crate) fn own_modules(&self) -> impl Iterator<Item = (ModuleId, &Source<'p>)> {
        self.modules.enumerate().take(self.own_modules)
    }

    /// The functions of the program.
    pub(crate) fn own_functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.own_functions).map(FunctionId::new)
    }

    /// Whether a module is the program's.
    pub(crate) fn is_own(&self, module: ModuleId) -> bool {
        module.index() < self.own_modules
    }

    pub(crate) fn is_model(&self, function: FunctionId) -> bool {
        function.index() >= self.own_functions
    }
}
