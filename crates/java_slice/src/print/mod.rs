//! The text of a slice: a program that compiles and runs, in the layout of its author.
//!
//! Text is only taken away, but for values that stand in the place of arguments, initialisers and
//! results that are not needed. What is printed needs what it speaks of to be declared, classes
//! need the methods that they have to implement, and so on: printing is repeated until nothing new
//! is needed. Where the rules of the language need a value that the slice does not have, its node
//! is a new start of the traversal (`promoted`).
//!
//! Cost: a few times the size of the files that are printed.

mod edits;
mod expressions;
mod members;
mod statements;

use std::collections::BTreeSet;

use dependence::Node;
use ids::IdVec;
use java::names::{ClassId, FieldId, FileId, MethodId, Symbol};
use java::tree::{Kind, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::Built;
use crate::lower::Role;
use crate::program::{Program, Site};
use edits::Edit;

/// What has to be declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Needs {
    classes: BTreeSet<ClassId>,
    methods: BTreeSet<MethodId>,
    fields: BTreeSet<FieldId>,
    locals: BTreeSet<Site>,
    promoted: BTreeSet<Node>,
}

pub(crate) struct Printed {
    /// By file: its text, `None` if nothing of it is left.
    pub(crate) texts: Vec<Option<String>>,
    /// By file and node: whether it stands in the text.
    pub(crate) shown: Vec<Vec<bool>>,
    /// What else has to be reached.
    pub(crate) promoted: Vec<Node>,
}

pub(crate) struct Printer<'a> {
    program: &'a Program,
    built: &'a Built,
    needs: Needs,
    /// By file and node: whether something of it is reached, and of what is in it.
    kept: Vec<Vec<bool>>,
    inside: Vec<Vec<bool>>,
    shown: Vec<Vec<bool>>,
    file: FileId,
    edits: Vec<Edit>,
    /// Statements of which only what they do on the way is left.
    rewritten: FxHashSet<Site>,
    /// Whether everything counts, be it printed or not.
    as_written: bool,
}

/// Prints what is reached.
pub(crate) fn print(program: &Program, built: &Built, reached: &IdVec<Node, bool>) -> Printed {
    let blank = || -> Vec<Vec<bool>> {
        program.files.iter().map(|file| vec![false; file.tree.nodes.len()]).collect()
    };
    let mut kept = blank();
    for (node, origin) in built.origins.enumerate() {
        if reached[node] && !matches!(origin.role, Role::Between | Role::Result) {
            kept[origin.site.file.0 as usize][origin.site.node.index()] = true;
        }
    }
    let mut inside = kept.clone();
    for (file, inside) in program.files.iter().zip(&mut inside) {
        for id in file.tree.ids() {
            let mut any = inside[id.index()];
            file.tree.children(id, |child| any |= inside[child.index()]);
            inside[id.index()] = any;
        }
    }
    let mut printer = Printer {
        program,
        built,
        needs: Needs::default(),
        kept,
        inside,
        shown: blank(),
        file: FileId(0),
        edits: Vec::new(),
        rewritten: FxHashSet::default(),
        as_written: false,
    };
    loop {
        let before = printer.needs.clone();
        printer.shown = blank();
        printer.rewritten.clear();
        let texts: Vec<Option<String>> =
            (0..program.files.len()).map(|file| printer.unit(FileId(file as u32))).collect();
        printer.close();
        if printer.needs == before {
            let promoted = printer.needs.promoted.iter().copied();
            let promoted = promoted.filter(|&node| !reached[node]).collect();
            return Printed { texts, shown: printer.shown, promoted };
        }
    }
}

impl Printer<'_> {
    fn site(&self, node: NodeId) -> Site {
        Site { file: self.file, node }
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.program.kind(self.site(node))
    }

    fn list(&self, list: java::tree::List) -> Vec<NodeId> {
        self.program.files[self.file.0 as usize].tree.list(list).collect()
    }

    fn span(&self, node: NodeId) -> (usize, usize) {
        let span = self.program.files[self.file.0 as usize].tree.span(node);
        (span.start as usize, span.end as usize)
    }

    fn source(&self) -> &str {
        &self.program.files[self.file.0 as usize].tree.source.text
    }

    fn is_kept(&self, node: NodeId) -> bool {
        self.kept[self.file.0 as usize][node.index()]
    }

    fn has_inside(&self, node: NodeId) -> bool {
        self.inside[self.file.0 as usize][node.index()]
    }

    fn is_shown(&self, node: NodeId) -> bool {
        self.shown[self.file.0 as usize][node.index()]
    }

    fn show(&mut self, node: NodeId) {
        self.shown[self.file.0 as usize][node.index()] = true;
    }

    /// Asks for the value of a node.
    fn promote(&mut self, node: NodeId) {
        let site = self.site(node);
        if let Some(value) = self.built.values[site.file.0 as usize][site.node.index()] {
            self.needs.promoted.insert(value);
        }
    }

    /// A node is printed: what it means has to be there.
    fn speak(&mut self, node: NodeId) {
        self.show(node);
        match self.program.symbol(self.site(node)) {
            Some(Symbol::Class(class)) => self.need_class(class),
            Some(Symbol::Field(field)) => {
                self.needs.fields.insert(field);
                let class = self.program.same_class(self.program.world.field(field).class);
                self.need_class(class);
            }
            Some(Symbol::Method(method)) => {
                self.needs.methods.insert(method);
                let class = self.program.same_class(self.program.world.method(method).class);
                self.need_class(class);
            }
            Some(Symbol::Local(declared, _)) => {
                let site = self.site(declared);
                self.needs.locals.insert(site);
            }
            _ => {}
        }
    }

    /// A call, creation or reference of which it is not known which method it means: all that it
    /// may be, which take so many arguments.
    fn speak_of_any(&mut self, node: NodeId, count: Option<usize>) {
        if self.program.symbol(self.site(node)).is_some() {
            return;
        }
        let tree = self.program.tree(self.file);
        let (name, created) = match tree.kind(node) {
            Kind::Call { function, .. } => match tree.kind(function) {
                Kind::Name(name) | Kind::Select { name, .. } => (Some(name), None),
                // Of the class above, or of the same one.
                _ => (None, None),
            },
            Kind::MethodReference { name, .. } => (Some(name), None),
            Kind::New { class, .. } => (None, Some(class)),
            Kind::ConstructorReference { target, .. } => (None, Some(target)),
            _ => (None, None),
        };
        let created = created.map(|created| {
            let base = crate::program::base_of(&tree, created);
            match self.program.symbol(self.site(base)) {
                Some(Symbol::Class(class)) => Some(class),
                _ => None,
            }
        });
        if created == Some(None) {
            // Nothing of the program.
            return;
        }
        for index in 0..self.program.world.methods.len() {
            let method = self.program.same_method(MethodId(index as u32));
            let info = self.program.world.method(method);
            let owner = self.program.same_class(info.class);
            if !self.program.is_own(owner) {
                continue;
            }
            let is_meant = match (name, created) {
                (Some(name), _) => info.name == name && !info.is_constructor,
                (None, Some(Some(class))) => info.is_constructor && owner == class,
                (None, _) => info.is_constructor && self.needs.classes.contains(&owner),
            };
            if is_meant && count.is_none_or(|count| self.program.takes(method, count)) {
                self.needs.methods.insert(method);
                self.need_class(owner);
            }
        }
    }

    fn need_class(&mut self, class: ClassId) {
        let mut at = Some(class);
        while let Some(class) = at {
            self.needs.classes.insert(class);
            let outer = self.program.world.class(class).outer;
            at = outer.map(|outer| self.program.same_class(outer));
        }
    }

    /// Everything below a node is printed as it is.
    fn speak_all(&mut self, node: NodeId) {
        let tree = self.program.tree(self.file);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            self.speak(node);
            tree.children(node, |child| pending.push(child));
        }
    }

    // ---- Classes that have to keep their promises ----------------------------------------------

    fn close(&mut self) {
        let shown: Vec<ClassId> = self
            .program
            .classes()
            .filter(|&class| {
                let site = self.program.class_site(class);
                self.shown[site.file.0 as usize][site.node.index()]
            })
            .collect();
        let by_name: FxHashMap<ClassId, Vec<MethodId>> =
            shown.iter().map(|&class| (class, self.program.methods_of(class))).collect();
        for &class in &shown {
            self.close_class(class, &by_name);
        }
    }

    fn is_method_shown(&self, method: MethodId) -> bool {
        let site = self.program.method_site(method);
        self.shown[site.file.0 as usize][site.node.index()]
    }

    fn close_class(&mut self, class: ClassId, methods: &FxHashMap<ClassId, Vec<MethodId>>) {
        let program = self.program;
        let lineage = program.lineage(class);
        let is_abstract = |method: MethodId| program.world.method(method).is_abstract;
        let is_inherited = |method: MethodId| {
            let info = program.world.method(method);
            !info.is_static && !info.is_constructor
        };
        for &above in &lineage {
            self.need_class(above);
            let own = methods.get(&above).cloned().unwrap_or_default();
            let own = own.iter().map(|&it| program.same_method(it));
            let own: Vec<MethodId> = own.filter(|&it| is_inherited(it)).collect();
            // Lambdas may stand for it.
            let mut asked = own.iter().copied().filter(|&it| is_abstract(it));
            if let (true, Some(only), None) =
                (program.is_interface(above), asked.next(), asked.next())
            {
                self.needs.methods.insert(only);
            }
            // Without the one that overrides it another one would run.
            for method in own {
                if self.is_method_shown(method)
                    && let Some(found) = program.dispatch(class, method)
                    && found != method
                {
                    self.needs.methods.insert(found);
                }
            }
            for foreign in program.foreign(above).to_vec() {
                self.close_foreign(&lineage, foreign.as_str());
            }
        }
        self.close_constructors(class);
        for &above in &lineage {
            self.keep_default(class, above);
        }
    }

    /// An interface is initialised with the classes that implement it if it has a default method.
    fn keep_default(&mut self, class: ClassId, above: ClassId) {
        let program = self.program;
        if class == above || program.is_interface(class) || !program.is_interface(above) {
            return;
        }
        let has_fields = program.world.class(above).fields.values().any(|&field| {
            let site = program.field_site(program.same_field(field));
            self.shown[site.file.0 as usize][site.node.index()]
        });
        let defaults = program.methods_of(above).into_iter().map(|it| program.same_method(it));
        let mut defaults = defaults.filter(|&it| {
            let info = program.world.method(it);
            !info.is_abstract
                && !info.is_static
                && info.access != java::names::Access::Private
                && program.world.is_written(it)
        });
        if let (true, Some(first)) = (has_fields, defaults.next()) {
            self.needs.methods.insert(first);
        }
    }

    /// What a class or interface that is not part of the program asks for.
    fn close_foreign(&mut self, lineage: &[ClassId], foreign: &str) {
        let asked = crate::library::asked_by(foreign);
        let is_exception = foreign.ends_with("Exception") || foreign.ends_with("Error");
        for &class in lineage {
            for method in self.program.methods_of(class) {
                let method = self.program.same_method(method);
                let info = self.program.world.method(method);
                if info.is_constructor || info.is_static {
                    continue;
                }
                let is_asked = match asked {
                    Some(names) => !is_exception && names.contains(&info.name.as_str()),
                    None => info.access == java::names::Access::Public,
                };
                if is_asked {
                    self.needs.methods.insert(method);
                }
            }
        }
    }

    fn close_constructors(&mut self, class: ClassId) {
        let program = self.program;
        let constructors = program.world.class(class).constructors.clone();
        let written: Vec<MethodId> = constructors
            .into_iter()
            .map(|it| program.same_method(it))
            .filter(|&it| program.world.is_written(it))
            .collect();
        let Some(above) = program.superclass(class) else { return };
        let of_above: Vec<MethodId> = program
            .world
            .class(above)
            .constructors
            .iter()
            .map(|&it| program.same_method(it))
            .filter(|&it| program.world.is_written(it))
            .collect();
        if of_above.is_empty() {
            return;
        }
        if let Some(&empty) = of_above.iter().find(|&&it| program.takes(it, 0)) {
            self.needs.methods.insert(empty);
        }
        if !written.is_empty() && !written.iter().any(|&it| self.is_method_shown(it)) {
            self.needs.methods.insert(written[0]);
        }
    }

    /// The names of the methods above that a method overrides: those of the program, and whether
    /// all of them are gone.
    fn overrides_nothing(&self, method: MethodId) -> bool {
        let class = self.program.same_class(self.program.world.method(method).class);
        let mut seen = FxHashSet::default();
        let mut any = false;
        for above in self.program.lineage(class) {
            if above == class || !seen.insert(above) {
                continue;
            }
            for other in self.program.methods_of(above) {
                let other = self.program.same_method(other);
                if self.program.may_override(method, other) {
                    any = true;
                    if self.is_method_shown(other) || self.needs.methods.contains(&other) {
                        return false;
                    }
                }
            }
        }
        any
    }
}
