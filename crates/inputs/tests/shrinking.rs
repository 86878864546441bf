//! Shrinking: every step goes down and stays within the type, results are local minima, and planted
//! bugs shrink to the inputs that are known to be the smallest.

mod support;

use inputs::input::Fun;
use inputs::shrink::{all_steps, shrink};
use inputs::weight::weight;
use inputs::{Generator, Input, Random, text};
use num_traits::ToPrimitive;
use support::{LANGUAGE, arguments, random_type};
use types::Type;

/// A number that depends on what an input is.
fn mixed(input: &Input, salt: u64) -> u64 {
    let text = input.to_string();
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325 ^ salt, mix) >> 16
}

#[test]
fn steps_go_down_and_stay_within_the_type() {
    let declared = arguments(LANGUAGE);
    let mut random = Random::new(4);
    let mut generator = Generator::blind(4);
    let mut steps = 0;
    for _ in 0..250 {
        let ty = random_type(&mut random, &declared, 3);
        let Ok(value) = generator.value(&ty, 20) else { continue };
        if value.size() > 60 {
            continue;
        }
        for smaller in all_steps(&ty, &value) {
            assert!(weight(&smaller) < weight(&value), "{smaller} is not less than {value}");
            assert!(smaller.is_of(&ty), "{smaller} is not of {ty}, {value} is");
            steps += 1;
        }
    }
    assert!(steps > 1000, "{steps}");
}

#[test]
fn results_are_local_minima() {
    let declared = arguments(LANGUAGE);
    let mut random = Random::new(5);
    let mut generator = Generator::blind(5);
    let mut shrunk = 0;
    for run in 0..250 {
        let ty = random_type(&mut random, &declared, 3);
        let Ok(value) = generator.value(&ty, 25) else { continue };
        let least = 1 + random.below(6);
        // Does it by chance, and by size.
        let fails = |input: &Input| {
            input.size() >= least.min(value.size())
                && (*input == value || !mixed(input, run).is_multiple_of(3))
        };
        let result = shrink(&ty, &value, 20_000, &mut |input| fails(input));
        assert!(result.is_minimal, "{} tries from {value}", result.tried);
        assert!(fails(&result.input) && result.input.is_of(&ty));
        assert!(weight(&result.input) <= weight(&value));
        for smaller in all_steps(&ty, &result.input) {
            assert!(!fails(&smaller), "{} of {ty} leads to {smaller}", result.input);
        }
        shrunk += 1;
    }
    assert!(shrunk > 150, "{shrunk}");
}

struct Planted {
    name: &'static str,
    ty: &'static str,
    fails: fn(&Input) -> bool,
    smallest: &'static str,
}

fn int(input: &Input) -> i64 {
    match input {
        Input::Integer(value) => value.to_i64().unwrap_or(i64::MAX),
        _ => 0,
    }
}

fn list(input: &Input) -> &[Input] {
    match input {
        Input::List(elements, _) => elements,
        _ => &[],
    }
}

fn bytes(input: &Input) -> &[u8] {
    match input {
        Input::Bits(bits) => bits.bytes(),
        _ => &[],
    }
}

fn pairs(input: &Input) -> &[(Input, Input)] {
    match input {
        Input::Map(pairs) => pairs,
        _ => &[],
    }
}

fn is(input: &Input, name: &str) -> bool {
    matches!(input, Input::Atom(atom) if atom.as_str() == name)
}

fn holds(input: &Input, wanted: &dyn Fn(&Input) -> bool) -> bool {
    wanted(input) || input.parts().into_iter().any(|part| holds(part, wanted))
}

const PLANTED: &[Planted] = &[
    Planted { name: "from 100", ty: "integer()", fails: |i| int(i) >= 100, smallest: "100" },
    Planted { name: "below", ty: "integer()", fails: |i| int(i) <= -17, smallest: "-17" },
    Planted {
        name: "beyond words",
        ty: "integer()",
        fails: |i| matches!(i, Input::Integer(n) if *n > num_bigint::BigInt::from(u64::MAX)),
        smallest: "18446744073709551616",
    },
    Planted {
        name: "an element",
        ty: "[integer()]",
        fails: |i| list(i).iter().any(|e| int(e) > 9),
        smallest: "[10]",
    },
    Planted {
        name: "three elements",
        ty: "[integer()]",
        fails: |i| list(i).len() >= 3,
        smallest: "[0, 0, 0]",
    },
    Planted {
        name: "not sorted",
        ty: "[non_neg_integer()]",
        fails: |i| list(i).windows(2).any(|w| int(&w[0]) > int(&w[1])),
        smallest: "[1, 0]",
    },
    Planted {
        name: "twice the same",
        ty: "[100..200]",
        fails: |i| list(i).windows(2).any(|w| w[0] == w[1]),
        smallest: "\"dd\"",
    },
    Planted {
        name: "an alternative",
        ty: "{ok, integer()} | {error, integer()}",
        fails: |i| matches!(i, Input::Tuple(e) if is(&e[0], "error") && int(&e[1]) > 5),
        smallest: "{error, 6}",
    },
    Planted {
        name: "a byte",
        ty: "binary()",
        fails: |i| bytes(i).contains(&0x80),
        smallest: "<<128>>",
    },
    Planted {
        name: "four bytes",
        ty: "binary()",
        fails: |i| bytes(i).len() >= 4,
        smallest: "<<0,0,0,0>>",
    },
    Planted {
        name: "units",
        ty: "<<_:8, _:_*16>>",
        fails: |i| bytes(i).len() >= 2,
        smallest: "<<0,0,0>>",
    },
    Planted {
        name: "in a tree",
        ty: "tree()",
        fails: |i| holds(i, &|part| int(part) > 10),
        smallest: "{node, leaf, 11, leaf}",
    },
    Planted {
        name: "an optional key",
        ty: "#{a => integer(), b => boolean(), c => any()}",
        fails: |i| pairs(i).iter().any(|(k, v)| is(k, "b") && is(v, "true")),
        smallest: "#{b => true}",
    },
    Planted {
        name: "two keys",
        ty: "#{1..9 => boolean()}",
        fails: |i| pairs(i).len() >= 2,
        smallest: "#{1 => false, 2 => false}",
    },
    Planted {
        name: "a whole float",
        ty: "float()",
        fails: |i| matches!(i, Input::Float(f) if f.value() > 2.5),
        smallest: "3.0",
    },
    Planted {
        name: "two characters",
        ty: "string()",
        fails: |i| list(i).windows(2).any(|w| int(&w[0]) == 98 && int(&w[1]) == 97),
        smallest: "\"ba\"",
    },
    Planted {
        name: "what a fun gives",
        ty: "fun((integer()) -> integer())",
        fails: |i| {
            let gives = |fun: &Fun| {
                fun.others.iter().chain(fun.table.iter().map(|row| &row.1)).any(|r| int(r) > 50)
            };
            matches!(i, Input::Fun(fun) if gives(fun))
        },
        smallest: "fun(_) -> 51 end",
    },
    Planted {
        name: "deep inside",
        ty: "json()",
        fails: |i| {
            holds(i, &|m| pairs(m).iter().any(|(_, v)| list(v).iter().any(|e| is(e, "null"))))
        },
        smallest: "#{<<>> => [null]}",
    },
    Planted {
        name: "improper",
        ty: "maybe_improper_list(integer(), atom())",
        fails: |i| matches!(i, Input::List(_, Some(_))),
        smallest: "[0 | a]",
    },
    Planted {
        name: "equal arguments",
        ty: "{integer(), integer()}",
        fails: |i| matches!(i, Input::Tuple(e) if e[0] == e[1] && int(&e[0]) > 3),
        smallest: "{4, 4}",
    },
    Planted {
        name: "numbers of Peano",
        ty: "odd()",
        fails: |i| i.size() >= 6,
        smallest: "{s, {s, {s, zero}}}",
    },
    Planted {
        name: "an atom anywhere",
        ty: "any()",
        fails: |i| holds(i, &|part| is(part, "ok")),
        smallest: "ok",
    },
    Planted {
        name: "a pair of any",
        ty: "any()",
        fails: |i| matches!(i, Input::Tuple(e) if e.len() >= 2),
        smallest: "{0, 0}",
    },
    Planted {
        name: "a field",
        ty: "#point{}",
        fails: |i| matches!(i, Input::Tuple(e) if int(&e[1]) > 20 && int(&e[2]) > 2),
        smallest: "{point, 21, 3, a}",
    },
    Planted {
        name: "two processes",
        ty: "[pid()]",
        fails: |i| list(i).iter().any(|e| *e != list(i)[0]),
        smallest: "[erlscope_inputs:process(1), erlscope_inputs:process(2)]",
    },
];

#[test]
fn planted_bugs_shrink_to_the_smallest_input() {
    for planted in PLANTED {
        let spec = format!("-spec planted({}) -> ok.\n", planted.ty);
        let all = arguments(&format!("{LANGUAGE}{spec}"));
        let ty: &Type = &all.iter().find(|(name, _)| name == "planted").expect("the spec").1;
        let mut generator = Generator::blind(11);
        let mut found = 0;
        for run in 0..60_000 {
            let value = generator.value(ty, run % 101).expect("a value");
            if !(planted.fails)(&value) {
                continue;
            }
            let shrunk = shrink(ty, &value, 50_000, &mut |input| (planted.fails)(input));
            assert!(shrunk.is_minimal, "{}: {} tries", planted.name, shrunk.tried);
            let smallest = text::read(planted.smallest).expect("a value");
            assert_eq!(shrunk.input, smallest, "{}, {value}", planted.name);
            found += 1;
            if found == 8 {
                break;
            }
        }
        assert!(found > 0, "{}: no value fails", planted.name);
    }
    assert!(PLANTED.len() >= 20);
}
