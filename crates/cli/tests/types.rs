//! `erlscope types`: specs, annotated copies, and what is said of bad input.

mod harness;

use expect_test::expect;
use harness::Project;

const PROGRAM: &str = "\
-module(a).
-export([f/1, g/2, loop/1, fails/0]).
-spec g(integer(), integer()) -> integer().
g(X, Y) -> X + Y.
f(X) when is_atom(X) -> {ok, X};
f({X}) -> h(X).
h(N) -> [N, N + 1].
loop(S) -> receive stop -> exit(S); X -> loop(X) end.
fails() -> atom_to_list(1).
-export([rec/1]).
rec(X) when is_record(X, r) -> X.
";

#[test]
fn specs() {
    let project = Project::new("types_specs", &[("a.erl", PROGRAM)]);
    project.check(
        &["types", "a.erl"],
        expect![[r#"
            exit 1
            --- stdout
            %% a.erl
            -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
            -spec h(number()) -> [number(), ...].
            -spec loop(any()) -> no_return().
            -spec fails() -> no_return().
            -spec rec(tuple()) -> tuple().
            --- stderr
            a.erl:9:12: warning: erlang:atom_to_list/1 always fails here: the argument is 1, expected atom() [failing_call]
            a.erl:9:1: warning: fails/0 never returns [no_return]
        "#]],
    );
    project.check(
        &["types", "a.erl", "--all"],
        expect![[r#"
            exit 1
            --- stdout
            %% a.erl
            -spec g(number(), number()) -> number().
            -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
            -spec h(number()) -> [number(), ...].
            -spec loop(any()) -> no_return().
            -spec fails() -> no_return().
            -spec rec(tuple()) -> tuple().
            --- stderr
            a.erl:9:12: warning: erlang:atom_to_list/1 always fails here: the argument is 1, expected atom() [failing_call]
            a.erl:9:1: warning: fails/0 never returns [no_return]
        "#]],
    );
    project.check(
        &["types", "a.erl", "--annotate", "copy"],
        expect![[r#"
            exit 1
            --- stderr
            a.erl:9:12: warning: erlang:atom_to_list/1 always fails here: the argument is 1, expected atom() [failing_call]
            a.erl:9:1: warning: fails/0 never returns [no_return]
        "#]],
    );
    let copy = std::fs::read_to_string(project.root.join("copy/a.erl")).expect("a copy");
    expect![[r#"
        -module(a).
        -export([f/1, g/2, loop/1, fails/0]).
        -spec g(integer(), integer()) -> integer().
        g(X, Y) -> X + Y.
        -spec f(atom() | {number()}) -> [number(), ...] | {ok, atom()}.
        f(X) when is_atom(X) -> {ok, X};
        f({X}) -> h(X).
        -spec h(number()) -> [number(), ...].
        h(N) -> [N, N + 1].
        -spec loop(any()) -> no_return().
        loop(S) -> receive stop -> exit(S); X -> loop(X) end.
        -spec fails() -> no_return().
        fails() -> atom_to_list(1).
        -export([rec/1]).
        -spec rec(tuple()) -> tuple().
        rec(X) when is_record(X, r) -> X.
    "#]]
    .assert_eq(&copy);
    project.check(
        &["types", "a.erl", "--annotate", "."],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: ./a.erl: a copy would take the place of the source
    "#]],
    );
}

#[test]
fn bad_input() {
    let text = "-module(b).\n-export([f/0]).\nf( -> 1.\ng() -> 1.\n";
    let project = Project::new("types_bad", &[("b.erl", text), ("empty/x", "")]);
    project.check(
        &["types", "b.erl"],
        expect![[r#"
        exit 1
        --- stdout
        %% b.erl
        -spec g() -> 1.
        --- stderr
        b.erl:3:4: error: expected a pattern, found '->' [syntax_error]
    "#]],
    );
    project.check(
        &["types", "missing.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: missing.erl: no such file or directory
    "#]],
    );
    project.check(
        &["types", "empty"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: empty: no Erlang modules found
    "#]],
    );
}

const WRONG: &str = "\
-module(wrong).
-export([call/1, order/1, op/1, funs/1, match/0, clause/1, covered/1, both/1, spec/1, meant/0]).
-dialyzer({no_match, quiet/1}).
-export([quiet/1, made/1]).
-define(CHECK(X), case is_atom(X) of true -> ok; false -> no; _ -> other end).
call(X) -> Y = atom_to_list(X), atom_to_list(Y).
order(X) -> lists:nth(X, length(X)).
op(X) -> {X} + 1.
funs(X) -> F = fun(A, B) -> A + B end, F(X).
match() -> {ok, X} = pair(), X.
pair() -> {error, none}.
clause(X) -> case half(X) of {ok, Y} -> Y; {eror, _} -> 0; error -> 1 end.
half(X) when X rem 2 =:= 0 -> {ok, X div 2};
half(_) -> error.
covered(X) -> case is_list(X) of true -> 1; false -> 2; _ -> 3 end.
both(X) -> case X of a -> a + 1; _ -> hd(X = {}) end.
-spec spec(integer()) -> atom().
spec(X) -> X + 1.
meant() -> exit(done).
quiet(X) -> case is_list(X) of true -> 1; false -> 2; _ -> 3 end.
made(X) -> ?CHECK(X).
";

#[test]
fn what_is_wrong() {
    let project = Project::new("types_wrong", &[("wrong.erl", WRONG)]);
    project.check(&["types", "wrong.erl", "--check", "--format", "short"], expect![[r#"
        exit 1
        --- stdout
        wrong.erl:6:33: warning: erlang:atom_to_list/1 always fails here: the argument is string(), expected atom() [failing_call]
        wrong.erl:6:1: warning: call/1 never returns [no_return]
        wrong.erl:7:13: warning: lists:nth/2 always fails here: argument 1 is [any()], expected pos_integer() [failing_call]
        wrong.erl:7:1: warning: order/1 never returns [no_return]
        wrong.erl:8:14: warning: '+' always fails for {any()} and 1 [failing_operator]
        wrong.erl:8:1: warning: op/1 never returns [no_return]
        wrong.erl:9:40: warning: this call always fails: fun((number(), number()) -> number()) is given 1 argument: any() [failing_fun]
        wrong.erl:9:1: warning: funs/1 never returns [no_return]
        wrong.erl:10:12: warning: this match always fails: the value is {error, none} [failing_match]
        wrong.erl:10:1: warning: match/0 never returns [no_return]
        wrong.erl:12:44: warning: this clause never matches error [unmatched_clause]
        wrong.erl:15:57: warning: this clause is never reached: those before it take everything [covered_clause]
        wrong.erl:16:29: warning: '+' always fails for a and 1 [failing_operator]
        wrong.erl:16:1: warning: both/1 never returns [no_return]
        wrong.erl:16:39: warning: erlang:hd/1 always fails here: the argument is {}, expected nonempty_maybe_improper_list(any(), any()) [failing_call]
        wrong.erl:17:2: warning: the spec says that the result is atom(), but it is integer() [spec_result]
        checked 1 module, 0 errors, 16 warnings
    "#]]);
    project.check(
        &["types", "wrong.erl", "--format", "sarif"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: this format tells what is wrong, not types: add --check
    "#]],
    );
}

/// The call is blamed, not the clause that does not take what it is given.
#[test]
fn what_is_wrong_with_reasons() {
    let text = "-module(b).\n-export([f/1]).\nf(X) ->\n    Y = atom_to_list(X),\n    g(Y).\n\
                g({A, B}) -> A + B.\n";
    let project = Project::new("types_reasons", &[("b.erl", text)]);
    project.check(&["types", "b.erl", "--check"], expect![[r#"
        exit 1
        --- stdout
        warning[failing_call]: g/1 always fails here: the argument is string(), expected {number(), number()}
         --> b.erl:5:5
          |
        5 |     g(Y).
          |     ^^^^
          |
        note: g/1 returns only if the argument is {number(), number()}
         --> b.erl:6:1
          |
        6 | g({A, B}) -> A + B.
          | ^
        note: this is string()
         --> b.erl:4:9
          |
        4 |     Y = atom_to_list(X),
          |         ^^^^^^^^^^^^^^^

        warning[no_return]: f/1 never returns
         --> b.erl:3:1
          |
        3 | f(X) ->
          | ^
          |
        note: this always fails
         --> b.erl:5:5
          |
        5 |     g(Y).
          |     ^^^^

        checked 1 module, 0 errors, 2 warnings
    "#]]);
    project.check(&["types", "b.erl"], expect![[r#"
        exit 1
        --- stdout
        %% b.erl
        -spec f(any()) -> no_return().
        -spec g({number(), number()}) -> number().
        --- stderr
        b.erl:5:5: warning: g/1 always fails here: the argument is string(), expected {number(), number()} [failing_call]
        b.erl:3:1: warning: f/1 never returns [no_return]
    "#]]);
}

/// Errors are part of what is wrong, and of such a module nothing else is told.
#[test]
fn a_module_with_errors() {
    let text = "-module(e).\n-export([f/0]).\nf() -> atom_to_list(1).\ng( ->.\n";
    let project = Project::new("types_errors", &[("e.erl", text)]);
    project.check(
        &["types", "e.erl", "--check", "--format", "short"],
        expect![[r#"
        exit 1
        --- stdout
        e.erl:4:4: error: expected a pattern, found '->' [syntax_error]
        checked 1 module, 1 error, 0 warnings
    "#]],
    );
}

/// Who raises again what was caught means to.
#[test]
fn what_raises_again_is_meant_to() {
    let text = "-module(again).\n-export([f/1]).\n\
        f(X) -> try g(X) catch C:R:S -> up(C, R, S) end.\n\
        up(C, R, S) -> erlang:raise(C, {again, R}, S).\n\
        g(X) -> X + 1.\n";
    let project = Project::new("types_again", &[("again.erl", text)]);
    project.check(
        &["types", "again.erl", "--check", "--format", "short"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
}

#[test]
fn records_are_named_in_specs() {
    let text = "-module(r).\n-export([new/1, older/1, wrong/0, other/1]).\n\
        -record(person, {name, age = 0 :: integer(), 'Tag' :: atom()}).\n\
        new(Name) -> #person{name = Name}.\n\
        older(#person{age = Age} = P) -> {ok, P#person{age = Age + 1}}.\n\
        wrong() -> {person, a, b, c}.\n\
        other({person, _, _}) -> {late, 1}.\n\
        -record(late, {count}).\n";
    let project = Project::new("types_records", &[("r.erl", text)]);
    project.check(
        &["types", "r.erl"],
        expect![[r#"
            exit 0
            --- stdout
            %% r.erl
            -spec new(any()) -> #person{age :: 0, 'Tag' :: undefined}.
            -spec older(#person{}) -> {ok, #person{}}.
            -spec wrong() -> {person, a, b, c}.
            -spec other({person, any(), any()}) -> {late, 1}.
        "#]],
    );
}

/// From the place where it fails to where the values come from, across functions.
#[test]
fn why_paths() {
    let text = "-module(w).\n-export([f/1, g/1, h/0]).\n\
        f(X) when is_list(X) ->\n    case X of\n        [] -> none;\n        _ -> width({X, X})\n    end.\n\
        width([_, _]) -> 2;\n\
        width(Text) when is_binary(Text) -> byte_size(Text).\n\
        g(Item) ->\n    Found = find(Item),\n    Found + 1.\n\
        find(a) -> {ok, 1};\n\
        find(_) -> error.\n\
        h() ->\n    first(<<\"a\">>).\n\
        first(Name) -> hd(Name).\n";
    let project = Project::new("types_why", &[("w.erl", text)]);
    project.check(&["types", "--check", "w.erl"], expect![[r#"
        exit 1
        --- stdout
        warning[failing_call]: width/1 always fails here: the argument is {nonempty_maybe_improper_list(any(), any()), nonempty_maybe_improper_list(any(), any())}, expected binary() | [any(), ...]
         --> w.erl:6:14
          |
        6 |         _ -> width({X, X})
          |              ^^^^^^^^^^^^^
          |
        note: width/1 returns only if the argument is binary() | [any(), ...]
         --> w.erl:8:1
          |
        8 | width([_, _]) -> 2;
          | ^^^^^
        note: this is {nonempty_maybe_improper_list(any(), any()), nonempty_maybe_improper_list(any(), any())}
         --> w.erl:6:20
          |
        6 |         _ -> width({X, X})
          |                    ^^^^^^

        warning[failing_operator]: '+' always fails for error | {ok, 1} and 1
          --> w.erl:12:11
           |
        12 |     Found + 1.
           |     ------^--
           |
        note: this is error | {ok, 1}
          --> w.erl:11:13
           |
        11 |     Found = find(Item),
           |             ^^^^^^^^^^
        note: find/1 gives error | {ok, 1}
          --> w.erl:13:1
           |
        13 | find(a) -> {ok, 1};
           | ^^^^

        warning[no_return]: g/1 never returns
          --> w.erl:10:1
           |
        10 | g(Item) ->
           | ^
           |
        note: this always fails
          --> w.erl:12:5
           |
        12 |     Found + 1.
           |     ^^^^^^^^^

        warning[failing_call]: first/1 always fails here: the argument is <<_:8>>, expected nonempty_maybe_improper_list(any(), any())
          --> w.erl:16:5
           |
        16 |     first(<<"a">>).
           |     ^^^^^^^^^^^^^^
           |
        note: first/1 returns only if the argument is nonempty_maybe_improper_list(any(), any())
          --> w.erl:17:1
           |
        17 | first(Name) -> hd(Name).
           | ^^^^^
        note: this is <<_:8>>
          --> w.erl:16:11
           |
        16 |     first(<<"a">>).
           |           ^^^^^^^

        warning[no_return]: h/0 never returns
          --> w.erl:15:1
           |
        15 | h() ->
           | ^
           |
        note: this always fails
          --> w.erl:16:5
           |
        16 |     first(<<"a">>).
           |     ^^^^^^^^^^^^^^

        checked 1 module, 0 errors, 5 warnings
    "#]]);
}

#[test]
fn promises_that_are_broken() {
    let text = "-module(b).\n-behaviour(gen_server).\n\
        -export([init/1, handle_call/3, handle_cast/2, f/0, g/0, h/0, i/0, j/1]).\n\
        -record(p, {name :: string(), age = 0 :: integer()}).\n\
        init(_) -> {okay, 1}.\n\
        handle_call(get, _From, S) -> {answer, S, S}.\n\
        handle_cast(_, S) -> {noreply, S}.\n\
        f() -> #p{name = \"x\", age = old}.\n\
        g() -> lists:no_such(1).\n\
        h() -> try lists:no_such(1) catch error:undef -> none end.\n\
        i() -> case queue:new() of {[], []} -> empty; _ -> full end.\n\
        j(Table) -> ets:match_object(Table, #p{age = '_', _ = '_'}).\n";
    let project = Project::new("types_promises", &[("b.erl", text)]);
    project.check(&["types", "--check", "b.erl", "--format", "short"], expect![[r#"
        exit 1
        --- stdout
        b.erl:5:1: warning: gen_server expects ignore | {ok, any()} | {stop, any()} | {ok, any(), hibernate | infinity | non_neg_integer() | {continue, any()}} of this callback, but it gives {okay, 1} [callback_type]
        b.erl:6:1: warning: gen_server expects {noreply, any()} | {noreply, any(), hibernate | infinity | non_neg_integer() | {continue, any()}} | {reply, any(), any()} | {stop, any(), any()} | {reply, any(), any(), hibernate | infinity | non_neg_integer() | {continue, any()}} | {stop, any(), any(), any()} of this callback, but it gives {answer, any(), any()} [callback_type]
        b.erl:8:23: warning: field age of #p{} is declared as integer(), but is given old [record_field]
        b.erl:9:8: warning: lists does not export no_such/1 [missing_function]
        b.erl:11:28: warning: this looks into queue:queue(), which is opaque outside of its module [opaque_term]
        checked 1 module, 0 errors, 5 warnings
    "#]]);
    let text =
        "-module(c).\n-export([f/0]).\n-dialyzer(no_missing_calls).\nf() -> lists:no_such(1).\n";
    let project = Project::new("types_promises_kept", &[("c.erl", text)]);
    project.check(
        &["types", "--check", "c.erl"],
        expect![[r#"
        exit 0
        --- stdout
        checked 1 module, 0 errors, 0 warnings
    "#]],
    );
}
