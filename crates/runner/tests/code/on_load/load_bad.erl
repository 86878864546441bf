-module(load_bad).
-on_load(init/0).
-export([value/0]).
init() -> {error, no}.
value() -> 1.
