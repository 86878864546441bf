//! What javac calls modifiers, types, literals and operators.

use java::tree::{BinaryOp, Flags, Literal, Primitive, UnaryOp};

pub(super) fn shown(flags: Flags) -> String {
    const ORDER: [(Flags, &str); 14] = [
        (Flags::PUBLIC, "public"),
        (Flags::PROTECTED, "protected"),
        (Flags::PRIVATE, "private"),
        (Flags::ABSTRACT, "abstract"),
        (Flags::DEFAULT, "default"),
        (Flags::STATIC, "static"),
        (Flags::SEALED, "sealed"),
        (Flags::NON_SEALED, "non-sealed"),
        (Flags::FINAL, "final"),
        (Flags::TRANSIENT, "transient"),
        (Flags::VOLATILE, "volatile"),
        (Flags::SYNCHRONIZED, "synchronized"),
        (Flags::NATIVE, "native"),
        (Flags::STRICTFP, "strictfp"),
    ];
    let names: Vec<&str> =
        ORDER.iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, name)| *name).collect();
    format!("[{}]", names.join(", "))
}

pub(super) fn primitive_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "BOOLEAN",
        Primitive::Byte => "BYTE",
        Primitive::Char => "CHAR",
        Primitive::Double => "DOUBLE",
        Primitive::Float => "FLOAT",
        Primitive::Int => "INT",
        Primitive::Long => "LONG",
        Primitive::Short => "SHORT",
        Primitive::Void => "VOID",
    }
}

pub(super) fn literal_name(literal: Literal) -> &'static str {
    match literal {
        Literal::Int => "INT_LITERAL",
        Literal::Long => "LONG_LITERAL",
        Literal::Float => "FLOAT_LITERAL",
        Literal::Double => "DOUBLE_LITERAL",
        Literal::Char => "CHAR_LITERAL",
        Literal::String | Literal::TextBlock => "STRING_LITERAL",
        Literal::Boolean => "BOOLEAN_LITERAL",
        Literal::Null => "NULL_LITERAL",
    }
}

pub(super) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "UNARY_PLUS",
        UnaryOp::Minus => "UNARY_MINUS",
        UnaryOp::Complement => "BITWISE_COMPLEMENT",
        UnaryOp::Not => "LOGICAL_COMPLEMENT",
        UnaryOp::PreIncrement => "PREFIX_INCREMENT",
        UnaryOp::PreDecrement => "PREFIX_DECREMENT",
        UnaryOp::PostIncrement => "POSTFIX_INCREMENT",
        UnaryOp::PostDecrement => "POSTFIX_DECREMENT",
    }
}

pub(super) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Multiply => "MULTIPLY",
        BinaryOp::Divide => "DIVIDE",
        BinaryOp::Remainder => "REMAINDER",
        BinaryOp::Add => "PLUS",
        BinaryOp::Subtract => "MINUS",
        BinaryOp::ShiftLeft => "LEFT_SHIFT",
        BinaryOp::ShiftRight => "RIGHT_SHIFT",
        BinaryOp::ShiftRightUnsigned => "UNSIGNED_RIGHT_SHIFT",
        BinaryOp::Less => "LESS_THAN",
        BinaryOp::Greater => "GREATER_THAN",
        BinaryOp::LessEqual => "LESS_THAN_EQUAL",
        BinaryOp::GreaterEqual => "GREATER_THAN_EQUAL",
        BinaryOp::Equal => "EQUAL_TO",
        BinaryOp::NotEqual => "NOT_EQUAL_TO",
        BinaryOp::BitAnd => "AND",
        BinaryOp::BitXor => "XOR",
        BinaryOp::BitOr => "OR",
        BinaryOp::And => "CONDITIONAL_AND",
        BinaryOp::Or => "CONDITIONAL_OR",
    }
}
