-module(load_crash).
-on_load(init/0).
-export([value/0]).
init() -> error(bad).
value() -> 1.
