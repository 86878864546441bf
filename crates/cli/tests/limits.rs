//! A watchdog: whatever a command is doing, time, memory and signals end it soon, with the exit
//! code for that, and its JSON is complete and says why it was cut.
//!
//! Programs hang or grow without end in each phase of each command: reading, parse transforms,
//! running (in a loop, and inside of one builtin), searching, telling. Every command runs under
//! `ulimit -v`, so that a defect of ours costs one test and not the machine.

#![cfg(unix)]

mod harness;

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use harness::Project;
use serde_json::Value;

/// What each of these does without limits takes minutes, or all memory.
const HANGS: &str = "\
-module(hangs).
-compile([export_all, nowarn_export_all]).
%% One builtin after the other, each longer than the one before: soon one takes hours.
power() -> power(3).
power(X) -> power(X * X).
sort() -> sort([X * 7919 rem 1000003 || X <- lists:seq(1, 100000)]).
sort(L) -> lists:sort(L), sort(L ++ L).
backtrack() -> re:run(lists:duplicate(5000, $a), \"^(a|a?)+$\", [{match_limit, 1000000000}]), backtrack().
loop() -> loop().
select() ->
    T = ets:new(t, []),
    ets:insert(T, [{X, X} || X <- lists:seq(1, 100000)]),
    select(T).
select(T) -> ets:select(T, [{{'$1', '$2'}, [{'>', '$1', '$2'}], ['$_']}]), select(T).
atoms() -> atoms(0).
atoms(N) -> list_to_atom(\"a_new_atom_\" ++ integer_to_list(N)), atoms(N + 1).
receives() -> self() ! x, receive x -> receives() end.
%% These grow.
seq() -> length(lists:seq(1, 1000000000)).
copy() -> byte_size(binary:copy(<<\"x\">>, 4000000000)).
external() -> byte_size(term_to_binary(lists:seq(1, 100000000))).
append() -> append([1]).
append(L) -> append(L ++ L).
printed() -> length(io_lib:format(\"~p\", [lists:seq(1, 100000000)])).
mailbox() -> self() ! lists:seq(1, 100), mailbox().
started() -> spawn(fun() -> receive x -> ok end end), started().
binary() -> binary(<<>>).
binary(B) -> binary(<<B/binary, 0:80000000>>).
dictionary() -> dictionary(0).
dictionary(N) -> put(N, lists:seq(1, 1000)), dictionary(N + 1).
table() -> T = ets:new(t, []), table(T, 0).
table(T, N) -> ets:insert(T, {N, lists:seq(1, 1000)}), table(T, N + 1).
bits() -> bits([]).
bits(L) -> bits([1 bsl 10000000 | L]).
%% Searches: more executions than there is time for, and one execution with more events.
senders() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- lists:seq(1, 12)],
    [receive N -> N end || _ <- lists:seq(1, 12)].
long() -> long(spawn(fun echo/0), 10000000).
long(_, 0) -> exit(over);
long(P, N) -> P ! self(), receive P -> long(P, N - 1) end.
echo() -> receive P -> P ! self(), echo() end.
";

const LOOPING: &str = "\
-module(looping).
-export([parse_transform/2]).
parse_transform(Forms, Options) -> parse_transform(Forms, Options).
";

const TRANSFORMED: &str = "\
-module(transformed).
-compile({parse_transform, looping}).
-export([f/0]).
f() -> ok.
";

const TESTS: &str = "\
-module(a_tests).
-include_lib(\"eunit/include/eunit.hrl\").
good_test() -> ok.
";

const HANGING_TESTS: &str = "\
-module(b_tests).
-include_lib(\"eunit/include/eunit.hrl\").
hangs_test() -> hangs:power().
";

/// So many functions that reading them takes more than a second.
fn large() -> String {
    let mut text = "-module(large).\n-compile([export_all, nowarn_export_all]).\n".to_owned();
    for n in 0..100_000 {
        let (a, b) = ((n * 7 + 1) % 100_000, (n * 13 + 5) % 100_000);
        text.push_str(&format!("f{n}(X) -> case X of 0 -> f{a}(X); Y -> [Y | f{b}(Y)] end.\n"));
    }
    text
}

fn project(name: &str) -> Project {
    let large = large();
    Project::new(
        &format!("limits/{name}"),
        &[
            ("hangs.erl", HANGS),
            ("looping.erl", LOOPING),
            ("transformed.erl", TRANSFORMED),
            ("large.erl", &large),
            ("a_tests.erl", TESTS),
            ("b_tests.erl", HANGING_TESTS),
        ],
    )
}

/// What ends a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Timeout,
    Memory,
    /// The signal, half a second after the beginning.
    Signal(&'static str),
    /// `ulimit -v`, where no limit is given.
    System,
}

impl By {
    /// What is told.
    fn words(self) -> &'static str {
        match self {
            By::Timeout => "(--timeout)",
            By::Memory => "(--max-memory)",
            By::Signal(_) => "interrupted",
            By::System => "the system gives no more",
        }
    }
}

/// A second, what the command may take after that, and what a machine may take that does other
/// things, too.
const MOST: Duration = Duration::from_secs(12);

/// Runs a command until it is ended, and says what is wrong with that.
fn ended(project: &Project, arguments: &[&str], by: By) -> Result<String, String> {
    let kilobytes = if by == By::System { 700_000 } else { 4_000_000 };
    let mut all: Vec<&str> = arguments.to_vec();
    match by {
        By::Timeout => all.extend(["--timeout", "1s"]),
        By::Memory => all.extend(["--max-memory", "150M"]),
        By::Signal(_) | By::System => {}
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_erlscope")).args(&all).current_dir(&project.root);
    // One that never ends.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().expect("erlscope starts");
    let held = child.stdin.take();
    if let By::Signal(signal) = by {
        // Until then it is the shell that would get it.
        let comm = format!("/proc/{}/comm", child.id());
        while std::fs::read_to_string(&comm).is_ok_and(|name| name.trim() == "sh") {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(500));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill works");
    }
    let mut out = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = out.read_to_string(&mut text);
        text
    });
    let status = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status,
            None if began.elapsed() > MOST * 3 => {
                let _ = child.kill();
                return Err("it does not end".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let time = began.elapsed();
    drop(held);
    let stdout = reader.join().expect("output can be read");
    let mut stderr = String::new();
    let _ = child.stderr.take().expect("a pipe").read_to_string(&mut stderr);
    let wrong = |what: &str| Err(format!("{what}\n{stdout}\n{stderr}"));
    if status.code() != Some(3) {
        return wrong(&format!("exit {:?}", status.code()));
    }
    // How long it takes to fill memory is another matter.
    if time > MOST && matches!(by, By::Timeout | By::Signal(_)) {
        return wrong(&format!("it took {time:?}"));
    }
    let is_json = arguments.contains(&"json");
    match (is_json, stdout.contains(by.words()) || stderr.contains(by.words())) {
        (_, false) => wrong(&format!("{} is not told", by.words())),
        (true, true) if !stdout.contains(by.words()) => wrong("the document does not say it"),
        _ => Ok(stdout),
    }
}

/// The same for several commands at a time; those that tell JSON tell one document.
fn all(name: &str, commands: &[String], by: By) {
    let project = project(name);
    let mut wrong = Vec::new();
    for some in commands.chunks(3) {
        std::thread::scope(|scope| {
            let run = |line: &String| {
                let arguments: Vec<&str> = line.split(' ').collect();
                ended(&project, &arguments, by)
            };
            let threads: Vec<_> =
                some.iter().map(|line| (line, scope.spawn(move || run(line)))).collect();
            for (line, thread) in threads {
                let result = thread.join().expect("no panic").and_then(|stdout| {
                    let is_json =
                        !line.ends_with(" json") || serde_json::from_str::<Value>(&stdout).is_ok();
                    if is_json { Ok(()) } else { Err(format!("no JSON: {stdout}")) }
                });
                wrong.extend(result.err().map(|text| format!("{line} {by:?}: {text}")));
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Functions of `hangs`, run.
fn run(functions: &[&str], how: &str) -> Vec<String> {
    functions.iter().map(|name| format!("run hangs.erl hangs:{name}{how}")).collect()
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

const HANGING: &[&str] =
    &["power", "sort", "backtrack", "loop", "select", "atoms", "receives", "long"];

const GROWING: &[&str] = &[
    "seq",
    "copy",
    "external",
    "append",
    "printed",
    "mailbox",
    "started",
    "binary",
    "dictionary",
    "table",
    "bits",
];

/// Something that hangs in a phase of each command.
const PHASES: &[&str] = &[
    "check large.erl --format json",
    "parse large.erl --format json",
    "flow large.erl --format json",
    "types large.erl --format json",
    "slice large.erl:3 X --format json",
    "run large.erl large:f1(1) --format json",
    "run . transformed:f --format json",
    "explore . transformed:f --format json",
    "explore hangs.erl hangs:power --format json",
    "explore hangs.erl hangs:senders --format json",
    "explore hangs.erl hangs:senders --format json --random 100000000",
    "explore hangs.erl hangs:senders --format json --preemptions 20",
    "explore hangs.erl hangs:long --format json --max-depth 1000000000",
    "explore --tests b_tests.erl hangs.erl --format json",
    "coverage hangs.erl --call hangs:power() --format json",
    "coverage hangs.erl --call hangs:power() --explore --format json",
    "coverage hangs.erl --tests b_tests.erl --format json",
    "test a_tests.erl b_tests.erl hangs.erl --format json",
    "debug hangs.erl hangs:power() --format json",
    "debug . transformed:f() --format json",
    "concolic large.erl large:f1/1 --format json",
    "inputs hangs.erl hangs:append/1 --format json",
    "compare large.erl large.erl --format json",
    "slice large.erl:3 X --minimal --format json",
];

#[test]
fn time_ends_what_runs() {
    all("time_running", &run(HANGING, " --format json"), By::Timeout);
    all("time_growing", &run(&["seq", "append"], ""), By::Timeout);
}

#[test]
fn time_ends_every_phase() {
    all("time_phases", &lines(PHASES), By::Timeout);
}

#[test]
fn signals_end_every_phase() {
    let some: Vec<String> = PHASES.iter().map(|line| (*line).to_owned()).collect();
    let (terminated, interrupted): (Vec<_>, Vec<_>) =
        some.into_iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let plain = |lines: Vec<(usize, String)>| lines.into_iter().map(|(_, line)| line).collect();
    let (terminated, interrupted): (Vec<String>, Vec<String>) =
        (plain(terminated), plain(interrupted));
    all("signals_term", &terminated, By::Signal("-TERM"));
    all("signals_int", &interrupted, By::Signal("-INT"));
    all("signals_run", &run(&["power", "loop"], " --format json"), By::Signal("-INT"));
}

#[test]
fn memory_ends_what_grows() {
    all("memory_running", &run(GROWING, " --format json"), By::Memory);
    let others = [
        "explore hangs.erl hangs:seq --format json",
        "explore hangs.erl hangs:append --format json",
        "coverage hangs.erl --call hangs:seq() --format json",
        "check large.erl --format json",
        "parse large.erl --format json",
        "flow large.erl --format json",
        "types large.erl --format json",
        "slice large.erl:3 X --format json",
        "debug hangs.erl hangs:append() --format json",
        "compare large.erl large.erl --format json",
    ];
    all("memory_phases", &lines(&others), By::Memory);
}

/// Where the system refuses memory, the report still has room.
#[test]
fn memory_that_the_system_refuses() {
    all("memory_refused", &run(&["append", "external", "binary"], " --format json"), By::System);
}

/// What a program wrote before it was cut off is told.
#[test]
fn output_so_far_is_told() {
    const WRITES: &str =
        "-module(writes).\n-export([f/0]).\nf() -> io:format(\"so far~n\"), hangs:power().\n";
    let project = Project::new("limits/output", &[("hangs.erl", HANGS), ("writes.erl", WRITES)]);
    let stdout = ended(&project, &["run", ".", "writes:f", "--format", "json"], By::Timeout)
        .expect("it ends");
    let told: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(told["output"], Value::from("so far\n"), "{told}");
}

/// Tests that were done before are told.
#[test]
fn tests_that_are_done_are_told() {
    let project = project("tests_done");
    let line = ["test", "a_tests.erl", "b_tests.erl", "hangs.erl", "--format", "json"];
    let stdout = ended(&project, &line, By::Timeout).expect("it ends");
    let told: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(told["summary"]["complete"], Value::Bool(false), "{told}");
    assert_eq!(told["modules"][0]["module"], Value::from("a_tests"), "{told}");
    assert_eq!(told["summary"]["passed"], Value::from(1), "{told}");
}

/// A search that has found an error when it is cut off inside of a builtin tells it.
#[test]
fn errors_that_are_found_are_told() {
    const FOUND: &str = "\
-module(found).
-export([f/0]).
f() ->
    Me = self(),
    spawn(fun() -> Me ! a end),
    spawn(fun() -> Me ! b end),
    receive a -> exit(found); b -> hangs:power() end.
";
    let project = Project::new("limits/found", &[("hangs.erl", HANGS), ("found.erl", FOUND)]);
    let line = ["explore", ".", "found:f", "--format", "json", "--timeout", "1s"];
    let ran = project.run(&line);
    let told: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(ran.code, Some(1), "{told}");
    assert_eq!(told["complete"], Value::Bool(false), "{told}");
    assert_eq!(told["findings"][0]["kind"], Value::from("abnormal_exit"), "{told}");
}

/// A witness whose program hangs now.
#[test]
fn replay() {
    const FAILS: &str = "-module(fails).\n-export([f/0]).\nf() -> g(), exit(bad).\ng() -> ok.\n";
    let project = Project::new("limits/replay", &[("hangs.erl", HANGS), ("fails.erl", FAILS)]);
    assert_eq!(project.run(&["explore", ".", "fails:f"]).code, Some(1));
    let hangs = FAILS.replace("g() -> ok.", "g() -> hangs:power().");
    std::fs::write(project.root.join("fails.erl"), hangs).expect("file can be written");
    let witness = "erlscope-witnesses/fails-f-abnormal_exit-1.witness";
    for by in [By::Timeout, By::Signal("-TERM")] {
        if let Err(text) = ended(&project, &["replay", witness], by) {
            panic!("{text}");
        }
    }
}

/// Whoever writes the trace may be slow.
#[test]
fn trace_of_a_pipe() {
    let project = Project::new("limits/trace", &[]);
    for by in [By::Timeout, By::Signal("-INT")] {
        let line = ["trace", "-", "--format", "json"];
        match ended(&project, &line, by) {
            Ok(stdout) => {
                let is_json = |line: &str| serde_json::from_str::<Value>(line).is_ok();
                assert!(stdout.lines().all(is_json), "{stdout}");
            }
            Err(text) => panic!("{text}"),
        }
    }
}
