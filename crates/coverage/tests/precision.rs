//! Precision: how many of the message and higher-order call edges some explored run takes. The figures
//! are kept; a change that adds doubt shows here. Every explored run is also checked against the
//! graph.

mod support;

use std::path::PathBuf;

use coverage::{check, schedules};
use expect_test::expect;
use explore::Bounds;
use flow::{EdgeKind, Entry};
use support::{root, subject};

/// Executions that are explored of one program.
const MOST: u64 = 60;

/// Explores a call; a line of figures.
fn explored(paths: &[PathBuf], module: &str, function: &str) -> String {
    let subject = subject(paths, &Entry::function(module, function, 0));
    let machine = subject.stepping(module, function);
    let bounds = Bounds { max_executions: MOST, ..Bounds::default() };
    let (statistics, lost) = schedules::watch_all(&machine, bounds, &subject.watcher, || true);
    let happened = subject.watcher.happened();
    let (_, misses) = check(&subject.flow, happened.iter());
    let misses: Vec<&str> = misses.iter().map(|miss| miss.text.as_str()).collect();
    assert!(misses.is_empty(), "{module}: {misses:?}");
    let covered = subject.watcher.covered();
    let count = |kind: EdgeKind| {
        let all = subject.flow.graph.edges.iter().enumerate();
        let of_kind: Vec<u32> =
            all.filter(|(_, edge)| edge.kind == kind).map(|(index, _)| index as u32).collect();
        let taken = of_kind.iter().filter(|edge| covered.edges.contains_key(edge)).count();
        format!("{taken}/{}", of_kind.len())
    };
    let all = if statistics.complete { "all" } else { "some" };
    format!(
        "{module}: {all} {} executions, {lost} lost; messages {}, higher-order calls {}, {} checked\n",
        statistics.executions,
        count(EdgeKind::Message),
        count(EdgeKind::HigherOrderCall),
        happened.len()
    )
}

#[test]
fn edges_that_runs_take() {
    let examples = root().join("examples");
    let programs = root().join("crates/runner/tests/programs");
    let mut lines = explored(&[examples.join("generator/example.erl")], "example", "use");
    lines += &explored(&[examples.join("ping_pong/ping_pong.erl")], "ping_pong", "pong");
    for name in [
        "alias_reply",
        "barrier",
        "buffer",
        "election",
        "link_chain",
        "monitor_reasons",
        "parallel_map",
        "ping_pong",
        "pubsub",
        "ring_token",
        "selective",
        "server_calls",
        "statem_door",
    ] {
        lines += &explored(&[programs.join(format!("{name}.erl"))], name, "main");
    }
    expect![[r#"
        example: all 1 executions, 0 lost; messages 3/3, higher-order calls 1/1, 9 checked
        ping_pong: all 2 executions, 0 lost; messages 1/1, higher-order calls 0/0, 3 checked
        alias_reply: all 1 executions, 0 lost; messages 6/12, higher-order calls 0/0, 9 checked
        barrier: some 60 executions, 0 lost; messages 5/5, higher-order calls 0/0, 12 checked
        buffer: some 60 executions, 0 lost; messages 5/5, higher-order calls 0/0, 12 checked
        election: all 1 executions, 0 lost; messages 8/9, higher-order calls 0/0, 13 checked
        link_chain: all 1 executions, 0 lost; messages 3/3, higher-order calls 0/0, 10 checked
        monitor_reasons: all 1 executions, 0 lost; messages 10/10, higher-order calls 0/0, 22 checked
        parallel_map: all 1 executions, 0 lost; messages 2/2, higher-order calls 2/2, 8 checked
        ping_pong: all 1 executions, 0 lost; messages 5/5, higher-order calls 0/0, 11 checked
        pubsub: all 1 executions, 0 lost; messages 12/12, higher-order calls 0/0, 19 checked
        ring_token: all 1 executions, 0 lost; messages 3/4, higher-order calls 1/1, 6 checked
        selective: all 1 executions, 0 lost; messages 3/3, higher-order calls 0/0, 9 checked
        server_calls: some 60 executions, 0 lost; messages 13/31, higher-order calls 5/20, 24 checked
        statem_door: all 5 executions, 0 lost; messages 17/43, higher-order calls 2/2, 21 checked
    "#]].assert_eq(&lines);
}
