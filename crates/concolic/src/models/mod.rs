//! What native functions do to expressions, by their names.
//!
//! A function is either here, or in `erl/erlscope_symbolic.erl` as Erlang code that runs in its
//! place, or what it is given is taken as it is and the loss is told. A model decides whatever the
//! function's result, or its failure, depends on, in an order that depends on what was decided
//! before and on nothing else.

mod conversions;
mod maps;
mod tuples;

use code::instr::{ArithOp, CompareOp, UnaryOp};
use solver::{ExprId, Test, Unary};

use crate::shadow::{State, Value};

/// What comes of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// A value; none if it does not depend on the inputs.
    Gives(Option<ExprId>),
    /// An exception, with its reason.
    Fails(Option<ExprId>),
    Unknown,
}

impl State {
    /// What a native function gives.
    pub(crate) fn native(&mut self, module: &str, name: &str, args: &[Value]) -> Outcome {
        match module {
            "erlang" => self.erlang(name, args),
            "maps" => self.maps(name, args),
            "ets" => self.table(name, args),
            "math" => match (name, args) {
                ("sqrt", [number]) => self.square_root(number),
                _ => Outcome::Unknown,
            },
            "erlscope_native" => match name {
                // Where values go to be seen by nobody but us.
                "finish" | "io_write" => Outcome::Gives(None),
                _ => Outcome::Unknown,
            },
            _ => Outcome::Unknown,
        }
    }

    /// A run gives a value: whether that is `true` may matter.
    pub(crate) fn finished(&mut self, args: &[Value]) {
        if let ([value], true) = (args, self.is_predicate)
            && let Some(expr) = value.expr
        {
            let yes = self.exprs.atom("true");
            let is_true = self.exprs.exact(expr, yes);
            self.decide(is_true, value.term.is_true());
        }
    }

    fn erlang(&mut self, name: &str, args: &[Value]) -> Outcome {
        if let Some(outcome) = self.operator(name, args) {
            return outcome;
        }
        if let ([value], Some(test)) = (args, type_test(name)) {
            return self.tested(test, value);
        }
        match (name, args) {
            ("error" | "exit" | "throw", [reason]) | ("error", [reason, ..]) => {
                Outcome::Fails(reason.expr)
            }
            ("raise", [_, reason, _]) => Outcome::Fails(reason.expr),
            ("get" | "put" | "erase" | "get_keys", _) => self.dictionary(name, args),
            ("send" | "!" | "send_nosuspend", [to, message, ..]) => {
                if to.expr.is_some() {
                    return Outcome::Unknown;
                }
                Outcome::Gives(
                    message.expr.filter(|_| matches!((name, args.len()), ("send" | "!", 2))),
                )
            }
            ("spawn" | "spawn_link" | "spawn_monitor" | "spawn_opt" | "spawn_request", _) => {
                Outcome::Gives(None)
            }
            ("self" | "node" | "make_ref" | "display" | "process_flag", _) => Outcome::Gives(None),
            ("is_function", [fun, arity]) if arity.expr.is_none() => {
                match arity.term.as_int().and_then(|arity| u32::try_from(arity).ok()) {
                    Some(arity) => self.tested(Test::FunctionOf(arity), fun),
                    None => Outcome::Unknown,
                }
            }
            ("is_record", [value, tag, rest @ ..]) => self.is_record(value, tag, rest),
            ("hd", [list]) => self.end(list, true),
            ("tl", [list]) => self.end(list, false),
            ("length", [list]) => self.length(list),
            ("map_size" | "map_get" | "is_map_key", _) => self.maps(name, args),
            (
                "element" | "setelement" | "tuple_size" | "tuple_to_list" | "list_to_tuple"
                | "append_element" | "make_tuple" | "size" | "byte_size" | "bit_size",
                _,
            ) => self.tuples(name, args),
            _ => self.conversion(name, args),
        }
    }

    /// Operators as functions, and functions of numbers.
    fn operator(&mut self, name: &str, args: &[Value]) -> Option<Outcome> {
        if let [a, b] = args {
            if let Some(op) = arith_op(name) {
                return Some(self.arith(op, a, b));
            }
            if let Some(op) = compare_op(name) {
                let condition = self.compare(op, a, b);
                return Some(Outcome::Gives(self.kept(condition)));
            }
            if matches!(name, "max" | "min") {
                return Some(self.extreme(name == "max", a, b));
            }
        }
        let [a] = args else { return None };
        Some(match name {
            "-" => self.unary(UnaryOp::Minus, a),
            "+" => self.unary(UnaryOp::Plus, a),
            "not" => self.unary(UnaryOp::Not, a),
            "bnot" => self.unary(UnaryOp::Bnot, a),
            "abs" => self.rounded(Unary::Abs, a),
            "float" => self.rounded(Unary::ToFloat, a),
            "round" => self.rounded(Unary::Round, a),
            "trunc" => self.rounded(Unary::Trunc, a),
            "floor" => self.rounded(Unary::Floor, a),
            "ceil" => self.rounded(Unary::Ceil, a),
            _ => return None,
        })
    }

    /// `max/2`, `min/2`: the first of equal ones.
    fn extreme(&mut self, max: bool, a: &Value, b: &Value) -> Outcome {
        let op = if max { CompareOp::Lt } else { CompareOp::Gt };
        let condition = self.compare(op, a, b);
        let order = term::order::compare(&a.term, &b.term);
        let second = if max { order.is_lt() } else { order.is_gt() };
        self.decide(condition, second);
        Outcome::Gives(if second { b.expr } else { a.expr })
    }

    /// The outcome of a test as an atom.
    pub(crate) fn tested(&mut self, test: Test, value: &Value) -> Outcome {
        let Some(condition) = self.test_of(test, value) else { return Outcome::Gives(None) };
        Outcome::Gives(self.kept(condition))
    }

    fn end(&mut self, list: &Value, head: bool) -> Outcome {
        let is_cell = list.term.as_cons().is_some();
        if !self.decide_test(Test::Cons, list, is_cell) {
            return Outcome::Fails(None);
        }
        let cell = self.cell(list);
        Outcome::Gives(cell.and_then(|(first, rest)| if head { first.expr } else { rest.expr }))
    }

    fn length(&mut self, list: &Value) -> Outcome {
        let Some(expr) = list.expr else { return Outcome::Gives(None) };
        let is_proper = list.term.list_len().is_some();
        if !self.decide_test(Test::ProperList, list, is_proper) {
            return Outcome::Fails(None);
        }
        let mut rest = expr;
        let mut known = 0;
        while let solver::Expr::Cons(_, tail) = *self.exprs.get(rest) {
            rest = tail;
            known += 1;
        }
        if let Some(term) = self.exprs.as_const(rest) {
            // Its cells are known.
            debug_assert!(term.is_list());
            return Outcome::Gives(None);
        }
        match self.sized(Unary::Length, rest) {
            Outcome::Gives(Some(length)) if known > 0 => {
                let length = Value { term: term::Term::int(0), expr: Some(length) };
                self.arith(ArithOp::Add, &length, &Value::plain(term::Term::int(known)))
            }
            outcome => outcome,
        }
    }

    fn is_record(&mut self, value: &Value, tag: &Value, size: &[Value]) -> Outcome {
        if tag.expr.is_some() || size.iter().any(|size| size.expr.is_some()) {
            return Outcome::Unknown;
        }
        let Some(expr) = value.expr else { return Outcome::Gives(None) };
        let condition = match size.first().and_then(|size| size.term.as_int()) {
            Some(size) => self.test(Test::TupleOf(size as u32), expr),
            None => return Outcome::Unknown,
        };
        let first = self.exprs.element(1, expr);
        let same = self.is_term(first, tag.term.clone());
        let both = self.exprs.and(&[condition, same]);
        Outcome::Gives(self.kept(both))
    }
}

fn arith_op(name: &str) -> Option<ArithOp> {
    Some(match name {
        "+" => ArithOp::Add,
        "-" => ArithOp::Sub,
        "*" => ArithOp::Mul,
        "/" => ArithOp::Div,
        "div" => ArithOp::IntDiv,
        "rem" => ArithOp::Rem,
        "band" => ArithOp::Band,
        "bor" => ArithOp::Bor,
        "bxor" => ArithOp::Bxor,
        "bsl" => ArithOp::Bsl,
        "bsr" => ArithOp::Bsr,
        "and" => ArithOp::And,
        "or" => ArithOp::Or,
        "xor" => ArithOp::Xor,
        _ => return None,
    })
}

fn compare_op(name: &str) -> Option<CompareOp> {
    Some(match name {
        "==" => CompareOp::Eq,
        "/=" => CompareOp::Ne,
        "=:=" => CompareOp::ExactEq,
        "=/=" => CompareOp::ExactNe,
        "<" => CompareOp::Lt,
        "=<" => CompareOp::Le,
        ">" => CompareOp::Gt,
        ">=" => CompareOp::Ge,
        _ => return None,
    })
}

fn type_test(name: &str) -> Option<Test> {
    Some(match name {
        "is_atom" => Test::Atom,
        "is_binary" => Test::Binary,
        "is_bitstring" => Test::Bitstring,
        "is_boolean" => Test::Boolean,
        "is_float" => Test::Float,
        "is_function" => Test::Function,
        "is_integer" => Test::Integer,
        "is_list" => Test::List,
        "is_map" => Test::Map,
        "is_number" => Test::Number,
        "is_pid" => Test::Pid,
        "is_port" => Test::Port,
        "is_reference" => Test::Reference,
        "is_tuple" => Test::Tuple,
        _ => return None,
    })
}
