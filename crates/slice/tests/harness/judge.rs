//! Erlang/OTP's compiler on many small programs at once: one `erl`, every text compiled up to the
//! point where code would be written.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::check::Text;

pub(crate) fn has_judge() -> bool {
    std::env::var_os("ERLSCOPE_NO_JUDGE").is_none()
        && Command::new("erl").arg("-version").output().is_ok_and(|output| output.status.success())
}

const SCRIPT: &str = r#"
main([List]) ->
    {ok, Text} = file:read_file(List),
    Files = string:lexemes(binary_to_list(Text), "\n"),
    Check = fun(File) ->
        Options = [strong_validation, return_errors, {i, filename:dirname(File)}],
        case compile:file(File, Options) of
            ok -> ok;
            {ok, _} -> ok;
            {ok, _, _} -> ok;
            Other -> io:format("~ts: ~p~n", [File, Other])
        end
    end,
    lists:foreach(Check, Files).
"#;

/// What the compiler does not accept: the messages, each with the text.
pub(crate) fn complaints(name: &str, texts: &BTreeSet<Text>) -> Vec<String> {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("slices_{name}"));
    // It may not be there.
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a directory");
    let mut list = String::new();
    for (number, text) in texts.iter().enumerate() {
        let own = dir.join(number.to_string());
        fs::create_dir_all(&own).expect("a directory");
        let file = own.join(format!("{}.erl", text.module));
        fs::write(&file, &text.text).expect("a file");
        list += &format!("{}\n", file.display());
        for header in fs::read_dir(text.path.parent().expect("a directory")).into_iter().flatten() {
            let Ok(header) = header else { continue };
            if header.path().extension().is_some_and(|extension| extension == "hrl") {
                fs::copy(header.path(), own.join(header.file_name())).expect("a header");
            }
        }
    }
    fs::write(dir.join("list"), list).expect("a file");
    fs::write(dir.join("judge.escript"), SCRIPT).expect("a file");
    let run = Command::new("escript").arg(dir.join("judge.escript")).arg(dir.join("list")).output();
    let output = run.expect("escript runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
