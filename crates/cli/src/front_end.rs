//! Between the command line and the front end: which modules, read how.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::beam;
use program::files::{Library, ProjectFiles};
use program::from_abstract;
use program::project::{DiscoverOptions, Discovery, discover};
use report::Problem;
use syntax::ast::Module;
use syntax::options::{DEFAULT_RELEASE, Options};
use syntax::source::Files as _;

use crate::args::Reading;

/// More than any module that is read; of standard input the rest is not even looked at.
const INPUT_LIMIT: u64 = 256 << 20;

/// What the options of the command line say about reading.
pub(crate) struct Reader {
    pub(crate) library: Arc<Library>,
    include_dirs: Vec<PathBuf>,
    defines: Vec<(String, Option<String>)>,
    features: Vec<String>,
    release: Option<u32>,
}

impl Reader {
    pub(crate) fn new(reading: &Reading) -> Result<Reader, Problem> {
        let library = if reading.no_otp {
            Library::without_otp()
        } else {
            Library::of_machine(reading.otp.as_deref())
                .map_err(|error| problem(Path::new("--otp"), &error.to_string()))?
        };
        Ok(Reader {
            library: Arc::new(library),
            include_dirs: reading.include_dirs.clone(),
            defines: reading.defines.clone(),
            features: reading.features.clone(),
            release: reading.otp_release,
        })
    }

    /// How modules are looked for.
    pub(crate) fn discover_options(
        &self,
        profiles: &[String],
        without_tests: bool,
    ) -> DiscoverOptions {
        DiscoverOptions {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            profiles: profiles.to_vec(),
            without_tests,
            release: self.release,
            features: self.features.clone(),
        }
    }

    /// The release that is assumed.
    pub(crate) fn release(&self) -> u32 {
        let found = self.library.otp().and_then(|otp| otp.release);
        self.release.or(found).unwrap_or(DEFAULT_RELEASE)
    }
}

/// The modules that paths stand for, in a fixed order.
pub(crate) fn units(
    paths: &[PathBuf],
    reader: &Reader,
    profiles: &[String],
    without_tests: bool,
) -> Discovery {
    let options = reader.discover_options(profiles, without_tests);
    let here = [PathBuf::from(".")];
    discover(if paths.is_empty() { &here } else { paths }, &options, &reader.library)
}

/// Reads one module with nothing but the options of the command line, as `erlc` would: the project
/// around it does not count. `-` is standard input. A `.beam` file gives its abstract code.
pub(crate) fn read_one(path: &Path, reader: &Reader) -> Result<Module, Problem> {
    let files = ProjectFiles::new(reader.library.clone(), Default::default());
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(INPUT_LIMIT).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        files.read(path)
    };
    let bytes = bytes.map_err(|error| problem(path, &error.to_string()))?;
    if beam::is_beam(&bytes) {
        let code =
            beam::abstract_code(&bytes).map_err(|error| problem(path, &error.to_string()))?;
        return Ok(from_abstract::module(path, &code.terms, &code.forms));
    }
    let options = Options {
        include_dirs: reader.include_dirs.clone(),
        defines: reader.defines.clone(),
        release: reader.release(),
        features: reader.features.clone(),
        source_name: None,
    };
    Ok(syntax::read_module_bytes(path, bytes, &files, &options))
}

/// A problem as reports show it.
pub(crate) fn shown(found: &program::project::Problem) -> Problem {
    problem(&found.path, &found.message)
}

fn problem(path: &Path, message: &str) -> Problem {
    // The number of a system error tells nothing that its text does not.
    let message = message.split(" (os error ").next().unwrap_or(message);
    Problem { path: path.display().to_string(), message: message.to_string() }
}
