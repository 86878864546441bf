//! What a follower is told about small programs, as lines.
//!
//! A program is a module without its `-module` line; `main/0` is run, and only that module is of
//! the program. A line is the process, what happens, and after `@` who does it: the number of the
//! activation, the place, and `called` or `began` for code outside.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use code::lower::lower;
use expect_test::{Expect, expect};
use follow::{Acting, Entering, Follower, Frame, Role, Sending, Shadow, What};
use machine::code_space::{CodeSpace, Loaded, Loader};
use machine::observe::{Moment, Site};
use machine::world::Sealed;
use machine::{Machine, Pid};
use runner::library;
use term::{Atom, Term, format};

struct Sources(String);

impl Loader for Sources {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let source = match module.as_str() {
            "t" => library::read_source(Path::new("t.erl"), &self.0),
            other => library::tree(other)?,
        };
        let code = lower(&source).unwrap_or_else(|problems| panic!("{module}: {problems:?}"));
        Some(Loaded { code, source: Arc::new(source).into() })
    }
}

/// Keeps a line for each event of the program, or on its behalf.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
}

fn shown(term: &Term) -> String {
    format::pretty::to_string(term).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn all(terms: &[Term]) -> String {
    terms.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn who(pid: Pid) -> String {
    format!("<{}>", pid.0)
}

/// The activations of frames that are left: the last of each, and the first if that is another.
fn left(frames: &[Frame<Log>]) -> String {
    let active = frames.iter().filter_map(|frame| frame.active.as_ref());
    let names: Vec<String> = active
        .map(|active| match active.id == active.first {
            true => format!("{}", active.id.0),
            false => format!("{} for {}", active.id.0, active.first.0),
        })
        .collect();
    format!("[{}]", names.join(", "))
}

impl Log {
    fn by(&self, moment: &Moment<'_>, by: Option<Acting<Site>>) -> String {
        let Some(by) = by else { return "-".to_owned() };
        let place = moment.code.describe(by.spot.place);
        let place = place.map_or("?".to_owned(), |at| format!("{}:{}", at.line - 1, at.column));
        let activation = by.spot.activation.map_or("?".to_owned(), |id| id.0.to_string());
        let role = match by.role {
            Role::Own => "",
            Role::Called => " called",
            Role::Began => " began",
        };
        format!("{activation} {place}{role}")
    }

    fn say(&mut self, moment: &Moment<'_>, what: &str) {
        let pid = moment.pid().map_or("outside".to_owned(), who);
        self.lines.push(format!("{pid} {what}"));
    }
}

impl Follower for Log {
    type Place = Site;
    type Activation = ();
    type Process = ();
    /// Who sent it, in words.
    type Sent = String;

    fn place(&mut self, code: &CodeSpace, site: Site) -> Option<Site> {
        let module = code.modules.get(site.module as usize)?;
        (module.name.as_str() == "t").then_some(site)
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow<Log>,
        moment: &Moment<'_>,
        call: &Entering<'_, Site>,
    ) -> Option<()> {
        let (name, args) = (call.callee.mfa.name, all(call.args));
        let by = self.by(moment, call.by);
        let taken = shadow.stack(call.pid).taken.take().and_then(|taken| taken.sent);
        let taken = taken.map_or(String::new(), |sent| format!(", handed what {sent} sent"));
        let line = format!("{:?} {} = {name}({args}) @ {by}{taken}", call.how, call.id.0);
        self.say(moment, &line);
        Some(())
    }

    fn sent(
        &mut self,
        _: &mut Shadow<Log>,
        moment: &Moment<'_>,
        sending: &Sending<'_, Site>,
    ) -> Option<String> {
        let (what, by) = match *sending {
            Sending::Message { message, by, .. } => (format!("send {}", shown(message)), by),
            Sending::Timer { by, .. } => ("set a timer".to_owned(), by),
            Sending::Signal { of, by, .. } => (format!("tell of {}", who(of)), by),
        };
        let by = self.by(moment, Some(by?));
        self.say(moment, &format!("{what} @ {by}"));
        Some(format!("({by})"))
    }

    fn happens(&mut self, _: &mut Shadow<Log>, moment: &Moment<'_>, what: What<'_, Log>) {
        let line = match what {
            What::Return { value, left: frame } if frame.active.is_some() => {
                format!("return {} of {}", shown(value), left(&[frame]))
            }
            What::Vanish { left: frames } => format!("vanish {}", left(&frames)),
            What::Raise { reason, again: false, by, .. } => {
                format!("raise {} @ {}", shown(reason), self.by(moment, by))
            }
            What::Catch { handler, left: frames } => {
                let handler = handler.and_then(|site| moment.code.describe(site));
                let Some(at) = handler else { return };
                format!("catch at {}:{}, left {}", at.line - 1, at.column, left(&frames))
            }
            What::Spawn { child, by: Some(by), .. } => {
                format!("spawn {} @ {}", who(child), self.by(moment, Some(by)))
            }
            What::Exit { pid, reason, left: frames } => {
                format!("end of {}: {}, left {}", who(pid), shown(reason), left(&frames))
            }
            What::Receive { message, sent: Some(sent), by: Some(by), .. } => {
                let by = self.by(moment, Some(by));
                format!("receive {} of {sent} @ {by}", shown(message))
            }
            What::Take { message, by } => {
                format!("take {} @ {}", shown(message), self.by(moment, Some(by)))
            }
            _ => return,
        };
        self.say(moment, &line);
    }
}

fn check(program: &str, expected: &Expect) {
    let text = format!("-module(t). -compile(export_all).\n{program}");
    let mut machine = Machine::new(Rc::new(Sources(text)), Rc::new(Sealed::default()));
    let watcher = Rc::new(follow::Watcher::new(Log::default()));
    machine.observe(Some(watcher.clone()));
    let pid = machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
    machine.run_to_end(pid, 100_000);
    expected.assert_eq(&watcher.look(|log| log.lines.join("\n")));
}

/// A fun that library code calls has the place as its caller that called the library; what took
/// somebody's place returns for that.
#[test]
fn calls_through_the_library() {
    check(
        "
main() -> [2] = f([1]), g(3).
f(L) -> lists:map(fun(X) -> X + 1 end, L).
g(N) -> h(N).
h(N) -> lists:sum([N]).
",
        &expect![[r#"
            <80> Begin 0 = main() @ -
            <80> Call 1 = f([1]) @ 0 2:17
            <80> Call 2 = -f/1-fun-0-(1) @ 1 3:9 called
            <80> return 2 of [2]
            <80> return [2] of [1]
            <80> Tail 3 = g(3) @ 0 2:25
            <80> Tail 4 = h(3) @ 3 4:9
            <80> return 3 of [4 for 0]
            <80> end of <80>: normal, left []"#]],
    );
}

/// A call that `apply` makes is in tail position only if `apply` is.
#[test]
fn what_a_builtin_calls() {
    check(
        "
main() -> F = fun f/1, X = apply(F, [1]), apply(F, [X]).
f(X) -> {X}.
",
        &expect![[r#"
            <80> Begin 0 = main() @ -
            <80> Call 1 = f(1) @ 0 2:28
            <80> return {1} of [1]
            <80> Tail 2 = f({1}) @ 0 2:43
            <80> return {{1}} of [2 for 0]
            <80> end of <80>: normal, left []"#]],
    );
}

/// Exceptions of what is called in tail position: the Machine has left the frame of the caller when
/// it tells.
#[test]
fn exceptions_in_tail_position() {
    check(
        "
main() -> A = (catch f()), B = (catch g()), C = (catch apply(t, h, [x])), {A, B, C}.
f() -> lists:keyfind(a, 0, []).
g() -> t:none().
h(X) -> lists:foreach(fun(Y) -> Y + X end, [1]).
",
        &expect![[r#"
            <80> Begin 0 = main() @ -
            <80> Call 1 = f() @ 0 2:22
            <80> raise badarg @ 1 3:8
            <80> catch at 2:16, left [1]
            <80> Call 2 = g() @ 0 2:39
            <80> raise undef @ 2 4:8
            <80> catch at 2:33, left [2]
            <80> Call 3 = h(x) @ 0 2:56
            <80> Call 4 = -h/1-fun-0-(1) @ 3 5:9 called
            <80> raise badarith @ 4 5:35
            <80> catch at 2:50, left [4, 3]
            <80> return {{'EXIT',{badarg,[{lists,keyfind, [a,0,[]], [{error_info,#{module => erl_stdlib_errors}}]}, {t,f,0,[{file,"t.erl"},{line,4}]}, {t,main,0,[{file,"t.erl"},{line,3}]}]}}, {'EXIT',{undef,[{t,none,[],[]},{t,main,0,[{file,"t.erl"},{line,3}]}]}}, {'EXIT',{badarith,[{erlang,'+', [1,x], [{error_info,#{module => erl_erts_errors}}]}, {t,'-h/1-fun-0-',2,[{file,"t.erl"},{line,6}]}, {lists,foreach_1,2, [{file,"erl/data/lists.erl"},{line,427}]}, {t,main,0,[{file,"t.erl"},{line,3}]}]}}} of [0]
            <80> end of <80>: normal, left []"#]],
    );
}

/// A builtin that lets others run returns without being told.
#[test]
fn unseen_returns() {
    check(
        "
main() -> f(), erlang:yield(), g(), a + 1.
f() -> erlang:yield().
g() -> ok.
",
        &expect![[r#"
            <80> Begin 0 = main() @ -
            <80> Call 1 = f() @ 0 2:11
            <80> vanish [1]
            <80> Call 2 = g() @ 0 2:32
            <80> return ok of [2]
            <80> raise badarith @ 0 2:39
            <80> end of <80>: {badarith,[{t,main,0,[{file,"t.erl"},{line,3}]}]}, left [0]"#]],
    );
}

/// What the loop of a server calls is called for who started the server, with the message that it
/// took.
#[test]
fn servers() {
    check(
        "
main() ->
    {ok, P} = gen_server:start_link(t, 1, []),
    2 = gen_server:call(P, next),
    erlang:send_after(1, P, tick),
    P ! stop,
    ok.
init(N) -> {ok, N}.
handle_call(next, _, N) -> {reply, N + 1, N}.
handle_info(stop, N) -> {stop, normal, N}.
",
        &expect![[r#"
            <80> Begin 0 = main() @ -
            <80> spawn <81> @ 0 3:15 called
            <81> Call 1 = init(1) @ 0 3:15 began
            <81> return {ok,1} of [1]
            <81> send {ack,<0.81.0>,{ok,<0.81.0>}} @ 0 3:15 began
            <80> receive {ack,<0.81.0>,{ok,<0.81.0>}} of (0 3:15 began) @ 0 3:15 called
            <80> send {'$gen_call',{<0.80.0>,[alias|#Ref<0.0.0.1>]},next} @ 0 4:9 called
            <81> take {'$gen_call',{<0.80.0>,[alias|#Ref<0.0.0.1>]},next} @ 0 3:15 began
            <81> Call 2 = handle_call(next, {<0.80.0>,[alias|#Ref<0.0.0.1>]}, 1) @ 0 3:15 began, handed what (0 4:9 called) sent
            <81> return {reply,2,1} of [2]
            <81> send {[alias|#Ref<0.0.0.1>],2} @ 0 3:15 began
            <80> receive {[alias|#Ref<0.0.0.1>],2} of (0 3:15 began) @ 0 4:9 called
            <80> set a timer @ 0 5:5
            <80> send stop @ 0 6:7
            <80> return ok of [0]
            <80> end of <80>: normal, left []"#]],
    );
}

#[test]
fn hibernation() {
    check(
        "
main() -> {P, R} = spawn_monitor(fun() -> sleep() end), P ! up, receive {_, R, _, _, _} -> ok end.
sleep() -> erlang:hibernate(t, wake, [1]).
wake(N) -> receive up -> N end.
",
        &expect![[r#"
            <80> Begin 0 = main() @ -
            <80> spawn <81> @ 0 2:20
            <80> send up @ 0 2:59
            <81> Begin 1 = -main/0-fun-0-() @ 0 2:20 began
            <81> Tail 2 = sleep() @ 1 2:43
            <81> vanish [2 for 1]
            <81> Wake 3 = wake(1) @ 2 3:12 called
            <81> receive up of (0 2:59) @ 3 4:20
            <81> return 1 of [3]
            <81> end of <81>: normal, left []
            <80> return ok of [0]
            <80> end of <80>: normal, left []"#]],
    );
}
