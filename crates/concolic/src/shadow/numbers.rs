//! Operators and comparisons.

use code::instr::{ArithOp, CompareOp, TypeTest, UnaryOp};
use solver::{Binop, ExprId, Test, Unary};
use term::Term;

use super::{State, Value};
use crate::models::Outcome;

/// Shifts by more bits than this are not followed, if that is unknown.
const SHIFT: i64 = 64;

/// What kind of number a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Integer,
    Float,
}

impl State {
    /// What kind of number a value is, if it is one; decided.
    fn number(&mut self, value: &Value) -> Option<Kind> {
        if self.decide_test(Test::Integer, value, value.term.is_integer()) {
            return Some(Kind::Integer);
        }
        let is_float = value.term.as_float().is_some();
        self.decide_test(Test::Float, value, is_float).then_some(Kind::Float)
    }

    fn integer(&mut self, value: &Value) -> bool {
        self.decide_test(Test::Integer, value, value.term.is_integer())
    }

    fn boolean(&mut self, value: &Value) -> bool {
        self.decide_test(Test::Boolean, value, value.term.as_bool().is_some())
    }

    /// The result of a computation of a kind.
    fn computed(&mut self, expr: ExprId, kind: Kind) -> Outcome {
        let Some(expr) = self.kept(expr) else { return Outcome::Gives(None) };
        match kind {
            Kind::Integer => self.integers.insert(expr),
            Kind::Float => self.floats.insert(expr),
        };
        Outcome::Gives(Some(expr))
    }

    /// `A op B`
    pub(crate) fn arith(&mut self, op: ArithOp, a: &Value, b: &Value) -> Outcome {
        if a.expr.is_none() && b.expr.is_none() {
            return Outcome::Gives(None);
        }
        let operation = match op {
            ArithOp::Add => Binop::Add,
            ArithOp::Sub => Binop::Sub,
            ArithOp::Mul => Binop::Mul,
            ArithOp::Div => Binop::Div,
            ArithOp::IntDiv => Binop::IntDiv,
            ArithOp::Rem => Binop::Rem,
            ArithOp::Band => Binop::Band,
            ArithOp::Bor => Binop::Bor,
            ArithOp::Bxor => Binop::Bxor,
            ArithOp::Bsl => Binop::Bsl,
            ArithOp::Bsr => Binop::Bsr,
            ArithOp::And | ArithOp::Or | ArithOp::Xor => return self.logical(op, a, b),
        };
        let of_numbers = matches!(op, ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div);
        let kind = if of_numbers {
            let (one, other) = (self.number(a), self.number(b));
            let (Some(one), Some(other)) = (one, other) else { return Outcome::Fails(None) };
            match (op, one, other) {
                (ArithOp::Div, ..) => Kind::Float,
                (_, Kind::Integer, Kind::Integer) => Kind::Integer,
                _ => Kind::Float,
            }
        } else {
            let (one, other) = (self.integer(a), self.integer(b));
            if !one || !other {
                return Outcome::Fails(None);
            }
            Kind::Integer
        };
        if matches!(op, ArithOp::Div | ArithOp::IntDiv | ArithOp::Rem)
            && let Some(divisor) = b.expr
        {
            let zero = self.exprs.int(0);
            let is_zero = self.is_equal(divisor, zero);
            self.decide(is_zero, is_zero_term(&b.term));
        }
        if matches!(op, ArithOp::Div | ArithOp::IntDiv | ArithOp::Rem) && is_zero_term(&b.term) {
            return Outcome::Fails(None);
        }
        if matches!(op, ArithOp::Bsl | ArithOp::Bsr) && !self.is_small_shift(b) {
            // What comes of it may be too large.
            self.lose(format!("{op:?} by an unknown"));
            self.pin(std::slice::from_ref(b));
            let b = Value::plain(b.term.clone());
            return self.arith(op, a, &b);
        }
        let (x, y) = (self.expr(a), self.expr(b));
        let expr = self.exprs.binop(operation, x, y);
        self.computed(expr, kind)
    }

    /// Whether a shift is by a known number, or by few bits, which is decided.
    fn is_small_shift(&mut self, count: &Value) -> bool {
        let Some(expr) = count.expr else { return true };
        let (low, high) = (self.exprs.int(-SHIFT), self.exprs.int(SHIFT));
        let (above, below) = (self.exprs.less_eq(low, expr), self.exprs.less_eq(expr, high));
        let is_small = self.exprs.and(&[above, below]);
        let holds = count.term.as_int().is_some_and(|count| (-SHIFT..=SHIFT).contains(&count));
        self.decide(is_small, holds);
        holds
    }

    fn logical(&mut self, op: ArithOp, a: &Value, b: &Value) -> Outcome {
        let (one, other) = (self.boolean(a), self.boolean(b));
        if !one || !other {
            return Outcome::Fails(None);
        }
        let (a, b) = (self.expr(a), self.expr(b));
        let (a, b) = (self.exprs.holds(a), self.exprs.holds(b));
        let expr = match op {
            ArithOp::And => self.exprs.and(&[a, b]),
            ArithOp::Or => self.exprs.or(&[a, b]),
            _ => {
                let (not_a, not_b) = (self.exprs.not(a), self.exprs.not(b));
                let (one, other) = (self.exprs.and(&[a, not_b]), self.exprs.and(&[not_a, b]));
                self.exprs.or(&[one, other])
            }
        };
        Outcome::Gives(self.kept(expr))
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, a: &Value) -> Outcome {
        let Some(expr) = a.expr else { return Outcome::Gives(None) };
        match op {
            UnaryOp::Not => {
                if !self.boolean(a) {
                    return Outcome::Fails(None);
                }
                let not = self.exprs.not(expr);
                Outcome::Gives(self.kept(not))
            }
            UnaryOp::Bnot => match self.integer(a) {
                true => {
                    let expr = self.exprs.unary(Unary::Bnot, expr);
                    self.computed(expr, Kind::Integer)
                }
                false => Outcome::Fails(None),
            },
            UnaryOp::Plus | UnaryOp::Minus => {
                let Some(kind) = self.number(a) else { return Outcome::Fails(None) };
                let expr = match op {
                    UnaryOp::Plus => expr,
                    _ => self.exprs.unary(Unary::Neg, expr),
                };
                self.computed(expr, kind)
            }
        }
    }

    /// A function of one number that gives an integer, or one of the same kind.
    pub(crate) fn rounded(&mut self, op: Unary, a: &Value) -> Outcome {
        let Some(expr) = a.expr else { return Outcome::Gives(None) };
        let Some(kind) = self.number(a) else { return Outcome::Fails(None) };
        match (op, kind) {
            (Unary::Abs, kind) => {
                let expr = self.exprs.unary(op, expr);
                self.computed(expr, kind)
            }
            (Unary::ToFloat, Kind::Float) => Outcome::Gives(Some(expr)),
            (Unary::ToFloat, _) => {
                let expr = self.exprs.unary(op, expr);
                self.computed(expr, Kind::Float)
            }
            (_, Kind::Integer) => Outcome::Gives(Some(expr)),
            _ => {
                let expr = self.exprs.unary(op, expr);
                self.computed(expr, Kind::Integer)
            }
        }
    }

    /// `math:sqrt/1`
    pub(crate) fn square_root(&mut self, a: &Value) -> Outcome {
        let Some(expr) = a.expr else { return Outcome::Gives(None) };
        if self.number(a).is_none() {
            return Outcome::Fails(None);
        }
        let constant = self.exprs.constant(a.term.clone());
        let result = self.exprs.unary(Unary::Sqrt, constant);
        let succeeds = self.exprs.as_const(result).is_some();
        let made = self.exprs.unary(Unary::Sqrt, expr);
        let defined = self.exprs.test(Test::Defined, made);
        self.decide(defined, succeeds);
        match succeeds {
            true => self.computed(made, Kind::Float),
            false => Outcome::Fails(None),
        }
    }

    /// `A op B` as a condition.
    pub(crate) fn compare(&mut self, op: CompareOp, a: &Value, b: &Value) -> ExprId {
        let (x, y) = (self.expr(a), self.expr(b));
        match op {
            CompareOp::ExactEq => self.exact(x, y),
            CompareOp::ExactNe => {
                let same = self.exact(x, y);
                self.exprs.not(same)
            }
            CompareOp::Eq => self.is_equal(x, y),
            CompareOp::Ne => {
                let same = self.is_equal(x, y);
                self.exprs.not(same)
            }
            CompareOp::Lt => self.exprs.less(x, y),
            CompareOp::Gt => self.exprs.less(y, x),
            CompareOp::Le => self.exprs.less_eq(x, y),
            CompareOp::Ge => self.exprs.less_eq(y, x),
        }
    }

    /// An integer made by a test or a size.
    pub(crate) fn sized(&mut self, op: Unary, expr: ExprId) -> Outcome {
        let expr = self.exprs.unary(op, expr);
        self.computed(expr, Kind::Integer)
    }
}

fn is_zero_term(term: &Term) -> bool {
    term.as_int() == Some(0) || term.as_float() == Some(0.0)
}

/// The test of the language as the solver has it.
pub(crate) fn test_of(test: TypeTest) -> Test {
    match test {
        TypeTest::Atom => Test::Atom,
        TypeTest::Binary => Test::Binary,
        TypeTest::Bitstring => Test::Bitstring,
        TypeTest::Boolean => Test::Boolean,
        TypeTest::Float => Test::Float,
        TypeTest::Function => Test::Function,
        TypeTest::Integer => Test::Integer,
        TypeTest::List => Test::List,
        TypeTest::Map => Test::Map,
        TypeTest::Number => Test::Number,
        TypeTest::Pid => Test::Pid,
        TypeTest::Port => Test::Port,
        TypeTest::Reference => Test::Reference,
        TypeTest::Tuple => Test::Tuple,
        TypeTest::Cons => Test::Cons,
    }
}
