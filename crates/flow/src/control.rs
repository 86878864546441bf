//! Vertices and neighbourhood edges of the functions of a program: steps 1 and 2 of Widera's
//! construction, for all of the language.
//!
//! The walk follows the order of evaluation and carries the *ends*: the vertices, with clause
//! labels, from which control reaches the next vertex. A vertex takes all ends and becomes the
//! only one; a construct with clauses gives the ends of all clauses.
//!
//! Differences from the paper: operands that are variables or literals have no vertex (see
//! [`crate::graph`]); a function has a branch vertex only if it has a choice to make; guards are
//! part of their branch. A `catch` or `try` vertex stands behind what it protects: control comes
//! there by throw edges, or, for old-style `catch`, by normal completion too. Calls that do not
//! return and expressions that fail still have their edges, as in the paper.

use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList};

use crate::graph::{Edge, EdgeKind, Frame, Graph, Label, Vertex, VertexKind};
use crate::library::call_kind;
use crate::sources::{FunctionId, ModuleId, Site, Sources};

type Ends = Vec<(Vertex, Label)>;

/// Adds the vertices and neighbourhood edges of all functions of the program.
pub(crate) fn build(sources: &Sources<'_>) -> Graph {
    let mut graph = Graph::default();
    for (_, source) in sources.own_modules() {
        graph.by_node.push(vec![None; source.tree.nodes.len()]);
    }
    for id in sources.own_functions() {
        let module = sources.function(id).module;
        let tree = &*sources.source(module).tree;
        Builder { sources, graph: &mut graph, tree, module, function: id }.function();
    }
    graph
}

struct Builder<'a, 'p> {
    sources: &'a Sources<'p>,
    graph: &'a mut Graph,
    tree: &'a Module,
    module: ModuleId,
    function: FunctionId,
}

impl Builder<'_, '_> {
    fn function(&mut self) {
        let function = self.sources.function(self.function).clone();
        let (node, clauses) = (function.node, function.clauses);
        let import = self.frame_vertex(VertexKind::Import, node);
        let context = self.frame_vertex(VertexKind::Context, node);
        let branch = self.chooses(clauses).then(|| self.frame_vertex(VertexKind::Branch, node));
        self.edge((import, Label::None), context);
        let first = branch.unwrap_or(context);
        if branch.is_some() {
            self.edge((context, Label::None), first);
        }
        let ends = if branch.is_some() {
            self.clauses(clauses, first)
        } else {
            match self.tree.list(clauses).first().map(|&clause| self.tree.kind(clause)) {
                Some(Kind::Clause { body, .. }) => self.body(body, vec![(first, Label::None)]),
                _ => vec![(first, Label::None)],
            }
        };
        let ret = self.frame_vertex(VertexKind::Return, node);
        self.join(ends, ret);
        self.graph.frames.push(Frame { import, context, branch, ret });
    }

    /// Whether a function has to look at its arguments to choose a clause.
    fn chooses(&self, clauses: NodeList) -> bool {
        let is_plain = |&clause: &NodeId| match self.tree.kind(clause) {
            Kind::Clause { patterns, guards, .. } => {
                let is_variable = |&node: &NodeId| matches!(self.tree.kind(node), Kind::Var(_));
                guards.is_empty() && self.tree.list(patterns).iter().all(is_variable)
            }
            _ => true,
        };
        clauses.len != 1 || !self.tree.list(clauses).iter().all(is_plain)
    }

    fn frame_vertex(&mut self, kind: VertexKind, node: NodeId) -> Vertex {
        self.graph.add_vertex(kind, self.function, self.module, node)
    }

    fn edge(&mut self, (from, label): (Vertex, Label), to: Vertex) {
        let kind = EdgeKind::Neighbor;
        self.graph.edges.push(Edge { from, to, kind, label, may: false, found: 0 });
    }

    fn join(&mut self, ends: Ends, to: Vertex) {
        ends.into_iter().for_each(|end| self.edge(end, to));
    }

    /// A vertex for a node, reached from all ends.
    fn vertex(&mut self, kind: VertexKind, node: NodeId, ends: Ends) -> Vertex {
        let vertex = self.graph.add_vertex(kind, self.function, self.module, node);
        self.graph.by_node[self.module][node.0 as usize] = Some(vertex);
        self.join(ends, vertex);
        vertex
    }

    fn step(&mut self, kind: VertexKind, node: NodeId, ends: Ends) -> Ends {
        vec![(self.vertex(kind, node, ends), Label::None)]
    }

    /// A sequence: every expression of it has a vertex.
    fn body(&mut self, body: NodeList, ends: Ends) -> Ends {
        self.tree.list(body).iter().fold(ends, |ends, &node| self.expr(node, ends))
    }

    fn clauses(&mut self, clauses: NodeList, from: Vertex) -> Ends {
        let mut all = Vec::new();
        for (index, &clause) in self.tree.list(clauses).iter().enumerate() {
            let Kind::Clause { body, .. } = self.tree.kind(clause) else { continue };
            all.extend(self.body(body, vec![(from, Label::Clause(index as u32 + 1))]));
        }
        all
    }

    /// An operand: it has a vertex unless it is a variable or a literal.
    fn operand(&mut self, node: NodeId, ends: Ends) -> Ends {
        match self.tree.kind(node) {
            Kind::Var(_)
            | Kind::Atom(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Sigil { .. }
            | Kind::Nil => ends,
            Kind::MapField { key, value, .. } => {
                let ends = self.operand(key, ends);
                self.operand(value, ends)
            }
            Kind::RecordField { value, .. } => self.operand(value, ends),
            Kind::BinElement { value, size, .. } => {
                let ends = self.operand(value, ends);
                size.into_iter().fold(ends, |ends, size| self.operand(size, ends))
            }
            Kind::UnaryOp { operand, .. }
                if matches!(self.tree.kind(operand), Kind::Integer(_) | Kind::Float(_)) =>
            {
                ends
            }
            _ => self.expr(node, ends),
        }
    }

    fn operands(&mut self, nodes: &[NodeId], ends: Ends) -> Ends {
        nodes.iter().fold(ends, |ends, &node| self.operand(node, ends))
    }

    fn expr(&mut self, node: NodeId, ends: Ends) -> Ends {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(node, ends))
    }

    fn expr_here(&mut self, node: NodeId, ends: Ends) -> Ends {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Match { value, .. } => {
                let ends = self.operand(value, ends);
                self.step(VertexKind::Match, node, ends)
            }
            Kind::MaybeMatch { value, .. } => {
                let ends = self.operand(value, ends);
                let vertex = self.vertex(VertexKind::Branch, node, ends);
                vec![(vertex, Label::Clause(1))]
            }
            Kind::Call { callee, args } => {
                let ends = match tree.kind(callee) {
                    Kind::Remote { module, name } => self.operands(&[module, name], ends),
                    _ => self.operand(callee, ends),
                };
                let ends = self.operands(tree.list(args), ends);
                let source = self.sources.source(self.module);
                self.step(call_kind(tree, &source.index, node), node, ends)
            }
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, left, right } => {
                self.short_circuit(node, left, right, ends)
            }
            Kind::BinaryOp { op, left, right } => {
                let ends = self.operands(&[left, right], ends);
                let kind =
                    if op == BinaryOp::Send { VertexKind::Send } else { VertexKind::Compute };
                self.step(kind, node, ends)
            }
            Kind::Block { body } => {
                let ends = self.step(VertexKind::Block, node, ends);
                self.body(body, ends)
            }
            Kind::If { clauses } => {
                let vertex = self.vertex(VertexKind::Branch, node, ends);
                self.clauses(clauses, vertex)
            }
            Kind::Case { subject, clauses } => {
                let ends = self.operand(subject, ends);
                let vertex = self.vertex(VertexKind::Branch, node, ends);
                self.clauses(clauses, vertex)
            }
            Kind::Receive { clauses, after } => {
                let ends = match after {
                    Some(after) => self.operand(after.timeout, ends),
                    None => ends,
                };
                let vertex = self.vertex(VertexKind::Receive, node, ends);
                let mut all = self.clauses(clauses, vertex);
                if let Some(after) = after {
                    all.extend(self.body(after.body, vec![(vertex, Label::Otherwise)]));
                }
                all
            }
            Kind::Catch { body } => {
                let ends = self.expr(body, ends);
                self.step(VertexKind::Catch, node, ends)
            }
            Kind::Try { body, of, catch, after } => {
                self.try_expr(node, [body, of, catch, after], ends)
            }
            Kind::Maybe { body, else_clauses } => self.maybe(node, body, else_clauses, ends),
            Kind::Comprehension { exprs, qualifiers, .. } => {
                self.comprehension(node, exprs, qualifiers, ends)
            }
            Kind::Fun { .. } | Kind::FunName { .. } => self.step(VertexKind::Fun, node, ends),
            Kind::FunRemote { module, name, arity } => {
                let ends = self.operands(&[module, name, arity], ends);
                self.step(VertexKind::Fun, node, ends)
            }
            Kind::Record { base, fields, .. } | Kind::Map { base, fields } => {
                let ends = self.operands(base.as_slice(), ends);
                let ends = self.operands(tree.list(fields), ends);
                self.step(VertexKind::Compute, node, ends)
            }
            Kind::RecordAccess { base, .. } => {
                let ends = self.operand(base, ends);
                self.step(VertexKind::Compute, node, ends)
            }
            Kind::RecordIndex { .. } => self.step(VertexKind::Compute, node, ends),
            _ => {
                let ends = self.operands(&tree.children(node), ends);
                self.step(VertexKind::Compute, node, ends)
            }
        }
    }

    fn short_circuit(&mut self, node: NodeId, left: NodeId, right: NodeId, ends: Ends) -> Ends {
        let is_and = matches!(self.tree.kind(node), Kind::BinaryOp { op: BinaryOp::Andalso, .. });
        let (goes_on, ends_here) = if is_and { (1, 2) } else { (2, 1) };
        let ends = self.operand(left, ends);
        let vertex = self.vertex(VertexKind::Branch, node, ends);
        let mut all = self.operand(right, vec![(vertex, Label::Clause(goes_on))]);
        all.push((vertex, Label::Clause(ends_here)));
        all
    }

    fn try_expr(&mut self, node: NodeId, parts: [NodeList; 4], ends: Ends) -> Ends {
        let [body, of, catch, after] = parts;
        let ends = self.body(body, ends);
        let mut all = if of.is_empty() {
            ends
        } else {
            let branch = self.frame_vertex(VertexKind::Branch, node);
            self.graph.of_branches.insert(Site { module: self.module, node }, branch);
            self.join(ends, branch);
            self.clauses(of, branch)
        };
        let vertex = self.vertex(VertexKind::Catch, node, Vec::new());
        all.extend(self.clauses(catch, vertex));
        if !after.is_empty() {
            // What no clause caught comes through here, too, before it goes on.
            all.push((vertex, Label::Otherwise));
        }
        self.body(after, all)
    }

    fn maybe(
        &mut self,
        node: NodeId,
        body: NodeList,
        else_clauses: Option<NodeList>,
        ends: Ends,
    ) -> Ends {
        let before = self.graph.vertices.len();
        let mut all = self.body(body, ends);
        // The matches of this body that may fail; those inside a nested `maybe` are its own.
        let is_own = |vertex: &Vertex| {
            let data = self.graph.vertex(*vertex);
            data.function == self.function
                && self.tree.list(body).contains(&data.site.node)
                && matches!(self.tree.kind(data.site.node), Kind::MaybeMatch { .. })
        };
        let inside = self.graph.vertices.ids().skip(before);
        let failing: Vec<Vertex> = inside.filter(is_own).collect();
        let failed = failing.into_iter().map(|vertex| (vertex, Label::Otherwise));
        match else_clauses {
            Some(clauses) => {
                let vertex = self.vertex(VertexKind::Branch, node, failed.collect());
                all.extend(self.clauses(clauses, vertex));
            }
            None => all.extend(failed),
        }
        all
    }

    fn comprehension(
        &mut self,
        node: NodeId,
        exprs: NodeList,
        qualifiers: NodeList,
        ends: Ends,
    ) -> Ends {
        let mut ends = ends;
        let mut generators: Vec<Vertex> = Vec::new();
        // Filters that are false: they lead to the innermost generator before them.
        let mut back: Ends = Vec::new();
        let mut out: Ends = Vec::new();
        for &qualifier in self.tree.list(qualifiers) {
            if matches!(
                self.tree.kind(qualifier),
                Kind::Generator { .. } | Kind::ZipGenerator { .. }
            ) {
                ends = self.generator_sources(qualifier, ends);
                let vertex = self.vertex(VertexKind::Branch, qualifier, ends);
                match generators.last() {
                    Some(&outer) => {
                        self.edge((vertex, Label::Otherwise), outer);
                        self.join(std::mem::take(&mut back), outer);
                    }
                    None => {
                        out.append(&mut back);
                        out.push((vertex, Label::Otherwise));
                    }
                }
                generators.push(vertex);
                ends = vec![(vertex, Label::Clause(1))];
            } else {
                ends = self.filter(qualifier, ends, &mut back);
            }
        }
        ends = self.operands(self.tree.list(exprs), ends);
        match generators.last() {
            Some(&innermost) => {
                self.join(ends, innermost);
                self.join(back, innermost);
            }
            None => {
                out.extend(ends);
                out.extend(back);
            }
        }
        self.step(VertexKind::Compute, node, out)
    }

    /// A filter: the ends where it is true; those where it is false are added to `back`.
    fn filter(&mut self, node: NodeId, ends: Ends, back: &mut Ends) -> Ends {
        let mut ends = self.operand(node, ends);
        if self.graph.at(Site { module: self.module, node }).is_none() {
            ends = self.step(VertexKind::Compute, node, ends);
        }
        if let [(vertex, Label::None)] = ends[..] {
            back.push((vertex, Label::Clause(2)));
            return vec![(vertex, Label::Clause(1))];
        }
        back.extend(ends.iter().copied());
        ends
    }

    fn generator_sources(&mut self, qualifier: NodeId, ends: Ends) -> Ends {
        match self.tree.kind(qualifier) {
            Kind::Generator { source, .. } => self.operand(source, ends),
            Kind::ZipGenerator { generators } => self
                .tree
                .list(generators)
                .iter()
                .fold(ends, |ends, &generator| self.generator_sources(generator, ends)),
            _ => ends,
        }
    }
}
