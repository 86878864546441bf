//! Callbacks of behaviours, looked at once for each kind of message.
//!
//! One instance of `handle_call` for all requests would answer everybody with everything. So in the
//! models of `gen_server`, `gen_statem` and `gen_event` a message is handed to a function whose
//! name begins with `each_`; that function, what it calls in the model, and the callbacks that this
//! calls have an instance for each abstract message: for each place that sends one, as structures
//! are told apart by the places that make them. Who asks, and what is answered, stay together. What
//! waits for the next message (a function with a `receive`) belongs to the process as a whole
//! again, with the state that came out.
//!
//! In such instances clauses *sleep* until what they look at can match them, and no clause before
//! is sure to take all of it. Sleeping clauses are asked again whenever nothing else is left to do;
//! none goes back to sleep, so at the end those that sleep are those that are never chosen. A
//! clause that sleeps in all instances is woken when everything else is known: what nobody in the
//! program asks for may be asked for from outside ([`Analysis::take_from_outside`]).
//!
//! The instance of the process itself takes what is not told apart: messages that are not known,
//! and those beyond [`MOST`]. Callbacks of [`LARGEST`] nodes and more have fewer instances. Calls
//! of behaviours inside of callbacks are looked at once for all instances; else two servers that
//! ask each other would have ever more.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId, NodeList};

use crate::analysis::Analysis;
use crate::constraints::{Body, BodyId, CallId, CallSite, ContextId, FOR_ALL, HandlerId, PerClass};
use crate::generate::Generator;
use crate::ids::IdVec;
use crate::matching::{Place, Verdict};
use crate::sources::{FunctionId, ModuleId};
use crate::values::{NOWHERE, Value, ValueId, VarId};
use crate::watches::Watch;

/// So many messages of one process are told apart.
const MOST: u32 = 48;
/// The instances of one callback have so many nodes together, but for the first.
const LARGEST: usize = 6_000;

/// Library modules with models that hand messages to callbacks.
const BEHAVIOURS: [&str; 3] = ["gen_event", "gen_server", "gen_statem"];

crate::ids! {
    /// A call that is made once for each message.
    pub(crate) EachId;
}

/// Clauses of which some were not chosen yet.
#[derive(Clone, Debug)]
struct Sleeping {
    body: BodyId,
    handler: Option<HandlerId>,
    raises: PerClass,
    clauses: NodeList,
    awake: Vec<bool>,
    /// What the patterns of a clause look at.
    subjects: Vec<VarId>,
    result: VarId,
}

/// A call that is made once for each message.
#[derive(Clone, Copy, Debug)]
struct EachCall {
    call: CallId,
    function: FunctionId,
    context: ContextId,
    /// Messages that are not told apart.
    rest: VarId,
    count: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Callbacks {
    each: IdVec<EachId, EachCall>,
    /// By the body that makes the call.
    each_of: FxHashMap<BodyId, EachId>,
    /// The context of a message in that of a process.
    contexts: FxHashMap<(ContextId, ValueId), ContextId>,
    /// The context of the process, of that of a message.
    outer: FxHashMap<ContextId, ContextId>,
    /// The contexts that callbacks have instances in.
    used: FxHashSet<ContextId>,
    /// Nodes in the instances of a callback.
    sizes: FxHashMap<FunctionId, usize>,
    bodies: FxHashSet<BodyId>,
    sleeping: Vec<Sleeping>,
    /// Clauses of the program that were woken in some instance, by module.
    woken: FxHashSet<(ModuleId, NodeId)>,
}

impl Analysis<'_> {
    // ---- Messages ----------------------------------------------------------------------------

    /// Whether a function of a model is called once for each message.
    pub(crate) fn is_for_each_message(&self, function: FunctionId) -> bool {
        self.sources.function(function).name.as_str().starts_with("each_")
            && self.sources.is_model(function)
    }

    /// A call of such a function: its last argument are the messages.
    pub(crate) fn call_for_each(&mut self, call: CallId, function: FunctionId) {
        // Only models call such functions.
        let Some(body) = self.constraints.calls[call].body else { return };
        let context = self.constraints.context_of(body);
        let rest = self.fresh();
        let each = EachCall { call, function, context, rest, count: 0 };
        let number = self.constraints.callbacks.each.push(each);
        self.constraints.callbacks.each_of.insert(body, number);
        self.link_each(call, function, rest, context);
        let messages = self.constraints.calls[call].args.last().copied().unwrap_or(NOWHERE);
        self.watch(messages, Watch::Each(number));
    }

    fn link_each(
        &mut self,
        call: CallId,
        function: FunctionId,
        message: VarId,
        context: ContextId,
    ) {
        let mut site = CallSite { targets: Vec::new(), ..self.constraints.calls[call].clone() };
        if let Some(last) = site.args.last_mut() {
            *last = message;
        }
        let again = self.new_call(site);
        let body = self.named_body(function, context);
        self.link(again, body);
    }

    /// A message arrives.
    pub(crate) fn fire_each(&mut self, number: EachId, value: ValueId) {
        let EachCall { call, function, context, rest, count } =
            self.constraints.callbacks.each[number];
        let is_known = !matches!(self.value(value), Value::Unknown | Value::Everything);
        if !is_known || count >= MOST {
            return self.insert(rest, value);
        }
        if self.constraints.callbacks.contexts.contains_key(&(context, value)) {
            return;
        }
        self.constraints.callbacks.each[number].count += 1;
        let own = self.constraints.context_like(context);
        self.constraints.callbacks.contexts.insert((context, value), own);
        self.constraints.callbacks.outer.insert(own, context);
        let message = self.constant(value);
        self.link_each(call, function, message, own);
    }

    /// The bodies that handle a message which a body receives; nothing if it is not one that hands
    /// each message on.
    pub(crate) fn handling(&self, receiver: BodyId, message: ValueId) -> Option<Vec<BodyId>> {
        let number = *self.constraints.callbacks.each_of.get(&receiver)?;
        let EachCall { function, context, rest, .. } = self.constraints.callbacks.each[number];
        let mut forms = vec![message];
        if let Value::Tuple(object) | Value::Cons(object) | Value::Map(object) = self.value(message)
        {
            forms.extend(self.solution.values.objects[object].summaries.into_iter().flatten());
        }
        let mut contexts: Vec<ContextId> = Vec::new();
        for form in forms {
            contexts.extend(self.constraints.callbacks.contexts.get(&(context, form)));
            let among_rest = self.solution.vars[rest].is_everything
                || self.solution.vars[rest].contains(form)
                || matches!(self.value(form), Value::Unknown | Value::Everything);
            if among_rest {
                contexts.push(context);
            }
        }
        contexts.sort_unstable();
        contexts.dedup();
        let bodies = contexts.into_iter().filter_map(|context| {
            let instance = self.constraints.find_instance(function, context)?;
            self.constraints.find_body(function, instance)
        });
        Some(bodies.collect())
    }

    // ---- Contexts ----------------------------------------------------------------------------

    fn is_behaviour(&self, function: FunctionId) -> bool {
        let module = self.sources.function(function).module;
        BEHAVIOURS.contains(&self.sources.source(module).name.as_str())
    }

    /// The context of a model's function that another one calls.
    pub(crate) fn context_inside(&self, context: ContextId, target: FunctionId) -> ContextId {
        let Some(&outer) = self.constraints.callbacks.outer.get(&context) else { return context };
        let data = self.sources.function(target);
        let tree = &self.sources.source(data.module).tree;
        let mut waits = false;
        tree.for_each_below(data.node, |node| {
            waits |= matches!(tree.kind(node), Kind::Receive { .. });
        });
        if waits { outer } else { context }
    }

    /// What a call of a model's function in an instance of a callback is told apart by.
    pub(crate) fn context_around(&self, context: ContextId, target: FunctionId) -> ContextId {
        if self.constraints.callbacks.used.contains(&context) && self.is_behaviour(target) {
            FOR_ALL
        } else {
            context
        }
    }

    /// The instance of a callback that a model calls in a process which it started.
    pub(crate) fn callback_body(&mut self, call: CallId, function: FunctionId) -> Option<BodyId> {
        let body = self.constraints.calls[call].body?;
        if !self.is_in_started_process(body)
            || !self.is_behaviour(self.constraints.bodies[body].function)
        {
            return None;
        }
        let mut context = self.constraints.context_of(body);
        if context == FOR_ALL {
            return None;
        }
        if self.constraints.find_instance(function, context).is_none() {
            let size = self.node_range(function).1;
            let used = self.constraints.callbacks.sizes.entry(function).or_default();
            if *used > 0 && *used + size > LARGEST {
                context = *self.constraints.callbacks.outer.get(&context)?;
            } else {
                *used += size;
            }
        }
        self.constraints.callbacks.used.insert(context);
        let body = self.named_body(function, context);
        self.constraints.callbacks.bodies.insert(body);
        Some(body)
    }

    // ---- Clauses that sleep ------------------------------------------------------------------

    /// Whether the clauses in a body sleep until something comes that they match.
    pub(crate) fn has_sleeping_clauses(&self, body: BodyId) -> bool {
        if !self.is_model_body(body) {
            return self.constraints.callbacks.bodies.contains(&body);
        }
        let Body { function, in_started_process, .. } = self.constraints.bodies[body];
        in_started_process && self.is_behaviour(function)
    }

    /// Whether all clauses of a function are awake: there each callback has its first instance,
    /// whether a message for it comes or not.
    pub(crate) fn is_awake(&self, body: BodyId) -> bool {
        self.is_for_each_message(self.constraints.bodies[body].function)
            && !self.constraints.callbacks.outer.contains_key(&self.constraints.context_of(body))
    }

    /// Wakes the clauses that can be chosen now; whether there were any.
    pub(crate) fn wake(&mut self) -> bool {
        if self.constraints.callbacks.sleeping.is_empty() {
            return false;
        }
        self.solution.matched.borrow_mut().clear();
        let mut woken = Vec::new();
        let mut sleeping = std::mem::take(&mut self.constraints.callbacks.sleeping);
        for group in &mut sleeping {
            for index in self.chosen(group) {
                group.awake[index] = true;
                woken.push((group.clone(), index));
            }
        }
        sleeping.retain(|group| group.awake.contains(&false));
        self.constraints.callbacks.sleeping = sleeping;
        for (group, index) in &woken {
            self.generate_clause(group, *index);
        }
        !woken.is_empty()
    }

    /// Wakes the clauses that sleep in all instances, each in one; whether there were any.
    pub(crate) fn wake_others(&mut self) -> bool {
        let mut order: Vec<usize> = (0..self.constraints.callbacks.sleeping.len()).collect();
        order.sort_by_key(|&index| {
            self.constraints.context_of(self.constraints.callbacks.sleeping[index].body)
        });
        let mut woken = Vec::new();
        for number in order {
            let body = self.constraints.callbacks.sleeping[number].body;
            if self.is_model_body(body) {
                continue;
            }
            let module = self.place_of(body).module;
            let clauses = self
                .sources
                .source(module)
                .tree
                .list(self.constraints.callbacks.sleeping[number].clauses);
            let clauses = clauses.to_vec();
            for (index, clause) in clauses.into_iter().enumerate() {
                if !self.constraints.callbacks.sleeping[number].awake[index]
                    && self.constraints.callbacks.woken.insert((module, clause))
                {
                    self.constraints.callbacks.sleeping[number].awake[index] = true;
                    woken.push((self.constraints.callbacks.sleeping[number].clone(), index));
                }
            }
        }
        self.constraints.callbacks.sleeping.retain(|group| group.awake.contains(&false));
        for (group, index) in &woken {
            self.generate_clause(group, *index);
        }
        !woken.is_empty()
    }

    /// The clauses that can be chosen and sleep.
    fn chosen(&self, group: &Sleeping) -> Vec<usize> {
        let place = self.place_of(group.body);
        let tree = &self.sources.source(place.module).tree;
        let mut found = Vec::new();
        for (index, &clause) in tree.list(group.clauses).iter().enumerate() {
            let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
            let verdict = self.match_all(&group.subjects, tree.list(patterns), place);
            if verdict != Verdict::No && !group.awake[index] {
                found.push(index);
            }
            if verdict == Verdict::Yes && guards.is_empty() {
                break;
            }
        }
        found
    }

    pub(crate) fn match_all(
        &self,
        subjects: &[VarId],
        patterns: &[NodeId],
        place: Place,
    ) -> Verdict {
        let each = subjects.iter().zip(patterns);
        let verdicts = each.map(|(&subject, &pattern)| self.match_var(subject, pattern, place));
        verdicts.min().unwrap_or(Verdict::Yes)
    }

    fn generate_clause(&mut self, group: &Sleeping, index: usize) {
        let module = self.place_of(group.body).module;
        let Some(&clause) = self.sources.source(module).tree.list(group.clauses).get(index) else {
            return;
        };
        self.constraints.callbacks.woken.insert((module, clause));
        let mut generator = self.generator(group.body);
        generator.handler = group.handler;
        generator.raises = group.raises;
        generator.clause(clause, &group.subjects, group.result);
    }
}

impl Generator<'_, '_> {
    /// Clauses that are generated when something comes that they match.
    pub(crate) fn let_sleep(&mut self, clauses: NodeList, subjects: Vec<VarId>, result: VarId) {
        let awake = vec![false; clauses.len as usize];
        let (body, handler, raises) = (self.body, self.handler, self.raises);
        let group = Sleeping { body, handler, raises, clauses, awake, subjects, result };
        self.a.constraints.callbacks.sleeping.push(group);
    }

    /// One clause: its patterns, and the value of its body.
    pub(crate) fn clause(&mut self, clause: NodeId, subjects: &[VarId], result: VarId) {
        let tree = self.tree.clone();
        let Kind::Clause { patterns, body, .. } = tree.kind(clause) else { return };
        for (&pattern, &subject) in tree.list(patterns).iter().zip(subjects) {
            self.pattern(pattern, subject);
        }
        let value = self.body(body);
        self.a.include(value, result);
    }
}
