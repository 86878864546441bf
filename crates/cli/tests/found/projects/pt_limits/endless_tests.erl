-module(endless_tests).
-compile({parse_transform, endless}).
-include_lib("eunit/include/eunit.hrl").
a_test() -> ok.
