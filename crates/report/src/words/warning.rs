//! Warnings, in one sentence each.

use ::explore::warning::{Shared, Warning};

use super::place;

/// What depends on the schedule.
pub fn warning(warning: &Warning) -> String {
    match warning {
        Warning::MessageOrder { .. } => {
            "which message this receive takes depends on the schedule".to_owned()
        }
        Warning::Name { name, changed_at, .. } => {
            let name = name.as_ref().map_or("a name".to_owned(), |name| format!("the name {name}"));
            format!("{name} may not be registered here: that changes at {}", place(changed_at))
        }
        Warning::Race { shared, other, .. } => {
            let shared = match shared {
                Shared::Counter => "a counter",
                Shared::PersistentTerm => "a persistent term",
                Shared::Table => "a table",
                Shared::TableName => "the name of a table",
            };
            match other {
                None => format!("{shared} is changed here by several processes in any order"),
                Some(other) => {
                    format!("{shared} is used here and at {} in any order", place(other))
                }
            }
        }
    }
}
