//! Words for a run that departs from what was recorded.

use session::{Astray, Departed, Departure};
use trace::event::TurnEnd;
use trace::schedule::Turn;
use trace::show::pid;

/// How a run that follows a record is another than that.
pub fn departed(departed: &Departed) -> String {
    match departed {
        Departed::Turns { departure, at: Some((file, line)) } => {
            format!("{}; at the end it is at {file}:{line}", departure_text(departure))
        }
        Departed::Turns { departure, at: None } => departure_text(departure),
        Departed::Actions => {
            "the schedule cannot be followed to its end: the program has changed".to_owned()
        }
        Departed::Search => "the program has changed since the search was saved".to_owned(),
    }
}

fn departure_text(Departure { after, how }: &Departure) -> String {
    format!("the run departs from the schedule after {after} turns: {}", astray(how))
}

fn astray(how: &Astray) -> String {
    match how {
        Astray::CannotRun { pid: one, able } => {
            let able: Vec<String> = able.iter().map(|able| pid(*able)).collect();
            format!("{} should run, but only {} can", pid(*one), able.join(", "))
        }
        Astray::NoSignal { from, to } => {
            format!("no signal is on its way from {} to {}", pid(*from), pid(*to))
        }
        Astray::GoesOn => "the schedule is over, and the run goes on".to_owned(),
        Astray::NobodyCanRun => "nobody can run, and signals are on their way".to_owned(),
        Astray::Otherwise { pid: one, expected, calls, end } => {
            let then = match end {
                TurnEnd::Yielded => "could go on",
                TurnEnd::Waits => "waited",
                TurnEnd::Ended => "ended",
            };
            let wanted = wanted(*expected);
            format!("{} should {wanted}, but it made {calls} and then {then}", pid(*one))
        }
    }
}

fn wanted(turn: Turn) -> String {
    match turn {
        Turn::Run { calls, end, .. } => {
            let then = match end {
                TurnEnd::Yielded => "be able to go on",
                TurnEnd::Waits => "wait",
                TurnEnd::Ended => "end",
            };
            format!("make {calls} calls and then {then}")
        }
        Turn::Arrive { from, to } => {
            format!("not run before a signal from {} reaches {}", pid(from), pid(to))
        }
    }
}
