//! A module without its contracts: the forms that declare them are taken out of its text, with the
//! lines that they stand in alone, and with functions that only contracts of EDBC have.

use program::project::Unit;
use syntax::ast::{Kind as Node, Module, NodeId};

use crate::edbc;
use crate::read::KINDS;

/// The text of a module without contracts. Specs stay.
pub fn stripped(unit: &Unit, module: &Module) -> String {
    let Some(file) = module.files.first() else { return String::new() };
    let mut text = file.text.to_string();
    let mut ranges = Vec::new();
    for &form in &module.forms {
        if let Node::Attribute { name, .. } = module.kind(form)
            && KINDS.iter().any(|kind| kind.name() == name.as_str())
        {
            ranges.extend(range(module, form));
        }
    }
    if edbc::is_included(module) {
        let with_macros = edbc::with_macros(unit, module);
        for form in edbc::forms(&with_macros) {
            ranges.extend(range(&with_macros, form));
        }
        ranges.extend(include(&text));
    }
    ranges.sort_unstable();
    ranges.dedup();
    for (start, end) in ranges.into_iter().rev() {
        let (start, end) = whole_lines(&text, start, end);
        text.replace_range(start..end, "");
    }
    text
}

/// Where a form is in the module's own file, its full stop included.
fn range(module: &Module, form: NodeId) -> Option<(usize, usize)> {
    let span = module.span(form);
    if span.file.0 != 0 {
        return None;
    }
    let text = &module.files.first()?.text;
    let (start, mut end) = (span.start as usize, span.end as usize);
    if !text.get(start..end)?.ends_with('.') && text.get(end..)?.starts_with('.') {
        end += 1;
    }
    Some((start, end))
}

/// Where the header is included.
fn include(text: &str) -> Option<(usize, usize)> {
    let name = text.find("edbc.hrl")?;
    let start = text.get(..name)?.rfind("-include")?;
    let end = name + text.get(name..)?.find(").")? + 2;
    Some((start, end))
}

/// The lines of a range, if nothing else stands in them.
fn whole_lines(text: &str, start: usize, end: usize) -> (usize, usize) {
    let before = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let after = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let is_alone = text[before..start].trim().is_empty() && text[end..after].trim().is_empty();
    if is_alone { (before, after) } else { (start, end) }
}
