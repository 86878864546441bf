//! Whole modules: which forms are kept, and the text of the file around them.
//!
//! Functions of which nothing is in the slice go, with their comments, specifications and exports;
//! those that kept code mentions stay as stubs. Attributes that name functions which are gone would
//! keep the module from compiling, so they go, too.

use std::collections::BTreeSet;

use atom::Atom;
use flow::ModuleId;
use flow::ids::IdVec;
use syntax::ast::{ExportKind, Kind, Module, NodeId, NodeList};
use syntax::source::FileId;
use syntax::token::Literal;

use super::Printer;
use super::items::Item;
use crate::graph::View;
use dependence::Node;

/// The text of a module of a slice.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) text: String,
    /// For each node of the tree, whether it is printed.
    pub(crate) kept: Vec<bool>,
}

type Name = (Atom, Atom, u32);

/// Prints all modules of a program; functions of one may mention those of another.
pub(crate) fn print(graph: View<'_>, reached: &IdVec<Node, bool>) -> IdVec<ModuleId, Printed> {
    let mut printers: Vec<Printer<'_>> = Vec::new();
    for (module, loaded) in graph.flow.modules.ids().zip(&graph.program.modules) {
        let bindings = &graph.flow.bindings[module];
        let nodes = &graph.built.modules[module];
        printers.push(Printer::new(loaded, bindings, nodes, graph.flow, module, reached));
    }
    let mut texts: Vec<Vec<(NodeId, String)>> = Vec::new();
    let mut names: BTreeSet<Name> = BTreeSet::new();
    for printer in &mut printers {
        let mut functions = Vec::new();
        for &form in &printer.tree.forms {
            let Kind::Function { name, arity, .. } = printer.tree.kind(form) else { continue };
            if printer.has(form) || is_entered(graph, reached, printer.module, form) {
                functions.push((form, printer.function(form)));
                names.insert((printer.loaded.name, name, arity));
            }
        }
        printer.mention_defaults();
        texts.push(functions);
    }
    let mentioned: BTreeSet<Name> =
        printers.iter().flat_map(|printer| printer.mentioned.iter().copied()).collect();
    for (printer, functions) in printers.iter_mut().zip(&mut texts) {
        for &form in &printer.tree.forms {
            let Kind::Function { name, arity, .. } = printer.tree.kind(form) else { continue };
            let name = (printer.loaded.name, name, arity);
            if !names.contains(&name) && mentioned.contains(&name) {
                functions.push((form, printer.function(form)));
                names.insert(name);
            }
        }
    }
    let parts = printers.into_iter().zip(texts);
    parts.map(|(printer, functions)| whole(printer, &functions, &names)).collect()
}

/// Whether a function is entered on the way to the criterion, though nothing in it is needed.
fn is_entered(
    graph: View<'_>,
    reached: &IdVec<Node, bool>,
    module: ModuleId,
    form: NodeId,
) -> bool {
    let functions = graph.flow.functions.iter().zip(&graph.built.functions);
    let mut own = functions.filter(|(function, _)| {
        function.module == module && function.node == form && !function.is_fun()
    });
    own.any(|(_, nodes)| reached[nodes.entry] || reached[nodes.result])
}

/// What becomes of a form.
enum Fate {
    Stays,
    Goes,
    Becomes(String),
}

fn whole(
    mut printer: Printer<'_>,
    functions: &[(NodeId, String)],
    names: &BTreeSet<Name>,
) -> Printed {
    let tree = printer.tree;
    let mut out = String::new();
    let mut at = 0;
    for &form in &tree.forms {
        let span = tree.span(form);
        let is_text = span.file == FileId::MAIN && span.end > span.start;
        if !is_text || matches!(tree.kind(form), Kind::EndOfFile) || (span.start as usize) < at {
            continue;
        }
        let (start, end) = form_extent(&printer, form);
        match fate(&mut printer, form, functions, names) {
            Fate::Stays => {}
            Fate::Becomes(text) => {
                out.push_str(printer.slice_of(at, start));
                out.push_str(&text);
                at = end;
            }
            Fate::Goes => {
                let (from, to) = with_comments(printer.text, start, end);
                out.push_str(printer.slice_of(at, from.max(at)));
                at = to;
                // No more empty lines than there were.
                if out.is_empty() || out.ends_with("\n\n") {
                    let rest = printer.slice_of(at, printer.text.len());
                    at += rest.len() - rest.trim_start_matches('\n').len();
                }
            }
        }
    }
    out.push_str(printer.slice_of(at, printer.text.len()));
    while out.ends_with("\n\n") {
        out.pop();
    }
    Printed { text: out, kept: printer.kept }
}

/// From the first token of a form to its full stop.
fn form_extent(printer: &Printer<'_>, form: NodeId) -> (usize, usize) {
    let tree = printer.tree;
    let mut end = printer.end(form);
    if let Some(next) = tree.tokens.get(tree[form].last.0 as usize + 1)
        && next.kind == syntax::token::TokenKind::Dot
        && next.is_plain()
    {
        end = end.max(next.span.end as usize);
    }
    (printer.start(form), end)
}

/// The text of a form with the comments before it and the line break behind.
fn with_comments(text: &str, start: usize, end: usize) -> (usize, usize) {
    let line_end = text[end..].find('\n').map_or(text.len(), |length| end + length + 1);
    let rest = text[end..line_end].trim();
    let to = if rest.is_empty() || rest.starts_with('%') { line_end } else { end };
    (comments_before(text, start), to)
}

/// Where the comments begin that stand before a form, with or without empty lines between: what
/// comes after a comment is what it is about. Those at the top of the file are about the file.
fn comments_before(text: &str, start: usize) -> usize {
    let mut rest = text[..start].trim_end_matches([' ', '\t']);
    let mut from = if rest.is_empty() || rest.ends_with('\n') { rest.len() } else { start };
    while let Some(lines) = rest.strip_suffix('\n') {
        let line_start = lines.rfind('\n').map_or(0, |at| at + 1);
        let line = lines[line_start..].trim_start();
        match line.chars().next() {
            Some('%') if line_start == 0 => return start,
            Some('%') => from = line_start,
            Some(_) => break,
            None => {}
        }
        rest = &text[..line_start];
    }
    from
}

fn fate(
    printer: &mut Printer<'_>,
    form: NodeId,
    functions: &[(NodeId, String)],
    names: &BTreeSet<Name>,
) -> Fate {
    let tree = printer.tree;
    let module = printer.loaded.name;
    let is_there = |name: Atom, arity: u32| names.contains(&(module, name, arity));
    match tree.kind(form) {
        Kind::Function { .. } => match functions.iter().find(|(of, _)| *of == form) {
            Some((_, text)) if printer.nodes.is_rigid(form) => {
                if text.is_empty() {
                    Fate::Goes
                } else {
                    Fate::Stays
                }
            }
            Some((_, text)) => Fate::Becomes(format!("{text}.")),
            None => Fate::Goes,
        },
        Kind::ExportAttribute { which: ExportKind::Functions, names: list } => {
            exports(printer, form, list, &is_there)
        }
        Kind::ExportAttribute { which: ExportKind::Nifs, .. } => Fate::Goes,
        Kind::SpecAttribute { which: syntax::ast::SpecKind::Spec, name, clauses, .. } => {
            let Kind::Atom(name) = tree.kind(name) else { return Fate::Stays };
            let arity = tree.list(clauses).first().and_then(|&clause| spec_arity(tree, clause));
            match arity {
                Some(arity) if is_there(name, arity) => Fate::Stays,
                _ => Fate::Goes,
            }
        }
        Kind::Attribute { name, values } => match name.as_str() {
            "on_load" => {
                let names = mentioned_functions(tree, values);
                let all = names.iter().all(|&(name, arity)| is_there(name, arity));
                if all { Fate::Stays } else { Fate::Goes }
            }
            "dialyzer" | "deprecated" | "removed" => Fate::Goes,
            "compile" => compile_options(printer, form, values),
            _ => Fate::Stays,
        },
        _ => Fate::Stays,
    }
}

fn exports(
    printer: &mut Printer<'_>,
    form: NodeId,
    list: NodeList,
    is_there: &impl Fn(Atom, u32) -> bool,
) -> Fate {
    let tree = printer.tree;
    let list = tree.list(list);
    let stays = |&node: &NodeId| match name_arity(tree, node) {
        Some((name, arity)) => is_there(name, arity),
        None => true,
    };
    let count = list.iter().filter(|node| stays(node)).count();
    if count == list.len() {
        return Fate::Stays;
    }
    let (Some(&first), Some(&last)) = (list.first(), list.last()) else { return Fate::Stays };
    if count == 0 {
        return Fate::Goes;
    }
    let (start, end) = form_extent(printer, form);
    let (from, to) = (printer.start(first), printer.end(last));
    let item = |node: &NodeId| {
        let (start, end) = (printer.start(*node), printer.end(*node));
        let text = stays(node).then(|| printer.slice_of(start, end).to_string());
        Item { start, end, text }
    };
    let items: Vec<Item> = list.iter().map(item).collect();
    let inside = printer.items(from, &items, to);
    Fate::Becomes([printer.slice_of(start, from), &inside, printer.slice_of(to, end)].concat())
}

fn name_arity(tree: &Module, node: NodeId) -> Option<(Atom, u32)> {
    let Kind::NameArity { name, arity } = tree.kind(node) else { return None };
    let (Kind::Atom(name), Kind::Integer(arity)) = (tree.kind(name), tree.kind(arity)) else {
        return None;
    };
    match tree.literal(arity) {
        Literal::Integer(arity) => Some((name, u32::try_from(arity).ok()?)),
        _ => None,
    }
}

fn spec_arity(tree: &Module, clause: NodeId) -> Option<u32> {
    match tree.kind(clause) {
        Kind::FunType { args, .. } => Some(args?.len),
        Kind::BoundedFunType { fun, .. } => spec_arity(tree, fun),
        _ => None,
    }
}

fn mentioned_functions(tree: &Module, values: NodeList) -> Vec<(Atom, u32)> {
    let mut found = Vec::new();
    for &value in tree.list(values) {
        tree.for_each_below(value, |node| found.extend(name_arity(tree, node)));
    }
    found
}

/// Without options for functions that may be gone, and those that make warnings errors: a slice has
/// unused variables.
fn compile_options(printer: &Printer<'_>, form: NodeId, values: NodeList) -> Fate {
    let tree = printer.tree;
    let values = tree.list(values);
    let is_bad = |node: NodeId| {
        let mut found = false;
        tree.for_each_below(node, |below| match tree.kind(below) {
            Kind::Atom(name) => {
                found |= matches!(name.as_str(), "warnings_as_errors" | "inline");
            }
            // For some functions only: those have to be there.
            Kind::Tuple { elements } => {
                let first = tree.list(elements).first().map(|&first| tree.kind(first));
                if let Some(Kind::Atom(name)) = first {
                    found |= matches!(name.as_str(), "nowarn_unused_function" | "nowarn_bif_clash");
                }
            }
            _ => {}
        });
        found
    };
    if !values.iter().any(|&value| is_bad(value)) {
        return Fate::Stays;
    }
    let &[list] = values else { return Fate::Goes };
    let Kind::List { elements, .. } = tree.kind(list) else { return Fate::Goes };
    let elements = tree.list(elements);
    let (Some(&first), Some(&last)) = (elements.first(), elements.last()) else {
        return Fate::Goes;
    };
    let item = |&node: &NodeId| {
        let (start, end) = (printer.start(node), printer.end(node));
        let text = (!is_bad(node)).then(|| printer.slice_of(start, end).to_string());
        Item { start, end, text }
    };
    let items: Vec<Item> = elements.iter().map(item).collect();
    if items.iter().all(|item| item.text.is_none()) {
        return Fate::Goes;
    }
    let (start, end) = form_extent(printer, form);
    let (from, to) = (printer.start(first), printer.end(last));
    let inside = printer.items(from, &items, to);
    Fate::Becomes([printer.slice_of(start, from), &inside, printer.slice_of(to, end)].concat())
}

impl Printer<'_> {
    /// The definitions of records stay as they are, with the calls in them.
    fn mention_defaults(&mut self) {
        let tree = self.tree;
        for &form in &tree.forms {
            if matches!(tree.kind(form), Kind::RecordAttribute { .. }) {
                let mut below = Vec::new();
                tree.for_each_below(form, |node| below.push(node));
                below.into_iter().for_each(|node| self.mention(node));
            }
        }
    }
}
