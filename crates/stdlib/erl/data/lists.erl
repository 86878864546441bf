%% lists: functions on lists.
%%
%% Sorting is a natural merge sort: the input is cut into runs, and neighbouring runs are merged in
%% rounds. Each round turns the direction of the lists round (the merge loops push onto an
%% accumulator), so that nothing is reversed in between. An order given as a fun is always asked
%% with the element that came first in the input as its first argument; therefore a strict order
%% gives the same result here as in OTP (equal elements in reverse). sort/1 treats numbers such as 1
%% and 1.0, equal in the order of terms, as OTP does: they keep their order when the list starts
%% upwards and are reversed (but for pairs that open a run) when it starts downwards. Sorting by key and without
%% duplicates is built on the same loops. Cost: O(n log n), O(n) for an input already in order.
%%
%% Differences from OTP: merging lists that are not sorted may give another order. The helpers named
%% like `map_1` keep the names that OTP shows in stack traces.
-module(lists).

-compile({no_auto_import, [max/2, min/2]}).

%% Native.
-export([keyfind/3, keymember/3, keysearch/3, member/2, reverse/2]).
%% Plain lists.
-export([append/1, append/2, concat/1, delete/2, droplast/1, duplicate/2, enumerate/1, enumerate/2,
         enumerate/3, flatlength/1, flatten/1, flatten/2, join/2, last/1, max/1, min/1, nth/2,
         nthtail/2, prefix/2, reverse/1, seq/2, seq/3, split/2, sublist/2, sublist/3, subtract/2,
         suffix/2, sum/1, uniq/1, unzip/1, unzip3/1, zip/2, zip/3, zip3/3, zip3/4]).
%% Lists of tuples.
-export([keydelete/3, keymap/3, keymerge/3, keyreplace/4, keysort/2, keystore/4, keytake/3,
         ukeymerge/3, ukeysort/2]).
%% Sorting and merging.
-export([merge/1, merge/2, merge/3, merge3/3, sort/1, sort/2, umerge/1, umerge/2, umerge/3,
         umerge3/3, usort/1, usort/2]).
%% Merging of lists in descending order (not documented, used by file_sorter).
-export([rkeymerge/3, rmerge/2, rmerge/3, rmerge3/3, rukeymerge/3, rumerge/2, rumerge/3,
         rumerge3/3]).
%% Functions that take functions.
-export([all/2, any/2, dropwhile/2, filter/2, filtermap/2, flatmap/2, foldl/3, foldr/3, foreach/2,
         map/2, mapfoldl/3, mapfoldr/3, partition/2, search/2, splitwith/2, takewhile/2, uniq/2,
         zf/2, zipwith/3, zipwith/4, zipwith3/4, zipwith3/5]).

-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

%% ---- native functions ----

-spec keyfind(term(), pos_integer(), [tuple()]) -> tuple() | false.
keyfind(_Key, _N, _Tuples) -> erlang:nif_error(undef).

-spec keymember(term(), pos_integer(), [tuple()]) -> boolean().
keymember(_Key, _N, _Tuples) -> erlang:nif_error(undef).

-spec keysearch(term(), pos_integer(), [tuple()]) -> {value, tuple()} | false.
keysearch(_Key, _N, _Tuples) -> erlang:nif_error(undef).

-spec member(term(), [term()]) -> boolean().
member(_Elem, _List) -> erlang:nif_error(undef).

-spec reverse([T], term()) -> [T] | term() when T :: term().
reverse(_List, _Tail) -> erlang:nif_error(undef).

%% ---- building and taking apart ----

-spec append([[T]]) -> [T] when T :: term().
append([]) -> [];
append([Last]) -> Last;
append([List | Lists]) -> List ++ append(Lists).

-spec append([T], [T]) -> [T] when T :: term().
append(List1, List2) -> List1 ++ List2.

-spec subtract([T], [T]) -> [T] when T :: term().
subtract(List1, List2) -> List1 -- List2.

-spec concat([atom() | integer() | float() | string()]) -> string().
concat(Things) -> flatmap(fun thing_to_list/1, Things).

thing_to_list(Text) when is_list(Text) -> Text;
thing_to_list(Atom) when is_atom(Atom) -> atom_to_list(Atom);
thing_to_list(Int) when is_integer(Int) -> integer_to_list(Int);
thing_to_list(Float) when is_float(Float) -> float_to_list(Float).

-spec duplicate(non_neg_integer(), T) -> [T] when T :: term().
duplicate(N, Elem) when is_integer(N), N >= 0 -> duplicate(N, Elem, []).

duplicate(0, _Elem, Acc) -> Acc;
duplicate(N, Elem, Acc) -> duplicate(N - 1, Elem, [Elem | Acc]).

-spec seq(integer(), integer()) -> [integer()].
seq(From, To) when is_integer(From), is_integer(To), From =< To + 1 ->
    count_down(To, From, 1, []).

-spec seq(integer(), integer(), integer()) -> [integer()].
seq(From, To, Step) when is_integer(From), is_integer(To), is_integer(Step) ->
    if
        Step > 0, From - Step =< To; Step < 0, From - Step >= To ->
            Count = (To - From + Step) div Step,
            count_steps(Count, From + Step * (Count - 1), Step, []);
        Step =:= 0, From =:= To ->
            [From];
        true ->
            erlang:error(badarg, [From, To, Step], ?INFO)
    end;
seq(From, To, Step) ->
    erlang:error(badarg, [From, To, Step], ?INFO).

count_down(N, From, Step, Acc) when N >= From -> count_down(N - Step, From, Step, [N | Acc]);
count_down(_N, _From, _Step, Acc) -> Acc.

count_steps(0, _N, _Step, Acc) -> Acc;
count_steps(Count, N, Step, Acc) -> count_steps(Count - 1, N - Step, Step, [N | Acc]).

-spec reverse([T]) -> [T] when T :: term().
reverse([_, _ | _] = List) -> lists:reverse(List, []);
reverse([_] = List) -> List;
reverse([]) -> [].

-spec nth(pos_integer(), [T, ...]) -> T when T :: term().
nth(1, [Elem | _]) -> Elem;
nth(N, [_ | Rest]) when N > 1 -> nth(N - 1, Rest).

-spec nthtail(non_neg_integer(), [T]) -> [T] when T :: term().
nthtail(0, List) when is_list(List) -> List;
nthtail(1, [_ | Rest]) -> Rest;
nthtail(N, [_ | Rest]) when N > 1 -> nthtail(N - 1, Rest).

-spec last([T, ...]) -> T when T :: term().
last([Elem | Rest]) -> last(Elem, Rest).

last(Elem, []) -> Elem;
last(_, [Elem | Rest]) -> last(Elem, Rest).

-spec droplast([T, ...]) -> [T] when T :: term().
droplast([_Last]) -> [];
droplast([Elem | Rest]) -> [Elem | droplast(Rest)].

-spec prefix([term()], [term()]) -> boolean().
prefix([Elem | Prefix], [Elem | List]) -> prefix(Prefix, List);
prefix([_ | _], List) when is_list(List) -> false;
prefix([], List) when is_list(List) -> true.

-spec suffix([term()], [term()]) -> boolean().
suffix(Suffix, List) ->
    case length(List) - length(Suffix) of
        Skip when Skip >= 0 -> nthtail(Skip, List) =:= Suffix;
        _ -> false
    end.

-spec sublist([T], non_neg_integer()) -> [T] when T :: term().
sublist(List, Len) when is_integer(Len), is_list(List) -> sublist_2(List, Len).

sublist_2(_List, 0) -> [];
sublist_2([Elem | Rest], Len) when Len > 0 -> [Elem | sublist_2(Rest, Len - 1)];
sublist_2([], Len) when Len > 0 -> [].

-spec sublist([T], pos_integer(), non_neg_integer()) -> [T] when T :: term().
sublist(List, 1, Len) when is_list(List), is_integer(Len), Len >= 0 -> sublist(List, Len);
sublist([_ | Rest], Start, Len) when is_integer(Start), Start > 1 -> sublist(Rest, Start - 1, Len);
sublist([], Start, _Len) when is_integer(Start), Start > 1 -> [].

-spec split(non_neg_integer(), [T]) -> {[T], [T]} when T :: term().
split(N, List) when is_integer(N), N >= 0, is_list(List) ->
    case split(N, List, []) of
        too_short -> erlang:error(badarg, [N, List]);
        Parts -> Parts
    end;
split(N, List) ->
    erlang:error(badarg, [N, List]).

split(0, Rest, Taken) -> {reverse(Taken), Rest};
split(N, [Elem | Rest], Taken) -> split(N - 1, Rest, [Elem | Taken]);
split(_N, [], _Taken) -> too_short.

-spec delete(T, [T]) -> [T] when T :: term().
delete(Elem, [Elem | Rest]) -> Rest;
delete(Elem, [Other | Rest]) -> [Other | delete(Elem, Rest)];
delete(_Elem, []) -> [].

-spec join(T, [T]) -> [T] when T :: term().
join(Sep, [First | Rest]) -> [First | join_prepend(Sep, Rest)];
join(_Sep, []) -> [].

join_prepend(Sep, [Elem | Rest]) -> [Sep, Elem | join_prepend(Sep, Rest)];
join_prepend(_Sep, []) -> [].

-spec sum([number()]) -> number().
sum(Numbers) -> sum(Numbers, 0).

sum([Number | Rest], Sum) -> sum(Rest, Sum + Number);
sum([], Sum) -> Sum.

-spec max([T, ...]) -> T when T :: term().
max([First | Rest]) -> max(Rest, First).

max([Elem | Rest], Max) when Elem > Max -> max(Rest, Elem);
max([_ | Rest], Max) -> max(Rest, Max);
max([], Max) -> Max.

-spec min([T, ...]) -> T when T :: term().
min([First | Rest]) -> min(Rest, First).

min([Elem | Rest], Min) when Elem < Min -> min(Rest, Elem);
min([_ | Rest], Min) -> min(Rest, Min);
min([], Min) -> Min.

%% The tail of each list is flattened before its head, as the result is built from behind; an
%% improper tail is therefore found before an improper element.
-spec flatten([term() | [term()]]) -> [term()].
flatten(Deep) when is_list(Deep) -> do_flatten(Deep, []).

-spec flatten([term() | [term()]], [term()]) -> [term()].
flatten(Deep, Tail) when is_list(Deep), is_list(Tail) -> do_flatten(Deep, Tail).

do_flatten([], Tail) -> Tail;
do_flatten([Head | Rest], Tail) when is_list(Head) -> do_flatten(Head, do_flatten(Rest, Tail));
do_flatten([Head | Rest], Tail) -> [Head | do_flatten(Rest, Tail)].

-spec flatlength([term() | [term()]]) -> non_neg_integer().
flatlength(Deep) -> flatlength(Deep, 0).

flatlength([], Count) -> Count;
flatlength([Head | Rest], Count) when is_list(Head) -> flatlength(Head, flatlength(Rest, Count));
flatlength([_ | Rest], Count) -> flatlength(Rest, Count + 1).

-spec enumerate([T]) -> [{integer(), T}] when T :: term().
enumerate(List) when is_list(List) -> enumerate_1(1, 1, List).

-spec enumerate(integer(), [T]) -> [{integer(), T}] when T :: term().
enumerate(From, List) when is_integer(From), is_list(List) -> enumerate_1(From, 1, List).

%% Since OTP 26.
-spec enumerate(integer(), integer(), [T]) -> [{integer(), T}] when T :: term().
enumerate(From, Step, List) when is_integer(From), is_integer(Step), is_list(List) ->
    enumerate_1(From, Step, List).

enumerate_1(Index, Step, [Elem | Rest]) -> [{Index, Elem} | enumerate_1(Index + Step, Step, Rest)];
enumerate_1(_Index, _Step, []) -> [].

-spec uniq([T]) -> [T] when T :: term().
uniq(List) -> uniq_1(List, #{}).

uniq_1([Elem | Rest], Seen) when is_map_key(Elem, Seen) -> uniq_1(Rest, Seen);
uniq_1([Elem | Rest], Seen) -> [Elem | uniq_1(Rest, Seen#{Elem => []})];
uniq_1([], _Seen) -> [].

-spec uniq(fun((T) -> term()), [T]) -> [T] when T :: term().
uniq(Fun, List) when is_function(Fun, 1) -> uniq_2(List, Fun, #{}).

uniq_2([Elem | Rest], Fun, Seen) ->
    Key = Fun(Elem),
    case Seen of
        #{Key := _} -> uniq_2(Rest, Fun, Seen);
        #{} -> [Elem | uniq_2(Rest, Fun, Seen#{Key => []})]
    end;
uniq_2([], _Fun, _Seen) -> [].

%% ---- zipping; the variants with `How` (fail, trim, {pad, Defaults}) are of OTP 26 ----

-spec zip([A], [B]) -> [{A, B}].
zip([A | As], [B | Bs]) -> [{A, B} | zip(As, Bs)];
zip([], []) -> [].

-spec zip([A], [B], fail | trim | {pad, {A, B}}) -> [{A, B}].
zip([A | As], [B | Bs], How) -> [{A, B} | zip(As, Bs, How)];
zip([], [], fail) -> [];
zip([], [], trim) -> [];
zip([], [], {pad, {_, _}}) -> [];
zip([_ | _], [], trim) -> [];
zip([], [_ | _], trim) -> [];
zip([], [_ | _] = Bs, {pad, {A, _}}) -> [{A, B} || B <- Bs];
zip([_ | _] = As, [], {pad, {_, B}}) -> [{A, B} || A <- As].

-spec zip3([A], [B], [C]) -> [{A, B, C}].
zip3([A | As], [B | Bs], [C | Cs]) -> [{A, B, C} | zip3(As, Bs, Cs)];
zip3([], [], []) -> [].

-spec zip3([A], [B], [C], fail | trim | {pad, {A, B, C}}) -> [{A, B, C}].
zip3(As, Bs, Cs, How) -> zipwith3(fun(A, B, C) -> {A, B, C} end, As, Bs, Cs, How).

-spec zipwith(fun((A, B) -> T), [A], [B]) -> [T].
zipwith(Fun, [A | As], [B | Bs]) -> [Fun(A, B) | zipwith(Fun, As, Bs)];
zipwith(Fun, [], []) when is_function(Fun, 2) -> [].

-spec zipwith(fun((A, B) -> T), [A], [B], fail | trim | {pad, {A, B}}) -> [T].
zipwith(Fun, As, Bs, How) when is_function(Fun, 2) ->
    [Fun(A, B) || {A, B} <- zip(As, Bs, How)].

-spec zipwith3(fun((A, B, C) -> T), [A], [B], [C]) -> [T].
zipwith3(Fun, [A | As], [B | Bs], [C | Cs]) -> [Fun(A, B, C) | zipwith3(Fun, As, Bs, Cs)];
zipwith3(Fun, [], [], []) when is_function(Fun, 3) -> [].

-spec zipwith3(fun((A, B, C) -> T), [A], [B], [C], fail | trim | {pad, {A, B, C}}) -> [T].
zipwith3(Fun, [A | As], [B | Bs], [C | Cs], How) ->
    [Fun(A, B, C) | zipwith3(Fun, As, Bs, Cs, How)];
zipwith3(Fun, [], [], [], _How) when is_function(Fun, 3) -> [];
zipwith3(Fun, As, Bs, Cs, trim) when is_function(Fun, 3), is_list(As), is_list(Bs), is_list(Cs) ->
    [];
zipwith3(Fun, As, Bs, Cs, {pad, {A0, B0, C0}} = How) when is_function(Fun, 3) ->
    {A, As1} = next_or(As, A0),
    {B, Bs1} = next_or(Bs, B0),
    {C, Cs1} = next_or(Cs, C0),
    [Fun(A, B, C) | zipwith3(Fun, As1, Bs1, Cs1, How)].

next_or([Elem | Rest], _Default) -> {Elem, Rest};
next_or([], Default) -> {Default, []}.

-spec unzip([{A, B}]) -> {[A], [B]}.
unzip(Pairs) -> unzip(Pairs, [], []).

unzip([{A, B} | Pairs], As, Bs) -> unzip(Pairs, [A | As], [B | Bs]);
unzip([], As, Bs) -> {reverse(As), reverse(Bs)}.

-spec unzip3([{A, B, C}]) -> {[A], [B], [C]}.
unzip3(Triples) -> unzip3(Triples, [], [], []).

unzip3([{A, B, C} | Triples], As, Bs, Cs) -> unzip3(Triples, [A | As], [B | Bs], [C | Cs]);
unzip3([], As, Bs, Cs) -> {reverse(As), reverse(Bs), reverse(Cs)}.

%% ---- lists of tuples ----

-spec keydelete(term(), pos_integer(), [T]) -> [T] when T :: tuple().
keydelete(Key, N, Tuples) when is_integer(N), N > 0 -> keydelete3(Key, N, Tuples).

keydelete3(Key, N, [Tuple | Rest]) when element(N, Tuple) == Key -> Rest;
keydelete3(Key, N, [Tuple | Rest]) -> [Tuple | keydelete3(Key, N, Rest)];
keydelete3(_Key, _N, []) -> [].

-spec keyreplace(term(), pos_integer(), [tuple()], tuple()) -> [tuple()].
keyreplace(Key, N, Tuples, New) when is_integer(N), N > 0, is_tuple(New) ->
    keyreplace3(Key, N, Tuples, New).

keyreplace3(Key, N, [Tuple | Rest], New) when element(N, Tuple) == Key -> [New | Rest];
keyreplace3(Key, N, [Tuple | Rest], New) -> [Tuple | keyreplace3(Key, N, Rest, New)];
keyreplace3(_Key, _N, [], _New) -> [].

-spec keystore(term(), pos_integer(), [tuple()], tuple()) -> [tuple(), ...].
keystore(Key, N, Tuples, New) when is_integer(N), N > 0, is_tuple(New) ->
    keystore2(Key, N, Tuples, New).

keystore2(Key, N, [Tuple | Rest], New) when element(N, Tuple) == Key -> [New | Rest];
keystore2(Key, N, [Tuple | Rest], New) -> [Tuple | keystore2(Key, N, Rest, New)];
keystore2(_Key, _N, [], New) -> [New].

-spec keytake(term(), pos_integer(), [tuple()]) -> {value, tuple(), [tuple()]} | false.
keytake(Key, N, Tuples) when is_integer(N), N > 0 -> keytake(Key, N, Tuples, []).

keytake(Key, N, [Tuple | Rest], Before) when element(N, Tuple) == Key ->
    {value, Tuple, reverse(Before, Rest)};
keytake(Key, N, [Tuple | Rest], Before) -> keytake(Key, N, Rest, [Tuple | Before]);
keytake(_Key, _N, [], _Before) -> false.

-spec keymap(fun((term()) -> term()), pos_integer(), [tuple()]) -> [tuple()].
keymap(Fun, N, [Tuple | Rest]) ->
    [setelement(N, Tuple, Fun(element(N, Tuple))) | keymap(Fun, N, Rest)];
keymap(Fun, N, []) when is_integer(N), N >= 1, is_function(Fun, 1) -> [].

%% ---- functions that take functions ----

-spec all(fun((T) -> boolean()), [T]) -> boolean().
all(Pred, List) when is_function(Pred, 1) ->
    case List of
        [Elem | Rest] ->
            case Pred(Elem) of
                true -> all_1(Pred, Rest);
                false -> false
            end;
        [] -> true
    end.

all_1(Pred, [Elem | Rest]) ->
    case Pred(Elem) of
        true -> all_1(Pred, Rest);
        false -> false
    end;
all_1(_Pred, []) -> true.

-spec any(fun((T) -> boolean()), [T]) -> boolean().
any(Pred, List) when is_function(Pred, 1) ->
    case List of
        [Elem | Rest] ->
            case Pred(Elem) of
                false -> any_1(Pred, Rest);
                true -> true
            end;
        [] -> false
    end.

any_1(Pred, [Elem | Rest]) ->
    case Pred(Elem) of
        false -> any_1(Pred, Rest);
        true -> true
    end;
any_1(_Pred, []) -> false.

-spec map(fun((A) -> B), [A]) -> [B].
map(Fun, List) when is_function(Fun, 1) ->
    case List of
        [Elem | Rest] -> [Fun(Elem) | map_1(Fun, Rest)];
        [] -> []
    end.

map_1(Fun, [Elem | Rest]) -> [Fun(Elem) | map_1(Fun, Rest)];
map_1(_Fun, []) -> [].

-spec flatmap(fun((A) -> [B]), [A]) -> [B].
flatmap(Fun, List) when is_function(Fun, 1) -> flatmap_1(Fun, List).

flatmap_1(Fun, [Elem | Rest]) -> Fun(Elem) ++ flatmap_1(Fun, Rest);
flatmap_1(_Fun, []) -> [].

-spec foldl(fun((T, Acc) -> Acc), Acc, [T]) -> Acc.
foldl(Fun, Acc, List) when is_function(Fun, 2) ->
    case List of
        [Elem | Rest] -> foldl_1(Fun, Fun(Elem, Acc), Rest);
        [] -> Acc
    end.

foldl_1(Fun, Acc, [Elem | Rest]) -> foldl_1(Fun, Fun(Elem, Acc), Rest);
foldl_1(_Fun, Acc, []) -> Acc.

-spec foldr(fun((T, Acc) -> Acc), Acc, [T]) -> Acc.
foldr(Fun, Acc, List) when is_function(Fun, 2) -> foldr_1(Fun, Acc, List).

foldr_1(Fun, Acc, [Elem | Rest]) -> Fun(Elem, foldr_1(Fun, Acc, Rest));
foldr_1(_Fun, Acc, []) -> Acc.

-spec foreach(fun((T) -> term()), [T]) -> ok.
foreach(Fun, List) when is_function(Fun, 1) -> foreach_1(Fun, List).

foreach_1(Fun, [Elem | Rest]) ->
    Fun(Elem),
    foreach_1(Fun, Rest);
foreach_1(_Fun, []) -> ok.

-spec filter(fun((T) -> boolean()), [T]) -> [T].
filter(Pred, List) when is_function(Pred, 1) -> [Elem || Elem <- List, Pred(Elem)].

-spec filtermap(fun((T) -> boolean() | {true, U}), [T]) -> [T | U].
filtermap(Fun, List) when is_function(Fun, 1) -> filtermap_1(Fun, List).

filtermap_1(Fun, [Elem | Rest]) ->
    case Fun(Elem) of
        false -> filtermap_1(Fun, Rest);
        true -> [Elem | filtermap_1(Fun, Rest)];
        {true, Value} -> [Value | filtermap_1(Fun, Rest)]
    end;
filtermap_1(_Fun, []) -> [].

%% The old name of filtermap/2.
-spec zf(fun((T) -> boolean() | {true, U}), [T]) -> [T | U].
zf(Fun, List) -> filtermap(Fun, List).

-spec partition(fun((T) -> boolean()), [T]) -> {[T], [T]}.
partition(Pred, List) when is_function(Pred, 1) -> partition_1(Pred, List, [], []).

partition_1(Pred, [Elem | Rest], Yes, No) ->
    case Pred(Elem) of
        true -> partition_1(Pred, Rest, [Elem | Yes], No);
        false -> partition_1(Pred, Rest, Yes, [Elem | No])
    end;
partition_1(_Pred, [], Yes, No) -> {reverse(Yes), reverse(No)}.

-spec mapfoldl(fun((A, Acc) -> {B, Acc}), Acc, [A]) -> {[B], Acc}.
mapfoldl(Fun, Acc, List) when is_function(Fun, 2) -> mapfoldl_1(Fun, Acc, List).

mapfoldl_1(Fun, Acc, [Elem | Rest]) ->
    {New, Acc1} = Fun(Elem, Acc),
    {News, Acc2} = mapfoldl_1(Fun, Acc1, Rest),
    {[New | News], Acc2};
mapfoldl_1(_Fun, Acc, []) -> {[], Acc}.

-spec mapfoldr(fun((A, Acc) -> {B, Acc}), Acc, [A]) -> {[B], Acc}.
mapfoldr(Fun, Acc, List) when is_function(Fun, 2) -> mapfoldr_1(Fun, Acc, List).

mapfoldr_1(Fun, Acc, [Elem | Rest]) ->
    {News, Acc1} = mapfoldr_1(Fun, Acc, Rest),
    {New, Acc2} = Fun(Elem, Acc1),
    {[New | News], Acc2};
mapfoldr_1(_Fun, Acc, []) -> {[], Acc}.

-spec takewhile(fun((T) -> boolean()), [T]) -> [T].
takewhile(Pred, List) when is_function(Pred, 1) -> takewhile_1(Pred, List).

takewhile_1(Pred, [Elem | Rest]) ->
    case Pred(Elem) of
        true -> [Elem | takewhile_1(Pred, Rest)];
        false -> []
    end;
takewhile_1(_Pred, []) -> [].

-spec dropwhile(fun((T) -> boolean()), [T]) -> [T].
dropwhile(Pred, List) when is_function(Pred, 1) -> dropwhile_1(Pred, List).

dropwhile_1(Pred, [Elem | Rest] = List) ->
    case Pred(Elem) of
        true -> dropwhile_1(Pred, Rest);
        false -> List
    end;
dropwhile_1(_Pred, []) -> [].

-spec splitwith(fun((T) -> boolean()), [T]) -> {[T], [T]}.
splitwith(Pred, List) when is_function(Pred, 1) -> splitwith_1(Pred, List, []).

splitwith_1(Pred, [Elem | Rest] = List, Taken) ->
    case Pred(Elem) of
        true -> splitwith_1(Pred, Rest, [Elem | Taken]);
        false -> {reverse(Taken), List}
    end;
splitwith_1(_Pred, [], Taken) -> {reverse(Taken), []}.

-spec search(fun((T) -> boolean()), [T]) -> {value, T} | false.
search(Pred, List) when is_function(Pred, 1) -> search_1(Pred, List).

search_1(Pred, [Elem | Rest]) ->
    case Pred(Elem) of
        true -> {value, Elem};
        false -> search_1(Pred, Rest)
    end;
search_1(_Pred, []) -> false.

%% ---- sorting by the order of terms ----

-spec sort([T]) -> [T] when T :: term().
sort([_, _ | _] = List) ->
    case starts_falling(List) of
        true -> merge_ups(falling_runs(List));
        false -> stable_sort(List)
    end;
sort([_] = List) -> List;
sort([]) -> [].

stable_sort(List) -> merge_downs(runs(List, [])).

%% Whether the first difference between neighbours goes downwards, in a list of more than three.
starts_falling([_, _]) -> false;
starts_falling([_, _, _]) -> false;
starts_falling(List) -> falls(List).

falls([A | [B | _] = Rest]) when A == B -> falls(Rest);
falls([A, B | _]) -> A > B;
falls(_) -> false.

-spec usort([T]) -> [T] when T :: term().
usort([_, _ | _] = List) -> without_repeats(stable_sort(List));
usort([_] = List) -> List;
usort([]) -> [].

%% Keeps the first of neighbours that compare equal.
without_repeats([A, B | Rest]) when A == B -> without_repeats([A | Rest]);
without_repeats([A | Rest]) -> [A | without_repeats(Rest)];
without_repeats([]) -> [].

%% Cuts the list into runs, each in descending order, the last run of the input first.
runs([A, B | Rest], Runs) when A =< B -> rising(Rest, B, [A], Runs);
runs([A, B | Rest], Runs) -> falling(Rest, B, [A], Runs);
runs([A], Runs) -> [[A] | Runs];
runs([], Runs) -> Runs.

rising([B | Rest], A, Run, Runs) when A =< B -> rising(Rest, B, [A | Run], Runs);
rising(Rest, A, Run, Runs) -> runs(Rest, [[A | Run] | Runs]).

falling([B | Rest], A, Run, Runs) when A > B -> falling(Rest, B, [A | Run], Runs);
falling(Rest, A, Run, Runs) -> runs(Rest, [reverse([A | Run]) | Runs]).

%% The runs of a list that starts downwards: ascending lists, the last of the input first. A run
%% takes in whatever goes below its second smallest element, keeps one misfit aside, and ends at
%% the second misfit; an element goes before those it is equal to.
falling_runs([A, B | Rest]) when A > B -> falling_runs(Rest, B, A, [], none, []);
falling_runs([A | [B | _] = Rest]) when A == B ->
    {Equal, [Low | Rest1]} = splitwith(fun(Elem) -> Elem == A end, Rest),
    [Last | Others] = reverse([A | Equal]),
    falling_runs(Rest1, Low, Last, Others, none, []).

falling_runs([C | Rest], A, B, Run, Misfit, Runs) when C =< A ->
    falling_runs(Rest, C, A, [B | Run], Misfit, Runs);
falling_runs([C | Rest], A, B, Run, Misfit, Runs) when C =< B ->
    falling_runs(Rest, A, C, [B | Run], Misfit, Runs);
falling_runs([C | Rest], A, B, [], none, Runs) -> falling_runs(Rest, A, B, [C], none, Runs);
falling_runs([C | Rest], A, B, Run, none, Runs) -> falling_runs(Rest, A, B, Run, {C}, Runs);
falling_runs([C | Rest], A, B, Run, {D}, Runs) when D =< C ->
    falling_runs(Rest, D, C, [], none, [[A, B | Run] | Runs]);
falling_runs([C | Rest], A, B, Run, {D}, Runs) ->
    falling_runs(Rest, C, D, [], none, [[A, B | Run] | Runs]);
falling_runs([], A, B, Run, none, Runs) -> [[A, B | Run] | Runs];
falling_runs([], A, B, Run, {D}, Runs) -> [[D], [A, B | Run] | Runs].

%% One round: descending lists, the last of the input first, become ascending lists, the first of
%% the input first; merge_ups is the way back.
merge_downs([Run]) -> reverse(Run);
merge_downs(Runs) -> merge_ups(merge_downs(Runs, [])).

merge_downs([Later, Earlier | Runs], Merged) ->
    merge_downs(Runs, [merge_down(Earlier, Later, []) | Merged]);
merge_downs([Run], Merged) -> [reverse(Run) | Merged];
merge_downs([], Merged) -> Merged.

merge_ups([Run]) -> Run;
merge_ups(Runs) -> merge_downs(merge_ups(Runs, [])).

merge_ups([Earlier, Later | Runs], Merged) ->
    merge_ups(Runs, [merge_up(Earlier, Later, []) | Merged]);
merge_ups([Run], Merged) -> [reverse(Run) | Merged];
merge_ups([], Merged) -> Merged.

%% Of equal elements, those of the first list come first in the sorted order; that is the order of
%% consumption when merging upwards and its reverse when merging downwards.
merge_up([A | As], [B | _] = Bs, Acc) when A =< B -> merge_up(As, Bs, [A | Acc]);
merge_up([_ | _] = As, [B | Bs], Acc) -> merge_up(As, Bs, [B | Acc]);
merge_up([], Bs, Acc) -> push_all(Bs, Acc);
merge_up(As, [], Acc) -> push_all(As, Acc).

merge_down([A | As], [B | _] = Bs, Acc) when A > B -> merge_down(As, Bs, [A | Acc]);
merge_down([_ | _] = As, [B | Bs], Acc) -> merge_down(As, Bs, [B | Acc]);
merge_down([], Bs, Acc) -> push_all(Bs, Acc);
merge_down(As, [], Acc) -> push_all(As, Acc).

push_all(List, Acc) when is_list(List) -> lists:reverse(List, Acc).

%% ---- merging by the order of terms ----

-spec merge([[T]]) -> [T] when T :: term().
merge(Lists) ->
    case without_empty(Lists) of
        [] -> [];
        NonEmpty -> merge_ups(NonEmpty)
    end.

without_empty([[] | Lists]) -> without_empty(Lists);
without_empty([List | Lists]) -> [List | without_empty(Lists)];
without_empty([]) -> [].

-spec merge([T], [T]) -> [T] when T :: term().
merge(List, []) -> List;
merge(List1, [_ | _] = List2) -> reverse(merge_up(List1, List2, [])).

-spec merge3([T], [T], [T]) -> [T] when T :: term().
merge3(List1, [], List3) -> merge(List1, List3);
merge3(List1, List2, []) -> merge(List1, List2);
merge3(List1, List2, List3) -> merge(merge(List1, List2), List3).

-spec rmerge([T], [T]) -> [T] when T :: term().
rmerge(List, []) -> List;
rmerge(List1, [_ | _] = List2) -> reverse(merge_down(List1, List2, [])).

-spec rmerge3([T], [T], [T]) -> [T] when T :: term().
rmerge3(List1, [], List3) -> rmerge(List1, List3);
rmerge3(List1, List2, []) -> rmerge(List1, List2);
rmerge3(List1, List2, List3) -> rmerge(rmerge(List1, List2), List3).

-spec umerge([[T]]) -> [T] when T :: term().
umerge(Lists) -> umerge_all(without_empty(Lists)).

umerge_all([]) -> [];
umerge_all([List]) -> List;
umerge_all(Lists) -> umerge_all(umerge_pairs(Lists)).

umerge_pairs([List1, List2 | Lists]) -> [umerge(List1, List2) | umerge_pairs(Lists)];
umerge_pairs(Rest) -> Rest.

-spec umerge([T], [T]) -> [T] when T :: term().
umerge([], List) -> List;
umerge([_ | _] = List1, List2) -> reverse(umerge_up(List1, List2, none, [])).

%% Last is `{A}` if the element taken last was A, of the first list: then an equal B is dropped.
umerge_up([A | As], [B | _] = Bs, _Last, Acc) when A =< B -> umerge_up(As, Bs, {A}, [A | Acc]);
umerge_up(As, [B | Bs], {A}, Acc) when A == B -> umerge_up(As, Bs, none, Acc);
umerge_up([_ | _] = As, [B | Bs], _Last, Acc) -> umerge_up(As, Bs, none, [B | Acc]);
umerge_up([], Bs, _Last, Acc) -> push_all(Bs, Acc);
umerge_up(As, [], _Last, Acc) -> push_all(As, Acc).

-spec umerge3([T], [T], [T]) -> [T] when T :: term().
umerge3(List1, [], List3) -> umerge(List1, List3);
umerge3(List1, List2, []) -> umerge(List1, List2);
umerge3(List1, List2, List3) -> umerge(umerge(List1, List2), List3).

-spec rumerge([T], [T]) -> [T] when T :: term().
rumerge(List, []) -> List;
rumerge(List1, [_ | _] = List2) -> reverse(umerge_down(List1, List2, [])).

umerge_down([A | As], [B | _] = Bs, Acc) when A > B -> umerge_down(As, Bs, [A | Acc]);
umerge_down([_ | _] = As, [B | Bs], Acc) -> umerge_down(As, Bs, B, Acc);
umerge_down([], Bs, Acc) -> push_all(Bs, Acc);
umerge_down(As, [], Acc) -> push_all(As, Acc).

%% Held is the element of the second list to be taken next, unless it equals the A taken after it.
umerge_down([A | _] = As, [B | Bs], Held, Acc) when A =< B -> umerge_down(As, Bs, B, [Held | Acc]);
umerge_down([A | As], Bs, Held, Acc) when A == Held -> umerge_down(As, Bs, [A | Acc]);
umerge_down([A | As], Bs, Held, Acc) -> umerge_down(As, Bs, [A, Held | Acc]).

-spec rumerge3([T], [T], [T]) -> [T] when T :: term().
rumerge3(List1, [], List3) -> rumerge(List1, List3);
rumerge3(List1, List2, []) -> rumerge(List1, List2);
rumerge3(List1, List2, List3) -> rumerge(rumerge(List1, List2), List3).

%% ---- sorting by an order given as a fun ----

-spec sort(fun((T, T) -> boolean()), [T]) -> [T].
sort(Less, [A, B | Rest]) ->
    %% The first question is asked here: without it a fun of the wrong kind would go unnoticed.
    case Less(A, B) of
        true -> fmerge_downs(Less, frising(Less, Rest, B, [A], []));
        false -> fmerge_downs(Less, ffalling(Less, Rest, B, [A], []))
    end;
sort(Less, [_] = List) when is_function(Less, 2) -> List;
sort(Less, []) when is_function(Less, 2) -> [].

-spec usort(fun((T, T) -> boolean()), [T]) -> [T].
usort(Less, [_, _ | _] = List) when is_function(Less, 2) ->
    fwithout_repeats(Less, sort(Less, List));
usort(Less, [_] = List) when is_function(Less, 2) -> List;
usort(Less, []) when is_function(Less, 2) -> [].

fwithout_repeats(Less, [A, B | Rest]) ->
    case Less(B, A) of
        true -> fwithout_repeats(Less, [A | Rest]);
        false -> [A | fwithout_repeats(Less, [B | Rest])]
    end;
fwithout_repeats(_Less, Rest) -> Rest.

fruns(Less, [A, B | Rest], Runs) ->
    case Less(A, B) of
        true -> frising(Less, Rest, B, [A], Runs);
        false -> ffalling(Less, Rest, B, [A], Runs)
    end;
fruns(_Less, [A], Runs) -> [[A] | Runs];
fruns(_Less, [], Runs) -> Runs.

frising(Less, [B | Rest] = List, A, Run, Runs) ->
    case Less(A, B) of
        true -> frising(Less, Rest, B, [A | Run], Runs);
        false -> fruns(Less, List, [[A | Run] | Runs])
    end;
frising(_Less, [], A, Run, Runs) -> [[A | Run] | Runs].

ffalling(Less, [B | Rest] = List, A, Run, Runs) ->
    case Less(A, B) of
        false -> ffalling(Less, Rest, B, [A | Run], Runs);
        true -> fruns(Less, List, [reverse([A | Run]) | Runs])
    end;
ffalling(_Less, [], A, Run, Runs) -> [reverse([A | Run]) | Runs].

fmerge_downs(_Less, [Run]) -> reverse(Run);
fmerge_downs(Less, Runs) -> fmerge_ups(Less, fmerge_downs(Less, Runs, [])).

fmerge_downs(Less, [Later, Earlier | Runs], Merged) ->
    fmerge_downs(Less, Runs, [fmerge_down(Less, Earlier, Later, []) | Merged]);
fmerge_downs(_Less, [Run], Merged) -> [reverse(Run) | Merged];
fmerge_downs(_Less, [], Merged) -> Merged.

fmerge_ups(_Less, [Run]) -> Run;
fmerge_ups(Less, Runs) -> fmerge_downs(Less, fmerge_ups(Less, Runs, [])).

fmerge_ups(Less, [Earlier, Later | Runs], Merged) ->
    fmerge_ups(Less, Runs, [fmerge_up(Less, Earlier, Later, []) | Merged]);
fmerge_ups(_Less, [Run], Merged) -> [reverse(Run) | Merged];
fmerge_ups(_Less, [], Merged) -> Merged.

fmerge_up(Less, [A | As1] = As, [B | Bs1] = Bs, Acc) ->
    case Less(A, B) of
        true -> fmerge_up(Less, As1, Bs, [A | Acc]);
        false -> fmerge_up(Less, As, Bs1, [B | Acc])
    end;
fmerge_up(_Less, [], Bs, Acc) -> push_all(Bs, Acc);
fmerge_up(_Less, As, [], Acc) -> push_all(As, Acc).

fmerge_down(Less, [A | As1] = As, [B | Bs1] = Bs, Acc) ->
    case Less(A, B) of
        true -> fmerge_down(Less, As, Bs1, [B | Acc]);
        false -> fmerge_down(Less, As1, Bs, [A | Acc])
    end;
fmerge_down(_Less, [], Bs, Acc) -> push_all(Bs, Acc);
fmerge_down(_Less, As, [], Acc) -> push_all(As, Acc).

%% ---- merging by an order given as a fun ----

-spec merge(fun((T, T) -> boolean()), [T], [T]) -> [T].
merge(Less, List, []) when is_function(Less, 2) -> List;
merge(Less, List1, [_ | _] = List2) when is_function(Less, 2) ->
    reverse(fmerge_up(Less, List1, List2, [])).

-spec rmerge(fun((T, T) -> boolean()), [T], [T]) -> [T].
rmerge(Less, List, []) when is_function(Less, 2) -> List;
rmerge(Less, List1, [_ | _] = List2) when is_function(Less, 2) ->
    reverse(fmerge_down(Less, List1, List2, [])).

-spec umerge(fun((T, T) -> boolean()), [T], [T]) -> [T].
umerge(Less, [], List) when is_function(Less, 2) -> List;
umerge(Less, [_ | _] = List1, List2) when is_function(Less, 2) ->
    reverse(fumerge_up(Less, List1, List2, none, [])).

-spec rumerge(fun((T, T) -> boolean()), [T], [T]) -> [T].
rumerge(Less, List, []) when is_function(Less, 2) -> List;
rumerge(Less, List1, [_ | _] = List2) when is_function(Less, 2) ->
    reverse(fumerge_down(Less, List1, List2, [])).

fumerge_up(Less, [A | As1] = As, [B | Bs1] = Bs, Last, Acc) ->
    case Less(A, B) of
        true -> fumerge_up(Less, As1, Bs, {A}, [A | Acc]);
        false -> fumerge_up(Less, As, Bs1, none, push_unless_equal(Less, B, Last, Acc))
    end;
fumerge_up(Less, [], [B | Bs], Last, Acc) -> push_all(Bs, push_unless_equal(Less, B, Last, Acc));
fumerge_up(_Less, As, [], _Last, Acc) -> push_all(As, Acc).

%% B is not less than the last A.
push_unless_equal(_Less, B, none, Acc) -> [B | Acc];
push_unless_equal(Less, B, {A}, Acc) ->
    case Less(B, A) of
        true -> Acc;
        false -> [B | Acc]
    end.

fumerge_down(Less, [A | As1] = As, [B | Bs1] = Bs, Acc) ->
    case Less(A, B) of
        true -> fumerge_down(Less, As, Bs1, B, Acc);
        false -> fumerge_down(Less, As1, Bs, [A | Acc])
    end;
fumerge_down(_Less, [], Bs, Acc) -> push_all(Bs, Acc);
fumerge_down(_Less, As, [], Acc) -> push_all(As, Acc).

fumerge_down(Less, [A | _] = As, [B | Bs1] = Bs, Held, Acc) ->
    case Less(A, B) of
        true -> fumerge_down(Less, As, Bs1, B, [Held | Acc]);
        false -> after_held(Less, As, Bs, Held, Acc)
    end;
fumerge_down(Less, As, [], Held, Acc) -> after_held(Less, As, [], Held, Acc).

after_held(Less, [A | As], Bs, Held, Acc) ->
    case Less(Held, A) of
        true -> fumerge_down(Less, As, Bs, [A | Acc]);
        false -> fumerge_down(Less, As, Bs, [A, Held | Acc])
    end.

%% ---- sorting and merging by an element ----

%% The key is taken out of each tuple once.
-spec keysort(pos_integer(), [T]) -> [T] when T :: tuple().
keysort(N, List) when is_integer(N), N > 0 ->
    case List of
        [_, _ | _] -> [Tuple || [_ | Tuple] <- sort_keyed(N, List)];
        [_] -> List;
        [] -> []
    end.

-spec ukeysort(pos_integer(), [T]) -> [T] when T :: tuple().
ukeysort(N, List) when is_integer(N), N > 0 ->
    case List of
        [_, _ | _] -> first_of_keys(sort_keyed(N, List));
        [_] -> List;
        [] -> []
    end.

sort_keyed(N, List) -> sort(fun([A | _], [B | _]) -> A =< B end, with_keys(N, List)).

with_keys(N, [Tuple | Rest]) -> [[element(N, Tuple) | Tuple] | with_keys(N, Rest)];
with_keys(_N, []) -> [].

first_of_keys([[A | Tuple], [B | _] | Rest]) when A == B -> first_of_keys([[A | Tuple] | Rest]);
first_of_keys([[_ | Tuple] | Rest]) -> [Tuple | first_of_keys(Rest)];
first_of_keys([]) -> [].

-spec keymerge(pos_integer(), [T], [T]) -> [T] when T :: tuple().
keymerge(N, List1, List2) when is_integer(N), N > 0 ->
    case List2 of
        [] -> List1;
        [First | _] ->
            _ = element(N, First),
            InOrder = fun(A, B) -> element(N, A) =< element(N, B) end,
            reverse(fmerge_up(InOrder, List1, List2, []))
    end.

-spec rkeymerge(pos_integer(), [T], [T]) -> [T] when T :: tuple().
rkeymerge(N, List1, List2) when is_integer(N), N > 0 ->
    case List2 of
        [] -> List1;
        [First | _] ->
            _ = element(N, First),
            InOrder = fun(A, B) -> element(N, A) =< element(N, B) end,
            reverse(fmerge_down(InOrder, List1, List2, []))
    end.

-spec ukeymerge(pos_integer(), [T], [T]) -> [T] when T :: tuple().
ukeymerge(N, List1, List2) when is_integer(N), N > 0 ->
    case List1 of
        [] -> List2;
        [First | _] ->
            _ = element(N, First),
            InOrder = fun(A, B) -> element(N, A) =< element(N, B) end,
            reverse(fumerge_up(InOrder, List1, List2, none, []))
    end.

-spec rukeymerge(pos_integer(), [T], [T]) -> [T] when T :: tuple().
rukeymerge(N, List1, List2) when is_integer(N), N > 0 ->
    case List2 of
        [] -> List1;
        [First | _] ->
            _ = element(N, First),
            InOrder = fun(A, B) -> element(N, A) =< element(N, B) end,
            reverse(fumerge_down(InOrder, List1, List2, []))
    end.
