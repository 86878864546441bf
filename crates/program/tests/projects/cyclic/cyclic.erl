-module(cyclic).
-export([f/0]).
-include("a.hrl").
f() -> ok.
