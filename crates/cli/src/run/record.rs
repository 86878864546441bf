//! Runs that are recorded, and runs that follow a schedule.

use std::fs::File;
use std::io::{BufWriter, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use atom::Atom;
use machine::Machine;
use runner::loader::ProgramLoader;
use runner::run::ENTRY;
use runner::world::{RealWorld, reads};
use trace::recorder::{Limit, Options, Recorder};
use trace::schedule::{ReadFile, Witness};

use crate::args::{DeliveryMode, Run, Tracing};
use crate::output;

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
    Witness {
        call: call.to_owned(),
        seed: run.running.seed,
        any_delivery: run.delivery == DeliveryMode::Any,
        ..Witness::of(paths)
    }
}

/// What a run read, for its schedule.
pub(super) fn reads(world: &RealWorld) -> Vec<ReadFile> {
    let reads = world.reads().into_iter();
    let read = |(path, (length, hash)): (PathBuf, _)| {
        let path = path.display().to_string();
        ReadFile { path, length, hash }
    };
    reads.map(read).collect()
}

/// Says which files are not as they were when a schedule was made.
pub(super) fn tell_changed(schedule: &Witness) {
    for file in &schedule.reads {
        let now = reads::content(Path::new(&file.path));
        if now != Some((file.length, file.hash)) {
            let how = if now.is_none() { "cannot be read any more" } else { "has changed since" };
            output::complain(&format!(
                "{}: the run of the schedule read it, and it {how}",
                file.path
            ));
        }
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
