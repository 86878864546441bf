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
            exit 3
            --- stdout
            shop:takes_fun/1, by its spec: 0 paths, none fails
              not every path: funs and native records are not made up
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
            erlscope: nowhere: no such file or directory
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
