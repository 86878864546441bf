//! `erlang:decode_packet/3`.

use super::Builtin;
use crate::builtins::builtins;

pub(super) const TABLE: &[Builtin] = builtins!("erlang", visible: false;);
