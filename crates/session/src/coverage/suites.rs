//! The cases of a Common Test suite one by one, each explored.
//!
//! A case runs in one process with the init and end functions around it (`erlscope_ct_one` of the
//! library), on a node that has neither files nor output. A suite has been run as a whole before:
//! what it needs of the world outside, and what its cases leave to each other, is covered by that.

use atom::Atom;
use machine::{Machine, Term};
use runner::testing::{self, TestModule};

use crate::Error;
use crate::explore::start::{ONE_CASE as ONE, Start};

/// Common Test gives a case half an hour, in milliseconds, unless the suite says otherwise.
const TIME: u64 = 30 * 60 * 1000;

/// A case, by the groups that it is in.
pub(super) struct Case {
    module: Atom,
    case: Atom,
    groups: Term,
    options: Term,
    /// `stock_SUITE:day:slow`
    pub(super) name: String,
}

/// The cases of a suite, in its order.
pub(super) fn cases_of(machine: &Machine, suite: &TestModule) -> Result<Vec<Case>, Error> {
    let listed = testing::ask(machine, ONE, "list", vec![Term::from(suite.name)])
        .map_err(|message| Error::Failed(format!("the cases of {}: {message}", suite.name)))?;
    let options = Term::list(testing::options(suite));
    let case = |entry: &Term| {
        let [case, groups] = entry.as_tuple()? else { return None };
        let case = case.as_atom()?;
        let mut name = suite.name.to_string();
        for group in groups.to_vec()? {
            name.push_str(&format!(":{}", term::format::pretty::to_string(&group)));
        }
        name.push_str(&format!(":{case}"));
        let (groups, options) = (groups.clone(), options.clone());
        Some(Case { module: suite.name, case, groups, options, name })
    };
    Ok(listed.to_vec().unwrap_or_default().iter().filter_map(case).collect())
}

/// A Machine that is about to run a case.
pub(super) fn start(machine: &Machine, case: Case) -> Start {
    let mut machine = machine.clone();
    machine.start_stepping();
    let function = format!("{}:{}/1", case.module, case.case);
    let groups = term::format::pretty::to_string(&case.groups);
    let call = format!("{ONE}:run({}, {}, {groups}, [])", case.module, case.case);
    let arguments = vec![Term::from(case.module), Term::from(case.case), case.groups, case.options];
    let main = machine.spawn(Atom::new(ONE), Atom::new("run"), arguments);
    Start { machine, main, call, name: case.name, function, time: Some(TIME) }
}
