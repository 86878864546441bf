//! What is known of expressions without asking a solver: by how they are built, and by what was
//! decided.

use solver::{Binop, Comparison, Expr, ExprId, Ternary, Test, Unary};
use term::{Term, View};

use super::{FUNS, State, Value};

/// What kind of value an expression has, where that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Cons,
    Tuple(usize),
    Map,
    Bits,
    Integer,
    Float,
    Boolean,
    Fun,
}

impl State {
    pub(crate) fn shape(&self, expr: ExprId) -> Option<Shape> {
        if self.integers.contains(&expr) {
            return Some(Shape::Integer);
        }
        if self.floats.contains(&expr) {
            return Some(Shape::Float);
        }
        Some(match self.exprs.get(expr) {
            Expr::Cons(..) => Shape::Cons,
            Expr::Tuple(elements) => Shape::Tuple(elements.len()),
            Expr::Ternary(Ternary::MapPut | Ternary::MapUpdate, ..) => Shape::Map,
            Expr::Binop(Binop::MapRemove, ..) => Shape::Map,
            Expr::Binary(_) => Shape::Bits,
            Expr::Unary(
                Unary::Length
                | Unary::TupleSize
                | Unary::MapSize
                | Unary::BitSize
                | Unary::ByteSize
                | Unary::Round
                | Unary::Trunc
                | Unary::Floor
                | Unary::Ceil
                | Unary::ListToInteger
                | Unary::BinaryToInteger
                | Unary::Bnot,
                _,
            )
            | Expr::Binop(
                Binop::IntDiv
                | Binop::Rem
                | Binop::Band
                | Binop::Bor
                | Binop::Bxor
                | Binop::Bsl
                | Binop::Bsr,
                ..,
            ) => Shape::Integer,
            Expr::Unary(Unary::ToFloat, _) | Expr::Binop(Binop::Div, ..) => Shape::Float,
            Expr::Var(var) if var.0 >= FUNS => Shape::Fun,
            _ if self.exprs.is_condition(expr) => Shape::Boolean,
            _ => return None,
        })
    }

    /// Whether an expression passes a test.
    pub(crate) fn test(&mut self, test: Test, expr: ExprId) -> ExprId {
        match self.shape(expr).and_then(|shape| passes(shape, test)) {
            Some(known) => self.exprs.bool(known),
            None => self.exprs.test(test, expr),
        }
    }

    /// Whether a value passes a test, as a condition. How many arguments a fun takes that the run
    /// has made does not depend on the inputs.
    pub(crate) fn test_of(&mut self, test: Test, value: &Value) -> Option<ExprId> {
        let expr = value.expr?;
        if let Test::FunctionOf(wanted) = test
            && self.env_of(expr).is_some()
        {
            let is_one = value.term.as_fun().is_some_and(|fun| fun.arity() == wanted);
            return Some(self.exprs.bool(is_one));
        }
        Some(self.test(test, expr))
    }

    /// A test of a value is decided; says how.
    pub(crate) fn decide_test(&mut self, test: Test, value: &Value, passes: bool) -> bool {
        if let (Some(expr), Some(condition)) = (value.expr, self.test_of(test, value)) {
            self.decide(condition, passes);
            if passes && test == Test::Integer {
                self.integers.insert(expr);
            }
            if passes && test == Test::Float {
                self.floats.insert(expr);
            }
        }
        passes
    }

    /// `=:=`, taken apart where both sides are known to be built.
    pub(crate) fn exact(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.exact_to(a, b, 64)
    }

    fn exact_to(&mut self, a: ExprId, b: ExprId, depth: u32) -> ExprId {
        if depth == 0 || a == b {
            return self.exprs.exact(a, b);
        }
        if let (Some(one), Some(other)) = (self.known_shape(a), self.known_shape(b)) {
            let differ = match (one, other) {
                (Shape::Tuple(n), Shape::Tuple(m)) => n != m,
                _ => one != other,
            };
            if differ {
                return self.exprs.bool(false);
            }
        }
        match (self.parts(a), self.parts(b)) {
            (Some(one), Some(other)) if one.len() == other.len() => {
                let pairs = one.into_iter().zip(other);
                let all: Vec<ExprId> = pairs.map(|(a, b)| self.exact_to(a, b, depth - 1)).collect();
                self.exprs.and(&all)
            }
            _ => self.exprs.exact(a, b),
        }
    }

    /// The shape, of constants too.
    fn known_shape(&self, expr: ExprId) -> Option<Shape> {
        let Some(term) = self.exprs.as_const(expr) else { return self.shape(expr) };
        Some(match term.view() {
            View::Int(_) => Shape::Integer,
            View::Cons(_) => Shape::Cons,
            View::Tuple(elements) => Shape::Tuple(elements.len()),
            View::Map(_) => Shape::Map,
            _ if term.is_integer() => Shape::Integer,
            _ if term.as_float().is_some() => Shape::Float,
            _ if term.as_bool().is_some() => Shape::Boolean,
            _ => return None,
        })
    }

    /// The parts of a tuple or of a cell, as it is built.
    fn parts(&mut self, expr: ExprId) -> Option<Vec<ExprId>> {
        match self.exprs.get(expr) {
            &Expr::Cons(head, tail) => Some(vec![head, tail]),
            Expr::Tuple(elements) => Some(elements.to_vec()),
            Expr::Const(constant) => {
                let term = constant.0.clone();
                match term.view() {
                    View::Cons(cell) => {
                        let (head, tail) = (cell.head.clone(), cell.tail.clone());
                        Some(vec![self.exprs.constant(head), self.exprs.constant(tail)])
                    }
                    View::Tuple(elements) => {
                        let elements = elements.iter().cloned();
                        Some(elements.map(|term| self.exprs.constant(term)).collect())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a value is this term, as a condition.
    pub(crate) fn is_term(&mut self, expr: ExprId, term: Term) -> ExprId {
        let constant = self.exprs.constant(term);
        self.exact(expr, constant)
    }

    /// Whether `==` holds, as a condition.
    pub(crate) fn is_equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let integer = Some(Shape::Integer);
        if self.known_shape(a) == integer && self.known_shape(b) == integer {
            return self.exact(a, b);
        }
        self.exprs.compare(Comparison::Equal, a, b)
    }
}

fn passes(shape: Shape, test: Test) -> Option<bool> {
    Some(match (shape, test) {
        (_, Test::Defined) => true,
        (_, Test::In(_)) => return None,
        (Shape::Cons, Test::ProperList) => return None,
        (Shape::Cons, test) => matches!(test, Test::Cons | Test::List),
        (Shape::Tuple(size), Test::TupleOf(wanted)) => size == wanted as usize,
        (Shape::Tuple(_), test) => test == Test::Tuple,
        (Shape::Map, test) => test == Test::Map,
        (Shape::Bits, Test::Binary) => return None,
        (Shape::Bits, test) => test == Test::Bitstring,
        (Shape::Integer, test) => matches!(test, Test::Integer | Test::Number),
        (Shape::Float, test) => matches!(test, Test::Float | Test::Number),
        (Shape::Boolean, test) => matches!(test, Test::Boolean | Test::Atom),
        (Shape::Fun, Test::FunctionOf(_)) => return None,
        (Shape::Fun, test) => test == Test::Function,
    })
}
