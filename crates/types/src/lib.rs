//! Erlang's types: the type language, success typings of whole programs, membership of terms.
//!
//! ```text
//! Program ─▶ declared (-type, -spec, -record; libraries' on demand) ─▶ ty (the lattice)
//!    │                                                                   ▲       ▲
//!    └────▶ infer (success typings, what cannot succeed) ────────────────┘       │
//!                                                            member (terms) ─────┘
//! ```
//!
//! * [`Type`]: a set of terms; join, meet, difference, order ([`ty`]);
//! * [`Type::check`]: whether a term is of a type, and where it is not ([`member`]);
//! * [`declared::Declarations`]: what programs and libraries declare;
//! * [`infer::infer`]: what functions take and give whenever they return.
//!
//! Invariants of this crate:
//! * Nothing runs here.
//! * What is inferred is an upper bound: no run of the program contradicts it.
//! * Equal programs give equal types, in the same order, with any number of threads.

pub mod declared;
pub mod infer;
pub mod member;
pub mod ty;

pub use ty::Type;
