%% binary: functions on binaries. Searching, splitting and most others are native.
-module(binary).

-export([bin_to_list/1, bin_to_list/2, bin_to_list/3, decode_hex/1, encode_hex/1, encode_hex/2, join/2,
         replace/3, replace/4]).
%% Native.
-export([at/2, compile_pattern/1, copy/1, copy/2, decode_unsigned/1, decode_unsigned/2,
         encode_unsigned/1, encode_unsigned/2, first/1, last/1, list_to_bin/1,
         longest_common_prefix/1, longest_common_suffix/1, match/2, match/3, matches/2, matches/3,
         part/2, part/3, referenced_byte_size/1, split/2, split/3]).

-export_type([cp/0]).

-opaque cp() :: {am | bm, reference()}.
-type pattern() :: binary() | [binary()] | cp().
-type part() :: {Start :: non_neg_integer(), Length :: integer()}.

-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

%% ---- native functions ----

-spec at(binary(), non_neg_integer()) -> byte().
at(_Subject, _Pos) -> erlang:nif_error(undef).

-spec compile_pattern(binary() | [binary()]) -> cp().
compile_pattern(_Pattern) -> erlang:nif_error(undef).

-spec copy(binary()) -> binary().
copy(_Subject) -> erlang:nif_error(undef).

-spec copy(binary(), non_neg_integer()) -> binary().
copy(_Subject, _N) -> erlang:nif_error(undef).

-spec decode_unsigned(binary()) -> non_neg_integer().
decode_unsigned(_Subject) -> erlang:nif_error(undef).

-spec decode_unsigned(binary(), big | little) -> non_neg_integer().
decode_unsigned(_Subject, _Endianness) -> erlang:nif_error(undef).

-spec encode_unsigned(non_neg_integer()) -> binary().
encode_unsigned(_Unsigned) -> erlang:nif_error(undef).

-spec encode_unsigned(non_neg_integer(), big | little) -> binary().
encode_unsigned(_Unsigned, _Endianness) -> erlang:nif_error(undef).

-spec first(binary()) -> byte().
first(_Subject) -> erlang:nif_error(undef).

-spec last(binary()) -> byte().
last(_Subject) -> erlang:nif_error(undef).

-spec list_to_bin(iolist()) -> binary().
list_to_bin(_ByteList) -> erlang:nif_error(undef).

-spec longest_common_prefix([binary()]) -> non_neg_integer().
longest_common_prefix(_Binaries) -> erlang:nif_error(undef).

-spec longest_common_suffix([binary()]) -> non_neg_integer().
longest_common_suffix(_Binaries) -> erlang:nif_error(undef).

-spec match(binary(), pattern()) -> part() | nomatch.
match(_Subject, _Pattern) -> erlang:nif_error(undef).

-spec match(binary(), pattern(), [{scope, part()}]) -> part() | nomatch.
match(_Subject, _Pattern, _Options) -> erlang:nif_error(undef).

-spec matches(binary(), pattern()) -> [part()].
matches(_Subject, _Pattern) -> erlang:nif_error(undef).

-spec matches(binary(), pattern(), [{scope, part()}]) -> [part()].
matches(_Subject, _Pattern, _Options) -> erlang:nif_error(undef).

-spec part(binary(), part()) -> binary().
part(_Subject, _PosLen) -> erlang:nif_error(undef).

-spec part(binary(), non_neg_integer(), integer()) -> binary().
part(_Subject, _Pos, _Len) -> erlang:nif_error(undef).

-spec referenced_byte_size(binary()) -> non_neg_integer().
referenced_byte_size(_Binary) -> erlang:nif_error(undef).

-spec split(binary(), pattern()) -> [binary()].
split(_Subject, _Pattern) -> erlang:nif_error(undef).

-spec split(binary(), pattern(), [{scope, part()} | trim | global | trim_all]) -> [binary()].
split(_Subject, _Pattern, _Options) -> erlang:nif_error(undef).

%% ---- lists ----

-spec bin_to_list(binary()) -> [byte()].
bin_to_list(Subject) when is_binary(Subject) -> binary_to_list(Subject);
bin_to_list(Subject) -> erlang:error(badarg, [Subject], ?INFO).

-spec bin_to_list(binary(), part()) -> [byte()].
bin_to_list(Subject, PosLen) ->
    try
        {Pos, Len} = PosLen,
        bin_to_list(Subject, Pos, Len)
    catch
        error:_ -> erlang:error(badarg, [Subject, PosLen], ?INFO)
    end.

-spec bin_to_list(binary(), non_neg_integer(), integer()) -> [byte()].
bin_to_list(Subject, Pos, Len)
  when is_binary(Subject), is_integer(Pos), is_integer(Len), Pos >= 0, Pos + Len >= 0,
       Pos =< byte_size(Subject), Pos + Len =< byte_size(Subject) ->
    binary_to_list(binary:part(Subject, Pos, Len));
bin_to_list(Subject, Pos, Len) -> erlang:error(badarg, [Subject, Pos, Len], ?INFO).

%% ---- hexadecimal digits ----

%% Since OTP 26.
-spec encode_hex(binary(), uppercase | lowercase) -> binary().
encode_hex(Binary, uppercase) when is_binary(Binary) -> binary:encode_hex(Binary);
encode_hex(Binary, lowercase) when is_binary(Binary) ->
    << <<(lower(Digit))>> || <<Digit>> <= binary:encode_hex(Binary) >>;
encode_hex(Binary, Case) -> erlang:error(badarg, [Binary, Case], ?INFO).

lower(Digit) when Digit >= $A -> Digit + $a - $A;
lower(Digit) -> Digit.

%% Since OTP 28.
-spec join([binary()], binary()) -> binary().
join(Binaries, Separator) when is_list(Binaries), is_binary(Separator) ->
    case all_binaries(Binaries) of
        true -> iolist_to_binary(lists:join(Separator, Binaries));
        false -> erlang:error(badarg, [Binaries, Separator], ?INFO)
    end;
join(Binaries, Separator) -> erlang:error(badarg, [Binaries, Separator], ?INFO).

all_binaries([Binary | Binaries]) -> is_binary(Binary) andalso all_binaries(Binaries);
all_binaries(Tail) -> Tail =:= [].

-spec encode_hex(binary()) -> binary().
encode_hex(Binary) when is_binary(Binary) -> << <<(hex(Digit))>> || <<Digit:4>> <= Binary >>;
encode_hex(Binary) -> erlang:error(badarg, [Binary], ?INFO).

hex(Digit) when Digit < 10 -> $0 + Digit;
hex(Digit) -> $A + Digit - 10.

-spec decode_hex(binary()) -> binary().
decode_hex(Binary) when byte_size(Binary) rem 2 =:= 0 ->
    << <<(unhex(Pair))>> || <<Pair:2/binary>> <= Binary >>;
decode_hex(Binary) -> erlang:error(badarg, [Binary], ?INFO).

unhex(<<High, Low>> = Pair) ->
    case {digit(High), digit(Low)} of
        {none, _} -> erlang:error(badarg, [Pair], ?INFO);
        {_, none} -> erlang:error(badarg, [Pair], ?INFO);
        {HighDigit, LowDigit} -> HighDigit * 16 + LowDigit
    end.

digit(Char) when Char >= $0, Char =< $9 -> Char - $0;
digit(Char) when Char >= $A, Char =< $F -> Char - $A + 10;
digit(Char) when Char >= $a, Char =< $f -> Char - $a + 10;
digit(_Char) -> none.

%% ---- replacing ----

-spec replace(binary(), pattern(), binary()) -> binary().
replace(Subject, Pattern, Replacement) ->
    try replace(Subject, Pattern, Replacement, [])
    catch error:Reason -> erlang:error(Reason, [Subject, Pattern, Replacement], ?INFO)
    end.

-type replace_option() :: global | {scope, part()} | {insert_replaced, non_neg_integer() | [non_neg_integer()]}.

-spec replace(binary(), pattern(), binary(), [replace_option()]) -> binary().
replace(Subject, Pattern, Replacement, Options) ->
    Args = [Subject, Pattern, Replacement, Options],
    case options(Options, false, [], []) of
        bad_option ->
            erlang:error(badarg, Args, [{error_info, #{module => erl_stdlib_errors, cause => badopt}}]);
        {Global, Scope, Positions} ->
            try replace(Subject, Pattern, Replacement, Global, Scope, Positions)
            catch _:_ -> erlang:error(badarg, Args, ?INFO)
            end
    end.

replace(Subject, Pattern, Replacement, Global, Scope, Positions) when is_binary(Replacement) ->
    Found = case Global of
                true -> binary:matches(Subject, Pattern, Scope);
                false -> [Match || {_, _} = Match <- [binary:match(Subject, Pattern, Scope)]]
            end,
    iolist_to_binary(replaced(Found, 0, Subject, pieces(Positions, Replacement))).

options([global | Options], _Global, Scope, Positions) -> options(Options, true, Scope, Positions);
options([{scope, {_, _}} = Scope | Options], Global, _Scope, Positions) ->
    options(Options, Global, [Scope], Positions);
options([{insert_replaced, Positions} | Options], Global, Scope, _Positions) ->
    options(Options, Global, Scope, Positions);
options([], Global, Scope, Positions) -> {Global, Scope, Positions};
options(_, _Global, _Scope, _Positions) -> bad_option.

%% The replacement, cut where the replaced part is to be inserted.
pieces(Position, Replacement) when is_integer(Position) -> pieces([Position], Replacement);
pieces(Positions, Replacement) when is_list(Positions) ->
    cut(lists:sort(Positions), 0, Replacement).

cut([Position | Positions], From, Binary) ->
    [binary:part(Binary, From, Position - From) | cut(Positions, Position, Binary)];
cut([], From, Binary) -> [binary:part(Binary, From, byte_size(Binary) - From)].

replaced([{Pos, Len} | Found], From, Subject, Pieces) ->
    Inserted = lists:join(binary:part(Subject, Pos, Len), Pieces),
    [binary:part(Subject, From, Pos - From), Inserted | replaced(Found, Pos + Len, Subject, Pieces)];
replaced([], From, Subject, _Pieces) -> [binary:part(Subject, From, byte_size(Subject) - From)].
