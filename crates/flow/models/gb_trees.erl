%% A tree is a list of its pairs.
-module(gb_trees).
item([X | _]) -> X;
item([_ | T]) -> item(T).
value({_, V}) -> V.
key({K, _}) -> K.
balance(T) -> T.
delete(_, T) -> T.
delete_any(_, T) -> T.
empty() -> [].
enter(K, V, T) -> list(either({K, V}, item(T))).
from_orddict(L) -> list(item(L)).
get(_, T) -> value(item(T)).
insert(K, V, T) -> list(either({K, V}, item(T))).
is_defined(_, _) -> boolean().
is_empty(_) -> boolean().
iterator(T) -> T.
iterator(T, _) -> T.
iterator_from(_, T) -> T.
iterator_from(_, T, _) -> T.
keys(T) -> list(key(item(T))).
larger(_, T) -> either(none, item(T)).
largest(T) -> item(T).
lookup(_, T) -> either(none, {value, value(item(T))}).
map(F, T) -> {K, V} = item(T), list({K, F(K, V)}).
next(T) -> {K, V} = item(T), either(none, {K, V, T}).
size(_) -> number().
smaller(_, T) -> either(none, item(T)).
smallest(T) -> item(T).
take(_, T) -> {value(item(T)), T}.
take_any(_, T) -> either(error, {value(item(T)), T}).
take_largest(T) -> {K, V} = item(T), {K, V, T}.
take_smallest(T) -> {K, V} = item(T), {K, V, T}.
to_list(T) -> list(item(T)).
update(K, V, T) -> list(either({K, V}, item(T))).
values(T) -> list(value(item(T))).
