//! The callbacks of behaviours: those of OTP are known, others are read from their modules when
//! first asked for.
//!
//! A behaviour that can only say what it wants by running (`behaviour_info/1`) is not known.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use atom::Atom;
use rustc_hash::FxHashMap;

use crate::check;
use crate::index::{ModuleIndex, NameArity, Table};
use crate::library::LibraryModules;
use crate::lint::{Behaviour, BehaviourLookup, Interfaces, of_otp};
use crate::project::Unit;

/// Behaviours among the modules of a program and in a library.
pub struct BehaviourReader {
    units: FxHashMap<Atom, Unit>,
    known: Mutex<FxHashMap<Atom, BehaviourLookup>>,
    library: Option<LibraryModules>,
}

impl BehaviourReader {
    /// Behaviours among the units of a program, and in the libraries around it.
    pub fn new(units: &[Unit]) -> BehaviourReader {
        let library = units.first().map(|unit| LibraryModules::new(unit.files.clone()));
        let by_name = units.iter().filter_map(|unit| Some((stem(&unit.path)?, unit.clone())));
        BehaviourReader { units: by_name.collect(), known: Mutex::default(), library }
    }

    fn read(&self, name: Atom) -> BehaviourLookup {
        let own = self.units.get(&name).cloned();
        // Looking for modules outside the program takes longer than reading most programs.
        if own.is_none()
            && let known @ BehaviourLookup::Found(_) = of_otp(name)
        {
            return known;
        }
        let candidates = match (own, &self.library) {
            (Some(unit), _) => vec![unit],
            (None, Some(library)) => library.find(name),
            (None, None) => Vec::new(),
        };
        let Some(module) = candidates.iter().find_map(|unit| check::read(unit).ok()) else {
            return BehaviourLookup::NotKnown;
        };
        let index = ModuleIndex::of(&module);
        let names =
            |table: &Table<NameArity, _>| table.iter().map(|(name, _)| name).collect::<Vec<_>>();
        let behaviour_info = (Atom::new("behaviour_info"), 1);
        if index.callbacks.is_empty() && index.functions.contains(behaviour_info) {
            // An old way to say it, which only running it can answer.
            return BehaviourLookup::NotKnown;
        }
        if index.callbacks.is_empty() {
            return BehaviourLookup::NoBehaviour;
        }
        BehaviourLookup::Found(Behaviour {
            callbacks: names(&index.callbacks),
            optional: names(&index.optional_callbacks),
        })
    }
}

impl Interfaces for BehaviourReader {
    fn behaviour(&self, module: Atom) -> BehaviourLookup {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&module) {
            return known.clone();
        }
        // Not held while reading: two threads may read the same module, to the same result.
        drop(known);
        let found = self.read(module);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(module, found.clone());
        found
    }
}

pub(crate) fn stem(path: &Path) -> Option<Atom> {
    Some(Atom::new(path.file_stem()?.to_str()?))
}
