//! Configurations of projects that are programs (`rebar.config.script`), run on a Machine of their
//! own.
//!
//! The node has nothing but the embedded library. A script may read below its own directory and
//! look at the environment; it starts no programs and writes nothing. What it makes is remembered:
//! a project's configuration is asked for by many modules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use atom::Atom;
use machine::builtins::text_of;
use machine::{Ending, Term};
use program::files::Library;
use program::project::{DiscoverOptions, Scripts};

use crate::loader::{Modules, Prefer, ProgramLoader};
use crate::run;
use crate::sources::Sources;
use crate::world::RealWorld;
use crate::world::permissions::{Permissions, Variables};

/// Calls that a script may make.
const PATIENCE: u64 = 20_000_000;

/// What was evaluated so far, by scripts.
#[derive(Debug, Default)]
struct OnMachine {
    known: Mutex<BTreeMap<PathBuf, Result<String, String>>>,
}

/// Who evaluates scripts, the same for the whole process.
pub fn shared() -> Arc<dyn Scripts> {
    static SHARED: OnceLock<Arc<OnMachine>> = OnceLock::new();
    SHARED.get_or_init(Arc::default).clone()
}

impl Scripts for OnMachine {
    fn evaluate(&self, config: &Path, script: &Path) -> Result<String, String> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = known().get(script) {
            return made.clone();
        }
        let made = evaluate(config, script);
        known().insert(script.to_path_buf(), made.clone());
        made
    }
}

fn evaluate(config: &Path, script: &Path) -> Result<String, String> {
    let library = Arc::new(Library::without_otp());
    let sources = Sources::discover(&[], DiscoverOptions::default(), library);
    let loader = ProgramLoader::of(Modules::Sources(Rc::new(sources)), Prefer::Embedded);
    // Scripts ask for it to know whether they are run by rebar3.
    loader
        .add_source(Atom::new("rebar3"), "-module(rebar3).\n-export([main/1]).\nmain(_) -> ok.\n");
    let mut permissions = Permissions::none();
    let dir = script.parent().filter(|dir| !dir.as_os_str().is_empty());
    permissions.allow_read(dir.unwrap_or(Path::new(".")));
    permissions.variables = Variables::All;
    let world = Rc::new(RealWorld::new(permissions, 0).keeping_output());
    let mut machine = run::boot(Rc::new(loader), world).map_err(|end| run::in_words(&end))?;
    machine.let_unsupported_fail();
    let path = |path: &Path| Term::string(&path.to_string_lossy());
    let args = vec![path(config), path(script)];
    let call = ("erlscope_script", "config");
    let made = match run::try_evaluate_within(&mut machine, call, args, PATIENCE) {
        Ending::Returned(made) => made,
        other => return Err(run::in_words(&other)),
    };
    let Some([tag, text]) = made.as_tuple() else { return Err("it makes no terms".to_owned()) };
    let bytes = text.as_bits().and_then(|bits| Some(bits.to_bytes()?.into_owned()));
    let text = match bytes {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => text_of(text).unwrap_or_default(),
    };
    if tag.is_atom(Atom::new("ok")) { Ok(text) } else { Err(text) }
}
