//! Slicing criteria: the value of a variable at a place, as a person names it.
//!
//! A criterion is found in the text as it was written: lines and columns are those of the file, not
//! those that `-file` attributes claim. A variable that stands in the text more than once on the
//! line has to be chosen by its column or by its number; one that only a macro's body mentions
//! cannot be chosen, because no place of the text is it.

use std::fmt;

use atom::{Atom, known};
use flow::{Flow, Site};
use syntax::ast::{Kind, Module, NodeId};
use syntax::source::{FileId, Loc};

/// A variable at a place of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Criterion {
    pub module: Atom,
    /// From 1, as in the file.
    pub line: u32,
    /// From 1, in characters: where the variable begins, or any of its characters.
    pub column: Option<u32>,
    pub variable: Atom,
    /// From 1: which of the occurrences on the line, from left to right.
    pub occurrence: Option<u32>,
}

impl Criterion {
    pub fn new(module: Atom, line: u32, variable: &str) -> Criterion {
        let variable = Atom::new(variable);
        Criterion { module, line, column: None, variable, occurrence: None }
    }
}

/// Why a criterion means nothing, and what could be meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CriterionError {
    NoModule {
        module: Atom,
        modules: Vec<Atom>,
    },
    NoLine {
        line: u32,
        lines: u32,
    },
    /// No variable of that name there. The names that are there, and the lines nearest to it that
    /// have the name.
    NoVariable {
        variable: Atom,
        line: u32,
        present: Vec<Atom>,
        /// What is on the line instead of code of a function.
        instead: Option<&'static str>,
        elsewhere: Vec<u32>,
    },
    /// Several, none chosen: their columns.
    Several {
        variable: Atom,
        line: u32,
        columns: Vec<u32>,
    },
    NoOccurrence {
        variable: Atom,
        line: u32,
        occurrence: u32,
        columns: Vec<u32>,
    },
    NotInColumn {
        variable: Atom,
        line: u32,
        column: u32,
        columns: Vec<u32>,
    },
    /// No run reaches it: the clause that begins on this line is never chosen.
    NeverChosen {
        variable: Atom,
        line: u32,
        clause: u32,
    },
    /// It stands in the expansion of a macro only.
    InMacro {
        variable: Atom,
        line: u32,
        name: Atom,
    },
}

impl fmt::Display for CriterionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CriterionError::NoModule { module, modules } => {
                write!(f, "there is no module {module} in the program")?;
                listed(f, "; there is ", modules)
            }
            CriterionError::NoLine { line, lines } => {
                write!(f, "there is no line {line}: the file has {lines} lines")
            }
            CriterionError::NoVariable { variable, line, present, instead, elsewhere } => {
                write!(f, "there is no variable {variable} on line {line}")?;
                if let Some(instead) = instead {
                    write!(f, ", which {instead}")?;
                } else if *variable == known::UNDERSCORE {
                    write!(f, ": _ never has a value")?;
                    return listed(f, "; there is ", present);
                } else if present.is_empty() {
                    write!(f, ", nor any other")?;
                } else {
                    listed(f, "; there is ", present)?;
                }
                if elsewhere.is_empty() {
                    write!(f, "; {variable} is nowhere in this file")
                } else {
                    let lines = if elsewhere.len() == 1 { "line" } else { "lines" };
                    listed(f, &format!("; {variable} is on {lines} "), elsewhere)
                }
            }
            CriterionError::Several { variable, line, columns } => {
                write!(f, "{variable} stands {} times on line {line}", columns.len())?;
                listed(f, ", in columns ", columns)?;
                write!(f, ": choose one with its column")
            }
            CriterionError::NoOccurrence { variable, line, occurrence, columns } => {
                write!(f, "there is no occurrence {occurrence} of {variable} on line {line}")?;
                listed(f, it_stands_in(columns), columns)
            }
            CriterionError::NotInColumn { variable, line, column, columns } => {
                write!(f, "{variable} is not in column {column} of line {line}")?;
                listed(f, it_stands_in(columns), columns)
            }
            CriterionError::NeverChosen { variable, line, clause } => write!(
                f,
                "{variable} on line {line} never has a value: the clause that begins on line \
                 {clause} is never chosen, so nothing influences it"
            ),
            CriterionError::InMacro { variable, line, name } => write!(
                f,
                "on line {line} {variable} comes out of the macro ?{name} only: choose a variable \
                 that is written in the text"
            ),
        }
    }
}

impl std::error::Error for CriterionError {}

fn it_stands_in(columns: &[u32]) -> &'static str {
    if columns.len() == 1 { ": it stands in column " } else { ": it stands in columns " }
}

fn listed(f: &mut fmt::Formatter<'_>, before: &str, items: &[impl fmt::Display]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let before = match index {
            0 => before,
            _ if index + 1 == items.len() => " and ",
            _ => ", ",
        };
        write!(f, "{before}{item}")?;
    }
    Ok(())
}

/// A variable in the code of a module, as it is written.
struct Found {
    node: NodeId,
    name: Atom,
    loc: Loc,
    /// The macro that it is from.
    expansion: Option<Atom>,
}

/// All variables in functions, in the order of the text.
fn variables(tree: &Module) -> Vec<Found> {
    let mut found = Vec::new();
    for &form in &tree.forms {
        if !matches!(tree.kind(form), Kind::Function { .. }) {
            continue;
        }
        tree.for_each_below(form, |node| {
            let Kind::Var(name) = tree.kind(node) else { return };
            let written = tree.written(tree[node].first);
            if written.file != FileId::MAIN || name == known::UNDERSCORE {
                return;
            }
            let loc = tree.file(written.file).loc(written.start);
            let expansion = tree.token(tree[node].first).expansion;
            let expansion = expansion.map(|id| tree.expansion(id).name);
            found.push(Found { node, name, loc, expansion });
        });
    }
    found.sort_by_key(|found| (found.loc, found.node));
    found
}

/// Finds the node that a criterion means.
pub(crate) fn find(flow: &Flow, criterion: &Criterion) -> Result<Site, CriterionError> {
    let position = flow.modules.position(|module| module.name == criterion.module);
    let Some(position) = position else {
        let modules = flow.modules.iter().map(|module| module.name).collect();
        return Err(CriterionError::NoModule { module: criterion.module, modules });
    };
    let node = find_in(&flow.modules[position].tree, criterion)?;
    Ok(Site { module: position, node })
}

fn find_in(tree: &Module, criterion: &Criterion) -> Result<NodeId, CriterionError> {
    let Criterion { line, column, variable, occurrence, .. } = *criterion;
    let file = tree.file(FileId::MAIN);
    let lines = file.line_starts.len() as u32 - u32::from(file.text.ends_with('\n'));
    if line == 0 || line > lines {
        return Err(CriterionError::NoLine { line, lines });
    }
    let all = variables(tree);
    let on_line: Vec<&Found> = all.iter().filter(|found| found.loc.line == line).collect();
    let named = || on_line.iter().filter(|found| found.name == variable);
    let plain: Vec<&Found> = named().filter(|found| found.expansion.is_none()).copied().collect();
    if plain.is_empty() {
        if let Some(name) = named().find_map(|found| found.expansion) {
            return Err(CriterionError::InMacro { variable, line, name });
        }
        let instead = if on_line.is_empty() { no_code(tree, line) } else { None };
        return Err(no_variable(&all, &on_line, variable, (line, instead)));
    }
    let columns: Vec<u32> = plain.iter().map(|found| found.loc.column).collect();
    if let Some(column) = column {
        let width = variable.as_str().chars().count() as u32;
        let hit = plain
            .iter()
            .find(|found| (found.loc.column..found.loc.column + width).contains(&column));
        return hit.map(|found| found.node).ok_or(CriterionError::NotInColumn {
            variable,
            line,
            column,
            columns,
        });
    }
    if let Some(occurrence) = occurrence {
        let hit = (occurrence as usize).checked_sub(1).and_then(|index| plain.get(index));
        return hit.map(|found| found.node).ok_or(CriterionError::NoOccurrence {
            variable,
            line,
            occurrence,
            columns,
        });
    }
    match plain[..] {
        [found] => Ok(found.node),
        _ => Err(CriterionError::Several { variable, line, columns }),
    }
}

/// How many other lines a message names.
const NEAREST: usize = 3;

/// What a line is that belongs to no function.
fn no_code(tree: &Module, line: u32) -> Option<&'static str> {
    let file = tree.file(FileId::MAIN);
    let is_around = |&form: &NodeId| {
        let span = tree.span(form);
        matches!(tree.kind(form), Kind::Function { .. })
            && span.file == FileId::MAIN
            && (file.loc(span.start).line..=file.loc(span.end).line).contains(&line)
    };
    let start = *file.line_starts.get(line as usize - 1)? as usize;
    let text = file.text.get(start..)?.lines().next()?.trim();
    Some(match text {
        "" => "is empty",
        text if text.starts_with('%') => "is a comment",
        _ if tree.forms.iter().any(is_around) => return None,
        text if text.starts_with("-define") => "defines a macro: choose a place where it is used",
        text if text.starts_with("-spec") || text.starts_with("-type") => "tells types only",
        _ => "belongs to no function",
    })
}

fn no_variable(
    all: &[Found],
    on_line: &[&Found],
    variable: Atom,
    (line, instead): (u32, Option<&'static str>),
) -> CriterionError {
    let mut present: Vec<Atom> = Vec::new();
    for found in on_line.iter().filter(|found| found.expansion.is_none()) {
        if !present.contains(&found.name) {
            present.push(found.name);
        }
    }
    let plain = all.iter().filter(|found| found.name == variable && found.expansion.is_none());
    let mut elsewhere: Vec<u32> = plain.map(|found| found.loc.line).collect();
    elsewhere.dedup();
    elsewhere.sort_by_key(|other| (other.abs_diff(line), *other));
    elsewhere.truncate(NEAREST);
    elsewhere.sort_unstable();
    CriterionError::NoVariable { variable, line, present, instead, elsewhere }
}

/// Every variable that is written in the program's functions, by module and place: all that can be
/// a criterion.
pub(crate) fn all(flow: &Flow) -> Vec<(Site, Criterion)> {
    let mut criteria = Vec::new();
    for (id, module) in flow.modules.enumerate() {
        let mut last = (0, known::UNDERSCORE);
        let mut seen: Vec<(Atom, u32)> = Vec::new();
        for found in variables(&module.tree) {
            if found.expansion.is_some() {
                continue;
            }
            if last.0 != found.loc.line {
                seen.clear();
            }
            last = (found.loc.line, found.name);
            let occurrence = match seen.iter_mut().find(|(name, _)| *name == found.name) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    seen.push((found.name, 1));
                    1
                }
            };
            let criterion = Criterion {
                module: module.name,
                line: found.loc.line,
                column: Some(found.loc.column),
                variable: found.name,
                occurrence: Some(occurrence),
            };
            criteria.push((Site { module: id, node: found.node }, criterion));
        }
    }
    criteria
}
