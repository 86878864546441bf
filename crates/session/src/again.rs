//! A recorded run, run again with somebody who watches: the one way to do that, whatever recorded
//! it. A test is run by the turns of its trace, a call by the turns of its schedule, a witness by
//! its visible actions.

use std::rc::Rc;

use ::trace::schedule::Witness;
use machine::observe::Observer;

use crate::explore::start;
use crate::reading::Reading;
use crate::running::Telling;
use crate::{Control, Error, replay, run, test};

/// What a recorded run is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// A test, by turns.
    Test,
    /// A call, by turns.
    Call,
    /// Visible actions one by one, as an exploration finds them.
    Actions,
}

impl Recorded {
    pub fn of(witness: &Witness) -> Recorded {
        match (&witness.test, witness.turns.is_empty()) {
            (Some(_), _) => Recorded::Test,
            (None, true) => Recorded::Actions,
            (None, false) => Recorded::Call,
        }
    }
}

/// Runs a recorded run again with every node of the program marked. What the program writes is not
/// shown. An error if it cannot be followed to its end.
pub fn watch(
    witness: &Witness,
    reading: &Reading,
    observer: Rc<dyn Observer>,
    control: &Control,
) -> Result<(), Error> {
    watch_closely(witness, reading, Telling::Nodes, observer, control)
}

/// The same with code that tells more or less.
pub(crate) fn watch_closely(
    witness: &Witness,
    reading: &Reading,
    telling: Telling,
    observer: Rc<dyn Observer>,
    control: &Control,
) -> Result<(), Error> {
    match Recorded::of(witness) {
        Recorded::Test => test::watch(witness, reading, telling, observer, control),
        Recorded::Call => run::watch(witness, reading, telling, observer, control),
        Recorded::Actions => replay::watch(witness, reading, telling, observer),
    }
}

/// Whether what a schedule runs is a test.
pub fn is_of_test(witness: &Witness) -> bool {
    let runners = [start::ONE_TEST, start::ONE_PROPERTY];
    witness.test.is_some() || runners.iter().any(|runner| witness.call.starts_with(runner))
}
