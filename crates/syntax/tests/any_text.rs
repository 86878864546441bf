//! Whatever the bytes: reading ends, does not panic, and what comes back is consistent.

use arbtest::{arbitrary, arbtest};

#[path = "support/any_text.rs"]
mod any_text;
#[path = "support/survive.rs"]
mod survive;

/// Texts to be damaged.
fn fixtures() -> Vec<Vec<u8>> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/epp");
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

#[test]
fn any_text_is_survived() {
    let fixtures = fixtures();
    let fixtures: Vec<&[u8]> = fixtures.iter().map(Vec::as_slice).collect();
    arbtest(|u| {
        let text = any_text::any_text(u, &fixtures)?;
        survive::survive(&text);
        Ok(())
    })
    .size_max(4096);
}

/// Texts that hurt once, or that were written to hurt.
#[test]
fn hard_texts_are_survived() {
    let many = |text: &str, count| text.repeat(count).into_bytes();
    let mut doubling = String::from("-define(M0(X), X X).\n");
    for level in 1..40 {
        let below = level - 1;
        doubling += &format!("-define(M{level}(X), ?M{below}(X) ?M{below}(X)).\n");
    }
    doubling += "f() -> ?M39(a).\ng() -> ok.\n";
    let mut strings = String::from("-define(S0(X), ??X).\n");
    for level in 1..40 {
        strings += &format!("-define(S{level}(X), ?S{}(??X)).\n", level - 1);
    }
    strings += "f() -> ?S39(\"\\\"\").\n";
    let nested =
        format!("-define(F(X), X).\nf() -> {}a{}.\n", "?F(".repeat(20_000), ")".repeat(20_000));
    let mut chain = String::from("-define(C0, 1).\n");
    for level in 1..20_000 {
        chain += &format!("-define(C{level}, ?C{}).\n", level - 1);
    }
    chain += "f() -> ?C19999.\n";
    for text in [
        doubling.into_bytes(),
        strings.into_bytes(),
        nested.into_bytes(),
        chain.into_bytes(),
        b"-define(A, ?B).\n-if(?A).\n-endif.\n".to_vec(),
        b"-define(A(X), ?B X).\nf() -> ?A(maybe).\n".to_vec(),
        b"-define(L(X), ?X(X)).\nf() -> ?L(L).\n".to_vec(),
        b"-define(L(X), X ?X(X)).\nf() -> ?L(L).\n".to_vec(),
        many("?F(", 100_000),
        many("(", 100_000),
        many("[", 100_000),
        many("\"\"\"\n", 20_000),
        many("~b\"\"\"\n", 20_000),
        many("-ifdef(x).\n", 20_000),
        many("-if(not ", 1).into_iter().chain(many("not ", 50_000)).chain(*b"true).\n").collect(),
        many("9", 3_000_000),
        many("-include(\"self.hrl\").\n", 3),
        many("\u{0}", 100_000),
        many("a", 100_000),
        many("'", 99_999),
    ] {
        survive::survive(&text);
    }
}
