//! Trees to nodes of the dependence graph, and bodies of what these read, write and call.
//!
//! Every expression has a node for its value, every statement that decides something or jumps one
//! for doing so; a call has a second one, that it is made. Edges inside of an expression are made
//! here, all others when it is known what is called and what objects there are
//! ([`crate::build`]).
//!
//! `finally` is lowered once for each way out of its `try`, with the same nodes.

mod bodies;
mod boxes;
mod calls;
mod expressions;
mod kinds;
mod patterns;
mod statements;

use std::rc::Rc;

use atom::Atom;
use dependence::{Builder, EdgeKind, Frame, Label, Node};
use ids::IdVec;
use java::names::{ClassId, FileId};
use java::tree::{Kind, List, NodeId};
use rustc_hash::FxHashMap;

use crate::ir::{
    Block, BlockId, Body, BodyId, BodyKind, CallSite, Handler, Instr, Kinds, ObjectKind, SiteId,
    Throwing, Variable,
};
use crate::program::{Program, Site};

pub(crate) use kinds::{
    ALL as ALL_KINDS, ERROR as ERROR_KIND, FOREIGN as FOREIGN_KINDS, KindTable,
};

/// What a node of the graph is about its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// Its value, or that it is done.
    Value,
    /// That a call is made.
    Made,
    /// That a body is entered.
    Entry,
    /// What it gives back.
    Result,
    /// Nothing that could be shown.
    Between,
}

impl Role {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Role::Value => "value",
            Role::Made => "call",
            Role::Entry => "entry",
            Role::Result => "result",
            Role::Between => "between",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub(crate) site: Site,
    pub(crate) role: Role,
}

/// What lowering finds.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) builder: Builder,
    pub(crate) origins: IdVec<Node, Origin>,
    pub(crate) values: Vec<Vec<Option<Node>>>,
    pub(crate) made: FxHashMap<Site, Node>,
    pub(crate) bodies: IdVec<BodyId, Body>,
    pub(crate) by_kind: FxHashMap<BodyKind, BodyId>,
    pub(crate) sites: IdVec<SiteId, CallSite>,
    /// Reads of variables of a body around.
    pub(crate) captured: Vec<(Node, Variable)>,
    /// All places that give a variable its value.
    pub(crate) writes: FxHashMap<Variable, Vec<Node>>,
    pub(crate) kinds: KindTable,
    /// Where programs begin.
    pub(crate) mains: Vec<BodyId>,
    /// Where values are made that nothing is read or called for: in front of which instruction.
    pub(crate) places: FxHashMap<Node, (BodyId, BlockId, usize)>,
}

impl Lowered {
    /// The node of a value.
    pub(crate) fn value(&self, site: Site) -> Option<Node> {
        self.values[site.file.0 as usize][site.node.index()]
    }
}

/// What is around a statement.
#[derive(Clone, Debug)]
enum Scope {
    Catch(Vec<Handler>),
    /// Catches everything and throws it again.
    Finally {
        block: Cleanup,
        handler: Handler,
    },
    Target {
        labels: Vec<Atom>,
        is_loop: bool,
        is_switch: bool,
        after: BlockId,
        again: Option<BlockId>,
    },
    /// A switch that is an expression: where `yield` goes.
    Yield {
        after: BlockId,
        value: Node,
    },
}

/// What has to be done on every way out.
#[derive(Clone, Copy, Debug)]
enum Cleanup {
    Block(NodeId),
    /// Closes a resource: the node that declares or names it.
    Close {
        at: NodeId,
        resource: Node,
    },
}

/// The body that is being lowered.
struct Here {
    id: BodyId,
    file: FileId,
    class: Option<ClassId>,
    this: Option<Node>,
    at: BlockId,
    scopes: Vec<Scope>,
    /// Labels in front of the next statement.
    labels: Vec<Atom>,
}

pub(crate) struct Lower<'p> {
    program: &'p Program,
    out: Lowered,
    homes: FxHashMap<Variable, BodyId>,
    here: Here,
    /// By class: those whose initialisers may throw something when it is used.
    risky: FxHashMap<ClassId, Option<Rc<[ClassId]>>>,
    /// What the next call throws for its arguments.
    also_thrown: Kinds,
}

/// Lowers all bodies of a program.
pub(crate) fn lower(program: &Program) -> Lowered {
    let values = program.files.iter().map(|file| vec![None; file.tree.nodes.len()]).collect();
    let out = Lowered {
        builder: Builder::default(),
        origins: IdVec::new(),
        values,
        made: FxHashMap::default(),
        bodies: IdVec::new(),
        by_kind: FxHashMap::default(),
        sites: IdVec::new(),
        captured: Vec::new(),
        writes: FxHashMap::default(),
        kinds: KindTable::new(program),
        mains: Vec::new(),
        places: FxHashMap::default(),
    };
    let here = Here {
        id: BodyId::new(0),
        file: FileId(0),
        class: None,
        this: None,
        at: BlockId::new(0),
        scopes: Vec::new(),
        labels: Vec::new(),
    };
    let mut lower = Lower {
        program,
        out,
        homes: FxHashMap::default(),
        here,
        risky: FxHashMap::default(),
        also_thrown: 0,
    };
    lower.everything();
    lower.out
}

impl Lower<'_> {
    fn site(&self, node: NodeId) -> Site {
        Site { file: self.here.file, node }
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.program.kind(self.site(node))
    }

    fn list(&self, list: List) -> Vec<NodeId> {
        self.program.files[self.here.file.0 as usize].tree.list(list).collect()
    }

    // ---- Nodes ---------------------------------------------------------------------------------

    fn fresh(&mut self, site: Site, role: Role) -> Node {
        let node = self.out.builder.node();
        self.out.origins.push(Origin { site, role });
        node
    }

    /// The node for the value of a node of a tree.
    fn value(&mut self, node: NodeId) -> Node {
        let site = self.site(node);
        self.value_at(site)
    }

    fn value_at(&mut self, site: Site) -> Node {
        if let Some(value) = self.out.values[site.file.0 as usize][site.node.index()] {
            return value;
        }
        let value = self.fresh(site, Role::Value);
        self.out.values[site.file.0 as usize][site.node.index()] = Some(value);
        value
    }

    /// A node that stands between others.
    fn between(&mut self, node: NodeId) -> Node {
        let site = self.site(node);
        self.fresh(site, Role::Between)
    }

    fn edge(&mut self, from: Node, to: Node, kind: EdgeKind) {
        self.out.builder.edge(from, to, kind, Label::Same);
    }

    fn part(&mut self, from: Node, to: Node) {
        self.edge(from, to, EdgeKind::Value);
    }

    fn jump(&mut self, from: Node, to: Node, kind: EdgeKind) {
        self.out.builder.framed(from, to, kind, Label::Same, Frame::Jump);
    }

    /// A node whose value is that of another.
    fn same(&mut self, node: Node, of: Node) {
        self.part(node, of);
        self.copy(of, node);
    }

    fn copy(&mut self, from: Node, to: Node) {
        let body = &mut self.out.bodies[self.here.id];
        body.copies.push((from, to));
    }

    fn makes(&mut self, node: Node, object: ObjectKind) {
        let at = self.here.at;
        self.out.bodies[self.here.id].made.push((node, object, at));
    }

    // ---- Blocks --------------------------------------------------------------------------------

    fn block(&mut self) -> BlockId {
        let blocks = &mut self.out.bodies[self.here.id].blocks;
        blocks.push(Block::default());
        BlockId::new(blocks.len() - 1)
    }

    fn at(&mut self) -> &mut Block {
        let at = self.here.at.index();
        &mut self.out.bodies[self.here.id].blocks[at]
    }

    fn control(&mut self) -> Node {
        if let Some(node) = self.at().node {
            return node;
        }
        let site = self.out.bodies[self.here.id].site;
        let node = self.fresh(site, Role::Between);
        self.at().node = Some(node);
        node
    }

    /// A node is evaluated here.
    fn here(&mut self, node: Node) {
        let control = self.control();
        self.edge(node, control, EdgeKind::Control);
    }

    /// A node is evaluated here, and no instruction says so.
    fn only_here(&mut self, node: Node) {
        self.here(node);
        let index = self.at().instrs.len();
        self.out.places.insert(node, (self.here.id, self.here.at, index));
    }

    fn instr(&mut self, instr: Instr) {
        self.at().instrs.push(instr);
    }

    /// Goes on in a block.
    fn goto(&mut self, to: BlockId) {
        self.at().successors.push(to);
        self.here.at = to;
    }

    /// Leads to a block, and goes on elsewhere.
    fn leave(&mut self, to: BlockId) {
        self.at().successors.push(to);
    }

    /// Two ways, by the value of a node; goes on with the first.
    fn branch(&mut self, by: Node, yes: BlockId, no: BlockId) {
        let at = self.at();
        at.successors.extend([yes, no]);
        at.branch = Some(by);
        self.here.at = yes;
    }

    /// A jump to a block; what comes next in the text is reached by nobody from here.
    fn jump_to(&mut self, by: Node, to: BlockId) {
        let next = self.block();
        let at = self.at();
        at.successors.push(to);
        at.beyond = Some(next);
        at.branch = Some(by);
        self.here.at = next;
    }

    /// Something may be thrown here.
    fn may_throw(&mut self, by: Node, kinds: Kinds, call: Option<SiteId>) {
        let next = self.block();
        self.throw_to(by, kinds, call);
        self.at().successors.push(next);
        self.here.at = next;
    }

    /// Something is thrown here, or may be.
    fn throw_to(&mut self, by: Node, kinds: Kinds, call: Option<SiteId>) {
        let mut handlers = Vec::new();
        for scope in self.here.scopes.iter().rev() {
            match scope {
                Scope::Catch(catches) => handlers.extend(catches.iter().copied()),
                Scope::Finally { handler, .. } => {
                    handlers.push(*handler);
                    break;
                }
                _ => {}
            }
        }
        for handler in &handlers {
            self.copy(by, handler.caught);
        }
        let thrown = self.out.bodies[self.here.id].thrown;
        self.copy(by, thrown);
        self.at().throws = Some(Throwing { by, kinds, call, inits: None, handlers });
    }

    // ---- Variables -----------------------------------------------------------------------------

    fn declare(&mut self, variable: Variable) {
        self.homes.insert(variable, self.here.id);
    }

    fn write(&mut self, node: Node, variable: Variable) {
        self.out.writes.entry(variable).or_default().push(node);
        if node != variable {
            self.copy(node, variable);
        }
        self.instr(Instr::Write { node, variable });
    }

    fn read(&mut self, node: Node, variable: Variable) {
        self.copy(variable, node);
        self.instr(Instr::Read { node, variable });
        if self.homes.get(&variable) != Some(&self.here.id) {
            self.out.captured.push((node, variable));
        }
    }

    /// A class is used. If it was not used before its initialiser runs, which may throw.
    fn class_used(&mut self, class: ClassId, node: NodeId) {
        let node = self.value(node);
        self.instr(Instr::Use(class, node));
        let is_running = self.here.class.is_some_and(|here| self.program.is_subclass(here, class));
        let inits = match is_running {
            true => None,
            false => self.risky_inits(class),
        };
        if inits.is_some() {
            let block = self.here.at.index();
            self.may_throw(node, 0, None);
            if let Some(throwing) = &mut self.out.bodies[self.here.id].blocks[block].throws {
                throwing.inits = inits;
            }
        }
    }

    /// The classes whose initialisers may throw something when a class is used, if there are any.
    fn risky_inits(&mut self, class: ClassId) -> Option<Rc<[ClassId]>> {
        if let Some(known) = self.risky.get(&class) {
            return known.clone();
        }
        let lineage = self.program.lineage(class).into_iter();
        let risky: Vec<ClassId> = lineage.filter(|&above| self.program.may_fail(above)).collect();
        let found: Option<Rc<[ClassId]>> = (!risky.is_empty()).then(|| risky.into());
        self.risky.insert(class, found.clone());
        found
    }
}
