//! How source text is read: the same for every request.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::beam;
use program::files::{Library, ProjectFiles};
use program::from_abstract;
use program::project::{DiscoverOptions, Problem};
use program::{LoadOptions, Program};
use syntax::ast::Module;
use syntax::options::{DEFAULT_RELEASE, Options};
use syntax::source::Files as _;

use crate::Error;

/// More than any module that is read; of a stream the rest is not even looked at.
const INPUT_LIMIT: u64 = 256 << 20;

/// How source text is read.
#[derive(Clone, Default, Debug)]
pub struct Reading {
    /// Where included files are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// Macros; the value is an Erlang term, `true` if absent.
    pub defines: Vec<(String, Option<String>)>,
    /// Language features that are enabled.
    pub features: Vec<String>,
    /// The Erlang/OTP that is used for `-include_lib`; else that of `erl` on the PATH.
    pub otp: Option<PathBuf>,
    /// No Erlang/OTP is used.
    pub without_otp: bool,
    /// The release that `?OTP_RELEASE` names; else that of the OTP in use.
    pub release: Option<u32>,
}

/// [`Reading`] with the library that it leads to.
pub struct Reader {
    pub library: Arc<Library>,
    reading: Reading,
}

impl Reader {
    pub fn new(reading: &Reading) -> Result<Reader, Error> {
        let library = if reading.without_otp {
            Library::without_otp()
        } else {
            Library::of_machine(reading.otp.as_deref())
                .map_err(|error| Error::Otp(error.to_string()))?
        };
        let library = library.with_scripts(Some(runner::scripts::shared()));
        Ok(Reader { library: Arc::new(library), reading: reading.clone() })
    }

    /// How modules are looked for.
    pub fn discover_options(&self, profiles: &[String], without_tests: bool) -> DiscoverOptions {
        DiscoverOptions {
            include_dirs: self.reading.include_dirs.clone(),
            defines: self.reading.defines.clone(),
            profiles: profiles.to_vec(),
            without_tests,
            release: self.reading.release,
            features: self.reading.features.clone(),
            scripts: Some(runner::scripts::shared()),
        }
    }

    /// How the modules of a program are looked for whose tests are run.
    pub(crate) fn test_options(&self) -> DiscoverOptions {
        with_test_macro(self.discover_options(&["test".to_owned()], false))
    }

    /// The release that is assumed.
    pub fn release(&self) -> u32 {
        let found = self.library.otp().and_then(|otp| otp.release);
        self.reading.release.or(found).unwrap_or(DEFAULT_RELEASE)
    }
}

/// The modules that paths name, be some of them wrong, to be looked at and not run.
pub(crate) fn load(
    paths: &[PathBuf],
    reading: &Reading,
    without_tests: bool,
) -> Result<Program, Error> {
    load_as(paths, reading, without_tests, true)
}

/// The same, with what the compiler would say about them.
pub(crate) fn load_checked(paths: &[PathBuf], reading: &Reading) -> Result<Program, Error> {
    load_as(paths, reading, true, false)
}

/// A path that could not be read.
pub(crate) fn unreadable(problem: &Problem) -> Error {
    Error::Input { path: problem.path.clone(), message: problem.message.clone() }
}

fn load_as(
    paths: &[PathBuf],
    reading: &Reading,
    without_tests: bool,
    without_lint: bool,
) -> Result<Program, Error> {
    let reader = Reader::new(reading)?;
    let options = LoadOptions {
        discover: reader.discover_options(&[], without_tests),
        otp: reading.otp.clone(),
        without_otp: reading.without_otp,
        without_lint,
    };
    Program::load(&or_here(paths), &options).map_err(|error| Error::Failed(error.to_string()))
}

/// Modules outside of test directories have tests, too, if they are read with `TEST`.
pub(crate) fn with_test_macro(mut options: DiscoverOptions) -> DiscoverOptions {
    if !options.defines.iter().any(|(name, _)| name == "TEST") {
        options.defines.push(("TEST".to_owned(), None));
    }
    options
}

/// What no paths stand for: the project in the current directory.
pub(crate) fn or_here(paths: &[PathBuf]) -> Vec<PathBuf> {
    if paths.is_empty() { vec![PathBuf::from(".")] } else { paths.to_vec() }
}

/// Reads one module with nothing but these options, as `erlc` would: the project around it does not
/// count. `-` is what `input` gives. A `.beam` file gives its abstract code.
pub fn read_one(path: &Path, input: impl Read, reader: &Reader) -> Result<Module, Error> {
    let files = ProjectFiles::new(reader.library.clone(), Default::default());
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        input.take(INPUT_LIMIT).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        files.read(path)
    };
    let bytes = bytes.map_err(|error| Error::input(path, error))?;
    if beam::is_beam(&bytes) {
        let code = beam::abstract_code(&bytes).map_err(|error| Error::input(path, error))?;
        return Ok(from_abstract::module(path, &code.terms, &code.forms));
    }
    let options = Options {
        include_dirs: reader.reading.include_dirs.clone(),
        defines: reader.reading.defines.clone(),
        release: reader.release(),
        features: reader.reading.features.clone(),
        source_name: None,
    };
    Ok(syntax::read_module_bytes(path, bytes, &files, &options))
}
