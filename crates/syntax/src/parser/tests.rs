//! What the judge cannot say: syntax newer than the installed OTP, messages of our own, nesting
//! that has no end, tokens in no order.

use std::path::Path;

use expect_test::{Expect, expect};

use crate::abstract_format::{Format, write_form};
use crate::ast::{Kind, Module, Node, NodeId};
use crate::diagnostic::Origin;
use crate::options::Options;
use crate::source::NoFiles;

use super::MAX_DEPTH;

fn read(text: &str) -> Module {
    let options = Options { features: vec!["maybe_expr".to_owned()], ..Options::default() };
    crate::read_module_bytes(Path::new("m.erl"), text.as_bytes().to_vec(), &NoFiles, &options)
}

/// The forms of a text but for what every file has.
fn forms(module: &Module) -> Vec<NodeId> {
    let is_own = |&&form: &&NodeId| {
        !matches!(module.kind(form), Kind::FileAttribute { .. } | Kind::EndOfFile)
    };
    module.forms.iter().filter(is_own).copied().collect()
}

/// The abstract format of the forms, with lines only.
fn check(text: &str, expected: Expect) {
    let module = read(text);
    let mut out = String::new();
    for form in forms(&module) {
        let format = Format { columns: false, ..Format::default() };
        write_form(&module, form, format, &mut out).unwrap();
    }
    expected.assert_eq(&out);
}

/// Place, message and related places of each error.
fn check_errors(text: &str, expected: Expect) {
    let module = read(text);
    let mut out = String::new();
    for diagnostic in &module.diagnostics {
        let loc = diagnostic.loc;
        out += &format!("{}:{}: {}\n", loc.line, loc.column, diagnostic.message);
        for related in &diagnostic.related {
            let loc = module.file(related.span.file).loc(related.span.start);
            out += &format!("  {}:{}: {}\n", loc.line, loc.column, related.message);
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn comprehensions_of_later_releases() {
    check(
        "f() -> #{K => V || K := V <- M}.",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{mc,1,{map_field_assoc,1,{var,1,'K'},{var,1,'V'}},[{m_generate,1,{map_field_exact,1,{var,1,'K'},{var,1,'V'}},{var,1,'M'}}]}]}]}.
        "#]],
    );
    check(
        "f() -> [X || X <:- L, <<X>> <:= B, K := V <:- M].",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{lc,1,{var,1,'X'},[{generate_strict,1,{var,1,'X'},{var,1,'L'}},{b_generate_strict,1,{bin,1,[{bin_element,1,{var,1,'X'},default,default}]},{var,1,'B'}},{m_generate_strict,1,{map_field_exact,1,{var,1,'K'},{var,1,'V'}},{var,1,'M'}}]}]}]}.
        "#]],
    );
    check(
        "f() -> [{X, Y} || X <- L && Y <- M, X > Y].",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{lc,1,{tuple,1,[{var,1,'X'},{var,1,'Y'}]},[{zip,1,[{generate,1,{var,1,'X'},{var,1,'L'}},{generate,1,{var,1,'Y'},{var,1,'M'}}]},{op,1,'>',{var,1,'X'},{var,1,'Y'}}]}]}]}.
        "#]],
    );
    check(
        "f() -> [X, -X || X <- L, Y = X].",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{lc,1,[{var,1,'X'},{op,1,'-',{var,1,'X'}}],[{generate,1,{var,1,'X'},{var,1,'L'}},{match,1,{var,1,'Y'},{var,1,'X'}}]}]}]}.
        "#]],
    );
    check(
        "f() -> #{A => 1, B => 2 || A <- L}.",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{mc,1,[{map_field_assoc,1,{var,1,'A'},{integer,1,1}},{map_field_assoc,1,{var,1,'B'},{integer,1,2}}],[{generate,1,{var,1,'A'},{var,1,'L'}}]}]}]}.
        "#]],
    );
}

#[test]
fn strings_of_later_releases() {
    check(
        "f() -> {~\"a\", ~b\"b\\n\", ~s\"c\", ~S[d\\n]}.",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{tuple,1,[{bin,1,[{bin_element,1,{string,1,"a"},default,[utf8]}]},{bin,1,[{bin_element,1,{string,1,"b\n"},default,[utf8]}]},{string,1,"c"},{string,1,"d\\n"}]}]}]}.
        "#]],
    );
    check(
        "-doc \"\"\"\n  One\n    Two\n  \"\"\".\n-foo(~\"å\").",
        expect![[r#"
            {attribute,1,doc,"One\n  Two"}.
            {attribute,5,foo,<<"å"/utf8>>}.
        "#]],
    );
    check_errors(
        "f() -> ~x\"a\".",
        expect![[r#"
            1:8: expected an expression, found '~'
        "#]],
    );
}

#[test]
fn maybe_blocks() {
    check(
        "f() -> maybe {ok, A} ?= g(), h(A) else\n(_) -> error end.",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{'maybe',1,[{maybe_match,1,{tuple,1,[{atom,1,ok},{var,1,'A'}]},{call,1,{atom,1,g},[]}},{call,1,{atom,1,h},[{var,1,'A'}]}],{'else',1,[{clause,2,[{var,2,'_'}],[],[{atom,2,error}]}]}}]}]}.
        "#]],
    );
}

#[test]
fn calls_of_calls() {
    check(
        "f() -> g(1)(2)(3), m:g():h(4).",
        expect![[r#"
            {function,1,f,0,[{clause,1,[],[],[{call,1,{call,1,{call,1,{atom,1,g},[{integer,1,1}]},[{integer,1,2}]},[{integer,1,3}]},{call,1,{remote,1,{call,1,{remote,1,{atom,1,m},{atom,1,g}},[]},{atom,1,h}},[{integer,1,4}]}]}]}.
        "#]],
    );
}

#[test]
fn native_records_and_nominal_types() {
    check(
        "-record #r{a, b = 1 :: integer()}.\n-export_record([r]).\n-import_record(m, [s]).\n\
         -nominal t() :: #r{}.\n\
         f(#m:s{a = X}, #_{b = Y}) -> X#m:s.a + Y#Rec{c = 1}#if.d.",
        expect![[r#"
            {attribute,1,native_record,{r,[{record_field,1,{atom,1,a}},{typed_record_field,{record_field,1,{atom,1,b},{integer,1,1}},{type,1,integer,[]}}]}}.
            {attribute,2,export_record,[r]}.
            {attribute,3,import_record,{m,[s]}}.
            {attribute,4,nominal,{t,{type,4,record,[{atom,4,r}]},[]}}.
            {function,5,f,2,[{clause,5,[{record,5,{m,s},[{record_field,5,{atom,5,a},{var,5,'X'}}]},{record,5,[],[{record_field,5,{atom,5,b},{var,5,'Y'}}]}],[],[{op,5,'+',{record_field,5,{var,5,'X'},{m,s},{atom,5,a}},{record_field,5,{record,5,{var,5,'Y'},'Rec',[{record_field,5,{atom,5,c},{integer,5,1}}]},'if',{atom,5,d}}}]}]}.
        "#]],
    );
}

#[test]
fn messages_say_what_was_found_and_what_was_expected() {
    check_errors(
        "f() ->\n    case X of\n        a -> b\n.\ng( -> ok.\nh() -> [1, 2, .\ni(X) -> {X = ), 1}.\n",
        expect![[r#"
            4:1: expected an operator, ',', ';' or 'end', found the full stop that ends the form
              2:5: this 'case' is still open
            5:4: expected a pattern, found '->'
              5:2: this '(' is still open
            6:15: expected an expression, found the full stop that ends the form
              6:8: this '[' is still open
            7:14: expected an expression, found ')'
              7:9: this '{' is still open
        "#]],
    );
    check_errors(
        "f(1) -> a;\ng(2) -> b.\n-export([a/b]).\n-record(r, {A}).\n-type t(_) :: a.\n1.\n",
        expect![[r#"
            2:1: a clause of g/1 among the clauses of f/1
              1:1: the first clause
            3:12: expected a list of Name/Arity (bad function arity)
            4:13: a record field is a name, or 'name = default'
            5:9: this must be a type variable other than '_'
            6:1: expected an attribute or a function, found the number 1
        "#]],
    );
}

#[test]
fn a_bad_form_leaves_nothing_behind_and_the_others_alone() {
    let module = read("a() -> ok.\nb() -> [\"a\" \"b\", {c.\nd() -> ok.\n");
    let kinds: Vec<Kind> = forms(&module).into_iter().map(|form| module.kind(form)).collect();
    assert!(matches!(
        kinds[..],
        [Kind::Function { .. }, Kind::ErrorForm { .. }, Kind::Function { .. }]
    ));
    let strings = module.nodes.iter().filter(|node| matches!(node.kind, Kind::String(_))).count();
    // The name in the `-file` attribute.
    assert_eq!(strings, 1);
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    format!("f() -> {}a{}.", open.repeat(depth), close.repeat(depth))
}

#[test]
fn nesting_is_bounded_by_a_number_not_by_the_stack() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("begin ", " end"), ("g(", ")")] {
        let module = read(&nested(open, close, MAX_DEPTH as usize - 10));
        assert!(module.diagnostics.is_empty(), "{open}: {:?}", module.diagnostics);
        let mut out = String::new();
        write_form(&module, forms(&module)[0], Format::default(), &mut out).unwrap();
        let module = read(&nested(open, close, MAX_DEPTH as usize * 2));
        let found: Vec<_> = module.diagnostics.iter().map(|d| (d.origin, d.code)).collect();
        assert_eq!(found, [(Origin::Erlscope, "nested_too_deeply")], "{open}");
    }
    let types = format!("-type t() :: {}a{}.", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(read(&types).diagnostics[0].code, "nested_too_deeply");
}

#[test]
fn long_is_not_deep() {
    let count = 200_000;
    for text in [
        format!("f() -> a{}.", " ++ a".repeat(count)),
        format!("f() -> a{}.", " + a".repeat(count)),
        format!("f() -> {}a.", "not ".repeat(count)),
        format!("f() -> [a{}].", ", a".repeat(count)),
        format!("f() -> a{}.", ", a = b".repeat(count)),
        format!("f() -> \"a\"{}.", " \"a\"".repeat(count)),
        format!("-type t() :: a{}.", " | a".repeat(count)),
        format!("f() -> case a of b -> c{} end.", "; b -> c".repeat(count)),
        format!("f() -> a{}.", "#r{}".repeat(count)),
    ] {
        let module = read(&text);
        assert!(module.diagnostics.is_empty(), "{}", &text[..30]);
        let mut out = String::new();
        write_form(&module, forms(&module)[0], Format::default(), &mut out).unwrap();
    }
}

/// Every token is in its parent's extent, and every anchor is a token.
fn check_extents(module: &Module) {
    for form in &module.forms {
        module.for_each_below(*form, |id| {
            let Node { first, last, anchor, .. } = module[id];
            assert!(first <= last && (anchor.0 as usize) < module.tokens.len());
            module.for_each_child(id, |child| {
                let child = module[child];
                assert!(first <= child.first && child.last <= last, "{id:?}");
            });
        });
    }
}

#[test]
fn extents_enclose_their_children() {
    let text = include_str!("../../tests/grammar/forms.txt");
    for line in text.lines() {
        check_extents(&read(line.trim_start_matches("@maybe ")));
    }
}

#[test]
fn any_sequence_of_tokens_is_survived() {
    const WORDS: &[&str] = &[
        "f",
        "X",
        "_",
        "1",
        "1.5",
        "$c",
        "\"s\"",
        "'A b'",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<<",
        ">>",
        ",",
        ";",
        ":",
        "::",
        "..",
        "...",
        "->",
        "=>",
        ":=",
        "<-",
        "<=",
        "<:-",
        "|",
        "||",
        "&&",
        "#",
        "=",
        "==",
        "+",
        "-",
        "*",
        "/",
        "++",
        "!",
        "?=",
        "case",
        "of",
        "end",
        "if",
        "fun",
        "when",
        "receive",
        "after",
        "try",
        "catch",
        "begin",
        "maybe",
        "else",
        "not",
        "andalso",
        "module",
        "record",
        "spec",
        "type",
        "export",
        "import",
        "file",
        "is_subtype",
        "-",
        "\n.\n",
        ".a",
        "~\"x\"",
    ];
    arbtest::arbtest(|u| {
        let mut text = String::new();
        if u.arbitrary()? {
            text.push_str(
                ["-spec ", "-type t() :: ", "-record(r, {", "f(", "f() -> ", "-foo("]
                    [u.choose_index(6)?],
            );
        }
        for _ in 0..u.arbitrary_len::<u16>()?.min(200) {
            text.push_str(WORDS[u.choose_index(WORDS.len())?]);
            text.push(' ');
        }
        text.push_str(" .\n");
        let module = read(&text);
        check_extents(&module);
        let mut out = String::new();
        crate::abstract_format::write_module(&module, Format::default(), &mut out).unwrap();
        Ok(())
    });
}

#[test]
fn a_range_without_tokens_is_an_error() {
    let mut module = Module::default();
    let form = super::parse_form(&mut module, 0..0);
    assert!(matches!(module.kind(form), Kind::ErrorForm { .. }));
    assert!(super::parse_expressions(&mut module, 0..0).is_err());
}
