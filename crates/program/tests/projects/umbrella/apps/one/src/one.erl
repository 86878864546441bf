-module(one).
-export([f/0]).
-include("one.hrl").
f() -> {?UMBRELLA, ?ONE, ?ONE_VALUE}.
