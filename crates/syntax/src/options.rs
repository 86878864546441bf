//! How a module is to be read: what `erlc` takes from its command line.

use std::path::PathBuf;

/// The release whose language and libraries are assumed when nothing else is known: the one that
/// the Machine is judged against.
pub const DEFAULT_RELEASE: u32 = 25;

#[derive(Clone, Debug)]
pub struct Options {
    /// Searched by `-include`, in order, after the directory of the including file (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Macros from the command line (`-D NAME[=VALUE]`), the value as Erlang text.
    pub defines: Vec<(String, Option<String>)>,
    /// What `?OTP_RELEASE` says. All syntax up to the newest release is read whatever this is.
    pub release: u32,
    /// Features enabled from outside (`-enable-feature`), as by `-feature(…, enable)`.
    pub features: Vec<String>,
    /// The name shown in `-file` attributes and `?FILE`, if not the path the text is read from.
    pub source_name: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            include_dirs: Vec::new(),
            defines: Vec::new(),
            release: DEFAULT_RELEASE,
            features: Vec::new(),
            source_name: None,
        }
    }
}
