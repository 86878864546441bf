//! Whatever is done to a module, the lint comes back, and says the same the second time.
//!
//! Fixtures and mutants of mutants of them: no judge is needed.

#[path = "judge/mutate.rs"]
#[allow(dead_code, reason = "shared with the test over OTP")]
mod mutate;

use std::path::{Path, PathBuf};

use mutate::{Original, Random};
use program::lint::{LintOptions, lint};
use syntax::options::Options;
use syntax::source::NoFiles;

fn codes(text: &str, options: &LintOptions) -> Vec<(u32, u32, &'static str, String)> {
    let bytes = text.as_bytes().to_vec();
    let module =
        syntax::read_module_bytes(Path::new("t.erl"), bytes, &NoFiles, &Options::default());
    let found = lint(&module, options);
    found
        .into_iter()
        .map(|found| (found.loc.line, found.loc.column, found.code, found.message))
        .collect()
}

#[test]
fn mutants_of_fixtures() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("tests/lint")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let mut random = Random::new(7);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a fixture");
        for round in 0..60 {
            let mut text = text.clone();
            for _ in 0..1 + round % 8 {
                let Some(original) = Original::of_text(&file, text.clone().into_bytes()) else {
                    break;
                };
                if let Some(mutant) = original.mutant(&mut random) {
                    text = mutant.text;
                }
            }
            let release = 25 + round % 5;
            let options = LintOptions { release, ..LintOptions::default() };
            assert_eq!(codes(&text, &options), codes(&text, &options));
        }
    }
}
