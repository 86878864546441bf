-module(part).
-export([f/0]).
-include_lib("common/include/common.hrl").
f() -> ?LIMIT.
