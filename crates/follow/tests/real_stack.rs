//! The shadow stack against the Machine's own, at every event and mark of whole programs under
//! several schedules. The Machine's frames say which function runs in each of them and where it
//! called the next; so, found by looking down the stack every time:
//!
//! * each frame of the shadow runs that function, and there are as many;
//! * code outside acts for the first place of the program further down, unless a call in tail
//!   position took that place away; if there is none, for who started the process;
//! * the activations that are in frames are those that were entered and not left, and each is left
//!   once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use code::instr::Pc;
use follow::{Acting, ActivationId, Entering, Follower, Frame, How, Role, Shadow, Stack, What};
use machine::code_space::CodeSpace;
use machine::observe::{Interest, Mark, Moment, Site};
use machine::world::Sealed;
use program::{LoadOptions, Program};
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::{InTurn, Scheduler, Shuffled};

/// Compares.
struct Oracle {
    name: String,
    own: BTreeSet<Atom>,
    there: BTreeSet<ActivationId>,
    entered: usize,
    frames: usize,
    times: usize,
    /// Whom code outside acts for, and how often that could not be told from the stack.
    on_behalf: usize,
    replaced: usize,
}

/// The activations that are in one frame: the last one, and those whose place it took.
type Chain = Vec<ActivationId>;

/// So many frames are looked at each time.
const FEW: usize = 8;

/// The functions of the Machine's frames, innermost first, by their beginnings.
fn real<'m>(moment: &'m Moment<'_>, most: usize) -> impl Iterator<Item = Option<Pc>> + 'm {
    let frames = moment.process.map(|process| &process.frames[..]).unwrap_or_default();
    let callers = frames.iter().rev().map(|frame| Some(frame.pc - 1));
    let places = std::iter::once(moment.pc()).chain(callers).take(most);
    places.map(|pc| moment.code.function_at(pc?).map(|function| function.start))
}

impl Oracle {
    fn is_own(&self, code: &CodeSpace, site: Site) -> bool {
        self.own.contains(&code.modules[site.module as usize].name)
    }

    /// The stack is as deep as the Machine's but for `missing` frames, and the same functions run.
    fn compare(&mut self, moment: &Moment<'_>, stack: &Stack<Oracle>, missing: usize) {
        let depth = moment.depth();
        assert_eq!(stack.frames().len() + missing, depth + 1, "{}: depth", self.name);
        // All of them now and then, and those further up always: there are deep recursions.
        self.times += 1;
        let most = if self.times.is_multiple_of(20_000) { depth + 1 } else { FEW };
        let (real, ours) = (real(moment, most), stack.frames().iter().rev());
        for (frame, real) in ours.zip(real.skip(missing)) {
            if frame.entry.is_some() {
                assert_eq!(frame.entry, real, "{}: below {depth}", self.name);
                self.frames += 1;
            }
        }
    }

    /// Whom a process acts for, by looking down its stack.
    fn look_down(&mut self, moment: &Moment<'_>, stack: &Stack<Oracle>, by: Option<Acting<Site>>) {
        let own = |site: Site| self.is_own(moment.code, site);
        if moment.site().is_none_or(own) {
            return;
        }
        let frames = moment.process.map(|process| &process.frames[..]).unwrap_or_default();
        let mut below = stack.frames().iter().rev();
        let mut is_replaced = below.next().is_some_and(Frame::replaces);
        let mut found = None;
        for frame in frames.iter().rev().take(200) {
            let (Some(site), Some(shadow)) = (moment.code.site(frame.pc - 1), below.next()) else {
                break;
            };
            if own(site) {
                let activation = shadow.running().map(|active| active.id);
                found = Some((activation, site));
                break;
            }
            is_replaced |= shadow.replaces();
        }
        if found.is_none() && frames.len() > 200 {
            return;
        }
        if is_replaced {
            self.replaced += 1;
            return;
        }
        self.on_behalf += 1;
        match (found, by) {
            (Some((activation, place)), by) => {
                let by = by.expect("somebody is known");
                assert_eq!(by.role, Role::Called, "{}", self.name);
                assert_eq!((by.spot.activation, by.spot.place), (activation, place));
            }
            (None, Some(by)) => assert_eq!(by.role, Role::Began, "{}", self.name),
            (None, None) => assert!(stack.spawned_at.is_none(), "{}", self.name),
        }
    }

    fn check(&mut self, shadow: &mut Shadow<Oracle>, moment: &Moment<'_>, missing: usize) {
        let Some(pid) = moment.pid() else { return };
        let by = shadow.acting(self, moment);
        let stack = shadow.stack(pid);
        self.compare(moment, stack, missing);
        if missing == 0 {
            self.look_down(moment, stack, by);
        }
    }

    fn left<'f>(&mut self, frames: impl IntoIterator<Item = &'f Frame<Oracle>>) {
        for active in frames.into_iter().filter_map(|frame| frame.active.as_ref()) {
            assert_eq!(active.data.first(), Some(&active.first), "{}", self.name);
            assert_eq!(active.data.last(), Some(&active.id), "{}", self.name);
            for id in &active.data {
                assert!(self.there.remove(id), "{}: {id:?} is left twice", self.name);
            }
        }
    }
}

impl Follower for Oracle {
    type Place = Site;
    type Activation = Chain;
    type Process = ();
    type Sent = ();

    fn interest(&self) -> Interest {
        Interest::ALL
    }

    fn place(&mut self, code: &CodeSpace, site: Site) -> Option<Site> {
        self.is_own(code, site).then_some(site)
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow<Oracle>,
        moment: &Moment<'_>,
        call: &Entering<'_, Site>,
    ) -> Option<Chain> {
        if let How::Call | How::Tail = call.how {
            self.check(shadow, moment, 0);
        }
        self.entered += 1;
        assert!(self.there.insert(call.id));
        Some(vec![call.id])
    }

    fn replaces(new: &mut Chain, old: Chain) {
        let own = std::mem::replace(new, old);
        new.extend(own);
    }

    fn happens(
        &mut self,
        shadow: &mut Shadow<Oracle>,
        moment: &Moment<'_>,
        what: What<'_, Oracle>,
    ) {
        match what {
            What::Return { left, .. } => {
                self.left([&left]);
                self.check(shadow, moment, 1);
            }
            What::Catch { left, .. } => {
                self.left(&left);
                self.check(shadow, moment, 0);
            }
            What::Exit { left, .. } | What::Vanish { left } => self.left(&left),
            // The caller of a builtin may be off the Machine's stack, and is on ours until the
            // handler is known.
            What::Raise { .. } => {}
            What::Outside { how: How::Begin | How::Wake, .. } => {}
            // What begins has not begun, what ended has no frames.
            _ if moment.site().is_none() => {}
            What::Other(_) => {}
            _ => self.check(shadow, moment, 0),
        }
    }

    fn mark(&mut self, shadow: &mut Shadow<Oracle>, moment: &Moment<'_>, _: Mark) {
        self.check(shadow, moment, 0);
    }
}

fn programs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runner/tests/programs");
    let entries = std::fs::read_dir(dir).expect("the programs are there");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    // Calls that `$handle_undefined_function` gets are not told.
    paths.retain(|path| !path.ends_with("undefined_instead.erl"));
    paths.sort();
    paths
}

/// Runs `main/0` of a program under a scheduler, and what was compared.
fn follow(path: &Path, scheduler: &mut dyn Scheduler) -> Oracle {
    let options = LoadOptions { without_otp: true, without_lint: true, ..LoadOptions::default() };
    let program = Arc::new(Program::load(&[path.to_owned()], &options).expect("it is read"));
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let oracle = Oracle {
        own: BTreeSet::from([Atom::new(&name)]),
        name: name.clone(),
        there: BTreeSet::new(),
        entered: 0,
        frames: 0,
        times: 0,
        on_behalf: 0,
        replaced: 0,
    };
    let loader = ProgramLoader::new(program, Prefer::Embedded);
    loader.mark_own();
    run::entry(&loader, &format!("{name}:main()")).expect("a call");
    let world = Rc::new(Sealed::default());
    let mut machine = run::boot(Rc::new(loader), world).expect("the node starts");
    let watcher = Rc::new(follow::Watcher::new(oracle));
    machine.observe(Some(watcher.clone()));
    let limits = Limits { steps: Some(300_000), ..Limits::default() };
    run::run(&mut machine, scheduler, &limits);
    machine.observe(None);
    let in_frames = watcher.shadow(|shadow| {
        let stacks = shadow.stacks().flat_map(|(_, stack)| stack.frames());
        let active = stacks.filter_map(|frame| frame.active.as_ref());
        active.flat_map(|active| active.data.clone()).collect::<BTreeSet<ActivationId>>()
    });
    watcher.look(|oracle| assert_eq!(in_frames, oracle.there, "{name}"));
    drop(machine);
    Rc::into_inner(watcher).expect("nobody watches any more").into_follower()
}

#[test]
fn the_shadow_is_the_real_stack() {
    let (mut entered, mut frames, mut on_behalf, mut replaced) = (0, 0, 0, 0);
    for path in programs() {
        let schedulers: [Box<dyn Scheduler>; 2] = [Box::new(InTurn), Box::new(Shuffled::new(1))];
        for mut scheduler in schedulers {
            let oracle = follow(&path, &mut *scheduler);
            entered += oracle.entered;
            frames += oracle.frames;
            on_behalf += oracle.on_behalf;
            replaced += oracle.replaced;
        }
    }
    println!(
        "{entered} activations, {frames} frames compared, whom code outside acts for {on_behalf} times \
         and {replaced} times not because it took somebody's place"
    );
    assert!(entered > 100_000 && frames > 1_000_000 && on_behalf > 50_000);
}
