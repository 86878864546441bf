//! Lints of our own: what they report, and what they must not.

use std::path::Path;

use expect_test::{Expect, expect};
use program::lint::{LintOptions, lint};
use syntax::options::Options;
use syntax::source::NoFiles;

fn check(text: &str, expected: Expect) {
    let text = format!(
        "-module(t). -compile([export_all, nowarn_export_all, nowarn_unused_vars, warn_erlscope]).\n\
         {text}"
    );
    let bytes = text.into_bytes();
    let module =
        syntax::read_module_bytes(Path::new("t.erl"), bytes, &NoFiles, &Options::default());
    let found = lint(&module, &LintOptions::default());
    let shown = found.iter().map(|found| {
        let (line, column) = (found.loc.line, found.loc.column);
        let related: String =
            found.related.iter().map(|also| format!(" ({})", also.message)).collect();
        format!("{line}:{column} {:?} {}: {}{related}\n", found.severity, found.code, found.message)
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn repeated_clauses() {
    check(
        "f(X) when X > 1 -> a; f(X) when X > 2 -> b; f(X) when X > 1 -> c.\n\
         g(X) -> if X > 1, X < 5 -> a; X > 1 , X<5 -> b; true -> c end.\n\
         h(X, Y) -> case X of {Z, Y} when Z > Y; Z < 0 -> a; {Z, Y} when Z > Y; Z < 0 -> b end.\n\
         i() -> fun (X) when X > 1 -> a; (X) when X > 1 -> b end.\n\
         j() -> receive X when X > 1 -> a; X when X > 1 -> b end.\n\
         k(F) -> try F() of X when X > 1 -> a; X when X > 1 -> b\n\
         catch error:E when E =:= a -> a; error:E when E =:= a -> b end.\n",
        expect![[r#"
            2:45 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
            3:31 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
            4:53 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
            5:33 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
            6:35 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
            7:39 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
            8:34 Warning erlscope_repeated_clause: this clause is never reached: it repeats one before it (the same pattern and guard)
        "#]],
    );
}

#[test]
fn clauses_that_differ() {
    check(
        "f(X, _) when X > 1 -> a; f(_, X) when X > 1 -> b; f(X, Y) when X > 1 -> c.\n\
         g(X) -> if X > 1; X < 5 -> a; X > 1, X < 5 -> b; true -> c end.\n\
         h(X) -> if X == 1 -> a; X == 1.0 -> b; X =:= 1 -> c end.\n",
        expect![[""]],
    );
}

#[test]
fn same_operands() {
    check(
        "f(X, Y) -> {X == X, X /= X, X =:= X, X =/= X, X < X, X > X, X =< X, X >= X, X == Y, X + X}.\n\
         g(X) when X =:= X -> ok.\n",
        expect![[r#"
            2:15 Warning erlscope_same_operands: X is compared with itself: this is always true
            2:23 Warning erlscope_same_operands: X is compared with itself: this is always false
            2:31 Warning erlscope_same_operands: X is compared with itself: this is always true
            2:40 Warning erlscope_same_operands: X is compared with itself: this is always false
            2:49 Warning erlscope_same_operands: X is compared with itself: this is always false
            2:56 Warning erlscope_same_operands: X is compared with itself: this is always false
            2:63 Warning erlscope_same_operands: X is compared with itself: this is always true
            2:71 Warning erlscope_same_operands: X is compared with itself: this is always true
            3:13 Warning erlscope_same_operands: X is compared with itself: this is always true
        "#]],
    );
}

#[test]
fn a_macro_may_be_given_the_same_argument_twice() {
    check("-define(SAME(A, B), A =:= B).\nf(X) -> ?SAME(X, X).\n", expect![[""]]);
}

#[test]
fn silent_in_modules_with_errors() {
    check(
        "f(X) -> X =:= X.\ng() -> Y.\n",
        expect![[r#"
        3:8 Error unbound_var: the variable Y is unbound
    "#]],
    );
}
