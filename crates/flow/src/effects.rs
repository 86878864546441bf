//! What functions of the library do that is not a value: `models/effects.txt`, read once.

use std::sync::OnceLock;

/// A thing that a call may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Spawns,
    Sends,
    Throws,
    /// It links its process to another.
    Links,
    MayLink,
    /// It links to a process that is there already.
    LinksExisting,
    /// From then on its process may notice that another ends.
    Watches,
    /// Its value says whether processes have ended.
    TellsEnds,
    /// What it does depends on whether a process has ended.
    NeedsEnds,
    /// Other processes may see that it was called, through no state.
    Acts,
    Waits,
    /// Of a run it is known who wrote what it read.
    SeenExactly,
    /// Of a run it is known that its process, or the one that it means, got a signal.
    SeenBySignals,
    SeenByAnySignal,
}

const WORDS: &[(&str, Effect)] = &[
    ("spawns", Effect::Spawns),
    ("sends", Effect::Sends),
    ("throws", Effect::Throws),
    ("links", Effect::Links),
    ("may link", Effect::MayLink),
    ("links existing", Effect::LinksExisting),
    ("watches", Effect::Watches),
    ("tells ends", Effect::TellsEnds),
    ("needs ends", Effect::NeedsEnds),
    ("acts", Effect::Acts),
    ("waits", Effect::Waits),
    ("seen exactly", Effect::SeenExactly),
    ("seen by signals", Effect::SeenBySignals),
    ("seen by any signal", Effect::SeenByAnySignal),
];

/// State that outlives calls, and whether it is changed, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    pub state: &'static str,
    pub changed: bool,
}

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effects {
    pub touched: Option<Touched>,
    /// The place of the argument that says which process is meant, perhaps by its name.
    pub process: Option<usize>,
    all: u32,
}

impl Effects {
    pub fn has(self, effect: Effect) -> bool {
        self.all & 1 << effect as u32 != 0
    }

    /// Takes a word of the file; `None` if there is no such word.
    fn note(&mut self, word: &'static str) -> Option<()> {
        match word.split_once(' ') {
            Some(("reads", state)) => self.touched = Some(Touched { state, changed: false }),
            Some(("changes", state)) => self.touched = Some(Touched { state, changed: true }),
            Some(("process", nth)) => {
                self.process = Some(nth.parse::<usize>().ok()?.checked_sub(1)?)
            }
            _ if word == "nothing" => {}
            _ => {
                let (_, effect) = WORDS.iter().find(|(known, _)| *known == word)?;
                self.all |= 1 << *effect as u32;
            }
        }
        Some(())
    }
}

/// What functions of a module a row is for.
#[derive(Debug)]
struct Name {
    name: &'static str,
    from: u32,
    to: u32,
}

impl Name {
    /// `name`, `name/2`, `name/2-3`.
    fn read(text: &'static str) -> Option<Name> {
        let Some((name, arity)) = text.rsplit_once('/') else {
            return Some(Name { name: text, from: 0, to: u32::MAX });
        };
        let (from, to) = arity.split_once('-').unwrap_or((arity, arity));
        Some(Name { name, from: from.parse().ok()?, to: to.parse().ok()? })
    }

    fn fits(&self, name: &str, arity: u32) -> bool {
        (self.name == "*" || self.name == name) && (self.from..=self.to).contains(&arity)
    }
}

#[derive(Debug)]
struct Row {
    module: &'static str,
    names: Vec<Name>,
    effects: Effects,
}

impl Row {
    fn read(module: &'static str, line: &'static str) -> Option<Row> {
        let (names, words) = line.split_once('=')?;
        let mut effects = Effects::default();
        for word in words.split(',') {
            effects.note(word.trim())?;
        }
        let names: Option<Vec<Name>> = names.split_whitespace().map(Name::read).collect();
        Some(Row { module, names: names?, effects })
    }
}

/// The rows of the file, and the lines that are none.
fn read(text: &'static str) -> (Vec<Row>, Vec<&'static str>) {
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    let mut module = "";
    for line in text.lines() {
        match line.trim() {
            "" => {}
            comment if comment.starts_with('#') => {}
            name if !line.starts_with(' ') => module = name,
            row => match Row::read(module, row) {
                Some(row) => rows.push(row),
                None => wrong.push(line),
            },
        }
    }
    (rows, wrong)
}

const TEXT: &str = include_str!("../models/effects.txt");

/// What a function of the library does, if something is known of it.
pub fn known(module: &str, name: &str, arity: u32) -> Option<Effects> {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    let rows = ROWS.get_or_init(|| read(TEXT).0);
    let row = |of: &str| {
        let mut rows = rows.iter().filter(|row| row.module == of);
        let found = rows.find(|row| row.names.iter().any(|it| it.fits(name, arity)));
        found.map(|row| row.effects)
    };
    match (row(module), row("*")) {
        (Some(own), Some(any)) => Some(Effects { all: own.all | any.all, ..own }),
        (own, any) => own.or(any),
    }
}

/// What a function of the library does.
pub fn of(module: &str, name: &str, arity: u32) -> Effects {
    known(module, name, arity).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_understood() {
        assert_eq!(read(TEXT).1, Vec::<&str>::new());
        assert_eq!(read("m\n    f = flies\n").1, ["    f = flies"]);
    }

    #[test]
    fn rows_are_found() {
        let demonitor = of("erlang", "demonitor", 2);
        assert_eq!(demonitor.touched, Some(Touched { state: "processes", changed: true }));
        assert!(of("erlang", "exit", 1).has(Effect::Throws));
        assert!(of("erlang", "exit", 2).has(Effect::Sends));
        // Its own row, and that for any module.
        let start = of("supervisor", "start_link", 2);
        assert!(start.has(Effect::Waits) && start.has(Effect::Links) && start.has(Effect::MayLink));
        assert!(of("their", "start_link", 3).has(Effect::Links));
        assert_eq!(of("timer", "send_after", 3).process, Some(1));
        assert_eq!(of("timer", "send_after", 2).process, None);
        assert_eq!(known("lists", "map", 2), None);
    }
}
