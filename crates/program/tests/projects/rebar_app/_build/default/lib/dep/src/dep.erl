-module(dep).
-export([f/0]).
-callback wanted(term()) -> term().
-callback spare() -> ok.
-optional_callbacks([spare/0]).
f() -> ok.
