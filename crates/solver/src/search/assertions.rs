//! From expressions to facts: what follows where an expression holds, does not hold, has a value or
//! has none.

use num_bigint::BigInt;
use term::Term;

use super::binaries::fault_binary;
use super::facts::{Action, Apply, Operation, Order, Side};
use super::floats::too_large;
use super::kinds::Kinds;
use super::state::{Conflict, Context, Node, State, Step};
use crate::domain::{Domain, DomainId};
use crate::eval::deeper;
use crate::expr::{Binop, Comparison, Constant, Expr, ExprId, Exprs, Ternary, Test, Unary, parts};
use crate::linear::Rel;

/// The kinds of the operands and of the result, where they are the same for all values.
fn unary_kinds(op: Unary) -> (Kinds, Kinds) {
    match op {
        Unary::Hd | Unary::Tl => (Kinds::CONS, Kinds::ALL),
        Unary::Length => (Kinds::LIST, Kinds::INT),
        Unary::TupleSize => (Kinds::TUPLE, Kinds::INT),
        Unary::MapSize => (Kinds::MAP, Kinds::INT),
        Unary::BitSize | Unary::ByteSize => (Kinds::BITS, Kinds::INT),
        Unary::Neg | Unary::Abs => (Kinds::NUMBER, Kinds::NUMBER),
        Unary::Bnot => (Kinds::INT, Kinds::INT),
        Unary::ToFloat | Unary::Sqrt => (Kinds::NUMBER, Kinds::FLOAT),
        Unary::Round | Unary::Trunc | Unary::Floor | Unary::Ceil => (Kinds::NUMBER, Kinds::INT),
        Unary::IntegerToList => (Kinds::INT, Kinds::CONS),
        Unary::IntegerToBinary => (Kinds::INT, Kinds::BITS),
        Unary::ListToInteger => (Kinds::CONS, Kinds::INT),
        Unary::BinaryToInteger => (Kinds::BITS, Kinds::INT),
        Unary::AtomToList => (Kinds::ATOM, Kinds::LIST),
        Unary::ListToAtom => (Kinds::LIST, Kinds::ATOM),
        Unary::AtomToBinary => (Kinds::ATOM, Kinds::BITS),
        Unary::BinaryToAtom => (Kinds::BITS, Kinds::ATOM),
        Unary::ListToTuple => (Kinds::LIST, Kinds::TUPLE),
        Unary::TupleToList => (Kinds::TUPLE, Kinds::LIST),
        Unary::BinaryToList => (Kinds::BITS, Kinds::LIST),
        Unary::ListToBinary => (Kinds::LIST, Kinds::BITS),
        Unary::MapKeys | Unary::MapValues => (Kinds::MAP, Kinds::LIST),
    }
}

fn binop_kinds(op: Binop) -> (Kinds, Kinds, Kinds) {
    match op {
        Binop::Add | Binop::Sub | Binop::Mul => (Kinds::NUMBER, Kinds::NUMBER, Kinds::NUMBER),
        Binop::Div => (Kinds::NUMBER, Kinds::NUMBER, Kinds::FLOAT),
        Binop::IntDiv
        | Binop::Rem
        | Binop::Band
        | Binop::Bor
        | Binop::Bxor
        | Binop::Bsl
        | Binop::Bsr => (Kinds::INT, Kinds::INT, Kinds::INT),
        Binop::Min | Binop::Max => (Kinds::ALL, Kinds::ALL, Kinds::ALL),
        Binop::Element => (Kinds::INT, Kinds::TUPLE, Kinds::ALL),
        Binop::MapGet => (Kinds::ALL, Kinds::MAP, Kinds::ALL),
        Binop::MapRemove => (Kinds::ALL, Kinds::MAP, Kinds::MAP),
        Binop::Append => (Kinds::LIST, Kinds::ALL, Kinds::ALL),
    }
}

impl State {
    fn is_defined(&self, exprs: &Exprs, id: ExprId) -> bool {
        exprs.is_total(id) || self.defined.contains_key(&id)
    }

    /// The expression holds, or does not.
    pub(crate) fn assert(&mut self, cx: &mut Context<'_>, id: ExprId, holds: bool) -> Step {
        cx.step(1)?;
        match self.truths.insert(id, holds) {
            Some(known) if known != holds => return Err(Conflict),
            Some(_) => return Ok(()),
            None => {}
        }
        let exprs = cx.exprs;
        match exprs.get(id) {
            Expr::Const(Constant(term)) if term.is_true() == holds => Ok(()),
            Expr::Const(_) => Err(Conflict),
            Expr::And(all) | Expr::Or(all) => {
                if matches!(exprs.get(id), Expr::And(_)) == holds {
                    self.todo.extend(all.iter().map(|&e| Action::Assert(e, holds)));
                } else {
                    self.split(all.iter().map(|&e| vec![Action::Assert(e, holds)]).collect());
                }
                Ok(())
            }
            Expr::Not(a) => self.later(Action::Assert(*a, !holds)),
            Expr::Holds(a) => self.later(Action::Assert(*a, holds)),
            Expr::Ite(c, a, b) => {
                let side =
                    |chosen, value| vec![Action::Assert(*c, chosen), Action::Assert(value, holds)];
                self.split(vec![side(true, *a), side(false, *b)]);
                Ok(())
            }
            Expr::Test(Test::Defined, a) => {
                if holds {
                    self.define(cx, *a).map(|_| ())
                } else {
                    self.undefined(cx, *a)
                }
            }
            _ if holds => self.decide(cx, id, true),
            _ => {
                // Not true: either false, or there is nothing to ask about.
                let asked = match exprs.get(id) {
                    Expr::Test(..) | Expr::Compare(..) => parts(exprs.get(id)),
                    _ => vec![id],
                };
                let doubtful: Vec<ExprId> =
                    asked.into_iter().filter(|&e| !self.is_defined(exprs, e)).collect();
                if doubtful.is_empty() {
                    return self.decide(cx, id, false);
                }
                let mut cases = vec![vec![Action::Deny(id)]];
                cases.extend(doubtful.into_iter().map(|e| vec![Action::Undefined(e)]));
                self.split(cases);
                Ok(())
            }
        }
    }

    fn later(&mut self, action: Action) -> Step {
        self.todo.push_back(action);
        Ok(())
    }

    /// The parts of the condition have values, and it holds or does not.
    pub(crate) fn decide(&mut self, cx: &mut Context<'_>, id: ExprId, holds: bool) -> Step {
        let exprs = cx.exprs;
        match exprs.get(id) {
            Expr::Test(test, a) => {
                let node = self.define(cx, *a)?;
                self.test(cx, node, *test, holds)
            }
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.define(cx, *a)?, self.define(cx, *b)?);
                match (op, holds) {
                    (Comparison::Exact, true) => self.merge(a, b),
                    (Comparison::Exact, false) => self.different(a, b),
                    (Comparison::Equal, true) => self.compare(Side::Equal, a, b),
                    (Comparison::Equal, false) => self.compare(Side::Unequal, a, b),
                    (Comparison::Less, true) => self.compare(Side::Less, a, b),
                    (Comparison::Less, false) => self.compare(Side::LessEq, b, a),
                    (Comparison::LessEq, true) => self.compare(Side::LessEq, a, b),
                    (Comparison::LessEq, false) => self.compare(Side::Less, b, a),
                    (Comparison::IsMapKey, true) => {
                        let value = self.fresh(Kinds::ALL);
                        self.entry(b, a, Some(value))
                    }
                    (Comparison::IsMapKey, false) => {
                        if !self.kinds(b).meets(Kinds::MAP) {
                            return Ok(());
                        }
                        if self.kinds(b) == Kinds::MAP {
                            return self.entry(b, a, None);
                        }
                        self.split(vec![
                            vec![Action::Narrow(b, Kinds::MAP), Action::Entry(b, a, None)],
                            vec![Action::Narrow(b, Kinds::MAP.not())],
                        ]);
                        Ok(())
                    }
                }
            }
            // A value that is, or is not, the atom `true`.
            _ => {
                let node = self.define(cx, id)?;
                let yes = self.constant(Term::TRUE);
                if holds { self.merge(node, yes) } else { self.different(node, yes) }
            }
        }
    }

    pub(crate) fn different(&mut self, a: Node, b: Node) -> Step {
        self.version += 1;
        self.different.push((a, b));
        Ok(())
    }

    pub(crate) fn compare(&mut self, side: Side, a: Node, b: Node) -> Step {
        self.version += 1;
        self.orders.push(Order { side, a, b });
        Ok(())
    }

    pub(crate) fn test(
        &mut self,
        cx: &mut Context<'_>,
        node: Node,
        test: Test,
        passes: bool,
    ) -> Step {
        if let Some(value) = self.value(node) {
            let known = crate::eval::passes(cx.exprs, test, value);
            return if known == passes { Ok(()) } else { Err(Conflict) };
        }
        let kinds = Kinds::passing(test);
        match (test, passes) {
            (Test::In(domain), _) => self.belongs(cx, node, domain, passes),
            (_, true) => {
                self.narrow(node, kinds)?;
                match test {
                    Test::Boolean => self.allow_atoms(node, &[Term::TRUE, Term::FALSE]),
                    Test::TupleOf(n) => self.tuple_parts(node, n as usize).map(|_| ()),
                    Test::ProperList => self.set_proper(node, true),
                    Test::Binary => {
                        let (size, bytes) = (self.size(node), self.fresh(Kinds::INT));
                        self.linear(&[(1, size), (-8, bytes)], 0, Rel::Eq);
                        Ok(())
                    }
                    Test::FunctionOf(n) => {
                        let class = self.change(node);
                        let clash = class.arity.is_some_and(|arity| arity != n);
                        class.arity = Some(n);
                        if clash { Err(Conflict) } else { Ok(()) }
                    }
                    _ => Ok(()),
                }
            }
            (Test::Boolean, false) => {
                let (yes, no) = (self.constant(Term::TRUE), self.constant(Term::FALSE));
                self.different(node, yes)?;
                self.different(node, no)
            }
            (Test::TupleOf(n), false) => {
                self.change(node).not_sizes.push(n);
                Ok(())
            }
            (Test::ProperList, false) => self.set_proper(node, false),
            (Test::Binary, false) => {
                self.change(node).ragged = true;
                Ok(())
            }
            (Test::FunctionOf(n), false) => {
                self.change(node).not_arities.push(n);
                Ok(())
            }
            (_, false) => self.narrow(node, kinds.not()),
        }
    }

    fn allow_atoms(&mut self, node: Node, atoms: &[Term]) -> Step {
        let atoms: Vec<_> = atoms.iter().filter_map(Term::as_atom).collect();
        let class = self.change(node);
        class.atoms = Some(match class.atoms.take() {
            Some(known) => known.iter().copied().filter(|a| atoms.contains(a)).collect(),
            None => atoms.into(),
        });
        Ok(())
    }

    /// The value belongs to a domain, or does not: what is certain at once, the rest later.
    pub(crate) fn belongs(
        &mut self,
        cx: &mut Context<'_>,
        node: Node,
        domain: DomainId,
        belongs: bool,
    ) -> Step {
        cx.step(1)?;
        match (cx.exprs.get_domain(domain), belongs) {
            (Domain::Any, true) => Ok(()),
            (Domain::Any, false) => Err(Conflict),
            (Domain::Test(test), _) => self.test(cx, node, *test, belongs),
            (Domain::Value(term), true) => self.merge_constant(node, term.clone()),
            (Domain::Value(term), false) => {
                let constant = self.constant(term.clone());
                self.different(node, constant)
            }
            (Domain::Between(low, high), true) => {
                self.narrow(node, Kinds::INT)?;
                if let Some(low) = low {
                    self.linear_big(vec![(node, 1.into())], -low, Rel::Ge);
                }
                if let Some(high) = high {
                    self.linear_big(vec![(node, (-1).into())], high.clone(), Rel::Ge);
                }
                Ok(())
            }
            (Domain::Cons(head, tail), true) => {
                let (h, t) = self.cons_parts(node)?;
                self.todo.push_back(Action::Belongs(h, *head, true));
                self.later(Action::Belongs(t, *tail, true))
            }
            (Domain::Tuple(domains), true) => {
                let parts = self.tuple_parts(node, domains.len())?;
                for (&part, &domain) in parts.iter().zip(domains) {
                    self.todo.push_back(Action::Belongs(part, domain, true));
                }
                Ok(())
            }
            (Domain::Union(all), false) => {
                self.todo.extend(all.iter().map(|&one| Action::Belongs(node, one, false)));
                Ok(())
            }
            (Domain::Bits { size, unit }, true) => {
                self.narrow(node, Kinds::BITS)?;
                let (bits, more) = (self.size(node), self.fresh(Kinds::INT));
                let terms = [(1, bits), (-(*unit as i64), more)];
                self.linear(&terms, -(*size as i64), Rel::Eq);
                self.linear(&[(1, more)], 0, Rel::Ge);
                Ok(())
            }
            (_, _) => {
                // A list that never ends in anything but `[]` need not be followed to its end.
                if belongs && is_proper(cx.exprs, domain, &mut Vec::new()) {
                    self.set_proper(node, true)?;
                }
                let class = self.change(node);
                if !class.domains.contains(&(domain, belongs)) {
                    class.domains.push((domain, belongs));
                }
                Ok(())
            }
        }
    }

    /// The value of an expression that has one.
    pub(crate) fn define(&mut self, cx: &mut Context<'_>, id: ExprId) -> Step<Node> {
        if let Some(&node) = self.defined.get(&id) {
            return Ok(node);
        }
        cx.step(1)?;
        let node = deeper(|| self.define_new(cx, id))?;
        self.defined.insert(id, node);
        Ok(node)
    }

    fn define_new(&mut self, cx: &mut Context<'_>, id: ExprId) -> Step<Node> {
        let exprs = cx.exprs;
        match exprs.get(id) {
            Expr::Const(Constant(term)) => Ok(self.constant(term.clone())),
            Expr::Var(var) => {
                let node = self.fresh(Kinds::ALL);
                self.vars.push((*var, node));
                Ok(node)
            }
            Expr::Cons(head, tail) => {
                let (head, tail) = (self.define(cx, *head)?, self.define(cx, *tail)?);
                let node = self.fresh(Kinds::CONS);
                self.change(node).parts = Some(super::state::Parts::Cons(head, tail));
                Ok(node)
            }
            Expr::Tuple(elements) => {
                let parts =
                    elements.iter().map(|&e| self.define(cx, e)).collect::<Step<Vec<_>>>()?;
                let node = self.fresh(Kinds::TUPLE);
                self.change(node).parts = Some(super::state::Parts::Tuple(parts.into()));
                Ok(node)
            }
            Expr::Unary(op, a) => {
                let a = self.define(cx, *a)?;
                self.define_unary(*op, a)
            }
            Expr::Binop(op, a, b) => {
                let (a, b) = (self.define(cx, *a)?, self.define(cx, *b)?);
                let (left, right, result) = binop_kinds(*op);
                self.narrow(a, left)?;
                self.narrow(b, right)?;
                match op {
                    Binop::MapGet => {
                        let value = self.fresh(Kinds::ALL);
                        self.entry(b, a, Some(value))?;
                        return Ok(value);
                    }
                    Binop::Append => self.set_proper(a, true)?,
                    _ => {}
                }
                Ok(self.apply(Operation::Binop(*op), vec![a, b], result))
            }
            Expr::Ternary(op, a, b, c) => {
                let args = vec![self.define(cx, *a)?, self.define(cx, *b)?, self.define(cx, *c)?];
                let result = match op {
                    Ternary::SetElement => {
                        self.narrow(args[0], Kinds::INT)?;
                        self.narrow(args[1], Kinds::TUPLE)?;
                        Kinds::TUPLE
                    }
                    Ternary::MapPut | Ternary::MapUpdate => {
                        self.narrow(args[2], Kinds::MAP)?;
                        Kinds::MAP
                    }
                };
                if *op == Ternary::MapUpdate {
                    let old = self.fresh(Kinds::ALL);
                    self.entry(args[2], args[0], Some(old))?;
                }
                Ok(self.apply(Operation::Ternary(*op), args, result))
            }
            Expr::Field(field) => self.define_field(cx, field),
            Expr::Binary(segments) => self.define_binary(cx, id, segments),
            Expr::Ite(c, a, b) => {
                let node = self.fresh(Kinds::ALL);
                let side =
                    |chosen, value| vec![Action::Assert(*c, chosen), Action::Is(node, value)];
                self.split(vec![side(true, *a), side(false, *b)]);
                Ok(node)
            }
            // A condition as a value.
            _ => {
                let node = self.fresh(Kinds::ATOM);
                self.allow_atoms(node, &[Term::TRUE, Term::FALSE])?;
                let side = |holds| {
                    vec![Action::Assert(id, holds), Action::Constant(node, Term::bool(holds))]
                };
                self.split(vec![side(true), side(false)]);
                Ok(node)
            }
        }
    }

    fn define_unary(&mut self, op: Unary, a: Node) -> Step<Node> {
        let (operand, result) = unary_kinds(op);
        self.narrow(a, operand)?;
        match op {
            Unary::Hd => Ok(self.cons_parts(a)?.0),
            Unary::Tl => Ok(self.cons_parts(a)?.1),
            Unary::Length => {
                self.set_proper(a, true)?;
                Ok(self.size(a))
            }
            Unary::TupleSize | Unary::MapSize | Unary::BitSize => Ok(self.size(a)),
            Unary::ByteSize => {
                // bits = 8 · bytes - missing
                let (bits, bytes) = (self.size(a), self.fresh(Kinds::INT));
                let missing = self.fresh(Kinds::INT);
                self.linear(&[(1, bits), (-8, bytes), (1, missing)], 0, Rel::Eq);
                self.linear(&[(1, missing)], 0, Rel::Ge);
                self.linear(&[(-1, missing)], 7, Rel::Ge);
                Ok(bytes)
            }
            Unary::ListToTuple => {
                self.set_proper(a, true)?;
                let tuple = self.apply(Operation::Unary(op), vec![a], result);
                self.same_size(a, tuple)?;
                Ok(tuple)
            }
            Unary::TupleToList => {
                let list = self.apply(Operation::Unary(op), vec![a], result);
                self.set_proper(list, true)?;
                self.same_size(a, list)?;
                Ok(list)
            }
            _ => {
                let node = self.apply(Operation::Unary(op), vec![a], result);
                if result == Kinds::LIST || op == Unary::IntegerToList {
                    self.set_proper(node, true)?;
                }
                if operand == Kinds::LIST || op == Unary::ListToInteger {
                    self.set_proper(a, true)?;
                }
                // Texts are whole bytes.
                for text in [(a, operand), (node, result)] {
                    if text.1 == Kinds::BITS {
                        let (size, bytes) = (self.size(text.0), self.fresh(Kinds::INT));
                        self.linear(&[(1, size), (-8, bytes)], 0, Rel::Eq);
                    }
                }
                Ok(node)
            }
        }
    }

    /// Lists that are no numbers: of the first two elements one is beyond the digits.
    fn no_digits(&mut self, list: Node) -> Step<Vec<Vec<Action>>> {
        let mut cases = Vec::new();
        for place in 0..2 {
            let cell = self.fresh(Kinds::CONS);
            let (mut head, tail) = self.cons_parts(cell)?;
            let mut case = vec![Action::Merge(list, cell)];
            if place > 0 {
                let next = self.fresh(Kinds::CONS);
                head = self.cons_parts(next)?.0;
                case.push(Action::Merge(tail, next));
            }
            let beyond = -BigInt::from(b'9' + 1);
            case.push(Action::Linear(vec![(head, 1.into())], beyond, Rel::Ge));
            cases.push(case);
        }
        Ok(cases)
    }

    fn same_size(&mut self, a: Node, b: Node) -> Step {
        let (a, b) = (self.size(a), self.size(b));
        self.later(Action::Merge(a, b))
    }

    pub(crate) fn apply(&mut self, op: Operation, args: Vec<Node>, kinds: Kinds) -> Node {
        let result = self.fresh(kinds);
        self.version += 1;
        self.applies.push(std::rc::Rc::new(Apply { op, args, result }));
        result
    }

    /// The expression has no value.
    pub(crate) fn undefined(&mut self, cx: &mut Context<'_>, id: ExprId) -> Step {
        cx.step(1)?;
        let exprs = cx.exprs;
        if self.is_defined(exprs, id) {
            return Err(Conflict);
        }
        if let Expr::Ite(c, a, b) = exprs.get(id) {
            let side = |chosen, value| vec![Action::Assert(*c, chosen), Action::Undefined(value)];
            self.split(vec![side(true, *a), side(false, *b)]);
            return Ok(());
        }
        let mut cases = Vec::new();
        if !matches!(exprs.get(id), Expr::Cons(..) | Expr::Tuple(_)) {
            cases.push(vec![Action::Fault(id)]);
        }
        for part in parts(exprs.get(id)) {
            if !self.is_defined(exprs, part) {
                cases.push(vec![Action::Undefined(part)]);
            }
        }
        self.split(cases);
        Ok(())
    }

    /// The operands have values, and the operation has none.
    pub(crate) fn fault(&mut self, cx: &mut Context<'_>, id: ExprId) -> Step {
        let exprs = cx.exprs;
        let expr = exprs.get(id);
        let args =
            parts(expr).into_iter().map(|e| self.define(cx, e)).collect::<Step<Vec<Node>>>()?;
        let not = |at: usize, kinds: Kinds| vec![Action::Narrow(args[at], kinds.not())];
        let mut cases = Vec::new();
        match expr {
            Expr::Unary(op, _) => {
                let (operand, _) = unary_kinds(*op);
                match op {
                    Unary::Length | Unary::ListToTuple => {
                        return self.set_proper(args[0], false);
                    }
                    Unary::ListToInteger
                    | Unary::BinaryToInteger
                    | Unary::ListToAtom
                    | Unary::BinaryToAtom
                    | Unary::ListToBinary
                    | Unary::BinaryToList => {
                        cases.push(not(0, operand));
                        let example = Action::Constant(args[0], unfit(*op));
                        cases.push(vec![example]);
                        if *op == Unary::ListToInteger {
                            cases.extend(self.no_digits(args[0])?);
                        }
                        cases.push(vec![Action::Narrow(args[0], operand), Action::GiveUp]);
                    }
                    Unary::Sqrt => {
                        cases.push(not(0, operand));
                        let zero = self.constant(Term::int(0));
                        cases.push(vec![Action::Compare(Side::Less, args[0], zero)]);
                        cases.extend(too_large(args[0]));
                    }
                    Unary::ToFloat => {
                        cases.push(not(0, operand));
                        cases.extend(too_large(args[0]));
                    }
                    _ => return self.narrow(args[0], operand.not()),
                }
            }
            Expr::Binop(op, ..) => self.fault_binop(*op, &args, &mut cases),
            Expr::Ternary(op, ..) => match op {
                Ternary::SetElement => self.fault_index(args[0], args[1], &mut cases),
                Ternary::MapPut => return self.narrow(args[2], Kinds::MAP.not()),
                Ternary::MapUpdate => {
                    cases.push(not(2, Kinds::MAP));
                    cases.push(vec![
                        Action::Narrow(args[2], Kinds::MAP),
                        Action::Entry(args[2], args[0], None),
                    ]);
                }
            },
            Expr::Field(field) => self.fault_field(id, field, &args, &mut cases),
            Expr::Binary(segments) => fault_binary(segments, &args, &mut cases),
            _ => return Err(Conflict),
        }
        self.split(cases);
        Ok(())
    }

    fn fault_binop(&mut self, op: Binop, args: &[Node], cases: &mut Vec<Vec<Action>>) {
        let (a, b) = (args[0], args[1]);
        let (left, right, _) = binop_kinds(op);
        match op {
            Binop::Element => return self.fault_index(a, b, cases),
            Binop::Append => return cases.push(vec![Action::Proper(a, false)]),
            _ => {}
        }
        for (node, kinds) in [(a, left), (b, right)] {
            if kinds != Kinds::ALL {
                cases.push(vec![Action::Narrow(node, kinds.not())]);
            }
        }
        let fits = |more: Vec<Action>| {
            let mut case = vec![Action::Narrow(a, left), Action::Narrow(b, right)];
            case.extend(more);
            case
        };
        let zero = Term::int(0);
        match op {
            Binop::IntDiv | Binop::Rem => cases.push(fits(vec![Action::Constant(b, zero)])),
            Binop::Div => {
                let zero = self.constant(zero);
                cases.push(fits(vec![Action::Compare(Side::Equal, b, zero)]));
                cases.push(fits(vec![
                    Action::Compare(Side::Unequal, b, zero),
                    Action::Overflow(op, a, b),
                ]));
            }
            Binop::Add | Binop::Sub | Binop::Mul => {
                for node in [a, b] {
                    let float = Action::Narrow(node, Kinds::FLOAT);
                    cases.push(fits(vec![float, Action::Overflow(op, a, b)]));
                }
            }
            Binop::Bsl | Binop::Bsr => {
                // A result that is too large to build: far beyond, and where that begins.
                let sign = if op == Binop::Bsl { 1 } else { -1 };
                let by = |factor: i64, limit: i64| {
                    Action::Linear(vec![(b, BigInt::from(factor))], BigInt::from(limit), Rel::Ge)
                };
                let zero = self.constant(zero);
                let far = vec![by(sign, -(1 << 27)), Action::Different(a, zero)];
                cases.push(fits(far));
                let near = vec![by(sign, -(1 << 20)), by(-sign, (1 << 27) - 1), Action::GiveUp];
                cases.push(fits(near));
            }
            Binop::MapGet => cases.push(fits(vec![Action::Entry(b, a, None)])),
            _ => {}
        }
    }

    /// `element(a, b)` fails.
    fn fault_index(&mut self, a: Node, b: Node, cases: &mut Vec<Vec<Action>>) {
        cases.push(vec![Action::Narrow(a, Kinds::INT.not())]);
        cases.push(vec![Action::Narrow(b, Kinds::TUPLE.not())]);
        if !self.kinds(a).meets(Kinds::INT) || !self.kinds(b).meets(Kinds::TUPLE) {
            return;
        }
        let fits = [Action::Narrow(a, Kinds::INT), Action::Narrow(b, Kinds::TUPLE)];
        let low = Action::Linear(vec![(a, (-1).into())], 0.into(), Rel::Ge);
        cases.push(fits.iter().cloned().chain([low]).collect());
        cases.push(fits.iter().cloned().chain([Action::Above(a, b)]).collect());
    }
}

/// Whether all values of a domain are proper lists. A domain that is met again is: nothing on the
/// way said otherwise.
fn is_proper(exprs: &Exprs, domain: DomainId, seen: &mut Vec<DomainId>) -> bool {
    if seen.contains(&domain) {
        return true;
    }
    seen.push(domain);
    match exprs.get_domain(domain) {
        Domain::Test(test) => matches!(test, Test::ProperList | Test::Nil),
        Domain::Value(term) => term.list_len().is_some(),
        Domain::Cons(_, tail) => is_proper(exprs, *tail, seen),
        Domain::Union(all) => all.iter().all(|&one| is_proper(exprs, one, seen)),
        _ => false,
    }
}

/// A value of the right kind that a conversion fails on.
fn unfit(op: Unary) -> Term {
    match op {
        Unary::ListToInteger => Term::string("a"),
        Unary::BinaryToInteger => Term::binary(vec![]),
        Unary::BinaryToAtom => Term::binary(vec![255]),
        Unary::BinaryToList => Term::bits(term::Bits::from_bits(vec![0], 1)),
        _ => Term::list(vec![Term::atom("a")]),
    }
}
