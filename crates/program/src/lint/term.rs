//! Terms in attributes: the value of `-compile(…)`, `-deprecated(…)` and their like.

use atom::Atom;
use num_bigint::BigInt;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, UnaryOp};
use syntax::token::Literal;

/// The value of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    Atom(Atom),
    Integer(BigInt),
    Float(f64),
    /// A proper list; a string is the list of its characters.
    List(Vec<Term>),
    Tuple(Vec<Term>),
    /// A map, a binary, an improper list: nothing that an attribute we know can hold.
    Other,
}

impl Term {
    pub fn atom(text: &str) -> Term {
        Term::Atom(Atom::new(text))
    }

    /// The term that an expression in an attribute denotes.
    pub fn of(module: &Module, id: NodeId) -> Term {
        super::with_stack(|| match module.kind(id) {
            Kind::Atom(atom) => Term::Atom(atom),
            Kind::Char(char) => Term::Integer(char.into()),
            Kind::Integer(literal) => match module.literal(literal) {
                Literal::Integer(value) => Term::Integer(value.clone()),
                _ => Term::Other,
            },
            Kind::Float(literal) => match module.literal(literal) {
                Literal::Float(value) => Term::Float(*value),
                _ => Term::Other,
            },
            Kind::String(literal) => match module.literal(literal) {
                Literal::String(text) => Term::string(text),
                _ => Term::Other,
            },
            Kind::Nil => Term::List(Vec::new()),
            Kind::List { elements, tail } => {
                let mut items: Vec<Term> =
                    module.list(elements).iter().map(|&id| Term::of(module, id)).collect();
                match tail.map(|tail| Term::of(module, tail)) {
                    None => {}
                    Some(Term::List(rest)) => items.extend(rest),
                    Some(_) => return Term::Other,
                }
                Term::List(items)
            }
            Kind::Tuple { elements } => {
                Term::Tuple(module.list(elements).iter().map(|&id| Term::of(module, id)).collect())
            }
            Kind::NameArity { name, arity }
            | Kind::BinaryOp { op: BinaryOp::Div, left: name, right: arity } => {
                Term::Tuple(vec![Term::of(module, name), Term::of(module, arity)])
            }
            Kind::UnaryOp { op: UnaryOp::Minus, operand } => match Term::of(module, operand) {
                Term::Integer(value) => Term::Integer(-value),
                Term::Float(value) => Term::Float(-value),
                _ => Term::Other,
            },
            _ => Term::Other,
        })
    }

    pub fn string(text: &str) -> Term {
        Term::List(text.chars().map(|c| Term::Integer((c as u32).into())).collect())
    }

    /// All elements of nested lists; a term that is no list is its own only element.
    pub fn flatten(&self) -> Vec<&Term> {
        let mut flat = Vec::new();
        let mut pending = vec![self];
        while let Some(term) = pending.pop() {
            match term {
                Term::List(items) => pending.extend(items.iter().rev()),
                other => flat.push(other),
            }
        }
        flat
    }

    pub fn as_atom(&self) -> Option<Atom> {
        match self {
            Term::Atom(atom) => Some(*atom),
            _ => None,
        }
    }

    pub fn as_arity(&self) -> Option<u32> {
        match self {
            Term::Integer(value) => u32::try_from(value).ok(),
            _ => None,
        }
    }

    pub fn is(&self, text: &str) -> bool {
        matches!(self, Term::Atom(atom) if atom.as_str() == text)
    }

    /// `{Tag, Value}`
    pub fn as_pair(&self) -> Option<(Atom, &Term)> {
        match self {
            Term::Tuple(items) => match &items[..] {
                [Term::Atom(tag), value] => Some((*tag, value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// `{name, 1}` or `name/1`
    pub fn as_name_arity(&self) -> Option<(Atom, u32)> {
        let (name, arity) = self.as_pair()?;
        Some((name, arity.as_arity()?))
    }

    /// Whether it is a list of characters.
    pub fn is_text(&self) -> bool {
        matches!(self, Term::List(items)
            if items.iter().all(|item| matches!(item, Term::Integer(_))))
    }
}

impl std::fmt::Display for Term {
    /// Good enough to recognise the term in a message.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let items = |f: &mut std::fmt::Formatter<'_>, items: &[Term]| {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    f.write_str(",")?;
                }
                super::with_stack(|| item.fmt(f))?;
            }
            Ok(())
        };
        match self {
            Term::Atom(atom) => write!(f, "{atom}"),
            Term::Integer(value) => write!(f, "{value}"),
            Term::Float(value) => write!(f, "{value}"),
            Term::List(list) => {
                f.write_str("[")?;
                items(f, list)?;
                f.write_str("]")
            }
            Term::Tuple(tuple) => {
                f.write_str("{")?;
                items(f, tuple)?;
                f.write_str("}")
            }
            Term::Other => f.write_str("..."),
        }
    }
}
