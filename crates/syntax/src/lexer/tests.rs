//! Tests of the scanner.

use expect_test::{Expect, expect};

use super::*;

/// All tokens of a text as `line:column kind value`, forms separated by blank lines.
fn dump(text: &str, maybe_keywords: bool) -> String {
    let (mut tokens, mut literals, mut names) = (Vec::new(), Vec::new(), Names::new());
    let mut cursor = Cursor::START;
    let mut out = String::new();
    loop {
        tokens.clear();
        let sink = Sink { tokens: &mut tokens, literals: &mut literals, names: &mut names };
        let end = lex_form(text, FileId::MAIN, &mut cursor, maybe_keywords, sink);
        for token in &tokens {
            let Loc { line, column } = token.loc;
            let value = match token.value {
                TokenValue::None => String::new(),
                TokenValue::Name(name) => format!(" {name}"),
                TokenValue::Char(c) => format!(" {c}"),
                TokenValue::Literal(id) => format!(" {:?}", literals[id.0 as usize]),
            };
            out.push_str(&format!("{line}:{column} {:?}{value}\n", token.kind));
        }
        match end {
            FormEnd::Dot => {}
            FormEnd::Eof => {
                let Loc { line, column } = cursor.loc();
                out.push_str(&format!("{line}:{column} end\n"));
                return out;
            }
            FormEnd::Error(LexError { problem, loc: Loc { line, column }, .. }) => {
                out.push_str(&format!("{line}:{column} error {problem:?}\n"));
            }
        }
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&dump(text, false));
}

#[test]
fn a_function() {
    check("f(X_) ->\n  'A b'. % c\n", expect![[""]]);
}

#[test]
fn numbers() {
    check("1_000 16#fF_0 2#0.11 16#f.8#e1 1.5e-3 10#.", expect![[""]]);
    check("37#1 . 1.0e. 16#g .", expect![[""]]);
}

#[test]
fn escapes() {
    check(r#" "\x41\x{3b1}\101\^A\s\n" $\n $\^? '\'' $é "é" x"#, expect![[""]]);
    check(r#" "\x{110000}" ok. "#, expect![[""]]);
    check("\"abc\\", expect![[""]]);
}

#[test]
fn triple_quotes() {
    check("x \"\"\"\n  a\n   \"b\n\n  \"\"\" y.", expect![[""]]);
    check("\"\"\"\n  a\n b\n  \"\"\" y.", expect![[""]]);
    check("\"\"\"a\" \"\"\"\n\".", expect![[""]]);
}

#[test]
fn sigils() {
    check("~b[\\n]x ~S(\\n) ~\"q\" ~ ~x\"\" ~s\"\"\"\n a\\tb\n \"\"\"", expect![[""]]);
}

#[test]
fn dots_and_symbols() {
    check("a.b. ... .. <:- && @ × .%x\n1..", expect![[""]]);
}
