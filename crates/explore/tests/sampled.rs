//! Larger generated programs, with too many interleavings to enumerate: several processes that
//! exchange messages, all known to each other. Random interleavings of them are found by the search
//! (`support::try_sample`). What one receive chooses decides here what others can. Half of the
//! programs do nothing but that; the others touch more: a table, monitors, links, names, requests
//! with an alias, looks at mailboxes; or keys, heirs, signals in vain, clocks; or are about what
//! ends of processes do, or about monitors that are held back.

mod support;

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use arbtest::arbitrary::{Result, Unstructured};
use explore::Delivery;
use support::{number, splitmix, try_sample};

/// How many programs are compared, unless `EXPLORE_SAMPLED_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 40;

/// Programs in which something was missing once.
const DIFFERED: [u64; 8] =
    [5_112, 8_654, 11_295, 23_588, 5_007_402, 6_000_582, 6_003_773, 6_006_126];

fn program(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    let workers = u.int_in_range(2..=5)?;
    let with_ends = u.ratio(1, 4)?;
    (0..workers)
        .map(|_| {
            let actions = u.int_in_range(1..=4)?;
            (0..actions).map(|nth| action(u, workers, nth, with_ends)).collect()
        })
        .collect()
}

/// Programs of the second kind: each about one thing beside messages.
fn richer_program(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    program_about(u, 5)
}

/// The same without looks at mailboxes: where messages travel, who looks sees those that are still
/// on their way.
fn without_looks(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    program_about(u, 4)
}

/// Programs of the third kind: keys that are there or not, heirs, signals in vain, clocks.
fn subtler_program(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    program_with(u, 6..=9)
}

/// Monitors, and what their processes and others do meanwhile.
fn about_held(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    program_with(u, 10..=10)
}

fn program_about(u: &mut Unstructured<'_>, last_theme: u32) -> Result<Vec<Vec<String>>> {
    program_with(u, 0..=last_theme)
}

fn program_with(u: &mut Unstructured<'_>, themes: RangeInclusive<u32>) -> Result<Vec<Vec<String>>> {
    let workers = u.int_in_range(2..=4)?;
    let theme = u.int_in_range(themes)?;
    (0..workers)
        .map(|_| {
            let actions = u.int_in_range(1..=4)?;
            let one = |u: &mut Unstructured<'_>, nth| match u.ratio(1, 2)? {
                true => themed(u, workers, nth, theme),
                false => action(u, workers, nth, false),
            };
            (0..actions).map(|nth| one(u, nth)).collect()
        })
        .collect()
}

/// Programs of the third kind: each process has tables and a name to give up when it ends, and
/// others look for them.
fn about_ends(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    let workers = u.int_in_range(2..=4)?;
    (0..workers)
        .map(|_| {
            let mut done: Vec<String> = Vec::new();
            for possession in [
                "catch ets:new(t1, [named_table, public])",
                "catch ets:new(t2, [named_table, public, {heir, element(1, T), gift}])",
                "catch register(name1, self())",
            ] {
                if u.ratio(1, 3)? {
                    done.push(possession.to_owned());
                }
            }
            for nth in 0..u.int_in_range(1..=3)? {
                done.push(match u.ratio(4, 5)? {
                    true => about_an_end(u, workers, nth)?,
                    false => action(u, workers, nth, false)?,
                });
            }
            Ok(done)
        })
        .collect()
}

fn about_an_end(u: &mut Unstructured<'_>, workers: u32, nth: u32) -> Result<String> {
    let to = format!("element({}, T)", u.int_in_range(1..=workers)?);
    let table = u.int_in_range(1..=2)?;
    let choices = [
        format!("r(ets:whereis(t{table}) =/= undefined)"),
        format!("r(ets:whereis(t{table}) =/= undefined)"),
        format!("catch ets:delete(t{table})"),
        format!("catch ets:give_away(t{table}, {to}, gift)"),
        format!("catch ets:setopts(t{table}, {{heir, {to}, gift}})"),
        format!("receive {{'ETS-TRANSFER', W{nth}, _, _}} -> r(W{nth}) after 0 -> r(none) end"),
        "r(whereis(name1) =/= undefined)".to_owned(),
        "r(shape(catch register(name1, self())))".to_owned(),
        format!("r(shape(catch register(name1, {to})))"),
        "catch unregister(name1)".to_owned(),
        "r(shape(catch (name1 ! 1)))".to_owned(),
        "put(m, monitor(process, name1))".to_owned(),
        format!("put(m, monitor(process, {to}))"),
        format!("put(m, monitor(process, {to}))"),
        format!("receive {{'DOWN', _, _, _, D{nth}}} -> r(D{nth}) end"),
        format!(
            "receive {{'DOWN', _, _, _, D{nth}}} -> {to} ! 1, r(D{nth}) after 0 -> r(none) end"
        ),
        "demonitor(m())".to_owned(),
        "demonitor(m(), [flush])".to_owned(),
        format!("catch link({to})"),
        format!("catch link({to})"),
        format!("unlink({to})"),
        "process_flag(trap_exit, true)".to_owned(),
        format!("receive {{'EXIT', _, E{nth}}} -> r(E{nth}) after 0 -> r(none) end"),
        format!("exit({to}, kill)"),
        format!("r(is_process_alive({to}))"),
        format!("r(process_info({to}, registered_name))"),
    ];
    u.choose(&choices).cloned()
}

fn themed(u: &mut Unstructured<'_>, workers: u32, nth: u32, theme: u32) -> Result<String> {
    let to = format!("element({}, T)", u.int_in_range(1..=workers)?);
    let message = u.int_in_range(1..=2)?;
    let choices: Vec<String> = match theme {
        0 => vec![
            format!("ets:insert(tab, {{{message}, {nth}}})"),
            format!("r(ets:lookup(tab, {message}))"),
            format!("r(ets:insert_new(tab, {{{message}, {nth}}}))"),
            format!("ets:delete(tab, {message})"),
            "r(ets:update_counter(tab, n, 1, {n, 0}))".to_owned(),
            "r(lists:sort(ets:tab2list(tab)))".to_owned(),
        ],
        1 => vec![
            format!("put(m, monitor(process, {to}))"),
            "demonitor(m(), [flush])".to_owned(),
            "r(demonitor(m(), [info]))".to_owned(),
            format!("receive {{'DOWN', _, _, _, D{nth}}} -> r(D{nth}) end"),
            format!("receive {{'DOWN', _, _, _, D{nth}}} -> r(D{nth}) after 0 -> r(none) end"),
        ],
        2 => vec![
            format!("catch link({to})"),
            format!("unlink({to})"),
            "process_flag(trap_exit, true)".to_owned(),
            format!("receive {{'EXIT', _, E{nth}}} -> r(E{nth}) after 0 -> r(none) end"),
            format!("exit({to}, {message})"),
        ],
        3 => vec![
            format!("catch register(name{message}, self())"),
            format!("r(shape(catch (name{message} ! {nth})))"),
            format!("r(whereis(name{message}) =/= undefined)"),
            format!("catch unregister(name{message})"),
        ],
        4 => vec![
            format!("r(call({to}, {message}))"),
            format!("r(call({to}, {message}))"),
            format!("receive {{call, A{nth}, Q{nth}}} -> A{nth} ! {{A{nth}, Q{nth}}} end"),
            format!(
                "receive {{call, A{nth}, Q{nth}}} -> A{nth} ! {{A{nth}, Q{nth}}} after 0 -> ok end"
            ),
        ],
        6 => vec![
            format!("r(ets:insert_new(tab, {{{message}, {nth}}}))"),
            format!("r(ets:member(tab, {message}))"),
            format!("r(catch ets:update_counter(tab, {message}, 1) > 1)"),
            format!("ets:insert(tab, {{{message}, 1}})"),
            format!("ets:delete(tab, {message})"),
            "ets:match_delete(tab, {'_', 1})".to_owned(),
            "r(ets:info(tab, size))".to_owned(),
            "r(ets:first(tab))".to_owned(),
        ],
        7 => vec![
            format!(
                "r(catch ets:new(heirs, [named_table, public, {{heir, {to}, {nth}}}]) =:= heirs)"
            ),
            "r(ets:info(heirs, heir) =:= none)".to_owned(),
            format!("r(catch ets:setopts(heirs, {{heir, {to}, {nth}}}) =:= true)"),
            "r(catch ets:insert(heirs, {k, 1}) =:= true)".to_owned(),
            format!("receive {{'ETS-TRANSFER', _, _, G{nth}}} -> r(G{nth}) after 0 -> r(none) end"),
            format!("exit({to}, {message})"),
        ],
        8 => vec![
            "catch demonitor(m(), [ban])".to_owned(),
            format!(
                "put(m, monitor(process, {to}, [{{alias, reply_demonitor}}])), {to} ! {{a, m()}}"
            ),
            format!("receive {{a, A{nth}}} -> A{nth} ! {message} after 0 -> ok end"),
            format!("receive {{a, A{nth}}} -> {to} ! {{a, A{nth}}} after 0 -> ok end"),
            "r(unalias(m()))".to_owned(),
            "r(demonitor(m(), [info]))".to_owned(),
            format!("catch link({to})"),
            format!("unlink({to})"),
            "process_flag(trap_exit, true)".to_owned(),
            format!("exit({to}, 1)"),
            format!("receive {{'EXIT', _, E{nth}}} -> r(E{nth}) after 0 -> r(none) end"),
        ],
        9 => vec![
            format!("{to} ! {{c, erlang:monotonic_time()}}"),
            format!("{to} ! {{c, os:timestamp()}}"),
            format!("receive {{c, C{nth}}} -> r(C{nth}) end"),
            format!(
                "receive {{c, C{nth}}} -> r(C{nth} < erlang:monotonic_time()) after 0 -> ok end"
            ),
            "r(erlang:now())".to_owned(),
        ],
        10 => vec![
            format!("put(m, monitor(process, {to}))"),
            format!("put(m, monitor(process, {to}))"),
            format!("put(m, monitor(process, {to}, [{{alias, reply_demonitor}}]))"),
            format!("ets:insert(tab, {{{message}, m()}})"),
            format!("[A{nth} ! {message} || {{_, A{nth}}} <- ets:lookup(tab, {message})]"),
            format!("[exit({to}, {message}) || [] =/= ets:lookup(tab, {message})]"),
            format!("[exit({message}) || [] =/= ets:lookup(tab, {message})]"),
            "r(demonitor(m(), [flush, info]))".to_owned(),
            format!("receive {{'DOWN', _, _, _, D{nth}}} -> r(D{nth}) end"),
            format!("receive {{'DOWN', _, _, _, D{nth}}} -> r(D{nth}) after 0 -> r(none) end"),
            format!("receive {{'DOWN', _, _, _, D{nth}}} -> r(D{nth}) after 9 -> r(none) end"),
            format!("catch link({to})"),
            format!("r(is_process_alive({to}))"),
        ],
        _ => vec![
            format!("r(process_info({to}, message_queue_len))"),
            format!("r(is_process_alive({to}))"),
            format!("exit({to}, kill)"),
            format!("{to} ! {message}"),
        ],
    };
    u.choose(&choices).cloned()
}

fn action(u: &mut Unstructured<'_>, workers: u32, nth: u32, with_ends: bool) -> Result<String> {
    let to = u.int_in_range(1..=workers)?;
    let message = u.int_in_range(1..=3)?;
    Ok(match u.int_in_range(0..=if with_ends { 15 } else { 13 })? {
        0..=6 => format!("element({to}, T) ! {message}"),
        7..=9 => format!("receive X{nth} -> r(X{nth}) end"),
        10..=11 => format!("receive {message} -> r({message}) end"),
        12 => format!("receive X{nth} -> r(X{nth}) after 0 -> r(none) end"),
        13 => format!("receive {message} -> r({message}) after 0 -> r(none) end"),
        14 => format!("exit(element({to}, T), kill)"),
        _ => format!("r(is_process_alive(element({to}, T)))"),
    })
}

/// What actions of the second kind call.
const HELPERS: &str = "m() -> case get(m) of undefined -> make_ref(); M -> M end.\n\
    shape({'EXIT', {R, _}}) -> R; shape(X) -> X.\n\
    call(P, Q) -> A = monitor(process, P, [{alias, reply_demonitor}]), P ! {call, A, Q},\n\
     receive {A, R} -> R; {'DOWN', A, _, _, R} -> {down, R} end.\n";

fn text(workers: &[Vec<String>]) -> String {
    let uses_table = workers.iter().flatten().any(|action| action.contains("tab"));
    let table = if uses_table { "ets:new(tab, [named_table, public]), " } else { "" };
    let mut text = format!("main() -> {table}T = {{");
    let spawns: Vec<String> = (0..workers.len())
        .map(|at| format!("spawn(fun() -> receive {{all, T}} -> w{at}(T) end end)"))
        .collect();
    let _ = writeln!(text, "{}}},", spawns.join(", "));
    text.push_str(" [P ! {all, T} || P <- tuple_to_list(T)]");
    text.push_str(if uses_table { ", receive after infinity -> ok end.\n" } else { ".\n" });
    for (at, actions) in workers.iter().enumerate() {
        let _ = writeln!(text, "w{at}(T) -> T, {}, exit(get(r)).", actions.join(", "));
    }
    text.push_str("r(X) -> put(r, [X | case get(r) of undefined -> []; L -> L end]).\n");
    text.push_str(HELPERS);
    text
}

/// The same program with one thing less, each.
fn smaller(workers: &[Vec<String>]) -> Vec<Vec<Vec<String>>> {
    let mut found = Vec::new();
    for (who, actions) in workers.iter().enumerate() {
        for at in 0..actions.len() {
            let mut less = workers.to_vec();
            less[who].remove(at);
            if less[who].is_empty() {
                less[who].push("ok".to_owned());
            }
            if less != workers {
                found.push(less);
            }
        }
    }
    found
}

type Generator = fn(&mut Unstructured<'_>) -> Result<Vec<Vec<String>>>;

fn compare_all(program: Generator, differed: &[u64], delivery: Delivery) {
    let first = number("EXPLORE_SAMPLED_SEED").unwrap_or(1);
    let most = number("EXPLORE_SAMPLED_PROGRAMS").unwrap_or(PROGRAMS);
    let walks = number("EXPLORE_SAMPLED_WALKS").unwrap_or(60) as u32;
    let (mut compared, mut differ) = (0, Vec::new());
    for seed in (first..first + most).chain(differed.iter().copied()) {
        let bytes = splitmix(seed);
        let Ok(mut workers) = program(&mut Unstructured::new(&bytes)) else {
            panic!("too few bytes for a program");
        };
        let try_one = |workers: &[Vec<String>]| try_sample(&text(workers), walks, 1_000, delivery);
        match try_one(&workers) {
            Ok(was_compared) => compared += u64::from(was_compared),
            Err(mut difference) => {
                let less = |workers: &[Vec<String>]| {
                    smaller(workers).into_iter().find_map(|less| {
                        let difference = try_one(&less).err()?;
                        Some((less, difference))
                    })
                };
                while let Some(found) = less(&workers) {
                    (workers, difference) = found;
                }
                eprintln!("seed {seed}: {difference}\n");
                differ.push(seed);
            }
        }
    }
    eprintln!("{compared} programs compared, seeds {first} to {}", first + most - 1);
    assert!(differ.is_empty(), "programs that differ, by their seeds: {differ:?}");
}

#[test]
fn as_random_interleavings() {
    compare_all(program, &DIFFERED, Delivery::Instant);
}

#[test]
fn as_random_deliveries() {
    compare_all(program, &DIFFERED, Delivery::Any);
}

#[test]
fn of_more_than_messages() {
    compare_all(richer_program, &[2_508, 5_724, 17_314, 18_763], Delivery::Instant);
}

#[test]
fn of_subtler_things() {
    compare_all(subtler_program, &[5_003_357, 5_007_942, 5_008_059], Delivery::Instant);
}

#[test]
fn of_subtler_things_that_travel() {
    compare_all(subtler_program, &[], Delivery::Any);
}

#[test]
fn of_more_than_messages_that_travel() {
    compare_all(without_looks, &[4_486], Delivery::Any);
}

#[test]
fn of_held_monitors() {
    compare_all(about_held, &[], Delivery::Instant);
}

#[test]
fn of_held_monitors_and_signals_that_travel() {
    compare_all(about_held, &[5_002_553, 5_004_107, 5_005_288], Delivery::Any);
}

#[test]
fn of_ends() {
    compare_all(about_ends, &[5_004_534], Delivery::Instant);
}

#[test]
fn of_ends_that_are_told_later() {
    compare_all(about_ends, &[5_000_094], Delivery::Any);
}
