//! Programs on the judge and on the Machine: both run `corpus_peer:run(Module)` and the texts are
//! compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;

use machine::Machine;
use machine::world::Sealed;
use program::Program;
use program::load::LoadOptions;
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::InTurn;

const PEER: &str = include_str!("corpus_peer.erl");

/// One program: the name of its module, and its text.
pub(crate) struct Source {
    pub name: String,
    pub text: String,
}

/// What became of a program on both sides.
pub(crate) struct Compared {
    pub name: String,
    pub judge: String,
    pub machine: String,
    /// Whether the judge's compiler has made what is behind an `after` a function of its own.
    #[allow(dead_code, reason = "only where stack traces are compared")]
    pub has_after: bool,
}

/// Whether there is a judge.
pub(crate) fn has_judge() -> bool {
    std::env::var_os("ERLSCOPE_NO_JUDGE").is_none()
        && Command::new("erl")
            .args(["-noshell", "-eval", "halt()."])
            .output()
            .is_ok_and(|output| output.status.success())
}

/// Runs every program on both.
///
/// `options` are for the judge's compiler: `, no_copt` for one that leaves calls where they are, so
/// that stack traces show them all.
pub(crate) fn compare(
    sources: &[Source],
    set: &str,
    options: &str,
    prefer: Prefer,
) -> Vec<Compared> {
    let dir = std::env::temp_dir().join(format!("erlscope-peer-{set}-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a directory for the programs");
    let mut paths = vec![write(&dir, "corpus_peer", PEER)];
    paths.extend(sources.iter().map(|source| write(&dir, &source.name, &source.text)));
    let told = judge(&dir, sources, options);
    let named = |what: &str| -> Vec<&str> {
        told.lines().filter_map(|line| line.strip_prefix(what)).collect()
    };
    let (not_compiled, with_after) = (named("not compiled: "), named("behind after: "));
    let options = LoadOptions {
        without_lint: true,
        without_otp: prefer == Prefer::Embedded,
        ..LoadOptions::default()
    };
    let program = Arc::new(Program::load(&paths, &options).expect("programs are read"));
    let node = Node::new(&program, prefer);
    let compared = sources
        .iter()
        .filter(|source| !not_compiled.contains(&source.name.as_str()))
        .map(|source| Compared {
            name: source.name.clone(),
            judge: fs::read_to_string(dir.join(format!("{}.out", source.name)))
                .unwrap_or_else(|error| format!("no result of the judge: {error}")),
            machine: node.run(&source.name),
            has_after: with_after.contains(&source.name.as_str()),
        })
        .collect();
    let _ = fs::remove_dir_all(&dir);
    compared
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(format!("{name}.erl"));
    fs::write(&path, text).expect("a program is written");
    path
}

/// Compiles and runs all programs in one node. Those that OTP's compiler takes for a mistake of its
/// own (its last pass checks what the others made), or that one of its passes crashes on or does
/// not come to an end with, are not run, and named in what it says, which is given back.
fn judge(dir: &Path, sources: &[Source], options: &str) -> String {
    let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
    let compile = format!(
        "Compile = fun(M) -> \
             {{Pid, Ref}} = spawn_monitor(fun() -> \
                 exit({{done, compile:file(M, [nowarn, return_errors{options}])}}) end), \
             receive {{'DOWN', Ref, _, _, {{done, Done}}}} -> Done; {{'DOWN', Ref, _, _, Other}} -> Other \
             after 120000 -> exit(Pid, kill), endless end end, \
         Compiled = lists:filter(fun(M) -> case Compile(M) of {{ok, _}} -> true; \
         endless -> io:format(\"not compiled: ~s~n\", [M]), false; \
         {{error, [{{_, [{{none, compile, {{crash, _, _, _}}}} | _]}}], _}} -> io:format(\"not compiled: ~s~n\", [M]), false; \
         {{error, [{{_, [{{_, beam_validator, _}} | _]}}], _}} -> io:format(\"not compiled: ~s~n\", [M]), false; \
         Error -> io:format(\"~p: ~p~n\", [M, Error]), put(failed, true), false end end, [corpus_peer, {0}]), \
         get(failed) =:= true andalso halt(1), \
         corpus_peer:all(tl(Compiled), \".\").",
        names.join(", ")
    );
    // Only where it is wanted: it makes `maybe` a word that needs quotes.
    let uses_maybe = sources.iter().any(|source| source.text.contains("maybe_expr"));
    let feature: &[&str] = if uses_maybe { &["-enable-feature", "maybe_expr"] } else { &[] };
    let output = Command::new("erl")
        .args(feature)
        .args(["-noshell", "-eval", &compile])
        .env("ERL_CRASH_DUMP", "/dev/null")
        .current_dir(dir)
        .output()
        .expect("erl runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "erl: {told}");
    told.into_owned()
}

/// A node on which programs run, each on a copy of its own.
struct Node {
    loader: Rc<ProgramLoader>,
    world: Rc<Sealed>,
    booted: Machine,
}

impl Node {
    fn new(program: &Arc<Program>, prefer: Prefer) -> Node {
        let loader = Rc::new(ProgramLoader::new(Arc::clone(program), prefer));
        let world = Rc::new(Sealed::default());
        let booted = run::boot(loader.clone(), world.clone()).expect("a node starts");
        Node { loader, world, booted }
    }

    /// What the Machine prints.
    fn run(&self, name: &str) -> String {
        let limits = Limits { steps: Some(4_000_000_000), ..Limits::default() };
        run::entry(&self.loader, &format!("corpus_peer:run({name})")).expect("a call");
        let (end, _) = run::run(&mut self.booted.clone(), &mut InTurn, &limits);
        let mut shown = self.world.output.take();
        match end {
            machine::Ending::Returned(_) => {}
            other => shown.push_str(&format!("ended: {other:?}\n")),
        }
        for problem in self.loader.problems().take() {
            shown.push_str(&format!("{}: {}\n", problem.module, problem.message));
        }
        shown
    }
}
