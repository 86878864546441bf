//! The edges of small programs, each beside its text: `examples/NAME.erl` and `NAME.edges`.
//! `UPDATE_EXPECT=1` rewrites the latter.
//!
//! A module that exports `main/0` is entered there, any other by all its exported functions.

use std::path::{Path, PathBuf};

use atom::Atom;
use expect_test::expect_file;
use flow::{EdgeKind, Entry, Flow};
use program::{LoadOptions, Program};

fn load(path: &Path) -> Program {
    let options = LoadOptions { without_otp: true, without_lint: true, ..LoadOptions::default() };
    Program::load(&[path.to_path_buf()], &options).expect("no OTP is asked for")
}

fn analyse(path: &Path) -> Flow {
    let program = load(path);
    for module in &program.modules {
        let found: Vec<&str> = module.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
    let main = (Atom::new("main"), 0);
    let entry = match program.modules.iter().find(|module| module.index.exports.contains(main)) {
        Some(module) => Entry::function(module.name.as_str(), "main", 0),
        None => Entry::Exported,
    };
    flow::analyse_with(&program, &entry, true).expect("the entry is there")
}

fn shown(flow: &Flow) -> String {
    let mut lines = String::new();
    for kind in [
        EdgeKind::Call,
        EdgeKind::HigherOrderCall,
        EdgeKind::Spawn,
        EdgeKind::Throw,
        EdgeKind::Message,
    ] {
        for edge in flow.graph.edges.iter().filter(|edge| edge.kind == kind) {
            lines += &flow.edge_text(edge);
            lines.push('\n');
        }
    }
    for unresolved in &flow.unresolved {
        let text = flow.text(unresolved.site);
        lines += &format!("unresolved: {:?} {text}\n", unresolved.kind);
    }
    lines
}

#[test]
fn programs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("examples").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    paths.sort();
    for path in paths {
        let flow = analyse(&path);
        expect_file![path.with_extension("edges")].assert_eq(&shown(&flow));
    }
}

/// Fig. 3 of Widera's paper has the edges of its Fig. 2, found in the order of its Example 3.
#[test]
fn the_example_of_the_paper() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/generator/example.erl");
    let flow = analyse(&path);
    let edges = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples/example.edges");
    expect_file![edges].assert_eq(&shown(&flow));
    let found = |kind| -> Vec<u32> {
        flow.graph.edges.iter().filter(|edge| edge.kind == kind).map(|edge| edge.found).collect()
    };
    assert_eq!(found(EdgeKind::Call), [0, 0, 0, 0]);
    assert_eq!(found(EdgeKind::Spawn), [0]);
    assert_eq!(found(EdgeKind::HigherOrderCall), [1]);
    assert_eq!(found(EdgeKind::Throw), [0; 0]);
    // In the order of the text: the one that waits for the pid, then stop, then next.
    assert_eq!(found(EdgeKind::Message), [2, 1, 1]);
    assert_eq!(flow.iterations, 3);
    assert!(flow.unresolved.is_empty());
}
