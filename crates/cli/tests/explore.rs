//! `erlscope explore` and `erlscope replay` on small programs.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const PROGRAM: &str = "\
-module(m).
-export([fine/0, race/0, lost/0, forever/0, many/0, socket/0, spins/0]).
fine() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- [1, 2]],
    3 = lists:sum([receive N -> N end || _ <- [1, 2]]).
race() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- [1, 2]],
    receive N -> 1 = N end.
lost() ->
    Me = self(),
    spawn(fun() -> case whereis(here) of undefined -> ok; Pid -> Pid ! hello end end),
    register(here, Me),
    receive hello -> ok end.
forever() -> self() ! again, receive again -> forever() end.
many() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- lists:seq(1, 6)],
    [receive N -> N end || _ <- lists:seq(1, 6)].
socket() -> gen_tcp:listen(0, []).
spins() -> spins().
";

fn project(name: &str) -> Project {
    Project::new(name, &[("m.erl", PROGRAM), ("broken.erl", "-module(broken).\nf() -> .\n")])
}

#[test]
fn nothing_fails() {
    project("explore_fine").check(
        &["explore", "m.erl", "m:fine"],
        expect![[r#"
        exit 0
        --- stdout
        m:fine(): 2 executions explored, 0 with errors
        complete: no schedule of this test fails
    "#]],
    );
}

#[test]
fn something_fails() {
    let project = project("explore_fails");
    project.check(
        &["explore", "m.erl", "m:race"],
        expect![[r#"
            exit 1
            --- stdout
            abnormal_exit: race/0 exits abnormally: {badmatch,2} at m.erl:10
              in 1 execution; the simplest:
                 race/0 starts fun in race/0 #1           m.erl:9
                 race/0 starts fun in race/0 #2           m.erl:9
                 fun in race/0 #2 sends 2 to race/0       m.erl:9
                 race/0 receives 2 from fun in race/0 #2  m.erl:10
              >> race/0 exits: {badmatch,2}               m.erl:10
              replay: erlscope replay erlscope-witnesses/m-race-abnormal_exit-1.witness
              debug: erlscope debug erlscope-witnesses/m-race-abnormal_exit-1.witness

            m:race(): 2 executions explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    project.check(
        &["explore", "m.erl", "m:lost"],
        expect![[r#"
            exit 1
            --- stdout
            deadlock: nobody can go on: here waits for hello at m.erl:15
              in 1 execution; the simplest, with 1 preemption:
                 here (m:lost/0) starts fun in lost/0          m.erl:13
                 fun in lost/0 looks up the name here: nobody  m.erl:13
                 fun in lost/0 ends                            m.erl:13
                 here registers itself as here                 m.erl:14
              >> here waits for hello, which never comes       m.erl:15
              replay: erlscope replay erlscope-witnesses/m-lost-deadlock-1.witness
              debug: erlscope debug erlscope-witnesses/m-lost-deadlock-1.witness

            m:lost(): 2 executions explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    project.check(
        &["explore", "m.erl", "m:lost", "--ignore", "deadlock"],
        expect![[r#"
        exit 0
        --- stdout
        m:lost(): 2 executions explored, 0 with errors
        complete: no schedule of this test fails
    "#]],
    );
}

#[test]
fn bounds() {
    let project = project("explore_bounds");
    project.check(
        &["explore", "m.erl", "m:many", "--max-executions", "10"],
        expect![[r#"
        exit 3
        --- stdout
        m:many(): 10 executions explored, 0 with errors
        not complete: --max-executions was reached; other schedules may behave otherwise
    "#]],
    );
    project.check(
        &["explore", "m.erl", "m:forever", "--max-depth", "20"],
        expect![[r#"
            exit 1
            --- stdout
            endless: the test can run forever: its state comes again after 2 more events
              in 1 execution; the simplest:
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
                 forever/0 sends again to itself       m.erl:16
                 forever/0 receives again from itself  m.erl:16
              replay: erlscope replay erlscope-witnesses/m-forever-endless-1.witness
              debug: erlscope debug erlscope-witnesses/m-forever-endless-1.witness

            m:forever(): 1 execution explored, 1 with errors
            not complete: executions were longer than --max-depth; other schedules may behave otherwise
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
}

#[test]
fn bad_input() {
    let project = project("explore_wrong");
    project.check(
        &["explore", "m.erl", "m:race/1"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: m:race takes 1 arguments: explore a call, 'm:race(…)'
        "#]],
    );
    project.check(
        &["explore", "m.erl", "nowhere:f"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there is no module nowhere
    "#]],
    );
    project.check(&["explore", "m.erl", "m:fine("], expect![[r#"
        exit 2
        --- stderr
        erlscope: cannot read `m:fine(`: expected an expression, found the full stop that ends the form
    "#]]);
    project.check(&["explore", "m.erl"], expect![[r#"
        exit 2
        --- stderr
        erlscope: which function? for example: erlscope explore PATH m:f, or erlscope explore --tests PATH
    "#]]);
    project.check(
        &["explore", "broken.erl", "broken:f"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: broken.erl:2: expected an expression, found the full stop that ends the form
    "#]],
    );
    project.check(
        &["explore", "--tests", "m.erl", "m:fine"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: --tests explores all tests: leave out m:fine(), or use --filter
    "#]],
    );
    let spins = project.run(&["explore", "m.erl", "m:spins", "--no-witnesses"]);
    assert_eq!(spins.code, Some(1), "{}", spins.stderr);
    let message = "endless: spins/0 computes on and on without a visible action at m.erl:22\n";
    assert!(spins.stdout.starts_with(message), "{}", spins.stdout);
    project.check(
        &["explore", "m.erl", "m:nothing"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: m exports no function nothing/0
        "#]],
    );
    project.check(
        &["explore", "m.erl", "m:socket"],
        expect![[r#"
            exit 0
            --- stdout
            m:socket(): 1 execution explored, 0 with errors
            complete: no schedule of this test fails
        "#]],
    );
    project.check(
        &["replay", "nowhere.witness"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: nowhere.witness: No such file or directory (os error 2)
    "#]],
    );
}

/// Modules that cannot be read are spoken of, and are no reason to find nothing.
#[test]
fn modules_that_cannot_be_read() {
    let files = [
        ("broken.erl", "-module(broken).\nf( -> ok.\n"),
        ("m.erl", "-module(m).\n-export([f/0]).\nf() -> broken:f().\n"),
        ("t/some_tests.erl", "-module(some_tests).\na_test() -> ( .\n"),
    ];
    let project = Project::new("explore_unreadable", &files);
    project.check(
        &["explore", "broken.erl", "m.erl", "m:f", "--no-witnesses"],
        expect![[r#"
            exit 1
            --- stdout
            abnormal_exit: f/0 exits abnormally: undef in broken:f() at m.erl:3
              in 1 execution; the simplest:
              >> f/0 exits: undef  m.erl:3

            m:f(): 1 execution explored, 1 with errors
            complete: these are all errors of this test
            --- stderr
            erlscope: module broken could not be loaded: broken.erl:2: expected a pattern, found '->'
        "#]],
    );
    project.check(&["explore", "--tests", "t"], expect![[r#"
        exit 1
        --- stdout
        test        result  executions
        some_tests  broken           0  t/some_tests.erl:2:15: expected an expression, found the full stop that ends the form
        0 tests: 0 verified, 0 fail, 0 not complete; 1 module has errors
    "#]]);
}

/// Reasons are compared as terms, whatever spaces they were written with.
#[test]
fn reasons_that_are_normal() {
    let program = "-module(m).\n-export([f/0]).\nf() -> exit({stop, {'a b', \"c d\"}, [1, 2]}).\n";
    let project = Project::new("explore_reasons", &[("m.erl", program)]);
    let code = |reason: &str| {
        let ran = project.run(&[
            "explore",
            "m.erl",
            "m:f",
            "--no-witnesses",
            "--treat-as-normal",
            reason,
        ]);
        ran.code
    };
    assert_eq!(code("stop"), Some(0));
    assert_eq!(code("{stop,{'a b',\"c d\"},[1,2]}"), Some(0));
    assert_eq!(code("{ stop, { 'a b', \"c d\" }, [1, 2] }"), Some(0));
    assert_eq!(code("{stop, {'ab', \"c d\"}, [1, 2]}"), Some(1));
    assert_eq!(code("{stop,"), Some(2));
}

#[test]
fn witnesses_are_replayed() {
    let project = project("explore_replay");
    project.check(
        &["explore", "m.erl", "m:race", "--witnesses", "w"],
        expect![[r#"
            exit 1
            --- stdout
            abnormal_exit: race/0 exits abnormally: {badmatch,2} at m.erl:10
              in 1 execution; the simplest:
                 race/0 starts fun in race/0 #1           m.erl:9
                 race/0 starts fun in race/0 #2           m.erl:9
                 fun in race/0 #2 sends 2 to race/0       m.erl:9
                 race/0 receives 2 from fun in race/0 #2  m.erl:10
              >> race/0 exits: {badmatch,2}               m.erl:10
              replay: erlscope replay w/m-race-abnormal_exit-1.witness
              debug: erlscope debug w/m-race-abnormal_exit-1.witness

            m:race(): 2 executions explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    let replayed = project.run(&["replay", "w/m-race-abnormal_exit-1.witness"]);
    assert_eq!(replayed.code, Some(1), "{}", replayed.stdout);
    let last = replayed.stdout.lines().last().unwrap_or_default();
    assert!(last.contains("exits abnormally: {badmatch,2}"), "{last}");
    assert_eq!(replayed.stdout.lines().count(), 6);
    let all = project.run(&["replay", "w/m-race-abnormal_exit-1.witness", "--all-steps"]);
    assert_eq!(all.stdout.lines().count(), 9);
}

#[test]
fn as_json() {
    let output = project("explore_json").run(&["explore", "m.erl", "m:race", "--format", "json"]);
    let json: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(json["executions"], 2);
    assert_eq!(json["complete"], true);
    assert_eq!(json["findings"][0]["kind"], "abnormal_exit");
    assert_eq!(json["findings"][0]["count"], 1);
}

const CRASHES: &str = "\
-module(c).
-include_lib(\"eunit/include/eunit.hrl\").
-export([equal/0, own/0, killed/0, killed_by_parent/0, oops/0, chatter/0, names/0]).
equal() -> ?assertEqual(1 + 1, length([a])).
own() -> erlscope:assert(1 > 2, \"one is larger\").
killed() ->
    Victim = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> exit(Victim, kill) end).
killed_by_parent() -> exit(spawn(fun() -> receive stop -> ok end end), kill).
oops() -> exit({oops, 7}).
chatter() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- [1, 2]],
    [receive N -> N end || _ <- [1, 2]].
names() ->
    Me = self(),
    spawn(fun() -> Me ! whereis(there) end),
    register(there, self()),
    receive _ -> ok end.
";

/// Kinds of findings, number of executions, whether it was complete, exit code.
fn summary(project: &Project, arguments: &[&str]) -> String {
    let ran =
        project.run(&[&["explore", "--format", "json", "--no-witnesses"], arguments].concat());
    let json: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr));
    let findings = json["findings"].as_array().expect("a list");
    let kinds: Vec<&str> = findings.iter().filter_map(|finding| finding["kind"].as_str()).collect();
    let complete = if json["complete"] == true { "complete" } else { "not complete" };
    format!("{kinds:?} {} {complete} exit {:?}", json["executions"], ran.code)
}

#[test]
fn kinds_of_failures() {
    let project = Project::new("explore_kinds", &[("c.erl", CRASHES)]);
    project.check(
        &["explore", "c.erl", "c:equal"],
        expect![[r#"
            exit 1
            --- stdout
            assertion: assertEqual fails in equal/0: length([a]) is 1, expected is 2 at c.erl:4
              in 1 execution; the simplest:
              >> equal/0 exits: assertEqual fails: length([a]) is 1, expected is 2  c.erl:4
              replay: erlscope replay erlscope-witnesses/c-equal-assertion-1.witness
              debug: erlscope debug erlscope-witnesses/c-equal-assertion-1.witness

            c:equal(): 1 execution explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    project.check(
        &["explore", "c.erl", "c:own"],
        expect![[r#"
            exit 1
            --- stdout
            assertion: erlscope:assert fails in own/0: one is larger
              in 1 execution; the simplest:
              >> own/0 exits: erlscope:assert fails: one is larger
              replay: erlscope replay erlscope-witnesses/c-own-assertion-1.witness
              debug: erlscope debug erlscope-witnesses/c-own-assertion-1.witness

            c:own(): 1 execution explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    project.check(
        &["explore", "c.erl", "c:killed"],
        expect![[r#"
            exit 1
            --- stdout
            killed: fun in killed/0 #1 is killed by fun in killed/0 #2
              in 1 execution; the simplest:
                 killed/0 starts fun in killed/0 #1                                c.erl:7
                 killed/0 starts fun in killed/0 #2                                c.erl:8
                 fun in killed/0 #2 sends fun in killed/0 #1 the exit signal kill  c.erl:8
              >> fun in killed/0 #1 exits: killed                                  c.erl:7
              replay: erlscope replay erlscope-witnesses/c-killed-killed-1.witness
              debug: erlscope debug erlscope-witnesses/c-killed-killed-1.witness

            c:killed(): 1 execution explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    let of = |call: &str, more: &[&str]| summary(&project, &[&["c.erl", call], more].concat());
    expect![[r#"["killed"] 1 complete exit Some(1)"#]].assert_eq(&of("c:killed_by_parent", &[]));
    expect![[r#"["abnormal_exit"] 1 complete exit Some(1)"#]].assert_eq(&of("c:oops", &[]));
    expect!["[] 1 complete exit Some(0)"].assert_eq(&of("c:oops", &["--treat-as-normal", "oops"]));
    expect!["[] 1 complete exit Some(0)"]
        .assert_eq(&of("c:oops", &["--treat-as-normal", "{oops,7}"]));
    expect!["[] 1 complete exit Some(0)"].assert_eq(&of("c:oops", &["--ignore", "abnormal_exit"]));
}

#[test]
fn warnings() {
    let project = Project::new("explore_warnings", &[("c.erl", CRASHES)]);
    project.check(
        &["explore", "c.erl", "c:chatter", "--warnings"],
        expect![[r#"
        exit 0
        --- stdout
        warning: c.erl:14: which message this receive takes depends on the schedule [message_order]

        c:chatter(): 2 executions explored, 0 with errors
        complete: no schedule of this test fails
    "#]],
    );
    project.check(
        &["explore", "c.erl", "c:names", "--warnings"],
        expect![[r#"
        exit 0
        --- stdout
        warning: c.erl:17: the name there may not be registered here: that changes at c.erl:18 [name]

        c:names(): 2 executions explored, 0 with errors
        complete: no schedule of this test fails
    "#]],
    );
    project.check(
        &["explore", "c.erl", "c:names"],
        expect![[r#"
        exit 0
        --- stdout
        c:names(): 2 executions explored, 0 with errors
        complete: no schedule of this test fails
    "#]],
    );
}

/// The examples of this repository.
fn examples() -> Project {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    Project { root: root.canonicalize().expect("the examples are there") }
}

#[test]
fn running_examples() {
    let examples = examples();
    let of =
        |path: &str, call: &str, more: &[&str]| summary(&examples, &[&[path, call], more].concat());
    expect![[r#"["abnormal_exit"] 2 complete exit Some(1)"#]].assert_eq(&of(
        "ping_pong",
        "ping_pong:pong",
        &[],
    ));
    expect![[r#"["abnormal_exit", "deadlock"] 3 complete exit Some(1)"#]].assert_eq(&of(
        "handshake",
        "handshake:main",
        &[],
    ));
    expect![[r#"["abnormal_exit"] 2 complete exit Some(1)"#]].assert_eq(&of(
        "handshake",
        "handshake:half_mended",
        &[],
    ));
    expect!["[] 2 complete exit Some(0)"].assert_eq(&of("handshake", "handshake:mended", &[]));
    expect!["[] 1 complete exit Some(0)"].assert_eq(&of("requests", "requests:start(4)", &[]));
    expect![[r#"["deadlock"] 6 complete exit Some(1)"#]].assert_eq(&of(
        "requests",
        "requests:two_clients",
        &[],
    ));
    expect!["[] 1 complete exit Some(0)"].assert_eq(&of("generator", "example:use", &[]));
}

#[test]
fn real_code() {
    let examples = examples();
    let of = |call: &str| {
        let more = ["--after-limit", "5000", "--treat-as-normal", "badarith"];
        summary(&examples, &[&["supervised", call][..], &more].concat())
    };
    expect![[r#"["abnormal_exit"] 5 complete exit Some(1)"#]].assert_eq(&of("clients:hasty"));
    expect![[r#"["abnormal_exit"] 9 complete exit Some(1)"#]].assert_eq(&of("clients:patient"));
    examples.check(
        &["explore", "--no-witnesses", "--tests", "registry"],
        expect![[r#"
            exit 1
            --- stdout
            assertion: assertEqual fails in free_at_once_test/0: registry:whois(king) is <fun in free_at_once_test/0>, expected is nobody at registry/registry_tests.erl:20
              in 2 executions; the simplest, with 1 preemption:
                 free_at_once_test/0 starts registry (registry:init/1)                          registry_tests.erl:17
                 free_at_once_test/0 starts fun in free_at_once_test/0                          registry_tests.erl:18
                 fun in free_at_once_test/0 calls registry: {claim,king}                        registry_tests.erl:18
                 registry takes the call {claim,king} of fun in free_at_once_test/0
                 registry monitors fun in free_at_once_test/0                                   registry.erl:19
                 registry replies true to fun in free_at_once_test/0
                 fun in free_at_once_test/0 gets the reply true from registry                   registry_tests.erl:18
                 fun in free_at_once_test/0 ends
                 free_at_once_test/0 hears that fun in free_at_once_test/0 has ended: normal    registry_tests.erl:19
                 free_at_once_test/0 calls registry: {whois,king}                               registry_tests.erl:20
                 registry takes the call {whois,king} of free_at_once_test/0
                 registry replies <fun in free_at_once_test/0> to free_at_once_test/0
                 free_at_once_test/0 gets the reply <fun in free_at_once_test/0> from registry  registry_tests.erl:20
              >> free_at_once_test/0 exits: assertEqual fails: registry:whois(king) is <fun in free_at_once_test/0>, expected is nobody  registry_tests.erl:20
              brought down with it: registry

            registry_tests:free_at_once_test: 3 executions explored, 2 with errors
            complete: these are all errors of this test

            test                              result    executions
            registry_tests:rivals_test        verified           4
            registry_tests:free_at_once_test  fails              3  1 error
            2 tests: 1 verified, 1 fail, 0 not complete
        "#]],
    );
    examples.check(&["explore", "--no-witnesses", "--tests", "pool"], expect![[r#"
        exit 1
        --- stdout
        assertion: assert fails in always_full_test/0: lists:member(full, Answers) is false, expected is true at pool/pool_tests.erl:20
          in 8 executions; the simplest:
             always_full_test/0 starts pool (pool:init/1)                                   pool_tests.erl:16
             pool traps exits                                                               pool.erl:16
             pool starts worker/0                                                           pool.erl:19
             always_full_test/0 starts fun in always_full_test/0 #1                         pool_tests.erl:18
             always_full_test/0 starts fun in always_full_test/0 #2                         pool_tests.erl:18
             fun in always_full_test/0 #1 calls pool: checkout                              pool_tests.erl:18
             pool takes the call checkout of fun in always_full_test/0 #1
             pool monitors fun in always_full_test/0 #1                                     pool.erl:30
             pool replies {ok,<worker/0>} to fun in always_full_test/0 #1
             fun in always_full_test/0 #1 gets the reply {ok,<worker/0>} from pool          pool_tests.erl:18
             fun in always_full_test/0 #1 sends {ok,<worker/0>} to always_full_test/0       pool_tests.erl:18
             fun in always_full_test/0 #1 ends                                              pool_tests.erl:18
             always_full_test/0 receives {ok,<worker/0>} from fun in always_full_test/0 #1  pool_tests.erl:19
             pool hears that fun in always_full_test/0 #1 has ended: normal
             pool demonitors                                                                pool.erl:56
             fun in always_full_test/0 #2 calls pool: checkout                              pool_tests.erl:18
             pool takes the call checkout of fun in always_full_test/0 #2
             pool monitors fun in always_full_test/0 #2                                     pool.erl:30
             pool replies {ok,<worker/0>} to fun in always_full_test/0 #2
             fun in always_full_test/0 #2 gets the reply {ok,<worker/0>} from pool          pool_tests.erl:18
             fun in always_full_test/0 #2 sends {ok,<worker/0>} to always_full_test/0       pool_tests.erl:18
             always_full_test/0 receives {ok,<worker/0>} from fun in always_full_test/0 #2  pool_tests.erl:19
          >> always_full_test/0 exits: assert fails: lists:member(full, Answers) is false, expected is true  pool_tests.erl:20
          brought down with it: pool

        pool_tests:always_full_test: 24 executions explored, 8 with errors
        complete: these are all errors of this test

        assertion: assertMatch fails in crashing_client_test/0: pool:checkout(Pool) is full, expected is {ok, _} at pool/pool_tests.erl:28
          in 4 executions; the simplest:
             crashing_client_test/0 starts pool (pool:init/1)                        pool_tests.erl:25
             pool traps exits                                                        pool.erl:16
             pool starts worker/0                                                    pool.erl:19
             crashing_client_test/0 starts fun in crashing_client_test/0             pool_tests.erl:26
             fun in crashing_client_test/0 calls pool: checkout                      pool_tests.erl:26
             pool takes the call checkout of fun in crashing_client_test/0
             pool monitors fun in crashing_client_test/0                             pool.erl:30
             pool replies {ok,<worker/0>} to fun in crashing_client_test/0
             fun in crashing_client_test/0 gets the reply {ok,<worker/0>} from pool  pool_tests.erl:26
             fun in crashing_client_test/0 ends                                      pool_tests.erl:26
             crashing_client_test/0 hears that fun in crashing_client_test/0 has ended: normal  pool_tests.erl:27
             crashing_client_test/0 calls pool: checkout                             pool_tests.erl:28
             pool takes the call checkout of crashing_client_test/0
             pool replies full to crashing_client_test/0
             crashing_client_test/0 gets the reply full from pool                    pool_tests.erl:28
          >> crashing_client_test/0 exits: assertMatch fails: pool:checkout(Pool) is full, expected is {ok, _}  pool_tests.erl:28
          brought down with it: pool

        pool_tests:crashing_client_test: 6 executions explored, 4 with errors
        complete: these are all errors of this test

        test                             result    executions
        pool_tests:exclusive_test        verified          24
        pool_tests:always_full_test      fails             24  1 error
        pool_tests:crashing_client_test  fails              6  1 error
        pool_tests:crashing_worker_test  verified           2
        pool_tests:work_test_ (1)        verified           2
        5 tests: 3 verified, 2 fail, 0 not complete
    "#]]);
}

#[test]
fn stories_of_behaviours() {
    let arguments =
        ["explore", "supervised", "clients:hasty", "--after-limit", "5000", "--no-witnesses"];
    examples().check(&[&arguments[..], &["--treat-as-normal", "badarith"]].concat(), expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: fun in run/1 #2 exits abnormally: {noproc,{gen_server,call,[counter,{add,5}]}}
          in 2 executions; the simplest, with 1 preemption:
             hasty/0 starts counter_sup (counter_sup:init/1)                      clients.erl:20
             counter_sup starts counter #1 (counter:init/1)
             hasty/0 starts fun in run/1 #1                                       clients.erl:21
             hasty/0 starts fun in run/1 #2                                       clients.erl:22
             fun in run/1 #1 calls counter #1: {share,0}                          clients.erl:21
             counter #1 takes the call {share,0} of fun in run/1 #1
             counter #1 exits: badarith                                           counter.erl:15
          >> fun in run/1 #2 exits: {noproc,{gen_server,call,[counter,{add,5}]}}  clients.erl:22

        clients:hasty(): 5 executions explored, 2 with errors
        complete: these are all errors of this test
    "#]]);
}

#[test]
fn tests_of_a_project() {
    let tests = "-module(m_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
        plain_test() -> ok.\n\
        racy_test() -> S = self(), [spawn(fun() -> S ! N end) || N <- [1, 2]],\n\
          ?assertEqual(1, receive N -> N end).\n\
        made_test_() -> {setup, fun() -> spawn(fun() -> receive stop -> ok end end) end,\n\
          fun(P) -> P ! stop end,\n\
          fun(P) -> [?_assert(is_pid(P)), {\"alive\", ?_assert(is_process_alive(P))}] end}.\n\
        fails_test_() -> error(no_tests).\n";
    let project = Project::new("explore_tests", &[("m_tests.erl", tests)]);
    project.check(&["explore", "--tests", "m_tests.erl"], expect![[r#"
        exit 1
        --- stdout
        assertion: assertEqual fails in racy_test/0: receive N -> N end is 2, expected is 1 at m_tests.erl:5
          in 1 execution; the simplest:
             racy_test/0 starts fun in racy_test/0 #1                                      m_tests.erl:4
             racy_test/0 starts fun in racy_test/0 #2                                      m_tests.erl:4
             fun in racy_test/0 #2 sends 2 to racy_test/0                                  m_tests.erl:4
             racy_test/0 receives 2 from fun in racy_test/0 #2                             m_tests.erl:5
          >> racy_test/0 exits: assertEqual fails: receive N -> N end is 2, expected is 1  m_tests.erl:5
          replay: erlscope replay erlscope-witnesses/m_tests-racy_test-assertion-1.witness
          debug: erlscope debug erlscope-witnesses/m_tests-racy_test-assertion-1.witness

        m_tests:racy_test: 2 executions explored, 1 with errors
        complete: these are all errors of this test

        abnormal_exit: fails_test_/0 exits abnormally: no_tests at m_tests.erl:9
          in 1 execution; the simplest:
          >> fails_test_/0 exits: no_tests  m_tests.erl:9
          replay: erlscope replay erlscope-witnesses/m_tests-fails_test_-1-abnormal_exit-1.witness
          debug: erlscope debug erlscope-witnesses/m_tests-fails_test_-1-abnormal_exit-1.witness

        m_tests:fails_test_ (1): 1 execution explored, 1 with errors
        complete: these are all errors of this test

        test                     result    executions
        m_tests:plain_test       verified           1
        m_tests:racy_test        fails              2  1 error
        m_tests:made_test_ (1)   verified           1
        m_tests:fails_test_ (1)  fails              1  1 error
        4 tests: 2 verified, 2 fail, 0 not complete
        to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
    "#]]);
    project.check(
        &["explore", "--tests", ".", "--filter", "made", "--witnesses", "w"],
        expect![[r#"
            exit 0
            --- stdout
            test                    result    executions
            m_tests:made_test_ (1)  verified           1
            1 test: 1 verified, 0 fail, 0 not complete
        "#]],
    );
    let ran = project.run(&["explore", "--tests", ".", "--filter", "racy", "--witnesses", "w"]);
    assert_eq!(ran.code, Some(1));
    let replayed = project.run(&["replay", "w/m_tests-racy_test-assertion-1.witness"]);
    assert_eq!(replayed.code, Some(1), "{}{}", replayed.stdout, replayed.stderr);
    assert!(replayed.stdout.contains("assertEqual fails"), "{}", replayed.stdout);
    let json = project.run(&["explore", "--tests", ".", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["tests"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["findings"][0]["call"], "m_tests:racy_test");
    project.check(
        &["explore", "--tests", ".", "--filter", "nothing"],
        expect![[r#"
        exit 0
        --- stdout
        no tests found
    "#]],
    );
}

#[test]
fn for_other_programs() {
    let project = project("explore_formats");
    project.check(&["explore", "m.erl", "m:race", "--format", "junit"], expect![[r#"
        exit 1
        --- stdout
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="1" failures="1" errors="0">
          <testsuite name="erlscope explore" tests="1" failures="1" errors="0">
            <testcase classname="m" name="m:race()">
              <failure type="abnormal_exit" message="race/0 exits abnormally: {badmatch,2} at m.erl:10">
        race/0 starts fun in race/0 #1 (m.erl:9)
        race/0 starts fun in race/0 #2 (m.erl:9)
        fun in race/0 #2 sends 2 to race/0 (m.erl:9)
        race/0 receives 2 from fun in race/0 #2 (m.erl:10)
        race/0 exits: {badmatch,2} (m.erl:10)
        </failure>
              <system-out>2 executions explored, 1 with errors</system-out>
            </testcase>
          </testsuite>
        </testsuites>
    "#]]);
    project.check(&["explore", "m.erl", "m:race", "--format", "sarif"], expect![[r#"
        exit 1
        --- stdout
        {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"columnKind":"unicodeCodePoints","invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}],"results":[{"codeFlows":[{"threadFlows":[{"id":"fun in race/0 #2","locations":[{"executionOrder":3,"importance":"important","location":{"message":{"text":"fun in race/0 #2 sends 2 to race/0"},"physicalLocation":{"artifactLocation":{"uri":"m.erl"},"region":{"startLine":9}}}}]},{"id":"race/0","locations":[{"executionOrder":1,"importance":"important","location":{"message":{"text":"race/0 starts fun in race/0 #1"},"physicalLocation":{"artifactLocation":{"uri":"m.erl"},"region":{"startLine":9}}}},{"executionOrder":2,"importance":"important","location":{"message":{"text":"race/0 starts fun in race/0 #2"},"physicalLocation":{"artifactLocation":{"uri":"m.erl"},"region":{"startLine":9}}}},{"executionOrder":4,"importance":"important","location":{"message":{"text":"race/0 receives 2 from fun in race/0 #2"},"physicalLocation":{"artifactLocation":{"uri":"m.erl"},"region":{"startLine":10}}}},{"executionOrder":5,"importance":"essential","location":{"message":{"text":"race/0 exits: {badmatch,2}"},"physicalLocation":{"artifactLocation":{"uri":"m.erl"},"region":{"startLine":10}}}}]}]}],"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"m.erl"},"region":{"startLine":10}}}],"message":{"text":"race/0 exits abnormally: {badmatch,2} at m.erl:10"},"occurrenceCount":1,"ruleId":"abnormal_exit"}],"tool":{"driver":{"name":"erlscope","rules":[{"id":"abnormal_exit"}],"version":"0.1.0"}}}],"version":"2.1.0"}
    "#]]);
    let ran = project.run(&["explore", "m.erl", "m:race", "--format", "html", "-o", "race.html"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    let page = std::fs::read_to_string(project.root.join("race.html")).expect("the page is there");
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg"), "{page}");
    assert!(page.contains("receive N -&gt; 1 = N end"), "{page}");
    // Nothing is loaded from elsewhere.
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "{page}");
    let ran = project.run(&["explore", "m.erl", "m:race", "-o", "nowhere/at/all"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn diagrams_of_witnesses() {
    let project = project("explore_svg");
    project.run(&["explore", "m.erl", "m:race", "--witnesses", "w"]);
    let ran = project.run(&["replay", "w/m-race-abnormal_exit-1.witness", "--format", "svg"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.starts_with("<svg") && ran.stdout.ends_with("</svg>\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("class=\"event failing\""), "{}", ran.stdout);
}

/// `UPDATE_EXPECT=1` draws it anew.
#[test]
fn the_picture_in_the_documentation() {
    let examples = examples();
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/explore_picture");
    let dir = dir.to_str().expect("a path as text");
    examples.run(&["explore", "ping_pong", "ping_pong:pong", "--witnesses", dir]);
    let witness = format!("{dir}/ping_pong-pong-abnormal_exit-1.witness");
    // Paths in a witness are absolute: what is drawn must not depend on where this is.
    let ran = examples.run(&["replay", &witness, "--format", "svg"]);
    let root = format!("{}/", examples.root.display());
    expect_test::expect_file!["../../../docs/ping_pong.svg"]
        .assert_eq(&ran.stdout.replace(&root, ""));
}
