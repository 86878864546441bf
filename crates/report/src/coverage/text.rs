//! Coverage as a table and a list of what is missing.

use std::fmt::Write as _;

use flow::criteria::{Figures, Ratio};

use super::Report;

pub(super) fn text(report: &Report<'_>) -> String {
    let mut out = String::new();
    for run in &report.runs {
        let _ = writeln!(out, "{run}");
    }
    table(report, &mut out);
    for note in &report.notes {
        let _ = writeln!(out, "note: {note}");
    }
    for &module in &report.modules {
        let all = report.missing(module);
        if all.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\nnot covered in {}", report.path(module));
        let tree = &report.flow.modules[module].tree;
        for missing in all.iter().filter(|missing| !missing.implied) {
            let loc = tree.loc(missing.site.node);
            let place = format!("{}:{}", loc.line, loc.column);
            let _ = writeln!(out, "  {place:<7} {:<9} {}", missing.criterion, missing.what);
        }
        let implied = all.iter().filter(|missing| missing.implied).count();
        if implied > 0 {
            let _ = writeln!(out, "  and {implied} more that follow from these");
        }
    }
    out
}

fn table(report: &Report<'_>, out: &mut String) {
    let (own, total) = report.figures();
    let names: Vec<String> =
        report.modules.iter().map(|&module| report.flow.modules[module].name.to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut head = format!("{:<width$}", "module");
    for (name, _) in total.all() {
        let _ = write!(head, " {name:>15}");
    }
    let _ = writeln!(out, "{head}");
    let mut line = |name: &str, figures: &Figures| {
        let mut line = format!("{name:<width$}");
        for (_, ratio) in figures.all() {
            let _ = write!(line, " {:>15}", cell(ratio));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    };
    for (name, figures) in names.iter().zip(&own) {
        line(name, figures);
    }
    if own.len() != 1 {
        line("total", &total);
    }
}

fn cell(ratio: Ratio) -> String {
    if ratio.all == 0 {
        return "-".to_owned();
    }
    // Rounded down: only what is complete is 100 %.
    format!("{}/{} {:>3}%", ratio.covered, ratio.all, ratio.percent().floor())
}
