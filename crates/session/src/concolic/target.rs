//! Whether a line can be reached, or an assertion there can fail.

use atom::Atom;
use program::Program;

use super::{Failed, Ran, Request, Runs};
use crate::Error;

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub file: String,
    pub line: u32,
}

/// What was found out about a line.
#[derive(Clone, Debug)]
pub struct Target {
    pub at: Line,
    /// The first input that reaches it, if one does.
    pub reached: Option<Ran>,
    /// The error at that line, by its place among the errors.
    pub fails: Option<usize>,
    /// Whether every path was taken: then a line that was not reached cannot be, and an assertion
    /// that did not fail cannot fail.
    pub is_proven: bool,
}

/// A line that is watched.
pub(super) struct Aim {
    at: Option<(Line, Atom)>,
    /// Goals below this number are known not to be there.
    looked: u32,
    /// Whether it is an assertion: then it matters whether it fails.
    is_assertion: bool,
    reached: Option<Ran>,
    fails: bool,
}

impl Aim {
    pub(super) fn of(request: &Request, program: &Program) -> Result<Aim, Error> {
        let mut aim = Aim { at: None, looked: 0, is_assertion: false, reached: None, fails: false };
        let Some(line) = &request.unreachable else { return Ok(aim) };
        let is_it = |path: &std::path::Path| path.ends_with(&line.file);
        let module = program.modules.iter().find(|module| is_it(&module.unit.path));
        let Some(module) = module else {
            return Err(Error::Missing(format!("no module of the program is in {}", line.file)));
        };
        let tree = &module.tree;
        let mut has_code = false;
        for &form in &tree.forms {
            tree.for_each_below(form, |node| {
                has_code |= tree.loc(node).line == line.line;
            });
        }
        if !has_code {
            let message = format!("line {} of {} has no code", line.line, line.file);
            return Err(Error::Missing(message));
        }
        let text = std::fs::read_to_string(&module.unit.path).unwrap_or_default();
        let source = text.lines().nth((line.line as usize).saturating_sub(1));
        aim.is_assertion = source.is_some_and(|source| source.contains("assert"));
        aim.at = Some((line.clone(), module.name));
        Ok(aim)
    }

    /// Whether there is nothing else to be found out.
    pub(super) fn is_reached(&self) -> bool {
        self.reached.is_some() && (!self.is_assertion || self.fails)
    }

    /// A run is over.
    pub(super) fn look(&mut self, runs: &Runs<'_>) {
        let Some((line, module)) = &self.at else { return };
        self.fails |= runs.seen.failed.iter().any(|failed| is_at(failed, line));
        if self.reached.is_some() {
            return;
        }
        // By lines of what runs: a parse transform may have made other nodes.
        let source = runs.stand.machine().code().module(*module);
        let Some(tree) = source.map(|info| info.source.tree()) else { return };
        for ((of, node, _), number) in runs.stand.goals().since(self.looked) {
            self.looked = self.looked.max(number + 1);
            if of != *module || tree.loc(node).line != line.line {
                continue;
            }
            let path = runs.by_goal.get(&number).copied();
            self.reached = path.and_then(|path| runs.seen.ran.get(path).cloned());
            return;
        }
    }

    pub(super) fn told(self, errors: &[Failed], is_complete: bool) -> Option<Target> {
        let (at, _) = self.at?;
        let fails = errors.iter().position(|failed| is_at(failed, &at));
        Some(Target { at, reached: self.reached, fails, is_proven: is_complete })
    }
}

fn is_at(failed: &Failed, line: &Line) -> bool {
    let file = failed.file.as_deref().map(std::path::Path::new);
    failed.line == Some(line.line) && file.is_some_and(|file| file.ends_with(&line.file))
}
