//! Test results: for people, as JSON (`docs/json.md`) and as JUnit XML.
//!
//! JUnit XML has no standard; what is written is what the common readers (CI servers) agree on:
//! `testsuites/testsuite/testcase` with `failure`, `error`, `skipped` and `system-out`.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use session::run::LoadProblem;
use session::test::{
    Answer, CaseAnswer, CaseResult, ExploredCases, Framework, ModuleAnswer, PropertyAnswer, Value,
};
use syntax::wording::counted;

use crate::contracts;
use crate::endings::trouble;
use crate::json::{VERSION, to_line};
use crate::text::excerpt_of;
use crate::words;

/// All tests of a run.
#[derive(Debug, Serialize)]
pub struct TestReport<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    modules: Vec<Module<'a>>,
    /// Files that could not be read, modules that could not be loaded.
    problems: &'a [LoadProblem],
    pub summary: TestSummary,
}

/// A module with what is wrong with it in words.
#[derive(Debug, Serialize)]
struct Module<'a> {
    #[serde(flatten)]
    module: &'a ModuleAnswer,
    problem: Option<String>,
}

#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct TestSummary {
    pub modules: usize,
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    pub cancelled: usize,
    pub unsupported: usize,
    /// Modules that could not be run to the end.
    pub broken: usize,
    /// False if the run was interrupted or met a bound.
    pub complete: bool,
}

impl TestSummary {
    pub fn add(&mut self, module: &ModuleAnswer) {
        self.modules += 1;
        self.broken += usize::from(module.problem.is_some());
        for test in &module.tests {
            match test.result {
                CaseResult::Ok => self.passed += 1,
                CaseResult::Skipped => self.skipped += 1,
                CaseResult::Cancelled => self.cancelled += 1,
                CaseResult::Unsupported => self.unsupported += 1,
                CaseResult::Failed => self.failed += 1,
            }
        }
    }

    pub fn is_good(&self) -> bool {
        self.failed + self.cancelled + self.unsupported + self.broken == 0
    }

    /// One line.
    pub fn text(&self) -> String {
        let mut parts = vec![format!("{} passed", self.passed), format!("{} failed", self.failed)];
        let others = [
            (self.cancelled, "cancelled"),
            (self.unsupported, "not supported"),
            (self.skipped, "skipped"),
        ];
        parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        if self.broken > 0 {
            let modules = counted(self.broken as u64, "module");
            parts.push(format!("{modules} not run to the end"));
        }
        let interrupted = if self.complete { "" } else { "not complete: " };
        format!("{interrupted}{}", parts.join(", "))
    }
}

impl<'a> TestReport<'a> {
    pub fn new(answer: &'a Answer) -> TestReport<'a> {
        let mut summary = TestSummary { complete: answer.complete, ..TestSummary::default() };
        answer.modules.iter().for_each(|module| summary.add(module));
        let modules = answer
            .modules
            .iter()
            .map(|module| Module { module, problem: module.problem.as_ref().map(trouble) });
        TestReport {
            version: VERSION,
            tool: "erlscope",
            tool_version: env!("CARGO_PKG_VERSION"),
            command: "test",
            modules: modules.collect(),
            problems: &answer.problems,
            summary,
        }
    }

    /// One line.
    pub fn to_json(&self) -> String {
        format!("{}\n", to_line(self))
    }

    pub fn to_junit(&self) -> String {
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let count = |f: fn(&TestSummary) -> usize| f(&self.summary);
        let _ = writeln!(
            xml,
            "<testsuites tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
            self.modules.iter().map(|module| module.module.tests.len()).sum::<usize>(),
            count(|s| s.failed),
            count(|s| s.cancelled + s.unsupported + s.broken),
            count(|s| s.skipped),
        );
        for module in &self.modules {
            junit_module(&mut xml, module.module);
        }
        xml.push_str("</testsuites>\n");
        xml
    }
}

fn junit_module(xml: &mut String, module: &ModuleAnswer) {
    let mut summary = TestSummary::default();
    summary.add(module);
    let time: u64 = module.tests.iter().map(|test| test.virtual_ms).sum();
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{}\" file=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" \
         skipped=\"{}\" time=\"{}\">",
        escaped(&module.module),
        escaped(&module.file),
        module.tests.len() + usize::from(module.problem.is_some()),
        summary.failed,
        summary.cancelled + summary.unsupported + summary.broken,
        summary.skipped,
        seconds(time),
    );
    for test in &module.tests {
        junit_test(xml, &module.module, test);
    }
    if let Some(problem) = &module.problem {
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{0}\" name=\"{0}\">\n      <error message=\"{1}\"/>\n    \
             </testcase>",
            escaped(&module.module),
            escaped(&trouble(problem))
        );
    }
    if !module.output.is_empty() {
        let _ = writeln!(xml, "    <system-out>{}</system-out>", escaped(&module.output));
    }
    xml.push_str("  </testsuite>\n");
}

fn junit_test(xml: &mut String, module: &str, test: &CaseAnswer) {
    let name = match &test.title {
        Some(title) => format!("{} {title}", test.name),
        None => test.name.clone(),
    };
    let _ = write!(
        xml,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{}\">",
        escaped(module),
        escaped(&name),
        seconds(test.virtual_ms)
    );
    let message = reason(test);
    let first = message.lines().next().unwrap_or_default().to_owned();
    match test.result {
        CaseResult::Ok => {}
        CaseResult::Skipped => {
            let _ = write!(xml, "\n      <skipped message=\"{}\"/>", escaped(&message));
        }
        CaseResult::Failed => {
            let _ = write!(
                xml,
                "\n      <failure message=\"{}\">{}</failure>",
                escaped(&first),
                escaped(&details(test, "", false))
            );
        }
        _ => {
            let _ = write!(
                xml,
                "\n      <error message=\"{}\">{}</error>",
                escaped(&first),
                escaped(&details(test, "", false))
            );
        }
    }
    if !test.output.is_empty() {
        let _ = write!(xml, "\n      <system-out>{}</system-out>", escaped(&test.output));
    }
    let bare = test.result == CaseResult::Ok && test.output.is_empty();
    xml.push_str(if bare { "</testcase>\n" } else { "\n    </testcase>\n" });
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// Text for XML; characters that XML cannot hold are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\n' | '\r' | '\t' => result.push(c),
            c if u32::from(c) < 0x20 || matches!(u32::from(c), 0xFFFE | 0xFFFF) => {}
            c => result.push(c),
        }
    }
    result
}

/// What there is to say about a test that did not pass, each line after `indent`.
fn details(test: &CaseAnswer, indent: &str, colour: bool) -> String {
    let mut text = String::new();
    let mut add = |block: &str| {
        for line in block.trim_end().lines() {
            text.push_str(format!("{indent}{line}").trim_end());
            text.push('\n');
        }
    };
    for message in &test.unsupported {
        add(&format!("not supported: {message}"));
    }
    for broken in &test.contracts {
        add(&contracts::text(broken));
    }
    match (&test.reason, test.assertion.is_empty()) {
        _ if !test.contracts.is_empty() => {}
        (Some(reason), true) => add(reason),
        (Some(reason), false) => {
            add(reason.lines().next().unwrap_or_default());
            add(&assertion(&test.assertion));
        }
        (None, _) => {}
    }
    if let Some(property) = &test.property {
        add(&counterexample(property));
    }
    let explored = test.property.as_ref().and_then(|property| property.explored.as_ref());
    if let Some(found) = explored.and_then(|explored| explored.found.as_ref()) {
        add(&format!("  with the values {}", found.input));
        add(&words::failure(&found.finding.finding.failure));
        if let Some(witness) = &found.witness {
            add(&format!("witness: {witness}"));
        }
    }
    if let Some(source) = &test.source {
        add(&excerpt_of(source, colour));
    }
    if let Some(witness) = test.property.as_ref().and_then(|property| property.witness.as_ref()) {
        add(&format!("witness: {witness}"));
    }
    text
}

/// Why a test did not pass, in short.
pub(crate) fn reason(test: &CaseAnswer) -> String {
    match test.contracts.first() {
        Some(broken) => contracts::message(broken),
        None => test.reason.clone().unwrap_or_default(),
    }
}

/// Why a test did not pass, each line after `indent`.
pub fn why(test: &CaseAnswer, indent: &str) -> String {
    details(test, indent, false)
}

/// A larger counterexample is only told made small; JSON has both.
const MOST_LINES_FOUND: usize = 6;

/// How much of the schedules of a property was seen.
fn schedules(explored: &ExploredCases) -> String {
    let cases = counted(u64::from(explored.cases), "case");
    let executions = counted(explored.executions, "execution");
    let rest = if explored.complete { "" } else { ", not all that there are" };
    format!("explored: {cases}, {executions}{rest}")
}

/// The values that a property does not hold for, and those that it was found with.
fn counterexample(property: &PropertyAnswer) -> String {
    let shown = |values: &[Value]| {
        let mut text = String::new();
        for Value { name, value } in values {
            let before =
                name.as_ref().map(|name| format!("  {name} = ")).unwrap_or("  ".to_owned());
            let indent = " ".repeat(before.chars().count());
            let _ = writeln!(text, "{before}{}", value.replace('\n', &format!("\n{indent}")));
        }
        text
    };
    let (small, first) = (shown(&property.counterexample), shown(&property.first));
    let is_long = first.lines().count() > MOST_LINES_FOUND;
    match first.is_empty() || small == first || is_long {
        true => small,
        false => format!("{small}found as\n{first}"),
    }
}

/// The entries of an assertion, with what differs marked if both sides take several lines.
fn assertion(entries: &[(String, String)]) -> String {
    let find = |name: &str| entries.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let sides = (find("expected"), find("value"));
    let is_long = |text: &String| text.contains('\n');
    let differs = matches!(sides, (Some(a), Some(b)) if is_long(a) || is_long(b));
    let width = entries.iter().map(|(key, _)| key.len()).max().unwrap_or(0) + 1;
    let mut text = String::new();
    for (key, value) in entries {
        if differs && matches!(key.as_str(), "expected" | "value") {
            continue;
        }
        let value = value.replace('\n', &format!("\n{:1$}", "", width + 3));
        let _ = writeln!(text, "  {:<width$} {value}", format!("{key}:"));
    }
    if let (true, (Some(expected), Some(value))) = (differs, sides) {
        text.push_str("  - expected, + value:\n");
        text.push_str(&diff(expected, value));
    }
    text
}

/// More lines than this are shown whole, one side after the other.
const MOST_LINES: usize = 400;

/// Line by line, by the longest common subsequence: what is only on the left, only on the right,
/// and on both.
fn diff(left: &str, right: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut text = String::new();
    if a.len() > MOST_LINES || b.len() > MOST_LINES {
        a.iter().for_each(|line| _ = writeln!(text, "  - {line}"));
        b.iter().for_each(|line| _ = writeln!(text, "  + {line}"));
        return text;
    }
    // common[i][j]: how much a[i..] and b[j..] have in common.
    let mut common = vec![vec![0u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            let _ = writeln!(text, "    {}", a[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (i < a.len() && common[i + 1][j] >= common[i][j + 1]) {
            let _ = writeln!(text, "  - {}", a[i]);
            i += 1;
        } else {
            let _ = writeln!(text, "  + {}", b[j]);
            j += 1;
        }
    }
    text
}

/// Colours, if wanted.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub colour: bool,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn dim(self, text: &str) -> String {
        self.paint("33", text)
    }
}

/// A module's results for people: a line for the module, then what did not pass; with `all`, a
/// line for every test.
pub fn module_text(module: &ModuleAnswer, all: bool, style: Style) -> String {
    let mut summary = TestSummary { complete: true, ..TestSummary::default() };
    summary.add(module);
    let word = if summary.is_good() { style.good("ok    ") } else { style.bad("FAILED") };
    let what = if module.kind == Framework::Properties { " properties" } else { "" };
    let mut text = format!("{word} {}{what} ({})\n", module.module, summary.text());
    for test in &module.tests {
        if test.result.is_good() && !all {
            continue;
        }
        text.push_str(&test_text(test, style));
        if let Some(hint) = debug_hint(module, test) {
            let _ = writeln!(text, "    {hint}");
        }
    }
    if let Some(problem) = &module.problem {
        let _ = writeln!(text, "  {} {}", style.bad("!"), trouble(problem));
    }
    if !module.output.is_empty() && (all || !summary.is_good()) {
        text.push_str("  output:\n");
        module.output.lines().for_each(|line| _ = writeln!(text, "    {line}"));
    }
    text
}

/// The command that looks for the reason, of a test that is a function of its own.
fn debug_hint(module: &ModuleAnswer, test: &CaseAnswer) -> Option<String> {
    let is_one = module.kind == Framework::Eunit
        && test.result == CaseResult::Failed
        && test.function.ends_with("_test");
    // The program is beside its tests, or in the directory that those have one in.
    let directory = Path::new(&module.file).parent().filter(|_| is_one)?;
    let is_of_tests = directory.file_name().is_some_and(|name| name == "test");
    let path = if is_of_tests { directory.parent()? } else { directory };
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let (name, function) = (&module.module, &test.function);
    let path = path.display();
    Some(format!("to find the place: erlscope debug --test {name}:{function} {path}"))
}

fn test_text(test: &CaseAnswer, style: Style) -> String {
    let title = test.title.as_ref().map_or(String::new(), |title| format!(" ({title})"));
    let word = match test.result {
        CaseResult::Ok => style.good("ok"),
        CaseResult::Skipped => style.dim("skipped"),
        CaseResult::Unsupported => style.bad("not supported"),
        CaseResult::Failed => style.bad("failed"),
        CaseResult::Cancelled => style.bad("cancelled"),
    };
    let mut text = format!("  {}{title}: {word}", test.name);
    if let Some(comment) = &test.comment {
        let _ = write!(text, " - {comment}");
    }
    match test.result {
        CaseResult::Ok => {
            text.push('\n');
            let statistics = test.property.iter().flat_map(|property| property.statistics.lines());
            statistics.for_each(|line| _ = writeln!(text, "    {line}"));
            let explored = test.property.as_ref().and_then(|property| property.explored.as_ref());
            if let Some(explored) = explored {
                let _ = writeln!(text, "    {}", schedules(explored));
            }
        }
        CaseResult::Skipped => {
            let _ = writeln!(text, " - {}", reason(test));
        }
        _ => {
            text.push('\n');
            text.push_str(&details(test, "    ", style.colour));
            if !test.output.is_empty() {
                text.push_str("    output:\n");
                test.output.lines().for_each(|line| _ = writeln!(text, "      {line}"));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{diff, escaped};

    #[test]
    fn what_differs() {
        assert_eq!(diff("a\nb\nc", "a\nc\nd"), "    a\n  - b\n    c\n  + d\n");
        assert_eq!(diff("", "x"), "  + x\n");
    }

    #[test]
    fn xml_text() {
        assert_eq!(escaped("a<b>&\"c\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;c&quot;\n");
    }
}
