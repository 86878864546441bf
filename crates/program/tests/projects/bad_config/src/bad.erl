-module(bad).
-export([f/0]).
f() -> ok.
