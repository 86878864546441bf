//! Small programs by chance whose processes send each other what depends on the inputs: where a
//! search says that it took every path, it has found exactly the errors that come up when every
//! input is run by itself in all orders.
//!
//! `CONCURRENT_PROGRAMS=300 CONCURRENT_SEED=7` for more of them and others.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use inputs::Random;
use program::{LoadOptions, Program};
use session::concolic::{Answer, Request, search_in};
use session::{Control, Reading};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

struct Writer<'r> {
    random: &'r mut Random,
    errors: usize,
}

impl Writer<'_> {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.random.below(from.len())]
    }

    fn message(&mut self) -> String {
        match self.random.below(4) {
            0 => self.pick(&["a", "b"]).to_owned(),
            _ => {
                let tag = self.pick(&["a", "b"]);
                format!("{{{tag}, {}}}", self.pick(&["X", "Y", "X + Y", "1", "X - Y"]))
            }
        }
    }

    fn send(&mut self) -> String {
        let (one, other) = (self.message(), self.message());
        match self.random.below(4) {
            0 => format!("case X < Y of true -> Me ! {one}; false -> Me ! {other} end"),
            1 => format!("Me ! {one}, Me ! {other}"),
            _ => format!("Me ! {one}"),
        }
    }

    fn outcome(&mut self) -> String {
        match self.random.below(3) {
            0 => {
                self.errors += 1;
                format!("erlang:error(e{})", self.errors)
            }
            _ => "ok".to_owned(),
        }
    }

    fn receive(&mut self, nth: usize) -> String {
        let mut clauses = Vec::new();
        for clause in 0..1 + self.random.below(3) {
            let (tag, name) = (self.pick(&["a", "b", "_"]), format!("V{nth}{clause}"));
            let guard = match self.random.below(4) {
                0 => format!(" when {name} > X"),
                1 => format!(" when {name} =:= {}", self.pick(&["0", "1", "2", "Y"])),
                2 => format!(" when {name} + Y < 3"),
                _ => String::new(),
            };
            clauses.push(format!("{{{tag}, {name}}}{guard} -> {}", self.outcome()));
        }
        match self.random.below(3) {
            0 => clauses.push(format!("_ -> {}", self.outcome())),
            1 => clauses.push(format!("a -> {}; b -> {}", self.outcome(), self.outcome())),
            _ => {}
        }
        let after = match self.random.below(4) {
            0 => format!(" after 0 -> {}", self.outcome()),
            _ => String::new(),
        };
        format!("receive {}{after} end", clauses.join("; "))
    }

    fn program(&mut self, name: &str) -> String {
        let mut text = format!("-spec {name}(0..2, 0..2) -> any().\n{name}(X, Y) ->\n");
        let _ = writeln!(text, "    Me = self(), _ = {{X, Y}},");
        for _ in 0..2 {
            let _ = writeln!(text, "    spawn(fun() -> {} end),", self.send());
        }
        let receives: Vec<String> =
            (0..1 + self.random.below(2)).map(|nth| self.receive(nth)).collect();
        let _ = writeln!(text, "    {}.", receives.join(",\n    "));
        text
    }
}

fn errors(answer: &Answer) -> BTreeSet<String> {
    let key = |error: &session::concolic::Failed| {
        format!("{:?} {} {:?}", error.kind, error.reason, error.line)
    };
    answer.errors.iter().map(key).collect()
}

#[test]
fn inputs_and_orders_are_those_of_enumeration() {
    let count = number("CONCURRENT_PROGRAMS", 25);
    let mut random = Random::new(number("CONCURRENT_SEED", 1));
    let mut writer = Writer { random: &mut random, errors: 0 };
    let mut text =
        String::from("-module(concurrent).\n-compile([export_all, nowarn_export_all]).\n");
    for number in 0..count {
        text.push_str(&writer.program(&format!("f{number}")));
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("concurrent.erl");
    std::fs::write(&path, text).expect("a file");
    let options = LoadOptions { without_otp: true, without_lint: true, ..Default::default() };
    let program = Program::load(std::slice::from_ref(&path), &options).expect("a program");
    let program = Arc::new(program);
    let search = |what: String| {
        let reading = Reading { without_otp: true, ..Reading::default() };
        let request = Request {
            reading,
            measure: false,
            max_paths: 300,
            ..Request::new(vec![path.clone()], what)
        };
        search_in(&request, &program, &Control::default()).expect("an answer")
    };
    let (mut complete, mut departures, mut wrong) = (0, 0, Vec::new());
    for number in 0..count {
        let answer = search(format!("concurrent:f{number}/2"));
        let mut expected = BTreeSet::new();
        for (x, y) in (0..3).flat_map(|x| (0..3).map(move |y| (x, y))) {
            expected.extend(errors(&search(format!("concurrent:f{number}({x}, {y})"))));
        }
        let found = errors(&answer);
        departures += answer.searched.departures + answer.searched.wrong;
        complete += u64::from(answer.is_complete());
        let is_missed = answer.is_complete() && found != expected;
        if is_missed || !found.is_subset(&expected) || answer.searched.departures > 0 {
            let searched = (answer.searched.paths, answer.searched.departures);
            wrong.push(format!("f{number}: {found:?}, not {expected:?} {searched:?}"));
        }
    }
    println!("{complete} of {count} searches are complete, {departures} departures");
    assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
    assert!(complete * 10 >= count * 9, "only {complete} of {count} searches are complete");
}
