-module(tree).
-export([main/0]).
main() ->
    Tree = from_list([5, 2, 8, 1, 9, 3, 7]),
    {to_list(Tree), depth(Tree), member(3, Tree), member(4, Tree), to_list(delete(5, Tree)), sum(Tree)}.
from_list(List) -> from_list(List, nil).
from_list([], Tree) -> Tree;
from_list([X | Rest], Tree) -> from_list(Rest, insert(X, Tree)).
insert(X, nil) -> {nil, X, nil};
insert(X, {L, Y, R}) when X < Y -> {insert(X, L), Y, R};
insert(X, {L, Y, R}) when X > Y -> {L, Y, insert(X, R)};
insert(_, Tree) -> Tree.
to_list(nil) -> [];
to_list({L, X, R}) -> to_list(L) ++ [X] ++ to_list(R).
depth(nil) -> 0;
depth({L, _, R}) -> 1 + larger(depth(L), depth(R)).
larger(A, B) when A >= B -> A;
larger(_, B) -> B.
member(_, nil) -> false;
member(X, {L, Y, R}) ->
    if
        X < Y -> member(X, L);
        X > Y -> member(X, R);
        true -> true
    end.
delete(_, nil) -> nil;
delete(X, {L, Y, R}) when X < Y -> {delete(X, L), Y, R};
delete(X, {L, Y, R}) when X > Y -> {L, Y, delete(X, R)};
delete(_, {nil, _, R}) -> R;
delete(_, {L, _, nil}) -> L;
delete(_, {L, _, R}) -> {X, Rest} = smallest(R), {L, X, Rest}.
smallest({nil, X, R}) -> {X, R};
smallest({L, X, R}) -> {S, Rest} = smallest(L), {S, {Rest, X, R}}.
sum(nil) -> 0;
sum({L, X, R}) -> sum(L) + X + sum(R).
