%% One program of the races: its value is the reason for which its process ends, here and on the BEAM.
-module(race).
-export([run/3]).

run(Module, Function, Arguments) -> exit({outcome, apply(Module, Function, Arguments)}).
