%% Lists: elements and functions on them.
-module(lists).

item([X | _]) -> X;
item([_ | T]) -> item(T).

all(F, L) -> F(item(L)), boolean().
any(F, L) -> F(item(L)), boolean().
append(L) -> list(item(item(L))).
append(A, B) -> A ++ B.
concat(_) -> string().
delete(_, L) -> list(item(L)).
droplast(L) -> list(item(L)).
dropwhile(F, L) -> F(item(L)), list(item(L)).
duplicate(_, X) -> list(X).
enumerate(L) -> list({number(), item(L)}).
enumerate(_, L) -> list({number(), item(L)}).
enumerate(_, _, L) -> list({number(), item(L)}).
filter(F, L) -> F(item(L)), list(item(L)).
filtermap(F, L) -> list(kept(F(item(L)), item(L))).
kept({true, X}, _) -> X;
kept(true, X) -> X.
flatlength(_) -> number().
flatmap(F, L) -> list(item(F(item(L)))).
flatten(L) -> list(deep(L)).
flatten(L, T) -> list(either(deep(L), item(T))).
deep(L) -> X = item(L), either(X, deep(X)).
foldl(F, A, L) -> fold(F, A, L).
foldr(F, A, L) -> fold(F, A, L).
fold(_, A, []) -> A;
fold(F, A, L) -> fold(F, F(item(L), A), either(L, [])).
foreach(F, L) -> F(item(L)), ok.
join(S, L) -> list(either(S, item(L))).
keydelete(_, _, L) -> list(item(L)).
keyfind(_, _, L) -> either(false, tuples(item(L))).
keymap(F, _, L) -> T = item(L), list(tuple(either(fields(T), F(fields(T))))).
keymember(_, _, _) -> boolean().
keymerge(_, A, B) -> list(either(item(A), item(B))).
keyreplace(_, _, L, T) -> list(either(item(L), T)).
keysearch(_, _, L) -> either(false, {value, tuples(item(L))}).
keysort(_, L) -> list(item(L)).
keystore(_, _, L, T) -> list(either(item(L), T)).
keytake(_, _, L) -> either(false, {value, tuples(item(L)), list(item(L))}).
ukeymerge(_, A, B) -> list(either(item(A), item(B))).
ukeysort(_, L) -> list(item(L)).
last(L) -> item(L).
map(F, L) -> list(F(item(L))).
mapfoldl(F, A, L) -> mapfold(F, A, L).
mapfoldr(F, A, L) -> mapfold(F, A, L).
mapfold(F, A, L) -> {R, A2} = step(F, A, L), {list(R), either(A, A2)}.
step(F, A, L) -> {R, A2} = F(item(L), A), either({R, A2}, step(F, A2, L)).
max(L) -> item(L).
min(L) -> item(L).
member(_, _) -> boolean().
merge(L) -> list(item(item(L))).
merge(A, B) -> list(either(item(A), item(B))).
merge(F, A, B) -> F(item(A), item(B)), list(either(item(A), item(B))).
merge3(A, B, C) -> list(either(item(A), item(B), item(C))).
nth(_, L) -> item(L).
nthtail(_, L) -> list(item(L)).
partition(F, L) -> F(item(L)), {list(item(L)), list(item(L))}.
prefix(_, _) -> boolean().
reverse(L) -> list(item(L)).
reverse(L, T) -> list(either(item(L), item(T))).
search(F, L) -> F(item(L)), either(false, {value, item(L)}).
seq(_, _) -> list(number()).
seq(_, _, _) -> list(number()).
sort(L) -> list(item(L)).
sort(F, L) -> F(item(L), item(L)), list(item(L)).
split(_, L) -> {list(item(L)), list(item(L))}.
splitwith(F, L) -> F(item(L)), {list(item(L)), list(item(L))}.
sublist(L, _) -> list(item(L)).
sublist(L, _, _) -> list(item(L)).
subtract(L, _) -> list(item(L)).
suffix(_, _) -> boolean().
sum(_) -> number().
takewhile(F, L) -> F(item(L)), list(item(L)).
umerge(L) -> list(item(item(L))).
umerge(A, B) -> list(either(item(A), item(B))).
umerge(F, A, B) -> F(item(A), item(B)), list(either(item(A), item(B))).
umerge3(A, B, C) -> list(either(item(A), item(B), item(C))).
uniq(L) -> list(item(L)).
uniq(F, L) -> F(item(L)), list(item(L)).
unzip(L) -> {A, B} = item(L), {list(A), list(B)}.
unzip3(L) -> {A, B, C} = item(L), {list(A), list(B), list(C)}.
usort(L) -> list(item(L)).
usort(F, L) -> F(item(L), item(L)), list(item(L)).
zip(A, B) -> list({item(A), item(B)}).
zip(A, B, _) -> list({item(A), item(B)}).
zip3(A, B, C) -> list({item(A), item(B), item(C)}).
zip3(A, B, C, _) -> list({item(A), item(B), item(C)}).
zipwith(F, A, B) -> list(F(item(A), item(B))).
zipwith(F, A, B, _) -> list(F(item(A), item(B))).
zipwith3(F, A, B, C) -> list(F(item(A), item(B), item(C))).
zipwith3(F, A, B, C, _) -> list(F(item(A), item(B), item(C))).
zf(F, L) -> filtermap(F, L).
