%% ordsets: sets as sorted lists without duplicates (elements compared with `==`).
%%
%% Operations on two sets walk both lists side by side. Of elements such as 1 and 1.0 that compare
%% equal, a union or intersection takes the one of the set that the previous step advanced in.
-module(ordsets).

-compile({no_auto_import, [size/1]}).

-export([add_element/2, del_element/2, filter/2, fold/3, from_list/1, intersection/1,
         intersection/2, is_disjoint/2, is_element/2, is_empty/1, is_set/1, is_subset/2, new/0,
         size/1, subtract/2, to_list/1, union/1, union/2]).
%% Since OTP 27.
-export([filtermap/2, is_equal/2, map/2]).

-export_type([ordset/1]).

-type ordset(T) :: [T].

-spec new() -> [].
new() -> [].

-spec is_set(term()) -> boolean().
is_set([Elem | Rest]) -> is_ascending(Elem, Rest);
is_set(Term) -> Term =:= [].

is_ascending(A, [B | Rest]) -> A < B andalso is_ascending(B, Rest);
is_ascending(_, []) -> true.

-spec size(ordset(term())) -> non_neg_integer().
size(Set) -> length(Set).

-spec is_empty(ordset(term())) -> boolean().
is_empty(Set) -> Set =:= [].

-spec is_equal(ordset(term()), ordset(term())) -> boolean().
is_equal(Set1, Set2) when is_list(Set1), is_list(Set2) -> Set1 == Set2.

-spec to_list(ordset(T)) -> [T].
to_list(Set) -> Set.

-spec from_list([T]) -> ordset(T).
from_list(List) -> lists:usort(List).

-spec is_element(term(), ordset(term())) -> boolean().
is_element(Elem, [Head | Rest]) ->
    if
        Elem > Head -> is_element(Elem, Rest);
        true -> Elem == Head
    end;
is_element(_Elem, []) -> false.

-spec add_element(E, ordset(T)) -> ordset(T | E).
add_element(Elem, [Head | Rest] = Set) ->
    if
        Elem > Head -> [Head | add_element(Elem, Rest)];
        Elem < Head -> [Elem | Set];
        true -> Set
    end;
add_element(Elem, []) -> [Elem].

-spec del_element(term(), ordset(T)) -> ordset(T).
del_element(Elem, [Head | Rest] = Set) ->
    if
        Elem > Head -> [Head | del_element(Elem, Rest)];
        Elem < Head -> Set;
        true -> Rest
    end;
del_element(_Elem, []) -> [].

-spec union(ordset(A), ordset(B)) -> ordset(A | B).
union([A | As] = Set1, [B | Bs] = Set2) ->
    if
        A < B -> [A | union(As, Set2)];
        A > B -> [B | union(Bs, Set1)];
        true -> [A | union(As, Bs)]
    end;
union([], Set2) -> Set2;
union(Set1, []) -> Set1.

-spec union([ordset(T)]) -> ordset(T).
union(Sets) -> lists:umerge(Sets).

-spec intersection(ordset(A), ordset(B)) -> ordset(A | B).
intersection([A | As] = Set1, [B | Bs] = Set2) ->
    if
        A < B -> intersection(As, Set2);
        A > B -> intersection(Bs, Set1);
        true -> [A | intersection(As, Bs)]
    end;
intersection([], _Set2) -> [];
intersection(_Set1, []) -> [].

-spec intersection([ordset(T), ...]) -> ordset(T).
intersection([Set]) -> Set;
intersection([Set1, Set2 | Sets]) -> intersection([intersection(Set1, Set2) | Sets]).

-spec is_disjoint(ordset(term()), ordset(term())) -> boolean().
is_disjoint([A | As] = Set1, [B | Bs] = Set2) ->
    if
        A < B -> is_disjoint(As, Set2);
        A > B -> is_disjoint(Set1, Bs);
        true -> false
    end;
is_disjoint([], _Set2) -> true;
is_disjoint(_Set1, []) -> true.

-spec subtract(ordset(A), ordset(term())) -> ordset(A).
subtract([A | As] = Set1, [B | Bs] = Set2) ->
    if
        A < B -> [A | subtract(As, Set2)];
        A > B -> subtract(Set1, Bs);
        true -> subtract(As, Bs)
    end;
subtract([], _Set2) -> [];
subtract(Set1, []) -> Set1.

-spec is_subset(ordset(term()), ordset(term())) -> boolean().
is_subset([A | As] = Set1, [B | Bs]) ->
    if
        A < B -> false;
        A > B -> is_subset(Set1, Bs);
        true -> is_subset(As, Bs)
    end;
is_subset([], _Set2) -> true;
is_subset(_Set1, []) -> false.

-spec fold(fun((T, Acc) -> Acc), Acc, ordset(T)) -> Acc.
fold(Fun, Acc, Set) -> lists:foldl(Fun, Acc, Set).

-spec filter(fun((T) -> boolean()), ordset(T)) -> ordset(T).
filter(Pred, Set) -> lists:filter(Pred, Set).

-spec map(fun((A) -> B), ordset(A)) -> ordset(B).
map(Fun, Set) -> from_list(lists:map(Fun, Set)).

-spec filtermap(fun((A) -> boolean() | {true, B}), ordset(A)) -> ordset(A | B).
filtermap(Fun, Set) -> from_list(lists:filtermap(Fun, Set)).
