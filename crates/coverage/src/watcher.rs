//! The follower: from what a Machine tells to coverage and to what happened.
//!
//! Calls, spawns, throws and messages become [`Happened`], in terms of the graph's vertices. What
//! library code that began a process sends, it sends because of what callbacks returned since it
//! took a message; what it takes belongs to the callback of a behaviour that it calls next. What
//! library code says to library code is left out, but for requests of clients and the answers to
//! them.

use std::collections::BTreeSet;
use std::rc::Rc;

use flow::criteria::{Covered, Criteria, Evidence};
use flow::def_use::{DefinitionId, UseId};
use flow::surroundings::Surroundings;
use flow::{EdgeKind, Flow, FunctionId, Label, ModuleId, Site, Vertex};
use follow::{Acting, Entering, Follower, Frame, How, Role, SameTrees, Sending, Stack, What};
use machine::Pid;
use machine::code_space::CodeSpace;
use machine::observe::{self, Event, Interest, Mark, Moment, Observer};
use syntax::ast::Kind;
use term::Term;

use crate::carried::{OfActivation, OfProcess};
use crate::happened::Happened;
use crate::marks::{Marks, said};

/// Watches runs of a program whose graph is known.
pub struct Watcher {
    flow: Rc<Flow>,
    watcher: follow::Watcher<Seen>,
}

struct Seen {
    with_marks: bool,
    flow: Rc<Flow>,
    marks: Marks,
    happened: BTreeSet<Happened>,
    trees: SameTrees,
}

type Shadow = follow::Shadow<Seen>;

impl Watcher {
    /// With marks, coverage is gathered; without, only what happened.
    pub fn new(flow: Rc<Flow>, with_marks: bool) -> Watcher {
        let seen = Seen {
            with_marks,
            marks: Marks::new(&flow),
            flow: Rc::clone(&flow),
            happened: BTreeSet::new(),
            trees: SameTrees::new(Rc::clone(&flow)),
        };
        Watcher { flow, watcher: follow::Watcher::new(seen) }
    }

    /// Another run begins: processes and messages are others.
    pub fn begin(&self) {
        self.watcher.begin();
        self.watcher.change(|seen| {
            seen.marks.end_guard(false);
            seen.marks.structures.begin();
        });
    }

    /// What was covered so far, with the edges that were taken.
    pub fn covered(&self) -> Covered {
        self.watcher.change(|seen| {
            seen.marks.end_guard(false);
            let mut covered = seen.marks.covered.clone();
            for happened in &seen.happened {
                for edge in happened.edges(&self.flow) {
                    *covered.edges.entry(edge).or_default() += 1;
                }
            }
            covered
        })
    }

    /// Uses and definitions that a structure joined though the analysis says nothing about it.
    pub fn unknown_structures(&self) -> Vec<(UseId, DefinitionId)> {
        self.watcher.look(|seen| seen.marks.structures.unknown.keys().copied().collect())
    }

    pub fn happened(&self) -> BTreeSet<Happened> {
        self.watcher.look(|seen| seen.happened.clone())
    }

    /// Looks at the goals.
    pub fn criteria<T>(&self, look: impl FnOnce(&Criteria) -> T) -> T {
        self.watcher.look(|seen| look(&seen.marks.criteria))
    }

    /// Modules that were not run as they are written: nothing is known about them.
    pub fn other_trees(&self) -> Vec<ModuleId> {
        self.watcher.look(|seen| seen.trees.others().collect())
    }
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        self.watcher.interest()
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        self.watcher.event(moment, event);
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        self.watcher.mark(moment, mark);
    }

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        self.watcher.value(moment, value);
    }
}

impl Follower for Seen {
    type Place = Site;
    type Activation = OfActivation;
    type Process = OfProcess;
    type Sent = Origin;

    fn interest(&self) -> Interest {
        if self.with_marks { follow::INTEREST.and(Interest::NODES) } else { follow::INTEREST }
    }

    fn place(&mut self, code: &CodeSpace, site: observe::Site) -> Option<Site> {
        self.trees.place(code, site)
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        call: &Entering<'_, Site>,
    ) -> Option<OfActivation> {
        let function = self.around(call.target.module).owner(call.target.node)?;
        let is_inner = self.is_comprehension(call.target);
        if !is_inner && let Some(by) = call.by {
            self.happened.insert(match call.how {
                How::Begin => Happened::Spawn(by.spot.place, function),
                _ => Happened::Call(by.spot.place, function),
            });
            let module = moment.function().map(|function| function.module);
            if by.role != Role::Own
                && module.is_some_and(|module| BEHAVIOURS.contains(&module.as_str()))
            {
                self.hand_over(shadow, call.pid, function);
            }
        }
        if call.how == How::Begin {
            shadow.stack(call.pid).data.began_with = Some(function);
        }
        Some(OfActivation { entered: function, is_inner, defined: Vec::new() })
    }

    fn replaces(new: &mut OfActivation, old: OfActivation) {
        new.entered = old.entered;
        if new.is_inner {
            // It takes the place of the function that it is part of.
            new.defined = old.defined;
        }
    }

    fn sent(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        sending: &Sending<'_, Site>,
    ) -> Option<Origin> {
        let origin = match *sending {
            Sending::Message { from, by, .. } => self.sent_from(shadow, from, by?),
            Sending::Timer { by, .. } => self.sent_from(shadow, moment.pid()?, by?),
            // `exit/2` to a process that traps exits is a message of its caller.
            Sending::Signal { of, by, .. } => {
                let mut from = self.ends_of(shadow, of);
                from.extend(by.and_then(|by| self.vertex(by.spot.place)));
                Origin { from, carries: true, is_signal: true }
            }
        };
        Some(origin).filter(|origin| !origin.from.is_empty())
    }

    fn happens(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, what: What<'_, Seen>) {
        let Some(pid) = moment.pid() else { return };
        match what {
            What::Return { left, .. } => returned(shadow.stack(pid), left),
            What::Raise { again: false, by, .. } => {
                let place = by.filter(|by| by.role != Role::Began).map(|by| by.spot.place);
                let raised = place.and_then(|site| self.raised_at(site));
                shadow.stack(pid).data.raised = raised;
            }
            What::Catch { handler, .. } => self.catch(shadow, pid, handler),
            What::Receive { sent: Some(origin), by: Some(by), .. } => self.receive(origin, by),
            What::Take { .. } => {
                let process = &mut shadow.stack(pid).data;
                process.handed = None;
                process.returned.clear();
            }
            _ => {}
        }
    }

    fn mark(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, mark: Mark) {
        let Some(pid) = moment.pid() else { return };
        let Some(site) = moment.site().and_then(|site| self.place(moment.code, site)) else {
            return;
        };
        let stack = shadow.stack(pid);
        let evidence = Evidence { site, said: said(mark) };
        self.marks.mark(&self.flow, pid, evidence, stack);
        if mark == Mark::Chosen {
            self.caught(&stack.data, site);
            self.chosen(&mut stack.data, site);
        }
    }

    fn value(&mut self, _: &mut Shadow, moment: &Moment<'_>, value: &Term) {
        if let Some(pid) = moment.pid()
            && let Some(site) = moment.site().and_then(|site| self.place(moment.code, site))
        {
            self.marks.structures.show(pid, site, value);
        }
    }
}

/// A frame is left: it may be that of a callback.
fn returned(stack: &mut Stack<Seen>, left: Frame<Seen>) {
    let is_callback = stack.top().is_some_and(Frame::began);
    let activation = left.active.filter(|_| is_callback).map(|active| active.data);
    if let Some(activation) = activation.filter(|activation| !activation.is_inner)
        && !stack.data.returned.contains(&activation.entered)
    {
        stack.data.returned.push(activation.entered);
    }
}

impl Seen {
    fn around(&self, module: ModuleId) -> &Surroundings {
        &self.marks.criteria.surroundings[module]
    }

    /// The vertex that a node belongs to.
    fn vertex(&self, site: Site) -> Option<Vertex> {
        if let Some(vertex) = self.flow.graph.at(site) {
            return Some(vertex);
        }
        let around = self.around(site.module);
        let outer = around.ancestors(site.node).take_while(|&node| {
            let tree = &self.flow.modules[site.module].tree;
            // A fun stands in another function than what is inside of it.
            !matches!(tree.kind(node), Kind::Function { .. } | Kind::Fun { .. })
        });
        let found = outer.filter_map(|node| self.flow.graph.at(Site { node, ..site })).next();
        found.or_else(|| {
            // A head that does not fit: the function itself.
            let owner = around.owner(site.node)?;
            Some(self.flow.graph.frame(owner).import)
        })
    }

    fn is_comprehension(&self, site: Site) -> bool {
        let tree = &self.flow.modules[site.module].tree;
        !matches!(tree.kind(site.node), Kind::Function { .. } | Kind::Fun { .. })
    }

    // ---- Exceptions --------------------------------------------------------------------------

    /// The vertex that an exception comes from.
    fn raised_at(&self, site: Site) -> Option<Vertex> {
        let vertex = match self.kind(site) {
            // No clause of the fun fits: that is inside of it, not where it is made.
            Kind::Fun { .. } => {
                let fun = self.around(site.module).owner(site.node)?;
                self.flow.graph.frame(fun).import
            }
            _ => self.vertex(site)?,
        };
        // A generator of something else than it goes through: the comprehension fails.
        let site = self.flow.graph.vertex(vertex).site;
        match self.kind(site) {
            Kind::Generator { .. } => {
                let node = self.around(site.module).parent(site.node)?;
                self.flow.graph.at(Site { node, ..site })
            }
            _ => Some(vertex),
        }
    }

    /// An exception comes to a handler. Whether a `try` takes it shows when it chooses a clause.
    fn catch(&mut self, shadow: &mut Shadow, pid: Pid, handler: Option<Site>) {
        let raised = shadow.stack(pid).data.raised;
        if let (Some(from), Some(handler)) = (raised, handler)
            && let Kind::Catch { .. } = self.kind(handler)
            && let Some(to) = self.flow.graph.at(handler)
        {
            self.happened.insert(Happened::Throw(from, to));
        }
    }

    fn kind(&self, site: Site) -> Kind {
        self.flow.modules[site.module].tree.kind(site.node)
    }

    /// A clause was chosen: if it is one of a `catch`, the exception is caught.
    fn caught(&mut self, process: &OfProcess, clause: Site) {
        let Some(node) = self.around(clause.module).parent(clause.node) else { return };
        let of = Site { node, ..clause };
        let tree = &self.flow.modules[clause.module].tree;
        let Kind::Try { catch, .. } = tree.kind(node) else { return };
        if tree.list(catch).contains(&clause.node)
            && let (Some(from), Some(to)) = (process.raised, self.flow.graph.at(of))
        {
            self.happened.insert(Happened::Throw(from, to));
        }
    }

    // ---- Messages ----------------------------------------------------------------------------

    /// The vertices that a message may leave, and whether it carries something of the program.
    fn sent_from(&self, shadow: &mut Shadow, pid: Pid, by: Acting<Site>) -> Origin {
        let callbacks = &shadow.stack(pid).data.returned;
        if by.role == Role::Began && !callbacks.is_empty() {
            let returns = callbacks.iter().map(|&function| self.flow.graph.frame(function).ret);
            return Origin { from: returns.collect(), carries: true, is_signal: false };
        }
        let place = by.spot.place;
        let carries = match by.role {
            Role::Own => true,
            Role::Called => self.calls(place, REQUESTS),
            Role::Began => false,
        };
        Origin { from: self.vertex(place).into_iter().collect(), carries, is_signal: false }
    }

    /// Whether a place calls one of these functions of a behaviour.
    fn calls(&self, site: Site, names: &[&str]) -> bool {
        let tree = &self.flow.modules[site.module].tree;
        let Kind::Call { callee, .. } = tree.kind(site.node) else { return false };
        let Kind::Remote { module, name } = tree.kind(callee) else { return false };
        match (tree.kind(module), tree.kind(name)) {
            (Kind::Atom(module), Kind::Atom(name)) => {
                BEHAVIOURS.contains(&module.as_str()) && names.contains(&name.as_str())
            }
            _ => false,
        }
    }

    /// Where the end of a process is in the graph.
    fn ends_of(&self, shadow: &mut Shadow, pid: Pid) -> Vec<Vertex> {
        let stack = shadow.stack(pid);
        let began_with = stack.data.began_with;
        let mut found: Vec<Vertex> = Vec::new();
        found.extend(began_with.map(|function| self.flow.graph.frame(function).ret));
        let spawned_at = stack.spawned_at.and_then(|spot| self.vertex(spot.place));
        if let (None, Some(vertex)) = (began_with, spawned_at) {
            // It ended before it began.
            let graph = &self.flow.graph;
            let spawns = graph.from(vertex).iter().filter(|edge| edge.kind == EdgeKind::Spawn);
            found.extend(spawns.map(|edge| graph.frame(graph.vertex(edge.to).function).ret));
        }
        found.extend(spawned_at);
        found
    }

    /// A message is received. What library code on both sides says to each other is its own
    /// business, but for what a client asks a callback and what the callback answers.
    fn receive(&mut self, origin: Origin, by: Acting<Site>) {
        let place = by.spot.place;
        if by.role != Role::Own {
            let is_answer = origin.carries && !origin.is_signal && self.calls(place, ANSWERS);
            if is_answer && let Some(to) = self.vertex(place) {
                self.happened.insert(Happened::Message(origin.from, to, None));
            }
            return;
        }
        if let Some((to, label)) = self.receive_clause(place) {
            self.happened.insert(Happened::Message(origin.from, to, Some(label)));
        }
    }

    /// The `receive` of a clause, and which of its clauses it is.
    fn receive_clause(&self, clause: Site) -> Option<(Vertex, Label)> {
        let tree = &self.flow.modules[clause.module].tree;
        let around = self.around(clause.module);
        let mut here = clause.node;
        loop {
            let parent = around.parent(here)?;
            if let Kind::Receive { clauses, .. } = tree.kind(parent) {
                let position = tree.list(clauses).iter().position(|&node| node == here)?;
                let to = self.flow.graph.at(Site { node: parent, ..clause })?;
                return Some((to, Label::Clause(position as u32 + 1)));
            }
            here = parent;
        }
    }

    /// Library code hands the message that it took to a callback.
    fn hand_over(&mut self, shadow: &mut Shadow, pid: Pid, function: FunctionId) {
        let stack = shadow.stack(pid);
        let origin = stack.taken.take().and_then(|taken| taken.sent);
        let Some(origin) = origin.filter(|origin| origin.carries) else { return };
        let frame = self.flow.graph.frame(function);
        if frame.branch.is_some() && self.marks_are_on() {
            stack.data.handed = Some((function, origin.from));
            return;
        }
        self.happened.insert(Happened::Message(origin.from, frame.import, None));
    }

    fn marks_are_on(&self) -> bool {
        !self.marks.covered.said.is_empty()
    }

    /// A clause was chosen; it may be that of a callback that gets a message.
    fn chosen(&mut self, process: &mut OfProcess, clause: Site) {
        let Some((function, _)) = process.handed else { return };
        let of = self.flow.function(function);
        if of.module != clause.module {
            return;
        }
        let tree = &self.flow.modules[of.module].tree;
        let Some(position) = tree.list(of.clauses).iter().position(|&node| node == clause.node)
        else {
            return;
        };
        let import = self.flow.graph.frame(function).import;
        if let Some((_, from)) = process.handed.take() {
            let label = Label::Clause(position as u32 + 1);
            self.happened.insert(Happened::Message(from, import, Some(label)));
        }
    }
}

/// Library modules that hand messages to callbacks.
const BEHAVIOURS: &[&str] = &["gen", "gen_event", "gen_server", "gen_statem"];
/// Their functions that carry something of the program to a callback.
const REQUESTS: &[&str] = &[
    "abcast",
    "add_handler",
    "call",
    "cast",
    "multi_call",
    "notify",
    "reply",
    "send_request",
    "stop",
    "sync_notify",
];
/// Those that get what a callback answers.
const ANSWERS: &[&str] = &["call", "multi_call", "receive_response", "wait_response"];

/// Where a message comes from.
#[derive(Clone, Debug)]
struct Origin {
    /// Any of these.
    from: Vec<Vertex>,
    /// It is more than what library code says to library code.
    carries: bool,
    /// A process ended.
    is_signal: bool,
}
