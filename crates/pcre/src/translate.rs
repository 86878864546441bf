//! Patterns of PCRE 8 for PCRE2.
//!
//! * `{,3}` and `{ 3 }` are text, not quantifiers: the brace is escaped.
//! * Letters without a meaning after a backslash, and 8 and 9 if there are not so many groups, mean
//!   themselves.
//! * In `[\d-z]` the hyphen is one of the characters: it is escaped.
//! * What a recursive call has matched is not taken back: each is put into an atomic group, which
//!   does not change the numbers of groups.
//!
//! The pattern is scanned once; what is in a class, quoted or escaped is left alone. A pattern that
//! is wrong comes out as wrong; where in the original a position is says [`Translated::position`].

use std::borrow::Cow;

pub(crate) struct Translated<'a> {
    pub(crate) pattern: Cow<'a, [u8]>,
    /// Where something was put in, in the new pattern, and how many bytes; or where a byte was left
    /// out (0).
    inserted: Vec<(usize, usize)>,
}

impl Translated<'_> {
    /// A position in the new pattern as one in the old.
    pub(crate) fn position(&self, new: usize) -> usize {
        let before = self.inserted.iter().filter(|(at, _)| *at < new);
        let (mut more, mut less) = (0, 0);
        for (at, length) in before {
            match length {
                0 => more += 1,
                _ => less += (*length).min(new - at),
            }
        }
        new + more - less
    }
}

pub(crate) fn translate(pattern: &[u8], extended: bool) -> Translated<'_> {
    let mut output = Vec::new();
    let mut inserted = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    // Groups that have started.
    let mut groups = 0;
    while at < pattern.len() {
        let rest = &pattern[at..];
        let length = match rest {
            [b'\\', b'Q', quoted @ ..] => {
                let end = quoted.windows(2).position(|two| two == b"\\E");
                end.map_or(rest.len(), |end| end + 4)
            }
            [b'\\', b'g', b'<' | b'\'', ..] => match call_by_name(rest) {
                Some(length) => {
                    wrap(pattern, at, length, &mut copied, &mut output, &mut inserted);
                    length
                }
                None => 2,
            },
            [b'\\', byte, ..] if is_literal(*byte) || is_no_reference(&rest[1..], groups) => {
                skip(pattern, at, &mut copied, &mut output, &mut inserted);
                2
            }
            [b'\\', _, ..] => 2,
            [b'[', ..] => {
                let length = class(rest);
                for (place, change) in changes_in_class(&rest[..length]) {
                    match change {
                        Change::Escape => {
                            escape(pattern, at + place, &mut copied, &mut output, &mut inserted)
                        }
                        Change::Skip => {
                            skip(pattern, at + place, &mut copied, &mut output, &mut inserted)
                        }
                    }
                }
                length
            }
            [b'(', b'?', b'#', ..] => until(rest, b')'),
            [b'(', b'?', ..] => match call(rest) {
                Some(length) => {
                    wrap(pattern, at, length, &mut copied, &mut output, &mut inserted);
                    length
                }
                None => {
                    let is_named = matches!(rest.get(2), Some(b'\''))
                        || rest.get(2) == Some(&b'P') && rest.get(3) == Some(&b'<')
                        || rest.get(2) == Some(&b'<') && !matches!(rest.get(3), Some(b'=' | b'!'));
                    groups += usize::from(is_named);
                    2
                }
            },
            [b'(', next, ..] if *next != b'*' => {
                groups += 1;
                1
            }
            [b'#', ..] if extended => until(rest, b'\n'),
            [b'{', inside @ ..] if only_new_quantifier(inside) => {
                escape(pattern, at, &mut copied, &mut output, &mut inserted);
                1
            }
            _ => 1,
        };
        at += length.max(1);
    }
    let pattern = if inserted.is_empty() {
        Cow::Borrowed(pattern)
    } else {
        output.extend(&pattern[copied..]);
        Cow::Owned(output)
    };
    Translated { pattern, inserted }
}

/// Puts a backslash before a byte.
fn escape(
    pattern: &[u8],
    at: usize,
    copied: &mut usize,
    output: &mut Vec<u8>,
    inserted: &mut Vec<(usize, usize)>,
) {
    output.extend(&pattern[*copied..at]);
    inserted.push((output.len(), 1));
    output.push(b'\\');
    *copied = at;
}

/// Leaves a byte out.
fn skip(
    pattern: &[u8],
    at: usize,
    copied: &mut usize,
    output: &mut Vec<u8>,
    inserted: &mut Vec<(usize, usize)>,
) {
    output.extend(&pattern[*copied..at]);
    inserted.push((output.len(), 0));
    *copied = at + 1;
}

/// Letters that mean themselves after a backslash; newer versions keep them for later.
fn is_literal(byte: u8) -> bool {
    b"FIJMOTYijmqy".contains(&byte)
}

/// Letters that say something about a place, or more than one character: in a class they mean
/// themselves.
fn is_literal_in_class(byte: u8) -> bool {
    b"ABCGKRXZgkz".contains(&byte)
}

/// Whether a number after a backslash starts with 8 or 9 and is more than there are groups: then
/// the first digit means itself.
fn is_no_reference(digits: &[u8], groups: usize) -> bool {
    let number = digits.iter().take_while(|byte| byte.is_ascii_digit()).take(6);
    let number = number.fold(0, |number, byte| number * 10 + usize::from(byte - b'0'));
    matches!(digits.first(), Some(b'8' | b'9')) && number > groups
}

enum Change {
    Escape,
    Skip,
}

/// What is to be changed in a class: hyphens that stand after a set of characters (`\d`,
/// `[:alpha:]`) make no range, and some letters mean themselves after a backslash.
fn changes_in_class(class: &[u8]) -> Vec<(usize, Change)> {
    let mut changes = Vec::new();
    let mut at = 1;
    while at < class.len() {
        let (length, is_set) = match &class[at..] {
            [b'\\', b'Q', quoted @ ..] => {
                let end = quoted.windows(2).position(|two| two == b"\\E");
                (end.map_or(class.len(), |end| end + 4), false)
            }
            [b'\\', b'p' | b'P', b'{', name @ ..] => {
                (name.iter().position(|&byte| byte == b'}').map_or(2, |end| end + 4), true)
            }
            [b'\\', b'p' | b'P', _, ..] => (3, true),
            [b'\\', letter, ..] => {
                if is_literal(*letter) || is_literal_in_class(*letter) {
                    changes.push((at, Change::Skip));
                }
                (2, b"dDwWsShHvV".contains(letter))
            }
            [b'[', b':', name @ ..] => match name.windows(2).position(|two| two == b":]") {
                Some(end) if !name[..end].contains(&b']') => (end + 4, true),
                _ => (1, false),
            },
            _ => (1, false),
        };
        at += length;
        if is_set && class.get(at) == Some(&b'-') && class.get(at + 1) != Some(&b']') {
            changes.push((at, Change::Escape));
            at += 1;
        }
    }
    changes
}

/// Puts a call into an atomic group.
fn wrap(
    pattern: &[u8],
    at: usize,
    length: usize,
    copied: &mut usize,
    output: &mut Vec<u8>,
    inserted: &mut Vec<(usize, usize)>,
) {
    output.extend(&pattern[*copied..at]);
    inserted.push((output.len(), 3));
    output.extend(b"(?>");
    output.extend(&pattern[at..at + length]);
    inserted.push((output.len(), 1));
    output.push(b')');
    *copied = at + length;
}

/// The length of a class; of `[` alone if it has no end.
fn class(rest: &[u8]) -> usize {
    let mut at = 1;
    if rest.get(at) == Some(&b'^') {
        at += 1;
    }
    // A bracket that stands first is a member.
    if rest.get(at) == Some(&b']') {
        at += 1;
    }
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' if rest.get(at + 1) == Some(&b'Q') => {
                let quoted = &rest[at + 2..];
                match quoted.windows(2).position(|two| two == b"\\E") {
                    Some(end) => at += end + 4,
                    None => return 1,
                }
            }
            b'\\' => at += 2,
            b'[' if matches!(rest.get(at + 1), Some(b':' | b'.' | b'=')) => {
                let kind = rest[at + 1];
                let end = rest[at + 2..].windows(2).position(|two| two == [kind, b']']);
                // `[:` without an end is two members.
                let is_name = |end: usize| !rest[at + 2..at + 2 + end].contains(&b']');
                at += end.filter(|end| is_name(*end)).map_or(1, |end| end + 4);
            }
            b']' => return at + 1,
            _ => at += 1,
        }
    }
    1
}

/// Where the group ends that starts at a place: at its closing parenthesis, or at the end of the
/// pattern.
pub(crate) fn group_end(pattern: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0;
    while let Some(rest) = pattern.get(at..).filter(|rest| !rest.is_empty()) {
        at += match rest[0] {
            b'\\' => 2,
            b'[' => class(rest),
            b'(' => {
                depth += 1;
                1
            }
            b')' if depth <= 1 => return at,
            b')' => {
                depth -= 1;
                1
            }
            _ => 1,
        };
    }
    pattern.len()
}

/// The length up to and with a byte.
fn until(rest: &[u8], end: u8) -> usize {
    rest.iter().position(|&byte| byte == end).map_or(rest.len(), |at| at + 1)
}

/// The length of `(?R)`, `(?1)`, `(?+1)`, `(?-1)`, `(?&name)`, `(?P>name)`.
fn call(rest: &[u8]) -> Option<usize> {
    let end = rest.iter().position(|&byte| byte == b')')?;
    let digits = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit);
    let name = |bytes: &[u8]| {
        !bytes.is_empty() && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let is_call = match &rest[2..end] {
        b"R" => true,
        [b'+' | b'-', number @ ..] if digits(number) => true,
        [b'&', called @ ..] | [b'P', b'>', called @ ..] => name(called),
        number => digits(number),
    };
    is_call.then_some(end + 1)
}

/// The length of `\g<name>` or `\g'1'`.
fn call_by_name(rest: &[u8]) -> Option<usize> {
    let close = if rest.get(2) == Some(&b'<') { b'>' } else { b'\'' };
    let end = rest.get(3..)?.iter().position(|&byte| byte == close)?;
    (end > 0).then_some(3 + end + 1)
}

/// Whether what follows a brace makes a quantifier now but did not in PCRE 8.
fn only_new_quantifier(inside: &[u8]) -> bool {
    let Some(end) = inside.iter().position(|&byte| byte == b'}') else { return false };
    let inside = &inside[..end];
    let text: Vec<u8> =
        inside.iter().copied().filter(|byte| !matches!(byte, b' ' | b'\t')).collect();
    let (low, high) = match text.iter().position(|&byte| byte == b',') {
        Some(comma) => (&text[..comma], Some(&text[comma + 1..])),
        None => (&text[..], None),
    };
    let digits = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
    let is_new = digits(low)
        && high.is_none_or(digits)
        && !(low.is_empty() && high.is_none_or(<[u8]>::is_empty));
    let was_one = !low.is_empty() && text.len() == inside.len();
    is_new && !was_one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(pattern: &str) -> String {
        let output = translate(pattern.as_bytes(), false);
        String::from_utf8_lossy(&output.pattern).into_owned()
    }

    #[test]
    fn only_what_changed_is_touched() {
        for (old, new) in [
            (r"a{,3}b{2}{ 1}c{1,}{}{,}{x}", r"a\{,3}b{2}\{ 1}c{1,}{}{,}{x}"),
            (r"(a(?1)?(?R))(?-1)(?P>n)", r"(a(?>(?1))?(?>(?R)))(?>(?-1))(?>(?P>n))"),
            (r"\g<n>\g'1'\g1\g{2}", r"(?>\g<n>)(?>\g'1')\g1\g{2}"),
            (r"[{,3}(?R)[:a{,3}:]]x[]{,3}]", r"[{,3}(?R)[:a{,3}:]]x[]{,3}]"),
            (r"\Q{,3}(?R)\E{,3}(?#(?R))", r"\Q{,3}(?R)\E\{,3}(?#(?R))"),
            (r"\{,3}\\{,3}(?i)(?i:x)(?<n>x)", r"\{,3}\\\{,3}(?i)(?i:x)(?<n>x)"),
            (
                r"[\d-z][\d-][a-\d][^\p{L}-z][[:digit:]-z]",
                r"[\d\-z][\d-][a-\d][^\p{L}\-z][[:digit:]\-z]",
            ),
            (r"a\ib[\j\w-z]\8(x)\1\9", r"aib[j\w\-z]8(x)\19"),
            (r"[", r"["),
            (r"\", r"\"),
        ] {
            assert_eq!(translated(old), new);
        }
    }

    #[test]
    fn positions_are_found_again() {
        let output = translate(b"a{,3}(?R)b", false);
        assert_eq!(&*output.pattern, br"a\{,3}(?>(?R))b");
        let skipped = translate(br"\ia\j(", false);
        assert_eq!(
            (&*skipped.pattern, skipped.position(1), skipped.position(4)),
            (&b"iaj("[..], 2, 6)
        );
        let positions: Vec<usize> = (0..=15).map(|new| output.position(new)).collect();
        assert_eq!(positions, [0, 1, 1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9, 9, 10]);
    }
}
