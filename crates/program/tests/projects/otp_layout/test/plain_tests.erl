-module(plain_tests).
-export([t/0]).
-include("internal.hrl").
t() -> {?TEST, ?INTERNAL}.
