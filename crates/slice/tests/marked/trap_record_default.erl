%% The default value of a field that was not given.
-module(trap_record_default).
-export([f/1]).
-record(r, {a = 1, b = 2, c}).

f(‹X›) ->
    R = #r{‹c = X›},
    V = R#r.b,
    «V».
