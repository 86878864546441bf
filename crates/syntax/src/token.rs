//! Tokens after preprocessing: what the parser reads, and how every node finds its place in the
//! text.
//!
//! A module keeps the one vector of tokens that it was parsed from. Nodes refer to tokens by
//! [`TokenId`]; where a node stands, what the user wrote for it and which macros it came through
//! are all questions to its tokens. White space and comments are not tokens: they are the text
//! between the spans of neighbouring tokens of a file.

use atom::Atom;

use crate::source::{FileId, Loc, Span};

/// Index into [`crate::ast::Module::tokens`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TokenId(pub u32);

/// Index into [`crate::ast::Module::literals`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LiteralId(pub u32);

/// Index into [`crate::ast::Module::expansions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExpansionId(pub u32);

/// One macro call, or the module attribute of a predefined macro.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The macro's name, without the question mark.
    pub name: Atom,
    /// The call as it was written: `?NAME` or `?NAME(…)`.
    pub call: Span,
    /// Where the macro was defined; `None` for predefined ones and those from the command line.
    pub definition: Option<Span>,
    /// The expansion whose result contains this call, if the call was not written in plain text.
    pub parent: Option<ExpansionId>,
}

/// A token, after macro expansion.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// The text it was spelled with: for a token out of a macro's body, in the definition; for a
    /// token out of a macro's argument, in the call.
    pub span: Span,
    /// Where OTP says it stands: a token out of a macro's body stands at the macro call.
    pub loc: Loc,
    /// The innermost macro call whose *body* it came from; `None` for plain text and for tokens
    /// of macro arguments that were written in plain text.
    pub expansion: Option<ExpansionId>,
    pub value: TokenValue,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenValue {
    None,
    /// An atom's or a variable's name.
    Name(Atom),
    /// A character's code point.
    Char(u32),
    /// A number or string.
    Literal(LiteralId),
}

/// The value of a literal token.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    Integer(num_bigint::BigInt),
    Float(f64),
    /// Characters of a string. Erlang strings hold Unicode scalar values only.
    String(Box<str>),
}

macro_rules! token_kinds {
    (
        variable { $($var:ident),* $(,)? }
        keywords { $($kw:ident = $kw_text:literal),* $(,)? }
        feature_keywords { $($fkw:ident = $fkw_text:literal),* $(,)? }
        symbols { $($sym:ident = $sym_text:literal),* $(,)? }
    ) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum TokenKind { $($var,)* $($kw,)* $($fkw,)* $($sym,)* }

        impl TokenKind {
            /// The fixed text of keywords and symbols.
            pub fn text(self) -> Option<&'static str> {
                match self {
                    $(TokenKind::$kw => Some($kw_text),)*
                    $(TokenKind::$fkw => Some($fkw_text),)*
                    $(TokenKind::$sym => Some($sym_text),)*
                    _ => None,
                }
            }

            /// The keyword with this text, whatever features are enabled.
            pub fn keyword(text: &str) -> Option<TokenKind> {
                match text {
                    $($kw_text => Some(TokenKind::$kw),)*
                    _ => None,
                }
            }

            /// The word that is a keyword only where the feature that brings it is enabled; the
            /// preprocessor, which knows, turns such atoms into keywords.
            pub fn feature_keyword(text: &str) -> Option<TokenKind> {
                match text {
                    $($fkw_text => Some(TokenKind::$fkw),)*
                    _ => None,
                }
            }

            /// The symbol with this text.
            pub fn symbol(text: &str) -> Option<TokenKind> {
                match text {
                    $($sym_text => Some(TokenKind::$sym),)*
                    _ => None,
                }
            }

            pub fn is_keyword(self) -> bool {
                matches!(self, $(TokenKind::$kw)|* | $(TokenKind::$fkw)|*)
            }
        }
    };
}

token_kinds! {
    variable {
        Atom, Var, Integer, Float, Char, String,
        // A sigil string: `~b"…"`. The preprocessor keeps it whole: the value is the text, and the
        // parser asks the source for prefix and suffix.
        Sigil,
        // The end of a form: a full stop followed by white space, a comment or the end of the file.
        Dot,
        // The end of the text where a full stop should be; only as the last token of a form.
        Eof,
        // A character that is a token for `erl_scan` although no syntax uses it: `@`, `^`, `\`,
        // `×`. Its value is its name.
        Symbol,
    }
    keywords {
        After = "after", And = "and", Andalso = "andalso", Band = "band", Begin = "begin",
        Bnot = "bnot", Bor = "bor", Bsl = "bsl", Bsr = "bsr", Bxor = "bxor", Case = "case",
        Catch = "catch", Cond = "cond", Div = "div", End = "end", Fun = "fun",
        If = "if", Let = "let", Not = "not", Of = "of", Or = "or",
        Orelse = "orelse", Receive = "receive", Rem = "rem", Try = "try", When = "when",
        Xor = "xor",
    }
    feature_keywords { Else = "else", Maybe = "maybe" }
    symbols {
        LParen = "(", RParen = ")", LBrace = "{", RBrace = "}", LBracket = "[", RBracket = "]",
        LBin = "<<", RBin = ">>", Comma = ",", Semicolon = ";", Colon = ":", ColonColon = "::",
        // A full stop inside a form (record field access), not its end.
        DotInside = ".",
        DotDot = "..", Ellipsis = "...", Arrow = "->", FatArrow = "=>", ColonEq = ":=",
        LeftArrow = "<-", LeftFatArrow = "<=", StrictLeftArrow = "<:-", StrictLeftFatArrow = "<:=",
        Bar = "|", BarBar = "||", AmpAmp = "&&", Hash = "#", Question = "?", QuestionEq = "?=",
        Eq = "=", EqEq = "==", SlashEq = "/=", EqLt = "=<", Lt = "<", GtEq = ">=", Gt = ">",
        EqColonEq = "=:=", EqSlashEq = "=/=", Plus = "+", Minus = "-", Star = "*", Slash = "/",
        PlusPlus = "++", MinusMinus = "--", Bang = "!",
    }
}

impl Token {
    /// Whether the token was written where it stands, not made by a macro.
    pub fn is_plain(&self) -> bool {
        self.expansion.is_none()
    }

    pub fn name(&self) -> Option<Atom> {
        match self.value {
            TokenValue::Name(name) => Some(name),
            _ => None,
        }
    }

    pub fn file(&self) -> FileId {
        self.span.file
    }
}
