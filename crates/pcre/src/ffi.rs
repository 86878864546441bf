//! The C library.
//!
//! Everything unsafe is here. What makes it sound:
//! * a [`Regex`] owns its code and frees it once; the tables it refers to are static;
//! * a [`Matcher`] borrows its regex and its subject, so both outlive it; it owns its match data,
//!   which are made for the regex's number of groups, and reads no more of them than the library
//!   says there are;
//! * the library checks patterns to be UTF-8 where it reads them so; subjects are checked here,
//!   once, by Rust's library, which accepts nothing that PCRE2 does not; a match starts only where
//!   a character does;
//! * pointers from the library are used only if they are not null.
#![allow(unsafe_code, reason = "the regular expression library is written in C")]

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use pcre2_sys as sys;

use crate::tables::TABLES;
use crate::translate::translate;
use crate::{Bsr, CompileError, How, MatchError, Newline, Options, Span, errors};

/// A pattern that is ready to be matched.
#[derive(Debug)]
pub struct Regex {
    code: NonNull<sys::pcre2_code_8>,
    groups: usize,
    /// Names in their order, with the numbers of their groups.
    names: Vec<(Vec<u8>, usize)>,
    unicode: bool,
    newline: Newline,
}

impl Drop for Regex {
    fn drop(&mut self) {
        // SAFETY: the code was made by `pcre2_compile_8` and is freed only here.
        unsafe { sys::pcre2_code_free_8(self.code.as_ptr()) }
    }
}

/// How deep parentheses may be: where PCRE 8 ran out of room.
const NEST_LIMIT: u32 = 799;

/// Settings for compiling.
struct CompileContext(NonNull<sys::pcre2_compile_context_8>);

impl CompileContext {
    fn new(options: &Options) -> Option<CompileContext> {
        // SAFETY: a null general context asks for the default one.
        let made = unsafe { sys::pcre2_compile_context_create_8(ptr::null_mut()) };
        let context = CompileContext(NonNull::new(made)?);
        let pointer = context.0.as_ptr();
        // SAFETY: the context is valid; the tables are static and have the library's layout.
        // Settings that the library refuses stay as they are.
        unsafe {
            sys::pcre2_set_character_tables_8(pointer, TABLES.as_ptr());
            sys::pcre2_set_compile_extra_options_8(pointer, sys::PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK);
            sys::pcre2_set_max_varlookbehind_8(pointer, 0);
            sys::pcre2_set_parens_nest_limit_8(pointer, NEST_LIMIT);
            sys::pcre2_set_newline_8(
                pointer,
                newline_number(options.newline.unwrap_or(Newline::Lf)),
            );
            let bsr = match options.bsr.unwrap_or(Bsr::Unicode) {
                Bsr::Unicode => sys::PCRE2_BSR_UNICODE,
                Bsr::AnyCrLf => sys::PCRE2_BSR_ANYCRLF,
            };
            sys::pcre2_set_bsr_8(pointer, bsr);
        }
        Some(context)
    }
}

impl Drop for CompileContext {
    fn drop(&mut self) {
        // SAFETY: made by `pcre2_compile_context_create_8`, freed only here.
        unsafe { sys::pcre2_compile_context_free_8(self.0.as_ptr()) }
    }
}

fn newline_number(newline: Newline) -> u32 {
    match newline {
        Newline::Cr => sys::PCRE2_NEWLINE_CR,
        Newline::Lf => sys::PCRE2_NEWLINE_LF,
        Newline::CrLf => sys::PCRE2_NEWLINE_CRLF,
        Newline::Any => sys::PCRE2_NEWLINE_ANY,
        Newline::AnyCrLf => sys::PCRE2_NEWLINE_ANYCRLF,
    }
}

fn option_bits(options: &Options) -> u32 {
    let pairs = [
        (options.unicode, sys::PCRE2_UTF),
        (options.anchored, sys::PCRE2_ANCHORED),
        (options.caseless, sys::PCRE2_CASELESS),
        (options.dollar_endonly, sys::PCRE2_DOLLAR_ENDONLY),
        (options.dotall, sys::PCRE2_DOTALL),
        (options.extended, sys::PCRE2_EXTENDED),
        (options.firstline, sys::PCRE2_FIRSTLINE),
        (options.multiline, sys::PCRE2_MULTILINE),
        (options.no_auto_capture, sys::PCRE2_NO_AUTO_CAPTURE),
        (options.dupnames, sys::PCRE2_DUPNAMES),
        (options.ungreedy, sys::PCRE2_UNGREEDY),
        // The set of bytes with which `\\w` can start in UTF-8 is taken for ASCII only, whatever
        // the tables say.
        (
            options.no_start_optimize || options.unicode && !options.ucp,
            sys::PCRE2_NO_START_OPTIMIZE,
        ),
        (options.ucp, sys::PCRE2_UCP),
        (options.never_utf, sys::PCRE2_NEVER_UTF),
    ];
    pairs.iter().filter(|(is_set, _)| *is_set).fold(0, |bits, (_, bit)| bits | bit)
}

impl Regex {
    pub fn new(pattern: &[u8], options: Options) -> Result<Regex, CompileError> {
        let translated = translate(pattern, options.extended);
        let no_memory = || CompileError { text: errors::text(121), position: 0 };
        let context = CompileContext::new(&options).ok_or_else(no_memory)?;
        let (mut number, mut position): (c_int, usize) = (0, 0);
        let text = &*translated.pattern;
        // SAFETY: the pattern is a slice of that length, the two results are local, the context is
        // valid.
        let code = unsafe {
            sys::pcre2_compile_8(
                text.as_ptr(),
                text.len(),
                option_bits(&options),
                &mut number,
                &mut position,
                context.0.as_ptr(),
            )
        };
        let Some(code) = NonNull::new(code) else {
            let position = translated.position(position.min(text.len()));
            return Err(errors::as_before(number, pattern, position));
        };
        let mut regex =
            Regex { code, groups: 0, names: Vec::new(), unicode: false, newline: Newline::Lf };
        regex.groups = regex.number(sys::PCRE2_INFO_CAPTURECOUNT) as usize;
        regex.unicode = regex.number(sys::PCRE2_INFO_ALLOPTIONS) & sys::PCRE2_UTF != 0;
        regex.newline = match regex.number(sys::PCRE2_INFO_NEWLINE) {
            sys::PCRE2_NEWLINE_CR => Newline::Cr,
            sys::PCRE2_NEWLINE_CRLF => Newline::CrLf,
            sys::PCRE2_NEWLINE_ANY => Newline::Any,
            sys::PCRE2_NEWLINE_ANYCRLF => Newline::AnyCrLf,
            _ => Newline::Lf,
        };
        regex.names = regex.read_names();
        Ok(regex)
    }

    /// A fact about the pattern that is a 32-bit number.
    fn number(&self, what: u32) -> u32 {
        let mut number: u32 = 0;
        // SAFETY: the code is valid, and each `what` used here is documented to be a `uint32_t`.
        unsafe {
            sys::pcre2_pattern_info_8(
                self.code.as_ptr(),
                what,
                ptr::from_mut(&mut number).cast::<c_void>(),
            );
        }
        number
    }

    /// Names are in a table of equal entries: the number in two bytes, then the name up to a zero.
    fn read_names(&self) -> Vec<(Vec<u8>, usize)> {
        let count = self.number(sys::PCRE2_INFO_NAMECOUNT) as usize;
        let size = self.number(sys::PCRE2_INFO_NAMEENTRYSIZE) as usize;
        let mut table: *const u8 = ptr::null();
        // SAFETY: the code is valid, and the result of this question is a pointer.
        unsafe {
            sys::pcre2_pattern_info_8(
                self.code.as_ptr(),
                sys::PCRE2_INFO_NAMETABLE,
                ptr::from_mut(&mut table).cast::<c_void>(),
            );
        }
        if table.is_null() || count == 0 || size < 3 {
            return Vec::new();
        }
        // SAFETY: the library has `count` entries of `size` bytes there, as long as the code lives.
        let table = unsafe { std::slice::from_raw_parts(table, count * size) };
        let entry = |entry: &[u8]| {
            let name = entry[2..].split(|&byte| byte == 0).next().unwrap_or_default();
            (name.to_vec(), usize::from(entry[0]) << 8 | usize::from(entry[1]))
        };
        table.chunks_exact(size).map(entry).collect()
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The names of groups, sorted, with their numbers; a name can stand for several.
    pub fn names(&self) -> &[(Vec<u8>, usize)] {
        &self.names
    }

    /// What ends a line: as the options say, or the pattern itself.
    pub fn newline(&self) -> Newline {
        self.newline
    }

    pub fn matcher<'a>(&'a self, subject: &'a [u8]) -> Matcher<'a> {
        // SAFETY: the code is valid; a null general context asks for the default one.
        let data = unsafe {
            sys::pcre2_match_data_create_from_pattern_8(self.code.as_ptr(), ptr::null_mut())
        };
        // SAFETY: a null general context asks for the default one.
        let context = unsafe { sys::pcre2_match_context_create_8(ptr::null_mut()) };
        Matcher {
            regex: self,
            subject,
            data: NonNull::new(data),
            context: NonNull::new(context),
            is_text: !self.unicode || std::str::from_utf8(subject).is_ok(),
        }
    }
}

/// A pattern and a text in which it is looked for, perhaps several times.
#[derive(Debug)]
pub struct Matcher<'a> {
    regex: &'a Regex,
    subject: &'a [u8],
    data: Option<NonNull<sys::pcre2_match_data_8>>,
    context: Option<NonNull<sys::pcre2_match_context_8>>,
    /// Whether the subject can be read as the pattern wants it.
    is_text: bool,
}

impl Drop for Matcher<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `Regex::matcher`, freed only here.
        unsafe {
            if let Some(data) = self.data {
                sys::pcre2_match_data_free_8(data.as_ptr());
            }
            if let Some(context) = self.context {
                sys::pcre2_match_context_free_8(context.as_ptr());
            }
        }
    }
}

/// Kilobytes that matching may take from the heap.
const HEAP_LIMIT: u32 = 512 * 1024;
const MATCH_LIMIT: u32 = 10_000_000;

impl Matcher<'_> {
    /// Looks for the pattern from a place on: where each group matched, up to the last one that
    /// did.
    pub fn find(
        &mut self,
        start: usize,
        how: How,
    ) -> Result<Option<Vec<Option<Span>>>, MatchError> {
        let (Some(data), Some(context)) = (self.data, self.context) else {
            return Err(MatchError::Internal);
        };
        if start > self.subject.len() {
            return Err(MatchError::BadOffset);
        }
        let is_inside = self.subject.get(start).is_some_and(|byte| byte & 0xC0 == 0x80);
        if !self.is_text || self.regex.unicode && is_inside {
            return Err(MatchError::BadUtf8);
        }
        let pairs = [
            (how.anchored, sys::PCRE2_ANCHORED),
            (how.notempty, sys::PCRE2_NOTEMPTY),
            (how.notempty_atstart, sys::PCRE2_NOTEMPTY_ATSTART),
            (how.notbol, sys::PCRE2_NOTBOL),
            (how.noteol, sys::PCRE2_NOTEOL),
            (self.regex.unicode, sys::PCRE2_NO_UTF_CHECK),
        ];
        let bits = pairs.iter().filter(|(is_set, _)| *is_set).fold(0, |bits, (_, bit)| bits | bit);
        // SAFETY: all pointers are valid, the subject is a slice of that length and the start lies
        // in it. If it is read as UTF-8 then it is UTF-8, and a character starts there.
        let result = unsafe {
            sys::pcre2_set_match_limit_8(context.as_ptr(), how.match_limit.unwrap_or(MATCH_LIMIT));
            sys::pcre2_set_depth_limit_8(context.as_ptr(), how.depth_limit.unwrap_or(MATCH_LIMIT));
            sys::pcre2_set_heap_limit_8(context.as_ptr(), HEAP_LIMIT);
            sys::pcre2_match_8(
                self.regex.code.as_ptr(),
                self.subject.as_ptr(),
                self.subject.len(),
                start,
                bits,
                data.as_ptr(),
                context.as_ptr(),
            )
        };
        let found = match result {
            1.. => Some(self.spans(data, result as usize)),
            sys::PCRE2_ERROR_NOMATCH => None,
            sys::PCRE2_ERROR_MATCHLIMIT | sys::PCRE2_ERROR_HEAPLIMIT => {
                return Err(MatchError::MatchLimit);
            }
            sys::PCRE2_ERROR_DEPTHLIMIT => return Err(MatchError::DepthLimit),
            sys::PCRE2_ERROR_RECURSELOOP => return Err(MatchError::RecursionLoop),
            sys::PCRE2_ERROR_BADOFFSET => return Err(MatchError::BadOffset),
            _ => return Err(MatchError::Internal),
        };
        Ok(found)
    }

    fn spans(&self, data: NonNull<sys::pcre2_match_data_8>, count: usize) -> Vec<Option<Span>> {
        // SAFETY: the data are valid, and hold as many pairs of numbers as the library says.
        let pairs = unsafe {
            let room = sys::pcre2_get_ovector_count_8(data.as_ptr()) as usize;
            let pointer = sys::pcre2_get_ovector_pointer_8(data.as_ptr());
            std::slice::from_raw_parts(pointer, room.min(count) * 2)
        };
        let span = |pair: &[usize]| match pair[0] {
            sys::PCRE2_UNSET => None,
            start => Some((start.min(self.subject.len()), pair[1].min(self.subject.len()))),
        };
        pairs.chunks_exact(2).map(span).collect()
    }
}
