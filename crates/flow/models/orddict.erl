%% A dictionary is a list of its pairs.
-module(orddict).
item([X | _]) -> X;
item([_ | T]) -> item(T).
value({_, V}) -> V.
key({K, _}) -> K.
new() -> [].
append(K, V, D) -> list(either({K, list(V)}, item(D))).
append_list(K, L, D) -> list(either({K, L}, item(D))).
erase(_, D) -> D.
take(_, D) -> either(error, {value(item(D)), D}).
fetch(_, D) -> value(item(D)).
fetch_keys(D) -> list(key(item(D))).
filter(F, D) -> {K, V} = item(D), F(K, V), D.
find(_, D) -> either(error, {ok, value(item(D))}).
fold(F, A, D) -> {K, V} = item(D), either(A, fold(F, F(K, V, A), D)).
from_list(L) -> list(item(L)).
is_empty(_) -> boolean().
is_key(_, _) -> boolean().
map(F, D) -> {K, V} = item(D), list({K, F(K, V)}).
merge(F, A, B) -> {K, V} = item(A), list(either(item(A), item(B), {K, F(K, V, value(item(B)))})).
size(_) -> number().
store(K, V, D) -> list(either({K, V}, item(D))).
to_list(D) -> list(item(D)).
update(K, F, D) -> list(either(item(D), {K, F(value(item(D)))})).
update(K, F, I, D) -> list(either(item(D), {K, I}, {K, F(value(item(D)))})).
update_counter(K, _, D) -> list(either({K, number()}, item(D))).
