%% Stands in for the native JSON library of the same name: its interface and its errors, in Erlang.
-module(jiffy).

-export([decode/1, decode/2, encode/1, encode/2]).

-type json_value() :: null | true | false | json_string() | number() | [json_value()] | json_object().
-type json_string() :: atom() | binary().
-type json_object() :: {[{json_string(), json_value()}]} | #{json_string() => json_value()}.
-type jiffy_decode_result() :: json_value() | {has_trailer, json_value(), binary()}.
-export_type([json_value/0, json_object/0, jiffy_decode_result/0]).

%% What to make of null and of objects.
-record(how, {null = null, maps = false, dedupe = false}).

decode(Data) -> decode(Data, []).

decode(Data, Options) when is_list(Data) -> decode(iolist_to_binary(Data), Options);
decode(Data, Options) when is_binary(Data), is_list(Options) ->
    Null = lists:foldl(fun(use_nil, _) -> nil;
                          ({null_term, Term}, _) -> Term;
                          (_, Before) -> Before
                       end, null, Options),
    How = #how{null = Null, maps = lists:member(return_maps, Options), dedupe = lists:member(dedupe_keys, Options)},
    try value(blanks(Data), byte_size(Data), How) of
        {Value, Rest} ->
            case {blanks(Rest), lists:member(return_trailer, Options)} of
                {<<>>, _} -> Value;
                {Trailer, true} -> {has_trailer, Value, Trailer};
                {Trailer, false} -> error({byte_size(Data) - byte_size(Trailer) + 1, invalid_trailing_data})
            end
    catch
        throw:{range, Text} -> error({range, Text});
        throw:{bad, Reason, Left} -> error({byte_size(Data) - Left + 1, Reason})
    end.

blanks(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t; C =:= $\r -> blanks(Rest);
blanks(Rest) -> Rest.

bad(Reason, Rest) -> throw({bad, Reason, byte_size(Rest)}).

value(<<"true", Rest/binary>>, _, _) -> {true, Rest};
value(<<"false", Rest/binary>>, _, _) -> {false, Rest};
value(<<"null", Rest/binary>>, _, #how{null = Null}) -> {Null, Rest};
value(<<C, _/binary>> = Rest, _, _) when C =:= $t; C =:= $f; C =:= $n -> bad(invalid_literal, Rest);
value(<<$", Rest/binary>>, _, _) -> text(Rest, Rest, 0, <<>>);
value(<<$[, Rest/binary>>, Size, How) ->
    case blanks(Rest) of
        <<$], After/binary>> -> {[], After};
        Inside -> items(Inside, Size, How, [])
    end;
value(<<${, Rest/binary>>, Size, How) ->
    case blanks(Rest) of
        <<$}, After/binary>> -> {object([], How), After};
        Inside -> members(Inside, Size, How, [])
    end;
value(<<C, _/binary>> = Rest, _, _) when C =:= $-; C >= $0, C =< $9 -> number(Rest);
value(<<>>, _, _) -> bad(truncated_json, <<>>);
value(Rest, _, _) -> bad(invalid_json, Rest).

items(Data, Size, How, Found) ->
    {Value, Rest} = value(Data, Size, How),
    case blanks(Rest) of
        <<$,, Next/binary>> -> items(blanks(Next), Size, How, [Value | Found]);
        <<$], After/binary>> -> {lists:reverse(Found, [Value]), After};
        <<>> -> bad(truncated_json, <<>>);
        Other -> bad(invalid_json, Other)
    end.

members(<<$", Data/binary>>, Size, How, Found) ->
    {Key, Rest} = text(Data, Data, 0, <<>>),
    Value = case blanks(Rest) of
                <<$:, Next/binary>> -> value(blanks(Next), Size, How);
                <<>> -> bad(truncated_json, <<>>);
                Odd -> bad(invalid_json, Odd)
            end,
    {Term, Behind} = Value,
    case blanks(Behind) of
        <<$,, More/binary>> -> members(blanks(More), Size, How, [{Key, Term} | Found]);
        <<$}, After/binary>> -> {object([{Key, Term} | Found], How), After};
        <<>> -> bad(truncated_json, <<>>);
        Other -> bad(invalid_json, Other)
    end;
members(<<>>, _, _, _) -> bad(truncated_json, <<>>);
members(Other, _, _, _) -> bad(invalid_json, Other).

%% The last of several equal keys counts; members come in reverse.
object(Members, #how{maps = true}) -> maps:from_list(lists:reverse(Members));
object(Members, #how{dedupe = true}) ->
    {Kept, _} = lists:foldl(fun({Key, Value}, {List, Seen}) ->
                                    case Seen of
                                        #{Key := _} -> {List, Seen};
                                        #{} -> {[{Key, Value} | List], Seen#{Key => true}}
                                    end
                            end, {[], #{}}, Members),
    {Kept};
object(Members, _) -> {lists:reverse(Members)}.

%% Bytes that need nothing are counted and taken at once.
text(Data, From, Count, Made) ->
    case Data of
        <<$", Rest/binary>> -> {<<Made/binary, (binary:copy(binary:part(From, 0, Count)))/binary>>, Rest};
        <<$\\, Rest/binary>> ->
            {Char, After} = escaped(Rest),
            text(After, After, 0, <<Made/binary, (binary:part(From, 0, Count))/binary, Char/utf8>>);
        <<C, Rest/binary>> when C >= 32, C < 128 -> text(Rest, From, Count + 1, Made);
        <<C/utf8, Rest/binary>> when C >= 128 -> text(Rest, From, Count + byte_size(Data) - byte_size(Rest), Made);
        _ -> bad(invalid_string, Data)
    end.

escaped(<<$", Rest/binary>>) -> {$", Rest};
escaped(<<$\\, Rest/binary>>) -> {$\\, Rest};
escaped(<<$/, Rest/binary>>) -> {$/, Rest};
escaped(<<$b, Rest/binary>>) -> {$\b, Rest};
escaped(<<$f, Rest/binary>>) -> {$\f, Rest};
escaped(<<$n, Rest/binary>>) -> {$\n, Rest};
escaped(<<$r, Rest/binary>>) -> {$\r, Rest};
escaped(<<$t, Rest/binary>>) -> {$\t, Rest};
escaped(<<$u, Hex:4/binary, Rest/binary>>) ->
    case hex(Hex, Rest) of
        High when High >= 16#D800, High < 16#DC00 ->
            case Rest of
                <<"\\u", Second:4/binary, After/binary>> ->
                    case hex(Second, After) of
                        Low when Low >= 16#DC00, Low < 16#E000 ->
                            {16#10000 + ((High band 16#3FF) bsl 10) + (Low band 16#3FF), After};
                        _ -> bad(invalid_string, Rest)
                    end;
                <<_, _, Odd/binary>> -> bad(invalid_string, Odd);
                _ -> bad(invalid_string, Rest)
            end;
        Low when Low >= 16#DC00, Low < 16#E000 -> bad(invalid_string, Rest);
        Char -> {Char, Rest}
    end;
escaped(<<>>) -> throw({bad, invalid_string, 1});
escaped(<<$u, Rest/binary>>) -> bad(invalid_string, Rest);
escaped(Rest) -> bad(invalid_string, Rest).

hex(Digits, Rest) ->
    case lists:all(fun(C) -> C >= $0 andalso C =< $9 orelse C >= $a andalso C =< $f orelse C >= $A andalso C =< $F end,
                   binary_to_list(Digits)) of
        true -> binary_to_integer(Digits, 16);
        false -> throw({bad, invalid_string, byte_size(Rest) + byte_size(Digits)})
    end.

number(Data) ->
    {Sign, Digits} = case Data of
                         <<$-, Rest/binary>> -> {-1, Rest};
                         _ -> {1, Data}
                     end,
    {Whole, AfterWhole} = case Digits of
                              <<$0, Behind/binary>> -> {<<"0">>, Behind};
                              _ -> digits(Digits)
                          end,
    {Fraction, AfterFraction} = case AfterWhole of
                                    <<$., More/binary>> -> digits(More);
                                    _ -> {none, AfterWhole}
                                end,
    case exponent(AfterFraction) of
        {none, End} when Fraction =:= none -> {Sign * binary_to_integer(Whole), End};
        {Exponent, End} -> {Sign * real(Whole, Fraction, Exponent), End}
    end.

digits(Data) -> digits(Data, Data, 0).

digits(<<C, Rest/binary>>, From, Count) when C >= $0, C =< $9 -> digits(Rest, From, Count + 1);
digits(Rest, _, 0) -> bad(invalid_number, Rest);
digits(Rest, From, Count) -> {binary:part(From, 0, Count), Rest}.

exponent(<<E, Sign, Rest/binary>>) when (E =:= $e orelse E =:= $E) andalso (Sign =:= $- orelse Sign =:= $+) ->
    {Digits, After} = digits(Rest),
    {<<Sign, Digits/binary>>, After};
exponent(<<E, Rest/binary>>) when E =:= $e; E =:= $E -> digits(Rest);
exponent(Rest) -> {none, Rest}.

real(Whole, Fraction, Exponent) ->
    Given = case Exponent of
                none -> Fraction;
                _ when Fraction =:= none -> binary_to_integer(Exponent);
                _ -> iolist_to_binary([Whole, $., Fraction, $e, Exponent])
            end,
    Text = [Whole, $., case Fraction of none -> "0"; _ -> Fraction end,
            case Exponent of none -> ""; _ -> [$e, Exponent] end],
    Binary = iolist_to_binary(Text),
    try binary_to_float(Binary)
    catch error:badarg -> throw({range, Given})
    end.

encode(Data) -> encode(Data, []).

encode(Data, Options) ->
    Pretty = lists:member(pretty, Options),
    Style = #{unicode => lists:member(uescape, Options), nil => lists:member(use_nil, Options),
              slash => lists:member(escape_forward_slashes, Options), pretty => Pretty},
    try iolist_to_binary(written(Data, Style, 0))
    catch
        throw:{bad, Reason, _} when Reason =:= invalid_string orelse Reason =:= invalid_object_member_key ->
            case lists:member(force_utf8, Options) of
                true -> encode(fixed(Data), Options -- [force_utf8]);
                false -> erlang:error(reason(Data, Style))
            end;
        throw:{bad, Reason, What} -> error({Reason, What})
    end.

reason(Data, Style) ->
    try written(Data, Style, 0)
    catch throw:{bad, Reason, What} -> {Reason, What}
    end.

not_encoded(Reason, What) -> throw({bad, Reason, What}).

written(true, _, _) -> <<"true">>;
written(false, _, _) -> <<"false">>;
written(null, _, _) -> <<"null">>;
written(nil, #{nil := true}, _) -> <<"null">>;
written(Value, Style, _) when is_atom(Value) -> quoted(atom_to_binary(Value, utf8), Style, invalid_string, Value);
written(Value, Style, _) when is_binary(Value) -> quoted(Value, Style, invalid_string, Value);
written(Value, _, _) when is_integer(Value) -> integer_to_binary(Value);
written(Value, _, _) when is_float(Value) -> real_text(Value);
written({Members}, Style, Depth) when is_list(Members) -> between(${, $}, pairs(Members, Style, Depth + 1), Style, Depth);
written({Other}, _, _) -> not_encoded(invalid_object, {Other});
written(Map, Style, Depth) when is_map(Map) ->
    between(${, $}, pairs(maps:to_list(Map), Style, Depth + 1), Style, Depth);
written(List, Style, Depth) when is_list(List) -> between($[, $], all(List, Style, Depth + 1), Style, Depth);
written(Other, _, _) -> not_encoded(invalid_ejson, Other).

all([], _, _) -> [];
all([Value | Rest], Style, Depth) -> [written(Value, Style, Depth) | all(Rest, Style, Depth)];
%% The tail of an improper list is not looked at.
all(_, _, _) -> [].

pairs([], _, _) -> [];
pairs([{Key, Value} | Rest], Style, Depth) ->
    Name = if
               is_atom(Key) -> atom_to_binary(Key, utf8);
               is_binary(Key) -> Key;
               true -> not_encoded(invalid_object_member_key, Key)
           end,
    Colon = case Style of #{pretty := true} -> " : "; #{} -> ":" end,
    Text = quoted(Name, Style, invalid_object_member_key, Key),
    [[Text, Colon, written(Value, Style, Depth)] | pairs(Rest, Style, Depth)];
pairs([Other | _], _, _) when is_tuple(Other) -> not_encoded(invalid_object_member_arity, Other);
pairs([Other | _], _, _) -> not_encoded(invalid_object_member, Other);
pairs(Other, _, _) -> not_encoded(invalid_object, Other).

between(Open, Close, [], #{pretty := false}, _) -> [Open, Close];
between(Open, Close, Parts, #{pretty := true}, Depth) ->
    Inner = [$\n | lists:duplicate(2 * (Depth + 1), $\s)],
    [Open, Inner, lists:join([$,, Inner], Parts), $\n, lists:duplicate(2 * Depth, $\s), Close];
between(Open, Close, Parts, _, _) -> [Open, lists:join($,, Parts), Close].

quoted(Text, Style, Reason, What) -> [$", chars(Text, Style, Reason, What), $"].

chars(<<>>, _, _, _) -> [];
chars(<<C/utf8, Rest/binary>>, Style, Reason, What) -> [char(C, Style) | chars(Rest, Style, Reason, What)];
chars(_, _, Reason, What) -> not_encoded(Reason, What).

char($", _) -> <<"\\\"">>;
char($\\, _) -> <<"\\\\">>;
char($/, #{slash := true}) -> <<"\\/">>;
char($\b, _) -> <<"\\b">>;
char($\f, _) -> <<"\\f">>;
char($\n, _) -> <<"\\n">>;
char($\r, _) -> <<"\\r">>;
char($\t, _) -> <<"\\t">>;
char(C, _) when C < 32 -> unit(C);
char(C, #{unicode := true}) when C >= 16#10000 ->
    [unit(16#D800 + ((C - 16#10000) bsr 10)), unit(16#DC00 + ((C - 16#10000) band 16#3FF))];
char(C, #{unicode := true}) when C >= 128 -> unit(C);
char(C, _) -> <<C/utf8>>.

unit(C) -> [<<"\\u">>, digit(C bsr 12), digit((C bsr 8) band 15), digit((C bsr 4) band 15), digit(C band 15)].

digit(D) when D < 10 -> $0 + D;
digit(D) -> $A + D - 10.

%% The shortest digits that stand for the number; with an exponent from 1e21 on and below 1e-6.
real_text(Value) when Value == 0 -> "0.0";
real_text(Value) ->
    {Sign, Text} = case float_to_list(Value, [short]) of
                       [$- | Rest] -> {"-", Rest};
                       Rest -> {"", Rest}
                   end,
    {Mantissa, Shift} = case string:split(Text, "e") of
                            [M, E] -> {M, list_to_integer(E)};
                            [M] -> {M, 0}
                        end,
    [Whole, Fraction] = string:split(Mantissa, "."),
    Padded = Whole ++ Fraction,
    Leading = length(lists:takewhile(fun(C) -> C =:= $0 end, Padded)),
    Digits = case string:trim(lists:nthtail(Leading, Padded), trailing, "0") of
                 "" -> "0";
                 Some -> Some
             end,
    %% Where the point stands, seen from the first digit.
    Point = case Digits of
                "0" -> 1;
                _ -> length(Whole) + Shift - Leading
            end,
    [Sign, placed(Digits, Point)].

placed(Digits, Point) when Point > 21; Point < -5 ->
    [First | Rest] = Digits,
    Sign = if Point > 0 -> "+"; true -> "-" end,
    [First, case Rest of "" -> ""; _ -> [$., Rest] end, $e, Sign, integer_to_list(abs(Point - 1))];
placed(Digits, Point) when Point =< 0 -> ["0.", lists:duplicate(-Point, $0), Digits];
placed(Digits, Point) when Point >= length(Digits) -> [Digits, lists:duplicate(Point - length(Digits), $0), ".0"];
placed(Digits, Point) ->
    {Whole, Fraction} = lists:split(Point, Digits),
    [Whole, $., Fraction].

%% By the library's own module, where the program has it.
fixed(Data) ->
    case code:ensure_loaded(jiffy_utf8) of
        {module, Module} -> Module:fix(Data);
        {error, _} -> mended(Data)
    end.

%% What is no UTF-8 in texts becomes the character that stands for such.
mended(Text) when is_binary(Text) -> mended_text(Text, <<>>);
mended({Members}) when is_list(Members) -> {[{mended(Key), mended(Value)} || {Key, Value} <- Members]};
mended(List) when is_list(List) -> [mended(Value) || Value <- List];
mended(Map) when is_map(Map) -> maps:from_list([{mended(Key), mended(Value)} || {Key, Value} <- maps:to_list(Map)]);
mended(Other) -> Other.

mended_text(<<C/utf8, Rest/binary>>, Made) -> mended_text(Rest, <<Made/binary, C/utf8>>);
%% Surrogates that were written as characters of their own.
mended_text(<<2#11101101, 2#1010:4, High:4, 2#10:2, More:6, 2#11101101, 2#1011:4, Low:4, 2#10:2, Least:6, Rest/binary>>,
            Made) ->
    Char = 16#10000 + (((High bsl 6) bor More) bsl 10) + ((Low bsl 6) bor Least),
    mended_text(Rest, <<Made/binary, Char/utf8>>);
mended_text(<<>>, Made) -> Made;
mended_text(<<First, Rest/binary>>, Made) -> mended_text(behind(Rest, following(First)), <<Made/binary, 16#FFFD/utf8>>).

%% How many bytes a first byte announces.
following(C) when C >= 16#C0, C < 16#E0 -> 1;
following(C) when C >= 16#E0, C < 16#F0 -> 2;
following(C) when C >= 16#F0, C < 16#F8 -> 3;
following(C) when C >= 16#F8, C < 16#FC -> 4;
following(C) when C >= 16#FC, C < 16#FE -> 5;
following(_) -> 0.

behind(<<2#10:2, _:6, Rest/binary>>, Count) when Count > 0 -> behind(Rest, Count - 1);
behind(Rest, _) -> Rest.
