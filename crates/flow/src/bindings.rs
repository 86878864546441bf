//! Which definitions a variable may have where it is used.
//!
//! One walk over each function in the order of evaluation keeps the definitions that reach the
//! current place (Widera's Definitions 8 and 13, the direct part). Erlang binds a variable at most
//! once on every path, so a definition is never overwritten: at the end of a `case` the
//! definitions of its clauses are joined, and leaving a fun, a comprehension or a `try` forgets
//! what was bound inside. The table of current definitions is one hash table with a trail, as in
//! a Prolog machine, so a clause costs what it binds.
//!
//! A variable in a pattern is a definition if nothing reaches it, and a use (an equality test) if
//! something does. Heads of funs and patterns of generators always define.
//!
//! Names that are unsafe after a construct (bound in some clauses only) have the definitions of
//! those clauses; the compiler rejects programs that use them.

use atom::{Atom, known};
use rustc_hash::FxHashMap;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList};

/// What a variable occurrence is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occurrence<'a> {
    /// Not a variable, `_`, or a variable that nothing defines.
    None,
    /// It binds the variable.
    Define,
    /// It has the value that one of these nodes bound. A definition is a variable in a pattern,
    /// or the `fun` whose name the variable is.
    Use(&'a [NodeId]),
}

/// A variable that a fun takes from its surroundings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    pub name: Atom,
    pub definitions: Vec<NodeId>,
}

/// The occurrences of all variables of a module.
#[derive(Debug, Default)]
pub struct Bindings {
    /// For each node 0, [`DEFINE`], or the number of a list and 2.
    occurrences: Vec<u32>,
    /// Start and end of each list in `pool`.
    lists: Vec<(u32, u32)>,
    pool: Vec<NodeId>,
    /// What each fun captures, in the order of first use.
    captures: FxHashMap<NodeId, Vec<Capture>>,
}

const DEFINE: u32 = 1;

impl Bindings {
    pub fn of(module: &Module) -> Bindings {
        let mut walker = Walker {
            module,
            found: Bindings { occurrences: vec![0; module.nodes.len()], ..Bindings::default() },
            current: FxHashMap::default(),
            trail: Vec::new(),
            fresh: None,
            funs: Vec::new(),
            owner: FxHashMap::default(),
        };
        for &form in &module.forms {
            if let Kind::Function { clauses, .. } = module.kind(form) {
                walker.function(clauses);
            }
        }
        walker.found
    }

    pub fn occurrence(&self, node: NodeId) -> Occurrence<'_> {
        match self.occurrences.get(node.0 as usize).copied().unwrap_or(0) {
            0 => Occurrence::None,
            DEFINE => Occurrence::Define,
            list => Occurrence::Use(self.list(list - 2)),
        }
    }

    /// What a fun takes from its surroundings.
    pub fn captures(&self, fun: NodeId) -> &[Capture] {
        self.captures.get(&fun).map_or(&[], Vec::as_slice)
    }

    fn list(&self, list: u32) -> &[NodeId] {
        let (start, end) = self.lists[list as usize];
        &self.pool[start as usize..end as usize]
    }

    fn add_list(&mut self, nodes: &[NodeId]) -> u32 {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(nodes);
        self.lists.push((start, self.pool.len() as u32));
        self.lists.len() as u32 - 1
    }
}

struct Walker<'a> {
    module: &'a Module,
    found: Bindings,
    /// The definitions that reach the current place, as lists of `found`.
    current: FxHashMap<Atom, u32>,
    /// What to restore to get back to an earlier place.
    trail: Vec<(Atom, Option<u32>)>,
    /// In heads that always define: the names that the head has defined so far.
    fresh: Option<Vec<Atom>>,
    /// The funs around the current place.
    funs: Vec<NodeId>,
    /// How many funs are around each definition.
    owner: FxHashMap<NodeId, usize>,
}

impl Walker<'_> {
    fn function(&mut self, clauses: NodeList) {
        for &clause in self.module.list(clauses) {
            let mark = self.trail.len();
            self.clause(clause, true);
            self.undo(mark);
        }
    }

    /// Walks a clause; its bindings are left in place.
    fn clause(&mut self, clause: NodeId, head_defines: bool) {
        let Kind::Clause { patterns, guards, body } = self.module.kind(clause) else { return };
        let outer = self.fresh.take();
        if head_defines {
            self.fresh = Some(Vec::new());
        }
        self.patterns(patterns);
        self.fresh = outer;
        for &guard in self.module.list(guards) {
            if let Kind::Guard { tests } = self.module.kind(guard) {
                self.exprs(tests);
            }
        }
        self.exprs(body);
    }

    /// Alternatives: each starts from here, afterwards all their bindings are possible.
    fn alternatives(&mut self, alternatives: &[Alternative]) {
        let mut joined: Vec<(Atom, Vec<NodeId>)> = Vec::new();
        for alternative in alternatives {
            let mark = self.trail.len();
            match *alternative {
                Alternative::Clause(clause) => self.clause(clause, false),
                Alternative::Body(body) => self.exprs(body),
            }
            for index in mark..self.trail.len() {
                let name = self.trail[index].0;
                let Some(&list) = self.current.get(&name) else { continue };
                let nodes = self.found.list(list).to_vec();
                match joined.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => {
                        for node in nodes {
                            if !known.contains(&node) {
                                known.push(node);
                            }
                        }
                    }
                    None => joined.push((name, nodes)),
                }
            }
            self.undo(mark);
        }
        for (name, nodes) in joined {
            let list = self.found.add_list(&nodes);
            self.bind(name, list);
        }
    }

    fn bind(&mut self, name: Atom, list: u32) {
        let old = self.current.insert(name, list);
        self.trail.push((name, old));
    }

    fn undo(&mut self, mark: usize) {
        for (name, old) in self.trail.drain(mark..).rev() {
            match old {
                Some(list) => self.current.insert(name, list),
                None => self.current.remove(&name),
            };
        }
    }

    fn define(&mut self, node: NodeId, name: Atom) {
        let list = self.found.add_list(&[node]);
        self.bind(name, list);
        self.owner.insert(node, self.funs.len());
    }

    fn patterns(&mut self, list: NodeList) {
        for &pattern in self.module.list(list) {
            self.pattern(pattern);
        }
    }

    fn pattern(&mut self, node: NodeId) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.pattern_here(node));
    }

    fn pattern_here(&mut self, node: NodeId) {
        match self.module.kind(node) {
            Kind::Var(name) => self.pattern_variable(node, name),
            Kind::MapField { key, value, .. } => {
                self.expr(key);
                self.pattern(value);
            }
            Kind::BinElement { value, size, .. } => {
                if let Some(size) = size {
                    self.expr(size);
                }
                self.pattern(value);
            }
            // Only the name of a field is between record and value.
            Kind::RecordField { value, .. } => self.pattern(value),
            Kind::Record { fields, .. } => self.patterns(fields),
            _ => self.module.children(node).into_iter().for_each(|child| self.pattern(child)),
        }
    }

    fn pattern_variable(&mut self, node: NodeId, name: Atom) {
        if name == known::UNDERSCORE {
            return;
        }
        let is_new = match &mut self.fresh {
            Some(fresh) if !fresh.contains(&name) => {
                fresh.push(name);
                true
            }
            Some(_) => false,
            None => !self.current.contains_key(&name),
        };
        if is_new {
            self.found.occurrences[node.0 as usize] = DEFINE;
            self.define(node, name);
        } else {
            self.variable(node, name);
        }
    }

    fn variable(&mut self, node: NodeId, name: Atom) {
        let Some(&list) = self.current.get(&name) else { return };
        self.found.occurrences[node.0 as usize] = list + 2;
        let definitions = self.found.list(list).to_vec();
        let depth =
            definitions.iter().filter_map(|node| self.owner.get(node)).min().copied().unwrap_or(0);
        for &fun in self.funs.get(depth..).unwrap_or_default() {
            let captures = self.found.captures.entry(fun).or_default();
            if !captures.iter().any(|capture| capture.name == name) {
                captures.push(Capture { name, definitions: definitions.clone() });
            }
        }
    }

    fn exprs(&mut self, list: NodeList) {
        for &expr in self.module.list(list) {
            self.expr(expr);
        }
    }

    fn expr(&mut self, node: NodeId) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(node));
    }

    fn expr_here(&mut self, node: NodeId) {
        match self.module.kind(node) {
            Kind::Var(name) => self.variable(node, name),
            Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value } => {
                self.expr(value);
                let outer = self.fresh.take();
                self.pattern(pattern);
                self.fresh = outer;
            }
            Kind::Fun { name, clauses } => self.fun(node, name, clauses),
            Kind::Case { subject, clauses } => {
                self.expr(subject);
                self.alternatives(&self.clauses(clauses));
            }
            Kind::If { clauses } => self.alternatives(&self.clauses(clauses)),
            Kind::Receive { clauses, after } => {
                let mut alternatives = self.clauses(clauses);
                if let Some(after) = after {
                    self.expr(after.timeout);
                    alternatives.push(Alternative::Body(after.body));
                }
                self.alternatives(&alternatives);
            }
            Kind::Try { body, of, catch, after } => {
                let mark = self.trail.len();
                self.exprs(body);
                self.scoped_clauses(of);
                self.undo(mark);
                self.scoped_clauses(catch);
                self.exprs(after);
                self.undo(mark);
            }
            Kind::Maybe { body, else_clauses } => {
                let mark = self.trail.len();
                self.exprs(body);
                self.undo(mark);
                self.scoped_clauses(else_clauses.unwrap_or_default());
            }
            Kind::Comprehension { exprs, qualifiers, .. } => {
                let mark = self.trail.len();
                for &qualifier in self.module.list(qualifiers) {
                    self.qualifier(qualifier);
                }
                self.exprs(exprs);
                self.undo(mark);
            }
            Kind::Record { base, fields, .. } => {
                base.into_iter().for_each(|base| self.expr(base));
                self.exprs(fields);
            }
            Kind::RecordField { value, .. } => self.expr(value),
            Kind::RecordAccess { base, .. } => self.expr(base),
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, left, right } => {
                self.expr(left);
                let mark = self.trail.len();
                self.expr(right);
                self.undo(mark);
            }
            _ => self.module.children(node).into_iter().for_each(|child| self.expr(child)),
        }
    }

    fn clauses(&self, clauses: NodeList) -> Vec<Alternative> {
        self.module.list(clauses).iter().map(|&clause| Alternative::Clause(clause)).collect()
    }

    /// Clauses whose bindings nobody sees afterwards.
    fn scoped_clauses(&mut self, clauses: NodeList) {
        for &clause in self.module.list(clauses) {
            let mark = self.trail.len();
            self.clause(clause, false);
            self.undo(mark);
        }
    }

    fn fun(&mut self, node: NodeId, name: Option<Atom>, clauses: NodeList) {
        let mark = self.trail.len();
        self.funs.push(node);
        if let Some(name) = name {
            self.define(node, name);
        }
        self.function(clauses);
        self.funs.pop();
        self.undo(mark);
    }

    /// The pattern of a generator. In `K := V <- Map` the key is a pattern, too.
    fn generator_pattern(&mut self, node: NodeId) {
        match self.module.kind(node) {
            Kind::MapField { key, value, .. } => {
                self.pattern(key);
                self.pattern(value);
            }
            _ => self.pattern(node),
        }
    }

    fn qualifier(&mut self, node: NodeId) {
        match self.module.kind(node) {
            Kind::Generator { pattern, source, .. } => {
                self.expr(source);
                let outer = self.fresh.replace(Vec::new());
                self.generator_pattern(pattern);
                self.fresh = outer;
            }
            Kind::ZipGenerator { generators } => {
                for &generator in self.module.list(generators) {
                    if let Kind::Generator { source, .. } = self.module.kind(generator) {
                        self.expr(source);
                    }
                }
                let outer = self.fresh.replace(Vec::new());
                for &generator in self.module.list(generators) {
                    if let Kind::Generator { pattern, .. } = self.module.kind(generator) {
                        self.generator_pattern(pattern);
                    }
                }
                self.fresh = outer;
            }
            // What a filter binds is seen by what is behind it.
            _ => self.expr(node),
        }
    }
}

#[derive(Clone, Copy)]
enum Alternative {
    Clause(NodeId),
    Body(NodeList),
}
