-module(plain_sub).
-export([f/0]).
-include_lib("plain/include/plain.hrl").
f() -> ?PLAIN.
