//! Holding and dropping terms: every kind, and nesting far deeper than the thread's stack is.

use term::{Map, Term};

/// A term nested `depth` levels deep, each level made by `wrap`.
fn nested(depth: usize, wrap: impl Fn(Term) -> Term) -> Term {
    (0..depth).fold(Term::NIL, |inner, _| wrap(inner))
}

#[test]
fn nesting_of_every_kind_is_dropped() {
    const DEPTH: usize = 300_000;
    let in_fun = |inner| {
        Term::fun(term::Fun::Local(term::fun::Closure {
            module: atom::known::OK,
            name: atom::known::OK,
            arity: 0,
            index: 0,
            unique: 0,
            entry: 0,
            maker: Default::default(),
            env: Box::new([inner]),
        }))
    };
    let large =
        |inner: Term| Term::map((0..40).map(|i| (Term::int(i), inner.clone())).collect::<Map>());
    drop(nested(DEPTH, |inner| Term::tuple([inner])));
    drop(nested(DEPTH, |inner| Term::cons(inner, Term::NIL)));
    drop(nested(DEPTH, |inner| Term::cons(Term::NIL, inner)));
    drop(nested(DEPTH, |inner| Term::map([(Term::int(1), inner)].into_iter().collect())));
    drop(nested(DEPTH, |inner| Term::map([(inner, Term::int(1))].into_iter().collect())));
    drop(nested(20_000, large));
    drop(nested(DEPTH, in_fun));
    drop(nested(DEPTH, |inner| Term::cons(Term::tuple([inner.clone()]), Term::tuple([inner]))));
}

#[test]
fn a_thread_that_ends_drops_its_terms() {
    thread_local! {
        static KEPT: std::cell::RefCell<Term> = const { std::cell::RefCell::new(Term::NIL) };
    }
    let ended = std::thread::spawn(|| {
        KEPT.with(|kept| *kept.borrow_mut() = nested(300_000, |inner| Term::tuple([inner])));
    });
    assert!(ended.join().is_ok());
}

#[test]
fn copies_share_and_changes_do_not_show() {
    let list = Term::list([Term::float(1.5), Term::binary(*b"ab"), Term::tuple([Term::int(1)])]);
    let copy = list.clone();
    assert!(copy.same_word(&list));
    drop(list);
    assert_eq!(copy.list_len(), Some(3));

    let tuple = Term::tuple([Term::int(1), copy.clone()]);
    let mut changed = tuple.clone().into_tuple().expect("a tuple");
    changed.make_mut()[0] = Term::int(2);
    assert_eq!(tuple.as_tuple().map(|t| t[0].as_int()), Some(Some(1)));
    let address = changed.as_ptr();
    changed.make_mut()[0] = Term::int(3);
    assert_eq!(changed.as_ptr(), address, "changed in place");
}

#[test]
fn option_of_a_term_is_one_word() {
    assert_eq!(size_of::<Option<Term>>(), size_of::<usize>());
}
