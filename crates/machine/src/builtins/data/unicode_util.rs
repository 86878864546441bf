//! `unicode_util`.

use super::Builtin;
use crate::builtins::builtins;

pub(super) const UNICODE_UTIL: &[Builtin] = builtins!("unicode_util", visible: false;);
