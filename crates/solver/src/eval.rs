//! The value of an expression under a model: the executable form of what `expr.rs` says.
//!
//! Order, equality and arithmetic are those of `term`. Works from parts to wholes with a table, so
//! depth costs no stack.

use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use term::order::{compare, exact_eq, loose_eq};
use term::{Atom, Boxed, Map, Term, View, arith};

use crate::bits;
use crate::domain::{Domain, DomainId, MapDomain};
use crate::expr::{Binop, Comparison, Constant, Expr, ExprId, Exprs, Ternary, Test, Unary, parts};
use crate::model::Model;

/// Values of expressions under one model, kept for all that share parts.
pub struct Evaluator<'a> {
    exprs: &'a Exprs,
    model: &'a Model,
    known: FxHashMap<ExprId, Option<Term>>,
}

impl<'a> Evaluator<'a> {
    pub fn new(exprs: &'a Exprs, model: &'a Model) -> Evaluator<'a> {
        Evaluator { exprs, model, known: FxHashMap::default() }
    }

    /// The value of an expression, if it has one.
    pub fn value(&mut self, root: ExprId) -> Option<Term> {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.known.contains_key(&id) {
                continue;
            }
            let expr = self.exprs.get(id);
            if !ready {
                stack.push((id, true));
                stack.extend(parts(expr).into_iter().map(|part| (part, false)));
                continue;
            }
            let value = match expr {
                Expr::Var(var) => Some(self.model.get(*var)),
                expr => apply(self.exprs, expr, |part| self.known.get(&part).cloned().flatten()),
            };
            self.known.insert(id, value);
        }
        self.known.get(&root).cloned().flatten()
    }

    /// Whether the expression holds: has the value `true`.
    pub fn holds(&mut self, id: ExprId) -> bool {
        self.value(id).is_some_and(|value| value.is_true())
    }
}

/// The value of one expression under a model, if it has one.
pub fn eval(exprs: &Exprs, model: &Model, id: ExprId) -> Option<Term> {
    Evaluator::new(exprs, model).value(id)
}

/// Whether the expression holds under a model.
pub fn holds(exprs: &Exprs, model: &Model, id: ExprId) -> bool {
    Evaluator::new(exprs, model).holds(id)
}

/// The value of an expression from those of its parts. A variable has none here.
pub(crate) fn apply(
    exprs: &Exprs,
    expr: &Expr,
    part: impl Fn(ExprId) -> Option<Term>,
) -> Option<Term> {
    let holds = |id: ExprId| part(id).is_some_and(|value| value.is_true());
    match expr {
        Expr::Const(Constant(term)) => Some(term.clone()),
        Expr::Var(_) => None,
        Expr::Cons(head, tail) => Some(Term::cons(part(*head)?, part(*tail)?)),
        Expr::Tuple(elements) => {
            let elements: Option<Vec<Term>> = elements.iter().map(|&e| part(e)).collect();
            Some(Term::tuple(elements?))
        }
        Expr::Binary(segments) => bits::build(segments, part),
        Expr::Field(field) => {
            let size = match field.size {
                Some(size) => Some(part(size)?),
                None => None,
            };
            bits::read(field, &part(field.bits)?, &part(field.offset)?, size.as_ref())
        }
        Expr::Unary(op, a) => unary(*op, &part(*a)?),
        Expr::Binop(op, a, b) => binop(*op, &part(*a)?, &part(*b)?),
        Expr::Ternary(op, a, b, c) => ternary(*op, &part(*a)?, &part(*b)?, part(*c)?),
        Expr::Test(test, a) => {
            Some(Term::bool(part(*a).is_some_and(|value| passes(exprs, *test, &value))))
        }
        Expr::Compare(op, a, b) => Some(Term::bool(match (part(*a), part(*b)) {
            (Some(a), Some(b)) => compares(*op, &a, &b),
            _ => false,
        })),
        Expr::Holds(a) => Some(Term::bool(holds(*a))),
        Expr::And(all) => Some(Term::bool(all.iter().all(|&e| holds(e)))),
        Expr::Or(all) => Some(Term::bool(all.iter().any(|&e| holds(e)))),
        Expr::Not(a) => Some(Term::bool(!holds(*a))),
        Expr::Ite(condition, a, b) => part(if holds(*condition) { *a } else { *b }),
    }
}

pub(crate) fn compares(op: Comparison, a: &Term, b: &Term) -> bool {
    match op {
        Comparison::Exact => exact_eq(a, b),
        Comparison::Equal => loose_eq(a, b),
        Comparison::Less => compare(a, b).is_lt(),
        Comparison::LessEq => compare(a, b).is_le(),
        Comparison::IsMapKey => b.as_map().is_some_and(|map| map.contains_key(a)),
    }
}

/// Whether a value passes a test.
pub fn passes(exprs: &Exprs, test: Test, value: &Term) -> bool {
    match test {
        Test::Defined => true,
        Test::Integer => value.is_integer(),
        Test::Float => value.as_float().is_some(),
        Test::Number => value.is_number(),
        Test::Atom => value.as_atom().is_some(),
        Test::Boolean => value.as_bool().is_some(),
        Test::Tuple => value.as_tuple().is_some(),
        Test::TupleOf(n) => value.as_tuple().is_some_and(|tuple| tuple.len() == n as usize),
        Test::Cons => value.as_cons().is_some(),
        Test::Nil => value.is_nil(),
        Test::List => value.is_list(),
        Test::ProperList => value.list_len().is_some(),
        Test::Map => value.as_map().is_some(),
        Test::Binary => value.is_binary(),
        Test::Bitstring => value.as_bits().is_some(),
        Test::Function => value.as_fun().is_some(),
        Test::FunctionOf(n) => value.as_fun().is_some_and(|fun| fun.arity() == n),
        Test::Pid => value.is_pid(),
        Test::Reference => value.is_ref(),
        Test::Port => value.is_port(),
        Test::Record => value.as_record().is_some(),
        Test::In(domain) => belongs(exprs, domain, value),
    }
}

/// Whether a value belongs to a domain. Recurses over the nesting of a term, not over lists.
fn belongs(exprs: &Exprs, mut domain: DomainId, value: &Term) -> bool {
    let mut value = value;
    loop {
        match exprs.get_domain(domain) {
            Domain::Any => return true,
            Domain::Test(test) => return passes(exprs, *test, value),
            Domain::Between(low, high) => {
                let Some(number) = arith::to_bigint(value) else { return false };
                return low.as_ref().is_none_or(|low| *low <= number)
                    && high.as_ref().is_none_or(|high| number <= *high);
            }
            Domain::Value(only) => return exact_eq(only, value),
            Domain::Cons(head, tail) => {
                let Some(cell) = value.as_cons() else { return false };
                if !deeper(|| belongs(exprs, *head, &cell.head)) {
                    return false;
                }
                (domain, value) = (*tail, &cell.tail);
            }
            Domain::Tuple(domains) => {
                let Some(elements) = value.as_tuple() else { return false };
                return elements.len() == domains.len()
                    && elements
                        .iter()
                        .zip(domains)
                        .all(|(element, &domain)| deeper(|| belongs(exprs, domain, element)));
            }
            Domain::Map(fields) => {
                return value.as_map().is_some_and(|map| map_belongs(exprs, fields, map));
            }
            Domain::Bits { size, unit } => {
                let Some(bits) = value.as_bits() else { return false };
                let Some(more) = (bits.bit_len() as u64).checked_sub(*size) else { return false };
                return more == 0 || (*unit > 0 && more.is_multiple_of(*unit));
            }
            Domain::Union(all) => {
                // Of the alternatives for cons cells usually one is left: no recursion then.
                let mut fits = all.iter().copied().filter(|&one| may_belong(exprs, one, value));
                let (Some(first), second) = (fits.next(), fits.next()) else { return false };
                let Some(second) = second else {
                    domain = first;
                    continue;
                };
                return [first, second]
                    .into_iter()
                    .chain(fits)
                    .any(|one| deeper(|| belongs(exprs, one, value)));
            }
        }
    }
}

/// Whether a domain speaks of this kind of value at all.
fn may_belong(exprs: &Exprs, domain: DomainId, value: &Term) -> bool {
    match exprs.get_domain(domain) {
        Domain::Cons(..) => value.as_cons().is_some(),
        Domain::Tuple(_) => value.as_tuple().is_some(),
        Domain::Map(_) => value.as_map().is_some(),
        Domain::Value(only) => exact_eq(only, value),
        _ => true,
    }
}

fn map_belongs(exprs: &Exprs, domain: &MapDomain, map: &Map) -> bool {
    let named = domain.fields.iter().all(|(key, field, required)| match map.get(key) {
        Some(value) => deeper(|| belongs(exprs, *field, value)),
        None => !required,
    });
    let is_named = |key: &Term| domain.fields.iter().any(|(name, ..)| exact_eq(name, key));
    named
        && map.iter().filter(|(key, _)| !is_named(key)).all(|(key, value)| {
            domain.rest.is_some_and(|(keys, values)| {
                deeper(|| belongs(exprs, keys, key) && belongs(exprs, values, value))
            })
        })
}

/// Runs with enough stack for one more level of nesting.
pub(crate) fn deeper<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, run)
}

pub(crate) fn unary(op: Unary, a: &Term) -> Option<Term> {
    match op {
        Unary::Hd => a.as_cons().map(|cell| cell.head.clone()),
        Unary::Tl => a.as_cons().map(|cell| cell.tail.clone()),
        Unary::Length => a.list_len().map(Term::from),
        Unary::TupleSize => a.as_tuple().map(|tuple| Term::from(tuple.len())),
        Unary::MapSize => a.as_map().map(|map| Term::from(map.len())),
        Unary::BitSize => a.as_bits().map(|bits| Term::from(bits.bit_len())),
        Unary::ByteSize => a.as_bits().map(|bits| Term::from(bits.byte_len())),
        Unary::Neg => arith::neg(a).ok(),
        Unary::Abs => match a.view() {
            // As on the BEAM, minus zero stays what it is.
            View::Float(value) if value >= 0.0 => Some(a.clone()),
            _ => arith::abs(a),
        },
        Unary::Bnot => arith::bnot(a).ok(),
        Unary::Sqrt => arith::to_f64(a).filter(|a| *a >= 0.0).map(|a| Term::float(a.sqrt())),
        Unary::ToFloat => arith::to_f64(a).map(Term::float),
        Unary::Round => whole(a, f64::round),
        Unary::Trunc => whole(a, f64::trunc),
        Unary::Floor => whole(a, f64::floor),
        Unary::Ceil => whole(a, f64::ceil),
        Unary::IntegerToList => {
            Some(Term::list(integer_text(a)?.bytes().map(|c| Term::int(i64::from(c)))))
        }
        Unary::IntegerToBinary => Some(Term::binary(integer_text(a)?)),
        Unary::ListToInteger => parse_integer(&list_bytes(a)?),
        Unary::BinaryToInteger => parse_integer(&a.as_bits()?.to_bytes()?),
        Unary::AtomToList => Some(Term::string(a.as_atom()?.as_str())),
        Unary::AtomToBinary => Some(Term::binary(a.as_atom()?.as_str())),
        Unary::ListToAtom => {
            let mut text = String::new();
            for element in a.to_vec()? {
                text.push(element.as_int().and_then(|c| u32::try_from(c).ok()?.try_into().ok())?);
            }
            atom(&text)
        }
        Unary::BinaryToAtom => atom(std::str::from_utf8(&a.as_bits()?.to_bytes()?).ok()?),
        Unary::ListToTuple => Some(Term::tuple(a.to_vec()?)),
        Unary::TupleToList => Some(Term::list(a.as_tuple()?.to_vec())),
        Unary::BinaryToList => {
            let bytes = a.as_bits()?.to_bytes()?;
            Some(Term::list(bytes.iter().map(|&byte| Term::int(i64::from(byte)))))
        }
        Unary::ListToBinary => Some(Term::binary(list_bytes(a)?)),
        Unary::MapKeys => Some(Term::list(a.as_map()?.listed().map(|(key, _)| key.clone()))),
        Unary::MapValues => Some(Term::list(a.as_map()?.listed().map(|(_, value)| value.clone()))),
    }
}

/// An atom may have at most 255 characters.
fn atom(text: &str) -> Option<Term> {
    (text.chars().count() <= 255).then(|| Term::from(Atom::new(text)))
}

/// A number as an integer; floats are rounded by `round` first.
fn whole(number: &Term, round: fn(f64) -> f64) -> Option<Term> {
    match number.view() {
        View::Float(value) => arith::from_f64(round(value)),
        _ => number.is_integer().then(|| number.clone()),
    }
}

fn integer_text(a: &Term) -> Option<String> {
    match a.view() {
        View::Int(value) => Some(value.to_string()),
        View::Boxed(Boxed::Big(value)) => Some(value.to_string()),
        _ => None,
    }
}

fn list_bytes(a: &Term) -> Option<Vec<u8>> {
    let mut elements = a.elements();
    let bytes: Option<Vec<u8>> =
        elements.by_ref().map(|c| u8::try_from(c.as_int()?).ok()).collect();
    bytes.filter(|_| elements.is_proper())
}

fn parse_integer(text: &[u8]) -> Option<Term> {
    let digits = match text {
        [b'+' | b'-', digits @ ..] => digits,
        digits => digits,
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude = BigInt::parse_bytes(digits, 10)?;
    Some(Term::big(if text[0] == b'-' { -magnitude } else { magnitude }))
}

pub(crate) fn binop(op: Binop, a: &Term, b: &Term) -> Option<Term> {
    match op {
        Binop::Add => arith::add(a, b).ok(),
        Binop::Sub => arith::sub(a, b).ok(),
        Binop::Mul => arith::mul(a, b).ok(),
        Binop::IntDiv => arith::int_div(a, b).ok(),
        Binop::Rem => arith::rem(a, b).ok(),
        Binop::Div => arith::div(a, b).ok(),
        Binop::Band => arith::band(a, b).ok(),
        Binop::Bor => arith::bor(a, b).ok(),
        Binop::Bxor => arith::bxor(a, b).ok(),
        Binop::Bsl | Binop::Bsr => {
            // A shift by much is not worth the memory: such models are never wanted.
            let zero = a.as_int().is_some_and(|a| a.is_zero());
            let count = arith::to_bigint(b)?;
            if !zero && count.bits() > 20 {
                return match (op, count.sign()) {
                    (Binop::Bsr, num_bigint::Sign::Plus)
                    | (Binop::Bsl, num_bigint::Sign::Minus) => {
                        a.is_integer().then(|| Term::int(-i64::from(arith::is_negative(a))))
                    }
                    _ => None,
                };
            }
            if op == Binop::Bsl { arith::bsl(a, b).ok() } else { arith::bsr(a, b).ok() }
        }
        Binop::Min => Some(if compare(b, a).is_lt() { b.clone() } else { a.clone() }),
        Binop::Max => Some(if compare(a, b).is_lt() { b.clone() } else { a.clone() }),
        Binop::Element => {
            let index = usize::try_from(a.as_int()?).ok()?.checked_sub(1)?;
            b.as_tuple()?.get(index).cloned()
        }
        Binop::MapGet => b.as_map()?.get(a).cloned(),
        Binop::MapRemove => {
            let mut map = b.as_map()?.clone();
            map.remove(a);
            Some(Term::map(map))
        }
        Binop::Append => {
            let elements = a.to_vec()?;
            Some(Term::improper(elements, b.clone()))
        }
    }
}

pub(crate) fn ternary(op: Ternary, a: &Term, b: &Term, c: Term) -> Option<Term> {
    match op {
        Ternary::SetElement => {
            let index = usize::try_from(a.as_int()?).ok()?.checked_sub(1)?;
            let mut elements = b.as_tuple()?.to_vec();
            *elements.get_mut(index)? = c;
            Some(Term::tuple(elements))
        }
        Ternary::MapPut | Ternary::MapUpdate => {
            let mut map = c.as_map()?.clone();
            if op == Ternary::MapUpdate && !map.contains_key(a) {
                return None;
            }
            map.insert(a.clone(), b.clone());
            Some(Term::map(map))
        }
    }
}
