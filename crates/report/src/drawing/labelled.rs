//! A layered drawing (Sugiyama's method) in which arrows and their words have room: for pictures of
//! a few boxes that somebody puts into a document.
//!
//! Boxes stand in every second layer. An arrow is a node for its words in the layer below its upper
//! end, and an empty node in every further layer that it crosses; so nothing is written over
//! anything else. Layers are ordered as in `ranks`. Then every node is pulled to the mean of its
//! neighbours: for a layer with its order and distances fixed the best places are an isotonic
//! regression, found by merging neighbours that push each other.
//!
//! Cost: the square of boxes times arrows at worst (a long arrow has a node for each layer).

use super::layout::{GAP_X, Layout, MARGIN, Rect, Route, TITLE, size, text_width};
use super::ranks::{acyclic, layered, ordered};
use super::{Arrow, Picture};

pub(crate) const LINE: f64 = 13.0;
const GAP_Y: f64 = 22.0;
/// The width of an arrow that passes.
const PASSING: f64 = 10.0;
const SWEEPS: usize = 12;
/// How far an arrow from a box to itself reaches out.
const LOOP: f64 = 34.0;

/// The nodes that are laid out: boxes, then words and passing arrows.
struct Nodes {
    size: Vec<Rect>,
    layers: Vec<Vec<usize>>,
    edges: Vec<(usize, usize)>,
    /// For each arrow: its nodes from top to bottom, words first.
    ways: Vec<Vec<usize>>,
}

pub(crate) fn layout(picture: &Picture) -> Layout {
    let rank = box_ranks(picture);
    let mut nodes = nodes(picture, &rank);
    nodes.layers = ordered(&nodes.layers, &nodes.edges);
    place(&mut nodes);
    let boxes: Vec<Rect> = picture
        .boxes
        .iter()
        .zip(&nodes.size)
        .map(|(of, place)| Rect { x: place.x, y: place.y, ..size(of) })
        .collect();
    let routes = routes(picture, &rank, &nodes, &boxes);
    let right = nodes.size.iter().map(|rect| rect.x + rect.width).fold(0.0, f64::max);
    let bottom = nodes.size.iter().map(|rect| rect.y + rect.height).fold(0.0, f64::max);
    Layout {
        boxes,
        frames: vec![Rect::default(); picture.frames.len()],
        routes,
        width: right + MARGIN,
        height: bottom + MARGIN,
    }
}

/// In which row each box stands: arrows lead down as far as possible, those of the first styles
/// first.
fn box_ranks(picture: &Picture) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); picture.boxes.len()];
    let mut arrows: Vec<&Arrow> = picture.arrows.iter().collect();
    arrows.sort_by_key(|arrow| arrow.style);
    for arrow in arrows {
        let (from, to) = (arrow.from.of_box, arrow.to.of_box);
        if from != to && !next[from].contains(&to) {
            next[from].push(to);
        }
    }
    let mut rank = vec![0; picture.boxes.len()];
    for (index, layer) in layered(picture.boxes.len(), &acyclic(&next)).iter().enumerate() {
        layer.iter().for_each(|&of_box| rank[of_box] = index);
    }
    rank
}

fn nodes(picture: &Picture, rank: &[usize]) -> Nodes {
    let rows = rank.iter().max().map_or(0, |last| 2 * last + 1);
    let mut nodes = Nodes {
        size: picture.boxes.iter().map(size).collect(),
        layers: vec![Vec::new(); rows],
        edges: Vec::new(),
        ways: Vec::new(),
    };
    for (of_box, &rank) in rank.iter().enumerate() {
        nodes.layers[2 * rank].push(of_box);
    }
    for arrow in &picture.arrows {
        let (from, to) = (arrow.from.of_box, arrow.to.of_box);
        let words = words(arrow);
        if from == to {
            let size = &mut nodes.size[from];
            size.width += LOOP + words.width;
            nodes.ways.push(Vec::new());
            continue;
        }
        let (upper, lower) = if rank[from] < rank[to] { (from, to) } else { (to, from) };
        let mut way = Vec::new();
        let mut above = upper;
        for layer in 2 * rank[upper] + 1..2 * rank[lower] {
            let node = nodes.size.len();
            let passing = Rect { width: PASSING, ..Rect::default() };
            nodes.size.push(if way.is_empty() { words } else { passing });
            nodes.layers[layer].push(node);
            nodes.edges.push((above, node));
            way.push(node);
            above = node;
        }
        nodes.edges.push((above, lower));
        nodes.ways.push(way);
    }
    nodes
}

/// How much room the words of an arrow take.
fn words(arrow: &Arrow) -> Rect {
    if arrow.label.is_empty() {
        return Rect { width: PASSING, ..Rect::default() };
    }
    let widest = arrow.label.lines().map(text_width).fold(0.0, f64::max);
    // Their font is a little smaller.
    let height = arrow.label.lines().count() as f64 * LINE + 4.0;
    Rect { width: widest * 0.92 + 8.0, height, ..Rect::default() }
}

/// Gives every node its place.
fn place(nodes: &mut Nodes) {
    let count = nodes.size.len();
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(above, below) in &nodes.edges {
        near[above].push(below);
        near[below].push(above);
    }
    let mut centre = vec![0.0; count];
    for sweep in 0..=SWEEPS {
        let down = sweep % 2 == 0;
        let order: Vec<usize> = (0..nodes.layers.len()).collect();
        let order: Vec<usize> = if down { order } else { order.into_iter().rev().collect() };
        for layer in order {
            let members = &nodes.layers[layer];
            let wanted: Vec<f64> = members
                .iter()
                .map(|&node| match &near[node][..] {
                    [] => centre[node],
                    all => all.iter().map(|&other| centre[other]).sum::<f64>() / all.len() as f64,
                })
                .collect();
            let widths: Vec<f64> = members.iter().map(|&node| nodes.size[node].width).collect();
            for (&node, x) in members.iter().zip(in_order(&wanted, &widths)) {
                centre[node] = x;
            }
        }
    }
    let left = (0..count)
        .map(|node| centre[node] - nodes.size[node].width / 2.0)
        .fold(f64::INFINITY, f64::min);
    let mut y = MARGIN + TITLE;
    for layer in &nodes.layers {
        let tallest = layer.iter().map(|&node| nodes.size[node].height).fold(0.0, f64::max);
        for &node in layer {
            let rect = &mut nodes.size[node];
            rect.x = centre[node] - rect.width / 2.0 - left + MARGIN;
            // What passes goes straight down beside the others.
            if rect.height == 0.0 {
                rect.height = tallest;
            }
            rect.y = y + (tallest - rect.height) / 2.0;
        }
        y += tallest + GAP_Y;
    }
}

/// Centres as near to the wanted ones as the order and the widths allow (least squares): groups of
/// neighbours that would overlap are moved together to their mean.
fn in_order(wanted: &[f64], widths: &[f64]) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut at = 0.0;
    for (index, width) in widths.iter().enumerate() {
        if index > 0 {
            at += (widths[index - 1] + width) / 2.0 + GAP_X / 2.0;
        }
        offsets.push(at);
    }
    // Sum and number of the members of each group, of what they want less their offsets.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for (wanted, offset) in wanted.iter().zip(&offsets) {
        groups.push((wanted - offset, 1));
        while let [.., (before, many), (last, few)] = groups[..] {
            if before / many as f64 <= last / few as f64 {
                break;
            }
            groups.pop();
            groups.pop();
            groups.push((before + last, many + few));
        }
    }
    let means = groups.iter().flat_map(|&(sum, many)| vec![sum / many as f64; many]);
    means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
}

fn routes(picture: &Picture, rank: &[usize], nodes: &Nodes, boxes: &[Rect]) -> Vec<Route> {
    let middle = |node: usize| nodes.size[node].x + nodes.size[node].width / 2.0;
    let upper = |arrow: &Arrow| {
        let (from, to) = (arrow.from.of_box, arrow.to.of_box);
        if rank[from] < rank[to] { (from, to) } else { (to, from) }
    };
    // Where arrows leave and reach the edges of a box: in the order of where they come from.
    let ports = |of_box: usize, below: bool| -> Vec<usize> {
        let mut arrows: Vec<usize> = (0..picture.arrows.len())
            .filter(|&index| {
                let (up, low) = upper(&picture.arrows[index]);
                !nodes.ways[index].is_empty() && of_box == if below { up } else { low }
            })
            .collect();
        let towards = |index: usize| {
            let way = &nodes.ways[index];
            if below { way.first() } else { way.last() }.map_or(0.0, |&node| middle(node))
        };
        arrows.sort_by(|&a, &b| towards(a).total_cmp(&towards(b)));
        arrows
    };
    let port = |of_box: usize, below: bool, arrow: usize| {
        let all = ports(of_box, below);
        let position = all.iter().position(|&other| other == arrow).unwrap_or(0);
        let rect = boxes[of_box];
        rect.x + rect.width * (position + 1) as f64 / (all.len() + 1) as f64
    };
    let mut loops = vec![0.0; boxes.len()];
    let of_arrow = |(index, arrow): (usize, &Arrow)| {
        let (up, low) = upper(arrow);
        if up == low {
            return around(arrow, boxes[up], &mut loops[up]);
        }
        let (top, bottom) = (boxes[up], boxes[low]);
        let way = &nodes.ways[index];
        let mut points = vec![(port(up, true, index), top.y + top.height)];
        for &node in way {
            let rect = nodes.size[node];
            points.push((middle(node), rect.y));
            if rect.height > 0.0 {
                points.push((middle(node), rect.y + rect.height));
            }
        }
        points.push((port(low, false, index), bottom.y));
        if arrow.from.of_box != up {
            points.reverse();
        }
        let label = way.first().map_or(Rect::default(), |&node| nodes.size[node]);
        Route { points, label }
    };
    picture.arrows.iter().enumerate().map(of_arrow).collect()
}

/// From the right side of a box back to it, with the words beside.
fn around(arrow: &Arrow, rect: Rect, used: &mut f64) -> Route {
    let (x, y) = (rect.x + rect.width, rect.y + TITLE / 2.0);
    let words = words(arrow);
    let out = x + LOOP / 2.0 + *used;
    let low = (rect.y + rect.height - 6.0).max(y + 8.0);
    let label = Rect { x: out + 4.0, y: rect.y, ..words };
    *used += LOOP + words.width;
    Route { points: vec![(x, y), (out, (y + low) / 2.0), (x, low)], label }
}

#[cfg(test)]
mod tests {
    use super::super::{Arrangement, Box, End};
    use super::*;

    fn overlap(a: Rect, b: Rect) -> bool {
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }

    #[test]
    fn nothing_is_written_over_anything_else() {
        let end = |of_box| End { of_box, row: None };
        let boxes = (0..9).map(|index| Box {
            title: format!("process {index}"),
            frame: 0,
            rows: Vec::new(),
            source: None,
        });
        let arrows = (0..9_usize).flat_map(|from| [(from, (from * 2 + 1) % 9), (from, 0)]);
        let arrows = arrows.map(|(from, to)| Arrow {
            from: end(from),
            to: end(to),
            style: from % 2,
            label: format!("a message of {from}\nand another"),
            doubtful: false,
        });
        let picture = Picture {
            arrangement: Arrangement::Labelled,
            boxes: boxes.collect(),
            arrows: arrows.collect(),
            ..Picture::default()
        };
        let layout = layout(&picture);
        let words = layout.routes.iter().map(|route| route.label);
        let all: Vec<Rect> = layout.boxes.iter().copied().chain(words).collect();
        for (index, &rect) in all.iter().enumerate() {
            assert!(rect.x >= 0.0 && rect.x + rect.width <= layout.width);
            assert!(rect.y >= 0.0 && rect.y + rect.height <= layout.height);
            let others = all[..index].iter();
            assert!(others.clone().all(|&other| !overlap(rect, other)), "{index} of {all:?}");
        }
    }

    #[test]
    fn neighbours_push_each_other() {
        assert_eq!(in_order(&[0.0, 100.0], &[10.0, 10.0]), [0.0, 100.0]);
        let together = in_order(&[50.0, 50.0], &[10.0, 10.0]);
        assert_eq!(together, [50.0 - 15.0, 50.0 + 15.0]);
    }
}
