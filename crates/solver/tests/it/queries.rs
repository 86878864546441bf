//! Questions written by hand.

use solver::{
    Answer, Binop, BitsType, Budget, Comparison, Domain, ExprId, Exprs, Field, Test, Unary, VarId,
    solve,
};
use term::Term;

/// The value of the first variable in a model of the conditions, `unsat` or `unknown`.
fn ask(conditions: impl FnOnce(&mut Exprs, ExprId, ExprId) -> Vec<ExprId>) -> String {
    let mut exprs = Exprs::new();
    let (x, y) = (exprs.var(VarId(0)), exprs.var(VarId(1)));
    let assertions = conditions(&mut exprs, x, y);
    match solve(&exprs, &assertions, &Budget::default()) {
        Answer::Sat(model) => {
            let show = |var| term::print::to_string(&model.get(VarId(var)));
            format!("{} {}", show(0), show(1))
        }
        Answer::Unsat(core) => format!("unsat {core:?}"),
        Answer::Unknown(why) => format!("unknown {why:?}"),
    }
}

#[test]
fn small_values_are_preferred() {
    let free = ask(|e, x, _| vec![e.test(Test::Defined, x)]);
    assert_eq!(free, "0 0");
    let list = ask(|e, x, _| vec![e.test(Test::List, x)]);
    assert_eq!(list, "[] 0");
    let cell = ask(|e, x, _| vec![e.test(Test::Cons, x)]);
    assert_eq!(cell, "[0] 0");
    let above = ask(|e, x, _| {
        let ten = e.int(10);
        vec![e.less(ten, x), e.test(Test::Integer, x)]
    });
    assert_eq!(above, "11 0");
}

#[test]
fn a_clause_that_did_not_match() {
    // f({ok, V}) -> …; f({error, R}) when R > 3 -> …: the second clause.
    let answer = ask(|e, x, _| {
        let (ok, error, three) = (e.atom("ok"), e.atom("error"), e.int(3));
        let tag = e.element(1, x);
        let pair = e.test(Test::TupleOf(2), x);
        let is_ok = e.exact(tag, ok);
        let first = e.and(&[pair, is_ok]);
        let reason = e.element(2, x);
        let big = e.less(three, reason);
        let integer = e.test(Test::Integer, reason);
        vec![e.not(first), pair, e.exact(tag, error), big, integer]
    });
    assert_eq!(answer, "{error,4} 0");
}

#[test]
fn lengths_and_elements() {
    let answer = ask(|e, x, y| {
        let length = e.unary(Unary::Length, x);
        let sum = e.binop(Binop::Add, length, y);
        let (seven, four) = (e.int(7), e.int(4));
        let hd = e.unary(Unary::Hd, x);
        vec![e.exact(sum, seven), e.less(four, y), e.exact(hd, y)]
    });
    assert_eq!(answer, "[6] 6");
    let never = ask(|e, x, y| {
        let tail = e.unary(Unary::Tl, x);
        let (long, short) = (e.unary(Unary::Length, x), e.unary(Unary::Length, tail));
        vec![e.less_eq(long, short), e.exact(y, y)]
    });
    assert_eq!(never, "unsat [0]");
}

#[test]
fn floats_by_the_way_back() {
    let answer = ask(|e, x, _| {
        let (tenth, wanted) = (e.constant(Term::float(0.1)), e.constant(Term::float(0.3)));
        let sum = e.binop(Binop::Add, x, tenth);
        vec![e.exact(sum, wanted), e.test(Test::Float, x)]
    });
    assert!(answer.starts_with("0.19999999999999998"), "{answer}");
}

#[test]
fn nothing_comes_before_itself() {
    let answer = ask(|e, x, y| vec![e.less(x, y), e.less(y, x)]);
    assert_eq!(answer, "unsat [0, 1]");
    let answer = ask(|e, x, y| {
        let loose = e.compare(Comparison::Equal, x, y);
        let exact = e.exact(x, y);
        vec![loose, e.not(exact)]
    });
    assert_eq!(answer, "0 0.0");
}

#[test]
fn maps_and_what_is_put_into_them() {
    let answer = ask(|e, x, y| {
        let key = e.atom("k");
        let put = e.ternary(solver::Ternary::MapPut, key, y, x);
        let got = e.binop(Binop::MapGet, key, put);
        let two = e.int(2);
        let size = e.unary(Unary::MapSize, put);
        let absent = e.compare(Comparison::IsMapKey, key, x);
        vec![e.exact(got, two), e.exact(size, two), e.not(absent)]
    });
    assert_eq!(answer, "#{0 => 0} 2");
}

#[test]
fn a_length_is_never_negative() {
    let answer = ask(|e, x, _| {
        let any = e.domain(Domain::Test(Test::Integer));
        let list = e.list_domain(any);
        let (length, zero) = (e.unary(Unary::Length, x), e.int(0));
        let fits = e.less_eq(zero, length);
        vec![e.test(Test::In(list), x), e.not(fits)]
    });
    assert_eq!(answer, "unsat [0, 1]");
}

#[test]
fn remainders_are_few() {
    let answer = ask(|e, x, _| {
        let three = e.int(3);
        let rem = e.binop(Binop::Rem, x, three);
        let mut all = vec![e.test(Test::Integer, x)];
        for value in [0, 1, 2, -1, -2] {
            let value = e.int(value);
            let same = e.exact(rem, value);
            all.push(e.not(same));
        }
        all
    });
    assert_eq!(answer, "unsat [0, 1, 2, 3, 4, 5]");
}

#[test]
fn operations_that_fail_on_numbers() {
    // X + 1 fails for no number, X * 2 for a float that is large, float(X) for a large integer.
    let never = ask(|e, x, _| {
        let one = e.int(1);
        let sum = e.binop(Binop::Add, x, one);
        let defined = e.test(Test::Defined, sum);
        vec![e.test(Test::Number, x), e.not(defined)]
    });
    assert_eq!(never, "unsat [0, 1]");
    let large = ask(|e, x, _| {
        let two = e.int(2);
        let product = e.binop(Binop::Mul, x, two);
        let defined = e.test(Test::Defined, product);
        vec![e.test(Test::Number, x), e.not(defined)]
    });
    assert_eq!(large, "1.7976931348623157e308 0");
    let larger = ask(|e, x, _| {
        let float = e.unary(Unary::ToFloat, x);
        let defined = e.test(Test::Defined, float);
        vec![e.test(Test::Integer, x), e.not(defined)]
    });
    assert!(larger.len() > 300, "{larger}");
    let text = ask(|e, x, _| {
        let value = e.unary(Unary::ListToInteger, x);
        let defined = e.test(Test::Defined, value);
        vec![e.test(Test::ProperList, x), e.test(Test::Cons, x), e.not(defined)]
    });
    assert_eq!(text, "[97] 0");
}

/// Numbers whose text is looked into, and texts whose number is.
#[test]
fn numbers_as_text() {
    let digits = |op: Unary, wanted: fn(&mut Exprs, ExprId, ExprId) -> Vec<ExprId>| {
        ask(|e, x, _| {
            let made = e.unary(op, x);
            wanted(e, x, made)
        })
    };
    // A negative number whose first digit is a four, with three digits at least.
    let negative = digits(Unary::IntegerToList, |e, _, text| {
        let (minus, four, three) = (e.int(45), e.int(52), e.int(3));
        let head = e.unary(Unary::Hd, text);
        let tail = e.unary(Unary::Tl, text);
        let second = e.unary(Unary::Hd, tail);
        let length = e.unary(Unary::Length, text);
        vec![e.exact(head, minus), e.exact(second, four), e.less(three, length)]
    });
    assert_eq!(negative, "-400 0");
    // Text of two characters that is 17.
    let seventeen = digits(Unary::ListToInteger, |e, text, number| {
        let (three, wanted, two) = (e.int(3), e.int(51), e.int(2));
        let product = e.binop(Binop::Mul, number, three);
        let length = e.unary(Unary::Length, text);
        vec![e.exact(product, wanted), e.exact(length, two)]
    });
    assert_eq!(seventeen, "[49,55] 0");
    let bytes = digits(Unary::IntegerToBinary, |e, number, text| {
        let (size, hundred) = (e.int(3), e.int(100));
        let length = e.unary(Unary::ByteSize, text);
        vec![e.exact(length, size), e.less(hundred, number)]
    });
    assert_eq!(bytes, "101 0");
    // No number has a text that begins with a zero and goes on.
    let none = digits(Unary::IntegerToList, |e, _, text| {
        let (zero, two) = (e.int(48), e.int(2));
        let head = e.unary(Unary::Hd, text);
        let length = e.unary(Unary::Length, text);
        vec![e.exact(head, zero), e.exact(length, two)]
    });
    assert!(none.starts_with("unsat"), "{none}");
}

#[test]
fn atoms_whose_text_begins_so() {
    let answer = ask(|e, x, _| {
        let text = e.unary(Unary::AtomToList, x);
        let (first, rest) = (e.unary(Unary::Hd, text), e.unary(Unary::Tl, text));
        let second = e.unary(Unary::Hd, rest);
        let behind = e.unary(Unary::Tl, rest);
        let length = e.unary(Unary::Length, behind);
        let (a, d, two) = (e.int(97), e.int(100), e.int(2));
        vec![e.test(Test::Atom, x), e.exact(first, a), e.exact(second, d), e.exact(length, two)]
    });
    assert_eq!(answer, "'ad\\000\\000' 0");
    let answer = ask(|e, x, _| {
        let text = e.unary(Unary::AtomToBinary, x);
        let size = e.unary(Unary::ByteSize, text);
        let (zero, eight, letter, three) = (e.int(0), e.int(8), e.int(120), e.int(3));
        let first = e.field(Field {
            bits: text,
            offset: zero,
            size: Some(eight),
            unit: 1,
            ty: BitsType::Integer,
            signed: false,
            little: false,
            width: false,
        });
        vec![e.test(Test::Atom, x), e.exact(first, letter), e.exact(size, three)]
    });
    assert_eq!(answer, "'x\\000\\000' 0");
}

#[test]
fn floats_that_are_rounded() {
    let answer = ask(|e, x, _| {
        let (hundred, wanted) = (e.int(100), e.constant(Term::float(7.25)));
        let above = e.constant(Term::float(7.252));
        let product = e.binop(Binop::Mul, x, hundred);
        let rounded = e.unary(Unary::Round, product);
        let part = e.binop(Binop::Div, rounded, hundred);
        vec![e.test(Test::Float, x), e.exact(part, wanted), e.less(above, x)]
    });
    assert!(answer.starts_with("7.25"), "{answer}");
}

#[test]
fn factors() {
    let answer = ask(|e, x, y| {
        let (one, product) = (e.int(1), e.int(10403));
        let made = e.binop(Binop::Mul, x, y);
        let (a, b) = (e.test(Test::Integer, x), e.test(Test::Integer, y));
        vec![a, b, e.less(one, x), e.less(x, y), e.exact(made, product)]
    });
    assert_eq!(answer, "101 103");
}
