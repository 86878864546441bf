//! Files that run an input that fails once more: what `replay`, `debug` and `slice` begin with.

use std::path::Path;

use super::{EVENTS, EXECUTIONS, Failed, Kind, Request, STEPS};
use crate::run::Ending;
use crate::running::Running;
use crate::{Control, Error, explore, record, run};

/// Runs an input that fails once more, as a program runs, and keeps its schedule: what `replay`,
/// `debug` and `slice` begin with. Says whether it fails again; if it does not, nothing is written.
pub fn witness(
    request: &Request,
    failed: &Failed,
    file: &Path,
    control: &Control,
) -> Result<bool, Error> {
    let found = format!("{} {}", failed.class, failed.reason);
    if failed.by_schedule {
        let again = explore::Request {
            paths: request.paths.clone(),
            what: explore::What::Call(failed.ran.call.clone()),
            max_depth: EVENTS,
            max_executions: Some(EXECUTIONS),
            first: true,
            running: request.running.clone(),
            reading: request.reading.clone(),
            ..explore::Request::default()
        };
        let answer = explore::explore(&again, &control.unheard())?;
        let first = answer.explored.first();
        let Some(mut witness) = first.and_then(|explored| explored.witness(0, &again)) else {
            return Ok(false);
        };
        witness.finding = found;
        record::save(file, &witness)?;
        return Ok(true);
    }
    let steps = request.running.max_steps.or(Some(STEPS));
    let again = run::Request {
        paths: request.paths.clone(),
        call: Some(failed.ran.call.clone()),
        keep_output: true,
        save_schedule: Some(file.to_owned()),
        running: Running { max_steps: steps, ..request.running.clone() },
        reading: request.reading.clone(),
        ..run::Request::default()
    };
    let ran = run::run(&again, &control.unheard())?;
    if let Some(error) = ran.unwritten.into_iter().next() {
        return Err(error);
    }
    let mut witness = record::read_schedule(file)?;
    witness.finding = found;
    record::save(file, &witness)?;
    Ok(match (failed.kind, &ran.ending) {
        (Kind::Raised, Ending::Raised(raised)) => raised.exception.class == failed.class,
        (Kind::Raised, Ending::Ended(_)) | (Kind::Stuck, Ending::Quiescent) => true,
        (Kind::Endless, Ending::Bound { .. } | Ending::Spins(_) | Ending::Repeats(_)) => true,
        (Kind::Process, _) => true,
        (Kind::Contract, _) => !ran.contracts.is_empty(),
        (Kind::False, Ending::Returned(value)) => value != "true",
        _ => false,
    })
}
