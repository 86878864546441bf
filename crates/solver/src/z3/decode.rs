//! Models of z3 as terms.

use std::collections::BTreeMap;

use atom::Atom;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use term::{Fun, Map, Pid, Port, Ref, Term};

use super::translate::{ATOM_GAP, Translation};
use crate::expr::VarId;
use crate::model::{MADE_UP, Model};
use crate::search::Kinds;

#[derive(Clone, Debug)]
enum Tree {
    Word(String),
    List(Vec<Tree>),
}

/// The values of `((x0 VALUE) (x1 VALUE) …)`.
pub(super) fn model(text: &str, translation: &Translation) -> Option<Model> {
    if text.is_empty() {
        return Some(Model::new());
    }
    let Tree::List(pairs) = parse(text)? else { return None };
    let mut model = Model::new();
    for pair in pairs {
        let Tree::List(pair) = pair else { return None };
        let [Tree::Word(name), value] = &pair[..] else { return None };
        let var = name.strip_prefix('x')?.parse().ok()?;
        let decoder = Decoder { translation, names: BTreeMap::new() };
        model.set(VarId(var), decoder.term(value)?);
    }
    Some(model)
}

fn parse(text: &str) -> Option<Tree> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Tree::List(list));
            }
            word => open.last_mut()?.push(Tree::Word(word.to_string())),
        }
    }
    let mut trees = open.pop()?;
    (open.is_empty() && trees.len() == 1).then(|| trees.remove(0))
}

#[derive(Clone)]
struct Decoder<'a> {
    translation: &'a Translation,
    /// Names that a `let` gave.
    names: BTreeMap<String, Tree>,
}

impl Decoder<'_> {
    fn term(&self, tree: &Tree) -> Option<Term> {
        crate::eval::deeper(|| self.read(tree))
    }

    /// The tree that is meant: a name's, or the body of a `let` with its names.
    fn open<'t>(&self, tree: &'t Tree) -> Option<(Self, std::borrow::Cow<'t, Tree>)> {
        use std::borrow::Cow;
        match tree {
            Tree::Word(name) => match self.names.get(name) {
                Some(known) => Some((self.clone(), Cow::Owned(known.clone()))),
                None => Some((self.clone(), Cow::Borrowed(tree))),
            },
            Tree::List(parts) => match &parts[..] {
                [Tree::Word(word), Tree::List(bindings), body] if word == "let" => {
                    let mut inner = self.clone();
                    for binding in bindings {
                        let Tree::List(pair) = binding else { return None };
                        let [Tree::Word(name), value] = &pair[..] else { return None };
                        inner.names.insert(name.clone(), value.clone());
                    }
                    let (inner, body) = inner.open(body)?;
                    Some((inner, Cow::Owned(body.into_owned())))
                }
                _ => Some((self.clone(), Cow::Borrowed(tree))),
            },
        }
    }

    fn read(&self, tree: &Tree) -> Option<Term> {
        let (inner, tree) = self.open(tree)?;
        match tree.as_ref() {
            Tree::Word(word) => (word == "nil").then_some(Term::NIL),
            Tree::List(parts) => match &parts[..] {
                [Tree::Word(word), value] => match word.as_str() {
                    "int" => inner.number(value).map(Term::big),
                    "flt" => inner.real(value).map(Term::float),
                    "atm" => inner.number(value).and_then(|number| inner.atom(&number)),
                    "tup" => inner.elements(value),
                    _ => None,
                },
                [Tree::Word(word), a, b] if word == "cons" => {
                    Some(Term::cons(inner.term(a)?, inner.term(b)?))
                }
                [Tree::Word(word), kind, id] if word == "oth" => {
                    inner.other(&inner.number(kind)?, &inner.number(id)?)
                }
                _ => None,
            },
        }
    }

    fn elements(&self, tree: &Tree) -> Option<Term> {
        let (mut decoder, mut tree) = (self.clone(), tree.clone());
        let mut elements = Vec::new();
        loop {
            let (inner, open) = decoder.open(&tree)?;
            match open.into_owned() {
                Tree::Word(word) if word == "lnil" => return Some(Term::tuple(elements)),
                Tree::List(parts) => {
                    let [Tree::Word(word), head, tail] = &parts[..] else { return None };
                    if word != "lcons" {
                        return None;
                    }
                    elements.push(inner.term(head)?);
                    tree = tail.clone();
                }
                Tree::Word(_) => return None,
            }
            decoder = inner;
        }
    }

    fn number(&self, tree: &Tree) -> Option<BigInt> {
        let (inner, tree) = self.open(tree)?;
        match tree.as_ref() {
            Tree::Word(word) => word.parse().ok(),
            Tree::List(parts) => match &parts[..] {
                [Tree::Word(sign), value] if sign == "-" => inner.number(value).map(|n| -n),
                _ => None,
            },
        }
    }

    fn real(&self, tree: &Tree) -> Option<f64> {
        let (inner, tree) = self.open(tree)?;
        match tree.as_ref() {
            Tree::Word(word) => word.trim_end_matches('?').parse().ok(),
            Tree::List(parts) => match &parts[..] {
                [Tree::Word(sign), value] if sign == "-" => inner.real(value).map(|n| -n),
                [Tree::Word(sign), a, b] if sign == "/" => {
                    Some(inner.real(a)? / inner.real(b)?).filter(|value| value.is_finite())
                }
                _ => None,
            },
        }
    }

    /// An atom of the conditions, or a new one between them.
    fn atom(&self, number: &BigInt) -> Option<Term> {
        let atoms = &self.translation.atoms;
        let place = number / ATOM_GAP;
        let at = place.to_usize().filter(|_| number % ATOM_GAP == BigInt::from(0));
        if let Some(atom) = at.and_then(|at| atoms.get(at.checked_sub(1)?)) {
            return Some(Term::from(*atom));
        }
        let after = place.to_usize().and_then(|place| atoms.get(place.checked_sub(1)?));
        let offset = (number % ATOM_GAP).to_string().replace('-', "m");
        let base = after.map_or("", |atom| atom.as_str());
        Some(Term::from(Atom::new(&format!("{base}{offset}"))))
    }

    fn other(&self, kind: &BigInt, id: &BigInt) -> Option<Term> {
        let kinds = Kinds(kind.to_u16()?);
        let known = id.to_usize().and_then(|at| self.translation.others.get(at));
        if let Some(term) = known
            && Kinds::of(term) == kinds
        {
            return Some(term.clone());
        }
        let count = id.to_u64().unwrap_or(7) % 1000;
        match kinds {
            Kinds::PID => Pid::from_numbers(1000 + count, 0).map(Term::pid),
            Kinds::REF => Some(Term::reference(Ref(1000 + count))),
            Kinds::PORT => Port::from_number(1000 + count).map(Term::port),
            Kinds::FUN => {
                let name = Atom::new(&format!("f{count}"));
                Some(Term::fun(Fun::External { module: Atom::new(MADE_UP), name, arity: 0 }))
            }
            Kinds::MAP => Some(Term::map(Map::from_iter([(Term::from(count), Term::int(0))]))),
            Kinds::BITS => Some(Term::binary(vec![count as u8; 1 + count as usize / 256])),
            _ => None,
        }
    }
}
