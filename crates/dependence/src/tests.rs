//! The saturation of stacks against a search that carries them.
//!
//! Random graphs of a few nodes with all kinds of labels and frames; the search is breadth-first
//! over pairs of a node and an explicit stack, up to a depth. What it finds the traversal must
//! find; unless the search gave up at the depth, nothing else.

use std::collections::BTreeSet;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use ids::IdVec;

use super::contexts::Contexts;
use super::fields::Fields;
use super::fold::Folded;
use super::graph::{Builder, Call, EdgeKind, Field, Frame, Graph, Label, Name, Node, Shape};
use super::landmarks::Landmarks;
use super::reach::{Direction, Workspace, reach};
use super::saturation::State;

const NODES: usize = 6;
const START: Node = Node::new(0);
/// The search gives up at stacks of this depth; then it may have found too little.
const DEPTH: usize = 7;

fn field(u: &mut Unstructured<'_>) -> Result<Field> {
    let shape = Shape::new(u.int_in_range(0..=1)?);
    Ok(Field { shape: Some(shape), name: Some(Name::new(0)) })
}

fn random(u: &mut Unstructured<'_>) -> Result<Graph> {
    let mut builder = Builder::default();
    let nodes: Vec<Node> = (0..NODES).map(|_| builder.node()).collect();
    for _ in 0..u.int_in_range(3..=14)? {
        let (from, to) = (*u.choose(&nodes)?, *u.choose(&nodes)?);
        let label = match u.int_in_range(0..=9)? {
            0..=2 => Label::Open(field(u)?),
            3..=5 => Label::Close(field(u)?),
            6 => Label::Except(field(u)?),
            7 => Label::Shape,
            8 if u.ratio(1, 3)? => Label::All,
            _ => Label::Same,
        };
        let frame = match u.int_in_range(0..=7)? {
            0 | 1 => Frame::Enter(Call::new(u.int_in_range(0..=2)?)),
            2 | 3 => Frame::Leave(Call::new(u.int_in_range(0..=2)?)),
            4 if u.ratio(1, 3)? => Frame::Jump,
            _ => Frame::Stay,
        };
        let kind = *u.choose(&[EdgeKind::Value, EdgeKind::Input, EdgeKind::Call])?;
        builder.framed(from, to, kind, label, frame);
    }
    Ok(builder.finish())
}

/// What a search that carries stacks reaches, and whether it gave up somewhere.
fn search<S: Clone + Ord>(
    graph: &Graph,
    direction: Direction,
    empty: S,
    step: impl Fn(&S, Label, Frame) -> Option<S>,
    depth: impl Fn(&S) -> usize,
) -> (BTreeSet<Node>, bool) {
    let mut seen = BTreeSet::from([(START, empty.clone())]);
    let mut pending = vec![(START, empty)];
    let mut gave_up = false;
    while let Some((node, stack)) = pending.pop() {
        let edges = match direction {
            Direction::Backward => graph.sources.of(node),
            Direction::Forward => graph.users.of(node),
        };
        for edge in edges {
            let (label, frame) = (edge.label.along(direction), edge.frame.along(direction));
            let Some(next) = step(&stack, label, frame) else { continue };
            if depth(&next) > DEPTH {
                gave_up = true;
            } else if seen.insert((edge.to, next.clone())) {
                pending.push((edge.to, next));
            }
        }
    }
    (seen.into_iter().map(|(node, _)| node).collect(), gave_up)
}

/// Table 4.1 of the thesis, and what is beyond it.
fn field_step((hollow, stack): &(bool, Vec<Field>), label: Label) -> Option<(bool, Vec<Field>)> {
    let mut next = stack.clone();
    match label {
        Label::Same => {}
        Label::All => return Some((false, Vec::new())),
        Label::Shape => return Some((true, Vec::new())),
        Label::Open(field) => next.push(field),
        Label::Close(field) => match next.pop() {
            Some(top) if top == field => {}
            None if !hollow => {}
            _ => return None,
        },
        Label::Except(field) if next.last() == Some(&field) => return None,
        Label::Except(_) => {}
    }
    Some((*hollow, next))
}

fn call_step(stack: &[Call], frame: Frame) -> Option<Vec<Call>> {
    let mut next = stack.to_vec();
    match frame {
        Frame::Stay => {}
        Frame::Jump => next.clear(),
        Frame::Enter(call) => next.push(call),
        Frame::Leave(call) => match next.pop() {
            Some(top) if top != call => return None,
            _ => {}
        },
    }
    Some(next)
}

fn compare(
    found: impl Fn(Node) -> bool,
    (expected, gave_up): (BTreeSet<Node>, bool),
    graph: &Graph,
) {
    for node in ids::first(NODES) {
        let is_expected = expected.contains(&node);
        assert!(found(node) || !is_expected, "{node:?} is missing in {graph:?}");
        assert!(is_expected || gave_up || !found(node), "{node:?} is too much in {graph:?}");
    }
}

const DIRECTIONS: [Direction; 2] = [Direction::Backward, Direction::Forward];

#[test]
fn fields_are_exact() {
    arbtest(|u| {
        let graph = random(u)?;
        for direction in DIRECTIONS {
            let step = |stack: &(bool, Vec<Field>), label, _| match (direction, label) {
                // A part does not change the constructor of the whole.
                (Direction::Forward, Label::Shape) => stack.1.is_empty().then(|| stack.clone()),
                _ => field_step(stack, label),
            };
            let expected = search(&graph, direction, (false, Vec::new()), step, |s| s.1.len());
            let view = graph.view(direction);
            let starts = view.fold.starts(&[START], &graph.sources);
            for is_eager in [false, true] {
                let mut fields = Fields::default();
                fields.is_eager = is_eager;
                fields.run(view, &starts, ids::first(view.nodes()), |_| None::<()>);
                let found = |node| {
                    starts.parts.contains(&node)
                        || fields.states.is_reached(State::of(view.fold.of(node)))
                };
                compare(found, expected.clone(), &graph);
            }
        }
        Ok(())
    });
}

#[test]
fn calls_are_exact() {
    arbtest(|u| {
        let graph = random(u)?;
        for direction in DIRECTIONS {
            let mut contexts = Contexts::default();
            let view = graph.view(direction);
            let starts = view.fold.starts(&[START], &graph.sources);
            contexts.run(view, &starts);
            let step = |stack: &Vec<Call>, _, frame| call_step(stack, frame);
            let expected = search(&graph, direction, Vec::new(), step, Vec::len);
            let found =
                |node| starts.parts.contains(&node) || contexts.is_reached(view.fold.of(node));
            compare(found, expected, &graph);
        }
        Ok(())
    });
}

#[test]
fn going_on_from_landmarks_is_beginning_anew() {
    arbtest(|u| {
        let graph = random(u)?;
        for landmark in ids::first(NODES) {
            let view = graph.view(Direction::Backward);
            let landmarks = Landmarks::at(view, view.fold.of(landmark));
            for start in ids::first(NODES) {
                let starts = [start];
                let workspace = &mut Workspace::default();
                graph.landmarks.take();
                let expected = reach(&graph, &starts, Direction::Backward, true, workspace);
                graph.landmarks.replace(landmarks.clone());
                let found = reach(&graph, &starts, Direction::Backward, true, workspace);
                assert_eq!(found, expected, "{start:?} by way of {landmark:?} in {graph:?}");
            }
        }
        Ok(())
    });
}

/// As [`reach`], beginning anew for every argument that is missing.
fn reach_anew(graph: &Graph) -> IdVec<Node, bool> {
    let mut links: Vec<(Folded, Folded)> = Vec::new();
    let view = graph.view(Direction::Backward);
    let starts = view.fold.starts(&[START], &graph.sources);
    loop {
        let (mut contexts, mut fields) = (Contexts::default(), Fields::default());
        contexts.run(view, &starts);
        for &(from, to) in &links {
            contexts.link(view, from, to);
        }
        contexts.go_on(view);
        let allowed = |node: Folded| contexts.is_reached(node);
        fields.run(view, &starts, contexts.order.iter().copied(), |_| None::<()>);
        let is_reached = |node: Folded| allowed(node) && fields.states.is_reached(State::of(node));
        let missing = view.inputs.all.iter().find(|input| {
            is_reached(input.parameter)
                && is_reached(input.call)
                && !is_reached(input.argument)
                && !links.contains(&(input.call, input.argument))
        });
        match missing {
            Some(input) => links.push((input.call, input.argument)),
            None => {
                let is_found =
                    |node| starts.parts.contains(&node) || is_reached(view.fold.of(node));
                return ids::first(NODES).map(is_found).collect();
            }
        }
    }
}

#[test]
fn going_on_is_beginning_anew() {
    arbtest(|u| {
        let graph = random(u)?;
        let expected = reach_anew(&graph);
        for is_eager in [false, true] {
            let mut workspace = Workspace::default();
            workspace.fields.is_eager = is_eager;
            let found = reach(&graph, &[START], Direction::Backward, true, &mut workspace);
            assert_eq!(found, expected, "{graph:?}");
        }
        Ok(())
    });
}
