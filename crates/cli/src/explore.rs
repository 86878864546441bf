//! `erlscope explore` and `erlscope replay`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use atom::Atom;
use explore::finding::{Finding, Findings, Kind, Rules};
use explore::schedule::Witness;
use explore::story;
use explore::{Bounds, Execution, Search, Statistics};
use machine::world::World;
use machine::{Machine, Pid};
use runner::loader::{Modules, Prefer, ProgramLoader};
use runner::sources::Sources;

use crate::args::{Explore, Reading, Replay, RunFormat, Running};
use crate::exit::Exit;
use crate::front_end::{self, Reader};
use crate::interrupt;
use crate::output;
use crate::run::{is_library_call, split};

/// A world for programs that are run again and again: what they write is not shown.
struct Silent;

impl World for Silent {
    fn print(&self, _: &str) {}

    fn start_time(&self) -> u64 {
        1_700_000_000_000_000_000
    }
}

/// A Machine that is about to make the call, step by step.
fn machine_for(
    paths: &[PathBuf],
    call: &str,
    running: &Running,
    reading: &Reading,
) -> Result<(Machine, Pid), String> {
    let reader = Reader::new(reading).map_err(|problem| problem.to_string())?;
    let wanted = match paths.is_empty() {
        true if is_library_call(call) => Vec::new(),
        true => vec![PathBuf::from(".")],
        false => paths.to_vec(),
    };
    let options = reader.discover_options(&[], false);
    let sources = Sources::discover(&wanted, options, reader.library.clone());
    if let Some(problem) = sources.discovery.problems.first()
        && !paths.is_empty()
    {
        return Err(front_end::shown(problem).to_string());
    }
    let prefer = if running.prefer_otp { Prefer::Otp } else { Prefer::Embedded };
    let loader = ProgramLoader::of(Modules::Sources(Rc::new(sources)), prefer);
    let entry = Atom::new("erlscope_entry");
    let text = format!("-module(erlscope_entry).\n-export([main/0]).\nmain() -> {call}.\n");
    let tree = loader.add_source(entry, &text);
    if let Some(found) = tree.diagnostics.first() {
        return Err(format!("cannot read `{call}`: {}", found.message));
    }
    let mut machine = Machine::new(Rc::new(loader), Rc::new(Silent));
    if !machine.ensure_loaded(entry) {
        return Err(format!("cannot run `{call}`"));
    }
    if let Some((module, rest)) = call.split_once(':') {
        let module = Atom::new(module.trim().trim_matches('\''));
        if !machine.ensure_loaded(module) {
            return Err(format!("there is no module {module}"));
        }
        let name = rest.split('(').next().unwrap_or_default().trim().trim_matches('\'');
        let exported = machine
            .code
            .module(module)
            .is_some_and(|info| info.exports.iter().any(|(exported, _)| exported.as_str() == name));
        if !exported {
            return Err(format!("{module} exports no function {name}"));
        }
    }
    machine.start_stepping();
    let main = machine.spawn(entry, Atom::new("main"), Vec::new());
    Ok((machine, main))
}

pub(crate) fn explore(explore: &Explore) -> ExitCode {
    let (paths, call) = split(&explore.what);
    let Some(call) = call else {
        output::complain("which function? For example: erlscope explore PATH m:f");
        return Exit::Unusable.into();
    };
    match machine_for(&paths, &call, &explore.running, &explore.reading) {
        Ok((machine, main)) => search(explore, &paths, &call, machine, main),
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}

fn search(
    explore: &Explore,
    paths: &[PathBuf],
    call: &str,
    machine: Machine,
    main: Pid,
) -> ExitCode {
    interrupt::watch();
    let started = Instant::now();
    let bounds = Bounds {
        max_executions: explore.max_executions.unwrap_or(u64::MAX),
        max_depth: explore.max_depth,
        after_limit: explore.after_limit.unwrap_or(u64::MAX),
    };
    let mut findings = Findings::new(Rules {
        normal: explore.treat_as_normal.clone(),
        ignored: explore.ignore.clone(),
        main: Some(main),
        first: main.0,
    });
    let timeout = explore.running.timeout;
    let mut stopped = None;
    let mut seen = 0u64;
    let mut erroneous = 0u64;
    let mut search = Search::new(machine.clone(), bounds);
    let statistics = search.run(|execution| {
        seen += 1;
        let wrong = findings.look(execution);
        erroneous += u64::from(wrong);
        if wrong && explore.first {
            stopped = Some("an error was found");
        } else if interrupt::interrupted() {
            stopped = Some("it was interrupted");
        } else if seen.is_multiple_of(64) && timeout.is_some_and(|limit| started.elapsed() > limit)
        {
            stopped = Some("the time was up");
        }
        stopped.is_none()
    });
    let found = findings.into_list();
    let witnesses = match write_witnesses(explore, paths, call, &machine, &found) {
        Ok(witnesses) => witnesses,
        Err(message) => {
            output::complain(&message);
            return Exit::Unusable.into();
        }
    };
    let unsupported = found.iter().any(|finding| finding.kind == Kind::Unsupported);
    let why = stopped.or(match statistics {
        Statistics { complete: true, .. } if unsupported => {
            Some("executions ended where something is not supported")
        }
        Statistics { complete: true, .. } => None,
        Statistics { too_deep: 1.., .. } => Some("executions were longer than --max-depth"),
        _ => Some("--max-executions was reached"),
    });
    let summary = Summary { call, statistics, erroneous, why, started };
    let told = match explore.format {
        RunFormat::Json => summary.json(&found, &witnesses),
        RunFormat::Text => summary.text(&machine, &found, &witnesses),
    };
    if let Err(error) = output::write_all(told.as_bytes()) {
        return output::failed(&error).into();
    }
    match (found.is_empty(), why) {
        (false, _) => Exit::SomethingFound,
        (true, Some(_)) => Exit::Incomplete,
        (true, None) => Exit::NothingFound,
    }
    .into()
}

/// Writes a file for each finding, if asked for.
fn write_witnesses(
    explore: &Explore,
    paths: &[PathBuf],
    call: &str,
    machine: &Machine,
    found: &[Finding],
) -> Result<Vec<Option<PathBuf>>, String> {
    let Some(dir) = &explore.witnesses else { return Ok(vec![None; found.len()]) };
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let write = |(number, finding): (usize, &Finding)| {
        let path = dir.join(format!("{}-{}.witness", finding.kind.name(), number + 1));
        let witness = Witness {
            paths: paths.iter().map(|path| absolute(path)).collect(),
            call: call.to_owned(),
            finding: format!("{} {}", finding.kind.name(), finding.message),
            pids: machine.pid_names(),
            schedule: finding.schedule.clone(),
        };
        match std::fs::write(&path, witness.to_text()) {
            Ok(()) => Ok(Some(path)),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    };
    found.iter().enumerate().map(write).collect()
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

struct Summary<'a> {
    call: &'a str,
    statistics: Statistics,
    erroneous: u64,
    /// Why the search did not come to its end.
    why: Option<&'a str>,
    started: Instant,
}

impl Summary<'_> {
    fn text(&self, machine: &Machine, found: &[Finding], witnesses: &[Option<PathBuf>]) -> String {
        let mut text = String::new();
        for (finding, witness) in found.iter().zip(witnesses) {
            let _ = writeln!(text, "{}: {}", finding.kind.name(), finding.message);
            let times = if finding.count == 1 { "execution" } else { "executions" };
            let _ = writeln!(text, "  in {} {times}; the simplest:", finding.count);
            let told = story::tell(&mut machine.clone(), &finding.schedule);
            story_text(&told.lines, &mut text);
            if let Some(witness) = witness {
                let _ = writeln!(text, "  replay: erlscope replay {}", witness.display());
            }
            text.push('\n');
        }
        let statistics = self.statistics;
        let _ = write!(
            text,
            "{}: {} execution{} explored, {} with errors",
            self.call,
            statistics.executions,
            if statistics.executions == 1 { "" } else { "s" },
            self.erroneous
        );
        // Short times are nobody's concern, and would make equal runs print different texts.
        let seconds = self.started.elapsed().as_secs();
        let _ = match seconds {
            0 => writeln!(text),
            _ => writeln!(text, " ({seconds} s)"),
        };
        let _ = match (self.why, found.is_empty()) {
            (None, true) => writeln!(text, "complete: no schedule of this test fails"),
            (None, false) => writeln!(text, "complete: these are all errors of this test"),
            (Some(why), _) => {
                writeln!(text, "not complete: {why}; other schedules may behave otherwise")
            }
        };
        text
    }

    fn json(&self, found: &[Finding], witnesses: &[Option<PathBuf>]) -> String {
        let findings: Vec<report::explore::Finding> = found
            .iter()
            .zip(witnesses)
            .map(|(finding, witness)| report::explore::Finding {
                kind: finding.kind.name(),
                message: finding.message.clone(),
                count: finding.count,
                witness: witness.as_ref().map(|path| path.display().to_string()),
                file: finding.place.as_ref().map(|place| place.0.clone()),
                line: finding.place.as_ref().map(|place| place.1),
                preemptions: finding.schedule.preemptions,
            })
            .collect();
        let statistics = self.statistics;
        report::explore::Explored::new(report::explore::Figures {
            call: self.call.to_owned(),
            executions: statistics.executions,
            erroneous: self.erroneous,
            redundant: statistics.abandoned,
            events: statistics.events,
            complete: self.why.is_none(),
            incomplete_because: self.why.map(str::to_owned),
            findings,
        })
        .to_json()
    }
}

fn story_text(lines: &[story::Line], text: &mut String) {
    for line in lines {
        let place = match &line.place {
            Some((file, number)) => format!("  ({file}:{number})"),
            None => String::new(),
        };
        let _ = writeln!(text, "    {} {}{place}", line.who, line.what);
    }
}

/// Runs a witness again.
pub(crate) fn replay(replay: &Replay) -> ExitCode {
    match replayed(replay) {
        Ok(exit) => exit.into(),
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}

fn replayed(replay: &Replay) -> Result<Exit, String> {
    let shown = replay.witness.display();
    let text = std::fs::read_to_string(&replay.witness).map_err(|e| format!("{shown}: {e}"))?;
    let witness = Witness::from_text(&text).map_err(|message| format!("{shown}: {message}"))?;
    let paths: Vec<PathBuf> = witness.paths.iter().map(PathBuf::from).collect();
    let (mut machine, main) = machine_for(&paths, &witness.call, &replay.running, &replay.reading)?;
    machine.set_pid_names(&witness.pids);
    let told = story::tell(&mut machine, &witness.schedule);
    let whole = told.whole;
    let mut text = String::new();
    story_text(&told.lines, &mut text);
    let execution = Execution::at_end(&machine, told.ended);
    let mut findings = Findings::new(Rules { main: Some(main), first: main.0, ..Rules::default() });
    let wrong = findings.look(&execution);
    for finding in findings.into_list() {
        let _ = writeln!(text, "{}: {}", finding.kind.name(), finding.message);
    }
    if !whole {
        let _ =
            writeln!(text, "the schedule cannot be followed to its end: the program has changed");
    }
    output::write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(match (whole, wrong) {
        (false, _) => Exit::Incomplete,
        (true, true) => Exit::SomethingFound,
        (true, false) => Exit::NothingFound,
    })
}
