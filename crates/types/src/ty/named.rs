//! Declared types by their names, opened when somebody looks into them.
//!
//! A type may hold itself, so nothing that *makes* types opens names: a union of names and of
//! other terms stays a list ([`What::Union`]). What *asks* (meets, order, membership) opens one
//! name at a time; [`Definitions::open`] goes through names for names without opening any other.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use atom::Atom;

use super::Type;

/// Who knows what declared types stand for.
pub trait Definitions: Send + Sync {
    /// What a name stands for, arguments put in: terms, other names, or a union of both. `None`
    /// if it is not known.
    fn open(&self, what: &What) -> Option<Type>;

    /// The name itself: the same one each time, so that it is opened once.
    fn named(&self, what: What) -> Type;
}

/// What a name is a name of.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum What {
    /// A declared type, applied to arguments.
    Type { module: Atom, name: Atom, args: Box<[Type]>, opaque: bool },
    /// A record of a module, with fields as its definition says.
    Record { module: Atom, name: Atom },
    /// Several of them; one at most is no name.
    Union(Box<[Type]>),
}

/// A declared type.
pub struct Named {
    pub what: What,
    definitions: Option<Arc<dyn Definitions>>,
    /// What it was declared as, which may be other names.
    declared: OnceLock<Type>,
    /// The terms of all names that it leads to.
    body: OnceLock<Type>,
}

thread_local! {
    /// How many names are being opened inside each other.
    static OPENING: Cell<u32> = const { Cell::new(0) };
}

/// Names that hold themselves as a key of a map, say, are not looked into further than this.
const MOST_OPENING: u32 = 24;
/// Names in one union.
const MOST_NAMES: usize = 64;
/// Names for names.
const MOST_ALIASES: usize = 1000;

impl Named {
    pub fn new(definitions: Arc<dyn Definitions>, what: What) -> Named {
        Named::unopened(what, Some(definitions))
    }

    fn unopened(what: What, definitions: Option<Arc<dyn Definitions>>) -> Named {
        Named { what, definitions, declared: OnceLock::new(), body: OnceLock::new() }
    }

    /// What it was declared as: `any()` if nobody knows.
    fn declared(&self) -> &Type {
        if let Some(declared) = self.declared.get() {
            return declared;
        }
        // Outside of the lock: to read it, it may have to be looked into.
        let known = self.definitions.as_ref().and_then(|known| known.open(&self.what));
        self.declared.get_or_init(|| known.unwrap_or(Type::Any))
    }

    /// The module that it is opaque outside of, if it is; also where it is another name for such a
    /// type.
    pub fn opaque_in(&self) -> Option<Atom> {
        let mut named = self;
        for _ in 0..MOST_ALIASES {
            match &named.what {
                What::Type { module, opaque: true, .. } => return Some(*module),
                What::Type { .. } => {}
                _ => return None,
            }
            let Type::Named(next) = named.declared() else { return None };
            named = next;
        }
        None
    }

    /// What it stands for: terms by their kinds, `any()` or none.
    pub fn body(&self) -> &Type {
        if let Some(body) = self.body.get() {
            return body;
        }
        let depth = OPENING.get();
        if depth >= MOST_OPENING {
            return &Type::Any;
        }
        OPENING.set(depth + 1);
        let body = self.terms();
        OPENING.set(depth);
        self.body.get_or_init(|| body)
    }

    /// The terms of all names that it leads to. One that leads back to itself adds nothing.
    fn terms(&self) -> Type {
        let mut seen: Vec<&Named> = Vec::new();
        let mut open = vec![self];
        let mut joined = Type::None;
        while let Some(named) = open.pop() {
            if seen.iter().any(|&other| std::ptr::eq(other, named) || other == named) {
                continue;
            }
            if seen.len() > MOST_ALIASES {
                return Type::Any;
            }
            seen.push(named);
            let members = match &named.what {
                What::Union(members) => members,
                _ => std::slice::from_ref(named.declared()),
            };
            for member in members {
                match member {
                    Type::Named(named) => open.push(named),
                    Type::Var(_) => return Type::Any,
                    other => joined = joined.join(other),
                }
            }
        }
        joined
    }

    /// The same kind of name with every type in it changed.
    pub(super) fn map(self: &Arc<Named>, mut change: impl FnMut(&Type) -> Type) -> Type {
        match &self.what {
            What::Record { .. } => Type::Named(Arc::clone(self)),
            What::Type { args, .. } if args.is_empty() => Type::Named(Arc::clone(self)),
            What::Type { module, name, args, opaque } => {
                let changed: Box<[Type]> = args.iter().map(change).collect();
                if changed == *args {
                    return Type::Named(Arc::clone(self));
                }
                let (module, name, opaque) = (*module, *name, *opaque);
                let what = What::Type { module, name, args: changed, opaque };
                match &self.definitions {
                    Some(definitions) => definitions.named(what),
                    None => Type::Named(Arc::new(Named::unopened(what, None))),
                }
            }
            What::Union(members) => {
                members.iter().fold(Type::None, |joined, member| joined.join(&change(member)))
            }
        }
    }

    /// The types that are written inside it.
    pub(super) fn inner(&self) -> &[Type] {
        match &self.what {
            What::Record { .. } => &[],
            What::Type { args, .. } => args,
            What::Union(members) => members,
        }
    }
}

/// The union of two types of which one is a name or a variable.
pub(super) fn union(a: &Type, b: &Type) -> Type {
    let mut members: Vec<Type> = Vec::new();
    let mut plain = Type::None;
    for ty in [a, b] {
        let one = std::slice::from_ref(ty);
        let all = match ty {
            Type::Named(named) => match &named.what {
                What::Union(members) => members,
                _ => one,
            },
            _ => one,
        };
        for member in all {
            match member {
                Type::Named(_) | Type::Var(_) => {
                    if !members.contains(member) {
                        members.push(member.clone());
                    }
                }
                terms => plain = plain.join(terms),
            }
        }
    }
    if members.len() > MOST_NAMES || plain == Type::Any {
        return Type::Any;
    }
    if plain != Type::None {
        members.push(plain);
    }
    if members.len() == 1 {
        return members.remove(0);
    }
    Type::Named(Arc::new(Named::unopened(What::Union(members.into()), None)))
}

impl PartialEq for Named {
    fn eq(&self, other: &Named) -> bool {
        self.what == other.what
    }
}

impl Eq for Named {}

impl Hash for Named {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.what.hash(state);
    }
}

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let copy = Named::unopened(self.what.clone(), self.definitions.clone());
        write!(f, "{}", Type::Named(Arc::new(copy)))
    }
}
