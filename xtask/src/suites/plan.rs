//! Which of OTP's suites are run, and where they are.
//!
//! The list is that of the goal: the suites of the language, of the emulator's builtins and of the
//! library modules that programs use; and of further ones, which show what else works. Modules that
//! OTP tests in a suite of another name are tested there: `ordsets`, `gb_sets` in `sets_SUITE`;
//! `orddict`, `gb_trees` in `dict_SUITE`; `io_lib` in `io_SUITE`.

use std::path::{Path, PathBuf};

/// The tests of one application.
pub(super) struct Application {
    pub(super) name: &'static str,
    /// Where its tests are in OTP's source.
    pub(super) directory: &'static str,
    /// Names of suites without `_SUITE`.
    suites: &'static [&'static str],
    /// Suites beyond the goal that one node can run; only run when they are asked for.
    further: &'static [&'static str],
}

pub(super) const APPLICATIONS: &[Application] = &[
    Application {
        name: "emulator",
        directory: "erts/emulator/test",
        suites: &[
            "after",
            "atomics",
            "bif",
            "big",
            "bs_bincomp",
            "bs_construct",
            "bs_match_bin",
            "bs_match_int",
            "bs_match_misc",
            "bs_match_tail",
            "bs_utf",
            "counters",
            "erl_link",
            "exception",
            "float",
            "fun",
            "guard",
            "hash",
            "list_bif",
            "map",
            "match_spec",
            "monitor",
            "nested",
            "num_bif",
            "persistent_term",
            "process",
            "receive",
            "register",
            "send_term",
            "timer_bif",
            "tuple",
        ],
        further: &[
            "beam_literals",
            "binary",
            "bs_bit_binaries",
            "code",
            "decode_packet",
            "hibernate",
            "iovec",
            "module_info",
            "op",
            "prim_eval",
            "pseudoknot",
            "ref",
            "statistics",
            "time",
            "unique",
        ],
    },
    Application {
        name: "compiler",
        directory: "lib/compiler/test",
        suites: &[
            "andor",
            "apply",
            "bs_bincomp",
            "bs_bit_binaries",
            "bs_construct",
            "bs_match",
            "bs_size_expr",
            "bs_utf",
            "fun",
            "guard",
            "lc",
            "map",
            "match",
            "maybe",
            "receive",
            "record",
            "trycatch",
        ],
        further: &[
            "bif",
            "core_fold",
            "error",
            "float",
            "misc",
            "overridden_bif",
            "regressions",
            "warnings",
        ],
    },
    Application {
        name: "stdlib",
        directory: "lib/stdlib/test",
        suites: &[
            "array",
            "base64",
            "binary_module",
            "calendar",
            "dict",
            "ets",
            "gen_event",
            "gen_server",
            "gen_statem",
            "io",
            "lists",
            "maps",
            "math",
            "proc_lib",
            "proplists",
            "queue",
            "rand",
            "sets",
            "string",
            "supervisor",
            "sys",
            "timer",
            "timer_simple",
            "unicode",
        ],
        further: &[
            "beam_lib",
            "dets",
            "digraph",
            "digraph_utils",
            "epp",
            "erl_anno",
            "erl_eval",
            "erl_expand_records",
            "erl_internal",
            "erl_lint",
            "erl_pp",
            "erl_scan",
            "error_logger_h",
            "file_sorter",
            "filelib",
            "filename",
            "fixtable",
            "format",
            "gen_fsm",
            "id_transform",
            "log_mf_h",
            "ms_transform",
            "qlc",
            "random",
            "re",
            "sofs",
            "supervisor_bridge",
            "tar",
            "unicode_util",
            "uri_string",
            "y2k",
            "zip",
        ],
    },
    Application {
        name: "kernel",
        directory: "lib/kernel/test",
        suites: &[],
        further: &[
            "application",
            "disk_log",
            "error_handler",
            "erpc",
            "file",
            "file_name",
            "logger",
            "logger_filters",
            "logger_formatter",
            "logger_legacy",
            "logger_simple_h",
            "logger_std_h",
            "os",
            "pdict",
            "pg",
            "prim_file",
            "ram_file",
            "rpc",
            "seq_trace",
            "standard_error",
            "wrap_log_reader",
            "zlib",
        ],
    },
];

/// Groups that OTP's own test specifications leave out: they measure, and take long.
pub(super) const LEFT_OUT: &[(&str, &str)] = &[("emulator/hash", "phash2_benchmark")];

/// One suite to be run.
#[derive(Clone, Debug)]
pub(super) struct Suite {
    pub(super) application: &'static str,
    /// `lists_SUITE`
    pub(super) module: String,
    /// A copy of the application's tests, in which both sides run.
    pub(super) directory: PathBuf,
}

impl Suite {
    /// `stdlib/lists`
    pub(super) fn short_name(&self) -> String {
        format!("{}/{}", self.application, self.module.trim_end_matches("_SUITE"))
    }

    /// The name of a file about it.
    pub(super) fn file(&self, extension: &str) -> String {
        format!("{}.{}.{extension}", self.application, self.module)
    }
}

/// The suites whose short names contain one of `wanted`; without any, those of the goal, or the
/// further ones.
pub(super) fn chosen(work: &Path, wanted: &[&str], further: bool) -> Vec<Suite> {
    let mut suites = Vec::new();
    for application in APPLICATIONS {
        let names = match (wanted.is_empty(), further) {
            (true, false) => [application.suites, &[]],
            (_, true) => [&[], application.further],
            (false, false) => [application.suites, application.further],
        };
        for name in names.concat() {
            let suite = Suite {
                application: application.name,
                module: format!("{name}_SUITE"),
                directory: work.join(application.name),
            };
            let short = suite.short_name();
            let is_wanted = |wanted: &&str| match wanted.strip_suffix('/') {
                Some(application) => short.starts_with(&format!("{application}/")),
                None => short == **wanted || short.ends_with(&format!("/{wanted}")),
            };
            if wanted.is_empty() || wanted.iter().any(is_wanted) {
                suites.push(suite);
            }
        }
    }
    suites
}
