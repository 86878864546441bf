%% Dictionaries: as maps, by key where it is written as a literal (keys are compared exactly).
-module(dict).

append(K, V, D) ->
    X = get(K, D),
    need(K, shape(D), has(K, D), length(X)),
    put(K, list(either(V, item(X))), D).
append_list(K, L, D) ->
    X = get(K, D),
    need(K, length(L), shape(D), has(K, D), length(X)),
    put(K, list(either(item(L), item(X))), D).
erase(K, D) -> need(K, shape(D)), without(K, D).
fetch(K, D) -> need(K, shape(D), has(K, D)), get(K, D).
fetch_keys(D) -> need(shape(D), keys(D)), list(0).
filter(F, D) -> need(shape(D), keys(D), F(0, value(D))), D.
find(K, D) -> need(K, shape(D), has(K, D)), either(error, {ok, get(K, D)}).
fold(F, A, D) -> S = either(A, F(0, value(D), S)), need(shape(D), keys(D)), S.
from_list(L) ->
    X = item(L),
    need(length(L), shape(X), element(1, 2, X)),
    map(element(2, 2, X)).
is_empty(D) -> need(shape(D), keys(D)), true.
is_key(K, D) -> need(K, shape(D), has(K, D)), true.
map(F, D) -> need(shape(D), keys(D)), map(F(0, value(D))).
merge(F, A, B) ->
    need(shape(A), keys(A), shape(B), keys(B)),
    either(A, B, map(F(0, value(A), value(B)))).
new() -> 0.
size(D) -> need(shape(D), keys(D)), 0.
store(K, V, D) -> need(K, shape(D)), put(K, V, D).
take(K, D) -> need(K, shape(D), has(K, D)), either(error, {get(K, D), without(K, D)}).
to_list(D) -> need(shape(D), keys(D)), list({0, value(D)}).
update(K, F, D) -> need(K, shape(D), has(K, D)), put(K, F(get(K, D)), D).
update(K, F, I, D) -> need(K, shape(D), has(K, D)), put(K, either(I, F(get(K, D))), D).
update_counter(K, N, D) -> need(K, shape(D), has(K, D)), put(K, either(N, shape(get(K, D))), D).
