//! Compiled modules: the abstract code inside a `.beam` file.
//!
//! A `.beam` file is an IFF container (`FOR1 size BEAM`, then chunks padded to four bytes),
//! possibly gzipped as a whole. The forms a module was compiled from are in the chunk `Dbgi` (a
//! term `{debug_info_v1, erl_abstract_code, {Forms, Options}}`), or `Abst` before OTP 20. A module
//! compiled without `debug_info` has neither, and one with encrypted debug information cannot be
//! read without its key: both are told apart in [`BeamError`].

pub mod etf;

use std::borrow::Cow;
use std::fmt;

use atom::Atom;

use crate::terms::{Term, TermId, Terms};
use etf::EtfError;

/// Larger than any module; a gzipped file may not grow beyond it.
const FILE_LIMIT: usize = 1 << 28;

/// Why a `.beam` file gives no forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BeamError {
    /// Not a `.beam` file at all.
    NotBeam,
    /// A chunk says it is longer than the file.
    Truncated,
    /// Gzipped, but damaged.
    Gzip,
    /// Compiled without `debug_info`.
    NoAbstractCode,
    /// `debug_info_key` was used.
    Encrypted,
    /// Compiled from another language, whose backend would have to make the forms.
    OtherBackend(String),
    /// The chunk is there but does not hold what it should.
    BadAbstractCode,
    Term(EtfError),
}

impl fmt::Display for BeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BeamError::NotBeam => f.write_str("not a .beam file"),
            BeamError::Truncated => f.write_str("the .beam file ends too early"),
            BeamError::Gzip => f.write_str("the compressed .beam file is damaged or too large"),
            BeamError::NoAbstractCode => {
                f.write_str("the .beam file has no abstract code (compile with debug_info)")
            }
            BeamError::Encrypted => f.write_str("the abstract code in the .beam file is encrypted"),
            BeamError::OtherBackend(backend) => {
                write!(f, "the debug information in the .beam file was made by '{backend}'")
            }
            BeamError::BadAbstractCode => {
                f.write_str("the abstract code in the .beam file is not in a known format")
            }
            BeamError::Term(error) => write!(f, "the .beam file is damaged: {error}"),
        }
    }
}

impl From<EtfError> for BeamError {
    fn from(error: EtfError) -> BeamError {
        BeamError::Term(error)
    }
}

/// The forms of a compiled module, as terms.
#[derive(Debug)]
pub struct AbstractCode {
    pub terms: Terms,
    pub forms: Vec<TermId>,
    /// The options it was compiled with, if they were kept.
    pub options: Option<TermId>,
}

/// The chunk in which our own `compile` puts the forms, whether debug information is asked for or
/// not: we have no other code to run.
const OWN_FORMS: &[u8; 4] = b"ErlS";

/// Whether bytes look like a `.beam` file, gzipped or not.
pub fn is_beam(bytes: &[u8]) -> bool {
    bytes.starts_with(b"FOR1") || bytes.starts_with(GZIP)
}

/// The abstract code of a `.beam` file.
pub fn abstract_code(bytes: &[u8]) -> Result<AbstractCode, BeamError> {
    let bytes = unzipped(bytes)?;
    let chunks = chunks(&bytes)?;
    let find = |name: &[u8; 4]| chunks.iter().find(|chunk| chunk.0 == name).map(|chunk| chunk.1);
    let mut terms = Terms::default();
    if let Some(chunk) = find(OWN_FORMS) {
        let root = etf::decode(chunk, &mut terms)?;
        let forms = terms.get(root).list().ok_or(BeamError::BadAbstractCode)?;
        let forms = forms.into_iter().map(Term::id).collect();
        return Ok(AbstractCode { terms, forms, options: None });
    }
    if let Some(chunk) = find(b"Dbgi") {
        if is_encrypted(chunk) {
            return Err(BeamError::Encrypted);
        }
        let root = etf::decode(chunk, &mut terms)?;
        let (forms, options) = debug_info(terms.get(root))?;
        return Ok(AbstractCode { terms, forms, options });
    }
    match find(b"Abst") {
        None | Some([]) => Err(BeamError::NoAbstractCode),
        Some(chunk) if is_encrypted(chunk) => Err(BeamError::Encrypted),
        Some(chunk) => {
            let root = etf::decode(chunk, &mut terms)?;
            let forms = raw_abstract(terms.get(root)).ok_or(BeamError::BadAbstractCode)?;
            Ok(AbstractCode { terms, forms, options: None })
        }
    }
}

/// The module's name, from the first entry of the atom table, without decoding anything else.
pub fn module_name(bytes: &[u8]) -> Result<Atom, BeamError> {
    let bytes = unzipped(bytes)?;
    for (name, chunk) in chunks(&bytes)? {
        let utf8 = name == b"AtU8";
        if !utf8 && name != b"Atom" {
            continue;
        }
        // A count, negative since OTP 28, where lengths have their own encoding; then the atoms.
        let count = chunk.get(..4).map(|raw| i32::from_be_bytes([raw[0], raw[1], raw[2], raw[3]]));
        let (len, start) = match (count, chunk.get(4), chunk.get(5)) {
            (Some(count), Some(&len), _) if count >= 0 => (len as usize, 5),
            (Some(_), Some(&first), _) if first & 0x0F == 0 => ((first >> 4) as usize, 5),
            (Some(_), Some(&first), Some(&next)) if first & 0x1F == 0x08 => {
                ((usize::from(first >> 5) << 8) | usize::from(next), 6)
            }
            _ => return Err(BeamError::Truncated),
        };
        let text = chunk.get(start..start + len).ok_or(BeamError::Truncated)?;
        let text = if utf8 {
            String::from_utf8_lossy(text).into_owned()
        } else {
            text.iter().map(|&byte| char::from(byte)).collect()
        };
        return Ok(Atom::new(&text));
    }
    Err(BeamError::NotBeam)
}

/// The forms, and the compiler's options.
type DebugInfo = (Vec<TermId>, Option<TermId>);

/// `{debug_info_v1, Backend, {Forms | none, Options}}`
fn debug_info(term: Term<'_>) -> Result<DebugInfo, BeamError> {
    let parts = term.tagged("debug_info_v1").ok_or(BeamError::BadAbstractCode)?;
    let [backend, data] = parts[..] else { return Err(BeamError::BadAbstractCode) };
    if !backend.is_atom("erl_abstract_code") {
        let name = backend.atom().map(|atom| atom.as_str().to_owned()).unwrap_or_default();
        return Err(BeamError::OtherBackend(name));
    }
    let pair = data.tuple().unwrap_or_default();
    let [forms, options] = pair[..] else { return Err(BeamError::NoAbstractCode) };
    if forms.is_atom("none") {
        return Err(BeamError::NoAbstractCode);
    }
    let forms = forms.list().ok_or(BeamError::BadAbstractCode)?;
    Ok((forms.into_iter().map(Term::id).collect(), Some(options.id())))
}

/// `{raw_abstract_v1, Forms}`
fn raw_abstract(term: Term<'_>) -> Option<Vec<TermId>> {
    let parts = term.tagged("raw_abstract_v1")?;
    Some(parts.first()?.list()?.into_iter().map(Term::id).collect())
}

/// Encrypted chunks start with a mode (0: key given as a string or tuple) and a length-prefixed
/// name of the cipher, where others start with the version byte of the term format.
fn is_encrypted(chunk: &[u8]) -> bool {
    chunk.first() == Some(&0)
}

type Chunk<'a> = (&'a [u8], &'a [u8]);

/// Names and contents of the chunks, in the order of the file.
fn chunks(bytes: &[u8]) -> Result<Vec<Chunk<'_>>, BeamError> {
    if !bytes.starts_with(b"FOR1") || bytes.get(8..12) != Some(b"BEAM") {
        return Err(BeamError::NotBeam);
    }
    let mut rest = &bytes[12..];
    let mut chunks = Vec::new();
    while let Some((header, after)) = rest.split_at_checked(8) {
        let size = u32::from_be_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let content = after.get(..size).ok_or(BeamError::Truncated)?;
        chunks.push((&header[..4], content));
        rest = after.get(size.next_multiple_of(4)..).unwrap_or_default();
    }
    Ok(chunks)
}

const GZIP: &[u8] = &[0x1F, 0x8B];

fn unzipped(bytes: &[u8]) -> Result<Cow<'_, [u8]>, BeamError> {
    if !bytes.starts_with(GZIP) {
        return Ok(Cow::Borrowed(bytes));
    }
    let data = skip_gzip_header(bytes).ok_or(BeamError::Gzip)?;
    miniz_oxide::inflate::decompress_to_vec_with_limit(data, FILE_LIMIT)
        .map(Cow::Owned)
        .map_err(|_| BeamError::Gzip)
}

/// What comes after the header of a gzip member (RFC 1952): ten bytes, then the optional parts
/// that the flags announce.
fn skip_gzip_header(bytes: &[u8]) -> Option<&[u8]> {
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & 4 != 0 {
        let len = u16::from_le_bytes([*rest.first()?, *rest.get(1)?]);
        rest = rest.get(2 + len as usize..)?;
    }
    for text in [8, 16] {
        if flags & text != 0 {
            let end = rest.iter().position(|&byte| byte == 0)?;
            rest = &rest[end + 1..];
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// A container with these chunks.
    fn container(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"BEAM".to_vec();
        for (name, content) in chunks {
            body.extend_from_slice(*name);
            body.extend((content.len() as u32).to_be_bytes());
            body.extend_from_slice(content);
            body.resize(body.len().next_multiple_of(4), 0);
        }
        let mut bytes = b"FOR1".to_vec();
        bytes.extend((body.len() as u32).to_be_bytes());
        bytes.extend(body);
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Expect) {
        let shown = match abstract_code(bytes) {
            Ok(code) => {
                let forms = code.forms.iter().map(|&form| code.terms.get(form).to_string());
                forms.collect::<Vec<_>>().join(" ")
            }
            Err(error) => format!("error: {error}"),
        };
        expected.assert_eq(&shown);
    }

    /// `{raw_abstract_v1, [a]}`
    const OLD: &[u8] = b"\x83\x68\x02\x77\x0fraw_abstract_v1\x6c\x00\x00\x00\x01\x77\x01a\x6a";
    /// `{debug_info_v1, erl_abstract_code, {[b], []}}`
    const NEW: &[u8] = b"\x83\x68\x03\x77\x0ddebug_info_v1\x77\x11erl_abstract_code\
        \x68\x02\x6c\x00\x00\x00\x01\x77\x01b\x6a\x6a";

    #[test]
    fn where_forms_are() {
        check(&container(&[(b"Abst", OLD)]), expect!["a"]);
        check(&container(&[(b"Code", b"x"), (b"Dbgi", NEW)]), expect!["b"]);
        check(&container(&[(b"Dbgi", NEW), (b"Abst", OLD)]), expect!["b"]);
    }

    #[test]
    fn no_forms() {
        let other = b"\x83\x68\x03\x77\x0ddebug_info_v1\x77\x0aelixir_erl\x6a";
        check(b"", expect!["error: not a .beam file"]);
        check(b"FOR1\0\0\0\x04JUNK", expect!["error: not a .beam file"]);
        check(
            &container(&[(b"Code", b"")]),
            expect!["error: the .beam file has no abstract code (compile with debug_info)"],
        );
        check(
            &container(&[(b"Abst", b"")]),
            expect!["error: the .beam file has no abstract code (compile with debug_info)"],
        );
        check(
            &container(&[(b"Dbgi", b"\0\x08des3_cbc...")]),
            expect!["error: the abstract code in the .beam file is encrypted"],
        );
        check(
            &container(&[(b"Dbgi", other)]),
            expect!["error: the debug information in the .beam file was made by 'elixir_erl'"],
        );
        check(
            &container(&[(b"Dbgi", b"\x83\x6a")]),
            expect!["error: the abstract code in the .beam file is not in a known format"],
        );
        check(&container(&[(b"Dbgi", NEW)])[..40], expect!["error: the .beam file ends too early"]);
        check(
            b"\x1f\x8bjunk junk junk",
            expect!["error: the compressed .beam file is damaged or too large"],
        );
    }

    #[test]
    fn gzipped() {
        let mut bytes = b"\x1f\x8b\x08\x08\0\0\0\0\0\0name\0".to_vec();
        bytes.extend(miniz_oxide::deflate::compress_to_vec(&container(&[(b"Dbgi", NEW)]), 6));
        check(&bytes, expect!["b"]);
    }

    #[test]
    fn names() {
        let old = container(&[(b"Atom", b"\0\0\0\x01\x03foo")]);
        let new = container(&[(b"AtU8", b"\xff\xff\xff\xff\x30foo")]);
        assert_eq!(module_name(&old), Ok(Atom::new("foo")));
        assert_eq!(module_name(&new), Ok(Atom::new("foo")));
        assert_eq!(module_name(&container(&[])), Err(BeamError::NotBeam));
    }
}
