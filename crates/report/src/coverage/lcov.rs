//! Coverage as an lcov tracefile: functions, branches and lines.

use std::fmt::Write as _;

use super::Report;

pub(super) fn lcov(report: &Report<'_>) -> String {
    let mut out = String::new();
    for &module in &report.modules {
        let path = report.path(module);
        let _ = writeln!(out, "TN:\nSF:{path}");
        let functions = report.functions(module);
        for &(function, line) in &functions {
            let _ = writeln!(out, "FN:{line},{}", report.flow.function_name(function));
        }
        let mut called = 0;
        for &(function, _) in &functions {
            let count = report.calls(function);
            called += usize::from(count > 0);
            let _ = writeln!(out, "FNDA:{count},{}", report.flow.function_name(function));
        }
        let _ = writeln!(out, "FNF:{}\nFNH:{called}", functions.len());
        let (mut branches, mut taken) = (0, 0);
        let mut last = None;
        let mut number = 0;
        for goal in report.criteria.branches.iter().filter(|goal| goal.site.module == module) {
            let Some(place) = report.place(goal.site).filter(|place| place.file == path) else {
                continue;
            };
            number = if last == Some(goal.site) { number + 1 } else { 0 };
            last = Some(goal.site);
            let count = report.covered.count(goal.evidence);
            branches += 1;
            taken += usize::from(count > 0);
            // Of a decision that nobody came to, nothing is known.
            let count = match report.is_decided(goal.site) {
                true => count.to_string(),
                false => "-".to_owned(),
            };
            let _ = writeln!(out, "BRDA:{},{},{number},{count}", place.line, goal.site.node.0);
        }
        let _ = writeln!(out, "BRF:{branches}\nBRH:{taken}");
        let lines = report.lines(module);
        for (line, count) in &lines {
            let _ = writeln!(out, "DA:{line},{count}");
        }
        let covered = lines.values().filter(|&&count| count > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{covered}\nend_of_record", lines.len());
    }
    out
}
