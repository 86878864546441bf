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
        expect![[r#"
            exit 0
            --- stdout
            6
        "#]],
    );
    project.check(
        &["trace", "t"],
        expect![[r#"
            exit 0
            --- stdout
                 1  -          -                    spawns <0.80.0> with erlscope_entry:main()
                 2  <0.80.0>   -                    calls server:main()
                 3  <0.80.0>   server:5:10          calls erlang:self()
                 4  <0.80.0>   server:5:10          returns <0.80.0>
                 5  <0.80.0>   server:6:5           calls ets:new(seen, [named_table,public])
                 7  <0.80.0>   server:6:5           returns seen
                 8  <0.80.0>   server:7:14          calls erlang:spawn(#Fun<server.0.82384678>)
                 9  <0.80.0>   server:7:14          spawns <0.81.0> with fun server:'-main/0-fun-0-'/0
                10  <0.80.0>   server:7:14          returns <0.81.0>
                11  <0.80.0>   server:8:29          calls server:'-main/0-lc$^1/1-0-'([1,2,3], <0.81.0>)
                12  <0.80.0>   server:8:13          sends #1 to <0.81.0>: {add,1}
                14  <0.80.0>   server:8:29          calls (tail) server:'-main/0-lc$^1/1-0-'([2,3], <0.81.0>)
                15  <0.80.0>   server:8:13          sends #2 to <0.81.0>: {add,2}
                17  <0.80.0>   server:8:29          calls (tail) server:'-main/0-lc$^1/1-0-'([3], <0.81.0>)
                18  <0.80.0>   server:8:13          sends #3 to <0.81.0>: {add,3}
                20  <0.80.0>   server:8:29          calls (tail) server:'-main/0-lc$^1/1-0-'([], <0.81.0>)
                21  <0.80.0>   server:8:29          returns []
                23  <0.81.0>   -                    calls (tail) server:'-main/0-fun-0-'()
                24  <0.81.0>   server:7:29          calls (tail) server:loop(<0.80.0>, 0)
                25  <0.81.0>   server:15:9          receives #1: {add,1}
                26  <0.81.0>   server:16:13         calls ets:insert(seen, {1})
                29  <0.81.0>   server:16:13         returns true
                30  <0.81.0>   server:17:13         calls (tail) server:loop(<0.80.0>, 1)
                31  <0.81.0>   server:15:9          receives #2: {add,2}
                32  <0.81.0>   server:16:13         calls ets:insert(seen, {2})
                35  <0.81.0>   server:16:13         returns true
                36  <0.81.0>   server:17:13         calls (tail) server:loop(<0.80.0>, 3)
                37  <0.81.0>   server:15:9          receives #3: {add,3}
                38  <0.81.0>   server:16:13         calls ets:insert(seen, {3})
                41  <0.81.0>   server:16:13         returns true
                42  <0.81.0>   server:17:13         calls (tail) server:loop(<0.80.0>, 6)
                43  <0.81.0>   server:12:12         sends #4 to <0.80.0>: {sum,6}
                45  <0.81.0>   server:12:12         returns {sum,6}
                46  <0.81.0>   server:12:12         <0.81.0> ends: normal
                48  <0.80.0>   server:9:13          receives #4: {sum,6}
                49  <0.80.0>   server:9:27          returns 6
                51  -          -                    the run ends: returned
        "#]],
    );
    project.check(
        &["trace", "t", "--kind", "access,receive", "--process", "<0.81.0>"],
        expect![[r#"
            exit 0
            --- stdout
                25  <0.81.0>   server:15:9          receives #1: {add,1}
                27  <0.81.0>   server:16:13         reads table name seen
                28  <0.81.0>   server:16:13         writes table 144115188075855876, key dd18ade7
                31  <0.81.0>   server:15:9          receives #2: {add,2}
                33  <0.81.0>   server:16:13         reads table name seen
                34  <0.81.0>   server:16:13         writes table 144115188075855876, key 3fd72bae
                37  <0.81.0>   server:15:9          receives #3: {add,3}
                39  <0.81.0>   server:16:13         reads table name seen
                40  <0.81.0>   server:16:13         writes table 144115188075855876, key a18e506c
        "#]],
    );
    project.check(
        &["trace", "t", "--at", "server:9", "--all"],
        expect![[r#"
            exit 0
            --- stdout
                48  <0.80.0>   server:9:13          receives #4: {sum,6}
                49  <0.80.0>   server:9:27          returns 6
        "#]],
    );
    let json =
        project.run(&["trace", "t", "--format", "json", "--clocks", "--kind", "receive,end"]);
    let (header, events) = json.stdout.split_once('\n').expect("a line for the run");
    assert!(header.contains("\"call\":\"server:main()\""), "{header}");
    let expected = expect![[r#"
        {"at":{"column":9,"line":15,"module":"server"},"clock":{"<0.80.0>":11,"<0.81.0>":3},"depth":0,"kind":"receive","message":1,"number":25,"process":"<0.81.0>","receive":{"column":5,"line":14,"module":"server"},"term":"{add,1}","time":1060}
        {"at":{"column":9,"line":15,"module":"server"},"clock":{"<0.80.0>":13,"<0.81.0>":9},"depth":0,"kind":"receive","message":2,"number":31,"process":"<0.81.0>","receive":{"column":5,"line":14,"module":"server"},"term":"{add,2}","time":1060}
        {"at":{"column":9,"line":15,"module":"server"},"clock":{"<0.80.0>":15,"<0.81.0>":15},"depth":0,"kind":"receive","message":3,"number":37,"process":"<0.81.0>","receive":{"column":5,"line":14,"module":"server"},"term":"{add,3}","time":1060}
        {"at":{"column":13,"line":9,"module":"server"},"clock":{"<0.80.0>":18,"<0.81.0>":21},"depth":1,"kind":"receive","message":4,"number":48,"process":"<0.80.0>","receive":{"column":5,"line":9,"module":"server"},"term":"{sum,6}","time":1110}
        {"at":null,"depth":0,"how":"returned","kind":"end","number":51,"process":null,"time":1110}
    "#]];
    expected.assert_eq(events);
}

#[test]
fn exceptions_and_library_calls() {
    let project = project("trace_exceptions");
    project.run(&["run", "--trace", "t", "--trace-all", "server.erl", "server:crash()"]);
    project.check(
        &["trace", "t", "--kind", "call,return,raise,catch,exit", "--process", "80"],
        expect![[r#"
            exit 0
            --- stdout
                 2  <0.80.0>   -                    calls (tail) erlscope_entry:main()
                 3  <0.80.0>   -                    calls server:crash()
                 4  <0.80.0>   server:21:9          calls erlang:list_to_atom(1)
                 5  <0.80.0>   server:21:9          raises error:badarg
                 6  <0.80.0>   server:21:31         catches it at server:21:5
                 7  <0.80.0>   server:21:47         calls (tail) lists:foldl(#Fun<server.1.82384678>, 1, [0])
                 8  <0.80.0>   lists:410:39         calls server:'-crash/0-fun-0-'(0, 1)
                 9  <0.80.0>   server:21:74         returns 0
                10  <0.80.0>   lists:410:26         calls (tail) lists:foldl_1(#Fun<server.1.82384678>, 0, [])
                11  <0.80.0>   lists:415:27         returns 0
                12  <0.80.0>   -                    calls (tail) erlscope_native:finish(0)
        "#]],
    );
}

#[test]
fn nodes() {
    let project = project("trace_nodes");
    project.run(&["run", "--trace", "t", "--trace-nodes", "server.erl", "server:crash()"]);
    project.check(
        &["trace", "t", "--kind", "node"],
        expect![[r#"
            exit 0
            --- stdout
                 3  <0.80.0>   server:20:1          node chosen
                 4  <0.80.0>   server:21:5          node reached
                 5  <0.80.0>   server:21:9          node reached
                 6  <0.80.0>   server:21:22         node reached
                10  <0.80.0>   server:21:31         node chosen
                11  <0.80.0>   server:21:47         node reached
                12  <0.80.0>   server:21:59         node reached
                13  <0.80.0>   server:21:85         node reached
                14  <0.80.0>   server:21:88         node reached
                17  <0.80.0>   server:21:62         node chosen
                18  <0.80.0>   server:21:74         node reached
                19  <0.80.0>   server:21:72         node reached
                20  <0.80.0>   server:21:78         node reached
        "#]],
    );
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
    project.check(&["run", "--schedule", "s"], expect![[r#"
        exit 3
        --- stderr
        erlscope: the run departs from the schedule after 0 turns: <0.80.0> should make 106 calls and then wait, but it made 107 and then waited
    "#]]);
}

#[test]
fn a_run_that_read_a_file_is_run_again() {
    let project = project("trace_reads");
    let write = |name: &str, text: &str| {
        std::fs::write(project.root.join(name), text).expect("the file can be written");
    };
    write(
        "reader.erl",
        "-module(reader).\n-export([main/0]).\n\
         main() -> {ok, Notes} = file:read_file(\"notes.txt\"), error({notes, byte_size(Notes)}).\n",
    );
    write("notes.txt", "three");
    let record = ["run", "--save-schedule", "s", "reader.erl", "reader:main()"];
    let first = project.run(&record).transcript();
    assert!(first.contains("{notes,5}") && first.contains("(reader.erl, line 3)"), "{first}");
    // As it was given, also in stack traces.
    assert_eq!(project.run(&["run", "--schedule", "s"]).transcript(), first);
    write("notes.txt", "other");
    let changed = project.run(&["run", "--schedule", "s"]).stderr;
    assert!(
        changed.contains("notes.txt: the run of the schedule read it, and it has changed since")
    );
    std::fs::remove_file(project.root.join("notes.txt")).expect("the file can be removed");
    let gone = project.run(&["run", "--schedule", "s"]).stderr;
    assert!(
        gone.contains("notes.txt: the run of the schedule read it, and it cannot be read any more")
    );
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
    project.check(&["trace", "other"], expect![[r#"
        exit 2
        --- stderr
        erlscope: other: `erlscope trace 99` is another version, this program reads `erlscope trace 1`
    "#]]);
    project.check(
        &["trace", "server.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: server.erl: this is no trace: the first line must be `erlscope trace 1`
    "#]],
    );
    project.check(
        &["trace", "nowhere"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: nowhere: No such file or directory (os error 2)
    "#]],
    );
    project.check(
        &["run", "--schedule", "server.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: server.erl: this is no witness: the first line must be `erlscope witness 1`
    "#]],
    );
    project.check(&["trace", "t", "--kind", "sends"], expect![[r#"
        exit 2
        --- stderr
        error: invalid value 'sends' for '--kind <KIND>': `sends` is none of call, return, raise, catch, spawn, exit, send, deliver, receive, timeout, flush, link, unlink, monitor, demonitor, exit_signal, timer_set, timer_cancelled, timer_fired, output, access, node, turn, arrive, step, signal, end

        For more information, try '--help'.
    "#]]);
    project.check(
        &["run", "--trace", "no/where", "server.erl", "server:main()"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: no/where: No such file or directory (os error 2)
    "#]],
    );
}

const RACE: &str = "\
-module(race).
-export([main/0]).

main() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- [1, 2]],
    1 = receive First -> First end.
";

#[test]
fn a_witness_is_recorded() {
    let project = Project::new("trace_witness", &[("race.erl", RACE)]);
    project.run(&["explore", "race.erl", "race:main", "--witnesses", "w"]);
    let witness = "w/race-main-abnormal_exit-1.witness";
    project.run(&["replay", witness, "--trace", "t"]);
    project.check(
        &["trace", "t", "--kind", "send,receive,step,raise"],
        expect![[r#"
            exit 0
            --- stdout
                 5  <0.80.0>   -                    step
                11  <0.80.0>   -                    step
                18  <0.82.0>   -                    step
                19  <0.82.0>   race:6:24            sends #1 to <0.80.0>: 2
                22  <0.82.0>   -                    step
                24  <0.80.0>   -                    step
                25  <0.80.0>   race:7:17            receives #1: 2
                26  <0.80.0>   race:7:5             raises error:{badmatch,2}
                27  <0.80.0>   -                    step
                29  <0.81.0>   -                    step
                30  <0.81.0>   race:6:24            sends #2 to <0.80.0>: 1
                33  <0.81.0>   -                    step
        "#]],
    );
    // The trace can be run again, and gives the same trace.
    project.run(&["replay", "t", "--trace", "t2"]);
    let read = |name: &str| std::fs::read(project.root.join(name)).expect("a trace");
    assert_eq!(read("t"), read("t2"));
}
