//! Functions with a meaning of their own: the builtins that end or name a process's activity, and
//! the vocabulary in which models are written.
//!
//! In a model a bare call of a function that the model does not define is one of these:
//!
//! | call | means |
//! | --- | --- |
//! | `any()`, `atom()`, `number()`, `binary()`, `boolean()`, `string()` | some term of that kind |
//! | `either(A, B, …)` | one of the arguments |
//! | `list(X)` | a list of any length with elements from `X` |
//! | `tuple(X)` | a tuple of any size with elements from `X` |
//! | `fields(T)` | an element of a tuple |
//! | `tuples(X)` | `X` where it is a tuple |
//! | `'$element'(N, T)` | `element(N, T)` |
//! | `'$apply'(F, Args)`, `'$apply'(M, F, Args)` | a call with a list of arguments |
//! | `'$spawn'(F)`, `'$spawn'(M, F, Args)` | a new process |
//! | `'$fun'(M, F, A)` | `fun M:F/A` |
//! | `'$link'(Pid)`, `'$monitor'(Pid, Ref)`, `'$trap'()` | exit and down messages |
//! | `'$end'(Pid, Reason)` | a process may end for a reason |
//! | `'$behaving'(B)` | a module of the program with a behaviour |
//! | `'$named'(P, X)` | `X` if `P` may be the name of a process |
//! | `'$ref'()` | a new reference |
//! | `'$put'(Space, Key, Value)`, `'$get'(Space, Key)` | a table that all processes share |

use atom::{Atom, known};
use syntax::ast::NodeId;

use crate::analysis::Analysis;
use crate::constraints::{
    BodyId, CallKind, CallSite, ERROR, EXIT, Process, ProcessId, THROW, ThrowSite,
};
use crate::generate::Generator;
use crate::sources::Site;
use crate::values::{ANY_ATOM, BINARY, Hold, NOWHERE, NUMBER, UNKNOWN, Value, ValueId, VarId};
use crate::watches::{ArgumentWalk, CellAccess, Connection, ElementRead, Watch};

/// The largest tuple that `list_to_tuple` is taken to make.
const LARGEST_TUPLE: usize = 12;

impl Generator<'_, '_> {
    /// The builtins that end the evaluation of a body, and `self`.
    pub(crate) fn builtin(&mut self, node: NodeId, name: Atom, args: &[VarId]) -> Option<VarId> {
        match (name.as_str(), args) {
            ("self", []) => {
                self.a.constraints.revealing.insert(self.body);
                Some(self.a.constraints.bodies[self.body].processes)
            }
            ("throw", &[reason]) => self.throw(node, THROW, reason),
            ("exit", &[reason]) => self.throw(node, EXIT, reason),
            ("error", &[reason, ..]) if args.len() <= 3 => self.throw(node, ERROR, reason),
            ("raise", &[class, reason, _]) => {
                let literal = self.a.solution.vars[class].constant;
                let class = literal.then(|| self.a.items(class).first().copied()).flatten();
                match class.map(|class| self.a.value(class)) {
                    Some(Value::Atom(known::THROW)) => self.throw(node, THROW, reason),
                    Some(Value::Atom(name)) if name.as_str() == "error" => {
                        self.throw(node, ERROR, reason)
                    }
                    Some(Value::Atom(name)) if name.as_str() == "exit" => {
                        self.throw(node, EXIT, reason)
                    }
                    _ => {
                        self.throw(node, THROW, reason);
                        self.throw(node, ERROR, reason);
                        self.throw(node, EXIT, reason)
                    }
                }
            }
            _ => None,
        }
    }

    /// Nothing comes back from raising an exception.
    fn throw(&mut self, node: NodeId, class: usize, reason: VarId) -> Option<VarId> {
        let (body, handler) = (self.body, self.handler);
        self.a.constraints.throws.push(ThrowSite { body, node, class, reason, handler });
        self.a.include(reason, self.raises[class]);
        Some(self.a.fresh())
    }

    fn constant_of(&mut self, value: ValueId) -> VarId {
        self.a.constant(value)
    }

    /// A call in a model that is none of the model's own functions.
    pub(crate) fn primitive(&mut self, node: NodeId, name: Atom, args: &[VarId]) -> VarId {
        match (name.as_str(), args) {
            ("any", []) => self.constant_of(UNKNOWN),
            ("atom", []) => self.constant_of(ANY_ATOM),
            ("number", []) => self.constant_of(NUMBER),
            ("binary", []) => self.constant_of(BINARY),
            ("boolean", []) => self.boolean(),
            ("string", []) => self.a.constraints.strings,
            ("either", args) => {
                let result = self.a.fresh();
                for &argument in args {
                    self.a.include(argument, result);
                }
                result
            }
            ("list", &[elements]) => self.a.solution.any_list_of(elements),
            ("tuple", &[elements]) => {
                let result = self.a.fresh();
                for arity in 0..=LARGEST_TUPLE {
                    let tuple = self.a.tuple_of(&vec![elements; arity]);
                    self.a.include(tuple, result);
                }
                result
            }
            ("fields", &[tuple]) => {
                let result = self.a.fresh();
                self.a.watch(tuple, Watch::TupleAll(result));
                result
            }
            ("tuples", &[from]) => {
                let result = self.a.fresh();
                self.a.watch(from, Watch::Tuples(result));
                result
            }
            ("$element", &[position, tuple]) => {
                let result = self.a.fresh();
                let read = self.a.constraints.accesses.element_reads.push(ElementRead {
                    position,
                    tuple,
                    result,
                });
                self.a.watch(position, Watch::Element(read));
                self.a.watch(tuple, Watch::Element(read));
                result
            }
            ("$apply", &[callee, list]) => {
                let site = self.call_site(node, CallKind::HigherOrder);
                self.apply(CallSite { callee, ..site }, list)
            }
            ("$apply", &[module, name, list]) => {
                let site = self.call_site(node, CallKind::HigherOrder);
                self.apply(CallSite { module, name, ..site }, list)
            }
            ("$spawn", &[callee]) => {
                let (process, pid) = self.process(node);
                let site = self.call_site(node, CallKind::Spawn(process));
                let call = self.a.new_call(CallSite { callee, ..site });
                self.a.watch_callee(call, callee, NOWHERE, NOWHERE);
                pid
            }
            ("$spawn", &[module, name, list]) => {
                let (process, pid) = self.process(node);
                let site = self.call_site(node, CallKind::Spawn(process));
                self.apply(CallSite { module, name, ..site }, list);
                pid
            }
            ("$fun", &[module, name, arity]) => self.fun_of_names(module, name, arity),
            ("$link", &[other]) => self.connect(other, NOWHERE),
            ("$monitor", &[other, reference]) => self.connect(other, reference),
            ("$end", &[process, reason]) => {
                let ended = self.a.fresh_keeping();
                self.a.watch(process, Watch::Pids(ended));
                self.a.watch(ended, Watch::End(reason));
                self.a.atom(known::TRUE)
            }
            ("$named", &[process, value]) => {
                let result = self.a.fresh();
                self.a.watch(process, Watch::Named { from: value, to: result });
                result
            }
            ("$behaving", &[behaviour]) => self.modules_behaving(behaviour),
            ("$trap", []) => {
                let processes = self.a.constraints.bodies[self.body].processes;
                self.a.watch(processes, Watch::Trap);
                self.boolean()
            }
            ("$ref", []) => {
                let reference = self.a.constraints.reference_at(self.body, node);
                let value = self.a.number(Value::Ref(reference));
                self.a.constant(value)
            }
            ("$put", &[space, key, value]) => {
                self.access(space, key, value, NOWHERE);
                self.constant_of(UNKNOWN)
            }
            ("$get", &[space, key]) => {
                let result = self.a.fresh();
                self.access(space, key, NOWHERE, result);
                result
            }
            _ => {
                debug_assert!(false, "a model uses an unknown primitive: {name}/{}", args.len());
                self.constant_of(UNKNOWN)
            }
        }
    }

    /// The names of the program's modules that are of a behaviour.
    fn modules_behaving(&mut self, behaviour: VarId) -> VarId {
        let result = self.a.fresh();
        let behaviour = self.a.items(behaviour).first().map(|&name| self.a.value(name));
        if let Some(Value::Atom(behaviour)) = behaviour {
            let own = self.a.sources.own_modules().map(|(_, source)| source);
            let fits = own
                .filter(|source| source.index.behaviours.iter().any(|(name, _)| name == behaviour));
            let names: Vec<Atom> = fits.map(|source| source.name).collect();
            for name in names {
                let name = self.a.number(Value::Atom(name));
                self.a.insert(result, name);
            }
        }
        result
    }

    fn apply(&mut self, site: CallSite, list: VarId) -> VarId {
        let result = self.a.fresh();
        let call = self.a.new_call(CallSite { result, ..site });
        let walk = self.a.constraints.accesses.walks.push(ArgumentWalk {
            call,
            heads: Vec::new(),
            path: Vec::new(),
        });
        self.a.watch(list, Watch::Arguments(walk));
        result
    }

    /// The process that a place starts, and its pid.
    fn process(&mut self, node: NodeId) -> (ProcessId, VarId) {
        let site = self.a.site_of(self.body, node);
        let key = (site.ok_or(self.instance), self.module, node);
        let process = match self.a.constraints.process_started(key) {
            Some(process) => {
                let bodies = &mut self.a.constraints.processes[process].bodies;
                if !bodies.contains(&self.body) {
                    bodies.push(self.body);
                }
                process
            }
            None => {
                let process = self.a.new_process(site, Some(self.body));
                self.a.constraints.add_process_started(key, process);
                process
            }
        };
        let pid = self.a.number(Value::Pid(process));
        (process, self.a.constant(pid))
    }

    fn connect(&mut self, other: VarId, reference: VarId) -> VarId {
        let to = self.a.fresh_keeping();
        self.a.watch(other, Watch::Pids(to));
        self.a.constraints.revealing.insert(self.body);
        let from = self.a.constraints.bodies[self.body].processes;
        let messages = self.a.fresh();
        let connection = self.a.constraints.accesses.connections.push(Connection {
            from,
            to,
            reference,
            messages,
            others: None,
        });
        self.a.watch(from, Watch::Connect(connection));
        self.a.watch(to, Watch::Connect(connection));
        if reference == NOWHERE { self.a.atom(known::TRUE) } else { reference }
    }

    fn access(&mut self, space: VarId, key: VarId, write: VarId, read: VarId) {
        let space = self.a.items(space).first().map(|&space| self.a.value(space));
        let Some(Value::Atom(space)) = space else { return };
        let access = self.a.constraints.accesses.cells.push(CellAccess { space, write, read });
        self.a.watch(key, Watch::CellKey(access));
    }
}

impl Analysis<'_> {
    pub(crate) fn new_process(&mut self, site: Option<Site>, body: Option<BodyId>) -> ProcessId {
        let exit = self.fresh();
        // Who links to a process that is gone is told so, too.
        for reason in [known::NORMAL, known::NOPROC] {
            let reason = self.atom(reason);
            self.include(reason, exit);
        }
        let mailbox = self.solution.fresh_held(Hold::Messages);
        self.constraints.processes.push(Process {
            site,
            goes_on: false,
            bodies: body.into_iter().collect(),
            entries: Vec::new(),
            mailbox,
            exit,
            traps: false,
            exit_message: NOWHERE,
            links: Vec::new(),
            told: Vec::new(),
        })
    }
}
