//! Contracts that are written with the macros of `edbc.hrl`, as EDBC has them (thesis, 9.1).
//!
//! Where the macro `edbc` is defined, that header turns `?PRE(F).` into a function
//! `edbc_pre() -> F.`, which stands before the function it is about (`?POST(F).` behind it);
//! `?P(N)` and `?R` are calls of `edbc_p/1` and `edbc_r/0`. Read without it, which is how modules
//! are run, the same text declares nothing, and is a module that OTP's compiler would take.
//!
//! `F` is `fun() -> … end` or names a function of the module without parameters, whose body is
//! taken. What it calls may not ask for parameters itself.

use std::path::Path;

use atom::Atom;
use machine::contract::Kind;
use program::project::Unit;
use syntax::ast::{Kind as Node, Module, NodeId};
use syntax::scan::scan;
use syntax::token::TokenKind;
use syntax::unparse;

use crate::read::{Reader, integer};
use crate::{Problem, Says, Wrong};

/// The macro that makes `edbc.hrl` declare contracts.
const DEFINE: &str = "edbc";

/// Whether a module includes the header.
pub(crate) fn is_included(module: &Module) -> bool {
    module.files.iter().any(|file| file.path.file_name().is_some_and(|name| name == "edbc.hrl"))
}

/// A module as it is read where the macros of the header mean contracts.
pub(crate) fn with_macros(unit: &Unit, module: &Module) -> Module {
    let mut options = unit.options.clone();
    options.defines.retain(|(name, _)| name != DEFINE);
    options.defines.push((DEFINE.to_owned(), None));
    let text = module.files.first().map_or("", |file| &file.text);
    syntax::read_module_bytes(&unit.path, text.as_bytes().to_vec(), &unit.files, &options)
}

/// The forms that are contracts in such a module, and the functions that they alone ask for.
pub(crate) fn forms(m: &Module) -> Vec<NodeId> {
    let mut asked = Vec::new();
    let mut forms = Vec::new();
    for &form in &m.forms {
        let Node::Function { name, arity: 0, .. } = m.kind(form) else { continue };
        if FORMS.iter().any(|(known, _)| *known == name.as_str()) {
            forms.push(form);
            if let Some(Node::FunName { name, arity }) = given(m, form).map(|id| m.kind(id)) {
                asked.extend(arity_of(m, arity).filter(|arity| *arity == 0).map(|_| name));
            }
        }
    }
    forms.extend(m.forms.iter().filter(|&&form| match m.kind(form) {
        Node::Function { name, arity: 0, .. } => asked.contains(&name),
        _ => false,
    }));
    forms
}

/// The functions that macros become, and what they mean.
const FORMS: [(&str, Kind); 8] = [
    ("edbc_pre", Kind::Pre),
    ("edbc_post", Kind::Post),
    ("edbc_decreases", Kind::Decreases),
    ("edbc_sdecreases", Kind::StrictlyDecreases),
    ("edbc_expected_time", Kind::ExpectedTime),
    ("edbc_timeout", Kind::Timeout),
    ("edbc_pure", Kind::Pure),
    ("edbc_invariant", Kind::Invariant),
];

/// Reads the contracts of a module in which macros are contracts.
pub(crate) fn read(reader: &mut Reader<'_>, m: &Module) {
    let mut last = None;
    let mut waiting: Vec<(Kind, NodeId)> = Vec::new();
    for &form in &m.forms {
        if let Node::ErrorForm { diagnostic } = m.kind(form)
            && let Some(found) = m.diagnostics.get(diagnostic as usize)
        {
            // What is wrong without the macros, too, is told by whoever reads the module.
            let is_plain = reader
                .m
                .forms
                .iter()
                .any(|&form| matches!(reader.m.kind(form), Node::ErrorForm { .. }));
            if !is_plain {
                let (loc, why) = (found.loc, Wrong::Text(found.message.clone()));
                reader.read.problems.push(Problem { line: loc.line, column: loc.column, why });
            }
        }
        let Node::Function { name, arity, .. } = m.kind(form) else { continue };
        let kind = FORMS.iter().find(|(known, _)| arity == 0 && *known == name.as_str());
        match kind.map(|(_, kind)| *kind) {
            Some(Kind::Invariant) => contract(reader, m, Kind::Invariant, form, None),
            Some(Kind::Post) => match last {
                Some(about) => contract(reader, m, Kind::Post, form, Some(about)),
                None => reader.problem(m, form, Wrong::Nowhere(Kind::Post)),
            },
            Some(kind) => waiting.push((kind, form)),
            None => {
                for (kind, form) in waiting.drain(..) {
                    contract(reader, m, kind, form, Some((name, arity)));
                }
                last = Some((name, arity));
            }
        }
    }
    for (kind, form) in waiting {
        reader.problem(m, form, Wrong::Nowhere(kind));
    }
}

fn contract(
    reader: &mut Reader<'_>,
    m: &Module,
    kind: Kind,
    form: NodeId,
    about: Option<(Atom, u32)>,
) {
    let says = match kind {
        Kind::Pure => Ok(Says::Itself),
        Kind::Invariant => invariant(reader, m, form),
        Kind::Decreases | Kind::StrictlyDecreases => measure(m, form, about),
        _ => condition(m, form, about, kind == Kind::Post),
    };
    match says {
        Ok(says) => reader.add_from(m, kind, about, form, says),
        Err(why) => reader.problem(m, form, why),
    }
}

/// The expression that a macro was given.
fn given(m: &Module, form: NodeId) -> Option<NodeId> {
    let Node::Function { clauses, .. } = m.kind(form) else { return None };
    let Node::Clause { body, .. } = m.kind(*m.list(clauses).first()?) else { return None };
    m.list(body).last().copied()
}

fn invariant(reader: &Reader<'_>, m: &Module, form: NodeId) -> Result<Says, Wrong> {
    if reader.behaviours.is_empty() {
        return Err(Wrong::NoBehaviour);
    }
    let given = given(m, form).ok_or(Wrong::Shape(Kind::Invariant))?;
    match m.kind(given) {
        Node::FunName { name, arity } if arity_of(m, arity) == Some(1) => {
            match reader.functions.contains_key(&(name, 1)) {
                true => Ok(Says::Function(name, 1)),
                false => Err(Wrong::NoFunction(name, 1)),
            }
        }
        Node::Fun { .. } => {
            let fun = unparse::one_line(m, given);
            Ok(Says::Clauses(format!("(ErlscopeState) -> ({fun})(ErlscopeState)")))
        }
        _ => Err(Wrong::Shape(Kind::Invariant)),
    }
}

/// `?P(1)` or `[?P(1), ?P(2)]`
fn measure(m: &Module, form: NodeId, about: Option<(Atom, u32)>) -> Result<Says, Wrong> {
    let given = given(m, form).ok_or(Wrong::Shape(Kind::Decreases))?;
    let elements = match m.kind(given) {
        Node::List { elements, tail: None } => m.list(elements).to_vec(),
        _ => vec![given],
    };
    let arity = about.map_or(0, |(_, arity)| arity);
    let values: Vec<String> = elements
        .into_iter()
        .map(|element| parameters(&unparse::one_line(m, element), arity, false))
        .collect::<Result<_, _>>()?;
    Ok(Says::Each(format!("({}) -> [{}]", names(arity, false), values.join(", "))))
}

/// `fun() -> … end` or `fun name/0`
fn condition(
    m: &Module,
    form: NodeId,
    about: Option<(Atom, u32)>,
    has_result: bool,
) -> Result<Says, Wrong> {
    let shape = || Wrong::Shape(if has_result { Kind::Post } else { Kind::Pre });
    let arity = about.map_or(0, |(_, arity)| arity);
    let given = given(m, form).ok_or_else(shape)?;
    let clauses = match m.kind(given) {
        Node::Fun { clauses, .. } => clauses,
        Node::FunName { name, arity } => {
            let arity = arity_of(m, arity).ok_or_else(shape)?;
            let found = m.forms.iter().find_map(|&form| match m.kind(form) {
                Node::Function { name: known, arity: of, clauses } => {
                    (known == name && of == arity).then_some(clauses)
                }
                _ => None,
            });
            found.ok_or(Wrong::NoFunction(name, arity))?
        }
        _ => return Err(shape()),
    };
    let &[clause] = m.list(clauses) else { return Err(shape()) };
    let Node::Clause { patterns, body, .. } = m.kind(clause) else { return Err(shape()) };
    if !patterns.is_empty() {
        return Err(shape());
    }
    let body: Vec<String> = m.list(body).iter().map(|&expr| unparse::one_line(m, expr)).collect();
    let body = parameters(&body.join(", "), arity, has_result)?;
    Ok(Says::Clauses(format!("({}) -> {body}", names(arity, has_result))))
}

fn arity_of(m: &Module, arity: NodeId) -> Option<u32> {
    match m.kind(arity) {
        Node::Integer(literal) => {
            integer(m.literal(literal)).and_then(|arity| u32::try_from(arity).ok())
        }
        _ => None,
    }
}

/// The parameters as they are called in the text that is made. Not all of them are used.
fn names(arity: u32, has_result: bool) -> String {
    let params = (1..=arity).map(|number| format!("_ErlscopeP{number}"));
    params.chain(has_result.then(|| "_ErlscopeR".to_owned())).collect::<Vec<_>>().join(", ")
}

/// Puts names in the place of `edbc_p(N)` and `edbc_r()`.
fn parameters(text: &str, arity: u32, has_result: bool) -> Result<String, Wrong> {
    let scanned = scan(Path::new(""), text.as_bytes().to_vec());
    let tokens = &scanned.tokens;
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let mut made = String::new();
    let mut copied = 0;
    for (at, token) in tokens.iter().enumerate() {
        let name = token.name().filter(|_| token.kind == TokenKind::Atom);
        let name = name.filter(|_| kind(at + 1) == Some(TokenKind::LParen));
        let (instead, last) = match name.map(Atom::as_str) {
            Some("edbc_p") => {
                let number = match tokens.get(at + 2).map(|token| token.value) {
                    Some(syntax::token::TokenValue::Literal(literal)) => {
                        scanned.literals.get(literal.0 as usize).and_then(integer)
                    }
                    _ => None,
                };
                let number = number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
                if number == 0 || number > u64::from(arity) {
                    return Err(Wrong::NoParameter { number, arity });
                }
                (format!("_ErlscopeP{number}"), at + 3)
            }
            Some("edbc_r") if !has_result => return Err(Wrong::NoResult),
            Some("edbc_r") => ("_ErlscopeR".to_owned(), at + 2),
            _ => continue,
        };
        let (start, end) = (token.span.start as usize, tokens.get(last).map(|it| it.span.end));
        made.push_str(text.get(copied..start).unwrap_or_default());
        made.push_str(&instead);
        copied = end.map_or(text.len(), |end| end as usize);
    }
    made.push_str(text.get(copied..).unwrap_or_default());
    Ok(made)
}
