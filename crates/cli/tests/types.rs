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
            exit 1
            --- stdout
            %% a.erl
            -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
            -spec h(number()) -> [number(), ...].
            -spec loop(any()) -> no_return().
            -spec fails() -> no_return().
            -spec rec(tuple()) -> tuple().
            --- stderr
            a.erl:9:12: warning: erlang:atom_to_list/1 always fails here: the argument is 1, expected atom() [failing_call]
            a.erl:9:1: warning: fails/0 never returns [no_return]
        "#]],
    );
    project.check(
        &["types", "a.erl", "--all"],
        expect![[r#"
            exit 1
            --- stdout
            %% a.erl
            -spec g(number(), number()) -> number().
            -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
            -spec h(number()) -> [number(), ...].
            -spec loop(any()) -> no_return().
            -spec fails() -> no_return().
            -spec rec(tuple()) -> tuple().
            --- stderr
            a.erl:9:12: warning: erlang:atom_to_list/1 always fails here: the argument is 1, expected atom() [failing_call]
            a.erl:9:1: warning: fails/0 never returns [no_return]
        "#]],
    );
    project.check(
        &["types", "a.erl", "--annotate", "copy"],
        expect![[r#"
            exit 1
            --- stderr
            a.erl:9:12: warning: erlang:atom_to_list/1 always fails here: the argument is 1, expected atom() [failing_call]
            a.erl:9:1: warning: fails/0 never returns [no_return]
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

const WRONG: &str = "\
-module(wrong).
-export([call/1, order/1, op/1, funs/1, match/0, clause/1, covered/1, both/1, spec/1, meant/0]).
-dialyzer({no_match, quiet/1}).
-export([quiet/1, made/1]).
-define(CHECK(X), case is_atom(X) of true -> ok; false -> no; _ -> other end).
call(X) -> Y = atom_to_list(X), atom_to_list(Y).
order(X) -> lists:nth(X, length(X)).
op(X) -> {X} + 1.
funs(X) -> F = fun(A, B) -> A + B end, F(X).
match() -> {ok, X} = pair(), X.
pair() -> {error, none}.
clause(X) -> case half(X) of {ok, Y} -> Y; {eror, _} -> 0; error -> 1 end.
half(X) when X rem 2 =:= 0 -> {ok, X div 2};
half(_) -> error.
covered(X) -> case is_list(X) of true -> 1; false -> 2; _ -> 3 end.
both(X) -> case X of a -> a + 1; _ -> hd(X = {}) end.
-spec spec(integer()) -> atom().
spec(X) -> X + 1.
meant() -> exit(done).
quiet(X) -> case is_list(X) of true -> 1; false -> 2; _ -> 3 end.
made(X) -> ?CHECK(X).
";

#[test]
fn what_is_wrong() {
    let project = Project::new("types_wrong", &[("wrong.erl", WRONG)]);
    project.check(&["types", "wrong.erl", "--check", "--format", "short"], expect![[r#"
        exit 1
        --- stdout
        wrong.erl:6:33: warning: erlang:atom_to_list/1 always fails here: the argument is string(), expected atom() [failing_call]
        wrong.erl:6:1: warning: call/1 never returns [no_return]
        wrong.erl:7:13: warning: lists:nth/2 always fails here: argument 1 is [any()], expected pos_integer() [failing_call]
        wrong.erl:7:1: warning: order/1 never returns [no_return]
        wrong.erl:8:14: warning: '+' always fails for {any()} and 1 [failing_operator]
        wrong.erl:8:1: warning: op/1 never returns [no_return]
        wrong.erl:9:40: warning: this call always fails: fun((number(), number()) -> number()) is given 1 argument: any() [failing_fun]
        wrong.erl:9:1: warning: funs/1 never returns [no_return]
        wrong.erl:10:12: warning: this match always fails: the value is {error, none} [failing_match]
        wrong.erl:10:1: warning: match/0 never returns [no_return]
        wrong.erl:12:44: warning: this clause never matches error [unmatched_clause]
        wrong.erl:15:57: warning: this clause is never reached: those before it take everything [covered_clause]
        wrong.erl:16:29: warning: '+' always fails for a and 1 [failing_operator]
        wrong.erl:16:1: warning: both/1 never returns [no_return]
        wrong.erl:16:39: warning: erlang:hd/1 always fails here: the argument is {}, expected nonempty_maybe_improper_list(any(), any()) [failing_call]
        wrong.erl:17:2: warning: the spec says that the result is atom(), but it is integer() [spec_result]
        checked 1 module, 0 errors, 16 warnings
    "#]]);
    project.check(
        &["types", "wrong.erl", "--format", "sarif"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: this format tells what is wrong, not types: add --check
    "#]],
    );
}

/// The call is blamed, not the clause that does not take what it is given.
#[test]
fn what_is_wrong_with_reasons() {
    let text = "-module(b).\n-export([f/1]).\nf(X) ->\n    Y = atom_to_list(X),\n    g(Y).\n\
                g({A, B}) -> A + B.\n";
    let project = Project::new("types_reasons", &[("b.erl", text)]);
    project.check(&["types", "b.erl", "--check"], expect![[r#"
        exit 1
        --- stdout
        warning[failing_call]: g/1 always fails here: the argument is string(), expected {number(), number()}
         --> b.erl:5:5
          |
        5 |     g(Y).
          |     ^^^^
          |
        note: this is string()
         --> b.erl:4:9
          |
        4 |     Y = atom_to_list(X),
          |         ^^^^^^^^^^^^^^^

        warning[no_return]: f/1 never returns
         --> b.erl:3:1
          |
        3 | f(X) ->
          | ^
          |
        note: this always fails
         --> b.erl:5:5
          |
        5 |     g(Y).
          |     ^^^^

        checked 1 module, 0 errors, 2 warnings
    "#]]);
    project.check(&["types", "b.erl"], expect![[r#"
        exit 1
        --- stdout
        %% b.erl
        -spec f(any()) -> no_return().
        -spec g({number(), number()}) -> number().
        --- stderr
        b.erl:5:5: warning: g/1 always fails here: the argument is string(), expected {number(), number()} [failing_call]
        b.erl:3:1: warning: f/1 never returns [no_return]
    "#]]);
}

/// Errors are part of what is wrong, and of such a module nothing else is told.
#[test]
fn a_module_with_errors() {
    let text = "-module(e).\n-export([f/0]).\nf() -> atom_to_list(1).\ng( ->.\n";
    let project = Project::new("types_errors", &[("e.erl", text)]);
    project.check(
        &["types", "e.erl", "--check", "--format", "short"],
        expect![[r#"
        exit 1
        --- stdout
        e.erl:4:4: error: expected a pattern, found '->' [syntax_error]
        checked 1 module, 1 error, 0 warnings
    "#]],
    );
}

/// Who raises again what was caught means to.
#[test]
fn what_raises_again_is_meant_to() {
    let text = "-module(again).\n-export([f/1]).\n\
        f(X) -> try g(X) catch C:R:S -> up(C, R, S) end.\n\
        up(C, R, S) -> erlang:raise(C, {again, R}, S).\n\
        g(X) -> X + 1.\n";
    let project = Project::new("types_again", &[("again.erl", text)]);
    project.check(
        &["types", "again.erl", "--check", "--format", "short"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
}
