//! `erlscope slice`, run for real.

mod harness;

use expect_test::expect;
use harness::Project;

const SUMS: &str = "\
-module(sums).
-export([main/1]).
-define(TWICE(X), begin Tmp = X, Tmp + Tmp end).

main(N) ->
    {A, B} = {N + 1, N * 2},
    C = ?TWICE(B),
    {A + A, C}.
";

#[test]
fn the_slice_is_a_module() {
    let project = Project::new("slice_module", &[("sums.erl", SUMS)]);
    project.check(
        &["slice", "sums.erl:8", "A", "--occurrence", "2"],
        expect![[r#"
            exit 0
            --- stdout
            -module(sums).
            -export([main/1]).
            -define(TWICE(X), begin Tmp = X, Tmp + Tmp end).

            main(N) ->
                {A, _} = {N + 1, sliced},
                A.
        "#]],
    );
}

#[test]
fn wrong_places_are_explained() {
    let project = Project::new(
        "slice_wrong",
        &[("sums.erl", SUMS), ("broken.erl", "-module(broken).\nf( -> 1.\n")],
    );
    project.check(
        &["slice", "sums.erl:8", "A"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: sums.erl: A stands 2 times on line 8, in columns 6 and 10: choose one with its column or with --occurrence N
        "#]],
    );
    project.check(
        &["slice", "sums.erl:7", "Tmp"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: sums.erl: on line 7 Tmp comes out of the macro ?TWICE only: choose a variable that is written in the text, or slice what `erlscope parse --format preprocessed` prints
        "#]],
    );
    project.check(
        &["slice", "sums.erl:80", "A"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: sums.erl: there is no line 80: the file has 8 lines
        "#]],
    );
    project.check(
        &["slice", "sums.erl", "A"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: `sums.erl` is no place such as bank.erl:42 or bank.erl:42:13
        "#]],
    );
    project.check(
        &["slice", "none.erl:1", "A"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: none.erl: there is no such file
        "#]],
    );
    let ran = project.run(&["slice", "broken.erl:2", "X"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("broken.erl has errors, so it cannot be sliced"), "{}", ran.stderr);
}
