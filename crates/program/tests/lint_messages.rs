//! What the user reads: messages, suggestions and the places that belong to a report. And what the
//! caller can ask for.

use std::path::Path;
use std::sync::Arc;

use atom::Atom;
use expect_test::{Expect, expect};
use program::lint::term::Term;
use program::lint::{Behaviour, BehaviourLookup, Interfaces, LintOptions, lint};
use syntax::diagnostic::Severity;
use syntax::options::Options;
use syntax::source::NoFiles;

fn check_with(text: &str, options: &LintOptions, expected: Expect) {
    let module = syntax::read_module_bytes(
        Path::new("t.erl"),
        text.as_bytes().to_vec(),
        &NoFiles,
        &Options::default(),
    );
    assert!(module.diagnostics.is_empty(), "{:?}", module.diagnostics);
    let mut shown = String::new();
    for found in lint(&module, options) {
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let (line, column) = (found.loc.line, found.loc.column);
        shown.push_str(&format!("{line}:{column} {severity}: {}", found.message));
        shown.push_str(&format!(" [{}]\n", module.text(found.span)));
        if let Some(help) = &found.help {
            shown.push_str(&format!("    help: {help}\n"));
        }
        for related in &found.related {
            let text = module.text(related.span).lines().next().unwrap_or_default();
            shown.push_str(&format!("    {}: {text}\n", related.message));
        }
    }
    expected.assert_eq(&shown);
}

fn check(text: &str, expected: Expect) {
    let text = format!("-module(t). -compile([export_all, nowarn_export_all]).\n{text}");
    check_with(&text, &LintOptions::default(), expected);
}

#[test]
fn misspelt_names() {
    check(
        "-record(person, {name, address}).\n\
         -type colour() :: red.\n\
         f(State) -> Stat.\n\
         lenght_of(X) -> length_of(X).\n\
         g() -> #persn{}.\n\
         h(X) -> X#person.adress.\n\
         i(X) -> X#person.age.\n\
         j() -> f(1, 2).\n\
         -spec k(color()) -> ok.\n\
         k(_) -> ok.\n",
        expect![[r#"
            3:2 warning: the type colour/0 is never used [-type colour() :: red.]
            4:3 warning: the variable State is never used [State]
                help: if that is meant, call it _State
            4:13 error: the variable Stat is unbound [Stat]
                help: did you mean State?
            5:17 error: there is no function length_of/1 [length_of]
                help: did you mean lenght_of?
            6:8 error: there is no record persn [#persn{}]
                help: did you mean person?
            7:18 error: the record person has no field adress [adress]
                help: did you mean address?
                the record is defined here: -record(person, {name, address}).
            8:18 error: the record person has no field age [age]
                help: its fields are name, address
                the record is defined here: -record(person, {name, address}).
            9:8 error: there is no function f/2 [f]
                help: there is f/1
            10:9 error: there is no type color/0 [color()]
                help: did you mean colour()?
        "#]],
    );
}

#[test]
fn places_that_belong_to_it() {
    check(
        "f(A) -> case A of 1 -> X = 1; 2 -> ok end, X.\n\
         f(B) -> B.\n\
         g(X) -> fun(X) -> X end.\n\
         -define(M, Unbound).\n\
         h() -> ?M.\n",
        expect![[r#"
            2:44 error: the variable X may not be bound after the 'case' before [X]
                may be left without binding it: case A of 1 -> X = 1; 2 -> ok end
            3:1 error: the function f/1 is already defined [f]
                defined here first: f(A) -> case A of 1 -> X = 1; 2 -> ok end, X.
            4:3 warning: the variable X is never used [X]
                help: if that is meant, call it _X
            4:13 warning: the variable X of this fun hides one outside [X]
                the variable that is hidden: X
            6:9 error: the variable Unbound is unbound [?M]
                in the macro M: -define(M, Unbound).
        "#]],
    );
}

#[test]
fn options_of_the_caller() {
    let option = |text: &str| Term::atom(text);
    let text = "-module(t).\n-compile(nowarn_unused_vars).\n-export([f/1]).\nf(X) -> ok.\n";
    check_with(text, &LintOptions::default(), expect![[r#""#]]);
    let options =
        LintOptions { compile: vec![option("warn_unused_vars")], ..LintOptions::default() };
    check_with(
        text,
        &options,
        expect![[r#"
        4:3 warning: the variable X is never used [X]
            help: if that is meant, call it _X
    "#]],
    );
    let options = LintOptions {
        compile: vec![Term::List(vec![option("warn_unused_vars"), option("warnings_as_errors")])],
        check_file_name: true,
        ..LintOptions::default()
    };
    check_with(
        &text.replace("(t)", "(other)"),
        &options,
        expect![[r#"
        1:2 error: the module is called other, but its file t [-module(other).]
        4:3 error: the variable X is never used [X]
            help: if that is meant, call it _X
    "#]],
    );
}

struct OneBehaviour;

impl Interfaces for OneBehaviour {
    fn behaviour(&self, module: Atom) -> BehaviourLookup {
        match module.as_str() {
            "mine" => BehaviourLookup::Found(Behaviour {
                callbacks: vec![(Atom::new("init"), 1), (Atom::new("stop"), 0)],
                optional: vec![(Atom::new("stop"), 0)],
            }),
            "gen_server" => BehaviourLookup::NotKnown,
            _ => BehaviourLookup::NoBehaviour,
        }
    }
}

#[test]
fn behaviours() {
    let text = "-module(t).\n-behaviour(mine).\n-behaviour(gen_server).\n-behaviour(none).\n";
    check_with(
        text,
        &LintOptions::default(),
        expect![[r#"
        3:2 warning: the callback handle_call/3 of the behaviour gen_server is not defined [-behaviour(gen_server).]
        3:2 warning: the callback handle_cast/2 of the behaviour gen_server is not defined [-behaviour(gen_server).]
        3:2 warning: the callback init/1 of the behaviour gen_server is not defined [-behaviour(gen_server).]
    "#]],
    );
    let interfaces = Some(Arc::new(OneBehaviour) as Arc<dyn Interfaces + Send + Sync>);
    let options = LintOptions { interfaces, ..LintOptions::default() };
    check_with(
        text,
        &options,
        expect![[r#"
        2:2 warning: the callback init/1 of the behaviour mine is not defined [-behaviour(mine).]
        3:2 warning: both gen_server and mine have a callback init/1 [-behaviour(gen_server).]
            the other behaviour: -behaviour(mine).
        3:2 warning: the callback handle_call/3 of the behaviour gen_server is not defined [-behaviour(gen_server).]
        3:2 warning: the callback handle_cast/2 of the behaviour gen_server is not defined [-behaviour(gen_server).]
        3:2 warning: the callback init/1 of the behaviour gen_server is not defined [-behaviour(gen_server).]
        4:2 warning: there is no behaviour none [-behaviour(none).]
    "#]],
    );
}

#[test]
fn rules_of_later_releases() {
    let text = "-module(t).\n-export([f/2, g/1]).\n\
        f(A, B) when max(A, B) > 1 -> ok.\n\
        g(<<A:8>> = <<B:4, _:4>>) -> {A, B}.\n";
    check_with(
        text,
        &LintOptions { release: 25, ..LintOptions::default() },
        expect![[r#"
        3:14 error: this cannot stand in a guard [max(A, B)]
        4:3 error: two patterns cannot match the bits of one binary [<<A:8>>]
    "#]],
    );
    check_with(text, &LintOptions { release: 26, ..LintOptions::default() }, expect![[r#""#]]);
}

#[test]
fn deep_and_long() {
    // Nesting over a thousand deep and sequences of thousands of variables: no overflow, no
    // explosion.
    let mut text = String::from("-module(t).\n-export([f/1, g/1]).\nf(X0) ->\n");
    for i in 1..1500 {
        text.push_str(&format!("case X{} of {{a, X{i}}} -> \n", i - 1));
    }
    text.push_str("X1499");
    text.push_str(&"; _ -> ok end".repeat(1499));
    text.push_str(".\ng(Y0) ->\n");
    for i in 1..20_000 {
        text.push_str(&format!("Y{i} = [Y{} | 1],\n", i - 1));
    }
    text.push_str("Y19999.\n");
    check_with(&text, &LintOptions::default(), expect![[r#""#]]);
}
