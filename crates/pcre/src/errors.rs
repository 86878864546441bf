//! The texts of errors in patterns: those of PCRE 8.44, by the numbers of PCRE2.
//!
//! Most numbers are the old ones plus 100; others have got a new meaning.

use crate::CompileError;
use crate::translate::group_end;

/// An error as PCRE 8 reports it: it stopped reading at other places, and names some mistakes
/// otherwise.
pub(crate) fn as_before(number: i32, pattern: &[u8], position: usize) -> CompileError {
    let error = |number: i32, position: usize| CompileError { text: text(number), position };
    let before = &pattern[..position.min(pattern.len())];
    let last = |of: &[u8]| before.windows(of.len()).rposition(|window| window == of);
    match number - 100 {
        // The parenthesis that is too many was not read yet.
        19 => error(number, position.saturating_sub(1)),
        // The last letter of an escape, or the closing bracket, was not read yet.
        37 | 43 | 47 | 51 | 69 => error(number, position.saturating_sub(1)),
        50 => error(
            number,
            last(b"-")
                .map_or(position, |at| at + if pattern.get(at + 1) == Some(&b'[') { 1 } else { 2 }),
        ),
        // The end of the assertion, not its start.
        25 | 35 | 87 | 100 => error(number, group_end(pattern, position)),
        30 => error(number, last(b"[:").map_or(position, |at| at + 2)),
        13 => error(number, last(b"[.").or_else(|| last(b"[=")).unwrap_or(position)),
        15 if before.ends_with(b"{0}") => error(126, position - 1),
        15 => error(number, after_reference(pattern, position)),
        14 => match unfinished_group(pattern) {
            Some((b"P", at)) => error(141, at + 1),
            Some((options, at)) => {
                let known = options.iter().take_while(|byte| b"imsxJUX-".contains(byte)).count();
                error(111, at + known)
            }
            None => error(number, position),
        },
        62 if before.ends_with(b"(?P<") => error(142, position),
        62 if before.ends_with(b"(?<") => {
            CompileError { text: "unrecognized character after (?<", position }
        }
        42 if last(b"(?(").is_some_and(|at| !pattern[at..].contains(&b')')) => error(179, position),
        _ => error(number, position),
    }
}

/// The letters after a `(?` with which a pattern ends, and where they start.
fn unfinished_group(pattern: &[u8]) -> Option<(&[u8], usize)> {
    let at = pattern.windows(2).rposition(|two| two == b"(?")? + 2;
    let letters = &pattern[at..];
    letters.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-').then_some((letters, at))
}

/// Where a reference to a group that is not there was noticed: after its name; at the end if it is
/// a number.
fn after_reference(pattern: &[u8], position: usize) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let rest = pattern.get(position..).unwrap_or_default();
    let before = &pattern[..position.min(pattern.len())];
    if before.ends_with(b"\\") && rest.first().is_some_and(u8::is_ascii_digit) {
        return pattern.len();
    }
    if before.ends_with(b"(?") {
        return position + group_end(rest, 0) + 1;
    }
    let name = rest.iter().take_while(|byte| is_word(byte)).count();
    position + name + usize::from(before.ends_with(b"(?("))
}

/// The text for a number that compiling gave.
pub(crate) fn text(number: i32) -> &'static str {
    // Negative numbers say what is wrong with the encoding.
    if number < 0 {
        return "invalid UTF-8 string";
    }
    match number - 100 {
        1 => "\\ at end of pattern",
        2 => "\\c at end of pattern",
        3 => "unrecognized character follows \\",
        4 => "numbers out of order in {} quantifier",
        5 => "number too big in {} quantifier",
        6 => "missing terminating ] for character class",
        7 => "invalid escape sequence in character class",
        8 => "range out of order in character class",
        9 => "nothing to repeat",
        10 => "internal error: unexpected repeat",
        11 => "unrecognized character after (? or (?-",
        12 => "POSIX named classes are supported only within a class",
        13 => "POSIX collating elements are not supported",
        14 | 24 => "missing )",
        15 => "reference to non-existent subpattern",
        18 => "missing ) after comment",
        20 | 88 => "regular expression is too large",
        21 => "failed to get memory",
        22 => "unmatched parentheses",
        23 => "internal error: code overflow",
        25 | 35 | 87 | 100 => "lookbehind assertion is not fixed length",
        26 => "a numbered reference must not be zero",
        27 => "conditional group contains more than two branches",
        28 => "assertion expected after (?( or (?(?C)",
        29 => "digit expected after (?+",
        30 => "unknown POSIX class name",
        33 => "parentheses are too deeply nested (stack check)",
        34 => "character value in \\x{} or \\o{} is too large",
        36 => "\\C not allowed in lookbehind assertion",
        37 => "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u",
        38 => "number after (?C is > 255",
        39 => "closing ) for (?C expected",
        40 | 60 | 95 => "(*VERB) not recognized or malformed",
        41 => "unrecognized character after (?P",
        42 => "syntax error in subpattern name (missing terminator)",
        43 => "two named subpatterns have the same name",
        44 => "group name must start with a non-digit",
        46 => "malformed \\P or \\p sequence",
        47 => "unknown property name after \\P or \\p",
        48 => "subpattern name is too long (maximum 32 characters)",
        49 => "too many named subpatterns (maximum 10000)",
        50 => "invalid range in character class",
        51 => "octal value is greater than \\377 in 8-bit non-UTF-8 mode",
        54 => "DEFINE group contains more than one branch",
        55 => "missing opening brace after \\o",
        57 => {
            "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain \
             number"
        }
        58 => "(?R or (?[+-]digits must be followed by )",
        61 => "number is too big",
        62 => "subpattern name expected",
        64 => "non-octal character in \\o{} (closing brace missing?)",
        65 => "different names for subpatterns of the same number are not allowed",
        66 => "(*MARK) must have an argument",
        67 => "non-hex character in \\x{} (closing brace missing?)",
        68 => "\\c must be followed by an ASCII character",
        69 => "\\k is not followed by a braced, angle-bracketed, or quoted name",
        71 => "\\N is not supported in a class",
        73 => "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)",
        74 => "setting UTF is disabled by the application",
        76 => "name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)",
        78 => "digits missing in \\x{} or \\o{}",
        79 => "malformed number or name after (?(",
        19 | 84 | 86 => "regular expression is too complicated",
        _ => "internal error: unknown error of the regular expression library",
    }
}
