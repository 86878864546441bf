%% Macros with and without arguments, conditions, stringified arguments.
%% inputs: area(int), clamp(int), debug(int)
-module(macros).
-export([area/1, clamp/1, debug/1]).

-define(SIDE, 4).
-define(SQUARE(X), ((X) * (X))).
-define(MAX(A, B), case (A) > (B) of true -> (A); false -> (B) end).
-define(TAG(X), {??X, X}).
-ifdef(NEVER).
-define(LIMIT, 5).
-else.
-define(LIMIT, 50).
-endif.

area(N) ->
    Side = ?SIDE + N,
    Area = ?SQUARE(Side),
    Spare = ?SQUARE(N) - 1,
    {Area, Spare}.

clamp(N) ->
    Low = ?MAX(N, 0),
    High = if Low > ?LIMIT -> ?LIMIT; true -> Low end,
    {Low, High}.

debug(N) ->
    Double = N * 2,
    {Text, Value} = ?TAG(40 + 2),
    Module = ?MODULE,
    Where = {Module, ?FUNCTION_NAME, ?FUNCTION_ARITY},
    {Text, Value + Double, Where}.
