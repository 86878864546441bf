//! The headers we ship against those of the installed OTP: the same macros with the same numbers
//! of arguments, the same records with the same fields, and assertions that fail with the same
//! terms.
#![allow(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use program::files::otp::Otp;
use program::files::{Library, ProjectFiles};
use program::index::ModuleIndex;
use stdlib::headers::HEADERS;
use syntax::options::Options;
use syntax::scan::scan;
use syntax::token::{Token, TokenKind};

fn installed(test: &str) -> Option<Otp> {
    let off = std::env::var_os("ERLSCOPE_NO_JUDGE").is_some();
    let otp = if off { None } else { Otp::find(&|name| std::env::var(name).ok()) };
    if otp.is_none() {
        println!("skipped: {test} (no Erlang/OTP)");
    }
    otp
}

/// The macros that a header defines under any condition: `NAME`, `NAME/2`. Ours that have no
/// counterpart are named so that they can be told apart.
fn macros(text: &str) -> BTreeSet<String> {
    let scanned = scan(Path::new("header"), text.as_bytes().to_vec());
    assert_eq!(scanned.diagnostics, []);
    let forms = scanned.tokens.split(|token| token.kind == TokenKind::Dot);
    let names = forms.filter_map(macro_name);
    names.filter(|name| !name.starts_with("ERLSCOPE_")).collect()
}

/// The name in `-define(NAME, …)` or `-define(NAME(A, B), …)`.
fn macro_name(form: &[Token]) -> Option<String> {
    let [minus, define, open, name, rest @ ..] = form else { return None };
    let is_define = define.name().is_some_and(|name| name.as_str() == "define");
    if minus.kind != TokenKind::Minus || !is_define || open.kind != TokenKind::LParen {
        return None;
    }
    let name = name.name()?;
    if rest.first()?.kind != TokenKind::LParen {
        return Some(name.to_string());
    }
    let params = rest.iter().take_while(|token| token.kind != TokenKind::RParen);
    let params = params.filter(|token| token.kind == TokenKind::Var).count();
    Some(format!("{name}/{params}"))
}

/// The records that a header defines, with their fields.
fn records(header: &Path, files: &ProjectFiles) -> BTreeMap<String, Vec<String>> {
    let text = format!("-module(m).\n-include({header:?}).\n").into_bytes();
    let module = syntax::read_module_bytes(Path::new("m.erl"), text, files, &Options::default());
    assert_eq!(module.diagnostics, [], "{}", header.display());
    let index = ModuleIndex::of(&module);
    let records = index.records.iter().map(|(name, record)| {
        let fields = record.fields.iter().map(|field| field.0.to_string()).collect();
        (name.to_string(), fields)
    });
    records.collect()
}

#[test]
fn same_macros_and_records() {
    let Some(otp) = installed("same_macros_and_records") else { return };
    let without_otp = ProjectFiles::new(Arc::new(Library::without_otp()), BTreeMap::new());
    let library = Library::of_machine(Some(&otp.root)).unwrap();
    let with_otp = ProjectFiles::new(Arc::new(library), BTreeMap::new());
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stdlib/headers");
    for (app, name, text) in HEADERS {
        let Some(dir) = otp.applications().get(*app) else { continue };
        let theirs = dir.join("include").join(name);
        let Ok(their_text) = std::fs::read_to_string(&theirs) else { continue };
        assert_eq!(macros(text), macros(&their_text), "macros of {name}");
        let our_path = ours.join(app).join("include").join(name);
        let (our_records, their_records) =
            (records(&our_path, &without_otp), records(&theirs, &with_otp));
        assert_eq!(our_records, their_records, "records of {name}");
    }
}

/// Every assertion, once so that it holds and once so that it fails; the result is what each did.
/// `{line, _}` is the same in both runs since the text is.
const ASSERTIONS: &str = r#"
-module(assertions).
-export([main/0, hidden/1]).
-include_lib("eunit/include/eunit.hrl").
-include_lib("kernel/include/logger.hrl").
-include_lib("kernel/include/file.hrl").

hidden(X) -> X.

outcome(F) ->
    try {ok, F()}
    catch
        error:{Name, Facts} -> {Name, [simple(Fact) || Fact <- Facts]};
        Class:Reason -> {Class, Reason}
    end.

simple({unexpected_exception, {C, R, _}}) -> {unexpected_exception, {C, R}};
simple(Fact) -> Fact.

main() ->
    X = hidden(1),
    Tests = [
        fun() -> ?assert(X =:= 1) end, fun() -> ?assert(X =:= 2) end, fun() -> ?assert(X) end,
        fun() -> ?assert(X =:= 2, "comment") end,
        fun() -> ?assertNot(X =:= 1) end, fun() -> ?assertNot(X =:= 2) end,
        fun() -> ?assertNot(X, comment) end,
        fun() -> ?assertMatch({_, 1}, {a, X}) end, fun() -> ?assertMatch({_, 2}, {a, X}) end,
        fun() -> ?assertMatch(Y when Y > 3, X) end, fun() -> ?assertMatch(2, X, "c") end,
        fun() -> ?assertNotMatch(1, X) end, fun() -> ?assertNotMatch(2, X) end,
        fun() -> ?assertNotMatch(1, X, <<"c">>) end,
        fun() -> ?assertEqual(1, X) end, fun() -> ?assertEqual(2, X + 3) end,
        fun() -> ?assertEqual(2, X, [c]) end,
        fun() -> ?assertNotEqual(1, X) end, fun() -> ?assertNotEqual(2, X) end,
        fun() -> ?assertNotEqual(1, X, "c") end,
        fun() -> ?assertException(error, {badmatch, _}, {2, _} = hidden(X)) end,
        fun() -> ?assertException(throw, foo, X) end,
        fun() -> ?assertException(throw, foo, throw(bar)) end,
        fun() -> ?assertException(throw, foo, throw(bar), "c") end,
        fun() -> ?assertError(badarith, X / hidden(0)) end, fun() -> ?assertError(foo, X) end,
        fun() -> ?assertError(foo, X, "c") end,
        fun() -> ?assertExit(foo, exit(foo)) end, fun() -> ?assertExit(_, X) end,
        fun() -> ?assertExit(_, X, "c") end,
        fun() -> ?assertThrow(R when is_list(R), throw([])) end, fun() -> ?assertThrow(_, X) end,
        fun() -> ?assertThrow(_, X, "c") end,
        fun() -> ?assertNotException(throw, foo, X) end,
        fun() -> ?assertNotException(throw, foo, throw(bar)) end,
        fun() -> ?assertNotException(throw, foo, throw(foo)) end,
        fun() -> ?assertNotException(_, _, throw(foo), "c") end,
        fun() -> ?LET(V, X, V + 1) end, fun() -> ?IF(X > 0, yes, no) end,
        fun() -> ?MATCHES({_}, X) end,
        fun() -> element(1, ?_test(X)) end,
        fun() -> {_, F} = ?_assertEqual(3, X), F() end,
        fun() -> {_, F} = ?_assertNot(X =:= 1), F() end,
        fun() -> {_, F} = ?_assertThrow(a, throw(b)), F() end,
        fun() -> ?cmd("echo hello") end, fun() -> ?cmdStatus(1, "exit 2") end,
        fun() -> ?assertCmd("exit 3") end, fun() -> ?assertCmdStatus(3, "exit 3") end,
        fun() -> ?assertCmdOutput("a\n", "echo b") end, fun() -> ?assertCmdOutput("a\n", "echo a") end,
        fun() -> ?debugVal(X + 1) end, fun() -> ?debugMsg("here") end,
        fun() -> ?LOG_DEBUG("not logged ~p", [X]) end, fun() -> ?LOG(debug, #{a => 1}, #{}) end,
        fun() -> ?LOCATION end,
        fun() -> #file_info{size = X} end,
        fun() -> {?TEST, ?EUNIT, ?ASSERT} end,
        fun() -> lists:sort(?MODULE:module_info(exports)) end
    ],
    [outcome(Test) || Test <- Tests].

a_test() -> ok.
b_test_() -> [].
"#;

/// What the assertions do when they are compiled with headers from `include` first.
fn outcomes(dir: &Path, include: Option<&Path>) -> String {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("assertions.erl"), ASSERTIONS).unwrap();
    let mut erlc = Command::new("erlc");
    erlc.current_dir(dir);
    if let Some(include) = include {
        erlc.arg("-I").arg(include);
    }
    let compiled = erlc.arg("assertions.erl").output().unwrap();
    let said = String::from_utf8_lossy(&compiled.stdout).into_owned();
    assert!(compiled.status.success(), "{said}");
    let eval = "io:format(\"~p~n\", [assertions:main()]), halt().";
    let run = Command::new("erl")
        .current_dir(dir)
        .args(["-noshell", "-pa", ".", "-eval", eval])
        .output()
        .unwrap();
    said + &String::from_utf8_lossy(&run.stdout)
}

#[test]
fn same_outcomes() {
    let Some(_) = installed("same_outcomes") else { return };
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stdlib/headers");
    let dir: PathBuf =
        std::env::temp_dir().join(format!("erlscope-headers-{}", std::process::id()));
    let (with_ours, with_theirs) = (outcomes(&dir, Some(&ours)), outcomes(&dir, None));
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(with_ours.lines().count() > 100, "{with_ours}");
    // The console says which process it was.
    let plain = |text: String| -> Vec<String> {
        text.lines().filter(|line| !line.contains(":<0.")).map(str::to_owned).collect()
    };
    assert_eq!(plain(with_ours), plain(with_theirs));
}
