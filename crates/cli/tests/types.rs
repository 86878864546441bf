//! `erlscope types`: specs, annotated copies, and what is said of bad input.

mod harness;

use expect_test::expect;
use harness::Project;

const PROGRAM: &str = "\
-module(a).
-export([f/1, g/2, loop/1, fails/0]).
-spec g(integer(), integer()) -> integer().
g(X, Y) -> X + Y.
f(X) when is_atom(X) -> {ok, X};
f({X}) -> h(X).
h(N) -> [N, N + 1].
loop(S) -> receive stop -> exit(S); X -> loop(X) end.
fails() -> atom_to_list(1).
-export([rec/1]).
rec(X) when is_record(X, r) -> X.
";

#[test]
fn specs() {
    let project = Project::new("types_specs", &[("a.erl", PROGRAM)]);
    project.check(
        &["types", "a.erl"],
        expect![[r#"
            exit 0
            --- stdout
            %% a.erl
            -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
            -spec h(number()) -> [number(), ...].
            -spec loop(any()) -> no_return().
            -spec fails() -> no_return().
            -spec rec(tuple()) -> tuple().
        "#]],
    );
    project.check(
        &["types", "a.erl", "--all"],
        expect![[r#"
            exit 0
            --- stdout
            %% a.erl
            -spec g(number(), number()) -> number().
            -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
            -spec h(number()) -> [number(), ...].
            -spec loop(any()) -> no_return().
            -spec fails() -> no_return().
            -spec rec(tuple()) -> tuple().
        "#]],
    );
    project.check(
        &["types", "a.erl", "--annotate", "copy"],
        expect![[r#"
        exit 0
    "#]],
    );
    let copy = std::fs::read_to_string(project.root.join("copy/a.erl")).expect("a copy");
    expect![[r#"
        -module(a).
        -export([f/1, g/2, loop/1, fails/0]).
        -spec g(integer(), integer()) -> integer().
        g(X, Y) -> X + Y.
        -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
        f(X) when is_atom(X) -> {ok, X};
        f({X}) -> h(X).
        -spec h(number()) -> [number(), ...].
        h(N) -> [N, N + 1].
        -spec loop(any()) -> no_return().
        loop(S) -> receive stop -> exit(S); X -> loop(X) end.
        -spec fails() -> no_return().
        fails() -> atom_to_list(1).
        -export([rec/1]).
        -spec rec(tuple()) -> tuple().
        rec(X) when is_record(X, r) -> X.
    "#]]
    .assert_eq(&copy);
    project.check(
        &["types", "a.erl", "--annotate", "."],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: ./a.erl: a copy would take the place of the source
    "#]],
    );
}

#[test]
fn bad_input() {
    let text = "-module(b).\n-export([f/0]).\nf( -> 1.\ng() -> 1.\n";
    let project = Project::new("types_bad", &[("b.erl", text), ("empty/x", "")]);
    project.check(
        &["types", "b.erl"],
        expect![[r#"
        exit 1
        --- stdout
        %% b.erl
        -spec g() -> 1.
        --- stderr
        b.erl:3:4: error: expected a pattern, found '->' [syntax_error]
    "#]],
    );
    project.check(
        &["types", "missing.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: missing.erl: no such file or directory
    "#]],
    );
    project.check(
        &["types", "empty"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: empty: no Erlang modules found
    "#]],
    );
}
