%% Short circuits with effects and failures in them.
%% inputs: circuits(int, int), effects(bool, bool), compare(any, any)
-module(boolean_logic).
-export([circuits/2, effects/2, compare/2]).

circuits(A, B) ->
    Safe = B =/= 0 andalso A div B > 1,
    Or = A > 5 orelse (B > 0 andalso A < B),
    Not = not (Safe or Or),
    Strict = (A > 0) and (B > 0),
    {Safe, Not, Strict xor Or}.

effects(P, Q) ->
    put(trace, []),
    R1 = note(a, P) andalso note(b, Q),
    R2 = note(c, P) orelse note(d, Q),
    Trace = lists:reverse(get(trace)),
    {R1, R2, Trace}.

note(Name, Value) ->
    put(trace, [Name | get(trace)]),
    Value.

compare(X, Y) ->
    Order = if
        X < Y -> less;
        X > Y -> greater;
        X =:= Y -> same;
        true -> equal
    end,
    Max = max(X, Y),
    {Order, Max =:= X, X == Y}.
