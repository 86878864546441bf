//! Applications: a directory with sources, and the resource file that names it.

use std::path::{Path, PathBuf};

use syntax::diagnostic::{Diagnostic, Origin, Severity};

use super::Document;
use crate::consult::consult;
use crate::files::read_bounded;

/// What a `.app` or `.app.src` file says.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Application {
    pub name: String,
    pub dir: PathBuf,
    pub version: Option<String>,
    /// `{applications, …}`: those that are started before it.
    pub applications: Vec<String>,
    /// `{mod, {Module, Args}}`: the module that starts it.
    pub start_module: Option<String>,
}

impl Application {
    /// The application in a directory. Without a resource file its name is the directory's. What
    /// is wrong with the resource file comes second.
    pub fn in_dir(dir: &Path) -> (Application, Option<Document>) {
        let file = resource_file(dir);
        let stem = file.as_deref().and_then(|file| file.file_name()?.to_str()?.split('.').next());
        let name = stem.map_or_else(|| dir_name(dir), str::to_owned);
        let mut application =
            Application { name, dir: dir.to_path_buf(), ..Application::default() };
        let Some(file) = file else { return (application, None) };
        let Ok(bytes) = read_bounded(&file) else { return (application, None) };
        let consulted = consult(&file, bytes);
        let mut diagnostics = consulted.diagnostics.clone();
        let found = consulted.roots().find_map(|root| root.tagged("application"));
        match found.as_deref() {
            Some([name, entries]) => {
                application.name = name.text().unwrap_or(application.name);
                for entry in entries.list().unwrap_or_default() {
                    let Some(parts) = entry.tuple() else { continue };
                    let [key, value] = parts[..] else { continue };
                    match key.atom().map_or("", |key| key.as_str()) {
                        "vsn" => application.version = value.string(),
                        "applications" => {
                            let names = value.list().unwrap_or_default();
                            application.applications =
                                names.iter().filter_map(|name| name.text()).collect();
                        }
                        "mod" => {
                            let module = value.tuple().and_then(|parts| parts.first()?.text());
                            application.start_module = module;
                        }
                        _ => {}
                    }
                }
            }
            // A resource file made by a program (`.app.src.script`) may be empty here.
            _ if diagnostics.is_empty() && !consulted.roots.is_empty() => {
                let span = consulted.spans[0];
                diagnostics.push(Diagnostic {
                    severity: Severity::Error,
                    origin: Origin::Erlscope,
                    code: "bad_config",
                    message: "expected {application, Name, Properties}".to_owned(),
                    span,
                    loc: consulted.file.loc(span.start),
                    related: Vec::new(),
                    help: None,
                    otp_descriptor: None,
                });
            }
            _ => {}
        }
        let document = Document { files: vec![consulted.file], diagnostics };
        (application, (!document.diagnostics.is_empty()).then_some(document))
    }
}

/// `src/NAME.app.src`, else `ebin/NAME.app`; the first by name if there are several.
fn resource_file(dir: &Path) -> Option<PathBuf> {
    first_with_ending(&dir.join("src"), ".app.src")
        .or_else(|| first_with_ending(&dir.join("ebin"), ".app"))
}

fn first_with_ending(dir: &Path, ending: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(dir).ok()?;
    let names = entries.flatten().filter(|e| e.file_name().to_string_lossy().ends_with(ending));
    names.map(|entry| entry.path()).min()
}

/// The name of a directory, without a version.
fn dir_name(dir: &Path) -> String {
    let name = match dir.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        // `.` and the like
        None => dir
            .canonicalize()
            .ok()
            .and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()))
            .unwrap_or_default(),
    };
    match name.rsplit_once('-') {
        Some((app, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => app.to_owned(),
        _ => name,
    }
}
