%% Native functions as Erlang code, which runs in their place where unknown values are followed:
%% what they decide is then seen. They give what the natives give, and fail for the same reasons.
-module(erlscope_symbolic).
-compile({no_auto_import, [max/2, min/2, list_to_binary/1, iolist_to_binary/1]}).
-compile({no_auto_import, [integer_to_list/2, integer_to_binary/2, list_to_integer/2]}).
-compile({no_auto_import, [binary_to_integer/2, iolist_size/1]}).
-compile({no_auto_import, [split_binary/2, binary_part/2, binary_part/3]}).

-export(['++'/2, '--'/2]).
-export([append/1, append/2, delete/2, droplast/1, duplicate/2, flatten/1, join/2, last/1]).
-export([max/1, min/1, member/2, nth/2, nthtail/2, prefix/2, reverse/1, reverse/2]).
-export([split/2, sublist/2, sublist/3, subtract/2, suffix/2, sum/1, uniq/1]).
-export([zip/2, zip3/3, unzip/1, unzip3/1, sort/1, usort/1, keysort/2]).
-export([keyfind/3, keymember/3, keysearch/3, keydelete/3, keyreplace/4, keystore/4, keytake/3]).
-export([seq/2, seq/3]).
-export([from_list/1, merge/2, with/2, without/2, take/2]).
-export([list_to_binary/1, iolist_to_binary/1, split_binary/2, binary_part/2, binary_part/3]).
%% Those of other modules than erlang, lists and maps have the module in their names.
-export(['binary:part'/2, 'binary:part'/3, 'binary:at'/2, 'binary:first'/1, 'binary:last'/1]).
-export(['binary:match'/2, 'binary:match'/3, 'binary:matches'/2, 'binary:matches'/3]).
-export(['binary:split'/2, 'binary:split'/3, 'binary:replace'/3, 'binary:replace'/4]).
-export(['binary:bin_to_list'/1, 'binary:list_to_bin'/1, 'binary:copy'/1, 'binary:copy'/2]).
-export(['binary:decode_unsigned'/1, 'binary:decode_unsigned'/2]).
-export([integer_to_list/2, integer_to_binary/2, list_to_integer/2, binary_to_integer/2]).
-export([iolist_size/1, flatlength/1, ukeysort/2, enumerate/1, enumerate/2, from_keys/2]).
-export(['unicode_util:cp'/1, 'unicode_util:gc'/1]).
-export(['unicode_util:uppercase'/1, 'unicode_util:lowercase'/1, 'unicode_util:casefold'/1]).
-export(['unicode:characters_to_list'/1, 'unicode:characters_to_binary'/1]).
-export(['string:list_to_integer'/1, 'string:to_integer'/1]).
-export(['io_lib:format'/2, 'io_lib:fwrite'/2]).

'++'([], B) -> B;
'++'([H | T], B) -> [H | '++'(T, B)];
'++'(_, _) -> erlang:error(badarg).

'--'(A, B) -> subtracted(A, proper(B)).

proper([]) -> [];
proper([H | T]) -> [H | proper(T)];
proper(_) -> erlang:error(badarg).

subtracted([], _) -> [];
subtracted(A, []) -> proper(A);
subtracted([H | T], B) ->
    case without_first(H, B, []) of
        none -> [H | subtracted(T, B)];
        Rest -> subtracted(T, Rest)
    end;
subtracted(_, _) -> erlang:error(badarg).

without_first(_, [], _) -> none;
without_first(X, [X | T], Before) -> reverse(Before, T);
without_first(X, [H | T], Before) -> without_first(X, T, [H | Before]).

append([E]) -> E;
append([H | T]) -> '++'(H, append(T));
append([]) -> [].

append(A, B) -> '++'(A, B).

subtract(A, B) -> '--'(A, B).

delete(X, [X | T]) -> T;
delete(X, [H | T]) -> [H | delete(X, T)];
delete(_, []) -> [].

droplast([_]) -> [];
droplast([H | T]) -> [H | droplast(T)].

duplicate(N, X) when is_integer(N), N >= 0 -> duplicate(N, X, []).

duplicate(0, _, L) -> L;
duplicate(N, X, L) -> duplicate(N - 1, X, [X | L]).

seq(First, Last) when is_integer(First), is_integer(Last), First - 1 =< Last ->
    counted(First, Last, 1).

seq(First, Last, Step) when is_integer(First), is_integer(Last), is_integer(Step), Step > 0,
                            First - Step =< Last ->
    counted(First, Last, Step);
seq(First, Last, Step) when is_integer(First), is_integer(Last), is_integer(Step), Step < 0,
                            First - Step >= Last ->
    counted(First, Last, Step);
seq(Same, Same, 0) when is_integer(Same) ->
    [Same].

counted(N, Last, Step) when Step > 0, N > Last; Step < 0, N < Last -> [];
counted(N, Last, Step) -> [N | counted(N + Step, Last, Step)].

flatten(List) when is_list(List) -> flatten(List, []).

flatten([H | T], Tail) when is_list(H) -> flatten(H, flatten(T, Tail));
flatten([H | T], Tail) -> [H | flatten(T, Tail)];
flatten([], Tail) -> Tail.

join(_, []) -> [];
join(Sep, [H | T]) -> [H | prepended(Sep, T)].

prepended(_, []) -> [];
prepended(Sep, [H | T]) -> [Sep, H | prepended(Sep, T)].

last([E | Es]) -> last(E, Es).

last(_, [E | Es]) -> last(E, Es);
last(E, []) -> E.

max([H | T]) -> max(T, H).

max([H | T], Max) when H > Max -> max(T, H);
max([_ | T], Max) -> max(T, Max);
max([], Max) -> Max.

min([H | T]) -> min(T, H).

min([H | T], Min) when H < Min -> min(T, H);
min([_ | T], Min) -> min(T, Min);
min([], Min) -> Min.

member(X, [X | _]) -> true;
member(X, [_ | T]) -> member(X, T);
member(_, []) -> false;
member(_, _) -> erlang:error(badarg).

nth(1, [H | _]) -> H;
nth(N, [_ | T]) when N > 1 -> nth(N - 1, T).

nthtail(0, L) when is_list(L) -> L;
nthtail(1, [_ | T]) -> T;
nthtail(N, [_ | T]) when N > 1 -> nthtail(N - 1, T).

prefix([X | P], [X | T]) -> prefix(P, T);
prefix([], List) when is_list(List) -> true;
prefix([_ | _], List) when is_list(List) -> false.

suffix(Suffix, List) ->
    Delta = length(List) - length(Suffix),
    Delta >= 0 andalso nthtail(Delta, List) =:= Suffix.

reverse(L) -> reversed(L, []).

reversed([H | T], Acc) -> reversed(T, [H | Acc]);
reversed([], Acc) -> Acc;
reversed(_, _) -> erlang:error(function_clause).

reverse([H | T], Acc) -> reverse(T, [H | Acc]);
reverse([], Acc) -> Acc;
reverse(_, _) -> erlang:error(badarg).

split(N, List) when is_integer(N), N >= 0, is_list(List) ->
    case split(N, List, []) of
        {_, _} = Result -> Result;
        _ -> erlang:error(badarg)
    end;
split(_, _) -> erlang:error(badarg).

split(0, L, R) -> {reverse(R, []), L};
split(N, [H | T], R) -> split(N - 1, T, [H | R]);
split(_, [], _) -> badarg.

sublist(List, L) when is_integer(L), is_list(List) -> sublisted(List, L).

sublisted([H | T], L) when L > 0 -> [H | sublisted(T, L - 1)];
sublisted(_, 0) -> [];
sublisted(List, L) when is_list(List), L > 0 -> [].

sublist(List, 1, L) when is_list(List), is_integer(L), L >= 0 -> sublist(List, L);
sublist([], S, _) when is_integer(S), S >= 2 -> [];
sublist([_ | T], S, L) when is_integer(S), S >= 2 -> sublist(T, S - 1, L).

sum(L) -> sum(L, 0).

sum([H | T], Sum) -> sum(T, Sum + H);
sum([], Sum) -> Sum.

uniq(L) -> uniq(L, []).

uniq([H | T], Seen) ->
    case member(H, Seen) of
        true -> uniq(T, Seen);
        false -> [H | uniq(T, [H | Seen])]
    end;
uniq([], _) -> [].

zip([X | Xs], [Y | Ys]) -> [{X, Y} | zip(Xs, Ys)];
zip([], []) -> [].

zip3([X | Xs], [Y | Ys], [Z | Zs]) -> [{X, Y, Z} | zip3(Xs, Ys, Zs)];
zip3([], [], []) -> [].

unzip(Ts) -> unzip(Ts, [], []).

unzip([{X, Y} | Ts], Xs, Ys) -> unzip(Ts, [X | Xs], [Y | Ys]);
unzip([], Xs, Ys) -> {reverse(Xs, []), reverse(Ys, [])}.

unzip3(Ts) -> unzip3(Ts, [], [], []).

unzip3([{X, Y, Z} | Ts], Xs, Ys, Zs) -> unzip3(Ts, [X | Xs], [Y | Ys], [Z | Zs]);
unzip3([], Xs, Ys, Zs) -> {reverse(Xs, []), reverse(Ys, []), reverse(Zs, [])}.

%% By insertion, from the last element on: equal ones stay in their order.
sort([]) -> [];
sort([H | T]) -> inserted(H, sort(T)).

inserted(X, [H | T]) when X > H -> [H | inserted(X, T)];
inserted(X, L) -> [X | L].

usort([]) -> [];
usort([H | T]) -> uinserted(H, usort(T)).

uinserted(X, [H | T]) when X > H -> [H | uinserted(X, T)];
uinserted(X, [H | T]) when X == H -> [X | T];
uinserted(X, L) -> [X | L].

keysort(N, [_, _ | _] = L) when is_integer(N), N > 0 -> keysorted(N, L);
keysort(N, [_] = L) when is_integer(N), N > 0 -> L;
keysort(N, []) when is_integer(N), N > 0 -> [];
keysort(N, L) when is_integer(N), N > 0 -> erlang:error({case_clause, L}).

keysorted(_, []) -> [];
keysorted(N, [H | T]) -> keyinserted(N, element(N, H), H, keysorted(N, T)).

keyinserted(N, K, X, [H | T]) when K > element(N, H) -> [H | keyinserted(N, K, X, T)];
keyinserted(_, _, X, L) -> [X | L].

keyfind(Key, N, [H | T]) when is_integer(N), N > 0 ->
    case has_key(Key, N, H) of
        true -> H;
        false -> keyfind(Key, N, T)
    end;
keyfind(_, N, []) when is_integer(N), N > 0 -> false;
keyfind(_, _, _) -> erlang:error(badarg).

has_key(Key, N, Tuple) ->
    is_tuple(Tuple) andalso tuple_size(Tuple) >= N andalso element(N, Tuple) == Key.

keymember(Key, N, L) ->
    case keyfind(Key, N, L) of
        false -> false;
        _ -> true
    end.

keysearch(Key, N, L) ->
    case keyfind(Key, N, L) of
        false -> false;
        Found -> {value, Found}
    end.

keydelete(K, N, L) when is_integer(N), N > 0 -> keydeleted(K, N, L).

keydeleted(K, N, [H | T]) ->
    case has_key(K, N, H) of
        true -> T;
        false -> [H | keydeleted(K, N, T)]
    end;
keydeleted(_, _, []) -> [].

keyreplace(K, N, L, New) when is_integer(N), N > 0, is_tuple(New) -> keyreplaced(K, N, L, New).

keyreplaced(K, N, [H | T], New) ->
    case has_key(K, N, H) of
        true -> [New | T];
        false -> [H | keyreplaced(K, N, T, New)]
    end;
keyreplaced(_, _, [], _) -> [].

keystore(K, N, L, New) when is_integer(N), N > 0, is_tuple(New) -> keystored(K, N, L, New).

keystored(K, N, [H | T], New) ->
    case has_key(K, N, H) of
        true -> [New | T];
        false -> [H | keystored(K, N, T, New)]
    end;
keystored(_, _, [], New) -> [New].

keytake(Key, N, L) when is_integer(N), N > 0 -> keytaken(Key, N, L, []).

keytaken(Key, N, [H | T], L) ->
    case has_key(Key, N, H) of
        true -> {value, H, reverse(L, T)};
        false -> keytaken(Key, N, T, [H | L])
    end;
keytaken(_, _, [], _) -> false.

from_list(List) -> from_list(List, #{}).

from_list([{K, V} | T], Map) -> from_list(T, Map#{K => V});
from_list([], Map) -> Map;
from_list(_, _) -> erlang:error(badarg).

merge(A, B) when is_map(A), is_map(B) -> merged(maps:to_list(B), A);
merge(A, _) when not is_map(A) -> erlang:error({badmap, A});
merge(_, B) -> erlang:error({badmap, B}).

merged([{K, V} | T], Map) -> merged(T, Map#{K => V});
merged([], Map) -> Map.

with(Keys, Map) when is_list(Keys), is_map(Map) -> with(Keys, Map, #{});
with(_, Map) when not is_map(Map) -> erlang:error({badmap, Map});
with(_, _) -> erlang:error(badarg).

with([K | Ks], Map, With) ->
    case Map of
        #{K := V} -> with(Ks, Map, With#{K => V});
        #{} -> with(Ks, Map, With)
    end;
with([], _, With) -> With.

without([K | Ks], Map) when is_map(Map) -> without(Ks, maps:remove(K, Map));
without([], Map) when is_map(Map) -> Map;
without(_, Map) when not is_map(Map) -> erlang:error({badmap, Map});
without(_, _) -> erlang:error(badarg).

take(Key, Map) ->
    case Map of
        #{Key := Value} -> {Value, maps:remove(Key, Map)};
        #{} -> error;
        _ -> erlang:error({badmap, Map})
    end.

list_to_binary(L) when is_list(L) -> bytes_of(L, <<>>);
list_to_binary(_) -> erlang:error(badarg).

iolist_to_binary(B) when is_binary(B) -> B;
iolist_to_binary(L) -> list_to_binary(L).

bytes_of([H | T], B) when is_integer(H), H >= 0, H < 256 -> bytes_of(T, <<B/binary, H>>);
bytes_of([H | T], B) when is_binary(H) -> bytes_of(T, <<B/binary, H/binary>>);
bytes_of([H | T], B) when is_list(H) -> bytes_of(T, bytes_of(H, B));
bytes_of([], B) -> B;
bytes_of(Last, B) when is_binary(Last) -> <<B/binary, Last/binary>>;
bytes_of(_, _) -> erlang:error(badarg).

split_binary(B, At) when is_integer(At) ->
    case B of
        <<Before:At/binary, After/bits>> -> {Before, After};
        _ -> erlang:error(badarg)
    end;
split_binary(_, _) -> erlang:error(badarg).

binary_part(B, Part) -> 'binary:part'(B, Part).

binary_part(B, At, Len) -> 'binary:part'(B, At, Len).

'binary:part'(B, {At, Len}) -> 'binary:part'(B, At, Len);
'binary:part'(_, _) -> erlang:error(badarg).

'binary:part'(B, At, Len) when is_binary(B), is_integer(At), is_integer(Len), Len < 0 ->
    part_of(B, At + Len, -Len);
'binary:part'(B, At, Len) when is_binary(B), is_integer(At), is_integer(Len) ->
    part_of(B, At, Len);
'binary:part'(_, _, _) -> erlang:error(badarg).

part_of(B, At, Len) ->
    case B of
        <<_:At/binary, Part:Len/binary, _/binary>> -> Part;
        _ -> erlang:error(badarg)
    end.

'binary:at'(B, At) when is_binary(B), is_integer(At) ->
    case B of
        <<_:At/binary, Byte, _/binary>> -> Byte;
        _ -> erlang:error(badarg)
    end;
'binary:at'(_, _) -> erlang:error(badarg).

'binary:first'(B) -> 'binary:at'(B, 0).

'binary:last'(B) when is_binary(B), B =/= <<>> -> 'binary:at'(B, byte_size(B) - 1);
'binary:last'(_) -> erlang:error(badarg).

'binary:match'(B, Patterns) -> 'binary:match'(B, Patterns, []).

'binary:match'(B, Patterns, Options) when is_binary(B) ->
    {From, To, []} = options(Options, B, []),
    first_match(B, patterns(Patterns, To > 0), From, To);
'binary:match'(_, _, _) -> erlang:error(badarg).

'binary:matches'(B, Patterns) -> 'binary:matches'(B, Patterns, []).

'binary:matches'(B, Patterns, Options) when is_binary(B) ->
    {From, To, []} = options(Options, B, []),
    all_matches(B, patterns(Patterns, To > 0), From, To);
'binary:matches'(_, _, _) -> erlang:error(badarg).

'binary:split'(B, Patterns) -> 'binary:split'(B, Patterns, []).

'binary:split'(B, Patterns, Options) when is_binary(B) ->
    {From, To, How} = options(Options, B, [global, trim, trim_all]),
    Known = patterns(Patterns, To > 0),
    Found =
        case member(global, How) of
            true -> all_matches(B, Known, From, To);
            false -> first_matches(first_match(B, Known, From, To))
        end,
    Pieces = pieces(B, Found, 0),
    case {member(trim_all, How), member(trim, How)} of
        {true, _} -> [Piece || Piece <- Pieces, Piece =/= <<>>];
        {false, true} -> without_last_empty(Pieces);
        _ -> Pieces
    end;
'binary:split'(_, _, _) -> erlang:error(badarg).

%% What is to be looked through, from where to where, and the other options, which are some of these.
options(Options, B, Known) -> options(Options, B, Known, {0, byte_size(B)}, []).

options([{scope, {At, Len}} | Options], B, Known, _, How) when is_integer(At), is_integer(Len) ->
    {From, To} = if Len < 0 -> {At + Len, At}; true -> {At, At + Len} end,
    case From >= 0 andalso To =< byte_size(B) of
        true -> options(Options, B, Known, {From, To}, How);
        false -> erlang:error(badarg)
    end;
options([Option | Options], B, Known, Scope, How) ->
    case member(Option, Known) of
        true -> options(Options, B, Known, Scope, [Option | How]);
        false -> erlang:error(badarg)
    end;
options([], _, _, {From, To}, How) -> {From, To, How};
options(_, _, _, _, _) -> erlang:error(badarg).

%% Where there is nothing to look through, nobody looks at the patterns.
patterns(_, false) -> [];
patterns({bm, Pattern}, _) -> several([Pattern]);
patterns({ac, Patterns}, _) -> several(Patterns);
patterns([_ | _] = Patterns, _) -> several(Patterns);
patterns(Pattern, _) -> several([Pattern]).

several([P | Ps]) when is_binary(P), P =/= <<>> -> [P | several(Ps)];
several([]) -> [];
several(_) -> erlang:error(badarg).

%% The first place where a pattern is, and the longest one that is there.
first_match(_, _, At, To) when At >= To -> nomatch;
first_match(B, Patterns, At, To) ->
    case longest(B, Patterns, At, To, 0) of
        0 -> first_match(B, Patterns, At + 1, To);
        Len -> {At, Len}
    end.

longest(_, [], _, _, Len) -> Len;
longest(B, [P | Ps], At, To, Len) ->
    Size = byte_size(P),
    case B of
        <<_:At/binary, P:Size/binary, _/binary>> when Size > Len, At + Size =< To ->
            longest(B, Ps, At, To, Size);
        _ ->
            longest(B, Ps, At, To, Len)
    end.

first_matches(nomatch) -> [];
first_matches(Match) -> [Match].

all_matches(B, Patterns, From, To) ->
    case first_match(B, Patterns, From, To) of
        nomatch -> [];
        {At, Len} = Match -> [Match | all_matches(B, Patterns, At + Len, To)]
    end.

pieces(B, [{At, Len} | Matches], From) ->
    [part_of(B, From, At - From) | pieces(B, Matches, At + Len)];
pieces(B, [], From) ->
    <<_:From/binary, Last/binary>> = B,
    [Last].

without_last_empty(Pieces) -> reverse(without_empty(reverse(Pieces, [])), []).

without_empty([<<>> | Pieces]) -> without_empty(Pieces);
without_empty(Pieces) -> Pieces.

'binary:replace'(B, Patterns, By) -> 'binary:replace'(B, Patterns, By, []).

'binary:replace'(B, Patterns, By, Options) when is_binary(By) ->
    case has_insertion(Options) of
        true -> binary:'native replace'(B, Patterns, By, Options);
        false -> bytes_of(join(By, 'binary:split'(B, Patterns, Options)), <<>>)
    end;
'binary:replace'(B, Patterns, By, Options) ->
    binary:'native replace'(B, Patterns, By, Options).

has_insertion([{insert_replaced, _} | _]) -> true;
has_insertion([_ | Options]) -> has_insertion(Options);
has_insertion(_) -> false.

'binary:bin_to_list'(B) when is_binary(B) -> erlang:binary_to_list(B);
'binary:bin_to_list'(_) -> erlang:error(badarg).

'binary:list_to_bin'(L) -> list_to_binary(L).

'binary:copy'(B) when is_binary(B) -> B;
'binary:copy'(_) -> erlang:error(badarg).

'binary:copy'(B, 0) when is_bitstring(B) -> <<>>;
'binary:copy'(B, N) when is_binary(B), is_integer(N), N >= 0 -> copied(B, N, <<>>);
'binary:copy'(_, _) -> erlang:error(badarg).

copied(_, 0, Copies) -> Copies;
copied(B, N, Copies) -> copied(B, N - 1, <<Copies/binary, B/binary>>).

'binary:decode_unsigned'(B) -> 'binary:decode_unsigned'(B, big).

'binary:decode_unsigned'(B, big) when is_binary(B) ->
    Size = bit_size(B),
    <<N:Size/big>> = B,
    N;
'binary:decode_unsigned'(B, little) when is_binary(B) ->
    Size = bit_size(B),
    <<N:Size/little>> = B,
    N;
'binary:decode_unsigned'(_, _) -> erlang:error(badarg).

integer_to_list(N, Base) when is_integer(N), is_integer(Base), Base >= 2, Base =< 36 ->
    if
        N < 0 -> [$- | digits(-N, Base, [])];
        true -> digits(N, Base, [])
    end;
integer_to_list(_, _) -> erlang:error(badarg).

digits(N, Base, Digits) when N < Base -> [digit(N) | Digits];
digits(N, Base, Digits) -> digits(N div Base, Base, [digit(N rem Base) | Digits]).

digit(D) when D < 10 -> $0 + D;
digit(D) -> $A + D - 10.

integer_to_binary(N, Base) -> bytes_of(integer_to_list(N, Base), <<>>).

list_to_integer(L, Base) when is_list(L), is_integer(Base), Base >= 2, Base =< 36 ->
    case L of
        [$- | Digits] -> -number(Digits, Base);
        [$+ | Digits] -> number(Digits, Base);
        Digits -> number(Digits, Base)
    end;
list_to_integer(_, _) -> erlang:error(badarg).

number([First | Digits], Base) -> number(Digits, Base, value(First, Base));
number(_, _) -> erlang:error(badarg).

number([D | Digits], Base, N) -> number(Digits, Base, N * Base + value(D, Base));
number([], _, N) -> N;
number(_, _, _) -> erlang:error(badarg).

value(D, Base) when is_integer(D), D >= $0, D =< $9, D - $0 < Base -> D - $0;
value(D, Base) when is_integer(D), D >= $A, D - $A + 10 < Base -> D - $A + 10;
value(D, Base) when is_integer(D), D >= $a, D - $a + 10 < Base -> D - $a + 10;
value(_, _) -> erlang:error(badarg).

binary_to_integer(B, Base) when is_binary(B) -> list_to_integer(erlang:binary_to_list(B), Base);
binary_to_integer(_, _) -> erlang:error(badarg).

iolist_size(L) -> byte_size(iolist_to_binary(L)).

flatlength(L) -> length(flatten(L)).

ukeysort(N, [_, _ | _] = L) when is_integer(N), N > 0 -> ukeysorted(N, L);
ukeysort(N, [_] = L) when is_integer(N), N > 0 -> L;
ukeysort(N, []) when is_integer(N), N > 0 -> [];
ukeysort(N, L) when is_integer(N), N > 0 -> erlang:error({case_clause, L}).

ukeysorted(_, []) -> [];
ukeysorted(N, [H | T]) -> ukeyinserted(N, element(N, H), H, ukeysorted(N, T)).

%% Of equal keys the first element stays.
ukeyinserted(N, K, X, [H | T]) when K > element(N, H) -> [H | ukeyinserted(N, K, X, T)];
ukeyinserted(N, K, X, [H | T]) when K == element(N, H) -> [X | T];
ukeyinserted(_, _, X, L) -> [X | L].

enumerate(L) -> enumerate(1, L).

enumerate(N, [H | T]) when is_integer(N) -> [{N, H} | enumerate(N + 1, T)];
enumerate(N, []) when is_integer(N) -> [].

from_keys(Keys, Value) -> from_keys(Keys, Value, #{}).

from_keys([K | Ks], Value, Map) -> from_keys(Ks, Value, Map#{K => Value});
from_keys([], _, Map) -> Map;
from_keys(_, _, _) -> erlang:error(badarg).

%% ---- characters: what stands below the first combining one goes with no other, but for \r\n ----

'unicode_util:cp'([C | _] = Text) when is_integer(C) -> Text;
'unicode_util:cp'([]) -> [];
'unicode_util:cp'(Text) -> unicode_util:'native cp'(Text).

'unicode_util:gc'([]) -> [];
'unicode_util:gc'([C]) when is_integer(C) -> [C];
'unicode_util:gc'([C, D | Rest] = Text)
  when is_integer(C), C < 16#300, is_integer(D), D < 16#300 ->
    case C =:= $\r andalso D =:= $\n of
        true -> [[C, D] | Rest];
        false -> Text
    end;
'unicode_util:gc'(Text) -> unicode_util:'native gc'(Text).

'unicode_util:uppercase'([C | Rest] = Text) when is_integer(C), C < 128 ->
    if C >= $a, C =< $z -> [C - 32 | Rest]; true -> Text end;
'unicode_util:uppercase'([]) -> [];
'unicode_util:uppercase'(Text) -> unicode_util:'native uppercase'(Text).

'unicode_util:lowercase'([C | Rest] = Text) when is_integer(C), C < 128 ->
    if C >= $A, C =< $Z -> [C + 32 | Rest]; true -> Text end;
'unicode_util:lowercase'([]) -> [];
'unicode_util:lowercase'(Text) -> unicode_util:'native lowercase'(Text).

'unicode_util:casefold'([C | Rest] = Text) when is_integer(C), C < 128 ->
    if C >= $A, C =< $Z -> [C + 32 | Rest]; true -> Text end;
'unicode_util:casefold'([]) -> [];
'unicode_util:casefold'(Text) -> unicode_util:'native casefold'(Text).

'unicode:characters_to_list'(Text) ->
    case characters(Text, []) of
        other -> unicode:'native characters_to_list'(Text);
        Characters -> Characters
    end.

'unicode:characters_to_binary'(Text) ->
    case characters(Text, []) of
        other -> unicode:'native characters_to_binary'(Text);
        Characters -> encoded(Characters, <<>>)
    end.

encoded([C | Text], B) -> encoded(Text, <<B/binary, C/utf8>>);
encoded([], B) -> B.

%% The characters of flat texts and of binaries.
characters([C | Text], Seen) when is_integer(C), C >= 0, C < 16#D800 ->
    characters(Text, [C | Seen]);
characters([C | Text], Seen) when is_integer(C), C > 16#DFFF, C < 16#110000 ->
    characters(Text, [C | Seen]);
characters([], Seen) -> reverse(Seen, []);
characters(<<C/utf8, Text/binary>>, Seen) -> characters(Text, [C | Seen]);
characters(<<>>, Seen) -> reverse(Seen, []);
characters(_, _) -> other.

'string:list_to_integer'([$- | [D | _] = Digits]) when is_integer(D), D >= $0, D =< $9 ->
    {N, Rest} = leading(Digits, 0),
    {-N, Rest};
'string:list_to_integer'([$+ | [D | _] = Digits]) when is_integer(D), D >= $0, D =< $9 ->
    leading(Digits, 0);
'string:list_to_integer'([D | _] = Digits) when is_integer(D), D >= $0, D =< $9 ->
    leading(Digits, 0);
'string:list_to_integer'(L) when is_list(L) -> {error, no_integer};
'string:list_to_integer'(_) -> {error, not_a_list}.

leading([D | Rest], N) when is_integer(D), D >= $0, D =< $9 -> leading(Rest, 10 * N + D - $0);
leading(Rest, N) -> {N, Rest}.

%% Of flat texts without combining characters.
'string:to_integer'(Text) ->
    case leading_integer(Text) of
        other -> string:'native to_integer'(Text);
        Result -> Result
    end.

leading_integer([$- | Text]) -> signed(Text, -1);
leading_integer([$+ | Text]) -> signed(Text, 1);
leading_integer(Text) -> signed(Text, 1).

signed([D | Text], Sign) when is_integer(D), D >= $0, D =< $9 -> digits_of(Text, Sign, D - $0);
signed(Text, _) ->
    case is_plain_end(Text) of
        true -> {error, no_integer};
        false -> other
    end.

digits_of([D | Text], Sign, N) when is_integer(D), D >= $0, D =< $9 ->
    digits_of(Text, Sign, 10 * N + D - $0);
digits_of(Rest, Sign, N) ->
    case is_plain_end(Rest) of
        true -> {Sign * N, Rest};
        false -> other
    end.

%% Signs and digits that may follow, and what stands behind them.
is_plain_end([]) -> true;
is_plain_end([C]) when is_integer(C), C >= 0, C < 16#300 -> true;
is_plain_end([C, D | Text]) when is_integer(C), C >= 0, C < 16#300, is_integer(D), D >= 0, D < 16#300 ->
    C > $9 orelse C < $+ orelse C =:= $, orelse C =:= $. orelse C =:= $/ orelse
        is_plain_end([D | Text]);
is_plain_end(_) -> false.

%% Integers, atoms and flat texts, as they are.
'io_lib:format'(Format, Args) ->
    case formatted(Format, Args, []) of
        other -> io_lib:'native format'(Format, Args);
        Text -> Text
    end.

'io_lib:fwrite'(Format, Args) ->
    case formatted(Format, Args, []) of
        other -> io_lib:'native fwrite'(Format, Args);
        Text -> Text
    end.

formatted("~b" ++ Format, [N | Args], Text) when is_integer(N) ->
    formatted(Format, Args, reverse(erlang:integer_to_list(N), Text));
formatted("~B" ++ Format, [N | Args], Text) when is_integer(N) ->
    formatted(Format, Args, reverse(erlang:integer_to_list(N), Text));
formatted("~c" ++ Format, [C | Args], Text) when is_integer(C), C >= 0, C < 256 ->
    formatted(Format, Args, [C | Text]);
formatted("~n" ++ Format, Args, Text) -> formatted(Format, Args, [$\n | Text]);
formatted("~~" ++ Format, Args, Text) -> formatted(Format, Args, [$~ | Text]);
formatted("~s" ++ Format, [Arg | Args], Text) -> with_text(Arg, 256, Format, Args, Text);
formatted("~ts" ++ Format, [Arg | Args], Text) -> with_text(Arg, 16#D800, Format, Args, Text);
formatted([$~ | _], _, _) -> other;
formatted([C | Format], Args, Text) when is_integer(C) -> formatted(Format, Args, [C | Text]);
formatted([], [], Text) -> reverse(Text, []);
formatted(_, _, _) -> other.

with_text(Atom, End, Format, Args, Text) when is_atom(Atom) ->
    Characters = erlang:atom_to_list(Atom),
    case are_below(Characters, End) of
        true -> formatted(Format, Args, reverse(Characters, Text));
        false -> other
    end;
with_text(List, End, Format, Args, Text) when is_list(List) ->
    case are_below(List, End) of
        true -> formatted(Format, Args, [List | Text]);
        false -> other
    end;
with_text(_, _, _, _, _) -> other.

are_below([C | Text], End) when is_integer(C), C >= 0, C < End -> are_below(Text, End);
are_below([], _) -> true;
are_below(_, _) -> false.
