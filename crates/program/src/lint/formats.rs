//! Format strings of `io:format` and `io_lib:format`: unknown controls, and the number of
//! arguments.

use std::fmt;

use syntax::ast::{Kind, NodeId};
use syntax::token::Literal;

use super::Linter;

/// What is known of a list of arguments.
enum Arguments {
    Count(usize),
    NoList,
    Unknown,
}

impl Linter<'_> {
    pub(super) fn check_format(&mut self, call: NodeId, args: &[NodeId]) {
        if self.switches.format == 0 {
            return;
        }
        let (format, args) = match *args {
            [format] => (format, None),
            [format, args] | [_, format, args] => (format, Some(args)),
            _ => {
                let message = "a format function takes at most three arguments".into();
                self.format_warning(call, message);
                return;
            }
        };
        let text = match self.kind(format) {
            Kind::String(literal) => match self.module.literal(literal) {
                Literal::String(text) => text.to_string(),
                _ => return,
            },
            Kind::Atom(atom) => atom.as_str().to_string(),
            _ => {
                if self.switches.format >= 2 {
                    self.format_warning(format, "the format string is not a constant".into());
                }
                return;
            }
        };
        let given = match args.map(|args| self.arguments(args)) {
            None => None,
            Some(Arguments::Count(count)) => Some(count),
            Some(Arguments::NoList) => {
                self.format_warning(args.unwrap_or(call), "the arguments are not in a list".into());
                return;
            }
            Some(Arguments::Unknown) => {
                if self.switches.format >= 2 {
                    let message = "the arguments are perhaps not in a list".into();
                    self.format_warning(args.unwrap_or(call), message);
                }
                return;
            }
        };
        let needed = match needed_arguments(&text) {
            Ok(needed) => needed,
            Err(problem) => {
                self.format_warning(format, format!("the format string is wrong: {problem}"));
                return;
            }
        };
        match given {
            None if needed > 0 => {
                let message = format!("the format string needs {needed} arguments, none are given");
                self.format_warning(format, message);
            }
            Some(given) if given != needed => {
                let message =
                    format!("the format string needs {needed} arguments, {given} are given");
                self.format_warning(args.unwrap_or(call), message);
            }
            _ => {}
        }
    }

    fn format_warning(&mut self, at: NodeId, message: String) {
        self.warning(at, "format_error", message);
    }

    fn arguments(&self, id: NodeId) -> Arguments {
        match self.kind(id) {
            Kind::Nil => Arguments::Count(0),
            Kind::String(literal) => match self.module.literal(literal) {
                Literal::String(text) => Arguments::Count(text.chars().count()),
                _ => Arguments::Unknown,
            },
            Kind::List { elements, tail } => {
                let mut count = elements.len as usize;
                let mut rest = tail;
                while let Some(id) = rest {
                    match self.kind(id) {
                        Kind::List { elements, tail } => {
                            count += elements.len as usize;
                            rest = tail;
                        }
                        Kind::Nil => rest = None,
                        Kind::Atom(_) | Kind::Integer(_) | Kind::Float(_) => {
                            return Arguments::NoList;
                        }
                        _ => return Arguments::Unknown,
                    }
                }
                Arguments::Count(count)
            }
            Kind::Atom(_) | Kind::Integer(_) | Kind::Float(_) => Arguments::NoList,
            _ => Arguments::Unknown,
        }
    }
}

/// What is wrong with a format string.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BadFormat {
    EndsEarly,
    NoControl(String),
}

impl fmt::Display for BadFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFormat::EndsEarly => f.write_str("it ends too early"),
            BadFormat::NoControl(control) => write!(f, "there is no control {control}"),
        }
    }
}

impl std::error::Error for BadFormat {}

/// The number of arguments that a format string takes.
fn needed_arguments(format: &str) -> Result<usize, BadFormat> {
    let mut needed = 0;
    let mut rest = format;
    while let Some(tilde) = rest.find('~') {
        let control = Control::read(&rest[tilde + 1..])?;
        needed += control.arguments;
        rest = control.rest;
    }
    Ok(needed)
}

struct Control<'t> {
    arguments: usize,
    rest: &'t str,
}

impl Control<'_> {
    /// Reads what follows a tilde: width, precision, padding, modifiers and the control itself.
    fn read(text: &str) -> Result<Control<'_>, BadFormat> {
        let mut arguments = 0;
        let mut rest = text;
        // The width: digits, or `*` for an argument.
        let unsigned = rest.strip_prefix('-').unwrap_or(rest);
        if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            rest = unsigned.trim_start_matches(|c: char| c.is_ascii_digit());
        } else if let Some(after) = unsigned.strip_prefix('*') {
            arguments += 1;
            rest = after;
        }
        // The precision, and behind another full stop the padding character.
        if let Some(after) = rest.strip_prefix('.') {
            if after.starts_with(|c: char| c.is_ascii_digit()) {
                rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
            } else if let Some(after) = after.strip_prefix('*') {
                arguments += 1;
                rest = after;
            } else {
                rest = after;
            }
            if let Some(after) = rest.strip_prefix('.') {
                if let Some(after) = after.strip_prefix('*') {
                    arguments += 1;
                    rest = after;
                } else {
                    let mut chars = after.chars();
                    chars.next().ok_or(BadFormat::EndsEarly)?;
                    rest = chars.as_str();
                }
            }
        }
        Control::read_control(rest, arguments)
    }

    fn read_control(text: &str, arguments: usize) -> Result<Control<'_>, BadFormat> {
        let bare = text.trim_start_matches(['t', 'l']);
        let modifiers = &text[..text.len() - bare.len()];
        let mut chars = bare.chars();
        let control = chars.next().ok_or(BadFormat::EndsEarly)?;
        let allowed = match modifiers {
            "" => true,
            "t" => matches!(control, 'c' | 's' | 'p' | 'P' | 'w' | 'W'),
            "l" | "lt" | "tl" => matches!(control, 'p' | 'P'),
            _ => false,
        };
        let own = match control {
            '~' | 'n' => Some(0),
            'c' | 'f' | 'e' | 'g' | 's' | 'w' | 'p' | 'b' | 'B' | '+' | '#' | 'i' => Some(1),
            'W' | 'P' | 'x' | 'X' => Some(2),
            _ => None,
        };
        match own.filter(|_| allowed) {
            Some(own) => Ok(Control { arguments: arguments + own, rest: chars.as_str() }),
            None => Err(BadFormat::NoControl(format!("~{modifiers}{control}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::needed_arguments;

    #[test]
    fn counts_arguments() {
        let cases = [
            ("hello~n", Some(0)),
            ("~p ~p", Some(2)),
            ("~ts~tp~lp~ltp", Some(4)),
            ("~10.3.0w", Some(1)),
            ("~-*.*.*s", Some(4)),
            ("~W ~P ~X", Some(6)),
            ("~~", Some(0)),
            ("~y", None),
            ("~", None),
            ("~tx", None),
            ("~10", None),
        ];
        for (format, needed) in cases {
            assert_eq!(needed_arguments(format).ok(), needed, "{format}");
        }
    }
}
