//! Formatting compared with OTP's `io_lib`: generated formats and terms, and the very list of
//! characters that comes out, nesting included.
//!
//! `FORMAT_CASES` and `FORMAT_SEED` ask for more and for other cases. Skipped without `erl`.

mod format {
    pub(crate) mod cases;
}

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use format::cases::{Case, Generator};
use term::print;

/// The answers of OTP, one text a case; `None` where there is no `erl`.
fn judge(name: &str, cases: &[Case]) -> Option<Vec<String>> {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (dir.join(format!("{name}.in")), dir.join(format!("{name}.out")));
    let text: String = cases.iter().map(|case| print::to_string(&case.to_term()) + ".\n").collect();
    fs::write(&input, text).expect("cases are written");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format/judge.erl");
    let compiled = Command::new("erlc").arg("-o").arg(&dir).arg(source).status();
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("skipped: {} cases; there is no erlc", cases.len());
        return None;
    }
    let status = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(&dir)
        .args(["-s", "judge", "main", "-extra"])
        .args([&input, &output])
        .status()
        .expect("erl runs");
    assert!(status.success());
    let answers = fs::read_to_string(output).expect("answers are there");
    Some(answers.lines().map(str::to_owned).collect())
}

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn agrees_with_otp() {
    let (count, seed) = (setting("FORMAT_CASES", 4000), setting("FORMAT_SEED", 1));
    let mut generator = Generator::new(seed);
    let cases: Vec<Case> = (0..count).map(|_| generator.case()).collect();
    let Some(answers) = judge("generated", &cases) else { return };
    assert_eq!(answers.len(), cases.len());
    let mut wrong: Vec<(&Case, String, &String)> = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        let ours = print::to_string(&case.answer());
        if ours != *answer {
            wrong.push((case, ours, answer));
        }
    }
    wrong.sort_by_key(|(_, ours, answer)| ours.len() + answer.len());
    for (case, ours, answer) in wrong.iter().take(10) {
        let (ours, otp) = (readable(ours), readable(answer));
        let same = ours.chars().zip(otp.chars()).take_while(|(a, b)| a == b).count();
        let part =
            |text: &str| text.chars().skip(same.saturating_sub(200)).take(400).collect::<String>();
        eprintln!(
            "{}\n  otp:  {}\n  ours: {}",
            print::to_string(&case.to_term()),
            part(&otp),
            part(&ours)
        );
    }
    assert_eq!(wrong.len(), 0, "of {count} cases");
}

/// Numbers of characters as text, so that differences can be seen.
fn readable(answer: &str) -> String {
    let mut text = String::new();
    for part in answer.split_inclusive([',', '[', ']', '}', '{']) {
        let (number, end) =
            part.split_at(part.len() - part.chars().last().map_or(0, char::len_utf8));
        match number.parse::<u32>().ok().and_then(char::from_u32) {
            Some(c) if end == "," => text.push(c),
            Some(c) => text.extend([c, end.chars().next().unwrap_or(' ')]),
            None => text.push_str(part),
        }
    }
    text
}
