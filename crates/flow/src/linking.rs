//! Calls: which bodies a place calls, and how data flows there and back.
//!
//! A link of a call and a body passes arguments to parameters and the result back (the labels of
//! Widera's call edges), the processes that run the caller to the callee, and exceptions to the
//! handler around the call. A spawn passes arguments only; the callee runs in the new process.
//!
//! A function of a model is linked in an instance of its own for each call of the program; a call
//! inside a model stays in the instance. A function that is neither in the program nor modelled
//! (nor known to be inert) may call every fun it is given, with anything; what it returns is
//! unknown. What is inside of the structures it was given has escaped: funs among it are called from
//! outside.

use atom::Atom;
use syntax::ast::Kind;

use crate::analysis::*;
use crate::everything::HubKey;
use crate::sources::FunctionId;
use crate::values::*;

impl Analysis<'_> {
    // ---- Bodies ------------------------------------------------------------------------------

    pub(crate) fn body_of(&mut self, function: FunctionId, instance: u32) -> u32 {
        if let Some(&body) = self.body_ids.get(&(function, instance)) {
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
        self.bodies.push(body);
        let id = self.bodies.len() as u32 - 1;
        self.body_ids.insert((function, instance), id);
        id
    }

    /// The body of a named function.
    pub(crate) fn named_body(&mut self, function: FunctionId, context: u32) -> u32 {
        let instance = match self.instance_ids.get(&(function, context)) {
            Some(&instance) => instance,
            None => {
                let (first, len) = self.node_range(function);
                let vars = vec![NOWHERE; len];
                self.instances.push(Instance { context, first, vars });
                let instance = self.instances.len() as u32 - 1;
                self.instance_ids.insert((function, context), instance);
                instance
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
        self.active.contains(&function)
    }

    pub(crate) fn activate(&mut self, body: u32) {
        if !std::mem::replace(&mut self.bodies[body as usize].active, true) {
            self.active.insert(self.bodies[body as usize].function);
            self.reached.push(body);
        }
    }

    pub(crate) fn context_of(&self, body: u32) -> u32 {
        if body == NOWHERE {
            return 0;
        }
        let instance = self.bodies[body as usize].instance;
        self.instances[instance as usize].context
    }

    // ---- Linking -----------------------------------------------------------------------------

    /// Links a call and a body; whether that is new.
    pub(crate) fn link(&mut self, call: u32, target: u32) -> bool {
        if !self.links.insert((call, target)) {
            return false;
        }
        if let Some(model) = self.stand_in(self.bodies[target as usize].function) {
            return self.link_stand_in(call, target, model);
        }
        let CallSite { body, kind, any_args, result: into, raises: handlers, .. } =
            self.calls[call as usize];
        let params = self.bodies[target as usize].params.clone();
        let hub = self.hub_between(call, target);
        if let Some(hub) = hub {
            self.reach_from_hub(hub, target);
        } else if any_args != NOWHERE {
            params.iter().for_each(|&param| self.include(any_args, param));
        } else if params.len() == self.calls[call as usize].args.len() {
            for (index, &param) in params.iter().enumerate() {
                let argument = self.calls[call as usize].args[index];
                self.include(argument, param);
            }
        } else {
            return false;
        }
        self.calls[call as usize].targets.push(target);
        let callee = &mut self.bodies[target as usize];
        callee.callers.push(call);
        let (result, processes, raises) = (callee.result, callee.processes, callee.raises);
        let started = match kind {
            CallKind::Spawn(process) => {
                self.start(process, target);
                true
            }
            _ if hub.is_some() => self.bodies[body as usize].in_started_process,
            _ => {
                self.include(result, into);
                if body == NOWHERE {
                    let root = self.values.number(Value::Pid(0));
                    self.insert(processes, root);
                    false
                } else {
                    let callers = self.bodies[body as usize].processes;
                    self.include(callers, processes);
                    for class in [THROW, ERROR, EXIT] {
                        self.include(raises[class], handlers[class]);
                    }
                    self.bodies[body as usize].in_started_process
                }
            }
        };
        if self.sources.is_model(self.bodies[target as usize].function) {
            self.bodies[target as usize].in_started_process |= started;
        }
        self.found_calls.push(FoundCall { call, target, iteration: self.iteration });
        self.activate(target);
        true
    }

    /// A call of a function that a model stands in for.
    fn link_stand_in(&mut self, call: u32, target: u32, model: FunctionId) -> bool {
        let function = self.bodies[target as usize].function;
        if !self.arity_fits(call, self.sources.function(function).arity) {
            return false;
        }
        self.calls[call as usize].targets.push(target);
        self.found_calls.push(FoundCall { call, target, iteration: self.iteration });
        self.active.insert(function);
        self.call_model(call, model);
        true
    }

    /// A process runs a body first.
    fn start(&mut self, process: u32, target: u32) {
        let pid = self.values.number(Value::Pid(process));
        let Body { processes, raises, .. } = self.bodies[target as usize];
        self.insert(processes, pid);
        self.processes[process as usize].entries.push(target);
        let exit = self.processes[process as usize].exit;
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

    /// A link that data flow found: it waits for its part of the iteration.
    fn link_later(&mut self, call: u32, target: u32) {
        if !self.links.contains(&(call, target)) {
            self.pending_links.push((call, target));
        }
    }

    fn arity_fits(&self, call: u32, arity: u32) -> bool {
        let call = &self.calls[call as usize];
        call.any_args != NOWHERE || call.args.len() as u32 == arity
    }

    /// A value in the place of a callee.
    pub(crate) fn fire_callee(&mut self, call: u32, value: ValueId) {
        match self.values.get(value) {
            Value::Fun(body) => {
                let function = self.bodies[body as usize].function;
                if self.arity_fits(call, self.sources.function(function).arity) {
                    self.link_later(call, body);
                }
            }
            Value::External(module, name, arity) if self.arity_fits(call, arity) => {
                let body = self.calls[call as usize].body;
                let is_known = self.function_named(module, name, arity, body).is_some();
                if is_known || self.calls_outside.insert(call) {
                    self.call_external(call, module, name, arity, false);
                }
            }
            Value::Unknown => self.calls[call as usize].unknown = true,
            _ => {}
        }
    }

    /// Module or name of a call by names.
    pub(crate) fn fire_call_name(&mut self, call: u32, var: VarId, value: ValueId) {
        let (module, name) = {
            let call = &self.calls[call as usize];
            (call.module, call.name)
        };
        let is_atom = matches!(self.values.get(value), Value::Atom(_));
        let is_unknown =
            matches!(self.values.get(value), Value::Unknown | Value::AnyAtom | Value::Everything);
        self.calls[call as usize].unknown |= is_unknown;
        if !is_atom && !is_unknown {
            return;
        }
        let modules = if var == module { vec![value] } else { self.done_items(module) };
        // The same variable may be both: `X:X()`.
        let names = if var == name { vec![value] } else { self.done_items(name) };
        for &module in &modules {
            for &name in &names {
                match (self.values.get(module), self.values.get(name)) {
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
    fn call_in_any(&mut self, call: u32, name: Atom) {
        let exported = self.sources.exported_as(name).to_vec();
        let site = &self.calls[call as usize];
        if site.any_args == NOWHERE {
            self.join_hub(call, HubKey::Named(name, site.args.len() as u32));
        }
        self.call_fitting(call, exported);
    }

    /// A call of a module by a name that is not known: whatever it exports.
    fn call_any_of(&mut self, call: u32, module: Atom) {
        let own = self.sources.module(module).filter(|&m| (m as usize) < self.sources.own_modules);
        if let Some(module) = own {
            let all = (0..self.sources.own_functions).map(|index| FunctionId(index as u32));
            let exported = all.filter(|&id| {
                let function = self.sources.function(id);
                function.module == module && function.exported
            });
            let exported = exported.collect();
            self.call_fitting(call, exported);
        }
    }

    fn call_fitting(&mut self, call: u32, functions: Vec<FunctionId>) {
        for function in functions {
            if self.arity_fits(call, self.sources.function(function).arity) {
                let body = self.own_body(call, function);
                self.link_later(call, body);
            }
        }
    }

    fn call_named(&mut self, call: u32, module: Atom, name: Atom) {
        let site = &self.calls[call as usize];
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
            let body = self.calls[call as usize].body;
            let is_known = self.function_named(module, name, arity, body).is_some();
            let outside = self.sources.module(module).is_none() && !crate::models::is_inert(module);
            if is_known || (self.is_few(call) && !outside) {
                self.call_external(call, module, name, arity, false);
            } else if outside && self.calls_outside.insert(call) {
                // One of possibly very many names that may not even be meant as modules.
                self.call_unknown(call, module, name, arity);
            }
        }
    }

    /// Whether a call by names has few of them.
    fn is_few(&self, call: u32) -> bool {
        const FEW: usize = 8;
        let call = &self.calls[call as usize];
        self.items(call.module).len() <= FEW && self.items(call.name).len() <= FEW
    }

    /// A call by module, name and arity. First-order calls are linked at once.
    pub(crate) fn call_external(
        &mut self,
        call: u32,
        module: Atom,
        name: Atom,
        arity: u32,
        at_once: bool,
    ) {
        let Some(target) = self.function_named(module, name, arity, self.calls[call as usize].body)
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
            self.link_later(call, body);
        }
    }

    /// A call of a model's function, in the instance that belongs to it.
    fn call_model(&mut self, call: u32, target: FunctionId) {
        if self.is_closed(target) {
            let body = self.named_body(target, 0);
            self.activate(body);
            let (from, to) = (self.bodies[body as usize].result, self.calls[call as usize].result);
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
        from: u32,
    ) -> Option<FunctionId> {
        let module = self.sources.module(module)?;
        let function = self.sources.find(module, name, arity)?;
        let own = from != NOWHERE
            && self.sources.function(self.bodies[from as usize].function).module == module;
        let visible = own || self.sources.function(function).exported;
        (visible || self.sources.is_model(function)).then_some(function)
    }

    /// Whether a model's function is the same for all that call it: no variables, nothing but
    /// kinds of data.
    fn is_closed(&mut self, function: FunctionId) -> bool {
        if let Some(&closed) = self.closed_models.get(&function) {
            return closed;
        }
        let data = self.sources.function(function);
        let source = self.sources.source(data.module);
        let tree = &source.tree;
        let mut closed = true;
        for &clause in tree.list(data.clauses) {
            let Kind::Clause { body, .. } = tree.kind(clause) else { continue };
            for &expr in tree.list(body) {
                tree.for_each_below(expr, |node| match tree.kind(node) {
                    Kind::Var(_) | Kind::Fun { .. } | Kind::Receive { .. } => closed = false,
                    Kind::Call { callee, args } => {
                        let is_kind = matches!(tree.kind(callee), Kind::Atom(name)
                            if !source.index.functions.contains((name, args.len))
                                && !name.as_str().starts_with('$'));
                        closed &= is_kind;
                    }
                    _ => {}
                });
            }
        }
        self.closed_models.insert(function, closed);
        closed
    }

    fn call_unknown(&mut self, call: u32, module: Atom, name: Atom, arity: u32) {
        // Every module has `module_info`.
        let is_info = name.as_str() == "module_info" && arity <= 1;
        if crate::models::is_inert(module) || is_info {
            let result = self.calls[call as usize].result;
            self.insert(result, UNKNOWN);
            return;
        }
        let in_program = self
            .sources
            .module(module)
            .is_some_and(|module| (module as usize) < self.sources.own_modules);
        if in_program {
            // There is no such function: the call fails. To a model that is a callback which the
            // module does without.
            if !self.is_model_body(self.calls[call as usize].body) {
                self.unknown_functions.entry((module, name, arity)).or_default().push(call);
                self.call_in_its_place(call, module, name);
            }
            return;
        }
        self.unknown_functions.entry((module, name, arity)).or_default().push(call);
        let site = self.calls[call as usize].clone();
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
            self.include(argument, self.escaped);
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
            result: self.escaped,
            targets: Vec::new(),
            unknown: false,
            ..site
        };
        let calls_back = self.new_call(calls_back);
        self.watch(given, Watch::Callee(calls_back));
    }

    /// A module may have a function that is called in the place of those that it lacks, with the name
    /// and the list of arguments.
    fn call_in_its_place(&mut self, call: u32, module: Atom, name: Atom) {
        let instead = Atom::new("$handle_undefined_function");
        let site = self.calls[call as usize].clone();
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

    pub(crate) fn new_call(&mut self, call: CallSite) -> u32 {
        self.calls.push(call);
        self.calls.len() as u32 - 1
    }

    /// A call whose list of arguments turned out to be this one. Lists of the same length are one
    /// call.
    pub(crate) fn call_with(&mut self, call: u32, args: Vec<VarId>) {
        let key = (call, args.len() as u32);
        let again = match self.calls_by_length.get(&key) {
            Some(&again) => again,
            None => {
                let own = args.iter().map(|_| self.fresh()).collect();
                let again = self.call_again(call, own, NOWHERE);
                self.calls_by_length.insert(key, again);
                again
            }
        };
        for (index, argument) in args.into_iter().enumerate() {
            let to = self.calls[again as usize].args[index];
            self.include(argument, to);
        }
    }

    /// A call with a list of arguments of which only the elements are known.
    pub(crate) fn call_with_any(&mut self, call: u32, any: VarId) {
        let key = (call, u32::MAX);
        let again = match self.calls_by_length.get(&key) {
            Some(&again) => again,
            None => {
                let own = self.fresh();
                let again = self.call_again(call, Vec::new(), own);
                self.calls_by_length.insert(key, again);
                again
            }
        };
        let to = self.calls[again as usize].any_args;
        self.include(any, to);
    }

    fn call_again(&mut self, call: u32, args: Vec<VarId>, any_args: VarId) -> u32 {
        let site = CallSite {
            args,
            any_args,
            targets: Vec::new(),
            unknown: false,
            ..self.calls[call as usize].clone()
        };
        let (callee, module, name) = (site.callee, site.module, site.name);
        let again = self.new_call(site);
        self.watch_callee(again, callee, module, name);
        again
    }

    pub(crate) fn watch_callee(&mut self, call: u32, callee: VarId, module: VarId, name: VarId) {
        self.watch(callee, Watch::Callee(call));
        self.watch(module, Watch::CallName(call));
        if name != module {
            self.watch(name, Watch::CallName(call));
        }
    }

    /// A fun that is made of names: `fun M:F/A`.
    pub(crate) fn fire_fun_name(&mut self, maker: u32) {
        let FunMaker { body, module, name, arity, result } = self.fun_makers[maker as usize];
        let (modules, names, arities) =
            (self.done_items(module), self.done_items(name), self.done_items(arity));
        for &module in &modules {
            for &name in &names {
                for &arity in &arities {
                    match (self.values.get(module), self.values.get(name), self.values.get(arity)) {
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
    pub(crate) fn fun_value(&mut self, module: Atom, name: Atom, arity: u32, from: u32) -> ValueId {
        match self.function_named(module, name, arity, from) {
            Some(function) if !self.sources.is_model(function) => {
                let body = self.named_body(function, 0);
                self.values.number(Value::Fun(body))
            }
            _ => self.values.number(Value::External(module, name, arity)),
        }
    }
}
