//! Questions at random, by the kind of reasoning that they need, and small domains to search
//! exhaustively.

use solver::{
    Binop, BitsType, Comparison, Domain, DomainId, ExprId, Exprs, Field, MapDomain, Segment,
    Ternary, Test, Unary, VarId,
};
use term::{Map, Term};

/// A generator of numbers: the same on every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn int(&mut self) -> i64 {
        self.below(9) as i64 - 3
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Shapes,
    Equality,
    /// Over integers.
    Linear,
    /// The same over numbers of any kind.
    Numbers,
    Lengths,
    Domains,
    Order,
    Maps,
    Binaries,
    Floats,
    Bitwise,
    Mixed,
}

pub(crate) const KINDS: [Kind; 12] = [
    Kind::Shapes,
    Kind::Equality,
    Kind::Linear,
    Kind::Numbers,
    Kind::Lengths,
    Kind::Domains,
    Kind::Order,
    Kind::Maps,
    Kind::Binaries,
    Kind::Floats,
    Kind::Bitwise,
    Kind::Mixed,
];

/// A question: conditions over a few variables.
pub(crate) struct Query {
    pub(crate) exprs: Exprs,
    pub(crate) assertions: Vec<ExprId>,
    pub(crate) vars: u32,
}

pub(crate) fn query(kind: Kind, seed: u64) -> Query {
    let mut generator = Generator {
        exprs: Exprs::new(),
        random: Random::new(seed),
        kind,
        vars: 2,
        domains: Vec::new(),
    };
    generator.random.below(2);
    let count = 1 + generator.random.below(5);
    let mut assertions = Vec::new();
    if kind == Kind::Domains {
        generator.make_domains();
    }
    if kind == Kind::Linear {
        for var in 0..generator.vars {
            let var = generator.exprs.var(VarId(var));
            let integer = generator.exprs.test(Test::Integer, var);
            assertions.push(integer);
        }
    }
    for _ in 0..count {
        let depth = generator.random.below(3);
        let condition = generator.condition(depth);
        assertions.push(condition);
    }
    Query { exprs: generator.exprs, assertions, vars: generator.vars }
}

struct Generator {
    exprs: Exprs,
    random: Random,
    kind: Kind,
    vars: u32,
    domains: Vec<DomainId>,
}

impl Generator {
    /// Types as programs have them.
    fn make_domains(&mut self) {
        let e = &mut self.exprs;
        let int = e.domain(Domain::Test(Test::Integer));
        let small = e.domain(Domain::Between(Some(0.into()), Some(3.into())));
        let [ok, error, a] =
            ["ok", "error", "a"].map(|name| e.domain(Domain::Value(Term::atom(name))));
        let names = e.domain(Domain::Union([ok, error, a].into()));
        let ints = e.list_domain(int);
        let good = e.domain(Domain::Tuple([ok, small].into()));
        let bad = e.domain(Domain::Tuple([error, names].into()));
        let result = e.domain(Domain::Union([good, bad].into()));
        let results = e.list_domain(result);
        let tree = e.reserve_domain();
        let leaf = e.domain(Domain::Value(Term::atom("leaf")));
        let node = e.domain(Domain::Tuple([small, tree].into()));
        e.set_domain(tree, Domain::Union([leaf, node].into()));
        let fields = vec![(Term::atom("a"), small, true), (Term::atom("b"), names, false)];
        let map = e.domain(Domain::Map(Box::new(MapDomain { fields, rest: None })));
        self.domains = vec![int, small, names, ints, result, results, tree, map];
    }

    fn var(&mut self) -> ExprId {
        let var = VarId(self.random.below(self.vars as usize) as u32);
        self.exprs.var(var)
    }

    fn int(&mut self) -> ExprId {
        let value = self.random.int();
        self.exprs.int(value)
    }

    fn kind(&mut self) -> Kind {
        match self.kind {
            Kind::Mixed => self.random.pick(&KINDS[..11]),
            kind => kind,
        }
    }

    fn condition(&mut self, depth: usize) -> ExprId {
        if depth > 0 && self.random.below(3) == 0 {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            return match self.random.below(5) {
                0 => self.exprs.and(&[a, b]),
                1 | 2 => self.exprs.or(&[a, b]),
                3 => self.exprs.not(a),
                _ => {
                    let c = self.condition(0);
                    self.exprs.ite(c, a, b)
                }
            };
        }
        let condition = self.atom(depth);
        if self.random.below(3) == 0 { self.exprs.not(condition) } else { condition }
    }

    /// A condition without connectives.
    fn atom(&mut self, depth: usize) -> ExprId {
        let kind = self.kind();
        let deep = 1 + depth;
        match kind {
            Kind::Shapes => {
                let value = self.structure(deep);
                let test = self.test();
                self.exprs.test(test, value)
            }
            Kind::Equality => {
                let (a, b) = (self.structure(deep), self.structure(deep));
                let op =
                    self.random.pick(&[Comparison::Exact, Comparison::Exact, Comparison::Equal]);
                self.exprs.compare(op, a, b)
            }
            Kind::Order => {
                let (a, b) = (self.structure(deep), self.structure(deep));
                let op =
                    self.random.pick(&[Comparison::Less, Comparison::LessEq, Comparison::Equal]);
                self.exprs.compare(op, a, b)
            }
            Kind::Linear | Kind::Numbers => {
                let (a, b) = (self.linear(deep), self.linear(deep));
                self.compared(a, b)
            }
            Kind::Lengths => {
                let value = self.structure(1);
                let op = self.random.pick(&[Unary::Length, Unary::Length, Unary::TupleSize]);
                let a = self.exprs.unary(op, value);
                let b = match self.random.below(3) {
                    0 => {
                        let other = self.structure(1);
                        let size = self.exprs.unary(Unary::Length, other);
                        let int = self.int();
                        self.exprs.binop(Binop::Add, size, int)
                    }
                    1 => self.var(),
                    _ => self.int(),
                };
                self.compared(a, b)
            }
            Kind::Domains if self.domains.is_empty() || self.random.below(2) == 0 => {
                let (a, b) = (self.structure(deep), self.structure(deep));
                if self.random.below(3) == 0 {
                    let test = self.test();
                    return self.exprs.test(test, a);
                }
                self.exprs.exact(a, b)
            }
            Kind::Domains => {
                let value =
                    if self.random.below(3) == 0 { self.structure(deep) } else { self.var() };
                let domain = self.random.pick(&self.domains.clone());
                self.exprs.test(Test::In(domain), value)
            }
            Kind::Maps => self.about_maps(deep),
            Kind::Binaries => self.about_bits(deep),
            Kind::Floats => {
                let (a, b) = (self.number(deep), self.number(deep));
                if self.random.below(4) == 0 {
                    return self.exprs.test(Test::Float, a);
                }
                self.compared(a, b)
            }
            Kind::Bitwise | Kind::Mixed => {
                let (a, b) = (self.bitwise(deep), self.int());
                self.compared(a, b)
            }
        }
    }

    fn compared(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.random.below(10) == 0 {
            return self.exprs.test(Test::Defined, a);
        }
        let op = self.random.pick(&[
            Comparison::Exact,
            Comparison::Equal,
            Comparison::Less,
            Comparison::LessEq,
        ]);
        self.exprs.compare(op, a, b)
    }

    fn test(&mut self) -> Test {
        self.random.pick(&[
            Test::Defined,
            Test::Integer,
            Test::Float,
            Test::Number,
            Test::Atom,
            Test::Boolean,
            Test::Tuple,
            Test::TupleOf(1),
            Test::TupleOf(2),
            Test::Cons,
            Test::Nil,
            Test::List,
            Test::ProperList,
            Test::Map,
            Test::Binary,
            Test::Bitstring,
            Test::Function,
            Test::FunctionOf(1),
            Test::Pid,
        ])
    }

    fn structure(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.random.below(4) == 0 {
            return match self.random.below(6) {
                0 => self.int(),
                1 => {
                    let name = self.random.pick(&["a", "b", "true"]);
                    self.exprs.atom(name)
                }
                2 => self.exprs.nil(),
                _ => self.var(),
            };
        }
        match self.random.below(9) {
            0 | 1 => {
                let a = self.structure(depth - 1);
                self.exprs.unary(Unary::Hd, a)
            }
            2 | 3 => {
                let a = self.structure(depth - 1);
                self.exprs.unary(Unary::Tl, a)
            }
            4 => {
                let index = 1 + self.random.below(2) as u32;
                let a = self.structure(depth - 1);
                self.exprs.element(index, a)
            }
            5 | 6 => {
                let (a, b) = (self.structure(depth - 1), self.structure(depth - 1));
                self.exprs.cons(a, b)
            }
            7 => {
                let a = self.structure(depth - 1);
                let mut parts = vec![a];
                if self.random.below(2) == 0 {
                    let b = self.structure(depth - 1);
                    parts.push(b);
                }
                self.exprs.tuple(parts)
            }
            _ => self.var(),
        }
    }

    fn linear(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.random.below(4) == 0 {
            return if self.random.below(3) == 0 { self.int() } else { self.var() };
        }
        let a = self.linear(depth - 1);
        match self.random.below(8) {
            0 | 1 => {
                let b = self.linear(depth - 1);
                self.exprs.binop(Binop::Add, a, b)
            }
            2 | 3 => {
                let b = self.linear(depth - 1);
                self.exprs.binop(Binop::Sub, a, b)
            }
            4 => {
                let b = self.int();
                self.exprs.binop(Binop::Mul, a, b)
            }
            5 => {
                let b = self.int();
                self.exprs.binop(Binop::IntDiv, a, b)
            }
            6 => {
                let b = self.int();
                self.exprs.binop(Binop::Rem, a, b)
            }
            _ => {
                let op = self.random.pick(&[Unary::Neg, Unary::Abs]);
                self.exprs.unary(op, a)
            }
        }
    }

    fn number(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(4) {
                0 => {
                    let value = self.random.pick(&[0.0, 1.0, -1.5, 0.5, 2.0]);
                    self.exprs.constant(Term::float(value))
                }
                1 => self.int(),
                _ => self.var(),
            };
        }
        let a = self.number(depth - 1);
        match self.random.below(6) {
            0 | 1 => {
                let b = self.number(depth - 1);
                self.exprs.binop(Binop::Add, a, b)
            }
            2 => {
                let b = self.number(depth - 1);
                self.exprs.binop(Binop::Div, a, b)
            }
            3 => {
                let b = self.number(0);
                self.exprs.binop(Binop::Mul, a, b)
            }
            4 => self.exprs.unary(Unary::Trunc, a),
            _ => self.exprs.unary(Unary::ToFloat, a),
        }
    }

    fn bitwise(&mut self, depth: usize) -> ExprId {
        if depth == 0 {
            return self.var();
        }
        let a = self.bitwise(depth - 1);
        let b = if self.random.below(5) == 0 { self.var() } else { self.int() };
        let op = self.random.pick(&[
            Binop::Band,
            Binop::Bor,
            Binop::Bxor,
            Binop::Bsl,
            Binop::Bsr,
            Binop::Add,
        ]);
        match self.random.below(8) {
            0 => self.exprs.unary(Unary::Bnot, a),
            _ => self.exprs.binop(op, a, b),
        }
    }

    fn map(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(3) {
                0 => self
                    .exprs
                    .constant(Term::map(Map::from_iter([(Term::atom("a"), Term::int(1))]))),
                _ => self.var(),
            };
        }
        let map = self.map(depth - 1);
        let (key, value) = (self.key(), self.structure(0));
        match self.random.below(4) {
            0 => self.exprs.binop(Binop::MapRemove, key, map),
            1 => self.exprs.ternary(Ternary::MapUpdate, key, value, map),
            _ => self.exprs.ternary(Ternary::MapPut, key, value, map),
        }
    }

    fn key(&mut self) -> ExprId {
        match self.random.below(5) {
            0 => self.var(),
            1 => self.int(),
            _ => {
                let name = self.random.pick(&["a", "b"]);
                self.exprs.atom(name)
            }
        }
    }

    fn about_maps(&mut self, depth: usize) -> ExprId {
        let map = self.map(depth);
        match self.random.below(5) {
            0 => {
                let key = self.key();
                self.exprs.compare(Comparison::IsMapKey, key, map)
            }
            1 => {
                let size = self.exprs.unary(Unary::MapSize, map);
                let int = self.int();
                self.compared(size, int)
            }
            2 => {
                let other = self.map(depth - 1);
                self.exprs.exact(map, other)
            }
            3 => self.exprs.test(Test::Map, map),
            _ => {
                let key = self.key();
                let value = self.exprs.binop(Binop::MapGet, key, map);
                let other = self.structure(1);
                self.exprs.exact(value, other)
            }
        }
    }

    fn bits(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.random.below(2) == 0 {
            return match self.random.below(4) {
                0 => self.exprs.constant(Term::binary(vec![1, 2])),
                _ => self.var(),
            };
        }
        if self.random.below(2) == 0 {
            let bits = self.bits(depth - 1);
            return self.field(bits, BitsType::Bits);
        }
        let mut segments = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let bits = self.random.below(3) == 0;
            let value = match bits {
                true => self.bits(depth - 1),
                false if self.random.below(2) == 0 => self.int(),
                false => self.var(),
            };
            let size = if bits { None } else { Some(self.size()) };
            segments.push(Segment {
                value,
                size,
                unit: if bits { self.random.pick(&[1, 8]) } else { self.random.pick(&[1, 4, 8]) },
                ty: if bits { BitsType::Bits } else { BitsType::Integer },
                little: self.random.below(4) == 0,
            });
        }
        self.exprs.binary(segments)
    }

    fn size(&mut self) -> ExprId {
        match self.random.below(6) {
            0 => self.var(),
            _ => {
                let size = 1 + self.random.below(2) as i64;
                self.exprs.int(size)
            }
        }
    }

    fn field(&mut self, bits: ExprId, ty: BitsType) -> ExprId {
        let offset = self.random.pick(&[0, 0, 4, 8]);
        let offset = self.exprs.int(offset);
        let rest = ty == BitsType::Bits && self.random.below(2) == 0;
        let utf = matches!(ty, BitsType::Utf8);
        let size = if rest || utf { None } else { Some(self.size()) };
        let field = Field {
            bits,
            offset,
            size,
            unit: self.random.pick(&[1, 4, 8]),
            ty,
            signed: self.random.below(3) == 0,
            little: !utf && self.random.below(4) == 0,
            width: self.random.below(8) == 0,
        };
        self.exprs.field(field)
    }

    fn about_bits(&mut self, depth: usize) -> ExprId {
        let bits = self.bits(depth);
        match self.random.below(6) {
            0 => {
                let op = self.random.pick(&[Unary::BitSize, Unary::ByteSize]);
                let size = self.exprs.unary(op, bits);
                let int = self.random.pick(&[0, 1, 2, 8, 16, 12]);
                let int = self.exprs.int(int);
                self.compared(size, int)
            }
            1 => self.exprs.test(Test::Binary, bits),
            2 => {
                let other = self.bits(depth - 1);
                self.exprs.exact(bits, other)
            }
            _ => {
                let ty = self.random.pick(&[BitsType::Integer, BitsType::Integer, BitsType::Utf8]);
                let field = self.field(bits, ty);
                let int = self.int();
                self.compared(field, int)
            }
        }
    }
}

/// The values that are tried for each variable of a question of this kind.
pub(crate) fn domain(kind: Kind) -> Vec<Term> {
    let list =
        |elements: &[i64]| Term::list(elements.iter().map(|&e| Term::int(e)).collect::<Vec<_>>());
    let ints = || (-6..=9).map(Term::int);
    let mut all: Vec<Term> = vec![
        Term::int(0),
        Term::int(1),
        Term::int(2),
        Term::int(-1),
        Term::atom("a"),
        Term::atom("b"),
        Term::atom("true"),
        Term::NIL,
        list(&[1]),
        list(&[0, 1]),
        Term::list(vec![Term::NIL]),
        Term::list(vec![list(&[1]), Term::atom("a")]),
        Term::cons(Term::int(1), Term::int(2)),
        Term::tuple([]),
        Term::tuple([Term::int(1)]),
        Term::tuple([Term::atom("a"), Term::int(0)]),
        Term::float(1.0),
        Term::binary(vec![1]),
        Term::map(Map::new()),
    ];
    match kind {
        Kind::Shapes | Kind::Equality | Kind::Order => {
            all.push(Term::list(vec![Term::tuple([Term::int(1), Term::NIL])]));
            all.push(Term::tuple([Term::tuple([Term::int(1)])]));
            all.push(Term::tuple([list(&[1]), Term::NIL]));
            all.push(Term::cons(Term::NIL, Term::atom("b")));
            all.push(Term::float(-2.5));
        }
        Kind::Domains => {
            let [ok, error, a] = ["ok", "error", "a"].map(Term::atom);
            all.extend([ok.clone(), error.clone(), Term::atom("leaf"), Term::int(3)]);
            let pairs = [
                Term::tuple([ok.clone(), Term::int(0)]),
                Term::tuple([ok, Term::int(3)]),
                Term::tuple([error.clone(), error]),
                Term::tuple([Term::int(1), Term::atom("leaf")]),
            ];
            all.extend(pairs.iter().map(|pair| Term::list(vec![pair.clone()])));
            all.push(Term::tuple([Term::int(2), pairs[3].clone()]));
            all.extend(pairs);
            all.push(Term::map(Map::from_iter([(a.clone(), Term::int(1))])));
            all.push(Term::map(Map::from_iter([(a.clone(), Term::int(0)), (Term::atom("b"), a)])));
        }
        Kind::Linear | Kind::Numbers | Kind::Bitwise => {
            all = ints().collect();
            all.extend([Term::int(17), Term::int(-13), Term::float(1.0), Term::atom("a")]);
        }
        Kind::Lengths => {
            all.extend((0..5).map(|n| Term::list(vec![Term::int(0); n])));
            all.push(Term::tuple([Term::int(0), Term::int(0), Term::int(0)]));
            all.extend(ints());
        }
        Kind::Maps => {
            let (a, b) = (Term::atom("a"), Term::atom("b"));
            for value in [Term::int(1), Term::int(0), a.clone()] {
                all.push(Term::map(Map::from_iter([(a.clone(), value.clone())])));
                all.push(Term::map(Map::from_iter([(b.clone(), value.clone())])));
                all.push(Term::map(Map::from_iter([(Term::int(1), value.clone())])));
                all.push(Term::map(Map::from_iter([
                    (a.clone(), value.clone()),
                    (b.clone(), Term::int(1)),
                ])));
            }
        }
        Kind::Binaries => {
            all = ints().collect();
            all.extend(
                [vec![], vec![0], vec![1], vec![2], vec![1, 2], vec![0, 1]].map(Term::binary),
            );
            all.extend([vec![0x12], vec![0xFF], vec![0xC3, 0x85], vec![1, 2, 3]].map(Term::binary));
            all.push(Term::bits(term::Bits::from_bits(vec![0x10], 4)));
            all.push(Term::bits(term::Bits::from_bits(vec![0x12, 0x30], 12)));
            all.push(Term::atom("a"));
        }
        Kind::Floats => {
            all = ints().collect();
            all.extend([0.0, 1.0, -1.0, 0.5, -1.5, 2.0, 3.25, 1.0e10].map(Term::float));
            all.push(Term::atom("a"));
        }
        Kind::Mixed => {
            all.extend([
                Term::int(3),
                Term::int(-3),
                Term::binary(vec![]),
                Term::binary(vec![1, 2]),
            ]);
            all.push(Term::map(Map::from_iter([(Term::atom("a"), Term::int(1))])));
        }
    }
    all
}
