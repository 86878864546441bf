//! Inferred types against those of OTP's dialyzer, function by function.
//!
//! Modules of OTP's applications (stdlib and kernel, unless others are named) are inferred here
//! from their sources, those of packages (`DIR`, an application or a directory of several) from
//! what their compiled code tells of them; and by dialyzer from copies of their compiled code
//! without specs, with a table (PLT) of erts, kernel, stdlib and compiler that is made once and
//! kept under `target`. Each function's arguments and result are compared. Ours is *equal* or
//! *narrower* if every part is inside dialyzer's; *wider* if one is not; *other* if one is not,
//! and neither the other way round; *never* if dialyzer says that the function is never called or
//! never returns.
//!
//! Dialyzer believes what records are declared to hold; with `--believe-records` we do, too.
//!
//! With `--show FILE` every type that is inferred here is written to a file, to be compared with
//! what another version of this program says.
//!
//! With `--mutants N` it is compared who finds specs that were made wrong ([`mutants`]).
//! With `--runs` types are held against what happens instead ([`runs`]).
//!
//! CPU time is that of the whole analysis on either side; dialyzer's with the time to load its
//! table.

mod classes;
mod mutants;
pub(crate) mod runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use atom::Atom;
use program::{LoadOptions, Program};
use types::Type;
use types::declared::Declarations;
use types::infer::{Inferred, Options, infer};

use crate::bench::flow::cpu_seconds;
use crate::problem::{Problem, Result};
use classes::beside;

const JUDGE: &str = include_str!("erlscope_type_judge.erl");

pub(crate) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    if arguments.contains(&"--runs") {
        return runs::run(root, arguments);
    }
    let show = arguments.iter().position(|argument| *argument == "--show");
    let wanted = Wanted {
        show_wider: arguments.contains(&"--wider"),
        show: show.and_then(|at| Some(PathBuf::from(arguments.get(at + 1)?))),
        recorded: arguments.contains(&"--recorded"),
        infer: Options {
            findings: false,
            believe_records: arguments.contains(&"--believe-records"),
            ..Options::default()
        },
    };
    let mutants = arguments.iter().position(|argument| *argument == "--mutants");
    let wanted_mutants = mutants.and_then(|at| arguments.get(at + 1)?.parse::<usize>().ok());
    let is_value = |at: usize| at > 0 && matches!(arguments[at - 1], "--mutants" | "--show");
    let applications: Vec<&str> = arguments
        .iter()
        .enumerate()
        .filter(|(at, argument)| !argument.starts_with("--") && !is_value(*at))
        .map(|(_, argument)| *argument)
        .collect();
    let applications =
        if applications.is_empty() { vec!["stdlib", "kernel"] } else { applications };
    let done = match (mutants, wanted_mutants) {
        (None, _) => compare(root, &applications, &wanted),
        (Some(_), Some(number)) => {
            let plan = mutants::Plan {
                applications: &applications,
                wanted: number,
                show: wanted.show_wider,
                recorded: wanted.recorded,
            };
            Judge::new(root).and_then(|judge| mutants::run(&judge, &plan))
        }
        (Some(_), None) => Err("--mutants takes a number".to_owned().into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("typings: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// How one type stands to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Equal,
    Narrower,
    Other,
    Wider,
    /// Dialyzer says that it is never called, or never returns, and we do not.
    Never,
}

impl Verdict {
    fn of(ours: &Type, theirs: &Type) -> Verdict {
        match (ours.is_within(theirs), theirs.is_within(ours)) {
            (true, true) => Verdict::Equal,
            (true, false) => Verdict::Narrower,
            (false, true) => Verdict::Wider,
            (false, false) => Verdict::Other,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Narrower => "narrower",
            Verdict::Other => "other",
            Verdict::Wider => "wider",
            Verdict::Never => "never",
        }
    }
}

/// What is compared, and what is shown of it.
struct Wanted {
    show_wider: bool,
    /// Where all of ours are written to.
    show: Option<PathBuf>,
    /// What dialyzer said last time is enough.
    recorded: bool,
    infer: Options,
}

fn compare(root: &Path, applications: &[&str], wanted: &Wanted) -> Result<()> {
    let judge = Judge::new(root)?;
    let (texts, theirs) = judge.infer(applications, wanted.recorded)?;
    let before = cpu_seconds();
    let mut sources = Vec::new();
    for directory in judge.directories(applications)? {
        match directory.join("src") {
            source if source.is_dir() => sources.push(source),
            _ => sources.extend(beams(&directory)?),
        }
    }
    let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
    let program = Program::load(&sources, &options).map_err(|error| error.to_string())?;
    let since = |before: Option<f64>| {
        cpu_seconds().zip(before).map_or(0.0, |(after, before)| after - before)
    };
    let reading = since(before);
    let declarations = Declarations::new(Arc::new(program));
    let inferred = infer(&declarations, &wanted.infer);
    let ours = since(before);
    if let Some(path) = &wanted.show {
        std::fs::write(path, shown(&inferred))?;
    }
    let (counts, classes) = tell(&declarations, &inferred, &texts, wanted.show_wider);
    let all: usize = counts.values().sum();
    let count = |verdict: Verdict| counts.get(&verdict).copied().unwrap_or(0);
    for verdict in
        [Verdict::Equal, Verdict::Narrower, Verdict::Other, Verdict::Wider, Verdict::Never]
    {
        println!("{:>9} {:>6}", verdict.text(), count(verdict));
    }
    println!("of the others, what is first wider has beside dialyzer's:");
    for (class, count) in &classes {
        println!("{count:>9} {class}");
    }
    let good = count(Verdict::Equal) + count(Verdict::Narrower);
    println!(
        "{good} of {all} functions ({:.1} %) are equal or narrower",
        good as f64 * 100.0 / all.max(1) as f64
    );
    println!(
        "CPU time: {ours:.2} s here ({reading:.2} s for reading), {theirs:.2} s there: {:.3} of it",
        ours / theirs.max(1e-3)
    );
    Ok(())
}

/// Every function with its clauses.
fn shown(inferred: &Inferred) -> String {
    let mut text = String::new();
    for function in &inferred.functions {
        let (name, arity) = function.function;
        text += &format!("{}:{name}/{arity}\n", function.module);
        for way in &function.signature.ways {
            text += &format!("    ({}) -> {}\n", listed(&way.args), way.result);
        }
    }
    text
}

fn listed(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Compares every function that both know.
fn tell(
    declarations: &Declarations,
    inferred: &Inferred,
    texts: &BTreeMap<String, String>,
    show_wider: bool,
) -> (BTreeMap<Verdict, usize>, BTreeMap<String, usize>) {
    let (mut counts, mut classes) = (BTreeMap::new(), BTreeMap::new());
    for (module, text) in texts {
        for (function, contract) in declarations.specs_in(module, text) {
            let Some(ours) = inferred.function(Atom::new(module), function) else { continue };
            if ours.stub {
                continue;
            }
            let (args, result) = (contract.args(), contract.result());
            let mut verdict = Verdict::of(&ours.result(), &result);
            // One that never returns takes nothing.
            if *ours.result().opened() != Type::None {
                for (ours, theirs) in ours.args().iter().zip(&args) {
                    verdict = match (verdict, Verdict::of(ours, theirs)) {
                        (Verdict::Narrower, Verdict::Wider)
                        | (Verdict::Wider, Verdict::Narrower) => Verdict::Other,
                        (one, other) => one.max(other),
                    };
                }
            }
            if verdict >= Verdict::Other && (result.is_none() || args.iter().any(Type::is_none)) {
                verdict = Verdict::Never;
            }
            *counts.entry(verdict).or_insert(0) += 1;
            if verdict < Verdict::Other {
                continue;
            }
            let class = class(&ours.args(), &ours.result(), &args, &result);
            if show_wider {
                let (name, arity) = function;
                println!("{} {module}:{name}/{arity}: {class}", verdict.text());
                println!("    ours   ({}) -> {}", listed(&ours.args()), ours.result());
                println!("    theirs ({}) -> {result}", listed(&args));
            }
            *classes.entry(class).or_insert(0) += 1;
        }
    }
    (counts, classes)
}

/// What is wider: the first argument that is, else the result.
fn class(args: &[Type], result: &Type, their_args: &[Type], their_result: &Type) -> String {
    if their_result.is_none() || their_args.iter().any(Type::is_none) {
        return "never called, or never returns, says dialyzer".to_owned();
    }
    let found = args.iter().zip(their_args).find_map(|(ours, theirs)| beside(ours, theirs));
    match found {
        Some(class) => format!("argument: {class}"),
        None => format!("result: {}", beside(result, their_result).unwrap_or("nothing")),
    }
}

/// OTP's dialyzer, and what it needs.
struct Judge {
    directory: PathBuf,
}

impl Judge {
    fn new(root: &Path) -> Result<Judge> {
        let directory = root.join("target").join("typings");
        std::fs::create_dir_all(directory.join("stripped"))?;
        let source = directory.join("erlscope_type_judge.erl");
        std::fs::write(&source, JUDGE)?;
        let judge = Judge { directory };
        judge.do_it(Command::new("erlc").arg("-o").arg(&judge.directory).arg(&source))?;
        if !judge.table().exists() {
            eprintln!("building a PLT of erts, kernel, stdlib and compiler (some minutes)");
            let mut dialyzer = Command::new("dialyzer");
            dialyzer.args(["--build_plt", "--output_plt"]).arg(judge.table());
            // It says with its exit code that it has something to say.
            dialyzer.args(["--apps", "erts", "kernel", "stdlib", "compiler", "crypto"]).output()?;
        }
        Ok(judge)
    }

    fn table(&self) -> PathBuf {
        self.directory.join("otp.plt")
    }

    fn do_it(&self, command: &mut Command) -> Result<String> {
        let output = command.output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Problem::from(format!("{command:?}: {said}")));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Where an application is installed.
    fn library(&self, application: &str) -> Result<PathBuf> {
        let ask = format!("io:put_chars(code:lib_dir({application})), halt().");
        Ok(self.do_it(Command::new("erl").args(["-noshell", "-eval", &ask]))?.into())
    }

    /// Where applications are: installed, or below a path.
    fn directories(&self, applications: &[&str]) -> Result<Vec<PathBuf>> {
        let mut directories = Vec::new();
        for application in applications {
            let path = PathBuf::from(application);
            if !application.contains('/') {
                directories.push(self.library(application)?);
            } else if path.join("ebin").is_dir() {
                directories.push(path);
            } else {
                let mut below = Vec::new();
                for entry in std::fs::read_dir(&path)? {
                    below.push(entry?.path());
                }
                below.retain(|directory| directory.join("ebin").is_dir());
                below.sort();
                directories.extend(below);
            }
        }
        Ok(directories)
    }

    /// The types of applications' modules, as specs, and the CPU time for them.
    fn infer(
        &self,
        applications: &[&str],
        recorded: bool,
    ) -> Result<(BTreeMap<String, String>, f64)> {
        let names = applications.join("-").replace('/', "-");
        let out = self.directory.join(format!("theirs-{names}.txt"));
        let time = out.with_extension("time");
        if !(recorded && out.exists() && time.exists()) {
            let milliseconds = self.ask(applications, &out)?;
            std::fs::write(&time, milliseconds)?;
        }
        let milliseconds = std::fs::read_to_string(&time)?;
        let milliseconds: f64 = milliseconds
            .trim()
            .parse()
            .map_err(|_| format!("unexpected answer: {milliseconds}"))?;
        Ok((read(&out)?, milliseconds / 1000.0))
    }

    /// Lets dialyzer write the types of applications' modules; the milliseconds that it took.
    fn ask(&self, applications: &[&str], out: &Path) -> Result<String> {
        let mut beams = Vec::new();
        for directory in self.directories(applications)? {
            beams.extend(self::beams(&directory)?);
        }
        beams.sort();
        let stripped = self.directory.join("stripped");
        let copies: Vec<PathBuf> =
            beams.iter().filter_map(|beam| Some(stripped.join(beam.file_name()?))).collect();
        self.call("strip", [&stripped].into_iter().chain(&beams))?;
        let table = self.table();
        let out = out.to_owned();
        self.call("infer", [&table, &out].into_iter().chain(&copies))
    }

    /// Calls a function of the judge's module with these arguments.
    fn call<'a>(&self, name: &str, paths: impl Iterator<Item = &'a PathBuf>) -> Result<String> {
        let quoted: Vec<String> =
            paths.map(|path| format!("{:?}", path.display().to_string())).collect();
        let call = format!("erlscope_type_judge:{name}([{}]), halt().", quoted.join(", "));
        let mut erl = Command::new("erl");
        erl.args(["-noshell", "-pa"]).arg(&self.directory).args(["-eval", &call]);
        self.do_it(&mut erl)
    }
}

/// The compiled modules of an application, ascending; what another language made is left out.
fn beams(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut beams = Vec::new();
    for entry in std::fs::read_dir(directory.join("ebin"))? {
        let path = entry?.path();
        let is_erlang = path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.ends_with(".beam") && !name.starts_with("Elixir.")
        });
        if is_erlang {
            beams.push(path);
        }
    }
    beams.sort();
    Ok(beams)
}

/// The specs that the judge wrote, by module.
fn read(out: &Path) -> Result<BTreeMap<String, String>> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut module = String::new();
    for line in std::fs::read_to_string(out)?.lines() {
        match line.strip_prefix("%% ") {
            Some(name) => name.trim_matches('\'').clone_into(&mut module),
            None => {
                let text = texts
                    .entry(module.clone())
                    .or_insert_with(|| format!("-module({}).\n", atom::quote::atom(&module)));
                *text += line;
                text.push('\n');
            }
        }
    }
    Ok(texts)
}
