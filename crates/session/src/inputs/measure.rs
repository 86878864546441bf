//! Which branches of what a function leads to were reached.

use ::flow::Entry;
use ::flow::criteria::{Criteria, Said};
use atom::Atom;
use machine::observe::Mark;
use program::Program;
use program::index::NameArity;
use rustc_hash::FxHashSet;
use syntax::ast::NodeId;

use super::goals::Goals;
use crate::Error;

/// A way out of a decision.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Branch {
    pub module: Atom,
    pub line: u32,
    pub column: u32,
    pub node: u32,
    /// Clause by number, or what a condition says.
    pub way: String,
    pub reached: bool,
    /// The number of what shows that it was reached.
    pub goal: Option<u32>,
}

/// The branches of functions and of those that they lead to.
pub(crate) fn branches(
    program: &Program,
    functions: &[(Atom, NameArity)],
    goals: &Goals,
) -> Result<Vec<Branch>, Error> {
    let flow = ::flow::analyse(program, &Entry::Client)
        .map_err(|error| Error::Failed(error.to_string()))?;
    let criteria = Criteria::of(&flow);
    let mut wanted: FxHashSet<(Atom, NodeId)> = FxHashSet::default();
    for (module, form) in ::inputs::constants::led_to(program, functions) {
        module.tree.for_each_below(form, |node| {
            wanted.insert((module.name, node));
        });
    }
    let mut found = Vec::new();
    for goal in &criteria.branches {
        let module = &flow.modules[goal.site.module];
        if !wanted.contains(&(module.name, goal.site.node)) {
            continue;
        }
        let evidence = goal.evidence;
        let mark = match evidence.said {
            Said::Reached => Mark::Reached,
            Said::Chosen => Mark::Chosen,
            Said::Matched => Mark::Matched,
            Said::True => Mark::True,
            Said::False => Mark::False,
        };
        let number = goals.number((module.name, evidence.site.node, mark));
        let loc = module.tree.loc(goal.site.node);
        found.push(Branch {
            module: module.name,
            line: loc.line,
            column: loc.column,
            node: evidence.site.node.0,
            way: format!("{:?}", goal.way),
            reached: number.is_some(),
            goal: number,
        });
    }
    Ok(found)
}
