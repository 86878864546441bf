//! The observer: from what a Machine tells to a [`Run`].
//!
//! A criterion has its value many times in a run. A first run of the program counts how often
//! ([`Watcher::counting`]), a second one under the same schedule is recorded up to the time that
//! was chosen ([`Watcher::recording`]): so nothing that came later can be in the slice.
//!
//! What is known exactly: which activation called which, what was sent where it was received, who
//! wrote last what is read (tables by key, the process dictionary by key, names, `persistent_term`,
//! counters), which exception was caught where. What is not: which of several funs made at the same
//! place a call means, and accesses to what has no footprint (files, the environment, …).

use std::rc::Rc;
use std::sync::Arc;

use flow::ids::IdVec;
use flow::{Flow, ModuleId, Site};
use follow::{ActivationId, Entering, Follower, Frame, How, Role, SameTrees, Sending, Spot, What};
use machine::Pid;
use machine::code_space::CodeSpace;
use machine::footprint::{Access, Class, Kind as Touch, Object, key_hash};
use machine::observe::{self, Event, Interest, Mark, Moment, Observer};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId};
use term::{Ref, Term};

use super::gates::{Gate, Gates, Said};
use super::record::{Act, Activation, Run, Sent, Waiting, chosen, marked};

/// Watches a run for a slice of one value in it.
pub struct Watcher(follow::Watcher<Seen>);

pub(super) struct Seen {
    criterion: Site,
    moment: Said,
    /// Recorded up to this time that the criterion has a value; 0 for only counting.
    until: u64,
    flow: Rc<Flow>,
    gates: IdVec<ModuleId, Gates>,
    run: Run,
    /// How often the criterion had a value.
    hits: u64,
    /// Who wrote what of the shared state last, by class and owner.
    writers: FxHashMap<(Class, u64), Vec<Writer>>,
    trees: SameTrees,
}

/// Part, activation and place of a write.
type Writer = (u64, Act, NodeId);

type Shadow = follow::Shadow<Seen>;

/// What is known of a process.
#[derive(Default)]
pub(super) struct OfProcess {
    /// The activation that it began with.
    began_with: Option<Act>,
    /// Callbacks that returned to code that began the process since it took a message.
    returned: Vec<Act>,
    /// The `receive` of the program that it came to and has not left.
    waits_at: Option<(Act, NodeId)>,
    /// Somebody would notice its end.
    is_watched: bool,
}

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
        Watcher(follow::Watcher::new(Seen {
            criterion,
            moment,
            until,
            flow: Rc::clone(flow),
            gates,
            run: Run::default(),
            hits: 0,
            writers: FxHashMap::default(),
            trees: SameTrees::new(Rc::clone(flow)),
        }))
    }

    /// How often the criterion had a value so far.
    pub fn hits(&self) -> u64 {
        self.0.look(|seen| seen.hits)
    }

    /// What was recorded; `None` if the criterion did not come to its time.
    pub fn run(&self) -> Option<Run> {
        self.0.change(|seen| {
            let mut run = std::mem::take(&mut seen.run);
            run.other_trees = seen.trees.others().collect();
            for activation in &mut run.activations {
                activation.marks.sort_unstable();
                activation.marks.dedup();
            }
            run.at.is_some().then_some(run)
        })
    }
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        self.0.interest()
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        self.0.event(moment, event);
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        self.0.mark(moment, mark);
    }
}

impl Follower for Seen {
    type Place = Site;
    type Activation = ();
    type Process = OfProcess;
    type Sent = Vec<Sent>;

    fn interest(&self) -> Interest {
        match self.until {
            0 => Interest::NODES,
            _ => follow::INTEREST.and(Interest::NODES),
        }
    }

    fn is_over(&self) -> bool {
        self.until > 0 && self.hits >= self.until
    }

    fn place(&mut self, code: &CodeSpace, site: observe::Site) -> Option<Site> {
        self.trees.place(code, site)
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow,
        _moment: &Moment<'_>,
        call: &Entering<'_, Site>,
    ) -> Option<()> {
        let act = self.activate(shadow, call)?;
        if let How::Begin | How::Wake = call.how {
            let process = &mut shadow.stack(call.pid).data;
            process.began_with = process.began_with.or(Some(act));
        }
        Some(())
    }

    fn sent(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        sending: &Sending<'_, Site>,
    ) -> Option<Vec<Sent>> {
        match *sending {
            Sending::Message { from, to, by, .. } => {
                let Some(place) = acting(by) else { return Some(vec![Sent::Somewhere]) };
                self.names_of(moment, place, to);
                Some(sent_from(shadow, from, place))
            }
            Sending::Timer { by, .. } => Some(sent_from(shadow, moment.pid()?, acting(by)?)),
            Sending::Signal { of, to, by, .. } => {
                self.run.disturbed.insert(to);
                let stack = shadow.stack(of);
                // Who enters the program is called by others.
                let began_with = stack.data.began_with.or_else(|| self.entered_with(of));
                let spawned_at = stack.spawned_at.and_then(spot).map(at);
                let by = acting(by).map(|place| at(place.spot));
                let sent = began_with.map(Sent::End).into_iter().chain(spawned_at).chain(by);
                Some(sent.collect::<Vec<_>>()).filter(|sent| !sent.is_empty())
            }
        }
    }

    fn happens(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, what: What<'_, Seen>) {
        match what {
            What::Builtin { number, callee, args, by } => {
                if let Some(place) = acting(by) {
                    self.builtin(moment, place, number, callee, args);
                }
            }
            What::Return { left, .. } => self.returned(shadow, moment, &left),
            What::Raise { again: false, by, .. } => {
                if let Some(place) = acting(by).filter(|place| place.role != Role::Began) {
                    let (act, site) = place.spot;
                    self.note_raise(act, site.node);
                }
            }
            What::Catch { handler, left } => self.catch(shadow, moment, handler, &left),
            What::Exit { pid, left, .. } => {
                // Frames that are still there were left by an exception or a signal.
                self.left(shadow.clock(), &left);
                shadow.stack(pid).data.waits_at = None;
            }
            What::Receive { receive, sent, by, .. } => {
                self.receive(shadow, moment, receive, sent, by);
            }
            What::Take { .. } => {
                if let Some(pid) = moment.pid() {
                    let process = &mut shadow.stack(pid).data;
                    process.returned.clear();
                    process.waits_at = None;
                }
            }
            What::GiveUp { .. } => {
                if let Some(pid) = moment.pid() {
                    shadow.stack(pid).data.waits_at = None;
                }
            }
            What::Other(Event::Link { a, b }) => {
                shadow.stack(*a).data.is_watched = true;
                shadow.stack(*b).data.is_watched = true;
            }
            What::Other(Event::Monitor { target: Some(target), .. }) => {
                shadow.stack(*target).data.is_watched = true;
            }
            What::Other(Event::ExitSignal { to, .. }) => {
                self.run.disturbed.insert(*to);
            }
            _ => {}
        }
    }

    fn mark(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, mark: Mark) {
        let Some(site) = moment.site().and_then(|site| self.place(moment.code, site)) else {
            return;
        };
        let act = match self.until {
            0 => None,
            _ => self.note_mark(shadow, moment, site, mark),
        };
        let is_it = site.module == self.criterion.module
            && match self.moment {
                Said::Reached(node) => mark == Mark::Reached && node == site.node,
                Said::Chosen(node) => mark == Mark::Chosen && node == site.node,
                Said::Matched(node) => mark == Mark::Matched && node == site.node,
            };
        if is_it {
            self.hits += 1;
            if self.until > 0 && self.hits == self.until {
                self.run.at = act;
                self.run.waiting = waiting(shadow);
                self.looks_at_message(shadow, moment.pid());
            }
        }
    }
}

/// Where somebody acts.
#[derive(Clone, Copy)]
struct Acting {
    spot: (Act, Site),
    role: Role,
}

/// Where somebody acts whose activation is known.
fn acting(by: Option<follow::Acting<Site>>) -> Option<Acting> {
    let follow::Acting { spot: at, role } = by?;
    Some(Acting { spot: spot(at)?, role })
}

fn spot(spot: Spot<Site>) -> Option<(Act, Site)> {
    Some((act(spot.activation?), spot.place))
}

/// Activations are recorded in the order of their numbers.
fn act(id: ActivationId) -> Act {
    id.0 as Act
}

fn at((act, site): (Act, Site)) -> Sent {
    Sent::At(act, site.node)
}

/// Who waits, and would be missed.
fn waiting(shadow: &Shadow) -> Vec<Waiting> {
    let waits = |process: &OfProcess| {
        let (act, receive) = process.waits_at.filter(|_| process.is_watched)?;
        Some(Waiting { began_with: process.began_with?, act, receive })
    };
    let stacks = shadow.stacks();
    let mut waiting: Vec<Waiting> = stacks.filter_map(|(_, stack)| waits(&stack.data)).collect();
    waiting.sort_unstable();
    waiting
}

fn sent_from(shadow: &mut Shadow, pid: Pid, place: Acting) -> Vec<Sent> {
    if place.role != Role::Began {
        return vec![at(place.spot)];
    }
    match &shadow.stack(pid).data.returned[..] {
        [] => vec![at(place.spot), Sent::Somewhere],
        callbacks => callbacks.iter().copied().map(Sent::End).collect(),
    }
}

impl Seen {
    fn kind(&self, site: Site) -> Kind {
        self.flow.modules[site.module].tree.kind(site.node)
    }

    /// The criterion is in the head of a clause of a `receive` that has not taken its message yet:
    /// which one it looks at is not known.
    fn looks_at_message(&mut self, shadow: &mut Shadow, pid: Option<Pid>) {
        let waits_at = pid.and_then(|pid| shadow.stack(pid).data.waits_at);
        if let Some(place) = waits_at.filter(|(act, _)| self.run.at == Some(*act)) {
            self.run.received.entry(place).or_default().push(Sent::Somewhere);
        }
    }

    fn note_mark(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        site: Site,
        mark: Mark,
    ) -> Option<Act> {
        let stack = shadow.stack(moment.pid()?);
        let act = act(stack.running()?.id);
        if mark == Mark::Reached && matches!(self.kind(site), Kind::Receive { .. }) {
            stack.data.waits_at = Some((act, site.node));
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

    // ---- Calls -------------------------------------------------------------------------------

    /// A new activation of a function, or an element of a comprehension.
    fn activate(&mut self, shadow: &mut Shadow, call: &Entering<'_, Site>) -> Option<Act> {
        let target = call.target;
        let function = self.gates[target.module].around.owner(target.node)?;
        let is_whole = matches!(self.kind(target), Kind::Function { .. } | Kind::Fun { .. });
        let place = acting(call.by);
        let inside = match (is_whole, place) {
            (false, Some(place)) => self.inside(target, place.spot.0),
            _ => None,
        };
        let taken = match place {
            Some(place) if place.role == Role::Began => shadow.stack(call.pid).taken.take(),
            _ => None,
        };
        let caller = place.filter(|_| inside.is_none());
        self.run.activations.push(Activation {
            function,
            pid: call.pid,
            caller: caller.map(|place| (place.spot.0, place.spot.1.node)),
            from_outside: place.is_none_or(|place| place.role != Role::Own),
            is_tail: call.how == How::Tail,
            inside,
            begun: shadow.clock(),
            ended: None,
            left: false,
            handed: taken.and_then(|taken| taken.sent).unwrap_or_default(),
            marks: Vec::new(),
        });
        Some(act(call.id))
    }

    /// The generator of an element, and the activation around it. Elements of one generator follow
    /// each other by calls, and the end of an inner one calls the next element of the outer one;
    /// they are not inside each other.
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

    fn returned(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, left: &Frame<Seen>) {
        let Some(pid) = moment.pid() else { return };
        let clock = shadow.clock();
        let stack = shadow.stack(pid);
        match &left.active {
            Some(active) => {
                for id in [active.id, active.first] {
                    self.run.activations[act(id) as usize].ended = Some(clock);
                }
                let first = act(active.first);
                let is_callback = stack.top().is_some_and(Frame::began);
                if is_callback && !stack.data.returned.contains(&first) {
                    stack.data.returned.push(first);
                }
            }
            None => {
                // A call of code outside is over.
                let for_whom = left.outside.and_then(|outside| outside.for_whom);
                let caller = stack.running().map(|active| active.id);
                if let Some(at) = for_whom.filter(|at| at.activation == caller)
                    && let Some((act, site)) = spot(at)
                {
                    self.run.returned.insert((act, site.node), clock);
                }
            }
        }
    }

    // ---- What is shared ----------------------------------------------------------------------

    fn builtin(
        &mut self,
        moment: &Moment<'_>,
        place: Acting,
        number: u32,
        callee: &observe::Callee,
        args: &[Term],
    ) {
        let (module, name) = (callee.mfa.module.as_str(), callee.mfa.name.as_str());
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

    /// An exception comes up at a place: the innermost expression around it that may fail fails,
    /// and those that it is a part of. (Which of them an instruction was made for is not always the
    /// one that fails.)
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

    fn catch(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        handler: Option<Site>,
        left: &[Frame<Seen>],
    ) {
        self.left(shadow.clock(), left);
        let running = moment.pid().and_then(|pid| shadow.stack(pid).running());
        if let (Some(site), Some(active)) = (handler, running) {
            self.run.caught.insert((act(active.id), site.node));
        }
    }

    /// An exception left these frames.
    fn left(&mut self, clock: u64, frames: &[Frame<Seen>]) {
        for frame in frames {
            let Some(active) = &frame.active else { continue };
            let replaced = frame.outside.and_then(|outside| outside.for_whom).and_then(spot);
            if let Some((act, site)) = replaced {
                self.note_raise(act, site.node);
            }
            let first = act(active.first);
            let mut next = Some(act(active.id));
            while let Some(act) = next {
                let activation = &mut self.run.activations[act as usize];
                activation.left = true;
                activation.ended = Some(clock);
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
                        Some(outer).filter(|&outer| first <= outer)
                    }
                    None => caller.filter(|_| is_tail).map(|(caller, _)| caller),
                };
            }
        }
    }

    // ---- Messages ----------------------------------------------------------------------------

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
        let names = moment.names_of(to);
        let objects: Vec<Object> = names.map(|name| Object::named(Class::Name, name)).collect();
        for object in objects {
            self.access(moment, place, Access { object, kind: Touch::Read });
        }
    }

    fn receive(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        receive: u32,
        sent: Option<Vec<Sent>>,
        by: Option<follow::Acting<Site>>,
    ) {
        let Some(pid) = moment.pid() else { return };
        shadow.stack(pid).data.waits_at = None;
        let Some(place) = acting(by) else { return };
        let node = match place.role {
            Role::Own => moment.code.site(receive).map(|site| site.node),
            _ => Some(place.spot.1.node),
        };
        if let Some(node) = node {
            let received = self.run.received.entry((place.spot.0, node)).or_default();
            received.extend(sent.unwrap_or_default());
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
    let table = owner.checked_sub(1).and_then(|id| moment.table(Ref(id)));
    table.is_some_and(|table| matches!(table.settings.kind, TableKind::Set | TableKind::OrderedSet))
}
