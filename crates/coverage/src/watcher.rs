//! The observer: from what a Machine tells to coverage and to what happened.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use flow::criteria::{Covered, Criteria, Evidence};
use flow::def_use::{DefinitionId, UseId};
use flow::same_trees::SameTrees;
use flow::surroundings::Surroundings;
use flow::{EdgeKind, Flow, FunctionId, Label, ModuleId, Site, Vertex};
use machine::Pid;
use machine::code_space::{CodeSpace, Target};
use machine::observe::{self, Event, Interest, Mark, MessageId, Moment, Observer, Sender};
use rustc_hash::FxHashMap;
use syntax::ast::Kind;
use term::{Ref, Term};

use crate::happened::Happened;
use crate::marks::{Marks, said};
use crate::shadow::{Frame, Shadow, Taken};

/// Watches runs of a program whose graph is known.
pub struct Watcher {
    flow: Rc<Flow>,
    with_marks: bool,
    seen: RefCell<Seen>,
}

struct Seen {
    flow: Rc<Flow>,
    marks: Marks,
    happened: BTreeSet<Happened>,
    shadows: FxHashMap<Pid, Shadow>,
    /// Where messages that were not received come from.
    messages: FxHashMap<MessageId, Origin>,
    timers: FxHashMap<Ref, Origin>,
    fired: Option<Ref>,
    /// Of each module of a code space, the tree and the module of the graph that it is.
    trees: SameTrees,
}

impl Watcher {
    /// With marks, coverage is gathered; without, only what happened.
    pub fn new(flow: Rc<Flow>, with_marks: bool) -> Watcher {
        let seen = Seen {
            marks: Marks::new(&flow),
            flow: Rc::clone(&flow),
            happened: BTreeSet::new(),
            shadows: FxHashMap::default(),
            messages: FxHashMap::default(),
            timers: FxHashMap::default(),
            fired: None,
            trees: SameTrees::default(),
        };
        Watcher { flow, with_marks, seen: RefCell::new(seen) }
    }

    /// Another run begins: processes and messages are others.
    pub fn begin(&self) {
        let mut seen = self.seen.borrow_mut();
        seen.marks.end_guard(false);
        seen.marks.structures.begin();
        seen.shadows.clear();
        seen.messages.clear();
        seen.timers.clear();
        seen.fired = None;
    }

    /// What was covered so far, with the edges that were taken.
    pub fn covered(&self) -> Covered {
        let mut seen = self.seen.borrow_mut();
        seen.marks.end_guard(false);
        let mut covered = seen.marks.covered.clone();
        for happened in &seen.happened {
            for edge in happened.edges(&self.flow) {
                *covered.edges.entry(edge).or_default() += 1;
            }
        }
        covered
    }

    /// Uses and definitions that a structure joined though the analysis says nothing about it.
    pub fn unknown_structures(&self) -> Vec<(UseId, DefinitionId)> {
        self.seen.borrow().marks.structures.unknown.keys().copied().collect()
    }

    pub fn happened(&self) -> BTreeSet<Happened> {
        self.seen.borrow().happened.clone()
    }

    /// Looks at the goals.
    pub fn criteria<T>(&self, look: impl FnOnce(&Criteria) -> T) -> T {
        look(&self.seen.borrow().marks.criteria)
    }

    /// Modules that were not run as they are written: nothing is known about them.
    pub fn other_trees(&self) -> Vec<ModuleId> {
        self.seen.borrow().trees.others.iter().copied().collect()
    }
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        let events = Interest::CALLS
            .and(Interest::EXCEPTIONS)
            .and(Interest::PROCESSES)
            .and(Interest::MESSAGES)
            .and(Interest::TIMERS);
        if self.with_marks { events.and(Interest::NODES) } else { events }
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        self.seen.borrow_mut().event(moment, event);
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        let mut seen = self.seen.borrow_mut();
        let Some(pid) = moment.pid() else { return };
        let Some(site) = moment.site().and_then(|site| seen.own(moment.code, site)) else { return };
        let evidence = Evidence { site, said: said(mark) };
        let depth = moment.depth();
        let Seen { marks, shadows, flow, .. } = &mut *seen;
        let shadow = shadows.entry(pid).or_default();
        shadow.settle(depth);
        marks.mark(flow, pid, evidence, shadow, depth);
        if mark == Mark::Chosen {
            seen.caught(pid, site);
            seen.chosen(pid, site);
        }
    }

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        let mut seen = self.seen.borrow_mut();
        if let Some(pid) = moment.pid()
            && let Some(site) = moment.site().and_then(|site| seen.own(moment.code, site))
        {
            seen.marks.structures.show(pid, site, value);
        }
    }
}

impl Seen {
    /// The node of the graph's tree, if the module is one of the program.
    fn own(&mut self, code: &CodeSpace, site: observe::Site) -> Option<Site> {
        let module = self.module(code, site.module)?;
        Some(Site { module, node: site.node })
    }

    fn module(&mut self, code: &CodeSpace, index: u32) -> Option<ModuleId> {
        let info = code.modules.get(index as usize)?;
        self.trees.find(&self.flow, index, info.name, || info.source.tree())
    }

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

    fn shadow(&mut self, pid: Pid) -> &mut Shadow {
        self.shadows.entry(pid).or_default()
    }

    /// The place of the program where, or on whose behalf, a process acts.
    fn place(&mut self, moment: &Moment<'_>) -> Option<Acting> {
        let pid = moment.pid()?;
        let depth = moment.depth();
        let own = moment.site().and_then(|site| self.own(moment.code, site));
        let shadow = self.shadow(pid);
        let frame = shadow.top(depth);
        match own {
            Some(site) => Some(Acting { site, own: true, started: false }),
            None => {
                let started = frame.started;
                frame.origin.map(|site| Acting { site, own: false, started })
            }
        }
    }

    fn event(&mut self, moment: &Moment<'_>, event: &Event<'_>) {
        match event {
            Event::Call { callee, tail, .. } => self.call(moment, callee, *tail),
            Event::Return { .. } => {
                if let Some(pid) = moment.pid() {
                    self.shadow(pid).give(moment.depth());
                }
            }
            Event::Raise { again, .. } => self.raise(moment, *again),
            Event::Catch { at } => self.catch(moment, *at),
            Event::Spawn { child, .. } => {
                let place = self.place(moment);
                let shadow =
                    Shadow { spawned_at: place.map(|place| place.site), ..Shadow::default() };
                self.shadows.insert(*child, shadow);
            }
            Event::Exit { pid, .. } => {
                // Its end may still be told to others.
                if let Some(shadow) = self.shadows.get_mut(pid) {
                    shadow.frames = Vec::new();
                    shadow.taken = Vec::new();
                }
            }
            Event::Send { id, sender, .. } => self.send(moment, *id, *sender),
            Event::Receive { id, .. } => self.receive(moment, *id),
            Event::Flush { id } => {
                self.messages.remove(id);
            }
            Event::TimerSet { reference, .. } => {
                let place = self.place(moment);
                if let (Some(place), Some(pid)) = (place, moment.pid()) {
                    let origin = self.sent_from(pid, place);
                    self.timers.insert(*reference, origin);
                }
            }
            Event::TimerFired { reference } => self.fired = Some(*reference),
            _ => {}
        }
    }

    fn call(&mut self, moment: &Moment<'_>, callee: &observe::Callee, tail: bool) {
        let Some(pid) = moment.pid() else { return };
        let depth = moment.depth();
        let begins = moment.site().is_none();
        if let Target::Builtin(_) = callee.target {
            if !begins {
                let place = self.place(moment);
                if callee.mfa.name.as_str() == "hibernate" {
                    let hibernates = place.map(|place| (place.site, place.started));
                    self.shadow(pid).hibernates = hibernates;
                }
            }
            self.shadow(pid).builtin.get_or_insert(tail);
            return;
        }
        let target = moment.function_node(callee).and_then(|site| self.own(moment.code, site));
        let inner = target.filter(|&site| self.is_comprehension(site));
        let function = target.and_then(|site| self.around(site.module).owner(site.node));
        if begins {
            return self.begin(pid, depth, function);
        }
        let place = self.place(moment);
        let frame = match (function, place) {
            (Some(function), place) => {
                if inner.is_none()
                    && let Some(place) = place
                {
                    self.happened.insert(Happened::Call(place.site, function));
                    let by = moment.function().map(|by| by.module);
                    if !place.own && by.is_some_and(|by| BEHAVIOURS.contains(&by.as_str())) {
                        self.hand_over(pid, function);
                    }
                }
                Frame {
                    function: Some(function),
                    entered: Some(function),
                    is_inner: inner.is_some(),
                    ..Frame::default()
                }
            }
            (None, Some(place)) => {
                Frame { origin: Some(place.site), started: place.started, ..Frame::default() }
            }
            (None, None) => Frame::default(),
        };
        self.shadow(pid).call(depth, frame);
    }

    fn is_comprehension(&self, site: Site) -> bool {
        let tree = &self.flow.modules[site.module].tree;
        !matches!(tree.kind(site.node), Kind::Function { .. } | Kind::Fun { .. })
    }

    /// A process begins, or wakes up from hibernation.
    fn begin(&mut self, pid: Pid, depth: usize, function: Option<FunctionId>) {
        let shadow = self.shadow(pid);
        let hibernates = shadow.hibernates.take();
        let (site, started) = match hibernates {
            Some((site, started)) => (Some(site), started),
            None => (shadow.spawned_at, shadow.spawned_at.is_some()),
        };
        if hibernates.is_none() {
            shadow.began_with = function;
        }
        let is_library = function.is_none();
        let frame = Frame {
            function,
            entered: function,
            origin: site.filter(|_| is_library),
            started: is_library && started,
            ..Frame::default()
        };
        shadow.call(depth, frame);
        if let (Some(site), Some(function)) = (site, function) {
            self.happened.insert(match hibernates {
                Some(_) => Happened::Call(site, function),
                None => Happened::Spawn(site, function),
            });
        }
    }

    // ---- Exceptions --------------------------------------------------------------------------

    fn raise(&mut self, moment: &Moment<'_>, again: bool) {
        let Some(pid) = moment.pid() else { return };
        let place = self.place(moment);
        let shadow = self.shadow(pid);
        shadow.builtin = None;
        if again {
            return;
        }
        let place = place.filter(|place| !place.started);
        let vertex = place.and_then(|place| match self.kind(place.site) {
            // No clause of the fun fits: that is inside of it, not where it is made.
            Kind::Fun { .. } => {
                let fun = self.around(place.site.module).owner(place.site.node)?;
                Some(self.flow.graph.frame(fun).import)
            }
            _ => self.vertex(place.site),
        });
        // A generator of something else than it goes through: the comprehension fails.
        let vertex = vertex.and_then(|vertex| {
            let site = self.flow.graph.vertex(vertex).site;
            match self.kind(site) {
                Kind::Generator { .. } => {
                    let node = self.around(site.module).parent(site.node)?;
                    self.flow.graph.at(Site { node, ..site })
                }
                _ => Some(vertex),
            }
        });
        self.shadow(pid).raised = vertex;
    }

    /// An exception comes to a handler. Whether a `try` takes it shows when it chooses a clause.
    fn catch(&mut self, moment: &Moment<'_>, at: Option<code::instr::Pc>) {
        let Some(pid) = moment.pid() else { return };
        let handler = at.and_then(|pc| moment.code.site(pc));
        let handler = handler.and_then(|site| self.own(moment.code, site));
        let shadow = self.shadow(pid);
        shadow.top(moment.depth());
        let raised = shadow.raised;
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
    fn caught(&mut self, pid: Pid, clause: Site) {
        let Some(node) = self.around(clause.module).parent(clause.node) else { return };
        let of = Site { node, ..clause };
        let tree = &self.flow.modules[clause.module].tree;
        let Kind::Try { catch, .. } = tree.kind(node) else { return };
        if tree.list(catch).contains(&clause.node)
            && let (Some(from), Some(to)) = (self.shadow(pid).raised, self.flow.graph.at(of))
        {
            self.happened.insert(Happened::Throw(from, to));
        }
    }

    // ---- Messages ----------------------------------------------------------------------------

    /// The vertices that a message may leave, and whether it carries something of the program.
    fn sent_from(&mut self, pid: Pid, place: Acting) -> Origin {
        if place.started {
            let callbacks = self.shadow(pid).returned.clone();
            if !callbacks.is_empty() {
                let returns = callbacks.iter().map(|&function| self.flow.graph.frame(function).ret);
                return Origin { from: returns.collect(), carries: true, is_signal: false };
            }
        }
        let carries = place.own || (!place.started && self.calls(place.site, REQUESTS));
        Origin { from: self.vertex(place.site).into_iter().collect(), carries, is_signal: false }
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

    fn send(&mut self, moment: &Moment<'_>, id: MessageId, sender: Sender) {
        let origin = match sender {
            Sender::Process(pid) => {
                let place = self.place(moment);
                place.map(|place| self.sent_from(pid, place))
            }
            // `exit/2` to a process that traps exits is a message of its caller.
            Sender::Exit(pid) | Sender::Down(pid) => {
                let mut from = self.ends_of(pid);
                if moment.pid().is_some()
                    && let Some(place) = self.place(moment)
                {
                    from.extend(self.vertex(place.site));
                }
                Some(Origin { from, carries: true, is_signal: true })
            }
            Sender::Timer => {
                let fired = self.fired.take();
                fired.and_then(|timer| self.timers.get(&timer).cloned())
            }
            Sender::Device(_) | Sender::Outside => None,
        };
        if let Some(origin) = origin.filter(|origin| !origin.from.is_empty()) {
            self.messages.insert(id, origin);
        }
    }

    /// Where the end of a process is in the graph.
    fn ends_of(&mut self, pid: Pid) -> Vec<Vertex> {
        let shadow = self.shadow(pid);
        let (began_with, spawned_at) = (shadow.began_with, shadow.spawned_at);
        let mut found: Vec<Vertex> = Vec::new();
        found.extend(began_with.map(|function| self.flow.graph.frame(function).ret));
        let spawned_at = spawned_at.and_then(|site| self.vertex(site));
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
    fn receive(&mut self, moment: &Moment<'_>, id: MessageId) {
        let Some(pid) = moment.pid() else { return };
        let origin = self.messages.remove(&id);
        let Some(place) = self.place(moment) else { return };
        if place.started {
            let shadow = self.shadow(pid);
            shadow.taken.clear();
            shadow.handed = None;
            shadow.returned.clear();
            let carrying = origin.filter(|origin| origin.carries);
            shadow.taken.extend(carrying.map(|origin| Taken { from: origin.from }));
            return;
        }
        let Some(origin) = origin else { return };
        if !place.own {
            let is_answer = origin.carries && !origin.is_signal && self.calls(place.site, ANSWERS);
            if is_answer && let Some(to) = self.vertex(place.site) {
                self.happened.insert(Happened::Message(origin.from, to, None));
            }
            return;
        }
        if let Some((to, label)) = self.receive_clause(place.site) {
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
    fn hand_over(&mut self, pid: Pid, function: FunctionId) {
        let shadow = self.shadow(pid);
        let taken = std::mem::take(&mut shadow.taken);
        if taken.is_empty() {
            return;
        }
        let frame = self.flow.graph.frame(function);
        if frame.branch.is_some() && self.marks_are_on() {
            self.shadow(pid).handed = Some((function, taken));
            return;
        }
        for Taken { from } in taken {
            self.happened.insert(Happened::Message(from, frame.import, None));
        }
    }

    fn marks_are_on(&self) -> bool {
        !self.marks.covered.said.is_empty()
    }

    /// A clause was chosen; it may be that of a callback that gets a message.
    fn chosen(&mut self, pid: Pid, clause: Site) {
        let Some((function, _)) = &self.shadow(pid).handed else { return };
        let function = *function;
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
        if let Some((_, taken)) = self.shadow(pid).handed.take() {
            for Taken { from } in taken {
                let label = Label::Clause(position as u32 + 1);
                self.happened.insert(Happened::Message(from, import, Some(label)));
            }
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

/// Where somebody acts.
#[derive(Clone, Copy, Debug)]
struct Acting {
    site: Site,
    /// The place itself is of the program.
    own: bool,
    /// Library code that began the process.
    started: bool,
}
