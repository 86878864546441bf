//! Expressions over Erlang values, shared in an arena.
//!
//! An expression has a value, an Erlang term, or none: partial operations (`hd` of what is no
//! cons cell, `1 + a`) have no value, and neither has what is built from a part without one. What
//! follows is exact, and [`crate::eval()`] is its executable form:
//!
//! * [`Expr::Const`] and [`Expr::Var`] always have a value.
//! * A *condition* ([`Expr::Test`], [`Expr::Compare`], [`Expr::Holds`], [`Expr::And`],
//!   [`Expr::Or`], [`Expr::Not`]) always has one, `true` or `false`. A test or comparison of an
//!   expression without a value is `false`.
//! * An expression *holds* if its value is the atom `true`. `And`, `Or`, `Not` and the condition
//!   of [`Expr::Ite`] ask whether expressions hold, so `Not(e)` is `true` also where `e` is `7` or
//!   has no value: conditions are two-valued. Whether an expression has a value at all is asked by
//!   [`Test::Defined`].
//! * `Ite` has the value of the alternative that is chosen; the other needs none.
//! * Everything else has a value if all of its parts have one and the operation of Erlang with the
//!   same name succeeds on them. `MapPut` is `maps:put/3`, `Element` counts from one.
//!
//! Equal expressions have equal numbers; a part has a smaller number than what it is part of.
//! Numbers depend on the order of construction only. Constructors fold constants and drop what
//! cannot matter; they never change the value of an expression.

use std::fmt;

use rustc_hash::FxHashMap;
use term::Term;
use term::hash::phash2;
use term::order::exact_eq;

use crate::domain::{Domain, DomainId};
use crate::eval;

/// An expression of one [`Exprs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown: an Erlang value of any shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

/// An expression; see the head of this file for what it means.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    Const(Constant),
    Var(VarId),
    Cons(ExprId, ExprId),
    Tuple(Box<[ExprId]>),
    /// A bit string out of segments.
    Binary(Box<[Segment]>),
    /// A part of a bit string.
    Field(Field),
    Unary(Unary, ExprId),
    Binop(Binop, ExprId, ExprId),
    Ternary(Ternary, ExprId, ExprId, ExprId),
    Test(Test, ExprId),
    Compare(Comparison, ExprId, ExprId),
    /// `true` if the expression holds, else `false`.
    Holds(ExprId),
    And(Box<[ExprId]>),
    Or(Box<[ExprId]>),
    Not(ExprId),
    Ite(ExprId, ExprId, ExprId),
}

/// A term with the equality of `=:=` and a hash that fits it.
#[derive(Clone, Debug)]
pub struct Constant(pub Term);

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        // Zeros of different sign are equal, but not the same where their bits are looked at.
        let sign = |term: &Term| term.as_float().is_some_and(f64::is_sign_negative);
        exact_eq(&self.0, &other.0) && sign(&self.0) == sign(&other.0)
    }
}

impl Eq for Constant {}

impl std::hash::Hash for Constant {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Zeros of different sign are equal and hash differently in some versions.
        match self.0.as_float() {
            Some(0.0) => state.write_u32(0),
            _ => state.write_u32(phash2(&self.0)),
        }
    }
}

/// Operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    Hd,
    Tl,
    /// `length/1`
    Length,
    TupleSize,
    MapSize,
    BitSize,
    ByteSize,
    Neg,
    Abs,
    Bnot,
    /// `math:sqrt/1`
    Sqrt,
    /// `float/1`
    ToFloat,
    Round,
    Trunc,
    Floor,
    Ceil,
    IntegerToList,
    IntegerToBinary,
    ListToInteger,
    BinaryToInteger,
    AtomToList,
    ListToAtom,
    AtomToBinary,
    /// `binary_to_atom/1`: UTF-8.
    BinaryToAtom,
    ListToTuple,
    TupleToList,
    /// `binary_to_list/1`
    BinaryToList,
    /// `list_to_binary/1` of a flat list of bytes; of anything else it has no value.
    ListToBinary,
    /// `maps:keys/1`, in the order of the BEAM.
    MapKeys,
    MapValues,
}

/// Operations with two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binop {
    Add,
    Sub,
    Mul,
    /// `div`
    IntDiv,
    Rem,
    /// `/`
    Div,
    Band,
    Bor,
    Bxor,
    Bsl,
    Bsr,
    Min,
    Max,
    /// `element(Index, Tuple)`
    Element,
    /// `map_get(Key, Map)`
    MapGet,
    /// `maps:remove(Key, Map)`
    MapRemove,
    /// `++`
    Append,
}

/// Operations with three operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ternary {
    /// `setelement(Index, Tuple, Value)`
    SetElement,
    /// `maps:put(Key, Value, Map)`
    MapPut,
    /// `maps:update(Key, Value, Map)`, `Map#{Key := Value}`: no value where the key is absent.
    MapUpdate,
}

/// Questions about one value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Test {
    /// The expression has a value.
    Defined,
    Integer,
    Float,
    Number,
    Atom,
    Boolean,
    Tuple,
    /// A tuple of this size.
    TupleOf(u32),
    Cons,
    Nil,
    /// `is_list/1`: a cons cell or `[]`.
    List,
    ProperList,
    Map,
    /// Whole bytes.
    Binary,
    Bitstring,
    Function,
    /// `is_function(_, Arity)`
    FunctionOf(u32),
    Pid,
    Reference,
    Port,
    /// A native record (a value of its own kind).
    Record,
    /// The value belongs to a domain.
    In(DomainId),
}

/// Comparisons of all terms in Erlang's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// `=:=`
    Exact,
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `=<`
    LessEq,
    /// `is_map_key(Key, Map)`; `false` also where the second is no map.
    IsMapKey,
}

/// What a segment or a field of a bit string holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BitsType {
    Integer,
    /// 32 or 64 bits.
    Float,
    /// `bits` and, with a unit of 8, `binary`.
    Bits,
    Utf8,
    Utf16,
    Utf32,
}

/// A segment of a bit string that is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Segment {
    pub value: ExprId,
    /// Counted in units; `None` for all of a bit string, and for UTF.
    pub size: Option<ExprId>,
    pub unit: u16,
    pub ty: BitsType,
    pub little: bool,
}

/// A field of a bit string that is matched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    pub bits: ExprId,
    /// Where it starts, in bits.
    pub offset: ExprId,
    /// Counted in units; `None` for all that is left (its size must be a multiple of the unit),
    /// and for UTF.
    pub size: Option<ExprId>,
    pub unit: u16,
    pub ty: BitsType,
    pub signed: bool,
    pub little: bool,
    /// The number of bits that the field takes, in place of its value.
    pub width: bool,
}

/// The arena.
#[derive(Default)]
pub struct Exprs {
    exprs: Vec<Expr>,
    /// Whether the expression has a value whatever the variables are.
    total: Vec<bool>,
    numbers: FxHashMap<Expr, ExprId>,
    pub(crate) domains: Vec<Domain>,
}

impl fmt::Debug for Exprs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exprs({})", self.exprs.len())
    }
}

impl Exprs {
    pub fn new() -> Exprs {
        Exprs::default()
    }

    pub fn get(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Whether the expression has a value whatever the variables are.
    pub fn is_total(&self, id: ExprId) -> bool {
        self.total[id.index()]
    }

    /// The term, if the expression is a constant.
    pub fn as_const(&self, id: ExprId) -> Option<&Term> {
        match self.get(id) {
            Expr::Const(Constant(term)) => Some(term),
            _ => None,
        }
    }

    /// Whether the value can only be `true` or `false`, and there always is one.
    pub fn is_condition(&self, id: ExprId) -> bool {
        match self.get(id) {
            Expr::Test(..)
            | Expr::Compare(..)
            | Expr::Holds(_)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Not(_) => true,
            Expr::Const(Constant(term)) => term.as_bool().is_some(),
            Expr::Ite(_, a, b) => self.is_condition(*a) && self.is_condition(*b),
            _ => false,
        }
    }

    /// The number of an expression as it is, without simplifying.
    fn intern(&mut self, expr: Expr) -> ExprId {
        if let Some(&id) = self.numbers.get(&expr) {
            return id;
        }
        let total = self.total_expr(&expr);
        let id = ExprId(self.exprs.len() as u32);
        self.exprs.push(expr.clone());
        self.total.push(total);
        self.numbers.insert(expr, id);
        id
    }

    fn total_expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Cons(head, tail) => self.is_total(*head) && self.is_total(*tail),
            Expr::Tuple(elements) => elements.iter().all(|&e| self.is_total(e)),
            Expr::Binary(_)
            | Expr::Field(_)
            | Expr::Unary(..)
            | Expr::Ternary(..)
            | Expr::Binop(..) => false,
            Expr::Ite(_, a, b) => self.is_total(*a) && self.is_total(*b),
            _ => true,
        }
    }

    /// The expression, or its value if its parts are constants and it has one.
    fn folded(&mut self, expr: Expr) -> ExprId {
        if parts(&expr).iter().all(|&part| self.as_const(part).is_some())
            && let Some(value) = eval::apply(self, &expr, |id| self.as_const(id).cloned())
        {
            return self.constant(value);
        }
        self.intern(expr)
    }

    pub fn constant(&mut self, term: Term) -> ExprId {
        self.intern(Expr::Const(Constant(term)))
    }

    pub fn int(&mut self, value: i64) -> ExprId {
        self.constant(Term::int(value))
    }

    pub fn atom(&mut self, text: &str) -> ExprId {
        self.constant(Term::atom(text))
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Term::bool(value))
    }

    pub fn nil(&mut self) -> ExprId {
        self.constant(Term::NIL)
    }

    pub fn var(&mut self, var: VarId) -> ExprId {
        self.intern(Expr::Var(var))
    }

    pub fn cons(&mut self, head: ExprId, tail: ExprId) -> ExprId {
        self.folded(Expr::Cons(head, tail))
    }

    /// A proper list.
    pub fn list(&mut self, elements: &[ExprId]) -> ExprId {
        let nil = self.nil();
        elements.iter().rev().fold(nil, |tail, &head| self.cons(head, tail))
    }

    pub fn tuple(&mut self, elements: impl Into<Box<[ExprId]>>) -> ExprId {
        self.folded(Expr::Tuple(elements.into()))
    }

    pub fn binary(&mut self, segments: impl Into<Box<[Segment]>>) -> ExprId {
        self.folded(Expr::Binary(segments.into()))
    }

    pub fn field(&mut self, field: Field) -> ExprId {
        self.folded(Expr::Field(field))
    }

    pub fn unary(&mut self, op: Unary, a: ExprId) -> ExprId {
        match (op, self.get(a)) {
            (Unary::Hd, &Expr::Cons(head, tail)) if self.is_total(tail) => return head,
            (Unary::Tl, &Expr::Cons(head, tail)) if self.is_total(head) => return tail,
            (Unary::TupleSize, Expr::Tuple(elements)) if self.is_total(a) => {
                let size = elements.len() as i64;
                return self.int(size);
            }
            _ => {}
        }
        self.folded(Expr::Unary(op, a))
    }

    pub fn binop(&mut self, op: Binop, a: ExprId, b: ExprId) -> ExprId {
        if op == Binop::Element
            && let Expr::Tuple(elements) = self.get(b)
            && let Some(index) = self.as_const(a).and_then(Term::as_int)
            && let Some(&element) = usize::try_from(index - 1).ok().and_then(|i| elements.get(i))
            && elements.iter().all(|&e| e == element || self.is_total(e))
        {
            return element;
        }
        self.folded(Expr::Binop(op, a, b))
    }

    /// `element(Index, Tuple)` with a known index, which counts from one.
    pub fn element(&mut self, index: u32, tuple: ExprId) -> ExprId {
        let index = self.int(i64::from(index));
        self.binop(Binop::Element, index, tuple)
    }

    pub fn ternary(&mut self, op: Ternary, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        self.folded(Expr::Ternary(op, a, b, c))
    }

    pub fn test(&mut self, test: Test, a: ExprId) -> ExprId {
        if test == Test::Defined && self.is_total(a) {
            return self.bool(true);
        }
        if !matches!(test, Test::In(_))
            && self.is_total(a)
            && let Some(known) = constructor_passes(test, self.get(a))
        {
            return self.bool(known);
        }
        self.folded(Expr::Test(test, a))
    }

    pub fn compare(&mut self, op: Comparison, a: ExprId, b: ExprId) -> ExprId {
        if a == b && self.is_total(a) {
            match op {
                Comparison::Exact | Comparison::Equal | Comparison::LessEq => {
                    return self.bool(true);
                }
                Comparison::Less => return self.bool(false),
                Comparison::IsMapKey => {}
            }
        }
        // `C =:= true` is `C`.
        if op == Comparison::Exact || op == Comparison::Equal {
            for (x, y) in [(a, b), (b, a)] {
                if self.is_condition(x)
                    && let Some(wanted) = self.as_const(y).map(Term::as_bool)
                {
                    return match wanted {
                        Some(true) => x,
                        Some(false) => self.not(x),
                        None => self.bool(false),
                    };
                }
            }
        }
        // Equality has no direction: one order for both.
        let (a, b) = match op {
            Comparison::Exact | Comparison::Equal if b < a => (b, a),
            _ => (a, b),
        };
        self.folded(Expr::Compare(op, a, b))
    }

    /// `=:=`
    pub fn exact(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(Comparison::Exact, a, b)
    }

    pub fn less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(Comparison::Less, a, b)
    }

    pub fn less_eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(Comparison::LessEq, a, b)
    }

    /// Whether the expression holds, as a condition.
    pub fn holds(&mut self, a: ExprId) -> ExprId {
        if self.is_condition(a) { a } else { self.folded(Expr::Holds(a)) }
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self.get(a) {
            &Expr::Not(inner) => self.holds(inner),
            _ => self.folded(Expr::Not(a)),
        }
    }

    pub fn and(&mut self, parts: &[ExprId]) -> ExprId {
        self.junction(parts, true)
    }

    pub fn or(&mut self, parts: &[ExprId]) -> ExprId {
        self.junction(parts, false)
    }

    /// A conjunction where `and`, else a disjunction: flat, without what decides nothing.
    fn junction(&mut self, parts: &[ExprId], and: bool) -> ExprId {
        let mut flat: Vec<ExprId> = Vec::with_capacity(parts.len());
        for &part in parts {
            let inner = match self.get(part) {
                Expr::And(inner) if and => inner.to_vec(),
                Expr::Or(inner) if !and => inner.to_vec(),
                Expr::Const(Constant(term)) if term.is_true() == and => continue,
                Expr::Const(_) => return self.bool(!and),
                _ => vec![part],
            };
            for part in inner {
                if !flat.contains(&part) {
                    flat.push(part);
                }
            }
        }
        match flat[..] {
            [] => self.bool(and),
            [only] => self.holds(only),
            _ if and => self.intern(Expr::And(flat.into())),
            _ => self.intern(Expr::Or(flat.into())),
        }
    }

    pub fn ite(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return a;
        }
        match self.as_const(condition) {
            Some(term) if term.is_true() => a,
            Some(_) => b,
            None => self.intern(Expr::Ite(condition, a, b)),
        }
    }

    /// The variables of some expressions, in order.
    pub fn vars(&self, roots: &[ExprId]) -> Vec<VarId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = roots.to_vec();
        let mut vars = Vec::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.get(id) {
                Expr::Var(var) => vars.push(*var),
                expr => stack.extend(parts(expr)),
            }
        }
        vars.sort_unstable();
        vars
    }
}

/// What a test says of an expression that is built by a constructor.
fn constructor_passes(test: Test, expr: &Expr) -> Option<bool> {
    let (cons, size) = match expr {
        Expr::Cons(..) => (true, None),
        Expr::Tuple(elements) => (false, Some(elements.len())),
        _ => return None,
    };
    match test {
        Test::Tuple => Some(!cons),
        Test::TupleOf(n) => Some(size == Some(n as usize)),
        Test::Cons | Test::List => Some(cons),
        Test::ProperList if cons => None,
        _ => Some(false),
    }
}

/// The expressions that an expression is built from.
pub fn parts(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Const(_) | Expr::Var(_) => Vec::new(),
        Expr::Unary(_, a) | Expr::Test(_, a) | Expr::Holds(a) | Expr::Not(a) => vec![*a],
        Expr::Cons(a, b) | Expr::Binop(_, a, b) | Expr::Compare(_, a, b) => vec![*a, *b],
        Expr::Ternary(_, a, b, c) | Expr::Ite(a, b, c) => vec![*a, *b, *c],
        Expr::Tuple(all) | Expr::And(all) | Expr::Or(all) => all.to_vec(),
        Expr::Binary(segments) => {
            segments.iter().flat_map(|s| [Some(s.value), s.size]).flatten().collect()
        }
        Expr::Field(field) => {
            [Some(field.bits), Some(field.offset), field.size].into_iter().flatten().collect()
        }
    }
}
