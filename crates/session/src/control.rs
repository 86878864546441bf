//! Between a front and the work that it has asked for: whether to stop, and how far it is.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::explore::Execution;
use ::explore::finding::Findings;
use runner::limits::{Bound, Over};
use runner::world::Kept;

use crate::explore::Explored;
use crate::run::LoadProblem;
use crate::test::ModuleAnswer;

/// How a front takes part in the work that it has asked for. The default takes no part.
#[derive(Clone, Default)]
pub struct Control {
    over: Over,
    watch: Option<Arc<dyn Watch>>,
}

/// Hears how far the work is. It may be called from several threads.
pub trait Watch: Send + Sync {
    fn hear(&self, progress: Progress<'_>);

    /// Hears that one more execution was looked at.
    fn hear_execution(&self, _execution: &Execution<'_>, _findings: &Findings) {}
}

/// How far the work is.
pub enum Progress<'a> {
    /// Something that the user should know and that is no part of the answer.
    Note(Note),
    /// A run begins whose output is kept; what there is of it can be seen at any time.
    Running { output: Kept },
    /// A search begins; a limit of time counts from here.
    SearchBegins { name: &'a str },
    /// What was explored so far does not count: the search begins again.
    BeginsAgain,
    /// From time to time: so many executions, and the part of all that they are expected to be
    /// (0 if nothing is known about that).
    Exploring { executions: u64, elapsed: Duration, share: f64 },
    /// Something was found that was not known before, or what is known was put together.
    Found { findings: &'a Findings },
    /// A search pauses or has come to its end, so that something else can be shown.
    SearchEnds,
    /// An exploration is over.
    Explored(&'a Explored),
    /// A file with tests could not be read.
    Unreadable(&'a LoadProblem),
    /// A module of tests is done; modules are told in their order.
    Tested(&'a ModuleAnswer),
    /// So many modules are to be checked.
    Checking { modules: usize },
    /// One more of them is done.
    Checked,
    /// What both versions do is compared: of a function or a server, and how many of all are done.
    Comparing { name: &'a str, done: usize, all: usize },
    /// Paths of a function were taken; errors among them; expressions, clauses and conditions that
    /// were reached.
    Concolic { paths: usize, errors: usize, reached: usize },
    /// It was tried to prove so many contracts.
    Proving { done: usize, all: usize },
}

/// Something that the user should know and that is no part of an answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Note {
    /// A module of the program could not be loaded: whoever calls it finds nothing there.
    Unloadable { module: String, file: PathBuf, line: u32, message: String },
    /// Dependencies of the program are not there: what was said of them, and what to do.
    NotFetched { message: String, help: String },
    /// A module of Erlscope's own was taken in place of one whose functions are native code.
    StandsIn { module: String },
    /// A file that a recorded run read is not as it was; `gone` if it cannot be read any more.
    ReadFileChanged { file: String, gone: bool },
}

impl Control {
    /// A front that says when to stop, and may watch.
    pub fn new(over: Over, watch: Option<Arc<dyn Watch>>) -> Control {
        Control { over, watch }
    }

    /// The same for work of which nobody hears.
    pub fn unheard(&self) -> Control {
        Control { over: self.over.clone(), watch: None }
    }

    /// The same for a part of the work that has so much time.
    pub(crate) fn within(&self, time: Duration) -> Control {
        let (over, end) = (self.over.clone(), Instant::now() + time);
        let is_late = move || (Instant::now() >= end).then_some(Bound::RealTime(time));
        Control { over: Over::new(move || over.reached().or_else(&is_late)), watch: None }
    }

    /// What the front has found that ends the work.
    pub fn bound(&self) -> Option<Bound> {
        self.over.reached()
    }

    pub fn is_over(&self) -> bool {
        self.bound().is_some()
    }

    pub(crate) fn over(&self) -> &Over {
        &self.over
    }

    pub(crate) fn hear(&self, progress: Progress<'_>) {
        if let Some(watch) = &self.watch {
            watch.hear(progress);
        }
    }

    pub(crate) fn hear_execution(&self, execution: &Execution<'_>, findings: &Findings) {
        if let Some(watch) = &self.watch {
            watch.hear_execution(execution, findings);
        }
    }

    pub(crate) fn note(&self, note: Note) {
        self.hear(Progress::Note(note));
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("is_watched", &self.watch.is_some()).finish_non_exhaustive()
    }
}
