-module(user_of_endless).
-compile({parse_transform, endless}).
-export([main/0]).
main() -> ok.
