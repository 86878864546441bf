//! Who may use what.

use crate::tree::Flags;

use super::lookup::Env;
use super::types::TypeKind;
use super::{ClassId, World};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Public,
    Protected,
    Package,
    Private,
}

impl Access {
    pub(super) fn of(flags: Flags) -> Access {
        if flags.has(Flags::PUBLIC) {
            Access::Public
        } else if flags.has(Flags::PROTECTED) {
            Access::Protected
        } else if flags.has(Flags::PRIVATE) {
            Access::Private
        } else {
            Access::Package
        }
    }
}

impl World {
    fn outermost(&self, mut class: ClassId) -> ClassId {
        while let Some(outer) = self.class(class).outer {
            class = outer;
        }
        class
    }

    fn package_of(&self, class: ClassId) -> atom::Atom {
        self.files[self.class(class).file.0 as usize].package
    }

    /// Whether a member of a class may be named in a place.
    pub(super) fn is_accessible(&mut self, env: &Env, owner: ClassId, access: Access) -> bool {
        let Some(from) = env.class else { return access != Access::Private };
        match access {
            Access::Public => true,
            Access::Private => self.outermost(from) == self.outermost(owner),
            Access::Package => self.package_of(from) == self.package_of(owner),
            Access::Protected => {
                if self.package_of(from) == self.package_of(owner) {
                    return true;
                }
                let mut class = Some(from);
                while let Some(id) = class {
                    let this = self.this_type(id);
                    if self.as_super(this, owner).is_some() {
                        return true;
                    }
                    class = self.class(id).outer;
                }
                false
            }
        }
    }

    /// Whether a class has a member class of a supertype as its own.
    pub(super) fn is_inherited(&self, class: ClassId, member: ClassId) -> bool {
        let info = self.class(member);
        let in_interface = info.outer.is_some_and(|outer| {
            use crate::tree::ClassKind::{Annotation, Interface};
            matches!(self.class(outer).which, Interface | Annotation)
        });
        match Access::of(info.flags) {
            _ if in_interface => true,
            Access::Public | Access::Protected => true,
            Access::Package => self.package_of(class) == self.package_of(member),
            // Within one file's class everything may be named, if not inherited.
            Access::Private => self.outermost(class) == self.outermost(member),
        }
    }

    /// Whether a type is an array.
    pub(super) fn is_array(&self, ty: super::types::Ty) -> bool {
        matches!(self.types.kind(ty), TypeKind::Array(_))
    }
}
