//! The syntax tree of one Java file: one arena, one identifier space for every node.
//!
//! Declarations, statements, expressions, types and patterns are all [`Node`]s with a [`NodeId`]
//! and the bytes of the text that they stand for. A child is made before its parent, so going
//! through the nodes in the order of their ids meets children first: what is computed bottom-up
//! needs no recursion. In a text without errors every node but the root has exactly one parent.
//!
//! The nodes are those of javac's tree but where that hides what was written: variables that are
//! declared together (`int a, b[];`) are one [`Kind::Variables`] with the modifiers and the type
//! that they share, constants of an enum and components of a record are nodes of their own, and
//! `var` is a node. Names stay as ambiguous as they are in the grammar: `a.b` is a
//! [`Kind::Select`], be it a package, a class or a field.
//!
//! What is wrong in a text is a [`Kind::Error`] where something had to stand, or is left out.

use std::num::NonZeroU32;

use atom::Atom;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// A node of one file's tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    fn new(index: usize) -> NodeId {
        NodeId(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// Position in [`Tree::nodes`].
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A list of children, stored in the tree's pool behind its length. The default is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct List(u32);

impl List {
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: Kind,
    pub span: Span,
}

/// An index into [`Tree::classes`] or [`Tree::methods`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PartId(pub u32);

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    // ---- Files and modules -------------------------------------------------------------------
    /// The whole file. `declarations` has classes, at most one module, and [`Kind::Empty`].
    Unit {
        package: Option<NodeId>,
        imports: List,
        declarations: List,
    },
    Package {
        annotations: List,
        name: NodeId,
    },
    /// `import a.b.C;`, `import static a.b.C.*;`: the star is the name of the last
    /// [`Kind::Select`].
    Import {
        is_static: bool,
        name: NodeId,
    },
    Module {
        annotations: List,
        is_open: bool,
        name: NodeId,
        directives: List,
    },
    Requires {
        is_static: bool,
        is_transitive: bool,
        name: NodeId,
    },
    Exports {
        package: NodeId,
        to: List,
    },
    Opens {
        package: NodeId,
        to: List,
    },
    Uses {
        service: NodeId,
    },
    Provides {
        service: NodeId,
        with: List,
    },

    // ---- Declarations ------------------------------------------------------------------------
    /// A class, interface, enum, record or annotation type; also a statement, and the body of a
    /// `new`. Index into [`Tree::classes`].
    Class(PartId),
    /// A method or constructor. Index into [`Tree::methods`].
    Method(PartId),
    /// A block in a class; static if its modifiers say so.
    Initializer {
        modifiers: Option<NodeId>,
        body: NodeId,
    },
    /// Variables that are declared together, with their semicolon where they have one: fields,
    /// local variables, those of a `for`, one resource of a `try`. [`Kind::Variable`] children.
    Variables {
        modifiers: Option<NodeId>,
        ty: NodeId,
        variables: List,
    },
    /// One of [`Kind::Variables`]. `dims` are brackets behind the name.
    Variable {
        name: Atom,
        name_at: u32,
        dims: List,
        value: Option<NodeId>,
    },
    /// One name with its type: parameters of methods and lambdas (`ty` is `None` where it is left
    /// out), of `catch`, the variable of a `for (… : …)`, components of records, and what a
    /// pattern binds. With `is_varargs` the type is the [`Kind::ArrayType`] that `...` makes.
    Parameter {
        modifiers: Option<NodeId>,
        ty: Option<NodeId>,
        name: Atom,
        name_at: u32,
        dims: List,
        is_varargs: bool,
    },
    /// `Outer Outer.this` in front of the parameters.
    Receiver {
        modifiers: Option<NodeId>,
        ty: NodeId,
        name: NodeId,
    },
    /// A constant of an enum. `body` is a [`Kind::Class`]; `has_args` if there are parentheses.
    EnumConstant {
        modifiers: Option<NodeId>,
        name: Atom,
        name_at: u32,
        args: List,
        has_args: bool,
        body: Option<NodeId>,
    },
    /// Keywords and annotations in front of a declaration; there is none if none was written.
    Modifiers {
        flags: Flags,
        annotations: List,
    },
    /// `@Name(args)`, where an argument `name = value` is a [`Kind::Assign`].
    Annotation {
        name: NodeId,
        args: List,
    },
    TypeParameter {
        annotations: List,
        name: Atom,
        bounds: List,
    },
    /// Brackets behind a name or in a `new`; `size` only in the latter.
    Dimension {
        annotations: List,
        size: Option<NodeId>,
    },

    // ---- Types -------------------------------------------------------------------------------
    /// A primitive type, or `void`.
    Primitive(Primitive),
    /// `var` in the place of a type.
    Var,
    /// `T[]`. In `T[][]` the element type is meant by the *second* brackets; as in javac its span
    /// is that of the whole.
    ArrayType {
        element: NodeId,
    },
    /// `Base<Args>`; no arguments in `new Base<>()`.
    ParameterizedType {
        base: NodeId,
        args: List,
    },
    AnnotatedType {
        annotations: List,
        ty: NodeId,
    },
    Wildcard {
        bound: WildcardBound,
        ty: Option<NodeId>,
    },
    /// `A | B` in a `catch`.
    UnionType {
        alternatives: List,
    },
    /// `A & B` in a cast.
    IntersectionType {
        bounds: List,
    },

    // ---- Statements --------------------------------------------------------------------------
    Block {
        statements: List,
    },
    Empty,
    ExpressionStatement {
        expression: NodeId,
    },
    /// Conditions of statements are [`Kind::Parens`].
    If {
        condition: NodeId,
        then: NodeId,
        otherwise: Option<NodeId>,
    },
    While {
        condition: NodeId,
        body: NodeId,
    },
    Do {
        body: NodeId,
        condition: NodeId,
    },
    /// `init` is one [`Kind::Variables`] or any number of [`Kind::ExpressionStatement`].
    For {
        init: List,
        condition: Option<NodeId>,
        update: List,
        body: NodeId,
    },
    ForEach {
        variable: NodeId,
        iterable: NodeId,
        body: NodeId,
    },
    Labeled {
        label: Atom,
        statement: NodeId,
    },
    Switch {
        selector: NodeId,
        cases: List,
    },
    /// Labels are expressions, patterns and [`Kind::DefaultLabel`]. With `is_rule` (`->`) the body
    /// is one expression or statement.
    Case {
        labels: List,
        guard: Option<NodeId>,
        body: List,
        is_rule: bool,
    },
    DefaultLabel,
    Synchronized {
        lock: NodeId,
        body: NodeId,
    },
    /// Resources are [`Kind::Variables`] or expressions.
    Try {
        resources: List,
        body: NodeId,
        catches: List,
        finally: Option<NodeId>,
    },
    Catch {
        parameter: NodeId,
        body: NodeId,
    },
    Return {
        value: Option<NodeId>,
    },
    Throw {
        value: NodeId,
    },
    Yield {
        value: NodeId,
    },
    Break {
        label: Option<NonZeroName>,
    },
    Continue {
        label: Option<NonZeroName>,
    },
    Assert {
        condition: NodeId,
        detail: Option<NodeId>,
    },

    // ---- Patterns ----------------------------------------------------------------------------
    /// `Type name`, a [`Kind::Parameter`].
    BindingPattern {
        variable: NodeId,
    },
    /// `Type(Patterns)`
    RecordPattern {
        ty: NodeId,
        patterns: List,
    },

    // ---- Expressions -------------------------------------------------------------------------
    Name(Atom),
    /// `target.name`
    Select {
        target: NodeId,
        name: Atom,
    },
    /// `int.class`
    ClassLiteral {
        ty: NodeId,
    },
    /// `this`, `Outer.this`
    This {
        qualifier: Option<NodeId>,
    },
    /// `super`, `Interface.super`
    Super {
        qualifier: Option<NodeId>,
    },
    /// Its spelling is the text of its span; the minus of a decimal integer belongs to it.
    Literal(Literal),
    Parens {
        inner: NodeId,
    },
    Unary {
        op: UnaryOp,
        operand: NodeId,
    },
    Binary {
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    },
    Assign {
        target: NodeId,
        value: NodeId,
    },
    CompoundAssign {
        op: BinaryOp,
        target: NodeId,
        value: NodeId,
    },
    Conditional {
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    },
    /// `what` is a type or a pattern.
    InstanceOf {
        value: NodeId,
        what: NodeId,
    },
    Cast {
        ty: NodeId,
        value: NodeId,
    },
    /// `function` is a name, `this`, `super`, or a selection of one of these.
    Call {
        type_args: List,
        function: NodeId,
        args: List,
    },
    /// `outer.new <T>Class(args) { body }`
    New {
        outer: Option<NodeId>,
        type_args: List,
        class: NodeId,
        args: List,
        body: Option<NodeId>,
    },
    /// `dims` are [`Kind::Dimension`], `value` a [`Kind::ArrayInitializer`].
    NewArray {
        element: NodeId,
        dims: List,
        value: Option<NodeId>,
    },
    /// `{1, 2, 3}`
    ArrayInitializer {
        values: List,
    },
    ArrayAccess {
        array: NodeId,
        index: NodeId,
    },
    /// `body` is an expression or a [`Kind::Block`].
    Lambda {
        parameters: List,
        body: NodeId,
    },
    MethodReference {
        target: NodeId,
        type_args: List,
        name: Atom,
    },
    ConstructorReference {
        target: NodeId,
        type_args: List,
    },
    SwitchExpression {
        selector: NodeId,
        cases: List,
    },

    /// What could not be read where something had to stand.
    Error,
}

/// A name that may be absent, in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NonZeroName(NonZeroU32);

impl NonZeroName {
    pub fn new(name: Atom) -> NonZeroName {
        NonZeroName(NonZeroU32::MIN.saturating_add(name.index()))
    }

    pub fn name(self) -> Atom {
        Atom::from_index(self.0.get() - 1)
    }
}

/// A class-like declaration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Class {
    pub which: ClassKind,
    pub modifiers: Option<NodeId>,
    /// `None` for the body of a `new` or of a constant.
    pub name: Option<Atom>,
    pub name_at: u32,
    pub type_parameters: List,
    /// Of a record: [`Kind::Parameter`].
    pub components: List,
    pub extends: Option<NodeId>,
    /// Also what an interface extends.
    pub implements: List,
    pub permits: List,
    pub members: List,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

/// A method or a constructor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Method {
    pub modifiers: Option<NodeId>,
    pub name: Atom,
    pub name_at: u32,
    pub which: MethodKind,
    pub type_parameters: List,
    /// Between type parameters and the result: annotations of the method, written late.
    pub annotations: List,
    /// `None` for constructors.
    pub result: Option<NodeId>,
    pub receiver: Option<NodeId>,
    pub parameters: List,
    /// Brackets behind the parameters.
    pub dims: List,
    pub throws: List,
    pub body: Option<NodeId>,
    /// The value of an annotation's element.
    pub default: Option<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MethodKind {
    Method,
    Constructor,
    /// A record's constructor without parameters: `Point { … }`.
    Compact,
}

/// Which keywords a declaration has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags(pub u16);

impl Flags {
    pub const PUBLIC: Flags = Flags(1);
    pub const PROTECTED: Flags = Flags(1 << 1);
    pub const PRIVATE: Flags = Flags(1 << 2);
    pub const ABSTRACT: Flags = Flags(1 << 3);
    pub const STATIC: Flags = Flags(1 << 4);
    pub const FINAL: Flags = Flags(1 << 5);
    pub const TRANSIENT: Flags = Flags(1 << 6);
    pub const VOLATILE: Flags = Flags(1 << 7);
    pub const SYNCHRONIZED: Flags = Flags(1 << 8);
    pub const NATIVE: Flags = Flags(1 << 9);
    pub const STRICTFP: Flags = Flags(1 << 10);
    pub const DEFAULT: Flags = Flags(1 << 11);
    pub const SEALED: Flags = Flags(1 << 12);
    pub const NON_SEALED: Flags = Flags(1 << 13);

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }

    #[must_use]
    pub fn with(self, flag: Flags) -> Flags {
        Flags(self.0 | flag.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    Boolean,
    Byte,
    Char,
    Double,
    Float,
    Int,
    Long,
    Short,
    Void,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WildcardBound {
    Any,
    Extends,
    Super,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    Int,
    Long,
    Float,
    Double,
    Char,
    String,
    TextBlock,
    Boolean,
    Null,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Complement,
    Not,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// The tree of one file.
#[derive(Clone, Debug)]
pub struct Tree {
    pub source: Source,
    pub nodes: Vec<Node>,
    pub classes: Vec<Class>,
    pub methods: Vec<Method>,
    pub root: NodeId,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    pool: Vec<u32>,
}

impl Tree {
    pub(crate) fn empty(source: Source) -> Tree {
        Tree {
            source,
            nodes: Vec::new(),
            classes: Vec::new(),
            methods: Vec::new(),
            root: NodeId::new(0),
            diagnostics: Vec::new(),
            pool: vec![0],
        }
    }

    pub(crate) fn add(&mut self, kind: Kind, span: Span) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node { kind, span });
        id
    }

    pub(crate) fn add_list(&mut self, items: &[NodeId]) -> List {
        if items.is_empty() {
            return List::default();
        }
        let start = self.pool.len() as u32;
        self.pool.push(items.len() as u32);
        self.pool.extend(items.iter().map(|item| item.0.get()));
        List(start)
    }

    /// The children of a list, in the order of the text.
    pub fn list(&self, list: List) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator {
        let start = list.0 as usize;
        let length = self.pool[start] as usize;
        self.pool[start + 1..=start + length]
            .iter()
            .map(|&id| NodeId(NonZeroU32::new(id).unwrap_or(NonZeroU32::MIN)))
    }

    pub fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.index()].kind
    }

    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.index()].span
    }

    /// The text of a node.
    pub fn text(&self, id: NodeId) -> &str {
        self.source.slice(self.span(id))
    }

    pub fn class(&self, id: PartId) -> &Class {
        &self.classes[id.0 as usize]
    }

    pub fn method(&self, id: PartId) -> &Method {
        &self.methods[id.0 as usize]
    }

    /// The keywords of a declaration.
    pub fn flags(&self, modifiers: Option<NodeId>) -> Flags {
        match modifiers.map(|modifiers| self.kind(modifiers)) {
            Some(Kind::Modifiers { flags, .. }) => flags,
            _ => Flags::default(),
        }
    }

    /// All nodes, children before their parents.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }
}
