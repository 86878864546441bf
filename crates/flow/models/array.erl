%% An array is a list of its elements.
-module(array).
item([X | _]) -> X;
item([_ | T]) -> item(T).
new() -> list(undefined).
new(_) -> list(either(undefined, any())).
new(_, _) -> list(either(undefined, any())).
default(A) -> item(A).
fix(A) -> A.
relax(A) -> A.
resize(A) -> A.
resize(_, A) -> A.
size(_) -> number().
sparse_size(_) -> number().
is_array(_) -> boolean().
is_fix(_) -> boolean().
reset(_, A) -> A.
get(_, A) -> item(A).
set(_, X, A) -> list(either(X, item(A))).
to_list(A) -> list(item(A)).
sparse_to_list(A) -> list(item(A)).
from_list(L) -> list(either(undefined, item(L))).
from_list(L, D) -> list(either(D, item(L))).
to_orddict(A) -> list({number(), item(A)}).
sparse_to_orddict(A) -> list({number(), item(A)}).
from_orddict(L) -> {_, V} = item(L), list(either(undefined, V)).
from_orddict(L, D) -> {_, V} = item(L), list(either(D, V)).
map(F, A) -> list(F(number(), item(A))).
sparse_map(F, A) -> list(F(number(), item(A))).
foldl(F, Acc, A) -> fold(F, Acc, A).
foldr(F, Acc, A) -> fold(F, Acc, A).
sparse_foldl(F, Acc, A) -> fold(F, Acc, A).
sparse_foldr(F, Acc, A) -> fold(F, Acc, A).
fold(F, Acc, A) -> either(Acc, fold(F, F(number(), item(A), Acc), A)).
