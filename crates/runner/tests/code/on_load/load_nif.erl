-module(load_nif).
-on_load(init/0).
-export([value/0]).
init() ->
    {error, {load_failed, _}} = erlang:load_nif("no_such_library", 0),
    ok.
value() -> try erlang:nif_error(not_loaded) catch error:not_loaded -> not_loaded end.
