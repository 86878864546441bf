//! What is random in `crypto` cannot be compared: instead keys, signatures and secrets made on one
//! side are used on the other. `crypto/crypto_made.erl` makes questions with their answers, on the
//! Machine and on the judge; both answer all.

mod peer;

use peer::Source;
use runner::loader::Prefer;

#[test]
fn keys_and_signatures_of_each_side_are_good_on_the_other() {
    if !peer::has_judge() {
        eprintln!("skipped: there is no erl to exchange keys with");
        return;
    }
    let text = include_str!("crypto/crypto_made.erl").to_owned();
    let made = compare("crypto_made", text);
    let both = format!("{}{}", made.machine, made.judge);
    let questions: Vec<&str> = both.lines().filter(|line| line.starts_with('{')).collect();
    let text = format!(
        "-module(crypto_asked).\n-export([main/0]).\n\
         main() -> [ask(Question) || Question <- questions()].\n\
         ask({{Function, Arguments, Answer}}) ->\n\
         io:format(\"~w ~w~n\", [Function, apply(crypto, Function, Arguments) =:= Answer]).\n\
         questions() -> [{}].\n",
        questions.join("\n").trim_end_matches(',')
    );
    let asked = compare("crypto_asked", text);
    assert_eq!(asked.judge, asked.machine);
    println!("{}, then {}", made.name, asked.name);
    let right = asked.judge.lines().filter(|line| line.ends_with(" true")).count();
    println!("{right} questions answered on both sides");
    assert_eq!(right, questions.len(), "{}", asked.judge);
    assert!(right > 100, "{both}");
}

fn compare(name: &str, text: String) -> peer::Compared {
    let sources = [Source { name: name.to_owned(), text }];
    let mut compared = peer::compare(&sources, name, "", Prefer::Embedded);
    compared.pop().expect("one program, one result")
}
