//! What an observer is told about small programs: every event of the program's own module, as a
//! line.
//!
//! A program is a module without its `-module` line; `main/0` is run. Places are `line:column`,
//! numbered as in the text.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use code::lower::{Options, lower_with};
use expect_test::{Expect, expect};
use machine::code_space::{Loaded, Loader};
use machine::observe::{Event, Interest, Mark, Moment, Observer, Sender, Site};
use machine::world::World;
use machine::{Ending, Machine};
use runner::library;
use term::{Atom, Pid, Term, format};

struct Sources {
    text: String,
    marks: bool,
}

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let own = module.as_str() == "t";
        let source = match own {
            true => library::read_source(Path::new("t.erl"), &self.text),
            false => library::tree(module.as_str())?,
        };
        assert!(source.diagnostics.is_empty(), "{module}: {:?}", source.diagnostics);
        let code = lower_with(&source, Options { marks: own && self.marks, ..Options::default() });
        let code = code.unwrap_or_else(|problems| panic!("{module}: {problems:?}"));
        Some(Loaded { code, source: Arc::new(source).into() })
    }
}

struct Nothing;

impl World for Nothing {
    fn print(&self, _: &str) {}
    fn print_error(&self, _: &str) {}
    fn start_time(&self) -> u64 {
        0
    }
}

/// Keeps a line for each event.
struct Log {
    lines: RefCell<Vec<String>>,
    interest: Interest,
}

fn shown(term: &Term) -> String {
    format::pretty::to_string(term).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn who(pid: Pid) -> String {
    format!("<{}>", pid.0)
}

fn at(moment: &Moment<'_>, site: Option<Site>) -> String {
    match site.and_then(|site| moment.code.describe(site)) {
        Some(place) if place.module.as_str() == "t" => {
            format!("{}:{}", place.line - 1, place.column)
        }
        Some(place) => place.module.to_string(),
        None => "-".to_owned(),
    }
}

impl Observer for Log {
    fn interest(&self) -> Interest {
        self.interest
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        let site = |pc| at(moment, moment.code.site(pc));
        let what = match event {
            Event::Call { callee, args, tail } => {
                let mfa = callee.mfa;
                let tail = if *tail { "tail " } else { "" };
                let args: Vec<String> = args.iter().map(shown).collect();
                format!("{tail}call {}:{}({})", mfa.module, mfa.name, args.join(", "))
            }
            Event::Return { value } => format!("return {}", shown(value)),
            Event::Raise { class, reason, again } => {
                format!("{} {class}:{}", if *again { "pass on" } else { "raise" }, shown(reason))
            }
            Event::Catch { at } => format!("caught by {}", at.map_or("?".to_owned(), site)),
            Event::Spawn { child, .. } => format!("spawn {}", who(*child)),
            Event::Exit { pid, reason } => format!("{} ends: {}", who(*pid), shown(reason)),
            Event::Send { id, sender, to, message } => {
                let by = match sender {
                    Sender::Process(_) => String::new(),
                    other => format!(" by {other:?}"),
                };
                format!("send #{} to {}{by}: {}", id.0, who(*to), shown(message))
            }
            Event::Deliver { id, lost, .. } => {
                format!("deliver #{}{}", id.0, if *lost { ", lost" } else { "" })
            }
            Event::Receive { id, receive, .. } => {
                format!("receive #{} in the receive at {}", id.0, site(*receive))
            }
            other => format!("{other:?}"),
        };
        let pid = moment.pid().map_or("outside".to_owned(), who);
        let place = at(moment, moment.site());
        self.lines.borrow_mut().push(format!("{pid} {place} {what}"));
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        let site = moment.site().expect("a mark is somewhere");
        let tree = moment.code.tree(site).expect("its module is there");
        let span = tree.span(site.node);
        let text =
            &tree.files[usize::from(span.file.0)].text[span.start as usize..span.end as usize];
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.lines.borrow_mut().push(format!("{} {mark:?} {text}", at(moment, Some(site))));
    }
}

fn observed(program: &str, interest: Interest, stepping: bool) -> Vec<String> {
    let loader = Sources {
        text: format!("-module(t). -compile(export_all).\n{program}"),
        marks: interest.has(Interest::NODES),
    };
    let mut machine = Machine::new(Rc::new(loader), Rc::new(Nothing));
    let log = Rc::new(Log { lines: RefCell::default(), interest });
    machine.observe(Some(Rc::clone(&log) as Rc<dyn Observer>));
    let pid = machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
    if stepping {
        step_to_end(&mut machine);
    } else {
        let outcome = machine.run_to_end(pid, 100_000);
        assert!(matches!(outcome, Ending::Ended(_)), "{outcome:?}");
    }
    log.lines.take()
}

/// Lets the first process that can act do so, until nobody can.
fn step_to_end(machine: &mut Machine) {
    use machine::step::{Actor, Choice, Next};
    machine.start_stepping();
    'steps: loop {
        for pid in machine.pids().collect::<Vec<_>>() {
            let choice = match machine.next(pid) {
                Next::Act | Next::End => Choice::Act,
                Next::Receive(receive) => match receive.matching.first() {
                    Some(&index) => Choice::Take(index),
                    None => continue,
                },
                _ => continue,
            };
            assert!(machine.perform(Actor::Process(pid), choice).is_some());
            continue 'steps;
        }
        return;
    }
}

fn check(program: &str, interest: Interest, expected: &Expect) {
    expected.assert_eq(&observed(program, interest, false).join("\n"));
}

#[test]
fn calls_and_returns() {
    check(
        "
main() -> X = f(1), F = fun(A) -> A + X end, g(F), apply(t, h, [a]).
f(0) -> 7;
f(N) -> f(N - 1).
g(F) -> [F(1)].
h(a) -> lists:map(fun(Y) -> {Y} end, [b]).
",
        Interest::CALLS,
        &expect![[r#"
            <80> - tail call t:main()
            <80> 2:15 call t:f(1)
            <80> 4:9 tail call t:f(0)
            <80> 3:9 return 7
            <80> 2:46 call t:g(#Fun<t.0.85306412>)
            <80> 5:10 call t:-main/0-fun-0-(1)
            <80> 2:37 return 8
            <80> 5:9 return "\b"
            <80> 2:52 tail call erlang:apply(t, h, [a])
            <80> 2:52 tail call t:h(a)
            <80> 6:9 tail call lists:map(#Fun<t.1.85306412>, [b])
            <80> lists call t:-h/1-fun-0-(b)
            <80> 6:29 return {b}
            <80> lists call lists:map_1(#Fun<t.1.85306412>, [])
            <80> lists return []
            <80> lists return [{b}]"#]],
    );
}

#[test]
fn exceptions() {
    check(
        "
main() -> catch f(), try g() catch error:badarith -> h() end.
f() -> try throw(up) after ok end.
g() -> 1 + a.
h() -> exit(gone).
",
        Interest::EXCEPTIONS.and(Interest::PROCESSES),
        &expect![[r#"
            outside - spawn <80>
            <80> 3:12 raise throw:up
            <80> 3:8 caught by 3:8
            <80> 3:8 pass on throw:up
            <80> 2:11 caught by 2:11
            <80> 4:10 raise error:badarith
            <80> 2:36 caught by 2:22
            <80> 5:8 raise exit:gone
            <80> 5:8 <80> ends: gone"#]],
    );
}

const MESSAGES: &str = "
main() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> server(Me) end),
    P ! {b, 2},
    erlang:send(P, {a, 1}),
    receive {P, N} when N > 0 -> ok end,
    receive {'DOWN', R, _, _, _} -> ok end,
    P ! too_late.
server(Parent) ->
    receive {a, X} -> ok end,
    receive {b, Y} -> Parent ! {self(), X + Y} end.
";

#[test]
fn messages() {
    let interest = Interest::MESSAGES.and(Interest::PROCESSES);
    check(
        MESSAGES,
        interest,
        &expect![[r#"
        outside - spawn <80>
        <80> 4:14 spawn <81>
        <80> 4:14 Monitor { watcher: Pid(80), reference: Ref(1), target: Some(Pid(81)) }
        <80> 5:7 send #1 to <81>: {b,2}
        <80> 5:7 deliver #1
        <80> 6:5 send #2 to <81>: {a,1}
        <80> 6:5 deliver #2
        <81> 11:13 receive #2 in the receive at 11:5
        <81> 12:13 receive #1 in the receive at 12:5
        <81> 12:30 send #3 to <80>: {<0.81.0>,3}
        <81> 12:30 deliver #3
        <81> 12:30 <81> ends: normal
        outside - send #4 to <80> by Down(Pid(81)): {'DOWN',#Ref<0.0.0.1>,process,<0.81.0>,normal}
        outside - deliver #4
        <80> 7:13 receive #3 in the receive at 7:5
        <80> 8:13 receive #4 in the receive at 8:5
        <80> 9:7 send #5 to <81>: too_late
        <80> 9:7 deliver #5, lost
        <80> 9:7 <80> ends: normal"#]],
    );
}

#[test]
fn the_same_step_by_step() {
    let interest = Interest::MESSAGES.and(Interest::PROCESSES);
    let expected = expect![[r#"
        outside - spawn <80>
        <80> 4:14 spawn <81>
        <80> 4:14 Monitor { watcher: Pid(80), reference: Ref(347892350977), target: Some(Pid(81)) }
        <80> 5:7 send #1 to <81>: {b,2}
        <80> 5:7 deliver #1
        <80> 6:5 send #2 to <81>: {a,1}
        <80> 6:5 deliver #2
        <81> 11:13 receive #2 in the receive at 11:5
        <81> 12:13 receive #1 in the receive at 12:5
        <81> 12:30 send #3 to <80>: {<0.81.0>,3}
        <81> 12:30 deliver #3
        <80> 7:13 receive #3 in the receive at 7:5
        <81> 12:30 <81> ends: normal
        outside - send #4 to <80> by Down(Pid(81)): {'DOWN',#Ref<0.81.0.1>,process,<0.81.0>,normal}
        outside - deliver #4
        <80> 8:13 receive #4 in the receive at 8:5
        <80> 9:7 send #5 to <81>: too_late
        <80> 9:7 deliver #5, lost
        <80> 9:7 <80> ends: normal"#]];
    expected.assert_eq(&observed(MESSAGES, interest, true).join("\n"));
}

#[test]
fn time() {
    check(
        "
main() ->
    erlang:send_after(5, self(), hello),
    T = erlang:start_timer(9, self(), x),
    receive after 1 -> ok end,
    receive hello -> erlang:cancel_timer(T) end.
",
        Interest::MESSAGES.and(Interest::TIMERS),
        &expect![[r#"
            <80> 3:5 TimerSet { reference: Ref(1), at: 5000000 }
            <80> 4:9 TimerSet { reference: Ref(2), at: 9000000 }
            <80> 5:5 GiveUp
            outside - TimerFired { reference: Ref(1) }
            outside - send #1 to <80> by Timer: hello
            outside - deliver #1
            <80> 6:13 receive #1 in the receive at 6:5
            <80> 6:22 TimerCancelled { reference: Ref(2) }"#]],
    );
}

#[test]
fn nodes() {
    check(
        "
main() -> f(3), [X || {X, _} <- [{1, a}, b], X > 1 orelse hd(x)].
f(N) when N > 5; N < 4, is_list(N) orelse N =:= 3 ->
    case N of 1 -> one; M -> {ok, M} = {ok, N}, M > 0 andalso many end.
",
        Interest::NODES,
        &expect![[r#"
            2:1 Chosen main() -> f(3), [X || {X, _} <- [{1, a}, b], X > 1 orelse hd(x)]
            2:11 Reached f(3)
            2:13 Reached 3
            3:13 Reached N > 5
            3:11 Reached N
            3:13 False N > 5
            3:20 Reached N < 4
            3:18 Reached N
            3:20 True N < 4
            3:36 Reached is_list(N) orelse N =:= 3
            3:25 Reached is_list(N)
            3:33 Reached N
            3:25 False is_list(N)
            3:45 Reached N =:= 3
            3:43 Reached N
            3:45 True N =:= 3
            3:36 True is_list(N) orelse N =:= 3
            3:1 Chosen f(N) when N > 5; N < 4, is_list(N) orelse N =:= 3 -> case N of 1 -> one; M -> {ok, M} = {ok, N}, M > 0 andalso many end
            4:5 Reached case N of 1 -> one; M -> {ok, M} = {ok, N}, M > 0 andalso many end
            4:10 Reached N
            4:25 Chosen M -> {ok, M} = {ok, N}, M > 0 andalso many
            4:30 Reached {ok, M} = {ok, N}
            4:40 Reached {ok, N}
            4:41 Reached ok
            4:45 Reached N
            4:30 Matched {ok, M} = {ok, N}
            4:55 Reached M > 0 andalso many
            4:51 Reached M > 0
            4:49 Reached M
            4:53 Reached 0
            4:51 True M > 0
            4:63 Reached many
            2:17 Reached [X || {X, _} <- [{1, a}, b], X > 1 orelse hd(x)]
            2:33 Reached [{1, a}, b]
            2:30 Chosen {X, _} <- [{1, a}, b]
            2:52 Reached X > 1 orelse hd(x)
            2:48 Reached X > 1
            2:46 Reached X
            2:48 False X > 1
            2:59 Reached hd(x)
            2:62 Reached x
            2:59 False hd(x)
            2:52 False X > 1 orelse hd(x)"#]],
    );
}

#[test]
fn marks_change_nothing() {
    let plain = observed(MESSAGES, Interest::MESSAGES, false);
    let marked = observed(MESSAGES, Interest::MESSAGES.and(Interest::NODES), false);
    let is_event = |line: &&String| line.starts_with('<') || line.starts_with("outside");
    assert_eq!(plain, marked.iter().filter(is_event).cloned().collect::<Vec<_>>());
}
