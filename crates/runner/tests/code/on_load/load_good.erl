-module(load_good).
-on_load(init/0).
-export([value/0]).
init() -> register(load_good, spawn(fun() -> receive stop -> ok end end)), ok.
value() -> is_pid(whereis(load_good)).
