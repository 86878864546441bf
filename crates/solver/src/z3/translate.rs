//! Conditions as SMT-LIB text.
//!
//! A value is one of a datatype; atoms are integers in the order of their names. What has no
//! exact translation (floats that are calculated, maps, bit strings, most conversions, the order
//! of nested values) becomes a fresh value or condition about which nothing is known. So the text
//! is satisfied by whatever satisfies the conditions: "unsat" can be believed, and a model is a
//! guess that has to be evaluated. Lengths and sizes are unrolled to a depth; no recursive
//! functions, no quantifiers.

use std::collections::BTreeMap;
use std::fmt::Write;

use atom::Atom;
use num_bigint::{BigInt, Sign};
use num_traits::Signed;
use term::{Term, View, arith};

use super::domains;
use crate::expr::{Binop, Comparison, Constant, Expr, ExprId, Exprs, Test, Unary, VarId, parts};
use crate::search::Kinds;

/// How far lengths and sizes are unrolled.
const UNROLL: usize = 8;

/// Atoms of the conditions are this far apart, so that there is room for others.
pub(super) const ATOM_GAP: i64 = 1 << 20;

const PRELUDE: &str = "\
(declare-datatypes ((T 0) (L 0)) (\
((int (ival Int)) (flt (fval Real)) (atm (aval Int)) (tup (elems L)) (nil) \
(cons (hd T) (tl T)) (oth (kind Int) (oid Int)))\
((lnil) (lcons (lhd T) (ltl L)))))
(declare-fun len (T) Int)
(declare-fun proper (T) Bool)
(declare-fun tsize (L) Int)
(declare-fun osize (T) Int)
(declare-fun tlt (T T) Bool)
(declare-fun teq (T T) Bool)
";

pub(super) struct Translation {
    pub(super) text: String,
    pub(super) vars: Vec<VarId>,
    /// Atoms in order; the first has the number `ATOM_GAP`.
    pub(super) atoms: Vec<Atom>,
    /// Constants of kinds without a constructor, by their number.
    pub(super) others: Vec<Term>,
}

pub(super) struct Translator<'a> {
    exprs: &'a Exprs,
    out: String,
    atoms: BTreeMap<Atom, i64>,
    others: Vec<Term>,
    fresh: usize,
}

pub(super) fn translate(exprs: &Exprs, assertions: &[ExprId]) -> Translation {
    let mut ids: Vec<ExprId> = Vec::new();
    let mut stack = assertions.to_vec();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            ids.push(id);
            stack.extend(parts(exprs.get(id)));
        }
    }
    // Parts have smaller numbers than what they are part of.
    ids.sort_unstable();
    let mut atoms: BTreeMap<Atom, i64> = BTreeMap::new();
    for name in ["false", "true"] {
        atoms.insert(Atom::new(name), 0);
    }
    for &id in &ids {
        if let Some(term) = exprs.as_const(id) {
            collect_atoms(term, &mut atoms);
        }
        if let Expr::Test(Test::In(domain), _) = exprs.get(id) {
            domains::collect_atoms(exprs, *domain, &mut atoms);
        }
    }
    for (at, number) in atoms.values_mut().enumerate() {
        *number = ATOM_GAP * (at as i64 + 1);
    }
    let mut translator =
        Translator { exprs, out: PRELUDE.to_string(), atoms, others: Vec::new(), fresh: 0 };
    for &id in &ids {
        translator.define(id);
    }
    for &assertion in assertions {
        let holds = translator.holds(assertion);
        let _ = writeln!(translator.out, "(assert {holds})");
    }
    Translation {
        text: translator.out,
        vars: exprs.vars(assertions),
        atoms: translator.atoms.into_keys().collect(),
        others: translator.others,
    }
}

/// The atoms of a term, not looking further than is worth it.
pub(super) fn collect_atoms(term: &Term, atoms: &mut BTreeMap<Atom, i64>) {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match term.view() {
            View::Atom(atom) => {
                atoms.insert(atom, 0);
            }
            View::Cons(cell) => stack.extend([&cell.head, &cell.tail]),
            View::Tuple(elements) => stack.extend(elements),
            _ => {}
        }
    }
}

pub(super) fn number(value: &BigInt) -> String {
    if value.is_negative() { format!("(- {})", value.magnitude()) } else { value.to_string() }
}

impl Translator<'_> {
    pub(super) fn exprs(&self) -> &Exprs {
        self.exprs
    }

    pub(super) fn fresh(&mut self, sort: &str) -> String {
        self.fresh += 1;
        let name = format!("f{}", self.fresh);
        let _ = writeln!(self.out, "(declare-const {name} {sort})");
        name
    }

    fn assert(&mut self, text: &str) {
        let _ = writeln!(self.out, "(assert {text})");
    }

    /// Whether the expression holds.
    fn holds(&self, id: ExprId) -> String {
        if self.exprs.is_condition(id) {
            return format!("c{}", id.0);
        }
        let yes = self.atoms.get(&Atom::new("true")).copied().unwrap_or_default();
        format!("(and d{0} (= v{0} (atm {yes})))", id.0)
    }

    pub(super) fn constant(&mut self, term: &Term) -> String {
        if let Some(value) = arith::to_bigint(term) {
            return format!("(int {})", number(&value));
        }
        match term.view() {
            View::Atom(atom) => {
                format!("(atm {})", self.atoms.get(&atom).copied().unwrap_or_default())
            }
            View::Float(value) => format!("(flt {})", real(value)),
            View::Nil => "nil".to_string(),
            View::Cons(_) => {
                let mut elements = term.elements();
                let heads: Vec<Term> = elements.by_ref().cloned().collect();
                let tail = elements.rest().clone();
                let mut text = self.constant(&tail);
                for head in heads.iter().rev() {
                    text = format!("(cons {} {text})", self.constant(head));
                }
                text
            }
            View::Tuple(elements) => {
                let mut text = "lnil".to_string();
                for element in elements.iter().rev() {
                    text = format!("(lcons {} {text})", self.constant(element));
                }
                format!("(tup {text})")
            }
            _ => {
                let known = self.others.iter().position(|o| term::order::exact_eq(o, term));
                let at = known.unwrap_or_else(|| {
                    self.others.push(term.clone());
                    self.others.len() - 1
                });
                format!("(oth {} {at})", Kinds::of(term).0)
            }
        }
    }

    /// Names for an expression: `c` for conditions, else `d` (has a value) and `v` (the value).
    fn define(&mut self, id: ExprId) {
        let n = id.0;
        if let Expr::Var(var) = self.exprs.get(id) {
            let _ = writeln!(self.out, "(declare-const x{} T)", var.0);
            let _ = writeln!(self.out, "(define-fun d{n} () Bool true)");
            let _ = writeln!(self.out, "(define-fun v{n} () T x{})", var.0);
            let variable = format!("x{}", var.0);
            self.facts(&variable);
            return;
        }
        if self.exprs.is_condition(id) {
            let text = self.condition(id);
            let _ = writeln!(self.out, "(define-fun c{n} () Bool {text})");
            let yes = self.constant(&Term::TRUE);
            let no = self.constant(&Term::FALSE);
            let _ = writeln!(self.out, "(define-fun d{n} () Bool true)");
            let _ = writeln!(self.out, "(define-fun v{n} () T (ite c{n} {yes} {no}))");
            return;
        }
        let (defined, value) = self.value(id);
        let _ = writeln!(self.out, "(define-fun d{n} () Bool {defined})");
        let _ = writeln!(self.out, "(define-fun v{n} () T {value})");
    }

    /// What is true of lengths and sizes of any value, a few levels deep.
    fn facts(&mut self, value: &str) {
        let mut list = value.to_string();
        for _ in 0..UNROLL {
            let text = format!(
                "(and (>= (len {list}) 0) (=> ((_ is nil) {list}) (and (proper {list}) \
                 (= (len {list}) 0))) (=> ((_ is cons) {list}) (and (= (proper {list}) \
                 (proper (tl {list}))) (= (len {list}) (+ 1 (len (tl {list})))))) \
                 (=> (not (or ((_ is nil) {list}) ((_ is cons) {list}))) (not (proper {list}))))"
            );
            self.assert(&text);
            list = format!("(tl {list})");
        }
        let mut rest = format!("(elems {value})");
        for _ in 0..UNROLL {
            let text = format!(
                "(and (>= (tsize {rest}) 0) (=> ((_ is lnil) {rest}) (= (tsize {rest}) 0)) \
                 (=> ((_ is lcons) {rest}) (= (tsize {rest}) (+ 1 (tsize (ltl {rest}))))))"
            );
            self.assert(&text);
            rest = format!("(ltl {rest})");
        }
        self.assert(&format!("(>= (osize {value}) 0)"));
    }

    fn condition(&mut self, id: ExprId) -> String {
        let exprs = self.exprs;
        let all = |this: &Self, parts: &[ExprId], word: &str| {
            let parts: Vec<String> = parts.iter().map(|&part| this.holds(part)).collect();
            format!("({word} {})", parts.join(" "))
        };
        match exprs.get(id) {
            Expr::Const(Constant(term)) => term.is_true().to_string(),
            Expr::And(parts) => all(self, parts, "and"),
            Expr::Or(parts) => all(self, parts, "or"),
            Expr::Not(a) => format!("(not {})", self.holds(*a)),
            Expr::Holds(a) => self.holds(*a),
            Expr::Ite(c, a, b) => {
                format!("(ite {} {} {})", self.holds(*c), self.holds(*a), self.holds(*b))
            }
            Expr::Test(test, a) => {
                let passes = self.test(*test, &format!("v{}", a.0));
                format!("(and d{} {passes})", a.0)
            }
            Expr::Compare(op, a, b) => {
                let (x, y) = (format!("v{}", a.0), format!("v{}", b.0));
                let text = match op {
                    Comparison::Exact => format!("(= {x} {y})"),
                    Comparison::Less => less(&x, &y),
                    Comparison::LessEq => format!("(not {})", less(&y, &x)),
                    Comparison::Equal => equal(&x, &y),
                    Comparison::IsMapKey => {
                        let fresh = self.fresh("Bool");
                        format!("(and {} {fresh})", is_other(Kinds::MAP, &y))
                    }
                };
                format!("(and d{} d{} {text})", a.0, b.0)
            }
            _ => "false".to_string(),
        }
    }

    pub(super) fn test(&mut self, test: Test, v: &str) -> String {
        let is = |name: &str| format!("((_ is {name}) {v})");
        match test {
            Test::Defined => "true".to_string(),
            Test::Integer => is("int"),
            Test::Float => is("flt"),
            Test::Number => format!("(or {} {})", is("int"), is("flt")),
            Test::Atom => is("atm"),
            Test::Boolean => {
                let (yes, no) = (self.constant(&Term::TRUE), self.constant(&Term::FALSE));
                format!("(or (= {v} {yes}) (= {v} {no}))")
            }
            Test::Tuple => is("tup"),
            Test::TupleOf(n) => {
                let mut text = is("tup");
                let mut rest = format!("(elems {v})");
                for _ in 0..n {
                    text = format!("(and {text} ((_ is lcons) {rest}))");
                    rest = format!("(ltl {rest})");
                }
                format!("(and {text} (= {rest} lnil))")
            }
            Test::Cons => is("cons"),
            Test::Nil => is("nil"),
            Test::List => format!("(or {} {})", is("nil"), is("cons")),
            Test::ProperList => {
                self.facts(v);
                format!("(proper {v})")
            }
            Test::Binary | Test::FunctionOf(_) => {
                let fresh = self.fresh("Bool");
                format!("(and {} {fresh})", is_other(Kinds::passing(test), v))
            }
            Test::In(domain) => self.domain(domain, v, &mut { domains::MOST }),
            _ => is_other(Kinds::passing(test), v),
        }
    }

    /// Whether there is a value, and the value.
    fn value(&mut self, id: ExprId) -> (String, String) {
        let exprs = self.exprs;
        match exprs.get(id) {
            Expr::Const(Constant(term)) => ("true".to_string(), self.constant(term)),
            Expr::Cons(a, b) => {
                (format!("(and d{} d{})", a.0, b.0), format!("(cons v{} v{})", a.0, b.0))
            }
            Expr::Tuple(parts) => {
                let defined: Vec<String> = parts.iter().map(|p| format!("d{}", p.0)).collect();
                let mut text = "lnil".to_string();
                for part in parts.iter().rev() {
                    text = format!("(lcons v{} {text})", part.0);
                }
                (format!("(and true {})", defined.join(" ")), format!("(tup {text})"))
            }
            Expr::Ite(c, a, b) => {
                let c = self.holds(*c);
                (format!("(ite {c} d{} d{})", a.0, b.0), format!("(ite {c} v{} v{})", a.0, b.0))
            }
            Expr::Unary(op, a) => self.unary(*op, *a),
            Expr::Binop(op, a, b) => self.binop(*op, *a, *b),
            expr => {
                let defined: Vec<String> =
                    parts(expr).iter().map(|p| format!("d{}", p.0)).collect();
                let (fresh, value) = (self.fresh("Bool"), self.fresh("T"));
                (format!("(and {fresh} {})", defined.join(" ")), value)
            }
        }
    }

    fn unary(&mut self, op: Unary, a: ExprId) -> (String, String) {
        let (d, v) = (format!("d{}", a.0), format!("v{}", a.0));
        let with = |condition: String| format!("(and {d} {condition})");
        match op {
            Unary::Hd | Unary::Tl => {
                let name = if op == Unary::Hd { "hd" } else { "tl" };
                (with(format!("((_ is cons) {v})")), format!("({name} {v})"))
            }
            Unary::Length => {
                self.facts(&v);
                (with(format!("(proper {v})")), format!("(int (len {v}))"))
            }
            Unary::TupleSize => {
                self.facts(&v);
                (with(format!("((_ is tup) {v})")), format!("(int (tsize (elems {v})))"))
            }
            Unary::MapSize | Unary::BitSize => {
                let kinds = if op == Unary::MapSize { Kinds::MAP } else { Kinds::BITS };
                self.assert(&format!("(>= (osize {v}) 0)"));
                (with(is_other(kinds, &v)), format!("(int (osize {v}))"))
            }
            Unary::Neg | Unary::Abs => {
                let whole = if op == Unary::Neg {
                    format!("(int (- (ival {v})))")
                } else {
                    format!("(int (abs (ival {v})))")
                };
                let real = if op == Unary::Neg {
                    format!("(flt (- (fval {v})))")
                } else {
                    format!("(flt (ite (< (fval {v}) 0.0) (- (fval {v})) (fval {v})))")
                };
                let is_int = format!("((_ is int) {v})");
                (
                    with(format!("(or {is_int} ((_ is flt) {v}))")),
                    format!("(ite {is_int} {whole} {real})"),
                )
            }
            Unary::Bnot => {
                (with(format!("((_ is int) {v})")), format!("(int (- (- (ival {v})) 1))"))
            }
            _ => {
                let (fresh, value) = (self.fresh("Bool"), self.fresh("T"));
                (with(fresh), value)
            }
        }
    }

    fn binop(&mut self, op: Binop, a: ExprId, b: ExprId) -> (String, String) {
        let (x, y) = (format!("v{}", a.0), format!("v{}", b.0));
        let both = format!("(and ((_ is int) {x}) ((_ is int) {y}))");
        let with = |text: &str| format!("(and d{} d{} {text})", a.0, b.0);
        let (i, j) = (format!("(ival {x})"), format!("(ival {y})"));
        match op {
            Binop::Add | Binop::Sub | Binop::Mul => {
                let sign = match op {
                    Binop::Add => "+",
                    Binop::Sub => "-",
                    _ => "*",
                };
                // Floats are rounded, and overflow.
                let (fresh, value) = (self.fresh("Bool"), self.fresh("Real"));
                let number = |v: &str| format!("(or ((_ is int) {v}) ((_ is flt) {v}))");
                let defined = format!("(and {} {} (or {both} {fresh}))", number(&x), number(&y));
                (with(&defined), format!("(ite {both} (int ({sign} {i} {j})) (flt {value}))"))
            }
            Binop::IntDiv | Binop::Rem => {
                let size = format!("(div (abs {i}) (abs {j}))");
                let quotient = format!("(ite (= (< {i} 0) (< {j} 0)) {size} (- {size}))");
                let text = match op {
                    Binop::IntDiv => quotient,
                    _ => format!("(- {i} (* {j} {quotient}))"),
                };
                (with(&format!("(and {both} (not (= {j} 0)))")), format!("(int {text})"))
            }
            Binop::Min => (with("true"), format!("(ite {} {y} {x})", less(&y, &x))),
            Binop::Max => (with("true"), format!("(ite {} {y} {x})", less(&x, &y))),
            Binop::Band | Binop::Bor | Binop::Bxor => {
                let text = match (self.mask(a), self.mask(b)) {
                    (Some(mask), _) => Some(bitwise(op, &j, &mask)),
                    (_, Some(mask)) => Some(bitwise(op, &i, &mask)),
                    _ => None,
                };
                let text = text.unwrap_or_else(|| self.fresh("Int"));
                (with(&both), format!("(int {text})"))
            }
            Binop::Bsl | Binop::Bsr => {
                let count = self.exprs.as_const(b).and_then(Term::as_int);
                let count = count.map(|count| if op == Binop::Bsl { count } else { -count });
                match count.filter(|count| count.abs() <= 128) {
                    Some(count) => {
                        let power = BigInt::from(1) << count.unsigned_abs();
                        let word = if count >= 0 { "*" } else { "div" };
                        (with(&both), format!("(int ({word} {i} {power}))"))
                    }
                    None => {
                        let (fresh, value) = (self.fresh("Bool"), self.fresh("Int"));
                        (with(&format!("(and {both} {fresh})")), format!("(int {value})"))
                    }
                }
            }
            Binop::Element => {
                let Some(index) = self.exprs.as_const(a).and_then(Term::as_int) else {
                    let (fresh, value) = (self.fresh("Bool"), self.fresh("T"));
                    let text = format!("(and ((_ is int) {x}) ((_ is tup) {y}) {fresh})");
                    return (with(&text), value);
                };
                if !(1..=255).contains(&index) {
                    return ("false".to_string(), x);
                }
                let mut text = format!("((_ is tup) {y})");
                let mut rest = format!("(elems {y})");
                for _ in 1..index {
                    text = format!("(and {text} ((_ is lcons) {rest}))");
                    rest = format!("(ltl {rest})");
                }
                (with(&format!("(and {text} ((_ is lcons) {rest}))")), format!("(lhd {rest})"))
            }
            Binop::Div => {
                let (fresh, value) = (self.fresh("Bool"), self.fresh("Real"));
                (with(&fresh), format!("(flt {value})"))
            }
            Binop::MapGet | Binop::MapRemove | Binop::Append => {
                let (fresh, value) = (self.fresh("Bool"), self.fresh("T"));
                (with(&fresh), value)
            }
        }
    }

    /// A constant mask that is not too long.
    fn mask(&self, id: ExprId) -> Option<BigInt> {
        self.exprs.as_const(id).and_then(arith::to_bigint).filter(|mask| mask.bits() <= 128)
    }
}

/// A float as the real number that it is.
fn real(value: f64) -> String {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let sized = BigInt::from(mantissa);
    let text = if exponent >= 0 {
        format!("{}.0", sized << exponent)
    } else {
        format!("(/ {sized}.0 {}.0)", BigInt::from(1) << -exponent)
    };
    if value.is_sign_negative() { format!("(- {text})") } else { text }
}

fn is_other(kinds: Kinds, v: &str) -> String {
    format!("(and ((_ is oth) {v}) (= (kind {v}) {}))", kinds.0)
}

/// A number as a real.
fn as_real(v: &str) -> String {
    format!("(ite ((_ is int) {v}) (to_real (ival {v})) (fval {v}))")
}

/// The place of a value in the order of types: the bit of its kind.
fn rank(v: &str) -> String {
    format!(
        "(ite (or ((_ is int) {v}) ((_ is flt) {v})) 1 (ite ((_ is atm) {v}) {} \
         (ite ((_ is tup) {v}) {} (ite ((_ is nil) {v}) {} \
         (ite ((_ is cons) {v}) {} (kind {v}))))))",
        Kinds::ATOM.0,
        Kinds::TUPLE.0,
        Kinds::NIL.0,
        Kinds::CONS.0
    )
}

/// Numbers and atoms exactly; of nested values, that it is an order is left open.
fn less(x: &str, y: &str) -> String {
    let number = |v: &str| format!("(or ((_ is int) {v}) ((_ is flt) {v}))");
    format!(
        "(ite (and {} {}) (< {} {}) (ite (and ((_ is atm) {x}) ((_ is atm) {y})) \
         (< (aval {x}) (aval {y})) (ite (= {x} {y}) false \
         (ite (= {} {}) (tlt {x} {y}) (< {} {})))))",
        number(x),
        number(y),
        as_real(x),
        as_real(y),
        rank(x),
        rank(y),
        rank(x),
        rank(y)
    )
}

fn equal(x: &str, y: &str) -> String {
    let number = |v: &str| format!("(or ((_ is int) {v}) ((_ is flt) {v}))");
    format!(
        "(or (= {x} {y}) (ite (and {} {}) (= {} {}) (and (= {} {}) (or ((_ is cons) {x}) \
         ((_ is tup) {x}) ((_ is oth) {x})) (teq {x} {y}))))",
        number(x),
        number(y),
        as_real(x),
        as_real(y),
        rank(x),
        rank(y)
    )
}

/// Bit operations with a constant, by quotients and remainders.
fn bitwise(op: Binop, v: &str, mask: &BigInt) -> String {
    let (ones, inverted) = if mask.sign() == Sign::Minus {
        (-mask - BigInt::from(1), true)
    } else {
        (mask.clone(), false)
    };
    let mut pieces = vec!["0".to_string()];
    let mut at = 0;
    while at < ones.bits() {
        if !ones.bit(at) {
            at += 1;
            continue;
        }
        let end = (at..).find(|&bit| !ones.bit(bit)).unwrap_or(at + 1);
        let (low, size) = (BigInt::from(1) << at, BigInt::from(1) << (end - at));
        pieces.push(format!("(* {low} (mod (div {v} {low}) {size}))"));
        at = end;
    }
    let sum = format!("(+ {} 0)", pieces.join(" "));
    let band = if inverted { format!("(- {v} {sum})") } else { sum };
    match op {
        Binop::Band => band,
        Binop::Bor => format!("(- (+ {v} {}) {band})", number(mask)),
        _ => format!("(- (+ {v} {}) (* 2 {band}))", number(mask)),
    }
}
