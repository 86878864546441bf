//! What became of contracts that were to be proven: for people, and as JSON.

use std::fmt::Write as _;

use serde::Serialize;
use session::contracts::prove::{Proved, Verdict, Why};
use syntax::wording::counted;

use super::message;
use crate::json::{VERSION, to_line};

/// A line for each contract, what is broken with the call that does it, and a sum.
pub fn text(proved: &[Proved], (depth, max_paths): (usize, u64)) -> String {
    let mut text = String::new();
    let mut sums = [0usize; 3];
    for one in proved {
        let contract = &one.contract;
        let about = contract.function.as_deref().unwrap_or("the state");
        let (file, line, column, kind) =
            (&one.file, contract.line, contract.column, contract.contract);
        let said = match &one.verdict {
            Verdict::Proven { paths } => {
                format!("proven: it holds on {}, which are all", counted(*paths, "path"))
            }
            Verdict::Pure => "proven: nothing that it may call acts".to_owned(),
            Verdict::Broken { call, broken } => format!("broken\n  {call}\n  {}", message(broken)),
            Verdict::Impure { path, action } => {
                format!("may be broken: {action}\n  by {}", path.join(" > "))
            }
            Verdict::Held { paths: 0, .. } => "not proven".to_owned(),
            Verdict::Held { paths, .. } => {
                format!("held on {}, not proven", counted(*paths, "path"))
            }
        };
        let _ = writeln!(text, "{file}:{line}:{column}: {kind} of {about}: {said}");
        let place = match &one.verdict {
            Verdict::Proven { .. } | Verdict::Pure => 0,
            Verdict::Broken { .. } | Verdict::Impure { .. } => 1,
            Verdict::Held { why, .. } => {
                let mut said: Vec<String> = Vec::new();
                for why in why.iter().map(|why| in_words(why, depth, max_paths)) {
                    if !said.contains(&why) {
                        let _ = writeln!(text, "  {why}");
                        said.push(why);
                    }
                }
                2
            }
        };
        sums[place] += 1;
    }
    let [proven, broken, open] = sums;
    let all = counted(proved.len() as u64, "contract");
    let _ = writeln!(text, "{all}: {proven} proven, {broken} broken, {open} not proven");
    text
}

fn in_words(why: &Why, depth: usize, max_paths: u64) -> String {
    match why {
        Why::NotReached => "no exported function comes to it".to_owned(),
        Why::States => "it is about what processes do: `erlscope explore --contracts` looks for \
                        what breaks it"
            .to_owned(),
        Why::NotKept { call } => format!(
            "{call} does not keep it, and it is not known whether a process comes to that state"
        ),
        Why::Paths { function, incomplete } => {
            let why = crate::concolic::bound(incomplete, depth, max_paths);
            format!("of {function} not every path was taken: {why}")
        }
        Why::NotFollowed { function, what } => {
            format!("{function}: what {what} decides was not followed")
        }
        Why::NoInput { function } => {
            format!("no input was found that satisfies what {function} asks for")
        }
        Why::Acts { function, path, action } => match &path[..] {
            [_] => format!("{function} does not only depend on its arguments: {action}"),
            path => format!(
                "{function} does not only depend on its arguments: {action} (by {})",
                path.join(" > ")
            ),
        },
        Why::Unknown { path, what } => match &path[..] {
            [only] => format!("{only}: {what}"),
            path => format!("{what} (by {})", path.join(" > ")),
        },
        Why::Failed { function, message } => format!("{function}: {message}"),
        Why::Stopped => "the work was stopped".to_owned(),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    contracts: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    proved: &'a Proved,
    /// What is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<super::Told<'a>>,
    /// Why it is not proven, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// All of them as one line of JSON.
pub fn json(proved: &[Proved], (depth, max_paths): (usize, u64)) -> String {
    fn entry(proved: &Proved, (depth, max_paths): (usize, u64)) -> Entry<'_> {
        let Proved { verdict, .. } = proved;
        let violation = match verdict {
            Verdict::Broken { broken, .. } => Some(super::told(broken)),
            _ => None,
        };
        let notes = match verdict {
            Verdict::Held { why, .. } => {
                why.iter().map(|why| in_words(why, depth, max_paths)).collect()
            }
            _ => Vec::new(),
        };
        Entry { proved, violation, notes }
    }
    let bounds = (depth, max_paths);
    let document = Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "contracts prove",
        contracts: proved.iter().map(|one| entry(one, bounds)).collect(),
    };
    format!("{}\n", to_line(&document))
}
