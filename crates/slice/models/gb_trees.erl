%% Trees: as maps of which no keys are told apart, since 1 and 1.0 are the same one. All keys are compared.
-module(gb_trees).

balance(T) -> need(shape(T), keys(T)), T.
delete(K, T) -> need(K, shape(T), keys(T)), T.
delete_any(K, T) -> need(K, shape(T), keys(T)), T.
empty() -> 0.
enter(K, V, T) -> need(K, shape(T), keys(T)), either(T, map(V)).
from_orddict(L) ->
    X = item(L),
    need(length(L), shape(X), element(1, 2, X)),
    map(element(2, 2, X)).
get(K, T) -> need(K, shape(T), keys(T)), value(T).
insert(K, V, T) -> need(K, shape(T), keys(T)), either(T, map(V)).
is_defined(K, T) -> need(K, shape(T), keys(T)), true.
is_empty(T) -> need(shape(T), keys(T)), true.
keys(T) -> need(shape(T), keys(T)), list(0).
largest(T) -> need(shape(T), keys(T)), {0, value(T)}.
lookup(K, T) -> need(K, shape(T), keys(T)), either(none, {value, value(T)}).
map(F, T) -> need(shape(T), keys(T)), map(F(0, value(T))).
size(T) -> need(shape(T), keys(T)), 0.
smallest(T) -> need(shape(T), keys(T)), {0, value(T)}.
take(K, T) -> need(K, shape(T), keys(T)), {value(T), T}.
take_any(K, T) -> need(K, shape(T), keys(T)), either(error, {value(T), T}).
take_largest(T) -> need(shape(T), keys(T)), {0, value(T), T}.
take_smallest(T) -> need(shape(T), keys(T)), {0, value(T), T}.
to_list(T) -> need(shape(T), keys(T)), list({0, value(T)}).
update(K, V, T) -> need(K, shape(T), keys(T)), either(T, map(V)).
values(T) -> need(shape(T), keys(T)), list(value(T)).
