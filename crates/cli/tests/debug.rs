//! `erlscope debug`: questions, answers, verdicts.

mod harness;

use expect_test::expect;
use harness::Project;

/// A server that adds, and once too much.
const SERVER: &str = "\
-module(s).
-export([main/0]).
main() ->
    S = spawn(fun() -> loop(0) end),
    A = ask(S, 1),
    B = ask(S, 2),
    S ! stop,
    {A, B}.
ask(S, N) -> S ! {add, self(), N}, receive {sum, X} -> X end.
loop(Sum) ->
    receive
        {add, From, N} when N > 1 -> From ! {sum, Sum + N + 1}, loop(Sum + N + 1);
        {add, From, N} -> From ! {sum, Sum + N}, loop(Sum + N);
        stop -> ok
    end.
";

#[test]
fn a_server() {
    let answers = "y\nh\nx\ny\nu\ny\ny\ny\nn\ny\ny\n";
    let project = Project::new("debug_server", &[("s.erl", SERVER), ("answers", answers)]);
    project.check(
        &["debug", "s.erl", "s:main", "--strategy", "top-down", "--answers", "answers"],
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {1,4}
            1. s:main()
                went on with the message {sum,1}
                and waited for a message
               (<0.80.0> in s.erl:3)
            right? [y/n/i/t/d/u/s/a/h] 
            2. s:main()
                waited for a message
                started <0.81.0>
               (<0.80.0> in s.erl:3)
            right? [y/n/i/t/d/u/s/a/h] y  yes, this is right
            n  no, this is wrong
            i  inadmissible: it should never have been called like this
            t  trust the function: it is right whatever it is given (tm: the module, tp: the process)
            d  don't know
            u  undo the last answer
            s  another strategy: sd divide and query, st top-down, si informed (the default)
            a  abort
            h  this help
            right? [y/n/i/t/d/u/s/a/h] 
            right? [y/n/i/t/d/u/s/a/h] 
            3. fun s:4()
                waited for a message
               (<0.81.0> in s.erl:4)
            right? [y/n/i/t/d/u/s/a/h] 2. s:main()
                waited for a message
                started <0.81.0>
               (<0.80.0> in s.erl:3)
            right? [y/n/i/t/d/u/s/a/h] 
            3. fun s:4()
                waited for a message
               (<0.81.0> in s.erl:4)
            right? [y/n/i/t/d/u/s/a/h] 
            4. s:loop(0)
                went on with the message {add,<0.80.0>,1}
                and waited for a message
                sent {sum,1} to <0.80.0>
               (<0.81.0> in s.erl:10)
            right? [y/n/i/t/d/u/s/a/h] 
            5. s:loop(1)
                went on with the message {add,<0.80.0>,2}
                and was not done when the run was over
                sent {sum,4} to <0.80.0>
               (<0.81.0> in s.erl:10)
            right? [y/n/i/t/d/u/s/a/h] 
            6. s:loop(4)
                was not done when the run was over
               (<0.81.0> in s.erl:10)
            right? [y/n/i/t/d/u/s/a/h] 
            what s:loop/1 does with this message is wrong:
              --> s.erl:12:9
               |
            12 |         {add, From, N} when N > 1 -> From ! {sum, Sum + N + 1}, loop(Sum + N + 1);
               |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            it is to blame for
                s:loop(1)
                    went on with the message {add,<0.80.0>,2}
                    and was not done when the run was over
                    sent {sum,4} to <0.80.0>
            --- stderr
            erlscope: there is no answer x; h shows all
        "#]],
    );
}

#[test]
fn json() {
    let project =
        Project::new("debug_json", &[("s.erl", SERVER), ("answers", "n\nd\nd\nd\nd\nd\nd\nd\n")]);
    project.check(
        &["debug", "s.erl", "s:main", "--format", "json", "--answers", "answers"],
        expect![[r#"
            exit 3
            --- stdout
            {"question":1,"process":"<0.80.0>","function":"s:main/0","call":"s:main()","after":null,"outcome":{"kind":"waited"},"sent":[],"spawned":["<0.81.0>"],"place":{"file":"s.erl","line":3,"column":1,"end_line":8,"end_column":12}}
            {"question":2,"process":"<0.80.0>","function":"s:ask/2","call":"s:ask(<0.81.0>, 1)","after":null,"outcome":{"kind":"waited"},"sent":[{"to":"<0.81.0>","message":"{add,<0.80.0>,1}"}],"spawned":[],"place":{"file":"s.erl","line":9,"column":1,"end_line":9,"end_column":62}}
            {"verdict":null,"open":["s:main/0","s:ask/2"],"questions":2,"answered_by":{"person":2,"reference":0},"nodes":13}
        "#]],
    );
}

#[test]
fn wrong_use() {
    let project = Project::new("debug_wrong", &[("s.erl", SERVER), ("none", "")]);
    project.check(
        &["debug", "s.erl"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: there is nothing to debug: give a call such as 'm:f(1)', or --schedule FILE
    "#]],
    );
    project.check(
        &["debug", "s.erl", "s:nothing"],
        expect![[r#"
            exit 2
            --- stderr
            erlscope: no function of the program was called: failed with error undef
        "#]],
    );
    project.check(
        &["debug", "s.erl", "s:main", "--answers", "missing"],
        expect![[r#"
            exit 2
            --- stdout
            the run: returned {1,4}
            --- stderr
            erlscope: missing: No such file or directory (os error 2)
        "#]],
    );
    project.check(
        &["debug", "s.erl", "s:main", "--answers", "none"],
        expect![[r#"
            exit 3
            --- stdout
            the run: returned {1,4}
            1. s:main()
                waited for a message
                started <0.81.0>
               (<0.80.0> in s.erl:3)
            right? [y/n/i/t/d/u/s/a/h] 
            the answers did not suffice
        "#]],
    );
}

const SORT: &str = "\
-module(m).
-export([sort/1]).
sort([]) -> [];
sort([X]) -> [X];
sort(L) -> {A, B} = lists:split(length(L) div 2, L), merge(sort(A), sort(B)).
merge([], B) -> B;
merge(A, []) -> A;
merge([X | A], [Y | B]) when X =< Y -> [X | merge(A, [Y | B])];
merge([X | A], [Y | B]) -> [Y | merge([X | A], B)].
";

#[test]
fn a_reference_answers() {
    let wrong = SORT.replace("[Y | merge([X | A], B)]", "[X | merge([Y | A], B)]");
    let project = Project::new("debug_reference", &[("m.erl", &wrong), ("right/m.erl", SORT)]);
    let call = "m:sort([5,3,4,1,2])";
    project.check(
        &["debug", "m.erl", call, "--reference", "right/m.erl", "--oracle-only"],
        expect![[r#"
            exit 1
            --- stdout
            the run: returned [5,4,1,3,2]
            1. m:sort([4,1,2]) = [4,1,2]
               (<0.80.0> in m.erl:3)
            wrong, says the reference
            2. m:sort([1,2]) = [1,2]
               (<0.80.0> in m.erl:3)
            right, says the reference
            3. m:sort([4]) = [4]
               (<0.80.0> in m.erl:3)
            right, says the reference
            4. m:merge([], [2]) = [2]
               (<0.80.0> in m.erl:6)
            right, says the reference
            5. m:merge([1], [2]) = [1,2]
               (<0.80.0> in m.erl:6)
            right, says the reference
            6. m:merge([4], [1,2]) = [4,1,2]
               (<0.80.0> in m.erl:6)
            wrong, says the reference
            m:merge/2 is wrong:
             --> m.erl:6:1
              |
            6 | / merge([], B) -> B;
            7 | | merge(A, []) -> A;
            8 | | merge([X | A], [Y | B]) when X =< Y -> [X | merge(A, [Y | B])];
            9 | | merge([X | A], [Y | B]) -> [X | merge([Y | A], B)].
              | |___________________________________________________^
            it is to blame for
                m:merge([4], [1,2]) = [4,1,2]
        "#]],
    );
    project.check(
        &["debug", "right/m.erl", call, "--reference", "right", "--oracle-only"],
        expect![[r#"
            exit 0
            --- stdout
            the run: returned [1,2,3,4,5]
            1. m:sort([4,1,2]) = [1,2,4]
               (<0.80.0> in right/m.erl:3)
            right, says the reference
            2. m:sort([5,3]) = [3,5]
               (<0.80.0> in right/m.erl:3)
            right, says the reference
            3. m:merge([3,5], [1,2,4]) = [1,2,3,4,5]
               (<0.80.0> in right/m.erl:6)
            right, says the reference
            4. m:sort([5,3,4,1,2]) = [1,2,3,4,5]
               (<0.80.0> in right/m.erl:3)
            right, says the reference
            nothing is wrong with what the program did
        "#]],
    );
}
