//! What OTP's version of an embedded module exports and ours does not: calls of that are not
//! supported, which is another thing than undefined. `machine::builtins::absent` has the list; here
//! it is compared with the installed OTP (`UPDATE_EXPECT=1` writes it anew).

#[allow(dead_code, reason = "only the question whether there is a judge")]
mod peer;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::world::Sealed;
use program::Program;
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run::run_call;

/// Prints a line for each module that has functions which are not here.
const LOOK: &str = r#"
-module(look).
-export([main/0]).
main() -> [show(M, [FA || {F, A} = FA <- Fs, not erlang:function_exported(M, F, A)])
           || {M, Fs} <- exports(), {module, _} <- [code:ensure_loaded(M)]].
show(_, []) -> ok;
show(M, Fs) -> io:format("~s:~ts~n", [M, [io_lib:format(" ~ts/~w", [F, A]) || {F, A} <- lists:sort(Fs)]]).
"#;

/// The modules of the library, as an Erlang list.
fn modules() -> String {
    let names = stdlib::files().filter_map(|source| {
        let path = Path::new(source.path);
        let is_module = path.extension().is_some_and(|extension| extension == "erl");
        path.file_stem().filter(|_| is_module).map(|stem| stem.to_string_lossy().into_owned())
    });
    format!("[{}]", names.collect::<Vec<_>>().join(","))
}

/// `[{Module, Exports}]` of those that OTP has; none if it is another release than the list's.
fn exports() -> String {
    let ask = format!(
        "io:format(\"~w\", [[{{M, M:module_info(exports)}} || \"25\" =:= erlang:system_info(otp_release), \
         M <- {}, code:ensure_loaded(M) =:= {{module, M}}]]), halt().",
        modules()
    );
    let output = Command::new("erl").args(["-noshell", "-eval", &ask]).output().expect("erl runs");
    assert!(output.status.success(), "erl: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).expect("a list")
}

#[test]
fn as_in_otp() {
    if !peer::has_judge() {
        println!("skipped: no judge");
        return;
    }
    let program = Program::load(&[], &Default::default()).expect("an empty program");
    let loader = ProgramLoader::new(Arc::new(program), Prefer::Embedded);
    let exports = exports();
    loader.add_source(Atom::new("look"), &format!("{LOOK}\nexports() -> {exports}.\n"));
    let world = Rc::new(Sealed::default());
    let report = run_call(loader, "look:main()", Rc::clone(&world) as _, &Limits::default());
    let returned = matches!(report.end, machine::Ending::Returned(_));
    assert!(returned, "{:?}", report.end);
    let found = world.output.borrow().clone();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machine/src/builtins/absent.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&list, &found).expect("the list is written");
    }
    // Not every application of OTP need be installed.
    let is_installed = |line: &&str| {
        line.split_once(':').is_some_and(|(module, _)| exports.contains(&format!("{{{module},")))
    };
    let listed = fs::read_to_string(&list).expect("the list");
    let listed: Vec<&str> = listed.lines().filter(is_installed).collect();
    assert_eq!(listed, found.lines().collect::<Vec<_>>());
}
