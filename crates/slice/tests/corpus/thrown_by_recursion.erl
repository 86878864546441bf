%% Exceptions that pass several activations of a function.
%% inputs: a(one([-1, 8]; [-1, 9])), b(one([-1, 8]; [-1, 9])), c(one([-1, 8]; [-1, 9])), d(one([-1, 8]; [-1, 9]))
-module(thrown_by_recursion).
-export([a/1, b/1, c/1, d/1]).
a(Costs) ->
    try spend(Costs, 0) of {left, L} -> {poor, L} catch throw:{over, By} -> {over, By} end.
spend([], Left) -> {left, Left};
spend([C | _], Left) when C > Left -> throw({over, C - Left});
spend([C | Cs], Left) -> spend(Cs, Left - C).
b(Costs) ->
    try spendb(Costs, 0) of {left, L} -> {poor, L} catch throw:{over, By} -> {over, By} end.
spendb([], Left) -> {left, Left};
spendb([C | _], Left) when C > Left -> throw({over, C - Left});
spendb([C | Cs], Left) -> R = spendb(Cs, Left - C), R.
c(Costs) ->
    try spendc(Costs, 0) of {left, L} -> {poor, L} catch throw:{over, By} -> By end.
spendc([], Left) -> {left, Left};
spendc([C | _], Left) when C > Left -> oops(C, Left);
spendc([_, C], Left) -> spendc([C], Left).
oops(C, Left) -> throw({over, C - Left}).
d(Costs) ->
    try spendd(Costs, 0) of {left, L} -> {poor, L} catch throw:By -> By end.
spendd([], Left) -> {left, Left};
spendd([C | _], Left) when C > Left -> throw({over, C - Left});
spendd([C | Cs], Left) -> spendd(Cs, Left - C).
