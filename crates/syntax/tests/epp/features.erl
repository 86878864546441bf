-module(features).
-feature(foo, enable).
-feature(maybe_expr, what).
-feature(maybe_expr).
-feature.
-define(OLD, maybe).
-feature(maybe_expr, enable).
-ifdef(MODULE).
-else.
-endif.
-if(?FEATURE_ENABLED(maybe_expr)).
a() -> maybe ok ?= x, y else z -> 'maybe' end.
-endif.
b() -> ?OLD.
c() -> else.
-feature(maybe_expr, disable).
