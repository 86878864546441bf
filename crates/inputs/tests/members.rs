//! What is made from a type is of it, for every construct of the type language and for random
//! types; it can be written and read back.
//!
//! `INPUTS_VALUES=1000000 cargo nextest run --workspace -E 'package(inputs)'` makes a million.

mod support;

use std::collections::BTreeSet;
use std::rc::Rc;

use inputs::constants::Template;
use inputs::{Constants, Generator, Input, NoValue, Random, Shape, text};
use support::{LANGUAGE, arguments, random_type};
use types::Type;

fn wanted() -> usize {
    std::env::var("INPUTS_VALUES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// Constants as a program may have them.
fn some_constants() -> Rc<Constants> {
    let value = |text: &str| text::read(text).expect("a value");
    let values = ["\"abc\"", "<<\"GET /\">>", "{ok, 1}", "[{a, 1} | b]", "#{a => 1}", "1.5"];
    Rc::new(Constants {
        integers: [-5, 0, 7, 1000, 65536].map(Into::into).to_vec(),
        atoms: ["zebra", "a", "ok"].map(atom::Atom::new).to_vec(),
        values: values.into_iter().map(value).collect(),
        templates: vec![
            Template::Tuple(vec![Template::Value(value("ok")), Template::Hole]),
            Template::List(vec![Template::Value(value("1"))], Box::new(Template::Hole)),
            Template::Map(vec![(value("a"), Template::Hole)]),
            Template::Prefix(b"GET".to_vec()),
        ],
        records: Vec::new(),
        lengths: vec![0, 3, 17],
        characters: b"0123xyz".to_vec(),
    })
}

#[track_caller]
fn check_value(ty: &Type, value: &Input) {
    if let Err(mismatch) = ty.check(&value.on_paper()) {
        panic!("{value} is not of {ty}: {mismatch:?}");
    }
}

#[track_caller]
fn check_text(value: &Input) {
    let written = value.to_string();
    match text::read(&written) {
        Ok(read) => assert_eq!(&read, value, "{written}"),
        Err(error) => panic!("{written}: {error}"),
    }
}

#[test]
fn values_are_members_of_random_types() {
    let declared = arguments(LANGUAGE);
    let mut random = Random::new(20);
    let mut generators = [Generator::blind(1), Generator::new(2, some_constants())];
    let (mut made, mut without) = (0, 0);
    while made < wanted() {
        let ty = random_type(&mut random, &declared, 4);
        for generator in &mut generators {
            for size in [0, 3, 12, 40, 100] {
                match generator.value(&ty, size) {
                    Ok(value) => {
                        check_value(&ty, &value);
                        if made % 16 == 0 {
                            check_text(&value);
                        }
                        made += 1;
                    }
                    Err(NoValue { .. }) => without += 1,
                }
            }
        }
    }
    println!("{made} values; {without} times there was none");
    assert!(without < made / 10, "{without} of {made}");
}

#[test]
fn changed_values_are_members_too() {
    let declared = arguments(LANGUAGE);
    let mut random = Random::new(21);
    let mut generator = Generator::new(22, some_constants());
    let mut changed = 0;
    for _ in 0..400 {
        let ty = random_type(&mut random, &declared, 3);
        let Ok(mut value) = generator.value(&ty, 15) else { continue };
        let Ok(other) = generator.value(&ty, 15) else { continue };
        for _ in 0..8 {
            let next = generator.mutated(&ty, &value, &[&other]);
            check_value(&ty, &next);
            changed += usize::from(next != value);
            value = next;
        }
    }
    assert!(changed > 1000, "{changed}");
}

#[test]
fn every_construct_has_values() {
    let mut generators = [Generator::blind(7), Generator::new(8, some_constants())];
    for (name, ty) in arguments(LANGUAGE) {
        let mut distinct = BTreeSet::new();
        for (place, generator) in generators.iter_mut().enumerate() {
            for size in 0..=100 {
                let value = generator.value(&ty, size).unwrap_or_else(|e| panic!("{name}: {e}"));
                check_value(&ty, &value);
                check_text(&value);
                assert!(value.size() < 5000, "{name}: {} values", value.size());
                distinct.insert((place, value));
            }
        }
        let singles = ["t_one_atom", "t_one_integer", "t_minus", "t_char", "t_empty_bits", "t_nil"];
        let single = singles.contains(&&*name)
            || ["t_empty_tuple", "t_empty_map", "t_native", "t_fun_fails"].contains(&&*name);
        assert!(distinct.len() >= if single { 1 } else { 4 }, "{name}: only {distinct:?}");
    }
}

/// Values that a type must have among those that are made.
#[test]
fn borders_are_met() {
    let seen = |ty: Type, wanted: &[&str]| {
        let mut generator = Generator::blind(3);
        let mut seen = BTreeSet::new();
        for run in 0..6000 {
            seen.insert(generator.value(&ty, run % 101).expect("a value").to_string());
        }
        for wanted in wanted {
            assert!(seen.contains(*wanted), "{ty} has {wanted}, which was not made");
        }
    };
    let small = ["0", "1", "-1", "2", "255", "256", "65535", "65536", "576460752303423488"];
    seen(Type::integer(), &small);
    seen(Type::integer(), &["-576460752303423489", "18446744073709551616", "1114111"][..2]);
    seen(Type::byte(), &["0", "1", "127", "128", "254", "255"]);
    seen(Type::integers(Some(1000), Some(2000)), &["1000", "1001", "2000"]);
    seen(Type::float(), &["0.0", "-0.0", "1.7976931348623157e308", "5.0e-324"]);
    seen(Type::binary(), &["<<>>", "<<0>>", "<<255>>"]);
    seen(
        Type::list(Type::boolean()),
        &["[]", "[true]", "[false,true]".replace(',', ", ").as_str()],
    );
    seen(Type::bitstring(), &["<<>>", "<<0:1>>", "<<1:1>>", "<<0>>"]);
    seen(Type::any_map(), &["#{}"]);
    seen(Type::atom(), &["a", "''", "'hello world'"]);
    seen(Type::Any, &["[]", "{}", "0", "a", "<<>>", "#{}"]);
}

#[test]
fn what_has_no_values_says_so() {
    let mut generator = Generator::blind(0);
    let text = "-type never() :: {never, never()}.\n-spec f({a, never()}) -> ok.\n";
    let (_, never) = arguments(text).remove(0);
    for ty in [Type::None, never] {
        let error = generator.value(&ty, 10).expect_err("no value");
        assert_eq!(error, NoValue { ty: ty.clone() });
        assert!(error.to_string().starts_with("there is no value of type "), "{error}");
    }
}

#[test]
fn equal_seeds_give_equal_values() {
    let declared = arguments(LANGUAGE);
    let values = |seed: u64| -> Vec<String> {
        let mut generator = Generator::new(seed, some_constants());
        let each = declared.iter().map(|(_, ty)| generator.value(ty, 50).expect("a value"));
        each.map(|value| value.to_string()).collect()
    };
    assert_eq!(values(5), values(5));
    assert_ne!(values(5), values(6));
}

/// Of one input, a variable stands for one type everywhere.
#[test]
fn variables_stand_for_one_type() {
    let text = "-spec f(A, [A], fun((A) -> A)) -> A when A :: integer() | atom().\n";
    let declarations = types::declared::Declarations::new(support::program("variables", text));
    let module = declarations.program().modules[0].name;
    let contract = declarations.contract(module, (atom::Atom::new("f"), 3)).expect("a spec");
    let shape = &Shape::of_contract(&contract)[0];
    let mut random = Random::new(1);
    let mut kinds = BTreeSet::new();
    for _ in 0..100 {
        let ty = shape.instance(&mut random);
        assert!(!ty.has_variables());
        assert!(ty.is_within(&shape.ground()), "{ty}");
        kinds.insert(ty.to_string());
    }
    assert!(kinds.contains("{integer(), [integer()], fun((integer()) -> integer())}"), "{kinds:?}");
    assert!(kinds.contains("{boolean(), [boolean()], fun((boolean()) -> boolean())}"), "{kinds:?}");
}

#[test]
fn texts_that_are_no_inputs_say_why() {
    let wrong = [
        ("X", "line 1: `X` is not a value"),
        ("{a,\n [b, self()]}", "line 2: `self()` is not a value"),
        ("1 + 2", "line 1: `1 + 2` is not a value"),
        ("a, b", "line 1: this is not one value"),
        ("a.\nf() -> b", "line 1: this is not one value"),
    ];
    for (text, expected) in wrong {
        assert_eq!(text::read(text).expect_err(text).to_string(), expected, "{text}");
    }
    for text in ["", "[1", "{a"] {
        assert!(text::read(text).is_err(), "{text}");
    }
}

#[test]
fn funs_are_written_as_they_answer() {
    let texts = [
        "fun() -> 1 end",
        "fun(_) -> [] end",
        "fun(1) -> a; (_) -> b end",
        "fun(A1) when A1 =:= #{} -> a; (_) -> b end",
        "fun(1, a) -> x; (A1, A2) -> element(erlang:phash2([A1, A2], 2) + 1, {y, z}) end",
        "fun(_) -> erlang:error(no_answer) end",
        "[erlscope_inputs:process(1), erlscope_inputs:reference(2), erlscope_inputs:port(3)]",
        "#m:r{a = 1, b = \"text\"}",
        "<<\"text\">>",
        "<<1,2,5:3>>",
        "[a, b | c]",
        "-0.0",
        "'maybe'",
    ];
    for text in texts {
        assert_eq!(text::read(text).expect(text).to_string(), text);
    }
}
