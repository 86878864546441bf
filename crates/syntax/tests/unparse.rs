//! Trees back to text: layout, parentheses, every kind of node. Each text that is printed is also
//! read back and compared.

mod support;

use expect_test::{Expect, expect};
use support::{printed_and_read, read_text};
use syntax::{compare, unparse};

/// How forms are printed; what is printed must be read as the same.
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&printed_and_read(text).1);
}

/// Each line is an expression; expressions that are printed differently are shown.
fn check_expressions(text: &str, expected: Expect) {
    let mut shown = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let source = format!("f() -> {line}.\n");
        let (_, printed) = printed_and_read(&source);
        let body = printed.strip_prefix("f() ->\n    ").unwrap_or(&printed);
        let body = body.trim_end().trim_end_matches('.');
        shown.push_str(&if body == line {
            format!("{line}\n")
        } else {
            format!("{line}  =>  {body}\n")
        });
    }
    expected.assert_eq(&shown);
}

#[test]
fn literals() {
    check_expressions(
        r#"
        {a, 'B', 'maybe', 'else', 'case', 'it\'s', '', 'a b'}
        {1, 16#FF, 1_000, 123456789012345678901234567890}
        {1.0, 1.5e300, 1.0e-5, 0.1, 1_0.5, 16#1.8}
        {$a, $\n, $\s, $ , $', $", $\\, $\x41, $é, $%}
        {"", "a\nb\"\\", "é", "\x{1F600}", "\^A\e\d"}
        "one" "two"
        {~"bin", ~b"a\tb", ~B"a\tb", ~s(x"y), ~S[x\n]}
        {[], [a], [a | b], [a, b | c], [a | [b]]}
        {{}, {a}, {a, {b}}}
        "#,
        expect![[r#"
            {a, 'B', 'maybe', 'else', 'case', 'it\'s', '', 'a b'}
            {1, 16#FF, 1_000, 123456789012345678901234567890}
            {1.0, 1.5e300, 1.0e-5, 0.1, 1_0.5, 16#1.8}  =>  {1.0, 1.5e300, 1.0e-5, 0.1, 10.5, 1.5}
            {$a, $\n, $\s, $ , $', $", $\\, $\x41, $é, $%}  =>  {$a, $\n, $\s, $\s, $', $", $\\, $A, $é, $%}
            {"", "a\nb\"\\", "é", "\x{1F600}", "\^A\e\d"}  =>  {"", "a\nb\"\\", "é", "😀", "\001\e\d"}
            "one" "two"  =>  "onetwo"
            {~"bin", ~b"a\tb", ~B"a\tb", ~s(x"y), ~S[x\n]}  =>  {~b"bin", ~b"a\tb", ~b"a\\tb", ~s"x\"y", ~s"x\\n"}
            {[], [a], [a | b], [a, b | c], [a | [b]]}
            {{}, {a}, {a, {b}}}
        "#]],
    );
}

#[test]
fn operators() {
    check_expressions(
        "
        - -1
        -(-1)
        - + 1
        +-+X
        not not X
        bnot -X
        -X + Y
        -(X + Y)
        A - -1
        A + B - C
        A + (B - C)
        (A + B) * C
        A * B * C
        A * (B * C)
        A div (B rem C)
        A ++ B ++ C
        (A ++ B) ++ C
        A -- (B -- C)
        (A == B) == C
        A == (B == C)
        A < B andalso C >= D orelse E =/= F
        (A orelse B) andalso C
        (A andalso B) andalso C
        A and B or C xor D
        A and (B or C)
        A band B bor C bsl D
        A ! B ! C
        (A ! B) ! C
        A = B = C
        A ! B = C
        (A = B) ! C
        (A = B) + 1
        not (A == B)
        not A == B
        -f(X)
        -X#r.a
        ",
        expect![[r#"
            - -1
            -(-1)  =>  - -1
            - + 1  =>  - +1
            +-+X  =>  + - +X
            not not X
            bnot -X
            -X + Y
            -(X + Y)
            A - -1
            A + B - C
            A + (B - C)
            (A + B) * C
            A * B * C
            A * (B * C)
            A div (B rem C)
            A ++ B ++ C
            (A ++ B) ++ C
            A -- (B -- C)  =>  A -- B -- C
            (A == B) == C
            A == (B == C)
            A < B andalso C >= D orelse E =/= F
            (A orelse B) andalso C
            (A andalso B) andalso C
            A and B or C xor D
            A and (B or C)
            A band B bor C bsl D
            A ! B ! C
            (A ! B) ! C
            A = B = C
            A ! B = C
            (A = B) ! C
            (A = B) + 1
            not (A == B)
            not A == B
            -f(X)
            -X#r.a
        "#]],
    );
}

#[test]
fn catch_has_parentheses_as_operand() {
    check_expressions(
        "
        catch f()
        catch X = f()
        catch catch f()
        X = (catch f())
        X = catch f()
        (catch f()) + 1
        f(catch g())
        [catch g() | catch h()]
        {catch g(), 1}
        -(catch f())
        ",
        expect![[r#"
            catch f()
            catch X = f()
            catch catch f()
            X = (catch f())
            X = catch f()  =>  X = (catch f())
            (catch f()) + 1
            f(catch g())
            [catch g() | catch h()]
            {catch g(), 1}
            -(catch f())
        "#]],
    );
}

#[test]
fn calls_and_remotes() {
    check_expressions(
        "
        f()
        m:f(X)
        M:F(X)
        (f(X))(Y)
        (M:f(X))(Y)
        (fun() -> ok end)()
        (f()):g()
        (m:f()):(g())()
        (a:b):c()
        F(X)
        (X#r.f)(1)
        [1]:f()
        1:2(3)
        (begin f end)(1)
        {a, b}:c(d)
        fun f/1
        fun m:f/1
        fun M:F/A
        fun 'M':'F'/A
        ",
        expect![[r#"
            f()
            m:f(X)
            M:F(X)
            (f(X))(Y)
            (M:f(X))(Y)
            (fun() -> ok end)()
            (f()):g()
            (m:f()):(g())()
            (a:b):c()
            F(X)
            (X#r.f)(1)
            [1]:f()
            1:2(3)  =>  (1):(2)(3)
            (begin f end)(1)  =>  (begin
                    f
                end)(1)
            {a, b}:c(d)
            fun f/1
            fun m:f/1
            fun M:F/A
            fun 'M':'F'/A
        "#]],
    );
}

#[test]
fn maps_and_records() {
    check_expressions(
        "
        #{}
        #{a => 1, B := 2}
        M#{a => 1}
        M#{a => 1}#{b := 2}
        (f())#{a => 1}
        (-M)#{a => 1}
        (1)#{a => 1}
        #{a => 1}#{b => 2}
        (case X of a -> b end)#{a => 1}
        #r{}
        #r{a = 1, _ = 2}
        R#r{a = 1}
        R#r{a = 1}#s{b = 2}
        R#r.a
        R#r.a#s.b
        #r.a
        (f())#r.a
        (M#{a => 1})#r{a = 1}
        (R#r.a)#{a => 1}
        #'R r'{'A' = 1}
        #{catch a => catch b}
        #r{a = catch b}
        #{A = B => C = D}
        #{(A = B) => 1}
        #{a := X} = Y
        #m:r{a = 1}
        R#m:r{a = 1}
        R#m:r.a
        #_{a = 1}
        R#_{a = 1}
        ",
        expect![[r#"
            #{}
            #{a => 1, B := 2}
            M#{a => 1}
            M#{a => 1}#{b := 2}
            (f())#{a => 1}
            (-M)#{a => 1}
            (1)#{a => 1}
            #{a => 1}#{b => 2}
            (case X of a -> b end)#{a => 1}  =>  (case X of
                    a -> b
                end)#{a => 1}
            #r{}
            #r{a = 1, _ = 2}
            R#r{a = 1}
            R#r{a = 1}#s{b = 2}
            R#r.a
            R#r.a#s.b
            #r.a
            (f())#r.a
            (M#{a => 1})#r{a = 1}
            (R#r.a)#{a => 1}
            #'R r'{'A' = 1}
            #{catch a => catch b}
            #r{a = catch b}
            #{A = B => C = D}
            #{(A = B) => 1}  =>  #{A = B => 1}
            #{a := X} = Y
            #m:r{a = 1}
            R#m:r{a = 1}
            R#m:r.a
            #_{a = 1}
            R#_{a = 1}
        "#]],
    );
}

#[test]
fn binaries() {
    check_expressions(
        r#"
        <<>>
        <<1, 2:8, X:16/little-signed-integer-unit:8>>
        <<"abc">>
        <<"abc"/utf8, "def">>
        <<(X + 1):(Y * 2)/integer>>
        <<(f(X)):8>>
        <<(f(X))/binary>>
        <<-1:8>>
        <<-(f(X)):8>>
        <<(- -1):8>>
        << <<1>>/binary, <<2>> >>
        <<(catch X)>>
        <<(m:f())/bits>>
        <<(#r.a)>>
        <<X:Y/binary-unit:1>> = Z
        <<(begin X end)>>
        <<X, (case Y of 1 -> 2 end)>>
        <<(X#r.a):(Y#r.b)>>
        "#,
        expect![[r#"
            <<>>
            <<1, 2:8, X:16/little-signed-integer-unit:8>>
            <<"abc">>
            <<"abc"/utf8, "def">>
            <<(X + 1):(Y * 2)/integer>>
            <<(f(X)):8>>
            <<(f(X))/binary>>
            <<-1:8>>
            <<-(f(X)):8>>
            <<(- -1):8>>  =>  <<-(-1):8>>
            << <<1>>/binary, <<2>> >>
            <<(catch X)>>
            <<(m:f())/bits>>
            <<(#r.a)>>
            <<X:Y/binary-unit:1>> = Z
            <<(begin X end)>>  =>  <<
                    (begin
                        X
                    end)
                >>
            <<X, (case Y of 1 -> 2 end)>>  =>  <<
                    X,
                    (case Y of
                        1 -> 2
                    end)
                >>
            <<(X#r.a):(Y#r.b)>>
        "#]],
    );
}

#[test]
fn comprehensions() {
    check_expressions(
        "
        [X || X <- L]
        [X || X <- L, X > 1, <<Y>> <= B, f(Y)]
        [{X, Y} || X <- L && Y <- M, <<A>> <= B && C <- D]
        [X || X <:- L, <<Y>> <:= B]
        [X, Y || X <- L]
        << <<X>> || X <- L >>
        << (f(X)) || X <- L >>
        <<X || X <- L>>
        << <<X>> || <<X>> <= B >>
        #{K => V || K := V <- M}
        #{K => V || K := V <:- M, is_atom(K)}
        #{K => V, V => K || {K, V} <- L}
        [X || {ok, X} = Y <- L]
        [X || X <- catch L]
        [catch X || X <- L]
        [[Y || Y <- X] || X <- L]
        [X || #{a := X} <- L]
        [Y || X <- L, Y = X]
        (#{K => V || K := V <- M})#{a => b}
        ",
        expect![[r#"
            [X || X <- L]
            [X || X <- L, X > 1, <<Y>> <= B, f(Y)]
            [{X, Y} || X <- L && Y <- M, <<A>> <= B && C <- D]
            [X || X <:- L, <<Y>> <:= B]
            [X, Y || X <- L]
            << <<X>> || X <- L >>
            << (f(X)) || X <- L >>
            <<X || X <- L>>  =>  << X || X <- L >>
            << <<X>> || <<X>> <= B >>
            #{K => V || K := V <- M}
            #{K => V || K := V <:- M, is_atom(K)}
            #{K => V, V => K || {K, V} <- L}
            [X || {ok, X} = Y <- L]
            [X || X <- catch L]
            [catch X || X <- L]
            [[Y || Y <- X] || X <- L]
            [X || #{a := X} <- L]
            [Y || X <- L, Y = X]
            (#{K => V || K := V <- M})#{a => b}
        "#]],
    );
}

#[test]
fn constructs() {
    check(
        "
-module(m).
f(X, Y) when X > 1, Y; X =:= Y -> case X of a -> 1; {b, Z} when Z, Y; Z -> 2 end;
f(_, _) -> begin a, b end.
g() -> if X > 1, Y -> a; true -> b, c end.
h() -> receive {a, X} -> X; _ when true -> ok after 100 * X -> a, b end,
    receive a -> receive after infinity -> ok end end.
i() -> try f(), g() of X when X -> Y; _ -> Z catch throw:X -> X; error:{a, X}:St when is_list(St) -> X;
    C:R:S -> {C, R, S}; X -> X after f(), g() end.
j() -> try f() after g() end, try f() catch _:_ -> ok end.
m() -> fun() -> ok end, fun(X) when X > 1 -> a; (_) -> b end, fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    fun F() -> F() end, fun(X) -> Y = X, Y end.
",
        expect![[r#"
            -module(m).

            f(X, Y) when X > 1, Y; X =:= Y ->
                case X of
                    a -> 1;
                    {b, Z} when Z, Y; Z -> 2
                end;
            f(_, _) ->
                begin
                    a,
                    b
                end.

            g() ->
                if
                    X > 1, Y ->
                        a;
                    true ->
                        b,
                        c
                end.

            h() ->
                receive
                    {a, X} -> X;
                    _ when true -> ok
                after 100 * X ->
                    a,
                    b
                end,
                receive
                    a ->
                        receive
                        after infinity ->
                            ok
                        end
                end.

            i() ->
                try
                    f(),
                    g()
                of
                    X when X -> Y;
                    _ -> Z
                catch
                    throw:X -> X;
                    error:{a, X}:St when is_list(St) -> X;
                    C:R:S -> {C, R, S};
                    X -> X
                after
                    f(),
                    g()
                end.

            j() ->
                try
                    f()
                after
                    g()
                end,
                try
                    f()
                catch
                    _:_ -> ok
                end.

            m() ->
                fun() -> ok end,
                fun
                    (X) when X > 1 -> a;
                    (_) -> b
                end,
                fun
                    F(0) -> 1;
                    F(N) -> N * F(N - 1)
                end,
                fun F() -> F() end,
                fun(X) ->
                    Y = X,
                    Y
                end.
        "#]],
    );
}

#[test]
fn maybe_needs_a_feature() {
    check(
        "
-module(m).
-feature(maybe_expr, enable).
k() -> maybe {ok, X} ?= f(), Y = g(), ok ?= catch h(), X + Y else {error, E} -> E; _ when true -> a end.
l() -> maybe ok end.
",
        expect![[r#"
            -module(m).
            -feature(maybe_expr, enable).

            k() ->
                maybe
                    {ok, X} ?= f(),
                    Y = g(),
                    ok ?= (catch h()),
                    X + Y
                else
                    {error, E} -> E;
                    _ when true -> a
                end.

            l() ->
                maybe
                    ok
                end.
        "#]],
    );
}

#[test]
fn attributes() {
    check(
        r#"
-module(m).
-behaviour(gen_server).
-compile([export_all, {inline, [f/1, g/2]}]).
-export([f/1, 'G'/2]).
-export([]).
-export_type([t/0]).
-optional_callbacks([a/1]).
-import(lists, [map/2]).
-vsn("1.0").
-author({a, <<"b">>, #{c => 1}, -1, 1.5, $a}).
-foo(a).
-foo([a, b]).
-'Bar baz'(x).
-on_load(init/0).
-nifs([f/1]).
-moduledoc "Text.\nMore.".
-doc #{since => "1.0"}.
-doc(false).
-record(r, {}).
-record(s, {a, b = 1, c :: integer(), d = [] :: [a | b], 'E' = catch f()}).
-record #n{a, b = 1 :: integer()}.
-export_record([n]).
-file("x.hrl", 12).
-opaque t() :: a.
f(X) -> X.
"#,
        expect![[r#"
            -module(m).
            -behaviour(gen_server).
            -compile([export_all, {inline, [f/1, g/2]}]).
            -export([f/1, 'G'/2]).
            -export([]).
            -export_type([t/0]).
            -optional_callbacks([a/1]).
            -import(lists, [map/2]).
            -vsn("1.0").
            -author({a, <<"b">>, #{c => 1}, -1, 1.5, $a}).
            -foo(a).
            -foo([a, b]).
            -'Bar baz'(x).
            -on_load(init/0).
            -nifs([f/1]).
            -moduledoc "Text.\nMore.".
            -doc #{since => "1.0"}.
            -doc false.
            -record(r, {}).
            -record(s, {a, b = 1, c :: integer(), d = [] :: [a | b], 'E' = (catch f())}).
            -record #n{a, b = 1 :: integer()}.

            -export_record([n]).
            -file("x.hrl", 12).

            -opaque t() :: a.

            f(X) ->
                X.
        "#]],
    );
}

#[test]
fn types() {
    check(
        "
-type a() :: a | 'B' | 1 | -1 | $c | [] | {} | #{}.
-type b(X, _Y) :: X :: integer() | [X] | [X, ...] | {X, b(X)} | m:t(X, 'A b').
-type c() :: 1..10 | -1..1 bsl 8 - 1 | (1 + 2) * 3 | $a..$z.
-type d() :: <<>> | <<_:8>> | <<_:_*8>> | <<_:1, _:_*(1 + 2)>>.
-type e() :: fun() | fun((...) -> a) | fun(() -> b) | fun((a, X :: b) -> c | d).
-type f() :: #{a => b, c := d | e, (f | g) => h} | #r{} | #r{a :: b, 'C' :: d | e}.
-type g() :: (a | b) | c | (X :: d).
-type h() :: fun((fun(() -> a)) -> fun(() -> b)).
-nominal n() :: integer().
-opaque o(A) :: {A}.
-callback cb(A :: integer()) -> {ok, A}.
-spec f(X) -> Y when X :: a, Y :: {X}.
-spec g(a) -> b; (c) -> d; (X) -> X when is_subtype(X, e).
-spec m:h() -> no_return().
-spec 'I J'() -> x.
",
        expect![[r#"
            -type a() :: a | 'B' | 1 | -1 | $c | [] | {} | #{}.
            -type b(X, _Y) :: X :: integer() | [X] | [X, ...] | {X, b(X)} | m:t(X, 'A b').
            -type c() :: 1..10 | -1..1 bsl 8 - 1 | (1 + 2) * 3 | $a..$z.
            -type d() :: <<>> | <<_:8>> | <<_:_*8>> | <<_:1, _:_*(1 + 2)>>.
            -type e() :: fun() | fun((...) -> a) | fun(() -> b) | fun((a, X :: b) -> c | d).
            -type f() :: #{a => b, c := d | e, f | g => h} | #r{} | #r{a :: b, 'C' :: d | e}.
            -type g() :: (a | b) | c | (X :: d).
            -type h() :: fun((fun(() -> a)) -> fun(() -> b)).
            -nominal n() :: integer().
            -opaque o(A) :: {A}.

            -callback cb(A :: integer()) -> {ok, A}.
            -spec f(X) -> Y when X :: a, Y :: {X}.
            -spec g
                (a) -> b;
                (c) -> d;
                (X) -> X when X :: e.
            -spec m:h() -> no_return().
            -spec 'I J'() -> x.
        "#]],
    );
}

#[test]
fn long_lines_are_broken() {
    check(
        r#"
-export([aaaaaaaaaaaaaaaaaaaa/1, bbbbbbbbbbbbbbbbbbbbbbbb/2, cccccccccccccccccccccc/3, ddddddddddddd/4, eeee/5, f/6, g/7, h/8]).
-record(state, {aaaaaaaaaaaaaaaaaaaaaaaa = [] :: list(), bbbbbbbbbbbbbbbbbbbbbbbbbb = 0 :: integer(), cccccc}).
-type t() :: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb | cccccccccccccccccccccccccccc | ddd.
-spec f(Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb) -> {ok, Cccccccccccccccccccccccc} when Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa :: a, Bbbbbbbbbbbbbbbbbbbbbbbb :: b.
f(Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb) when Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > 1, Bbbbbbbbbbbbbbbbbbbbbbbb < 2 ->
    Result = some_module:some_function(Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb, {another, tuple}),
    lists:foreach(fun({Key, Value}) -> io:format("~p ~p~n", [Key, Value]) end, maps:to_list(Bbbbbbbbbbbbbbbbbbbbbbbb)),
    self() ! {some_message, Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]},
    Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa andalso Bbbbbbbbbbbbbbbbbbbbbbbb andalso Cccccccccccccccccccccccc andalso Ddddd,
    X = case Y of a -> 1; b -> 2 end,
    #{aaaaaaaaaaaaaaaaaaaaaaaaaaa => bbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccc => #{ddddddddddddd => eeee}, f => g},
    [{Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb} || {Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, _} <- Llllll, Bbbbbbbbbbbbbbbbbbbbbbbb > 1],
    "usage: a long text that is shown to the user\nwith a second line\nand a third one\n",
    case some_module:some_function(Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb, "a string", and_an_atom) of ok -> ok end.
"#,
        expect![[r#"
            -export([
                aaaaaaaaaaaaaaaaaaaa/1, bbbbbbbbbbbbbbbbbbbbbbbb/2, cccccccccccccccccccccc/3, ddddddddddddd/4,
                eeee/5, f/6, g/7, h/8
            ]).

            -record(state, {
                aaaaaaaaaaaaaaaaaaaaaaaa = [] :: list(),
                bbbbbbbbbbbbbbbbbbbbbbbbbb = 0 :: integer(),
                cccccc
            }).

            -type t() ::
                aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
                | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                | cccccccccccccccccccccccccccc
                | ddd.

            -spec f(Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb) ->
                {ok, Cccccccccccccccccccccccc} when
                Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa :: a,
                Bbbbbbbbbbbbbbbbbbbbbbbb :: b.
            f(Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb) when
                Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > 1,
                Bbbbbbbbbbbbbbbbbbbbbbbb < 2
            ->
                Result = some_module:some_function(
                    Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb, {another, tuple}
                ),
                lists:foreach(
                    fun({Key, Value}) -> io:format("~p ~p~n", [Key, Value]) end,
                    maps:to_list(Bbbbbbbbbbbbbbbbbbbbbbbb)
                ),
                self() ! {
                    some_message,
                    Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
                    Bbbbbbbbbbbbbbbbbbbbbbbb,
                    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
                },
                Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa andalso
                    Bbbbbbbbbbbbbbbbbbbbbbbb andalso
                    Cccccccccccccccccccccccc andalso
                    Ddddd,
                X =
                    case Y of
                        a -> 1;
                        b -> 2
                    end,
                #{
                    aaaaaaaaaaaaaaaaaaaaaaaaaaa => bbbbbbbbbbbbbbbbbbbbbbbbbbbb,
                    cccccccccccccccccccccccc => #{ddddddddddddd => eeee},
                    f => g
                },
                [
                    {Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb}
                    || {Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, _} <- Llllll,
                       Bbbbbbbbbbbbbbbbbbbbbbbb > 1
                ],
                "usage: a long text that is shown to the user\n"
                "with a second line\n"
                "and a third one\n",
                case
                    some_module:some_function(
                        Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Bbbbbbbbbbbbbbbbbbbbbbbb, "a string", and_an_atom
                    )
                of
                    ok -> ok
                end.
        "#]],
    );
}

/// Nesting that would not fit on the thread's stack.
#[test]
fn deep_trees() {
    let depth = 20_000;
    for (open, middle, close) in
        [("[", "a", "]"), ("- ", "1", ""), ("f(", "", ")"), ("1+(", "2", ")")]
    {
        let source = format!("f() -> {}{middle}{}.\n", open.repeat(depth), close.repeat(depth));
        let module = read_text(&source);
        let printed = unparse::module(&module);
        let _ = syntax::tree_print::module(&module);
        let again = read_text(&printed);
        assert_eq!(compare::same_forms(&module, &again), Ok(()));
    }
}

#[test]
fn one_line() {
    let module = read_text("f(X) -> case X of a -> 1; b -> begin 2, 3 end end.\n");
    let function = module.forms[module.forms.len() - 2];
    expect!["f(X) -> case X of a -> 1; b -> begin 2, 3 end end."]
        .assert_eq(&unparse::one_line(&module, function));
}
