//! Terms as bytes: `term_to_binary`, `binary_to_term` and their relatives.
//!
//! Compressed terms are written with another zlib than OTP's: they can be read by both, but are not
//! the same bytes.

use atom::Atom;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
use term::Term;
use term::etf::{self, Closures, Reading};

use super::{Builtin, Fallible, bad, bad_because, natural};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};
use crate::code_space::CodeSpace;

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "term_to_binary"/1 => |_, a| Ok(Term::binary(encode(&a[0], &Writing::default()))),
    "term_to_binary"/2 => |_, a| Ok(Term::binary(encode(&a[0], &writing(&a[1])?))),
    "term_to_iovec"/1 => |_, a| Ok(Term::list([Term::binary(encode(&a[0], &Writing::default()))])),
    "term_to_iovec"/2 => |_, a| Ok(Term::list([Term::binary(encode(&a[0], &writing(&a[1])?))])),
    "external_size"/1 => |_, a| Ok(Term::from(encode(&a[0], &Writing::default()).len())),
    "external_size"/2 => external_size,
    "binary_to_term"/1 => |cx, a| Ok(decode(cx, &a[0], false)?.0),
    "binary_to_term"/2 => binary_to_term,
);

struct Writing {
    minor_version: u8,
    /// Zlib's level, 0 for none.
    level: u8,
}

impl Default for Writing {
    fn default() -> Writing {
        Writing { minor_version: 1, level: 0 }
    }
}

const DEFAULT_LEVEL: u8 = 6;

fn writing(options: &Term) -> Fallible<Writing> {
    let mut writing = Writing::default();
    let mut elements = options.elements();
    for option in elements.by_ref() {
        match (option.as_atom().map(Atom::as_str), option.as_tuple()) {
            (Some("compressed"), _) => writing.level = DEFAULT_LEVEL,
            // Entries of a map are always in the order of its keys.
            (Some("deterministic"), _) => {}
            (_, Some([name, value])) => {
                let value = natural(value).ok_or_else(bad)?;
                match name.as_atom().map(Atom::as_str) {
                    Some("compressed") if value <= 9 => writing.level = value as u8,
                    Some("minor_version") if value <= 2 => writing.minor_version = value as u8,
                    _ => return Err(bad()),
                }
            }
            _ => return Err(bad()),
        }
    }
    if elements.is_proper() { Ok(writing) } else { Err(bad()) }
}

fn encode(term: &Term, writing: &Writing) -> Vec<u8> {
    let mut bytes = vec![etf::VERSION];
    etf::encode(term, writing.minor_version, &mut bytes);
    if writing.level > 0 {
        let plain = &bytes[1..];
        let packed = compress_to_vec_zlib(plain, writing.level);
        if packed.len() + 5 < plain.len() {
            let mut compressed = vec![etf::VERSION, etf::COMPRESSED];
            compressed.extend((plain.len() as u32).to_be_bytes());
            compressed.extend(packed);
            return compressed;
        }
    }
    bytes
}

fn external_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[1].elements();
    let mut minor_version = 1;
    for option in elements.by_ref() {
        match option.as_tuple() {
            Some([name, value]) if name.is_atom(Atom::new("minor_version")) => {
                minor_version = natural(value).filter(|&v| v <= 1).ok_or_else(bad)? as u8;
            }
            _ => return Err(bad()),
        }
    }
    if !elements.is_proper() {
        return Err(bad());
    }
    Ok(Term::from(encode(&args[0], &Writing { minor_version, level: 0 }).len()))
}

impl Closures for CodeSpace {
    fn find(&self, module: Atom, index: u32, unique: u32) -> Option<(Atom, u32)> {
        self.closures
            .iter()
            .rev()
            .find(|info| info.module == module && info.index == index && info.unique == unique)
            .map(|info| (info.name, info.entry))
    }
}

/// The term in a binary, and how many bytes of it were used.
fn decode(cx: &Ctx<'_>, binary: &Term, safe: bool) -> Fallible<(Term, usize)> {
    let bytes = super::binaries::bytes(binary)?;
    let reading = Reading { safe, closures: cx.code };
    let found = match *bytes {
        [etf::VERSION, etf::COMPRESSED, ref rest @ ..] => {
            inflate(rest).and_then(|(plain, used)| {
                let (term, whole) = etf::decode(&plain, &reading)?;
                (whole == plain.len()).then_some((term, used + 2))
            })
        }
        [etf::VERSION, ref rest @ ..] => {
            etf::decode(rest, &reading).map(|(term, used)| (term, used + 1))
        }
        _ => None,
    };
    found.ok_or_else(bad)
}

/// The size of the term stands before the compressed bytes. Returns the bytes of the term and how
/// many of the input were used.
fn inflate(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    // Deflate cannot make more of a byte than this.
    const MAX_RATIO: usize = 1032;
    let (size, packed) = bytes.split_at_checked(4)?;
    let size = u32::from_be_bytes(size.try_into().ok()?) as usize;
    if size > packed.len().saturating_mul(MAX_RATIO) {
        return None;
    }
    let mut plain = vec![0; size];
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | inflate_flags::TINFL_FLAG_COMPUTE_ADLER32;
    let mut state = Box::<DecompressorOxide>::default();
    let (status, used, written) = decompress(&mut state, packed, &mut plain, 0, flags);
    let done = status == miniz_oxide::inflate::TINFLStatus::Done && written == size;
    done.then_some((plain, used + 4))
}

fn binary_to_term(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (mut safe, mut used_too) = (false, false);
    let mut elements = args[1].elements();
    for option in elements.by_ref() {
        match option.as_atom().map(Atom::as_str) {
            Some("safe") => safe = true,
            Some("used") => used_too = true,
            _ => return Err(bad_because("erlang", "binary_to_term", args, "badopt")),
        }
    }
    if !elements.is_proper() {
        return Err(bad_because("erlang", "binary_to_term", args, "badopt"));
    }
    let (term, used) = decode(cx, &args[0], safe)?;
    Ok(if used_too { Term::tuple([term, Term::from(used)]) } else { term })
}
