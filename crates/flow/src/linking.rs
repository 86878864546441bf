//! Calls: which bodies a place calls, and how data flows there and back.
//!
//! A link of a call and a body passes arguments to parameters and the result back (the labels of
//! Widera's call edges), the processes that run the caller to the callee, and exceptions to the
//! handler around the call. A spawn passes arguments only; the callee runs in the new process.
//!
//! A function of a model is linked in an instance of its own for each call of the program; a call
//! inside a model stays in the instance. A function that is neither in the program nor modelled
//! (nor known to be inert) may call every fun it is given, with anything; what it returns is
//! unknown. What is inside of the structures it was given has escaped: funs among it are called
//! from outside.

use atom::Atom;

use crate::analysis::Analysis;
use crate::constraints::{
    Body, BodyId, CallId, CallKind, CallSite, ContextId, ENTERING, ERROR, EXIT, FOR_ALL,
    InstanceId, ProcessId, THROW,
};
use crate::everything::HubKey;
use crate::sources::FunctionId;
use crate::values::{NOWHERE, UNKNOWN, Value, ValueId, VarId};
use crate::watches::{FunMaker, FunMakerId, Watch};

impl Analysis<'_> {
    // ---- Bodies ------------------------------------------------------------------------------

    pub(crate) fn body_of(&mut self, function: FunctionId, instance: InstanceId) -> BodyId {
        if let Some(body) = self.constraints.find_body(function, instance) {
            return body;
        }
        let arity = self.sources.function(function).arity;
        let body = Body {
            function,
            instance,
            params: (0..arity).map(|_| self.fresh()).collect(),
            result: self.fresh(),
            processes: self.fresh_keeping(),
            raises: [self.fresh(), self.fresh(), self.fresh()],
            active: false,
            in_started_process: false,
            callers: Vec::new(),
        };
        self.constraints.add_body(body)
    }

    /// The body of a named function.
    pub(crate) fn named_body(&mut self, function: FunctionId, context: ContextId) -> BodyId {
        let instance = match self.constraints.find_instance(function, context) {
            Some(instance) => instance,
            None => {
                let range = self.node_range(function);
                self.constraints.add_instance(function, context, range)
            }
        };
        self.body_of(function, instance)
    }

    /// The lowest node of a function's tree, and how many there are to the highest.
    pub(crate) fn node_range(&self, function: FunctionId) -> (u32, usize) {
        let function = self.sources.function(function);
        let tree = &self.sources.source(function.module).tree;
        let (mut low, mut high) = (function.node.0, function.node.0);
        tree.for_each_below(function.node, |node| {
            low = low.min(node.0);
            high = high.max(node.0);
        });
        (low, (high - low) as usize + 1)
    }

    /// Whether a function of the program may run.
    pub(crate) fn is_reached(&self, function: FunctionId) -> bool {
        self.solution.calls.active.contains(&function)
    }

    pub(crate) fn activate(&mut self, body: BodyId) {
        if !std::mem::replace(&mut self.constraints.bodies[body].active, true) {
            self.solution.calls.active.insert(self.constraints.bodies[body].function);
            self.solution.calls.reached.push(body);
        }
    }

    // ---- Linking -----------------------------------------------------------------------------

    /// Links a call and a body; whether that is new.
    pub(crate) fn link(&mut self, call: CallId, target: BodyId) -> bool {
        if !self.solution.calls.link(call, target) {
            return false;
        }
        if let Some(model) = self.stand_in(self.constraints.bodies[target].function) {
            return self.link_stand_in(call, target, model);
        }
        let CallSite { body, kind, any_args, result: into, raises: handlers, .. } =
            self.constraints.calls[call];
        let params = self.constraints.bodies[target].params.clone();
        let hub = self.hub_between(call, target);
        if let Some(hub) = hub {
            self.reach_from_hub(hub, target);
        } else if any_args != NOWHERE {
            params.iter().for_each(|&param| self.include(any_args, param));
        } else if params.len() == self.constraints.calls[call].args.len() {
            for (index, &param) in params.iter().enumerate() {
                let argument = self.constraints.calls[call].args[index];
                self.include(argument, param);
            }
        } else {
            return false;
        }
        self.constraints.calls[call].targets.push(target);
        let callee = &mut self.constraints.bodies[target];
        callee.callers.push(call);
        let (result, processes, raises) = (callee.result, callee.processes, callee.raises);
        let started = match (kind, body) {
            (CallKind::Spawn(process), _) => {
                self.start(process, target);
                true
            }
            (_, Some(body)) if hub.is_some() => self.constraints.bodies[body].in_started_process,
            (_, Some(body)) => {
                self.include(result, into);
                let Body { processes: callers, in_started_process, .. } =
                    self.constraints.bodies[body];
                self.include(callers, processes);
                for class in [THROW, ERROR, EXIT] {
                    self.include(raises[class], handlers[class]);
                }
                in_started_process
            }
            (_, None) => {
                self.include(result, into);
                let root = self.number(Value::Pid(ENTERING));
                self.insert(processes, root);
                false
            }
        };
        if self.sources.is_model(self.constraints.bodies[target].function) {
            self.constraints.bodies[target].in_started_process |= started;
        }
        self.solution.found(call, target);
        self.activate(target);
        true
    }

    /// A call of a function that a model stands in for.
    fn link_stand_in(&mut self, call: CallId, target: BodyId, model: FunctionId) -> bool {
        let function = self.constraints.bodies[target].function;
        if !self.arity_fits(call, self.sources.function(function).arity) {
            return false;
        }
        self.constraints.calls[call].targets.push(target);
        self.solution.found(call, target);
        self.solution.calls.active.insert(function);
        self.call_model(call, model);
        true
    }

    /// A process runs a body first.
    fn start(&mut self, process: ProcessId, target: BodyId) {
        let pid = self.number(Value::Pid(process));
        let Body { processes, raises, .. } = self.constraints.bodies[target];
        self.insert(processes, pid);
        self.constraints.processes[process].entries.push(target);
        let exit = self.constraints.processes[process].exit;
        self.include(raises[EXIT], exit);
        // {Reason, Stacktrace}, and {{nocatch, Thrown}, Stacktrace}
        let stack = self.constant(UNKNOWN);
        // Errors that nobody raises explicitly are among them.
        let reason = self.fresh();
        self.include(stack, reason);
        self.include(raises[ERROR], reason);
        let error = self.tuple_of(&[reason, stack]);
        self.include(error, exit);
        let nocatch = self.atom(atom::known::NOCATCH);
        let thrown = self.tuple_of(&[nocatch, raises[THROW]]);
        let thrown = self.tuple_of(&[thrown, stack]);
        self.include(thrown, exit);
    }

    fn arity_fits(&self, call: CallId, arity: u32) -> bool {
        let call = &self.constraints.calls[call];
        call.any_args != NOWHERE || call.args.len() as u32 == arity
    }

    /// A value in the place of a callee.
    pub(crate) fn fire_callee(&mut self, call: CallId, value: ValueId) {
        match self.value(value) {
            Value::Fun(body, arity) if self.arity_fits(call, arity) => {
                self.solution.calls.link_later(call, body);
            }
            Value::External(module, name, arity) if self.arity_fits(call, arity) => {
                let body = self.constraints.calls[call].body;
                let is_known = self.function_named(module, name, arity, body).is_some();
                if is_known || self.solution.calls.outside.insert(call) {
                    self.call_external(call, module, name, arity, false);
                }
            }
            Value::Unknown => self.constraints.calls[call].unknown = true,
            _ => {}
        }
    }

    /// Module or name of a call by names.
    pub(crate) fn fire_call_name(&mut self, call: CallId, var: VarId, value: ValueId) {
        let (module, name) = {
            let call = &self.constraints.calls[call];
            (call.module, call.name)
        };
        let is_atom = matches!(self.value(value), Value::Atom(_));
        let is_unknown =
            matches!(self.value(value), Value::Unknown | Value::AnyAtom | Value::Everything);
        self.constraints.calls[call].unknown |= is_unknown;
        if !is_atom && !is_unknown {
            return;
        }
        let modules = if var == module { vec![value] } else { self.solution.done_items(module) };
        // The same variable may be both: `X:X()`.
        let names = if var == name { vec![value] } else { self.solution.done_items(name) };
        for &module in &modules {
            for &name in &names {
                match (self.value(module), self.value(name)) {
                    (Value::Atom(module), Value::Atom(name)) => {
                        self.call_named(call, module, name);
                    }
                    (Value::Unknown | Value::Everything, Value::Atom(name)) => {
                        self.call_in_any(call, name);
                    }
                    (Value::Atom(module), Value::Unknown | Value::Everything) => {
                        self.call_any_of(call, module);
                    }
                    _ => {}
                }
            }
        }
    }

    /// A call by a name whose module is not known: whatever is exported under the name.
    fn call_in_any(&mut self, call: CallId, name: Atom) {
        let exported = self.sources.exported_as(name).to_vec();
        let site = &self.constraints.calls[call];
        if site.any_args == NOWHERE {
            self.join_hub(call, HubKey::Named(name, site.args.len() as u32));
        }
        self.call_fitting(call, exported);
    }

    /// A call of a module by a name that is not known: whatever it exports.
    fn call_any_of(&mut self, call: CallId, module: Atom) {
        let own = self.sources.module(module).filter(|&module| self.sources.is_own(module));
        if let Some(module) = own {
            let exported = self.sources.own_functions().filter(|&id| {
                let function = self.sources.function(id);
                function.module == module && function.exported
            });
            let exported = exported.collect();
            self.call_fitting(call, exported);
        }
    }

    fn call_fitting(&mut self, call: CallId, functions: Vec<FunctionId>) {
        for function in functions {
            if self.arity_fits(call, self.sources.function(function).arity) {
                let body = self.own_body(call, function);
                self.solution.calls.link_later(call, body);
            }
        }
    }

    fn call_named(&mut self, call: CallId, module: Atom, name: Atom) {
        let site = &self.constraints.calls[call];
        let arities: Vec<u32> = if site.any_args == NOWHERE {
            vec![site.args.len() as u32]
        } else {
            let known = self.sources.module(module).map(|module| {
                let index = &self.sources.source(module).index;
                let named = index.functions.iter().filter(|((known, _), _)| *known == name);
                named.map(|((_, arity), _)| arity).collect()
            });
            known.unwrap_or_default()
        };
        for arity in arities {
            let body = self.constraints.calls[call].body;
            let is_known = self.function_named(module, name, arity, body).is_some();
            let outside = self.sources.module(module).is_none() && !crate::models::is_inert(module);
            if is_known || (self.is_few(call) && !outside) {
                self.call_external(call, module, name, arity, false);
            } else if outside && self.solution.calls.outside.insert(call) {
                // One of possibly very many names that may not even be meant as modules.
                self.call_unknown(call, module, name, arity);
            }
        }
    }

    /// Whether a call by names has few of them.
    fn is_few(&self, call: CallId) -> bool {
        const FEW: usize = 8;
        let call = &self.constraints.calls[call];
        self.items(call.module).len() <= FEW && self.items(call.name).len() <= FEW
    }

    /// A call by module, name and arity. First-order calls are linked at once.
    pub(crate) fn call_external(
        &mut self,
        call: CallId,
        module: Atom,
        name: Atom,
        arity: u32,
        at_once: bool,
    ) {
        let Some(target) =
            self.function_named(module, name, arity, self.constraints.calls[call].body)
        else {
            self.call_unknown(call, module, name, arity);
            return;
        };
        if self.sources.is_model(target) {
            return self.call_model(call, target);
        }
        let body = self.own_body(call, target);
        if at_once {
            self.link(call, body);
        } else {
            self.solution.calls.link_later(call, body);
        }
    }

    /// A call of a model's function, in the instance that belongs to it.
    fn call_model(&mut self, call: CallId, target: FunctionId) {
        if self.is_closed(target) {
            let body = self.named_body(target, FOR_ALL);
            self.activate(body);
            let (from, to) =
                (self.constraints.bodies[body].result, self.constraints.calls[call].result);
            self.include(from, to);
            return;
        }
        if self.is_for_each_message(target) {
            return self.call_for_each(call, target);
        }
        let context = self.model_context(call, target);
        let body = self.named_body(target, context);
        self.link(call, body);
    }

    /// A function that a call from some body can reach by its name.
    pub(crate) fn function_named(
        &self,
        module: Atom,
        name: Atom,
        arity: u32,
        from: Option<BodyId>,
    ) -> Option<FunctionId> {
        let module = self.sources.module(module)?;
        let function = self.sources.find(module, name, arity)?;
        let own = from.is_some_and(|from| {
            self.sources.function(self.constraints.bodies[from].function).module == module
        });
        let visible = own || self.sources.function(function).exported;
        (visible || self.sources.is_model(function)).then_some(function)
    }

    fn call_unknown(&mut self, call: CallId, module: Atom, name: Atom, arity: u32) {
        // Every module has `module_info`.
        let is_info = name.as_str() == "module_info" && arity <= 1;
        if crate::models::is_inert(module) || is_info {
            let result = self.constraints.calls[call].result;
            self.insert(result, UNKNOWN);
            return;
        }
        let in_program =
            self.sources.module(module).is_some_and(|module| self.sources.is_own(module));
        if in_program {
            // There is no such function: the call fails. To a model that is a callback which the
            // module does without.
            if !self.is_model_body(self.constraints.calls[call].body) {
                self.solution
                    .calls
                    .unknown_functions
                    .entry((module, name, arity))
                    .or_default()
                    .push(call);
                self.call_in_its_place(call, module, name);
            }
            return;
        }
        self.solution.calls.unknown_functions.entry((module, name, arity)).or_default().push(call);
        let site = self.constraints.calls[call].clone();
        self.insert(site.result, UNKNOWN);
        let unknown = self.constant(UNKNOWN);
        let arguments: Vec<VarId> = site
            .args
            .iter()
            .copied()
            .chain([site.any_args])
            .filter(|&var| var != NOWHERE)
            .collect();
        if arguments.is_empty() {
            return;
        }
        // All that it is given, with what is inside of that.
        let given = self.fresh();
        for argument in arguments {
            self.include(argument, self.constraints.escaped);
            self.include(argument, given);
        }
        self.watch(given, Watch::Inside(given));
        let calls_back = CallSite {
            kind: CallKind::Unknown,
            args: Vec::new(),
            any_args: unknown,
            callee: given,
            module: NOWHERE,
            name: NOWHERE,
            result: self.constraints.escaped,
            targets: Vec::new(),
            unknown: false,
            ..site
        };
        let calls_back = self.new_call(calls_back);
        self.watch(given, Watch::Callee(calls_back));
    }

    /// A module may have a function that is called in the place of those that it lacks, with the
    /// name and the list of arguments.
    fn call_in_its_place(&mut self, call: CallId, module: Atom, name: Atom) {
        let instead = Atom::new("$handle_undefined_function");
        let site = self.constraints.calls[call].clone();
        if name == instead || self.function_named(module, instead, 2, site.body).is_none() {
            return;
        }
        let unknown = self.constant(UNKNOWN);
        // Nothing is watched: what it calls is known.
        let again = self.new_call(CallSite {
            args: vec![unknown, unknown],
            any_args: NOWHERE,
            callee: NOWHERE,
            module: NOWHERE,
            name: NOWHERE,
            targets: Vec::new(),
            unknown: false,
            ..site
        });
        self.call_external(again, module, instead, 2, false);
    }

    pub(crate) fn new_call(&mut self, call: CallSite) -> CallId {
        self.constraints.calls.push(call)
    }

    /// A call whose list of arguments turned out to be this one. Lists of the same length are one
    /// call.
    pub(crate) fn call_with(&mut self, call: CallId, args: Vec<VarId>) {
        let length = Some(args.len() as u32);
        let again = match self.constraints.call_of_length(call, length) {
            Some(again) => again,
            None => {
                let own = args.iter().map(|_| self.fresh()).collect();
                let again = self.call_again(call, own, NOWHERE);
                self.constraints.add_call_of_length(call, length, again);
                again
            }
        };
        for (index, argument) in args.into_iter().enumerate() {
            let to = self.constraints.calls[again].args[index];
            self.include(argument, to);
        }
    }

    /// A call with a list of arguments of which only the elements are known.
    pub(crate) fn call_with_any(&mut self, call: CallId, any: VarId) {
        let again = match self.constraints.call_of_length(call, None) {
            Some(again) => again,
            None => {
                let own = self.fresh();
                let again = self.call_again(call, Vec::new(), own);
                self.constraints.add_call_of_length(call, None, again);
                again
            }
        };
        let to = self.constraints.calls[again].any_args;
        self.include(any, to);
    }

    fn call_again(&mut self, call: CallId, args: Vec<VarId>, any_args: VarId) -> CallId {
        let site = CallSite {
            args,
            any_args,
            targets: Vec::new(),
            unknown: false,
            ..self.constraints.calls[call].clone()
        };
        let (callee, module, name) = (site.callee, site.module, site.name);
        let again = self.new_call(site);
        self.watch_callee(again, callee, module, name);
        again
    }

    pub(crate) fn watch_callee(&mut self, call: CallId, callee: VarId, module: VarId, name: VarId) {
        self.watch(callee, Watch::Callee(call));
        self.watch(module, Watch::CallName(call));
        if name != module {
            self.watch(name, Watch::CallName(call));
        }
    }

    /// A fun that is made of names: `fun M:F/A`.
    pub(crate) fn fire_fun_name(&mut self, maker: FunMakerId) {
        let FunMaker { body, module, name, arity, result } =
            self.constraints.accesses.fun_makers[maker];
        let (modules, names, arities) = (
            self.solution.done_items(module),
            self.solution.done_items(name),
            self.solution.done_items(arity),
        );
        for &module in &modules {
            for &name in &names {
                for &arity in &arities {
                    match (self.value(module), self.value(name), self.value(arity)) {
                        (Value::Atom(module), Value::Atom(name), Value::Int(arity)) => {
                            let Ok(arity) = u32::try_from(arity) else { continue };
                            let value = self.fun_value(module, name, arity, body);
                            self.insert(result, value);
                        }
                        (Value::Unknown | Value::AnyAtom | Value::Everything, ..)
                        | (_, Value::Unknown | Value::AnyAtom | Value::Everything, _)
                        | (_, _, Value::Unknown | Value::Number | Value::Everything) => {
                            self.insert(result, UNKNOWN);
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// A named function as a value.
    pub(crate) fn fun_value(
        &mut self,
        module: Atom,
        name: Atom,
        arity: u32,
        from: BodyId,
    ) -> ValueId {
        match self.function_named(module, name, arity, Some(from)) {
            Some(function) if !self.sources.is_model(function) => {
                let body = self.named_body(function, FOR_ALL);
                self.number(Value::Fun(body, arity))
            }
            _ => self.number(Value::External(module, name, arity)),
        }
    }
}
