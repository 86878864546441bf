//! The shadow of a run: the stacks of its processes, and what is on its way between them.

use code::instr::Pc;
use machine::Pid;
use machine::code_space::Target;
use machine::observe::{Callee, Event, MessageId, Moment, Sender};
use rustc_hash::FxHashMap;
use term::{Ref, Term};

use crate::follower::{Entering, Follower, How, Sending, What};
use crate::stack::{Acting, ActivationId, Active, Builtin, Frame, Outside, Role, Spot};
use crate::stack::{Stack, Taken};

/// The shadow of a run.
pub struct Shadow<F: Follower> {
    stacks: Vec<(Pid, Stack<F>)>,
    places: FxHashMap<Pid, usize>,
    /// The place of the one that was asked for last.
    last: usize,
    /// Messages that were not received.
    messages: FxHashMap<MessageId, F::Sent>,
    timers: FxHashMap<Ref, F::Sent>,
    fired: Option<Ref>,
    entered: u64,
    clock: u64,
}

impl<F: Follower> Default for Shadow<F> {
    fn default() -> Shadow<F> {
        Shadow {
            stacks: Vec::new(),
            places: FxHashMap::default(),
            last: 0,
            messages: FxHashMap::default(),
            timers: FxHashMap::default(),
            fired: None,
            entered: 0,
            clock: 0,
        }
    }
}

impl<F: Follower> Shadow<F> {
    pub fn stack(&mut self, pid: Pid) -> &mut Stack<F> {
        if self.stacks.get(self.last).is_none_or(|(known, _)| *known != pid) {
            let stacks = &mut self.stacks;
            self.last = *self.places.entry(pid).or_insert_with(|| {
                stacks.push((pid, Stack::default()));
                stacks.len() - 1
            });
        }
        &mut self.stacks[self.last].1
    }

    /// Those of all processes that something is known of, in the order in which that began.
    pub fn stacks(&self) -> impl Iterator<Item = (Pid, &Stack<F>)> {
        self.stacks.iter().map(|(pid, stack)| (*pid, stack))
    }

    /// How many events there were, that of now included.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// The place of the program where, or on whose behalf, the process of a moment acts.
    pub fn acting(&mut self, follower: &mut F, moment: &Moment<'_>) -> Option<Acting<F::Place>> {
        let pid = moment.pid()?;
        let own = moment.site().and_then(|site| follower.place(moment.code, site));
        let stack = self.stack(pid);
        match own {
            Some(place) => {
                let activation = stack.running().map(|active| active.id);
                Some(Acting { spot: Spot { activation, place }, role: Role::Own })
            }
            None => stack.on_behalf(),
        }
    }

    /// Sees to it that the stack of the process of a moment is as deep as the Machine's.
    pub(crate) fn align(&mut self, follower: &mut F, moment: &Moment<'_>) {
        let Some(pid) = moment.pid() else { return };
        let left = self.stack(pid).align(moment.depth());
        if !left.is_empty() {
            follower.happens(self, moment, What::Vanish { left });
        }
    }

    pub(crate) fn event(&mut self, follower: &mut F, moment: &Moment<'_>, event: &Event<'_>) {
        self.clock += 1;
        match event {
            Event::Raise { class, reason, again } => {
                let by = self.raise(follower, moment, reason);
                let what = What::Raise { class: *class, reason, again: *again, by };
                return follower.happens(self, moment, what);
            }
            Event::Catch { at } => return self.catch(follower, moment, *at),
            Event::Exit { pid, reason } => return self.exit(follower, moment, *pid, reason),
            _ => self.align(follower, moment),
        }
        match event {
            Event::Call { callee, args, tail } => self.call(follower, moment, callee, args, *tail),
            Event::Return { value } => self.give(follower, moment, value),
            Event::Spawn { child, entry } => {
                let by = self.acting(follower, moment);
                self.stack(*child).spawned_at = by.map(|by| by.spot);
                follower.happens(self, moment, What::Spawn { child: *child, entry, by });
            }
            Event::Send { id, sender, to, message } => {
                self.send(follower, moment, (*id, *sender, *to), message);
            }
            Event::Receive { id, message, receive } => {
                self.receive(follower, moment, *id, message, *receive);
            }
            Event::GiveUp => {
                let by = self.acting(follower, moment);
                follower.happens(self, moment, What::GiveUp { by });
            }
            Event::TimerSet { reference, at } => {
                let by = self.acting(follower, moment);
                let sending = Sending::Timer { reference: *reference, at: *at, by };
                if let Some(sent) = follower.sent(self, moment, &sending) {
                    self.timers.insert(*reference, sent);
                }
            }
            other => {
                match other {
                    Event::Flush { id } => drop(self.messages.remove(id)),
                    Event::TimerFired { reference } => self.fired = Some(*reference),
                    Event::TimerCancelled { reference } => drop(self.timers.remove(reference)),
                    _ => {}
                }
                follower.happens(self, moment, What::Other(other));
            }
        }
    }

    // ---- Calls -------------------------------------------------------------------------------

    fn call(
        &mut self,
        follower: &mut F,
        moment: &Moment<'_>,
        callee: &Callee,
        args: &[Term],
        tail: bool,
    ) {
        let Some(pid) = moment.pid() else { return };
        let begins = moment.site().is_none();
        if let Target::Builtin(number) = callee.target {
            let by = if begins { None } else { self.acting(follower, moment) };
            self.call_builtin(moment, pid, callee, tail, by);
            return follower.happens(self, moment, What::Builtin { number, callee, args, by });
        }
        let builtin = self.stack(pid).builtin.take();
        let (how, by) = if begins {
            self.begin(follower, moment, pid)
        } else {
            // What a builtin calls has the builtin's place.
            let builtin = builtin.filter(|builtin| builtin.is_here(moment));
            let tail = builtin.map_or(tail, |builtin| builtin.tail);
            (if tail { How::Tail } else { How::Call }, self.acting(follower, moment))
        };
        let site = moment.function_node(callee);
        let target = site.and_then(|site| follower.place(moment.code, site));
        let id = ActivationId(self.entered);
        let entered = target.and_then(|target| {
            let entering = Entering { id, pid, target, callee, args, by, how };
            follower.enter(self, moment, &entering)
        });
        let entry = match callee.target {
            Target::Code(pc) => Some(pc),
            _ => None,
        };
        let frame = match entered {
            Some(data) => {
                self.entered += 1;
                Frame { active: Some(Active { id, first: id, data }), outside: None, entry }
            }
            None => {
                let outside = Outside {
                    for_whom: by.map(|by| by.spot),
                    began: by.is_some_and(|by| by.role == Role::Began),
                };
                follower.happens(self, moment, What::Outside { callee, args, by, how });
                Frame { active: None, outside: Some(outside), entry }
            }
        };
        self.stack(pid).push(frame, how == How::Tail);
    }

    fn call_builtin(
        &mut self,
        moment: &Moment<'_>,
        pid: Pid,
        callee: &Callee,
        tail: bool,
        by: Option<Acting<F::Place>>,
    ) {
        let stack = self.stack(pid);
        // One that a builtin calls has the place of that.
        let outer = stack.builtin.as_ref().filter(|outer| outer.is_here(moment));
        let tail = outer.map_or(tail, |outer| outer.tail);
        stack.builtin = Some(Builtin::new(moment, tail, by));
        if callee.mfa.name.as_str() == "hibernate" {
            stack.hibernates = by.map(|by| (by.spot, by.role == Role::Began));
        }
    }

    /// A process begins, or wakes up from hibernation: nothing is left of the stack that it had.
    fn begin(
        &mut self,
        follower: &mut F,
        moment: &Moment<'_>,
        pid: Pid,
    ) -> (How, Option<Acting<F::Place>>) {
        let stack = self.stack(pid);
        let left = stack.unwind(0);
        let hibernated = stack.hibernates.take();
        let spawned_at = stack.spawned_at;
        if left.iter().any(|frame| frame.entry.is_some()) {
            follower.happens(self, moment, What::Vanish { left });
        }
        match hibernated {
            Some((spot, began)) => {
                let role = if began { Role::Began } else { Role::Called };
                (How::Wake, Some(Acting { spot, role }))
            }
            None => (How::Begin, spawned_at.map(|spot| Acting { spot, role: Role::Began })),
        }
    }

    /// A builtin, or the innermost call, returns.
    fn give(&mut self, follower: &mut F, moment: &Moment<'_>, value: &Term) {
        let Some(pid) = moment.pid() else { return };
        let stack = self.stack(pid);
        let builtin = stack.builtin.take().filter(|builtin| builtin.is_here(moment));
        if let Some(Builtin { tail: false, by, .. }) = builtin {
            return follower.happens(self, moment, What::BuiltinReturn { value, by });
        }
        if let Some(left) = stack.frames.pop() {
            follower.happens(self, moment, What::Return { value, left });
        }
    }

    // ---- Exceptions and ends -----------------------------------------------------------------

    /// An exception comes up; who raises it. A builtin of the library in tail position, and
    /// a function in tail position that is not there, are told when the frame of their caller is
    /// gone; it is kept until the exception has come to its handler.
    fn raise(
        &mut self,
        follower: &mut F,
        moment: &Moment<'_>,
        reason: &Term,
    ) -> Option<Acting<F::Place>> {
        let process = moment.process?;
        let pid = process.pid;
        let stack = self.stack(pid);
        let builtin = stack.builtin.take().filter(|builtin| builtin.raises(moment));
        let is_left = stack.frames.len() == moment.depth() + 2
            && reason.as_atom().is_some_and(|reason| reason.as_str() == "undef");
        let missing = Some(process.left).filter(|&pc| {
            let function = moment.code.function_at(pc).map(|function| function.start);
            is_left && function.is_some() && function == stack.top().and_then(|top| top.entry)
        });
        match (builtin, missing) {
            (Some(builtin), _) => {
                stack.raising = true;
                builtin.by
            }
            (None, Some(pc)) => {
                stack.raising = true;
                let activation = stack.running().map(|active| active.id);
                let place = moment.code.site(pc);
                match place.and_then(|site| follower.place(moment.code, site)) {
                    Some(place) => {
                        Some(Acting { spot: Spot { activation, place }, role: Role::Own })
                    }
                    None => self.stack(pid).on_behalf(),
                }
            }
            (None, None) => {
                self.align(follower, moment);
                self.stack(pid).raising = true;
                self.acting(follower, moment)
            }
        }
    }

    fn catch(&mut self, follower: &mut F, moment: &Moment<'_>, at: Option<Pc>) {
        let Some(pid) = moment.pid() else { return };
        let stack = self.stack(pid);
        stack.raising = false;
        let left = stack.unwind(moment.depth() + 1);
        stack.align(moment.depth());
        let handler = at.and_then(|pc| moment.code.site(pc));
        let handler = handler.and_then(|site| follower.place(moment.code, site));
        follower.happens(self, moment, What::Catch { handler, left });
    }

    fn exit(&mut self, follower: &mut F, moment: &Moment<'_>, pid: Pid, reason: &Term) {
        // Its end may still be told to others: the stack stays, empty.
        let stack = self.stack(pid);
        let mut left = stack.unwind(0);
        left.retain(|frame| frame.entry.is_some());
        (stack.frames, stack.taken, stack.builtin) = (Vec::new(), None, None);
        stack.raising = false;
        follower.happens(self, moment, What::Exit { pid, reason, left });
    }

    // ---- Messages ----------------------------------------------------------------------------

    fn send(
        &mut self,
        follower: &mut F,
        moment: &Moment<'_>,
        (id, sender, to): (MessageId, Sender, Pid),
        message: &Term,
    ) {
        let by = self.acting(follower, moment);
        let sending = match sender {
            Sender::Process(from) => Sending::Message { id, from, to, message, by },
            Sender::Exit(of) | Sender::Down(of) => Sending::Signal { id, of, to, message, by },
            Sender::Timer => {
                let sent = self.fired.take().and_then(|timer| self.timers.remove(&timer));
                if let Some(sent) = sent {
                    self.messages.insert(id, sent);
                }
                return;
            }
            Sender::Device(_) | Sender::Outside => return,
        };
        if let Some(sent) = follower.sent(self, moment, &sending) {
            self.messages.insert(id, sent);
        }
    }

    fn receive(
        &mut self,
        follower: &mut F,
        moment: &Moment<'_>,
        id: MessageId,
        message: &Term,
        receive: Pc,
    ) {
        let Some(pid) = moment.pid() else { return };
        let sent = self.messages.remove(&id);
        let by = self.acting(follower, moment);
        let what = match by {
            Some(by) if by.role == Role::Began => {
                self.stack(pid).taken = Some(Taken { id, sent });
                What::Take { message, by }
            }
            _ => What::Receive { id, message, receive, sent, by },
        };
        follower.happens(self, moment, what);
    }
}
