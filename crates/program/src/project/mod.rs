//! From the paths a user names to the modules there are, each with the options it is read with.
//!
//! A path is a module, an escript, a `.beam` file, or a directory. A directory with a
//! `rebar.config` is a rebar3 project: its applications are found by `project_app_dirs`, their
//! modules in `src_dirs` and `extra_src_dirs`. Any other directory is searched for modules and for
//! projects; one without any stands for its `.beam` files. What belongs to a build or to version
//! control is left out: `_build`, `_checkouts`, `deps` of a project, names that start with a dot,
//! the data directories of test suites.
//!
//! Whatever path led to a module, its options depend only on where it is: its application (the
//! directory above `src` or `test`) and the project around that. So
//! `erlscope check apps/a/src/m.erl` reads the module as `erlscope check .` does. Modules in test
//! directories are read with the profile `test` and the macro `TEST`, others without, unless that
//! profile is asked for.
//!
//! Order is deterministic: as the paths were given, and by name inside a directory.

pub mod application;
mod erl_opts;
pub(crate) mod headers;
pub mod rebar;
pub mod unfetched;
pub(crate) mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use syntax::diagnostic::Diagnostic;
use syntax::options::{DEFAULT_RELEASE, Options};
use syntax::source::SourceFile;

use crate::files::otp::is_application;
use crate::files::{Library, ProjectFiles};
use application::Application;
pub use erl_opts::ErlOpts;
use rebar::{ConfigFile, RebarConfig};
use walk::{Above, app_root, listed, named, subdirectories, without_dot};

/// A file that is no module, with what is wrong with it: a `rebar.config`, a `.app.src`.
#[derive(Clone, Debug)]
pub struct Document {
    pub files: Vec<SourceFile>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A path that could not be read at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub path: PathBuf,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitKind {
    /// An `.erl` file.
    Source,
    /// A script: a first line for the shell, no `-module`, and `main/1`.
    Escript,
    /// A compiled module, read from its abstract code.
    Beam,
}

/// A module to read.
#[derive(Clone, Debug)]
pub struct Unit {
    pub path: PathBuf,
    pub kind: UnitKind,
    /// Whether it belongs to the tests of its application.
    pub is_test: bool,
    pub options: Options,
    /// The compiler options of its project, warnings among them.
    pub erl_opts: Arc<ErlOpts>,
    pub application: Arc<Application>,
    /// Where its headers come from.
    pub files: ProjectFiles,
}

/// What the user asks for besides paths.
#[derive(Clone, Default, Debug)]
pub struct DiscoverOptions {
    /// `-I`, searched before the directories of application and project.
    pub include_dirs: Vec<PathBuf>,
    /// `-D`
    pub defines: Vec<(String, Option<String>)>,
    /// rebar3 profiles for all modules.
    pub profiles: Vec<String>,
    /// Leave out the modules in test directories.
    pub without_tests: bool,
    /// `?OTP_RELEASE`; otherwise that of the installation that was found.
    pub release: Option<u32>,
    /// Features that are on from the start.
    pub features: Vec<String>,
    /// Who evaluates what projects have as programs.
    pub scripts: Option<Arc<dyn Scripts>>,
}

/// Evaluates configurations that are programs (`rebar.config.script`): this crate runs nothing.
pub trait Scripts: std::fmt::Debug + Send + Sync {
    /// The terms that the program makes of those of a file, as text with a full stop behind each;
    /// or why it makes none.
    fn evaluate(&self, config: &Path, script: &Path) -> Result<String, String>;
}

/// What was found.
#[derive(Debug, Default)]
pub struct Discovery {
    pub units: Vec<Unit>,
    pub documents: Vec<Document>,
    pub problems: Vec<Problem>,
}

/// Finds the modules that the paths name.
pub fn discover(paths: &[PathBuf], options: &DiscoverOptions, library: &Arc<Library>) -> Discovery {
    let mut discoverer = Discoverer {
        options,
        library,
        roots: BTreeMap::new(),
        projects: BTreeMap::new(),
        applications: BTreeMap::new(),
        names: BTreeMap::new(),
        seen: BTreeSet::new(),
        found: Discovery::default(),
    };
    for path in paths {
        discoverer.path(path);
    }
    discoverer.found
}

/// A directory with a `rebar.config`, or an application that stands alone.
struct Project {
    root: PathBuf,
    /// As it applies to ordinary modules, and to tests.
    config: RebarConfig,
    test_config: RebarConfig,
    /// Directories of its applications.
    app_dirs: Vec<PathBuf>,
    is_rebar: bool,
    files: ProjectFiles,
}

/// How the modules of an application are read.
struct AppSettings {
    application: Arc<Application>,
    files: ProjectFiles,
    test_dirs: Vec<String>,
    main: Settings,
    test: Settings,
}

#[derive(Clone)]
struct Settings {
    options: Options,
    erl_opts: Arc<ErlOpts>,
}

struct Discoverer<'a> {
    options: &'a DiscoverOptions,
    library: &'a Arc<Library>,
    /// The directories of applications by those of files.
    roots: BTreeMap<PathBuf, PathBuf>,
    projects: BTreeMap<PathBuf, Rc<Project>>,
    applications: BTreeMap<PathBuf, Rc<AppSettings>>,
    /// The names of applications by their directories; `None` for what is none.
    names: BTreeMap<PathBuf, Option<String>>,
    /// Modules that are in the list already.
    seen: BTreeSet<PathBuf>,
    found: Discovery,
}

impl Discoverer<'_> {
    fn path(&mut self, path: &Path) {
        let path = without_dot(path);
        match std::fs::metadata(listed(&path)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.problem(&path, "no such file or directory".to_owned());
            }
            Err(error) => self.problem(&path, error.to_string()),
            Ok(metadata) if metadata.is_dir() => self.directory(&path),
            Ok(_) => match kind_of_file(&path) {
                Some(kind) => self.unit(&path, kind),
                None if path.file_name().is_some_and(|name| name == "rebar.config") => {
                    self.directory(&path.parent().map(Path::to_path_buf).unwrap_or_default());
                }
                None if path.extension().is_some_and(|extension| extension == "hrl") => {
                    let message = "a header is read together with a module that includes it";
                    self.problem(&path, message.to_owned());
                }
                None => self.problem(&path, "not an Erlang file".to_owned()),
            },
        }
    }

    fn problem(&mut self, path: &Path, message: String) {
        let problem = Problem { path: listed(path).to_path_buf(), message };
        if !self.found.problems.contains(&problem) {
            self.found.problems.push(problem);
        }
    }

    /// Everything in a directory; projects inside it by their own rules.
    fn directory(&mut self, dir: &Path) {
        let before = self.found.units.len();
        let mut compiled = Vec::new();
        let mut pending = vec![dir.to_path_buf()];
        while let Some(dir) = pending.pop() {
            if dir.join("rebar.config").exists() {
                self.rebar_project(&dir);
                continue;
            }
            let (files, mut subdirs) = match walk::entries(&dir) {
                Ok(entries) => entries,
                Err(error) => {
                    self.problem(&dir, error.to_string());
                    continue;
                }
            };
            for file in files {
                self.listed_file(&file);
                if file.extension().is_some_and(|extension| extension == "beam") {
                    compiled.push(file);
                }
            }
            subdirs.retain(|subdir| !walk::is_excluded(subdir));
            pending.extend(subdirs.into_iter().rev());
        }
        // A release without modules of its own, whose applications are kept as its dependencies
        // (RabbitMQ's server).
        if self.found.units.len() == before {
            for app in subdirectories(&dir.join("deps")) {
                if is_application(listed(&app)) {
                    self.application(&app);
                }
            }
        }
        if self.found.units.len() == before {
            compiled.iter().for_each(|file| self.unit(file, UnitKind::Beam));
        }
        if self.found.units.len() == before && self.found.problems.is_empty() {
            self.problem(dir, "no Erlang modules found".to_owned());
        }
    }

    /// An application that no `rebar.config` lists: what is in its `src` and `test`.
    fn application(&mut self, app: &Path) {
        let test = (!self.options.without_tests).then_some("test");
        for dir in ["src"].into_iter().chain(test).map(|name| app.join(name)) {
            if dir.is_dir() {
                self.sources_below(&dir);
            }
        }
    }

    /// A file that was not named but found: modules and scripts by their ending only.
    fn listed_file(&mut self, file: &Path) {
        let ending = file.extension().and_then(|extension| extension.to_str());
        if let (Some("erl" | "escript"), Some(kind)) = (ending, kind_of_file(file)) {
            self.unit(file, kind);
        }
    }

    fn rebar_project(&mut self, root: &Path) {
        let project = self.project(root);
        for app in &project.app_dirs {
            let config = &project.config;
            let mut dirs: Vec<&String> = config.src_dirs.iter().collect();
            if !self.options.without_tests {
                dirs.extend(&project.test_config.extra_src_dirs);
            }
            for dir in dirs {
                let dir = app.join(dir);
                if dir.is_dir() {
                    self.sources_below(&dir);
                }
            }
        }
        // Tests of an umbrella project stand beside its applications.
        if !self.options.without_tests && !project.app_dirs.iter().any(|app| app == root) {
            for dir in &project.test_config.extra_src_dirs {
                let dir = root.join(dir);
                if dir.is_dir() {
                    self.sources_below(&dir);
                }
            }
        }
    }

    fn sources_below(&mut self, dir: &Path) {
        let mut pending = vec![dir.to_path_buf()];
        while let Some(dir) = pending.pop() {
            match walk::entries(&dir) {
                Err(error) => self.problem(&dir, error.to_string()),
                Ok((files, mut subdirs)) => {
                    files.iter().for_each(|file| self.listed_file(file));
                    subdirs.retain(|subdir| !walk::is_excluded(subdir));
                    pending.extend(subdirs.into_iter().rev());
                }
            }
        }
    }

    fn unit(&mut self, path: &Path, kind: UnitKind) {
        let dir = path.parent().unwrap_or(path);
        let root = match self.roots.get(dir) {
            Some(root) => root.clone(),
            None => {
                let root = app_root(path);
                self.roots.insert(dir.to_path_buf(), root.clone());
                root
            }
        };
        let app = self.app_settings(&root);
        let inside = path.strip_prefix(&app.application.dir).unwrap_or(path);
        let is_test = app.test_dirs.iter().any(|dir| inside.starts_with(dir));
        if (is_test && self.options.without_tests) || !self.seen.insert(path.to_path_buf()) {
            return;
        }
        let Settings { options, erl_opts } = if is_test { &app.test } else { &app.main };
        self.found.units.push(Unit {
            path: path.to_path_buf(),
            kind,
            is_test,
            options: options.clone(),
            erl_opts: erl_opts.clone(),
            application: app.application.clone(),
            files: app.files.clone(),
        });
    }

    fn app_settings(&mut self, root: &Path) -> Rc<AppSettings> {
        if let Some(known) = self.applications.get(root) {
            return known.clone();
        }
        let project = self.project(&walk::project_root(root));
        let (application, document) = Application::in_dir(root);
        self.found.documents.extend(document);
        // A `rebar.config` of the application's own adds to the project's.
        let own = if project.root != root { self.config(root) } else { None };
        // Without a `rebar.config` nothing says where headers are: all of the application's count.
        let header_dirs = match project.is_rebar {
            true => Vec::new(),
            false => walk::header_dirs(&root.join("src")),
        };
        let settings = |config: &RebarConfig, own: Option<&RebarConfig>, test: bool| {
            self.settings(&project, root, config, own, &header_dirs, test)
        };
        let app = Rc::new(AppSettings {
            main: settings(&project.config, own.as_ref().map(|own| &own.0), false),
            test: settings(&project.test_config, own.as_ref().map(|own| &own.1), true),
            test_dirs: project.test_config.extra_src_dirs.clone(),
            files: project.files.clone(),
            application: Arc::new(application),
        });
        self.applications.insert(root.to_path_buf(), app.clone());
        app
    }

    fn settings(
        &self,
        project: &Project,
        app: &Path,
        config: &RebarConfig,
        own: Option<&RebarConfig>,
        header_dirs: &[PathBuf],
        test: bool,
    ) -> Settings {
        let mut erl_opts = config.erl_opts.clone();
        if let Some(own) = own {
            erl_opts.include_dirs.extend(own.erl_opts.include_dirs.iter().cloned());
            for (name, value) in &own.erl_opts.defines {
                erl_opts.define(name.clone(), value.clone());
            }
            erl_opts.features.extend(own.erl_opts.features.iter().cloned());
            erl_opts.parse_transforms.extend(own.erl_opts.parse_transforms.iter().cloned());
            erl_opts.others.extend(own.erl_opts.others.iter().cloned());
        }
        if test || self.options.profiles.iter().any(|profile| profile == "test") {
            erl_opts.define("TEST".to_owned(), None);
            if walk::is_of_erlang_mk(app) {
                erl_opts.parse_transforms.push("eunit_autoexport".to_owned());
            }
        }
        for (name, value) in &self.options.defines {
            erl_opts.define(name.clone(), value.clone());
        }
        let mut include_dirs = self.options.include_dirs.clone();
        include_dirs.push(app.join("include"));
        include_dirs.extend(config.src_dirs.iter().map(|dir| app.join(dir)));
        for dir in &erl_opts.include_dirs {
            include_dirs.push(app.join(dir));
            if project.root != app {
                include_dirs.push(project.root.join(dir));
            }
        }
        include_dirs.push(named(app));
        include_dirs.extend(header_dirs.iter().cloned());
        include_dirs.extend(self.library.include_dirs_inside_otp(app));
        let mut seen = BTreeSet::new();
        include_dirs.retain(|dir| seen.insert(dir.clone()));
        let mut features = self.options.features.clone();
        features.extend(erl_opts.features.iter().cloned());
        let options = Options {
            include_dirs,
            defines: erl_opts.defines.clone(),
            release: self.release(),
            features,
            ..Options::default()
        };
        Settings { options, erl_opts: Arc::new(erl_opts) }
    }

    fn release(&self) -> u32 {
        let installed = self.library.otp().and_then(|otp| otp.release);
        self.options.release.or(installed).unwrap_or(DEFAULT_RELEASE)
    }

    /// The `rebar.config` of a directory for ordinary modules and for tests.
    fn config(&mut self, dir: &Path) -> Option<(RebarConfig, RebarConfig)> {
        let file = match ConfigFile::read(dir, self.library.scripts()) {
            Ok(file) => file?,
            Err((path, message)) => {
                self.problem(&path, message);
                return None;
            }
        };
        let mut profiles: Vec<&str> = self.options.profiles.iter().map(String::as_str).collect();
        let platform = rebar::platform(self.release());
        let config = file.interpret(&profiles, &platform).0;
        if !profiles.contains(&"test") {
            profiles.push("test");
        }
        // What is wrong with the one is wrong with the other, which has more in it.
        let (test_config, document) = file.interpret(&profiles, &platform);
        if !document.diagnostics.is_empty() {
            self.found.documents.push(document);
        }
        Some((config, test_config))
    }

    fn project(&mut self, root: &Path) -> Rc<Project> {
        if let Some(known) = self.projects.get(root) {
            return known.clone();
        }
        let configs = self.config(root);
        let is_rebar = configs.is_some();
        let (mut config, test_config) = configs.unwrap_or_default();
        for dir in &config.erl_opts.src_dirs {
            if !config.src_dirs.contains(dir) {
                config.src_dirs.push(dir.clone());
            }
        }
        let app_dirs: Vec<PathBuf> = if is_rebar {
            let patterns = config.project_app_dirs.iter();
            let dirs = patterns.flat_map(|pattern| walk::expand(root, pattern));
            dirs.filter(|dir| config.src_dirs.iter().any(|src| dir.join(src).is_dir())).collect()
        } else {
            vec![root.to_path_buf()]
        };
        let mut files = self.project_files(root, &app_dirs);
        let missing = unfetched::missing(&test_config, &files);
        self.found.documents.extend(unfetched::told(&test_config, &missing));
        files.set_unfetched(missing);
        let root = root.to_path_buf();
        let project = Project { root, config, test_config, app_dirs, is_rebar, files };
        let project = Rc::new(project);
        self.projects.insert(project.root.clone(), project.clone());
        project
    }

    /// The applications that modules of the project can take headers from.
    fn project_files(&mut self, root: &Path, app_dirs: &[PathBuf]) -> ProjectFiles {
        let mut applications = BTreeMap::new();
        let mut add = |dir: &Path| {
            // Applications that stand together see each other: each is asked for many times.
            let name = self.names.entry(dir.to_path_buf()).or_insert_with(|| {
                is_application(listed(dir)).then(|| Application::in_dir(dir).0.name)
            });
            if let Some(name) = name {
                applications.entry(name.clone()).or_insert_with(|| named(dir));
            }
        };
        app_dirs.iter().for_each(|dir| add(dir));
        subdirectories(&root.join("_checkouts")).iter().for_each(|dir| add(dir));
        let mut profiles = subdirectories(&root.join("_build"));
        // What the default profile built comes first, as in a release.
        profiles.sort_by_key(|dir| !dir.ends_with("default"));
        for profile in profiles {
            subdirectories(&profile.join("lib")).iter().for_each(|dir| add(dir));
        }
        for dir in ["deps", "apps", "lib"] {
            subdirectories(&root.join(dir)).iter().for_each(|dir| add(dir));
        }
        // An application among others, as in OTP's own `lib` or a `deps` directory; those of a
        // project that is itself a dependency stand one level deeper.
        let is_named = |dir: &Path, names: &[&str]| {
            dir.file_name().and_then(|name| name.to_str()).is_some_and(|name| names.contains(&name))
        };
        let above = Above::new(root);
        let (around, further) = (above.level(1), above.level(3));
        if is_named(&around, &["lib", "deps", "apps"]) {
            subdirectories(&around).iter().for_each(|dir| add(dir));
            if is_named(&further, &["deps"]) {
                subdirectories(&further).iter().for_each(|dir| add(dir));
            }
        }
        ProjectFiles::new(self.library.clone(), applications)
    }
}

/// What a file is by its name or, where that says nothing, by its first bytes.
fn kind_of_file(path: &Path) -> Option<UnitKind> {
    match path.extension().and_then(|extension| extension.to_str()) {
        // Some scripts are named as modules are; no module starts like that.
        Some("erl") if !walk::starts_with(path, b"#!") => Some(UnitKind::Source),
        Some("erl" | "escript") => Some(UnitKind::Escript),
        Some("beam") => Some(UnitKind::Beam),
        Some("hrl") => None,
        _ => walk::starts_with(path, b"#!").then_some(UnitKind::Escript),
    }
}
