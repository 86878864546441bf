//! Large and deep terms are formatted without the thread's stack, in linear time.

use term::Term;
use term::format::pretty::{self, Options};
use term::format::sink::CharList;
use term::format::{Encoding, write};

fn printed(term: &Term, options: &Options<'_>) -> usize {
    let mut text = String::new();
    assert!(pretty::print(term, options, &mut text).is_ok());
    text.len()
}

#[test]
fn deep_terms() {
    const DEPTH: usize = 1_000_000;
    let list = (0..DEPTH).fold(Term::NIL, |inner, _| Term::list([inner]));
    let one_line = Options { line_length: 0, ..Options::default() };
    assert_eq!(printed(&list, &one_line), 2 * DEPTH + 2);
    assert_eq!(printed(&list, &Options::default()), 2 * DEPTH + 2);
    assert_eq!(printed(&list, &Options { depth: 5, ..Options::default() }), "[[[[[...]]]]]".len());
    let limited = Options { chars_limit: 100_000, ..Options::default() };
    assert!((100_000..110_000).contains(&printed(&list, &limited)));
    let mut out = CharList::default();
    write::write(&list, -1, Encoding::Latin1, &mut out);
    assert!(out.finish().is_list());

    let tuple = (0..DEPTH).fold(Term::atom("x"), |inner, _| Term::tuple([inner]));
    assert_eq!(printed(&tuple, &Options::default()), 2 * DEPTH + 1);
}

#[test]
fn long_lists() {
    const LEN: i64 = 1_000_000;
    let list = Term::list((0..LEN).map(|n| Term::int(n % 10 + 1000)).collect::<Vec<_>>());
    let mut text = String::new();
    write::write(&list, -1, Encoding::Latin1, &mut text);
    assert_eq!(text.len(), 5 * LEN as usize + 1);
    let lines = printed(&list, &Options::default());
    assert!(lines > text.len() && lines < 2 * text.len());
    assert!(printed(&list, &Options { chars_limit: 50, ..Options::default() }) < 100);
}
