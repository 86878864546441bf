//! `erlscope concolic` on small programs.

mod harness;

use expect_test::expect;
use harness::Project;
use serde_json::Value;

const SHOP: &str = "\
-module(shop).
-export([discount/2, digest/1, writes/1, takes_fun/1]).
-spec discount(non_neg_integer(), gold | silver | none) -> non_neg_integer().
discount(Price, gold) when Price > 100 -> Price div (Price - 120);
discount(Price, silver) -> Price * 9 div 10;
discount(Price, _) -> Price.
-spec digest(integer()) -> ok.
digest(X) ->
    case erlang:phash2(X) of
        17 -> erlang:error(found);
        _ -> ok
    end.
-spec writes(binary()) -> ok.
writes(Text) when byte_size(Text) < 2 -> ok = file:write_file(\"written\", Text);
writes(_) -> ok.
-spec takes_fun(fun((integer()) -> integer())) -> integer().
takes_fun(F) -> F(1).
";

fn shop(name: &str) -> Project {
    Project::new(name, &[("shop.erl", SHOP)])
}

#[test]
fn errors_have_inputs_and_witnesses() {
    let project = shop("concolic_errors");
    project.check(
        &["concolic", "shop.erl", "shop:discount/2", "--verbose"],
        expect![[r#"
        exit 1
        --- stdout
        error badarith at shop.erl:4
          shop:discount(120, gold)
            erlscope replay erlscope-witnesses/shop-discount-2-1.witness
        shop:discount(0, gold)
            returns 0
        shop:discount(0, silver)
            returns 0
        shop:discount(101, gold)
            returns -5
        shop:discount(120, gold)
            error badarith
        shop:discount(0, none)
            returns 0
        shop:discount/2, by its spec: 5 paths, 1 error, 3 of 3 branches; these are all paths
    "#]],
    );
    project.check(
        &["replay", "erlscope-witnesses/shop-discount-2-1.witness"],
        expect![[r#"
        exit 1
        --- stderr
        ** exception error: an error occurred when evaluating an arithmetic expression
          in operator  div/2
             called as 120 div 0
          in call from shop:discount/2 (shop.erl, line 4)
         --> shop.erl:4:49
          |
        4 | discount(Price, gold) when Price > 100 -> Price div (Price - 120);
          |                                           ------^----------------
    "#]],
    );
}

#[test]
fn what_is_not_followed_is_told() {
    let project = shop("concolic_losses");
    project.check(
        &["concolic", "shop.erl", "shop:digest/1"],
        expect![[r#"
            exit 3
            --- stdout
            not followed: erlang:phash2/1 in shop, line 9 (1 time)
            shop:digest/1, by its spec: 1 path, none fails, 1 of 2 branches
              not every path: values were taken as they were, see above
        "#]],
    );
    project.check(
        &["concolic", "shop.erl", "shop:takes_fun/1"],
        expect![[r#"
            exit 0
            --- stdout
            shop:takes_fun/1, by its spec: 1 path, none fails; these are all paths
        "#]],
    );
}

#[test]
fn nothing_outside_is_touched() {
    let project = shop("concolic_outside");
    let ran = project.run(&["concolic", "shop.erl", "shop:writes/1"]);
    assert_eq!(ran.code, Some(3), "{}", ran.transcript());
    assert!(!project.root.join("written").exists());
}

#[test]
fn wrong_use_is_told() {
    let project = shop("concolic_wrong");
    project.check(
        &["concolic", "shop.erl"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: which function? Name it as M:F/ARITY, or as a call with variables
        "#]],
    );
    project.check(
        &["concolic", "nowhere", "shop:none/1"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: there is no module shop
        "#]],
    );
    project.check(
        &["concolic", "shop.erl", "shop:none/1"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: shop has no function none/1
        "#]],
    );
    project.check(
        &["concolic", "shop.erl", "shop:digest(X"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: cannot read `shop:digest(X`: it has no end
        "#]],
    );
}

#[test]
fn as_json() {
    let project = shop("concolic_json");
    let ran = project.run(&["concolic", "shop.erl", "shop:discount/2", "--format", "json"]);
    assert_eq!(ran.code, Some(1));
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["command"], "concolic");
    assert_eq!(document["complete"], true);
    assert_eq!(document["errors"][0]["input"], "shop:discount(120, gold)");
    assert_eq!(document["errors"][0]["schedule"], Value::Null);
    assert_eq!(document["errors"][0]["line"], 4);
    assert_eq!(document["solver"]["departures"], 0);
    assert_eq!(document["branches"]["covered"], document["branches"]["all"]);
}

const PROPERTIES: &str = "\
-module(props).
-include_lib(\"proper/include/proper.hrl\").
-export([prop_far/0, prop_let/0, prop_reverse/0, is_small/1, halves/1, bools/6]).
prop_far() -> ?FORALL({X, Y}, {integer(), integer()}, not (X + Y =:= 99 andalso X > 50)).
prop_let() -> ?FORALL(X, ?LET(N, range(0, 500), N * 2), X =/= 346).
prop_reverse() -> ?FORALL(L, list(boolean()), length(lists:reverse(L)) =:= length(L)).
-spec is_small(integer()) -> boolean().
is_small(X) -> X * 3 < 1000.
-spec halves(0..100) -> integer().
halves(X) ->
    case X * 2 rem 2 of
        0 -> X;
        1 -> X + 1
    end.
-spec bools(boolean(), boolean(), boolean(), boolean(), boolean(), boolean()) -> ok.
bools(A, B, C, D, E, F) ->
    Sum = n(A) + n(B) * 2 + n(C) * 4 + n(D) * 8 + n(E) * 16 + n(F) * 32,
    case Sum of
        42 -> error(bad);
        _ -> ok
    end.
n(true) -> 1;
n(false) -> 0.
";

fn properties(name: &str) -> Project {
    Project::new(name, &[("props.erl", PROPERTIES)])
}

#[test]
fn properties_are_refuted() {
    let project = properties("concolic_properties");
    for (property, call) in [
        ("props:prop_far", "proper:erlscope_hold(props:prop_far(), ["),
        ("props:prop_let", "proper:erlscope_hold(props:prop_let(), [346])"),
        ("props:is_small", "props:is_small("),
    ] {
        let ran =
            project.run(&["concolic", "props.erl", "--property", property, "--format", "json"]);
        assert_eq!(ran.code, Some(1), "{property}: {}", ran.stderr);
        let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let error = &document["errors"][0];
        let input = error["input"].as_str().expect("an input");
        assert!(input.starts_with(call), "{input}");
        assert!(error["witness"].is_string(), "{error}");
    }
    let ran = project.run(&[
        "concolic",
        "props.erl",
        "--property",
        "props:prop_reverse",
        "--max-paths",
        "25",
    ]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let ran = project.run(&["concolic", "props.erl", "--property", "props:none"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(2), "erlscope: props has no function none\n")
    );
}

#[test]
fn lines_are_reached_or_cannot_be() {
    let project = properties("concolic_lines");
    let ask = |line: &str| {
        let ran = project.run(&["concolic", "props.erl", "props:halves/1", "--unreachable", line]);
        (ran.code, ran.stdout.lines().next().unwrap_or_default().to_owned() + &ran.stderr)
    };
    let (code, told) = ask("props.erl:12");
    assert_eq!(code, Some(1));
    assert!(told.starts_with("props.erl:12 is reached by props:halves(0)"), "{told}");
    let (code, told) = ask("props.erl:13");
    let proven = "props.erl:13 cannot be reached, whatever the inputs of these types";
    assert_eq!((code, told.as_str()), (Some(0), proven));
    assert_eq!(ask("props.erl:99").0, Some(2));
    assert_eq!(ask("other.erl:1").0, Some(2));
    assert_eq!(ask("props.erl").0, Some(2));
}

#[test]
fn a_search_goes_on_where_it_ended() {
    let project = properties("concolic_resumed");
    let run = |more: &[&str]| {
        let mut words = vec!["concolic", "props.erl", "props:bools/6", "--no-witnesses"];
        words.extend(["--format", "json"]);
        words.extend(more);
        let ran = project.run(&words);
        let document: Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        document
    };
    let whole = run(&[]);
    assert_eq!((&whole["paths"], &whole["complete"]), (&Value::from(64), &Value::from(true)));
    // Of 63 questions few are searched.
    assert!(whole["solver"]["queries"].as_u64().expect("a number") < 20, "{}", whole["solver"]);
    let begun = run(&["--max-paths", "10", "--save", "kept.txt"]);
    assert_eq!(begun["complete"], false);
    let resumed = run(&["--resume", "kept.txt"]);
    for field in ["paths", "complete"] {
        assert_eq!(resumed[field], whole[field]);
    }
    assert_eq!(resumed["errors"][0]["input"], whole["errors"][0]["input"]);
    let first = run(&["--first"]);
    assert_eq!(first["errors"][0]["input"], whole["errors"][0]["input"]);
    assert_eq!(first["complete"], false);
    let other = project.run(&["concolic", "props.erl", "props:halves/1", "--resume", "kept.txt"]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
}

#[test]
fn every_solver_and_format() {
    let project = properties("concolic_solvers");
    for solver in ["own", "both"] {
        let ran = project.run(&["concolic", "props.erl", "props:bools/6", "--solver", solver]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    }
    let ran = project.run(&["concolic", "props.erl", "props:bools/6", "--format", "html"]);
    assert!(ran.stdout.contains("<h2>Branches</h2>"), "{}", ran.stdout);
    let ran = project.run(&["concolic", "props.erl", "props:bools/6", "--format", "junit"]);
    assert!(ran.stdout.contains("tests=\"64\" failures=\"1\""), "{}", ran.stdout);
}
