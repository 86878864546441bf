//! Perl-compatible regular expressions as Erlang's `re` module has them.
//!
//! OTP 25 contains PCRE 8.44; this is PCRE2, its successor, brought back to the old behaviour where
//! programs can see the difference:
//! * [`tables`]: letters are those of Latin-1, not only of ASCII;
//! * [`translate`]: spellings that mean something else now, recursion that gives nothing back;
//! * [`errors`]: the texts of errors;
//! * lookbehind has a fixed length, `\K` may stand in it.
//!
//! What still differs: how match limits are counted, positions of some errors, the version of
//! Unicode.
//!
//! [`ffi`] is the only file with unsafe code; it owns what the C library allocates. Matching does
//! not use the thread's stack, and compiling bounds the depth of parentheses.

mod errors;
mod ffi;
mod tables;
mod translate;

pub use ffi::{Matcher, Regex};

/// What counts as the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Newline {
    Cr,
    Lf,
    CrLf,
    Any,
    AnyCrLf,
}

/// What `\R` matches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bsr {
    Unicode,
    AnyCrLf,
}

/// How a pattern is to be read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Options {
    pub unicode: bool,
    pub anchored: bool,
    pub caseless: bool,
    pub dollar_endonly: bool,
    pub dotall: bool,
    pub extended: bool,
    pub firstline: bool,
    pub multiline: bool,
    pub no_auto_capture: bool,
    pub dupnames: bool,
    pub ungreedy: bool,
    pub no_start_optimize: bool,
    pub ucp: bool,
    pub never_utf: bool,
    pub newline: Option<Newline>,
    pub bsr: Option<Bsr>,
}

/// How a pattern is to be matched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct How {
    pub anchored: bool,
    pub notempty: bool,
    pub notempty_atstart: bool,
    pub notbol: bool,
    pub noteol: bool,
    pub match_limit: Option<u32>,
    pub depth_limit: Option<u32>,
}

/// Why a pattern cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    pub text: &'static str,
    /// Bytes from the start of the pattern.
    pub position: usize,
}

/// Why a match could not be looked for to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchError {
    MatchLimit,
    DepthLimit,
    /// The subject is not UTF-8, or the start is inside a character.
    BadUtf8,
    /// The start is after the end of the subject.
    BadOffset,
    /// A group that would call itself for ever.
    RecursionLoop,
    Internal,
}

/// Where a group matched: start and end in bytes. The end can be before the start (`\K` in an
/// assertion).
pub type Span = (usize, usize);

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, subject: &str) -> Option<Vec<Option<Span>>> {
        find_with(pattern, subject, Options::default())
    }

    fn find_with(pattern: &str, subject: &str, options: Options) -> Option<Vec<Option<Span>>> {
        let regex = Regex::new(pattern.as_bytes(), options).expect("a pattern");
        regex.matcher(subject.as_bytes()).find(0, How::default()).expect("an answer")
    }

    #[test]
    fn groups_up_to_the_last_that_took_part() {
        assert_eq!(find("(a)|(b)", "a"), Some(vec![Some((0, 1)), Some((0, 1))]));
        assert_eq!(find("(a)|(b)", "b"), Some(vec![Some((0, 1)), None, Some((0, 1))]));
        assert_eq!(find("x", "abc"), None);
        assert_eq!(find("", ""), Some(vec![Some((0, 0))]));
    }

    #[test]
    fn recursion_gives_nothing_back() {
        // With backtracking into the recursion this would match the whole.
        assert_eq!(find(r"^(.|(.)(?1)\2)$", "abcba"), None);
        assert_eq!(find(r"\((?:[^()]++|(?R))*\)", "(a(b)c)"), Some(vec![Some((0, 7))]));
    }

    #[test]
    fn braces_that_are_no_quantifier() {
        assert_eq!(find("a{,3}", "a{,3}"), Some(vec![Some((0, 5))]));
        assert_eq!(find("a{ 2}", "aaa{ 2}"), Some(vec![Some((2, 7))]));
        assert_eq!(find("a{2}", "aaa"), Some(vec![Some((0, 2))]));
    }

    #[test]
    fn letters_of_latin_1() {
        let regex = Regex::new(b"\xe9+\\w", Options { caseless: true, ..Options::default() });
        let found = regex.expect("a pattern").matcher(b"\xc9\xe9\xdf").find(0, How::default());
        assert_eq!(found, Ok(Some(vec![Some((0, 3))])));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_refused_not_read() {
        let unicode = Options { unicode: true, ..Options::default() };
        let regex = Regex::new(b".", unicode).expect("a pattern");
        assert_eq!(regex.matcher(b"\xff").find(0, How::default()), Err(MatchError::BadUtf8));
        let mut matcher = regex.matcher("aé".as_bytes());
        assert_eq!(matcher.find(0, How::default()), Ok(Some(vec![Some((0, 1))])));
        assert_eq!(matcher.find(2, How::default()), Err(MatchError::BadUtf8));
        assert_eq!(matcher.find(9, How::default()), Err(MatchError::BadOffset));
        assert!(Regex::new(b"\xff", unicode).is_err());
    }

    #[test]
    fn limits_stop_a_search() {
        let regex = Regex::new(b"(a+)+$", Options::default()).expect("a pattern");
        let how = How { match_limit: Some(100), ..How::default() };
        let found = regex.matcher(b"aaaaaaaaaaaaaaaaaaaaaaaaab").find(0, how);
        assert_eq!(found, Err(MatchError::MatchLimit));
    }

    #[test]
    fn names_and_errors() {
        let regex = Regex::new(b"(?<b>x)(?<a>y)", Options::default()).expect("a pattern");
        assert_eq!(regex.names(), [(b"a".to_vec(), 2), (b"b".to_vec(), 1)]);
        assert_eq!(regex.groups(), 2);
        let error = Regex::new(b"(", Options::default()).err();
        assert_eq!(error, Some(CompileError { text: "missing )", position: 1 }));
    }
}
