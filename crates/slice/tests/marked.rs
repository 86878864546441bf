//! Slices as they are expected, marked in the source: the Erlang examples of the thesis, and traps
//! that slicers fell into.
//!
//! In `tests/marked/*.erl`, `«V»` is the criterion; what stands in `‹…›` must not be in the slice,
//! what stands in `⟨…⟩` may be, everything else must be. That is said of variables, atoms, numbers,
//! strings and calls. Beside each file is the slice as it is printed (`NAME.slice`;
//! `UPDATE_EXPECT=1` rewrites it).

mod harness;

use std::path::Path;

use atom::known;
use expect_test::expect_file;
use harness::corpus::tests;
use program::{LoadOptions, Program};
use slice::{Criterion, Graph, Options};
use syntax::ast::{Kind, Module, NodeId, RecordName};
use syntax::source::FileId;

/// A source without its marks.
#[derive(Default)]
struct Marked {
    text: String,
    criterion: (u32, String),
    column: u32,
    /// Byte ranges.
    removed: Vec<(usize, usize)>,
    free: Vec<(usize, usize)>,
}

fn strip(name: &str, source: &str) -> Marked {
    let mut marked = Marked::default();
    let mut open: Vec<(char, usize)> = Vec::new();
    let (mut line, mut column) = (1, 1);
    for c in source.chars() {
        let here = marked.text.len();
        match c {
            '«' | '‹' | '⟨' => {
                if c == '«' {
                    assert!(marked.criterion.1.is_empty(), "{name}: two criteria");
                    marked.criterion.0 = line;
                    marked.column = column;
                }
                open.push((c, here));
                continue;
            }
            '»' | '›' | '⟩' => {
                let (opened, start) =
                    open.pop().unwrap_or_else(|| panic!("{name}: {c} closes nothing"));
                match (opened, c) {
                    ('«', '»') => marked.criterion.1 = marked.text[start..].to_owned(),
                    ('‹', '›') => marked.removed.push((start, here)),
                    ('⟨', '⟩') => marked.free.push((start, here)),
                    _ => panic!("{name}: {opened} is closed by {c}"),
                }
                continue;
            }
            _ => {}
        }
        marked.text.push(c);
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    assert!(open.is_empty() && !marked.criterion.1.is_empty(), "{name}: marks are missing");
    marked
}

/// Nodes that the marks speak of, in functions.
fn spoken_of(tree: &Module) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for &form in &tree.forms {
        if matches!(tree.kind(form), Kind::Function { .. }) {
            let mut names = Vec::new();
            tree.for_each_below(form, |node| {
                match tree.kind(node) {
                    Kind::Record { name: RecordName::Local(name), .. }
                    | Kind::RecordField { name, .. } => names.push(name),
                    Kind::RecordAccess { name: RecordName::Local(name), field, .. }
                    | Kind::RecordIndex { name: RecordName::Local(name), field } => {
                        names.extend([name, field]);
                    }
                    _ => {}
                }
                if names.contains(&node) {
                    return;
                }
                let speaks = match tree.kind(node) {
                    Kind::Var(name) => name != known::UNDERSCORE,
                    Kind::Atom(_)
                    | Kind::Integer(_)
                    | Kind::Float(_)
                    | Kind::String(_)
                    | Kind::Char(_)
                    | Kind::Call { .. } => true,
                    _ => false,
                };
                if speaks && tree.span(node).file == FileId::MAIN {
                    nodes.push(node);
                }
            });
        }
    }
    nodes
}

/// What is wrong with the slice of a marked source, and the slice.
fn check(name: &str, source: &str) -> (Vec<String>, String) {
    let marked = strip(name, source);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("marked");
    std::fs::create_dir_all(&dir).expect("a directory");
    let path = dir.join(format!("{name}.erl"));
    std::fs::write(&path, &marked.text).expect("a file");
    let options = LoadOptions { without_otp: true, ..LoadOptions::default() };
    let program = Program::load(&[path], &options).expect("no OTP is asked for");
    assert!(!program.has_errors(), "{name}: {:?}", program.modules[0].diagnostics);
    let flow = flow::analyse(&program, &flow::Entry::Exported).expect("the entry is there");
    let graph = Graph::build(&program, &flow, Options::default());
    let module = program.modules[0].name;
    let (line, variable) = &marked.criterion;
    let criterion =
        Criterion { column: Some(marked.column), ..Criterion::new(module, *line, variable) };
    let site = graph.find(&criterion).unwrap_or_else(|error| panic!("{name}: {error}"));
    let slice = graph.backward(&[site]);
    let tree = &program.modules[0].tree;
    let mut wrong = Vec::new();
    let inside = |ranges: &[(usize, usize)], start: usize, end: usize| {
        ranges.iter().any(|&(from, to)| from <= start && end <= to)
    };
    for node in spoken_of(tree) {
        let span = tree.span(node);
        let (start, end) = (span.start as usize, span.end as usize);
        let kept = slice.contains(flow::Site { module: flow::ModuleId::new(0), node });
        let what = || format!("{}: {}", tree.loc(node).line, tree.text(span).replace('\n', " "));
        if inside(&marked.removed, start, end) {
            if kept {
                wrong.push(format!("kept    {}", what()));
            }
        } else if !inside(&marked.free, start, end) && !kept {
            wrong.push(format!("removed {}", what()));
        }
    }
    (wrong, slice.source(module).unwrap_or_default())
}

/// Sources whose slices are not as they should be, yet.
const OPEN: &[&str] = &[];

#[test]
fn marked_sources() {
    let mut all_wrong = Vec::new();
    let mut paths: Vec<_> =
        std::fs::read_dir(tests().join("marked")).expect("sources").flatten().collect();
    paths.sort_by_key(std::fs::DirEntry::path);
    for path in paths.iter().map(std::fs::DirEntry::path) {
        if path.extension().is_none_or(|extension| extension != "erl") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("a text");
        let (wrong, slice) = check(&name, &source);
        if wrong.is_empty() == OPEN.contains(&name.as_str()) {
            all_wrong.push(format!("{name}\n  {}\n{slice}", wrong.join("\n  ")));
        }
        expect_file![path.with_extension("slice")].assert_eq(&slice);
    }
    assert!(all_wrong.is_empty(), "{}\n", all_wrong.join("\n"));
}
