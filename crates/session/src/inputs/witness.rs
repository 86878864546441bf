//! Files that run a failing input once more: who had its turn when, for `replay` and `debug`.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use ::trace::schedule::Witness;
use machine::{Ending, Machine};
use program::Program;
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::run as running_call;
use runner::schedules::Recording;
use runner::world::explored::ExploredWorld;

use super::{Request, STEPS, stand};
use crate::reading::{Reader, or_here};
use crate::running::Delivery;
use crate::{Control, Error, contracts, open};

/// What is needed to run a call on a node of its own.
pub(super) struct Recorder<'a> {
    pub(super) request: &'a Request,
    pub(super) program: &'a Arc<Program>,
    pub(super) reader: &'a Reader,
    pub(super) control: &'a Control,
}

/// How a run failed.
pub(super) struct Failed<'a> {
    pub(super) what: &'a str,
    /// Whether it returned, something wrong.
    pub(super) returns: bool,
}

impl Recorder<'_> {
    /// Writes the witness of a call into a directory. `None` if there is none: what was made up
    /// for the run (processes, references) is not there in another, or it goes in another way.
    pub(super) fn write(
        &self,
        dir: &Path,
        name: &str,
        call: &str,
        failed: &Failed<'_>,
    ) -> Result<Option<String>, Error> {
        let Some(witness) = self.recorded(call, failed)? else { return Ok(None) };
        std::fs::create_dir_all(dir).map_err(|error| Error::file(dir, error))?;
        let path = dir.join(format!("{name}.witness"));
        std::fs::write(&path, witness.to_text()).map_err(|error| Error::file(&path, error))?;
        Ok(Some(path.display().to_string()))
    }

    /// Runs a call as `erlscope run` would, on a node that reaches nothing outside.
    fn recorded(&self, call: &str, failed: &Failed<'_>) -> Result<Option<Witness>, Error> {
        let Recorder { request, program, reader, control } = self;
        let running = &request.running;
        let loader = Rc::new(ProgramLoader::new(Arc::clone(program), running.prefer()));
        if let Some(contracting) = running.contracts {
            contracts::begin_woven(contracting, program, &loader);
        }
        loader.limit_transforms(&running.limits_of_transforms(control)?);
        if running_call::entry(&loader, call).is_err() {
            return Ok(None);
        }
        let permissions = running.permissions(&request.paths, reader)?;
        let world = Rc::new(ExploredWorld::new(permissions, running.seed.unwrap_or(0)));
        let mut machine = Machine::new(loader.clone(), world);
        running_call::boot_machine(&mut machine).map_err(open::not_booted)?;
        let limits = running.limits(control)?;
        let limits = Limits { steps: limits.steps.or(Some(STEPS)), ..limits };
        let scheduler = running.scheduler(Delivery::Instant);
        let mut recording = Recording { scheduler, recorder: None, turns: Some(Vec::new()) };
        let (end, _) = running_call::run(&mut machine, &mut recording, &limits);
        let mut broken = machine.violations().iter().map(|it| contracts::broken(it).what());
        let is_broken = broken.any(|what| what == failed.what);
        let is_it = match stand::failure(&machine, &loader, &end) {
            _ if is_broken => true,
            Some(failure) => failure == failed.what,
            None => failed.returns && matches!(end, Ending::Returned(_)),
        };
        Ok(is_it.then(|| Witness {
            // A file has one line for it.
            call: call.replace('\n', " "),
            seed: running.seed,
            finding: failed.what.to_owned(),
            contracts: running.checked(),
            turns: recording.turns.unwrap_or_default(),
            ..Witness::of(&or_here(&request.paths))
        }))
    }
}
