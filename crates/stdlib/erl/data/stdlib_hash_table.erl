%% stdlib_hash_table: the hash table under dict and sets.
%%
%% Linear hashing with incremental growth (P.-Å. Larson, "Dynamic hash tables", CACM 31:4, 1988; in the
%% form of W. Griswold and G. Townsend for Icon, 1993). A table has `n` active slots of `maxn`; the
%% slots are in segments of 16 buckets. When the load passes 5 entries a slot, one slot is split in
%% two; when it falls below 3, one pair of slots is joined. So no single operation is expensive.
%%
%% The table is the tuple `{Tag, Size, N, MaxN, Offset, ExpandAt, ContractAt, EmptySegment, Segments}`
%% that dict and sets show to the world, with the same contents as in OTP: hence the same order.
-module(stdlib_hash_table).

-export([bucket/2, entries/1, fold/3, grown/3, map_buckets/2, new/1, shrunk/2, slot/2, with_bucket/3]).

-define(SEGMENT, 16).
-define(EXPAND_LOAD, 5).
-define(CONTRACT_LOAD, 3).

-define(SIZE(Table), element(2, Table)).
-define(SLOTS(Table), element(3, Table)).
-define(MAX_SLOTS(Table), element(4, Table)).
-define(OFFSET(Table), element(5, Table)).
-define(EXPAND_AT(Table), element(6, Table)).
-define(CONTRACT_AT(Table), element(7, Table)).
-define(EMPTY(Table), element(8, Table)).
-define(SEGMENTS(Table), element(9, Table)).

-spec new(atom()) -> tuple().
new(Tag) ->
    Empty = erlang:make_tuple(?SEGMENT, []),
    {Tag, 0, ?SEGMENT, ?SEGMENT, ?SEGMENT div 2, ?SEGMENT * ?EXPAND_LOAD,
     ?SEGMENT * ?CONTRACT_LOAD, Empty, {Empty}}.

%% The slot of a key. A slot that is not active yet is still part of the one it will be split from.
-spec slot(term(), tuple()) -> pos_integer().
slot(Key, Table) ->
    case erlang:phash(Key, ?MAX_SLOTS(Table)) of
        Slot when Slot > ?SLOTS(Table) -> Slot - ?OFFSET(Table);
        Slot -> Slot
    end.

-spec bucket(pos_integer(), tuple()) -> [term()].
bucket(Slot, Table) ->
    Index = Slot - 1,
    element(Index rem ?SEGMENT + 1, element(Index div ?SEGMENT + 1, ?SEGMENTS(Table))).

-spec with_bucket(pos_integer(), [term()], tuple()) -> tuple().
with_bucket(Slot, Bucket, Table) ->
    setelement(9, Table, put_bucket(Slot, Bucket, ?SEGMENTS(Table))).

put_bucket(Slot, Bucket, Segments) ->
    Index = Slot - 1,
    SegmentIndex = Index div ?SEGMENT + 1,
    Segment = setelement(Index rem ?SEGMENT + 1, element(SegmentIndex, Segments), Bucket),
    setelement(SegmentIndex, Segments, Segment).

%% The table after its buckets have received Added entries (0 or 1).
-spec grown(tuple(), 0 | 1, fun((term()) -> term())) -> tuple().
grown(Table, Added, KeyOf) ->
    NewSize = ?SIZE(Table) + Added,
    if
        NewSize > ?EXPAND_AT(Table) -> split(resize(with_room(Table), NewSize, 1), KeyOf);
        true -> setelement(2, Table, NewSize)
    end.

%% The size, and as many active slots more.
resize(Table, Size, MoreSlots) ->
    Slots = ?SLOTS(Table) + MoreSlots,
    {element(1, Table), Size, Slots, ?MAX_SLOTS(Table), ?OFFSET(Table), Slots * ?EXPAND_LOAD,
     Slots * ?CONTRACT_LOAD, ?EMPTY(Table), ?SEGMENTS(Table)}.

with_room(Table) when ?SLOTS(Table) =:= ?MAX_SLOTS(Table) ->
    Segments = tuple_to_list(?SEGMENTS(Table)),
    More = [?EMPTY(Table) || _ <- Segments],
    scaled(Table, 2 * ?MAX_SLOTS(Table), list_to_tuple(Segments ++ More));
with_room(Table) -> Table.

scaled(Table, MaxSlots, Segments) ->
    setelement(4, setelement(5, setelement(9, Table, Segments), MaxSlots div 2), MaxSlots).

%% Divides the entries of the slot that the newest slot belongs to.
split(Table, KeyOf) ->
    New = ?SLOTS(Table),
    Old = New - ?OFFSET(Table),
    MaxSlots = ?MAX_SLOTS(Table),
    {Stay, Move} = lists:partition(fun(Entry) -> erlang:phash(KeyOf(Entry), MaxSlots) =:= Old end,
                                   bucket(Old, Table)),
    with_bucket(New, Move, with_bucket(Old, Stay, Table)).

%% The table after its buckets have lost Removed entries.
-spec shrunk(tuple(), non_neg_integer()) -> tuple().
shrunk(Table, Removed) ->
    NewSize = ?SIZE(Table) - Removed,
    if
        NewSize < ?CONTRACT_AT(Table), ?SLOTS(Table) > ?SEGMENT ->
            without_room(resize(join(Table), NewSize, -1));
        true -> setelement(2, Table, NewSize)
    end.

join(Table) ->
    Last = ?SLOTS(Table),
    Partner = Last - ?OFFSET(Table),
    Joined = bucket(Partner, Table) ++ bucket(Last, Table),
    with_bucket(Last, [], with_bucket(Partner, Joined, Table)).

without_room(Table) when ?SLOTS(Table) =:= ?OFFSET(Table) ->
    Segments = tuple_to_list(?SEGMENTS(Table)),
    Half = lists:sublist(Segments, length(Segments) div 2),
    scaled(Table, ?MAX_SLOTS(Table) div 2, list_to_tuple(Half));
without_room(Table) -> Table.

%% Entries from the last bucket to the first.
-spec fold(fun((Entry, Acc) -> Acc), Acc, tuple()) -> Acc when Entry :: term().
fold(Fun, Acc, Table) ->
    Buckets = fun(Segment, Acc1) ->
                  lists:foldr(fun(Bucket, Acc2) -> lists:foldl(Fun, Acc2, Bucket) end,
                              Acc1, tuple_to_list(Segment))
              end,
    lists:foldr(Buckets, Acc, tuple_to_list(?SEGMENTS(Table))).

%% All entries, the one that fold/3 takes last first.
-spec entries(tuple()) -> [term()].
entries(Table) -> fold(fun(Entry, Acc) -> [Entry | Acc] end, [], Table).

%% Replaces each bucket, from the first to the last.
-spec map_buckets(fun(([term()]) -> [term()]), tuple()) -> tuple().
map_buckets(Fun, Table) ->
    Segments = [list_to_tuple([Fun(Bucket) || Bucket <- tuple_to_list(Segment)])
                || Segment <- tuple_to_list(?SEGMENTS(Table))],
    setelement(9, Table, list_to_tuple(Segments)).
