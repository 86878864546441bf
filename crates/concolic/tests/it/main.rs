//! Searches on the Machine, compared with running every input.

mod enumeration;
mod generate;
mod natives;
mod stand;
