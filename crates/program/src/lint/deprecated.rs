//! Functions and types that OTP 25 deprecates or has removed; and the attributes with which a
//! module says so of its own functions.

use atom::Atom;
use syntax::ast::{Kind, NodeId};

use super::term::Term;
use super::{Linter, NameArity};

/// Module, function (`*` for all), arities (`*` for all), what to use instead.
type Entry = (&'static str, &'static str, &'static [u32], &'static str);

const ANY: &[u32] = &[];

const DEPRECATED: &[Entry] = &[
    ("auth", "cookie", &[0], "erlang:get_cookie/0"),
    ("auth", "cookie", &[1], "erlang:set_cookie/2"),
    ("auth", "is_auth", &[1], "net_adm:ping/1"),
    ("auth", "node_cookie", ANY, "erlang:set_cookie/2 and net_adm:ping/1"),
    (
        "calendar",
        "local_time_to_universal_time",
        &[1],
        "calendar:local_time_to_universal_time_dst/1",
    ),
    ("code", "is_module_native", &[1], ""),
    ("code", "rehash", &[0], ""),
    ("crypto", "crypto_dyn_iv_init", &[3], ""),
    ("crypto", "crypto_dyn_iv_update", &[3], ""),
    ("crypto", "rand_uniform", &[2], "rand:uniform/1"),
    ("ct_slave", "*", ANY, "the module peer"),
    ("disk_log", "accessible_logs", &[0], "disk_log:all/0"),
    ("disk_log", "lclose", &[1, 2], "disk_log:close/1"),
    (
        "erlang",
        "now",
        &[0],
        "erlang:monotonic_time/0, erlang:system_time/0 or erlang:unique_integer/0",
    ),
    ("erlang", "phash", &[2], "erlang:phash2/2"),
    ("erts_alloc_config", "*", ANY, ""),
    ("ftp", "start_service", &[1], "ftp:open/2"),
    ("ftp", "stop_service", &[1], "ftp:close/1"),
    ("gen_fsm", "*", ANY, "the module gen_statem"),
    ("http_uri", "decode", &[1], "uri_string:unquote/1"),
    ("http_uri", "encode", &[1], "uri_string:quote/1"),
    ("httpd", "parse_query", &[1], "uri_string:dissect_query/1"),
    ("httpd_util", "decode_hex", &[1], "uri_string:unquote/1"),
    ("httpd_util", "encode_hex", &[1], "uri_string:quote/1"),
    ("httpd_util", "flatlength", &[1], "erlang:iolist_size/1"),
    ("httpd_util", "hexlist_to_integer", &[1], "erlang:list_to_integer/2"),
    ("httpd_util", "integer_to_hexlist", &[1], "erlang:integer_to_list/2"),
    ("httpd_util", "strip", &[1], "string:trim/1"),
    ("httpd_util", "suffix", &[1], "filename:extension/1"),
    ("net", "broadcast", &[3], "rpc:eval_everywhere/3"),
    ("net", "call", &[4], "rpc:call/4"),
    ("net", "cast", &[4], "rpc:cast/4"),
    ("net", "ping", &[1], "net_adm:ping/1"),
    ("net", "sleep", &[1], "timer:sleep/1"),
    ("queue", "lait", &[1], "queue:liat/1"),
    ("random", "*", ANY, "the module rand"),
    ("slave", "*", ANY, "the module peer"),
    ("sys", "get_debug", &[3], "sys:get_log/1"),
    ("wxCalendarCtrl", "enableYearChange", &[1, 2], ""),
    ("zlib", "adler32", &[2], "erlang:adler32/1"),
    ("zlib", "adler32", &[3], "erlang:adler32/2"),
    ("zlib", "adler32_combine", &[4], "erlang:adler32_combine/3"),
    ("zlib", "crc32", &[1, 2], "erlang:crc32/1"),
    ("zlib", "crc32", &[3], "erlang:crc32/2"),
    ("zlib", "crc32_combine", &[4], "erlang:crc32_combine/3"),
    ("zlib", "getBufSize", &[1], ""),
    ("zlib", "inflateChunk", &[1, 2], "zlib:safeInflate/2"),
    ("zlib", "setBufSize", &[2], ""),
];

const REMOVED: &[Entry] = &[
    ("asn1ct", "decode", ANY, "the generated module"),
    ("asn1ct", "encode", ANY, "the generated module"),
    ("core_lib", "get_anno", &[1], "cerl:get_ann/1"),
    ("core_lib", "is_literal", &[1], "cerl:is_literal/1"),
    ("core_lib", "is_literal_list", &[1], "cerl:is_literal_list/1"),
    ("core_lib", "literal_value", &[1], "cerl:concrete/1"),
    ("core_lib", "set_anno", &[2], "cerl:set_ann/2"),
    ("crypto", "block_decrypt", &[3, 4], "crypto:crypto_one_time"),
    ("crypto", "block_encrypt", &[3, 4], "crypto:crypto_one_time"),
    ("crypto", "cmac", &[3], "crypto:mac/4"),
    ("crypto", "cmac", &[4], "crypto:macN/5"),
    ("crypto", "hmac", &[3], "crypto:mac/4"),
    ("crypto", "hmac", &[4], "crypto:macN/5"),
    ("crypto", "hmac_final", &[1], "crypto:mac_final/1"),
    ("crypto", "hmac_final_n", &[2], "crypto:mac_finalN/2"),
    ("crypto", "hmac_init", &[2], "crypto:mac_init/3"),
    ("crypto", "hmac_update", &[2], "crypto:mac_update/2"),
    ("crypto", "next_iv", ANY, ""),
    ("crypto", "poly1305", &[2], "crypto:mac/3"),
    ("crypto", "stream_decrypt", &[2], "crypto:crypto_update/2"),
    ("crypto", "stream_encrypt", &[2], "crypto:crypto_update/2"),
    ("crypto", "stream_init", ANY, "crypto:crypto_init/3"),
    ("erl_lint", "modify_line", &[2], "erl_parse:map_anno/2"),
    ("erl_parse", "get_attribute", &[2], "the module erl_anno"),
    ("erl_parse", "get_attributes", &[1], "the module erl_anno"),
    ("erl_parse", "set_line", &[2], "erl_anno:set_line/2"),
    ("erl_scan", "attributes_info", ANY, "the module erl_anno"),
    ("erl_scan", "set_attribute", &[3], "erl_anno:set_line/2"),
    ("erl_scan", "token_info", ANY, "erl_scan:category/1 and its relatives"),
    ("erlang", "get_stacktrace", &[0], "try … catch Class:Reason:Stacktrace"),
    ("erlang", "hash", &[2], "erlang:phash2/2"),
    ("filename", "find_src", ANY, "filelib:find_source/1,3"),
    ("filename", "safe_relative_path", &[1], "filelib:safe_relative_path/2"),
    ("http_uri", "parse", &[1, 2], "the module uri_string"),
    ("http_uri", "scheme_defaults", &[0], "the module uri_string"),
    ("httpd_conf", "check_enum", &[2], "lists:member/2"),
    ("httpd_conf", "clean", &[1], "string:trim/1"),
    ("httpd_conf", "custom_clean", &[3], "string:trim/3"),
    ("httpd_conf", "is_directory", &[1], "filelib:is_dir/1"),
    ("httpd_conf", "is_file", &[1], "filelib:is_file/1"),
    ("httpd_conf", "make_integer", &[1], "erlang:list_to_integer/1"),
    ("net", "relay", &[1], ""),
    ("os_mon_mib", "*", ANY, ""),
    ("pg2", "*", ANY, "the module pg"),
    ("public_key", "ssh_decode", &[2], "ssh_file:decode/2"),
    ("public_key", "ssh_encode", &[2], "ssh_file:encode/2"),
    ("public_key", "ssh_hostkey_fingerprint", &[1], "ssh:hostkey_fingerprint/1"),
    ("public_key", "ssh_hostkey_fingerprint", &[2], "ssh:hostkey_fingerprint/2"),
    ("rpc", "safe_multi_server_call", &[2], "rpc:multi_server_call/2"),
    ("rpc", "safe_multi_server_call", &[3], "rpc:multi_server_call/3"),
    ("ssl", "cipher_suites", &[0, 1], "ssl:cipher_suites/2,3"),
    ("ssl", "connection_info", &[1], "ssl:connection_information/1,2"),
    ("ssl", "negotiated_next_protocol", &[1], "ssl:negotiated_protocol/1"),
    ("ssl", "ssl_accept", ANY, "ssl:handshake/1,2,3"),
];

/// Types that are gone.
const REMOVED_TYPES: &[Entry] = &[
    ("crypto", "hmac_state", &[0], ""),
    ("crypto", "retired_cbc_cipher_aliases", &[0], ""),
    ("crypto", "retired_cfb_cipher_aliases", &[0], ""),
    ("crypto", "retired_ctr_cipher_aliases", &[0], ""),
    ("crypto", "retired_ecb_cipher_aliases", &[0], ""),
    ("crypto", "stream_state", &[0], ""),
    ("erl_scan", "column", &[0], "erl_anno:column()"),
    ("erl_scan", "line", &[0], "erl_anno:line()"),
    ("erl_scan", "location", &[0], "erl_anno:location()"),
    ("http_uri", "default_scheme_port_number", &[0], "uri_string"),
    ("http_uri", "fragment", &[0], "uri_string"),
    ("http_uri", "host", &[0], "uri_string"),
    ("http_uri", "path", &[0], "uri_string"),
    ("http_uri", "query", &[0], "uri_string"),
    ("http_uri", "scheme", &[0], "uri_string"),
    ("http_uri", "user_info", &[0], "uri_string"),
];

fn find(table: &[Entry], module: Atom, name: Atom, arity: u32) -> Option<&'static str> {
    // The tables are sorted by module.
    let module = module.as_str();
    let start = table.partition_point(|entry| entry.0 < module);
    table[start..]
        .iter()
        .take_while(|entry| entry.0 == module)
        .find(|&&(_, function, arities, _)| {
            (function == "*" || function == name.as_str())
                && (arities.is_empty() || arities.contains(&arity))
        })
        .map(|entry| entry.3)
}

fn instead(replacement: &str) -> Option<String> {
    (!replacement.is_empty()).then(|| format!("use {replacement}"))
}

impl Linter<'_> {
    pub(super) fn check_deprecated_function(
        &mut self,
        at: NodeId,
        module: Atom,
        name: Atom,
        arity: u32,
    ) {
        let function = (module, name, arity);
        if let Some(replacement) = find(DEPRECATED, module, name, arity) {
            if self.switches.deprecated_function
                && !self.switches.nowarn_deprecated.contains(&function)
            {
                let message = format!("{module}:{name}/{arity} is deprecated");
                self.warning(at, "deprecated", message).help = instead(replacement);
            }
        } else if let Some(replacement) = find(REMOVED, module, name, arity)
            && self.switches.removed
            && !self.switches.nowarn_removed.contains(&function)
            && !self.switches.nowarn_removed_modules.contains(&module)
        {
            let message = format!("{module}:{name}/{arity} has been removed");
            self.warning(at, "removed", message).help = instead(replacement);
        }
    }

    pub(super) fn check_deprecated_type(
        &mut self,
        at: NodeId,
        module: Atom,
        name: Atom,
        arity: u32,
    ) {
        if let Some(replacement) = find(REMOVED_TYPES, module, name, arity) {
            let message = format!("the type {module}:{name}/{arity} has been removed");
            self.warning(at, "removed_type", message).help = instead(replacement);
        }
    }

    /// `-deprecated` and `-removed`.
    pub(super) fn check_deprecated_attributes(&mut self) {
        let mut exported: Vec<NameArity> = self
            .exports
            .keys()
            .chain(self.defined.keys())
            .copied()
            .filter(|&function| self.is_exported(function))
            .filter(|(name, arity)| {
                !matches!((name.as_str(), arity), ("module_info", 0 | 1) | ("behaviour_info", 1))
            })
            .collect();
        exported.sort();
        exported.dedup();
        let module = self.module;
        for &form in &module.forms {
            let Kind::Attribute { name, values } = self.kind(form) else { continue };
            let [value] = module.list(values) else { continue };
            let removed = match name.as_str() {
                "deprecated" => false,
                "removed" => true,
                _ => continue,
            };
            for item in Term::of(module, *value).flatten() {
                self.check_deprecated_item(form, item, removed, &exported);
            }
        }
    }

    fn check_deprecated_item(
        &mut self,
        form: NodeId,
        item: &Term,
        removed: bool,
        exported: &[NameArity],
    ) {
        let (name, arity) = match item {
            Term::Atom(atom) if atom.as_str() == "module" => {
                if removed && !exported.is_empty() {
                    self.still_exported(form, item);
                }
                return;
            }
            Term::Tuple(parts) => match &parts[..] {
                [name, arity] => (name, arity),
                [name, arity, why] if is_reason(why, removed) => (name, arity),
                _ => return self.bad_deprecated_item(form, item, removed),
            },
            _ => return self.bad_deprecated_item(form, item, removed),
        };
        let found = match (name.as_atom(), arity.as_atom(), arity.as_arity()) {
            (Some(name), Some(any), _) if any.as_str() == "_" => {
                if name.as_str() == "_" {
                    if removed && !exported.is_empty() {
                        self.still_exported(form, item);
                    }
                    return;
                }
                exported.iter().any(|function| function.0 == name)
            }
            (Some(name), _, Some(arity)) => exported.contains(&(name, arity)),
            _ => return self.bad_deprecated_item(form, item, removed),
        };
        if removed && found {
            self.still_exported(form, item);
        } else if !removed && !found {
            let message = format!("-deprecated names {item}, which is not exported");
            self.error(form, "bad_deprecated", message);
        }
    }

    fn still_exported(&mut self, form: NodeId, item: &Term) {
        self.error(form, "bad_removed", format!("-removed names {item}, which is exported"));
    }

    fn bad_deprecated_item(&mut self, form: NodeId, item: &Term, removed: bool) {
        let (code, name) = if removed {
            ("invalid_removed", "removed")
        } else {
            ("invalid_deprecated", "deprecated")
        };
        self.error(form, code, format!("-{name} does not take {item}"));
    }
}

fn is_reason(why: &Term, removed: bool) -> bool {
    why.is_text()
        || !removed
            && ["next_version", "next_major_release", "eventually"].iter().any(|flag| why.is(flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [DEPRECATED, REMOVED, REMOVED_TYPES] {
            assert!(table.is_sorted_by_key(|entry| entry.0));
        }
    }
}
