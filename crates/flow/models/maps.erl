%% Maps: keys, values and functions on them.
-module(maps).

key(M) -> K = hd_of([K1 || K1 := _ <- M]), K.
value(M) -> hd_of([V || _ := V <- M]).
hd_of([X | _]) -> X.

filter(F, M) -> pairs(F, M), M#{}.
pairs(F, M) when is_map(M) -> F(key(M), value(M));
pairs(F, {iterator, M}) -> F(key(M), value(M)).
filtermap(F, M) -> #{key(M) => kept(F(key(M), value(M)), value(M))}.
kept({true, V}, _) -> V;
kept(true, V) -> V.
find(K, M) -> case M of #{K := V} -> {ok, V}; _ -> error end.
fold(F, A, {iterator, M}) -> step(F, A, M);
fold(F, A, M) -> step(F, A, M).
step(F, A, M) -> either(A, step(F, F(key(M), value(M), A), M)).
foreach(F, M) -> pairs(F, M), ok.
from_keys(L, V) -> #{hd_of(L) => V, any() => V}.
from_list(L) -> from(L, #{}).
from([{K, V} | T], M) -> from(T, M#{K => V});
from([], M) -> M.
get(K, M) -> #{K := V} = M, V.
get(K, M, D) -> case M of #{K := V} -> V; _ -> D end.
groups_from_list(F, L) -> X = item(L), #{F(X) => list(X)}.
groups_from_list(F, G, L) -> X = item(L), #{F(X) => list(G(X))}.
item([X | _]) -> X;
item([_ | T]) -> item(T).
intersect(A, B) -> either(A, B).
intersect_with(F, A, B) -> #{key(A) => F(key(A), value(A), value(B))}.
is_key(_, _) -> boolean().
iterator(M) -> {iterator, M}.
iterator(M, F) -> case F of F when is_function(F) -> F(key(M), key(M)); _ -> ok end, {iterator, M}.
keys(M) -> list(key(M)).
map(F, {iterator, M}) -> mapped(F, M);
map(F, M) -> mapped(F, M).
mapped(F, M) -> #{key(M) => F(key(M), value(M))}.
merge(A, B) -> M = either(A, B), M#{key(B) => value(B)}.
merge_with(F, A, B) -> M = either(A, B), M#{key(A) => F(key(A), value(A), value(B))}.
new() -> #{}.
next({iterator, M}) -> either(none, {key(M), value(M), {iterator, M}}).
put(K, V, M) -> M#{K => V}.
remove(_, M) -> M.
size(_) -> number().
take(K, M) -> case M of #{K := V} -> {V, M}; _ -> error end.
to_list({iterator, M}) -> list({key(M), value(M)});
to_list(M) -> list({key(M), value(M)}).
update(K, V, M) -> M#{K => V}.
update_with(K, F, M) -> #{K := V} = M, M#{K => F(V)}.
update_with(K, F, D, M) -> case M of #{K := V} -> M#{K => F(V)}; _ -> M#{K => D} end.
values(M) -> list(value(M)).
with(_, M) -> M.
without(_, M) -> M.
