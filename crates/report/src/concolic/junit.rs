//! The paths of a function for CI servers: JUnit XML, each path a test case; what fails in other
//! orders of processes only, and properties that do not hold, are cases of their own.

use std::fmt::Write as _;

use session::concolic::{Answer, Failed};

use super::{ending, incomplete, told};
use crate::test_results::escaped;

pub fn junit(what: &str, answer: &Answer) -> String {
    let module = escaped(&answer.module.to_string());
    let failure_of = |call: &str| {
        answer.errors.iter().find(|failed| !failed.by_schedule && failed.ran.call == call)
    };
    let others: Vec<&Failed> = answer.errors.iter().filter(|failed| failed.by_schedule).collect();
    let failures = answer.errors.len();
    let figures =
        format!("tests=\"{}\" failures=\"{failures}\"", answer.paths.len() + others.len());
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites {figures}>");
    let _ = writeln!(xml, "  <testsuite name=\"{}\" {figures}>", escaped(what));
    for ran in &answer.paths {
        let name = escaped(&ran.call);
        let _ = writeln!(xml, "    <testcase classname=\"{module}\" name=\"{name}\">");
        match failure_of(&ran.call) {
            Some(failed) => xml.push_str(&failure(failed)),
            None => {
                let ending = escaped(&ending(&ran.ending));
                let _ = writeln!(xml, "      <system-out>{ending}</system-out>");
            }
        }
        xml.push_str("    </testcase>\n");
    }
    for failed in others {
        let name = escaped(&format!("{} (another order)", failed.ran.call));
        let _ = writeln!(xml, "    <testcase classname=\"{module}\" name=\"{name}\">");
        xml.push_str(&failure(failed));
        xml.push_str("    </testcase>\n");
    }
    for why in &answer.incomplete {
        let why = escaped(&format!("not every path: {}", incomplete(why, answer)));
        let _ = writeln!(xml, "    <system-err>{why}</system-err>");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn failure(failed: &Failed) -> String {
    let text = told(failed);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    format!(
        "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
        escaped(&failed.class),
        escaped(first),
        escaped(rest)
    )
}
