-module(two).
-export([f/0]).
-include_lib("one/include/one.hrl").
-ifdef(ONE).
-error("options of another application").
-endif.
f() -> {?UMBRELLA, ?ONE_VALUE}.
