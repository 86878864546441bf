//! Programs that are changed in one place, compared with the program as it was: how many changes
//! are noticed, with guided inputs and with blind ones; and whether the BEAM does what is said
//! about each version: there, too, the input shows a difference.
//!
//! Changes of programs that start processes count apart: what they do may depend on the schedule,
//! and the BEAM may show it rarely; each is tried several times there.
//!
//! `COMPARE_FULL=1` goes through all programs and prints a table; otherwise some are taken.

#[allow(dead_code, reason = "shared with the study of the debugger")]
mod study;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use session::compare::{Request, Verdict, compare};
use session::inputs::Options;
use session::{Control, Running};
use study::{Program, mutants, programs};

fn is_full() -> bool {
    std::env::var_os("COMPARE_FULL").is_some()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Changes of a program that are tried.
fn most() -> usize {
    if is_full() { 16 } else { 3 }
}

/// A difference that was found.
struct Found {
    old: PathBuf,
    new: PathBuf,
    about: String,
    call: String,
}

#[derive(Default, Clone)]
struct Tally {
    mutants: usize,
    guided: usize,
    blind: usize,
    unreached: usize,
    inputs: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.mutants += other.mutants;
        self.guided += other.guided;
        self.blind += other.blind;
        self.unreached += other.unreached;
        self.inputs += other.inputs;
    }

    fn print(&self, what: &str) {
        let Tally { mutants, guided, blind, unreached, inputs } = self;
        println!(
            "{what}: {mutants} mutants, {guided} noticed ({:.1} %), {blind} by blind inputs, \
             {unreached} unreached, {inputs} inputs",
            100.0 * *guided as f64 / (*mutants).max(1) as f64
        );
    }
}

fn request(old: &Path, new: &Path, guided: bool) -> Request {
    let runs = number("COMPARE_RUNS").unwrap_or(if is_full() { 500 } else { 100 });
    Request {
        options: Options { runs, guided, shrinking: 300, ..Options::default() },
        running: Running { max_steps: Some(50_000), ..Running::default() },
        ..Request::new(vec![old.to_owned()], vec![new.to_owned()])
    }
}

fn study(program: &Program, root: &Path, found: &mut Vec<Found>) -> Tally {
    let control = Control::default();
    let mut tally = Tally::default();
    let all = mutants(&program.text);
    let step = all.len().div_ceil(most()).max(1);
    for (nth, mutant) in all.iter().step_by(step).enumerate() {
        let dir = root.join(format!("{}_{nth}", program.name));
        std::fs::create_dir_all(&dir).expect("a directory");
        let changed = dir.join(format!("{}.erl", program.name));
        std::fs::write(&changed, &mutant.text).expect("a file");
        // Some cannot be compiled.
        let Ok(answer) = compare(&request(&program.path, &changed, true), &control) else {
            continue;
        };
        tally.mutants += 1;
        tally.inputs += answer.runs();
        match answer.verdict {
            Verdict::Different => tally.guided += 1,
            Verdict::Unreached => tally.unreached += 1,
            Verdict::Same | Verdict::Proven => {}
        }
        let blind = compare(&request(&program.path, &changed, false), &control).expect("it was");
        tally.blind += usize::from(blind.verdict == Verdict::Different);
        let shown = mutant.text.lines().nth(mutant.line as usize - 1).unwrap_or_default();
        for (_, difference) in answer.differences() {
            // Sequences are several calls.
            if difference.old_call.contains('\n') {
                continue;
            }
            found.push(Found {
                old: program.path.clone(),
                new: changed.clone(),
                about: format!("{}:{}: {}", program.name, mutant.line, shown.trim()),
                call: difference.old_call.clone(),
            });
        }
    }
    tally
}

/// What the BEAM says: those of which both versions do the same there, in several tries.
fn same_on_the_beam(found: &[Found], root: &Path) -> Option<Vec<String>> {
    let mut list = String::new();
    for (number, Found { old, new, call, .. }) in found.iter().enumerate() {
        let call = call.replace('\\', "\\\\").replace('"', "\\\"");
        let (old, new) = (old.display(), new.display());
        let _ = writeln!(list, "{{{number}, \"{old}\", \"{new}\", \"{call}\"}}.");
    }
    std::fs::write(root.join("found.txt"), list).expect("a file");
    let helper = stdlib::module(inputs::input::MODULE).expect("the library has it");
    std::fs::write(root.join("erlscope_inputs.erl"), helper.text).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/beam/differs.escript");
    let output = Command::new("escript").arg(script).arg(root).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("done"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let same = text.lines().filter_map(|line| line.strip_prefix("same "));
    Some(
        same.filter_map(|line| {
            let (number, rest) = line.split_once(' ')?;
            let Found { about, call, .. } = found.get(number.parse::<usize>().ok()?)?;
            Some(format!("{about}\n  {call}: {rest}"))
        })
        .collect(),
    )
}

#[test]
fn changes_are_noticed() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compare_mutants");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).expect("a directory");
    let step = if is_full() { 1 } else { 29 };
    let mut tallies: [Tally; 2] = Default::default();
    let mut found: [Vec<Found>; 2] = Default::default();
    for program in programs().iter().step_by(step) {
        let kind = usize::from(program.is_concurrent);
        let tally = study(program, &root, &mut found[kind]);
        if is_full() && tally.mutants > 0 {
            tally.print(&program.name);
        }
        tallies[kind].add(&tally);
    }
    tallies[0].print("sequential");
    tallies[1].print("concurrent");
    for (kind, found) in ["sequential", "concurrent"].iter().zip(&found) {
        match same_on_the_beam(found, &root) {
            Some(same) => {
                let (all, wrong) = (found.len(), same.len());
                println!("{kind}: {all} differences, {wrong} not on the BEAM\n{}", same.join("\n"));
                assert!(same.is_empty(), "{}", same.join("\n"));
            }
            None => println!("there is no escript to compare with"),
        }
    }
    let [sequential, concurrent] = tallies;
    assert!(sequential.guided * 10 >= sequential.mutants * 6, "too few are noticed");
    assert!(concurrent.mutants > 0);
}
