//! Erlang/OTP's compiler on many small programs at once: one node, every text compiled up to the
//! point where code would be written, by as many processes as there are schedulers.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::check::Text;

pub(crate) fn has_judge() -> bool {
    std::env::var_os("ERLSCOPE_NO_JUDGE").is_none()
        && Command::new("erl").arg("-version").output().is_ok_and(|output| output.status.success())
}

const JUDGE: &str = r#"
-module(judge).
-export([main/1]).

main([List]) ->
    {ok, Text} = file:read_file(List),
    Files = string:lexemes(binary_to_list(Text), "\n"),
    Count = erlang:system_info(schedulers_online),
    Numbered = lists:zip(lists:seq(1, length(Files)), Files),
    Share = fun(Worker) -> [File || {N, File} <- Numbered, N rem Count =:= Worker] end,
    Workers = [spawn_monitor(fun() -> exit({said, lists:flatmap(fun check/1, Share(Worker))}) end)
               || Worker <- lists:seq(0, Count - 1)],
    Said = [receive {'DOWN', Ref, _, _, {said, Lines}} -> Lines end || {_, Ref} <- Workers],
    [io:format("~ts~n", [Line]) || Line <- lists:append(Said)],
    io:format("~w compiled~n", [length(Files)]),
    halt(0).

check(File) ->
    Options = [strong_validation, return_errors, {i, filename:dirname(File)}],
    case compile:file(File, Options) of
        ok -> [];
        {ok, _} -> [];
        {ok, _, _} -> [];
        Other -> [io_lib:format("~ts: ~0p", [File, Other])]
    end.
"#;

/// What the compiler does not accept: the messages, each with the text.
pub(crate) fn complaints(name: &str, texts: &BTreeSet<Text>) -> Vec<String> {
    // Several runs may be under way.
    let own = format!("slices_{name}_{}", std::process::id());
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(own);
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
    fs::write(dir.join("judge.erl"), JUDGE).expect("a file");
    let compiled = Command::new("erlc").arg("judge.erl").current_dir(&dir).status();
    assert!(compiled.is_ok_and(|status| status.success()), "the judge compiles");
    let run = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(&dir)
        .args(["-run", "judge", "main"])
        .arg(dir.join("list"))
        .output()
        .expect("erl runs");
    let text = String::from_utf8_lossy(&run.stdout);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // A judge that saw less than everything has not judged.
    let said = lines.pop();
    assert_eq!(said, Some(format!("{} compiled", texts.len())), "{text}");
    if lines.is_empty() {
        fs::remove_dir_all(&dir).expect("the directory is ours");
    }
    lines
}
