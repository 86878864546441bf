//! The registry: every kind of diagnostic of the front end, and of finding of an exploration, of
//! types, of tests and of comparisons.
//!
//! A kind is a row of [`table`](ROWS): its code (what stands in brackets behind a message), how
//! severe it is, who gives it, since which release of OTP, and its meaning in one line. Each row
//! has a page under `pages/`, with a text, a wrong and a right example ([`page`] has the format);
//! the build script embeds them.
//!
//! The codes are not taken from here by those who report them: they are plain words in `syntax`,
//! `program`, `explore` and `types`, next to the rule. `tests/codes.rs` reads those sources and
//! complains about a code without a row and about a row that nobody gives; `tests/examples.rs`
//! runs the examples through the front end, and through OTP's compiler where that is installed.
//!
//! Adding a diagnostic is a row in `table.rs` and a file `pages/CODE.md`.

mod page;
mod table;

pub use page::{Example, Page};
pub use table::{EXPLORE_ROWS, ROWS, RUN_ROWS, TYPES_ROWS};

/// How much a kind matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// One or the other, as the page says.
    Either,
}

impl Severity {
    pub fn text(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Either => "error or warning",
        }
    }
}

/// Who gives a kind, in the order in which a module meets them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// Reading a project: its files, which modules there are.
    Project,
    /// The bytes of a file.
    Input,
    Scanner,
    Features,
    Preprocessor,
    /// Bounds of Erlscope that OTP has not.
    Limits,
    Parser,
    Lint,
    /// Later passes of the compiler.
    Compiler,
    /// Lints of our own, which OTP has not.
    Own,
    /// Errors that an exploration finds.
    Explore,
    /// Warnings of an exploration.
    ExploreWarning,
    /// What is wrong by types.
    Types,
    /// Tests that do not pass.
    Tests,
    /// What two versions do differently.
    Compare,
}

impl Origin {
    /// All of them, in their order.
    pub const ALL: [Origin; 15] = [
        Origin::Project,
        Origin::Input,
        Origin::Scanner,
        Origin::Features,
        Origin::Preprocessor,
        Origin::Limits,
        Origin::Parser,
        Origin::Lint,
        Origin::Compiler,
        Origin::Own,
        Origin::Explore,
        Origin::ExploreWarning,
        Origin::Types,
        Origin::Tests,
        Origin::Compare,
    ];

    /// A stable word, for machines.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Project => "project",
            Origin::Input => "input",
            Origin::Scanner => "scanner",
            Origin::Features => "features",
            Origin::Preprocessor => "preprocessor",
            Origin::Limits => "limits",
            Origin::Parser => "parser",
            Origin::Lint => "lint",
            Origin::Compiler => "compiler",
            Origin::Own => "own",
            Origin::Explore => "explore",
            Origin::ExploreWarning => "explore_warning",
            Origin::Types => "types",
            Origin::Tests => "tests",
            Origin::Compare => "compare",
        }
    }

    /// The heading of a list.
    pub fn title(self) -> &'static str {
        match self {
            Origin::Project => "Projects",
            Origin::Input => "Bytes of a file",
            Origin::Scanner => "Scanner",
            Origin::Features => "Features of the language",
            Origin::Preprocessor => "Preprocessor",
            Origin::Limits => "Bounds of Erlscope",
            Origin::Parser => "Parser",
            Origin::Lint => "Lint",
            Origin::Compiler => "Later passes of the compiler",
            Origin::Own => "Lints of Erlscope's own (off unless asked for)",
            Origin::Explore => "Errors of erlscope explore",
            Origin::ExploreWarning => "Warnings of erlscope explore --warnings",
            Origin::Types => "Warnings of erlscope types",
            Origin::Tests => "Results of erlscope test",
            Origin::Compare => "Differences of erlscope compare",
        }
    }

    /// The module of OTP that reports the same; `None` for what is ours alone.
    pub fn otp_module(self) -> Option<&'static str> {
        match self {
            Origin::Input => Some("file_io_server"),
            Origin::Scanner => Some("erl_scan"),
            Origin::Features => Some("erl_features"),
            Origin::Preprocessor => Some("epp"),
            Origin::Parser => Some("erl_parse"),
            Origin::Lint => Some("erl_lint"),
            Origin::Compiler => Some("compile"),
            Origin::Project
            | Origin::Limits
            | Origin::Own
            | Origin::Explore
            | Origin::ExploreWarning
            | Origin::Types
            | Origin::Tests
            | Origin::Compare => None,
        }
    }
}

/// A kind of diagnostic or finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub code: &'static str,
    pub severity: Severity,
    /// Who gives it; the first is where lists have it.
    pub origins: &'static [Origin],
    /// The release of OTP that it came with, where that is known. (It came with a construct of the
    /// language; most are older than any release that is in use.)
    pub since: Option<u32>,
    /// What it means, in one line.
    pub meaning: &'static str,
}

impl Row {
    pub fn origin(&self) -> Origin {
        self.origins[0]
    }

    pub fn page(&self) -> Page {
        let found = PAGES.binary_search_by(|(code, _)| (*code).cmp(self.code));
        Page::read(found.map_or("", |index| PAGES[index].1))
    }
}

/// The texts of the pages, by code.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The codes that have a page.
pub fn pages() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|(code, _)| *code)
}

/// All kinds: those of the front end, then those of explorations, of types, and of runs.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().chain(EXPLORE_ROWS).chain(TYPES_ROWS).chain(RUN_ROWS)
}

pub fn find(code: &str) -> Option<&'static Row> {
    rows().find(|row| row.code == code)
}

/// The kinds that a list has under one heading, by code.
pub fn group(origin: Origin) -> Vec<&'static Row> {
    let mut group: Vec<&Row> = rows().filter(|row| row.origin() == origin).collect();
    group.sort_by_key(|row| row.code);
    group
}
