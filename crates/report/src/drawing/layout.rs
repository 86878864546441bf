//! Where boxes go: a layered drawing of each frame (Sugiyama's method), the frames beside each
//! other in rows.
//!
//! Inside a frame layers and their order are those of `ranks`. Long arrows have no places of
//! their own; they are curves over whatever they cross. Pictures of few boxes and many words are
//! laid out with more care in [`labelled`].

use super::ranks::{acyclic, layered, ordered};
use super::{Arrangement, Picture, labelled};

pub(crate) const ROW: f64 = 18.0;
pub(crate) const TITLE: f64 = 24.0;
pub(super) const GAP_X: f64 = 40.0;
const GAP_Y: f64 = 56.0;
pub(super) const MARGIN: f64 = 24.0;
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
    /// The ways of arrows that have one of their own, by their position; else they are curves from
    /// box to box.
    pub(crate) routes: Vec<Route>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The way of an arrow: points that a smooth line goes through, and the place of its words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) label: Rect,
}

pub(crate) fn layout(picture: &Picture) -> Layout {
    if picture.arrangement == Arrangement::Labelled {
        return labelled::layout(picture);
    }
    let mut result = Layout {
        boxes: picture.boxes.iter().map(size).collect(),
        frames: vec![Rect::default(); picture.frames.len()],
        routes: Vec::new(),
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

pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

pub(super) fn size(of: &super::Box) -> Rect {
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
    let layers: Vec<Vec<usize>> =
        layered(members.len(), &edges).iter().flat_map(|layer| wrapped(layer)).collect();
    let layers = ordered(&layers, &edges);
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

/// A layer of many boxes (functions that nothing in the frame leads to) becomes several.
fn wrapped(layer: &[usize]) -> Vec<Vec<usize>> {
    const MOST: usize = 10;
    layer.chunks(MOST).map(<[usize]>::to_vec).collect()
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
