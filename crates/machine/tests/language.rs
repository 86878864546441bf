//! Small programs: what `t:main()` returns, or how the process ends.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use expect_test::{Expect, expect};
use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use machine::{Ending, Machine};
use syntax::source::NoFiles;
use term::{Atom, print};

struct OneModule(String);

impl Loader for OneModule {
    fn load(&self, module: Atom) -> Option<Loaded> {
        if module.as_str() != "t" {
            return None;
        }
        let options = syntax::options::Options::default();
        let source = syntax::read_module_bytes(
            Path::new("t.erl"),
            self.0.as_bytes().to_vec(),
            &NoFiles,
            &options,
        );
        assert!(source.diagnostics.is_empty(), "{:?}", source.diagnostics);
        match code::lower::lower(&source) {
            Ok(code) => Some(Loaded { code, source: Arc::new(source).into() }),
            Err(problems) => panic!("{problems:?}"),
        }
    }
}

#[track_caller]
fn check(body: &str, expected: Expect) {
    expected.assert_eq(&value(body));
}

#[track_caller]
fn check_value(body: &str, expected: &str) {
    assert_eq!(value(body), expected, "{body}");
}

/// Runs `main()`; its value is seen by exiting with it.
fn value(body: &str) -> String {
    let text = format!(
        "-module(t).\n-export([main/0, start/0]).\nstart() -> exit({{value, main()}}).\n{body}"
    );
    let mut machine = Machine::new(Rc::new(OneModule(text)), Rc::new(Sealed::default()));
    let pid = machine.spawn(Atom::new("t"), Atom::new("start"), Vec::new());
    match machine.run_to_end(pid, 100_000) {
        Ending::Ended(reason) => match reason.as_tuple() {
            Some([tag, value]) if tag.is_atom(Atom::new("value")) => print::to_string(value),
            _ => format!("ended: {}", print::to_string(&reason)),
        },
        other => format!("{other:?}"),
    }
}

/// OTP 25.2.3 gives `{2,2}` here: its compiler binds a bound variable anew where it stands between
/// two others. OTP took that for a bug and mended it in 25.3 (OTP-18470); we do as the language has
/// it.
#[test]
fn a_bound_variable_between_two_matches_is_compared() {
    let caught =
        |call: &str| format!("main() -> try {call} catch C:R -> {{C, R}} end. id(X) -> X.");
    for (function, value) in [
        ("f(E, B) -> S = B = E, {S, B}.", "{error,{badmatch,2}}"),
        ("f(E, B) -> S = B = id(E), {S, B}.", "{error,{badmatch,2}}"),
        ("f(E, B) -> S = T = B = id(E), {S, T, B}.", "{error,{badmatch,2}}"),
        ("f(E, B) -> {S} = B = id({E}), {S, B}.", "{error,{badmatch,{2}}}"),
        ("f(E, _) -> B = id(2), S = B = id(E), {S, B}.", "{2,2}"),
    ] {
        check_value(&format!("{}\n{function}", caught("f(2, 1)")), value);
    }
}

#[test]
fn matching() {
    check(
        "main() -> {X, [Y|_], #{k := Z}} = {1, [2,3], #{k => 4}}, [X, Y, Z].",
        expect![["[1,2,4]"]],
    );
    check("main() -> f([a, a, b]). f([X, X, Y]) -> {X, Y}.", expect![["{a,b}"]]);
    check(
        "main() -> case {ok, 3} of {ok, N} when N > 2, N < 4; N =:= 7 -> N; _ -> no end.",
        expect![["3"]],
    );
    check("main() -> \"ab\" ++ T = \"abcd\", T.", expect![["[99,100]"]]);
    check("main() -> f(1, {1, 2}). f(X, {X, Y}) -> Y.", expect![["2"]]);
    check("main() -> f({1, 2}, 1). f({X, Y}, X) -> Y.", expect![["2"]]);
}

#[test]
fn failures() {
    check(
        "main() -> {X, X} = {1, 2}, X.",
        expect![[
            r#"ended: {{badmatch,{1,2}},[{t,main,0,[{file,[116,46,101,114,108]},{line,4}]},{t,start,0,[{file,[116,46,101,114,108]},{line,3}]}]}"#
        ]],
    );
    check(
        "main() -> f(3). f(1) -> a.",
        expect![[
            r#"ended: {function_clause,[{t,f,[3],[{file,[116,46,101,114,108]},{line,4}]},{t,start,0,[{file,[116,46,101,114,108]},{line,3}]}]}"#
        ]],
    );
    check(
        "main() -> f(a). f(X) -> X + 1.",
        expect![
            "ended: {badarith,[{t,f,1,[{file,[116,46,101,114,108]},{line,4}]},{t,start,0,[{file,[116,46,101,114,108]},{line,3}]}]}"
        ],
    );
    check(
        "main() -> x:y(1, 2).",
        expect![
            "ended: {undef,[{x,y,[1,2],[]},{t,start,0,[{file,[116,46,101,114,108]},{line,3}]}]}"
        ],
    );
}

#[test]
fn catching() {
    check("main() -> try throw({v, 1}) catch {v, X} -> X end.", expect![["1"]]);
    check("main() -> try hd([]) catch error:badarg -> caught end.", expect![["caught"]]);
    check("main() -> try exit(x) of _ -> no catch C:R -> {C, R} end.", expect![["{exit,x}"]]);
    check("main() -> catch throw(t).", expect![["t"]]);
    check(
        "main() -> X = try self() ! hello after self() ! bye end, {X, receive A -> A end, receive B -> B end}.",
        expect![["{hello,hello,bye}"]],
    );
    check(
        "main() -> try try throw(x) after self() ! cleaned end catch x -> receive M -> M end end.",
        expect![["cleaned"]],
    );
}

#[test]
fn funs_and_comprehensions() {
    check("main() -> Y = 10, F = fun(X) -> X + Y end, F(5).", expect![["15"]]);
    check(
        "main() -> F = fun G(0) -> 1; G(N) -> N * G(N - 1) end, F(20).",
        expect![["2432902008176640000"]],
    );
    check(
        "main() -> [{X, Y} || X <- [1,2,3], X =/= 2, Y <- [a,b]].",
        expect![["[{1,a},{1,b},{3,a},{3,b}]"]],
    );
    check("main() -> Y = 1, [X || X <- [Y, 2], Y <- [7], X < Y].", expect![["[1,2]"]]);
    check("main() -> << <<(X * 2)>> || X <- [1,2,3] >>.", expect![["<<2,4,6>>"]]);
    check("main() -> [X || <<X:4>> <= <<16#ABC:12>>].", expect![["[10,11,12]"]]);
    check("main() -> [X || {ok, X} <- [{ok, 1}, error, {ok, 2}]].", expect![["[1,2]"]]);
}

#[test]
fn bits() {
    check(
        "main() -> <<A:4, B:12/little, C/binary>> = <<16#12, 16#34, 5, 6>>, {A, B, C}.",
        expect![["{1,1059,<<5,6>>}"]],
    );
    check(
        "main() -> N = 3, <<X:N/binary, _/bits>> = <<\"hello\">>, <<X/binary, 1:1>>.",
        expect![["<<104,101,108,1:1>>"]],
    );
    check(
        "main() -> <<\"\\x{3b1}\"/utf8, 1.5:32/float, -1:16>>.",
        expect![["<<206,177,63,192,0,0,255,255>>"]],
    );
    check(
        "main() -> <<X/utf8, Y:16/signed-little>> = <<206, 177, 254, 255>>, {X, Y}.",
        expect![["{945,-2}"]],
    );
}

#[test]
fn records_and_maps() {
    check(
        "-record(r, {a = 1, b}).\nmain() -> R = #r{b = 2}, S = R#r{a = 3}, {R, S#r.a, #r.b, is_record(S, r)}.",
        expect![["{{r,1,2},3,3,true}"]],
    );
    check(
        "main() -> M = #{a => 1}, M2 = M#{b => 2, a := 3}, {M, M2}.",
        expect![["{#{a => 1},#{a => 3,b => 2}}"]],
    );
    check("main() -> try #{a => 1}#{b := 2} catch error:E -> E end.", expect![["{badkey,b}"]]);
}

#[test]
fn processes() {
    check(
        "main() -> S = self(), P = spawn(fun() -> receive {S, X} -> S ! X * 2 end end), P ! {S, 21}, receive R -> R end.",
        expect![["42"]],
    );
    check(
        "main() -> self() ! a, self() ! b, receive b -> receive X -> {b, X} end end.",
        expect![["{b,a}"]],
    );
    check("main() -> receive x -> y after 10 -> timeout end.", expect![["timeout"]]);
    check("main() -> receive after infinity -> x end.", expect!["Quiescent"]);
}

#[test]
fn relations() {
    check(
        "main() -> {P, R} = spawn_monitor(fun() -> exit(why) end), receive {'DOWN', R, process, P, X} -> X end.",
        expect![["why"]],
    );
    check(
        "main() -> process_flag(trap_exit, true), P = spawn_link(fun() -> exit(gone) end), receive {'EXIT', P, X} -> X end.",
        expect![["gone"]],
    );
    check(
        "main() -> S = self(), P = spawn(fun() -> receive ok -> ok end end), R = monitor(process, P), exit(P, kill), receive {'DOWN', R, _, _, X} -> {X, is_process_alive(P), is_process_alive(S)} end.",
        expect![["{killed,false,true}"]],
    );
    check(
        "main() -> register(me, self()), me ! {hello, whereis(me) =:= self()}, receive X -> {X, catch nobody ! x} end.",
        expect![[
            r#"{{hello,true},{'EXIT',{badarg,[{erlang,send,[nobody,x],[{error_info,#{module => erl_erts_errors}}]},{t,main,0,[{file,[116,46,101,114,108]},{line,4}]},{t,start,0,[{file,[116,46,101,114,108]},{line,3}]}]}}}"#
        ]],
    );
    check(
        "main() -> A = alias([reply]), spawn(fun() -> A ! one, A ! two end), receive X -> receive Y -> {X, Y} after 100 -> {X, unalias(A)} end end.",
        expect![["{one,false}"]],
    );
    check(
        "main() -> R = erlang:start_timer(50, self(), x), 50 = erlang:read_timer(R), receive {timeout, R, M} -> {M, erlang:cancel_timer(R), erlang:monotonic_time(millisecond)} end.",
        expect![["{x,false,50}"]],
    );
    check(
        "main() -> t:module_info(exports).",
        expect![["[{main,0},{start,0},{module_info,0},{module_info,1}]"]],
    );
    check(
        "main() -> apply(fun(A, B) -> A - B end, [5, 3]) + apply(t, f, [1]). -compile(export_all).\nf(X) -> X.",
        expect![["3"]],
    );
}

#[test]
fn deep_recursion_and_long_lists() {
    check(
        "main() -> length(f(1000000)). f(0) -> []; f(N) -> [N | f(N - 1)].",
        expect![["1000000"]],
    );
}

#[test]
fn control() {
    check("main() -> X = 5, if X > 7 -> a; X > 3, X < 6 -> b; true -> c end.", expect![["b"]]);
    check("main() -> (fun(X) -> X =:= 1 orelse X =:= 2 end)(2) andalso yes.", expect![["yes"]]);
    check("main() -> try 1 andalso true catch error:E -> E end.", expect![["{badarg,1}"]]);
    check(
        "main() -> maybe {ok, X} ?= {ok, 1}, {ok, Y} ?= {error, X}, Y else {error, E} -> {failed, E} end.",
        expect![["{failed,1}"]],
    );
}

#[test]
fn names_in_sizes_and_keys_of_heads() {
    check("main() -> L = 8, F = fun(<<L:L, B:L>>) -> B end, F(<<16:8, 7:16>>).", expect![["7"]]);
    check("main() -> U = 8, [U || <<U:U>> <= <<32:8, 33:8>>].", expect![["[32,33]"]]);
    check("main() -> K = a, F = fun(#{K := K}) -> K end, F(#{a => 1}).", expect![["1"]]);
    check(
        "main() -> L = 8, F = fun([L], <<L:L, B:L>>) -> {L, B} end, F([16], <<16:8, 7:16>>).",
        expect![["{16,7}"]],
    );
}

#[test]
fn operands_do_not_see_each_others_variables() {
    check("main() -> {X = 1, (fun() -> X = 2 end)()}, X.", expect![["1"]]);
    check(
        "main() -> try {X = 1, begin X = 1, (fun() -> X = 2 end)() end}, X catch _:R -> R end.",
        expect![["{badmatch,2}"]],
    );
}

#[test]
fn constants_in_binary_patterns() {
    check("main() -> f(<<0>>). f(<<256:8>>) -> a; f(<<0:8>>) -> b.", expect![["b"]]);
    check("main() -> f(<<255>>). f(<<-1:8>>) -> a; f(<<-1:8/signed>>) -> b.", expect![["b"]]);
    check("main() -> f(<<7:64/float>>). f(<<7:64/float>>) -> a; f(_) -> b.", expect![["a"]]);
    check("main() -> f(<<7>>). f(<<B:all/binary>>) -> B; f(_) -> none.", expect![["none"]]);
    check("main() -> X = <<\"\":(Y = 42)>>, {X, Y}.", expect![["{<<>>,42}"]]);
    check("main() -> catch <<\"\":(-1)>>, try <<\"\":x>> catch _:R -> R end.", expect![["badarg"]]);
}

#[test]
fn many_generators() {
    check(
        "main() -> [A+B+C+D+E+F+G+H+I+J || A <- [1], B <- [A], C <- [B], D <- [C], E <- [D], F <- [E],
            G <- [F], H <- [G], I <- [H], J <- [I], A <- [J]].",
        expect![["[10]"]],
    );
    check("main() -> << <<(<< <<X>> || true >>)/bits>> || X <- [1, 2] >>.", expect![["<<1,2>>"]]);
}

#[test]
fn order_of_map_updates() {
    check(
        "main() -> M = #{1 => a}, try M#{42.0 := v, 42 := w} catch _:R -> R end.",
        expect![["{badkey,42}"]],
    );
    check("main() -> M = #{1 => a}, M#{2 => b, 2 := c, 1 := d}.", expect![["#{1 => d,2 => c}"]]);
}

#[test]
fn old_names_of_type_tests() {
    check("main() -> f([]). f(X) when atom(X); list(X) -> yes; f(_) -> no.", expect![["yes"]]);
}

#[test]
fn a_caller_is_noted_once() {
    // As on the BEAM: frames in a row with the same address are one entry.
    check(
        "main() -> try f(100) catch _:_:S -> [{F, A} || {_, F, A, _} <- S] end.
         f(0) -> g(x); f(N) -> f(N - 1) + 1. g(X) -> erlang:error(X), ok.",
        expect![["[{g,1},{f,1},{main,0},{start,0}]"]],
    );
}

#[test]
fn failed_construction_of_binaries() {
    check(
        "main() -> [f(a, 8), f(1, b), f(1, 1 bsl 70)].
         f(V, S) -> try <<\"x\", V:S>> catch _:R:T ->
             [{_, F, A, L} | _] = T, {_, #{cause := C}} = lists:keyfind(error_info, 1, L), {R, F, A, C} end.",
        expect![[
            "[{badarg,f,2,{2,integer,type,a}},{badarg,f,2,{2,integer,size,b}},{system_limit,f,2,{2,integer,size,1180591620717411303424}}]"
        ]],
    );
}

#[test]
fn depth_of_stack_traces() {
    check(
        "main() -> 8 = erlang:system_flag(backtrace_depth, 3), f(1).
         f(5) -> try g() catch _:_:S -> length(S) end; f(N) -> X = f(N + 1), X.
         g() -> h(), ok. h() -> erlang:error(x), ok.",
        expect![["3"]],
    );
}

#[test]
fn a_bad_timeout_leaves_the_messages() {
    check(
        "main() -> self() ! a, try receive b -> b after x -> c end catch _:R -> {R, receive M -> M end} end.",
        expect![["{timeout_value,a}"]],
    );
}

#[test]
fn settings_of_processes() {
    check(
        "main() -> P = spawn_opt(fun() -> receive x -> x end end, [{min_heap_size, 987}, {max_heap_size, 1000000}]),
            233 = process_flag(min_heap_size, 610),
            {process_info(P, min_heap_size), process_info(self(), min_heap_size), process_info(P, max_heap_size)}.",
        expect![[
            "{{min_heap_size,987},{min_heap_size,610},{max_heap_size,#{error_logger => true,kill => true,size => 1000000}}}"
        ]],
    );
}
