//! `erlscope run --trace`, `--schedule`, `--save-schedule`, `--delivery`, and `erlscope trace`.

mod harness;

use expect_test::expect;
use harness::Project;

const SERVER: &str = "\
-module(server).
-export([main/0, crash/0]).

main() ->
    Me = self(),
    ets:new(seen, [named_table, public]),
    Server = spawn(fun() -> loop(Me, 0) end),
    [Server ! {add, N} || N <- [1, 2, 3]],
    receive {sum, Sum} -> Sum end.

loop(Parent, 6) ->
    Parent ! {sum, 6};
loop(Parent, Sum) ->
    receive
        {add, N} ->
            ets:insert(seen, {N}),
            loop(Parent, Sum + N)
    end.

crash() ->
    try list_to_atom(1) catch error:badarg -> lists:foldl(fun(X, Y) -> X div Y end, 1, [0]) end.
";

fn project(name: &str) -> Project {
    Project::new(name, &[("server.erl", SERVER)])
}

#[test]
fn a_run_is_recorded_and_shown() {
    let project = project("trace_shown");
    project.check(
        &["run", "--trace", "t", "--print", "server.erl", "server:main()"],
        expect![[r#""#]],
    );
    project.check(&["trace", "t"], expect![[r#""#]]);
    project.check(
        &["trace", "t", "--kind", "access,receive", "--process", "<0.81.0>"],
        expect![[r#""#]],
    );
    project.check(&["trace", "t", "--at", "server:9", "--all"], expect![[r#""#]]);
    project.check(
        &["trace", "t", "--format", "json", "--clocks", "--kind", "receive,end"],
        expect![[r#""#]],
    );
}

#[test]
fn exceptions_and_library_calls() {
    let project = project("trace_exceptions");
    project.run(&["run", "--trace", "t", "--trace-all", "server.erl", "server:crash()"]);
    project.check(
        &["trace", "t", "--kind", "call,return,raise,catch,exit", "--process", "80"],
        expect![[r#""#]],
    );
}

#[test]
fn nodes() {
    let project = project("trace_nodes");
    project.run(&["run", "--trace", "t", "--trace-nodes", "server.erl", "server:crash()"]);
    project.check(&["trace", "t", "--kind", "node"], expect![[r#""#]]);
}

/// The bytes of a file of the project.
fn bytes(project: &Project, name: &str) -> Vec<u8> {
    std::fs::read(project.root.join(name)).expect("the file is there")
}

#[test]
fn a_run_is_run_again() {
    let project = project("trace_again");
    let call = ["server.erl", "server:main()"];
    for (name, options) in [
        ("a", &["--seed", "5"][..]),
        ("b", &["--seed", "6", "--delivery", "any"]),
        ("c", &["--delivery", "any"]),
        ("d", &[]),
    ] {
        let (saved, again) = (format!("{name}.schedule"), format!("{name}.again"));
        let record = ["run", "--trace", name, "--save-schedule", &saved];
        assert_eq!(project.run(&[&record[..], options, &call].concat()).code, Some(0));
        for schedule in [name, &saved] {
            let follow = ["run", "--schedule", schedule, "--trace", &again];
            assert_eq!(project.run(&follow).transcript(), "exit 0\n");
            assert!(bytes(&project, name) == bytes(&project, &again), "{schedule}");
            assert_eq!(project.run(&["replay", schedule]).transcript(), "exit 0\n");
        }
    }
}

#[test]
fn a_run_that_departs_from_its_schedule() {
    let project = project("trace_departs");
    project.run(&["run", "--save-schedule", "s", "server.erl", "server:main()"]);
    let changed = SERVER.replace("[1, 2, 3]", "[3, 2, 1, 0]").replace("Sum + N", "add(Sum, N)")
        + "add(Sum, N) -> Sum + N.\n";
    std::fs::write(project.root.join("server.erl"), changed).expect("the file can be written");
    project.check(&["run", "--schedule", "s"], expect![[r#""#]]);
}

#[test]
fn files_that_are_no_traces() {
    let project = project("trace_bad");
    project.run(&["run", "--trace", "t", "server.erl", "server:main()"]);
    let whole = bytes(&project, "t");
    std::fs::write(project.root.join("cut"), &whole[..whole.len() / 2]).expect("can be written");
    let text = project.run(&["trace", "cut"]);
    assert_eq!((text.code, text.stderr.contains("cut off")), (Some(3), true));
    let other = [b"erlscope trace 99\n", &whole[17..]].concat();
    std::fs::write(project.root.join("other"), other).expect("can be written");
    project.check(&["trace", "other"], expect![[r#""#]]);
    project.check(&["trace", "server.erl"], expect![[r#""#]]);
    project.check(&["trace", "nowhere"], expect![[r#""#]]);
    project.check(&["run", "--schedule", "server.erl"], expect![[r#""#]]);
    project.check(&["trace", "t", "--kind", "sends"], expect![[r#""#]]);
    project.check(&["run", "--trace", "no/where", "server.erl", "server:main()"], expect![[r#""#]]);
}
