//! Inside of the statement that is to blame: which expression, pattern or guard it is.
//!
//! The run is made a second time with code that tells all values ([`Debugged::zoom`]). A reference
//! version tells mechanically where it first does something else; otherwise a front asks about the
//! parts, with a search as for statements.

use std::sync::Arc;

use ::debug::Recording;
use ::debug::record::StatementId;
use ::debug::zoom::{Blame, Closeup, InstanceIx, Part, compare};
use atom::Atom;
use serde::Serialize;
use syntax::ast::Kind;
use term::Term;

use super::same::is_same;
use super::{Debugged, NodeIx, Reference, Shape, shown, watch};
use crate::running::Telling;
use crate::{Control, Error, Excerpt, Place};

/// A statement from near.
pub struct Zoom {
    closeup: Closeup,
    shape: Shape,
    asked: Vec<InstanceIx>,
}

/// What is asked about a part of a function, values as Erlang text.
#[derive(Clone, Debug, Serialize)]
pub struct Detail {
    /// As it is written.
    pub text: String,
    pub about: About,
    /// The values of the variables in it.
    pub variables: Vec<Variable>,
    pub place: Option<Place>,
}

/// What happened to a part of a function.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum About {
    /// It has a value.
    Value { value: String },
    /// It was evaluated and gave none.
    Failed,
    /// A clause, or what is behind `after`.
    Chosen,
    /// A condition of a guard.
    Condition { is_true: bool },
}

#[derive(Clone, Debug, Serialize)]
pub struct Variable {
    pub name: String,
    pub value: String,
}

/// The part that is to blame.
#[derive(Clone, Debug)]
pub struct Zoomed {
    pub part: Part,
    pub source: Excerpt,
    /// It is a variable that had been bound before.
    is_from_before: bool,
}

impl Zoomed {
    fn new(closeup: &Closeup, blame: Blame) -> Zoomed {
        let tree = &closeup.tree;
        let source = Excerpt {
            module: Arc::clone(tree),
            span: tree.span(blame.node),
            at: tree.loc(blame.node),
        };
        Zoomed { part: blame.part, source, is_from_before: false }
    }
}

impl Debugged {
    pub(super) fn closeup(
        &self,
        node: NodeIx,
        control: &Control,
    ) -> Result<Option<Closeup>, Error> {
        let Some(statement) = self.run.statement(node) else { return Ok(None) };
        let recording = Recording::near(self.own.iter().copied(), statement.target);
        watch(&self.request, Telling::Values, recording.observer(), control)?;
        Ok(recording.finish().ok().and_then(|run| run.closeup()))
    }

    /// Looks at a statement from near; nothing if it was not made again.
    pub fn zoom(&self, node: NodeIx, control: &Control) -> Result<Option<Zoom>, Error> {
        Ok(self.closeup(node, control)?.map(|closeup| {
            let (shape, asked) = closeup.shape();
            Zoom { closeup, shape, asked }
        }))
    }

    /// What a reference version does otherwise in a statement, if it can tell.
    pub fn zoomed_by(
        &self,
        reference: &Reference,
        zoom: &Zoom,
        node: NodeIx,
        control: &Control,
    ) -> Result<Option<Zoomed>, Error> {
        let Some(given) = self.run.shape.given(node) else { return Ok(None) };
        let right = reference.closeup(&self.run, StatementId(given as u32), control)?;
        let Some(right) = right else { return Ok(None) };
        let blame = compare::blame(&zoom.closeup, &right, &is_same);
        Ok(blame.map(|blame| Zoomed {
            is_from_before: is_from_before(&zoom.closeup, blame),
            ..Zoomed::new(&zoom.closeup, blame)
        }))
    }

    /// The part of an activation before this one, if there is such a part.
    pub fn before(&self, node: NodeIx) -> Option<NodeIx> {
        self.run.node(self.run.statement(node)?.after.as_ref()?.before)
    }

    /// The same as [`Debugged::zoomed_by`] with the part of the activation in which it went wrong:
    /// what differs first may be a variable that was bound before it waited.
    pub fn traced_by(
        &self,
        reference: &Reference,
        zoom: &Zoom,
        node: NodeIx,
        control: &Control,
    ) -> Result<Option<(NodeIx, Zoomed)>, Error> {
        let Some(zoomed) = self.zoomed_by(reference, zoom, node, control)? else { return Ok(None) };
        let (mut at, mut steps) = (node, 0);
        while zoomed.is_from_before
            && steps < MOST_PARTS
            && let Some(before) = self.before(at)
        {
            (at, steps) = (before, steps + 1);
            if let Some(zoom) = self.zoom(before, control)?
                && let Some(found) = self.zoomed_by(reference, &zoom, before, control)?
            {
                // One that was computed by a call that waited is not of this part.
                return Ok(Some((at, found))
                    .filter(|(_, found)| !found.is_from_before)
                    .or(Some((node, zoomed))));
            }
        }
        Ok(Some((node, zoomed)))
    }
}

/// So many earlier parts of an activation are looked at.
const MOST_PARTS: usize = 20;

/// Whether what is to blame is a variable that was not bound in what was looked at.
fn is_from_before(closeup: &Closeup, blame: Blame) -> bool {
    let Kind::Var(name) = closeup.tree.kind(blame.node) else { return false };
    let binds =
        |instance: &::debug::zoom::Instance| instance.bound.iter().any(|(bound, _)| *bound == name);
    blame.part == Part::Expression && !closeup.instances.iter().any(binds)
}

impl Zoom {
    /// The parts that can be asked about.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What is asked about a part.
    pub fn question(&self, node: NodeIx) -> Option<Detail> {
        let at = Closeup::asked(&self.shape, &self.asked, node)?;
        let (closeup, tree) = (&self.closeup, &self.closeup.tree);
        let instance = &closeup.instances[at];
        let span = match tree.kind(instance.node) {
            Kind::Clause { body, .. } => {
                // Its head.
                let whole = tree.span(instance.node);
                let first = tree.list(body).first().map_or(whole.end, |&id| tree.span(id).start);
                syntax::source::Span { end: first.max(whole.start), ..whole }
            }
            _ => tree.span(instance.node),
        };
        let text: Vec<&str> = tree.text(span).split_whitespace().collect();
        let about = match (&instance.value, instance.said) {
            _ if instance.is_chosen => About::Chosen,
            (_, Some(is_true)) => About::Condition { is_true },
            (Some(value), None) => About::Value { value: shown(value) },
            (None, None) => About::Failed,
        };
        let variable = |(name, value): (Atom, Term)| Variable {
            name: name.as_str().to_owned(),
            value: shown(&value),
        };
        Some(Detail {
            text: text.join(" "),
            about,
            variables: closeup.variables(at).into_iter().map(variable).collect(),
            place: Place::of(&tree.files, span),
        })
    }

    /// What is to blame: a part that is wrong below which all are right, or without one the clause
    /// that was chosen.
    pub fn blamed(&self, node: Option<NodeIx>) -> Zoomed {
        let at = node.and_then(|node| Closeup::asked(&self.shape, &self.asked, node));
        let blame = match at {
            Some(at) => self.closeup.blame(at),
            None => {
                let chosen = self.closeup.instances.iter().find(|instance| instance.is_chosen);
                let node = chosen.map_or(self.closeup.instances[0].node, |chosen| chosen.node);
                Blame { node, part: Part::Clause }
            }
        };
        Zoomed::new(&self.closeup, blame)
    }
}
