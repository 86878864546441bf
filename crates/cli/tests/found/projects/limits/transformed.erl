-module(transformed).
-compile({parse_transform, looping}).
-export([f/0]).
f() -> ok.
