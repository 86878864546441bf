//! The statements of small programs, as a tree of lines.
//!
//! A program is a module without its `-module` line; `main/0` is run on a bare Machine. A line is
//! the process, the function with its arguments, after `|` what the part began with, after `=>`
//! what it came to, with the messages that it sent and the processes that it made.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use code::lower::lower;
use debug::record::{Outcome, Statement, Taken};
use debug::{NodeIx, Recording, Run};
use expect_test::{Expect, expect};
use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use machine::{Machine, Pid};
use runner::library;
use term::{Atom, Term, format};

struct Sources(String);

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let source = match module.as_str() {
            "t" => library::read_source(Path::new("t.erl"), &self.0),
            other => library::tree(other)?,
        };
        let code = lower(&source).unwrap_or_else(|problems| panic!("{module}: {problems:?}"));
        Some(Loaded { code, source: Arc::new(source).into() })
    }
}

fn shown(term: &Term) -> String {
    format::pretty::to_string(term).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn who(pid: Pid) -> String {
    format!("<{}>", pid.0)
}

fn line(statement: &Statement) -> String {
    let args: Vec<String> = statement.args.iter().map(shown).collect();
    let mut line = format!("{} {}({})", who(statement.pid), statement.function.1, args.join(", "));
    match statement.after.as_ref().map(|after| &after.taken) {
        None => {}
        Some(Taken::TimeOut { .. }) => line += " | timeout",
        Some(Taken::Message { message, sender, .. }) => {
            let sender = sender.map_or("?".to_owned(), |sender| sender.0.to_string());
            line += &format!(" | {} of {sender}", shown(message));
        }
    }
    line += &match &statement.outcome {
        Outcome::Value(value) => format!(" => {}", shown(value)),
        Outcome::Exception { class, reason } => format!(" => {class:?} {}", shown(reason)),
        Outcome::Waited => " => waited".to_owned(),
        Outcome::Ended(reason) => format!(" => ended {}", shown(reason)),
        Outcome::Unfinished => " => unfinished".to_owned(),
    };
    for sent in &statement.sent {
        line += &format!(", {} ! {}", who(sent.to), shown(&sent.message));
    }
    for effect in &statement.effects {
        let args: Vec<String> = effect.args.iter().map(shown).collect();
        let result = effect.result.as_ref().map_or("failed".to_owned(), shown);
        line += &format!(", {}({}) = {result}", effect.function.1, args.join(", "));
    }
    for new in &statement.spawned {
        line += &format!(", new {}", who(new.pid));
    }
    line
}

fn tree(run: &Run, node: NodeIx, depth: usize, out: &mut String) {
    if let Some(statement) = run.statement(node) {
        let number = run.shape.given(node).unwrap_or_default();
        *out += &format!("{}{number}: {}\n", "  ".repeat(depth - 1), line(statement));
    }
    for child in run.shape.children(node) {
        tree(run, child, depth + 1, out);
    }
}

fn check(program: &str, expected: &Expect) {
    let text = format!("-module(t). -compile(export_all).\n{program}");
    let mut machine = Machine::new(Rc::new(Sources(text)), Rc::new(Sealed::default()));
    let recording = Recording::new([Atom::new("t")]);
    machine.observe(Some(recording.observer()));
    let pid = machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
    machine.run_to_end(pid, 100_000);
    machine.observe(None);
    let mut out = String::new();
    let run = recording.finish().unwrap_or_else(|_| panic!("a short run"));
    tree(&run, NodeIx::ROOT, 0, &mut out);
    expected.assert_eq(&out);
}

/// Calls, in tail position and not, funs through the library, comprehensions.
#[test]
fn sequential() {
    check(
        "
main() -> A = len([a, b]), B = [double(X) || X <- [A]], lists:map(fun(Y) -> Y + hd(B) end, [1]).
len(L) -> len(L, 0).
len([], N) -> N;
len([_ | T], N) -> len(T, N + 1).
double(X) -> X * 2.
",
        &expect![[r#"
            0: <80> main() => [5]
              1: <80> len([a,b]) => 2
                2: <80> len([a,b], 0) => 2
                  3: <80> len([b], 1) => 2
                    4: <80> len([], 2) => 2
              5: <80> double(2) => 4
              6: <80> -main/0-fun-1-(1) => 5
        "#]],
    );
}

/// An exception is what all come to that it leaves.
#[test]
fn exceptions() {
    check(
        "
main() -> A = (catch f(1)), try g(2) catch throw:X -> {A, X} end.
f(X) -> 1 + h(X).
g(X) -> h({X}).
h(X) when is_integer(X) -> error(bad);
h(X) -> throw(X).
",
        &expect![[r#"
            0: <80> main() => {{'EXIT',{bad,[{t,h,1,[{file,"t.erl"},{line,6}]}, {t,f,1,[{file,"t.erl"},{line,4}]}, {t,main,0,[{file,"t.erl"},{line,3}]}]}}, {2}}
              1: <80> f(1) => Error bad
                2: <80> h(1) => Error bad
              3: <80> g(2) => Throw {2}
                4: <80> h({2}) => Throw {2}
        "#]],
    );
}

/// A server's loop is a list of statements; a client that asks is cut by the answer.
#[test]
fn receives() {
    check(
        "
main() -> S = spawn(t, loop, [0]), A = ask(S, 1), B = ask(S, A + 1), S ! stop, {A, B}.
ask(S, N) -> S ! {add, self(), N}, receive {sum, X} -> check(X) end.
check(X) -> X.
loop(Sum) ->
    receive
        {add, From, N} -> From ! {sum, new(Sum, N)}, loop(new(Sum, N));
        stop -> Sum
    end.
new(Sum, N) -> Sum + N.
",
        &expect![[r#"
            0: <80> main() => waited, new <81>
              1: <80> ask(<0.81.0>, 1) => waited, <81> ! {add,<0.80.0>,1}
            2: <81> loop(0) => waited
            3: <81> loop(0) | {add,<0.80.0>,1} of 1 => waited, <80> ! {sum,1}
              4: <81> new(0, 1) => 1
              5: <81> new(0, 1) => 1
              6: <81> loop(1) => waited
            9: <80> main() | {sum,1} of 3 => waited
              7: <80> ask(<0.81.0>, 1) | {sum,1} of 3 => 1
                8: <80> check(1) => 1
              10: <80> ask(<0.81.0>, 2) => waited, <81> ! {add,<0.80.0>,2}
            11: <81> loop(1) | {add,<0.80.0>,2} of 10 => unfinished, <80> ! {sum,3}
              12: <81> new(1, 2) => 3
              13: <81> new(1, 2) => 3
              14: <81> loop(3) => unfinished
            17: <80> main() | {sum,3} of 11 => {1,3}, <81> ! stop
              15: <80> ask(<0.81.0>, 2) | {sum,3} of 11 => 3
                16: <80> check(3) => 3
        "#]],
    );
}

/// Waiting in vain, being ended by a signal, waiting for ever.
#[test]
fn other_ends() {
    check(
        "
main() ->
    W = spawn(fun wait/0),
    receive nothing -> ok after 10 -> late() end,
    exit(W, kill),
    receive nothing -> ok end.
wait() -> receive never -> ok end.
late() -> late.
",
        &expect![[r#"
            0: <80> main() => waited, new <81>
            1: <81> wait() => ended killed
            2: <80> main() | timeout => unfinished, exit(<0.81.0>, kill) = true
              3: <80> late() => late
        "#]],
    );
}

/// What library code sends that began a process is not what the one did who started it; its
/// callbacks are outermost.
#[test]
fn behaviours() {
    check(
        "
-behaviour(gen_server).
main() -> {ok, S} = gen_server:start(t, \"a  b\", []), gen_server:call(S, get).
init(X) -> {ok, X}.
handle_call(get, _, X) -> {reply, X, X}.
handle_cast(_, X) -> {noreply, X}.
",
        &expect![[r#"
            0: <80> main() => "a b", start(t, "a b", []) = {ok,<0.81.0>}, call(<0.81.0>, get) = "a b", new <81>
            1: <81> init("a b") => {ok,"a b"}
            2: <81> handle_call(get, {<0.80.0>,[alias|#Ref<0.0.0.2>]}, "a b") => {reply,"a b","a b"}
        "#]],
    );
}
