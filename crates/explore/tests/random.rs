//! Generated programs: the search finds exactly the classes and outcomes that the enumeration of all
//! interleavings finds, each once.

mod support;

use std::cell::Cell;
use std::fmt::Write as _;

use arbtest::arbitrary::{Result, Unstructured};
use support::compare;

/// A program of a few processes, each with a few actions on few names, so that they meet.
fn program(u: &mut Unstructured<'_>) -> Result<String> {
    let workers = u.int_in_range(1..=3)?;
    let mut text = String::from("main() ->\n S = self(), put(s, S), put(p, S),\n");
    if u.ratio(1, 3)? {
        text.push_str(" ets:new(tab, [named_table, public]),\n");
    }
    if u.ratio(1, 4)? {
        text.push_str(" process_flag(trap_exit, true),\n");
    }
    for worker in 0..workers {
        let spawn = *u.choose(&["spawn", "spawn", "spawn", "spawn_link", "spawn_monitor"])?;
        let _ = writeln!(
            text,
            " put(p, pid({spawn}(fun() -> put(s, S), put(p, S), w{worker}() end))),"
        );
    }
    let count = u.int_in_range(1..=3)?;
    for _ in 0..count {
        let _ = writeln!(text, " {},", action(u)?);
    }
    text.push_str(" exit({ok, get(r)}).\npid({P, _}) -> P; pid(P) -> P.\n");
    for worker in 0..workers {
        let count = u.int_in_range(1..=3)?;
        let actions: Vec<String> = (0..count).map(|_| action(u)).collect::<Result<_>>()?;
        let _ = writeln!(text, "w{worker}() -> {}, ok.", actions.join(", "));
    }
    text.push_str("r(X) -> put(r, [X | case get(r) of undefined -> []; L -> L end]).\n");
    Ok(text)
}

fn action(u: &mut Unstructured<'_>) -> Result<String> {
    let message = *u.choose(&["a", "b", "c"])?;
    let other = *u.choose(&["a", "b", "c"])?;
    let to = *u.choose(&["get(s)", "get(s)", "get(p)"])?;
    Ok(match u.int_in_range(0..=27)? {
        0..=5 => format!("{to} ! {message}"),
        6..=8 => "receive X1 -> r(X1) end".replace("X1", &fresh(u)?),
        9..=10 => format!("receive {message} -> r({message}) end"),
        11 => format!("receive {message} -> r(1); {other} -> r(2) end"),
        12..=13 => format!("receive {message} -> r({message}) after 0 -> r(none) end"),
        14 => "receive X1 -> r(X1) after 10 -> r(none) end".replace("X1", &fresh(u)?),
        15 => format!("catch register({message}, self())"),
        16 => format!("r(case whereis({message}) of undefined -> no; _ -> yes end)"),
        17 => format!("catch ({message} ! {other})"),
        18 => format!("exit({to}, {message})"),
        19 => format!("exit({to}, kill)"),
        20 => format!("exit({message})"),
        21 => format!("r(catch ets:insert(tab, {{k, {message}}}))"),
        22 => "r(catch ets:lookup(tab, k))".to_owned(),
        23 => format!("r(is_process_alive({to}))"),
        24 => format!("monitor(process, {to})"),
        25 => format!("catch link({to})"),
        26 => format!("unlink({to})"),
        _ => format!("erlang:send_after(5, {to}, {message})"),
    })
}

fn fresh(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(format!("X{}", u.int_in_range(0..=1_000_000)?))
}

#[test]
fn as_all_interleavings() {
    let compared = Cell::new(0);
    let seconds = std::env::var("EXPLORE_RANDOM_SECONDS").ok().and_then(|s| s.parse().ok());
    let seed = std::env::var("EXPLORE_RANDOM_SEED").ok();
    let seed = seed.and_then(|s| u64::from_str_radix(s.trim_start_matches("0x"), 16).ok());
    let test = arbtest::arbtest(|u| {
        let text = program(u)?;
        if compare(&text, 3_000) {
            compared.set(compared.get() + 1);
        }
        Ok(())
    })
    .size_max(4096)
    .budget_ms(seconds.unwrap_or(5) * 1000);
    match seed {
        Some(seed) => test.seed(seed).minimize().run(),
        None => test.run(),
    }
    eprintln!("{} programs compared", compared.get());
    assert!(compared.get() > 0);
}
