//! Trees back to text: random expressions and types, printed, read back and compared.

mod support;

use arbtest::arbitrary::{self, Unstructured};
use support::printed_and_read;
use syntax::unparse;

/// Text of a random expression, with parentheses around every part, so that any tree can come out.
fn random_expression(u: &mut Unstructured<'_>, depth: u32) -> arbitrary::Result<String> {
    const LEAVES: &[&str] = &[
        "a",
        "'B c'",
        "X",
        "_",
        "1",
        "16#FF",
        "1.5",
        "$a",
        "$\\s",
        "\"s\\n\"",
        "[]",
        "{}",
        "#{}",
        "<<>>",
        "fun f/1",
        "fun M:f/A",
        "#r.a",
        "#r{}",
        "~b\"x\"",
        "f()",
        "M:F()",
        "'maybe'",
    ];
    // `@` stands for an expression; each has its own parentheses.
    const SHAPES: &[&str] = &[
        "@ + @",
        "@ - @",
        "@ * @",
        "@ div @",
        "@ band @",
        "@ bsl @",
        "@ and @",
        "@ or @",
        "@ xor @",
        "@ == @",
        "@ =< @",
        "@ =:= @",
        "@ ++ @",
        "@ -- @",
        "@ ! @",
        "@ = @",
        "@ andalso @",
        "@ orelse @",
        "- @",
        "+ @",
        "not @",
        "bnot @",
        "catch @",
        "@(@, @)",
        "@:@(@)",
        "@:@",
        "{@, @}",
        "[@ | @]",
        "[@, @]",
        "@#{@ => @, @ := @}",
        "#{@ => @}",
        "@#r{a = @}",
        "@#r.a",
        "#r{a = @, _ = @}",
        "<<@:@/little-unit:8, @/binary>>",
        "<<(- @):8, @>>",
        "begin @, @ end",
        "if @, @; @ -> @; true -> @ end",
        "case @ of @ when @ -> @, @; @ -> @ end",
        "receive @ -> @ after @ -> @ end",
        "receive after @ -> @, @ end",
        "try @ of @ -> @ catch error:X:S -> @; {Y} when @ -> @ after @ end",
        "fun(X) when @; @ -> @; (Y) -> @ end",
        "fun F() -> @ end",
        "[@ || @ <- @, @]",
        "<< @ || <<X>> <= @, @ >>",
        "#{@ => @ || K := V <- @}",
        "[@ || X <- @ && Y <:- @]",
    ];
    if depth == 0 || u.is_empty() {
        return Ok((*u.choose(LEAVES)?).to_owned());
    }
    let mut text = String::new();
    for c in u.choose(SHAPES)?.chars() {
        if c == '@' {
            text.push_str(&format!("({})", random_expression(u, depth - 1)?));
        } else {
            text.push(c);
        }
    }
    Ok(text)
}

fn random_type(u: &mut Unstructured<'_>, depth: u32) -> arbitrary::Result<String> {
    const LEAVES: &[&str] =
        &["a", "'B c'", "X", "_", "1", "$a", "[]", "{}", "#{}", "<<>>", "t()", "fun()"];
    const SHAPES: &[&str] = &[
        "@ | @",
        "@ | @ | @",
        "X :: @",
        "@ .. @",
        "@ + @",
        "@ * @",
        "- @",
        "bnot @",
        "t(@, @)",
        "m:t(@)",
        "{@, @}",
        "[@]",
        "[@, ...]",
        "#{@ => @, @ := @}",
        "#r{a :: @}",
        "fun((@, @) -> @)",
        "fun(() -> @)",
        "fun((...) -> @)",
        "<<_:@>>",
        "<<_:_*@>>",
        "<<_:@, _:_*@>>",
        "@ bsl @ - @",
    ];
    if depth == 0 || u.is_empty() {
        return Ok((*u.choose(LEAVES)?).to_owned());
    }
    let mut text = String::new();
    for c in u.choose(SHAPES)?.chars() {
        if c == '@' {
            text.push_str(&format!("({})", random_type(u, depth - 1)?));
        } else {
            text.push(c);
        }
    }
    Ok(text)
}

fn check_random(source: &str) {
    let (module, _) = printed_and_read(source);
    for &form in &module.forms {
        assert!(!unparse::one_line(&module, form).contains('\n'));
    }
}

#[test]
fn random_trees() {
    arbtest::arbtest(|u| {
        let depth = u.int_in_range(1..=4)?;
        check_random(&format!("f(X) -> {}.\n", random_expression(u, depth)?));
        check_random(&format!("-type t(X) :: {}.\n", random_type(u, depth)?));
        Ok(())
    })
    .budget_ms(1000);
}
