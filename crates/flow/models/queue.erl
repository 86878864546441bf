-module(queue).
%% A queue is a list of its items.
new() -> [].
item([X | _]) -> X;
item([_ | T]) -> item(T).
is_queue(_) -> boolean().
is_empty(_) -> boolean().
len(_) -> number().
to_list(Q) -> list(item(Q)).
from_list(L) -> list(item(L)).
member(_, _) -> boolean().
in(X, Q) -> list(either(X, item(Q))).
in_r(X, Q) -> list(either(X, item(Q))).
out(Q) -> either({empty, Q}, {{value, item(Q)}, Q}).
out_r(Q) -> either({empty, Q}, {{value, item(Q)}, Q}).
get(Q) -> item(Q).
get_r(Q) -> item(Q).
peek(Q) -> either(empty, {value, item(Q)}).
peek_r(Q) -> either(empty, {value, item(Q)}).
drop(Q) -> Q.
drop_r(Q) -> Q.
reverse(Q) -> Q.
join(A, B) -> list(either(item(A), item(B))).
split(_, Q) -> {Q, Q}.
filter(F, Q) -> list(either(item(Q), item(F(item(Q))))).
filtermap(F, Q) -> list(either(item(Q), kept(F(item(Q))))).
kept({true, X}) -> X.
fold(F, A, Q) -> either(A, fold(F, F(item(Q), A), Q)).
any(F, Q) -> F(item(Q)), boolean().
all(F, Q) -> F(item(Q)), boolean().
delete(_, Q) -> Q.
delete_r(_, Q) -> Q.
delete_with(F, Q) -> F(item(Q)), Q.
delete_with_r(F, Q) -> F(item(Q)), Q.
cons(X, Q) -> list(either(X, item(Q))).
head(Q) -> item(Q).
tail(Q) -> Q.
snoc(Q, X) -> list(either(X, item(Q))).
daeh(Q) -> item(Q).
last(Q) -> item(Q).
liat(Q) -> Q.
init(Q) -> Q.
lait(Q) -> Q.
