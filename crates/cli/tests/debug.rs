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
    let answers = "y\nh\nx\ny\nu\ny\ny\ny\nn\ny\nn\nt\ny\nn\ny\n";
    let project = Project::new("debug_server", &[("s.erl", SERVER), ("answers", answers)]);
    project.check(
        &["debug", "s.erl", "s:main", "--strategy", "top-down", "--answers", "answers"],
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {1,4}
            1. s:main()
                went on with the message {sum,1}
                and waited for a message, in s:ask(<0.81.0>, 2)
                sent {add,<0.80.0>,2} to <0.81.0>
                got s:ask(<0.81.0>, 1) = 1
               (<0.80.0> in s.erl:3)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            2. s:main()
                waited for a message, in s:ask(<0.81.0>, 1)
                sent {add,<0.80.0>,1} to <0.81.0>
                started <0.81.0>
               (<0.80.0> in s.erl:3)
            right? [y/n/v/i/m/t/d/u/s/a/h] y  yes, this is right
            n  no, this is wrong (n 2 1: namely in its second element, there in the first)
            v  v VALUE: it should have given this
            m  a message did not come that it waited for; goes to who should have sent it (m <0.81.0>)
            i  inadmissible: what it was given, or what it read, is wrong already
            t  trust the function: it is right whatever it is given (tm: the module, tp: the process)
            d  don't know
            u  undo the last answer
            s  another strategy: sd divide and query, st top-down, si informed (the default)
            a  abort
            h  this help
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            3. fun s:4()
                waited for a message, in s:loop(0)
               (<0.81.0> in s.erl:4)
            right? [y/n/v/i/m/t/d/u/s/a/h] 2. s:main()
                waited for a message, in s:ask(<0.81.0>, 1)
                sent {add,<0.80.0>,1} to <0.81.0>
                started <0.81.0>
               (<0.80.0> in s.erl:3)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            3. fun s:4()
                waited for a message, in s:loop(0)
               (<0.81.0> in s.erl:4)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            4. s:loop(0)
                went on with the message {add,<0.80.0>,1}
                and waited for a message, in s:loop(1)
                sent {sum,1} to <0.80.0>
               (<0.81.0> in s.erl:10)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            5. s:loop(1)
                went on with the message {add,<0.80.0>,2}
                and was not done when the run was over, in s:loop(4)
                sent {sum,4} to <0.80.0>
                did not take stop
               (<0.81.0> in s.erl:10)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            6. s:loop(4)
                was not done when the run was over
                did not take stop
               (<0.81.0> in s.erl:10)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            7. in s:loop/1: From ! {sum, Sum + N + 1}
                gave {sum,4}
                where From = <0.80.0>
                and Sum = 1
                and N = 2
               (s.erl:12:38)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            8. in s:loop/1: {sum, Sum + N + 1}
                gave {sum,4}
                where Sum = 1
                and N = 2
               (s.erl:12:45)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            what s:loop/1 does with this message is wrong:
              --> s.erl:12:9
               |
            12 |         {add, From, N} when N > 1 -> From ! {sum, Sum + N + 1}, loop(Sum + N + 1);
               |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            namely this expression:
              --> s.erl:12:43
               |
            12 |         {add, From, N} when N > 1 -> From ! {sum, Sum + N + 1}, loop(Sum + N + 1);
               |                                      -----^-------------------
            it is to blame for
                s:loop(1)
                    went on with the message {add,<0.80.0>,2}
                    and was not done when the run was over, in s:loop(4)
                    sent {sum,4} to <0.80.0>
                    did not take stop
            --- stderr
            erlscope: there is no answer x; h shows all
            erlscope: only functions, modules and processes can be trusted
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
            {"question":1,"process":"<0.81.0>","function":"s:loop/1","call":"s:loop(1)","after":{"kind":"message","message":"{add,<0.80.0>,2}","place":{"file":"s.erl","line":12,"column":9,"end_line":12,"end_column":82}},"outcome":{"kind":"unfinished","within":["s:loop(4)"]},"sent":[{"to":"<0.80.0>","message":"{sum,4}"}],"spawned":[],"effects":[],"ignored":["stop"],"place":{"file":"s.erl","line":10,"column":1,"end_line":15,"end_column":9}}
            {"question":2,"process":"<0.81.0>","function":"s:loop/1","call":"s:loop(4)","after":null,"outcome":{"kind":"unfinished"},"sent":[],"spawned":[],"effects":[],"ignored":["stop"],"place":{"file":"s.erl","line":10,"column":1,"end_line":15,"end_column":9}}
            {"verdict":null,"open":["s:loop/1"],"questions":2,"answered_by":{"earlier":0,"person":2,"reference":0,"spec":0,"test":0},"nodes":13}
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
        erlscope: there is nothing to debug: give a call such as 'm:f(1)', or a recorded run
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
            1. s:loop(1)
                went on with the message {add,<0.80.0>,2}
                and was not done when the run was over, in s:loop(4)
                sent {sum,4} to <0.80.0>
                did not take stop
               (<0.81.0> in s.erl:10)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
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
            1. m:merge([5,3], [4,1,2]) = [5,4,1,3,2]
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
            namely this expression:
             --> m.erl:9:29
              |
            9 | merge([X | A], [Y | B]) -> [X | merge([Y | A], B)].
              |                             ^
            it is to blame for
                m:merge([3], [2]) = [3,2]
        "#]],
    );
    project.check(
        &["debug", "right/m.erl", call, "--reference", "right", "--oracle-only"],
        expect![[r#"
            exit 0
            --- stdout
            the run: returned [1,2,3,4,5]
            1. m:merge([3,5], [1,2,4]) = [1,2,3,4,5]
               (<0.80.0> in right/m.erl:6)
            right, says the reference
            2. m:sort([2]) = [2]
               (<0.80.0> in right/m.erl:3)
            right, says the reference
            3. m:sort([5,3]) = [3,5]
               (<0.80.0> in right/m.erl:3)
            right, says the reference
            4. m:merge([4], [1,2]) = [1,2,4]
               (<0.80.0> in right/m.erl:6)
            right, says the reference
            5. m:merge([1], [2]) = [1,2]
               (<0.80.0> in right/m.erl:6)
            right, says the reference
            nothing is wrong with what the program did
        "#]],
    );
}

/// With a version that is right the place is found without questions.
#[test]
fn zoom_by_reference() {
    let right = SERVER.replace("Sum + N + 1}", "Sum + N}").replace("N + 1);", "N);");
    let wrong = SERVER.replace("N + 1);", "N);");
    let files: [(&str, &str); 2] = [("s.erl", &wrong), ("old/s.erl", &right)];
    let project = Project::new("debug_zoom", &files);
    let debug = ["debug", "s.erl", "s:main", "--reference", "old/s.erl", "--oracle-only"];
    project.check(
        &debug,
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {1,4}
            1. s:loop(1)
                went on with the message {add,<0.80.0>,2}
                and was not done when the run was over, in s:loop(3)
                sent {sum,4} to <0.80.0>
                did not take stop
               (<0.81.0> in s.erl:10)
            wrong, says the reference
            2. s:loop(3)
                was not done when the run was over
                did not take stop
               (<0.81.0> in s.erl:10)
            right, says the reference
            what s:loop/1 does with this message is wrong:
              --> s.erl:12:9
               |
            12 |         {add, From, N} when N > 1 -> From ! {sum, Sum + N + 1}, loop(Sum + N);
               |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            namely this expression:
              --> s.erl:12:59
               |
            12 |         {add, From, N} when N > 1 -> From ! {sum, Sum + N + 1}, loop(Sum + N);
               |                                                   --------^--
            it is to blame for
                s:loop(1)
                    went on with the message {add,<0.80.0>,2}
                    and was not done when the run was over, in s:loop(3)
                    sent {sum,4} to <0.80.0>
                    did not take stop
        "#]],
    );
    let json = [&debug[..], &["--format", "json", "--no-zoom"]].concat();
    project.check(&json, expect![[r#"
        exit 1
        --- stdout
        {"question":1,"process":"<0.81.0>","function":"s:loop/1","call":"s:loop(1)","after":{"kind":"message","message":"{add,<0.80.0>,2}","place":{"file":"s.erl","line":12,"column":9,"end_line":12,"end_column":78}},"outcome":{"kind":"unfinished","within":["s:loop(3)"]},"sent":[{"to":"<0.80.0>","message":"{sum,4}"}],"spawned":[],"effects":[],"ignored":["stop"],"place":{"file":"s.erl","line":10,"column":1,"end_line":15,"end_column":9}}
        {"answer":"wrong","by":"reference"}
        {"question":2,"process":"<0.81.0>","function":"s:loop/1","call":"s:loop(3)","after":null,"outcome":{"kind":"unfinished"},"sent":[],"spawned":[],"effects":[],"ignored":["stop"],"place":{"file":"s.erl","line":10,"column":1,"end_line":15,"end_column":9}}
        {"answer":"right","by":"reference"}
        {"verdict":{"file":"s.erl","line":12,"end_line":12,"function":"s:loop/1","kind":"receive","place":null},"open":[],"questions":2,"answered_by":{"earlier":0,"person":0,"reference":2,"spec":0,"test":0},"nodes":13}
    "#]]);
    let json = [&debug[..], &["--format", "json"]].concat();
    project.check(&json, expect![[r#"
        exit 1
        --- stdout
        {"question":1,"process":"<0.81.0>","function":"s:loop/1","call":"s:loop(1)","after":{"kind":"message","message":"{add,<0.80.0>,2}","place":{"file":"s.erl","line":12,"column":9,"end_line":12,"end_column":78}},"outcome":{"kind":"unfinished","within":["s:loop(3)"]},"sent":[{"to":"<0.80.0>","message":"{sum,4}"}],"spawned":[],"effects":[],"ignored":["stop"],"place":{"file":"s.erl","line":10,"column":1,"end_line":15,"end_column":9}}
        {"answer":"wrong","by":"reference"}
        {"question":2,"process":"<0.81.0>","function":"s:loop/1","call":"s:loop(3)","after":null,"outcome":{"kind":"unfinished"},"sent":[],"spawned":[],"effects":[],"ignored":["stop"],"place":{"file":"s.erl","line":10,"column":1,"end_line":15,"end_column":9}}
        {"answer":"right","by":"reference"}
        {"verdict":{"file":"s.erl","line":12,"end_line":12,"function":"s:loop/1","kind":"receive","place":{"file":"s.erl","line":12,"column":51,"end_line":12,"end_column":62,"kind":"expression"}},"open":[],"questions":2,"answered_by":{"earlier":0,"person":0,"reference":2,"spec":0,"test":0},"nodes":13}
    "#]]);
}

/// What is read from and written to tables is part of what is asked.
#[test]
fn tables() {
    let program = "\
-module(t).
-export([main/0]).
main() -> ets:new(t, [named_table]), put_it(a, 1), get_it(a).
put_it(K, V) -> ets:insert(t, {K, V + 1}).
get_it(K) -> [{K, V}] = ets:lookup(t, K), V.
";
    let right = program.replace("V + 1", "V");
    let files: [(&str, &str); 3] =
        [("t.erl", program), ("old/t.erl", &right), ("answers", "i\nn\nn\nn\nn\n")];
    let project = Project::new("debug_tables", &files);
    let debug = ["debug", "t.erl", "t:main", "--answers", "answers"];
    project.check(
        &debug,
        expect![[r#"
            exit 1
            --- stdout
            the run: returned 2
            1. t:get_it(a) = 2
                did ets:lookup(t, a) = [{a,2}]
               (<0.80.0> in t.erl:5)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            2. t:put_it(a, 1) = true
                did ets:insert(t, {a,2}) = true
               (<0.80.0> in t.erl:4)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            3. in t:put_it/2: ets:insert(t, {K, V + 1})
                gave true
                where K = a
                and V = 1
               (t.erl:4:17)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            4. in t:put_it/2: {K, V + 1}
                gave {a,2}
                where K = a
                and V = 1
               (t.erl:4:31)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            5. in t:put_it/2: V + 1
                gave 2
                where V = 1
               (t.erl:4:35)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            t:put_it/2 is wrong:
             --> t.erl:4:1
              |
            4 | put_it(K, V) -> ets:insert(t, {K, V + 1}).
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            namely this expression:
             --> t.erl:4:37
              |
            4 | put_it(K, V) -> ets:insert(t, {K, V + 1}).
              |                                   --^--
            it is to blame for
                t:put_it(a, 1) = true
                    did ets:insert(t, {a,2}) = true
        "#]],
    );
    let debug = ["debug", "t.erl", "t:main", "--reference", "old/t.erl", "--oracle-only"];
    project.check(
        &debug,
        expect![[r#"
            exit 1
            --- stdout
            the run: returned 2
            1. t:get_it(a) = 2
                did ets:lookup(t, a) = [{a,2}]
               (<0.80.0> in t.erl:5)
            right, says the reference
            2. t:put_it(a, 1) = true
                did ets:insert(t, {a,2}) = true
               (<0.80.0> in t.erl:4)
            wrong, says the reference
            t:put_it/2 is wrong:
             --> t.erl:4:1
              |
            4 | put_it(K, V) -> ets:insert(t, {K, V + 1}).
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            namely this expression:
             --> t.erl:4:37
              |
            4 | put_it(K, V) -> ets:insert(t, {K, V + 1}).
              |                                   --^--
            it is to blame for
                t:put_it(a, 1) = true
                    did ets:insert(t, {a,2}) = true
        "#]],
    );
}

/// Specs and tests answer before anybody is asked.
#[test]
fn specs_and_tests_answer() {
    let program = "\
-module(m).
-export([main/0, double/1, name/1, half/1]).
main() -> {double(3), name(4), half(10)}.
double(X) -> X + X.
-spec name(integer()) -> atom().
name(X) -> label(X).
label(_) -> \"four\".
half(X) -> X div 2.
";
    let tests = "\
-module(m_tests).
-include_lib(\"eunit/include/eunit.hrl\").
double_test() -> ?assertEqual(6, m:double(3)).
half_test() -> ?assert(m:half(10) =:= 5).
name_test() -> ?assertEqual(four, m:name(4)).
";
    let files = [("m.erl", program), ("m_tests.erl", tests), ("answers", "n\n"), ("junk", "x\n")];
    let project = Project::new("debug_oracles", &files);
    let debug = ["debug", ".", "m:main", "--no-zoom", "--answers", "answers"];
    project.check(
        &debug,
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {6,"four",5}
            1. m:name(4) = "four"
               (<0.80.0> in m.erl:6)
            wrong, says a test
            2. m:label(4) = "four"
               (<0.80.0> in m.erl:7)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            m:label/1 is wrong:
             --> m.erl:7:1
              |
            7 | label(_) -> "four".
              | ^^^^^^^^^^^^^^^^^^^
            it is to blame for
                m:label(4) = "four"
        "#]],
    );
    let debug = ["debug", "m.erl", "m:main", "--no-zoom", "--answers", "answers"];
    project.check(
        &debug,
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {6,"four",5}
            1. m:name(4) = "four"
               (<0.80.0> in m.erl:6)
            wrong, says the spec
            2. m:label(4) = "four"
               (<0.80.0> in m.erl:7)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            m:label/1 is wrong:
             --> m.erl:7:1
              |
            7 | label(_) -> "four".
              | ^^^^^^^^^^^^^^^^^^^
            it is to blame for
                m:label(4) = "four"
        "#]],
    );
    let json = ["debug", ".", "m:main", "--no-zoom", "--oracle-only", "--format", "json"];
    project.check(&json, expect![[r#"
        exit 3
        --- stdout
        {"question":1,"process":"<0.80.0>","function":"m:name/1","call":"m:name(4)","after":null,"outcome":{"kind":"value","value":"\"four\""},"sent":[],"spawned":[],"effects":[],"ignored":[],"place":{"file":"m.erl","line":6,"column":1,"end_line":6,"end_column":21}}
        {"answer":"wrong","by":"test"}
        {"verdict":null,"open":["m:name/1","m:label/1"],"questions":1,"answered_by":{"earlier":0,"person":0,"reference":0,"spec":0,"test":1},"nodes":5}
    "#]]);
    let test = ["debug", ".", "--test", "m_tests:name_test", "--no-zoom", "--answers", "answers"];
    project.check(
        &test,
        expect![[r#"
            exit 1
            --- stdout
            the run: failed with error {assertEqual,[{module,m_tests},
                          {line,5},
                          {expression,"m : name ( 4 )"},
                          {expected,four},
                          {value,"four"}]}
            1. m:name(4) = "four"
               (<0.80.0> in m.erl:6)
            wrong, says a test
            2. m:label(4) = "four"
               (<0.80.0> in m.erl:7)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            m:label/1 is wrong:
             --> m.erl:7:1
              |
            7 | label(_) -> "four".
              | ^^^^^^^^^^^^^^^^^^^
            it is to blame for
                m:label(4) = "four"
        "#]],
    );
    project.check(
        &["debug", ".", "--test", "m_tests"],
        expect![[r#"
        exit 2
        --- stderr
        erlscope: m_tests is not a test function: give module and function, such as m_tests:add_test
    "#]],
    );
    project.check(
        &["debug", ".", "m:main", "--resume", "junk"],
        expect![[r#"
        exit 2
        --- stdout
        the run: returned {6,"four",5}
        --- stderr
        erlscope: junk: line 1 is not a kept answer
    "#]],
    );
    project.check(
        &["debug", ".", "m:main", "--resume", "none"],
        expect![[r#"
        exit 2
        --- stdout
        the run: returned {6,"four",5}
        --- stderr
        erlscope: none: No such file or directory (os error 2)
    "#]],
    );
}

/// A session that is left goes on where it was; its answers become tests.
#[test]
fn kept_answers() {
    let program = "\
-module(k).
-export([main/0, a/1, b/1]).
main() -> b(2) + a(1).
a(X) -> X + 1.
b(X) -> X - 1.
";
    let files = [("k.erl", program), ("one", "y\n"), ("two", "n\n"), ("k_tests.erl", "")];
    let project = Project::new("debug_kept", &files);
    let debug = ["debug", "k.erl", "k:main", "--no-zoom"];
    let with = |more: &[&'static str]| [&debug[..], more].concat();
    project.check(
        &with(&["--answers", "one", "--keep", "kept"]),
        expect![[r#"
            exit 3
            --- stdout
            the run: returned 3
            1. k:a(1) = 2
               (<0.80.0> in k.erl:4)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            2. k:b(2) = 1
               (<0.80.0> in k.erl:5)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            the answers did not suffice
            --- stderr
            erlscope: the answers are kept: --resume kept
        "#]],
    );
    let more = ["--answers", "two", "--resume", "kept", "--write-tests", "k_tests.erl"];
    project.check(
        &with(&more),
        expect![[r#"
            exit 1
            --- stdout
            the run: returned 3
            1. k:a(1) = 2
               (<0.80.0> in k.erl:4)
            right, says an earlier session
            2. k:b(2) = 1
               (<0.80.0> in k.erl:5)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            k:b/1 is wrong:
             --> k.erl:5:1
              |
            5 | b(X) -> X - 1.
              | ^^^^^^^^^^^^^^
            it is to blame for
                k:b(2) = 1
        "#]],
    );
    project.check(
        &["test", "k_tests.erl", "k.erl"],
        expect![[r#"
            exit 1
            --- stdout
            FAILED k_tests (1 passed, 2 failed)
              debugged_1_test: failed
                assertNotEqual failed
                  expression: k:main()
                  value:      3
                 --> k_tests.erl:5:5
                  |
                5 |     ?assertNotEqual(3, k:main()).
                  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                to find the place: erlscope debug --test k_tests:debugged_1_test .
              debugged_3_test: failed
                assertNotEqual failed
                  expression: k:b(2)
                  value:      1
                  --> k_tests.erl:11:5
                   |
                11 |     ?assertNotEqual(1, k:b(2)).
                   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
                to find the place: erlscope debug --test k_tests:debugged_3_test .
            1 passed, 2 failed
        "#]],
    );
}

/// What a server of the library is asked is told as a call; its callbacks have statements.
#[test]
fn a_library_server() {
    let server = "\
-module(g).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start_link(g, 10, []),
    ok = gen_server:cast(P, {add, 5}),
    gen_server:call(P, {take, 3}).
init(N) -> {ok, N}.
handle_call({take, K}, _, N) -> {reply, N - K, N - K}.
handle_cast({add, K}, N) -> {noreply, N - K}.
";
    let right = server.replace("{noreply, N - K}", "{noreply, N + K}");
    let files: [(&str, &str); 3] =
        [("g.erl", server), ("old/g.erl", &right), ("all", "y\ny\ny\ny\n")];
    let project = Project::new("debug_library", &files);
    let debug = ["debug", "g.erl", "g:main", "--reference", "old/g.erl", "--oracle-only"];
    project.check(
        &debug,
        expect![[r#"
            exit 1
            --- stdout
            the run: returned 2
            1. g:main() = 2
                did gen_server:start_link(g, 10, []) = {ok,<0.81.0>}
                did gen_server:cast(<0.81.0>, {add,5}) = ok
                did gen_server:call(<0.81.0>, {take,3}) = 2
                started <0.81.0>
               (<0.80.0> in g.erl:4)
            not to blame, says the reference
            2. g:handle_call({take,3}, {<0.80.0>,[alias|#Ref<0.0.0.4>]}, 5) = {reply,2,2}
               (<0.81.0> in g.erl:9)
            right, says the reference
            3. g:handle_cast({add,5}, 10) = {noreply,5}
               (<0.81.0> in g.erl:10)
            wrong, says the reference
            g:handle_cast/2 is wrong:
              --> g.erl:10:1
               |
            10 | handle_cast({add, K}, N) -> {noreply, N - K}.
               | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            namely this expression:
              --> g.erl:10:41
               |
            10 | handle_cast({add, K}, N) -> {noreply, N - K}.
               |                                       --^--
            it is to blame for
                g:handle_cast({add,5}, 10) = {noreply,5}
        "#]],
    );
    let debug = ["debug", "g.erl", "g:main", "--answers", "all"];
    project.check(
        &debug,
        expect![[r#"
            exit 0
            --- stdout
            the run: returned 2
            1. g:main() = 2
                did gen_server:start_link(g, 10, []) = {ok,<0.81.0>}
                did gen_server:cast(<0.81.0>, {add,5}) = ok
                did gen_server:call(<0.81.0>, {take,3}) = 2
                started <0.81.0>
               (<0.80.0> in g.erl:4)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            2. g:handle_call({take,3}, {<0.80.0>,[alias|#Ref<0.0.0.4>]}, 5) = {reply,2,2}
               (<0.81.0> in g.erl:9)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            3. g:handle_cast({add,5}, 10) = {noreply,5}
               (<0.81.0> in g.erl:10)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            4. g:init(10) = {ok,10}
               (<0.81.0> in g.erl:8)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            nothing is wrong with what the program did
        "#]],
    );
}

/// Who knows the right value, or which part is wrong, is asked about what that came from only.
#[test]
fn parts() {
    let program = "\
-module(p).
-export([main/0, result/1, twice/1]).
main() ->
    A = result(3),
    B = [other(X) || X <- lists:seq(1, 4)],
    {A, B}.
result(N) ->
    Names = [name(X) || X <- lists:seq(1, N)],
    {total(N), Names, twice(N)}.
total(N) -> lists:sum([once(X) || X <- lists:seq(1, N)]).
name(X) -> {x, X}.
twice(X) -> X * 3.
once(X) -> X.
other(X) -> more(X, 0) + more(X, 1).
more(X, Y) -> X + Y.
";
    let right = program.replace("X * 3", "X * 2");
    let part = "v oops(\nn 9\nn 3\nv 6\n";
    let value = "v {6, [{x,1},{x,2},{x,3}], 6}\nn\n";
    let files: [(&str, &str); 4] =
        [("p.erl", program), ("right/p.erl", &right), ("part", part), ("value", value)];
    let project = Project::new("debug_parts", &files);
    let debug = ["debug", "p.erl", "p:main", "--no-zoom"];
    let with = |more: &[&'static str]| [&debug[..], more].concat();
    project.check(
        &with(&["--answers", "part", "--write-tests", "p_tests.erl"]),
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {{6,[{x,1},{x,2},{x,3}],9},[3,5,7,9]}
            1. p:result(3) = {6,[{x,1},{x,2},{x,3}],9}
               (<0.80.0> in p.erl:7)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            2. p:twice(3) = 9
               (<0.80.0> in p.erl:12)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            p:twice/1 is wrong:
              --> p.erl:12:1
               |
            12 | twice(X) -> X * 3.
               | ^^^^^^^^^^^^^^^^^^
            it is to blame for
                p:twice(3) = 9
            --- stderr
            erlscope: oops( is not a value, written out as in Erlang
            erlscope: there is no such part of a value here
        "#]],
    );
    project.check(
        &with(&["--answers", "value"]),
        expect![[r#"
            exit 1
            --- stdout
            the run: returned {{6,[{x,1},{x,2},{x,3}],9},[3,5,7,9]}
            1. p:result(3) = {6,[{x,1},{x,2},{x,3}],9}
               (<0.80.0> in p.erl:7)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            2. p:twice(3) = 9
               (<0.80.0> in p.erl:12)
            right? [y/n/v/i/m/t/d/u/s/a/h] 
            p:twice/1 is wrong:
              --> p.erl:12:1
               |
            12 | twice(X) -> X * 3.
               | ^^^^^^^^^^^^^^^^^^
            it is to blame for
                p:twice(3) = 9
        "#]],
    );
    // What was answered passes on the right program only.
    let wrong = project.run(&["test", "p_tests.erl", "p.erl"]).transcript();
    assert!(wrong.starts_with("exit 1") && wrong.contains("0 passed, 3 failed"), "{wrong}");
    let right = project.run(&["test", "p_tests.erl", "right/p.erl"]).transcript();
    assert!(right.starts_with("exit 0") && right.contains("3 passed"), "{right}");
}

/// An earlier revision of the program answers; a recorded run needs no option.
#[test]
fn revisions_and_recorded_runs() {
    let wrong = SORT.replace("[Y | merge([X | A], B)]", "[X | merge([Y | A], B)]");
    let project = Project::new("debug_revision", &[("m.erl", SORT)]);
    let git = |arguments: &[&str]| {
        let name = [
            "-c",
            "core.hooksPath=none",
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@x.org",
            "-c",
            "init.defaultBranch=a",
        ];
        let mut command = std::process::Command::new("git");
        command.current_dir(&project.root).args(name).args(arguments).output()
    };
    if git(&["init"]).is_err() {
        println!("skipped: there is no git");
        return;
    }
    git(&["add", "m.erl"]).expect("git");
    git(&["commit", "-m", "right"]).expect("git");
    std::fs::write(project.root.join("m.erl"), wrong).expect("a file");
    let call = "m:sort([2,1])";
    let debug = ["debug", "m.erl", call, "--oracle-only", "--format", "json", "--reference"];
    let found = project.run(&[&debug[..], &["HEAD"]].concat()).transcript();
    assert!(found.starts_with("exit 1") && found.contains(r#""line":9"#), "{found}");
    let missing = project.run(&[&debug[..], &["nothing"]].concat()).transcript();
    assert!(
        missing.starts_with("exit 2") && missing.contains("git knows no revision"),
        "{missing}"
    );
    project.run(&["run", "m.erl", call, "--trace", "it.trace"]);
    let recorded = project.run(&["debug", "it.trace", "--reference", "HEAD", "--oracle-only"]);
    let recorded = recorded.transcript();
    assert!(
        recorded.starts_with("exit 1") && recorded.contains("m:merge/2 is wrong"),
        "{recorded}"
    );
}
