-module(fallback).
-export([native/0, f/0]).
-on_load(init/0).
init() -> _ = erlang:load_nif("./priv/fallback", 0), ok.
native() -> erlang:nif_error(not_loaded).
f() -> try native() catch error:not_loaded -> 2 end.
