//! The preprocessor against the judge: for every fixture in `tests/epp`, and some whose bytes are
//! no text, our forms must be those of `epp:parse_file/2`, errors and positions included.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::Otp;
use syntax::abstract_format::{Format, write_module};

/// Fixtures that an editor or a checkout would spoil.
const BYTES: &[(&str, &[u8])] = &[
    ("carriage_returns", b"a() -> b.\r\nc() ->\r\n  \"x\r\ny\".\r\n% c\r\nd() -> e.\r\n"),
    ("controls", b"d() -> \x00\x01 e.\n f() -> g.\x0C\nh() -> i.\n"),
    ("latin1_spaces", b"h() -> \xC2\xA0i.\xC2\x85j() -> k."),
    (
        "latin1",
        b"%% coding: latin-1\n-module(latin1).\na() -> {\xE9, \"\xE9\", '\xE9 ', $\xE9, \xC9}.\n",
    ),
    ("no_line_break", b"-module(m).\na() -> ok."),
    ("no_full_stop", b"-module(m).\na() -> ok"),
    ("define_at_end", b"-module(m).\n-define(A, b"),
    ("macro_at_end", b"-module(m).\na() -> ?MODULE"),
    ("question_at_end", b"-module(m).\na() -> ?"),
    ("dollar_at_end", b"-module(m).\na() -> $"),
    ("escape_at_end", b"-module(m).\na() -> \"abc\\"),
    ("comment_at_end", b"-module(m).\na() -> b. % no newline"),
    ("empty", b""),
    ("blank_lines", b"\n\n"),
    ("invalid_in_string", b"f() -> \"\xC3\xA9\xFF\".\n"),
    ("invalid_in_string_2", b"-module(m).\nf() -> \"abc\xFF"),
    ("invalid_at_start", b"f() -> a.\n\xFF.\n"),
    ("invalid_in_comment", b"% f() -> a.\n  % ab \xFF.\n"),
    ("invalid_in_word", b"-module(m).\nf() -> abc\xFF"),
    ("invalid_after_spaces", b"-module(m).\nf() ->   \n   \xFF"),
    ("invalid_at_once", b"\xFF"),
    ("invalid_skipped", b"-ifdef(x).\nf() -> \xFF.\n-endif.\n"),
    ("invalid_skipped_start", b"-ifdef(x).\n\xFF.\n-endif.\n"),
    ("truncated", b"-module(m).\nf() -> \"\xE2\x82"),
];

#[test]
fn forms_are_those_of_epp() {
    let Some(otp) = Otp::find("forms_are_those_of_epp") else { return };
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = std::env::temp_dir().join(format!("erlscope-epp-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut fixtures: Vec<PathBuf> = std::fs::read_dir(manifest.join("tests/epp"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    for (name, bytes) in BYTES {
        let path = directory.join(format!("{name}.erl"));
        std::fs::write(&path, bytes).unwrap();
        fixtures.push(path);
    }
    fixtures.sort();
    let mut list = String::new();
    for (index, fixture) in fixtures.iter().enumerate() {
        let mut text = String::new();
        write_module(&otp.read(fixture), Format::default(), &mut text).unwrap();
        let ours = directory.join(format!("{index}.terms"));
        std::fs::write(&ours, text).unwrap();
        // The first line is where a line and a column say.
        list.push_str(&format!("{}\t{}\t{{1,1}}\n", fixture.display(), ours.display()));
    }
    let list_file = directory.join("list");
    std::fs::write(&list_file, list).unwrap();
    let script = manifest.join("tests/grammar/compare_modules.escript");
    let output = Command::new("escript").arg(script).arg(&list_file).output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let _ = std::fs::remove_dir_all(&directory);
    let (same, differences): (Vec<&str>, Vec<&str>) =
        report.lines().partition(|line| line.starts_with("same "));
    assert_eq!(same.len(), fixtures.len(), "{}", differences.join("\n"));
}
