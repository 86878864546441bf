//! How much a type may say before it is widened. Dialyzer's limits are smaller, or the same: 13
//! atoms or integers, 5 tags of a size, 8 sizes of tuples, and depth 4.

/// Atoms listed one by one; more are `atom()`.
pub const ATOMS: usize = 24;
/// Integers listed one by one; more are a range.
pub const INTEGERS: usize = 16;
/// Tuples of one size that are told apart by their tags; more are one tuple.
pub const TAGS: usize = 16;
/// Sizes of tuples; more are `tuple()`.
pub const SIZES: usize = 10;
/// Keys of a map that are told apart.
pub const KEYS: usize = 32;
/// How deep structures are looked into; what is deeper is `any()`.
pub const DEPTH: u32 = 5;
/// How many types one may hold, itself included; of a larger one less depth is kept.
pub const SIZE: u32 = 120;
/// How deep, and how large, the type of a value may become while a function is looked at. (A value
/// that would have to hold itself becomes deeper with every step.)
pub const WORKING_DEPTH: u32 = 3 * DEPTH;
pub const WORKING_SIZE: u32 = 40 * SIZE;
/// Signatures of clauses kept for a function; those that are more are joined with the last.
pub const CLAUSES: usize = 16;
