//! Modules that a build makes of other sources: parsers of grammars (`NAME.yrl`), scanners
//! (`NAME.xrl`).
//!
//! A project that was cloned and not built has no `NAME.erl` for them. Where nothing else has a
//! module of that name, `erlscope_yecc` or `erlscope_leex` of the embedded library makes its text,
//! on a node of its own that reaches nothing outside, and that is read as if it stood beside the
//! source; places in actions are those of the source.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::builtins::text_of;
use machine::code_space::Loader;
use machine::world::Sealed;
use machine::{Ending, Machine, Term};
use program::project::Unit;
use syntax::ast::Module;

use crate::run;
use crate::sources::Sources;

/// A source that a module is made of.
pub(crate) struct Generator {
    pub(crate) path: PathBuf,
    /// A module that stands beside it, and is read as what is made will be.
    unit: Unit,
}

/// Why a module could not be made.
pub(crate) struct Fault {
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// What a module could be made of: beside the modules of the program, or among the sources of a
/// dependency.
pub(crate) fn find(sources: &Sources, name: Atom) -> Option<Generator> {
    let in_dir = |dir: &Path| {
        let candidates = ["yrl", "xrl"].map(|ending| dir.join(format!("{name}.{ending}")));
        candidates.into_iter().find(|path| path.is_file())
    };
    let mut looked = Vec::new();
    for unit in sources.units() {
        let own = unit.path.parent().map(Path::to_path_buf).unwrap_or_default();
        for dir in [own, unit.application.dir.join("src")] {
            if looked.contains(&dir) {
                continue;
            }
            if let Some(path) = in_dir(&dir) {
                return Some(Generator { path, unit: unit.clone() });
            }
            looked.push(dir);
        }
    }
    let first = sources.units().next()?;
    first.files.applications().values().find_map(|app| {
        let path = in_dir(&app.join("src"))?;
        let mut unit = first.clone();
        unit.options.include_dirs = vec![app.join("include"), app.join("src"), app.clone()];
        Some(Generator { path, unit })
    })
}

/// The module that is made.
pub(crate) fn make(
    loader: Rc<dyn Loader>,
    generator: &Generator,
    name: Atom,
) -> Result<Arc<Module>, Fault> {
    let path = &generator.path;
    let fault = |message: String| Fault { line: 0, message };
    let bytes = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    };
    let mut machine = Machine::new(loader, Rc::new(Sealed::default()));
    machine.boot().map_err(|ending| fault(run::in_words(&ending)))?;
    let args = vec![Term::string(&text), Term::string(&path.to_string_lossy()), Term::from(name)];
    let is_scanner = path.extension().is_some_and(|ending| ending == "xrl");
    let maker = if is_scanner { "erlscope_leex" } else { "erlscope_yecc" };
    let made = match run::try_evaluate(&mut machine, maker, "source", args) {
        Ending::Returned(made) => made,
        other => return Err(fault(run::in_words(&other))),
    };
    let bytes = match made.as_tuple() {
        Some([_, text]) => text.as_bits().and_then(|bits| Some(bits.to_bytes()?.into_owned())),
        Some([_, line, message]) => {
            let line = line.as_int().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
            return Err(Fault { line, message: text_of(message).unwrap_or_default() });
        }
        _ => None,
    };
    let bytes = bytes.ok_or_else(|| fault("no module can be made of it".to_owned()))?;
    let unit = &generator.unit;
    let file = path.with_extension("erl");
    Ok(Arc::new(syntax::read_module_bytes(&file, bytes, &unit.files, &unit.options)))
}
