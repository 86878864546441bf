//! What can be wrong with directives and macro calls, and how it is said.
//!
//! A [`Problem`] is what OTP's `epp` (or `erl_scan`) would report; its descriptor term is printed
//! exactly as OTP has it, the message is ours. Problems that OTP has no word for carry no
//! descriptor.

use atom::Atom;

use crate::diagnostic::{Diagnostic, Origin, Severity};
use crate::lexer;
use crate::quote;
use crate::source::{Loc, Span};
use crate::token::{ExpansionId, Token};

/// A problem, and the token that is to blame.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) problem: Problem,
    pub(super) loc: Loc,
    pub(super) span: Span,
    pub(super) expansion: Option<ExpansionId>,
}

impl Fault {
    pub(super) fn at(token: &Token, problem: Problem) -> Fault {
        Fault { problem, loc: token.loc, span: token.span, expansion: token.expansion }
    }
}

/// How many arguments a macro call has; `None` for a call without parentheses.
pub(super) type Arity = Option<u32>;

#[derive(Debug)]
pub(crate) enum Problem {
    /// A directive that is not written as it must be.
    BadDirective(&'static str),
    DuplicatedArgument(Atom),
    MissingParenthesis,
    MissingComma,
    PrematureEnd,
    /// A question mark before something that names no macro: the text behind it.
    IllegalCall(String),
    UndefinedMacro(Atom, Arity),
    IncludeTooDeep(&'static str),
    ArgumentMismatch(Atom),
    BadArgument(Atom),
    Redefined(Atom),
    RedefinedPredefined(Atom),
    Circular(Atom, Arity),
    IncludeNotFound {
        lib: bool,
        name: String,
        searched: Vec<String>,
    },
    /// A conditional directive in the wrong place: how it is wrong, and the directive.
    Misplaced(&'static str, &'static str),
    /// `?FUNCTION_NAME` outside of a function.
    OutsideFunction(Atom),
    /// `?FUNCTION_NAME` as the first thing of a form.
    BeginsForm(Atom),
    ElifAfterElse,
    /// `-error(Term)` or `-warning(Term)`: the term as text.
    UserError(String),
    UserWarning(String),
    FeatureTooLate,
    UnknownFeature(Atom),
    /// Bytes that are no UTF-8.
    InvalidUnicode,
    CannotParse,
    Scanner(lexer::Problem),
    // What OTP has no word for.
    ExpansionTooLarge,
    FileTooLarge(usize),
    TooManyFiles,
    Unreadable(String),
    BadDefine {
        name: String,
        why: &'static str,
    },
    DocFile(String),
}

/// A word for reports and the descriptor of OTP.
struct Described {
    code: &'static str,
    descriptor: Option<String>,
    message: String,
    help: Option<String>,
}

impl Described {
    fn new(code: &'static str, descriptor: String, message: String) -> Described {
        Described { code, descriptor: Some(descriptor), message, help: None }
    }

    fn ours(code: &'static str, message: String) -> Described {
        Described { code, descriptor: None, message, help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Described {
        self.help = Some(help.into());
        self
    }
}

impl Problem {
    fn origin(&self) -> Origin {
        match self {
            Problem::Scanner(_) => Origin::Scanner,
            Problem::InvalidUnicode => Origin::Input,
            Problem::UnknownFeature(_) => Origin::Features,
            Problem::ExpansionTooLarge
            | Problem::FileTooLarge(_)
            | Problem::TooManyFiles
            | Problem::Unreadable(_)
            | Problem::BadDefine { .. } => Origin::Erlscope,
            _ => Origin::Preprocessor,
        }
    }

    pub(crate) fn diagnostic(&self, loc: Loc, span: Span) -> Diagnostic {
        let described = self.describe();
        let warning = matches!(self, Problem::UserWarning(_));
        Diagnostic {
            severity: if warning { Severity::Warning } else { Severity::Error },
            origin: self.origin(),
            code: described.code,
            message: described.message,
            span,
            loc,
            related: Vec::new(),
            help: described.help,
            otp_descriptor: described.descriptor,
        }
    }

    fn describe(&self) -> Described {
        match self {
            Problem::BadDirective(name) => Described::new(
                "bad",
                format!("{{bad,{}}}", quote::atom(name)),
                format!("this is not how '-{name}' is written"),
            )
            .help(format!("write {}", directive_shape(name))),
            Problem::MissingParenthesis => Described::new(
                "missing_parenthesis",
                "missing_parenthesis".to_owned(),
                "the macro definition has no closing parenthesis".to_owned(),
            ),
            Problem::MissingComma => Described::new(
                "missing_comma",
                "missing_comma".to_owned(),
                "a comma must follow the parameters of the macro".to_owned(),
            ),
            Problem::PrematureEnd => Described::new(
                "premature_end",
                "premature_end".to_owned(),
                "the file ends inside a macro definition".to_owned(),
            ),
            Problem::IncludeTooDeep(what) => Described::new(
                "depth",
                format!("{{depth,{}}}", quote::string(what)),
                "files include each other more than 8 levels deep".to_owned(),
            )
            .help("protect the header with -ifndef if it includes itself"),
            Problem::IncludeNotFound { lib, name, searched } => {
                include_not_found(*lib, name, searched)
            }
            Problem::Misplaced(how, name) => misplaced(how, name),
            Problem::ElifAfterElse => Described::new(
                "elif_after_else",
                "elif_after_else".to_owned(),
                "'-elif' cannot follow '-else'".to_owned(),
            ),
            Problem::UserError(term) => Described::new(
                "error",
                format!("{{error,{term}}}"),
                format!("error directive: {term}"),
            ),
            Problem::UserWarning(term) => Described::new(
                "warning",
                format!("{{warning,{term}}}"),
                format!("warning directive: {term}"),
            ),
            Problem::FeatureTooLate => Described::new(
                "ftr_after_prefix",
                "ftr_after_prefix".to_owned(),
                "a feature can only be switched at the top of the module".to_owned(),
            )
            .help("move '-feature' before exports, records and functions"),
            Problem::UnknownFeature(name) => Described::new(
                "invalid_features",
                format!("{{invalid_features,[{}]}}", quote::atom(name.as_str())),
                format!("there is no feature '{name}'"),
            ),
            Problem::InvalidUnicode => Described::new(
                "invalid_unicode",
                "invalid_unicode".to_owned(),
                "the file is not valid UTF-8".to_owned(),
            )
            .help("save it as UTF-8, or say '%% coding: latin-1' in its first line"),
            Problem::CannotParse => Described::new(
                "cannot_parse",
                "cannot_parse".to_owned(),
                "the rest of the file is not read".to_owned(),
            ),
            Problem::Scanner(problem) => scanner(problem),
            Problem::DocFile(name) => Described::new(
                "doc",
                format!("{{doc,file,{}}}", quote::string(name)),
                format!("the documentation file {name:?} cannot be read"),
            ),
            Problem::ExpansionTooLarge => Described::ours(
                "expansion_too_large",
                "the macros of this form expand to too many tokens".to_owned(),
            ),
            Problem::FileTooLarge(size) => Described::ours(
                "file_too_large",
                format!(
                    "the file has {size} bytes; more than {} are not read",
                    crate::decode::MAX_FILE_BYTES
                ),
            ),
            Problem::TooManyFiles => {
                Described::ours("too_many_files", "too many files are included".to_owned())
            }
            Problem::Unreadable(why) => {
                Described::ours("unreadable", format!("the file cannot be read: {why}"))
            }
            Problem::BadDefine { name, why } => Described::ours(
                "bad_define",
                format!("the macro '{name}' from the command line {why}"),
            ),
            _ => self.describe_macro(),
        }
    }

    fn describe_macro(&self) -> Described {
        let atom = |name: &Atom| quote::atom(name.as_str());
        match self {
            Problem::DuplicatedArgument(name) => Described::new(
                "duplicated_argument",
                format!("{{duplicated_argument,{}}}", atom(name)),
                format!("the macro has two parameters named '{name}'"),
            ),
            Problem::IllegalCall(text) => Described::new(
                "call",
                format!("{{call,[63,{}]}}", quote::string(text)),
                format!("'?' must be followed by the name of a macro, not by {text}"),
            ),
            Problem::UndefinedMacro(name, arity) => Described::new(
                "undefined",
                format!("{{undefined,{},{}}}", atom(name), arity_text(*arity)),
                format!("macro '{}' is not defined", macro_name(name, *arity)),
            ),
            Problem::ArgumentMismatch(name) => Described::new(
                "mismatch",
                format!("{{mismatch,{}}}", atom(name)),
                format!("macro '{name}' is not defined for this number of arguments"),
            ),
            Problem::BadArgument(name) => Described::new(
                "arg_error",
                format!("{{arg_error,{}}}", atom(name)),
                format!("the arguments of macro '{name}' are not well formed"),
            )
            .help("look for a missing parenthesis, or for one comma too many"),
            Problem::Redefined(name) => Described::new(
                "redefine",
                format!("{{redefine,{}}}", atom(name)),
                format!("macro '{name}' is already defined"),
            )
            .help(format!("write '-undef({name}).' before it to replace it")),
            Problem::RedefinedPredefined(name) => Described::new(
                "redefine_predef",
                format!("{{redefine_predef,{}}}", atom(name)),
                format!("macro '{name}' is predefined and cannot be defined again"),
            ),
            Problem::Circular(name, arity) => Described::new(
                "circular",
                format!("{{circular,{},{}}}", atom(name), arity_text(*arity)),
                format!("macro '{}' is defined in terms of itself", macro_name(name, *arity)),
            ),
            Problem::OutsideFunction(name) => Described::new(
                "illegal_function",
                format!("{{illegal_function,{}}}", atom(name)),
                format!("'?{name}' has a value only inside a function"),
            ),
            Problem::BeginsForm(name) => Described::new(
                "illegal_function_usage",
                format!("{{illegal_function_usage,{}}}", atom(name)),
                format!("'?{name}' cannot be the first thing of a form"),
            ),
            _ => Described::ours("internal", "unexpected problem".to_owned()),
        }
    }
}

fn arity_text(arity: Arity) -> String {
    arity.map_or("none".to_owned(), |arity| arity.to_string())
}

fn macro_name(name: &Atom, arity: Arity) -> String {
    arity.map_or(name.to_string(), |arity| format!("{name}/{arity}"))
}

fn misplaced(how: &'static str, name: &'static str) -> Described {
    let message = match how {
        "unterminated" => format!("'-{name}' is not closed by '-endif'"),
        "repeated" => format!("there is a second '-{name}' for the same condition"),
        _ => format!("'-{name}' belongs to no '-if'"),
    };
    let descriptor = format!("{{illegal,{},{}}}", quote::string(how), quote::atom(name));
    Described::new("illegal", descriptor, message)
}

fn include_not_found(lib: bool, name: &str, searched: &[String]) -> Described {
    let kind = if lib { "lib" } else { "file" };
    let mut described = Described::new(
        "include",
        format!("{{include,{kind},{}}}", quote::string(name)),
        format!("include file {} is not found", quote::string(name)),
    );
    if !searched.is_empty() {
        described = described.help(format!("searched in {}", searched.join(", ")));
    }
    described
}

fn scanner(problem: &lexer::Problem) -> Described {
    match problem {
        lexer::Problem::Illegal(what) => {
            let message = match *what {
                "character" => "this character is not allowed here".to_owned(),
                "atom" | "var" => "this name is longer than 255 characters".to_owned(),
                what => format!("this is no {what}"),
            };
            Described::new("illegal", format!("{{illegal,{what}}}"), message)
        }
        lexer::Problem::Base(base) => Described::new(
            "base",
            format!("{{base,{base}}}"),
            "the base of a number must be between 2 and 36".to_owned(),
        ),
        lexer::Problem::Unterminated { quote: mark, head } => {
            let what = if *mark == '\'' { "quoted atom" } else { "string" };
            // OTP keeps the beginning as a list of characters.
            let head = if head.is_empty() { "[]".to_owned() } else { quote::string(head) };
            Described::new(
                "string",
                format!("{{string,{},{head}}}", *mark as u32),
                format!("the {what} that starts here is not closed"),
            )
        }
        lexer::Problem::Char => {
            Described::new("char", "char".to_owned(), "a character must follow '$'".to_owned())
        }
        lexer::Problem::Indentation => Described::ours(
            "indentation",
            "this line is indented less than the closing quotes of the string".to_owned(),
        ),
    }
}

/// How a directive is written, for the help of [`Problem::BadDirective`].
fn directive_shape(name: &str) -> &'static str {
    match name {
        "define" => "'-define(NAME, Replacement).' or '-define(NAME(A, B), Replacement).'",
        "undef" => "'-undef(NAME).'",
        "ifdef" => "'-ifdef(NAME).'",
        "ifndef" => "'-ifndef(NAME).'",
        "if" => "'-if(Condition).' with one guard expression",
        "elif" => "'-elif(Condition).'",
        "else" => "'-else.'",
        "endif" => "'-endif.'",
        "include" => "'-include(\"file.hrl\").'",
        "include_lib" => "'-include_lib(\"application/include/file.hrl\").'",
        "file" => "'-file(\"name\", Line).'",
        "feature" => "'-feature(name, enable).'",
        "error" => "'-error(Term).'",
        _ => "'-warning(Term).'",
    }
}
