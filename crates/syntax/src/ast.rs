//! The syntax tree: one arena a module, one identifier space for every node.
//!
//! Forms, clauses, expressions, patterns, guards and types are all [`Node`]s with a [`NodeId`].
//! Patterns use the expression kinds (as in Erlang's own grammar, a pattern is read as an
//! expression and judged later). Every tool speaks of nodes by their id; ids are given in the
//! order in which the parser finishes nodes and depend on nothing but the text.
//!
//! A node knows three tokens: the `first` and `last` that belong to it (its extent; parentheses
//! around an expression belong to the parent), and its `anchor`, the one whose position OTP calls
//! the position of the node (the operator of a binary operation, the opening bracket of a list).
//!
//! Lists are flat here (`[a, b | T]` is one node), where OTP's abstract format nests `cons` cells:
//! a table of ten thousand entries must not be ten thousand levels deep.

use std::ops::Index;

use atom::Atom;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Loc, SourceFile, Span};
use crate::token::{Expansion, ExpansionId, Literal, LiteralId, Token, TokenId};

/// A node of one module's tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// A list of children, stored in the module's pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NodeList {
    pub start: u32,
    pub len: u32,
}

impl NodeList {
    pub const EMPTY: NodeList = NodeList { start: 0, len: 0 };

    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: Kind,
    pub first: TokenId,
    pub last: TokenId,
    pub anchor: TokenId,
}

/// What a node is. Where a comment names a term, it is the one of OTP's abstract format.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    // ---- Forms -------------------------------------------------------------------------------
    /// `-module(name).`
    ModuleAttribute {
        name: NodeId,
    },
    /// `-export([f/1]).` with [`Kind::NameArity`] children. `-export_type`, `-optional_callbacks`
    /// and `-nifs` have the same shape.
    ExportAttribute {
        which: ExportKind,
        names: NodeList,
    },
    /// `-import(m, [f/1]).`, or `-import(m).` where `names` is `None`.
    ImportAttribute {
        module: NodeId,
        names: Option<NodeList>,
    },
    /// `-record(name, {fields}).` with [`Kind::RecordFieldDef`] children. `native` for the
    /// `-record #name{…}.` of OTP 29.
    RecordAttribute {
        name: NodeId,
        fields: NodeList,
        native: bool,
    },
    /// `-type name(Params) :: Body.`
    TypeAttribute {
        which: TypeKind,
        name: NodeId,
        params: NodeList,
        body: NodeId,
    },
    /// `-spec name(…) -> …; (…) -> ….` with [`Kind::FunType`] or [`Kind::BoundedFunType`]
    /// children. `module` is set for `-spec m:f(…)`.
    SpecAttribute {
        which: SpecKind,
        module: Option<NodeId>,
        name: NodeId,
        clauses: NodeList,
    },
    /// `-file("name", 12).`, written or made by an include.
    FileAttribute {
        file: NodeId,
        line: NodeId,
    },
    /// Any other attribute: `-name(value).`; `value` is an expression that denotes a term
    /// ([`Kind::NameArity`] may occur in it). Several values are read as a list by OTP only for
    /// some attributes; they are all kept.
    Attribute {
        name: Atom,
        values: NodeList,
    },
    /// A function with its clauses ([`Kind::Clause`], all of the same name and arity).
    Function {
        name: Atom,
        arity: u32,
        clauses: NodeList,
    },
    /// A form that could not be read; index into [`Module::diagnostics`].
    ErrorForm {
        diagnostic: u32,
    },
    /// A `-warning(…)` directive; index into [`Module::diagnostics`].
    WarningForm {
        diagnostic: u32,
    },
    /// The end of the file.
    EndOfFile,

    // ---- Parts of forms ----------------------------------------------------------------------
    /// `f/1` in attributes.
    NameArity {
        name: NodeId,
        arity: NodeId,
    },
    /// A field of a record definition. `default` and `ty` as written.
    RecordFieldDef {
        name: NodeId,
        default: Option<NodeId>,
        ty: Option<NodeId>,
    },
    /// A clause of a function, fun, case, if, receive, try or maybe-else. `patterns` is empty for
    /// `if`. The pattern of a `catch` clause is one [`Kind::CatchPattern`]. `guards` holds the
    /// alternatives between semicolons, [`Kind::Guard`].
    Clause {
        patterns: NodeList,
        guards: NodeList,
        body: NodeList,
    },
    /// One alternative of a guard: tests joined by commas.
    Guard {
        tests: NodeList,
    },
    /// `Class:Reason:Stacktrace` before the arrow of a catch clause. As OTP does, a class that was
    /// not written is `throw` (then `class` is `None`).
    CatchPattern {
        class: Option<NodeId>,
        reason: NodeId,
        stacktrace: Option<NodeId>,
    },
    /// `Pattern <- Expr` and its relatives inside a comprehension.
    Generator {
        which: GeneratorKind,
        strict: bool,
        pattern: NodeId,
        source: NodeId,
    },
    /// `G1 && G2`, generators that advance together.
    ZipGenerator {
        generators: NodeList,
    },
    /// `K => V` or `K := V`, in maps, map comprehensions and map generators.
    MapField {
        exact: bool,
        key: NodeId,
        value: NodeId,
    },
    /// `name = Value` in a record expression; `name` is an atom or the variable `_`.
    RecordField {
        name: NodeId,
        value: NodeId,
    },
    /// A segment of a binary, `Value:Size/Spec`. `specs` holds [`Kind::BinSpec`].
    BinElement {
        value: NodeId,
        size: Option<NodeId>,
        specs: Option<NodeList>,
    },
    /// One type specifier of a segment: `signed`, `unit:8`.
    BinSpec {
        name: Atom,
        unit: Option<NodeId>,
    },

    // ---- Expressions and patterns ------------------------------------------------------------
    Atom(Atom),
    Var(Atom),
    Integer(LiteralId),
    Float(LiteralId),
    Char(u32),
    /// One or several adjacent string tokens; the characters of all of them.
    String(LiteralId),
    /// A sigil: text and how it is to be read.
    Sigil {
        which: SigilKind,
        text: LiteralId,
    },
    /// `[]`
    Nil,
    /// `[A, B | Tail]`, never empty.
    List {
        elements: NodeList,
        tail: Option<NodeId>,
    },
    Tuple {
        elements: NodeList,
    },
    /// `#{…}` or `Map#{…}`, with [`Kind::MapField`] children.
    Map {
        base: Option<NodeId>,
        fields: NodeList,
    },
    /// `#name{…}` or `Expr#name{…}`, with [`Kind::RecordField`] children. `module` and an absent
    /// `name` (`#_{}`) belong to the native records of OTP 29.
    Record {
        base: Option<NodeId>,
        name: RecordName,
        fields: NodeList,
    },
    /// `Expr#name.field`
    RecordAccess {
        base: NodeId,
        name: RecordName,
        field: NodeId,
    },
    /// `#name.field`
    RecordIndex {
        name: RecordName,
        field: NodeId,
    },
    /// `<<…>>` with [`Kind::BinElement`] children.
    Binary {
        elements: NodeList,
    },
    /// `Pattern = Expr`
    Match {
        pattern: NodeId,
        value: NodeId,
    },
    /// `Pattern ?= Expr`, in `maybe` only.
    MaybeMatch {
        pattern: NodeId,
        value: NodeId,
    },
    BinaryOp {
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    },
    UnaryOp {
        op: UnaryOp,
        operand: NodeId,
    },
    /// `f(…)`, `M:f(…)` (the callee is then a [`Kind::Remote`]), `Fun(…)`.
    Call {
        callee: NodeId,
        args: NodeList,
    },
    /// `M:F` where it is called or, in attributes and bad code, on its own.
    Remote {
        module: NodeId,
        name: NodeId,
    },
    /// Old-style `catch Expr`.
    Catch {
        body: NodeId,
    },
    /// `begin … end`
    Block {
        body: NodeList,
    },
    If {
        clauses: NodeList,
    },
    Case {
        subject: NodeId,
        clauses: NodeList,
    },
    /// `after` is the timeout with the body to run.
    Receive {
        clauses: NodeList,
        after: Option<ReceiveAfter>,
    },
    /// Empty lists stand for absent sections.
    Try {
        body: NodeList,
        of: NodeList,
        catch: NodeList,
        after: NodeList,
    },
    /// `maybe … else … end`
    Maybe {
        body: NodeList,
        else_clauses: Option<NodeList>,
    },
    /// `fun (…) -> … end`, or `fun Name(…) -> … end`.
    Fun {
        name: Option<Atom>,
        clauses: NodeList,
    },
    /// `fun name/1`
    FunName {
        name: Atom,
        arity: NodeId,
    },
    /// `fun M:F/A`
    FunRemote {
        module: NodeId,
        name: NodeId,
        arity: NodeId,
    },
    /// `[E || …]`, `<<E || …>>`, `#{K => V || …}`. More than one expression since OTP 29. The
    /// qualifiers are generators, or expressions (filters).
    Comprehension {
        which: ComprehensionKind,
        exprs: NodeList,
        qualifiers: NodeList,
    },

    // ---- Types -------------------------------------------------------------------------------
    // Literals, variables and operators in types use the expression kinds.
    /// `A | B`
    UnionType {
        members: NodeList,
    },
    /// `Var :: Type`
    AnnotatedType {
        var: NodeId,
        ty: NodeId,
    },
    /// `name(Args)`: built in or of this module (the abstract format tells them apart by name).
    NamedType {
        name: Atom,
        args: NodeList,
    },
    /// `m:name(Args)`
    RemoteType {
        module: NodeId,
        name: NodeId,
        args: NodeList,
    },
    TupleType {
        elements: NodeList,
    },
    /// `[T]`, or `[T, ...]` where `nonempty`.
    ListType {
        element: NodeId,
        nonempty: bool,
    },
    /// `[]` in a type.
    NilType,
    /// `#{…}` with [`Kind::MapField`] children whose key and value are types.
    MapType {
        fields: NodeList,
    },
    /// `#name{field :: T}` with [`Kind::RecordFieldType`] children.
    RecordType {
        name: NodeId,
        fields: NodeList,
    },
    RecordFieldType {
        name: NodeId,
        ty: NodeId,
    },
    /// `<<_:Size, _:_*Unit>>`
    BinaryType {
        size: Option<NodeId>,
        unit: Option<NodeId>,
    },
    RangeType {
        low: NodeId,
        high: NodeId,
    },
    /// `fun()`
    AnyFunType,
    /// `fun((Args) -> Result)`, and one clause of a spec. `args` is `None` for `(...)`. `product`
    /// is the anchor of the argument list.
    FunType {
        args: Option<NodeList>,
        product: TokenId,
        result: NodeId,
    },
    /// A clause of a spec with constraints: `fun_type when …`, [`Kind::ConstraintType`] children.
    BoundedFunType {
        fun: NodeId,
        constraints: NodeList,
    },
    /// `Var :: Type` behind `when`; `is_subtype(Var, Type)` is the same in an older spelling.
    ConstraintType {
        var: NodeId,
        ty: NodeId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExportKind {
    Functions,
    Types,
    OptionalCallbacks,
    Nifs,
    /// `-export_record([name]).` of OTP 29: the children are atoms.
    Records,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    Type,
    Opaque,
    Nominal,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecKind {
    Spec,
    Callback,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GeneratorKind {
    List,
    Binary,
    /// The pattern is a [`Kind::MapField`] with `exact`.
    Map,
    /// `Pattern = Expr` where the feature `compr_assign` is on: one value, which must match.
    Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComprehensionKind {
    List,
    Binary,
    Map,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SigilKind {
    /// `~b`, `~B` and plain `~`: a UTF-8 encoded binary.
    Binary,
    /// `~s`, `~S`: a string.
    String,
}

/// The name in a record expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RecordName {
    /// `#name`
    Local(NodeId),
    /// `#module:name` (native records)
    Remote(NodeId, NodeId),
    /// `#_` (native records)
    Any,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReceiveAfter {
    pub timeout: NodeId,
    pub body: NodeList,
}

macro_rules! operators {
    ($enum:ident { $($name:ident = $text:literal),* $(,)? }) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $enum { $($name),* }
        impl $enum {
            /// As written in Erlang, and as named in the abstract format.
            pub fn text(self) -> &'static str {
                match self { $($enum::$name => $text),* }
            }
            pub fn from_text(text: &str) -> Option<$enum> {
                match text { $($text => Some($enum::$name),)* _ => None }
            }
        }
    };
}

operators!(BinaryOp {
    Add = "+", Sub = "-", Mul = "*", Div = "/", IntDiv = "div", Rem = "rem",
    Band = "band", Bor = "bor", Bxor = "bxor", Bsl = "bsl", Bsr = "bsr",
    And = "and", Or = "or", Xor = "xor", Andalso = "andalso", Orelse = "orelse",
    Eq = "==", Ne = "/=", Le = "=<", Lt = "<", Ge = ">=", Gt = ">",
    ExactEq = "=:=", ExactNe = "=/=", Append = "++", Subtract = "--", Send = "!",
});
operators!(UnaryOp { Plus = "+", Minus = "-", Not = "not", Bnot = "bnot" });

/// One module as read: its tree, the tokens behind it, and what was wrong with it.
#[derive(Debug, Default)]
pub struct Module {
    /// The module's own file first, then every header in the order of inclusion.
    pub files: Vec<SourceFile>,
    pub tokens: Vec<Token>,
    pub literals: Vec<Literal>,
    pub expansions: Vec<Expansion>,
    pub nodes: Vec<Node>,
    /// Children of all [`NodeList`]s.
    pub lists: Vec<NodeId>,
    /// Forms in order, `-file` attributes of includes and the end of file among them.
    pub forms: Vec<NodeId>,
    /// What lexer, preprocessor and parser found, in the order in which they found it.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it defines, exports or imports native records: a plain name may then be one of
    /// those.
    pub has_native_records: bool,
    /// Whether the feature `compr_assign` is on.
    pub has_assignments: bool,
}

impl Kind {
    /// Whether an attribute is about native records.
    pub fn is_about_native_records(self) -> bool {
        match self {
            Kind::RecordAttribute { native, .. } => native,
            Kind::ExportAttribute { which: ExportKind::Records, .. } => true,
            Kind::Attribute { name, .. } => name.as_str() == "import_record",
            _ => false,
        }
    }
}

impl Module {
    /// The children of a list.
    pub fn list(&self, list: NodeList) -> &[NodeId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    pub fn kind(&self, id: NodeId) -> Kind {
        self[id].kind
    }

    pub fn literal(&self, id: LiteralId) -> &Literal {
        &self.literals[id.0 as usize]
    }

    pub fn token(&self, id: TokenId) -> &Token {
        &self.tokens[id.0 as usize]
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id.0 as usize]
    }

    /// Where OTP says the node stands.
    pub fn loc(&self, id: NodeId) -> Loc {
        self.token(self[id].anchor).loc
    }

    /// The text the user wrote for this node. If its tokens came out of a macro, that is the
    /// macro call.
    pub fn span(&self, id: NodeId) -> Span {
        let node = &self[id];
        let (first, last) = (self.written(node.first), self.written(node.last));
        if first.file == last.file && first.start <= last.end {
            Span { file: first.file, start: first.start, end: last.end.max(first.end) }
        } else {
            first
        }
    }

    /// The text the user wrote for a token: its own text, or the outermost macro call it is from.
    pub fn written(&self, id: TokenId) -> Span {
        let token = self.token(id);
        let Some(mut expansion) = token.expansion else { return token.span };
        while let Some(parent) = self.expansion(expansion).parent {
            expansion = parent;
        }
        self.expansion(expansion).call
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

impl Index<NodeId> for Module {
    type Output = Node;
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
