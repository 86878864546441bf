//! The text of a contract: `find(L, K) = R when is_list(L) -> R =< length(L); find(…) …`.
//!
//! It is cut at the tokens that stand outside of all brackets: each clause has a head with the name
//! of the function and its parameters, the result if that is known, a guard, and a body. What is
//! between is not looked at: whoever reads the whole module says what is wrong with it.

use std::path::Path;

use atom::Atom;
use syntax::scan::scan;
use syntax::token::{Token, TokenKind};

use crate::Wrong;

/// The clauses of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clauses {
    /// The function and its number of parameters; none if the head is a pattern alone.
    pub(crate) about: Option<(Atom, u32)>,
    /// Whether the heads have the result in them.
    pub(crate) has_result: bool,
    /// Clauses of a function without its name.
    pub(crate) text: String,
}

/// What stands where in the tokens of a clause.
struct Clause {
    name: Option<Atom>,
    /// Tokens of the parameters, without the brackets.
    params: std::ops::Range<usize>,
    arity: u32,
    result: Option<std::ops::Range<usize>>,
    /// The guard, the arrow and the body.
    rest: std::ops::Range<usize>,
}

/// Reads the text of a contract.
pub(crate) fn clauses(text: &str) -> Result<Clauses, Wrong> {
    let scanned = scan(Path::new(""), format!("{text}\n").into_bytes());
    if let Some(problem) = scanned.diagnostics.first() {
        return Err(Wrong::Text(problem.message.clone()));
    }
    let mut tokens = scanned.tokens;
    // The end of the text, and the full stop before it, if there is one.
    tokens.pop();
    if tokens.last().is_some_and(|token| token.kind == TokenKind::Dot) {
        tokens.pop();
    }
    if let Some(dot) = tokens.iter().position(|token| token.kind == TokenKind::Dot) {
        return Err(Wrong::Text(format!("a full stop at column {}", tokens[dot].loc.column)));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let (clause, next) = clause(&tokens, at)?;
        found.push(clause);
        at = next;
    }
    let Some(first) = found.first() else {
        return Err(Wrong::Text("there is nothing in it".to_owned()));
    };
    let about = first.name.map(|name| (name, first.arity));
    let has_result = first.result.is_some();
    let same = |clause: &Clause| {
        clause.name.map(|name| (name, clause.arity)) == about
            && clause.result.is_some() == has_result
    };
    if !found.iter().all(same) {
        return Err(Wrong::Mixed);
    }
    let slice = |range: &std::ops::Range<usize>| match (tokens.get(range.start), range.is_empty()) {
        (Some(first), false) => {
            let end = tokens[range.end - 1].span.end;
            scanned.file.text.get(first.span.start as usize..end as usize).unwrap_or_default()
        }
        _ => "",
    };
    let texts: Vec<String> = found
        .iter()
        .map(|clause| {
            let params = slice(&clause.params);
            let result = clause.result.as_ref().map_or("", slice);
            let comma = if params.is_empty() || result.is_empty() { "" } else { ", " };
            format!("({params}{comma}{result}) {}", slice(&clause.rest))
        })
        .collect();
    Ok(Clauses { about, has_result, text: texts.join(";\n") })
}

/// The clause that begins at a token, and where the next one does.
fn clause(tokens: &[Token], start: usize) -> Result<(Clause, usize), Wrong> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let mut depth = 0i32;
    let mut arrow = None;
    let mut guard = None;
    let mut equals = None;
    let mut end = tokens.len();
    for (at, token) in tokens.iter().enumerate().skip(start) {
        let kind_here = token.kind;
        if depth == 0 {
            match kind_here {
                TokenKind::When if arrow.is_none() => guard = guard.or(Some(at)),
                TokenKind::Arrow => arrow = arrow.or(Some(at)),
                TokenKind::Eq if arrow.is_none() && guard.is_none() => equals = equals.or(Some(at)),
                TokenKind::Semicolon if arrow.is_some() => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        depth += change(kind_here, kind(at + 1), kind(at + 2));
    }
    let Some(arrow) = arrow else {
        return Err(Wrong::Text("there is no -> in it".to_owned()));
    };
    if depth != 0 && end == tokens.len() {
        return Err(Wrong::Text("its brackets do not match".to_owned()));
    }
    let head_end = guard.unwrap_or(arrow);
    let rest = guard.unwrap_or(arrow)..end;
    let is_named =
        kind(start) == Some(TokenKind::Atom) && kind(start + 1) == Some(TokenKind::LParen);
    if !is_named {
        // A pattern by itself.
        let clause = Clause { name: None, params: start..head_end, arity: 1, result: None, rest };
        return Ok((clause, (end + 1).min(tokens.len())));
    }
    let close = closing(tokens, start + 1).filter(|close| *close < head_end);
    let Some(close) = close else {
        return Err(Wrong::Text("its brackets do not match".to_owned()));
    };
    let result = match equals {
        Some(equals) if equals == close + 1 => Some(equals + 1..head_end),
        None if close + 1 == head_end => None,
        _ => return Err(Wrong::Text("the head is no call".to_owned())),
    };
    let params = start + 2..close;
    let clause = Clause {
        name: tokens[start].name(),
        arity: arity(&tokens[params.clone()]),
        params,
        result,
        rest,
    };
    Ok((clause, (end + 1).min(tokens.len())))
}

/// How much deeper it is behind a token, by what comes after it.
fn change(token: TokenKind, next: Option<TokenKind>, after: Option<TokenKind>) -> i32 {
    match token {
        TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace | TokenKind::LBin => 1,
        TokenKind::Begin | TokenKind::Case | TokenKind::If | TokenKind::Try => 1,
        TokenKind::Receive | TokenKind::Maybe => 1,
        TokenKind::Fun => {
            let named = next == Some(TokenKind::Var) && after == Some(TokenKind::LParen);
            i32::from(named || next == Some(TokenKind::LParen))
        }
        TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace | TokenKind::RBin => -1,
        TokenKind::End => -1,
        _ => 0,
    }
}

/// The bracket that closes the one at a place.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let mut depth = 0;
    (open..tokens.len()).find(|&at| {
        depth += change(tokens[at].kind, kind(at + 1), kind(at + 2));
        depth == 0
    })
}

/// How many parameters there are between two brackets.
fn arity(tokens: &[Token]) -> u32 {
    if tokens.is_empty() {
        return 0;
    }
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let mut depth = 0;
    let mut count = 1;
    for (at, token) in tokens.iter().enumerate() {
        count += u32::from(depth == 0 && token.kind == TokenKind::Comma);
        depth += change(token.kind, kind(at + 1), kind(at + 2));
    }
    count
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::clauses;

    fn check(text: &str, expected: Expect) {
        let shown = match clauses(text) {
            Ok(clauses) => {
                let about = clauses.about.map_or("-".to_owned(), |(name, n)| format!("{name}/{n}"));
                format!("{about} {} | {}", clauses.has_result, clauses.text)
            }
            Err(wrong) => format!("{wrong:?}"),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn heads_are_taken_apart() {
        check("find(L, _) -> length(L) > 0", expect!["find/2 false | (L, _) -> length(L) > 0"]);
        check(
            "find(L, K) = R -> R < 0 orelse lists:nth(R, L) =:= K.",
            expect!["find/2 true | (L, K, R) -> R < 0 orelse lists:nth(R, L) =:= K"],
        );
        check("now() = {M, _, _} -> M > 0", expect!["now/0 true | ({M, _, _}) -> M > 0"]);
        check(
            "f(#{a := X} = M, [Y]) when X; Y -> g(M)",
            expect!["f/2 false | (#{a := X} = M, [Y]) when X; Y -> g(M)"],
        );
        check(
            "f(0) -> true; f(N) -> case N of 1 -> true; _ -> false end",
            expect![[r#"
                f/1 false | (0) -> true;
                (N) -> case N of 1 -> true; _ -> false end"#]],
        );
        check("#s{n = N} -> N >= 0", expect!["- false | (#s{n = N}) -> N >= 0"]);
        check("(S) -> S > 0", expect!["- false | ((S)) -> S > 0"]);
        check(
            "f(F) -> is_function(F, fun(X) -> X end(1)), fun f/1",
            expect!["f/1 false | (F) -> is_function(F, fun(X) -> X end(1)), fun f/1"],
        );
    }

    #[test]
    fn what_is_no_clause_is_said() {
        check("f(X)", expect![[r#"Text("there is no -> in it")"#]]);
        check("", expect![[r#"Text("there is nothing in it")"#]]);
        check("f(X) -> true. g(X) -> true", expect![[r#"Text("a full stop at column 13")"#]]);
        check("f(X) -> true; g(X) -> true", expect!["Mixed"]);
        check("f(X -> true", expect![[r#"Text("there is no -> in it")"#]]);
        check("f(X) -> \"abc", expect![[r#"Text("the string that starts here is not closed")"#]]);
        check("f(X) + 1 -> true", expect![[r#"Text("the head is no call")"#]]);
        check("f(X) -> (true", expect![[r#"Text("its brackets do not match")"#]]);
    }
}
