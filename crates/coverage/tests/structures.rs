//! Pairs through structures: what runs say is what the analysis has, and a pair that did not happen
//! is not said to have happened. `structures/NAME.erl` and `NAME.pairs`; `UPDATE_EXPECT=1` rewrites
//! the latter.

mod support;

use expect_test::expect_file;
use flow::Entry;
use flow::criteria::PairGoal;
use support::{Subject, modules, name, root, subject, unknown_structures};

/// All pairs through structures, with how often they were seen.
fn pairs(subject: &Subject) -> String {
    let flow = &subject.flow;
    let all = &flow.def_uses;
    let covered = subject.watcher.covered();
    let place = |site: flow::Site| {
        let loc = flow.modules[site.module].tree.loc(site.node);
        format!("{}:{}", loc.line, loc.column)
    };
    let mut lines = Vec::new();
    subject.watcher.criteria(|criteria| {
        for &goal in &criteria.pairs {
            let PairGoal::Structure(hidden) = goal else { continue };
            let hidden = &all.hidden[hidden];
            let using = &all.uses[hidden.using];
            let definition = &all.definitions[hidden.definition];
            lines.push(format!(
                "{} {} -> {} {}: {}\n",
                place(using.site),
                using.name,
                place(definition.site),
                definition.name,
                covered.pair_count(flow, goal)
            ));
        }
    });
    lines.extend(unknown_structures(subject).into_iter().map(|line| format!("unknown: {line}\n")));
    lines.concat()
}

#[test]
fn small_programs() {
    let dir = root().join("crates/coverage/tests/structures");
    for path in modules(&dir) {
        let name = name(&path);
        let subject = subject(&[path], &Entry::function(&name, "main", 0));
        subject.run(&format!("{name}:main()"));
        expect_file![dir.join(format!("{name}.pairs"))].assert_eq(&pairs(&subject));
    }
}
