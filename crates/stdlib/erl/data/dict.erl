%% dict: dictionaries with keys compared by `=:=`.
%%
%% A hash table (stdlib_hash_table) whose entries are `[Key | Value]`. Contents and order are those of
%% OTP.
-module(dict).

-compile({no_auto_import, [size/1]}).

-export([append/3, append_list/3, erase/2, fetch/2, fetch_keys/1, filter/2, find/2, fold/3,
         from_list/1, is_empty/1, is_key/2, map/2, merge/3, new/0, size/1, store/3, take/2,
         to_list/1, update/3, update/4, update_counter/3]).

-export_type([dict/0, dict/2]).

-type dict() :: dict(_, _).
-record(dict, {size, slots, max_slots, offset, expand_at, contract_at, empty, segments}).
-opaque dict(_Key, _Value) :: #dict{}.

-spec new() -> dict().
new() -> stdlib_hash_table:new(dict).

-spec size(dict()) -> non_neg_integer().
size(#dict{size = Size}) when is_integer(Size), Size >= 0 -> Size.

-spec is_empty(dict()) -> boolean().
is_empty(#dict{size = Size}) -> Size =:= 0.

-spec from_list([{K, V}]) -> dict(K, V).
from_list(Pairs) -> lists:foldl(fun({Key, Value}, Dict) -> store(Key, Value, Dict) end, new(), Pairs).

-spec to_list(dict(K, V)) -> [{K, V}].
to_list(Dict) -> fold(fun(Key, Value, Acc) -> [{Key, Value} | Acc] end, [], Dict).

-spec fetch_keys(dict(K, term())) -> [K].
fetch_keys(Dict) -> fold(fun(Key, _Value, Acc) -> [Key | Acc] end, [], Dict).

%% ---- looking up ----

-spec find(K, dict(K, V)) -> {ok, V} | error.
find(Key, Dict) -> value_in(Key, bucket_of(Key, Dict)).

-spec is_key(K, dict(K, term())) -> boolean().
is_key(Key, Dict) -> value_in(Key, bucket_of(Key, Dict)) =/= error.

-spec fetch(K, dict(K, V)) -> V.
fetch(Key, Dict) ->
    case value_in(Key, bucket_of(Key, Dict)) of
        {ok, Value} -> Value;
        error -> erlang:error(badarg, [Key, Dict])
    end.

bucket_of(Key, #dict{} = Dict) ->
    stdlib_hash_table:bucket(stdlib_hash_table:slot(Key, Dict), Dict);
bucket_of(_Key, NotDict) -> erlang:error({badrecord, NotDict}).

value_in(Key, [[Key | Value] | _]) -> {ok, Value};
value_in(Key, [_ | Entries]) -> value_in(Key, Entries);
value_in(_Key, []) -> error.

%% ---- changing one key ----

-spec store(K, V, dict(K, V)) -> dict(K, V).
store(Key, Value, Dict) -> change(Key, fun(_Old) -> Value end, fun() -> Value end, Dict).

-spec append(K, V, dict(K, V)) -> dict(K, V).
append(Key, Value, Dict) ->
    change(Key, fun(Old) -> Old ++ [Value] end, fun() -> [Value] end, Dict).

-spec append_list(K, [V], dict(K, V)) -> dict(K, V).
append_list(Key, Values, Dict) ->
    change(Key, fun(Old) -> Old ++ Values end, fun() -> Values end, Dict).

-spec update(K, fun((V) -> V), dict(K, V)) -> dict(K, V).
update(Key, Fun, Dict) ->
    case value_in(Key, bucket_of(Key, Dict)) of
        {ok, Value} -> store(Key, Fun(Value), Dict);
        error -> erlang:error(badarg, [Key, Fun, Dict])
    end.

-spec update(K, fun((V) -> V), V, dict(K, V)) -> dict(K, V).
update(Key, Fun, Initial, Dict) ->
    change(Key, Fun, fun() -> initial(Fun, Initial) end, Dict).

initial(Fun, Initial) when is_function(Fun, 1) -> Initial.

-spec update_counter(K, number(), dict(K, number())) -> dict(K, number()).
update_counter(Key, Increment, Dict) when is_number(Increment) ->
    change(Key, fun(Old) -> Old + Increment end, fun() -> Increment end, Dict).

%% Replaces the value of a key by Update(Old), or adds the key with the value of Insert().
change(Key, Update, Insert, #dict{} = Dict) ->
    Slot = stdlib_hash_table:slot(Key, Dict),
    {Bucket, Added} = change_in(Key, Update, Insert, stdlib_hash_table:bucket(Slot, Dict)),
    Changed = stdlib_hash_table:with_bucket(Slot, Bucket, Dict),
    stdlib_hash_table:grown(Changed, Added, fun([K | _]) -> K end);
change(_Key, _Update, _Insert, NotDict) -> erlang:error({badrecord, NotDict}).

change_in(Key, Update, _Insert, [[Key | Old] | Entries]) -> {[[Key | Update(Old)] | Entries], 0};
change_in(Key, Update, Insert, [Entry | Entries]) ->
    {Changed, Added} = change_in(Key, Update, Insert, Entries),
    {[Entry | Changed], Added};
change_in(Key, _Update, Insert, []) -> {[[Key | Insert()]], 1}.

-spec take(K, dict(K, V)) -> {V, dict(K, V)} | error.
take(Key, Dict) ->
    case value_in(Key, bucket_of(Key, Dict)) of
        {ok, Value} -> {Value, erase(Key, Dict)};
        error -> error
    end.

-spec erase(K, dict(K, V)) -> dict(K, V).
erase(Key, #dict{} = Dict) ->
    Slot = stdlib_hash_table:slot(Key, Dict),
    Bucket = stdlib_hash_table:bucket(Slot, Dict),
    Rest = erase_in(Key, Bucket),
    Removed = length(Bucket) - length(Rest),
    stdlib_hash_table:shrunk(stdlib_hash_table:with_bucket(Slot, Rest, Dict), Removed);
erase(_Key, NotDict) -> erlang:error({badrecord, NotDict}).

erase_in(Key, [[Key | _] | Entries]) -> Entries;
erase_in(Key, [Entry | Entries]) -> [Entry | erase_in(Key, Entries)];
erase_in(_Key, []) -> [].

%% ---- all entries ----

-spec fold(fun((K, V, Acc) -> Acc), Acc, dict(K, V)) -> Acc.
fold(Fun, Acc, #dict{} = Dict) when is_function(Fun, 3) ->
    stdlib_hash_table:fold(fun([Key | Value], Acc1) -> Fun(Key, Value, Acc1) end, Acc, Dict);
fold(_Fun, _Acc, NotDict) when not is_record(NotDict, dict) -> erlang:error({badrecord, NotDict}).

-spec map(fun((K, V1) -> V2), dict(K, V1)) -> dict(K, V2).
map(Fun, #dict{} = Dict) ->
    stdlib_hash_table:map_buckets(fun(Bucket) -> map_in(Fun, Bucket) end, Dict);
map(_Fun, NotDict) -> erlang:error({badrecord, NotDict}).

map_in(Fun, [[Key | Value] | Entries]) -> [[Key | Fun(Key, Value)] | map_in(Fun, Entries)];
map_in(Fun, []) when is_function(Fun, 2) -> [].

-spec filter(fun((K, V) -> boolean()), dict(K, V)) -> dict(K, V).
filter(Pred, #dict{size = Size} = Dict) ->
    Filtered = stdlib_hash_table:map_buckets(fun(Bucket) -> filter_in(Pred, Bucket) end, Dict),
    stdlib_hash_table:shrunk(Filtered, Size - length(stdlib_hash_table:entries(Filtered)));
filter(_Pred, NotDict) -> erlang:error({badrecord, NotDict}).

filter_in(Pred, [[Key | Value] = Entry | Entries]) ->
    case Pred(Key, Value) of
        true -> [Entry | filter_in(Pred, Entries)];
        false -> filter_in(Pred, Entries)
    end;
filter_in(Pred, []) when is_function(Pred, 2) -> [].

%% The entries of the smaller dictionary are brought into the other one.
-spec merge(fun((K, V1, V2) -> V), dict(K, V1), dict(K, V2)) -> dict(K, V).
merge(Fun, #dict{size = Size1} = Dict1, #dict{size = Size2} = Dict2) when Size1 < Size2 ->
    fold(fun(Key, Value1, Dict) ->
             update(Key, fun(Value2) -> Fun(Key, Value1, Value2) end, Value1, Dict)
         end, Dict2, Dict1);
merge(Fun, Dict1, Dict2) ->
    fold(fun(Key, Value2, Dict) ->
             update(Key, fun(Value1) -> Fun(Key, Value1, Value2) end, Value2, Dict)
         end, Dict1, Dict2).
