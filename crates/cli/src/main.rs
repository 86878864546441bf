//! The erlscope command.
fn main() {}
