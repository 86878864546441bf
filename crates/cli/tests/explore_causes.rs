//! Causes are told first: what fails because of another failure of the same execution is listed
//! with that, in all formats; what only happens later is told by itself.

mod harness;

use expect_test::{Expect, expect};
use harness::Project;
use serde_json::Value;

/// Two transfers from one account that has money for one: who reads the balance before the other
/// has written it finds that it has changed.
const BANK: &str = "\
-module(bank).
-export([monitored/0, linked/0, asked/0, raised/0, wrapped/0, apart/0, atoms/0]).

transfer(Table) ->
    [{a, Old}] = ets:lookup(Table, a),
    New = ets:update_counter(Table, a, -60),
    New = Old - 60.

account() ->
    Table = ets:new(t, [public]),
    ets:insert(Table, {a, 100}),
    Table.

%% Whoever waits for them expects that they end normally.
monitored() ->
    Table = account(),
    Transfers = [spawn_monitor(fun() -> transfer(Table) end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, Pid, Reason} -> normal = Reason end || {Pid, Ref} <- Transfers].

linked() ->
    Table = account(),
    [spawn_link(fun() -> transfer(Table) end) || _ <- [1, 2]],
    receive done -> ok end.

%% A server does one of them.
asked() ->
    Table = account(),
    spawn(fun() -> catch transfer(Table) end),
    {ok, Server} = gen_server:start(teller, Table, []),
    ok = gen_server:call(Server, transfer, infinity).

raised() ->
    Table = account(),
    spawn(fun() -> catch transfer(Table) end),
    {Pid, Ref} = spawn_monitor(fun() -> transfer(Table) end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> ok;
        {'DOWN', Ref, process, Pid, Reason} -> error(Reason)
    end.

wrapped() ->
    {Pid, Ref} = spawn_monitor(fun() -> exit(oops) end),
    receive {'DOWN', Ref, process, Pid, Reason} -> exit({worker_failed, Reason}) end.

%% None of them because of another.
apart() ->
    [spawn(fun() -> exit(oops) end) || _ <- [1, 2]],
    exit(oops).

%% An atom is a reason that may be there by chance.
atoms() ->
    {Pid, Ref} = spawn_monitor(fun() -> exit(oops) end),
    receive {'DOWN', Ref, process, Pid, Reason} -> exit({Reason, again}) end.
";

const TELLER: &str = "\
-module(teller).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init(Table) -> {ok, Table}.

handle_call(transfer, _From, Table) ->
    [{a, Old}] = ets:lookup(Table, a),
    New = ets:update_counter(Table, a, -60),
    New = Old - 60,
    {reply, ok, Table}.

handle_cast(_, Table) -> {noreply, Table}.
";

fn project(name: &str) -> Project {
    let files = [("bank.erl", BANK), ("teller.erl", TELLER)];
    Project::new(&format!("explore_causes/{name}"), &files)
}

fn check(function: &str, expected: Expect) {
    let call = format!("bank:{function}");
    project(function).check(&["explore", ".", &call, "--no-witnesses"], expected);
}

#[test]
fn a_reason_that_a_monitor_tells() {
    check(
        "monitored",
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: transfer/1 #1 exits abnormally: {badmatch,40} at bank.erl:7
          in 2 executions; the simplest, with 1 preemption:
             monitored/0 calls ets:new(t, [public])                 bank.erl:10
             monitored/0 calls ets:insert(#Ref1, {a,100})           bank.erl:11
             monitored/0 starts transfer/1 #1                       bank.erl:17
             monitored/0 starts transfer/1 #2                       bank.erl:17
             transfer/1 #1 calls ets:lookup(#Ref1, a)               bank.erl:5
             transfer/1 #2 calls ets:lookup(#Ref1, a)               bank.erl:5
             transfer/1 #2 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
             transfer/1 #1 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
          >> transfer/1 #1 exits: {badmatch,40}                     bank.erl:7
          brought down: monitored/0 exits abnormally: {badmatch,{{badmatch,40},[{bank,transfer,1,[{file,"bank.erl"},{line,7}]}]}} at bank.erl:18

        bank:monitored(): 4 executions explored, 2 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn a_link() {
    check(
        "linked",
        expect![[r#"
            exit 1
            --- stdout
            abnormal_exit: transfer/1 #1 exits abnormally: {badmatch,40} at bank.erl:7
              in 4 executions; the simplest, with 2 preemptions:
                 linked/0 calls ets:new(t, [public])                    bank.erl:10
                 linked/0 calls ets:insert(#Ref1, {a,100})              bank.erl:11
                 linked/0 starts transfer/1 #1                          bank.erl:22
                 linked/0 starts transfer/1 #2                          bank.erl:22
                 transfer/1 #1 calls ets:lookup(#Ref1, a)               bank.erl:5
                 transfer/1 #2 calls ets:lookup(#Ref1, a)               bank.erl:5
                 transfer/1 #2 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
                 transfer/1 #1 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
              >> transfer/1 #1 exits: {badmatch,40}                     bank.erl:7
              brought down with it: linked/0

            deadlock: nobody can go on: linked/0 waits for done at bank.erl:23
              in 2 executions; the simplest:
                 linked/0 calls ets:new(t, [public])                    bank.erl:10
                 linked/0 calls ets:insert(#Ref1, {a,100})              bank.erl:11
                 linked/0 starts transfer/1 #1                          bank.erl:22
                 linked/0 starts transfer/1 #2                          bank.erl:22
                 transfer/1 #1 calls ets:lookup(#Ref1, a)               bank.erl:5
                 transfer/1 #1 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
                 transfer/1 #1 ends                                     bank.erl:6
                 transfer/1 #2 calls ets:lookup(#Ref1, a)               bank.erl:5
                 transfer/1 #2 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
                 transfer/1 #2 ends                                     bank.erl:6
              >> linked/0 waits for done, which never comes             bank.erl:23

            bank:linked(): 6 executions explored, 6 with errors
            complete: these are all errors of this test
        "#]],
    );
}

#[test]
fn a_call_of_a_server() {
    check(
        "asked",
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: teller exits abnormally: {badmatch,40} at teller.erl:10
          in 1 execution; the simplest, with 1 preemption:
             asked/0 calls ets:new(t, [public])                      bank.erl:10
             asked/0 calls ets:insert(#Ref1, {a,100})                bank.erl:11
             asked/0 starts fun in asked/0                           bank.erl:28
             asked/0 starts teller (teller:init/1)                   bank.erl:29
             asked/0 calls teller: transfer                          bank.erl:30
             teller takes the call transfer of asked/0
             teller calls ets:lookup(#Ref1, a)                       teller.erl:8
             fun in asked/0 calls ets:lookup(#Ref1, a)               bank.erl:5
             fun in asked/0 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
             teller calls ets:update_counter(#Ref1, a, -60)          teller.erl:9
          >> teller exits: {badmatch,40}                             teller.erl:10
          brought down: asked/0 exits abnormally: {{badmatch,40},{gen_server,call,[<teller>,transfer,infinity]}}

        bank:asked(): 7 executions explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn a_reason_that_is_raised_again() {
    check(
        "raised",
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: transfer/1 exits abnormally: {badmatch,40} at bank.erl:7
          in 1 execution; the simplest, with 1 preemption:
             raised/0 calls ets:new(t, [public])                      bank.erl:10
             raised/0 calls ets:insert(#Ref1, {a,100})                bank.erl:11
             raised/0 starts fun in raised/0                          bank.erl:34
             raised/0 starts transfer/1                               bank.erl:35
             transfer/1 calls ets:lookup(#Ref1, a)                    bank.erl:5
             fun in raised/0 calls ets:lookup(#Ref1, a)               bank.erl:5
             fun in raised/0 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
             transfer/1 calls ets:update_counter(#Ref1, a, -60)       bank.erl:6
          >> transfer/1 exits: {badmatch,40}                          bank.erl:7
          brought down: raised/0 exits abnormally: {badmatch,40} at bank.erl:38

        bank:raised(): 7 executions explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn a_reason_in_another() {
    check(
        "wrapped",
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: fun in wrapped/0 exits abnormally: oops
          in 1 execution; the simplest:
             wrapped/0 starts fun in wrapped/0  bank.erl:42
          >> fun in wrapped/0 exits: oops       bank.erl:42
          brought down: wrapped/0 exits abnormally: {worker_failed,oops}

        bank:wrapped(): 1 execution explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn who_fails_alike_but_not_because_of_another() {
    check(
        "apart",
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: apart/0 exits abnormally: oops
          in 1 execution; the simplest:
             apart/0 starts fun in apart/0 #1  bank.erl:47
             apart/0 starts fun in apart/0 #2  bank.erl:47
          >> apart/0 exits: oops               bank.erl:48

        abnormal_exit: fun in apart/0 #1 exits abnormally: oops
          in 1 execution; the simplest:
             apart/0 starts fun in apart/0 #1  bank.erl:47
          >> fun in apart/0 #1 exits: oops     bank.erl:47

        bank:apart(): 1 execution explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn a_reason_that_may_be_there_by_chance() {
    check(
        "atoms",
        expect![[r#"
        exit 1
        --- stdout
        abnormal_exit: atoms/0 exits abnormally: {oops,again}
          in 1 execution; the simplest:
             atoms/0 starts fun in atoms/0                      bank.erl:52
             fun in atoms/0 exits: oops                         bank.erl:52
             atoms/0 hears that fun in atoms/0 has ended: oops  bank.erl:53
          >> atoms/0 exits: {oops,again}                        bank.erl:53

        abnormal_exit: fun in atoms/0 exits abnormally: oops
          in 1 execution; the simplest:
             atoms/0 starts fun in atoms/0  bank.erl:52
          >> fun in atoms/0 exits: oops     bank.erl:52

        bank:atoms(): 1 execution explored, 1 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn causes_that_do_not_count() {
    let line = ["explore", ".", "bank:linked", "--no-witnesses", "--ignore", "abnormal_exit"];
    project("ignored").check(
        &line,
        expect![[r#"
        exit 1
        --- stdout
        deadlock: nobody can go on: linked/0 waits for done at bank.erl:23
          in 2 executions; the simplest:
             linked/0 calls ets:new(t, [public])                    bank.erl:10
             linked/0 calls ets:insert(#Ref1, {a,100})              bank.erl:11
             linked/0 starts transfer/1 #1                          bank.erl:22
             linked/0 starts transfer/1 #2                          bank.erl:22
             transfer/1 #1 calls ets:lookup(#Ref1, a)               bank.erl:5
             transfer/1 #1 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
             transfer/1 #1 ends                                     bank.erl:6
             transfer/1 #2 calls ets:lookup(#Ref1, a)               bank.erl:5
             transfer/1 #2 calls ets:update_counter(#Ref1, a, -60)  bank.erl:6
             transfer/1 #2 ends                                     bank.erl:6
          >> linked/0 waits for done, which never comes             bank.erl:23

        bank:linked(): 6 executions explored, 2 with errors
        complete: these are all errors of this test
    "#]],
    );
}

#[test]
fn replayed() {
    let project = project("replayed");
    project.run(&["explore", ".", "bank:monitored"]);
    let witness = "erlscope-witnesses/bank-monitored-abnormal_exit-1.witness";
    project.check(&["replay", witness], expect![[r#"
        exit 1
        --- stdout
             monitored/0 calls ets:new(t, [public])                         bank.erl:10
             monitored/0 calls ets:insert(#Ref1, {a,100})                   bank.erl:11
             monitored/0 starts transfer/1 #1                               bank.erl:17
             monitored/0 starts transfer/1 #2                               bank.erl:17
             transfer/1 #1 calls ets:lookup(#Ref1, a)                       bank.erl:5
             transfer/1 #2 calls ets:lookup(#Ref1, a)                       bank.erl:5
             transfer/1 #2 calls ets:update_counter(#Ref1, a, -60)          bank.erl:6
             transfer/1 #1 calls ets:update_counter(#Ref1, a, -60)          bank.erl:6
          >> transfer/1 #1 exits: {badmatch,40}                             bank.erl:7
             monitored/0 hears that transfer/1 #1 has ended: {badmatch,40}  bank.erl:18
          >> monitored/0 exits: {badmatch,{{badmatch,40},[{bank,transfer,1,[{file,"bank.erl"},{line,7}]}]}}  bank.erl:18
        abnormal_exit: transfer/1 #1 exits abnormally: {badmatch,40} at bank.erl:7
          brought down: monitored/0 exits abnormally: {badmatch,{{badmatch,40},[{bank,transfer,1,[{file,"bank.erl"},{line,7}]}]}} at bank.erl:18
    "#]]);
}

#[test]
fn for_other_programs() {
    let project = project("formats");
    let run = |format: &str| {
        let line = ["explore", ".", "bank:monitored", "--no-witnesses", "--format", format];
        project.run(&line).stdout
    };
    let json: Value = serde_json::from_str(&run("json")).expect("JSON");
    let findings = json["findings"].as_array().expect("a list");
    let mut told = String::new();
    for finding in findings {
        told.push_str(&format!("{}\n", finding["message"]));
        for consequence in finding["consequences"].as_array().into_iter().flatten() {
            told.push_str(&format!("  {} {}\n", consequence["kind"], consequence["message"]));
        }
        told.push_str(&format!("{}\n", finding["failure"]));
    }
    expect![[r#"
        "transfer/1 #1 exits abnormally: {badmatch,40} at bank.erl:7"
          "abnormal_exit" "monitored/0 exits abnormally: {badmatch,{{badmatch,40},[{bank,transfer,1,[{file,\"bank.erl\"},{line,7}]}]}} at bank.erl:18"
        {"cause":{"call_timed_out":false,"failed":null,"reason":"{badmatch,40}"},"inherited":false,"place":{"file":"bank.erl","line":7},"process":"transfer/1 #1","type":"abnormal_exit"}
    "#]].assert_eq(&told);
    let sarif: Value = serde_json::from_str(&run("sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.len(), findings.len());
    let related = &results[0]["relatedLocations"][0]["message"]["text"];
    assert!(related.as_str().is_some_and(|text| text.starts_with("brought down: ")), "{related}");
    for (format, count) in [("junit", "<failure "), ("html", "<article ")] {
        let text = run(format);
        assert_eq!(text.matches(count).count(), findings.len(), "{text}");
        assert!(text.contains("brought down: "), "{text}");
    }
}
