//! Quasi-minimal slices by deletion (section 6.2 of the thesis): subtrees of a slice's text are
//! removed, the larger ones first, as long as the text compiles and the criterion's values stay for
//! the inputs that there are. With one subtree at a time: the thesis found nothing more with
//! several.

use atom::{Atom, known};
use syntax::ast::{Kind, Module, NodeId, NodeList};
use syntax::source::FileId;

use super::check::{Study, Text, variables};
use super::node::read;

/// What deletion found.
pub(crate) struct Minimal {
    /// Nodes of the functions of the slice.
    pub(crate) slice: usize,
    /// Nodes that are left.
    pub(crate) minimal: usize,
    /// How many texts were tried.
    pub(crate) tried: usize,
}

/// The size of a slice, and what deletion leaves of it; `None` if it is no slice. No more than
/// `patience` texts are tried.
pub(crate) fn minimal_size(
    study: &Study<'_>,
    criterion: usize,
    patience: usize,
) -> Option<Minimal> {
    let slice = study.graph.backward(&[study.criteria[criterion].0]);
    let mut texts = study.texts(&slice);
    let mut rank = study.rank(&slice, criterion);
    study.check_texts(criterion, &texts, rank).ok()?;
    let (site, wanted) = &study.criteria[criterion];
    let mut found = Minimal { slice: size(study, &texts), minimal: 0, tried: 0 };
    for index in 0..texts.len() {
        // Places behind which nothing is tried again.
        let mut at = 0;
        while found.tried < patience {
            let tree = read(study.program, &texts[index].path, &texts[index].text);
            let candidates = candidates(&tree);
            let Some(candidate) = candidates.get(at) else { break };
            let own = index == site.module.index();
            let Some(new_rank) = rank_after(&tree, candidate, wanted.variable, rank, own) else {
                at += 1;
                continue;
            };
            let mut smaller = texts.clone();
            let text = &mut smaller[index].text;
            text.replace_range(candidate.from..candidate.to, candidate.by);
            found.tried += 1;
            if study.check_texts(criterion, &smaller, new_rank).is_ok() {
                texts = smaller;
                rank = new_rank;
            } else {
                at += 1;
            }
        }
    }
    found.minimal = size(study, &texts);
    Some(found)
}

/// Nodes in functions that are not there to stand for something that was removed.
fn size(study: &Study<'_>, texts: &[Text]) -> usize {
    let mut count = 0;
    for text in texts {
        let tree = read(study.program, &text.path, &text.text);
        for &form in &tree.forms {
            if matches!(tree.kind(form), Kind::Function { .. }) {
                tree.for_each_below(form, |node| count += usize::from(!is_filler(&tree, node)));
            }
        }
    }
    count
}

fn is_filler(tree: &Module, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::Atom(name) => name.as_str() == "sliced",
        Kind::Var(name) => name == known::UNDERSCORE,
        _ => false,
    }
}

/// A change that makes a text smaller.
struct Candidate {
    from: usize,
    to: usize,
    by: &'static str,
}

/// Parts of functions that may go, larger ones first: expressions of bodies, clauses, qualifiers,
/// arguments and elements.
fn candidates(tree: &Module) -> Vec<Candidate> {
    let mut found = Vec::new();
    for &form in &tree.forms {
        if matches!(tree.kind(form), Kind::Function { .. }) {
            collect(tree, form, false, &mut found);
        }
    }
    found.sort_by_key(|candidate| {
        (std::cmp::Reverse(candidate.to - candidate.from), candidate.from)
    });
    found
}

fn collect(tree: &Module, node: NodeId, in_pattern: bool, found: &mut Vec<Candidate>) {
    let span = |node: NodeId| (tree.span(node).start as usize, tree.span(node).end as usize);
    let mut replace = |node: NodeId, by: &'static str| {
        let (from, to) = span(node);
        if tree.span(node).file == FileId::MAIN && !is_filler(tree, node) && to > from {
            found.push(Candidate { from, to, by });
        }
    };
    let mut below: Vec<(NodeId, bool)> = Vec::new();
    let all = |list: NodeList| tree.list(list).to_vec();
    match tree.kind(node) {
        Kind::Clause { patterns, guards, body } => {
            for pattern in all(patterns) {
                if !matches!(tree.kind(pattern), Kind::CatchPattern { .. }) {
                    replace(pattern, "_");
                    below.push((pattern, true));
                }
            }
            for guard in all(guards) {
                replace(guard, "true");
            }
            below.extend(all(body).into_iter().map(|node| (node, false)));
            let body = all(body);
            body.iter().for_each(|&expr| replace(expr, "sliced"));
            remove_from(tree, &body, found);
        }
        Kind::Function { clauses, .. }
        | Kind::Fun { clauses, .. }
        | Kind::If { clauses }
        | Kind::Case { clauses, .. }
        | Kind::Receive { clauses, .. } => {
            if let Kind::Case { subject, .. } = tree.kind(node) {
                replace(subject, "sliced");
                below.push((subject, false));
            }
            let clauses = all(clauses);
            below.extend(clauses.iter().map(|&node| (node, false)));
            remove_from(tree, &clauses, found);
        }
        Kind::Comprehension { exprs, qualifiers, .. } => {
            for expr in all(exprs) {
                replace(expr, "sliced");
                below.push((expr, false));
            }
            let qualifiers = all(qualifiers);
            below.extend(qualifiers.iter().map(|&node| (node, false)));
            remove_from(tree, &qualifiers, found);
        }
        Kind::Match { pattern, value } if !in_pattern => {
            replace(pattern, "_");
            replace(value, "sliced");
            below.extend([(pattern, true), (value, false)]);
        }
        Kind::Generator { pattern, source, .. } => {
            replace(pattern, "_");
            below.extend([(pattern, true), (source, false)]);
        }
        Kind::BinElement { .. } | Kind::CatchPattern { .. } | Kind::MaybeMatch { .. } => {}
        Kind::MapField { value, .. } => {
            replace(value, if in_pattern { "_" } else { "sliced" });
            below.push((value, in_pattern));
        }
        Kind::RecordField { value, .. } => {
            replace(value, if in_pattern { "_" } else { "sliced" });
            below.push((value, in_pattern));
        }
        Kind::Call { args, .. } => {
            for arg in all(args) {
                replace(arg, "sliced");
                below.push((arg, false));
            }
        }
        Kind::List { .. } | Kind::Tuple { .. } | Kind::BinaryOp { .. } | Kind::UnaryOp { .. } => {
            for child in tree.children(node) {
                replace(child, if in_pattern { "_" } else { "sliced" });
                below.push((child, in_pattern));
            }
        }
        _ => below.extend(tree.children(node).into_iter().map(|node| (node, in_pattern))),
    }
    for (node, in_pattern) in below {
        collect(tree, node, in_pattern, found);
    }
}

/// Things with separators between them: each with the separator before or behind it.
fn remove_from(tree: &Module, nodes: &[NodeId], found: &mut Vec<Candidate>) {
    let start = |node: NodeId| tree.span(node).start as usize;
    let end = |node: NodeId| tree.span(node).end as usize;
    for (index, &node) in nodes.iter().enumerate() {
        let (from, to) = match (index, nodes.get(index + 1)) {
            (_, Some(&next)) => (start(node), start(next)),
            (0, None) => continue,
            (_, None) => (end(nodes[index - 1]), end(node)),
        };
        if tree.span(node).file == FileId::MAIN && from < to {
            found.push(Candidate { from, to, by: "" });
        }
    }
}

/// Which variable of its name the criterion is after a change; `None` if the change removes it.
fn rank_after(
    tree: &Module,
    candidate: &Candidate,
    name: Atom,
    rank: usize,
    own: bool,
) -> Option<usize> {
    if !own {
        return Some(rank);
    }
    let inside = |node: NodeId| {
        let span = tree.span(node);
        candidate.from <= span.start as usize && span.end as usize <= candidate.to
    };
    let named: Vec<NodeId> = variables(tree)
        .into_iter()
        .filter(|(other, _)| *other == name)
        .map(|(_, node)| node)
        .collect();
    if inside(*named.get(rank)?) {
        return None;
    }
    Some(rank - named[..rank].iter().filter(|node| inside(**node)).count())
}
