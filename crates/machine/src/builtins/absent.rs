//! What OTP has natively, or in a module that the library has too, and the Machine does not.
//!
//! A call of such a function is not a call of an undefined function: the program is right, and we
//! cannot run it. It stops the run and says so.

use code::module::Mfa;

/// Modules that are part of OTP's emulator. OTP's own sources of them are of no use here: their
/// functions have no bodies.
pub const PRELOADED: &[&str] = &[
    "atomics",
    "counters",
    "erl_init",
    "erl_prim_loader",
    "erl_tracer",
    "erlang",
    "erts_code_purger",
    "erts_debug",
    "erts_dirty_process_signal_handler",
    "erts_internal",
    "erts_literal_area_collector",
    "persistent_term",
    "prim_buffer",
    "prim_eval",
    "prim_file",
    "prim_inet",
    "prim_net",
    "prim_socket",
    "prim_zip",
    "socket_registry",
    "zlib",
];

/// The functions of `erlang` in OTP 25.
const ERLANG: &str = "
!/2 */2 +/1 +/2 ++/2 -/1 -/2 --/2 //2 /=/2 </2 =/=/2 =:=/2 =</2 ==/2 >/2 >=/2 abs/1 adler32/1
adler32/2 adler32_combine/3 alias/0 alias/1 alloc_info/1 alloc_sizes/1 and/2 append/2
append_element/2 apply/2 apply/3 atom_to_binary/1 atom_to_binary/2 atom_to_list/1 band/2
binary_part/2 binary_part/3 binary_to_atom/1 binary_to_atom/2 binary_to_existing_atom/1
binary_to_existing_atom/2 binary_to_float/1 binary_to_integer/1 binary_to_integer/2 binary_to_list/1
binary_to_list/3 binary_to_term/1 binary_to_term/2 bit_size/1 bitstring_to_list/1 bnot/1 bor/2 bsl/2
bsr/2 bump_reductions/1 bxor/2 byte_size/1 call_on_load_function/1 cancel_timer/1 cancel_timer/2
ceil/1 check_old_code/1 check_process_code/2 check_process_code/3 convert_time_unit/3 crc32/1
crc32/2 crc32_combine/3 date/0 decode_packet/3 delay_trap/2 delete_element/2 delete_module/1
demonitor/1 demonitor/2 disconnect_node/1 display/1 display_nl/0 display_string/1
dist_ctrl_get_data/1 dist_ctrl_get_data_notification/1 dist_ctrl_get_opt/2 dist_ctrl_input_handler/2
dist_ctrl_put_data/2 dist_ctrl_set_opt/3 dist_get_stat/1 div/2 dmonitor_node/3
dt_append_vm_tag_data/1 dt_get_tag/0 dt_get_tag_data/0 dt_prepend_vm_tag_data/1 dt_put_tag/1
dt_restore_tag/1 dt_spread_tag/1 element/2 erase/0 erase/1 error/1 error/2 error/3 exit/1 exit/2
exit_signal/2 external_size/1 external_size/2 finish_after_on_load/2 finish_loading/1 float/1
float_to_binary/1 float_to_binary/2 float_to_list/1 float_to_list/2 floor/1 format_cpu_topology/1
fun_info/1 fun_info/2 fun_info_mfa/1 fun_to_list/1 function_exported/3 garbage_collect/0
garbage_collect/1 garbage_collect/2 garbage_collect_message_area/0 gather_gc_info_result/1 get/0
get/1 get_cookie/0 get_cookie/1 get_keys/0 get_keys/1 get_module_info/1 get_module_info/2
group_leader/0 group_leader/2 halt/0 halt/1 halt/2 has_prepared_code_on_load/1 hd/1 hibernate/3
insert_element/3 integer_to_binary/1 integer_to_binary/2 integer_to_list/1 integer_to_list/2
iolist_size/1 iolist_to_binary/1 iolist_to_iovec/1 is_alive/0 is_atom/1 is_binary/1 is_bitstring/1
is_boolean/1 is_builtin/3 is_float/1 is_function/1 is_function/2 is_integer/1 is_list/1 is_map/1
is_map_key/2 is_number/1 is_pid/1 is_port/1 is_process_alive/1 is_record/2 is_record/3
is_reference/1 is_tuple/1 length/1 link/1 list_to_atom/1 list_to_binary/1 list_to_bitstring/1
list_to_existing_atom/1 list_to_float/1 list_to_integer/1 list_to_integer/2 list_to_pid/1
list_to_port/1 list_to_ref/1 list_to_tuple/1 load_module/2 load_nif/2 loaded/0 localtime/0
localtime_to_universaltime/1 localtime_to_universaltime/2 make_fun/3 make_ref/0 make_tuple/2
make_tuple/3 map_get/2 map_size/1 match_spec_test/3 max/2 md5/1 md5_final/1 md5_init/0 md5_update/2
memory/0 memory/1 min/2 module_loaded/1 monitor/2 monitor/3 monitor_node/2 monitor_node/3
monotonic_time/0 monotonic_time/1 nif_error/1 nif_error/2 node/0 node/1 nodes/0 nodes/1 nodes/2
not/1 now/0 open_port/2 or/2 phash/2 phash2/1 phash2/2 pid_to_list/1 port_call/2 port_call/3
port_close/1 port_command/2 port_command/3 port_connect/2 port_control/3 port_get_data/1 port_info/1
port_info/2 port_set_data/2 port_to_list/1 ports/0 posixtime_to_universaltime/1 pre_loaded/0
prepare_loading/2 process_display/2 process_flag/2 process_flag/3 process_info/1 process_info/2
processes/0 purge_module/1 put/2 raise/3 read_timer/1 read_timer/2 ref_to_list/1 register/2
registered/0 rem/2 resume_process/1 round/1 self/0 send/2 send/3 send_after/3 send_after/4
send_nosuspend/2 send_nosuspend/3 seq_trace/2 seq_trace_info/1 seq_trace_print/1 seq_trace_print/2
set_cookie/1 set_cookie/2 set_cpu_topology/1 setelement/3 setnode/2 setnode/3 size/1 spawn/1 spawn/2
spawn/3 spawn/4 spawn_link/1 spawn_link/2 spawn_link/3 spawn_link/4 spawn_monitor/1 spawn_monitor/2
spawn_monitor/3 spawn_monitor/4 spawn_opt/2 spawn_opt/3 spawn_opt/4 spawn_opt/5 spawn_request/1
spawn_request/2 spawn_request/3 spawn_request/4 spawn_request/5 spawn_request_abandon/1
split_binary/2 start_timer/3 start_timer/4 statistics/1 subtract/2 suspend_process/1
suspend_process/2 system_flag/2 system_info/1 system_monitor/0 system_monitor/1 system_monitor/2
system_profile/0 system_profile/2 system_time/0 system_time/1 term_to_binary/1 term_to_binary/2
term_to_iovec/1 term_to_iovec/2 throw/1 time/0 time_offset/0 time_offset/1 timestamp/0 tl/1 trace/3
trace_delivered/1 trace_info/2 trace_pattern/2 trace_pattern/3 trunc/1 tuple_size/1 tuple_to_list/1
unalias/1 unique_integer/0 unique_integer/1 universaltime/0 universaltime_to_localtime/1
universaltime_to_posixtime/1 unlink/1 unregister/1 whereis/1 xor/2 yield/0
";

/// What OTP's versions of the modules of our library export beside what ours do: a line for each
/// module.
const OF_LIBRARY: &str = include_str!("absent.txt");

/// Name and arity of each function of `erlang` in OTP 25.
pub(super) fn erlang_functions() -> impl Iterator<Item = (String, u32)> {
    ERLANG.split_whitespace().filter_map(|function| {
        let (name, arity) = function.rsplit_once('/')?;
        Some((name.to_owned(), arity.parse().ok()?))
    })
}

/// Whether OTP has a function that turned out not to be here.
pub(crate) fn is_absent(mfa: Mfa) -> bool {
    let module = mfa.module.as_str();
    if module == "erlang" {
        let name = format!("{}/{}", mfa.name.as_str(), mfa.arity);
        return ERLANG.split_whitespace().any(|known| known == name);
    }
    PRELOADED.contains(&module) || is_absent_of_library(module, mfa)
}

fn is_absent_of_library(module: &str, mfa: Mfa) -> bool {
    let mut lines = OF_LIBRARY.lines().filter_map(|line| line.split_once(": "));
    let Some((_, functions)) = lines.find(|(name, _)| *name == module) else { return false };
    let name = format!("{}/{}", mfa.name.as_str(), mfa.arity);
    functions.split_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use atom::Atom;

    use super::*;

    fn absent(module: &str, name: &str, arity: u32) -> bool {
        is_absent(Mfa { module: Atom::new(module), name: Atom::new(name), arity })
    }

    #[test]
    fn what_otp_has() {
        assert!(absent("erlang", "trace", 3));
        assert!(!absent("erlang", "trace", 7));
        assert!(!absent("erlang", "no_such_function", 1));
        assert!(absent("prim_socket", "open", 1));
        assert!(!absent("my_module", "trace", 3));
        assert!(absent("inet", "pushf", 3));
        assert!(!absent("inet", "pushf", 7));
        assert!(!absent("lists", "no_such_function", 1));
    }
}
