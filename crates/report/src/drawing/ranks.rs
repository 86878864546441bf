//! Parts of Sugiyama's method for layered drawings: cycles are cut, nodes get layers, layers get an
//! order.
//!
//! Arrows that close a cycle are turned round (depth first search), a node is one layer below the
//! lowest that leads to it, and nodes of a layer are ordered by the mean position of their
//! neighbours, in a few sweeps down and up.
//!
//! Cost: linear in nodes and arrows but for the sorting, a fixed number of sweeps.

const SWEEPS: usize = 8;

/// The arrows with those turned round that close a cycle.
pub(super) fn acyclic(next: &[Vec<usize>]) -> Vec<(usize, usize)> {
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
pub(super) fn layered(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
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
    layers
}

/// Orders each layer by the positions of neighbours.
pub(super) fn ordered(layers: &[Vec<usize>], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
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
