-module(common).
-export([f/0]).
f() -> ok.
