//! Code that nobody knows, as two bodies.
//!
//! Who enters a program from outside gives it things of which nothing is known. What calls run that
//! are made on such things is the same for all of them: it may call back whatever anybody has let
//! out, again and again, in any order. One body does so for all these calls; a second one does it
//! for calls that only look at what they get, and calls back no more than `toString` and the like.
//!
//! Cost: a few nodes; the edges are those of what is called back, once instead of at every call.

use dependence::{EdgeKind, Label, Node};

use crate::ir::{
    Block, BlockId, Body, BodyId, BodyKind, CallSite, Callee, Instr, ObjectKind, SiteId, Throwing,
};
use crate::lower::{Lowered, Origin, Role};
use crate::program::Site;

/// A body with the one call in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hub {
    pub(crate) body: BodyId,
    pub(crate) site: SiteId,
}

/// What nobody knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    pub(crate) any: Hub,
    pub(crate) pure: Hub,
}

impl Unknown {
    /// Adds the two bodies to a program that some bodies enter.
    pub(crate) fn add(lowered: &mut Lowered, roots: &[BodyId]) -> Option<Unknown> {
        let site = lowered.bodies[*roots.first()?].site;
        let any = hub(lowered, site, false);
        let pure = hub(lowered, site, true);
        Some(Unknown { any, pure })
    }
}

fn fresh(lowered: &mut Lowered, site: Site) -> Node {
    lowered.origins.push(Origin { site, role: Role::Between });
    lowered.builder.node()
}

/// A body that makes one call as often as it likes.
fn hub(lowered: &mut Lowered, place: Site, is_pure: bool) -> Hub {
    let [entry, result, left, made, value, thrown] = std::array::from_fn(|_| fresh(lowered, place));
    for (from, to, kind) in [
        (value, made, EdgeKind::Value),
        (result, value, EdgeKind::Flow),
        (thrown, made, EdgeKind::Control),
    ] {
        lowered.builder.edge(from, to, kind, Label::Same);
    }
    let site = lowered.sites.next_id();
    let [start, exit, again] = [0, 1, 2].map(BlockId::new);
    let first = Block { successors: vec![again], ..Block::default() };
    let calling = Block {
        instrs: vec![Instr::Call(site)],
        successors: vec![again, exit],
        branch: Some(made),
        throws: Some(Throwing {
            by: thrown,
            kinds: 0,
            call: Some(site),
            inits: None,
            handlers: Vec::new(),
        }),
        node: Some(made),
        ..Block::default()
    };
    let kind = BodyKind::Unknown { is_pure };
    let body = lowered.bodies.push(Body {
        kind,
        site: place,
        blocks: vec![first, Block::default(), calling],
        start,
        exit,
        entry,
        this: None,
        parameters: Vec::new(),
        is_varargs: false,
        result,
        thrown: left,
        copies: vec![(thrown, left), (value, result)],
        made: vec![(entry, ObjectKind::Statics, start)],
    });
    lowered.by_kind.insert(kind, body);
    lowered.sites.push(CallSite {
        body,
        site: place,
        made,
        value,
        receiver: None,
        arguments: Vec::new(),
        callee: Callee::Nothing,
        thrown,
    });
    Hub { body, site }
}
