//! What assertion macros raise: EUnit's `?assert…` and `erlscope:assert`.
//!
//! `{assertEqual, [{module, M}, {line, L}, {expression, "f()"}, {expected, ok}, {value, error}]}`,
//! and so on; `{erlscope_assertion, [{message, Text}]}`.

use machine::Term;

use crate::failure::{Claim, Value};
use crate::reason::call_timed_out;

/// A violated assertion: its name and what it says, if that is why a process ended.
pub(crate) fn assertion(reason: &Term, say: &dyn Fn(&Term) -> String) -> Option<(String, Claim)> {
    let [name, details] = reason.as_tuple()? else { return None };
    let name = match name.as_atom()?.as_str() {
        "erlscope_assertion" => "erlscope:assert".to_owned(),
        name if name.starts_with("assert") => name.to_owned(),
        _ => return None,
    };
    let mut claim = Claim { call_timed_out: call_timed_out(details), ..Claim::default() };
    for pair in details.to_vec()? {
        let [key, told] = pair.as_tuple()? else { return None };
        let text = || machine::builtins::text_of(told).unwrap_or_else(|| say(told));
        match key.as_atom()?.as_str() {
            "expression" => claim.expression = Some(squeezed(&text())),
            "expected" => claim.expected = Some(say(told)),
            "pattern" => claim.expected = Some(squeezed(&text())),
            "value" => claim.value = Some(Value::Plain(say(told))),
            "unexpected_exception" => claim.value = Some(Value::Exception(say(told))),
            "unexpected_success" => claim.value = Some(Value::Instead(say(told))),
            "comment" | "message" => claim.comments.push(text()),
            _ => {}
        }
    }
    Some((name, claim))
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
