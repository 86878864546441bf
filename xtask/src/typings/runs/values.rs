//! Small programs that compute with values of many kinds: a function that only its module can call
//! is called with several values for each argument, so that its parameters have types between one
//! value and anything, and does something with them that rules speak of.

use std::fmt::Write as _;

/// A small generator of numbers (splitmix64): the same programs from the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Values by what they are like; arguments are mostly of one kind.
const VALUES: &[&[&str]] = &[
    &["0", "1", "-1", "2", "3", "7", "-8", "31", "32", "255", "256", "1000"],
    &[
        "(1 bsl 62)",
        "-(1 bsl 62)",
        "(1 bsl 63) - 1",
        "(1 bsl 63)",
        "-(1 bsl 63)",
        "-(1 bsl 63) - 1",
        "(1 bsl 70)",
        "-(1 bsl 70)",
        "4611686018427387904",
        "0",
        "3",
    ],
    &["0.0", "-0.0", "1.0", "2.5", "-3.5", "1.0e300", "1", "2"],
    &["true", "false", "a", "b", "undefined", "[]"],
    &["[]", "[1]", "[1, 2, 3]", "[a | b]", "\"text\"", "[[1], []]", "[{a, 1}, {b, 2}]", "[1 | []]"],
    &["{}", "{a}", "{a, 1}", "{b, 2}", "{1, 2}", "{a, {b, c}}", "{a, 1, []}", "{r, 1, 2}"],
    &["#{}", "#{a => 1}", "#{a => 1, b => 2}", "#{1 => a, 1.0 => b}", "#{{} => []}", "#{b => x}"],
    &["<<>>", "<<1>>", "<<1, 2, 3>>", "<<1:4>>", "<<1:17>>", "<<\"text\">>", "<<5:64/float>>"],
    &[
        "fun() -> 1 end",
        "fun(X) -> X end",
        "fun erlang:abs/1",
        "fun lists:sum/1",
        "self()",
        "make_ref()",
    ],
];

const UNARY: &[&str] = &[
    "-X",
    "+X",
    "bnot X",
    "not X",
    "abs(X)",
    "hd(X)",
    "tl(X)",
    "length(X)",
    "tuple_size(X)",
    "map_size(X)",
    "byte_size(X)",
    "bit_size(X)",
    "size(X)",
    "is_atom(X)",
    "is_integer(X)",
    "is_list(X)",
    "is_boolean(X)",
    "is_float(X)",
    "is_number(X)",
    "is_binary(X)",
    "is_bitstring(X)",
    "is_tuple(X)",
    "is_map(X)",
    "is_function(X)",
    "is_function(X, 1)",
    "is_record(X, r)",
    "is_record(X, a, 2)",
    "round(X)",
    "trunc(X)",
    "float(X)",
    "ceil(X)",
    "floor(X)",
    "tuple_to_list(X)",
    "list_to_tuple(X)",
    "atom_to_list(X)",
    "integer_to_list(X)",
    "lists:reverse(X)",
    "lists:sum(X)",
    "lists:max(X)",
    "lists:sort(X)",
    "maps:keys(X)",
    "maps:to_list(X)",
    "[X]",
    "[X | X]",
    "{X, X}",
    "{a, X}",
    "#{X => 1}",
    "#{a => X}",
    "<<X>>",
    "<<X/binary>>",
    "<<X/bits>>",
    "<<X:16>>",
    "<<X/float>>",
    "<<X/utf8>>",
    "X()",
    "X(1)",
    "[Y || Y <- X]",
    "[Y || {a, Y} <- X]",
    "<< <<Y>> || <<Y>> <= X>>",
    "[Y || <<Y:3>> <= X]",
    "case X of {a, Y} -> Y; [Y | _] -> {Y}; Y -> [Y] end",
    "case X of 1 -> one; 2 -> two; _ -> X end",
    "case X of true -> 1; false -> 2 end",
    "case X of <<A:8, R/binary>> -> {A, R}; _ -> X end",
    "case X of <<A:3, R/bits>> -> {A, R}; <<>> -> none end",
    "case X of #{a := Y} -> Y; #{} -> X end",
    "if X > 2 -> X; X < 0 -> -X; true -> {X} end",
    "if is_list(X), length(X) > 1 -> hd(X); true -> X end",
    "if X =:= 1; X =:= a -> X; true -> {not_that, X} end",
    "if X == 1.0 -> X; true -> {X} end",
    "if is_atom(X) orelse X >= 1 -> X; true -> no end",
    "if not is_atom(X) -> X; true -> atom end",
    "try X + 1 catch error:R -> {R, X} end",
    "try throw(X) catch Y -> Y end",
    "(catch 1 + X)",
    "begin true = is_integer(X), X end",
    "begin {A, B} = X, [B, A] end",
    "begin [A | B] = X, {A, B} end",
    "erlang:max(X, 1)",
    "erlang:min(X, 1)",
    "lists:nth(1, X)",
    "element(1, X)",
    "setelement(1, X, new)",
    "erlang:append_element(X, z)",
    "maps:get(a, X)",
    "maps:get(a, X, no)",
    "maps:remove(a, X)",
    "maps:put(a, 1, X)",
    "maps:find(a, X)",
    "X#{a => 2}",
    "X#{a := 2}",
    "(X)#{b => 1, a => 0}",
    "X#r.x",
    "X#r{y = 3}",
    "case X of #r{x = 1} -> r; #r{y = Y} -> Y; _ -> none end",
    "case {X, 1} of {1, Y} -> Y; {Y, 1} -> Y end",
    "case [X] of [1] -> a; [Y] -> Y end",
    "if X rem 2 =:= 0 -> even; true -> odd end",
    "X band 255",
    "X bor 7",
    "X bxor 3",
    "X bsl 2",
    "X bsr 1",
    "X div 3",
    "X rem 3",
    "3 rem X",
    "7 div X",
    "1 / X",
    "X * X",
    "X - 1",
    "1 - X",
    "100 band X",
    "case X of \"te\" ++ Y -> Y; Y -> Y end",
    "case X of -1 -> a; 0 -> b; 1 -> c; _ -> d end",
    "case is_integer(X) of true -> X + 1; false -> {X} end",
    "case X of [] -> nil; [_] -> one; [_, _ | T] -> T; _ -> X end",
];

const BINARY: &[&str] = &[
    "X + Y",
    "X - Y",
    "X * Y",
    "X / Y",
    "X div Y",
    "X rem Y",
    "X band Y",
    "X bor Y",
    "X bxor Y",
    "X bsl Y",
    "X bsr Y",
    "X and Y",
    "X or Y",
    "X xor Y",
    "X =:= Y",
    "X =/= Y",
    "X == Y",
    "X /= Y",
    "X < Y",
    "X =< Y",
    "X > Y",
    "X >= Y",
    "X ++ Y",
    "X -- Y",
    "X andalso Y",
    "X orelse Y",
    "element(X, Y)",
    "setelement(X, Y, z)",
    "maps:get(X, Y)",
    "maps:put(X, Y, #{a => 1})",
    "is_map_key(X, Y)",
    "map_get(X, Y)",
    "max(X, Y)",
    "min(X, Y)",
    "lists:member(X, Y)",
    "lists:append(X, Y)",
    "lists:nth(X, Y)",
    "lists:zip(X, Y)",
    "lists:seq(X, Y)",
    "{X, Y}",
    "[X, Y]",
    "[X | Y]",
    "#{X => Y}",
    "<<X:Y>>",
    "<<X, Y>>",
    "<<X/binary, Y/binary>>",
    "X(Y)",
    "Y#{X => 1}",
    "lists:map(X, Y)",
    "lists:foldl(fun(A, B) -> {A, B} end, X, Y)",
    "lists:keyfind(X, 1, Y)",
    "if X < Y -> X; true -> Y end",
    "if X =< Y -> {X, Y}; X > Y -> {Y, X} end",
    "if X =:= Y -> X; true -> {X, Y} end",
    "if X == Y -> X; true -> {X, Y} end",
    "if is_integer(X), X > 0, X < Y -> X; true -> Y end",
    "case {X, Y} of {Z, Z} -> Z; {A, B} -> [A, B] end",
    "case {X, Y} of {1, B} -> B; {A, 1} -> A; {a, b} -> ab; Z -> Z end",
    "case X of Y -> same; _ -> other end",
    "case Y of #{X := V} -> V; _ -> none end",
    "case Y of <<A:X, R/bits>> -> {A, R}; _ -> none end",
    "case Y of <<A:X/binary, R/binary>> -> {A, R}; _ -> none end",
    "case X > Y of true -> X; false -> Y end",
    "try X + Y of Z when Z > 1 -> Z; Z -> {Z} catch error:badarith -> {X, Y} end",
    "[A || A <- X, A > Y]",
    "[{A, B} || A <- X, B <- Y]",
    "if X; Y -> a; true -> b end",
    "if (X =:= 1) or (Y =:= 2) -> {X, Y}; true -> X end",
    "if not (X =:= Y) -> X; true -> {Y} end",
    "erlang:make_tuple(X, Y)",
    "apply(X, [Y])",
    "lists:duplicate(X, Y)",
    "string:concat(X, Y)",
];

/// The program of a seed: a module with functions without arguments.
pub(super) fn program(name: &str, seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let count = 12;
    let exports: Vec<String> = (0..count).map(|function| format!("main{function}/0")).collect();
    let mut text = format!(
        "-module({name}).\n-export([{}]).\n-record(r, {{x = 1, y}}).\n",
        exports.join(", ")
    );
    for function in 0..count {
        let (xs, ys) = (values(&mut random), values(&mut random));
        let calls = format!("[catch f{function}(X, Y) || X <- [{xs}], Y <- [{ys}]]");
        let _ = writeln!(text, "main{function}() -> {calls}.");
    }
    for function in 0..count {
        let body = match random.below(4) {
            0 => format!("X = {}, {}", one(&mut random, ("X0", "Y"), "1"), last(&mut random)),
            1 => format!("Y = {}, {}", one(&mut random, ("X", "Y0"), "1"), last(&mut random)),
            _ => last(&mut random),
        };
        let args = if body.contains("X0") || body.starts_with("X =") {
            "X0, Y"
        } else if body.starts_with("Y =") {
            "X, Y0"
        } else {
            "X, Y"
        };
        let _ = writeln!(text, "f{function}({args}) -> {body}.");
    }
    text
}

fn last(random: &mut Random) -> String {
    one(random, ("X", "Y"), "")
}

/// One expression with variables of these names; those that it binds itself have a suffix.
fn one(random: &mut Random, (x, y): (&str, &str), suffix: &str) -> String {
    let of_two = random.below(2) == 0;
    let chosen = random.pick(if of_two { BINARY } else { UNARY });
    let mut text = String::new();
    let mut rest = chosen.chars().peekable();
    let mut before = ' ';
    while let Some(c) = rest.next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let alone = !is_name(before) && !rest.peek().is_some_and(|&next| is_name(next));
        match c {
            'X' if alone => text += x,
            'Y' if alone && of_two => text += y,
            'Y' if alone => text += &format!("W{suffix}"),
            'A'..='Z' if alone => text += &format!("{c}{suffix}"),
            other => text.push(other),
        }
        before = c;
    }
    text
}

fn values(random: &mut Random) -> String {
    let kind = random.below(VALUES.len());
    let values: Vec<&str> = (0..1 + random.below(4))
        .map(|_| {
            let kind = if random.below(8) == 0 { random.below(VALUES.len()) } else { kind };
            random.pick(VALUES[kind])
        })
        .collect();
    values.join(", ")
}
