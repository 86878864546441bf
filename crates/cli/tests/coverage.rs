//! `erlscope coverage` on small programs.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const SHOP: &str = "\
-module(shop).
-export([start/0, price/2, ask/2, stop/1]).

price(N, Kind) when N > 10, Kind =:= member; N > 100 -> cheap;
price(N, _) when N > 0 -> normal;
price(_, _) -> none.

start() -> spawn(fun() -> loop([]) end).

ask(Shop, Item) ->
    Shop ! {ask, self(), Item},
    receive
        {yes, Left} -> Left;
        no -> nothing
    after 1000 -> late
    end.

stop(Shop) -> Shop ! stop.

loop(Items) ->
    receive
        {ask, From, Item} ->
            case lists:member(Item, Items) of
                true -> Rest = lists:delete(Item, Items), From ! {yes, Rest};
                false -> Rest = [Item | Items], From ! no
            end,
            loop(Rest);
        stop -> ok
    end.
";

const TESTS: &str = "\
-module(shop_tests).
-include_lib(\"eunit/include/eunit.hrl\").

price_test() ->
    cheap = shop:price(11, member),
    normal = shop:price(11, guest),
    normal = shop:price(1, member).

ask_test() ->
    Shop = shop:start(),
    nothing = shop:ask(Shop, pen),
    shop:stop(Shop).
";

fn shop(name: &str) -> Project {
    Project::new(name, &[("src/shop.erl", SHOP), ("test/shop_tests.erl", TESTS)])
}

#[test]
fn text() {
    shop("coverage_text").check(&["coverage", "src", "--tests", "test"], expect![[r#"
        exit 0
        --- stdout
        shop_tests: 2 passed, 0 failed
        module           nodes         clauses        branches      conditions           pairs        messages
        shop        19/26  73%      11/15  73%       6/10  60%        2/4  50%      15/23  65%        3/4  75%

        not covered in src/shop.erl
          4:48    condition N > 100 was never true
          5:20    condition N > 0 was never false
          6:1     clause    price(_, _)
          12:5    clause    the `after` of this receive
          13:9    clause    {yes, Left}
          24:17   clause    true
          24:64   message   From ! {yes, Rest} never came to the receive at 12:5 in shop:ask/2, clause 1: {yes, Left}
          27:18   pair      Rest with its value from 24:25
          and 18 more that follow from these
    "#]]);
}

#[test]
fn a_call_under_all_schedules() {
    let project = shop("coverage_explore");
    let call = "begin S = shop:start(), shop:ask(S, a), shop:ask(S, a), shop:stop(S) end";
    project.check(&["coverage", "src", "--explore", "--call", call], expect![[r#"
        exit 0
        --- stdout
        begin S = shop:start(), shop:ask(S, a), shop:ask(S, a), shop:stop(S) end: 4 schedules (all that differ)
        module           nodes         clauses        branches      conditions           pairs        messages
        shop        23/26  88%      12/15  80%       7/10  70%        0/4   0%      19/23  82%        4/4 100%

        not covered in src/shop.erl
          4:1     clause    price(N, Kind) when N > 10, Kind =:= member; N > 100
          4:23    condition N > 10 was never evaluated
          4:34    condition Kind =:= member was never evaluated
          4:48    condition N > 100 was never evaluated
          5:1     clause    price(N, _) when N > 0
          5:20    condition N > 0 was never evaluated
          6:1     clause    price(_, _)
          and 10 more that follow from these
    "#]]);
}

/// Tests in the module itself: what EUnit's macros add is not counted. Each test of a generator is
/// explored.
#[test]
fn tests_inside_under_all_schedules() {
    let text = "\
-module(box).
-export([new/0, store/2, fetch/1]).
-include_lib(\"eunit/include/eunit.hrl\").

new() -> spawn(fun() -> loop(none) end).
store(Box, X) -> Box ! {put, X}.
fetch(Box) -> Box ! {get, self()}, receive {Box, X} -> X end.

loop(X) ->
    receive
        {put, Y} -> loop(Y);
        {get, From} -> From ! {self(), X}, loop(X)
    after 1000 -> gone
    end.

empty_test() -> ?assertEqual(none, fetch(new())).

two_test_() ->
    Box = new(),
    [{\"last\", fun() -> store(Box, a), ?assert(fetch(Box) =:= a) end},
     {\"either\",
      fun() ->
          spawn(fun() -> store(Box, b) end),
          ?assertNot(fetch(Box) =:= c)
      end}].
";
    let project = Project::new("coverage_inside", &[("box.erl", text)]);
    project.check(&["coverage", "box.erl", "--explore"], expect![[r#"
        exit 1
        --- stdout
        box:empty_test: 2 schedules (all that differ), 1 with errors
        box:two_test_ (last): 3 schedules (all that differ), 2 with errors
        box:two_test_ (either): 5 schedules (all that differ), 2 with errors
        module           nodes         clauses        branches      conditions           pairs        messages
        box         34/34 100%      14/14 100%        3/3 100%               -      18/18 100%        3/3 100%
        note: box:empty_test fails; `erlscope explore --tests` shows how
        note: box:two_test_ (last) fails; `erlscope explore --tests` shows how
        note: box:two_test_ (either) fails; `erlscope explore --tests` shows how
    "#]]);
}

#[test]
fn tests_by_themselves_stand_for_what_is_beside_them() {
    let project = shop("coverage_beside");
    let alone = project.run(&["coverage", "--tests", "test/shop_tests.erl", "--format", "json"]);
    let found: Value = serde_json::from_str(&alone.stdout).expect("JSON");
    assert_eq!(found["modules"][0]["name"], "shop");
    assert_eq!(found["modules"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["total"]["messages"]["covered"], 3);
}

#[test]
fn other_formats() {
    let project = shop("coverage_formats");
    let shown = |format: &str| {
        let ran = project.run(&["coverage", "src", "--tests", "test", "--format", format]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    expect![[r#"
        TN:
        SF:src/shop.erl
        FN:4,shop:price/2
        FN:8,shop:start/0
        FN:10,shop:ask/2
        FN:18,shop:stop/1
        FN:20,shop:loop/1
        FNDA:3,shop:price/2
        FNDA:1,shop:start/0
        FNDA:1,shop:ask/2
        FNDA:1,shop:stop/1
        FNDA:2,shop:loop/1
        FNF:5
        FNH:5
        BRDA:4,46,0,1
        BRDA:4,46,1,2
        BRDA:4,46,2,0
        BRDA:12,75,0,0
        BRDA:12,75,1,1
        BRDA:12,75,2,0
        BRDA:21,128,0,1
        BRDA:21,128,1,1
        BRDA:23,120,0,0
        BRDA:23,120,1,1
        BRF:10
        BRH:6
        DA:4,1
        DA:5,2
        DA:6,0
        DA:8,1
        DA:11,1
        DA:12,1
        DA:13,0
        DA:14,1
        DA:15,0
        DA:18,1
        DA:21,2
        DA:23,1
        DA:24,0
        DA:25,1
        DA:27,1
        DA:28,1
        LF:16
        LH:12
        end_of_record
    "#]]
    .assert_eq(&shown("lcov"));
    let xml = shown("cobertura");
    assert!(xml.contains("<class name=\"shop\" filename=\"src/shop.erl\""), "{xml}");
    assert!(xml.contains("branch=\"true\" condition-coverage="), "{xml}");
    check_cobertura(&xml);
    let html = shown("html");
    assert!(html.contains("<mark>"), "{html}");
}

/// What Cobertura's format wants: element, what may be inside, attributes.
const COBERTURA: &[(&str, &[&str], &[&str])] = &[
    (
        "coverage",
        &["sources", "packages"],
        &[
            "line-rate",
            "branch-rate",
            "lines-covered",
            "lines-valid",
            "branches-covered",
            "branches-valid",
            "complexity",
            "version",
            "timestamp",
        ],
    ),
    ("sources", &["source"], &[]),
    ("source", &[], &[]),
    ("packages", &["package"], &[]),
    ("package", &["classes"], &["name", "line-rate", "branch-rate", "complexity"]),
    ("classes", &["class"], &[]),
    (
        "class",
        &["methods", "lines"],
        &["name", "filename", "line-rate", "branch-rate", "complexity"],
    ),
    ("methods", &["method"], &[]),
    ("method", &["lines"], &["name", "signature", "line-rate", "branch-rate", "complexity"]),
    ("lines", &["line"], &[]),
    ("line", &[], &["number", "hits", "branch"]),
];

/// Every element stands where it may, and has the attributes that it must have and no others.
fn check_cobertura(xml: &str) {
    let body = xml.split_once("<coverage ").map(|(_, rest)| format!("<coverage {rest}"));
    let body = body.expect("an element `coverage`");
    let mut open: Vec<&str> = Vec::new();
    for tag in body.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("the end of a tag");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = tag.split(' ').next().expect("a name");
        let of = |name: &str| *COBERTURA.iter().find(|entry| entry.0 == name).expect("known");
        if let Some(outer) = open.last() {
            assert!(of(outer).1.contains(&name), "{name} in {outer}");
        }
        let mut attributes: Vec<&str> = tag
            .split('"')
            .step_by(2)
            .filter_map(|text| text.strip_suffix('='))
            .filter_map(|text| text.split(' ').next_back())
            .collect();
        attributes.retain(|&attribute| (name, attribute) != ("line", "condition-coverage"));
        assert_eq!(attributes, of(name).2, "{name}");
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn wrong_use() {
    let project = Project::new(
        "coverage_wrong",
        &[
            ("ok.erl", "-module(ok).\n-export([f/0]).\nf() -> 1.\n"),
            ("bad.erl", "-module(bad).\n-export([f/0]).\nf( -> 1.\n"),
            ("bad_tests.erl", "-module(bad_tests).\n-export([a_test/0]).\na_test( -> ok.\n"),
        ],
    );
    project.check(
        &["coverage", "nowhere"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: nowhere: no such file or directory
    "#]],
    );
    project.check(
        &["coverage", "ok.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there are no tests
    "#]],
    );
    project.check(&["coverage", "ok.erl", "bad.erl", "--call", "ok:f()"], expect![[r#"
        exit 0
        --- stdout
        ok:f(): returned
        module           nodes         clauses        branches      conditions           pairs        messages
        ok            1/1 100%        1/1 100%               -               -               -               -
        note: bad.erl has errors and is not measured
    "#]]);
    project.check(
        &["coverage", "ok.erl", "--call", "ok:f("],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: cannot read `ok:f(`: expected an expression, found 'end'
    "#]],
    );
    project.check(&["coverage", "ok.erl", "--call", "ok:g()"], expect![[r#"
        exit 1
        --- stdout
        ok:g(): failed (error: undef)
        module           nodes         clauses        branches      conditions           pairs        messages
        ok            0/1   0%        0/1   0%               -               -               -               -

        not covered in ok.erl
          3:1     clause    f()
          and 1 more that follow from these
    "#]]);
    project.check(
        &["coverage", "bad.erl", "--call", "bad:f()"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there is no module to be measured
    "#]],
    );
    project.check(
        &["coverage", "ok.erl", "--tests", "bad_tests.erl"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: bad_tests.erl:3:9: the tests have errors; `erlscope check` shows them
        "#]],
    );
}

/// A suite runs as a whole, and then each case under every schedule, with the init and end
/// functions around it.
#[test]
fn cases_of_a_suite_under_all_schedules() {
    let cell = "\
-module(cell).
-export([new/1, put/2, get/1]).

new(X) -> spawn(fun() -> loop(X) end).
put(Cell, X) -> Cell ! {put, X}, ok.
get(Cell) -> Cell ! {get, self()}, receive {Cell, X} -> X end.

loop(X) ->
    receive
        {put, Y} -> loop({was, X, Y});
        {get, From} -> From ! {self(), look(X)}, loop(X);
        stop -> ok
    end.

look({was, {was, _, a}, b}) -> late;
look({was, {was, _, b}, a}) -> early;
look(X) -> X.
";
    let suite = "\
-module(cell_SUITE).
-compile(export_all).

all() -> [plain, {group, racy}, follows].
groups() -> [{racy, [], [two_writers]}].
init_per_suite(Config) -> [{start, 0} | Config].
end_per_suite(_) -> ok.
init_per_testcase(_, Config) -> [{cell, cell:new(proplists:get_value(start, Config))} | Config].
end_per_testcase(_, Config) -> proplists:get_value(cell, Config) ! stop.

cell(Config) -> proplists:get_value(cell, Config).

plain(Config) ->
    persistent_term:put(plain_was_here, true),
    0 = cell:get(cell(Config)).

two_writers(Config) ->
    [{name, racy}] = proplists:get_value(tc_group_properties, Config),
    Cell = cell(Config),
    Me = self(),
    [spawn(fun() -> cell:put(Cell, X), Me ! done end) || X <- [a, b]],
    [receive done -> ok end || _ <- [a, b]],
    true = lists:member(cell:get(Cell), [early, late]).

follows(_) -> true = persistent_term:get(plain_was_here).
";
    let project =
        Project::new("coverage_suite", &[("src/cell.erl", cell), ("test/cell_SUITE.erl", suite)]);
    project.check(&["coverage", "src", "--tests", "test", "--explore"], expect![[r#"
        exit 0
        --- stdout
        cell_SUITE: 3 passed, 0 failed
        cell_SUITE:plain: 1 schedule (all that differ)
        cell_SUITE:racy:two_writers: 4 schedules (all that differ)
        module           nodes         clauses        branches      conditions           pairs        messages
        cell        23/23 100%      12/12 100%        6/6 100%               -      15/15 100%        3/3 100%
        note: cell_SUITE:follows passes in its suite and fails alone: its schedules are not explored
    "#]]);
}
