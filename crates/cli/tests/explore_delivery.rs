//! `erlscope explore --delivery any`: exit signals, the news of monitors and messages to aliases
//! that are on their way for a while; the witnesses of such executions; and that the number of
//! workers does not matter.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const PROGRAM: &str = "\
-module(m).
-export([late/0, unlinked/0, calls/0]).
late() ->
    P = spawn(fun() -> receive late -> exit(late) end end),
    exit(P, shutdown),
    spawn(fun() -> P ! late end).
unlinked() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive stop -> ok end end),
    P ! stop,
    unlink(P),
    receive {'EXIT', P, _} -> exit(heard) after 0 -> ok end.
calls() ->
    S = spawn(fun() -> serve() end),
    Me = self(),
    [spawn(fun() -> Me ! call(S, N) end) || N <- [1, 2]],
    exit(S, kill),
    [receive X -> X end || _ <- [1, 2]].
call(S, N) ->
    A = monitor(process, S, [{alias, reply_demonitor}]),
    S ! {A, N},
    receive {A, R} -> R; {'DOWN', A, _, _, R} -> R end.
serve() -> receive {A, N} -> A ! {A, N}, serve() end.
";

fn project(name: &str) -> Project {
    Project::new(name, &[("m.erl", PROGRAM)])
}

/// A signal that was sent before a process was sent a message, by a way round, arrives after it, or
/// never in time.
#[test]
fn a_late_exit_signal() {
    let project = project("delivery_late");
    project.check(
        &["explore", "m.erl", "m:late", "--delivery", "any", "--treat-as-normal", "shutdown"],
        expect![[r#"
            exit 1
            --- stdout
            abnormal_exit: fun in late/0 #1 exits abnormally: late
              in 1 execution; the simplest:
                 late/0 starts fun in late/0 #1                          m.erl:4
                 late/0 sends fun in late/0 #1 the exit signal shutdown  m.erl:5
                 late/0 starts fun in late/0 #2                          m.erl:6
                 fun in late/0 #2 sends late to fun in late/0 #1         m.erl:6
                 fun in late/0 #1 receives late from fun in late/0 #2    m.erl:4
              >> fun in late/0 #1 exits: late                            m.erl:4
              replay: erlscope replay erlscope-witnesses/m-late-abnormal_exit-1.witness
              debug: erlscope debug erlscope-witnesses/m-late-abnormal_exit-1.witness

            m:late(): 3 executions explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]],
    );
    project.check(
        &["replay", "erlscope-witnesses/m-late-abnormal_exit-1.witness", "--trace", "t"],
        expect![[r#"
            exit 1
            --- stdout
                 late/0 starts fun in late/0 #1                          m.erl:4
                 late/0 sends fun in late/0 #1 the exit signal shutdown  m.erl:5
                 late/0 starts fun in late/0 #2                          m.erl:6
                 fun in late/0 #2 sends late to fun in late/0 #1         m.erl:6
                 fun in late/0 #1 receives late from fun in late/0 #2    m.erl:4
              >> fun in late/0 #1 exits: late                            m.erl:4
            abnormal_exit: fun in late/0 #1 exits abnormally: late
        "#]],
    );
    // The schedule is in the trace, too.
    let again = project.run(&["run", "--schedule", "t"]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    assert!(again.stdout.contains("exits: late"), "{}", again.stdout);
}

#[test]
fn a_signal_of_a_link_that_is_gone() {
    project("delivery_unlinked")
        .check(&["explore", "m.erl", "m:unlinked", "--delivery", "any"], expect![[r#"
            exit 1
            --- stdout
            abnormal_exit: unlinked/0 exits abnormally: heard
              in 1 execution; the simplest, with 1 preemption:
                 unlinked/0 traps exits                                     m.erl:8
                 unlinked/0 starts fun in unlinked/0                        m.erl:9
                 unlinked/0 sends stop to fun in unlinked/0                 m.erl:10
                 fun in unlinked/0 receives stop from unlinked/0            m.erl:9
                 fun in unlinked/0 ends                                     m.erl:9
                 unlinked/0 is reached by {'EXIT',<fun in unlinked/0>,normal} of fun in unlinked/0
                 unlinked/0 unlinks fun in unlinked/0                       m.erl:11
                 unlinked/0 hears that fun in unlinked/0 has ended: normal  m.erl:12
              >> unlinked/0 exits: heard                                    m.erl:12
              replay: erlscope replay erlscope-witnesses/m-unlinked-abnormal_exit-1.witness
              debug: erlscope debug erlscope-witnesses/m-unlinked-abnormal_exit-1.witness

            m:unlinked(): 2 executions explored, 1 with errors
            complete: these are all errors of this test
            to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope replay WITNESS --trace FILE
        "#]]);
}

fn told(project: &Project, arguments: &[&str]) -> (u64, Value) {
    let all = ["explore", "m.erl", "--format", "json", "--delivery", "any"];
    let ran = project.run(&[&all, arguments].concat());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    assert!(json.is_object(), "{}{}", ran.stdout, ran.stderr);
    (json["executions"].as_u64().unwrap_or_default(), json["findings"].clone())
}

#[test]
fn with_workers_and_in_parts() {
    let project = project("delivery_calls");
    let one = told(&project, &["m:calls"]);
    for jobs in ["2", "4"] {
        assert_eq!(told(&project, &["m:calls", "--jobs", jobs]), one, "{jobs} workers");
    }
    told(&project, &["m:calls", "--max-executions", "10", "--save", "s"]);
    assert_eq!(told(&project, &["m:calls", "--resume", "s"]), one);
}
