//! What assertion macros raise: EUnit's `?assert…` and `erlscope:assert`.
//!
//! `{assertEqual, [{module, M}, {line, L}, {expression, "f()"}, {expected, ok}, {value, error}]}`, and so
//! on; `{erlscope_assertion, [{message, Text}]}`.

use machine::Term;

/// A violated assertion.
pub(crate) struct Assertion {
    /// `assertEqual`.
    pub(crate) name: String,
    /// What it says: "expected ok, got error".
    pub(crate) says: Vec<String>,
}

/// What a reason says, if it is that of an assertion.
pub(crate) fn assertion(reason: &Term, say: &dyn Fn(&Term) -> String) -> Option<Assertion> {
    let [name, details] = reason.as_tuple()? else { return None };
    let name = name.as_atom()?.as_str().to_owned();
    if !name.starts_with("assert") && name != "erlscope_assertion" {
        return None;
    }
    let name = if name == "erlscope_assertion" { "erlscope:assert".to_owned() } else { name };
    let mut found = Assertion { name, says: Vec::new() };
    let (mut expression, mut expected, mut value) = (None, None, None);
    for pair in details.to_vec()? {
        let [key, told] = pair.as_tuple()? else { return None };
        let text = || machine::builtins::text_of(told).unwrap_or_else(|| say(told));
        match key.as_atom()?.as_str() {
            "expression" => expression = Some(squeezed(&text())),
            "expected" => expected = Some(say(told)),
            "pattern" => expected = Some(squeezed(&text())),
            "value" => value = Some(say(told)),
            "unexpected_exception" => value = Some(format!("the exception {}", say(told))),
            "unexpected_success" => value = Some(format!("the value {}", say(told))),
            "comment" | "message" => found.says.push(text()),
            _ => {}
        }
    }
    found.says.extend(match (expression, expected, value) {
        (Some(what), Some(expected), Some(value)) => {
            Some(format!("{what} is {value}, expected is {expected}"))
        }
        (Some(what), None, Some(value)) => Some(format!("{what} is {value}")),
        (Some(what), Some(expected), None) => Some(format!("{what} is not {expected}")),
        (Some(what), None, None) => Some(what),
        (None, Some(expected), Some(value)) => Some(format!("{value}, expected is {expected}")),
        _ => None,
    });
    Some(found)
}

/// An expression that the preprocessor has spread out (`f ( X )`), with fewer spaces.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        out.push_str(word);
        let opens = word.ends_with(['(', '[', '{', ':', '/', '#', '?']);
        let next_closes = words.peek().is_none_or(|next| {
            next.starts_with([')', ']', '}', ',', ':', '/', ';'])
                || (next.starts_with('(') && !word.ends_with(['=', '>', '<', '+', '-', ',', '*']))
        });
        if !opens && !next_closes {
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::squeezed;

    #[test]
    fn expressions() {
        assert_eq!(squeezed("ping_pong : pong ( )"), "ping_pong:pong()");
        assert_eq!(squeezed("f ( X , [ 1 , 2 ] ) + g ( )"), "f(X, [1, 2]) + g()");
    }
}
