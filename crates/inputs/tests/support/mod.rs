//! Types for tests: declared ones, and random ones.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;

use atom::Atom;
use inputs::Random;
use program::{LoadOptions, Program};
use types::Type;
use types::declared::Declarations;
use types::ty::{Field, Key, MapType, Presence};

/// Loads a module from its text, without OTP.
pub(crate) fn program(name: &str, text: &str) -> Arc<Program> {
    // Tests that run side by side have other texts.
    let digest = rustc_hash::FxBuildHasher.hash_one(text);
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{digest:016x}"));
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join(format!("{name}.erl"));
    std::fs::write(&path, format!("-module({name}).\n{text}")).expect("a file");
    let options = LoadOptions { without_lint: true, without_otp: true, ..Default::default() };
    Arc::new(Program::load(&[path], &options).expect("a program"))
}

/// Every construct of the type language, each as the argument of a spec of its own.
pub(crate) const LANGUAGE: &str = "
-record(point, {x :: integer(), y = 0 :: 0..9, name :: atom()}).
-record(plain, {a, b}).
-type tree() :: leaf | {node, tree(), integer(), tree()}.
-type tree(T) :: leaf | {node, tree(T), T, tree(T)}.
-type even() :: zero | {s, odd()}.
-type odd() :: {s, even()}.
-type nested(T) :: {last, T} | {more, nested({T})}.
-type json() :: null | boolean() | number() | binary() | [json()] | #{binary() => json()}.
-opaque secret() :: {secret, reference()}.
-nominal meters() :: float().
-type stream() :: fun(() -> {integer(), stream()}).
-type chain() :: fun(() -> chain()).
-type never() :: {never, never()}.
-type pair(A, B) :: {A, B}.
-spec t_any(any()) -> ok.
-spec t_term(term()) -> ok.
-spec t_dynamic(dynamic()) -> ok.
-spec t_atom(atom()) -> ok.
-spec t_module(module()) -> ok.
-spec t_node(node()) -> ok.
-spec t_one_atom(ok) -> ok.
-spec t_atoms(a | b | 'hello world') -> ok.
-spec t_boolean(boolean()) -> ok.
-spec t_integer(integer()) -> ok.
-spec t_one_integer(42) -> ok.
-spec t_minus(-7) -> ok.
-spec t_char($a) -> ok.
-spec t_range(-10..10) -> ok.
-spec t_wide(-16#FFFFFFFFF..16#FFFFFFFFF) -> ok.
-spec t_non_neg(non_neg_integer()) -> ok.
-spec t_pos(pos_integer()) -> ok.
-spec t_neg(neg_integer()) -> ok.
-spec t_byte(byte()) -> ok.
-spec t_chars(char()) -> ok.
-spec t_arity(arity()) -> ok.
-spec t_float(float()) -> ok.
-spec t_number(number()) -> ok.
-spec t_timeout(timeout()) -> ok.
-spec t_pid(pid()) -> ok.
-spec t_port(port()) -> ok.
-spec t_reference(reference()) -> ok.
-spec t_identifier(identifier()) -> ok.
-spec t_empty_bits(<<>>) -> ok.
-spec t_bits_size(<<_:12>>) -> ok.
-spec t_bits_unit(<<_:_*3>>) -> ok.
-spec t_bits_both(<<_:16, _:_*24>>) -> ok.
-spec t_binary(binary()) -> ok.
-spec t_bitstring(bitstring()) -> ok.
-spec t_nonempty_binary(nonempty_binary()) -> ok.
-spec t_nonempty_bitstring(nonempty_bitstring()) -> ok.
-spec t_nil([]) -> ok.
-spec t_list([integer()]) -> ok.
-spec t_any_list(list()) -> ok.
-spec t_nonempty([atom(), ...]) -> ok.
-spec t_nonempty_list(nonempty_list(byte())) -> ok.
-spec t_string(string()) -> ok.
-spec t_nonempty_string(nonempty_string()) -> ok.
-spec t_maybe_improper(maybe_improper_list()) -> ok.
-spec t_maybe_improper_of(maybe_improper_list(integer(), atom())) -> ok.
-spec t_improper(nonempty_improper_list(integer(), binary())) -> ok.
-spec t_nonempty_maybe(nonempty_maybe_improper_list()) -> ok.
-spec t_iodata(iodata()) -> ok.
-spec t_iolist(iolist()) -> ok.
-spec t_tuple(tuple()) -> ok.
-spec t_empty_tuple({}) -> ok.
-spec t_triple({integer(), atom(), [float()]}) -> ok.
-spec t_tagged({ok, integer()} | {error, atom()} | {error, atom(), list()}) -> ok.
-spec t_mfa(mfa()) -> ok.
-spec t_map(map()) -> ok.
-spec t_empty_map(#{}) -> ok.
-spec t_map_required(#{a := integer(), 1 := atom()}) -> ok.
-spec t_map_optional(#{a => integer(), b => none()}) -> ok.
-spec t_map_others(#{a := 1, atom() => binary()}) -> ok.
-spec t_map_deep(#{integer() => #{atom() := [integer()]}}) -> ok.
-spec t_record(#point{}) -> ok.
-spec t_record_fields(#point{x :: 1..3, name :: a | b}) -> ok.
-spec t_record_plain(#plain{}) -> ok.
-spec t_native(record()) -> ok.
-spec t_fun(fun()) -> ok.
-spec t_function(function()) -> ok.
-spec t_fun_any(fun((...) -> integer())) -> ok.
-spec t_fun_none(fun(() -> atom())) -> ok.
-spec t_fun_two(fun((integer(), [atom()]) -> {ok, integer()})) -> ok.
-spec t_fun_fails(fun((integer()) -> no_return())) -> ok.
-spec t_fun_fun(fun((fun((integer()) -> atom())) -> fun((atom()) -> integer()))) -> ok.
-spec t_union(integer() | [atom()] | {pair, integer()} | #{k := 1}) -> ok.
-spec t_annotated(X :: integer()) -> ok.
-spec t_tree(tree()) -> ok.
-spec t_tree_of(tree(boolean())) -> ok.
-spec t_odd(odd()) -> ok.
-spec t_even(even()) -> ok.
-spec t_nested(nested(a)) -> ok.
-spec t_json(json()) -> ok.
-spec t_secret(secret()) -> ok.
-spec t_meters(meters()) -> ok.
-spec t_stream(stream()) -> ok.
-spec t_chain(chain()) -> ok.
-spec t_pair(pair(integer(), tree())) -> ok.
-spec t_remote(language:tree(atom())) -> ok.
-spec t_unknown(no_such_module:no_such_type()) -> ok.
-spec t_var(A) -> A.
-spec t_bounded(A) -> A when A :: 1..5 | foo.
";

/// The argument types of a text's specs, by name.
pub(crate) fn arguments(text: &str) -> Vec<(String, Type)> {
    let declarations = Declarations::new(program("language", text));
    // The types hold on to what they are declared in.
    let declarations = Box::leak(Box::new(declarations));
    let module = declarations.program().modules[0].name;
    let names: Vec<_> = declarations.program().modules[0].index.specs.iter().map(|s| s.0).collect();
    names
        .into_iter()
        .map(|function| {
            let contract = declarations.contract(module, function).expect("a spec");
            (function.0.to_string(), contract.args().remove(0))
        })
        .collect()
}

const ATOMS: &[&str] = &["a", "b", "ok", "true", "false"];

fn atom(random: &mut Random) -> Atom {
    Atom::new(ATOMS[random.below(ATOMS.len())])
}

fn several(random: &mut Random, declared: &[(String, Type)], depth: u32) -> Vec<Type> {
    (0..random.below(4)).map(|_| random_type(random, declared, depth)).collect()
}

/// Any type: of every kind of the lattice, of declared ones, and unions of them.
pub(crate) fn random_type(random: &mut Random, declared: &[(String, Type)], depth: u32) -> Type {
    let kinds = if depth == 0 { 20 } else { 30 };
    match random.below(kinds) {
        0 => Type::Any,
        1 => Type::the_atom(atom(random)),
        2 => Type::atom(),
        3 => Type::the_integer(random.between(-3, 20)),
        4 => {
            let low = random.between(-300, 300);
            Type::integers(Some(low), Some(low + random.between(0, 600)))
        }
        5 => Type::integers(Some(random.between(-3, 3)), None),
        6 => Type::integers(None, Some(random.between(-3, 3))),
        7 => Type::float(),
        8 => Type::bits(random.below(20) as u32, random.below(40) as u32),
        9 => Type::nil(),
        10 => Type::pid(),
        11 => Type::reference(),
        12 => Type::port(),
        13 => Type::integer(),
        14 => Type::any_tuple(),
        15 => Type::any_map(),
        16 => Type::any_fun(),
        17 => Type::record(),
        18 | 19 => declared[random.below(declared.len())].1.clone(),
        20 | 21 => {
            let one = random_type(random, declared, depth - 1);
            one.join(&random_type(random, declared, depth - 1))
        }
        22 => Type::tuple(several(random, declared, depth - 1)),
        23 => {
            let mut elements = several(random, declared, depth - 1);
            elements.insert(0, Type::the_atom(atom(random)));
            Type::tuple(elements)
        }
        24 => Type::list(random_type(random, declared, depth - 1)),
        25 => Type::nonempty_list(random_type(random, declared, depth - 1)),
        26 => {
            let head = random_type(random, declared, depth - 1);
            Type::cell(&head, &random_type(random, declared, depth - 1))
        }
        27 => {
            let args = several(random, declared, depth - 1);
            Type::fun(args, random_type(random, declared, depth - 1))
        }
        _ => Type::map(random_map(random, declared, depth - 1)),
    }
}

fn random_map(random: &mut Random, declared: &[(String, Type)], depth: u32) -> MapType {
    let mut map = MapType::empty();
    for _ in 0..random.below(3) {
        let key = match random.below(2) {
            0 => Key::Atom(atom(random)),
            _ => Key::Integer(random.between(0, 3)),
        };
        let presence = [Presence::Required, Presence::Optional][random.below(2)];
        if map.fields.iter().all(|field| field.key != key) {
            map.fields.push(Field { key, presence, value: random_type(random, declared, depth) });
        }
    }
    if random.once_in(2) {
        map.other_keys = random_type(random, declared, depth);
        map.other_values = random_type(random, declared, depth);
    }
    map
}
