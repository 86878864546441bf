//! Words for what other crates give as data: limits, and why something did not come to its end.
//!
//! This is the one place that knows which options of the command line set which limit.

use session::error::NotesError;
use session::explore::{Incomplete, Spent};
use session::test::Trouble;
use session::{Bound, Error, Note};
use slice::CriterionError;
use syntax::wording::counted;

use crate::words::{self, departed};

/// A limit that ended something.
pub fn bound(bound: &Bound) -> String {
    let option = match bound {
        Bound::Steps(_) => " (--max-steps)",
        Bound::Events(_) => " (--max-depth)",
        Bound::VirtualTime(_) => " (--max-time)",
        Bound::RealTime(_) => " (--timeout)",
        Bound::Memory(_) => " (--max-memory)",
        Bound::NoMoreMemory(_) | Bound::Interrupted => "",
    };
    format!("{bound}{option}")
}

/// Why the tests of a module were not run to their end.
pub fn trouble(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Bound(reached) => bound(reached),
        Trouble::Calls(_) => format!("{trouble} (--max-steps)"),
        _ => trouble.to_string(),
    }
}

/// Why a search did not come to its end, and what it covers.
pub fn incomplete(why: &Incomplete) -> String {
    let also = |also: &Option<Box<Incomplete>>| match also {
        Some(also) => format!("; {}", incomplete(also)),
        None => String::new(),
    };
    match why {
        Incomplete::ErrorFound => "an error was found".to_owned(),
        Incomplete::Bound(Bound::Interrupted) => "it was interrupted".to_owned(),
        Incomplete::Bound(Bound::RealTime(_)) => "the time was up (--timeout)".to_owned(),
        Incomplete::Bound(Bound::NoMoreMemory(_)) => "the system gives no more memory".to_owned(),
        Incomplete::Bound(Bound::Memory(_)) => "--max-memory was reached".to_owned(),
        Incomplete::Bound(other) => bound(other),
        Incomplete::Executions => "--max-executions was reached".to_owned(),
        Incomplete::Depth => "executions were longer than --max-depth".to_owned(),
        Incomplete::EarlyLook => "the dictionary of a process was looked at that the process had \
                                  changed since its last visible action; that this could have come \
                                  later is not explored"
            .to_owned(),
        Incomplete::Limited { to, branches, also: more } => {
            let to = match to {
                Spent::Delays(count) => counted(u64::from(*count), "delay"),
                Spent::Preemptions(count) => counted(u64::from(*count), "preemption"),
            };
            let branches = match branches {
                1 => "1 branch that needs".to_owned(),
                many => format!("{many} branches that need"),
            };
            format!("limited to {to}, {branches} more left out{}", also(more))
        }
        Incomplete::AllWith { preemptions, why } => {
            let all = counted(u64::from(*preemptions), "preemption");
            format!("{}; with at most {all} everything was explored", incomplete(why))
        }
        Incomplete::Random { different, seed, also: more } => {
            let stopped = also(more);
            format!("random executions, {different} different schedules, seed {seed}{stopped}")
        }
        Incomplete::Saved { file, why: None } => format!("what is left is in {}", file.display()),
        Incomplete::Saved { file, why: Some(why) } => {
            format!("{}; what is left is in {}", incomplete(why), file.display())
        }
        Incomplete::Unsupported(what) => {
            format!("something is not supported: {}", words::failure(what))
        }
        Incomplete::Broken(why) => why.clone(),
    }
}

/// Something that the user should know.
pub fn note(note: &Note) -> String {
    match note {
        Note::NotFetched { message, help } => format!("{message}: {help}"),
        Note::StandsIn { module } => {
            format!("module {module} is native code: Erlscope's own stands in for it")
        }
        Note::Unloadable { module, file, line, message } => {
            format!("module {module} could not be loaded: {}:{line}: {message}", file.display())
        }
        Note::ReadFileChanged { file, gone } => {
            let how = if *gone { "cannot be read any more" } else { "has changed since" };
            format!("{file}: the run of the schedule read it, and it {how}")
        }
    }
}

/// Why there is no answer, with the option that is to blame.
pub fn error(error: &Error) -> String {
    match error {
        Error::Otp(message) => format!("--otp: {message}"),
        Error::Permission(message) => format!("--allow: {message}"),
        Error::Reason { reason, message } => format!("--treat-as-normal {reason}: {message}"),
        Error::NoMemoryLimit => "--max-memory is not supported on this system".to_owned(),
        Error::ArgumentsWithoutScript => {
            "arguments after `--` are for a script, not for a call".to_owned()
        }
        Error::NothingToRun => "what shall be run? For example: erlscope run 'm:f()'".to_owned(),
        Error::NoFunction => "which function? For example: erlscope run PATH 'm:f()'".to_owned(),
        Error::Criterion { error: CriterionError::Several { .. }, .. } => {
            format!("{error} or with --occurrence N")
        }
        Error::Criterion { error: CriterionError::NeverChosen { .. }, .. } => {
            format!("{error} (--all-clauses slices all the same)")
        }
        Error::Criterion { error: CriterionError::InMacro { .. }, .. } => {
            format!("{error}, or slice what `erlscope parse --format preprocessed` prints")
        }
        Error::Entry(message) => format!("--entry: {message}"),
        Error::Departed(how) => departed(how),
        Error::Trace { trace, error: inner } => {
            format!("{}: {}", trace.display(), self::error(inner))
        }
        Error::Notes(NotesError::Line(line)) => format!("`{line}` is not understood"),
        Error::Notes(NotesError::Schedule(error)) => error.to_string(),
        Error::TestErrors { .. } => format!("{error}; `erlscope check` shows them"),
        Error::Diagnostics { path, module, errors } => {
            let renderer = crate::Renderer { format: crate::Format::Short, colour: false };
            let found = renderer.render(&module.files, errors);
            let found = found.text();
            let found = found.trim_end();
            format!("{} has errors, so nothing can be said about it:\n{found}", path.display())
        }
        _ => error.to_string(),
    }
}
