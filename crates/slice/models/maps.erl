%% Maps: by key where it is written as a literal, else any of the values. Which keys there are is
%% needed wherever all of them are looked at, what is under them only where it is asked for.
-module(maps).

filter(F, M) -> need(shape(M), keys(M), F(0, value(M))), M.
filtermap(F, M) ->
    R = F(0, value(M)),
    need(shape(M), keys(M), shape(R), element(1, 2, R)),
    either(M, map(element(2, 2, R))).
find(K, M) -> need(K, shape(M), has(K, M)), either(error, {ok, get(K, M)}).
fold(F, A, M) -> S = either(A, F(0, value(M), S)), need(shape(M), keys(M)), S.
foreach(F, M) -> F(0, value(M)), need(shape(M), keys(M)), ok.
from_list(L) ->
    X = item(L),
    need(length(L), shape(X), element(1, 2, X)),
    map(element(2, 2, X)).
get(K, M) -> need(K, shape(M), has(K, M)), get(K, M).
get(K, M, D) -> need(K, shape(M), has(K, M)), either(D, get(K, M)).
is_key(K, M) -> need(K, shape(M), has(K, M)), true.
keys(M) -> need(shape(M), keys(M)), list(0).
map(F, M) -> need(shape(M), keys(M)), map(F(0, value(M))).
merge(A, B) -> need(shape(A), shape(B)), either(A, B).
merge_with(F, A, B) ->
    need(shape(A), keys(A), shape(B), keys(B)),
    either(A, B, map(F(0, value(A), value(B)))).
new() -> 0.
put(K, V, M) -> need(K, shape(M)), put(K, V, M).
remove(K, M) -> need(K, shape(M)), without(K, M).
size(M) -> need(shape(M), keys(M)), 0.
take(K, M) -> need(K, shape(M), has(K, M)), either(error, {get(K, M), without(K, M)}).
to_list(M) -> need(shape(M), keys(M)), list({0, value(M)}).
update(K, V, M) -> need(K, shape(M), has(K, M)), put(K, V, M).
update_with(K, F, M) -> need(K, shape(M), has(K, M)), put(K, F(get(K, M)), M).
update_with(K, F, D, M) ->
    need(K, shape(M), has(K, M)),
    put(K, either(D, F(get(K, M))), M).
values(M) -> need(shape(M), keys(M)), list(value(M)).
with(Ks, M) -> need(Ks, shape(M)), M.
without(Ks, M) -> need(Ks, shape(M)), M.
