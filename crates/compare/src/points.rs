//! Points of interest: how they are written, and which nodes of a program they are.
//!
//! | written | what it is |
//! | --- | --- |
//! | `f.erl:12:5` | the expression that begins there: of several the outermost |
//! | `f.erl:12:5-12:20` | the one with this text; the end is its last character or the next |
//! | `f.erl:12 X` | the first occurrence of a variable in a line |
//! | `m:f/2` | what a function returns |
//! | `call m:f/2` | what it is called with |
//! | `message m:f/2` | the messages that it receives |
//! | `{'f.erl', Line, Type, Nth}` | SecEr's: the nth of this kind in the line, outer ones first |
//! | `{'f.erl', Line, Type}` | the first of them |
//! | `{'f.erl', {L1, C1}, {L2, C2}}` | SecEr's: a range |
//!
//! SecEr's types are `call`, `'case'`, `'if'`, `'try'`, `lc`, `tuple`, `list`, `{var, 'X'}`, and
//! names of `erl_syntax`; those are made into kinds of our tree ([`is_kind`]). Whether the end of a
//! range is meant to be inside is not settled there (the text says so, the program does not): the
//! node decides.

use std::path::Path;

use atom::Atom;
use inputs::{Input, text};
use program::index::NameArity;
use program::{LoadedModule, Program};
use syntax::ast::{Kind, NodeId};

use crate::branches;
use crate::watch::Points;

/// A point as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    At {
        file: String,
        line: u32,
        column: u32,
    },
    Range {
        file: String,
        from: (u32, u32),
        to: (u32, u32),
    },
    /// Of a kind, the nth of the line, from 1.
    Typed {
        file: String,
        line: u32,
        kind: String,
        variable: Option<String>,
        nth: usize,
    },
    Results(Atom, NameArity),
    Calls(Atom, NameArity),
    Messages(Atom, NameArity),
}

/// Reads a point.
pub fn read(written: &str) -> Result<Written, String> {
    let written = written.trim();
    if written.starts_with('{') {
        let input = text::read(written).map_err(|error| format!("`{written}`: {error}"))?;
        return of_term(&input).ok_or_else(|| wrong(written));
    }
    for (prefix, make) in [
        ("call ", Written::Calls as fn(Atom, NameArity) -> Written),
        ("message ", Written::Messages),
    ] {
        if let Some(function) = written.strip_prefix(prefix) {
            let (module, function) = function_of(function).ok_or_else(|| wrong(written))?;
            return Ok(make(module, function));
        }
    }
    if let Some((module, function)) = function_of(written) {
        return Ok(Written::Results(module, function));
    }
    of_place(written).ok_or_else(|| wrong(written))
}

fn wrong(written: &str) -> String {
    format!("`{written}` is no point such as f.erl:12:5, f.erl:12:5-12:20, 'f.erl:12 X' or m:f/2")
}

/// `m:f/2`
fn function_of(written: &str) -> Option<(Atom, NameArity)> {
    let (module, rest) = written.trim().split_once(':')?;
    let (name, arity) = rest.rsplit_once('/')?;
    let plain = |name: &str| Atom::new(name.trim_matches('\''));
    Some((plain(module), (plain(name), arity.parse().ok()?)))
}

/// `f.erl:12:5`, with `-12:20` behind it; `f.erl:12 X`
fn of_place(written: &str) -> Option<Written> {
    if let Some((place, variable)) = written.split_once(' ') {
        let (file, line) = place.rsplit_once(':')?;
        let (file, line) = (file.to_owned(), line.parse().ok()?);
        let variable = Some(variable.trim().to_owned());
        return Some(Written::Typed { file, line, kind: "var".to_owned(), variable, nth: 1 });
    }
    let (from, to) = match written.rsplit_once('-') {
        Some((from, to)) if to.contains(':') && !to.contains('.') => (from, Some(to)),
        _ => (written, None),
    };
    let (rest, column) = from.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (file, line, column) = (file.to_owned(), line.parse().ok()?, column.parse().ok()?);
    let Some(to) = to else { return Some(Written::At { file, line, column }) };
    let (end_line, end_column) = to.split_once(':')?;
    let to = (end_line.parse().ok()?, end_column.parse().ok()?);
    Some(Written::Range { file, from: (line, column), to })
}

/// A point of SecEr.
fn of_term(input: &Input) -> Option<Written> {
    let Input::Tuple(parts) = input else { return None };
    let number = |input: &Input| input.as_i64().and_then(|number| u32::try_from(number).ok());
    let pair = |input: &Input| match input {
        Input::Tuple(pair) => match &pair[..] {
            [line, column] => Some((number(line)?, number(column)?)),
            _ => None,
        },
        _ => None,
    };
    match &parts[..] {
        // The first of its kind in the line.
        [file, line @ Input::Integer(_), kind] => {
            let first = Input::integer(1);
            let parts = [file, line, kind, &first].map(Clone::clone);
            of_term(&Input::Tuple(parts.to_vec()))
        }
        [file, from, to] => {
            Some(Written::Range { file: name_of(file)?, from: pair(from)?, to: pair(to)? })
        }
        [file, line, kind, nth] => {
            let (kind, variable) = match kind {
                Input::Tuple(pair) => match &pair[..] {
                    [kind, variable] => (name_of(kind)?, Some(name_of(variable)?)),
                    _ => return None,
                },
                kind => (name_of(kind)?, None),
            };
            let (file, line, nth) = (name_of(file)?, number(line)?, number(nth)? as usize);
            Some(Written::Typed { file, line, kind, variable, nth })
        }
        _ => None,
    }
}

/// An atom or a string.
fn name_of(input: &Input) -> Option<String> {
    match input {
        Input::Atom(name) => Some(name.to_string()),
        Input::List(elements, None) => {
            let code = |input: &Input| char::from_u32(u32::try_from(input.as_i64()?).ok()?);
            elements.iter().map(code).collect()
        }
        _ => None,
    }
}

/// Adds a point of a program, by the number of its pair.
pub fn add(
    written: &Written,
    program: &Program,
    number: u32,
    points: &mut Points,
) -> Result<(), String> {
    match written {
        Written::Results(module, function) => {
            exists(program, *module, *function)?;
            points.results.insert((*module, *function), number);
        }
        Written::Calls(module, function) => {
            exists(program, *module, *function)?;
            points.calls.insert((*module, *function), number);
        }
        Written::Messages(module, function) => {
            exists(program, *module, *function)?;
            points.received.insert((*module, *function), number);
        }
        place => {
            let (module, node) = find(place, program)?;
            for seen in branches::seen_at(&module.tree, node) {
                points.nodes.insert((module.name, seen), number);
            }
        }
    }
    Ok(())
}

/// Whether a function of the program is there; what is of a library is believed.
fn exists(program: &Program, module: Atom, (name, arity): NameArity) -> Result<(), String> {
    match program.module(module) {
        Some(found) if !found.index.functions.contains((name, arity)) => {
            Err(format!("{module} has no function {name}/{arity}"))
        }
        _ => Ok(()),
    }
}

/// The node at a place.
fn find<'p>(written: &Written, program: &'p Program) -> Result<(&'p LoadedModule, NodeId), String> {
    let (Written::At { file, .. } | Written::Range { file, .. } | Written::Typed { file, .. }) =
        written
    else {
        return Err("it is no place".to_owned());
    };
    let module = module_of(program, file).ok_or_else(|| format!("there is no module {file}"))?;
    let tree = &module.tree;
    let mut candidates: Vec<NodeId> = Vec::new();
    for &form in &tree.forms {
        if let Kind::Function { .. } = tree.kind(form) {
            tree.for_each_below(form, |node| {
                if is_expression(&tree.kind(node)) {
                    candidates.push(node);
                }
            });
        }
    }
    // Outer ones first, then in the order of the text.
    candidates.sort_by_key(|&node| {
        let span = tree.span(node);
        (span.start, u32::MAX - span.end, node.0)
    });
    let offset = |(line, column): (u32, u32)| {
        offset(&tree.file(tree.span(candidates[0]).file).text, line, column)
    };
    let found = match written {
        _ if candidates.is_empty() => None,
        Written::At { line, column, .. } => offset((*line, *column))
            .and_then(|at| candidates.iter().copied().find(|&node| tree.span(node).start == at)),
        Written::Range { from, to, .. } => {
            offset(*from).zip(offset(*to)).and_then(|(start, end)| {
                let is_it = |&node: &NodeId| {
                    let span = tree.span(node);
                    span.start == start && (span.end == end || span.end == end + 1)
                };
                candidates.iter().copied().find(is_it)
            })
        }
        Written::Typed { line, kind, variable, nth, .. } => {
            let is_it = |&node: &NodeId| {
                tree.loc(node).line == *line && is_kind(tree, node, kind, variable.as_deref())
            };
            candidates.iter().copied().filter(is_it).nth(nth.saturating_sub(1))
        }
        Written::Results(..) | Written::Calls(..) | Written::Messages(..) => None,
    };
    match found {
        Some(node) => Ok((module, node)),
        None => Err(format!("there is no expression at {}", shown(written))),
    }
}

/// A point for people.
pub fn shown(written: &Written) -> String {
    match written {
        Written::At { file, line, column } => format!("{file}:{line}:{column}"),
        Written::Range { file, from, to } => {
            format!("{file}:{}:{}-{}:{}", from.0, from.1, to.0, to.1)
        }
        Written::Typed { file, line, kind, variable, nth } => match variable {
            Some(variable) => format!("{file}:{line} {variable} ({nth})"),
            None => format!("{file}:{line} {kind} ({nth})"),
        },
        Written::Results(module, (name, arity)) => format!("{module}:{name}/{arity}"),
        Written::Calls(module, (name, arity)) => format!("call {module}:{name}/{arity}"),
        Written::Messages(module, (name, arity)) => format!("message {module}:{name}/{arity}"),
    }
}

/// The module of a file, by its path or the end of that, or by its name.
fn module_of<'p>(program: &'p Program, file: &str) -> Option<&'p LoadedModule> {
    let path = Path::new(file);
    let is_it = |module: &&LoadedModule| module.unit.path == path;
    let ends = |module: &&LoadedModule| module.unit.path.ends_with(path);
    let named =
        |module: &&LoadedModule| path.file_stem().is_some_and(|s| *s == *module.name.as_str());
    let all = || program.modules.iter();
    all().find(is_it).or_else(|| all().find(ends)).or_else(|| all().find(named))
}

/// Where a line and a column are in a text; both from 1.
fn offset(text: &str, line: u32, column: u32) -> Option<u32> {
    let mut start = 0;
    for _ in 1..line {
        start += text.get(start..)?.find('\n')? + 1;
    }
    let rest = text.get(start..)?;
    let place = rest.char_indices().map(|(place, _)| place).chain([rest.len()]);
    let place = place.take(column as usize).last()?;
    Some((start + place) as u32)
}

/// What has a value, or is matched with one.
fn is_expression(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Function { .. }
            | Kind::Clause { .. }
            | Kind::Guard { .. }
            | Kind::CatchPattern { .. }
            | Kind::Generator { .. }
            | Kind::ZipGenerator { .. }
            | Kind::MapField { .. }
            | Kind::RecordField { .. }
            | Kind::BinElement { .. }
            | Kind::BinSpec { .. }
            | Kind::Remote { .. }
    )
}

/// Whether a node is of a kind that SecEr, `erl_syntax` or our tree names.
fn is_kind(tree: &syntax::ast::Module, node: NodeId, kind: &str, variable: Option<&str>) -> bool {
    if let Some(variable) = variable {
        return matches!(tree.kind(node), Kind::Var(name) if name.as_str() == variable);
    }
    let ours = tree.shape(node).kind;
    let wanted = match kind {
        "application" => "call",
        "case_expr" => "case",
        "if_expr" => "if",
        "try_expr" => "try",
        "receive_expr" => "receive",
        "match_expr" => "match",
        "infix_expr" | "op" => "binary_op",
        "prefix_expr" => "unary_op",
        "fun_expr" => "fun",
        "catch_expr" => "catch",
        "block_expr" => "block",
        "variable" => "var",
        "map_expr" => "map",
        "record_expr" => "record",
        "lc" | "bc" | "list_comp" | "binary_comp" => "comprehension",
        other => other,
    };
    ours == wanted || (wanted == "list" && ours == "nil")
}
