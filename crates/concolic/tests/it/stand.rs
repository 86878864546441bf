//! A node on which calls of one program run, watched or not.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use concolic::entry::Call;
use concolic::natives;
use concolic::search::{Options, Search, Searched, Subject};
use concolic::shadow::Shadow;
use inputs::Input;
use machine::observe::{Event, Instr, Interest, Mark, Moment, Observer};
use machine::world::Sealed;
use machine::{Ending, Machine, State, Term};
use program::{LoadOptions, Program};
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::InTurn;
use types::Type;
use types::declared::Declarations;

/// What runs reach and how they fail: clauses and conditions, and reasons with their lines.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) branches: BTreeSet<(u32, u32, String)>,
    pub(crate) errors: BTreeSet<(String, String, u32)>,
}

/// Keeps the marks that are reached, and tells a shadow of all else.
struct Watcher {
    reached: RefCell<BTreeSet<(u32, u32, String)>>,
    shadow: Option<Rc<Shadow>>,
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        match &self.shadow {
            Some(shadow) => shadow.interest().and(Interest::NODES),
            None => Interest::NODES,
        }
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        if let Some(shadow) = &self.shadow {
            shadow.event(moment, event);
        }
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        if let Some(place) = moment.site().and_then(|site| moment.code.describe(site)) {
            let mark = format!("{mark:?}");
            self.reached.borrow_mut().insert((place.line, place.column, mark));
        }
    }

    fn instruction(&self, moment: &Moment<'_>, instr: &Instr) {
        if let Some(shadow) = &self.shadow {
            shadow.instruction(moment, instr);
        }
    }
}

pub(crate) struct Stand {
    program: Arc<Program>,
    loader: Rc<ProgramLoader>,
    machine: Machine,
    start: State,
    pub(crate) module: Atom,
}

impl Stand {
    /// With the module of a file.
    pub(crate) fn new(path: PathBuf, module: &str) -> Stand {
        let options = LoadOptions { without_otp: true, without_lint: true, ..Default::default() };
        let program = Arc::new(Program::load(&[path], &options).expect("a program"));
        let loader = ProgramLoader::new(Arc::clone(&program), Prefer::Embedded);
        loader.mark_own();
        let module = Atom::new(module);
        let symbolic = Atom::new(natives::MODULE);
        loader.add_source(symbolic, natives::TEXT);
        let loader = Rc::new(loader);
        let world = Rc::new(Sealed::default());
        let mut machine = run::boot(Rc::clone(&loader) as _, world).expect("the node starts");
        assert!(machine.ensure_loaded(module), "{:?}", loader.problems());
        assert!(machine.ensure_loaded(symbolic));
        let start = machine.copy_state();
        Stand { program, loader, machine, start, module }
    }

    /// From now on natives run as Erlang code.
    pub(crate) fn follow_natives(&mut self) {
        natives::follow(&mut self.machine);
    }

    /// The spec of a function.
    pub(crate) fn types(&self, name: &str, arity: u32) -> Vec<Type> {
        let declarations = Declarations::new(Arc::clone(&self.program));
        let contract = declarations.contract(self.module, (Atom::new(name), arity));
        contract.map_or_else(Vec::new, |contract| {
            inputs::Shape::of_contract(&contract).iter().map(inputs::Shape::ground).collect()
        })
    }

    /// Runs a call and adds what it reaches.
    fn run(
        &mut self,
        name: &str,
        input: &Input,
        seen: &mut Seen,
        shadow: Option<(&Rc<Shadow>, Option<solver::ExprId>)>,
    ) -> Ending {
        self.machine.go_back(&self.start);
        let Input::Tuple(args) = input else { panic!("arguments are a tuple") };
        let args: Vec<Term> = args.iter().map(Input::on_paper).collect();
        let call = vec![Term::from(self.module), Term::atom(name), Term::list(args)];
        let watcher = Rc::new(Watcher {
            reached: RefCell::default(),
            shadow: shadow.map(|(shadow, _)| Rc::clone(shadow)),
        });
        let pid = self.machine.spawn(Atom::new("erlscope_ask"), Atom::new("call"), call);
        if let Some((shadow, list)) = shadow {
            shadow.begin(pid, vec![None, None, list]);
        }
        self.machine.keep_quiet_about(pid);
        self.machine.observe(Some(Rc::clone(&watcher) as _));
        let limits = Limits { steps: Some(100_000), ..Limits::default() };
        let end = run::run_process(&mut self.machine, pid, &mut InTurn, &limits);
        self.machine.observe(None);
        seen.branches.append(&mut watcher.reached.borrow_mut());
        if let Ending::Raised(crash) = &end {
            let is_own = |module| self.loader.is_own(module);
            let line = run::place_of_crash(&self.machine, crash, &is_own).map_or(0, |at| at.line);
            let class = crash.class.atom().to_string();
            seen.errors.insert((class, tag(&crash.reason), line));
        }
        end
    }

    /// Every one of these inputs is run.
    pub(crate) fn enumerate(&mut self, name: &str, inputs: &[Input]) -> Seen {
        let mut seen = Seen::default();
        for input in inputs {
            self.run(name, input, &mut seen, None);
        }
        seen
    }

    /// Paths are searched for.
    pub(crate) fn search(&mut self, call: &Call, options: &Options) -> (Searched, Seen) {
        let module = self.module;
        let shadow = Rc::new(Shadow::new(2000, Box::new(move |other| other == module)));
        let types = self.types(call.name.as_str(), call.args.len() as u32);
        let (subject, list) = shadow.with(|exprs| {
            let subject = Subject::of(exprs, call, &types);
            let list = subject.list(exprs);
            (subject, list)
        });
        let mut seen = Seen::default();
        let name = call.name.as_str();
        let watched = Rc::clone(&shadow);
        let searched =
            Search::new(&shadow, subject, Vec::new(), options.clone()).run(&mut |input| {
                self.run(name, input, &mut seen, Some((&watched, list)));
                Some(vec![watched.end()])
            });
        (searched, seen)
    }
}

/// A reason without its values.
fn tag(reason: &Term) -> String {
    match reason.as_tuple().and_then(<[Term]>::first) {
        Some(first) => tag(first),
        None => term::print::to_string(reason),
    }
}
