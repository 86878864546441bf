//! A program with its tests, ready to be run: its sources, and a node that is up.

use std::path::PathBuf;
use std::rc::Rc;

use machine::Machine;
use program::project::Problem;
use runner::loader::{Modules, Prefer, ProgramLoader};
use runner::run::{self, End};
use runner::sources::Sources;
use runner::testing::{self, TestModule};
use runner::world::RealWorld;

use super::with_test_macro;
use crate::args::{Reading, Running};
use crate::front_end::{self, Reader};
use crate::run::{limits_of, permissions_of};

pub(super) struct Opened {
    pub(super) sources: Rc<Sources>,
    pub(super) modules: Vec<TestModule>,
    pub(super) unreadable: Vec<Problem>,
    pub(super) loader: Rc<ProgramLoader>,
    pub(super) world: Rc<RealWorld>,
    pub(super) booted: Machine,
}

/// How a program with tests is opened.
#[derive(Clone, Copy, Default)]
pub(super) struct How {
    /// Runs are recorded or followed: the clock begins at a fixed time.
    pub(super) repeatable: bool,
    /// Every node of the program is marked.
    pub(super) marked: bool,
}

impl Opened {
    pub(super) fn new(
        paths: &[PathBuf],
        running: &Running,
        reading: &Reading,
        how: How,
    ) -> Result<Opened, String> {
        let reader = Reader::new(reading).map_err(|problem| problem.to_string())?;
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here } else { paths };
        let options = with_test_macro(reader.discover_options(&["test".to_owned()], false));
        let sources = Rc::new(Sources::discover(paths, options, reader.library.clone()));
        if let Some(problem) = sources.discovery.problems.first() {
            return Err(front_end::shown(problem).to_string());
        }
        let (modules, unreadable) = testing::find(&sources);
        let prefer = if running.prefer_otp { Prefer::Otp } else { Prefer::Embedded };
        let loader = Rc::new(ProgramLoader::of(Modules::Sources(Rc::clone(&sources)), prefer));
        if how.marked {
            loader.mark_own();
        }
        let permissions = permissions_of(running, paths, &reader)?;
        let world = RealWorld::new(permissions, running.seed.unwrap_or(0)).keeping_output();
        let world = Rc::new(if how.repeatable { world.at_fixed_time() } else { world });
        loader.limit_transforms(&limits_of(running)?);
        let booted = run::boot(loader.clone(), world.clone()).map_err(|end| match end {
            End::NotBooted(message) => format!("the node could not be started: {message}"),
            other => format!("the node could not be started: {other:?}"),
        })?;
        Ok(Opened { sources, modules, unreadable, loader, world, booted })
    }
}
