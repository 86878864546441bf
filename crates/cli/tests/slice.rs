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
    let mut messages = String::new();
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
    for line in ["1", "3", "4", "5"] {
        let ran = project.run(&["slice", &format!("sums.erl:{line}"), "A"]);
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        messages += &format!("{line}: {}", ran.stderr);
    }
    expect![[r#"
        1: erlscope: sums.erl: there is no variable A on line 1, which belongs to no function; A is on lines 6 and 8
        3: erlscope: sums.erl: there is no variable A on line 3, which defines a macro: choose a place where it is used; A is on lines 6 and 8
        4: erlscope: sums.erl: there is no variable A on line 4, which is empty; A is on lines 6 and 8
        5: erlscope: sums.erl: there is no variable A on line 5; there is N; A is on lines 6 and 8
    "#]].assert_eq(&messages);
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
    assert!(
        ran.stderr.contains("broken.erl has errors, so nothing can be said about it"),
        "{}",
        ran.stderr
    );
}

const CHOICES: &str = "\
-module(choices).
-export([main/0]).

main() ->
    Me = self(),
    Server = spawn(fun() -> loop(Me, 10) end),
    Server ! {add, 5},
    Server ! {double},
    Server ! stop,
    receive {total, Total} -> Total end.

loop(Parent, N) ->
    receive
        {add, A} -> loop(Parent, N + A);
        {double} -> loop(Parent, N * 2);
        {reset} -> loop(Parent, 0);
        stop -> Parent ! {total, N}
    end.
";

#[test]
fn a_slice_of_a_run_has_what_happened() {
    let project = Project::new("slice_run", &[("choices.erl", CHOICES)]);
    project.check(
        &["run", "--trace", "t", "choices.erl", "choices:main()"],
        expect![[r#"
            exit 0
        "#]],
    );
    project.check(
        &["slice", "choices.erl:10", "Total", "--occurrence", "2", "--trace", "t"],
        expect![[r#"
        exit 0
        --- stdout
        %% Total at choices.erl:10 in the run of t, in <0.80.0>
        -module(choices).
        -export([main/0]).

        main() ->
            Me = self(),
            Server = spawn(fun() -> loop(Me, 10) end),
            Server ! {add, 5},
            Server ! {double},
            Server ! stop,
            receive {total, Total} -> Total end.

        loop(Parent, N) ->
            receive
                {add, A} -> loop(Parent, N + A);
                {double} -> loop(Parent, N * 2);
                {reset} -> sliced;
                stop -> Parent ! {total, N}
            end.
    "#]],
    );
    project.check(
        &["slice", "choices.erl:14", "N", "--trace", "t", "--nth", "1"],
        expect![[r#"
        exit 0
        --- stdout
        %% N at choices.erl:14 in the run of t, in <0.81.0>
        -module(choices).
        -export([main/0]).

        main() ->
            Server = spawn(fun() -> loop(sliced, 10) end),
            Server ! {add, sliced}.

        loop(_, N) ->
            receive
                {add, _} -> N;
                {double} -> sliced;
                {reset} -> sliced;
                stop -> sliced
            end.
    "#]],
    );
    project.check(
        &["slice", "choices.erl:16", "Parent", "--trace", "t"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: choices.erl:16 Parent has no value in the run of t
    "#]],
    );
    project.check(
        &["slice", "choices.erl:14", "N", "--trace", "t", "--nth", "3"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: choices.erl:14 N has a value once in the run, not 3
    "#]],
    );
    project.check(
        &["slice", "choices.erl:14", "N", "--trace", "choices.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: choices.erl: this is no witness: the first line must be `erlscope witness 1`
    "#]],
    );
}

/// What a failing match compares with has no value there by the match, but from before.
#[test]
fn why_a_match_fails() {
    let text = "\
-module(fails).
-export([main/0]).

main() ->
    Log = lists:seq(1, 3),
    Total = lists:sum([1, 2]),
    Total = length(Log) + 1.
";
    let project = Project::new("slice_badmatch", &[("fails.erl", text)]);
    assert_eq!(project.run(&["run", "--trace", "t", "fails.erl", "fails:main()"]).code, Some(1));
    project.check(
        &["slice", "fails.erl:7", "Total", "--trace", "t"],
        expect![[r#"
        exit 0
        --- stdout
        %% Total at fails.erl:7 in the run of t, in <0.80.0>
        %% a match compares with it there; it has its value from line 6
        -module(fails).
        -export([main/0]).

        main() ->
            Total = lists:sum([1, 2]).
    "#]],
    );
}

#[test]
fn what_is_never_reached_has_no_slice() {
    let text = "\
-module(dead).
-export([main/1]).

main(N) ->
    pick(small, N).

pick(small, A) -> A + 1;
pick(large, B) -> B * 1000.
";
    let project = Project::new("slice_dead", &[("dead.erl", text)]);
    project.check(&["slice", "dead.erl:8:19", "B"], expect![[r#"
        exit 2
        --- stderr
        erlscope: dead.erl: B on line 8 never has a value: the clause that begins on line 8 is never chosen, so nothing influences it (--all-clauses slices all the same)
    "#]]);
    project.check(
        &["slice", "dead.erl:8:19", "B", "--all-clauses"],
        expect![[r#"
        exit 0
        --- stdout
        -module(dead).
        -export([main/1]).

        main(N) ->
            pick(small, N).

        pick(large, B) -> B;
        pick(_, _) -> sliced.
    "#]],
    );
}

#[test]
fn forward_and_between() {
    let text = "\
-module(ways).
-export([main/2]).

main(A, B) ->
    X = A + 1,
    Y = B * 2,
    Z = {X, Y},
    {P, Q} = Z,
    R = P - 1,
    {R, Q}.
";
    let project = Project::new("slice_ways", &[("ways.erl", text)]);
    project.check(
        &["slice", "ways.erl:5", "X", "--forward"],
        expect![[r#"
        exit 0
        --- stdout
        -module(ways).
        -export([main/2]).

        main(_, _) ->
            X = sliced,
            Z = {X, sliced},
            {P, _} = Z,
            R = P - sliced,
            {R, sliced}.
    "#]],
    );
    project.check(
        &["slice", "ways.erl:5", "A", "--to", "ways.erl:10:R"],
        expect![[r#"
        exit 0
        --- stdout
        -module(ways).
        -export([main/2]).

        main(_, _) ->
            X = A + sliced,
            Z = {X, sliced},
            {P, _} = Z,
            R = P - sliced,
            R.
    "#]],
    );
    project.check(
        &["slice", "ways.erl:9", "R", "--also", "ways.erl:10:Q"],
        expect![[r#"
            exit 0
            --- stdout
            -module(ways).
            -export([main/2]).

            main(A, B) ->
                X = A + 1,
                Y = B * 2,
                Z = {X, Y},
                {P, Q} = Z,
                R = P - 1,
                Q.
        "#]],
    );
    project.check(&["slice", "ways.erl:10", "R", "--why", "4"], expect![[r#"
        exit 0
        --- stdout
        the value of `R` (ways.erl:10:6)
          control dependence on the choice of `main(A, B) -> X = A + 1, Y = B * 2, Z = {X, Y}, {P, Q} = Z,  …` (ways.erl:4:1)
    "#]]);
    project.check(
        &["slice", "ways.erl:10", "R", "--why", "6"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: what begins at ways.erl:6 is not in the slice
    "#]],
    );
    project.check(
        &["slice", "ways.erl:10", "R", "--why", "3"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: no expression begins at ways.erl:3
    "#]],
    );
    project.check(
        &["slice", "ways.erl:10", "R", "--why", "60"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: ways.erl: there is no line 60: the file has 10 lines
    "#]],
    );
}
