//! Symbols as text, as the judge of the tests writes them.

use super::types::{Ty, TypeKind, Types};
use super::{ClassId, Symbol, World};

impl World {
    /// What a symbol is, in one line: `M java.util.List#add(int,java.lang.Object)`.
    pub fn describe(&mut self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Module(name) => format!("N {}", name.as_str()),
            Symbol::Package(name) => format!("P {}", name.as_str()),
            Symbol::Class(class) => format!("T {}", self.binary_name(class)),
            Symbol::TypeParameter(var) => {
                format!("Y {}", self.type_vars[var.0 as usize].name.as_str())
            }
            Symbol::Field(field) => {
                let field = self.field(field);
                format!("F {}#{}", self.binary_name(field.class), field.name.as_str())
            }
            Symbol::ArrayLength => "F Array#length".to_owned(),
            Symbol::ArrayNew => "M Array#<init>(int)".to_owned(),
            Symbol::ArrayClone => "M Array#clone()".to_owned(),
            Symbol::Method(method) => {
                let info = self.method(method);
                let owner = self.binary_name(info.class);
                let name = if info.is_constructor { "<init>" } else { info.name.as_str() };
                let parameters = info.parameters.clone();
                let parameters: Vec<String> =
                    parameters.into_iter().map(|ty| self.erased_name(ty)).collect();
                format!("M {owner}#{name}({})", parameters.join(","))
            }
            Symbol::Local(_, name) => format!("V {}", name.as_str()),
        }
    }

    /// `java.util.Map$Entry`; `local:Name` for what is declared in a body.
    pub fn binary_name(&self, class: ClassId) -> String {
        let info = self.class(class);
        if info.is_local {
            return format!("local:{}", info.name.as_str());
        }
        match info.outer {
            Some(outer) => format!("{}${}", self.binary_name(outer), info.name.as_str()),
            None => self.qualified(class),
        }
    }

    fn qualified(&self, class: ClassId) -> String {
        let info = self.class(class);
        if info.is_local && !info.around.is_empty() {
            return info.name.as_str().to_owned();
        }
        match info.outer {
            Some(outer) => format!("{}.{}", self.qualified(outer), info.name.as_str()),
            None => match self.files[info.file.0 as usize].package.as_str() {
                "" => info.name.as_str().to_owned(),
                package => format!("{package}.{}", info.name.as_str()),
            },
        }
    }

    fn erased_name(&mut self, ty: Ty) -> String {
        let ty = self.erased(ty);
        match *self.types.kind(ty) {
            TypeKind::Class(class, _) => self.qualified(class),
            TypeKind::Array(element) => format!("{}[]", self.erased_name(element)),
            TypeKind::Primitive(_) => match ty {
                Types::BOOLEAN => "boolean",
                Types::BYTE => "byte",
                Types::CHAR => "char",
                Types::DOUBLE => "double",
                Types::FLOAT => "float",
                Types::INT => "int",
                Types::LONG => "long",
                Types::SHORT => "short",
                _ => "void",
            }
            .to_owned(),
            _ => "?".to_owned(),
        }
    }
}
