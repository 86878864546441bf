//! Lexer, preprocessor and parser over any text: `cargo +nightly fuzz run read_module`. The texts
//! and the checks are those of the property test `any_text` of the crate `syntax`.
#![no_main]

use arbitrary::{self, Unstructured};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/syntax/tests/support/any_text.rs"]
mod any_text;
#[path = "../../crates/syntax/tests/support/survive.rs"]
mod survive;

const FIXTURES: &[&[u8]] = &[
    include_bytes!("../../crates/syntax/tests/epp/functions.erl"),
    include_bytes!("../../crates/syntax/tests/epp/conditions.erl"),
    include_bytes!("../../crates/syntax/tests/epp/scanner.erl"),
    include_bytes!("../../crates/syntax/tests/epp/strings.erl"),
];

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = any_text::any_text(&mut Unstructured::new(bytes), FIXTURES) {
        survive::survive(&text);
    }
});
