//! What a `rebar.config` says about sources and how to compile them.
//!
//! `rebar.config.script` is an Erlang program that makes other terms of those of `rebar.config`.
//! Somebody else evaluates it ([`Scripts`]); where that is not possible a warning says so, and
//! `rebar.config` alone counts.

use std::path::{Path, PathBuf};

use syntax::diagnostic::{Diagnostic, Origin, Severity};
use syntax::source::{FileId, SourceFile, Span};

use super::erl_opts::{BadOption, ErlOpts, texts};
use super::{Document, Scripts};
use crate::consult::{Consulted, consult};
use crate::files::read_bounded;
use crate::terms::Term;

/// A `rebar.config`, with the profiles that were asked for merged in.
#[derive(Clone, Debug)]
pub struct RebarConfig {
    pub erl_opts: ErlOpts,
    /// Where sources are, relative to an application.
    pub src_dirs: Vec<String>,
    /// Where the sources of tests are, relative to an application.
    pub extra_src_dirs: Vec<String>,
    /// Patterns for the directories of applications, relative to the project.
    pub project_app_dirs: Vec<String>,
    /// Names of the dependencies.
    pub deps: Vec<String>,
    /// Where they are asked for.
    pub deps_at: Option<(SourceFile, Span)>,
    /// `{profiles, …}`: their names.
    pub profiles: Vec<String>,
}

/// What `platform_define` patterns are matched with, as rebar3 writes it.
pub(crate) fn platform(release: u32) -> String {
    let os = if cfg!(windows) { "win32" } else { "unix" };
    let arch = std::env::consts::ARCH;
    format!("{release}-{arch}-pc-{}-gnu-64-{os}", std::env::consts::OS)
}

/// The `rebar.config` of a dependency, in which nobody wants to hear of mistakes.
pub(crate) fn of_dependency(
    dir: &Path,
    release: u32,
    scripts: Option<&dyn Scripts>,
) -> Option<RebarConfig> {
    let file = ConfigFile::read(dir, scripts).ok()??;
    Some(file.interpret(&[], &platform(release)).0)
}

impl Default for RebarConfig {
    fn default() -> RebarConfig {
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        RebarConfig {
            erl_opts: ErlOpts::default(),
            src_dirs: strings(&["src"]),
            extra_src_dirs: strings(&["test"]),
            project_app_dirs: strings(&["apps/*", "lib/*", "."]),
            deps: Vec::new(),
            deps_at: None,
            profiles: Vec::new(),
        }
    }
}

/// The files of a project's configuration, read but not yet interpreted.
pub(super) struct ConfigFile {
    consulted: Consulted,
    /// What the script beside it makes of it, or why it was not run.
    script: Option<(PathBuf, Result<Consulted, String>)>,
}

impl ConfigFile {
    /// Reads `rebar.config` in a directory; an unreadable one is an error in words.
    pub(super) fn read(
        dir: &Path,
        scripts: Option<&dyn Scripts>,
    ) -> Result<Option<ConfigFile>, (PathBuf, String)> {
        let path = dir.join("rebar.config");
        let script = dir.join("rebar.config.script");
        let has_script = script.exists();
        let bytes = match path.exists() {
            true => read_bounded(&path).map_err(|error| (path.clone(), error.to_string()))?,
            false if has_script => Vec::new(),
            false => return Ok(None),
        };
        let script = has_script.then(|| {
            let made = match scripts {
                Some(scripts) => scripts.evaluate(&path, &script),
                None => Err("nothing evaluates it here".to_owned()),
            };
            let made = made.map(|text| consult(&script, text.into_bytes()));
            (script, made)
        });
        Ok(Some(ConfigFile { consulted: consult(&path, bytes), script }))
    }

    /// What the file means under some profiles, and what is wrong with it.
    pub(super) fn interpret(&self, profiles: &[&str], platform: &str) -> (RebarConfig, Document) {
        let mut reading = Reading {
            config: RebarConfig::default(),
            diagnostics: self.consulted.diagnostics.clone(),
            platform,
            is_test: profiles.contains(&"test"),
            deps_span: None,
        };
        reading.all(&self.consulted, profiles);
        let file = &self.consulted.file;
        match &self.script {
            // What is wrong is told of the file that somebody wrote; what holds is what was made.
            Some((_, Ok(made))) => {
                reading.config = RebarConfig::default();
                let told = reading.diagnostics.len();
                let asked = reading.deps_span;
                reading.all(made, profiles);
                reading.diagnostics.truncate(told);
                reading.deps_span = asked;
            }
            Some((script, Err(why))) => {
                let span = self.consulted.spans.first().copied().unwrap_or(Span {
                    file: FileId(0),
                    start: 0,
                    end: 0,
                });
                let message = format!("{} was not run: {why}", script.display());
                reading.report(Severity::Warning, "rebar_script", message, span);
            }
            None => {}
        }
        reading.config.deps_at = reading.deps_span.map(|span| (file.clone(), span));
        let mut diagnostics = reading.diagnostics;
        fix_locations(file, &mut diagnostics);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        (reading.config, Document { files: vec![file.clone()], diagnostics })
    }
}

/// Diagnostics about whole entries are made from spans only.
fn fix_locations(file: &SourceFile, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics {
        diagnostic.loc = file.loc(diagnostic.span.start);
    }
}

struct Reading<'a> {
    config: RebarConfig,
    diagnostics: Vec<Diagnostic>,
    platform: &'a str,
    /// Whether tests are compiled.
    is_test: bool,
    /// The first entry with dependencies.
    deps_span: Option<Span>,
}

impl Reading<'_> {
    /// Everything that a file says.
    fn all(&mut self, consulted: &Consulted, profiles: &[&str]) {
        for (term, &span) in consulted.roots().zip(&consulted.spans) {
            self.entry(term, span);
        }
        // Profiles come after everything else, wherever they are written.
        for (term, &span) in consulted.roots().zip(&consulted.spans) {
            self.profiles(term, span, profiles);
        }
    }

    fn report(&mut self, severity: Severity, code: &'static str, message: String, span: Span) {
        self.diagnostics.push(Diagnostic {
            severity,
            origin: Origin::Erlscope,
            code,
            message,
            span,
            loc: Default::default(),
            related: Vec::new(),
            help: None,
            otp_descriptor: None,
        });
    }

    fn bad_entry(&mut self, key: &str, wanted: &str, span: Span) {
        let message = format!("the value of '{key}' should be {wanted}");
        self.report(Severity::Error, "bad_config", message, span);
    }

    /// One `{Key, Value}` of the file or of a profile.
    fn entry(&mut self, term: Term<'_>, span: Span) {
        let Some(parts) = term.tuple() else { return };
        let (Some(key), [value]) = (parts.first().and_then(|key| key.atom()), &parts[1..]) else {
            return;
        };
        match key.as_str() {
            // Options for tests only.
            "eunit_compile_opts" | "ct_compile_opts" if !self.is_test => {}
            "erl_opts" | "eunit_compile_opts" | "ct_compile_opts" => match value.list() {
                None => self.bad_entry(key.as_str(), "a list of compiler options", span),
                Some(options) => {
                    for bad in self.config.erl_opts.add(&options, self.platform) {
                        self.bad_option(bad, span);
                    }
                }
            },
            "src_dirs" => match texts(*value) {
                Some(dirs) => self.config.src_dirs = dirs,
                None => self.bad_entry("src_dirs", "a list of directories", span),
            },
            "extra_src_dirs" => match texts(*value) {
                Some(dirs) => {
                    for dir in dirs {
                        if !self.config.extra_src_dirs.contains(&dir) {
                            self.config.extra_src_dirs.push(dir);
                        }
                    }
                }
                None => self.bad_entry("extra_src_dirs", "a list of directories", span),
            },
            "project_app_dirs" => match texts(*value) {
                Some(dirs) => self.config.project_app_dirs = dirs,
                None => self.bad_entry("project_app_dirs", "a list of patterns", span),
            },
            "deps" => match texts(*value) {
                Some(deps) => {
                    self.config.deps.extend(deps);
                    self.deps_span.get_or_insert(span);
                }
                None => self.bad_entry("deps", "a list of dependencies", span),
            },
            "profiles" => {
                let names = value.list().unwrap_or_default();
                let names = names.iter().filter_map(|profile| profile.tuple()?.first()?.text());
                self.config.profiles = names.collect();
            }
            _ => {}
        }
    }

    fn bad_option(&mut self, bad: BadOption, span: Span) {
        match bad {
            BadOption::Shape(option) => {
                let message = format!("not a compiler option: {option}");
                self.report(Severity::Error, "bad_config", message, span);
            }
            BadOption::Pattern(pattern) => {
                let message =
                    format!("the pattern \"{pattern}\" is not understood; option ignored");
                self.report(Severity::Warning, "bad_config", message, span);
            }
        }
    }

    /// The entries of the profiles that are on.
    fn profiles(&mut self, term: Term<'_>, span: Span, profiles: &[&str]) {
        let Some(parts) = term.tagged("profiles") else { return };
        let Some(list) = parts.first().and_then(|list| list.list()) else {
            self.bad_entry("profiles", "a list of {Name, Config}", span);
            return;
        };
        for wanted in profiles {
            for profile in &list {
                let pair = profile.tuple().unwrap_or_default();
                let [name, entries] = pair[..] else {
                    self.bad_entry("profiles", "a list of {Name, Config}", span);
                    return;
                };
                if name.is_atom(wanted) {
                    for entry in entries.list().unwrap_or_default() {
                        self.entry(entry, span);
                    }
                }
            }
        }
    }
}
