-module(load_good2).
-on_load(init/0).
-export([value/0]).
init() -> ok.
value() -> exit(fine).
