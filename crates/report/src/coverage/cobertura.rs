//! Coverage as Cobertura's XML: lines and branches. A module is a class, a function a method.
//! Elements and attributes are those of `coverage-04.dtd`, all that it requires; complexity and the
//! time are not known and 0.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use flow::ModuleId;
use flow::criteria::Ratio;

use super::Report;
use crate::drawing::escaped;

/// Lines and branches of a module.
struct Class {
    lines: BTreeMap<u32, u64>,
    /// By line.
    branches: BTreeMap<u32, Ratio>,
}

pub(super) fn cobertura(report: &Report<'_>) -> String {
    let classes: Vec<Class> = report.modules.iter().map(|&module| class(report, module)).collect();
    let lines = sum(classes.iter().map(lines));
    let branches = sum(classes.iter().map(branches));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n\
         <coverage line-rate=\"{}\" branch-rate=\"{}\" lines-covered=\"{}\" lines-valid=\"{}\" \
         branches-covered=\"{}\" branches-valid=\"{}\" complexity=\"0\" version=\"erlscope {}\" \
         timestamp=\"0\">",
        rate(lines),
        rate(branches),
        lines.covered,
        lines.all,
        branches.covered,
        branches.all,
        env!("CARGO_PKG_VERSION")
    );
    out.push_str("  <sources><source>.</source></sources>\n  <packages>\n");
    let _ = writeln!(
        out,
        "    <package name=\"\" line-rate=\"{}\" branch-rate=\"{}\" complexity=\"0\">\n      \
         <classes>",
        rate(lines),
        rate(branches)
    );
    for (&module, class) in report.modules.iter().zip(&classes) {
        write_class(report, module, class, &mut out);
    }
    out.push_str("      </classes>\n    </package>\n  </packages>\n</coverage>\n");
    out
}

fn class(report: &Report<'_>, module: ModuleId) -> Class {
    let path = report.path(module);
    let mut lines = report.lines(module);
    let mut branches: BTreeMap<u32, Ratio> = BTreeMap::new();
    for goal in report.criteria.branches.iter().filter(|goal| goal.site.module == module) {
        if let Some(place) = report.place(goal.site).filter(|place| place.file == path) {
            let count = report.covered.count(goal.evidence);
            branches.entry(place.line).or_default().add(count > 0);
            let line = lines.entry(place.line).or_default();
            *line = (*line).max(count);
        }
    }
    Class { lines, branches }
}

fn lines(class: &Class) -> Ratio {
    let covered = class.lines.values().filter(|&&count| count > 0).count();
    Ratio { covered, all: class.lines.len() }
}

fn branches(class: &Class) -> Ratio {
    sum(class.branches.values().copied())
}

fn sum(ratios: impl Iterator<Item = Ratio>) -> Ratio {
    ratios.fold(Ratio::default(), |sum, ratio| Ratio {
        covered: sum.covered + ratio.covered,
        all: sum.all + ratio.all,
    })
}

fn rate(ratio: Ratio) -> String {
    format!("{:.4}", ratio.percent() / 100.0)
}

fn write_class(report: &Report<'_>, module: ModuleId, class: &Class, out: &mut String) {
    let name = report.flow.modules[module].name;
    let _ = writeln!(
        out,
        "        <class name=\"{}\" filename=\"{}\" line-rate=\"{}\" branch-rate=\"{}\" \
         complexity=\"0\">\n          <methods>",
        escaped(name.as_str()),
        escaped(&report.path(module)),
        rate(lines(class)),
        rate(branches(class))
    );
    for (function, first) in report.functions(module) {
        let of = report.flow.function(function);
        let range = first..=report.last_line(function).max(first);
        let inside = Class {
            lines: class.lines.range(range.clone()).map(|(&line, &count)| (line, count)).collect(),
            branches: class.branches.range(range).map(|(&line, &ratio)| (line, ratio)).collect(),
        };
        let _ = writeln!(
            out,
            "            <method name=\"{}/{}\" signature=\"\" line-rate=\"{}\" branch-rate=\"{}\" \
             complexity=\"0\">\n              <lines>",
            escaped(of.name.as_str()),
            of.arity,
            rate(lines(&inside)),
            rate(branches(&inside))
        );
        write_lines(&inside, "                ", out);
        out.push_str("              </lines>\n            </method>\n");
    }
    out.push_str("          </methods>\n          <lines>\n");
    write_lines(class, "            ", out);
    out.push_str("          </lines>\n        </class>\n");
}

fn write_lines(class: &Class, indent: &str, out: &mut String) {
    for (line, count) in &class.lines {
        let _ = match class.branches.get(line) {
            Some(ratio) => writeln!(
                out,
                "{indent}<line number=\"{line}\" hits=\"{count}\" branch=\"true\" \
                 condition-coverage=\"{}% ({}/{})\"/>",
                ratio.percent().floor(),
                ratio.covered,
                ratio.all
            ),
            None => {
                writeln!(out, "{indent}<line number=\"{line}\" hits=\"{count}\" branch=\"false\"/>")
            }
        };
    }
}
