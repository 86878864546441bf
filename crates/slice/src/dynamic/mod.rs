//! Slices of one run: only the dependences that happened in it.
//!
//! ```text
//! schedule of a trace ─▶ Machine, run again ─▶ Watcher ─▶ Run (activations, messages, writes, …)
//!                                                          │
//!      Slice ◀── nodes of the program ◀── instances ◀── static graph × Run (instances, reach)
//! ```
//!
//! * [`watch`] follows the run, [`record`] is what is left of it, [`gates`] says what was
//!   evaluated;
//! * [`instances`] makes dependences between instances of them, [`reach`] follows those.
//!
//! Completeness: the program that is left, run under the same schedule as far as it applies, shows
//! the same value at the criterion at that time. A slice of a run is part of the static slice of
//! the same criterion.
//!
//! The watcher needs modules that were loaded with marks, read from the text that the graph was
//! made of.

mod gates;
mod instances;
mod reach;
mod record;
mod watch;

use flow::{ModuleId, Site};

pub use instances::Inexact;
pub use record::Run;
pub use watch::Watcher;

use crate::graph::Graph;
use crate::slice::Slice;

/// How much of a slice of a run is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extent {
    /// A program that runs in the same way up to the criterion.
    #[default]
    SameRun,
    /// What this one value came from; as a program it may fail.
    ThisValue,
}

/// Why there is no slice of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// These modules were not run as they are written.
    OtherText(Vec<ModuleId>),
    /// The criterion has no value in the run.
    NoValue,
    TooLong,
}

/// A slice of a run.
#[derive(Debug)]
pub struct RunSlice<'g> {
    pub slice: Slice<'g>,
    pub inexact: Inexact,
}

impl Graph<'_> {
    /// What the value that a criterion has at the end of a recorded run depends on in that run.
    pub fn in_run(
        &self,
        criterion: Site,
        run: &Run,
        extent: Extent,
    ) -> Result<RunSlice<'_>, RunError> {
        if !run.other_trees.is_empty() {
            return Err(RunError::OtherText(run.other_trees.clone()));
        }
        let act = run.at.ok_or(RunError::NoValue)?;
        let view = self.view(&[criterion]);
        let within = self.backward(&[criterion]).reached;
        let starts = view.starts(&[criterion]);
        let found = reach::follow(view, run, &starts, act, &within).ok_or(RunError::TooLong)?;
        let reached = match extent {
            Extent::SameRun => found.same_run,
            Extent::ThisValue => found.this_value,
        };
        let slice = Slice::new(view, &[criterion], false, reached).with_happened(found.happened);
        Ok(RunSlice { slice, inexact: found.inexact })
    }
}
