//! What runs tell is complete: where a clause was entered its first expression was reached, and
//! where an expression was reached so was the one before it; a call was only reached after its
//! arguments.

mod support;

use flow::criteria::{Evidence, Said};
use flow::{ModuleId, Site};
use support::{modules, name, root, subject};
use syntax::ast::{Kind, NodeId};

#[test]
fn nothing_is_left_out() {
    let mut checked = 0;
    for path in modules(&root().join("crates/runner/tests/programs")) {
        let name = name(&path);
        let subject = subject(&[path], &flow::Entry::function(&name, "main", 0));
        subject.run(&format!("{name}:main()"));
        let covered = subject.watcher.covered();
        let module = ModuleId::new(0);
        let tree = &subject.flow.modules[module].tree;
        let count =
            |node: NodeId, said| covered.count(Evidence { site: Site { module, node }, said });
        let text = |node: NodeId| subject.flow.short_text(Site { module, node });
        subject.watcher.criteria(|criteria| {
            let is_goal = |node: NodeId| criteria.nodes.iter().any(|goal| goal.site.node == node);
            for goal in &criteria.clauses {
                let Kind::Clause { body, .. } = tree.kind(goal.site.node) else { continue };
                let mut before = count(goal.site.node, Said::Chosen);
                for &expression in tree.list(body).iter().filter(|&&node| is_goal(node)) {
                    let now = count(expression, Said::Reached);
                    assert!(
                        now <= before,
                        "{name}: {} was reached {now} times after {before}",
                        text(expression)
                    );
                    before = now;
                    checked += 1;
                }
                let first = tree.list(body).first().copied().filter(|&node| is_goal(node));
                if let Some(first) = first {
                    let (entered, reached) =
                        (count(goal.site.node, Said::Chosen), count(first, Said::Reached));
                    assert_eq!(entered, reached, "{name}: {}", text(first));
                }
            }
            for goal in &criteria.nodes {
                let Kind::Call { args, .. } = tree.kind(goal.site.node) else { continue };
                let called = count(goal.site.node, Said::Reached);
                for &argument in tree.list(args).iter().filter(|&&node| is_goal(node)) {
                    let reached = count(argument, Said::Reached);
                    assert!(
                        reached == called || called > reached,
                        "{name}: {} was reached {reached} times, its call {called}",
                        text(argument)
                    );
                    checked += 1;
                }
            }
        });
    }
    println!("{checked} places checked");
    assert!(checked > 500);
}
