//! `zlib`, as far as it works on whole binaries.
//!
//! What is compressed here can be uncompressed by OTP's, and the other way round; the bytes differ,
//! because the compressor is another one. Streams (`zlib:open/0` and what follows) are not there.

use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::{decompress_to_vec, decompress_to_vec_zlib};
use term::Term;

use super::{Builtin, fail, iolist};
use crate::builtins::{Return, builtins};

/// OTP's default level.
const LEVEL: u8 = 6;

pub(super) const ZLIB: &[Builtin] = builtins!("zlib", visible: false;
    "compress"/1 => |_, a| with_bytes(&a[0], |bytes| Some(compress_to_vec_zlib(bytes, LEVEL))),
    "uncompress"/1 => |_, a| with_bytes(&a[0], |bytes| decompress_to_vec_zlib(bytes).ok()),
    "zip"/1 => |_, a| with_bytes(&a[0], |bytes| Some(compress_to_vec(bytes, LEVEL))),
    "unzip"/1 => |_, a| with_bytes(&a[0], |bytes| decompress_to_vec(bytes).ok()),
);

fn with_bytes(data: &Term, work: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Return {
    let bytes = iolist::bytes(data).ok_or_else(|| fail("badarg"))?;
    work(&bytes).map(Term::binary).ok_or_else(|| fail("data_error"))
}
