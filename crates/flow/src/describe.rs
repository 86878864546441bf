//! Vertices and edges in words.

use crate::graph::{Edge, EdgeKind, Label, Vertex, VertexKind};
use crate::result::Flow;
use crate::sources::Site;

/// Longer texts are cut.
const LONGEST: usize = 60;

impl Flow {
    /// What a vertex is, in a few words: the start of its source text, or `import f/1`.
    pub fn vertex_text(&self, vertex: Vertex) -> String {
        let data = self.graph.vertex(vertex);
        let is_frame = data.site == self.function(data.function).site();
        match data.kind {
            VertexKind::Import | VertexKind::Context | VertexKind::Return => data.kind.to_string(),
            VertexKind::Branch if is_frame => "clauses".to_string(),
            _ => shortened(&self.text(data.site)),
        }
    }

    /// The start of the source text of a node.
    pub fn short_text(&self, site: Site) -> String {
        shortened(&self.text(site))
    }

    /// Line and column of a vertex.
    pub fn vertex_place(&self, vertex: Vertex) -> String {
        let site = self.graph.vertex(vertex).site;
        let loc = self.modules[site.module].tree.loc(site.node);
        format!("{}:{}", loc.line, loc.column)
    }

    /// The pattern of the clause that an edge leads into.
    pub fn label_text(&self, edge: &Edge) -> Option<String> {
        let Label::Clause(number) = edge.label else { return None };
        let data =
            self.graph.vertex(if edge.kind == EdgeKind::Neighbor { edge.from } else { edge.to });
        let tree = &self.modules[data.site.module].tree;
        use syntax::ast::Kind;
        let clauses = match tree.kind(data.site.node) {
            Kind::Receive { clauses, .. }
            | Kind::Case { clauses, .. }
            | Kind::Function { clauses, .. }
            | Kind::Fun { clauses, .. } => clauses,
            Kind::Try { of, catch, .. } => {
                if data.kind == VertexKind::Catch {
                    catch
                } else {
                    of
                }
            }
            Kind::Maybe { else_clauses: Some(clauses), .. } => clauses,
            _ => return None,
        };
        let clause = *tree.list(clauses).get(number as usize - 1)?;
        let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { return None };
        let text = |&node: &syntax::ast::NodeId| self.text(Site { node, ..data.site });
        let mut patterns: Vec<String> = tree.list(patterns).iter().map(text).collect();
        if edge.kind == EdgeKind::Message
            && let Kind::Function { arity, .. } = tree.kind(data.site.node)
        {
            // Of a callback, what it gets of the message: not who asks, nor the state.
            let name = self.function(data.function).name;
            let has_type = arity == 4 || !name.as_str().starts_with("handle_");
            patterns.truncate(if has_type { 2 } else { 1 });
        }
        let guards: Vec<String> = tree.list(guards).iter().map(text).collect();
        let mut shown = patterns.join(", ");
        if !guards.is_empty() {
            shown = format!("{shown} when {}", guards.join("; "));
        }
        Some(shortened(&shown))
    }

    /// An edge in one line.
    pub fn edge_text(&self, edge: &Edge) -> String {
        let from = self.graph.vertex(edge.from);
        let to = self.graph.vertex(edge.to);
        let to_text = match to.kind {
            VertexKind::Import | VertexKind::Return => self.function_name(to.function),
            _ => format!(
                "{} {} {}",
                self.function_name(to.function),
                self.vertex_place(edge.to),
                self.vertex_text(edge.to)
            ),
        };
        let clause = match edge.label {
            Label::Clause(number) => match self.label_text(edge) {
                Some(text) => format!(" [clause {number}: {text}]"),
                None => format!(" [clause {number}]"),
            },
            Label::Otherwise => " [otherwise]".to_string(),
            Label::None => String::new(),
        };
        let may = if edge.may { " may" } else { "" };
        format!(
            "{}{may}: {} {} {} -> {to_text}{clause}",
            edge.kind,
            self.function_name(from.function),
            self.vertex_place(edge.from),
            self.vertex_text(edge.from),
        )
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let start: String = text.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}
