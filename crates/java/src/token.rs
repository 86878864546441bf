//! Tokens of Java.
//!
//! Every `>` is a token of its own (`>>=` is three and a `=`): whether two of them are a shift or
//! the ends of two type arguments is for the parser to say. Words that are keywords only in places
//! (`var`, `record`, `yield`, `when`, `module`, …) are identifiers here.

/// A token: what it is and the bytes of the text that it is spelled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

macro_rules! tokens {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum TokenKind { $($name,)* }

        impl TokenKind {
            /// How it is spelled, or a word for it where that varies.
            pub fn text(self) -> &'static str {
                match self { $(TokenKind::$name => $text,)* }
            }
        }
    };
}

tokens! {
    End "the end of the file",
    Unknown "an illegal character",
    Ident "an identifier",
    IntLiteral "an integer",
    LongLiteral "a long integer",
    FloatLiteral "a float",
    DoubleLiteral "a double",
    CharLiteral "a character",
    StringLiteral "a string",
    TextBlock "a text block",

    Abstract "abstract",
    Assert "assert",
    Boolean "boolean",
    Break "break",
    Byte "byte",
    Case "case",
    Catch "catch",
    Char "char",
    Class "class",
    Const "const",
    Continue "continue",
    Default "default",
    Do "do",
    Double "double",
    Else "else",
    Enum "enum",
    Extends "extends",
    False "false",
    Final "final",
    Finally "finally",
    Float "float",
    For "for",
    Goto "goto",
    If "if",
    Implements "implements",
    Import "import",
    InstanceOf "instanceof",
    Int "int",
    Interface "interface",
    Long "long",
    Native "native",
    New "new",
    Null "null",
    Package "package",
    Private "private",
    Protected "protected",
    Public "public",
    Return "return",
    Short "short",
    Static "static",
    Strictfp "strictfp",
    Super "super",
    Switch "switch",
    Synchronized "synchronized",
    This "this",
    Throw "throw",
    Throws "throws",
    Transient "transient",
    True "true",
    Try "try",
    Underscore "_",
    Void "void",
    Volatile "volatile",
    While "while",

    OpenParen "(",
    CloseParen ")",
    OpenBrace "{",
    CloseBrace "}",
    OpenBracket "[",
    CloseBracket "]",
    Semicolon ";",
    Comma ",",
    Dot ".",
    Ellipsis "...",
    At "@",
    ColonColon "::",
    Colon ":",
    Arrow "->",
    Question "?",

    Assign "=",
    Less "<",
    Greater ">",
    Bang "!",
    Tilde "~",
    Equal "==",
    LessEqual "<=",
    NotEqual "!=",
    AndAnd "&&",
    OrOr "||",
    PlusPlus "++",
    MinusMinus "--",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    Amp "&",
    Bar "|",
    Caret "^",
    Percent "%",
    ShiftLeft "<<",
    PlusAssign "+=",
    MinusAssign "-=",
    StarAssign "*=",
    SlashAssign "/=",
    AmpAssign "&=",
    BarAssign "|=",
    CaretAssign "^=",
    PercentAssign "%=",
    ShiftLeftAssign "<<=",
}

impl TokenKind {
    pub fn is_primitive(self) -> bool {
        use TokenKind::*;
        matches!(self, Boolean | Byte | Char | Double | Float | Int | Long | Short)
    }

    pub fn is_literal(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            IntLiteral
                | LongLiteral
                | FloatLiteral
                | DoubleLiteral
                | CharLiteral
                | StringLiteral
                | TextBlock
                | True
                | False
                | Null
        )
    }

    /// What stands where a name is wanted: an identifier, or `_`, which was one once and is
    /// complained about later.
    pub fn is_name(self) -> bool {
        matches!(self, TokenKind::Ident | TokenKind::Underscore)
    }
}

/// The keyword of this spelling; all but `_` are lower-case ASCII letters, two to twelve of them.
pub(crate) fn keyword(text: &[u8]) -> Option<TokenKind> {
    use TokenKind::*;
    let candidates: &[TokenKind] = match (text.len(), text.first()?) {
        (1, b'_') => &[Underscore],
        (2..=12, first) => match first {
            b'a' => &[Assert, Abstract],
            b'b' => &[Boolean, Break, Byte],
            b'c' => &[Case, Catch, Class, Char, Continue, Const],
            b'd' => &[Default, Double, Do],
            b'e' => &[Else, Extends, Enum],
            b'f' => &[Final, False, For, Float, Finally],
            b'g' => &[Goto],
            b'i' => &[If, Int, Import, InstanceOf, Implements, Interface],
            b'l' => &[Long],
            b'n' => &[New, Null, Native],
            b'p' => &[Public, Private, Protected, Package],
            b'r' => &[Return],
            b's' => &[Static, Super, Switch, Short, Synchronized, Strictfp],
            b't' => &[This, Throws, Throw, Try, True, Transient],
            b'v' => &[Void, Volatile],
            b'w' => &[While],
            _ => return None,
        },
        _ => return None,
    };
    candidates.iter().copied().find(|kind| kind.text().as_bytes() == text)
}
