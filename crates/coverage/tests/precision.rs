//! Precision: how many of the message and higher-order call edges some explored run takes. The
//! figures are kept; a change that adds doubt shows here. Every explored run is also checked
//! against the graph.

mod support;

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use coverage::check;
use expect_test::expect;
use flow::{EdgeId, EdgeKind, Entry};
use support::{in_project, root, subject};

/// Executions that are explored of one program.
const MOST: u64 = 60;

/// Edges that are taken, and all there are.
#[derive(Clone, Copy, Default)]
struct Taken(usize, usize);

impl Taken {
    fn add(&mut self, other: Taken) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

#[derive(Default)]
struct Figures {
    lines: String,
    messages: Taken,
    calls: Taken,
}

impl Figures {
    /// Explores calls of functions; adds a line.
    fn explore(&mut self, name: &str, paths: &[PathBuf], functions: &[(&str, &str)]) {
        let entry = functions
            .iter()
            .map(|(module, name)| (atom::Atom::new(module), atom::Atom::new(name), Some(0)));
        let subject = subject(paths, &Entry::Functions(entry.collect()));
        let (mut executions, mut complete, mut lost) = (0, true, 0);
        for (module, function) in functions {
            let explored = subject.explore(module, function, MOST);
            executions += explored.executions;
            complete &= explored.complete;
            lost += explored.lost;
        }
        let happened = subject.watcher.happened();
        let (_, misses) = check(&subject.flow, happened.iter());
        let misses: Vec<&str> = misses.iter().map(|miss| miss.text.as_str()).collect();
        assert!(misses.is_empty(), "{name}: {misses:?}");
        let covered = subject.watcher.covered();
        let count = |kind: EdgeKind| {
            let all = subject.flow.graph.edges.enumerate();
            let of_kind: Vec<EdgeId> =
                all.filter(|(_, edge)| edge.kind == kind).map(|(id, _)| id).collect();
            let taken = of_kind.iter().filter(|edge| covered.edges.contains_key(edge)).count();
            Taken(taken, of_kind.len())
        };
        let (messages, calls) = (count(EdgeKind::Message), count(EdgeKind::HigherOrderCall));
        self.messages.add(messages);
        self.calls.add(calls);
        let all = if complete { "all" } else { "some" };
        let _ = writeln!(
            self.lines,
            "{name}: {all} {executions} executions, {lost} lost; messages {messages}, higher-order calls \
             {calls}, {} checked",
            happened.len()
        );
    }

    fn text(&self) -> String {
        format!("{}messages {}, higher-order calls {}\n", self.lines, self.messages, self.calls)
    }
}

/// Examples that run without their tests.
#[test]
fn examples() {
    let dir = root().join("examples");
    let mut figures = Figures::default();
    let programs: &[(&str, &[(&str, &str)])] = &[
        ("bank", &[("bank", "main")]),
        ("generator", &[("example", "use")]),
        ("handshake", &[("handshake", "main"), ("handshake", "mended")]),
        (
            "pool",
            &[
                ("pool_tests", "exclusive_test"),
                ("pool_tests", "crashing_client_test"),
                ("pool_tests", "crashing_worker_test"),
            ],
        ),
        ("ping_pong", &[("ping_pong", "pong")]),
        ("registry", &[("registry_tests", "rivals_test"), ("registry_tests", "free_at_once_test")]),
        ("requests", &[("requests", "start"), ("requests", "two_clients")]),
        ("supervised", &[("clients", "hasty"), ("clients", "patient")]),
    ];
    for (name, functions) in programs {
        figures.explore(name, &in_project(&dir.join(name)), functions);
    }
    expect![[r#"
        bank: all 6 executions, 0 lost; messages 5/5, higher-order calls 0/0, 17 checked
        generator: all 1 executions, 0 lost; messages 3/3, higher-order calls 1/1, 9 checked
        handshake: all 5 executions, 0 lost; messages 10/14, higher-order calls 0/0, 17 checked
        pool: some 126 executions, 0 lost; messages 14/30, higher-order calls 7/8, 41 checked
        ping_pong: all 2 executions, 0 lost; messages 1/1, higher-order calls 0/0, 3 checked
        registry: all 76 executions, 0 lost; messages 9/9, higher-order calls 5/6, 26 checked
        requests: all 7 executions, 0 lost; messages 4/4, higher-order calls 0/0, 12 checked
        supervised: some 120 executions, 0 lost; messages 5/6, higher-order calls 4/5, 22 checked
        messages 51/72, higher-order calls 17/20
    "#]]
    .assert_eq(&figures.text());
}

/// Programs of the differential corpus.
#[test]
fn programs() {
    let programs = root().join("crates/runner/tests/programs");
    let mut figures = Figures::default();
    for name in [
        "alias_reply",
        "barrier",
        "buffer",
        "election",
        "event_manager",
        "fun_values",
        "link_chain",
        "monitor_reasons",
        "parallel_map",
        "ping_pong",
        "pubsub",
        "ring_token",
        "selective",
        "server_calls",
        "simple_children",
        "statem_door",
        "statem_events",
        "supervised",
        "worker_pool",
    ] {
        figures.explore(name, &[programs.join(format!("{name}.erl"))], &[(name, "main")]);
    }
    expect![[r#"
        alias_reply: all 1 executions, 0 lost; messages 6/12, higher-order calls 0/0, 9 checked
        barrier: some 60 executions, 0 lost; messages 5/5, higher-order calls 0/0, 12 checked
        buffer: some 60 executions, 0 lost; messages 5/5, higher-order calls 0/0, 12 checked
        election: all 1 executions, 0 lost; messages 8/9, higher-order calls 0/0, 13 checked
        event_manager: all 7 executions, 0 lost; messages 8/18, higher-order calls 4/4, 12 checked
        fun_values: all 1 executions, 0 lost; messages 0/0, higher-order calls 10/10, 10 checked
        link_chain: all 1 executions, 0 lost; messages 3/3, higher-order calls 0/0, 10 checked
        monitor_reasons: all 1 executions, 0 lost; messages 10/10, higher-order calls 0/0, 22 checked
        parallel_map: all 1 executions, 0 lost; messages 2/2, higher-order calls 2/2, 8 checked
        ping_pong: all 1 executions, 0 lost; messages 5/5, higher-order calls 0/0, 11 checked
        pubsub: all 4 executions, 0 lost; messages 12/12, higher-order calls 0/0, 19 checked
        ring_token: all 1 executions, 0 lost; messages 3/4, higher-order calls 1/1, 6 checked
        selective: all 1 executions, 0 lost; messages 3/3, higher-order calls 0/0, 9 checked
        server_calls: some 60 executions, 0 lost; messages 14/18, higher-order calls 5/10, 25 checked
        simple_children: some 60 executions, 0 lost; messages 2/6, higher-order calls 1/1, 7 checked
        statem_door: all 5 executions, 0 lost; messages 17/25, higher-order calls 2/2, 21 checked
        statem_events: all 1 executions, 0 lost; messages 8/10, higher-order calls 1/1, 11 checked
        supervised: some 60 executions, 0 lost; messages 1/1, higher-order calls 3/3, 13 checked
        worker_pool: some 60 executions, 0 lost; messages 4/4, higher-order calls 0/0, 14 checked
        messages 116/152, higher-order calls 29/34
    "#]].assert_eq(&figures.text());
}
