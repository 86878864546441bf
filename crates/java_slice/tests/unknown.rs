//! Slices of programs that anybody may enter: what code that nobody knows does to their objects.

use std::sync::Arc;

use java::names::FileId;
use java_slice::{Criterion, Graph, Program, SourceFile, Wanted};

fn sliced(text: &str, line: u32, name: &str) -> String {
    let file = SourceFile { path: "A.java".into(), tree: Arc::new(java::read_text(text)) };
    let program = Program::new(vec![file]);
    let criterion = Criterion {
        file: FileId(0),
        line,
        column: None,
        name: Some(name.to_owned()),
        occurrence: None,
    };
    let sites = program.find(&criterion).expect("the criterion is there");
    let wanted: Vec<Wanted> =
        sites.into_iter().map(|site| Wanted { site, members: None }).collect();
    let graph = Graph::build(&program, &wanted);
    graph.backward(&wanted).source(FileId(0)).unwrap_or_default().to_owned()
}

const TEXT: &str = "public class A {
    interface Out { void take(Object it); }
    static class P { int x; int y; public String toString() { y = 9; return null; } }
    static int seen;
    static int called(Out out) {
        seen = 1;
        Runnable back = () -> { seen = 2; };
        out.take(back);
        return seen;
    }
    static int element(Out out, int unused) {
        int[] all = new int[1];
        all[0] = 3;
        unused = 4;
        out.take(all);
        return all[0];
    }
    static int field(Out out) {
        P p = new P();
        p.x = 5;
        out.take(p);
        return p.x + p.y;
    }
    static int text(String text) {
        int[] own = new int[1];
        own[0] = 6;
        return text.length() + own[0];
    }
}
";

#[test]
fn lambdas_are_called_back() {
    let slice = sliced(TEXT, 9, "seen");
    for kept in ["seen = 1", "seen = 2", "out.take(back)"] {
        assert!(slice.contains(kept), "{kept} in {slice}");
    }
}

#[test]
fn arrays_are_changed() {
    let slice = sliced(TEXT, 16, "all");
    assert!(slice.contains("out.take(all)"), "{slice}");
    assert!(!slice.contains("unused = 4"), "{slice}");
}

#[test]
fn methods_of_objects_are_called_back() {
    let slice = sliced(TEXT, 22, "p.y");
    for kept in ["y = 9", "out.take(p)"] {
        assert!(slice.contains(kept), "{kept} in {slice}");
    }
    assert!(sliced(TEXT, 22, "p.x").contains("p.x = 5"));
}

#[test]
fn texts_hold_nothing() {
    let slice = sliced(TEXT, 27, "text");
    assert!(!slice.contains("seen = 2"), "{slice}");
}

const EXPORTED: &str = "public class A {
    public static class P { int x; }
    static int hidden;
    public static P make() { P p = new P(); p.x = 5; return p; }
    public static int read(P p, int unused) {
        unused = 4;
        return p.x;
    }
    static void inside() { hidden = 7; }
    public static int look() {
        return hidden;
    }
}
";

#[test]
fn what_is_given_out_comes_back() {
    let slice = sliced(EXPORTED, 7, "p.x");
    assert!(slice.contains("p.x = 5"), "{slice}");
    assert!(!slice.contains("unused = 4"), "{slice}");
}

#[test]
fn what_is_not_exported_is_not_called() {
    let slice = sliced(EXPORTED, 11, "hidden");
    assert!(!slice.contains("hidden = 7"), "{slice}");
}
