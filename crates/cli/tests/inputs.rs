//! `erlscope inputs` on small programs.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const SHOP: &str = "\
-module(shop).
-export([discount/2, first/1, plain/1, writes/1, loops/1]).
-spec discount(non_neg_integer(), gold | silver | none) -> non_neg_integer().
discount(Price, gold) when Price > 100 -> Price div (Price - 120);
discount(Price, silver) -> Price * 9 div 10;
discount(Price, _) -> Price.
-spec first([integer()]) -> integer().
first([X | _]) -> X.
plain(X) when X > 10 -> {large, X};
plain(X) -> {small, X}.
-spec writes(binary()) -> ok.
writes(Text) -> ok = file:write_file(\"written\", Text).
-spec loops(integer()) -> none().
loops(X) -> loops(X + 1).
";

const COUNTER: &str = "\
-module(counter).
-behaviour(gen_server).
-export([start_link/0, add/2, reset/1, value/1]).
-export([init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link(?MODULE, [], []).
-spec add(pid(), 1..9) -> integer().
add(Pid, N) -> gen_server:call(Pid, {add, N}).
-spec reset(pid()) -> ok.
reset(Pid) -> gen_server:cast(Pid, reset).
-spec value(pid()) -> integer().
value(Pid) -> gen_server:call(Pid, value).
init([]) -> {ok, 0}.
handle_call({add, N}, _, Sum) -> {reply, Sum + N, Sum + N};
handle_call(value, _, Sum) -> {reply, 100 div (Sum - 7), Sum}.
handle_cast(reset, _) -> {noreply, 0}.
";

fn shop(name: &str) -> Project {
    Project::new(name, &[("shop.erl", SHOP), ("counter.erl", COUNTER)])
}

#[test]
fn failures_are_small() {
    let project = shop("inputs_failures");
    project.check(
        &["inputs", "shop:discount/2"],
        expect![[r#"
            exit 1
            --- stdout
            result of shop:discount/2 outside of its spec
              shop:discount(101, gold)
                returns -5
                the result is -5, expected non_neg_integer()
                replay: erlscope replay erlscope-witnesses/inputs-shop-discount-1.witness
            error badarith in shop:discount/2, line 4
              shop:discount(120, gold)
                exception error: an error occurred when evaluating an arithmetic expression
                  in operator  div/2
                     called as 120 div 0
                  in call from shop:discount/2 (shop.erl, line 4)
                replay: erlscope replay erlscope-witnesses/inputs-shop-discount-2.witness
            2 inputs reach everything else that was reached:
              shop:discount(0, silver)
                returns 0
              shop:discount(0, gold)
                returns 0
            shop:discount/2, by its spec: 409 runs, 2 failures; no others were found
        "#]],
    );
    project.check(
        &["inputs", "shop.erl", "shop:first/1", "--seed", "4"],
        expect![[r#"
            exit 1
            --- stdout
            error function_clause in shop:first/1, line 8
              shop:first([])
                exception error: no function clause matching shop:first([]) (shop.erl, line 8)
                replay: erlscope replay erlscope-witnesses/inputs-shop-first-1.witness
            1 input reaches everything else that was reached:
              shop:first([0])
                returns 0
            shop:first/1, by its spec: 1000 runs, 1 failure
        "#]],
    );
}

#[test]
fn failures_run_again() {
    let project = shop("inputs_witnesses");
    project.run(&["inputs", "shop:discount/2", "--witnesses", "found"]);
    project.check(
        &["replay", "found/inputs-shop-discount-1.witness"],
        expect![[r#"
            exit 1
            --- stdout
            -5
            result of shop:discount/2 outside of its spec
        "#]],
    );
    let again = project.run(&["replay", "found/inputs-shop-discount-2.witness"]);
    assert!(again.stderr.contains("called as 120 div 0"), "{}", again.stderr);
    project.run(&["inputs", "--server", "counter:start_link()", "--witnesses", "found"]);
    let again = project.run(&["replay", "found/inputs-counter-1.witness"]);
    assert!(again.stderr.contains("{counter,handle_call,3,"), "{}", again.stderr);
}

#[test]
fn what_is_reached() {
    let project = shop("inputs_reached");
    project.check(
        &["inputs", "shop:plain/1", "--branches", "--runs", "50"],
        expect![[r#"
        exit 0
        --- stdout
        2 inputs reach everything that was reached:
          shop:plain(11)
            returns {large,11}
          shop:plain(-54.0)
            returns {small,-54.0}
        shop:plain/1, by what is inferred: 50 runs, none fails, 2 of 2 branches
    "#]],
    );
    project.check(
        &["inputs", "shop:plain/1", "--list", "3"],
        expect![[r#"
        exit 0
        --- stdout
        shop:plain(#m:r{})
        shop:plain(2.2250738585072014e-308)
        shop:plain(erlscope_inputs:process(3))
    "#]],
    );
}

#[test]
fn a_server() {
    let project = shop("inputs_server");
    project.check(
        &["inputs", "--server", "counter:start_link()"],
        expect![[r#"
        exit 1
        --- stdout
        exit badarith in counter:handle_call/3, line 14
          {ok, Server} = counter:start_link(),
          counter:add(Server, 7),
          counter:value(Server)
            exception exit: {{badarith,
                                 [{erlang,'div',
                                      [100,0],
                                      [{error_info,#{module => erl_erts_errors}}]},
                                  {counter,handle_call,3,[{file,"counter.erl"},{line,14}]},
                                  {gen_server,try_handle_call,4,
                                      [{file,"gen_server.erl"},{line,1149}]},
                                  {gen_server,handle_msg,6,
                                      [{file,"gen_server.erl"},{line,1178}]},
                                  {proc_lib,init_p_do_apply,3,
                                      [{file,"proc_lib.erl"},{line,240}]}]},
                             {gen_server,call,[<0.81.0>,value]}}
              in function  gen_server:call/2 (gen_server.erl, line 370)
            replay: erlscope replay erlscope-witnesses/inputs-counter-1.witness
        1 input reaches everything else that was reached:
          {ok, Server} = counter:start_link(),
          counter:reset(Server),
          counter:value(Server),
          counter:add(Server, 8)
            returns #{1 => ok,2 => -14,3 => 8}
        counter:start_link(), by its spec: 1000 runs, 1 failure
    "#]],
    );
}

#[test]
fn nothing_outside_is_touched() {
    let project = shop("inputs_world");
    project.check(
        &["inputs", "shop:writes/1", "--runs", "20"],
        expect![[r#"
        exit 0
        --- stdout
        1 input reaches everything that was reached:
          shop:writes(<<>>)
            returns ok
        shop:writes/1, by its spec: 20 runs, none fails
    "#]],
    );
    assert!(!project.root.join("written").exists());
}

#[test]
fn wrong_use() {
    let project = shop("inputs_wrong");
    project.check(
        &["inputs"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: which function? Name it as M:F/ARITY, or a server by --server CALL
    "#]],
    );
    project.check(
        &["inputs", "shop:none/7"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: shop has no function none/7
    "#]],
    );
    project.check(
        &["inputs", "shop:first"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: `shop:first` is no function such as m:f/1
        "#]],
    );
    project.check(
        &["inputs", "nowhere:first/1"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there is no module nowhere
    "#]],
    );
    project.check(
        &["inputs", "--server", "counter:start_link("],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: cannot read `counter:start_link(`: it has no end
    "#]],
    );
    project.check(
        &["inputs", "--server", "counter:add(1, 2)"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: counter:add/2 starts no process: exit function_clause
    "#]],
    );
    project.check(
        &["inputs", "shop:loops/1", "--runs", "3"],
        expect![[r#"
        exit 0
        --- stdout
        1 input reaches everything that was reached:
          shop:loops(0)
            stopped after 200000 steps (--max-steps)
        shop:loops/1, by its spec: 3 runs, none fails
    "#]],
    );
}

#[test]
fn a_corpus_is_kept() {
    let project = shop("inputs_corpus");
    let run = |runs: &str| {
        let arguments =
            ["inputs", "shop:plain/1", "--corpus", "kept", "--runs", runs, "--format", "json"];
        let ran = project.run(&arguments);
        serde_json::from_str::<Value>(&ran.stdout).expect("JSON")
    };
    let first = run("200");
    let files = std::fs::read_dir(project.root.join("kept")).expect("a corpus").count();
    assert_eq!(first["kept"].as_array().map(Vec::len), Some(files));
    assert!(files >= 2);
    // Those alone reach the same.
    let again = run(&files.to_string());
    assert_eq!(first["kept"], again["kept"]);
}
