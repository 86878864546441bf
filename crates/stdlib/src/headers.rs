//! Headers that come with Erlscope, for machines without an OTP installation.
//!
//! They are written from the documentation of the applications they are named after, and have the
//! macros and records of OTP 25's; a test compares them with the installed ones. The directory of
//! an application that exists only here is a path that no file system has.

use std::path::{Component, Path, PathBuf};

/// First component of the path of a shipped header; what a user sees in a message about one.
const ROOT: &str = "<erlscope>";

macro_rules! headers {
    ($($app:literal / $file:literal),* $(,)?) => {
        &[$(($app, $file, include_str!(concat!("../headers/", $app, "/include/", $file)))),*]
    };
}

/// Application, name of the header, text.
pub const HEADERS: &[(&str, &str, &str)] = headers![
    "common_test" / "ct.hrl",
    "common_test" / "ct_event.hrl",
    "edbc" / "edbc.hrl",
    "eunit" / "eunit.hrl",
    "kernel" / "file.hrl",
    "kernel" / "inet.hrl",
    "kernel" / "logger.hrl",
    "proper" / "proper.hrl",
    "proper" / "proper_common.hrl",
    "stdlib" / "assert.hrl",
    "stdlib" / "erl_bits.hrl",
    "stdlib" / "erl_compile.hrl",
    "stdlib" / "ms_transform.hrl",
    "stdlib" / "qlc.hrl",
    "stdlib" / "zip.hrl",
];

/// The directory of an application that we ship headers of.
pub fn lib_dir(application: &str) -> Option<PathBuf> {
    HEADERS.iter().any(|(app, ..)| *app == application).then(|| Path::new(ROOT).join(application))
}

/// The text of a shipped header by its own path.
pub fn read(path: &Path) -> Option<&'static str> {
    let mut components = path.components();
    if components.next() != Some(Component::Normal(ROOT.as_ref())) {
        return None;
    }
    find(components.as_path().parent()?.parent()?.to_str()?, components.as_path())
}

/// The text of a header that programs include by its name alone, wherever it is: EDBC's.
pub fn by_name(path: &Path) -> Option<&'static str> {
    let is_named = path.file_name()? == "edbc.hrl";
    is_named.then(|| HEADERS.iter().find(|(app, ..)| *app == "edbc"))?.map(|entry| entry.2)
}

/// The text of the header that `path`, which is somewhere below a directory of `application`,
/// would be if it existed.
pub fn find(application: &str, path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?;
    if path.parent()?.file_name()? != "include" {
        return None;
    }
    HEADERS.iter().find(|(app, file, _)| *app == application && *file == name).map(|entry| entry.2)
}
