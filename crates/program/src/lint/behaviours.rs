//! Behaviours: callbacks that are missing, and behaviours that want the same function.
//!
//! The callbacks of a behaviour come from the caller ([`super::Interfaces`]) or, for those of
//! OTP 25, from a table. A behaviour that is in neither is passed over, unless the caller says
//! that there is no such module.

use atom::Atom;
use syntax::ast::NodeId;

use super::{Linter, NameArity, tables};

/// What a behaviour asks of a module.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    pub callbacks: Vec<(Atom, u32)>,
    /// Those of `callbacks` that may be missing.
    pub optional: Vec<(Atom, u32)>,
}

#[derive(Clone, Debug)]
pub enum BehaviourLookup {
    Found(Behaviour),
    /// The module is there, but it is no behaviour; or the module is known not to be there.
    NoBehaviour,
    NotKnown,
}

/// Name, callbacks that must be there, callbacks that may be.
const OTP: &[(&str, &str, &str)] = &[
    ("application", "start/2 stop/1", ""),
    ("ct_release_test", "upgrade_init/2 upgrade_upgraded/2 upgrade_downgraded/2", ""),
    (
        "ct_suite",
        "all/0",
        "groups/0 suite/0 init_per_suite/1 end_per_suite/1 group/1 init_per_group/2 \
         end_per_group/2 init_per_testcase/2 end_per_testcase/2",
    ),
    ("edoc_doclet", "run/2", ""),
    ("edoc_layout", "module/2", ""),
    ("eunit_listener", "init/1 handle_begin/3 handle_end/3 handle_cancel/3 terminate/2", ""),
    (
        "gen_event",
        "init/1 handle_event/2 handle_call/2",
        "handle_info/2 terminate/2 code_change/3 format_status/1 format_status/2",
    ),
    (
        "gen_fsm",
        "init/1 handle_event/3 handle_sync_event/4",
        "handle_info/3 terminate/3 code_change/4 format_status/2",
    ),
    (
        "gen_server",
        "init/1 handle_call/3 handle_cast/2",
        "handle_info/2 handle_continue/2 terminate/2 code_change/3 format_status/1 \
         format_status/2",
    ),
    (
        "gen_statem",
        "init/1 callback_mode/0",
        "format_status/1 format_status/2 terminate/3 code_change/4 state_name/3 handle_event/4",
    ),
    ("httpd_custom_api", "", "response_default_headers/0 response_header/1 request_header/1"),
    (
        "inets_service",
        "start_standalone/1 start_service/1 stop_service/1 services/0 service_info/1",
        "",
    ),
    ("megaco_edist_compress", "encode/2 decode/2", ""),
    (
        "megaco_encoder",
        "encode_message/3 decode_message/3 decode_mini_message/3 encode_transaction/3 \
         encode_action_requests/3",
        "encode_action_reply/3",
    ),
    ("megaco_transport", "send_message/2", ""),
    (
        "megaco_user",
        "",
        "handle_connect/2 handle_connect/3 handle_disconnect/3 handle_syntax_error/3 \
         handle_syntax_error/4 handle_message_error/3 handle_message_error/4 \
         handle_trans_request/3 handle_trans_request/4 handle_trans_long_request/3 \
         handle_trans_long_request/4 handle_trans_reply/4 handle_trans_reply/5 \
         handle_trans_ack/4 handle_trans_ack/5 handle_unexpected_trans/3 \
         handle_unexpected_trans/4 handle_trans_request_abort/4 handle_trans_request_abort/5 \
         handle_segment_reply/5 handle_segment_reply/6",
    ),
    (
        "mnesia_backend_type",
        "add_aliases/1 check_definition/4 close_table/2 create_table/3 delete/3 delete_table/2 \
         first/2 fixtable/3 last/2 index_is_consistent/3 init_backend/0 info/3 insert/3 lookup/3 \
         is_index_consistent/2 load_table/4 match_delete/3 next/3 prev/3 \
         receiver_first_message/4 receive_data/5 receive_done/4 real_suffixes/0 \
         remove_aliases/1 repair_continuation/2 select/1 select/3 select/4 sender_init/4 \
         semantics/2 slot/3 sync_close_table/2 tmp_suffixes/0 update_counter/4 validate_key/6 \
         validate_record/6",
        "",
    ),
    ("snmpa_authentication_service", "init_check_access/2", ""),
    ("snmpa_discovery_handler", "stage1_finish/3", ""),
    ("snmpa_error_report", "config_err/2 user_err/2", ""),
    ("snmpa_get_mechanism", "do_get/3 do_get/4 do_get_next/3 do_get_bulk/7", ""),
    (
        "snmpa_mib_data",
        "new/1 close/1 sync/1 load_mib/4 unload_mib/4 lookup/2 next/3 register_subagent/3 \
         unregister_subagent/2 dump/2 which_mib/2 which_mibs/1 whereis_mib/2 info/1 backup/2 \
         code_change/4",
        "",
    ),
    (
        "snmpa_mib_storage",
        "open/5 close/1 read/2 write/2 delete/1 delete/2 match_object/2 match_delete/2 \
         tab2list/1 info/1 info/2 sync/1 backup/2",
        "",
    ),
    (
        "snmpa_network_interface",
        "start_link/4 info/1 verbosity/2 get_log_type/1 set_log_type/2 get_request_limit/1 \
         set_request_limit/2",
        "",
    ),
    (
        "snmpa_network_interface_filter",
        "accept_recv/2 accept_send/2 accept_recv_pdu/3 accept_send_pdu/2",
        "",
    ),
    ("snmpa_notification_delivery_info_receiver", "delivery_targets/3 delivery_info/4", ""),
    ("snmpa_notification_filter", "handle_notification/2", ""),
    ("snmpa_set_mechanism", "do_set/2 do_subagent_set/1", ""),
    (
        "snmpm_network_interface",
        "start_link/2 stop/1 send_pdu/7 inform_response/4 note_store/2 info/1 verbosity/2 \
         get_log_type/1 set_log_type/2",
        "",
    ),
    (
        "snmpm_network_interface_filter",
        "accept_recv/2 accept_send/2 accept_recv_pdu/3 accept_send_pdu/3",
        "",
    ),
    (
        "snmpm_user",
        "handle_error/3 handle_agent/5 handle_pdu/4 handle_trap/3 handle_inform/3 \
         handle_report/3",
        "",
    ),
    (
        "ssh_channel",
        "init/1 handle_call/3 handle_cast/2 terminate/2 code_change/3 handle_msg/2 \
         handle_ssh_msg/2",
        "",
    ),
    (
        "ssh_client_channel",
        "init/1 handle_call/3 handle_cast/2 terminate/2 code_change/3 handle_msg/2 \
         handle_ssh_msg/2",
        "",
    ),
    (
        "ssh_client_key_api",
        "user_key/2",
        "is_host_key/4 is_host_key/5 add_host_key/3 add_host_key/4 sign/3",
    ),
    ("ssh_daemon_channel", "init/1 terminate/2 handle_msg/2 handle_ssh_msg/2", ""),
    (
        "ssh_dbg",
        "ssh_dbg_trace_points/0 ssh_dbg_flags/1 ssh_dbg_on/1 ssh_dbg_off/1",
        "ssh_dbg_format/2 ssh_dbg_format/3",
    ),
    ("ssh_server_channel", "init/1 terminate/2 handle_msg/2 handle_ssh_msg/2", ""),
    ("ssh_server_key_api", "host_key/2 is_auth_key/3", ""),
    (
        "ssh_sftpd_file_api",
        "close/2 delete/2 del_dir/2 get_cwd/1 is_dir/2 list_dir/2 make_dir/2 make_symlink/3 \
         open/3 position/3 read/3 read_link/2 read_link_info/2 read_file_info/2 rename/3 write/3 \
         write_file_info/3",
        "",
    ),
    ("ssl_crl_cache_api", "lookup/3 select/2 fresh_crl/2", ""),
    (
        "ssl_session_cache_api",
        "init/1 terminate/1 lookup/2 update/3 delete/2 size/1",
        "select_session/2 foldl/3",
    ),
    ("supervisor", "init/1", ""),
    ("supervisor_bridge", "init/1 terminate/2", ""),
    ("tftp", "prepare/6 open/6 read/1 write/2 abort/3", ""),
    ("tftp_logger", "error_msg/2 warning_msg/2 info_msg/2", ""),
    (
        "wx_object",
        "init/1 handle_event/2",
        "handle_call/3 handle_cast/2 handle_info/2 handle_sync_event/3 terminate/2 code_change/3",
    ),
];

/// The behaviours of OTP 25.
pub fn of_otp(name: Atom) -> BehaviourLookup {
    let Some((_, required, optional)) = OTP.iter().find(|(known, ..)| *known == name.as_str())
    else {
        return BehaviourLookup::NotKnown;
    };
    let optional: Vec<NameArity> = tables::name_arities(optional).collect();
    let mut callbacks: Vec<NameArity> = tables::name_arities(required).collect();
    callbacks.extend(&optional);
    BehaviourLookup::Found(Behaviour { callbacks, optional })
}

impl Linter<'_> {
    pub(super) fn check_behaviours(&mut self) {
        let mut wanted: Vec<(NameArity, NodeId, Atom)> = Vec::new();
        for (form, name) in std::mem::take(&mut self.behaviours) {
            let lookup = match &self.options.interfaces {
                Some(interfaces) => interfaces.behaviour(name),
                None => BehaviourLookup::NotKnown,
            };
            let lookup = match lookup {
                BehaviourLookup::NotKnown => of_otp(name),
                lookup => lookup,
            };
            match lookup {
                BehaviourLookup::Found(behaviour) => {
                    self.check_behaviour(form, name, &behaviour, &mut wanted);
                }
                BehaviourLookup::NoBehaviour => {
                    let message = format!("there is no behaviour {name}");
                    self.warning(form, "undefined_behaviour", message);
                    self.check_module_name(name, form);
                }
                BehaviourLookup::NotKnown => {}
            }
        }
        self.check_conflicts(wanted);
    }

    fn check_behaviour(
        &mut self,
        form: NodeId,
        name: Atom,
        behaviour: &Behaviour,
        wanted: &mut Vec<(NameArity, NodeId, Atom)>,
    ) {
        let mut callbacks = behaviour.callbacks.clone();
        callbacks.sort();
        callbacks.dedup();
        for callback in callbacks {
            let exported = self.is_exported(callback);
            let optional = behaviour.optional.contains(&callback);
            if !optional || exported {
                wanted.push((callback, form, name));
            }
            if !optional && !exported {
                let (function, arity) = callback;
                let defined = self.locals.contains_key(&callback);
                let message = format!(
                    "the callback {function}/{arity} of the behaviour {name} is not {}",
                    if defined { "exported" } else { "defined" }
                );
                self.warning(form, "undefined_behaviour_func", message);
            }
        }
    }

    fn check_conflicts(&mut self, mut wanted: Vec<(NameArity, NodeId, Atom)>) {
        wanted.sort();
        wanted.dedup();
        for group in wanted.chunk_by(|a, b| a.0 == b.0) {
            let (callback, first_form, first) = group[0];
            for &(_, form, name) in &group[1..] {
                let related = self.related("the other behaviour", first_form);
                let (function, arity) = callback;
                let message = format!("both {name} and {first} have a callback {function}/{arity}");
                self.warning(form, "conflicting_behaviours", message).related.push(related);
            }
        }
    }
}
