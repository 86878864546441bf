//! Generated programs: the search finds exactly the classes and outcomes that the enumeration of all
//! interleavings finds, each once.

mod support;

use std::cell::Cell;
use std::fmt::Write as _;

use arbtest::arbitrary::{Result, Unstructured};
use explore::Delivery;
use support::compare_in;

/// A program of a few processes, each with a few actions on few names, so that they meet.
fn program(u: &mut Unstructured<'_>, themes: &[u32]) -> Result<String> {
    let workers = u.int_in_range(1..=3)?;
    let mut text = String::from("main() ->\n S = self(), put(s, S), put(p, S),\n");
    if u.ratio(1, 3)? {
        let kind = *u.choose(&["set", "set", "ordered_set", "bag"])?;
        let _ = writeln!(text, " ets:new(tab, [named_table, public, {kind}]),");
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
    // Most programs are about one kind of thing, so that their actions meet.
    let theme = *u.choose(themes)?;
    let count = u.int_in_range(1..=3)?;
    for _ in 0..count {
        let _ = writeln!(text, " {},", action(u, theme)?);
    }
    text.push_str(" exit({ok, get(r)}).\npid({P, R}) -> put(m, R), P; pid(P) -> P.\n");
    for worker in 0..workers {
        let count = u.int_in_range(1..=3)?;
        let actions: Vec<String> = (0..count).map(|_| action(u, theme)).collect::<Result<_>>()?;
        let end = *u.choose(&["ok", "ok", "exit({w, get(r)})"])?;
        let _ = writeln!(text, "w{worker}() -> {}, {end}.", actions.join(", "));
    }
    text.push_str(
        "r(X) -> put(r, [X | case get(r) of undefined -> []; L -> L end]).\n\
         m() -> case get(m) of undefined -> make_ref(); M -> M end.\n\
         who(P) -> case get(s) of P -> main; _ -> other end.\n\
         shape({'EXIT', {R, _}}) -> R; shape({'DOWN', _, _, _, R}) -> {down, R};\n\
         shape(X) when is_pid(X) -> who(X); shape(X) -> X.\n",
    );
    Ok(text)
}

fn action(u: &mut Unstructured<'_>, theme: u32) -> Result<String> {
    let message = *u.choose(&["a", "b", "c"])?;
    let other = *u.choose(&["a", "b", "c"])?;
    let to = *u.choose(&["get(s)", "get(s)", "get(p)"])?;
    if u.ratio(1, 2)? {
        return themed(u, theme, message, other, to);
    }
    Ok(match u.int_in_range(0..=27)? {
        0..=5 => format!("{to} ! {message}"),
        6..=8 => "receive X1 -> r(shape(X1)) end".replace("X1", &fresh(u)?),
        9..=10 => format!("receive {message} -> r({message}) end"),
        11 => format!("receive {message} -> r(1); {other} -> r(2) end"),
        12..=13 => format!("receive {message} -> r({message}) after 0 -> r(none) end"),
        14 => "receive X1 -> r(shape(X1)) after 10 -> r(none) end".replace("X1", &fresh(u)?),
        15 => format!("catch register({message}, self())"),
        16 => format!("r(case whereis({message}) of undefined -> no; _ -> yes end)"),
        17 => format!("catch ({message} ! {other})"),
        18 => format!("exit({to}, {message})"),
        19 => format!("exit({to}, kill)"),
        20 => format!("exit({message})"),
        21 => format!("r(catch ets:insert(tab, {{k, {message}}}))"),
        22 => "r(catch ets:lookup(tab, k))".to_owned(),
        23 => format!("r(is_process_alive({to}))"),
        24 => format!("put(m, monitor(process, {to}))"),
        25 => format!("catch link({to})"),
        26 => format!("unlink({to})"),
        _ => format!("erlang:send_after(5, {to}, {message})"),
    })
}

/// Actions of one area.
fn themed(
    u: &mut Unstructured<'_>,
    theme: u32,
    message: &str,
    other: &str,
    to: &str,
) -> Result<String> {
    let down = "receive {'DOWN', _, _, _, X1} -> r(X1) after 0 -> r(none) end";
    let choices: Vec<String> = match theme {
        // Tables.
        0 => vec![
            format!("r(catch ets:insert_new(tab, {{k, {message}}}))"),
            format!("catch ets:insert(tab, {{{other}, {message}}})"),
            format!("catch ets:insert(tab, [{{k, {message}}}, {{{other}, 1}}])"),
            "catch ets:delete(tab, k)".to_owned(),
            format!("catch ets:delete_object(tab, {{k, {message}}})"),
            format!("r(catch ets:match(tab, {{'$1', {message}}}))"),
            "r(catch ets:match_object(tab, {k, '_'}))".to_owned(),
            format!("r(catch ets:select(tab, [{{{{'$1', {message}}}, [], ['$1']}}]))"),
            format!("r(catch ets:match_delete(tab, {{'_', {message}}}))"),
            "r(catch ets:tab2list(tab))".to_owned(),
            "catch ets:delete_all_objects(tab)".to_owned(),
            "r(shape(catch ets:update_counter(tab, n, 1)))".to_owned(),
            "r(shape(catch ets:update_counter(tab, n, 1, {n, 0})))".to_owned(),
            format!("r(catch ets:take(tab, {message}))"),
            "r(shape(catch ets:new(tab, [named_table, public])))".to_owned(),
            "catch ets:delete(tab)".to_owned(),
            format!("catch ets:give_away(tab, {to}, gift)"),
            "r(case ets:whereis(tab) of undefined -> no; _ -> yes end)".to_owned(),
            "r(ets:info(tab, size))".to_owned(),
        ],
        // Monitors.
        1 => vec![
            format!("put(m, monitor(process, {to}))"),
            "demonitor(m(), [flush])".to_owned(),
            "demonitor(m(), [flush])".to_owned(),
            "demonitor(m())".to_owned(),
            "r(demonitor(m(), [info]))".to_owned(),
            "r(demonitor(m(), [flush, info]))".to_owned(),
            down.replace("X1", &fresh(u)?),
            format!("exit({message})"),
            format!("exit({to}, kill)"),
            format!("put(m, monitor(process, {message}))"),
            format!("catch register({message}, self())"),
        ],
        // Exits.
        2 => vec![
            "r(process_flag(trap_exit, true))".to_owned(),
            "process_flag(trap_exit, false)".to_owned(),
            format!("exit({to}, normal)"),
            format!("exit({to}, {message})"),
            format!("exit({to}, kill)"),
            format!("catch link({to})"),
            format!("unlink({to})"),
            format!("r(is_process_alive({to}))"),
            format!("exit({message})"),
            "receive {'EXIT', _, X1} -> r(X1) after 0 -> r(none) end".replace("X1", &fresh(u)?),
        ],
        // Looking at others.
        3 => vec![
            format!("r(process_info({to}, message_queue_len))"),
            format!("r(process_info({to}, messages))"),
            format!("r(process_info({to}, messages))"),
            format!("r(catch length(element(2, process_info({to}, links))))"),
            format!("r(process_info({to}, registered_name))"),
            format!("r(process_info({to}, trap_exit))"),
            format!("r(process_info({to}, {{dictionary, x}}))"),
            format!("r(length(processes()) - {})", 0),
            format!("put(x, {message})"),
            "process_flag(trap_exit, true)".to_owned(),
            format!("catch link({to})"),
            format!("catch register({message}, self())"),
            format!("catch unregister({message})"),
            format!("catch group_leader(self(), {to})"),
            "r(who(group_leader()))".to_owned(),
            format!("{to} ! {message}"),
            "spawn(fun() -> ok end)".to_owned(),
        ],
        // Aliases, timers, and values that everybody can reach.
        _ => vec![
            format!("put(t, erlang:send_after(5, {to}, {message}))"),
            "r(catch is_integer(erlang:cancel_timer(get(t))))".to_owned(),
            "r(catch is_integer(erlang:read_timer(get(t))))".to_owned(),
            format!("{to} ! {{alias, alias([reply])}}"),
            format!("{to} ! {{alias, alias()}}"),
            format!("receive {{alias, X1}} -> X1 ! {message}, X1 ! {other} after 0 -> ok end")
                .replace("X1", &fresh(u)?),
            format!("persistent_term:put(k, {message})"),
            "r(persistent_term:get(k, none))".to_owned(),
            "persistent_term:erase(k)".to_owned(),
        ],
    };
    let at = u.int_in_range(0..=choices.len() - 1)?;
    Ok(choices[at].clone())
}

fn fresh(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(format!("X{}", u.int_in_range(0..=1_000_000)?))
}

fn compare_all(themes: &[u32], delivery: Delivery) {
    let compared = Cell::new(0);
    let seconds = std::env::var("EXPLORE_RANDOM_SECONDS").ok().and_then(|s| s.parse().ok());
    let seed = std::env::var("EXPLORE_RANDOM_SEED").ok();
    let seed = seed.and_then(|s| u64::from_str_radix(s.trim_start_matches("0x"), 16).ok());
    let test = arbtest::arbtest(|u| {
        let text = program(u, themes)?;
        if compare_in(&text, 3_000, delivery) {
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

#[test]
fn as_all_interleavings() {
    compare_all(&[0, 1, 2, 3, 4], Delivery::Instant);
}

/// Who looks at a mailbox sees messages that are still on their way, so that is left out.
#[test]
fn as_all_deliveries() {
    compare_all(&[0, 1, 2, 4], Delivery::Any);
}
