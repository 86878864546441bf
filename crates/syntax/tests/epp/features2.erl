-feature(maybe_expr, enable).
-feature(maybe_expr, disable).
-module(features2).
a() -> {maybe, else, 'maybe', 'else'}.
-feature(maybe_expr, enable).
b() -> maybe.
