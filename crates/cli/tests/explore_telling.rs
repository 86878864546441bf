//! How `explore` and `replay` tell executions: names that need quotes, files that are taken along,
//! races, identifiers in place of names, and the log of all executions.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const ORDER: &str = "\
-module('POPL_x').
-export([test/0, lookup/0]).
test() ->
    Me = self(),
    spawn(fun() -> Me ! {first, helper:one()} end),
    spawn(fun() -> Me ! {second, 2} end),
    receive {first, _} -> ok; {second, _} -> exit(wrong_order) end.
lookup() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> register(server, Pid) end),
    server ! stop.
";

const HELPER: &str = "-module(helper).\n-export([one/0]).\none() -> 1.\n";

fn project(name: &str) -> Project {
    let files = [("POPL_x.erl", ORDER), ("helper.erl", HELPER)];
    Project::new(&format!("explore_telling/{name}"), &files)
}

#[test]
fn races_of_messages() {
    let project = project("races");
    let line = ["explore", "POPL_x.erl", "POPL_x:test", "--show-races", "--no-witnesses"];
    project.check(
        &line,
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: test/0 exits abnormally: wrong_order
          in 1 execution; the simplest:
             test/0 starts fun in test/0 #1                               POPL_x.erl:5
             test/0 starts fun in test/0 #2                               POPL_x.erl:6
             fun in test/0 #2 sends {second,2} to test/0                  POPL_x.erl:6
             test/0 receives {second,2} from fun in test/0 #2             POPL_x.erl:7
          >> test/0 exits: wrong_order                                    POPL_x.erl:7
             fun in test/0 #1 sends {first,1} to test/0, which has ended  POPL_x.erl:5
          race 1: which message test/0 takes first
            fun in test/0 #2 sends {second,2} to test/0 (POPL_x.erl:6)
            fun in test/0 #1 sends {first,1} to test/0, which has ended (POPL_x.erl:5)

        'POPL_x':test(): 2 executions explored, 1 with errors
        complete: these are all errors of this test
        also read, because it is called: helper.erl
    "#]],
    );
}

/// What a monitor is told by is no process.
#[test]
fn races_about_monitors() {
    let text = "\
-module(m).
-export([t/0]).
t() ->
    P = spawn(fun() -> ok end),
    R = monitor(process, P),
    true = demonitor(R),
    receive {'DOWN', R, _, _, _} -> error(came) after 0 -> ok end.
";
    let project = Project::new("explore_telling/monitors", &[("m.erl", text)]);
    let ran = project.run(&["explore", "m.erl", "m:t", "--show-races", "--no-witnesses"]);
    assert!(ran.stdout.contains(": a monitor\n    fun in t/0 ends (m.erl:4)\n"), "{}", ran.stdout);
}

#[test]
fn races_of_names_with_identifiers() {
    let project = project("identifiers");
    let options = ["--show-races", "--symbolic-names", "false", "--ignore", "deadlock"];
    project.check(&[&["explore", ".", "POPL_x:lookup"][..], &options].concat(), expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: <0.80.0> exits abnormally: badarg in send(server, stop) at POPL_x.erl:11
          in 1 execution; the simplest:
             <0.80.0> (POPL_x:lookup/0) starts <0.81.0>                    POPL_x.erl:9
             <0.80.0> starts <0.82.0>                                      POPL_x.erl:10
             <0.80.0> sends stop to server, which is no name of a process  POPL_x.erl:11
          >> <0.80.0> exits: badarg                                        POPL_x.erl:11
             <0.82.0> registers <0.81.0> as server                         POPL_x.erl:10
          race 1: the name server
            <0.80.0> sends stop to server, which is no name of a process (POPL_x.erl:11)
            <0.82.0> registers <0.81.0> as server (POPL_x.erl:10)
          replay: erlscope replay erlscope-witnesses/POPL_x-lookup-abnormal_exit-1.witness
          debug: erlscope debug erlscope-witnesses/POPL_x-lookup-abnormal_exit-1.witness

        'POPL_x':lookup(): 2 executions explored, 1 with errors
        complete: these are all errors of this test
        to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
    "#]]);
    let witness = "erlscope-witnesses/POPL_x-lookup-abnormal_exit-1.witness";
    project.check(
        &["replay", witness, "--show-races"],
        expect![[r#"
        exit 1
        --- stdout
             lookup/0 starts server                                        POPL_x.erl:9
             lookup/0 starts fun in lookup/0                               POPL_x.erl:10
             lookup/0 sends stop to server, which is no name of a process  POPL_x.erl:11
          >> lookup/0 exits: badarg                                        POPL_x.erl:11
             fun in lookup/0 registers server as server                    POPL_x.erl:10
             fun in lookup/0 ends                                          POPL_x.erl:10
          >> server waits for stop, which never comes                      POPL_x.erl:9
          race 1: the name server
            lookup/0 sends stop to server, which is no name of a process (POPL_x.erl:11)
            fun in lookup/0 registers server as server (POPL_x.erl:10)
        abnormal_exit: lookup/0 exits abnormally: badarg in send(server, stop) at POPL_x.erl:11
        deadlock: nobody can go on: server waits for stop at POPL_x.erl:9
    "#]],
    );
    let svg = project.run(&["replay", witness, "--show-races", "--format", "svg"]).stdout;
    assert_eq!(svg.matches("(race 1)").count(), 2, "{svg}");
    let without = project.run(&["replay", witness, "--format", "svg"]).stdout;
    assert!(!without.contains("(race"), "{without}");
}

#[test]
fn races_as_json() {
    let project = project("json");
    let line = ["explore", "POPL_x.erl", "'POPL_x':test", "--show-races", "--format", "json"];
    let told: Value = serde_json::from_str(&project.run(&line).stdout).expect("JSON");
    assert_eq!(told["also_read"], serde_json::json!(["helper.erl"]), "{told}");
    let races = &told["findings"][0]["races"];
    assert_eq!(races[0]["about"], "which message test/0 takes first", "{told}");
    assert_eq!(races[0]["first"]["what"], "sends {second,2} to test/0", "{told}");
    assert_eq!(races[0]["second"]["line"], 5, "{told}");
}

/// Every execution has a line, once, with one worker or several, also where the search has to begin
/// again.
#[test]
fn a_line_for_each_execution() {
    const MANY: &str = "\
-module(many).
-export([f/0, g/0]).
f() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- [1, 2, 3, 4]],
    case [receive N -> N end || _ <- [1, 2, 3, 4]] of
        [4, 3, 2, 1] -> exit(backwards);
        _ -> ok
    end.
%% Needs a node, which turns out while the search goes on.
g() -> f(), whereis(init).
";
    let project = Project::new("explore_telling/log", &[("many.erl", MANY)]);
    let searches: [&[&str]; 6] = [
        &["many:f"],
        &["many:f", "--jobs", "2"],
        &["many:g"],
        &["many:f", "--preemptions", "9"],
        &["many:f", "--delays", "99"],
        &["many:f", "--random", "30"],
    ];
    for search in searches {
        let line = [&["explore", ".", "--log", "log", "--format", "json"], search].concat();
        let told: Value = serde_json::from_str(&project.run(&line).stdout).expect("JSON");
        let log = std::fs::read_to_string(project.root.join("log")).expect("there is a log");
        let lines: Vec<Value> =
            log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(told["executions"], lines.len(), "{search:?}: {told}\n{log}");
        let errors = lines.iter().filter(|line| line["result"] == "error").count();
        assert_eq!(told["erroneous"], errors, "{search:?}: {told}\n{log}");
        let numbers = lines.iter().enumerate().all(|(at, line)| line["execution"] == at + 1);
        assert!(numbers, "{log}");
        let mut schedules: Vec<String> =
            lines.iter().map(|line| line["schedule"].to_string()).collect();
        schedules.sort_unstable();
        schedules.dedup();
        if !search.contains(&"--random") {
            assert_eq!(schedules.len(), lines.len(), "{search:?}: {log}");
        }
    }
    let ran = project.run(&["explore", ".", "many:f", "--log", "no/such/directory"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// Names in all commands that take them.
#[test]
fn names_that_need_quotes() {
    let project = project("quotes");
    for line in [
        &["run", ".", "POPL_x:test"][..],
        &["run", ".", "'POPL_x':test/0"],
        &["explore", ".", "POPL_x:test", "--first"],
        &["coverage", ".", "--call", "POPL_x:test"],
        &["flow", ".", "--entry", "POPL_x:test/0"],
    ] {
        let ran = project.run(line);
        assert!(matches!(ran.code, Some(0 | 1)), "{line:?}: {}", ran.transcript());
        assert!(!ran.stderr.contains("erlscope:"), "{line:?}: {}", ran.transcript());
    }
}
