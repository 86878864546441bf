-module(missing).
-export([f/0]).
-include("nowhere.hrl").
-include_lib("no_such_app/include/x.hrl").
f() -> ok.
