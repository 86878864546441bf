//! Where the front end's files come from: the disk, the applications around a project, the OTP
//! library, and the headers we ship.
//!
//! [`Library`] is what all projects of a run share: the OTP installation, `ERL_LIBS`, the
//! environment, and a memory of the headers that were read (a header is asked for by hundreds of
//! modules, a module's own file once, so only headers are kept). [`ProjectFiles`] adds the
//! applications of one project. An application is looked for in this order: project and its
//! dependencies, OTP, `ERL_LIBS`, shipped headers; rebar3 also puts dependencies before OTP.
//!
//! Everything can be used from many threads at once. Answers about headers are remembered for the
//! life of the [`Library`]: a long-lived process makes a new one to see changed files.

pub mod otp;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use stdlib::headers as shipped;
use syntax::source::Files;

use crate::project::Scripts;
use otp::{Otp, applications_in};

/// How many bytes of headers are kept.
const HEADER_MEMORY: usize = 64 << 20;

/// Larger files are not read: nobody wrote them by hand.
const FILE_LIMIT: u64 = 256 << 20;

/// Reads a file that may be anything.
pub(crate) fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    // What it is said to have, and one byte more, so that its end is seen; some files say nothing.
    let size = file.metadata().map_or(0, |metadata| metadata.len().min(FILE_LIMIT)) as usize + 1;
    let mut bytes = Vec::with_capacity(size);
    file.take(FILE_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_LIMIT {
        let message = format!("larger than {} MB", FILE_LIMIT >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// What is common to all projects of a run.
#[derive(Debug, Default)]
pub struct Library {
    otp: Option<Otp>,
    /// Applications from `ERL_LIBS`.
    extra: BTreeMap<String, PathBuf>,
    /// Whether environment variables may be asked for.
    real_environment: bool,
    /// Who evaluates what projects have as programs.
    scripts: Option<Arc<dyn Scripts>>,
    headers: RwLock<Headers>,
}

#[derive(Debug, Default)]
struct Headers {
    /// `None`: there is no such file.
    known: FxHashMap<PathBuf, Option<Arc<[u8]>>>,
    bytes: usize,
}

impl Library {
    /// The library of this machine. `otp` is the installation's root if the user named one; it is
    /// an error if there is none.
    pub fn of_machine(otp: Option<&Path>) -> io::Result<Library> {
        let env = |name: &str| std::env::var(name).ok();
        let otp = match otp {
            None => Otp::find(&env),
            Some(root) => Some(Otp::at(root).ok_or_else(|| {
                let message = format!("no Erlang/OTP installation in {}", root.display());
                io::Error::new(io::ErrorKind::NotFound, message)
            })?),
        };
        let mut extra = BTreeMap::new();
        for dir in std::env::split_paths(&env("ERL_LIBS").unwrap_or_default()) {
            for (app, path) in applications_in(&dir) {
                extra.entry(app).or_insert(path);
            }
        }
        Ok(Library { otp, extra, real_environment: true, ..Library::default() })
    }

    /// No installation, no environment: only the disk and the shipped headers.
    pub fn without_otp() -> Library {
        Library::default()
    }

    /// The same, with somebody who evaluates what projects have as programs.
    pub fn with_scripts(self, scripts: Option<Arc<dyn Scripts>>) -> Library {
        Library { scripts, ..self }
    }

    pub(crate) fn scripts(&self) -> Option<&dyn Scripts> {
        self.scripts.as_deref()
    }

    pub fn otp(&self) -> Option<&Otp> {
        self.otp.as_ref()
    }

    /// The directory of an application outside the project, shipped ones excluded.
    pub fn application(&self, name: &str) -> Option<&Path> {
        let otp = self.otp.as_ref().and_then(|otp| otp.applications().get(name));
        otp.or_else(|| self.extra.get(name)).map(PathBuf::as_path)
    }

    /// All application directories outside the project, OTP's first, each group by name.
    pub fn applications(&self) -> impl Iterator<Item = (&str, &Path)> {
        let otp = self.otp.iter().flat_map(|otp| otp.applications());
        otp.chain(&self.extra).map(|(name, path)| (name.as_str(), path.as_path()))
    }

    /// Where else headers are looked for from an application of the OTP library itself: its build
    /// names the `include` directories of the applications it uses; here it is all of them, the
    /// basic ones first.
    pub(crate) fn include_dirs_inside_otp(&self, app: &Path) -> Vec<PathBuf> {
        let Some(otp) = &self.otp else { return Vec::new() };
        // Most directories are not even beside one of OTP's: no need to look for those.
        if app.parent() != Some(&otp.library())
            || !otp.applications().values().any(|dir| dir == app)
        {
            return Vec::new();
        }
        let basic = ["kernel", "stdlib"].iter().filter_map(|name| otp.applications().get(*name));
        let mut dirs: Vec<PathBuf> = basic.map(|dir| dir.join("include")).collect();
        for dir in otp.applications().values().map(|dir| dir.join("include")) {
            if !dirs.contains(&dir) && dir.is_dir() {
                dirs.push(dir);
            }
        }
        dirs
    }

    fn header(&self, path: &Path) -> Option<Arc<[u8]>> {
        let headers = self.headers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = headers.known.get(path) {
            return known.clone();
        }
        drop(headers);
        let found: Option<Arc<[u8]>> = read_bounded(path).ok().map(Into::into);
        let mut headers = self.headers.write().unwrap_or_else(PoisonError::into_inner);
        let size = found.as_ref().map_or(0, |bytes| bytes.len()) + path.as_os_str().len();
        if headers.bytes + size <= HEADER_MEMORY {
            headers.bytes += size;
            headers.known.insert(path.to_path_buf(), found.clone());
        }
        found
    }
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "hrl")
}

/// The files of one project.
#[derive(Clone, Debug)]
pub struct ProjectFiles {
    library: Arc<Library>,
    /// The project's own applications and its dependencies.
    applications: Arc<BTreeMap<String, PathBuf>>,
    /// Dependencies that are asked for and are not there.
    unfetched: Arc<BTreeSet<String>>,
}

impl ProjectFiles {
    pub fn new(library: Arc<Library>, applications: BTreeMap<String, PathBuf>) -> ProjectFiles {
        ProjectFiles { library, applications: Arc::new(applications), unfetched: Arc::default() }
    }

    pub(crate) fn set_unfetched(&mut self, names: BTreeSet<String>) {
        self.unfetched = Arc::new(names);
    }

    /// Dependencies that are asked for and are not there.
    pub fn unfetched(&self) -> &BTreeSet<String> {
        &self.unfetched
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn applications(&self) -> &BTreeMap<String, PathBuf> {
        &self.applications
    }

    /// A header of ours in place of one that the directory of its application lacks: packages
    /// split an application's code and its headers.
    fn shipped(&self, path: &Path) -> Option<&'static str> {
        let instead = || {
            let dir = path.parent()?.parent()?;
            let mut known = shipped::HEADERS.iter().map(|(app, ..)| *app);
            let app = known.find(|app| self.lib_dir(app).is_some_and(|found| found == dir))?;
            shipped::find(app, path)
        };
        shipped::read(path).or_else(instead).or_else(|| shipped::by_name(path))
    }
}

impl Files for ProjectFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let known = if is_header(path) { self.library.header(path) } else { None };
        if let Some(bytes) = known {
            return Ok(bytes.to_vec());
        }
        read_bounded(path).or_else(|error| match self.shipped(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => Err(error),
        })
    }

    fn exists(&self, path: &Path) -> bool {
        let on_disk =
            if is_header(path) { self.library.header(path).is_some() } else { path.is_file() };
        on_disk || self.shipped(path).is_some()
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        let own = self.applications.get(application).map(PathBuf::as_path);
        own.or_else(|| self.library.application(application))
            .map(Path::to_path_buf)
            .or_else(|| shipped::lib_dir(application))
    }

    fn env(&self, name: &str) -> Option<String> {
        if self.library.real_environment { std::env::var(name).ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> ProjectFiles {
        ProjectFiles::new(Arc::new(Library::without_otp()), BTreeMap::new())
    }

    #[test]
    fn shipped_headers_are_found_without_otp() {
        let files = files();
        let dir = files.lib_dir("eunit").unwrap();
        let header = dir.join("include/eunit.hrl");
        assert!(files.exists(&header));
        assert!(String::from_utf8(files.read(&header).unwrap()).unwrap().contains("EUNIT_HRL"));
        assert!(!files.exists(&dir.join("include/other.hrl")));
        assert!(!files.exists(&dir.join("src/eunit.hrl")));
        assert_eq!(files.lib_dir("no_such_app"), None);
    }

    #[test]
    fn shipped_headers_stand_in_for_missing_ones() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
        let applications = BTreeMap::from([("eunit".to_owned(), root.clone())]);
        let files = ProjectFiles::new(Arc::new(Library::without_otp()), applications);
        assert!(files.exists(&root.join("include/eunit.hrl")));
        assert!(!files.exists(&root.join("include/assert.hrl")));
    }

    #[test]
    fn project_applications_come_first() {
        let applications = BTreeMap::from([("stdlib".to_owned(), PathBuf::from("/mine"))]);
        let library = Library::of_machine(None).unwrap();
        let files = ProjectFiles::new(Arc::new(library), applications);
        assert_eq!(files.lib_dir("stdlib"), Some(PathBuf::from("/mine")));
    }

    #[test]
    fn a_directory_without_otp_is_refused() {
        let error = Library::of_machine(Some(Path::new("/nowhere"))).unwrap_err();
        assert_eq!(error.to_string(), "no Erlang/OTP installation in /nowhere");
    }
}
