//! A number that tells versions of a module apart.
//!
//! It is part of funs, whose code is found again by it. (The sum that `module_info(md5)` shows is
//! another one.)

use std::hash::{Hash, Hasher};
use std::path::Path;

use atom::Atom;
use rustc_hash::FxHasher;
use syntax::ast::Module;
use syntax::token::{Literal, TokenValue};

/// Tells versions of a module apart: by what they are written with.
pub(crate) fn digest(name: Atom, source: &Module) -> u32 {
    let mut hasher = FxHasher::default();
    name.as_str().hash(&mut hasher);
    let is_own_path = |text: &str| source.files.iter().any(|file| file.path == Path::new(text));
    for token in &source.tokens {
        (token.kind as u8).hash(&mut hasher);
        match token.value {
            TokenValue::None => {}
            TokenValue::Name(name) => name.as_str().hash(&mut hasher),
            TokenValue::Char(code) => code.hash(&mut hasher),
            TokenValue::Literal(id) => match source.literal(id) {
                Literal::Integer(value) => value.hash(&mut hasher),
                Literal::Float(value) => value.to_bits().hash(&mut hasher),
                // Where the text was found is no part of it (`?FILE`, `-file`).
                Literal::String(text) if is_own_path(text) => {}
                Literal::String(text) => text.hash(&mut hasher),
            },
        }
    }
    hasher.finish() as u32 & 0x07FF_FFFF
}
