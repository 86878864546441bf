//! Every module of the installed Erlang/OTP: our abstract format against `epp:parse_file/2`, all
//! forms with the line and column of every node.

#[allow(dead_code, reason = "not all of it is used here")]
mod support;

use std::path::Path;
use std::process::Command;

use support::{Otp, in_parallel};
use syntax::abstract_format::{Format, write_module};

/// One module in so many goes the whole way, through `file:consult/1`, which is slow.
const CONSULTED: usize = 40;
/// One module in so many is compared with lines only.
const LINES_ONLY: usize = 9;

#[test]
fn otp_modules_have_the_same_forms() {
    let Some(otp) = Otp::find("otp_modules_have_the_same_forms") else { return };
    let mut modules = otp.modules();
    if let Ok(only) = std::env::var("ERLSCOPE_ONLY") {
        modules.retain(|path| path.to_string_lossy().contains(&only));
    }
    let directory = std::env::temp_dir().join(format!("erlscope-abstract-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let jobs: Vec<_> = modules.iter().enumerate().collect();
    let files = in_parallel(&jobs, |&(index, path)| {
        let mut text = String::new();
        let columns = index % LINES_ONLY != 0;
        let format = Format { columns, ..Format::default() };
        write_module(&otp.read(path), format, &mut text).unwrap();
        if index % CONSULTED == 0 {
            let file = directory.join(format!("{index}.terms"));
            std::fs::write(&file, text).unwrap();
            return file;
        }
        let file = directory.join(format!("{index}.etf"));
        let encoded = support::etf::encode(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        std::fs::write(&file, encoded).unwrap();
        file
    });
    let list: String = modules
        .iter()
        .zip(&files)
        .enumerate()
        .map(|(index, (module, ours))| {
            let location = if index % LINES_ONLY == 0 { "1" } else { "{1,1}" };
            format!("{}\t{}\t{location}\n", module.display(), ours.display())
        })
        .collect();
    let list_file = directory.join("list");
    std::fs::write(&list_file, list).unwrap();
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grammar/compare_modules.escript");
    let output = Command::new("escript").arg(script).arg(&list_file).output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let same = report.lines().filter(|line| line.starts_with("same ")).count();
    let mut differences: Vec<&str> =
        report.lines().filter(|line| !line.starts_with("same ")).collect();
    differences.sort_unstable();
    println!("{same} of {} modules have the same forms", modules.len());
    if let Ok(file) = std::env::var("ERLSCOPE_REPORT") {
        std::fs::write(file, differences.join("\n")).unwrap();
    }
    let _ = std::fs::remove_dir_all(&directory);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = differences.iter().take(30).copied().collect::<Vec<_>>().join("\n");
    assert_eq!(same, modules.len(), "{shown}");
}
