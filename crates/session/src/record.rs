//! Files of runs: recorders of traces, schedules that are read, and what a run has read.

use std::fs::File;
use std::io::{BufWriter, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ::trace::recorder::{Limit, Options, Recorder};
use ::trace::schedule::ReadFile;
pub use ::trace::schedule::Witness;
use atom::Atom;
use machine::Machine;
use runner::loader::ProgramLoader;
use runner::run::ENTRY;
use runner::world::{RealWorld, reads};

use crate::running::Tracing;
use crate::{Control, Error, Note};

/// A schedule from a file: a witness, or a trace.
pub fn read_schedule(path: &Path) -> Result<Witness, Error> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| Error::file(path, error))?;
    if bytes.starts_with(b"erlscope trace ") {
        return Witness::from_trace(&bytes[..]).map_err(|problem| Error::file(path, problem));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::file(path, "this is no schedule"))?;
    Witness::from_text(&text).map_err(|message| Error::file(path, message))
}

/// What a run read, for its schedule.
pub(crate) fn reads(world: &RealWorld) -> Vec<ReadFile> {
    let reads = world.reads().into_iter();
    let read = |(path, (length, hash)): (PathBuf, _)| {
        let path = path.display().to_string();
        ReadFile { path, length, hash }
    };
    reads.map(read).collect()
}

/// Says which files are not as they were when a schedule was made.
pub(crate) fn note_changed(schedule: &Witness, control: &Control) {
    for file in &schedule.reads {
        let now = reads::content(Path::new(&file.path));
        if now != Some((file.length, file.hash)) {
            control.note(Note::ReadFileChanged { file: file.path.clone(), gone: now.is_none() });
        }
    }
}

/// The recorder of a run that is traced.
pub(crate) fn recorder(
    tracing: &Tracing,
    loader: &Rc<ProgramLoader>,
    made: &Witness,
) -> Result<Option<Rc<Recorder>>, Error> {
    let Some(path) = &tracing.file else { return Ok(None) };
    let own = Rc::clone(loader);
    let options = Options {
        is_own: Box::new(move |module| own.is_own(module)),
        entry: Some(Atom::new(ENTRY)),
        all_calls: tracing.all_calls,
        nodes: tracing.nodes,
        limit: Limit::default(),
    };
    let cannot = |error: std::io::Error| Error::file(path, error);
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
) -> Result<(), Error> {
    let path = tracing.file.as_deref().unwrap_or(Path::new(""));
    let written = recorder.finish(machine.now(), how);
    written.map(|_| ()).map_err(|error| Error::file(path, error))
}

/// Writes a schedule to a file.
pub(crate) fn save(path: &Path, made: &Witness) -> Result<(), Error> {
    std::fs::write(path, made.to_text()).map_err(|error| Error::file(path, error))
}
