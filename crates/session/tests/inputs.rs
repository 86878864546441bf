//! Inputs that are looked for on the Machine: what they reach, guided and blind; failures that are
//! made small; servers; what cannot be done.
//!
//! `INPUTS_TABLE=1 cargo nextest run --workspace -E 'test(guided_inputs)' --no-capture` prints what
//! guided and blind inputs reach of each program.

use std::path::{Path, PathBuf};

use session::inputs::{Answer, Request, Source, What, find};
use session::run::{self, Ending};
use session::{Control, Error, Reading};

fn request(paths: Vec<PathBuf>, what: What) -> Request {
    let reading = Reading { without_otp: true, ..Reading::default() };
    Request { reading, ..Request::new(paths, what) }
}

/// Writes a module and looks for inputs.
fn look(name: &str, text: &str, what: What, runs: u64) -> Result<Answer, Error> {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("inputs").join(name);
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join(format!("{name}.erl"));
    std::fs::write(&path, format!("-module({name}).\n{text}")).expect("a file");
    let mut request = request(vec![path], what);
    request.options.runs = runs;
    find(&request, &Control::default())
}

fn function(name: &str) -> What {
    What::Function(name.to_owned())
}

/// The branches that a program has, and those that were reached.
struct Figures {
    name: String,
    all: usize,
    blind: usize,
    guided: usize,
}

fn programs() -> Vec<PathBuf> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../inputs/tests/programs");
    let entries = std::fs::read_dir(directory).expect("programs");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    found.sort();
    found
}

fn measured(path: &Path, arity: u32, guided: bool, seed: u64, runs: u64) -> (usize, usize) {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut request = request(vec![path.to_path_buf()], function(&format!("{name}:main/{arity}")));
    request.options.runs = runs;
    request.options.guided = guided;
    request.options.seed = seed;
    request.options.shrinking = 0;
    request.measure = true;
    let answer = find(&request, &Control::default()).expect("an answer");
    let reached = answer.branches.iter().filter(|branch| branch.reached).count();
    if guided && std::env::var("INPUTS_TABLE").is_ok_and(|what| what == "open") {
        for branch in answer.branches.iter().filter(|branch| !branch.reached) {
            println!("{name}:{}:{}: {} is open", branch.line, branch.column, branch.way);
        }
    }
    (reached, answer.branches.len())
}

/// How many arguments `main` of a program takes.
fn arity(path: &Path) -> u32 {
    let text = std::fs::read_to_string(path).expect("a program");
    let at = text.find("main/").expect("an export") + 5;
    text[at..=at].parse().expect("a number")
}

/// Of the branches that blind inputs leave open guided ones close so many; the mean of how many
/// more they reach.
#[test]
fn guided_inputs_reach_more() {
    let number = |name: &str, other: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
    };
    let (runs, seeds) = (number("INPUTS_RUNS", 500), number("INPUTS_SEEDS", 1));
    let mut all = Vec::new();
    for path in programs() {
        let arity = arity(&path);
        let mut figures = Figures {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            all: 0,
            blind: 0,
            guided: 0,
        };
        for seed in 0..seeds {
            let (blind, count) = measured(&path, arity, false, seed, runs);
            let (guided, _) = measured(&path, arity, true, seed, runs);
            figures.all += count;
            figures.blind += blind;
            figures.guided += guided;
        }
        all.push(figures);
    }
    assert!(all.len() >= 30);
    let mut lines =
        vec![format!("{:<16} {:>8} {:>6} {:>6}", "program", "branches", "blind", "guided")];
    for Figures { name, all, blind, guided } in &all {
        lines.push(format!("{name:<16} {all:>8} {blind:>6} {guided:>6}"));
    }
    let sum = |of: fn(&Figures) -> usize| all.iter().map(of).sum::<usize>();
    let (branches, blind, guided) = (sum(|f| f.all), sum(|f| f.blind), sum(|f| f.guided));
    lines.push(format!("{:<16} {branches:>8} {blind:>6} {guided:>6}", "sum"));
    let open: Vec<&Figures> = all.iter().filter(|f| f.blind < f.all).collect();
    let closed = |f: &Figures| (f.guided as f64 - f.blind as f64) / (f.all as f64 - f.blind as f64);
    let mean = open.iter().map(|f| closed(f)).sum::<f64>() / open.len().max(1) as f64;
    // How much less guided inputs leave open: none at all counts as one half of a branch.
    let less =
        |f: &Figures| (f.all as f64 - f.blind as f64) / (f.all as f64 - f.guided as f64).max(0.5);
    let times = open.iter().map(|f| less(f)).sum::<f64>() / open.len().max(1) as f64;
    let as_many = all.iter().filter(|f| f.guided >= f.blind).count();
    lines.push(format!(
        "{runs} runs, {seeds} seeds: of what blind inputs leave open guided ones close {:.0} % \
         (mean of {} programs), and leave {times:.2} times less open; as many branches or more in \
         {as_many} programs",
        100.0 * mean,
        open.len()
    ));
    let table = lines.join("\n");
    if std::env::var_os("INPUTS_TABLE").is_some() {
        println!("{table}");
    }
    assert!(mean >= 0.3 && times >= 1.3 && as_many >= 30, "{table}");
}

#[test]
fn failures_are_made_small() {
    let text = "-export([f/1]).
-spec f([integer()]) -> integer().
f(L) -> lists:sum(L) div (length(L) - 3).
";
    let answer = look("thirds", text, function("thirds:f/1"), 500).expect("an answer");
    assert_eq!(answer.source, Source::Spec);
    assert_eq!(answer.failures.len(), 1, "{answer:?}");
    let failure = &answer.failures[0];
    assert_eq!(failure.what, "error badarith in thirds:f/1, line 4");
    assert_eq!(failure.ran.call, "thirds:f([0, 0, 0])");
    assert!(failure.is_minimal);
    assert!(
        matches!(&failure.ran.ending, Ending::Raised(raised) if raised.exception.reason == "badarith")
    );
}

/// Programs with a planted bug each, and the smallest call that shows it.
#[test]
fn planted_bugs_shrink_on_the_machine() {
    let planted = [
        ("bug_over", "f(integer()) -> ok", "f(N) when N < 1000 -> ok.", "bug_over:f(1000)"),
        ("bug_under", "f(integer()) -> ok", "f(N) when N > -50 -> ok.", "bug_under:f(-50)"),
        (
            "bug_third",
            "f([atom()]) -> ok",
            "f([_, _, _ | _]) -> exit(third); f(_) -> ok.",
            "bug_third:f([a, a, a])",
        ),
        (
            "bug_word",
            "f(string()) -> ok",
            "f(S) -> case string:find(S, \"xy\") of nomatch -> ok; _ -> error(word) end.",
            "bug_word:f(\"xy\")",
        ),
        (
            "bug_key",
            "f(#{a => integer(), b => atom(), c => [integer()]}) -> ok",
            "f(#{c := [X | _]}) when X > 3 -> error(key); f(_) -> ok.",
            "bug_key:f(#{c => [4]})",
        ),
        (
            "bug_same",
            "f(integer(), integer()) -> ok",
            "f(X, X) when X > 10 -> error(same); f(_, _) -> ok.",
            "bug_same:f(11, 11)",
        ),
        (
            "bug_header",
            "f(binary()) -> ok",
            "f(<<\"HDR\", N, _/binary>>) when N > 4 -> error(header); f(_) -> ok.",
            "bug_header:f(<<72,68,82,5>>)",
        ),
        (
            "bug_answers",
            "f(fun((integer()) -> integer())) -> ok",
            "f(F) -> case F(3) > 20 of true -> error(answers); false -> ok end.",
            "bug_answers:f(fun(_) -> 21 end)",
        ),
        (
            "bug_union",
            "f({ok, integer()} | {error, [integer()]} | none) -> ok",
            "f({error, [_, X | _]}) -> 1 / X; f(_) -> ok.",
            "bug_union:f({error, [0, 0]})",
        ),
        (
            "bug_float",
            "f(float()) -> ok",
            "f(X) when X > 7.5 -> error(float); f(_) -> ok.",
            "bug_float:f(8.0)",
        ),
        ("bug_div", "f(integer(), integer()) -> ok", "f(A, B) -> A div B.", "bug_div:f(0, 0)"),
        (
            "bug_nth",
            "f([integer()], pos_integer()) -> ok",
            "f(L, N) -> lists:nth(N, L).",
            "bug_nth:f([], 1)",
        ),
        (
            "bug_deep",
            "f(t()) -> ok.\n-type t() :: leaf | {node, t(), t()}",
            "f({node, {node, _, _}, _}) -> error(deep); f(_) -> ok.",
            "bug_deep:f({node, {node, leaf, leaf}, leaf})",
        ),
        (
            "bug_record",
            "f(#r{}) -> ok.\n-record(r, {a :: integer(), b :: [atom()]})",
            "f(#r{a = A, b = [_ | _]}) when A < 0 -> error(record); f(_) -> ok.",
            "bug_record:f({r, -1, [a]})",
        ),
        (
            "bug_improper",
            "f(maybe_improper_list(integer(), atom())) -> ok",
            "f(L) -> length(L).",
            "bug_improper:f([0 | a])",
        ),
        ("bug_bits", "f(bitstring()) -> ok", "f(B) -> binary_to_list(B).", "bug_bits:f(<<0:1>>)"),
        ("bug_wide", "f(string()) -> ok", "f(S) -> list_to_binary(S).", "bug_wide:f([256])"),
        (
            "bug_size",
            "f(#{1..9 => boolean()}) -> ok",
            "f(M) when map_size(M) < 3 -> ok.",
            "bug_size:f(#{1 => false, 2 => false, 3 => false})",
        ),
        (
            "bug_atom",
            "f(atom()) -> ok",
            "f(launch) -> error(launched); f(_) -> ok.",
            "bug_atom:f(launch)",
        ),
        (
            "bug_large",
            "f(non_neg_integer()) -> ok",
            "f(N) when N < 1 bsl 60 -> ok.",
            "bug_large:f(1152921504606846976)",
        ),
        (
            "bug_twice",
            "f([{atom(), integer()}]) -> ok",
            "f(L) when is_list(L) ->\n    true = length(lists:ukeysort(1, L)) =:= length(L).",
            "bug_twice:f([{a, 0}, {a, 0}])",
        ),
    ];
    assert!(planted.len() >= 20);
    for (name, spec, body, smallest) in planted {
        // What they give is of no interest here.
        let spec = spec.replace("-> ok", "-> any()");
        let takes_two = ["bug_same", "bug_div", "bug_nth"].contains(&name);
        let arity = if takes_two { 2 } else { 1 };
        let text = format!("-export([f/{arity}]).\n-spec {spec}.\n{body}\n");
        let what = function(&format!("{name}:f/{arity}"));
        let answer = look(name, &text, what, 2000).expect("an answer");
        let calls: Vec<&str> =
            answer.failures.iter().map(|failure| failure.ran.call.as_str()).collect();
        assert_eq!(calls, [smallest], "{name}");
        assert!(answer.failures[0].is_minimal, "{name}");
    }
}

#[test]
fn what_is_not_specified_is_inferred() {
    let text = "-export([f/1]).
f({point, X, Y}) when is_integer(X), X > 77 -> X + Y;
f([H | _]) -> H;
f(none) -> 0.
";
    let answer = look("plain", text, function("plain:f/1"), 500).expect("an answer");
    assert_eq!(answer.source, Source::Inferred);
    assert_eq!(answer.types.len(), 3);
    assert_eq!(answer.runs, 500);
    let calls: Vec<&str> = answer.kept.iter().map(|kept| kept.call.as_str()).collect();
    assert!(calls.contains(&"plain:f(none)"), "{calls:?}");
    assert!(calls.iter().any(|call| call.starts_with("plain:f({point, ")), "{calls:?}");
    assert!(calls.iter().any(|call| call.starts_with("plain:f([")), "{calls:?}");
}

#[test]
fn runs_are_bounded_and_touch_nothing() {
    let text = "-export([f/1]).
-spec f(a | b | c) -> ok.
f(a) -> f(a);
f(b) -> receive never -> ok end;
f(c) -> ok = file:write_file(\"inputs_was_here\", <<1>>), {ok, <<1>>} = file:read_file(\"inputs_was_here\"), ok.
";
    let answer = look("bounded", text, function("bounded:f/1"), 100).expect("an answer");
    assert_eq!((answer.runs, answer.exhausted), (3, true));
    let endings: Vec<_> = answer.endings.iter().map(|(kind, count)| (*kind, *count)).collect();
    assert_eq!(endings, [("bound", 1), ("returned", 1), ("stuck", 1)]);
    assert!(!Path::new("inputs_was_here").exists());
}

#[test]
fn equal_seeds_give_equal_answers() {
    let path = programs().remove(0);
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let calls = |seed: u64| -> Vec<String> {
        let what = function(&format!("{name}:main/{}", arity(&path)));
        let mut request = request(vec![path.clone()], what);
        request.options.runs = 200;
        request.options.seed = seed;
        let answer = find(&request, &Control::default()).expect("an answer");
        answer.kept.into_iter().map(|kept| kept.call).collect()
    };
    assert_eq!(calls(1), calls(1));
}

/// The text of a call, run as people run it, gives what the input gave.
#[test]
fn what_is_written_runs_the_same() {
    let text = "-export([f/1, g/1]).
-type data() :: integer() | float() | atom() | bitstring() | string() | {data(), data()}
              | #{data() => data()} | maybe_improper_list(integer(), atom()).
-spec f(data()) -> term().
f(X) -> told(X).
-spec g(fun((integer()) -> [integer()])) -> term().
g(F) -> told([F(X) || X <- [-3, 0, 1, 2, 7, 100]]).
told(X) ->
    case erlang:phash2(X, 8) of
        0 -> {0, X}; 1 -> {1, X}; 2 -> {2, X}; 3 -> {3, X};
        4 -> {4, X}; 5 -> {5, X}; 6 -> {6, X}; 7 -> {7, X}
    end.
";
    for name in ["f", "g"] {
        let answer =
            look("told", text, function(&format!("told:{name}/1")), 300).expect("an answer");
        assert_eq!(answer.kept.len(), 8);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("inputs/told/told.erl");
        for kept in answer.kept {
            let reading = Reading { without_otp: true, ..Reading::default() };
            let (paths, call) = (vec![path.clone()], Some(kept.call.clone()));
            let again = run::Request { paths, call, reading, ..run::Request::default() };
            let ran = run::run(&again, &Control::default()).expect("an answer");
            assert_eq!(ran.ending, kept.ending, "{}", kept.call);
        }
    }
}

const SERVER: &str = "-behaviour(gen_server).
-export([start_link/1, put/3, get/2, reset/1, init/1, handle_call/3, handle_cast/2]).
start_link(Limit) -> gen_server:start_link(?MODULE, Limit, []).
-spec put(pid(), atom(), integer()) -> ok.
put(Server, Key, Value) -> gen_server:call(Server, {put, Key, Value}).
-spec get(pid(), atom()) -> term().
get(Server, Key) -> gen_server:call(Server, {get, Key}).
-spec reset(pid()) -> ok.
reset(Server) -> gen_server:cast(Server, reset).
init(Limit) -> {ok, {Limit, #{}}}.
handle_call({put, Key, Value}, _, {Limit, Map}) when map_size(Map) < Limit; is_map_key(Key, Map) ->
    {reply, ok, {Limit, Map#{Key => Value}}};
handle_call({get, Key}, _, {_, Map} = State) ->
    {reply, maps:get(Key, Map, none), State}.
handle_cast(reset, {Limit, _}) -> {noreply, {Limit, #{}}}.
";

/// A server that fails when it is given a third key: the shortest sequence is three of them.
#[test]
fn servers_are_given_sequences_of_calls() {
    let start = "store:start_link(2)".to_owned();
    let what = What::Server { start, functions: Vec::new() };
    let answer = look("store", SERVER, what, 1500).expect("an answer");
    let found = answer.failures.iter().find(|failure| failure.what.contains("function_clause"));
    let failure = found.unwrap_or_else(|| panic!("{answer:#?}"));
    let lines: Vec<&str> = failure.ran.call.lines().collect();
    assert_eq!(lines.len(), 4, "{}", failure.ran.call);
    assert_eq!(lines[0], "{ok, Server} = store:start_link(2),");
    assert!(lines[1..].iter().all(|line| line.starts_with("store:put(")), "{lines:?}");
}

#[test]
fn what_cannot_be_done_is_told() {
    let text = "-export([f/1, g/1, k/1, start/0]).
-type cyclic() :: cyclic().
-spec k(cyclic()) -> ok.
k(_) -> ok.
-spec f(none()) -> ok.
f(_) -> ok.
-spec g(no_such:type()) -> ok.
g(_) -> ok.
h(X) -> X.
start() -> not_a_process.
";
    let error = |what: What| look("wrong", text, what, 10).expect_err("an error").to_string();
    assert_eq!(error(function("wrong:f/1")), "there is no value of type none()");
    let cyclic = error(function("wrong:k/1"));
    assert!(cyclic.starts_with("there is no value of type "), "{cyclic}");
    assert_eq!(error(function("wrong:h/1")), "wrong exports no function h/1");
    assert_eq!(error(function("wrong:i/1")), "wrong has no function i/1");
    assert_eq!(error(function("nowhere:i/1")), "there is no module nowhere");
    assert_eq!(error(function("wrong")), "`wrong` is no function such as m:f/1");
    let server = |start: &str| What::Server { start: start.to_owned(), functions: Vec::new() };
    assert_eq!(
        error(server("wrong:start()")),
        "wrong:start/0 starts no process: it gives no {ok, Pid}"
    );
    // A type that nobody declares is any.
    let answer = look("wrong", text, function("wrong:g/1"), 10).expect("an answer");
    assert_eq!(answer.runs, 10);
}
