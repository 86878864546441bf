//! Compiler options, as they stand in `erl_opts` of a `rebar.config`, in a `-compile` attribute or
//! in the debug information of a `.beam` file.

use std::path::PathBuf;

use crate::lint::term::Term as Constant;
use crate::terms::Term;

/// Options that mean something to us, sorted by what they mean.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct ErlOpts {
    /// `{i, Dir}`
    pub include_dirs: Vec<PathBuf>,
    /// `{d, Name}` and `{d, Name, Value}`, the value as Erlang text; `{u, Name}` has been applied.
    pub defines: Vec<(String, Option<String>)>,
    /// `{src_dirs, Dirs}`, which rebar3 also takes from here.
    pub src_dirs: Vec<String>,
    /// `{parse_transform, Module}`
    pub parse_transforms: Vec<String>,
    /// `{feature, Name, enable}`
    pub features: Vec<String>,
    /// All other options in order: `nowarn_unused_vars`, `warnings_as_errors`,
    /// `{nowarn_unused_function, [{f, 1}]}`.
    pub others: Vec<Constant>,
}

/// Why an option was not taken.
pub(super) enum BadOption {
    /// It has not the shape its name asks for.
    Shape(String),
    /// The pattern of a `platform_define` cannot be read.
    Pattern(String),
}

impl ErlOpts {
    /// Adds options after those that are there. `platform` is what `platform_define` patterns are
    /// matched with.
    pub(super) fn add(&mut self, options: &[Term<'_>], platform: &str) -> Vec<BadOption> {
        options.iter().filter_map(|option| self.add_one(*option, platform).err()).collect()
    }

    fn add_one(&mut self, option: Term<'_>, platform: &str) -> Result<(), BadOption> {
        let Some(parts) = option.tuple() else {
            self.others.push(option.constant());
            return Ok(());
        };
        let tag = parts.first().and_then(|tag| tag.atom()).map_or("", |tag| tag.as_str());
        let bad = || BadOption::Shape(option.to_string());
        match (tag, &parts[1..]) {
            ("i", [dir]) => {
                self.include_dirs.push(dir.text().ok_or_else(bad)?.into());
            }
            ("d", [name]) => self.define(name.text().ok_or_else(bad)?, None),
            ("d", [name, value]) => {
                self.define(name.text().ok_or_else(bad)?, Some(value.to_string()));
            }
            ("u", [name]) => {
                let name = name.text().ok_or_else(bad)?;
                self.defines.retain(|(known, _)| *known != name);
            }
            ("platform_define", [pattern, name, value @ ..]) => {
                let pattern = pattern.text().ok_or_else(bad)?;
                let matches = regex_lite::Regex::new(&pattern)
                    .map_err(|_| BadOption::Pattern(pattern.clone()))?
                    .is_match(platform);
                if matches {
                    let value = value.first().map(|value| value.to_string());
                    self.define(name.text().ok_or_else(bad)?, value);
                }
            }
            ("src_dirs", [dirs]) => self.src_dirs = texts(*dirs).ok_or_else(bad)?,
            ("parse_transform", [module]) => {
                self.parse_transforms.push(module.text().ok_or_else(bad)?);
            }
            ("feature", [name, state]) => {
                let name = name.text().ok_or_else(bad)?;
                self.features.retain(|known| *known != name);
                if state.is_atom("enable") {
                    self.features.push(name);
                }
            }
            ("d" | "u" | "i" | "platform_define" | "parse_transform", _) => return Err(bad()),
            _ => self.others.push(option.constant()),
        }
        Ok(())
    }

    pub(super) fn define(&mut self, name: String, value: Option<String>) {
        self.defines.retain(|(known, _)| *known != name);
        self.defines.push((name, value));
    }

    pub fn has(&self, option: &str) -> bool {
        self.others.iter().any(|other| other.is(option))
    }
}

/// The texts of a list of names, each perhaps in a tuple with options of its own, as in
/// `{extra_src_dirs, ["test", {"perf", [{recursive, false}]}]}`.
pub(super) fn texts(list: Term<'_>) -> Option<Vec<String>> {
    let text = |term: Term<'_>| term.text().or_else(|| term.tuple()?.first()?.text());
    list.list()?.into_iter().map(text).collect()
}
