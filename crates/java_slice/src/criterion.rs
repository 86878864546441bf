//! Which values a criterion means.

use java::names::FileId;
use java::tree::{Kind, NodeId, Tree, UnaryOp};

use crate::program::{Program, Site};

/// A value by its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Criterion {
    pub file: FileId,
    pub line: u32,
    pub column: Option<u32>,
    /// A variable, or a member such as `a.b`; everything on the line without one.
    pub name: Option<String>,
    /// Which of several on the line, from 1; all of them without it.
    pub occurrence: Option<u32>,
}

/// Why a criterion means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CriterionError {
    NoLine {
        line: u32,
        lines: u32,
    },
    /// There is no value there; what could be meant on the line.
    Nothing {
        line: u32,
        others: Vec<String>,
    },
    NoOccurrence {
        line: u32,
        count: usize,
    },
}

impl Program {
    /// The values that a criterion means.
    pub fn find(&self, criterion: &Criterion) -> Result<Vec<Site>, CriterionError> {
        let tree = self.tree(criterion.file);
        let line = criterion.line;
        let lines = tree.source.text.lines().count() as u32;
        if line == 0 || line > lines {
            return Err(CriterionError::NoLine { line, lines });
        }
        let begins = |node: NodeId| {
            let (at, column) = tree.source.place(start_of(&tree, node));
            at == line && criterion.column.is_none_or(|wanted| wanted == column)
        };
        let site = |node: NodeId| Site { file: criterion.file, node };
        let here: Vec<NodeId> =
            tree.ids().filter(|&node| begins(node) && self.is_value(site(node))).collect();
        let mut found: Vec<NodeId> = match &criterion.name {
            Some(name) => {
                let wanted = plain(name);
                here.iter()
                    .copied()
                    .filter(|&node| name_of(&tree, node) == Some(wanted.clone()))
                    .collect()
            }
            None => {
                let inner = |node: NodeId| {
                    here.iter().any(|&other| other > node && contains(&tree, other, node))
                };
                here.iter().copied().filter(|&node| !inner(node)).collect()
            }
        };
        found.sort_by_key(|&node| start_of(&tree, node));
        if let Some(wanted) = criterion.occurrence
            && !found.is_empty()
        {
            let count = found.len();
            let one = found.get((wanted as usize).wrapping_sub(1)).copied();
            let one = one.ok_or(CriterionError::NoOccurrence { line, count })?;
            found = vec![one];
        }
        if found.is_empty() {
            let mut others: Vec<String> =
                here.iter().filter_map(|&node| name_of(&tree, node)).collect();
            others.sort_unstable();
            others.dedup();
            return Err(CriterionError::Nothing { line, others });
        }
        Ok(found.into_iter().map(site).collect())
    }

    /// Every use of a local variable or field by its name.
    pub fn uses(&self) -> Vec<Site> {
        let mut all = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let file_id = FileId(index as u32);
            for node in file.tree.ids() {
                let site = Site { file: file_id, node };
                if matches!(file.tree.kind(node), Kind::Name(_)) && self.is_value(site) {
                    all.push(site);
                }
            }
        }
        all
    }

    /// Whether a node is something that has a value.
    fn is_value(&self, site: Site) -> bool {
        use java::names::Symbol;
        let parent = self.parent(site);
        match self.kind(site) {
            Kind::Variable { .. } | Kind::Return { .. } => true,
            Kind::Parameter { .. } => true,
            Kind::Name(_) | Kind::Select { .. } => {
                let is_function = parent.is_some_and(|parent| {
                    let above = self.kind(Site { node: parent, ..site });
                    matches!(above, Kind::Call { function, .. } if function == site.node)
                });
                !is_function
                    && matches!(
                        self.symbol(site),
                        Some(Symbol::Local(..) | Symbol::Field(_) | Symbol::ArrayLength)
                    )
            }
            Kind::Unary { .. }
            | Kind::Binary { .. }
            | Kind::Assign { .. }
            | Kind::CompoundAssign { .. }
            | Kind::Conditional { .. }
            | Kind::InstanceOf { .. }
            | Kind::Cast { .. }
            | Kind::Call { .. }
            | Kind::New { .. }
            | Kind::NewArray { .. }
            | Kind::ArrayAccess { .. }
            | Kind::Lambda { .. }
            | Kind::SwitchExpression { .. } => true,
            _ => false,
        }
    }

    /// Whether a name with a dot is a member of an object of the program.
    pub fn is_member(&self, site: Site) -> bool {
        use java::names::Symbol;
        match self.symbol(site) {
            Some(Symbol::Field(field)) => self.is_value(site) && !self.world.field(field).is_static,
            _ => false,
        }
    }

    /// Where a value is made that is written rather than read there.
    pub(crate) fn defining(&self, site: Site) -> Site {
        let Some(parent) = self.parent(site) else { return site };
        let above = Site { node: parent, ..site };
        match self.kind(above) {
            Kind::Assign { target, .. } | Kind::CompoundAssign { target, .. }
                if target == site.node =>
            {
                above
            }
            Kind::Unary {
                op:
                    UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement,
                ..
            } => above,
            _ => site,
        }
    }
}

/// Where what a node is called begins.
fn start_of(tree: &Tree, node: NodeId) -> u32 {
    match tree.kind(node) {
        Kind::Variable { name_at, .. } | Kind::Parameter { name_at, .. } => name_at,
        _ => tree.span(node).start,
    }
}

fn contains(tree: &Tree, outer: NodeId, inner: NodeId) -> bool {
    let (outer, inner) = (tree.span(outer), tree.span(inner));
    outer.start <= inner.start && inner.end <= outer.end
}

fn plain(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

fn name_of(tree: &Tree, node: NodeId) -> Option<String> {
    match tree.kind(node) {
        Kind::Name(name) | Kind::Variable { name, .. } | Kind::Parameter { name, .. } => {
            Some(name.as_str().to_owned())
        }
        Kind::Select { .. } => Some(plain(tree.text(node))),
        _ => None,
    }
}

impl Program {
    /// Simple names of variables and methods that mean nothing, where everything that they could
    /// mean is known: no class around has one above it that is not part of the program, and nothing
    /// static is imported as a whole.
    pub fn unresolved(&self, file: FileId) -> Vec<(NodeId, String)> {
        let tree = self.tree(file);
        let Kind::Unit { imports, .. } = tree.kind(tree.root) else { return Vec::new() };
        let mut imported = Vec::new();
        for import in tree.list(imports) {
            if let Kind::Import { is_static: true, name } = tree.kind(import)
                && let Kind::Select { name, .. } = tree.kind(name)
            {
                if name.as_str() == "*" {
                    return Vec::new();
                }
                imported.push(name);
            }
        }
        let mut found = Vec::new();
        for node in tree.ids() {
            let Kind::Name(name) = tree.kind(node) else { continue };
            let site = Site { file, node };
            if self.symbol(site).is_some() || imported.contains(&name) || !self.is_closed(site) {
                continue;
            }
            let Some(parent) = self.parent(site) else { continue };
            if self.is_missing(tree.kind(parent), Site { file, node: parent }, node, name) {
                found.push((node, name.as_str().to_owned()));
            }
        }
        found
    }

    /// Whether a name without a meaning in such a place has to have one.
    fn is_missing(&self, parent: Kind, above: Site, node: NodeId, name: atom::Atom) -> bool {
        match parent {
            // A method of this name with other parameters may be hard to decide on.
            Kind::Call { function, .. } if function == node => {
                self.symbol(above).is_none()
                    && !self.world.methods.iter().any(|method| method.name == name)
                    && !matches!(
                        name.as_str(),
                        "getClass"
                            | "hashCode"
                            | "equals"
                            | "toString"
                            | "clone"
                            | "notify"
                            | "notifyAll"
                            | "wait"
                            | "finalize"
                            | "values"
                            | "valueOf"
                            | "name"
                            | "ordinal"
                            | "compareTo"
                    )
            }
            Kind::Binary { .. }
            | Kind::Unary { .. }
            | Kind::Assign { .. }
            | Kind::CompoundAssign { .. }
            | Kind::Conditional { .. }
            | Kind::Return { .. }
            | Kind::Parens { .. }
            | Kind::ArrayAccess { .. }
            | Kind::ExpressionStatement { .. }
            | Kind::Call { .. } => true,
            Kind::Variable { value, .. } => value == Some(node),
            _ => false,
        }
    }

    /// Whether all members of the classes around a place are known.
    fn is_closed(&self, site: Site) -> bool {
        let mut at = Some(site.node);
        while let Some(node) = at {
            let here = Site { node, ..site };
            if matches!(self.kind(here), Kind::Annotation { .. } | Kind::Case { .. }) {
                return false;
            }
            if let Some(class) = self.class_at(here) {
                let known = |name: &atom::Atom| {
                    matches!(
                        name.as_str(),
                        "Object"
                            | "Runnable"
                            | "Comparable"
                            | "Iterable"
                            | "Cloneable"
                            | "Serializable"
                    )
                };
                if !self.lineage(class).iter().all(|&above| self.foreign(above).iter().all(known)) {
                    return false;
                }
            }
            at = self.parent(here);
        }
        true
    }

    /// The method or class around a place, by name.
    pub fn around(&self, site: Site) -> String {
        let mut at = Some(site.node);
        let tree = self.tree(site.file);
        while let Some(node) = at {
            match tree.kind(node) {
                Kind::Method(part) => return format!("{}()", tree.method(part).name.as_str()),
                Kind::Class(part) => {
                    return tree
                        .class(part)
                        .name
                        .map_or("class".to_owned(), |it| it.as_str().to_owned());
                }
                _ => {}
            }
            at = self.parent(Site { node, ..site });
        }
        String::new()
    }
}
