//! A run that was recorded, run again with somebody who watches.

use std::rc::Rc;

use machine::Machine;
use machine::flight::Delivery;
use machine::observe::Observer;
use runner::run;
use runner::schedules::Following;
use runner::world::RealWorld;
use trace::schedule::Witness;

use super::{Prepared, prepare, tell};
use crate::args::{Reading, Run, Running, Tracing};

/// Runs a schedule again, every node of the program marked. What the program prints is not shown. Says if it
/// cannot be followed to its end.
pub(crate) fn watch(
    witness: &Witness,
    reading: &Reading,
    observer: Rc<dyn Observer>,
) -> Result<(), String> {
    if witness.test.is_some() {
        return crate::test::watch(witness, reading, observer);
    }
    if witness.turns.is_empty() {
        return crate::explore::watch(witness, reading, observer);
    }
    let run = Run::again(Tracing::default(), Running::default(), reading.clone());
    let Prepared { loader, limits, permissions, made, follow } =
        prepare(&run, Some(witness.clone()))?;
    loader.mark_own();
    let world = RealWorld::new(permissions, made.seed.unwrap_or(0)).at_fixed_time();
    let mut machine = Machine::new(loader.clone(), Rc::new(world.keeping_output()));
    run::boot_machine(&mut machine)
        .map_err(|end| format!("the node could not be started: {end:?}"))?;
    if made.any_delivery {
        machine.set_delivery(Delivery::Any);
    }
    machine.observe(Some(observer));
    let mut following = Following::new(follow.unwrap_or_default());
    let (_, main) = run::run(&mut machine, &mut following, &limits);
    machine.observe(None);
    match following.departure() {
        None => Ok(()),
        Some(departure) => {
            let teller = tell::Teller { machine: &machine, loader: &loader, main: Some(main) };
            Err(teller.departure(departure))
        }
    }
}
