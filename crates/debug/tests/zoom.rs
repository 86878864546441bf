//! Statements from near, as trees of lines.
//!
//! A program is a module without its `-module` line; `main/0` is run on a bare Machine whose code
//! tells all values. A line is a node as it is written, after `=` its value, after `~` what it
//! bound.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use code::lower::{Options, lower_with};
use debug::Recording;
use debug::zoom::compare::blame;
use debug::zoom::part::Step;
use debug::zoom::{Closeup, Target};
use expect_test::{Expect, expect};
use machine::Machine;
use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use runner::library;
use syntax::ast::Kind;
use term::order::exact_eq;
use term::{Atom, Term, format};

struct Sources(String);

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let is_own = module.as_str() == "t";
        let source = match is_own {
            true => library::read_source(Path::new("t.erl"), &self.0),
            false => library::tree(module.as_str())?,
        };
        let options = Options { marks: is_own, values: is_own, ..Options::default() };
        let code = lower_with(&source, options);
        let code = code.unwrap_or_else(|problems| panic!("{module}: {problems:?}"));
        Some(Loaded { code, source: Arc::new(source).into() })
    }
}

fn shown(term: &Term) -> String {
    format::pretty::to_string(term).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The statement of the first call of `f/1`, or of what it did after its first message.
fn closeup(program: &str, waits: u32) -> Closeup {
    let text = format!("-module(t). -compile(export_all).\n{program}");
    let run = |recording: Recording, text: String| {
        let mut machine = Machine::new(Rc::new(Sources(text)), Rc::new(Sealed::default()));
        machine.observe(Some(recording.observer()));
        let pid = machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
        machine.run_to_end(pid, 100_000);
        machine.observe(None);
        recording.finish().unwrap_or_else(|_| panic!("a short run"))
    };
    let first = run(Recording::new([Atom::new("t")]), text.clone());
    let is_f = |name: Atom| name.as_str() == "f";
    let found = first
        .statements
        .iter()
        .find(|statement| is_f(statement.function.1) && statement.target.waits == waits);
    let target: Target = found.expect("f is called").target;
    run(Recording::near([Atom::new("t")], target), text).closeup().expect("it is called again")
}

fn line(closeup: &Closeup, at: usize, depth: usize, out: &mut String) {
    let instance = &closeup.instances[at];
    let text = closeup.tree.text(closeup.tree.span(instance.node));
    let text: Vec<&str> = text.split_whitespace().collect();
    *out += &format!("{}{}", "  ".repeat(depth), text.join(" "));
    if instance.is_chosen {
        *out += " chosen";
    }
    if let Some(said) = instance.said {
        *out += &format!(" said {said}");
    }
    if let Some(value) = &instance.value {
        *out += &format!(" = {}", shown(value));
    }
    for (name, value) in &instance.bound {
        *out += &format!(" ~ {name} = {}", shown(value));
    }
    *out += "\n";
    for &child in &instance.children {
        line(closeup, child, depth + 1, out);
    }
}

fn check(program: &str, waits: u32, expected: &Expect) {
    let closeup = closeup(program, waits);
    let mut out = String::new();
    line(&closeup, 0, 0, &mut out);
    expected.assert_eq(&out);
}

/// What is to blame in the first of two versions.
fn differ(wrong: &str, right: &str, expected: &Expect) {
    let (here, there) = (closeup(wrong, 0), closeup(right, 0));
    let blame = blame(&here, &there, &exact_eq).expect("a difference");
    let text = here.tree.text(here.tree.span(blame.node));
    expected.assert_eq(&format!("{}: {text}", blame.part.name()));
}

#[test]
fn clauses_and_guards() {
    check(
        "
main() -> f({2, [a]}).
f({N, _}) when N > 5 -> big;
f({N, [X | _]} = T) ->
    Y = case N * 2 of 4 when X =/= b -> {X, T}; _ -> none end,
    element(1, Y).
",
        0,
        &expect![[r#"
            f({N, _}) when N > 5 -> big; f({N, [X | _]} = T) -> Y = case N * 2 of 4 when X =/= b -> {X, T}; _ -> none end, element(1, Y).
              N > 5 said false
                N = 2
              f({N, [X | _]} = T) -> Y = case N * 2 of 4 when X =/= b -> {X, T}; _ -> none end, element(1, Y) chosen ~ N = 2 ~ X = a ~ T = {2,[a]}
                Y = case N * 2 of 4 when X =/= b -> {X, T}; _ -> none end = {a,{2,[a]}} ~ Y = {a,{2,[a]}}
                  case N * 2 of 4 when X =/= b -> {X, T}; _ -> none end = {a,{2,[a]}}
                    N * 2 = 4
                      N = 2
                      2 = 2
                    X =/= b said true
                      X = a
                      b = b
                    4 when X =/= b -> {X, T} chosen
                      {X, T} = {a,{2,[a]}}
                        X = a
                        T = {2,[a]}
                element(1, Y) = a
                  1 = 1
                  Y = {a,{2,[a]}}
        "#]],
    );
}

#[test]
fn comprehensions() {
    check(
        "
main() -> f([1, 2]).
f(L) -> [g(X) + 1 || X <- L, X > 1].
g(X) -> X.
",
        0,
        &expect![[r#"
            f(L) -> [g(X) + 1 || X <- L, X > 1].
              f(L) -> [g(X) + 1 || X <- L, X > 1] chosen ~ L = [1,2]
                [g(X) + 1 || X <- L, X > 1] = [3]
                  L = [1,2]
                  X <- L chosen ~ X = 1
                  X > 1 said false
                    X = 1
                  X <- L chosen ~ X = 2
                  X > 1 said true
                    X = 2
                  g(X) + 1 = 3
                    g(X) = 2
                      X = 2
        "#]],
    );
}

/// After a message, what was bound before is there.
#[test]
fn receives() {
    check(
        "
main() -> self() ! {a, 1}, f(2).
f(N) -> Z = N + 1, R = receive {a, X} when X < Z -> X + Z; _ -> 0 end, {R, Z}.
",
        1,
        &expect![[r#"
            f(N) -> Z = N + 1, R = receive {a, X} when X < Z -> X + Z; _ -> 0 end, {R, Z}.
              {a, X} when X < Z -> X + Z chosen ~ X = 1
                X + Z = 4
                  X = 1
                  Z = 3
              receive {a, X} when X < Z -> X + Z; _ -> 0 end = 4
              R = receive {a, X} when X < Z -> X + Z; _ -> 0 end = 4 ~ R = 4
              {R, Z} = {4,3}
                R = 4
                Z = 3
        "#]],
    );
}

#[test]
fn failures() {
    check(
        "
main() -> catch f(0).
f(X) -> A = try 1 / X catch error:E -> {E, X} end, {ok, B} = A, B.
",
        0,
        &expect![[r#"
            f(X) -> A = try 1 / X catch error:E -> {E, X} end, {ok, B} = A, B.
              f(X) -> A = try 1 / X catch error:E -> {E, X} end, {ok, B} = A, B chosen ~ X = 0
                A = try 1 / X catch error:E -> {E, X} end = {badarith,0} ~ A = {badarith,0}
                  try 1 / X catch error:E -> {E, X} end = {badarith,0}
                    1 / X
                      1 = 1
                      X = 0
                    error:E -> {E, X} chosen ~ E = badarith
                      {E, X} = {badarith,0}
                        E = badarith
                        X = 0
                {ok, B} = A
                  A = {badarith,0}
        "#]],
    );
}

#[test]
fn the_part_that_differs() {
    let right = "main() -> f({1, 2}). f({A, B}) when A < B -> C = A + B, {C, A}; f(_) -> none.";
    let check = |old: &str, new: &str, expected: &Expect| {
        assert!(right.contains(old));
        differ(&right.replacen(old, new, 1), right, expected);
    };
    check("A + B", "A - B", &expect!["expression: A - B"]);
    check("{C, A}", "{A, C}", &expect!["expression: A"]);
    check("A < B", "A > B", &expect!["guard: A > B"]);
    check("f({A, B})", "f({B, A})", &expect!["pattern: {B, A}"]);
    check("f({A, B})", "f({A, B, _})", &expect!["pattern: {A, B, _}"]);
    check("A < B -> C", "A < B, B < 2 -> C", &expect!["guard: A < B, B < 2"]);
    check("C = A", "{C, _} = A", &expect!["pattern: {C, _}"]);
}

/// The calls that a part of the value of `f/1` came from, with their values.
fn calls_for(program: &str, part: &[Step]) -> String {
    let closeup = closeup(program, 0);
    let origins = closeup.origins(part);
    let mut calls = Vec::new();
    for (at, instance) in closeup.instances.iter().enumerate() {
        let text = closeup.tree.text(closeup.tree.span(instance.node));
        if matches!(closeup.tree.kind(instance.node), Kind::Call { .. }) && origins.has(at) {
            calls.push(format!("{text} = {}", instance.value.as_ref().map_or("?".into(), shown)));
        }
    }
    calls.join(", ")
}

/// A part of a value comes from what was put there, from what chose that, and from nothing else.
#[test]
fn what_a_part_comes_from() {
    let program = "
main() -> f(1).
f(X) ->
    A = g(X), B = h(A),
    C = case k(X) of N when N > A -> [h(Y) || Y <- l(X)]; _ -> [] end,
    {X, {A, B}, C, [h(X) | l(A)] ++ C}.
g(X) -> X. h(X) -> X + 10. k(_) -> 100. l(X) -> [X, X + 1].
";
    let (element, head, tail) = (Step::Element, Step::Head, Step::Tail);
    let of = |part: &[Step]| calls_for(program, part);
    assert_eq!(of(&[element(0)]), "");
    assert_eq!(of(&[element(1), element(0)]), "g(X) = 1");
    assert_eq!(of(&[element(1), element(1)]), "g(X) = 1, h(A) = 11");
    assert_eq!(
        of(&[element(2), tail.clone(), head.clone()]),
        "g(X) = 1, k(X) = 100, l(X) = [1,2], h(Y) = 12"
    );
    assert_eq!(of(&[element(3), head.clone()]), "h(X) = 11");
    assert_eq!(of(&[element(3), tail, head]), "g(X) = 1, l(A) = [1,2]");
    let all = "g(X) = 1, h(A) = 11, k(X) = 100, l(X) = [1,2], h(Y) = 11, h(Y) = 12, h(X) = 11, \
               l(A) = [1,2]";
    assert_eq!(of(&[]), all);
}
