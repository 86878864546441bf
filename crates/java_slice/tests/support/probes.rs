//! Criteria of a program, and the slice for one of them.

use std::sync::Arc;

use java::names::{FileId, Symbol};
use java::tree::{Kind, NodeId, UnaryOp};
use java_slice::{Graph, Program, Site, SourceFile, Wanted, When};

/// What a probe is to the slicer.
pub(crate) const PROBE: &str = "package probe; public class Probe {
    public static int at(int k, int v) { return v; }
    public static long at(int k, long v) { return v; }
    public static double at(int k, double v) { return v; }
    public static float at(int k, float v) { return v; }
    public static char at(int k, char v) { return v; }
    public static boolean at(int k, boolean v) { return v; }
    public static byte at(int k, byte v) { return v; }
    public static short at(int k, short v) { return v; }
    public static Integer at(int k, Integer v) { return v; }
    public static Long at(int k, Long v) { return v; }
    public static Double at(int k, Double v) { return v; }
    public static Float at(int k, Float v) { return v; }
    public static Character at(int k, Character v) { return v; }
    public static Boolean at(int k, Boolean v) { return v; }
    public static Byte at(int k, Byte v) { return v; }
    public static Short at(int k, Short v) { return v; }
    public static <T> T at(int k, T v) { return v; }
}
";

pub(crate) fn program(text: &str) -> Program {
    let tree = Arc::new(java::read_text(text));
    assert_eq!(tree.diagnostics, [], "{text}");
    let probe = Arc::new(java::read_text(PROBE));
    Program::new(vec![
        SourceFile { path: "Main.java".into(), tree },
        SourceFile { path: "probe/Probe.java".into(), tree: probe },
    ])
}

/// The places in a text that can be wrapped.
pub(crate) fn criteria(program: &Program, file: FileId) -> Vec<(usize, usize)> {
    let tree = program.tree(file);
    let mut found = Vec::new();
    for node in tree.ids() {
        let site = Site { file, node };
        let is_variable = match tree.kind(node) {
            Kind::Name(_) | Kind::Select { .. } => {
                matches!(program.symbol(site), Some(Symbol::Local(..) | Symbol::Field(_)))
            }
            _ => false,
        };
        if is_variable && !is_in_the_way(program, site) {
            let span = tree.span(node);
            found.push((span.start as usize, span.end as usize));
        }
    }
    found.sort_unstable();
    found
}

/// Whether nothing can be wrapped around a name: it is written, or has to be a name.
fn is_in_the_way(program: &Program, site: Site) -> bool {
    let tree = program.tree(site.file);
    let mut at = site.node;
    while let Some(parent) = program.parent(Site { node: at, ..site }) {
        let is_bad = match tree.kind(parent) {
            Kind::Assign { target, .. } | Kind::CompoundAssign { target, .. } => target == at,
            Kind::Unary { op, .. } => matches!(
                op,
                UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
            ),
            Kind::Parens { .. } => {
                at = parent;
                continue;
            }
            Kind::Case { labels, .. } => tree.list(labels).any(|label| label == at),
            Kind::Try { resources, .. } => tree.list(resources).any(|resource| resource == at),
            Kind::Annotation { .. } => true,
            // Before there is an object nothing of it can be read but as a plain name.
            _ => false,
        };
        return is_bad || is_constant(program, at, site);
    }
    true
}

/// Whether a name stands in the label of a case or in an annotation.
fn is_constant(program: &Program, from: NodeId, site: Site) -> bool {
    let tree = program.tree(site.file);
    let mut at = from;
    while let Some(parent) = program.parent(Site { node: at, ..site }) {
        match tree.kind(parent) {
            Kind::Case { labels, .. } if tree.list(labels).any(|label| label == at) => return true,
            Kind::Annotation { .. } => return true,
            Kind::Block { .. } | Kind::Class(_) | Kind::Method(_) => return false,
            _ => at = parent,
        }
    }
    false
}

pub(crate) const CALL: &str = "probe.Probe.at";

pub(crate) fn wrapped(text: &str, all: &[(usize, (usize, usize))]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for &(number, (start, end)) in all {
        if start < at {
            continue;
        }
        out.push_str(&text[at..start]);
        out.push_str(&format!("{CALL}({number}, {})", &text[start..end]));
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// The graph, with what `JAVA_SLICE_BUDGET` says may be spent on it.
pub(crate) fn graph<'p>(program: &'p Program, wanted: &[Wanted]) -> Graph<'p> {
    match std::env::var("JAVA_SLICE_BUDGET").ok().and_then(|it| it.parse().ok()) {
        Some(budget) => Graph::within(program, wanted, budget),
        None => Graph::build(program, wanted),
    }
}

/// The slice for one place, and what part of the program's nodes is in it.
pub(crate) fn sliced(text: &str, number: usize, place: (usize, usize)) -> (String, f64) {
    let probed = wrapped(text, &[(number, place)]);
    let program = program(&probed);
    let tree = program.tree(FileId(0));
    let number_at = place.0 + CALL.len() + 1;
    let at = number_at + format!("{number}, ").len();
    let end = at + place.1 - place.0;
    let of = |start: usize, end: Option<usize>| {
        tree.ids().find(|&node| {
            let span = tree.span(node);
            span.start as usize == start && end.is_none_or(|end| span.end as usize == end)
        })
    };
    let site = Site { file: FileId(0), node: of(at, Some(end)).expect("the name is there") };
    let number = Site { file: FileId(0), node: of(number_at, None).expect("a number is there") };
    let wanted =
        [Wanted { site, members: Some(When::Before) }, Wanted { site: number, members: None }];
    let graph = graph(&program, &wanted);
    let slice = graph.backward(&wanted);
    let share = slice.size() as f64 / tree.nodes.len() as f64;
    (slice.source(FileId(0)).unwrap_or_default().to_owned(), share)
}
