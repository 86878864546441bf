//! `erlscope reduce`: the smallest program that fails as a witness shows.

use session::reduce::{Request, reduce};

use crate::args::{Reduce, ReduceFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Reduce) -> Result<Exit, Failure> {
    let output = arguments.output.clone();
    let request = Request {
        output: output.unwrap_or_else(|| arguments.witness.with_extension("reduced")),
        witness: arguments.witness.clone(),
        budget: arguments.budget,
        reading: arguments.reading.request(),
    };
    let answer = reduce(&request, &front::control())?;
    let text = match arguments.format {
        ReduceFormat::Text => report::reduce::text(&answer),
        ReduceFormat::Json => report::reduce::json(&answer),
    };
    output::write_document(None, &text)?;
    Ok(if answer.replayed { Exit::NothingFound } else { Exit::Incomplete })
}
