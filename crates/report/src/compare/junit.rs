//! What two versions do differently, for CI servers: JUnit XML, each function or server a test
//! case.

use std::fmt::Write as _;

use session::compare::{Answer, Compared};

use super::{looked, one};
use crate::test_results::escaped;

pub fn junit(answer: &Answer) -> String {
    let fails = |entry: &&Compared| !entry.differences.is_empty();
    let skipped = |entry: &&Compared| is_skipped(entry);
    let figures = format!(
        "tests=\"{}\" failures=\"{}\" skipped=\"{}\"",
        answer.entries.len(),
        answer.entries.iter().filter(fails).count(),
        answer.entries.iter().filter(skipped).count()
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites {figures}>");
    let _ = writeln!(xml, "  <testsuite name=\"erlscope compare\" {figures}>");
    for entry in &answer.entries {
        let module = entry.name.split(':').next().unwrap_or_default();
        let (module, name) = (escaped(module), escaped(&entry.name));
        let _ = writeln!(xml, "    <testcase classname=\"{module}\" name=\"{name}\">");
        for difference in &entry.differences {
            let text = one(entry, difference);
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            let _ = writeln!(
                xml,
                "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                escaped(difference.label.name()),
                escaped(first),
                escaped(rest)
            );
        }
        if is_skipped(entry) {
            let _ = writeln!(xml, "      <skipped message=\"{}\"/>", escaped(&looked(entry)));
        }
        let _ = writeln!(xml, "      <system-out>{}</system-out>", escaped(&looked(entry)));
        xml.push_str("    </testcase>\n");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// Whether nothing could be compared.
fn is_skipped(entry: &Compared) -> bool {
    entry.fates.same + entry.fates.different == 0
}
