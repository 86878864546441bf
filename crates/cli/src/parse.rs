//! `erlscope parse`: one module as the front end reads it.

use std::io;

use crate::args::{Color, Parse};
use crate::exit::Exit;

pub(crate) fn run(_parse: &Parse, _color: Color) -> io::Result<Exit> {
    Ok(Exit::NothingFound)
}
