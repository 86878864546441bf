//! Rewrites a module so that it tells the values of variables at their places.
//!
//! An expression `V` becomes one that tells the value and is `V` all the same, in guards, too: the
//! Machine runs what no compiler would accept. A variable of a pattern is told as soon as the whole
//! pattern has matched, before the guard and the filters that follow:
//!
//! ```text
//! f({A, B}) when A > B -> …       f({A, B}) when tell(A) =:= ok, A > B -> …
//! {A, B} = E                      (begin Fresh = ({A, B} = E), tell(A), Fresh end)
//! A <- L                          A <- L, tell(A) =:= ok
//! A ?= E                          A ?= (Fresh = (E)), tell(A), Fresh
//! catch C:R:S -> …                catch C:R:S when tell(C) =:= ok -> tell(stack), …
//! ```
//!
//! `tell(V)` is `erlscope_native:test_event([self(), Number | V])`, so what was told is found in
//! `State::test_events`. A stack trace is told as the atom `stack`: its lines and frames are not
//! the business of a slice.

use syntax::ast::{Kind, Module, NodeId};
use syntax::source::FileId;

/// Text that is put into a text. What closes at a place comes before what opens there; the shorter
/// the range, the nearer to it.
struct Insertion {
    at: u32,
    opens: bool,
    length: u32,
    text: String,
}

/// Where a pattern is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Not in a pattern.
    Expression,
    /// In the head of this clause.
    Head(NodeId),
    /// The stack trace of this clause.
    Stack(NodeId),
    /// On the left of this match, generator or `?=`.
    Left(NodeId),
}

/// The text of a module with the values at these nodes, all of them variables, told by these
/// numbers.
pub(crate) fn instrument(tree: &Module, wanted: &[(NodeId, u32)]) -> String {
    let mut places: Vec<Option<Place>> = vec![None; tree.nodes.len()];
    for &form in &tree.forms {
        if matches!(tree.kind(form), Kind::Function { .. }) {
            assign(tree, form, Place::Expression, &mut places);
        }
    }
    let mut insertions = Vec::new();
    // What is told for one clause or match is put in together.
    let mut groups: Vec<(NodeId, bool, Vec<String>)> = Vec::new();
    for &(node, number) in wanted {
        let Kind::Var(name) = tree.kind(node) else { panic!("{node:?} is no variable") };
        let tell =
            |value: &str| format!("erlscope_native:test_event([erlang:self(),{number}|{value}])");
        let (group, is_body, tell) = match places[node.0 as usize] {
            None => panic!("{node:?} is in no function"),
            Some(Place::Expression) => {
                let open = "(element(2,{erlscope_native:test_event([erlang:self(),";
                wrap(
                    tree,
                    node,
                    format!("{open}{number}|"),
                    format!("]),{name}}}))"),
                    &mut insertions,
                );
                continue;
            }
            Some(Place::Head(clause)) => (clause, false, tell(name.as_str())),
            Some(Place::Stack(clause)) => (clause, true, tell("stack")),
            Some(Place::Left(parent)) => (parent, false, tell(name.as_str())),
        };
        match groups.iter_mut().find(|(node, body, _)| (*node, *body) == (group, is_body)) {
            Some((_, _, tells)) => tells.push(tell),
            None => groups.push((group, is_body, vec![tell])),
        }
    }
    for (parent, is_body, tells) in groups {
        let fresh = format!("Erlscope_{}", parent.0);
        match tree.kind(parent) {
            Kind::Clause { guards, body, .. } => {
                let tests = tells.iter().map(|tell| format!("{tell}=:=ok")).collect::<Vec<_>>();
                let arrow = arrow_before(tree, tree.list(body)[0]);
                let (at, text) = match tree.list(guards).first() {
                    _ if is_body => (arrow + 2, format!(" {}, ", tells.join(", "))),
                    Some(&guard) => (tree.span(guard).start, format!("{}, ", tests.join(", "))),
                    None => (arrow, format!(" when {} ", tests.join(", "))),
                };
                insertions.push(Insertion { at, opens: true, length: u32::MAX, text });
            }
            Kind::Match { .. } => {
                let close = format!("), {}, {fresh} end)", tells.join(", "));
                wrap(tree, parent, format!("(begin {fresh} = ("), close, &mut insertions);
            }
            Kind::MaybeMatch { value, .. } => {
                wrap(tree, value, format!("({fresh} = ("), "))".to_owned(), &mut insertions);
                let close = format!(", {}, {fresh}", tells.join(", "));
                wrap(tree, parent, String::new(), close, &mut insertions);
            }
            Kind::Generator { .. } => {
                let tests = tells.iter().map(|tell| format!(", {tell}=:=ok"));
                wrap(tree, parent, String::new(), tests.collect(), &mut insertions);
            }
            other => panic!("a pattern in {other:?}"),
        }
    }
    insert(&tree.file(FileId::MAIN).text, insertions)
}

fn wrap(tree: &Module, node: NodeId, open: String, close: String, into: &mut Vec<Insertion>) {
    let span = tree.span(node);
    // What is put around a match is outside of what is put around the variable that it is made of.
    let is_var = matches!(tree.kind(node), Kind::Var(_)) && open.starts_with("(element");
    let length = 2 * (span.end - span.start) + u32::from(!is_var);
    into.push(Insertion { at: span.start, opens: true, length, text: open });
    into.push(Insertion { at: span.end, opens: false, length, text: close });
}

fn insert(text: &str, mut insertions: Vec<Insertion>) -> String {
    insertions.sort_by_key(|insertion| {
        let nearness = if insertion.opens { u32::MAX - insertion.length } else { insertion.length };
        (insertion.at, insertion.opens, nearness)
    });
    let mut out = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for insertion in insertions {
        out.push_str(&text[done..insertion.at as usize]);
        out.push_str(&insertion.text);
        done = insertion.at as usize;
    }
    out.push_str(&text[done..]);
    out
}

/// Where the arrow before a body begins.
fn arrow_before(tree: &Module, body: NodeId) -> u32 {
    let mut token = tree[body].first;
    loop {
        token.0 -= 1;
        let span = tree.written(token);
        if tree.text(span) == "->" {
            return span.start;
        }
    }
}

/// Says for a node and everything below it what kind of place it is in.
fn assign(tree: &Module, node: NodeId, place: Place, places: &mut [Option<Place>]) {
    places[node.0 as usize] = Some(place);
    let mut each = |nodes: &[NodeId], place: Place| {
        for &node in nodes {
            assign(tree, node, place, places);
        }
    };
    match (place, tree.kind(node)) {
        (Place::Expression, Kind::Clause { patterns, guards, body }) => {
            each(tree.list(patterns), Place::Head(node));
            each(tree.list(guards), Place::Expression);
            each(tree.list(body), Place::Expression);
        }
        (
            Place::Expression,
            Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value },
        ) => {
            each(&[pattern], Place::Left(node));
            each(&[value], Place::Expression);
        }
        (Place::Expression, Kind::Generator { pattern, source, .. }) => {
            each(&[pattern], Place::Left(node));
            each(&[source], Place::Expression);
        }
        (Place::Head(clause), Kind::CatchPattern { class, reason, stacktrace }) => {
            each(class.as_slice(), place);
            each(&[reason], place);
            each(stacktrace.as_slice(), Place::Stack(clause));
        }
        _ => each(&tree.children(node), place),
    }
}
