-module(whole_tests).
-export([t/0]).
t() -> ?TEST.
