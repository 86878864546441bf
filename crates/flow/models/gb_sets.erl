%% A set is a list of its elements.
-module(gb_sets).
item([X | _]) -> X;
item([_ | T]) -> item(T).
add(X, S) -> list(either(X, item(S))).
add_element(X, S) -> list(either(X, item(S))).
balance(S) -> S.
del_element(_, S) -> S.
delete(_, S) -> S.
delete_any(_, S) -> S.
difference(A, _) -> A.
empty() -> [].
filter(F, S) -> F(item(S)), S.
filtermap(F, S) -> list(either(item(S), kept(F(item(S))))).
kept({true, X}) -> X.
fold(F, A, S) -> either(A, fold(F, F(item(S), A), S)).
from_list(L) -> list(item(L)).
from_list(L, _) -> list(item(L)).
from_ordset(L) -> list(item(L)).
insert(X, S) -> list(either(X, item(S))).
intersection(L) -> list(item(item(L))).
intersection(A, B) -> list(either(item(A), item(B))).
is_disjoint(_, _) -> boolean().
is_element(_, _) -> boolean().
is_empty(_) -> boolean().
is_equal(_, _) -> boolean().
is_member(_, _) -> boolean().
is_set(_) -> boolean().
is_subset(_, _) -> boolean().
iterator(S) -> S.
iterator(S, _) -> S.
iterator_from(_, S) -> S.
larger(_, S) -> either(none, {found, item(S)}).
largest(S) -> item(S).
map(F, S) -> list(F(item(S))).
new() -> [].
new(_) -> [].
next(S) -> either(none, {item(S), S}).
singleton(X) -> [X].
size(_) -> number().
smaller(_, S) -> either(none, {found, item(S)}).
smallest(S) -> item(S).
subtract(A, _) -> A.
take_largest(S) -> {item(S), S}.
take_smallest(S) -> {item(S), S}.
to_list(S) -> list(item(S)).
union(L) -> list(item(item(L))).
union(A, B) -> list(either(item(A), item(B))).
