//! Runs that are recorded, and runs that follow a schedule.

use std::fs::File;
use std::io::{BufWriter, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use atom::Atom;
use machine::Machine;
use runner::loader::ProgramLoader;
use runner::run::ENTRY;
use trace::recorder::{Limit, Options, Recorder};
use trace::schedule::Witness;

use crate::args::{DeliveryMode, Run, Tracing};

/// A schedule from a file: a witness, or a trace.
pub(crate) fn read_schedule(path: &Path) -> Result<Witness, String> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| format!("{shown}: {error}"))?;
    if bytes.starts_with(b"erlscope trace ") {
        return Witness::from_trace(&bytes[..]).map_err(|problem| format!("{shown}: {problem}"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{shown}: this is no schedule"))?;
    Witness::from_text(&text).map_err(|message| format!("{shown}: {message}"))
}

/// How a run is made: what a schedule needs to say beside who runs.
pub(super) fn provenance(paths: &[PathBuf], call: &str, run: &Run) -> Witness {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string()
    };
    Witness {
        paths: paths.iter().map(absolute).collect(),
        call: call.to_owned(),
        seed: run.running.seed,
        any_delivery: run.delivery == DeliveryMode::Any,
        ..Witness::default()
    }
}

/// The recorder of a run that is traced.
pub(crate) fn recorder(
    tracing: &Tracing,
    loader: &Rc<ProgramLoader>,
    made: &Witness,
) -> Result<Option<Rc<Recorder>>, String> {
    let Some(path) = &tracing.trace else { return Ok(None) };
    let own = Rc::clone(loader);
    let options = Options {
        is_own: Box::new(move |module| own.is_own(module)),
        entry: Some(Atom::new(ENTRY)),
        all_calls: tracing.trace_all,
        nodes: tracing.trace_nodes,
        limit: Limit::default(),
    };
    let cannot = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = File::create(path).map_err(cannot)?;
    let out = Box::new(BufWriter::new(file));
    let recorder = Recorder::new(out, &made.header(), options).map_err(cannot)?;
    Ok(Some(Rc::new(recorder)))
}

/// Ends a trace; says if it could not be written.
pub(crate) fn finish(
    tracing: &Tracing,
    recorder: &Recorder,
    machine: &Machine,
    how: &str,
) -> Result<(), String> {
    let path = tracing.trace.as_deref().unwrap_or(Path::new(""));
    let written = recorder.finish(machine.state.now, how);
    written.map(|_| ()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes the schedule of a run, if that is wanted.
pub(super) fn save(run: &Run, made: &Witness) -> Result<(), String> {
    let Some(path) = &run.save_schedule else { return Ok(()) };
    let written = std::fs::write(path, made.to_text());
    written.map_err(|error| format!("{}: {error}", path.display()))
}
