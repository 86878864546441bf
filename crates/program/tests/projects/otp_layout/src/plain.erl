-module(plain).
-export([f/0]).
-include("plain.hrl").
-include("internal.hrl").
f() -> {?PLAIN, ?INTERNAL, plain_sub:f()}.
