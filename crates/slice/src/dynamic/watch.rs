//! The observer: from what a Machine tells to a [`Run`].
//!
//! A criterion has its value many times in a run. A first run of the program counts how often
//! ([`Watcher::counting`]), a second one under the same schedule is recorded up to the time that was chosen
//! ([`Watcher::recording`]): so nothing that came later can be in the slice.
//!
//! What is known exactly: which activation called which, what was sent where it was received, who wrote last what is
//! read (tables by key, the process dictionary by key, names, `persistent_term`, counters), which exception
//! was caught where. What is not: which of several funs made at the same place a call means, and accesses to what
//! has no footprint (files, the environment, …).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use flow::ids::IdVec;
use flow::same_trees::SameTrees;
use flow::{Flow, ModuleId, Site};
use machine::Pid;
use machine::code_space::{CodeSpace, Target};
use machine::footprint::{Access, Class, Kind as Touch, Object, key_hash};
use machine::observe::{self, Event, Interest, Mark, MessageId, Moment, Observer, Sender};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId};
use term::{Ref, Term};

use super::gates::{Gate, Gates, Said};
use super::record::{Act, Activation, Run, Sent, Waiting, chosen, marked};
use super::shadow::{Frame, Shadow, Spot};

/// Watches a run for a slice of one value in it.
pub struct Watcher {
    criterion: Site,
    moment: Said,
    /// Recorded up to this time that the criterion has a value; 0 for only counting.
    until: u64,
    seen: RefCell<Seen>,
}

struct Seen {
    flow: Rc<Flow>,
    gates: IdVec<ModuleId, Gates>,
    run: Run,
    /// How often the criterion had a value.
    hits: u64,
    clock: u64,
    shadows: FxHashMap<Pid, Shadow>,
    messages: FxHashMap<MessageId, Vec<Sent>>,
    timers: FxHashMap<Ref, Vec<Sent>>,
    fired: Option<Ref>,
    /// Who wrote what of the shared state last, by class and owner.
    writers: FxHashMap<(Class, u64), Vec<Writer>>,
    /// Of each module of a code space, the tree and the module of the graph that it is.
    trees: SameTrees,
}

/// Part, activation and place of a write.
type Writer = (u64, Act, NodeId);

impl Watcher {
    /// Only counts how often the criterion has a value.
    pub fn counting(flow: &Rc<Flow>, criterion: Site) -> Watcher {
        Watcher::recording(flow, criterion, 0)
    }

    /// Records up to the `until`-th time (from 1) that the criterion has a value.
    pub fn recording(flow: &Rc<Flow>, criterion: Site, until: u64) -> Watcher {
        let gates: IdVec<ModuleId, Gates> =
            flow.modules.ids().map(|module| Gates::of(flow, module)).collect();
        let tree = &flow.modules[criterion.module].tree;
        let moment = gates[criterion.module].moment(tree, criterion.node);
        let seen = Seen {
            flow: Rc::clone(flow),
            gates,
            run: Run::default(),
            hits: 0,
            clock: 0,
            shadows: FxHashMap::default(),
            messages: FxHashMap::default(),
            timers: FxHashMap::default(),
            fired: None,
            writers: FxHashMap::default(),
            trees: SameTrees::default(),
        };
        Watcher { criterion, moment, until, seen: RefCell::new(seen) }
    }

    /// How often the criterion had a value so far.
    pub fn hits(&self) -> u64 {
        self.seen.borrow().hits
    }

    /// What was recorded; `None` if the criterion did not come to its time.
    pub fn run(&self) -> Option<Run> {
        let mut seen = self.seen.borrow_mut();
        let mut run = std::mem::take(&mut seen.run);
        run.other_trees = seen.trees.others.iter().copied().collect();
        for activation in &mut run.activations {
            activation.marks.sort_unstable();
            activation.marks.dedup();
        }
        run.at.is_some().then_some(run)
    }

    /// Whether there is nothing more to see.
    fn is_over(&self, seen: &Seen) -> bool {
        self.until > 0 && seen.hits >= self.until
    }
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        if self.until == 0 {
            return Interest::NODES;
        }
        Interest::CALLS
            .and(Interest::EXCEPTIONS)
            .and(Interest::PROCESSES)
            .and(Interest::MESSAGES)
            .and(Interest::TIMERS)
            .and(Interest::NODES)
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        let mut seen = self.seen.borrow_mut();
        if !self.is_over(&seen) {
            seen.clock += 1;
            seen.event(moment, event);
        }
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        let mut seen = self.seen.borrow_mut();
        if self.is_over(&seen) {
            return;
        }
        let Some(site) = moment.site().and_then(|site| seen.own(moment.code, site)) else { return };
        let act = match self.until {
            0 => None,
            _ => seen.mark(moment, site, mark),
        };
        let is_it = site.module == self.criterion.module
            && match self.moment {
                Said::Reached(node) => mark == Mark::Reached && node == site.node,
                Said::Chosen(node) => mark == Mark::Chosen && node == site.node,
                Said::Matched(node) => mark == Mark::Matched && node == site.node,
            };
        if is_it {
            seen.hits += 1;
            if self.until > 0 && seen.hits == self.until {
                seen.run.at = act;
                seen.run.waiting = seen.waiting();
                seen.looks_at_message(moment.pid());
            }
        }
    }
}

/// Where somebody acts.
#[derive(Clone, Copy)]
struct Acting {
    spot: Spot,
    /// The place itself is of the program.
    own: bool,
    /// Code that is not of the program, and began the process.
    started: bool,
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

    fn shadow(&mut self, pid: Pid) -> &mut Shadow {
        self.shadows.entry(pid).or_default()
    }

    fn kind(&self, site: Site) -> Kind {
        self.flow.modules[site.module].tree.kind(site.node)
    }

    /// The place of the program where, or for whom, a process acts.
    fn place(&mut self, moment: &Moment<'_>) -> Option<Acting> {
        let pid = moment.pid()?;
        let depth = moment.depth();
        let own = moment.site().and_then(|site| self.own(moment.code, site));
        let frame = self.shadow(pid).top(depth);
        match (own, frame.act) {
            (Some(site), Some(act)) => {
                Some(Acting { spot: (act, site), own: true, started: false })
            }
            (Some(_), None) => None,
            (None, _) => {
                let started = frame.started;
                frame.origin.map(|spot| Acting { spot, own: false, started })
            }
        }
    }

    /// Who waits, and would be missed.
    fn waiting(&self) -> Vec<Waiting> {
        let waits = |shadow: &Shadow| {
            let (act, receive) = shadow.waits_at.filter(|_| shadow.is_watched)?;
            Some(Waiting { began_with: shadow.began_with?, act, receive })
        };
        let mut waiting: Vec<Waiting> = self.shadows.values().filter_map(waits).collect();
        waiting.sort_unstable();
        waiting
    }

    /// The criterion is in the head of a clause of a `receive` that has not taken its message yet: which one it
    /// looks at is not known.
    fn looks_at_message(&mut self, pid: Option<Pid>) {
        let waits_at = pid.and_then(|pid| self.shadow(pid).waits_at);
        if let Some(place) = waits_at.filter(|(act, _)| self.run.at == Some(*act)) {
            self.run.received.entry(place).or_default().push(Sent::Somewhere);
        }
    }

    fn mark(&mut self, moment: &Moment<'_>, site: Site, mark: Mark) -> Option<Act> {
        let pid = moment.pid()?;
        let depth = moment.depth();
        let act = self.shadow(pid).top(depth).act?;
        if mark == Mark::Reached && matches!(self.kind(site), Kind::Receive { .. }) {
            self.shadow(pid).waits_at = Some((act, site.node));
        }
        let marks = &mut self.run.activations[act as usize].marks;
        if mark == Mark::Chosen {
            marks.push(chosen(site.node));
        }
        if let Gate::Marked(node) = self.gates[site.module].gate(site.node) {
            let mark = marked(node);
            if marks.last() != Some(&mark) {
                marks.push(mark);
            }
        }
        Some(act)
    }

    fn event(&mut self, moment: &Moment<'_>, event: &Event<'_>) {
        match event {
            Event::Call { callee, args, tail } => self.call(moment, callee, args, *tail),
            Event::Return { .. } => self.returned(moment),
            Event::Raise { again, .. } => self.raise(moment, *again),
            Event::Catch { at } => self.catch(moment, *at),
            Event::Spawn { child, .. } => {
                let place = self.place(moment);
                let spawned_at = place.map(|place| place.spot);
                self.shadow(*child).spawned_at = spawned_at;
            }
            Event::Exit { pid, .. } => {
                let left = self.shadow(*pid).unwind(None);
                if moment.process.is_some_and(|process| process.pid == *pid) {
                    // Frames that are still there were left by an exception or a signal.
                    self.left(&left);
                }
                let shadow = self.shadow(*pid);
                shadow.taken.clear();
                shadow.waits_at = None;
            }
            Event::Send { id, sender, to, .. } => self.send(moment, *id, *sender, *to),
            Event::Receive { id, receive, .. } => self.receive(moment, *id, *receive),
            Event::GiveUp => {
                if let Some(pid) = moment.pid() {
                    self.shadow(pid).waits_at = None;
                }
            }
            Event::Link { a, b } => {
                self.shadow(*a).is_watched = true;
                self.shadow(*b).is_watched = true;
            }
            Event::Monitor { target: Some(target), .. } => self.shadow(*target).is_watched = true,
            Event::Flush { id } => {
                self.messages.remove(id);
            }
            Event::ExitSignal { to, .. } => {
                self.run.disturbed.insert(*to);
            }
            Event::TimerSet { reference, .. } => {
                if let (Some(place), Some(pid)) = (self.place(moment), moment.pid()) {
                    let sent = self.sent_from(pid, place);
                    self.timers.insert(*reference, sent);
                }
            }
            Event::TimerFired { reference } => self.fired = Some(*reference),
            _ => {}
        }
    }

    // ---- Calls -------------------------------------------------------------------------------

    fn call(&mut self, moment: &Moment<'_>, callee: &observe::Callee, args: &[Term], tail: bool) {
        let Some(pid) = moment.pid() else { return };
        let depth = moment.depth();
        let begins = moment.site().is_none();
        if let Target::Builtin(number) = callee.target {
            if !begins {
                self.builtin(moment, number, callee, args);
            }
            self.shadow(pid).builtin.get_or_insert(tail);
            return;
        }
        let target = moment.function_node(callee).and_then(|site| self.own(moment.code, site));
        if begins {
            return self.begin(pid, depth, target);
        }
        let place = self.place(moment);
        let frame = match target {
            Some(target) => {
                let act = self.activate(pid, target, place, tail);
                Frame { act, first: act, ..Frame::default() }
            }
            None => {
                let is_own = place.is_some_and(|place| place.own);
                Frame {
                    origin: place.map(|place| place.spot),
                    started: place.is_some_and(|place| place.started),
                    replaces: tail && (is_own || self.shadow(pid).top(depth).replaces),
                    ..Frame::default()
                }
            }
        };
        self.shadow(pid).call(depth, frame);
    }

    /// A new activation of a function, or an element of a comprehension.
    fn activate(
        &mut self,
        pid: Pid,
        target: Site,
        place: Option<Acting>,
        tail: bool,
    ) -> Option<Act> {
        let function = self.gates[target.module].around.owner(target.node)?;
        let is_whole = matches!(self.kind(target), Kind::Function { .. } | Kind::Fun { .. });
        let inside = match (is_whole, place) {
            (false, Some(place)) => self.inside(target, place.spot.0),
            _ => None,
        };
        let from_outside = place.is_none_or(|place| !place.own);
        let handed = match place {
            Some(place) if place.started => std::mem::take(&mut self.shadow(pid).taken),
            _ => Vec::new(),
        };
        let act = self.run.activations.len() as Act;
        self.run.activations.push(Activation {
            function,
            pid,
            caller: place
                .filter(|_| inside.is_none())
                .map(|place| (place.spot.0, place.spot.1.node)),
            from_outside,
            is_tail: tail,
            inside,
            begun: self.clock,
            ended: None,
            left: false,
            handed,
            marks: Vec::new(),
        });
        Some(act)
    }

    /// The generator of an element, and the activation around it. Elements of one generator follow each other by
    /// calls, and the end of an inner one calls the next element of the outer one; they are not inside each other.
    fn inside(&self, target: Site, caller: Act) -> Option<(NodeId, Act)> {
        let generator = self.generator(target)?;
        let tree = &self.flow.modules[target.module].tree;
        let mut outer = caller;
        while let Some((other, around)) = self.run.activation(outer).inside {
            let parent = |node: NodeId| self.gates[target.module].around.parent(node);
            // Qualifiers of the same comprehension are in the order of the text.
            let is_before = tree[other].first < tree[generator].first;
            if parent(other) != parent(generator) || is_before {
                break;
            }
            outer = around;
        }
        Some((generator, outer))
    }

    /// The generator that a function was made of.
    fn generator(&self, target: Site) -> Option<NodeId> {
        let tree = &self.flow.modules[target.module].tree;
        let around = &self.gates[target.module].around;
        match tree.kind(target.node) {
            Kind::ZipGenerator { .. } => Some(target.node),
            Kind::Generator { .. } => {
                let outer = around.parent(target.node)?;
                let together = matches!(tree.kind(outer), Kind::ZipGenerator { .. });
                Some(if together { outer } else { target.node })
            }
            _ => None,
        }
    }

    /// A process begins, or wakes up from hibernation.
    fn begin(&mut self, pid: Pid, depth: usize, target: Option<Site>) {
        let shadow = self.shadow(pid);
        let hibernates = shadow.hibernates.take();
        let (spot, started) = match hibernates {
            Some((spot, started)) => (Some(spot), started),
            None => (shadow.spawned_at, shadow.spawned_at.is_some()),
        };
        let place = spot.map(|spot| Acting { spot, own: false, started });
        let frame = match target {
            Some(target) => {
                let act = self.activate(pid, target, place, false);
                let shadow = self.shadow(pid);
                shadow.began_with = shadow.began_with.or(act);
                Frame { act, first: act, ..Frame::default() }
            }
            None => Frame { origin: spot, started, ..Frame::default() },
        };
        self.shadow(pid).call(depth, frame);
    }

    fn returned(&mut self, moment: &Moment<'_>) {
        let Some(pid) = moment.pid() else { return };
        let clock = self.clock;
        let Some(left) = self.shadow(pid).give(moment.depth()) else { return };
        let replaced = left.frame.origin.filter(|_| left.frame.replaces).map(|(act, _)| act);
        for act in left.frame.act.into_iter().chain(left.frame.first).chain(replaced) {
            self.run.activations[act as usize].ended = Some(clock);
        }
        let Some(below) = left.below else { return };
        match (left.frame.first, left.frame.origin, below.act) {
            // A call of code outside is over.
            (None, Some((act, site)), Some(caller)) if act == caller => {
                self.run.returned.insert((act, site.node), clock);
            }
            (Some(first), _, None) if below.started => {
                let returned = &mut self.shadow(pid).returned;
                if !returned.contains(&first) {
                    returned.push(first);
                }
            }
            _ => {}
        }
    }

    // ---- What is shared ----------------------------------------------------------------------

    fn builtin(
        &mut self,
        moment: &Moment<'_>,
        number: u32,
        callee: &observe::Callee,
        args: &[Term],
    ) {
        let Some(place) = self.place(moment) else { return };
        let (module, name) = (callee.mfa.module.as_str(), callee.mfa.name.as_str());
        if name == "hibernate" {
            let Some(pid) = moment.pid() else { return };
            self.shadow(pid).hibernates = Some((place.spot, place.started));
        }
        if module == "erlang" && matches!(name, "put" | "get" | "erase" | "get_keys") {
            return self.dictionary(moment, place, name, args);
        }
        if moment.code.builtins.get(number as usize).is_some_and(|builtin| builtin.is_visible()) {
            for access in moment.footprint(number, args).0 {
                self.access(moment, place, access);
            }
        }
    }

    /// The process dictionary by key.
    fn dictionary(&mut self, moment: &Moment<'_>, place: Acting, name: &str, args: &[Term]) {
        let Some(pid) = moment.pid() else { return };
        // `get_keys` is given a value.
        let part = args.first().filter(|_| name != "get_keys").map_or(0, key_hash);
        let object = Object { class: Class::Dictionary, owner: pid.0 + 1, part };
        self.access(moment, place, Access { object, kind: Touch::Read });
        if matches!(name, "put" | "erase") {
            self.access(moment, place, Access { object, kind: Touch::Assign(0) });
        }
    }

    fn access(&mut self, moment: &Moment<'_>, place: Acting, access: Access) {
        let Object { class, owner, part } = match access.object {
            // Who looks for a pattern looks at all of the table.
            Object { class: Class::Objects, owner, .. } if access.kind == Touch::Read => {
                Object { class: Class::Table, owner, part: 0 }
            }
            object => object,
        };
        if !is_state(class) {
            return;
        }
        let spot = (place.spot.0, place.spot.1.node);
        if !matches!(access.kind, Touch::Assign(_) | Touch::Add) {
            let mut found: Vec<(Act, NodeId)> = Vec::new();
            let owners: Vec<(Class, u64)> = match owner {
                0 => self.writers.keys().filter(|key| key.0 == class).copied().collect(),
                owner => vec![(class, owner), (class, 0)],
            };
            for key in owners {
                let writers = self.writers.get(&key).map_or(&[][..], Vec::as_slice);
                // Part 0 is the whole.
                let same =
                    writers.iter().filter(|(other, ..)| *other == part || *other == 0 || part == 0);
                found.extend(same.map(|&(_, act, node)| (act, node)));
            }
            let read = self.run.read.entry(spot).or_default();
            read.extend(found);
            read.sort_unstable();
            read.dedup();
        }
        if access.kind != Touch::Read {
            let overwrites = part != 0
                && match (class, access.kind) {
                    (Class::Table, Touch::Assign(_)) => has_one_a_key(moment, owner),
                    (_, Touch::Assign(_) | Touch::Write) => true,
                    _ => false,
                };
            let overwrites = overwrites || (class == Class::Name && owner != 0);
            let writers = self.writers.entry((class, owner)).or_default();
            if overwrites {
                writers.retain(|(other, ..)| *other != part);
            }
            if writers.last() != Some(&(part, spot.0, spot.1)) {
                writers.push((part, spot.0, spot.1));
            }
        }
    }

    // ---- Exceptions --------------------------------------------------------------------------

    fn raise(&mut self, moment: &Moment<'_>, again: bool) {
        let Some(pid) = moment.pid() else { return };
        let place = self.place(moment);
        self.shadow(pid).builtin = None;
        if let (false, Some(place)) = (again, place.filter(|place| !place.started)) {
            let (act, site) = place.spot;
            self.note_raise(act, site.node);
        }
    }

    /// An exception comes up at a place: the innermost expression around it that may fail fails, and those that it
    /// is a part of. (Which of them an instruction was made for is not always the one that fails.)
    fn note_raise(&mut self, act: Act, node: NodeId) {
        let module = self.module_of(act);
        let tree = Arc::clone(&self.flow.modules[module].tree);
        let mut here = Some(node);
        let mut found = false;
        while let Some(node) = here {
            let kind = tree.kind(node);
            if may_fail(kind) {
                found = true;
                self.run.raised.insert((act, node));
                self.run.ever_raised.insert(Site { module, node });
            }
            let gates = &self.gates[module];
            let is_outermost = match gates.gate(node) {
                Gate::Marked(root) => root == node,
                _ => true,
            };
            if found && (is_outermost || matches!(kind, Kind::Function { .. } | Kind::Fun { .. })) {
                return;
            }
            here = gates.around.parent(node);
        }
    }

    fn module_of(&self, act: Act) -> ModuleId {
        let function = self.run.activation(act).function;
        self.flow.functions[function].module
    }

    fn catch(&mut self, moment: &Moment<'_>, at: Option<u32>) {
        let Some(pid) = moment.pid() else { return };
        let handler = at.and_then(|pc| moment.code.site(pc));
        let handler = handler.and_then(|site| self.own(moment.code, site));
        let depth = moment.depth();
        let left = self.shadow(pid).unwind(Some(depth));
        self.left(&left);
        if let (Some(site), Some(act)) = (handler, self.shadow(pid).top(depth).act) {
            self.run.caught.insert((act, site.node));
        }
    }

    /// An exception left these frames.
    fn left(&mut self, frames: &[Frame]) {
        for frame in frames {
            let replaced = frame.origin.filter(|_| frame.replaces);
            if let Some((act, site)) = replaced {
                self.note_raise(act, site.node);
            }
            let mut next = frame.act.or(replaced.map(|(act, _)| act));
            while let Some(act) = next {
                let activation = &mut self.run.activations[act as usize];
                activation.left = true;
                activation.ended = Some(self.clock);
                let (caller, is_tail) = (activation.caller, activation.is_tail);
                let inside = activation.inside;
                if let Some((caller, node)) = caller {
                    self.note_raise(caller, node);
                }
                next = match inside {
                    Some((generator, outer)) => {
                        self.note_raise(outer, generator);
                        // What is around it has left, too, if its frame has become that of the
                        // elements: else it began before this frame.
                        frame.first.filter(|&first| first <= outer).map(|_| outer)
                    }
                    None => caller.filter(|_| is_tail).map(|(caller, _)| caller),
                };
            }
        }
    }

    // ---- Messages ----------------------------------------------------------------------------

    fn sent_from(&mut self, pid: Pid, place: Acting) -> Vec<Sent> {
        let at = Sent::At(place.spot.0, place.spot.1.node);
        if !place.started {
            return vec![at];
        }
        match &self.shadow(pid).returned[..] {
            [] => vec![at, Sent::Somewhere],
            callbacks => callbacks.iter().copied().map(Sent::End).collect(),
        }
    }

    fn send(&mut self, moment: &Moment<'_>, id: MessageId, sender: Sender, to: Pid) {
        let mut sent = match sender {
            Sender::Process(pid) => {
                let place = self.place(moment);
                if let Some(place) = place {
                    self.names_of(moment, place, to);
                }
                place.map_or(vec![Sent::Somewhere], |place| self.sent_from(pid, place))
            }
            Sender::Exit(pid) | Sender::Down(pid) => {
                let shadow = self.shadow(pid);
                let (began_with, spawned_at) = (shadow.began_with, shadow.spawned_at);
                // Who enters the program is called by others.
                let began_with = began_with.or_else(|| self.entered_with(pid));
                let spawned_at = spawned_at.map(|(act, site)| Sent::At(act, site.node));
                began_with.map(Sent::End).into_iter().chain(spawned_at).collect()
            }
            Sender::Timer => {
                let fired = self.fired.take();
                fired.and_then(|timer| self.timers.get(&timer).cloned()).unwrap_or_default()
            }
            Sender::Device(_) | Sender::Outside => Vec::new(),
        };
        if matches!(sender, Sender::Exit(_) | Sender::Down(_)) {
            self.run.disturbed.insert(to);
            if let Some(place) = self.place(moment) {
                sent.push(Sent::At(place.spot.0, place.spot.1.node));
            }
        }
        if !sent.is_empty() {
            self.messages.insert(id, sent);
        }
    }

    /// What a process was in last that others than the program called.
    fn entered_with(&self, pid: Pid) -> Option<Act> {
        let is_entry = |activation: &Activation| {
            activation.pid == pid
                && (activation.caller.is_none() || activation.from_outside)
                && activation.inside.is_none()
        };
        self.run.activations.iter().rposition(is_entry).map(|act| act as Act)
    }

    /// A message may have been sent to a name.
    fn names_of(&mut self, moment: &Moment<'_>, place: Acting, to: Pid) {
        let names = moment.state.registry.iter().filter(|(_, pid)| **pid == to);
        let objects: Vec<Object> =
            names.map(|(name, _)| Object::named(Class::Name, *name)).collect();
        for object in objects {
            self.access(moment, place, Access { object, kind: Touch::Read });
        }
    }

    fn receive(&mut self, moment: &Moment<'_>, id: MessageId, receive: u32) {
        let Some(pid) = moment.pid() else { return };
        let sent = self.messages.remove(&id).unwrap_or_default();
        self.shadow(pid).waits_at = None;
        let Some(place) = self.place(moment) else { return };
        if place.started {
            let shadow = self.shadow(pid);
            shadow.returned.clear();
            shadow.taken = sent;
            return;
        }
        let node = match place.own {
            true => moment.code.site(receive).map(|site| site.node),
            false => Some(place.spot.1.node),
        };
        if let Some(node) = node {
            self.run.received.entry((place.spot.0, node)).or_default().extend(sent);
        }
    }
}

/// Expressions that the graph has a node for that they fail.
fn may_fail(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Call { .. }
            | Kind::Match { .. }
            | Kind::MaybeMatch { .. }
            | Kind::BinaryOp { .. }
            | Kind::UnaryOp { .. }
            | Kind::Binary { .. }
            | Kind::Case { .. }
            | Kind::If { .. }
            | Kind::Try { .. }
            | Kind::Catch { .. }
            | Kind::Map { .. }
            | Kind::Record { .. }
            | Kind::RecordAccess { .. }
            | Kind::Generator { .. }
            | Kind::Comprehension { .. }
            | Kind::Receive { .. }
            | Kind::Function { .. }
            | Kind::Fun { .. }
    )
}

/// What [`super::instances`] asks about by place.
fn is_state(class: Class) -> bool {
    matches!(
        class,
        Class::Dictionary
            | Class::Name
            | Class::Table
            | Class::TableName
            | Class::Tables
            | Class::PersistentTerm
            | Class::Counter
            | Class::Relations
    )
}

/// Whether an insert into a table takes the place of what was there under the key.
fn has_one_a_key(moment: &Moment<'_>, owner: u64) -> bool {
    use machine::ets::table::Kind as TableKind;
    let table = owner.checked_sub(1).and_then(|id| moment.state.tables.get(Ref(id)));
    table.is_some_and(|table| matches!(table.settings.kind, TableKind::Set | TableKind::OrderedSet))
}
