//! `erlscope explore`: workers, limits, random executions, searches that are saved.

mod harness;

use harness::Project;
use serde_json::Value;

const PROGRAM: &str = "\
-module(m).
-export([lost/0, senders/0, forever/0, alike/0, many/0]).
lost() ->
    ets:new(t, [public, named_table]),
    ets:insert(t, {c, 0}),
    Me = self(),
    [spawn(fun() -> [{c, V}] = ets:lookup(t, c), ets:insert(t, {c, V + 1}), Me ! ok end) || _ <- [1, 2, 3]],
    [receive ok -> ok end || _ <- [1, 2, 3]],
    [{c, 3}] = ets:lookup(t, c).
senders() ->
    Me = self(),
    [spawn(fun() -> Me ! N end) || N <- lists:seq(1, 6)],
    [receive N -> N end || _ <- lists:seq(1, 6)].
many() ->
    ets:new(t, [public, named_table]),
    Me = self(),
    [spawn(fun() -> ets:insert(t, {a, N}), ets:lookup(t, b), Me ! N, ets:insert(t, {b, N}) end) || N <- [1, 2, 3]],
    [receive N -> N end || _ <- [1, 2, 3]].
forever() -> self() ! again, receive again -> forever() end.
alike() ->
    [spawn(fun() -> exit(oops) end), spawn(fun() -> link(spawn(fun() -> exit(oops) end)) end)].
";

fn project(name: &str) -> Project {
    Project::new(name, &[("m.erl", PROGRAM)])
}

/// What matters of an exploration: exit code, executions, whether it is complete and why not,
/// and how often each error was found.
fn explored(
    project: &Project,
    arguments: &[&str],
) -> (Option<i32>, u64, String, Vec<(String, u64)>) {
    let mut all = vec!["explore", "m.erl", "--format", "json"];
    all.extend(arguments);
    let ran = project.run(&all);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    assert!(json.is_object(), "{}{}", ran.stdout, ran.stderr);
    let findings = json["findings"].as_array().cloned().unwrap_or_default();
    let finding = |finding: &Value| {
        let text = finding["message"].as_str().unwrap_or_default().to_owned();
        (text, finding["count"].as_u64().unwrap_or_default())
    };
    let why = json["incomplete_because"].as_str().unwrap_or("complete").to_owned();
    let executions = json["executions"].as_u64().unwrap_or_default();
    (ran.code, executions, why, findings.iter().map(finding).collect())
}

#[test]
fn any_number_of_workers() {
    let project = project("explore_jobs");
    for function in ["m:lost", "m:senders", "m:many"] {
        let one = explored(&project, &[function]);
        assert_eq!(one.2, "complete");
        for jobs in ["2", "3", "0", "12"] {
            assert_eq!(explored(&project, &[function, "--jobs", jobs]), one, "{jobs} workers");
        }
    }
}

/// All that is told, to the last number of a process, in the text and in the witnesses.
#[test]
fn the_same_is_told_whatever_the_number_of_workers() {
    let project = project("explore_same");
    for function in ["m:lost", "m:senders", "m:alike"] {
        for more in [
            &[][..],
            &["--delivery", "any"][..],
            &["--warnings"][..],
            &["--preemptions", "9", "--warnings"][..],
        ] {
            let told = |jobs: &str| {
                let all = ["explore", "m.erl", "--format", "json", function, "--jobs", jobs];
                let ran = project.run(&[&all, more].concat());
                assert!(ran.code.is_some_and(|code| code < 2), "{}", ran.stderr);
                let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
                let findings = json["findings"].as_array().cloned().unwrap_or_default();
                let files = findings.iter().map(|finding| {
                    let path = finding["witness"].as_str().unwrap_or_default();
                    std::fs::read_to_string(project.root.join(path)).unwrap_or_default()
                });
                (files.collect::<Vec<_>>(), ran.stdout)
            };
            let one = told("1");
            for jobs in ["2", "4"] {
                assert_eq!(told(jobs), one, "{function} {more:?} with {jobs} workers");
            }
        }
    }
}

#[test]
fn saved_and_resumed() {
    let project = project("explore_saved");
    let whole = explored(&project, &["m:lost"]);
    let first = ["m:lost", "--max-executions", "20", "--save", "s"];
    let (_, executions, why, _) = explored(&project, &first);
    assert_eq!(executions, 20);
    assert_eq!(why, "--max-executions was reached; what is left is in s");
    let more = ["m:lost", "--max-executions", "30", "--resume", "s", "--save", "s", "--jobs", "2"];
    assert_eq!(explored(&project, &more).1, 50);
    assert_eq!(explored(&project, &["m:lost", "--resume", "s"]), whole);
    let other = project.run(&["explore", "m.erl", "m:senders", "--resume", "s"]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(other.stderr.contains("s is a search of m:lost(), not of m:senders()"));
    std::fs::write(project.root.join("s"), "nothing").unwrap();
    let broken = project.run(&["explore", "m.erl", "m:lost", "--resume", "s"]);
    assert_eq!(broken.code, Some(2));
    assert!(broken.stderr.contains("this is no search that was saved"));
}

#[test]
fn limits() {
    let project = project("explore_limits");
    let (code, few, why, found) = explored(&project, &["m:lost", "--preemptions", "0"]);
    assert_eq!((code, found), (Some(3), Vec::new()));
    assert!(why.starts_with("limited to 0 preemptions, "), "{why}");
    let (code, more, _, found) = explored(&project, &["m:lost", "--preemptions", "1"]);
    assert_eq!(code, Some(1), "one preemption is enough for an update to be lost");
    assert!(more > few && !found.is_empty());
    let (_, all, why, _) = explored(&project, &["m:lost", "--preemptions", "50"]);
    assert_eq!((all, why.as_str()), (explored(&project, &["m:lost"]).1, "complete"));
    // Executions that no smaller bound has: 6 orders, and of the others those that one preemption
    // is enough for.
    assert_eq!((few, more, all), (6, 42, 150));
    let (_, first, why, _) =
        explored(&project, &["m:lost", "--preemptions", "2", "--max-executions", "20"]);
    let told = "--max-executions was reached; with at most 0 preemptions everything was explored";
    assert_eq!((first, why.as_str()), (20, told));
    let (_, _, why, _) = explored(&project, &["m:lost", "--delays", "1"]);
    assert!(why.starts_with("limited to 1 delay, "), "{why}");
}

/// With a bound that is large enough everything is told that is told without, and what depends on
/// the schedule, too.
#[test]
fn with_enough_preemptions() {
    let project = project("explore_preemptions");
    for function in ["m:lost", "m:senders", "m:alike"] {
        for more in [&["--warnings"][..], &["--delivery", "any", "--warnings"][..]] {
            let told = |bound: &[&str]| {
                let all = ["explore", "m.erl", "--format", "json", "--no-witnesses", function];
                let ran = project.run(&[&all, more, bound].concat());
                assert!(ran.code.is_some_and(|code| code < 2), "{}", ran.stderr);
                ran.stdout
            };
            assert_eq!(told(&["--preemptions", "20"]), told(&[]), "{function} {more:?}");
        }
    }
}

#[test]
fn at_random() {
    let project = project("explore_random");
    let arguments = ["m:lost", "--random", "200", "--seed", "5"];
    let (code, executions, why, found) = explored(&project, &arguments);
    assert_eq!((code, executions), (Some(1), 200));
    assert!(why.starts_with("random executions, ") && why.ends_with("seed 5"), "{why}");
    assert!(!found.is_empty());
    assert_eq!(explored(&project, &arguments).3, found);
}

#[test]
fn runs_forever() {
    let project = project("explore_forever");
    let (code, _, _, found) = explored(&project, &["m:forever", "--max-depth", "50"]);
    assert_eq!(code, Some(1));
    let message = "the test can run forever: its state comes again after 2 more events";
    assert_eq!(found, [(message.to_owned(), 1)]);
}

const SERVER: &str = "\
-module(m).
-behaviour(gen_server).
-export([calls/0, supervised/0, app/0, start_link/0, init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link({local, m}, ?MODULE, [], []).
init([]) -> {ok, 0}.
handle_call(inc, _, N) -> {reply, N, N + 1};
handle_call(crash, _, _) -> exit(crashed).
handle_cast(_, N) -> {noreply, N}.
calls() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    Me = self(),
    [spawn(fun() -> Me ! {v, gen_server:call(P, inc)} end) || _ <- [1, 2]],
    [0, 1] = lists:sort([receive {v, V} -> V end || _ <- [1, 2]]).
supervised() ->
    {ok, S} = m_app:start_link(),
    Me = self(),
    [spawn(fun() -> Me ! {v, catch gen_server:call(m, M)} end) || M <- [inc, crash]],
    [receive {v, V} -> V end || _ <- [1, 2]],
    unlink(S),
    exit(S, shutdown).
app() ->
    ok = application:load({application, m_app, [{vsn, \"1\"}, {modules, []}, {registered, []},
                           {applications, [kernel, stdlib]}, {mod, {m_app, []}}]}),
    {ok, [m_app]} = application:ensure_all_started(m_app),
    0 = gen_server:call(m, inc),
    ok = application:stop(m_app).
";

const SUPERVISOR: &str = "\
-module(m_app).
-behaviour(supervisor).
-export([start_link/0, init/1, start/2, stop/1]).
start_link() -> supervisor:start_link({local, m_app}, ?MODULE, []).
init([]) -> {ok, {#{intensity => 3}, [#{id => m, start => {m, start_link, []}}]}}.
start(_, _) -> start_link().
stop(_) -> ok.
";

/// Servers, supervisors and applications: with a node where it is needed, and its processes idle.
#[test]
fn with_a_node() {
    let project = Project::new("explore_node", &[("m.erl", SERVER), ("m_app.erl", SUPERVISOR)]);
    for function in ["m:calls", "m:supervised", "m:app"] {
        let arguments = ["m_app.erl", function, "--after-limit", "5000"];
        let (code, executions, why, found) = explored(&project, &arguments);
        assert_eq!(why, "complete", "{function}");
        assert!((1..100).contains(&executions), "{function}: {executions}");
        // The crash is one.
        let expected = if function == "m:supervised" { (Some(1), 1) } else { (Some(0), 0) };
        assert_eq!((code, found.len()), expected, "{function}: {found:?}");
        let two = explored(&project, &[&arguments[..], &["--jobs", "2"]].concat());
        assert_eq!(two, (code, executions, why, found));
    }
}

/// Somebody may look at a dictionary before its process has changed it, also between two other
/// visible actions; or at a process that is gone before those have heard of it whom its end tells.
/// So it is in a search that is saved, at whatever time that is stopped.
#[test]
fn a_look_at_a_dictionary() {
    let program = "\
-module(m).
-export([early/0, between/0, late/0, gone/0]).
gone() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    Alive = is_process_alive(P),
    Heard = receive {'DOWN', R, process, P, _} -> true after 0 -> false end,
    Alive orelse Heard orelse exit(gone_and_not_told).
early() ->
    P = spawn(fun() -> put(k, 1), receive stop -> ok end end),
    process_info(P, dictionary).
between() ->
    Me = self(),
    P = spawn(fun() -> put(k, 1), Me ! ready, put(k, 2), receive stop -> ok end end),
    receive ready -> process_info(P, dictionary) end.
late() ->
    Me = self(),
    P = spawn(fun() -> put(k, 1), Me ! ready, receive stop -> ok end end),
    receive ready -> process_info(P, dictionary) end.
";
    let project = Project::new("explore_early", &[("m.erl", program)]);
    let ignored = ["--ignore", "deadlock"];
    for (call, expected) in [("m:early", 2), ("m:between", 2), ("m:late", 1)] {
        for more in [&[][..], &["--jobs", "2"], &["--preemptions", "5"]] {
            let (code, executions, why, _) =
                explored(&project, &[&[call][..], &ignored, more].concat());
            assert_eq!((code, executions, why.as_str()), (Some(0), expected, "complete"), "{call}");
        }
    }
    for call in ["m:early", "m:between", "m:gone"] {
        let whole = explored(&project, &[&[call][..], &ignored].concat());
        let at_once = explored(&project, &[&[call][..], &ignored, &["--save", "none"]].concat());
        assert_eq!(at_once, whole, "{call}");
        let first = ["--max-executions", "1", "--save", "left"];
        explored(&project, &[&[call][..], &ignored, &first].concat());
        let rest = explored(&project, &[&[call][..], &ignored, &["--resume", "left"]].concat());
        assert_eq!(rest, whole, "{call}");
    }
}
