%% sets: sets with elements compared by `=:=`.
%%
%% Version 1 (what new/0 makes) is a hash table (stdlib_hash_table); version 2 is a map with the empty
%% list as the value of each element. Contents and order are those of OTP.
-module(sets).

-compile({no_auto_import, [size/1]}).

-export([add_element/2, del_element/2, filter/2, fold/3, from_list/1, from_list/2, intersection/1,
         intersection/2, is_disjoint/2, is_element/2, is_empty/1, is_set/1, is_subset/2, new/0,
         new/1, size/1, subtract/2, to_list/1, union/1, union/2]).
%% Since OTP 27.
-export([filtermap/2, is_equal/2, map/2]).

-export_type([set/0, set/1]).

-record(set, {size, slots, max_slots, offset, expand_at, contract_at, empty, segments}).
-opaque set(E) :: #set{} | #{E => []}.
-type set() :: set(_).

-define(IS_SET(Set), is_map(Set) orelse is_record(Set, set)).

-spec new() -> set(none()).
new() -> stdlib_hash_table:new(set).

-spec new([{version, 1..2}]) -> set(none()).
new(Options) ->
    case version(Options) of
        1 -> new();
        2 -> #{}
    end.

version([{version, 2}]) -> 2;
version(Options) -> proplists:get_value(version, Options, 1).

-spec from_list([E]) -> set(E).
from_list(List) -> lists:foldl(fun add_element/2, new(), List).

-spec from_list([E], [{version, 1..2}]) -> set(E).
from_list(List, Options) ->
    case version(Options) of
        1 -> from_list(List);
        2 -> maps:from_keys(List, [])
    end.

-spec is_set(term()) -> boolean().
is_set(Term) -> ?IS_SET(Term).

-spec size(set()) -> non_neg_integer().
size(Set) when is_map(Set) -> map_size(Set);
size(#set{size = Size}) -> Size.

-spec is_empty(set()) -> boolean().
is_empty(Set) when is_map(Set) -> map_size(Set) =:= 0;
is_empty(#set{size = Size}) -> Size =:= 0.

-spec to_list(set(E)) -> [E].
to_list(Set) when is_map(Set) -> maps:keys(Set);
to_list(#set{} = Set) -> stdlib_hash_table:entries(Set).

%% ---- single elements ----

-spec is_element(E, set(E)) -> boolean().
is_element(Elem, Set) when is_map(Set) -> is_map_key(Elem, Set);
is_element(Elem, #set{} = Set) ->
    lists:member(Elem, stdlib_hash_table:bucket(stdlib_hash_table:slot(Elem, Set), Set)).

-spec add_element(E, set(E)) -> set(E).
add_element(Elem, Set) when is_map(Set) -> Set#{Elem => []};
add_element(Elem, #set{} = Set) ->
    Slot = stdlib_hash_table:slot(Elem, Set),
    Bucket = stdlib_hash_table:bucket(Slot, Set),
    case lists:member(Elem, Bucket) of
        true -> Set;
        false ->
            Changed = stdlib_hash_table:with_bucket(Slot, [Elem | Bucket], Set),
            stdlib_hash_table:grown(Changed, 1, fun(E) -> E end)
    end.

-spec del_element(E, set(E)) -> set(E).
del_element(Elem, Set) when is_map(Set) -> maps:remove(Elem, Set);
del_element(Elem, #set{} = Set) ->
    Slot = stdlib_hash_table:slot(Elem, Set),
    Bucket = stdlib_hash_table:bucket(Slot, Set),
    case lists:member(Elem, Bucket) of
        true ->
            Changed = stdlib_hash_table:with_bucket(Slot, lists:delete(Elem, Bucket), Set),
            stdlib_hash_table:shrunk(Changed, 1);
        false -> Set
    end.

%% ---- all elements ----

-spec fold(fun((E, Acc) -> Acc), Acc, set(E)) -> Acc.
fold(Fun, Acc, Set) when is_function(Fun, 2), is_map(Set) ->
    maps:fold(fun(Elem, _, Acc1) -> Fun(Elem, Acc1) end, Acc, Set);
fold(Fun, Acc, #set{} = Set) when is_function(Fun, 2) -> stdlib_hash_table:fold(Fun, Acc, Set).

%% In version 1 each bucket comes out in reverse.
-spec filter(fun((E) -> boolean()), set(E)) -> set(E).
filter(Pred, Set) when is_function(Pred, 1), is_map(Set) ->
    maps:from_keys(maps:keys(maps:filter(fun(Elem, _) -> Pred(Elem) end, Set)), []);
filter(Pred, #set{size = Size} = Set) when is_function(Pred, 1) ->
    Filtered = stdlib_hash_table:map_buckets(fun(Bucket) -> filter_in(Pred, Bucket, []) end, Set),
    stdlib_hash_table:shrunk(Filtered, Size - length(stdlib_hash_table:entries(Filtered))).

filter_in(Pred, [Elem | Bucket], Kept) ->
    case Pred(Elem) of
        true -> filter_in(Pred, Bucket, [Elem | Kept]);
        false -> filter_in(Pred, Bucket, Kept)
    end;
filter_in(_Pred, [], Kept) -> Kept.

-spec map(fun((A) -> B), set(A)) -> set(B).
map(Fun, Set) when is_function(Fun, 1) -> like(Set, lists:map(Fun, to_list(Set))).

-spec filtermap(fun((A) -> boolean() | {true, B}), set(A)) -> set(A | B).
filtermap(Fun, Set) when is_function(Fun, 1) -> like(Set, lists:filtermap(Fun, to_list(Set))).

%% A set of the same version.
like(Set, Elems) when is_map(Set) -> from_list(Elems, [{version, 2}]);
like(#set{}, Elems) -> from_list(Elems).

%% ---- two sets ----

-spec union(set(A), set(B)) -> set(A | B).
union(Set1, Set2) when is_map(Set1), is_map(Set2) -> maps:merge(Set1, Set2);
union(Set1, Set2) ->
    {Smaller, Larger} = by_size(Set1, Set2),
    fold(fun add_element/2, Larger, Smaller).

-spec union([set(E)]) -> set(E).
union([]) -> new();
union([Set]) -> Set;
union([Set1, Set2 | Sets]) -> union([union(Set1, Set2) | Sets]).

-spec intersection(set(A), set(B)) -> set(A | B).
intersection(Set1, Set2) ->
    {Smaller, Larger} = by_size(Set1, Set2),
    filter(fun(Elem) -> is_element(Elem, Larger) end, Smaller).

-spec intersection([set(E), ...]) -> set(E).
intersection([Set]) -> Set;
intersection([Set1, Set2 | Sets]) -> intersection([intersection(Set1, Set2) | Sets]).

by_size(Set1, Set2) ->
    case size(Set1) < size(Set2) of
        true -> {Set1, Set2};
        false -> {Set2, Set1}
    end.

-spec subtract(set(A), set(term())) -> set(A).
subtract(Set1, Set2) -> filter(fun(Elem) -> not is_element(Elem, Set2) end, Set1).

-spec is_subset(set(E), set(E)) -> boolean().
is_subset(Set1, Set2) when is_map(Set1), is_map(Set2), map_size(Set1) > map_size(Set2) -> false;
is_subset(Set1, Set2) -> fold(fun(Elem, Yes) -> Yes andalso is_element(Elem, Set2) end, true, Set1).

-spec is_disjoint(set(E), set(E)) -> boolean().
is_disjoint(Set1, Set2) ->
    {Smaller, Larger} = by_size(Set1, Set2),
    fold(fun(Elem, Yes) -> Yes andalso not is_element(Elem, Larger) end, true, Smaller).

-spec is_equal(set(), set()) -> boolean().
is_equal(Set1, Set2) ->
    size(Set1) =:= size(Set2) andalso is_subset(Set1, Set2).
