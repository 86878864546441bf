//! Modules outside the program: OTP's own, those in `ERL_LIBS`, and those of dependencies.
//!
//! A module is found by its name: `src/**/NAME.erl` or `ebin/NAME.beam` of an application. The
//! directories are listed once, when the first module is asked for. Source is preferred; where it
//! cannot be read without errors (its headers may not be installed) the abstract code is taken.
//! Dependencies are read with the options of their own `rebar.config`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use atom::Atom;
use rustc_hash::FxHashMap;
use syntax::options::{DEFAULT_RELEASE, Options};

use crate::files::ProjectFiles;
use crate::project::application::Application;
use crate::project::rebar;
use crate::project::walk::header_dirs;
use crate::project::{ErlOpts, Unit, UnitKind};

/// Where a module is.
#[derive(Clone, Default, Debug)]
struct Places {
    application: PathBuf,
    source: Option<PathBuf>,
    beam: Option<PathBuf>,
}

/// The modules of all applications that a project can use.
#[derive(Debug)]
pub struct LibraryModules {
    files: ProjectFiles,
    places: OnceLock<FxHashMap<Atom, Places>>,
}

impl LibraryModules {
    pub fn new(files: ProjectFiles) -> LibraryModules {
        LibraryModules { files, places: OnceLock::new() }
    }

    pub fn files(&self) -> &ProjectFiles {
        &self.files
    }

    /// The module as source and as compiled code, as far as they exist; source first.
    pub fn find(&self, name: Atom) -> Vec<Unit> {
        let Some(places) = self.places.get_or_init(|| self.list()).get(&name) else {
            return Vec::new();
        };
        let source = places.source.as_deref().map(|path| (path, UnitKind::Source));
        let beam = places.beam.as_deref().map(|path| (path, UnitKind::Beam));
        let units = source.into_iter().chain(beam);
        units.map(|(path, kind)| self.unit(&places.application, path, kind)).collect()
    }

    fn unit(&self, app: &Path, path: &Path, kind: UnitKind) -> Unit {
        let installed = self.files.library().otp().and_then(|otp| otp.release);
        let mut include_dirs: Vec<PathBuf> =
            ["include", "src"].iter().map(|dir| app.join(dir)).collect();
        include_dirs.extend(header_dirs(&app.join("src")));
        let release = installed.unwrap_or(DEFAULT_RELEASE);
        let mut erl_opts = ErlOpts::default();
        if !self.is_in_otp(app) {
            let config = rebar::of_dependency(app, release, self.files.library().scripts());
            erl_opts = config.map(|config| config.erl_opts).unwrap_or_default();
            include_dirs.extend(erl_opts.include_dirs.iter().map(|dir| app.join(dir)));
            include_dirs.push(app.to_path_buf());
        }
        include_dirs.extend(self.files.library().include_dirs_inside_otp(app));
        Unit {
            path: path.to_path_buf(),
            kind,
            is_test: false,
            options: Options {
                include_dirs,
                defines: erl_opts.defines.clone(),
                features: erl_opts.features.clone(),
                release,
                ..Options::default()
            },
            erl_opts: Arc::new(erl_opts),
            application: Arc::new(Application::in_dir(app).0),
            files: self.files.clone(),
        }
    }

    /// The sources of an application, in the directories that its `rebar.config` names.
    fn sources_of(&self, app: &Path) -> Vec<PathBuf> {
        let config = match self.is_in_otp(app) {
            true => None,
            false => rebar::of_dependency(app, DEFAULT_RELEASE, self.files.library().scripts()),
        };
        let mut dirs = vec![SOURCES.to_owned()];
        if let Some(config) = config {
            dirs.extend(config.src_dirs);
            dirs.extend(config.erl_opts.src_dirs);
        }
        dirs.dedup();
        dirs.iter().flat_map(|dir| files_below(&app.join(dir), "erl")).collect()
    }

    fn is_in_otp(&self, app: &Path) -> bool {
        self.files.library().otp().is_some_and(|otp| app.starts_with(&otp.root))
    }

    fn list(&self) -> FxHashMap<Atom, Places> {
        let mut places = FxHashMap::default();
        let own = self.files.applications().values().map(PathBuf::as_path);
        let others = self.files.library().applications().map(|(_, dir)| dir);
        for app in own.chain(others) {
            let mut found: FxHashMap<Atom, Places> = FxHashMap::default();
            for path in self.sources_of(app) {
                let entry = stem(&path).map(|name| found.entry(name).or_default());
                if let Some(entry) = entry.filter(|entry| entry.source.is_none()) {
                    entry.source = Some(path);
                }
            }
            for path in files_below(&app.join("ebin"), "beam") {
                if let Some(name) = stem(&path) {
                    found.entry(name).or_default().beam = Some(path);
                }
            }
            #[allow(clippy::iter_over_hash_type, reason = "from one table into another")]
            for (name, mut entry) in found {
                entry.application = app.to_path_buf();
                places.entry(name).or_insert(entry);
            }
        }
        places
    }
}

/// Of the directories that hold sources `src` is the usual one.
const SOURCES: &str = "src";

fn stem(path: &Path) -> Option<Atom> {
    Some(Atom::new(path.file_stem()?.to_str()?))
}

/// Files with an ending, in a fixed order.
fn files_below(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => pending.push(path),
                _ if path.extension().is_some_and(|e| e == extension) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
