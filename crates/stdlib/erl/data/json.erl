%% json: JSON (RFC 8259), with the interface of OTP 27 (EEP 68).
%%
%% The decoder is a machine with an explicit stack, so that it can stop at the end of a piece of text and go
%% on with the next one. It works on the rest of the text and counts the bytes passed for error messages. A
%% number, string or word that is cut off is read again from its beginning. For the elements of arrays and
%% objects it calls the functions of the decoder; of equal keys the first one counts.
-module(json).

-export([decode/1, decode/3, decode_continue/2, decode_start/3]).
-export([encode/1, encode/2, encode_atom/2, encode_binary/1, encode_binary_escape_all/1, encode_float/1,
         encode_integer/1, encode_key_value_list/2, encode_key_value_list_checked/2, encode_list/2,
         encode_map/2, encode_map_checked/2, encode_value/2]).
-export([format/1, format/2, format/3, format_key_value_list/3, format_key_value_list_checked/3,
         format_value/3]).

-export_type([continuation_state/0, decode_value/0, decoders/0, encode_map/1, encode_value/0,
              encoder/0, formatter/0]).

-type encoder() :: fun((term(), encoder()) -> iodata()).
-type formatter() :: fun((term(), formatter(), State :: map()) -> iodata()).
-type encode_value() :: integer() | float() | boolean() | null | binary() | atom() | [encode_value()]
                      | encode_map(encode_value()).
-type encode_map(Value) :: #{binary() | atom() | integer() => Value}.
-type decode_value() :: integer() | float() | boolean() | null | binary() | [decode_value()]
                      | #{binary() => decode_value()}.
-type decoders() :: #{array_start => fun((term()) -> term()),
                      array_push => fun((term(), term()) -> term()),
                      array_finish => fun((term(), term()) -> {term(), term()}),
                      object_start => fun((term()) -> term()),
                      object_push => fun((term(), term(), term()) -> term()),
                      object_finish => fun((term(), term()) -> {term(), term()}),
                      float => fun((binary()) -> term()),
                      integer => fun((binary()) -> term()),
                      string => fun((binary()) -> term()),
                      null => term()}.
-opaque continuation_state() :: tuple().

-define(IS_SPACE(B), B =:= $\s; B =:= $\n; B =:= $\r; B =:= $\t).
-define(IS_DIGIT(B), B >= $0, B =< $9).

%% ---- encoding ----

-spec encode(encode_value()) -> iodata().
encode(Term) -> encode(Term, fun encode_value/2).

-spec encode(term(), encoder()) -> iodata().
encode(Term, Encoder) when is_function(Encoder, 2) -> Encoder(Term, Encoder).

-spec encode_value(term(), encoder()) -> iodata().
encode_value(Term, Encoder) when is_atom(Term) -> encode_atom(Term, Encoder);
encode_value(Term, _Encoder) when is_binary(Term) -> encode_binary(Term);
encode_value(Term, _Encoder) when is_integer(Term) -> encode_integer(Term);
encode_value(Term, _Encoder) when is_float(Term) -> encode_float(Term);
encode_value(Term, Encoder) when is_list(Term) -> encode_list(Term, Encoder);
encode_value(Term, Encoder) when is_map(Term) -> encode_map(Term, Encoder);
encode_value(Term, _Encoder) -> erlang:error({unsupported_type, Term}).

-spec encode_atom(atom(), encoder()) -> iodata().
encode_atom(Atom, _Encoder) when Atom =:= null; Atom =:= true; Atom =:= false ->
    atom_to_binary(Atom, utf8);
encode_atom(Atom, Encoder) -> Encoder(atom_to_binary(Atom, utf8), Encoder).

-spec encode_integer(integer()) -> iodata().
encode_integer(Integer) -> integer_to_binary(Integer).

-spec encode_float(float()) -> iodata().
encode_float(Float) -> float_to_binary(Float, [short]).

-spec encode_list([term()], encoder()) -> iodata().
encode_list([], _Encoder) -> <<"[]">>;
encode_list([First | Rest], Encoder) when is_function(Encoder, 2) ->
    [$[, Encoder(First, Encoder) | encode_rest(Rest, Encoder)].

encode_rest([Elem | Rest], Encoder) -> [$,, Encoder(Elem, Encoder) | encode_rest(Rest, Encoder)];
encode_rest([], _Encoder) -> "]".

-spec encode_map(encode_map(term()), encoder()) -> iodata().
encode_map(Map, Encoder) when is_map(Map), is_function(Encoder, 2) ->
    encode_key_value_list(pairs(Map), Encoder).

-spec encode_map_checked(map(), encoder()) -> iodata().
encode_map_checked(Map, Encoder) -> encode_key_value_list_checked(pairs(Map), Encoder).

%% In the order of iteration.
pairs(Map) -> lists:reverse(maps:fold(fun(Key, Value, Acc) -> [{Key, Value} | Acc] end, [], Map)).

-spec encode_key_value_list([{term(), term()}], encoder()) -> iodata().
encode_key_value_list(Pairs, Encoder) when is_function(Encoder, 2) ->
    object([[encode_key(Key, Encoder), $: | Encoder(Value, Encoder)] || {Key, Value} <- Pairs]).

object([]) -> <<"{}">>;
object(Members) -> [${, lists:join($,, Members), $}].

%% With an error for keys that come out equal.
-spec encode_key_value_list_checked([{term(), term()}], encoder()) -> iodata().
encode_key_value_list_checked(Pairs, Encoder) when is_function(Encoder, 2) ->
    object([[EncodedKey, $: | Encoder(Value, Encoder)]
            || {EncodedKey, Value} <- unique_keys(Pairs, Encoder, #{})]).

unique_keys([{Key, Value} | Pairs], Encoder, Seen) ->
    EncodedKey = iolist_to_binary(encode_key(Key, Encoder)),
    case is_map_key(EncodedKey, Seen) of
        true -> erlang:error({duplicate_key, Key});
        false -> [{EncodedKey, Value} | unique_keys(Pairs, Encoder, Seen#{EncodedKey => []})]
    end;
unique_keys([], _Encoder, _Seen) -> [].

%% Numbers are put in quotes.
encode_key(Key, Encoder) when is_binary(Key) -> Encoder(Key, Encoder);
encode_key(Key, Encoder) when is_atom(Key) -> Encoder(atom_to_binary(Key, utf8), Encoder);
encode_key(Key, _Encoder) when is_integer(Key) -> [$", encode_integer(Key), $"];
encode_key(Key, _Encoder) when is_float(Key) -> [$", encode_float(Key), $"].

-spec encode_binary(binary()) -> iodata().
encode_binary(Binary) when is_binary(Binary) -> quoted(Binary, fun(_, Bytes) -> Bytes end).

%% Only ASCII characters.
-spec encode_binary_escape_all(binary()) -> iodata().
encode_binary_escape_all(Binary) when is_binary(Binary) ->
    quoted(Binary, fun(Char, _) -> escape_utf16(<<Char/utf16>>) end).

escape_utf16(Units) -> [["\\u", hex4(Unit)] || <<Unit:16>> <= Units].

hex4(N) -> lists:nthtail(1, integer_to_list(16#10000 + N, 16)).

%% NonAscii(Char, Bytes) is what to write for a character that is not ASCII.
quoted(Binary, NonAscii) -> [$", quoted(Binary, 0, 0, Binary, NonAscii)].

%% Plain characters are copied in one piece: those from From on, Len bytes.
quoted(Rest, From, Len, Binary, NonAscii) ->
    case Rest of
        <<B, More/binary>> when B >= 32, B < 128, B =/= $", B =/= $\\ ->
            quoted(More, From, Len + 1, Binary, NonAscii);
        <<B, More/binary>> when B < 128 ->
            [part(Binary, From, Len), escape(B) | quoted(More, From + Len + 1, 0, Binary, NonAscii)];
        <<Char/utf8, More/binary>> ->
            Bytes = <<Char/utf8>>,
            case NonAscii(Char, Bytes) of
                Bytes -> quoted(More, From, Len + byte_size(Bytes), Binary, NonAscii);
                Escaped ->
                    [part(Binary, From, Len), Escaped
                     | quoted(More, From + Len + byte_size(Bytes), 0, Binary, NonAscii)]
            end;
        <<>> -> [part(Binary, From, Len), $"];
        _ -> bad_utf8(Rest, From + Len)
    end.

part(_Binary, _From, 0) -> [];
part(Binary, From, Len) -> binary:part(Binary, From, Len).

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape($\b) -> "\\b";
escape($\f) -> "\\f";
escape($\n) -> "\\n";
escape($\r) -> "\\r";
escape($\t) -> "\\t";
escape(Byte) -> ["\\u", hex4(Byte)].

%% The first byte that cannot belong to a character.
bad_utf8(Rest, Pos) ->
    case unicode:characters_to_list(Rest) of
        {incomplete, _, _} -> erlang:error(unexpected_end);
        {error, [], _} -> invalid_byte(Rest, good_prefix(Rest), Pos)
    end.

%% How many bytes are the beginning of a character.
good_prefix(Rest) -> good_prefix(Rest, 1).

good_prefix(Rest, Size) when Size < byte_size(Rest) ->
    case unicode:characters_to_list(binary:part(Rest, 0, Size)) of
        {incomplete, _, _} -> good_prefix(Rest, Size + 1);
        _ -> Size - 1
    end;
good_prefix(_Rest, Size) -> Size - 1.

invalid_byte(Binary, Offset, Pos) ->
    erlang:error({invalid_byte, binary:at(Binary, Offset)}, none,
                 [{error_info, #{cause => #{position => Pos + Offset}}}]).

%% ---- formatting ----

-spec format(encode_value()) -> iodata().
format(Term) -> format(Term, fun format_value/3, #{}).

-spec format(encode_value(), map()) -> iodata();
            (term(), formatter()) -> iodata().
format(Term, Options) when is_map(Options) -> format(Term, fun format_value/3, Options);
format(Term, Formatter) when is_function(Formatter, 3) -> format(Term, Formatter, #{}).

%% Options: `indent`, the spaces of a level; `max`, the column at which lists of short elements are broken.
-spec format(term(), formatter(), map()) -> iodata().
format(Term, Formatter, Options) when is_function(Formatter, 3) ->
    State = maps:merge(#{level => 0, col => 0, indent => 2, max => 100}, Options),
    [Formatter(Term, Formatter, State), $\n].

-spec format_value(term(), formatter(), map()) -> iodata().
format_value(Term, Formatter, State) when is_atom(Term) ->
    encode_atom(Term, fun(Value, _) -> Formatter(Value, Formatter, State) end);
format_value(Term, Formatter, State) when is_list(Term) -> format_list(Term, Formatter, State);
format_value(Term, Formatter, State) when is_map(Term) ->
    format_key_value_list(lists:sort(fun key_at_most/2, maps:to_list(Term)), Formatter, State);
format_value(Term, _Formatter, _State) -> encode_value(Term, fun encode_value/2).

key_at_most({A, _}, {B, _}) when A == B -> is_integer(A) orelse A =:= B;
key_at_most({A, _}, {B, _}) -> A =< B.

%% Elements that are strings, lists or objects get lines of their own; others share lines.
format_list([], _Formatter, _State) -> <<"[]">>;
format_list([First | Rest], Formatter, #{level := Level, col := Col, max := Max} = State) ->
    Inner = State#{level := Level + 1},
    Line = new_line(Inner),
    if
        is_list(First); is_map(First); is_binary(First); Col > Max ->
            Own = Inner#{col := indentation(Inner)},
            Lines = [[Line, Formatter(Elem, Formatter, Own)] || Elem <- [First | Rest]],
            [$[, lists:join($,, Lines), new_line(State), $]];
        true ->
            Text = Formatter(First, Formatter, Inner),
            Next = Inner#{col := Col + 1 + iolist_size(Text)},
            [$[, Text, format_row(Rest, Formatter, Next, Line), $]]
    end.

format_row([Elem | Rest], Formatter, #{col := Col, max := Max} = State, Line) ->
    Text = Formatter(Elem, Formatter, State),
    {Separator, NewCol} = if
                              Col < Max -> {$,, Col + 1 + iolist_size(Text)};
                              true -> {[$,, Line], iolist_size(Line) + iolist_size(Text) - 1}
                          end,
    [Separator, Text | format_row(Rest, Formatter, State#{col := NewCol}, Line)];
format_row([], _Formatter, _State, _Line) -> [].

-spec format_key_value_list([{term(), term()}], formatter(), map()) -> iodata().
format_key_value_list(Pairs, Formatter, State) ->
    Inner = maps:update_with(level, fun(Level) -> Level + 1 end, State),
    Key = key_formatter(Formatter, Inner),
    format_members([{encode_key(K, Key), Value} || {K, Value} <- Pairs], Formatter, State, Inner).

-spec format_key_value_list_checked([{term(), term()}], formatter(), map()) -> iodata().
format_key_value_list_checked(Pairs, Formatter, State) ->
    Inner = maps:update_with(level, fun(Level) -> Level + 1 end, State),
    Keyed = unique_keys(Pairs, key_formatter(Formatter, Inner), #{}),
    format_members(Keyed, Formatter, State, Inner).

key_formatter(Formatter, State) -> fun(Key, _) -> Formatter(Key, Formatter, State) end.

format_members([], _Formatter, _State, _Inner) -> <<"{}">>;
format_members(Members, Formatter, State, Inner) ->
    Line = new_line(Inner),
    Texts = [begin
                 Col = indentation(Inner) + 2 + iolist_size(Key),
                 {Key, Formatter(Value, Formatter, Inner#{col := Col})}
             end || {Key, Value} <- Members],
    case Texts of
        [{Key, Text}] ->
            %% One member with a simple value fits on the line.
            case first_char(Text) of
                C when C =:= ${; C =:= $[ -> ["{", Line, Key, ": ", Text, new_line(State), "}"];
                _ -> ["{ ", Key, ": ", Text, " }"]
            end;
        _ ->
            Lines = [[Line, Key, ": ", Text] || {Key, Text} <- Texts],
            ["{", lists:join($,, Lines), new_line(State), "}"]
    end.

first_char(Text) ->
    {_, Rest} = string:take(Text, [$\s, $\n]),
    [Char | _] = string:next_codepoint(Rest),
    Char.

indentation(#{level := Level, indent := Indent}) -> Level * Indent.

new_line(State) -> [$\n | lists:duplicate(indentation(State), $\s)].

%% ---- decoding ----

-spec decode(binary()) -> decode_value().
decode(Binary) when is_binary(Binary) ->
    case decode(Binary, ok, #{}) of
        {Result, _, <<>>} -> Result;
        {_, _, Rest} -> invalid_byte(Rest, 0, byte_size(Binary) - byte_size(Rest))
    end.

-spec decode(binary(), term(), decoders()) -> {term(), term(), binary()}.
decode(Binary, Acc, Decoders) when is_binary(Binary) ->
    case decode_start(Binary, Acc, Decoders) of
        {continue, State} -> decode_continue(end_of_input, State);
        Result -> Result
    end.

-spec decode_start(binary(), term(), decoders()) ->
          {term(), term(), binary()} | {continue, continuation_state()}.
decode_start(Binary, Acc, Decoders) when is_binary(Binary), is_map(Decoders) ->
    maps:foreach(fun check_decoder/2, Decoders),
    run(value, Binary, 0, Acc, [], maps:merge(default_decoders(), Decoders)).

check_decoder(null, _) -> ok;
check_decoder(object_push, Fun) when is_function(Fun, 3) -> ok;
check_decoder(Key, Fun)
  when is_function(Fun, 2),
       (Key =:= array_push orelse Key =:= array_finish orelse Key =:= object_finish) -> ok;
check_decoder(Key, Fun)
  when is_function(Fun, 1),
       (Key =:= array_start orelse Key =:= object_start orelse Key =:= float orelse Key =:= integer
        orelse Key =:= string) -> ok.

default_decoders() ->
    #{array_start => fun(_) -> [] end,
      array_push => fun(Elem, Acc) -> [Elem | Acc] end,
      array_finish => fun(Acc, OldAcc) -> {lists:reverse(Acc), OldAcc} end,
      object_start => fun(_) -> [] end,
      object_push => fun(Key, Value, Acc) -> [{Key, Value} | Acc] end,
      object_finish => fun(Acc, OldAcc) -> {maps:from_list(Acc), OldAcc} end,
      float => fun erlang:binary_to_float/1,
      integer => fun erlang:binary_to_integer/1,
      string => fun(String) -> String end,
      null => null}.

-spec decode_continue(binary() | end_of_input, continuation_state()) ->
          {term(), term(), binary()} | {continue, continuation_state()}.
decode_continue(end_of_input, {{number, Value}, _, _, Acc, [], _}) -> {Value(), Acc, <<>>};
decode_continue(end_of_input, {_, _, _, _, _, _}) -> erlang:error(unexpected_end);
decode_continue(More, {State, Rest, Pos, Acc, Stack, D}) when is_binary(More) ->
    NextState = case State of
                    {number, _} -> value;
                    _ -> State
                end,
    run(NextState, <<Rest/binary, More/binary>>, Pos, Acc, Stack, D).

%% What comes next is said by the state: `value`, `first_element` or `next_element` of an array, `first_key`,
%% `key`, `{colon, Key}` or `next_key` of an object. The stack has a frame for each array or object that is open:
%% `{array, OuterAcc}`, `{object, OuterAcc}`, and `{member, Key}` above it while a value is read.
run(State, <<B, Rest/binary>>, Pos, Acc, Stack, D) when ?IS_SPACE(B) ->
    run(State, Rest, Pos + 1, Acc, Stack, D);
run(State, <<>>, Pos, Acc, Stack, D) -> stop(State, <<>>, Pos, Acc, Stack, D);
run(value, Text, Pos, Acc, Stack, D) -> value(Text, Pos, Acc, Stack, D);
run(first_element, <<$], Rest/binary>>, Pos, Acc, Stack, D) ->
    finish(array_finish, Rest, Pos + 1, Acc, Stack, D);
run(first_element, Text, Pos, Acc, Stack, D) -> value(Text, Pos, Acc, Stack, D);
run(next_element, <<$,, Rest/binary>>, Pos, Acc, Stack, D) -> run(value, Rest, Pos + 1, Acc, Stack, D);
run(next_element, <<$], Rest/binary>>, Pos, Acc, Stack, D) ->
    finish(array_finish, Rest, Pos + 1, Acc, Stack, D);
run(first_key, <<$}, Rest/binary>>, Pos, Acc, Stack, D) ->
    finish(object_finish, Rest, Pos + 1, Acc, Stack, D);
run(State, <<$", Rest/binary>>, Pos, Acc, Stack, D) when State =:= first_key; State =:= key ->
    case string(Rest, Pos + 1) of
        {String, After, Len} ->
            run({colon, (maps:get(string, D))(String)}, After, Pos + 1 + Len, Acc, Stack, D);
        incomplete -> stop(State, <<$", Rest/binary>>, Pos, Acc, Stack, D)
    end;
run({colon, Key}, <<$:, Rest/binary>>, Pos, Acc, Stack, D) ->
    run(value, Rest, Pos + 1, Acc, [{member, Key} | Stack], D);
run(next_key, <<$,, Rest/binary>>, Pos, Acc, Stack, D) -> run(key, Rest, Pos + 1, Acc, Stack, D);
run(next_key, <<$}, Rest/binary>>, Pos, Acc, Stack, D) ->
    finish(object_finish, Rest, Pos + 1, Acc, Stack, D);
run(_State, Text, Pos, _Acc, _Stack, _D) -> invalid_byte(Text, 0, Pos).

stop(State, Rest, Pos, Acc, Stack, D) -> {continue, {State, Rest, Pos, Acc, Stack, D}}.

value(<<$", Rest/binary>> = Text, Pos, Acc, Stack, D) ->
    case string(Rest, Pos + 1) of
        {String, After, Len} -> done((maps:get(string, D))(String), After, Pos + 1 + Len, Acc, Stack, D);
        incomplete -> stop(value, Text, Pos, Acc, Stack, D)
    end;
value(<<$[, Rest/binary>>, Pos, Acc, Stack, D) ->
    run(first_element, Rest, Pos + 1, (maps:get(array_start, D))(Acc), [{array, Acc} | Stack], D);
value(<<${, Rest/binary>>, Pos, Acc, Stack, D) ->
    run(first_key, Rest, Pos + 1, (maps:get(object_start, D))(Acc), [{object, Acc} | Stack], D);
value(<<"true", Rest/binary>>, Pos, Acc, Stack, D) -> done(true, Rest, Pos + 4, Acc, Stack, D);
value(<<"false", Rest/binary>>, Pos, Acc, Stack, D) -> done(false, Rest, Pos + 5, Acc, Stack, D);
value(<<"null", Rest/binary>>, Pos, Acc, Stack, D) ->
    done(maps:get(null, D), Rest, Pos + 4, Acc, Stack, D);
value(<<B, _/binary>> = Text, Pos, Acc, Stack, D) when B =:= $-; ?IS_DIGIT(B) ->
    number(Text, Pos, Acc, Stack, D);
value(Text, Pos, Acc, Stack, D) ->
    Good = lists:max([binary:longest_common_prefix([Text, Word])
                      || Word <- [<<"true">>, <<"false">>, <<"null">>]]),
    case byte_size(Text) of
        Good -> stop(value, Text, Pos, Acc, Stack, D);
        _ -> invalid_byte(Text, Good, Pos)
    end.

%% A value is complete.
done(Value, Rest, Pos, Acc, [], D) -> end_of_text(Value, Rest, Pos, Acc, D);
done(Value, Rest, Pos, Acc, [{array, _} | _] = Stack, D) ->
    run(next_element, Rest, Pos, (maps:get(array_push, D))(Value, Acc), Stack, D);
done(Value, Rest, Pos, Acc, [{member, Key} | Stack], D) ->
    run(next_key, Rest, Pos, (maps:get(object_push, D))(Key, Value, Acc), Stack, D).

end_of_text(Value, <<B, Rest/binary>>, Pos, Acc, D) when ?IS_SPACE(B) ->
    end_of_text(Value, Rest, Pos + 1, Acc, D);
end_of_text(Value, Rest, _Pos, Acc, _D) -> {Value, Acc, Rest}.

finish(Finish, Rest, Pos, Acc, [{_, OuterAcc} | Stack], D) ->
    {Value, NewAcc} = (maps:get(Finish, D))(Acc, OuterAcc),
    done(Value, Rest, Pos, NewAcc, Stack, D).

%% ---- numbers ----

number(Text, Pos, Acc, Stack, D) ->
    {Kind, Len} = number_size(Text),
    case Text of
        <<Token:Len/binary, Rest/binary>> when Kind =:= integer; Kind =:= float; Kind =:= no_point ->
            Value = fun() -> convert(Kind, Token, Pos, D) end,
            case Rest of
                <<>> -> stop({number, Value}, Text, Pos, Acc, Stack, D);
                _ -> done(Value(), Rest, Pos + Len, Acc, Stack, D)
            end;
        <<_:Len/binary>> -> stop(value, Text, Pos, Acc, Stack, D);
        _ -> invalid_byte(Text, Len, Pos)
    end.

%% The sort of a number and its size; `none` if it breaks off after so many bytes.
number_size(<<$-, Rest/binary>>) -> integer_size(Rest, 1);
number_size(Text) -> integer_size(Text, 0).

integer_size(<<$0, Rest/binary>>, Len) -> after_integer(Rest, Len + 1);
integer_size(<<B, Rest/binary>>, Len) when ?IS_DIGIT(B) ->
    Digits = digits(Rest, 1),
    <<_:(Digits - 1)/binary, After/binary>> = Rest,
    after_integer(After, Len + Digits);
integer_size(_, Len) -> {none, Len}.

after_integer(<<$., Rest/binary>>, Len) ->
    case digits(Rest, 0) of
        0 -> {none, Len + 1};
        Digits ->
            <<_:Digits/binary, After/binary>> = Rest,
            exponent(After, Len + 1 + Digits, float, float)
    end;
after_integer(Rest, Len) -> exponent(Rest, Len, integer, no_point).

exponent(<<E, Sign, Rest/binary>>, Len, _Without, With)
  when (E =:= $e orelse E =:= $E), (Sign =:= $+ orelse Sign =:= $-) ->
    exponent_digits(Rest, Len + 2, With);
exponent(<<E, Rest/binary>>, Len, _Without, With) when E =:= $e; E =:= $E ->
    exponent_digits(Rest, Len + 1, With);
exponent(_, Len, Without, _With) -> {Without, Len}.

exponent_digits(Rest, Len, With) ->
    case digits(Rest, 0) of
        0 -> {none, Len};
        Digits -> {With, Len + Digits}
    end.

digits(<<B, Rest/binary>>, N) when ?IS_DIGIT(B) -> digits(Rest, N + 1);
digits(_, N) -> N.

convert(integer, Token, _Pos, D) -> (maps:get(integer, D))(Token);
convert(float, Token, Pos, D) -> convert_float(Token, Token, Pos, D);
convert(no_point, Token, Pos, D) ->
    %% Erlang wants a decimal point.
    [Integer, Exponent] = binary:split(Token, [<<"e">>, <<"E">>]),
    convert_float(<<Integer/binary, ".0e", Exponent/binary>>, Token, Pos, D).

convert_float(Text, Token, Pos, #{float := Float}) ->
    try Float(Text)
    catch error:badarg -> unexpected_sequence(Token, Pos)
    end.

unexpected_sequence(Token, Pos) ->
    erlang:error({unexpected_sequence, Token}, none, [{error_info, #{cause => #{position => Pos}}}]).

%% ---- strings ----

%% `{String, After, Bytes}`, read up to and with the closing quote, or `incomplete`.
string(Text, Pos) -> string(Text, Text, 0, 0, [], Pos).

%% Parts are the pieces read, in reverse; the piece that goes on begins at From and has Len bytes so far.
string(Rest, Text, From, Len, Parts, Pos) ->
    case Rest of
        <<$", After/binary>> ->
            {joined(Parts, Text, From, Len), After, From + Len + 1};
        <<$\\, After/binary>> ->
            case escape_sequence(After, Pos + From + Len) of
                {Char, Rest1, Size} ->
                    NewParts = [Char, part(Text, From, Len) | Parts],
                    string(Rest1, Text, From + Len + Size, 0, NewParts, Pos);
                incomplete -> incomplete
            end;
        <<B, More/binary>> when B >= 32, B < 128 -> string(More, Text, From, Len + 1, Parts, Pos);
        <<B, _/binary>> when B < 32 -> invalid_byte(Rest, 0, Pos + From + Len);
        <<Char/utf8, More/binary>> ->
            string(More, Text, From, Len + byte_size(<<Char/utf8>>), Parts, Pos);
        <<>> -> incomplete;
        _ ->
            case unicode:characters_to_list(Rest) of
                {incomplete, _, _} -> incomplete;
                _ -> bad_utf8(Rest, Pos + From + Len)
            end
    end.

joined([], Text, From, Len) -> binary:part(Text, From, Len);
joined(Parts, Text, From, Len) -> iolist_to_binary(lists:reverse(Parts, [part(Text, From, Len)])).

%% The character, the rest, and the size of the sequence with its backslash.
escape_sequence(<<$u, Rest/binary>>, Pos) -> unicode_escape(Rest, Pos);
escape_sequence(<<C, Rest/binary>>, Pos) ->
    case C of
        $" -> {C, Rest, 2};
        $\\ -> {C, Rest, 2};
        $/ -> {C, Rest, 2};
        $b -> {$\b, Rest, 2};
        $f -> {$\f, Rest, 2};
        $n -> {$\n, Rest, 2};
        $r -> {$\r, Rest, 2};
        $t -> {$\t, Rest, 2};
        _ -> invalid_byte(<<C>>, 0, Pos + 1)
    end;
escape_sequence(<<>>, _Pos) -> incomplete.

%% Characters outside the basic plane are written as two surrogates.
unicode_escape(<<Hex:4/binary, Rest/binary>>, Pos) ->
    case hex(Hex, Pos) of
        High when High >= 16#D800, High < 16#DC00 ->
            case Rest of
                <<"\\u", LowHex:4/binary, Rest1/binary>> ->
                    case hex(LowHex, Pos) of
                        Low when Low >= 16#DC00, Low < 16#E000 ->
                            Char = 16#10000 + ((High band 16#3FF) bsl 10) + (Low band 16#3FF),
                            {<<Char/utf8>>, Rest1, 12};
                        _ -> unexpected_sequence(<<"\\u", Hex/binary, "\\u", LowHex/binary>>, Pos)
                    end;
                _ when byte_size(Rest) < 6 -> incomplete;
                _ -> unexpected_sequence(<<"\\u", Hex/binary>>, Pos)
            end;
        Low when Low >= 16#DC00, Low < 16#E000 -> unexpected_sequence(<<"\\u", Hex/binary>>, Pos);
        Char -> {<<Char/utf8>>, Rest, 6}
    end;
unicode_escape(_, _Pos) -> incomplete.

hex(Digits, Pos) ->
    try binary_to_integer(Digits, 16) of
        N when N >= 0, binary_part(Digits, 0, 1) =/= <<"+">> -> N;
        _ -> unexpected_sequence(<<"\\u", Digits/binary>>, Pos)
    catch
        error:badarg -> unexpected_sequence(<<"\\u", Digits/binary>>, Pos)
    end.
