-module(proplists).
item([X | _]) -> X;
item([_ | T]) -> item(T).
value({_, V}) -> V.
get_value(_, L) -> either(undefined, true, value(item(L))).
get_value(_, L, D) -> either(D, true, value(item(L))).
get_all_values(_, L) -> list(either(true, value(item(L)))).
get_bool(_, _) -> boolean().
get_keys(_) -> list(any()).
lookup(_, L) -> either(none, item(L)).
lookup_all(_, L) -> list(item(L)).
is_defined(_, _) -> boolean().
append_values(_, L) -> list(item(value(item(L)))).
delete(_, L) -> list(item(L)).
property({K, V}) -> {K, V};
property(K) -> K.
property(K, V) -> either(K, {K, V}).
compact(L) -> list(item(L)).
unfold(L) -> list(either(item(L), {item(L), true})).
expand(_, L) -> list(either(item(L), any())).
normalize(L, _) -> list(either(item(L), any())).
split(L, _) -> {list(list(item(L))), list(item(L))}.
substitute_aliases(_, L) -> list(item(L)).
substitute_negations(_, L) -> list(item(L)).
to_map(L) -> {K, V} = item(L), #{K => V, item(L) => true}.
to_map(L, _) -> to_map(L).
from_map(M) -> list(hd_of([{K, V} || K := V <- M])).
hd_of([X | _]) -> X.
