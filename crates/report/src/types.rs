//! Inferred types: as specs, as JSON, and written into a copy of the source; and what is wrong by
//! them, as diagnostics.

use std::io::{self, Write};

use atom::quote;
use program::Program;
use serde::Serialize;
use session::Place;
use session::contracts::Listed;
use session::types::{Answer, Function, Module, Type};
use syntax::diagnostic::{Diagnostic, Origin, Related, Severity};
use syntax::source::SourceFile;

use crate::json::{self, VERSION};
use crate::words::typing;
use crate::writer::Problem;

/// How long a line may be before a spec goes on in the next.
const WIDTH: usize = 98;
const INDENT: &str = "    ";

/// The spec of a function, as its module would have it.
pub fn spec(module: &Module, function: &Function) -> String {
    let name = quote::atom(function.name.as_str());
    let never = function.result.is_none();
    let shown = |ty: &Type| {
        let readable = ty.readable().abridged();
        let ty =
            if module.has_native_records { readable } else { readable.without_native_records() };
        ty.shown_with(module.name, &module.records)
    };
    // What never returns was given nothing that it returned for: that says nothing.
    let args: Vec<String> = function
        .args
        .iter()
        .map(|arg| if never { "any()".to_owned() } else { shown(arg) })
        .collect();
    let result = if never { "no_return()".to_owned() } else { shown(&function.result) };
    let head = format!("-spec {name}({})", args.join(", "));
    if head.len() + result.len() + " -> .".len() <= WIDTH {
        format!("{head} -> {result}.\n")
    } else if head.len() + " ->".len() <= WIDTH {
        format!("{head} ->\n    {}.\n", in_lines(&result, "."))
    } else {
        let args: Vec<String> = args.iter().map(|arg| in_lines(arg, ",")).collect();
        let args = args.join(",\n    ");
        format!("-spec {name}(\n    {args}\n) ->\n    {}.\n", in_lines(&result, "."))
    }
}

/// A union that is too long for a line, one member a line, or as many as there is place for.
fn in_lines(text: &str, behind: &str) -> String {
    if INDENT.len() + text.len() + behind.len() <= WIDTH {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut column = INDENT.len();
    for (nth, member) in members(text).into_iter().enumerate() {
        if nth > 0 && column + " | ".len() + member.len() + " |".len() > WIDTH {
            out += &format!(" |\n{INDENT}");
            column = INDENT.len();
        } else if nth > 0 {
            out += " | ";
            column += " | ".len();
        }
        out += member;
        column += member.len();
    }
    out
}

/// The members of a union, outside of all brackets and quotes.
fn members(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut escaped) = (0u32, false, false);
    let (mut members, mut start) = (Vec::new(), 0);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            // The head of an arrow closes nothing.
            '>' if !text[..at].ends_with(['-', '=']) => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                members.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    members.push(text[start..].trim());
    members
}

/// Specs of all modules, for functions that have none, or for all.
pub fn text(answer: &Answer, all: bool) -> String {
    let mut out = String::new();
    for module in &answer.modules {
        let wanted: Vec<&Function> =
            module.functions.iter().filter(|function| all || !function.has_spec).collect();
        if wanted.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out += &format!("%% {}\n", module.path.display());
        for function in wanted {
            out += &spec(module, function);
            for contract in &function.contracts {
                let said = contract.text.split_whitespace().collect::<Vec<_>>().join(" ");
                out += &format!("%% {}: {said}\n", contract.contract);
            }
        }
    }
    out
}

/// The text of a module with specs before the functions that have none.
pub fn annotated(module: &Module, text: &str) -> String {
    let mut places: Vec<(usize, String)> = module
        .functions
        .iter()
        .filter(|function| !function.has_spec)
        .filter_map(|function| Some((function.offset?, spec(module, function))))
        .filter(|(offset, _)| text.is_char_boundary(*offset))
        .collect();
    places.sort_by_key(|place| place.0);
    let mut out = String::with_capacity(text.len() + places.len() * WIDTH);
    let mut written = 0;
    for (offset, spec) in places {
        if offset < written {
            continue;
        }
        out += &text[written..offset];
        out += &spec;
        written = offset;
    }
    out += &text[written..];
    out
}

/// What is wrong by types, as warnings.
pub fn diagnostics(module: &Module) -> Vec<Diagnostic> {
    let found = module.findings.iter().map(|finding| {
        let because = finding
            .because
            .iter()
            .map(|(span, why)| Related { message: typing::because(why, module.name), span: *span });
        Diagnostic {
            severity: Severity::Warning,
            origin: Origin::Erlscope,
            code: finding.why.code(),
            message: typing::finding(&finding.why, module.name),
            span: finding.span,
            loc: finding.loc,
            related: because.chain(finding.through.iter().cloned()).collect(),
            help: None,
            otp_descriptor: None,
        }
    });
    found.collect()
}

#[derive(Serialize)]
struct JsonTypes<'a> {
    version: u32,
    command: &'static str,
    modules: Vec<JsonModule<'a>>,
    problems: &'a [Problem],
}

#[derive(Serialize)]
struct JsonModule<'a> {
    module: &'a str,
    file: String,
    functions: Vec<JsonFunction<'a>>,
    /// What is wrong, each in the shape of `check`'s diagnostics.
    findings: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct JsonFunction<'a> {
    name: &'a str,
    arity: u32,
    place: Option<&'a Place>,
    exported: bool,
    has_spec: bool,
    returns: bool,
    runs_for_ever: bool,
    args: Vec<String>,
    result: String,
    clauses: Vec<JsonClause>,
    /// What is declared of it beside its spec.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    contracts: &'a [Listed],
}

#[derive(Serialize)]
struct JsonClause {
    args: Vec<String>,
    result: String,
}

/// All functions of all modules.
pub fn write_json(
    answer: &Answer,
    program: &Program,
    problems: &[Problem],
    out: &mut impl Write,
) -> io::Result<()> {
    let modules = answer.modules.iter().zip(&program.modules);
    let modules = modules.map(|(module, loaded)| json_module(module, &loaded.tree.files)).collect();
    let document = JsonTypes { version: VERSION, command: "types", modules, problems };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn json_module<'a>(module: &'a Module, files: &[SourceFile]) -> JsonModule<'a> {
    let shown = |ty: &Type| ty.shown_in(module.name);
    let list = |types: &[Type]| types.iter().map(shown).collect::<Vec<String>>();
    let functions = module.functions.iter().map(|function| JsonFunction {
        name: function.name.as_str(),
        arity: function.arity,
        place: function.place.as_ref(),
        exported: function.exported,
        has_spec: function.has_spec,
        returns: !function.result.is_none(),
        runs_for_ever: function.runs_for_ever,
        args: list(&function.args),
        result: shown(&function.result),
        clauses: function
            .clauses
            .iter()
            .map(|(args, result)| JsonClause { args: list(args), result: shown(result) })
            .collect(),
        contracts: &function.contracts,
    });
    let diagnostics = diagnostics(module);
    let findings = diagnostics.iter().map(|found| json::render(files, found));
    JsonModule {
        module: module.name.as_str(),
        file: module.path.display().to_string(),
        functions: functions.collect(),
        findings: findings.filter_map(|text| serde_json::from_str(&text).ok()).collect(),
    }
}
