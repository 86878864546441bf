//! Erlang text to an input.

use std::fmt;
use std::path::Path;

use atom::{Atom, known};
use num_bigint::BigInt;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, RecordName, SigilKind, UnaryOp};
use syntax::options::Options;
use syntax::source::NoFiles;
use syntax::token::Literal;

use crate::Input;
use crate::input::{BitString, Float, Fun, MODULE, Record, deeper};

/// A text that is no input, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnInput {
    /// Of the text, from 1.
    pub line: u32,
    pub message: String,
}

impl fmt::Display for NotAnInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for NotAnInput {}

/// What stands before the text.
const BEFORE: &str = "-module(input).\ninput() ->\n";

/// Reads an expression as [`write()`](fn@super::write) writes it, a full stop behind it or not.
pub fn read(text: &str) -> Result<Input, NotAnInput> {
    let text = text.trim_end();
    let text = text.strip_suffix('.').unwrap_or(text);
    let whole = format!("{BEFORE}{text}\n.\n").into_bytes();
    let path = Path::new("input.erl");
    let tree = syntax::read_module_bytes(path, whole, &NoFiles, &Options::default());
    let wrong = |line: u32, message: &str| {
        let message = message.to_owned();
        Err(NotAnInput { line: line.saturating_sub(2).max(1), message })
    };
    if let Some(found) = tree.diagnostics.first() {
        return wrong(found.loc.line, &found.message);
    }
    let mut functions = tree.forms.iter().filter_map(|&form| match tree.kind(form) {
        Kind::Function { clauses, .. } => Some(clauses),
        _ => None,
    });
    let only = match (functions.next(), functions.next()) {
        (Some(clauses), None) => single(&tree, clauses).and_then(|clause| body(&tree, clause)),
        _ => None,
    };
    let Some(only) = only else { return wrong(3, "this is not one value") };
    match value(&tree, only) {
        Some(input) => Ok(input),
        None => {
            let culprit = culprit(&tree, only);
            let shown = tree.text(tree.span(culprit));
            wrong(tree.loc(culprit).line, &format!("`{shown}` is not a value"))
        }
    }
}

/// The first innermost node that is to blame.
fn culprit(tree: &Module, node: NodeId) -> NodeId {
    let is_wrong = |child: NodeId| match tree.kind(child) {
        Kind::MapField { .. } => {
            tree.children(child).into_iter().any(|part| value(tree, part).is_none())
        }
        _ => value(tree, child).is_none(),
    };
    match tree.kind(node) {
        Kind::List { .. } | Kind::Tuple { .. } | Kind::Map { .. } | Kind::MapField { .. } => {
            let found = tree.children(node).into_iter().find(|&child| is_wrong(child));
            found.map_or(node, |child| deeper(|| culprit(tree, child)))
        }
        _ => node,
    }
}

fn single(tree: &Module, list: NodeList) -> Option<NodeId> {
    match tree.list(list) {
        [only] => Some(*only),
        _ => None,
    }
}

/// The only expression of a clause's body.
fn body(tree: &Module, clause: NodeId) -> Option<NodeId> {
    match tree.kind(clause) {
        Kind::Clause { body, .. } => single(tree, body),
        _ => None,
    }
}

/// The value that a node denotes, if it is one: nothing is evaluated but signs of numbers.
pub fn value(tree: &Module, node: NodeId) -> Option<Input> {
    deeper(|| value_here(tree, node))
}

fn value_here(tree: &Module, node: NodeId) -> Option<Input> {
    let all = |list: NodeList| -> Option<Vec<Input>> {
        tree.list(list).iter().map(|&node| value(tree, node)).collect()
    };
    Some(match tree.kind(node) {
        Kind::Atom(atom) => Input::Atom(atom),
        Kind::Char(code) => Input::integer(code),
        Kind::Integer(literal) | Kind::Float(literal) => match tree.literal(literal) {
            Literal::Integer(value) => Input::Integer(value.clone()),
            Literal::Float(value) => Input::float(*value)?,
            Literal::String(_) => return None,
        },
        Kind::UnaryOp { op, operand } => signed(op, value(tree, operand)?)?,
        Kind::String(literal) => Input::string(string(tree.literal(literal))?),
        Kind::Sigil { which, text } => {
            let text = string(tree.literal(text))?;
            match which {
                SigilKind::Binary => Input::binary(text.as_bytes()),
                SigilKind::String => Input::string(text),
            }
        }
        Kind::Nil => Input::NIL,
        Kind::List { elements, tail } => {
            let elements = all(elements)?;
            match tail {
                Some(tail) => Input::list_with(elements, value(tree, tail)?),
                None => Input::list(elements),
            }
        }
        Kind::Tuple { elements } => Input::Tuple(all(elements)?),
        Kind::Map { base: None, fields } => {
            let fields = tree.list(fields).iter().map(|&field| match tree.kind(field) {
                Kind::MapField { exact: false, key, value: of } => {
                    Some((value(tree, key)?, value(tree, of)?))
                }
                _ => None,
            });
            Input::map(fields.collect::<Option<_>>()?)
        }
        Kind::Binary { elements } => Input::Bits(bits(tree, tree.list(elements))?),
        Kind::Record { base: None, name: RecordName::Remote(module, name), fields } => {
            let (Kind::Atom(module), Kind::Atom(name)) = (tree.kind(module), tree.kind(name))
            else {
                return None;
            };
            let fields = tree.list(fields).iter().map(|&field| match tree.kind(field) {
                Kind::RecordField { name, value: of } => match tree.kind(name) {
                    Kind::Atom(name) => Some((name, value(tree, of)?)),
                    _ => None,
                },
                _ => None,
            });
            let fields = fields.collect::<Option<_>>()?;
            Input::Record(Box::new(Record { module, name, fields }))
        }
        Kind::Call { callee, args } => stand_in(tree, callee, args)?,
        Kind::Fun { name: None, clauses } => Input::Fun(Box::new(fun(tree, clauses)?)),
        _ => return None,
    })
}

fn string(literal: &Literal) -> Option<&str> {
    match literal {
        Literal::String(text) => Some(text),
        _ => None,
    }
}

fn signed(op: UnaryOp, operand: Input) -> Option<Input> {
    match (op, operand) {
        (UnaryOp::Plus, number @ (Input::Integer(_) | Input::Float(_))) => Some(number),
        (UnaryOp::Minus, Input::Integer(value)) => Some(Input::Integer(-value)),
        (UnaryOp::Minus, Input::Float(value)) => Float::new(-value.value()).map(Input::Float),
        _ => None,
    }
}

/// `erlscope_inputs:process(1)` and the like.
fn stand_in(tree: &Module, callee: NodeId, args: NodeList) -> Option<Input> {
    let Kind::Remote { module, name } = tree.kind(callee) else { return None };
    if tree.kind(module) != Kind::Atom(Atom::new(MODULE)) {
        return None;
    }
    let Kind::Atom(name) = tree.kind(name) else { return None };
    let number = u32::try_from(value(tree, single(tree, args)?)?.as_i64()?).ok()?;
    match name.as_str() {
        "process" => Some(Input::Process(number)),
        "port" => Some(Input::Port(number)),
        "reference" => Some(Input::Reference(number)),
        _ => None,
    }
}

/// The bits of some segments, all of which are integers or strings without a type of their own.
pub fn bits(tree: &Module, segments: &[NodeId]) -> Option<BitString> {
    let mut bits: Vec<bool> = Vec::new();
    let push = |number: &BigInt, size: usize, bits: &mut Vec<bool>| {
        bits.extend((0..size as u64).rev().map(|place| number.bit(place)));
    };
    for &segment in segments {
        let Kind::BinElement { value: of, size, specs: None } = tree.kind(segment) else {
            return None;
        };
        if let (Kind::String(literal), None) = (tree.kind(of), size) {
            for c in string(tree.literal(literal))?.chars() {
                push(&BigInt::from(u8::try_from(u32::from(c)).ok()?), 8, &mut bits);
            }
            continue;
        }
        let Input::Integer(number) = value(tree, of)? else { return None };
        let size = match size {
            None => 8,
            Some(size) => usize::try_from(value(tree, size)?.as_i64()?).ok()?,
        };
        if size > LONGEST_SEGMENT {
            return None;
        }
        push(&number, size, &mut bits);
    }
    let mut bytes = vec![0; bits.len().div_ceil(8)];
    for (place, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        bytes[place / 8] |= 1 << (7 - place % 8);
    }
    Some(BitString::new(bytes, bits.len()))
}

/// In bits; longer numbers are no constants.
const LONGEST_SEGMENT: usize = 1024;

fn fun(tree: &Module, clauses: NodeList) -> Option<Fun> {
    let (last, rows) = tree.list(clauses).split_last()?;
    let mut table = Vec::new();
    for &row in rows {
        table.push((row_args(tree, row)?, value(tree, body(tree, row)?)?));
    }
    let Kind::Clause { patterns, guards, .. } = tree.kind(*last) else { return None };
    let takes_all =
        tree.list(patterns).iter().all(|&pattern| matches!(tree.kind(pattern), Kind::Var(_)));
    if !takes_all || !guards.is_empty() {
        return None;
    }
    let others = others(tree, body(tree, *last)?)?;
    Some(Fun { arity: patterns.len, table, others })
}

/// The arguments that a clause is for: its patterns, or what its guard compares them with.
fn row_args(tree: &Module, clause: NodeId) -> Option<Vec<Input>> {
    let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { return None };
    if guards.is_empty() {
        return tree.list(patterns).iter().map(|&pattern| value(tree, pattern)).collect();
    }
    let Kind::Guard { tests } = tree.kind(single(tree, guards)?) else { return None };
    let tests = tree.list(tests);
    let same = tests.len() == patterns.len as usize;
    let args = tests.iter().zip(tree.list(patterns)).map(|(&test, &pattern)| {
        let Kind::BinaryOp { op: BinaryOp::ExactEq, left, right } = tree.kind(test) else {
            return None;
        };
        (tree.kind(left) == tree.kind(pattern)).then(|| value(tree, right))?
    });
    if same { args.collect() } else { None }
}

/// What a fun gives for other arguments.
fn others(tree: &Module, node: NodeId) -> Option<Vec<Input>> {
    if let Some(only) = value(tree, node) {
        return Some(vec![only]);
    }
    let Kind::Call { callee, args } = tree.kind(node) else { return None };
    match (tree.kind(callee), tree.list(args)) {
        (Kind::Atom(name), [_, several]) if name.as_str() == "element" => {
            match value(tree, *several)? {
                Input::Tuple(several) => Some(several),
                _ => None,
            }
        }
        (Kind::Remote { module, name }, _) => {
            let is_error = tree.kind(module) == Kind::Atom(known::ERLANG)
                && tree.kind(name) == Kind::Atom(known::ERROR);
            is_error.then(Vec::new)
        }
        _ => None,
    }
}
