//! Functions of `erlang` that every module knows: those that are imported by themselves, and those
//! that guards may call. The lists are those of OTP 25; what later releases added carries the
//! release.
//!
//! The preprocessor asks for them where conditions are guards, lowering where a filter may be one,
//! the lint for nearly everything.

use std::sync::LazyLock;

use atom::Atom;
use rustc_hash::FxHashSet;

/// Name and number of arguments.
pub type NameArity = (Atom, u32);

const AUTO_IMPORTED_SINCE_R14: &str = "alias/0 alias/1 atom_to_binary/1 binary_part/2 \
    binary_part/3 binary_to_atom/1 binary_to_existing_atom/1 binary_to_float/1 \
    binary_to_integer/1 binary_to_integer/2 binary_to_term/2 ceil/1 check_old_code/1 \
    check_process_code/3 demonitor/1 demonitor/2 error/1 error/2 error/3 float_to_binary/1 \
    float_to_binary/2 float_to_list/2 floor/1 garbage_collect/2 get_keys/0 halt/2 \
    integer_to_binary/1 integer_to_binary/2 integer_to_list/2 is_map/1 is_map_key/2 \
    list_to_integer/2 list_to_port/1 list_to_ref/1 map_get/2 map_size/1 max/2 min/2 monitor/2 \
    monitor/3 nodes/2 port_command/3 port_to_list/1 ref_to_list/1 spawn_monitor/2 \
    spawn_monitor/4 spawn_request/1 spawn_request/2 spawn_request/3 spawn_request/4 \
    spawn_request/5 spawn_request_abandon/1 term_to_iovec/1 term_to_iovec/2 unalias/1";

/// Overriding one of these is an error unless the import is switched off.
const AUTO_IMPORTED_BEFORE_R14: &str = "abs/1 apply/2 apply/3 atom_to_binary/2 atom_to_list/1 \
    binary_to_atom/2 binary_to_existing_atom/2 binary_to_list/1 binary_to_list/3 \
    binary_to_term/1 bit_size/1 bitsize/1 bitstring_to_list/1 byte_size/1 check_process_code/2 \
    date/0 delete_module/1 disconnect_node/1 element/2 erase/0 erase/1 exit/1 exit/2 float/1 \
    float_to_list/1 garbage_collect/0 garbage_collect/1 get/0 get/1 get_keys/1 group_leader/0 \
    group_leader/2 halt/0 halt/1 hd/1 integer_to_list/1 iolist_size/1 iolist_to_binary/1 \
    is_alive/0 is_atom/1 is_binary/1 is_bitstring/1 is_boolean/1 is_float/1 is_function/1 \
    is_function/2 is_integer/1 is_list/1 is_number/1 is_pid/1 is_port/1 is_process_alive/1 \
    is_record/2 is_record/3 is_reference/1 is_tuple/1 length/1 link/1 list_to_atom/1 \
    list_to_binary/1 list_to_bitstring/1 list_to_existing_atom/1 list_to_float/1 \
    list_to_integer/1 list_to_pid/1 list_to_tuple/1 load_module/2 make_ref/0 module_loaded/1 \
    monitor_node/2 node/0 node/1 nodes/0 nodes/1 now/0 open_port/2 pid_to_list/1 port_close/1 \
    port_command/2 port_connect/2 port_control/3 pre_loaded/0 process_flag/2 process_flag/3 \
    process_info/1 process_info/2 processes/0 purge_module/1 put/2 register/2 registered/0 \
    round/1 self/0 setelement/3 size/1 spawn/1 spawn/2 spawn/3 spawn/4 spawn_link/1 \
    spawn_link/2 spawn_link/3 spawn_link/4 spawn_monitor/1 spawn_monitor/3 spawn_opt/2 \
    spawn_opt/3 spawn_opt/4 spawn_opt/5 split_binary/2 statistics/1 term_to_binary/1 \
    term_to_binary/2 throw/1 time/0 tl/1 trunc/1 tuple_size/1 tuple_to_list/1 unlink/1 \
    unregister/1 whereis/1";

const GUARD_FUNCTIONS: &str = "abs/1 binary_part/2 binary_part/3 bit_size/1 byte_size/1 ceil/1 \
    element/2 float/1 floor/1 hd/1 is_atom/1 is_binary/1 is_bitstring/1 is_boolean/1 is_float/1 \
    is_function/1 is_function/2 is_integer/1 is_list/1 is_map/1 is_map_key/2 is_number/1 \
    is_pid/1 is_port/1 is_record/2 is_record/3 is_reference/1 is_tuple/1 length/1 map_get/2 \
    map_size/1 node/0 node/1 round/1 self/0 size/1 tl/1 trunc/1 tuple_size/1";

/// A list, read when it is first asked for.
type Listed = LazyLock<FxHashSet<NameArity>>;

static NEW_AUTO_IMPORTED: Listed =
    LazyLock::new(|| name_arities(AUTO_IMPORTED_SINCE_R14).collect());
static OLD_AUTO_IMPORTED: Listed =
    LazyLock::new(|| name_arities(AUTO_IMPORTED_BEFORE_R14).collect());
static IN_GUARDS: Listed = LazyLock::new(|| name_arities(GUARD_FUNCTIONS).collect());

/// Reads `name/arity` words.
pub fn name_arities(text: &'static str) -> impl Iterator<Item = NameArity> {
    text.split_whitespace().filter_map(|word| {
        let (name, arity) = word.split_once('/')?;
        Some((Atom::of_static(name), arity.parse().ok()?))
    })
}

/// Functions that can be called without naming the module.
pub fn is_auto_imported(function: NameArity) -> bool {
    OLD_AUTO_IMPORTED.contains(&function) || NEW_AUTO_IMPORTED.contains(&function)
}

/// Those of them that were there before local functions could take their names.
pub fn is_old_auto_imported(function: NameArity) -> bool {
    OLD_AUTO_IMPORTED.contains(&function)
}

/// All releases that are known.
pub const ANY_RELEASE: u32 = u32::MAX;

/// Functions that guards may call.
pub fn is_guard_function(function: NameArity, release: u32) -> bool {
    IN_GUARDS.contains(&function)
        || release >= 26 && matches!((function.0.as_str(), function.1), ("min" | "max", 2))
        || release >= 29 && is_new_test(function)
}

/// Type tests of OTP 29.
pub fn is_new_test(function: NameArity) -> bool {
    matches!((function.0.as_str(), function.1), ("is_integer", 3) | ("is_record", 1))
}
