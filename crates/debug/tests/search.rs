//! Searches on random trees with somebody who always knows: the verdict is a wrong statement whose
//! children are right, whatever the strategy; trust and doubt change who is blamed, not that.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use debug::{Answer, Facts, Next, NodeIx, Search, Shape, Strategy, Trusted};

/// A tree, and for each node given whether it is wrong.
fn tree(bytes: &mut Unstructured<'_>) -> Result<(Shape, Vec<bool>)> {
    let number = bytes.int_in_range(1..=60_usize)?;
    let (mut given, mut wrong, mut shows) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..number {
        let parent = if at == 0 { None } else { Some(bytes.int_in_range(0..=at - 1)?) };
        let function = bytes.int_in_range(0..=5_u32)?;
        let cost = bytes.int_in_range(1..=50_u32)?;
        // Every statement is another one.
        let (statement, suspect) = (at as u32, function);
        let facts = Facts { statement, suspect, function, cost, ..Facts::default() };
        given.push((parent, facts));
        wrong.push(bytes.ratio(1, 3)?);
        shows.push(bytes.arbitrary::<bool>()?);
    }
    // Wrong by itself, or since one below is and it shows.
    for at in (1..number).rev() {
        if let (Some(parent), true, true) = (given[at].0, wrong[at], shows[at]) {
            wrong[parent] = true;
        }
    }
    wrong[0] = true;
    Ok((Shape::new(&given), wrong))
}

fn is_wrong(shape: &Shape, wrong: &[bool], node: NodeIx) -> bool {
    shape.given(node).is_none_or(|given| wrong[given])
}

/// Lets somebody who knows answer; gives what comes out, and how many questions there were.
fn ask(search: &mut Search<'_>, mut know: impl FnMut(NodeIx) -> Answer) -> (Next, usize) {
    let mut questions = 0;
    let mut piece = None;
    loop {
        match search.next() {
            Next::Piece(node) => {
                piece = Some(node);
                search.narrow();
            }
            Next::Ask(node) | Next::Confirm(node) => {
                questions += 1;
                let answer = know(node);
                search.answer(node, answer).expect("no contradiction");
            }
            other => {
                if let (Next::Buggy(node), Some(piece)) = (&other, piece) {
                    let suspect = |node| search.shape().facts(node).suspect;
                    assert_eq!(suspect(*node), suspect(piece));
                }
                return (other, questions);
            }
        }
    }
}

const STRATEGIES: [Strategy; 3] = [Strategy::Informed, Strategy::DivideAndQuery, Strategy::TopDown];

/// Whether a node is wrong, and all right below it are right.
fn is_to_blame(shape: &Shape, wrong: &[bool], node: NodeIx) -> bool {
    is_wrong(shape, wrong, node) && shape.children(node).all(|child| !is_wrong(shape, wrong, child))
}

#[test]
fn a_verdict_is_wrong_and_its_children_are_right() {
    arbtest(|bytes| {
        let (shape, wrong) = tree(bytes)?;
        for strategy in STRATEGIES {
            let mut search = Search::new(&shape, strategy);
            let (next, questions) = ask(&mut search, |node| {
                if is_wrong(&shape, &wrong, node) { Answer::Wrong } else { Answer::Right }
            });
            assert!(questions < shape.len());
            let Next::Buggy(node) = next else { panic!("{strategy:?}: {next:?}") };
            assert!(is_to_blame(&shape, &wrong, node));
        }
        Ok(())
    });
}

/// Who is trusted is not blamed; if nobody else is wrong, nobody is.
#[test]
fn what_is_trusted_is_not_blamed() {
    arbtest(|bytes| {
        let (shape, wrong) = tree(bytes)?;
        for strategy in STRATEGIES {
            let mut search = Search::new(&shape, strategy);
            let (next, _) = ask(&mut search, |node| match shape.facts(node).function {
                0 => Answer::Trust(Trusted::Function),
                _ if is_wrong(&shape, &wrong, node) => Answer::Wrong,
                _ => Answer::Right,
            });
            match next {
                Next::Buggy(node) => {
                    assert!(is_wrong(&shape, &wrong, node));
                    assert!(shape.facts(node).function != 0);
                }
                Next::Fine => {}
                other => panic!("{strategy:?}: {other:?}"),
            }
        }
        Ok(())
    });
}

/// Where something is not known, what is wrong is among what is said to be open.
#[test]
fn what_is_not_known_is_said() {
    arbtest(|bytes| {
        let (shape, wrong) = tree(bytes)?;
        for strategy in STRATEGIES {
            let mut search = Search::new(&shape, strategy);
            let (next, _) = ask(&mut search, |node| match shape.facts(node).function {
                0 => Answer::DontKnow,
                _ if is_wrong(&shape, &wrong, node) => Answer::Wrong,
                _ => Answer::Right,
            });
            let blamed = match next {
                Next::Buggy(node) => vec![node],
                Next::Open(nodes) => nodes,
                other => panic!("{strategy:?}: {other:?}"),
            };
            assert!(blamed.iter().any(|&node| is_to_blame(&shape, &wrong, node)), "{blamed:?}");
        }
        Ok(())
    });
}

/// An answer that is taken back was never there.
#[test]
fn undo() {
    arbtest(|bytes| {
        let (shape, wrong) = tree(bytes)?;
        let mut search = Search::new(&shape, Strategy::Informed);
        let mut questions = Vec::new();
        for _ in 0..4 {
            let next = search.next();
            let (Next::Ask(node) | Next::Confirm(node)) = next else { break };
            questions.push((node, next));
            let answer = if is_wrong(&shape, &wrong, node) { Answer::Wrong } else { Answer::Right };
            search.answer(node, answer).expect("no contradiction");
        }
        while let Some((node, _)) = search.undo() {
            assert_eq!(questions.pop(), Some((node, search.next())));
        }
        assert!(questions.is_empty());
        Ok(())
    });
}

#[test]
fn deep_trees() {
    let facts = |at: u32| Facts { statement: at, suspect: at % 3, cost: 5, ..Facts::default() };
    let given: Vec<(Option<usize>, Facts)> =
        (0..100_000).map(|at: usize| (at.checked_sub(1), facts(at as u32))).collect();
    let shape = Shape::new(&given);
    let mut search = Search::new(&shape, Strategy::DivideAndQuery);
    let (next, questions) = ask(&mut search, |node| match node.0 <= 70_000 {
        true => Answer::Wrong,
        false => Answer::Right,
    });
    assert_eq!(next, Next::Buggy(NodeIx(70_000)));
    assert!(questions <= 18, "{questions}");
}

/// What follows from the run being wrong is not asked, but for the one that is to blame by it.
#[test]
fn the_run_is_wrong() {
    let facts = |at: u32| Facts { statement: at, suspect: at, ..Facts::default() };
    let shape = Shape::new(&[(None, facts(0)), (None, facts(1)), (Some(1), facts(2))]);
    for strategy in STRATEGIES {
        let mut search = Search::new(&shape, strategy);
        search.answer(NodeIx(1), Answer::Right).expect("an answer");
        assert_eq!(search.next(), Next::Ask(NodeIx(3)), "{strategy:?}");
        search.answer(NodeIx(3), Answer::Right).expect("an answer");
        assert_eq!(search.next(), Next::Confirm(NodeIx(2)), "{strategy:?}");
        search.answer(NodeIx(2), Answer::Right).expect("an answer");
        assert_eq!(search.next(), Next::Fine, "{strategy:?}");
        search.undo();
        search.answer(NodeIx(2), Answer::Wrong).expect("an answer");
        assert_eq!(search.next(), Next::Buggy(NodeIx(2)), "{strategy:?}");
    }
}

/// A function that calls itself is blamed before it is known in which of its calls it is wrong.
#[test]
fn a_piece_is_enough() {
    let facts = |at: u32| Facts { statement: at, suspect: at.min(1), ..Facts::default() };
    let given: Vec<(Option<usize>, Facts)> =
        (0..100).map(|at: usize| (at.checked_sub(1), facts(at as u32))).collect();
    let shape = Shape::new(&given);
    let mut search = Search::new(&shape, Strategy::Informed);
    search.answer(NodeIx(2), Answer::Wrong).expect("an answer");
    assert_eq!(search.next(), Next::Piece(NodeIx(2)));
}

#[test]
fn what_contradicts_is_said() {
    let same = Facts { statement: 7, ..Facts::default() };
    let shape = Shape::new(&[(None, same), (None, same)]);
    let mut search = Search::new(&shape, Strategy::TopDown);
    search.answer(NodeIx(1), Answer::Right).expect("nothing is known yet");
    let contradiction = search.answer(NodeIx(2), Answer::Wrong).expect_err("it says the same");
    assert_eq!(contradiction.earlier, (NodeIx(1), Answer::Right));
}
