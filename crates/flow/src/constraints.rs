//! What code becomes: bodies with the variables of their nodes, calls, processes, sends, receives,
//! handlers; and what their watches refer to.
//!
//! [`crate::generate`] fills these tables when code is first reached, [`crate::linking`] when a
//! call is found to reach something; nothing is taken out again. The inclusions and watches
//! themselves lie with the variables that they start from ([`crate::solution`]).
//!
//! Code has *instances*: a function of the program has one (0-CFA) in the context [`FOR_ALL`], a
//! function of a model, a small function that calls what it is given and a callback have one for
//! each [`Context`](ContextId), see [`crate::contexts`] and [`crate::callbacks`]. A *body* is a
//! function or fun in an instance.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::NodeId;

use crate::callbacks::Callbacks;
use crate::def_use::Structures;
use crate::everything::Hubs;
use crate::ids::IdVec;
use crate::sources::{FunctionId, ModuleId, Site};
use crate::values::{NOWHERE, RefId, VarId};
use crate::watches::Accesses;

crate::ids! {
    /// A [`Body`].
    pub(crate) BodyId;
    /// An [`Instance`].
    pub(crate) InstanceId;
    /// What the instances of code are told apart by: a place of the program that calls.
    pub(crate) ContextId;
    /// A [`CallSite`].
    pub(crate) CallId;
    /// A [`Handler`].
    pub(crate) HandlerId;
    /// A [`Send`].
    pub(crate) SendId;
    /// A [`Receive`].
    pub(crate) ReceiveId;
    /// A process, by the place that starts it: a position in [`crate::Flow::processes`].
    pub ProcessId;
}

/// The context of code that is the same for all that call it.
pub(crate) const FOR_ALL: ContextId = ContextId::new(0);
/// The process that enters the program.
pub(crate) const ENTERING: ProcessId = ProcessId::new(0);

/// The classes of exceptions, as positions in arrays.
pub(crate) const THROW: usize = 0;
pub(crate) const ERROR: usize = 1;
pub(crate) const EXIT: usize = 2;
pub(crate) type PerClass = [VarId; 3];

/// All that was generated.
#[derive(Debug)]
pub(crate) struct Constraints {
    pub(crate) bodies: IdVec<BodyId, Body>,
    body_ids: FxHashMap<(FunctionId, InstanceId), BodyId>,
    instances: IdVec<InstanceId, Instance>,
    instance_ids: FxHashMap<(FunctionId, ContextId), InstanceId>,
    /// The places of the program for whose sake code was instantiated; [`FOR_ALL`] has none.
    contexts: IdVec<ContextId, Option<Site>>,
    context_ids: FxHashMap<(Site, ContextId), ContextId>,
    pub(crate) calls: IdVec<CallId, CallSite>,
    /// Calls with lists of arguments, by the call and the length of the list.
    calls_by_length: FxHashMap<(CallId, Option<u32>), CallId>,
    pub(crate) processes: IdVec<ProcessId, Process>,
    spawn_ids: FxHashMap<Started, ProcessId>,
    pub(crate) sends: IdVec<SendId, Send>,
    pub(crate) receives: IdVec<ReceiveId, Receive>,
    pub(crate) throws: Vec<ThrowSite>,
    pub(crate) handlers: IdVec<HandlerId, Handler>,
    refs: IdVec<RefId, (BodyId, NodeId)>,
    ref_ids: FxHashMap<(BodyId, NodeId), RefId>,
    pub(crate) accesses: Accesses,
    pub(crate) callbacks: Callbacks,
    pub(crate) hubs: Hubs,
    /// What code outside of the program may hold.
    pub(crate) escaped: VarId,
    /// All strings.
    pub(crate) strings: VarId,
    pub(crate) structures: Structures,
    /// Bodies that ask which process runs them, or connect it with others.
    pub(crate) revealing: FxHashSet<BodyId>,
}

/// What tells processes apart: the place of the program that starts them, or the instance of a
/// model that no place of the program calls; and the node of the model.
pub(crate) type Started = (Result<Site, InstanceId>, ModuleId, NodeId);

impl Constraints {
    pub(crate) fn new(escaped: VarId, strings: VarId) -> Constraints {
        Constraints {
            bodies: IdVec::new(),
            body_ids: FxHashMap::default(),
            instances: IdVec::new(),
            instance_ids: FxHashMap::default(),
            contexts: IdVec::from(vec![None]),
            context_ids: FxHashMap::default(),
            calls: IdVec::new(),
            calls_by_length: FxHashMap::default(),
            processes: IdVec::new(),
            spawn_ids: FxHashMap::default(),
            sends: IdVec::new(),
            receives: IdVec::new(),
            throws: Vec::new(),
            handlers: IdVec::new(),
            refs: IdVec::new(),
            ref_ids: FxHashMap::default(),
            accesses: Accesses::default(),
            callbacks: Callbacks::default(),
            hubs: Hubs::default(),
            escaped,
            strings,
            structures: Structures::default(),
            revealing: FxHashSet::default(),
        }
    }

    // ---- Bodies ------------------------------------------------------------------------------

    pub(crate) fn find_body(&self, function: FunctionId, instance: InstanceId) -> Option<BodyId> {
        self.body_ids.get(&(function, instance)).copied()
    }

    pub(crate) fn add_body(&mut self, body: Body) -> BodyId {
        let key = (body.function, body.instance);
        let id = self.bodies.push(body);
        self.body_ids.insert(key, id);
        id
    }

    pub(crate) fn find_instance(
        &self,
        function: FunctionId,
        context: ContextId,
    ) -> Option<InstanceId> {
        self.instance_ids.get(&(function, context)).copied()
    }

    /// An instance of a named function, whose tree has `len` nodes from the number `first`.
    pub(crate) fn add_instance(
        &mut self,
        function: FunctionId,
        context: ContextId,
        (first, len): (u32, usize),
    ) -> InstanceId {
        let id = self.instances.push(Instance { context, first, vars: vec![NOWHERE; len] });
        self.instance_ids.insert((function, context), id);
        id
    }

    /// The variable of a node in an instance, if it has one.
    pub(crate) fn var(&self, instance: InstanceId, node: NodeId) -> Option<VarId> {
        let Instance { first, vars, .. } = &self.instances[instance];
        let var = *vars.get(node.0.checked_sub(*first)? as usize)?;
        (var != NOWHERE).then_some(var)
    }

    /// Makes a variable that of a node in an instance, if the node is one of its function.
    pub(crate) fn set_var(&mut self, instance: InstanceId, node: NodeId, var: VarId) {
        let Instance { first, vars, .. } = &mut self.instances[instance];
        let place = node.0.checked_sub(*first).map(|place| place as usize);
        if let Some(slot) = place.and_then(|place| vars.get_mut(place)) {
            *slot = var;
        }
    }

    /// The context that a body is in.
    pub(crate) fn context_of(&self, body: BodyId) -> ContextId {
        self.instances[self.bodies[body].instance].context
    }

    /// The place of the program for whose sake the code of a context was instantiated.
    pub(crate) fn site_of_context(&self, context: ContextId) -> Option<Site> {
        self.contexts[context]
    }

    /// The context of a place, in code that is itself in a context.
    pub(crate) fn context_at(&mut self, site: Site, inside: ContextId) -> ContextId {
        if let Some(&context) = self.context_ids.get(&(site, inside)) {
            return context;
        }
        let context = self.contexts.push(Some(site));
        self.context_ids.insert((site, inside), context);
        context
    }

    /// One more context for the place of another one.
    pub(crate) fn context_like(&mut self, context: ContextId) -> ContextId {
        self.contexts.push(self.contexts[context])
    }

    // ---- Calls and processes -----------------------------------------------------------------

    /// A call with a list of arguments of some length, or of any, if it has been made.
    pub(crate) fn call_of_length(&self, call: CallId, length: Option<u32>) -> Option<CallId> {
        self.calls_by_length.get(&(call, length)).copied()
    }

    pub(crate) fn add_call_of_length(&mut self, call: CallId, length: Option<u32>, again: CallId) {
        self.calls_by_length.insert((call, length), again);
    }

    /// The process that is started somewhere, if it has been made.
    pub(crate) fn process_started(&self, started: Started) -> Option<ProcessId> {
        self.spawn_ids.get(&started).copied()
    }

    pub(crate) fn add_process_started(&mut self, started: Started, process: ProcessId) {
        self.spawn_ids.insert(started, process);
    }

    // ---- References --------------------------------------------------------------------------

    /// The references that a place makes.
    pub(crate) fn reference_at(&mut self, body: BodyId, node: NodeId) -> RefId {
        let next = self.refs.next_id();
        let reference = *self.ref_ids.entry((body, node)).or_insert(next);
        if reference == next {
            self.refs.push((body, node));
        }
        reference
    }

    /// The body that makes a reference.
    pub(crate) fn maker_of(&self, reference: RefId) -> BodyId {
        self.refs[reference].0
    }
}

/// The code of one function with its own variables.
#[derive(Debug)]
struct Instance {
    /// The call of the program for whose sake it was made.
    context: ContextId,
    /// The lowest node, and the variable of each node from there.
    first: u32,
    vars: Vec<VarId>,
}

/// A function or fun of an instance.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) function: FunctionId,
    pub(crate) instance: InstanceId,
    pub(crate) params: Vec<VarId>,
    pub(crate) result: VarId,
    /// The processes that run it.
    pub(crate) processes: VarId,
    /// The reasons of exceptions that leave it.
    pub(crate) raises: PerClass,
    /// Whether it was reached.
    pub(crate) active: bool,
    /// Of a model: it runs in a process that the model starts, not in its caller's.
    pub(crate) in_started_process: bool,
    /// The calls that lead here.
    pub(crate) callers: Vec<CallId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallKind {
    FirstOrder,
    HigherOrder,
    /// Starts this process.
    Spawn(ProcessId),
    /// What an unknown function may do with the funs it was given.
    Unknown,
}

/// A place that calls.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    /// The body that it is in; none for calls from outside.
    pub(crate) body: Option<BodyId>,
    pub(crate) node: NodeId,
    pub(crate) kind: CallKind,
    pub(crate) args: Vec<VarId>,
    /// Any number of arguments, each of these.
    pub(crate) any_args: VarId,
    /// What is called: a variable of functions, or of module and name.
    pub(crate) callee: VarId,
    pub(crate) module: VarId,
    pub(crate) name: VarId,
    pub(crate) result: VarId,
    pub(crate) handler: Option<HandlerId>,
    pub(crate) raises: PerClass,
    pub(crate) targets: Vec<BodyId>,
    /// Something may be called that is not known.
    pub(crate) unknown: bool,
}

#[derive(Debug)]
pub(crate) struct Process {
    /// The place of the program that starts it; `None` for the process that calls the entries.
    pub(crate) site: Option<Site>,
    /// It goes on when its entries return: its end is not in the graph.
    pub(crate) goes_on: bool,
    /// The bodies that start it.
    pub(crate) bodies: Vec<BodyId>,
    pub(crate) entries: Vec<BodyId>,
    pub(crate) mailbox: VarId,
    pub(crate) exit: VarId,
    pub(crate) traps: bool,
    pub(crate) exit_message: VarId,
    pub(crate) links: Vec<ProcessId>,
    /// The processes that get its exit signal as a message.
    pub(crate) told: Vec<ProcessId>,
}

#[derive(Debug)]
pub(crate) struct Send {
    pub(crate) body: BodyId,
    pub(crate) node: NodeId,
    pub(crate) destination: VarId,
    pub(crate) pids: VarId,
    pub(crate) message: VarId,
}

#[derive(Debug)]
pub(crate) struct Receive {
    pub(crate) body: BodyId,
    pub(crate) node: NodeId,
    pub(crate) input: VarId,
}

#[derive(Debug)]
pub(crate) struct ThrowSite {
    pub(crate) body: BodyId,
    pub(crate) node: NodeId,
    pub(crate) class: usize,
    pub(crate) reason: VarId,
    pub(crate) handler: Option<HandlerId>,
}

/// A `try` or `catch`.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) body: BodyId,
    pub(crate) node: NodeId,
    pub(crate) outer: Option<HandlerId>,
    /// Which classes it lets nothing of through.
    pub(crate) catches_all: [bool; 3],
}
