//! `erlscope compare` on programs in the manner of the use cases of the thesis on point-of-interest
//! testing (10.3.2): with the points that it moves along, and the labels that its figures show. The
//! programs are our own.

mod harness;

use harness::Project;
use serde_json::Value;

/// Columns of text, aligned: in the new version they are too narrow.
const COLUMNS: &str = r#"-module(columns).
-export([left/0, right/0]).
left() -> aligned(left).
right() -> aligned(right).
aligned(Side) ->
    Rows = [string:tokens(Row, "$") || Row <- ["some$words$of$text", "in$columns"]],
    Widths = lists:foldl(fun widest/2, [], Rows),
    [row(Row, Widths, Side) || Row <- Rows].
widest(Row, Widths) ->
    Lengths = [length(Word) || Word <- Row],
    Most = max(length(Lengths), length(Widths)),
    [max(A, B) || {A, B} <- lists:zip(filled(Lengths, Most, 0), filled(Widths, Most, 0))].
filled(List, Length, With) -> List ++ lists:duplicate(Length - length(List), With).
row(Row, Widths, Side) ->
    Words = lists:zip(filled(Row, length(Widths), ""), Widths),
    [apply(string, Side, [Word, Width + 1, $\s]) || {Word, Width} <- Words].
"#;

/// Compares what was seen, and by which arguments the call was made.
const BY_CALL: &str = "-module(by_call).
-export([same/2]).
same({_, V, _}, {_, V, _}) -> true;
same({_, _, Old}, {_, _, New}) ->
    {_, _, A} = proplists:get_value(call, Old, {none, none, []}),
    {_, _, B} = proplists:get_value(call, New, {none, none, []}),
    case A =:= B of
        true -> different_value_same_args;
        false -> different_value_different_args
    end.
";

fn compared(project: &Project, arguments: &[&str]) -> Value {
    let mut all = vec!["compare", "old", "new", "--format", "json", "--seed", "1"];
    all.extend_from_slice(arguments);
    let ran = project.run(&all);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
}

/// The verdict, and of each difference the label and the calls that led to the point.
fn told(json: &Value) -> String {
    let mut told = json["verdict"].as_str().unwrap_or("?").to_owned();
    for found in json["differences"].as_array().into_iter().flatten() {
        let call = |side: &str| found[side]["call"].as_str().unwrap_or("-").to_owned();
        let label = found["label"].as_str().unwrap_or("?");
        told.push_str(&format!("\n{label}: {} {}", call("old"), call("new")));
    }
    told
}

#[test]
fn columns_are_aligned_in_another_way() {
    let new = COLUMNS.replace("Width + 1", "Width - 1");
    let files = [("old/columns.erl", COLUMNS), ("new/columns.erl", new.as_str())];
    let project =
        Project::new("compare_thesis_columns", &[&files[..], &[("by_call.erl", BY_CALL)]].concat());
    let first = compared(&project, &["--fun", "left/0", "--poi", "{'columns.erl', 3, call, 1}"]);
    assert!(
        told(&first).starts_with("different\ndifferent_value: columns:aligned(left)"),
        "{}",
        told(&first)
    );
    let judged = |poi: &str| {
        told(&compared(&project, &["--fun", "left/0", "--poi", poi, "--judge", "by_call.erl"]))
    };
    let second = judged("{'columns.erl', 8, call, 1}");
    assert!(second.starts_with("different\ndifferent_value_same_args: columns:row(["), "{second}");
    let third = judged("{'columns.erl', 16, call, 1}");
    let expected = "different\ndifferent_value_different_args: string:left(\"some\", 5, 32) \
                    string:left(\"some\", 3, 32)";
    assert_eq!(third, expected);
}

/// Numbers that come to 1 when their digits are squared and added again and again.
const HAPPY: &str = "-module(happy).
-export([happy/2]).
-spec happy(pos_integer(), pos_integer()) -> [pos_integer()].
happy(From, Count) -> happy(From, min(Count, 20), []).
happy(_, 0, Found) -> lists:reverse(Found);
happy(N, Left, Found) ->
    case is_happy(N, []) of
        true -> happy(N + 1, Left - 1, [N | Found]);
        false -> happy(N + 1, Left, Found)
    end.
is_happy(1, _) -> true;
is_happy(N, Seen) ->
    case lists:member(N, Seen) of
        true -> false;
        false -> is_happy(next(N), [N | Seen])
    end.
next(N) when N < 10 -> N * N;
next(N) -> (N rem 10) * (N rem 10) + next(N div 10).
";

#[test]
fn happy_numbers() {
    let other = HAPPY.replace(
        "is_happy(1, _) -> true;\n",
        "is_happy(X, _) when X < 10 -> X =:= 1 orelse X =:= 7;\n",
    );
    let wrong = other.replace("X =:= 1 orelse X =:= 7", "X =:= 1");
    let files = [("old/happy.erl", HAPPY), ("new/happy.erl", other.as_str())];
    let project = Project::new("compare_thesis_happy", &files);
    let same = compared(&project, &["--runs", "25"]);
    assert_eq!(told(&same), "same");
    let files = [("old/happy.erl", HAPPY), ("new/happy.erl", wrong.as_str())];
    let project = Project::new("compare_thesis_unhappy", &files);
    let found = compared(&project, &["--runs", "25", "--blind"]);
    assert_eq!(told(&found), "different\ndifferent_value: - -");
}

/// A server that counts what it is asked: in the new version greetings count the other way.
const HELLO: &str = r#"-module(hello).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).
-record(state, {count}).
init([]) -> {ok, #state{count = 0}}.
-spec handle_call(get_count, any(), {state, integer()}) -> {reply, integer(), {state, integer()}}.
handle_call(get_count, _, #state{count = Count}) ->
    {reply, Count, #state{count = Count + 1}}.
-spec handle_cast(stop | say_hello, {state, integer()}) ->
    {stop, any(), {state, integer()}} | {noreply, {state, integer()}}.
handle_cast(stop, State) ->
    {stop, normal, State};
handle_cast(say_hello, State) ->
    io:format("Hello~n"),
    {noreply, #state{count = State#state.count + 1}}.
"#;

#[test]
fn requests_of_a_server() {
    let new = HELLO.replace("State#state.count + 1", "State#state.count - 1");
    let files = [("old/hello.erl", HELLO), ("new/hello.erl", new.as_str())];
    let project = Project::new("compare_thesis_hello", &files);
    let points = [
        "--poi",
        "{'hello.erl', 8, tuple, 1}",
        "--poi",
        "{'hello.erl', 12, tuple, 1}",
        "--poi",
        "{'hello.erl', 15, tuple, 1}",
    ];
    let call = compared(&project, &[&["--fun", "handle_call/3"][..], &points].concat());
    assert_eq!(told(&call), "same");
    let cast = compared(&project, &[&["--fun", "handle_cast/2"][..], &points].concat());
    assert_eq!(told(&cast), "different\ndifferent_value: - -");
    let reached = &cast["inputs"]["points"];
    assert!(reached[1]["reached"].as_u64() > Some(0), "stop is served: {reached}");
    let input = cast["differences"][0]["old_call"].as_str().unwrap_or_default();
    assert!(input.starts_with("hello:handle_cast(say_hello, {state, "), "{input}");
}

/// A sort in which the new version keeps the rest of a list in another order.
const SORTING: &str = "-module(sorting).
-export([sorted/1]).
-spec sorted([integer()]) -> [integer()].
sorted([]) -> [];
sorted([X]) -> [X];
sorted(L) ->
    {A, B} = lists:split(length(L) div 2, L),
    merged(sorted(A), sorted(B)).
merged([], B) -> B;
merged(A, []) -> A;
merged([X | A], [Y | B]) ->
    case X < Y of
        true -> [X | merged(A, [Y | B])];
        false -> [Y | merged([X | A], B)]
    end.
";

#[test]
fn sorts_with_stacks() {
    let new = SORTING.replace("merged([X | A], B)]", "merged(A ++ [X], B)]");
    let files = [("old/sorting.erl", SORTING), ("new/sorting.erl", new.as_str())];
    let project = Project::new("compare_thesis_sorting", &files);
    let found = compared(&project, &["--poi", "{'sorting.erl', 8, call, 1}", "--runs", "150"]);
    assert_eq!(found["verdict"], "different");
    let first = &found["differences"][0];
    assert_eq!(first["label"], "different_value");
    assert_eq!(first["old"]["stack"][0]["line"], 8);
    let inner = compared(&project, &["--poi", "{'sorting.erl', 12, 'case', 1}", "--runs", "150"]);
    let first = &inner["differences"][0];
    let depth = |side: &str| first[side]["stack"].as_array().map_or(0, Vec::len);
    assert!(depth("old") + depth("new") > 0, "{first}");
}
