//! Generated programs for the tests of the search: small, and of all kinds of actions.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use std::fmt::Write as _;

use arbtest::arbitrary::{Result, Unstructured};

/// A program of a few processes, each with a few actions on few names, so that they meet.
#[derive(Clone)]
pub struct Program {
    /// What main does before it starts the others.
    before: Vec<String>,
    /// How each worker is started.
    spawns: Vec<&'static str>,
    /// What main does, and then each worker.
    actions: Vec<Vec<String>>,
    ends: Vec<&'static str>,
}

impl Program {
    pub fn new(u: &mut Unstructured<'_>, themes: &[u32]) -> Result<Program> {
        let workers = u.int_in_range(1..=3)?;
        let mut before = Vec::new();
        if u.ratio(1, 3)? {
            let kind = *u.choose(&["set", "set", "ordered_set", "bag"])?;
            before.push(format!("ets:new(tab, [named_table, public, {kind}])"));
        }
        if u.ratio(1, 4)? {
            before.push("process_flag(trap_exit, true)".to_owned());
        }
        let mut spawns = Vec::new();
        for _ in 0..workers {
            spawns.push(*u.choose(&["spawn", "spawn", "spawn", "spawn_link", "spawn_monitor"])?);
        }
        // Most programs are about one kind of thing, so that their actions meet.
        let theme = *u.choose(themes)?;
        if theme == PATTERNS {
            before.retain(|action| !action.starts_with("ets"));
            let kind = *u.choose(&["set", "ordered_set", "bag"])?;
            before.push(format!("ets:new(tab, [named_table, public, {kind}])"));
            before.push("ets:insert(tab, [{k, 1}, {l, 2}])".to_owned());
        }
        if theme == ENDS {
            before.retain(|action| !action.starts_with("ets"));
            for (possession, parts) in POSSESSIONS {
                if u.ratio(parts, 4)? {
                    before.push(possession.to_owned());
                }
            }
        }
        if theme == HELD {
            before.retain(|action| !action.starts_with("ets"));
            before.push("ets:new(tab, [named_table, public])".to_owned());
        }
        if theme == KEYS {
            before.retain(|action| !action.starts_with("ets"));
            let kind = *u.choose(&["set", "ordered_set", "bag"])?;
            before.push(format!("ets:new(tab, [named_table, public, {kind}])"));
            before.push("ets:insert(tab, [{k, 1}, {n, 1}])".to_owned());
        }
        let (mut actions, mut ends) = (Vec::new(), vec!["exit({ok, get(r)})"]);
        for worker in 0..=workers {
            let count = u.int_in_range(1..=3)?;
            actions.push((0..count).map(|_| action(u, theme)).collect::<Result<_>>()?);
            if worker > 0 {
                ends.push(*u.choose(&["ok", "ok", "exit({w, get(r)})"])?);
            }
        }
        Ok(Program { before, spawns, actions, ends })
    }

    pub fn text(&self) -> String {
        let mut text = String::from("main() ->\n S = self(), put(s, S), put(p, S),\n");
        for action in &self.before {
            let _ = writeln!(text, " {action},");
        }
        for (worker, spawn) in self.spawns.iter().enumerate() {
            let _ = writeln!(
                text,
                " put(p, pid({spawn}(fun() -> put(s, S), put(p, S), w{worker}() end))),"
            );
        }
        for (who, (actions, end)) in self.actions.iter().zip(&self.ends).enumerate() {
            let body = actions.iter().map(String::as_str).chain([*end]).collect::<Vec<_>>();
            let _ = match who {
                0 => writeln!(text, " {}.", body.join(",\n ")),
                _ => writeln!(text, "w{}() -> {}.", who - 1, body.join(", ")),
            };
        }
        text.push_str(
            "pid({P, R}) -> put(m, R), P; pid(P) -> P.\n\
             r(X) -> put(r, [X | case get(r) of undefined -> []; L -> L end]).\n\
             m() -> case get(m) of undefined -> make_ref(); M -> M end.\n\
             who(P) -> case get(s) of P -> main; _ -> other end.\n\
             shape({'EXIT', {R, _}}) -> R; shape({'DOWN', _, _, _, R}) -> {down, R};\n\
             shape(X) when is_pid(X) -> who(X); shape(X) -> X.\n",
        );
        text
    }

    /// The difference that is left when everything is taken out that is not needed for one.
    pub fn minimized(
        mut self,
        mut difference: String,
        differs: impl Fn(&Program) -> Option<String>,
    ) -> String {
        'less: loop {
            for less in self.smaller() {
                if let Some(now) = differs(&less) {
                    (self, difference) = (less, now);
                    continue 'less;
                }
            }
            return difference;
        }
    }

    /// The same program with one thing less, each.
    fn smaller(&self) -> Vec<Program> {
        let mut found = Vec::new();
        for at in 0..self.spawns.len() {
            let mut less = self.clone();
            less.spawns.remove(at);
            less.actions.remove(at + 1);
            less.ends.remove(at + 1);
            found.push(less);
        }
        for at in 0..self.before.len() {
            let mut less = self.clone();
            less.before.remove(at);
            found.push(less);
        }
        for who in 0..self.actions.len() {
            for at in 0..self.actions[who].len() {
                let mut less = self.clone();
                less.actions[who].remove(at);
                found.push(less);
            }
        }
        for (at, spawn) in self.spawns.iter().enumerate() {
            if *spawn != "spawn" {
                let mut less = self.clone();
                less.spawns[at] = "spawn";
                found.push(less);
            }
        }
        for (at, end) in self.ends.iter().enumerate() {
            if *end != "ok" {
                let mut less = self.clone();
                less.ends[at] = "ok";
                found.push(less);
            }
        }
        found
    }
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

/// The theme of tables that are searched by match specifications.
pub const PATTERNS: u32 = 5;

/// The theme of keys that are there or not, whatever is there.
pub const KEYS: u32 = 6;

/// The theme of tables with heirs.
pub const HEIRS: u32 = 7;

/// The theme of signals that have no effect, and of calls that fail.
pub const IN_VAIN: u32 = 8;

/// The theme of clocks.
pub const CLOCKS: u32 = 9;

/// The theme of ends of processes that have tables, names, links and monitors.
pub const ENDS: u32 = 10;

/// The theme of monitors that are held back while their processes do other things.
pub const HELD: u32 = 11;

/// What the first process has from the beginning, and in how many of four programs.
const POSSESSIONS: [(&str, u32); 4] = [
    ("ets:new(t, [named_table, public])", 3),
    ("ets:new(u, [named_table, public, {heir, self(), mine}])", 2),
    ("ets:new(v, [named_table])", 1),
    ("register(a, self())", 2),
];

/// What an end does, and what can be seen of it.
fn about_ends(
    u: &mut Unstructured<'_>,
    message: &str,
    other: &str,
    to: &str,
) -> Result<Vec<String>> {
    let table = *u.choose(&["t", "u", "v"])?;
    let x = fresh(u)?;
    Ok(vec![
        format!("r(case ets:whereis({table}) of undefined -> no; _ -> yes end)"),
        format!("r(case ets:whereis({table}) of undefined -> no; _ -> yes end)"),
        format!("catch ets:new({table}, [named_table, public])"),
        format!("catch ets:new({table}, [named_table, public, {{heir, {to}, gift}}])"),
        format!("catch ets:setopts({table}, {{heir, {to}, gift}})"),
        format!("catch ets:give_away({table}, {to}, gift)"),
        format!("catch ets:delete({table})"),
        format!("r(shape(catch ets:insert({table}, {{k, {message}}})))"),
        format!("receive {{'ETS-TRANSFER', {x}, _, _}} -> r({x}) after 0 -> r(none) end"),
        format!("r(case whereis({message}) of undefined -> no; _ -> yes end)"),
        format!("r(shape(catch register({message}, self())))"),
        format!("r(shape(catch register({message}, {to})))"),
        format!("r(shape(catch unregister({message})))"),
        format!("r(shape(catch ({message} ! {other})))"),
        format!("put(m, monitor(process, {to}))"),
        format!("put(m, monitor(process, {to}))"),
        format!("put(m, monitor(process, {message}))"),
        format!("receive {{'DOWN', _, _, _, {x}}} -> r({x}) after 0 -> r(none) end"),
        format!("receive {{'DOWN', _, _, _, {x}}} -> {to} ! {message}, r({x}) end"),
        format!("receive {x} -> r(shape({x})) after 0 -> r(none) end"),
        "demonitor(m())".to_owned(),
        "demonitor(m(), [flush])".to_owned(),
        format!("catch link({to})"),
        format!("catch link({to})"),
        format!("unlink({to})"),
        "process_flag(trap_exit, true)".to_owned(),
        format!("receive {{'EXIT', _, {x}}} -> r({x}) after 0 -> r(none) end"),
        format!("exit({to}, {message})"),
        format!("exit({to}, kill)"),
        format!("exit({message})"),
        format!("r(is_process_alive({to}))"),
        format!("r(process_info({to}, registered_name))"),
        format!("put(p, spawn_link(fun() -> receive {message} -> exit({other}) end end))"),
    ])
}

fn about_held(
    u: &mut Unstructured<'_>,
    message: &str,
    other: &str,
    to: &str,
) -> Result<Vec<String>> {
    let kind = *u.choose(&["reply_demonitor", "demonitor", "explicit_unalias"])?;
    let x = fresh(u)?;
    Ok(vec![
        format!("put(m, monitor(process, {to}))"),
        format!("put(m, monitor(process, {to}))"),
        format!("put(m, monitor(process, {to}))"),
        format!("put(m, monitor(process, {message}))"),
        format!("monitor(process, {to}), receive {{'DOWN', _, _, _, {x}}} -> r({x}) end"),
        format!("{x} = monitor(process, {to}), receive {{'DOWN', {x}, _, _, R{x}}} -> r(R{x}) end"),
        format!(
            "put(m, monitor(process, {to}, [{{alias, {kind}}}])), ets:insert(tab, {{alias, m()}})"
        ),
        format!("[{x} ! {message} || {{_, {x}}} <- ets:lookup(tab, alias)]"),
        format!("ets:insert(tab, {{k, {message}}})"),
        format!("ets:insert(tab, {{{other}, 1}})"),
        "r(ets:lookup(tab, k))".to_owned(),
        "[exit(a) || [] =/= ets:lookup(tab, k)]".to_owned(),
        format!("[exit({to}, a) || [] =/= ets:lookup(tab, k)]"),
        format!("catch register({message}, self())"),
        format!("r(case whereis({message}) of undefined -> no; _ -> yes end)"),
        format!("catch ({message} ! {other})"),
        format!("self() ! {message}"),
        format!("receive {{'DOWN', _, _, _, {x}}} -> r({x}) after 0 -> r(none) end"),
        format!("receive {{'DOWN', _, _, _, {x}}} -> r({x}) after 5 -> r(none) end"),
        format!("receive {x} -> r(shape({x})) after 5 -> r(none) end"),
        "demonitor(m())".to_owned(),
        "r(demonitor(m(), [flush, info]))".to_owned(),
        "demonitor(m(), [flush])".to_owned(),
        format!(
            "r(case process_info({to}, monitored_by) of {{_, {x}}} -> length({x}); _ -> no end)"
        ),
        format!("r(is_process_alive({to}))"),
        format!("catch link({to})"),
        format!("unlink({to})"),
        format!("exit({to}, {message})"),
        format!("exit({to}, kill)"),
        format!("exit({message})"),
    ])
}

fn about_keys(u: &mut Unstructured<'_>, message: &str, other: &str) -> Result<Vec<String>> {
    let key = *u.choose(&["k", "k", "n", "a"])?;
    Ok(vec![
        format!("r(ets:insert_new(tab, {{{key}, {message}}}))"),
        format!("r(ets:insert_new(tab, [{{{key}, 1}}, {{{other}, 1}}]))"),
        format!("r(ets:member(tab, {key}))"),
        format!("r(shape(catch ets:update_counter(tab, {key}, 1)))"),
        format!("r(shape(catch ets:update_counter(tab, {key}, 1, {{{key}, 0}})))"),
        format!("r(shape(catch ets:update_element(tab, {key}, {{2, {message}}})))"),
        format!("r(ets:lookup(tab, {key}))"),
        format!("ets:insert(tab, {{{key}, 1}})"),
        format!("ets:delete(tab, {key})"),
        format!("ets:delete_object(tab, {{{key}, 1}})"),
        format!("r(ets:take(tab, {key}))"),
        "ets:match_delete(tab, {'_', 1})".to_owned(),
        format!("ets:match_delete(tab, {{{key}, '_'}})"),
        format!("ets:match_delete(tab, {{'_', {message}}})"),
        "ets:match_delete(tab, '_')".to_owned(),
        "ets:delete_all_objects(tab)".to_owned(),
        "r(ets:select_delete(tab, [{'_', [], [true]}]))".to_owned(),
        "r(ets:select_delete(tab, [{{'_', 1}, [], [true]}]))".to_owned(),
        "r(ets:first(tab))".to_owned(),
        format!("r(shape(catch ets:next(tab, {key})))"),
        "r(ets:info(tab, size))".to_owned(),
    ])
}

fn about_heirs(u: &mut Unstructured<'_>, message: &str, to: &str) -> Result<Vec<String>> {
    let name = fresh(u)?;
    Ok(vec![
        format!("r(shape(catch ets:new(tab, [named_table, public, {{heir, {to}, gift}}])))"),
        format!("r(shape(catch ets:new(tab, [named_table, public, {{heir, {to}, gift}}])))"),
        format!("shape(catch ets:new({message}, [{{heir, {to}, gift}}]))"),
        "r(shape(ets:info(tab, heir)))".to_owned(),
        "r(shape(ets:info(tab, owner)))".to_owned(),
        "r(ets:info(tab, size))".to_owned(),
        format!("r(shape(catch ets:setopts(tab, {{heir, {to}, other}})))"),
        "r(shape(catch ets:setopts(tab, {heir, none})))".to_owned(),
        format!("r(shape(catch ets:give_away(tab, {to}, gift)))"),
        "r(shape(catch ets:delete(tab)))".to_owned(),
        "r(shape(catch ets:insert(tab, {k, 1})))".to_owned(),
        format!("receive {{'ETS-TRANSFER', _, _, {name}}} -> r({name}) after 0 -> r(none) end"),
        format!("exit({to}, kill)"),
        format!("exit({message})"),
    ])
}

fn in_vain(u: &mut Unstructured<'_>, message: &str, to: &str) -> Result<Vec<String>> {
    let name = fresh(u)?;
    Ok(vec![
        "catch demonitor(m(), [ban])".to_owned(),
        "r(shape(catch monitor(process, 1)))".to_owned(),
        "catch spawn_link(nothing)".to_owned(),
        "catch process_info(get(s), nothing)".to_owned(),
        format!("catch erlang:send_after(later, {to}, {message})"),
        "catch ets:insert(tab, nothing)".to_owned(),
        format!("exit({to}, a)"),
        format!("exit({to}, a)"),
        format!("exit({to}, normal)"),
        format!("unlink({to})"),
        format!("unlink({to})"),
        format!("catch link({to})"),
        "demonitor(m())".to_owned(),
        "r(demonitor(m(), [info]))".to_owned(),
        format!("put(m, monitor(process, {to}))"),
        format!("put(a, alias()), {to} ! {{alias, get(a)}}"),
        format!(
            "put(m, monitor(process, {to}, [{{alias, reply_demonitor}}])), {to} ! {{alias, m()}}"
        ),
        format!("put(m, monitor(process, {to}, [{{alias, demonitor}}])), {to} ! {{alias, m()}}"),
        "r(unalias(case get(a) of undefined -> m(); A -> A end))".replace("A", &name),
        format!("receive {{alias, {name}}} -> {name} ! {message}, {name} ! b after 0 -> ok end"),
        format!("receive {{alias, {name}}} -> {to} ! {{alias, {name}}} after 0 -> ok end"),
        "r(process_flag(trap_exit, true))".to_owned(),
        format!("receive {{'DOWN', _, _, _, {name}}} -> r({name}) after 0 -> r(none) end"),
        format!("receive {{'EXIT', _, {name}}} -> r({name}) after 0 -> r(none) end"),
        "exit(a)".to_owned(),
    ])
}

fn about_clocks(u: &mut Unstructured<'_>, to: &str) -> Result<Vec<String>> {
    let clock = *u.choose(&[
        "erlang:monotonic_time()",
        "erlang:monotonic_time()",
        "erlang:system_time()",
        "os:timestamp()",
        "erlang:now()",
        "erlang:monotonic_time(microsecond)",
    ])?;
    let name = fresh(u)?;
    Ok(vec![
        format!("{to} ! {{c, erlang:monotonic_time()}}"),
        format!("{to} ! {{c, {clock}}}"),
        format!("{to} ! {{c, {clock}}}"),
        format!("put(c, {clock})"),
        format!("r({clock})"),
        format!("receive {{c, {name}}} -> r({name}) end"),
        format!("receive {{c, {name}}} -> r({name} < erlang:monotonic_time()) end"),
        format!("receive {{c, {name}}} -> r({name}) after 10 -> r(none) end"),
        format!("catch ets:insert(tab, {{k, {clock}}})"),
        "r(catch ets:lookup(tab, k))".to_owned(),
    ])
}

/// Reads and writes by patterns and guards, and what they meet.
fn by_patterns(u: &mut Unstructured<'_>, other: &str) -> Result<Vec<String>> {
    let guard = *u.choose(&[
        "{'>', '$2', 1}",
        "{'=<', '$2', 1}",
        "{'=:=', '$2', {const, 2}}",
        "{'orelse', {is_atom, '$2'}, {'<', '$2', 0}}",
        "{'not', {'==', '$2', 1}}",
        "{'andalso', {is_integer, '$2'}, {'=/=', '$2', {'+', 1, 1}}}",
        "{'=/=', '$2', {self}}",
    ])?;
    let pattern =
        *u.choose(&["{'$1', '$2'}", "{'$1', '$2'}", "{'$2', '$2'}", "{'$1', {x, '$2'}}"])?;
    let value = *u.choose(&["0", "1", "2", "3", "x", "k", "{x, 1}", "{x, 2}"])?;
    Ok(vec![
        format!("r(lists:sort(ets:select(tab, [{{{pattern}, [{guard}], ['$_']}}])))"),
        format!("r(ets:select_count(tab, [{{{pattern}, [{guard}], [true]}}]))"),
        format!("r(ets:select_delete(tab, [{{{pattern}, [{guard}], [true]}}]))"),
        format!(
            "r(catch ets:select_replace(tab, [{{{{'$1', '$2'}}, [{guard}], [{{{{'$1', 3}}}}]}}]))"
        ),
        format!("ets:match_delete(tab, {{'_', {value}}})"),
        format!("r(lists:sort(ets:match_object(tab, {pattern})))"),
        format!("ets:insert(tab, {{k, {value}}})"),
        format!("ets:insert(tab, {{{other}, {value}}})"),
        format!("ets:insert(tab, [{{{other}, {value}}}, {{l, 1}}])"),
        format!("r(ets:insert_new(tab, {{{other}, {value}}}))"),
        "ets:delete(tab, k)".to_owned(),
        format!("ets:delete_object(tab, {{{other}, {value}}})"),
        "r(ets:take(tab, l))".to_owned(),
        "r(catch ets:update_counter(tab, l, 1) > 2)".to_owned(),
        "r(catch ets:update_element(tab, k, {2, 2}) =:= true)".to_owned(),
    ])
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
        PATTERNS => by_patterns(u, other)?,
        ENDS => about_ends(u, message, other, to)?,
        HELD => about_held(u, message, other, to)?,
        KEYS => about_keys(u, message, other)?,
        HEIRS => about_heirs(u, message, to)?,
        IN_VAIN => in_vain(u, message, to)?,
        CLOCKS => about_clocks(u, to)?,
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
