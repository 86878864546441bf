//! `erlscope explore` and `erlscope replay` on small programs.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const PROGRAM: &str = "\
-module(m).
-export([fine/0, race/0, lost/0, forever/0, many/0, socket/0]).
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
";

fn project(name: &str) -> Project {
    Project::new(name, &[("m.erl", PROGRAM)])
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
        abnormal_exit: <0.80.0> exits abnormally: {badmatch,2} at m.erl:10
          in 1 execution; the simplest:
            <0.80.0> spawns <0.81.0>  (m.erl:9)
            <0.80.0> spawns <0.82.0>  (m.erl:9)
            <0.82.0> sends 2 to <0.80.0>  (m.erl:9)
            <0.82.0> ends (normal)  (m.erl:9)
            <0.81.0> sends 1 to <0.80.0>  (m.erl:9)
            <0.81.0> ends (normal)  (m.erl:9)
            <0.80.0> receives 2  (m.erl:10)
            <0.80.0> ends ({{badmatch,2},[{m,race,0,[{file,"m.erl"},{line,10}]}]})  (m.erl:10)

        m:race(): 2 executions explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
    project.check(
        &["explore", "m.erl", "m:lost"],
        expect![[r#"
        exit 1
        --- stdout
        deadlock: stuck: <0.80.0> waits at m.erl:15
          in 1 execution; the simplest:
            <0.80.0> spawns <0.81.0>  (m.erl:13)
            <0.81.0> calls erlang:whereis/1  (m.erl:13)
            <0.81.0> ends (normal)  (m.erl:13)
            <0.80.0> calls erlang:register/2  (m.erl:14)

        m:lost(): 2 executions explored, 1 with errors
        complete: these are all errors of this test
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
            endless: the execution has more events than the bound
              in 1 execution; the simplest:
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)
                <0.80.0> sends again to <0.80.0>  (m.erl:16)
                <0.80.0> receives again  (m.erl:16)

            m:forever(): 1 execution explored, 1 with errors
            not complete: executions were longer than --max-depth; other schedules may behave otherwise
        "#]],
    );
}

#[test]
fn wrong_use() {
    let project = project("explore_wrong");
    project.check(
        &["explore", "m.erl", "m:nothing"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: m exports no function nothing
    "#]],
    );
    project.check(
        &["explore", "m.erl", "m:socket"],
        expect![[r#"
            exit 1
            --- stdout
            unsupported: not supported: gen_tcp:listen/2: sockets are not supported
              in 1 execution; the simplest:

            m:socket(): 1 execution explored, 1 with errors
            not complete: executions ended where something is not supported; other schedules may behave otherwise
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

#[test]
fn witnesses_are_replayed() {
    let project = project("explore_replay");
    project.check(
        &["explore", "m.erl", "m:race", "--witnesses", "w"],
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: <0.80.0> exits abnormally: {badmatch,2} at m.erl:10
          in 1 execution; the simplest:
            <0.80.0> spawns <0.81.0>  (m.erl:9)
            <0.80.0> spawns <0.82.0>  (m.erl:9)
            <0.82.0> sends 2 to <0.80.0>  (m.erl:9)
            <0.82.0> ends (normal)  (m.erl:9)
            <0.81.0> sends 1 to <0.80.0>  (m.erl:9)
            <0.81.0> ends (normal)  (m.erl:9)
            <0.80.0> receives 2  (m.erl:10)
            <0.80.0> ends ({{badmatch,2},[{m,race,0,[{file,"m.erl"},{line,10}]}]})  (m.erl:10)
          replay: erlscope replay w/abnormal_exit-1.witness

        m:race(): 2 executions explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
    let replayed = project.run(&["replay", "w/abnormal_exit-1.witness"]);
    assert_eq!(replayed.code, Some(1), "{}", replayed.stdout);
    let last = replayed.stdout.lines().last().unwrap_or_default();
    assert!(last.contains("exits abnormally: {badmatch,2}"), "{last}");
    assert_eq!(replayed.stdout.lines().count(), 9);
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
