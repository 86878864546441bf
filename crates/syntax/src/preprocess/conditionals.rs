//! `-ifdef`, `-ifndef`, `-if`, `-elif`, `-else`, `-endif`: which forms are read and which are
//! skipped.
//!
//! Two stacks say where we are: the conditions around what is being read (one stack a file), and,
//! while text is skipped, the conditions opened inside of it. What OTP does with conditions that
//! are out of order is followed to the letter, as errors elsewhere in the file depend on it.

use super::directives::{Directive, ExpressionFault, macro_name};
use super::fault::{Fault, Problem};
use super::{Mark, Preprocessor, conditions};
use crate::token::{Token, TokenKind, TokenValue};

impl Preprocessor<'_> {
    /// A conditional directive in text that is read.
    pub(super) fn conditional(&mut self, directive: Directive, form: &[Token]) {
        let (name, rest) = (&form[1], &form[2..]);
        match directive {
            Directive::Ifdef | Directive::Ifndef => {
                let word = if directive == Directive::Ifdef { "ifdef" } else { "ifndef" };
                match macro_name(form) {
                    Ok(name) => {
                        let wanted = directive == Directive::Ifdef;
                        self.enter_condition(word, self.macros.is_defined(name) == wanted);
                    }
                    Err(token) => {
                        self.fault(Fault::at(&token, Problem::BadDirective(word)));
                        self.skipped = vec![word];
                    }
                }
            }
            Directive::If => self.if_condition(form),
            Directive::Elif => match self.current_mut().conditions.pop() {
                Some("else") => {
                    self.fault(Fault::at(name, Problem::Misplaced("unbalanced", "elif")));
                    self.skipped = vec!["else"];
                }
                Some(_) => self.skipped = vec!["elif"],
                None => self.fault(Fault::at(name, Problem::Misplaced("unbalanced", "elif"))),
            },
            Directive::Else => self.else_branch(name, rest),
            _ => {
                let [dot] = rest else { return self.bad_end("endif", name, rest) };
                if dot.kind != TokenKind::Dot {
                    return self.bad_end("endif", name, rest);
                }
                if self.current_mut().conditions.pop().is_none() {
                    self.fault(Fault::at(name, Problem::Misplaced("unbalanced", "endif")));
                }
            }
        }
    }

    /// Starts to read or to skip what a condition guards.
    fn enter_condition(&mut self, word: &'static str, holds: bool) {
        if holds {
            self.current_mut().conditions.push(word);
        } else {
            self.skipped = vec![word];
        }
    }

    fn else_branch(&mut self, name: &Token, rest: &[Token]) {
        if !matches!(rest, [dot] if dot.kind == TokenKind::Dot) {
            return self.bad_end("else", name, rest);
        }
        match self.current_mut().conditions.pop() {
            Some("else") => {
                self.fault(Fault::at(name, Problem::Misplaced("repeated", "else")));
                self.skipped = vec!["else"];
            }
            Some(_) => self.skipped = vec!["else"],
            None => self.fault(Fault::at(name, Problem::Misplaced("unbalanced", "else"))),
        }
    }

    /// Something stands between `-else` or `-endif` and its full stop.
    fn bad_end(&mut self, word: &'static str, name: &Token, rest: &[Token]) {
        let token = rest.first().unwrap_or(name);
        self.fault(Fault::at(token, Problem::BadDirective(word)));
    }

    /// `-if(Condition).`, or the `-elif(Condition).` that decides after a failed one.
    fn if_condition(&mut self, form: &[Token]) {
        let (name, rest) = (&form[1], &form[2..]);
        if rest.first().is_none_or(|open| open.kind != TokenKind::LParen) {
            self.bad_end("if", name, rest);
            self.skipped = vec!["if"];
            return;
        }
        let mark = Mark::new(&self.module);
        let nodes = self.expressions(rest);
        let holds = match &nodes {
            Ok(nodes) => conditions::holds(&self.module, nodes, |name| self.macros.is_known(name))
                .map_err(|_| Fault::at(name, Problem::BadDirective("if"))),
            Err(_) => Ok(false),
        };
        // A fault may speak of macro calls: they stay.
        let expansions = self.module.expansions.len();
        Mark { expansions, ..mark }.restore(&mut self.module);
        match (nodes, holds) {
            (Ok(_), Ok(holds)) => return self.enter_condition("if", holds),
            (Ok(_), Err(fault)) | (Err(ExpressionFault::Expansion(fault)), _) => self.fault(fault),
            (Err(ExpressionFault::Syntax(diagnostic)), _) => {
                let token = Token {
                    kind: TokenKind::Eof,
                    span: diagnostic.span,
                    loc: diagnostic.loc,
                    expansion: None,
                    value: TokenValue::None,
                };
                self.diagnostic_form(*diagnostic, token, false);
            }
        }
        self.skipped = vec!["if"];
    }

    /// A form in text that is skipped: only conditions count.
    pub(super) fn skip_form(&mut self, mark: Mark) {
        let tokens = &self.module.tokens[mark.tokens..];
        let directive = match tokens {
            [minus, name, ..] if minus.kind == TokenKind::Minus => Directive::of(name),
            _ => None,
        };
        let innermost = self.skipped.last().copied();
        let outermost = self.skipped.len() == 1;
        match directive {
            Some(Directive::Ifdef) => self.skipped.push("ifdef"),
            Some(Directive::Ifndef) => self.skipped.push("ifndef"),
            Some(Directive::If) => self.skipped.push("if"),
            Some(Directive::Endif) => {
                self.skipped.pop();
            }
            Some(Directive::Else) => match innermost {
                Some("else") => {
                    let name = tokens[1];
                    mark.restore(&mut self.module);
                    return self.fault(Fault::at(&name, Problem::Misplaced("repeated", "else")));
                }
                Some("elif") => {
                    self.skipped.pop();
                    self.skipped.push("else");
                }
                _ if outermost => {
                    self.skipped.clear();
                    self.current_mut().conditions.push("else");
                }
                _ => {}
            },
            Some(Directive::Elif) => match innermost {
                Some("else") => {
                    let name = tokens[1];
                    mark.restore(&mut self.module);
                    return self.fault(Fault::at(&name, Problem::ElifAfterElse));
                }
                _ if outermost => {
                    let form: Vec<Token> = self.module.tokens.drain(mark.tokens..).collect();
                    self.skipped.clear();
                    return self.if_condition(&form);
                }
                _ => {}
            },
            _ => {}
        }
        mark.restore(&mut self.module);
    }
}
