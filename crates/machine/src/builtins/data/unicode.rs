//! The natives of `unicode`.

use super::Builtin;
use crate::builtins::builtins;

pub(super) const UNICODE: &[Builtin] = builtins!("unicode", visible: false;);
