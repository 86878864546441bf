%% orddict: dictionaries as lists of pairs sorted by key.
%%
%% Keys are compared with `==`; of two equal keys the one stored last is kept. All operations walk
%% the list: O(n).
-module(orddict).

-compile({no_auto_import, [size/1]}).

-export([append/3, append_list/3, erase/2, fetch/2, fetch_keys/1, filter/2, find/2, fold/3,
         from_list/1, is_empty/1, is_key/2, map/2, merge/3, new/0, size/1, store/3, take/2,
         to_list/1, update/3, update/4, update_counter/3]).

-export_type([orddict/0, orddict/2]).

-type orddict() :: orddict(term(), term()).
-type orddict(Key, Value) :: [{Key, Value}].

-spec new() -> orddict(none(), none()).
new() -> [].

-spec size(orddict()) -> non_neg_integer().
size(Dict) -> length(Dict).

-spec is_empty(orddict()) -> boolean().
is_empty([]) -> true;
is_empty([_ | _]) -> false.

-spec to_list(orddict(K, V)) -> [{K, V}].
to_list(Dict) -> Dict.

%% A pair later in the list wins over an earlier one of the same key.
-spec from_list([{K, V}]) -> orddict(K, V).
from_list([]) -> [];
from_list([{_, _}] = Pairs) -> Pairs;
from_list(Pairs) -> lists:ukeysort(1, reverse_pairs(Pairs, [])).

reverse_pairs([{_, _} = Pair | Pairs], Acc) -> reverse_pairs(Pairs, [Pair | Acc]);
reverse_pairs([], Acc) -> Acc.

%% ---- looking up ----

-spec is_key(K, orddict(K, term())) -> boolean().
is_key(Key, [{K, _} | Dict]) ->
    if
        Key > K -> is_key(Key, Dict);
        true -> Key == K
    end;
is_key(_Key, []) -> false.

-spec find(K, orddict(K, V)) -> {ok, V} | error.
find(Key, [{K, Value} | Dict]) ->
    if
        Key > K -> find(Key, Dict);
        Key < K -> error;
        true -> {ok, Value}
    end;
find(_Key, []) -> error.

-spec fetch(K, orddict(K, V)) -> V.
fetch(Key, [{K, Value} | _]) when Key == K -> Value;
fetch(Key, [{K, _} | Dict]) when Key > K -> fetch(Key, Dict).

-spec fetch_keys(orddict(K, term())) -> [K].
fetch_keys([{Key, _} | Dict]) -> [Key | fetch_keys(Dict)];
fetch_keys([]) -> [].

%% ---- changing ----

-spec store(K, V, orddict(K, V)) -> orddict(K, V).
store(Key, Value, [{K, _} = Pair | Rest] = Dict) ->
    if
        Key > K -> [Pair | store(Key, Value, Rest)];
        Key < K -> [{Key, Value} | Dict];
        true -> [{Key, Value} | Rest]
    end;
store(Key, Value, []) -> [{Key, Value}].

-spec erase(K, orddict(K, V)) -> orddict(K, V).
erase(Key, [{K, _} = Pair | Rest] = Dict) ->
    if
        Key > K -> [Pair | erase(Key, Rest)];
        Key < K -> Dict;
        true -> Rest
    end;
erase(_Key, []) -> [].

-spec take(K, orddict(K, V)) -> {V, orddict(K, V)} | error.
take(Key, Dict) -> take(Key, Dict, []).

take(Key, [{K, Value} = Pair | Rest], Before) ->
    if
        Key > K -> take(Key, Rest, [Pair | Before]);
        Key < K -> error;
        true -> {Value, lists:reverse(Before, Rest)}
    end;
take(_Key, [], _Before) -> error.

-spec append(K, V, orddict(K, V)) -> orddict(K, V).
append(Key, Value, [{K, Old} = Pair | Rest] = Dict) ->
    if
        Key > K -> [Pair | append(Key, Value, Rest)];
        Key < K -> [{Key, [Value]} | Dict];
        true -> [{Key, Old ++ [Value]} | Rest]
    end;
append(Key, Value, []) -> [{Key, [Value]}].

-spec append_list(K, [V], orddict(K, V)) -> orddict(K, V).
append_list(Key, Values, [{K, Old} = Pair | Rest] = Dict) ->
    if
        Key > K -> [Pair | append_list(Key, Values, Rest)];
        Key < K -> [{Key, Values} | Dict];
        true -> [{Key, Old ++ Values} | Rest]
    end;
append_list(Key, Values, []) -> [{Key, Values}].

-spec update(K, fun((V) -> V), orddict(K, V)) -> orddict(K, V).
update(Key, Fun, [{K, Value} | Rest]) when Key == K -> [{Key, Fun(Value)} | Rest];
update(Key, Fun, [{K, _} = Pair | Rest]) when Key > K -> [Pair | update(Key, Fun, Rest)].

-spec update(K, fun((V) -> V), V, orddict(K, V)) -> orddict(K, V).
update(Key, Fun, Initial, [{K, Value} = Pair | Rest] = Dict) ->
    if
        Key > K -> [Pair | update(Key, Fun, Initial, Rest)];
        Key < K -> [{Key, Initial} | Dict];
        true -> [{Key, Fun(Value)} | Rest]
    end;
update(Key, _Fun, Initial, []) -> [{Key, Initial}].

-spec update_counter(K, number(), orddict(K, number())) -> orddict(K, number()).
update_counter(Key, Increment, [{K, Value} = Pair | Rest] = Dict) ->
    if
        Key > K -> [Pair | update_counter(Key, Increment, Rest)];
        Key < K -> [{Key, Increment} | Dict];
        true -> [{Key, Value + Increment} | Rest]
    end;
update_counter(Key, Increment, []) -> [{Key, Increment}].

%% ---- all pairs ----

-spec fold(fun((K, V, Acc) -> Acc), Acc, orddict(K, V)) -> Acc.
fold(Fun, Acc, [{Key, Value} | Dict]) -> fold(Fun, Fun(Key, Value, Acc), Dict);
fold(Fun, Acc, []) when is_function(Fun, 3) -> Acc.

-spec map(fun((K, V1) -> V2), orddict(K, V1)) -> orddict(K, V2).
map(Fun, [{Key, Value} | Dict]) -> [{Key, Fun(Key, Value)} | map(Fun, Dict)];
map(Fun, []) when is_function(Fun, 2) -> [].

-spec filter(fun((K, V) -> boolean()), orddict(K, V)) -> orddict(K, V).
filter(Pred, [{Key, Value} = Pair | Dict]) ->
    case Pred(Key, Value) of
        true -> [Pair | filter(Pred, Dict)];
        false -> filter(Pred, Dict)
    end;
filter(Pred, []) when is_function(Pred, 2) -> [].

-spec merge(fun((K, V1, V2) -> V), orddict(K, V1), orddict(K, V2)) -> orddict(K, V).
merge(Fun, [{K1, V1} = Pair1 | Rest1] = Dict1, [{K2, V2} = Pair2 | Rest2] = Dict2) ->
    if
        K1 < K2 -> [Pair1 | merge(Fun, Rest1, Dict2)];
        K1 > K2 -> [Pair2 | merge(Fun, Dict1, Rest2)];
        true -> [{K1, Fun(K1, V1, V2)} | merge(Fun, Rest1, Rest2)]
    end;
merge(Fun, [], Dict2) when is_function(Fun, 3) -> Dict2;
merge(Fun, Dict1, []) when is_function(Fun, 3) -> Dict1.
