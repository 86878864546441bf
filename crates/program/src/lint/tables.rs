//! What every module knows without saying so: automatically imported functions, functions that
//! guards may call, types that are built in. The lists are those of OTP 25; what later releases
//! added carries the release. Functions that the preprocessor must know, too, are in
//! [`syntax::builtins`].

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use syntax::ast::{BinaryOp, UnaryOp};
use syntax::builtins;
pub(super) use syntax::builtins::name_arities;

use super::NameArity;

const TYPE_TESTS: &str = "is_atom/1 is_binary/1 is_bitstring/1 is_boolean/1 is_float/1 \
    is_function/1 is_function/2 is_integer/1 is_list/1 is_map/1 is_number/1 is_pid/1 is_port/1 \
    is_record/2 is_record/3 is_reference/1 is_tuple/1";

/// Type tests as they were spelled before R6.
const OLD_TYPE_TESTS: &str = "atom/1 binary/1 float/1 function/1 integer/1 list/1 number/1 \
    pid/1 port/1 record/2 reference/1 tuple/1";

const TYPES: &str = "any/0 arity/0 atom/0 binary/0 bitstring/0 bool/0 boolean/0 byte/0 char/0 \
    float/0 function/0 identifier/0 integer/0 iodata/0 iolist/0 list/0 list/1 map/0 \
    maybe_improper_list/0 maybe_improper_list/2 mfa/0 module/0 neg_integer/0 nil/0 no_return/0 \
    node/0 non_neg_integer/0 none/0 nonempty_binary/0 nonempty_bitstring/0 \
    nonempty_improper_list/2 nonempty_list/0 nonempty_list/1 nonempty_maybe_improper_list/0 \
    nonempty_maybe_improper_list/2 nonempty_string/0 number/0 pid/0 port/0 pos_integer/0 \
    reference/0 string/0 term/0 timeout/0 tuple/0";

/// A list, read when it is first asked for.
type Listed = LazyLock<FxHashSet<NameArity>>;

static TESTS: Listed = LazyLock::new(|| parse(TYPE_TESTS));
static OLD_TESTS: Listed = LazyLock::new(|| parse(OLD_TYPE_TESTS));
static BUILT_IN_TYPES: Listed = LazyLock::new(|| parse(TYPES));

fn parse(text: &'static str) -> FxHashSet<NameArity> {
    name_arities(text).collect()
}

/// Functions of `erlang` that can be called without naming the module.
pub(crate) fn is_auto_imported(function: NameArity) -> bool {
    builtins::is_auto_imported(function)
}

/// The same, with those that later releases than 25 added.
pub(super) fn is_auto_imported_in(function: NameArity, release: u32) -> bool {
    is_auto_imported(function) || release >= 29 && builtins::is_new_test(function)
}

/// Those of them that were there before local functions could take their names.
pub(super) fn is_old_auto_imported(function: NameArity) -> bool {
    builtins::is_old_auto_imported(function)
}

pub(crate) fn is_guard_function(function: NameArity, release: u32) -> bool {
    builtins::is_guard_function(function, release)
}

pub(super) fn is_type_test(function: NameArity) -> bool {
    TESTS.contains(&function) || is_old_type_test(function)
}

pub(super) fn is_old_type_test(function: NameArity) -> bool {
    OLD_TESTS.contains(&function)
}

pub(crate) fn is_built_in_type(ty: NameArity, release: u32) -> bool {
    BUILT_IN_TYPES.contains(&ty)
        || release >= 26 && ty.1 == 0 && ty.0.as_str() == "dynamic"
        || release >= 29 && ty.1 == 0 && ty.0.as_str() == "record"
}

/// Whether a guard may use the operator.
pub(super) fn is_guard_operator(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::Append | BinaryOp::Subtract | BinaryOp::Send)
}

/// Whether `erlang:Op(…)` may be called in a guard.
pub(super) fn is_guard_operator_name(name: &str, arity: u32) -> bool {
    match arity {
        1 => UnaryOp::from_text(name).is_some(),
        2 => BinaryOp::from_text(name).is_some_and(|op| {
            is_guard_operator(op) && !matches!(op, BinaryOp::Andalso | BinaryOp::Orelse)
        }),
        _ => false,
    }
}

/// Whether the operator computes a number.
pub(super) fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Sub | Mul | Div | IntDiv | Rem | Band | Bor | Bxor | Bsl | Bsr)
}

/// Functions that every module has, whether written or not.
pub(super) fn is_pseudo_local(function: NameArity) -> bool {
    matches!((function.0.as_str(), function.1), ("module_info", 0 | 1) | ("record_info", 2))
}
