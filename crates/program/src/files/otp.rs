//! Finding an Erlang/OTP installation without starting it.
//!
//! Tried in this order: the directory the user names; `ERLSCOPE_OTP` and `ERL_ROOTDIR`; the `erl`
//! on `PATH`, followed through links to `ROOT/bin/erl`, or through the `ROOTDIR=` line of the
//! script that it usually is; the places where packages install it. A directory counts as an
//! installation if it has a `lib` with a `kernel` and a `stdlib` in it. Its other applications are
//! looked at when somebody asks for one.
//!
//! May miss: an `erl` that is a shim of a version manager (asdf, mise) whose script has no
//! `ROOTDIR`; `--otp` or `ERLSCOPE_OTP` is the answer then.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// An installation.
#[derive(Clone, Debug)]
pub struct Otp {
    pub root: PathBuf,
    /// 25, 26, …; `None` if nothing in the installation says it.
    pub release: Option<u32>,
    applications: OnceLock<BTreeMap<String, PathBuf>>,
}

/// Where packages and builds put an installation.
const USUAL_PLACES: &[&str] = &[
    "/usr/lib/erlang",
    "/usr/local/lib/erlang",
    "/usr/lib64/erlang",
    "/opt/homebrew/lib/erlang",
    "/opt/local/lib/erlang",
    "/opt/erlang",
];

/// How much of an `erl` script is looked at.
const SCRIPT_BYTES: u64 = 1 << 16;

impl Otp {
    /// The installation that applies; `env` is the environment.
    pub fn find(env: &dyn Fn(&str) -> Option<String>) -> Option<Otp> {
        let named = ["ERLSCOPE_OTP", "ERL_ROOTDIR"].iter().filter_map(|name| env(name));
        if let Some(otp) = named.filter_map(|dir| Otp::at(Path::new(&dir))).next() {
            return Some(otp);
        }
        let path = env("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|dir| dir.join("erl"))
            .find(|erl| erl.is_file())
            .and_then(|erl| Otp::of_erl(&erl))
            .or_else(|| USUAL_PLACES.iter().find_map(|dir| Otp::at(Path::new(dir))))
    }

    /// The installation in a directory, if there is one.
    pub fn at(root: &Path) -> Option<Otp> {
        let needed = ["kernel", "stdlib"];
        let basic = applications_among(&root.join("lib"), |app| needed.contains(&app));
        (basic.len() == needed.len()).then(|| Otp {
            root: root.to_path_buf(),
            release: release(root),
            applications: OnceLock::new(),
        })
    }

    /// Directories of the applications in `lib`, the newest version of each.
    pub fn applications(&self) -> &BTreeMap<String, PathBuf> {
        self.applications.get_or_init(|| applications_in(&self.library()))
    }

    /// The directory that they are in.
    pub(super) fn library(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// The installation that an `erl` belongs to.
    fn of_erl(erl: &Path) -> Option<Otp> {
        let real = erl.canonicalize().ok()?;
        // ROOT/bin/erl, or ROOT/erts-13.1.5/bin/erl
        let above = real.ancestors().skip(2).take(2);
        if let Some(otp) = above.filter_map(Otp::at).next() {
            return Some(otp);
        }
        let mut script = Vec::new();
        std::fs::File::open(&real).ok()?.take(SCRIPT_BYTES).read_to_end(&mut script).ok()?;
        let script = String::from_utf8_lossy(&script);
        script
            .lines()
            .filter_map(|line| line.trim().strip_prefix("ROOTDIR="))
            .map(|value| value.trim_matches(['"', '\'', ' ']))
            .find_map(|root| Otp::at(Path::new(root)))
    }
}

/// The release number: what the installation starts by default, else the newest it has.
fn release(root: &Path) -> Option<u32> {
    let releases = root.join("releases");
    let default = std::fs::read_to_string(releases.join("start_erl.data")).ok();
    // "13.1.5 25"
    let default = default.as_deref().and_then(|text| major(text.split_whitespace().nth(1)?));
    default.or_else(|| {
        let entries = std::fs::read_dir(&releases).ok()?;
        let versions = entries.flatten().filter_map(|entry| {
            let text = std::fs::read_to_string(entry.path().join("OTP_VERSION")).ok();
            major(text.as_deref().unwrap_or(entry.file_name().to_str()?))
        });
        versions.max()
    })
}

/// The number before the first dot.
fn major(version: &str) -> Option<u32> {
    version.trim().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The applications in a library directory (`app` or `app-1.2.3`), the newest version of each.
pub(super) fn applications_in(lib: &Path) -> BTreeMap<String, PathBuf> {
    applications_among(lib, |_| true)
}

/// Those of them whose names are wanted.
fn applications_among(lib: &Path, wanted: impl Fn(&str) -> bool) -> BTreeMap<String, PathBuf> {
    let mut newest: BTreeMap<String, (Vec<u64>, PathBuf)> = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(lib) else { return BTreeMap::new() };
    for entry in entries.flatten() {
        let path = entry.path();
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let (app, version) = name_and_version(&name);
        if !wanted(app) || !is_application(&path) {
            continue;
        }
        let found = (version, path);
        match newest.get_mut(app) {
            Some(known) if *known >= found => {}
            Some(known) => *known = found,
            None => {
                newest.insert(app.to_owned(), found);
            }
        }
    }
    newest.into_iter().map(|(app, (_, path))| (app, path)).collect()
}

/// Whether a directory could be an application's.
pub(crate) fn is_application(dir: &Path) -> bool {
    ["ebin", "src", "include"].iter().any(|part| dir.join(part).is_dir())
}

/// `kernel-8.5.3` is `kernel` in version 8.5.3; what has no version is older than what has one.
fn name_and_version(name: &str) -> (&str, Vec<u64>) {
    match name.rsplit_once('-') {
        Some((app, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => {
            let numbers = version.split(|c: char| !c.is_ascii_digit());
            (app, numbers.map(|number| number.parse().unwrap_or(0)).collect())
        }
        _ => (name, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert_eq!(name_and_version("kernel-8.5.3"), ("kernel", vec![8, 5, 3]));
        assert_eq!(name_and_version("syntax_tools"), ("syntax_tools", vec![]));
        assert_eq!(name_and_version("my-app"), ("my-app", vec![]));
        assert!(name_and_version("a-10.0").1 > name_and_version("a-9.2").1);
    }

    #[test]
    fn release_numbers() {
        assert_eq!(major("25.2.3\n"), Some(25));
        assert_eq!(major("27.0-rc1"), Some(27));
        assert_eq!(major("R16B"), None);
    }

    #[test]
    fn an_empty_directory_is_no_installation() {
        assert!(Otp::at(Path::new(env!("CARGO_MANIFEST_DIR"))).is_none());
    }

    #[test]
    fn erl_on_path_leads_to_its_installation() {
        let env = |name: &str| std::env::var(name).ok();
        let Some(otp) = Otp::find(&env) else {
            println!("skipped: no Erlang/OTP found");
            return;
        };
        assert!(otp.applications().contains_key("stdlib"));
        assert!(otp.release.is_some_and(|release| release >= 21), "{otp:?}");
    }
}
