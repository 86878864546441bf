%% Arrays: as maps by index where it is written as a number. What `new` is told may be in every place.
-module(array).

foldl(F, A, R) -> S = either(A, F(0, value(R), S)), need(shape(R), keys(R)), S.
foldr(F, A, R) -> S = either(A, F(0, value(R), S)), need(shape(R), keys(R)), S.
from_list(L) -> need(length(L)), map(item(L)).
from_list(L, D) -> need(length(L)), map(either(D, item(L))).
get(I, R) -> need(I, shape(R)), get(I, R).
is_array(R) -> need(shape(R)), true.
map(F, R) -> need(shape(R), keys(R)), map(F(0, value(R))).
new() -> 0.
new(O) -> need(O), 0.
new(N, O) -> need(N, O), 0.
reset(I, R) -> need(I, shape(R)), without(I, R).
set(I, X, R) -> need(I, shape(R)), put(I, X, R).
size(R) -> need(shape(R), keys(R)), 0.
to_list(R) -> need(shape(R), keys(R)), list(value(R)).
to_orddict(R) -> need(shape(R), keys(R)), list({0, value(R)}).
