-module(broken).
-compile({parse_transform, adds_call}).
-export([main/0]).
main() -> call_g.
