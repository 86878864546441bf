//! `erlscope explain`: what a kind of diagnostic or finding means.

use std::io;

use atom::Atom;
use program::lint::similar::nearest;
use registry::Row;
use report::explanations;

use crate::args::{Color, Explain, ExplainFormat};
use crate::exit::Exit;
use crate::front::Failure;
use crate::output;

pub(crate) fn run(explain: &Explain, color: Color) -> Result<Exit, Failure> {
    let mut rows: Vec<&Row> = Vec::new();
    let mut unknown = Vec::new();
    for code in &explain.codes {
        match registry::find(bare(code)) {
            Some(row) => rows.push(row),
            None => unknown.push(format!("there is no kind {}{}", bare(code), hint(bare(code)))),
        }
    }
    if !unknown.is_empty() {
        unknown.iter().for_each(|message| output::complain(message));
        return Ok(Exit::Unusable);
    }
    let colour = explain.output.is_none() && output::coloured(color, &io::stdout());
    let text = match explain.format {
        ExplainFormat::Json if rows.is_empty() => {
            explanations::json(&registry::rows().collect::<Vec<_>>(), false)
        }
        ExplainFormat::Json => explanations::json(&rows, true),
        ExplainFormat::Text if rows.is_empty() => explanations::list_text(colour),
        ExplainFormat::Text => {
            let pages = rows.iter().map(|row| explanations::page_text(row, colour));
            pages.collect::<Vec<_>>().join("\n")
        }
    };
    output::write_document(explain.output.as_deref(), &text)?;
    Ok(Exit::NothingFound)
}

/// A code as it is copied from a report: `[unbound_var]`, `error[unbound_var]:`.
fn bare(code: &str) -> &str {
    let code = code.split_once('[').map_or(code, |(_, rest)| rest);
    code.split_once(']').map_or(code, |(code, _)| code).trim_end_matches(':')
}

/// What may have been meant: the nearest name, else those that have the word in them.
fn hint(code: &str) -> String {
    let codes = registry::rows().map(|row| Atom::new(row.code));
    let near = nearest(Atom::new(code), codes).map(|near| near.as_str().to_owned());
    let mut meant: Vec<String> = near.into_iter().collect();
    if code.len() >= 3 {
        let having = registry::rows().map(|row| row.code).filter(|known| known.contains(code));
        meant.extend(having.map(str::to_owned));
    }
    meant.dedup();
    meant.truncate(8);
    match meant.is_empty() {
        true => "; erlscope explain lists all".to_owned(),
        false => format!("; did you mean {}?", meant.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{bare, hint};

    #[test]
    fn codes_are_taken_as_they_are_shown() {
        for shown in ["unbound_var", "[unbound_var]", "error[unbound_var]:", "unbound_var:"] {
            assert_eq!(bare(shown), "unbound_var");
        }
    }

    #[test]
    fn unknown_codes_have_suggestions() {
        assert_eq!(hint("unbund_var"), "; did you mean unbound_var?");
        assert!(hint("record").contains("undefined_record"));
        assert_eq!(hint("qwertyuiop"), "; erlscope explain lists all");
    }
}
