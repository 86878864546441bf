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
    check(
        "f(X_) ->\n  'A b'. % c\n",
        expect![[r#"
        1:1 Atom f
        1:2 LParen
        1:3 Var X_
        1:5 RParen
        1:7 Arrow
        2:3 Atom A b
        2:8 Dot
        3:1 end
    "#]],
    );
}

#[test]
fn numbers() {
    check(
        "1_000 16#fF_0 2#0.11 16#f.8#e1 1.5e-3 10#.",
        expect![[r#"
        1:1 Integer Integer(1000)
        1:7 Integer Integer(4080)
        1:15 Float Float(0.75)
        1:22 Float Float(248.0)
        1:32 Float Float(0.0015)
        1:39 error Illegal("integer")
        1:42 Dot
        1:43 end
    "#]],
    );
    check(
        "37#1 . 1.0e. 16#g .",
        expect![[r#"
        1:1 error Base(37)
        1:3 Hash
        1:4 Integer Integer(1)
        1:6 Dot
        1:8 error Illegal("float")
        1:12 Dot
        1:14 error Illegal("integer")
        1:17 Atom g
        1:19 Dot
        1:20 end
    "#]],
    );
}

#[test]
fn escapes() {
    check(
        r#" "\x41\x{3b1}\101\^A\s\n" $\n $\^? '\'' $é "é" x"#,
        expect![[r#"
        1:2 String String("AαA\u{1} \n")
        1:27 Char 10
        1:31 Char 31
        1:36 Atom '
        1:41 Char 233
        1:44 String String("é")
        1:48 Atom x
        1:49 end
    "#]],
    );
    check(
        r#" "\x{110000}" ok. "#,
        expect![[r#"
        1:3 error Illegal("character")
        1:13 error Unterminated { quote: '"', head: " ok. " }
        1:19 end
    "#]],
    );
    check(
        "\"abc\\",
        expect![[r#"
        1:1 error Unterminated { quote: '"', head: "abc" }
        1:6 end
    "#]],
    );
}

#[test]
fn triple_quotes() {
    check(
        "x \"\"\"\n  a\n   \"b\n\n  \"\"\" y.",
        expect![[r#"
        1:1 Atom x
        1:3 String String("a\n \"b\n")
        5:7 Atom y
        5:8 Dot
        5:9 end
    "#]],
    );
    check(
        "\"\"\"\n  a\n b\n  \"\"\" y.",
        expect![[r#"
        3:1 error Indentation
        4:7 Atom y
        4:8 Dot
        4:9 end
    "#]],
    );
    check(
        "\"\"\"a\" \"\"\"\n\".",
        expect![[r#"
        1:1 String String("")
        1:3 String String("a")
        1:7 String String("")
        1:9 String String("\n")
        2:2 Dot
        2:3 end
    "#]],
    );
}

#[test]
fn sigils() {
    check(
        "~b[\\n]x ~S(\\n) ~\"q\" ~ ~x\"\" ~s\"\"\"\n a\\tb\n \"\"\"",
        expect![[r#"
        1:1 Sigil String("\n")
        1:9 Sigil String("\\n")
        1:16 Sigil String("q")
        1:21 Symbol ~
        1:23 Symbol ~
        1:24 Atom x
        1:25 String String("")
        1:28 Sigil String("a\tb")
        3:5 end
    "#]],
    );
}

#[test]
fn dots_and_symbols() {
    check(
        "a.b. ... .. <:- && @ × .%x\n1..",
        expect![[r#"
        1:1 Atom a
        1:2 DotInside
        1:3 Atom b
        1:4 Dot
        1:6 Ellipsis
        1:10 DotDot
        1:13 StrictLeftArrow
        1:17 AmpAmp
        1:20 Symbol @
        1:22 Symbol ×
        1:24 Dot
        2:1 Integer Integer(1)
        2:2 DotDot
        2:4 end
    "#]],
    );
}
