//! Numbers of executions that are known from elsewhere. A mismatch is a bug of the search, never a
//! reason to edit the number.

mod support;

use explore::Bounds;
use support::explore_with;

#[track_caller]
fn count(body: &str, expected: u64) {
    let found = explore_with(body, Bounds::default(), false);
    assert_eq!(found.statistics.abandoned, 0);
    assert!(found.statistics.complete);
    assert_eq!(found.statistics.executions, expected, "{:?}", found.outcomes);
}

const SEQ: &str = "seq(N, N) -> [N]; seq(A, N) -> [A | seq(A + 1, N)].\n";

fn senders_one_receive(n: u32) -> String {
    format!(
        "main() -> S = self(), [spawn(fun() -> S ! I end) || I <- seq(1, {n})], receive X -> X end.\n{SEQ}"
    )
}

fn senders_receives(n: u32) -> String {
    format!(
        "main() -> S = self(), [spawn(fun() -> S ! I end) || I <- seq(1, {n})],\n [receive X -> X end || _ <- seq(1, {n})].\n{SEQ}"
    )
}

/// Must (OOPSLA 2024), table 1: ns+r.
#[test]
fn many_senders_one_receive() {
    for n in [2, 5, 8] {
        count(&senders_one_receive(n), u64::from(n));
    }
}

/// Must, table 1: ns+nr, N!.
#[test]
fn many_senders_many_receives() {
    for (n, expected) in [(2, 2), (5, 120), (8, 40_320)] {
        count(&senders_receives(n), expected);
    }
}

/// Must, table 1: nworkers, 2 N!. Workers report to a coordinator, which tells the main process
/// when it has heard them all; that one has sent itself a message and takes either.
#[test]
fn workers_and_coordinator() {
    for (n, expected) in [(3, 12), (4, 48), (7, 10_080)] {
        count(
            &format!(
                "main() -> S = self(),\n\
                 C = spawn(fun() -> [receive W -> W end || _ <- seq(1, {n})], S ! done end),\n\
                 [spawn(fun() -> C ! I end) || I <- seq(1, {n})], S ! ping, receive X -> X end.\n{SEQ}"
            ),
            expected,
        );
    }
}

/// Must, table 1: ns+nr-sel.
#[test]
fn selective_receives() {
    for n in [2, 5, 8] {
        count(
            &format!(
                "main() -> S = self(), [spawn(fun() -> S ! {{m, I}} end) || I <- seq(1, {n})],\n [receive {{m, I}} -> I end || I <- seq(1, {n})].\n{SEQ}"
            ),
            1,
        );
    }
}

/// Must, example 2.8: crossed selective receives.
#[test]
fn crossed_selective_receives() {
    count(
        "main() -> S = self(), spawn(fun() -> S ! a, S ! b end), spawn(fun() -> S ! c end),\n\
         receive b -> ok end, receive c -> ok end, receive a -> ok end.",
        1,
    );
}

/// N senders and N receives with `after 0`: the sum over k of C(n,k)^2 k!, a formula for which
/// must-mc counts 209 and 1,546.
#[test]
fn receives_that_give_up() {
    for (n, expected) in [(1, 2), (2, 7), (3, 34), (4, 209), (5, 1_546)] {
        count(
            &format!(
                "main() -> S = self(), [spawn(fun() -> S ! I end) || I <- seq(1, {n})],\n [receive X -> X after 0 -> none end || _ <- seq(1, {n})].\n{SEQ}"
            ),
            expected,
        );
    }
}

/// POPL 2014: one writer, N readers: 2^N.
#[test]
fn readers() {
    for (n, expected) in [(8, 256), (13, 8_192)] {
        count(
            &format!(
                "main() -> ets:new(x, [named_table, public]), ets:insert(x, {{k, 0}}),\n\
         [spawn(fun() -> ets:lookup(x, k) end) || _ <- seq(1, {n})],\n\
         ets:insert(x, {{k, 1}}), receive after infinity -> ok end.\n{SEQ}"
            ),
            expected,
        );
    }
}

/// POPL 2014: lastzero(N): (N+3) 2^(N-2).
#[test]
fn last_zero() {
    for (n, expected) in [(5, 64), (10, 3_328)] {
        count(
            &format!(
                "main() -> ets:new(x, [named_table, public]), [ets:insert(x, {{I, 0}}) || I <- seq(0, {n})],\n\
         spawn(fun() -> zero({n}) end),\n\
         [spawn(fun() -> [{{_, V}}] = ets:lookup(x, I - 1), ets:insert(x, {{I, V + 1}}) end) || I <- seq(1, {n})],\n\
         receive after infinity -> ok end.\n\
         zero(0) -> ok; zero(N) -> case ets:lookup(x, N) of [{{_, 0}}] -> ok; _ -> zero(N - 1) end.\n{SEQ}"
            ),
            expected,
        );
    }
}

/// POPL 2014: indexer: 8 for 12, 4,096 for 15 processes.
#[test]
fn indexer() {
    for (n, expected) in [(12, 8), (15, 4_096)] {
        let last = n - 1;
        count(
            &format!(
                "main() -> ets:new(x, [named_table, public]),\n\
         [spawn(fun() -> messages(T, 1) end) || T <- seq(0, {last})], receive after infinity -> ok end.\n\
         messages(_, 5) -> ok;\n\
         messages(T, M) -> W = M * 11 + T, put(W * 7 rem 128, W), messages(T, M + 1).\n\
         put(H, W) -> case ets:insert_new(x, {{H, W}}) of true -> ok; false -> put((H + 1) rem 128, W) end.\n{SEQ}"
            ),
            expected,
        );
    }
}
