//! Whatever the bytes: reading ends, does not panic, and what comes back is consistent.

use std::path::Path;

use arbtest::{arbitrary, arbtest};
use java::tree::{Kind, Tree};

/// The written files, to be damaged.
fn fixtures() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for release in ["17", "21"] {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(release);
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|it| it == "java"));
        paths.sort();
        found.extend(paths.iter().filter_map(|path| std::fs::read(path).ok()));
    }
    assert!(found.len() > 4, "the written files are there");
    found
}

/// Reads a text and checks what has to hold of any tree.
fn survive(text: &[u8]) -> Tree {
    let tree = java::read(text);
    let length = tree.source.text.len() as u32;
    let mut parents = vec![0u8; tree.nodes.len()];
    for id in tree.ids() {
        let span = tree.span(id);
        assert!(span.start <= span.end && span.end <= length, "{span:?} of {:?}", tree.kind(id));
        assert!(tree.source.text.get(span.start as usize..span.end as usize).is_some());
        tree.children(id, |child| {
            assert!(child < id, "children come first");
            parents[child.index()] = parents[child.index()].saturating_add(1);
        });
        let _ = tree.value(id);
    }
    assert!(parents.iter().all(|&count| count <= 1), "a node has one parent");
    assert!(matches!(tree.kind(tree.root), Kind::Unit { .. }));
    if tree.diagnostics.is_empty() {
        let orphans = parents.iter().filter(|&&count| count == 0).count();
        assert_eq!(orphans, 1, "all nodes but the root have a parent");
        assert!(tree.ids().all(|id| tree.kind(id) != Kind::Error), "an error is reported");
    }
    for diagnostic in &tree.diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end <= length);
    }
    tree
}

/// Some pieces that mean something to the lexer or the parser.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ">>",
    ">>>=",
    ";",
    ",",
    ".",
    "...",
    "::",
    ":",
    "->",
    "?",
    "@",
    "@interface",
    "=",
    "==",
    "+",
    "++",
    "-",
    "!",
    "~",
    "&",
    "&&",
    "|",
    "*",
    "/",
    "%",
    "class",
    "interface",
    "enum",
    "record R(",
    "new",
    "switch",
    "case",
    "default",
    "instanceof",
    "if",
    "else",
    "for",
    "while",
    "do",
    "try",
    "catch",
    "finally",
    "return",
    "yield",
    "this",
    "super",
    "int",
    "void",
    "static",
    "final",
    "sealed",
    "non-sealed",
    "permits",
    "import",
    "package",
    "module",
    "var",
    "_",
    "x",
    "X<",
    "1",
    "0x",
    "1e",
    "'",
    "\"",
    "\"\"\"",
    "\\u0041",
    "\\u",
    "/*",
    "//",
    "\n",
    "\u{E9}",
    "\u{FFFF}",
    "throws",
    "extends",
    "implements",
    "null",
    "when",
    "assert",
    "synchronized",
];

fn damaged(
    u: &mut arbitrary::Unstructured<'_>,
    fixtures: &[Vec<u8>],
) -> arbitrary::Result<Vec<u8>> {
    let mut text = u.choose(fixtures)?.clone();
    if u.ratio(1, 3)? {
        text.truncate(u.int_in_range(0..=text.len())?);
    }
    for _ in 0..u.int_in_range(0..=6)? {
        let at = u.int_in_range(0..=text.len())?;
        let end = (at + u.int_in_range(0..=30)?).min(text.len());
        let piece: Vec<u8> = match u.int_in_range(0..=3)? {
            0 => Vec::new(),
            1 => u.bytes(u.len().min(4))?.to_vec(),
            _ => u.choose(PIECES)?.as_bytes().to_vec(),
        };
        let end = if u.ratio(1, 2)? { at } else { end };
        text.splice(at..end, piece);
    }
    Ok(text)
}

#[test]
fn written_files_are_consistent() {
    for text in fixtures() {
        assert_eq!(survive(&text).diagnostics, []);
    }
}

#[test]
fn damaged_files_are_survived() {
    let fixtures = fixtures();
    arbtest(|u| {
        survive(&damaged(u, &fixtures)?);
        Ok(())
    })
    .size_max(4096);
}

#[test]
fn pieces_in_any_order_are_survived() {
    arbtest(|u| {
        let mut text = String::new();
        for _ in 0..u.int_in_range(0..=200)? {
            text += u.choose(PIECES)?;
            text += if u.ratio(1, 2)? { " " } else { "" };
        }
        survive(text.as_bytes());
        survive(format!("class A {{ {text}").as_bytes());
        survive(format!("class A {{ void f() {{ {text}").as_bytes());
        survive(format!("class A {{ Object f = {text}").as_bytes());
        Ok(())
    })
    .size_max(8192);
}

/// A file cut at every byte.
#[test]
fn cut_files_are_survived() {
    for text in fixtures() {
        for length in 0..text.len() {
            survive(&text[..length]);
        }
    }
}

/// Texts that were written to hurt: deep, long, or looking like something else for long.
#[test]
fn hard_texts_are_survived() {
    const MANY: usize = 50_000;
    let inside = |text: String| format!("class A {{ Object a = {text}; }}").into_bytes();
    let around =
        |open: &str, close: &str| inside(format!("{}x{}", open.repeat(MANY), close.repeat(MANY)));
    for text in [
        around("(", ")"),
        around("f(", ")"),
        around("(a)", ""),
        around("-", ""),
        around("x -> ", ""),
        around("a ? b : ", ""),
        around("a ? ", " : b"),
        around("a = ", ""),
        around("a + ", ""),
        around("a.b().", ""),
        around("a < ", ""),
        around("(a < ", ""),
        around("A<", ">"),
        around("(A<", ">)"),
        around("new A[", "]"),
        around("new A() { Object x = ", ";}"),
        around("switch (x) { default -> ", "; }"),
        around("{", "}"),
        around("@A(", ")"),
        around("(@A(", ")"),
        format!("class A {{ {} x; }}", "A<".repeat(MANY)).into_bytes(),
        format!("class A {{ void f() {{ {} }} }}", "if (x) ".repeat(MANY)).into_bytes(),
        format!("class A {{ void f() {{ {} }} }}", "if (x) y(); else ".repeat(MANY)).into_bytes(),
        format!("class A {{ void f() {{ {} }} }}", "a: ".repeat(MANY)).into_bytes(),
        format!("class A {{ void f() {{ {} }} }}", "a < b, c > d ".repeat(MANY)).into_bytes(),
        "class A { ".repeat(MANY).into_bytes(),
        "{".repeat(MANY).into_bytes(),
        "class A { int x".repeat(MANY).into_bytes(),
        "@".repeat(MANY).into_bytes(),
        "@interface ".repeat(MANY).into_bytes(),
        "\"\"\"".repeat(MANY).into_bytes(),
        "/*".repeat(MANY).into_bytes(),
        "\\u".repeat(MANY).into_bytes(),
        "9".repeat(MANY).into_bytes(),
        "\0".repeat(MANY).into_bytes(),
        vec![0xFF; MANY],
    ] {
        survive(&text);
    }
}
