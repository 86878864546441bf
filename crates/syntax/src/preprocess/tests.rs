//! Tests of the preprocessor that need no judge: where tokens come from, what faults say, limits,
//! and what OTP 25 does not know. Forms and positions are compared with `epp` in `tests/epp.rs`.

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use super::*;

/// Files in a table.
struct Table(&'static [(&'static str, &'static str)]);

impl Files for Table {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(std::io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &Path) -> bool {
        self.read(path).is_ok()
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        (application == "app").then(|| PathBuf::from("/lib/app-1"))
    }

    fn env(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| "/home".to_owned())
    }
}

fn read_with(text: &str, files: &'static [(&'static str, &'static str)], o: &Options) -> Module {
    read_module_bytes(Path::new("m.erl"), text.as_bytes().to_vec(), &Table(files), o)
}

fn read(text: &str) -> Module {
    read_with(text, &[], &Options::default())
}

/// The tokens of the last form but the end of file, each with its place for OTP, its own text, and
/// the macro calls it came through.
fn check_tokens(module: &Module, expected: Expect) {
    let form = module.forms[module.forms.len() - 2];
    let (first, last) = (module[form].first.0, module[form].last.0);
    let mut out = String::new();
    for index in first..=last {
        let token = module.token(TokenId(index));
        out += &format!("{}:{} {}", token.loc.line, token.loc.column, module.text(token.span));
        let mut expansion = token.expansion;
        while let Some(id) = expansion {
            let call = module.expansion(id);
            out += &format!(" <- {}", module.text(call.call));
            expansion = call.parent;
        }
        out.push('\n');
    }
    expected.assert_eq(&out);
}

/// What is said about a text.
fn check_messages(module: &Module, expected: Expect) {
    let mut out = String::new();
    for diagnostic in &module.diagnostics {
        let Loc { line, column } = diagnostic.loc;
        out += &format!("{line}:{column} {}: {}\n", diagnostic.code, diagnostic.message);
        for related in &diagnostic.related {
            let text = module.text(related.span);
            out += &format!("    {}: {text}\n", related.message);
        }
        if let Some(help) = &diagnostic.help {
            out += &format!("    help: {help}\n");
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn tokens_know_where_they_come_from() {
    let module = read("-define(F(X), {X, ?G}).\n-define(G, one).\nf() -> ?F(a + ?G).\n");
    check_tokens(
        &module,
        expect![[r#"
        3:1 f
        3:2 (
        3:3 )
        3:5 ->
        3:9 { <- ?F(a + ?G)
        3:11 a
        3:13 +
        3:16 one <- ?G
        3:16 , <- ?F(a + ?G)
        3:16 one <- ?G <- ?F(a + ?G)
        3:16 } <- ?F(a + ?G)
        3:18 .
    "#]],
    );
    let module = read("-define(S(X), ??X).\nf() -> ?S(a) ++ ?LINE.\n");
    check_tokens(
        &module,
        expect![[r#"
        2:1 f
        2:2 (
        2:3 )
        2:5 ->
        2:9 X <- ?S(a)
        2:14 ++
        2:18 ?LINE <- ?LINE
        2:22 .
    "#]],
    );
}

#[test]
fn faults_tell_the_way_to_them() {
    let module = read("-define(A, ?B).\n-define(B, ?UNKNOWN).\nf() ->\n  ?A.\n");
    check_messages(
        &module,
        expect![[r#"
        4:4 undefined: macro 'UNKNOWN' is not defined
            in the expansion of macro 'B': ?B
            in the expansion of macro 'A': ?A
    "#]],
    );
    let module = read("-define(A, 1).\n-define(A, 2).\n-include(\"no.hrl\").\n-ifdef(A).\n");
    check_messages(
        &module,
        expect![[r#"
        2:9 redefine: macro 'A' is already defined
            it was defined here: -define(A, 1).
            help: write '-undef(A).' before it to replace it
        3:10 include: include file "no.hrl" is not found
            help: searched in .
        5:1 illegal: '-ifdef' is not closed by '-endif'
    "#]],
    );
    let files: &[_] = &[("h.hrl", "-include(\"i.hrl\").\n"), ("i.hrl", "f() -> ?U.\n")];
    check_messages(
        &read_with("-include(\"h.hrl\").\n", files, &Options::default()),
        expect![[r#"
            1:9 undefined: macro 'U' is not defined
                included from here: "i.hrl"
                included from here: "h.hrl"
        "#]],
    );
}

#[test]
fn headers_are_found() {
    let files: &[_] = &[
        ("/lib/app-1/include/a.hrl", "a() -> a.\n"),
        ("/home/b.hrl", "b() -> b.\n"),
        ("inc/c.hrl", "-include(\"d.hrl\").\n"),
        ("inc/d.hrl", "d() -> d.\n"),
    ];
    let text = "-include_lib(\"app/include/a.hrl\").\n-include_lib(\"app-1.2/include/a.hrl\").\n\
                -include(\"$HOME/b.hrl\").\n-include(\"c.hrl\").\n";
    let options = Options { include_dirs: vec!["inc".into()], ..Options::default() };
    let module = read_with(text, files, &options);
    check_messages(&module, expect![[""]]);
    let paths: Vec<_> = module.files.iter().map(|file| file.path.display().to_string()).collect();
    expect![[r#"
        m.erl
        /lib/app-1/include/a.hrl
        /lib/app-1/include/a.hrl
        /home/b.hrl
        inc/c.hrl
        inc/d.hrl"#]]
    .assert_eq(&paths.join("\n"));
}

#[test]
fn maybe_without_the_feature() {
    let module = read(
        "-define(ID(X), X).\n-define(M, maybe ok ?= a else b -> c end).\nf() -> maybe.\n\
         g() -> maybe ok ?= a else b -> c end.\nh() -> ?M.\ni() -> ?ID(maybe a, b end).\n\
         j() -> {maybe, else}.\nk() -> maybe ok.\n",
    );
    check_messages(
        &module,
        expect![[r#"
        8:14 syntax_error: expected an operator, ',', ';' or the full stop of the function, found the atom ok
    "#]],
    );
    let options = Options { release: 27, ..Options::default() };
    check_messages(
        &read_with("f() -> maybe.\n", &[], &options),
        expect![[r#"
        1:13 syntax_error: expected an expression, found the full stop that ends the form
            this 'maybe' is still open: maybe
    "#]],
    );
}

#[test]
fn macros_from_the_command_line() {
    let define = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
    let defines = vec![
        define("A", None),
        define("B", Some("{1, x}")),
        define("LINE", Some("1")),
        define("C", Some("\"")),
    ];
    let options = Options { defines, ..Options::default() };
    let module = read_with("f() -> {?A, ?B}.\n", &[], &options);
    check_messages(
        &module,
        expect![[r#"
        1:1 redefine_predef: macro 'LINE' is predefined and cannot be defined again
        1:1 bad_define: the macro 'C' from the command line has a value that is no Erlang term
    "#]],
    );
    check_tokens(
        &module,
        expect![[r#"
        1:1 f
        1:2 (
        1:3 )
        1:5 ->
        1:8 {
        1:10 ?A <- ?A
        1:11 ,
        1:14 ?B <- ?B
        1:14 ?B <- ?B
        1:14 ?B <- ?B
        1:14 ?B <- ?B
        1:14 ?B <- ?B
        1:15 }
        1:16 .
    "#]],
    );
}

#[test]
fn documentation_from_a_file() {
    let options = Options { release: 27, ..Options::default() };
    let text = "-doc({file, \"no.md\"}).\n-moduledoc {file, \"d.md\"}.\n";
    let module = read_with(text, &[("d.md", "hello\n")], &options);
    check_messages(
        &module,
        expect![[r#"
        1:6 doc: the documentation file "no.md" cannot be read
    "#]],
    );
    check_tokens(
        &module,
        expect![[r#"
        2:1 -
        2:2 moduledoc
        2:12 {file, "d.md"}
        2:26 .
    "#]],
    );
}

#[test]
fn limits() {
    let module = read("-define(L(X), ?X(X)).\nf() -> ?L(L).\ng() -> ok.\n");
    check_messages(
        &module,
        expect![[r#"
        2:11 expansion_too_large: the macros of this form expand to too many tokens
    "#]],
    );
    let large = vec![b' '; MAX_FILE_BYTES + 1];
    let module = read_module_bytes(Path::new("m.erl"), large, &Table(&[]), &Options::default());
    check_messages(
        &module,
        expect![[r#"
        1:1 file_too_large: the file has 67108865 bytes; more than 67108864 are not read
    "#]],
    );
    let module = read_module(Path::new("nothing.erl"), &Table(&[]), &Options::default());
    check_messages(
        &module,
        expect![[r#"
        1:1 unreadable: the file cannot be read: entity not found
    "#]],
    );
}
