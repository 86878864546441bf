%% Uses a macro whose definition is wrong: the report leads from the call to the definition.
-module(till).
-export([sell/1]).

-include("shop.hrl").

sell(Item) ->
    ?TOTAL(Item).
