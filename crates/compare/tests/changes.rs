//! What changed between two texts, and from where it can be reached.

use std::path::{Path, PathBuf};

use compare::changes::{changes, entries};
use expect_test::{Expect, expect};
use program::{LoadOptions, Program};

/// The programs of files, given as names and texts.
fn program(name: &str, files: &[(&str, &str)]) -> Program {
    let root: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changes").join(name);
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).expect("a directory");
    for (file, text) in files {
        std::fs::write(root.join(file), text).expect("a file");
    }
    let options = LoadOptions { without_lint: true, without_otp: true, ..LoadOptions::default() };
    Program::load(&[root], &options).expect("a program")
}

/// Compares what is said about two versions.
fn check(name: &str, old: &[(&str, &str)], new: &[(&str, &str)], expected: Expect) {
    let old = program(&format!("{name}_old"), old);
    let new = program(&format!("{name}_new"), new);
    let found = changes(&old, &new);
    let list = |functions: &mut dyn Iterator<Item = &compare::Function>| {
        let names = functions.map(|(module, (name, arity))| format!("{module}:{name}/{arity}"));
        names.collect::<Vec<_>>().join(" ")
    };
    let reached = entries(&old, &new, &found);
    let text = format!(
        "changed ({})\nadded ({})\nremoved ({})\nentries ({})\n",
        list(&mut found.changed.iter()),
        list(&mut found.added.iter()),
        list(&mut found.removed.iter()),
        list(&mut reached.iter().map(|entry| &entry.old)),
    );
    expected.assert_eq(&text);
}

const M: &str = "-module(m).\n-export([a/0, b/0, c/1]).\n-record(r, {x = 1, y}).\n-record(s, {r = #r{}}).\n\
    a() -> b() + 1.\nb() -> n:two().\nc(#r{x = X}) -> X; c(S) -> is_record(S, s).\n";
const N: &str = "-module(n).\n-export([two/0, three/0]).\ntwo() -> 2.\nthree() -> lists:map(fun one/1, [1]).\none(X) -> X.\n";

#[test]
fn layout_and_comments_do_not_count() {
    let other = M.replace("a() -> b() + 1.", "%% As before.\na() ->\n    b()   + 1.");
    check(
        "layout",
        &[("m.erl", M)],
        &[("m.erl", &other)],
        expect![[r#"
            changed ()
            added ()
            removed ()
            entries ()
        "#]],
    );
}

#[test]
fn callers_reach_a_change() {
    let other = N.replace("two() -> 2", "two() -> 3").replace("one(X) -> X", "one(X) -> [X]");
    check(
        "callers",
        &[("m.erl", M), ("n.erl", N)],
        &[("m.erl", M), ("n.erl", &other)],
        expect![[r#"
            changed (n:one/1 n:two/0)
            added ()
            removed ()
            entries (m:a/0 m:b/0 n:two/0 n:three/0)
        "#]],
    );
}

#[test]
fn who_imports_a_function_calls_it() {
    let importing = "-module(i).\n-export([f/0]).\n-import(n, [two/0]).\nf() -> two().\n";
    let other = N.replace("two() -> 2", "two() -> 3");
    check(
        "imports",
        &[("i.erl", importing), ("n.erl", N)],
        &[("i.erl", importing), ("n.erl", &other)],
        expect![[r#"
            changed (n:two/0)
            added ()
            removed ()
            entries (i:f/0 n:two/0)
        "#]],
    );
}

/// Who speaks of a record that speaks of it changes, too.
#[test]
fn records_that_change() {
    let other = M.replace("{x = 1, y}", "{y, x = 1}");
    check(
        "records",
        &[("m.erl", M)],
        &[("m.erl", &other)],
        expect![[r#"
            changed (m:c/1)
            added ()
            removed ()
            entries (m:c/1)
        "#]],
    );
}

#[test]
fn functions_that_come_and_go() {
    let other = N.replace("fun one/1", "fun uno/1").replace("one(X) -> X", "uno(X) -> X");
    check(
        "come_and_go",
        &[("n.erl", N)],
        &[("n.erl", &other)],
        expect![[r#"
            changed (n:three/0)
            added (n:uno/1)
            removed (n:one/1)
            entries (n:three/0)
        "#]],
    );
}

/// Two files with one module each are two versions of it.
#[test]
fn modules_with_other_names() {
    let other = N.replace("-module(n)", "-module(n2)").replace("two() -> 2", "two() -> 3");
    check(
        "names",
        &[("n.erl", N)],
        &[("n2.erl", &other)],
        expect![[r#"
            changed (n:two/0)
            added ()
            removed ()
            entries (n:two/0)
        "#]],
    );
}

/// Who speaks to a server reaches what its callbacks do.
#[test]
fn callbacks() {
    let server = "-module(s).\n-behaviour(gen_server).\n-export([get/1, other/0, init/1, handle_call/3]).\n\
        get(P) -> gen_server:call(P, get).\nother() -> ok.\ninit(_) -> {ok, 0}.\nhandle_call(get, _, S) -> {reply, S, S}.\n";
    let other = server.replace("{reply, S, S}", "{reply, S, S + 1}");
    check(
        "callbacks",
        &[("s.erl", server)],
        &[("s.erl", &other)],
        expect![[r#"
            changed (s:handle_call/3)
            added ()
            removed ()
            entries (s:get/1 s:handle_call/3)
        "#]],
    );
}
