//! Calls of library code that talks to other processes: `gen_server:call`, `start_link` and their
//! like.
//!
//! What such code sends and receives is its own business. A statement says of it that the function
//! was called and what it gave, as of a table that was read: who called it is right if what it did
//! with the answer is right. The callback of the process that answered is a statement of its own,
//! right below the run: were it below the one that asked, an answer that is right would hide a
//! state that is wrong.

use std::rc::Rc;

use atom::Atom;
use term::Term;

/// Calls of library code that have not returned, of one process, outermost first.
#[derive(Default)]
pub(crate) struct Library(Vec<Call>);

struct Call {
    /// The place of its frame on the stack.
    depth: usize,
    function: (Atom, Atom, u32),
    args: Rc<[Term]>,
    /// Which effect it is, once it talked to somebody.
    effect: Option<u32>,
}

/// What a call of library code is to a statement.
pub(crate) enum Talk {
    /// It has talked before: nothing new.
    Known,
    /// It talks for the first time.
    New { function: (Atom, Atom, u32), args: Rc<[Term]> },
    /// No such call is known.
    Unknown,
}

impl Library {
    /// Code of the program calls library code, whose frame will be there.
    pub(crate) fn call(&mut self, depth: usize, function: (Atom, Atom, u32), args: &[Term]) {
        self.left(depth);
        self.0.push(Call { depth, function, args: args.into(), effect: None });
    }

    /// The call that is innermost sends or receives. A new one is the effect of this number.
    pub(crate) fn talks(&mut self, effect: u32) -> Talk {
        match self.0.last_mut() {
            None => Talk::Unknown,
            Some(Call { effect: Some(_), .. }) => Talk::Known,
            Some(call) => {
                call.effect = Some(effect);
                Talk::New { function: call.function, args: Rc::clone(&call.args) }
            }
        }
    }

    /// Frames are left from this depth on; which effect was that of the frame there.
    pub(crate) fn left(&mut self, depth: usize) -> Option<u32> {
        let first = self.0.iter().position(|call| call.depth >= depth)?;
        self.0.drain(first..).next().filter(|call| call.depth == depth)?.effect
    }
}
