//! Names the tools themselves speak of, as constants that can be matched on.

use crate::Atom;

macro_rules! known_atoms {
    ($($name:ident = $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "index of a constant")]
        enum Index { $($name),* }
        $(#[doc = concat!("`", $text, "`")] pub const $name: Atom = Atom(Index::$name as u32);)*
        pub(crate) const TEXTS: &[&str] = &[$($text),*];
    };
}

known_atoms! {
    EMPTY = "",
    UNDERSCORE = "_",
    OK = "ok",
    ERROR = "error",
    EXIT_CLASS = "exit",
    THROW = "throw",
    TRUE = "true",
    FALSE = "false",
    UNDEFINED = "undefined",
    INFINITY = "infinity",
    ERLANG = "erlang",
    MODULE = "module",
    EXPORT = "export",
    IMPORT = "import",
    EXPORT_TYPE = "export_type",
    OPTIONAL_CALLBACKS = "optional_callbacks",
    RECORD = "record",
    TYPE = "type",
    OPAQUE = "opaque",
    NOMINAL = "nominal",
    SPEC = "spec",
    CALLBACK = "callback",
    BEHAVIOUR = "behaviour",
    BEHAVIOR = "behavior",
    COMPILE = "compile",
    FILE = "file",
    DEFINE = "define",
    UNDEF = "undef",
    IFDEF = "ifdef",
    IFNDEF = "ifndef",
    IF = "if",
    ELIF = "elif",
    ELSE = "else",
    ENDIF = "endif",
    INCLUDE = "include",
    INCLUDE_LIB = "include_lib",
    WARNING = "warning",
    FEATURE = "feature",
    DOC = "doc",
    MODULEDOC = "moduledoc",
    ON_LOAD = "on_load",
    NIFS = "nifs",
    DIALYZER = "dialyzer",
    DEPRECATED = "deprecated",
    REMOVED = "removed",
    VSN = "vsn",
    AUTHOR = "author",
    MAYBE = "maybe",
    MAYBE_EXPR = "maybe_expr",
    ENABLE = "enable",
    DISABLE = "disable",
    DEFINED = "defined",
    MODULE_INFO = "module_info",
    RECORD_INFO = "record_info",
    BEAM = "BEAM",
}
