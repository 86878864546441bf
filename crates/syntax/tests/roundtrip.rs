//! Reading a module, printing it, and reading what was printed gives the same forms, positions
//! apart; printing that again gives the same text. Over every module of the installed Erlang/OTP.

mod support;

use std::path::Path;
use std::process::Command;

use support::{DiskFiles, Otp, in_parallel, options_for};
use syntax::ast::Module;
use syntax::options::Options;
use syntax::source::Files;
use syntax::{compare, unparse};

/// Reads text as if it were in the file of `path`.
fn read(path: &Path, text: &str, files: &dyn Files, options: &Options) -> Module {
    syntax::read_module_bytes(path, text.as_bytes().to_vec(), files, options)
}

/// What is wrong with the way of a module to text and back.
fn round_trip(path: &Path, module: Module, files: &dyn Files) -> Result<(), String> {
    let options = options_for(path);
    let printed = unparse::module(&module);
    let again = read(path, &printed, files, &options);
    if let Err(difference) = compare::same_forms(&module, &again) {
        let place = difference.nodes.map_or(String::new(), |(was, is)| {
            let shown = |module, node| {
                unparse::one_line(module, node).chars().take(300).collect::<String>()
            };
            format!("\n    was {}\n    is  {}", shown(&module, was), shown(&again, is))
        });
        let error = again.diagnostics.first().map_or(String::new(), |diagnostic| {
            format!("\n    {}: {:?}", diagnostic.message, again.text(diagnostic.span))
        });
        return Err(format!("{difference}{place}{error}"));
    }
    let second = unparse::module(&again);
    if second != printed {
        let line = printed.lines().zip(second.lines()).find(|(first, second)| first != second);
        return Err(format!("printed differently the second time: {line:?}"));
    }
    Ok(())
}

#[test]
fn otp_modules() {
    let Some(otp) = Otp::find("round trip of OTP's modules") else { return };
    let modules = otp.modules();
    let results = in_parallel(&modules, |path| round_trip(path, otp.read(path), &otp.files));
    let failures: Vec<_> = modules
        .iter()
        .zip(results)
        .filter_map(|(path, result)| Some(format!("{}: {}", path.display(), result.err()?)))
        .collect();
    let same = modules.len() - failures.len();
    eprintln!("round trip: {same} of {} modules give the same forms", modules.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What OTP itself reads from the printed text is what it reads from the original.
#[test]
fn judge_reads_the_same_forms() {
    let Some(otp) = Otp::find("OTP's reading of printed modules") else { return };
    let modules = otp.modules();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed");
    std::fs::create_dir_all(&directory).expect("a directory for the printed modules");
    let numbered: Vec<_> = modules.iter().enumerate().collect();
    let pairs = in_parallel(&numbered, |&(number, path)| {
        let printed = directory.join(format!("{number}.erl"));
        std::fs::write(&printed, unparse::module(&otp.read(path))).expect("a file to write to");
        let includes: Vec<_> =
            options_for(path).include_dirs.iter().map(|dir| quoted(dir)).collect();
        format!("{{{}, {}, [{}]}}.\n", quoted(path), quoted(&printed), includes.join(", "))
    });
    let list = directory.join("pairs");
    std::fs::write(&list, pairs.concat()).expect("a file to write to");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/same_forms.escript");
    let output = Command::new("escript").arg(script).arg(list).output();
    let output = output.expect("escript, which comes with erl");
    let (report, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    eprintln!("of {} modules OTP reads the same forms: {report}{errors}", modules.len());
    assert_eq!(report.trim(), format!("same {}", modules.len()));
}

fn quoted(path: &Path) -> String {
    syntax::quote::string(&path.to_string_lossy())
}

/// Modules that are wrong in places: what can be read comes back.
#[test]
fn what_can_be_read_of_a_bad_module() {
    let text = "\
-module(m).
-include(\"no.hrl\").
-include_lib(\"no/no.hrl\").
-error(\"no\").
-warning({no, \"x\"}).
-define(TWO, 2).
-define(?).
-endif.
-x(?FUNCTION_NAME).
-define(MODULE, 1).
f( -> ?TWO, \"a\nb\", ~b\"x\", $x, 'A b', maybe, 1.5 .
g() -> ?UNDEFINED.
h() -> ?undefined(1, {2, 3}) + ?TWO.
-foo(bar(X)).
-foo(bar).
i() -> maybe ok end.
";
    let path = Path::new("m.erl");
    let files = DiskFiles::default();
    let module = read(path, text, &files, &Options::default());
    assert_eq!(round_trip(path, module, &files), Ok(()));
}
