-module(rebar_app_main).
-export([limit/0, twice/1, dep/0, here/0]).
-include("rebar_app.hrl").
-include("from_extra.hrl").
-include_lib("dep/include/dep.hrl").

limit() -> ?LIMIT.

twice(X) ->
    Unused = X,
    ?TWICE(X).

dep() -> #dep{name = ?EXTRA}.

-ifdef(TEST).
here() -> test.
-else.
here() -> {normal, ?NUMBERED, ?plain}.
-endif.
