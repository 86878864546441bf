//! Success typings of small programs: the text, and the specs that are inferred.

use std::path::PathBuf;
use std::sync::Arc;

use expect_test::{Expect, expect};
use program::{LoadOptions, Program};
use types::Type;
use types::declared::Declarations;
use types::infer::{Options, infer};

/// Writes a module and infers it, without OTP: what is built in is known all the same.
fn specs(name: &str, text: &str) -> String {
    typed(name, &format!("-compile(export_all).\n{text}"))
}

/// As [`specs`], with the exports that the text has.
fn typed(name: &str, text: &str) -> String {
    typed_together(&[(name, text)])
}

/// The same of several modules.
fn typed_together(modules: &[(&str, &str)]) -> String {
    shown_as(modules, Type::readable)
}

fn shown_as(modules: &[(&str, &str)], shown: impl Fn(&Type) -> Type) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("typings");
    std::fs::create_dir_all(&directory).expect("a directory");
    let mut paths = Vec::new();
    for (name, text) in modules {
        let path = directory.join(format!("{name}.erl"));
        std::fs::write(&path, format!("-module({name}).\n{text}")).expect("a file");
        paths.push(path);
    }
    let options = LoadOptions { without_lint: true, without_otp: true, ..Default::default() };
    let program = Program::load(&paths, &options).expect("a program");
    let declarations = Declarations::new(Arc::new(program));
    let inferred = infer(&declarations, &Options::default());
    let mut out = String::new();
    for function in &inferred.functions {
        let args: Vec<String> = function.args().iter().map(|arg| shown(arg).to_string()).collect();
        let result = shown(&function.result());
        out += &format!("{}({}) -> {result}\n", function.function.0, args.join(", "));
    }
    out
}

#[track_caller]
fn check(name: &str, text: &str, expected: Expect) {
    expected.assert_eq(&specs(name, text));
}

#[test]
fn recursion() {
    check(
        "recursion",
        "len([]) -> 0;\nlen([_ | T]) -> 1 + len(T).\n\
         map(F, [H | T]) -> [F(H) | map(F, T)];\nmap(F, []) when is_function(F, 1) -> [].\n\
         even(0) -> true;\neven(N) when N > 0 -> odd(N - 1).\n\
         odd(0) -> false;\nodd(N) when N > 0 -> even(N - 1).\n\
         loop(S) -> receive {add, N} -> loop(S + N); stop -> S end.\n\
         for_ever() -> for_ever().\n",
        expect![[r#"
            len([any()]) -> non_neg_integer()
            map(fun((any()) -> any()), [any()]) -> [any()]
            even(non_neg_integer()) -> boolean()
            odd(non_neg_integer()) -> boolean()
            loop(any()) -> any()
            for_ever() -> none()
        "#]],
    );
}

#[test]
fn what_is_learned_later_holds_before() {
    check(
        "later",
        "wrap(X) -> Y = {X, 1}, unwrap(Y).\nunwrap({A, B}) -> A + B.\n\
         test(X) -> case is_list(X) of true -> length(X); false -> X + 1 end.\n\
         sure(X) -> true = is_atom(X), X.\n\
         kind({circle, R}) -> {round, R * 2};\nkind({square, S}) -> {edged, S div 2}.\n\
         one(X) -> {round, R} = kind(X), R.\n\
         both(X) -> Ok = is_atom(X) andalso X =/= none, case Ok of true -> X end.\n",
        expect![[r#"
            wrap(number()) -> number()
            unwrap({number(), number()}) -> number()
            test(number() | [any()]) -> number()
            sure(atom()) -> atom()
            kind({circle, number()} | {square, integer()}) -> {edged, integer()} | {round, number()}
            one({circle, number()}) -> number()
            both(atom()) -> atom()
        "#]],
    );
}

#[test]
fn clauses_take_away() {
    check(
        "clauses",
        "f(X) when is_integer(X) -> int;\nf(X) when is_atom(X) -> atom;\nf(X) -> {other, X}.\n\
         g(undefined) -> 0;\ng(X) -> X.\nh(X) -> 1 + g(X).\n\
         sign(X) when X < 0 -> -1;\nsign(0) -> 0;\nsign(X) when X > 0 -> 1.\n",
        expect![[r#"
            f(any()) -> atom | int | {other, any()}
            g(any()) -> any()
            h(any()) -> number()
            sign(any()) -> -1..1
        "#]],
    );
}

#[test]
fn structures() {
    check(
        "structures",
        "-record(r, {a = 1, b, c = []}).\n\
         make(B) -> #r{b = B}.\nget(R) -> R#r.a + 1.\nset(R, V) -> R#r{c = [V]}.\n\
         field(#{a := A, b := B}) -> A ++ B.\nput(M) -> M#{a => 1}.\nupdate(M) -> M#{a := 1}.\n\
         bits(<<N:16, Rest/binary>>) -> {N, Rest}.\nbuild(N) -> <<N:8, 1:4>>.\n\
         text(\"ab\" ++ Rest) -> Rest.\nsame(X, X) -> [X, X].\n\
         list() -> [1, a, \"x\"].\nimproper(X) -> [X | b].\n",
        expect![[r#"
            make(any()) -> {r, 1, any(), []}
            get({r, number(), any(), any()}) -> number()
            set({r, any(), any(), any()}, any()) -> {r, any(), any(), [any(), ...]}
            field(#{a := [any()], b := any(), any() => any()}) -> any()
            put(map()) -> #{a := 1, any() => any()}
            update(#{a := any(), any() => any()}) -> #{a := 1, any() => any()}
            bits(<<_:16, _:_*8>>) -> {0..65535, binary()}
            build(integer()) -> <<_:12>>
            text(nonempty_maybe_improper_list(any(), any())) -> any()
            same(any(), any()) -> [any(), ...]
            list() -> [a | 1 | [120, ...], ...]
            improper(any()) -> nonempty_improper_list(any(), b)
        "#]],
    );
}

#[test]
fn funs_and_comprehensions() {
    check(
        "funs",
        "add(N) -> fun(X) -> X + N end.\ncall(F) -> F(1, 2).\nuse() -> (add(1))(2).\n\
         squares(L) -> [X * X || X <- L, X > 0].\npairs(M) -> [{K, V} || K := V <- M].\n\
         bytes(B) -> << <<(X + 1)>> || <<X>> <= B >>.\n\
         named() -> fun F(0) -> done; F(N) -> F(N - 1) end.\nlocal() -> fun call/1.\n",
        expect![[r#"
            add(any()) -> fun((number()) -> number())
            call(fun((any(), any()) -> any())) -> any()
            use() -> number()
            squares([any()]) -> [pos_integer() | float()]
            pairs(any()) -> [{any(), any()}]
            bytes(bitstring()) -> binary()
            named() -> fun((number()) -> any())
            local() -> fun((fun((any(), any()) -> any())) -> any())
        "#]],
    );
}

/// A value that would have to hold itself: there is none, and looking for it ends.
#[test]
fn values_that_hold_themselves() {
    check(
        "themselves",
        "list(X) -> X = [X], X.\ntuple(X) -> X = {X, 1}, X.\n\
         around([X | Y]) -> Y = [X | Y], Y.\nboth(X, Y) -> X = {Y}, Y = {X}, X.\n",
        expect![[r#"
            list([[[[[[any(), ...], ...], ...], ...], ...], ...]) -> [[[[[[any(), ...], ...], ...], ...], ...], ...]
            tuple({{{{{{any(), any()}, 1}, 1}, 1}, 1}, 1}) -> {{{{{{any(), any()}, 1}, 1}, 1}, 1}, 1}
            around(nonempty_maybe_improper_list(any(), any())) -> nonempty_maybe_improper_list(any(), any())
            both({{{{{{any()}}}}}}, {{{{{{any()}}}}}}) -> {{{{{{any()}}}}}}
        "#]],
    );
}

/// Calls in the defaults of a record's fields are calls of whoever makes one.
#[test]
fn defaults_of_records() {
    let text = "-record(r, {a = one()}).\n-export([make/0]).\n\
                make() -> use(#r{}).\nuse(#r{a = A}) -> A + 1.\none() -> two().\ntwo() -> 1.\n";
    expect![[r#"
        make() -> 2
        use({r, 1}) -> 2
        one() -> 1
        two() -> 1
    "#]]
    .assert_eq(&typed("defaults", text));
}

/// What is computed before something fails is called with what it is called with.
#[test]
fn what_comes_before_a_failure() {
    let text = "-export([f/0]).\nf() -> h(1), catch (1):g(h(two)), catch (1)#{a => h(three)}, \
                catch <<a:1, (h(four))>>.\nh(X) -> X.\n";
    expect![[r#"
        f() -> any()
        h(four | three | two | 1) -> four | three | two | 1
    "#]]
    .assert_eq(&typed("before", text));
}

/// A tuple is no module, unless the program says that it may be.
#[test]
fn modules_that_are_tuples() {
    check(
        "no_tuples",
        "call(M) -> M:f().\n",
        expect![[r#"
        call(atom()) -> any()
    "#]],
    );
    let text = "-compile(tuple_calls).\ncall(M) -> M:f().\n";
    check(
        "tuples",
        text,
        expect![[r#"
        call(atom() | tuple()) -> any()
    "#]],
    );
}

/// Functions of `lists` look at no more of a list than they have to.
#[test]
fn lists_of_all_kinds() {
    check(
        "all_lists",
        "find(L) -> lists:keyfind(a, 1, L).\nfound() -> lists:keyfind(a, 1, [{a, 1}]).\n\
         options() -> lists:keyfind(a, 1, [b, {a, 1}]).\nrest(L) -> lists:nthtail(1, L).\n\
         sure() -> lists:nthtail(1, [1, 2]).\nis_in(L) -> lists:member(a, L).\n\
         first(L) -> lists:nth(1, L).\nflat() -> lists:append([[1], [a]]).\n\
         last() -> lists:append([[1], b]).\n",
        expect![[r#"
            find(maybe_improper_list(any(), any())) -> false | tuple()
            found() -> false | {a, 1}
            options() -> false | tuple()
            rest(any()) -> any()
            sure() -> [1 | 2]
            is_in(maybe_improper_list(any(), any())) -> boolean()
            first(nonempty_maybe_improper_list(any(), any())) -> any()
            flat() -> [a | 1]
            last() -> any()
        "#]],
    );
}

/// An integer in the place of a float stands for the float; a fold over nothing gives what it
/// began with; an iterator may be long.
#[test]
fn what_specs_leave_out() {
    check(
        "left_out",
        "float(<<1/float>>) -> yes.\n\
         fold(M) -> maps:fold(fun(_, _, _) -> more end, none, M).\n\
         next() -> maps:next({1, 2, {3, 4, {5, 6, {7, 8, {9, 10, none}}}}}).\n\
         bits(<<_:3, B/bits>>) -> bitstring_to_list(B).\n",
        expect![[r#"
            float(<<_:64>>) -> yes
            fold(none | maybe_improper_list(any(), any()) | tuple() | map()) -> more | none
            next() -> {1, 2, {3, 4, {5, 6, {7, 8, {9, 10, none}}}}}
            bits(<<_:3, _:_*1>>) -> [byte() | bitstring()]
        "#]],
    );
}

/// Type tests by the names that they had once; what a comprehension assigns is its own.
#[test]
fn old_and_new() {
    let text = "-feature(compr_assign, enable).\n-export([kind/1, own/1]).\n\
                kind(X) when float(X) -> float;\nkind(X) when integer(X) -> integer.\n\
                own(L) -> Y = outer, {[Y || X <- L, Y = X * 10], Y}.\n";
    expect![[r#"
        kind(number()) -> float | integer
        own([any()]) -> {[number()], outer}
    "#]]
    .assert_eq(&typed("old_and_new", text));
}

#[test]
fn failures() {
    check(
        "failures",
        "never(X) -> atom_to_list(X) + 1.\n\
         caught(X) -> try list_to_integer(X) catch error:badarg -> undefined end.\n\
         old(X) -> catch throw(X).\nfail() -> error(bad).\n\
         maybe_fail(true) -> fail();\nmaybe_fail(false) -> ok.\n",
        expect![[r#"
            never(none()) -> none()
            caught(any()) -> undefined | integer()
            old(any()) -> any()
            fail() -> none()
            maybe_fail(false) -> ok
        "#]],
    );
}

#[test]
fn folds_and_merges() {
    check(
        "folds_and_merges",
        "sum(L) -> lists:foldl(fun(X, A) -> X + A end, 0, L).\n\
         last(L) -> lists:foldr(fun({K, V}, none) -> {K, V}; (_, A) -> A end, none, L).\n\
         numbered(L) -> lists:mapfoldl(fun(X, N) -> {{N, X}, N + 1} end, 1, L).\n\
         nothing() -> lists:foldl(fun(_, _) -> throw(no) end, start, []).\n\
         merged(M) -> maps:merge(#{a => 1, b => 2}, M#{b => two}).\n\
         mask(X) -> X band ((1 bsl 64) - 1).\n\
         high(X) when X >= 0, X < 256 -> X bsr 4.\n\
         again(F) -> try F() of X -> {ok, X} catch C:R:S -> erlang:raise(C, R, S) end.\n\
         wrong(S) -> erlang:raise(error, r, S).\n\
         joined() -> lists:join($,, [\"a\", \"b\"]).\n",
        expect![[r#"
            sum([any()]) -> number()
            last([any()]) -> any()
            numbered([any()]) -> {[{number(), any()}], number()}
            nothing() -> start
            merged(map()) -> #{a := any(), b := two, any() => any()}
            mask(integer()) -> non_neg_integer()
            high(byte()) -> 0..15
            again(fun(() -> any())) -> {ok, any()}
            wrong(any()) -> badarg
            joined() -> [44 | [97 | 98, ...]]
        "#]],
    );
}

#[test]
fn kinds_of_what_does_not_come_to_rest() {
    // A tag more with every round, for long: the size of the tuples stays.
    let tags: String =
        (0..40).map(|n| format!("grow({{t{n}, X}}) -> grow({{t{}, {{X}}}});\n", n + 1)).collect();
    let text = format!("{tags}grow({{t40, X}}) -> {{X, X}}.\n");
    check(
        "growing",
        &text,
        expect![[r#"
            grow({atom(), any()}) -> {any(), any()}
        "#]],
    );
}

#[test]
fn what_is_called_before_a_call_fails() {
    let text = "-export([main/0]).\n\
        t(_, X) -> X.\n\
        f(I, B) -> element(I, (B orelse t(44, {0, ok}))).\n\
        g() -> t(1, a).\n\
        main() -> {g(), catch f(3, true), catch f(0, false)}.\n";
    let expected = expect![[r#"
        t(1 | 44, a | {0, ok}) -> a | {0, ok}
        f(pos_integer(), false) -> any()
        g() -> a | {0, ok}
        main() -> {a | {0, ok}, any(), any()}
    "#]];
    expected.assert_eq(&typed("failing_calls", text));
}

#[test]
fn what_is_known_of_other_modules() {
    let caller = "-export([new/1]).\nnew(N) -> {point, upper:new(N)}.\n";
    let called = "-export([new/1]).\n\
        new(N) when is_integer(N), N > 0 -> made(N).\n\
        made(N) -> N.\n";
    let expected = expect![[r#"
        new(pos_integer()) -> {point, pos_integer()}
        new(pos_integer()) -> pos_integer()
        made(pos_integer()) -> pos_integer()
    "#]];
    // Whichever comes first.
    expected.assert_eq(&typed_together(&[("a_caller", caller), ("upper", called)]));
}

#[test]
fn what_data_takes_the_place_of_adds_no_calls() {
    // `ms_transform` makes data of a fun; other transforms may add calls of anything.
    let text = |transform: &str| {
        format!(
            "-export([go/1]).\n-compile({{parse_transform, {transform}}}).\n\
             go(T) -> own(1), ets:select(T, ets:fun2ms(fun({{K, V}}) when V > 1 -> K end)).\n\
             own(X) -> {{own, X}}.\n"
        )
    };
    expect![[r#"
        go(any()) -> any()
        own(1) -> {own, 1}
    "#]]
    .assert_eq(&typed("matched", &text("ms_transform")));
    expect![[r#"
        go(any()) -> any()
        own(any()) -> {own, any()}
    "#]]
    .assert_eq(&typed("transformed", &text("another")));
}

#[test]
fn unions_of_many_names() {
    let names: Vec<String> = (0..30).map(|n| format!("t{n}()")).collect();
    let types: String = (0..30).map(|n| format!("-type t{n}() :: {{node, {n}}}.\n")).collect();
    // The spec of another module's function is believed.
    let of = format!(
        "-export([one/0]).\n{types}-type all() :: {}.\n-spec one() -> all().\n\
         one() -> erlang:nif_error(native).\n",
        names.join(" | ")
    );
    let text = "-export([f/0]).\nf() -> tag(names:one()).\ntag(One) -> element(1, One).\n";
    expect![[r#"
        one() -> any()
        f() -> node
        tag(names:all()) -> node
    "#]]
    .assert_eq(&typed_together(&[("names", &of), ("tags", text)]));
}

#[test]
fn repetitions_are_shown_once() {
    let text = "-export([sum/1, nested/1, table/0, twice/1]).\n\
         sum(leaf) -> 0;\nsum({node, V, L, R}) -> V + sum(L) + sum(R).\n\
         nested(X) when is_integer(X) -> X * 2;\nnested(L) -> [nested(X) || X <- L].\n\
         table() -> [[\"a\", \"b\"], [\"c\"]].\n\
         twice({ok, {ok, X}}) when is_atom(X) -> X.\n";
    let shown = shown_as(&[("repetitions", text)], |ty| ty.readable().abridged());
    expect![[r#"
        sum(leaf | {node, number(), any(), any()}) -> number()
        nested(integer() | [any()]) -> integer() | [any()]
        table() -> [[nonempty_string(), ...], ...]
        twice({ok, {ok, atom()}}) -> atom()
    "#]]
    .assert_eq(&shown);
}
