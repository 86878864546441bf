//! Expressions as text, for people who look at path conditions.

use crate::expr::{Constant, Expr, ExprId, Exprs};

/// An expression as text: Erlang's syntax where there is one, variables as `_0`.
pub fn text(exprs: &Exprs, id: ExprId) -> String {
    let mut out = String::new();
    write(exprs, id, &mut out);
    out
}

fn list(exprs: &Exprs, name: &str, parts: &[ExprId], out: &mut String) {
    out.push_str(name);
    out.push('(');
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write(exprs, *part, out);
    }
    out.push(')');
}

fn write(exprs: &Exprs, id: ExprId, out: &mut String) {
    crate::eval::deeper(|| match exprs.get(id) {
        Expr::Const(Constant(term)) => out.push_str(&term::print::to_string(term)),
        Expr::Var(var) => out.push_str(&format!("_{}", var.0)),
        expr => {
            let name = match expr {
                Expr::Cons(..) => "cons".to_string(),
                Expr::Tuple(_) => "tuple".to_string(),
                Expr::Binary(segments) => {
                    let parts = segments.iter().map(|s| {
                        let little = if s.little { "-little" } else { "" };
                        let size = if s.size.is_some() { ":size" } else { "" };
                        format!("{:?}{size}-unit:{}{little}", s.ty, s.unit)
                    });
                    format!("<<{}>>", parts.collect::<Vec<_>>().join(", "))
                }
                Expr::Field(field) => {
                    let mut name = format!("field {:?}-unit:{}", field.ty, field.unit);
                    for (set, word) in [
                        (field.signed, "-signed"),
                        (field.little, "-little"),
                        (field.width, "-width"),
                    ] {
                        if set {
                            name.push_str(word);
                        }
                    }
                    name
                }
                Expr::Unary(op, _) => format!("{op:?}"),
                Expr::Binop(op, ..) => format!("{op:?}"),
                Expr::Ternary(op, ..) => format!("{op:?}"),
                Expr::Test(test, _) => format!("is {test:?}"),
                Expr::Compare(op, ..) => format!("{op:?}"),
                Expr::Holds(_) => "holds".to_string(),
                Expr::And(_) => "and".to_string(),
                Expr::Or(_) => "or".to_string(),
                Expr::Not(_) => "not".to_string(),
                Expr::Ite(..) => "if".to_string(),
                Expr::Const(_) | Expr::Var(_) => String::new(),
            };
            list(exprs, &name, &crate::expr::parts(expr), out);
        }
    });
}
