//! The embedded library, ready to run: its modules are lowered when Erlscope is built (`build.rs`),
//! and unpacked when they are loaded ([`code::packed`]). Their trees are read from the texts of
//! `stdlib` by who asks for them.

mod sources;

use std::ops::Range;

use code::module::ModuleCode;

pub use sources::{module as tree, read_source};

/// Where each module is in [`BYTES`], by name, sorted.
static MODULES: &[(&str, Range<usize>)] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/modules.bin"));

/// The code of a module of the library.
pub fn code(name: &str) -> Option<ModuleCode> {
    let index = MODULES.binary_search_by(|(known, _)| known.cmp(&name)).ok()?;
    Some(code::packed::unpack(&BYTES[MODULES[index].1.clone()]))
}
