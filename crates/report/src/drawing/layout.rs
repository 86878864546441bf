//! Where boxes go: a layered drawing of each frame (Sugiyama's method), the frames beside each
//! other in rows.
//!
//! Inside a frame: arrows that close a cycle are turned round (depth first search), a box is one
//! layer below the lowest box that leads to it, and boxes of a layer are ordered by the mean
//! position of their neighbours, in a few sweeps down and up. Long arrows have no places of their
//! own; they are curves over whatever they cross.
//!
//! Cost: linear in boxes and arrows but for the sorting, a fixed number of sweeps.

use super::Picture;

pub(crate) const ROW: f64 = 18.0;
pub(crate) const TITLE: f64 = 24.0;
const GAP_X: f64 = 40.0;
const GAP_Y: f64 = 56.0;
const MARGIN: f64 = 24.0;
const SWEEPS: usize = 8;
/// Width of a character of the font that is used.
const CHARACTER: f64 = 6.7;
const WIDEST_PAGE: f64 = 2400.0;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) boxes: Vec<Rect>,
    pub(crate) frames: Vec<Rect>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

pub(crate) fn layout(picture: &Picture) -> Layout {
    let mut result = Layout {
        boxes: picture.boxes.iter().map(size).collect(),
        frames: vec![Rect::default(); picture.frames.len()],
        width: 0.0,
        height: 0.0,
    };
    for frame in 0..picture.frames.len() {
        let (width, height) = lay_out_frame(picture, frame, &mut result.boxes);
        let title = text_width(&picture.frames[frame].title) + 2.0 * MARGIN;
        result.frames[frame].width = width.max(title);
        result.frames[frame].height = height;
    }
    place_frames(picture, &mut result);
    result
}

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

fn size(of: &super::Box) -> Rect {
    let widest = of.rows.iter().map(|row| text_width(&row.text)).fold(0.0, f64::max);
    Rect {
        width: text_width(&of.title).max(widest) + 20.0,
        height: TITLE + of.rows.len() as f64 * ROW + 6.0,
        ..Rect::default()
    }
}

/// Gives the boxes of a frame their places, from (0, 0); width and height of the frame.
fn lay_out_frame(picture: &Picture, frame: usize, rects: &mut [Rect]) -> (f64, f64) {
    let members: Vec<usize> =
        (0..picture.boxes.len()).filter(|&index| picture.boxes[index].frame == frame).collect();
    let mut number = vec![usize::MAX; picture.boxes.len()];
    for (position, &member) in members.iter().enumerate() {
        number[member] = position;
    }
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for arrow in &picture.arrows {
        let (from, to) = (number[arrow.from.of_box], number[arrow.to.of_box]);
        if from != usize::MAX && to != usize::MAX && from != to && !next[from].contains(&to) {
            next[from].push(to);
        }
    }
    let edges = acyclic(&next);
    let layers = ordered(&layered(members.len(), &edges), &edges);
    let (mut y, mut widest) = (TITLE + MARGIN, 0.0_f64);
    let widths: Vec<f64> = layers
        .iter()
        .map(|layer| {
            let boxes: f64 = layer.iter().map(|&member| rects[members[member]].width).sum();
            boxes + GAP_X * layer.len().saturating_sub(1) as f64
        })
        .collect();
    let full = widths.iter().copied().fold(0.0, f64::max);
    for (layer, width) in layers.iter().zip(&widths) {
        let mut x = MARGIN + (full - width) / 2.0;
        let mut tallest = 0.0_f64;
        for &member in layer {
            let rect = &mut rects[members[member]];
            (rect.x, rect.y) = (x, y);
            x += rect.width + GAP_X;
            tallest = tallest.max(rect.height);
        }
        widest = widest.max(x - GAP_X);
        y += tallest + GAP_Y;
    }
    (widest + MARGIN, y - GAP_Y + MARGIN)
}

/// The arrows with those turned round that close a cycle.
fn acyclic(next: &[Vec<usize>]) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; next.len()];
    let mut edges = Vec::new();
    for root in 0..next.len() {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, position)) = stack.last_mut() {
            let Some(&to) = next[*node].get(*position) else {
                state[*node] = State::Done;
                stack.pop();
                continue;
            };
            *position += 1;
            match state[to] {
                State::Open => edges.push((to, *node)),
                State::Done => edges.push((*node, to)),
                State::New => {
                    edges.push((*node, to));
                    state[to] = State::Open;
                    stack.push((to, 0));
                }
            }
        }
    }
    edges
}

/// Layers by the longest way from above.
fn layered(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut waiting = vec![0_usize; count];
    for &(from, to) in edges {
        next[from].push(to);
        waiting[to] += 1;
    }
    let mut layer = vec![0_usize; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| waiting[node] == 0).collect();
    let mut position = 0;
    while let Some(&node) = ready.get(position) {
        position += 1;
        for &to in &next[node] {
            layer[to] = layer[to].max(layer[node] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    let mut layers = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    for (node, &layer) in layer.iter().enumerate() {
        layers[layer].push(node);
    }
    layers.iter().flat_map(|layer: &Vec<usize>| wrapped(layer)).collect()
}

/// A layer of many boxes (functions that nothing in the frame leads to) becomes several.
fn wrapped(layer: &[usize]) -> Vec<Vec<usize>> {
    const MOST: usize = 10;
    layer.chunks(MOST).map(<[usize]>::to_vec).collect()
}

/// Orders each layer by the positions of neighbours.
fn ordered(layers: &[Vec<usize>], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let count = layers.iter().map(Vec::len).sum();
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in edges {
        above[to].push(from);
        below[from].push(to);
    }
    let mut layers = layers.to_vec();
    let mut place = vec![0.0; count];
    let note = |layer: &[usize], place: &mut [f64]| {
        for (index, &node) in layer.iter().enumerate() {
            place[node] = (index as f64 + 0.5) / layer.len() as f64;
        }
    };
    for layer in &layers {
        note(layer, &mut place);
    }
    for sweep in 0..SWEEPS {
        let downwards = sweep % 2 == 0;
        let order: Vec<usize> =
            if downwards { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
        for index in order {
            let neighbours = if downwards { &above } else { &below };
            let mean = |node: usize| {
                let near = &neighbours[node];
                if near.is_empty() {
                    return place[node];
                }
                near.iter().map(|&other| place[other]).sum::<f64>() / near.len() as f64
            };
            let mut keyed: Vec<(f64, usize)> =
                layers[index].iter().map(|&node| (mean(node), node)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            layers[index] = keyed.into_iter().map(|(_, node)| node).collect();
            note(&layers[index], &mut place);
        }
    }
    layers
}

/// Frames beside each other, in rows as wide as a page.
fn place_frames(picture: &Picture, layout: &mut Layout) {
    let (mut x, mut y, mut tallest) = (MARGIN, MARGIN + TITLE, 0.0_f64);
    for frame in 0..picture.frames.len() {
        let Rect { width, height, .. } = layout.frames[frame];
        if x > MARGIN && x + width > WIDEST_PAGE {
            (x, y, tallest) = (MARGIN, y + tallest + GAP_Y, 0.0);
        }
        (layout.frames[frame].x, layout.frames[frame].y) = (x, y);
        for (of, rect) in picture.boxes.iter().zip(&mut layout.boxes) {
            if of.frame == frame {
                rect.x += x;
                rect.y += y;
            }
        }
        layout.width = layout.width.max(x + width + MARGIN);
        x += width + 2.0 * GAP_X;
        tallest = tallest.max(height);
    }
    layout.height = y + tallest + MARGIN;
}

#[cfg(test)]
mod tests {
    use super::super::{Arrow, Box, End, Frame};
    use super::*;

    fn picture(boxes: usize, arrows: &[(usize, usize)]) -> Picture {
        let end = |of_box| End { of_box, row: None };
        let boxes = (0..boxes).map(|index| Box {
            title: format!("box {index}"),
            frame: index % 2,
            rows: Vec::new(),
            source: None,
        });
        let arrows = arrows.iter().map(|&(from, to)| Arrow {
            from: end(from),
            to: end(to),
            style: 0,
            label: String::new(),
            doubtful: false,
        });
        let frame = |title: &str| Frame { title: title.to_string() };
        Picture {
            frames: vec![frame("a"), frame("b")],
            boxes: boxes.collect(),
            arrows: arrows.collect(),
            ..Picture::default()
        }
    }

    fn overlap(a: Rect, b: Rect) -> bool {
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }

    #[test]
    fn boxes_stay_in_their_frames_and_do_not_overlap() {
        let mut arrows = Vec::new();
        for index in 0..60_usize {
            arrows.push((index, (index * 7 + 2) % 60));
            arrows.push((index, (index * 13 + 5) % 60));
        }
        let picture = picture(60, &arrows);
        let layout = layout(&picture);
        for (index, &rect) in layout.boxes.iter().enumerate() {
            let frame = layout.frames[picture.boxes[index].frame];
            assert!(rect.x >= frame.x && rect.x + rect.width <= frame.x + frame.width);
            assert!(rect.y >= frame.y && rect.y + rect.height <= frame.y + frame.height);
            assert!(rect.x + rect.width <= layout.width && rect.y + rect.height <= layout.height);
            assert!(layout.boxes[..index].iter().all(|&other| !overlap(rect, other)));
        }
        assert!(!overlap(layout.frames[0], layout.frames[1]));
    }

    #[test]
    fn callers_stand_above() {
        let layout = layout(&picture(6, &[(4, 2), (2, 0), (0, 4)]));
        // The cycle is cut where the search closes it: 0 comes first.
        assert!(layout.boxes[0].y < layout.boxes[4].y && layout.boxes[4].y < layout.boxes[2].y);
    }

    #[test]
    fn nothing_is_fine() {
        let layout = layout(&Picture::default());
        assert!(layout.boxes.is_empty() && layout.frames.is_empty());
    }
}
