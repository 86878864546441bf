%% Text of terms and formats, and helpers of those who read text.
%%
%% Formatting itself is native (`erlscope_native:format/3` and its like); where the arguments do not
%% fit it answers `badarg`, and the exception is raised here, with the lines of OTP 25.2.3. Functions
%% that have no body are native too.
-module(io_lib).

-export([fwrite/2, fwrite/3, fread/2, fread/3, format/2, format/3,
         scan_format/2, unscan_format/1, build_text/1, build_text/2,
         print/1, print/4, indentation/2,
         write/1, write/2, write/3, nl/0, format_prompt/1, format_prompt/2, write_binary/3,
         write_atom/1, write_string/1, write_string/2, write_latin1_string/1,
         write_latin1_string/2, write_char/1, write_latin1_char/1,
         write_atom_as_latin1/1, write_string_as_latin1/1, write_string_as_latin1/2,
         write_char_as_latin1/1, quote_atom/2,
         char_list/1, latin1_char_list/1, deep_char_list/1, deep_latin1_char_list/1,
         printable_list/1, printable_latin1_list/1, printable_unicode_list/1,
         collect_chars/3, collect_chars/4, collect_line/3, collect_line/4,
         get_until/3, get_until/4,
         write_unicode_string/1, write_unicode_char/1, deep_unicode_char_list/1,
         limit_term/2, chars_length/1]).

-export_type([chars/0, latin1_string/0, continuation/0, fread_error/0, fread_item/0,
              format_spec/0, chars_limit/0]).

-type chars() :: [char() | chars()].
-type latin1_string() :: [unicode:latin1_char()].
-type chars_limit() :: integer().
-type continuation() :: {Format :: string(), Stack :: chars(), Nchars :: non_neg_integer(),
                         Results :: [term()]}.
-type fread_error() :: atom | based | character | float | format | input | integer | string
                     | unsigned.
-type fread_item() :: string() | atom() | integer() | float().
-type format_spec() :: #{control_char := char(), args := [any()], width := none | integer(),
                         adjust := left | right, precision := none | integer(),
                         pad_char := char(), encoding := unicode | latin1, strings := boolean()}.

%% ---- native functions ----

-spec write(term()) -> chars().
write(_) -> erlang:nif_error(undef).

-spec write_atom(atom()) -> chars().
write_atom(_) -> erlang:nif_error(undef).

-spec write_atom_as_latin1(atom()) -> latin1_string().
write_atom_as_latin1(_) -> erlang:nif_error(undef).

-spec printable_list(term()) -> boolean().
printable_list(_) -> erlang:nif_error(undef).

-spec printable_latin1_list(term()) -> boolean().
printable_latin1_list(_) -> erlang:nif_error(undef).

-spec printable_unicode_list(term()) -> boolean().
printable_unicode_list(_) -> erlang:nif_error(undef).

-spec deep_char_list(term()) -> boolean().
deep_char_list(_) -> erlang:nif_error(undef).

-spec chars_length(chars()) -> non_neg_integer().
chars_length(_) -> erlang:nif_error(undef).

-spec nl() -> string().
nl() -> erlang:nif_error(undef).

%% ---- formats ----

-spec fwrite(io:format(), [term()]) -> chars().
fwrite(Format, Args) -> format(Format, Args).

-spec fwrite(io:format(), [term()], [{chars_limit, chars_limit()}]) -> chars().
fwrite(Format, Args, Options) -> format(Format, Args, Options).

-spec unscan_format([char() | format_spec()]) -> {io:format(), [term()]}.
unscan_format(Items) -> io_lib_format:unscan(Items).

-spec indentation(string(), integer()) -> integer().
indentation(Chars, Start) -> io_lib_format:indentation(Chars, Start).

-spec fread(string(), string()) ->
          {ok, [fread_item()], string()} | {more, string(), non_neg_integer(), chars()}
              | {error, {fread, fread_error()}}.
fread(Format, Chars) -> io_lib_fread:fread(Format, Chars).

-spec fread(continuation() | [], string() | eof, string()) ->
          {more, continuation()} | {done, term(), string()}.
fread(Continuation, Chars, Format) -> io_lib_fread:fread(Continuation, Chars, Format).

%% What a reader is asked with: text as it is, anything else as a term.
-spec format_prompt(term()) -> chars().
format_prompt(Prompt) -> format_prompt(Prompt, latin1).

-spec format_prompt(term(), atom()) -> chars().
format_prompt({format, Format, Args}, _) ->
    prompt(Format, Args);
format_prompt(Prompt, Encoding) ->
    IsText = is_list(Prompt) orelse is_atom(Prompt) orelse is_binary(Prompt),
    prompt(case {IsText, Encoding} of
               {true, latin1} -> "~s";
               {true, _} -> "~ts";
               {false, latin1} -> "~p";
               {false, _} -> "~tp"
           end, [Prompt]).

prompt(Format, Args) ->
    try format(Format, Args) catch error:_ -> "???" end.

%% ---- terms ----

-spec print(term()) -> chars().
print(Term) -> io_lib_pretty:print(Term).

-spec print(term(), non_neg_integer(), non_neg_integer(), integer()) -> chars().
print(Term, Column, LineLength, Depth) ->
    io_lib_pretty:print(Term, Column, LineLength, Depth).

-spec write(term(), integer() | [tuple()]) -> chars().
write(Term, Options) when is_list(Options) ->
    case erlscope_native:write(Term, Options) of
        badarg -> erlang:error(badarith);
        Chars -> Chars
    end;
write(Term, Depth) ->
    write(Term, [{depth, Depth}, {encoding, latin1}]).

-spec write(term(), integer(), boolean()) -> chars().
write(Term, Depth, true) -> io_lib_pretty:print(Term, 1, 80, Depth);
write(Term, Depth, false) -> write(Term, Depth).

%% The text of a bit string within a depth and a number of characters, and the bits left out.
write_binary(Bits, Depth, Limit) ->
    {Texts, Rest} = bytes(Bits, Depth, less(Limit, 4)),
    {[$<, $<, Texts, $>, $>], Rest}.

bytes(<<>>, _, _) ->
    {[], <<>>};
bytes(Bits, Depth, Limit) when Depth =:= 1; Limit =:= 0 ->
    {["..."], Bits};
bytes(<<Byte>>, _, _) ->
    {[integer_to_list(Byte)], <<>>};
bytes(<<Byte, Rest/bits>>, Depth, Limit) ->
    Text = integer_to_list(Byte),
    {Texts, Left} = bytes(Rest, Depth - 1, less(Limit, length(Text) + 1)),
    {[Text, $, | Texts], Left};
bytes(Bits, _, _) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    {[integer_to_list(Value), $:, integer_to_list(Size)], <<>>}.

%% No limit stays no limit, and a limit does not become none.
less(Limit, _) when Limit < 0 -> Limit;
less(Limit, N) -> max(0, Limit - N).

%% A term cut to a depth: '...' stands for what is deeper. Strings and bit strings stay whole.
-spec limit_term(term(), non_neg_integer()) -> term().
limit_term(Term, Depth) ->
    case within(Term, Depth) of
        true -> Term;
        false -> cut(Term, Depth)
    end.

within(_, 0) -> false;
within([_ | _], 1) -> false;
within([Head | Tail] = List, Depth) ->
    io_lib:printable_list(List) orelse (within(Head, Depth - 1) andalso tail_within(Tail, Depth - 1));
within(Tuple, Depth) when is_tuple(Tuple) -> elements_within(tuple_to_list(Tuple), Depth);
within(Map, Depth) when is_map(Map) -> pairs_within(maps:next(maps:iterator(Map)), Depth);
within(_, _) -> true.

tail_within([], _) -> true;
tail_within(_, 1) -> false;
tail_within([Head | Tail], Depth) -> within(Head, Depth - 1) andalso tail_within(Tail, Depth - 1);
tail_within(Other, Depth) -> within(Other, Depth - 1).

elements_within([], _) -> true;
elements_within(_, 1) -> false;
elements_within([First | Rest], Depth) ->
    within(First, Depth - 1) andalso elements_within(Rest, Depth - 1).

pairs_within(none, _) -> true;
pairs_within(_, 0) -> false;
pairs_within({Key, Value, Next}, Depth) ->
    within(Key, Depth - 1) andalso within(Value, Depth - 1)
        andalso pairs_within(maps:next(Next), Depth - 1).

cut(_, 0) -> '...';
cut([_ | _], 1) -> ['...'];
cut([Head | Tail] = List, Depth) ->
    case io_lib:printable_list(List) of
        true -> List;
        false -> [cut(Head, Depth - 1) | cut_tail(Tail, Depth - 1)]
    end;
cut({}, _) -> {};
cut(Tuple, 1) when is_tuple(Tuple) -> {'...'};
cut(Tuple, Depth) when is_tuple(Tuple) ->
    [First | Rest] = tuple_to_list(Tuple),
    list_to_tuple([cut(First, Depth - 1) | cut_elements(Rest, Depth - 1)]);
cut(Map, Depth) when is_map(Map) ->
    %% One pair more than the depth, so that its dots are printed.
    maps:from_list(cut_pairs(maps:next(maps:iterator(Map)), Depth + 1, Depth - 1));
cut(Term, _) -> Term.

cut_tail([], _) -> [];
cut_tail(_, 1) -> ['...'];
cut_tail([Head | Tail], Depth) -> [cut(Head, Depth - 1) | cut_tail(Tail, Depth - 1)];
cut_tail(Other, Depth) -> cut(Other, Depth - 1).

cut_elements([], _) -> [];
cut_elements(_, 1) -> ['...'];
cut_elements([First | Rest], Depth) -> [cut(First, Depth - 1) | cut_elements(Rest, Depth - 1)].

cut_pairs(none, _, _) -> [];
cut_pairs(_, 0, _) -> [];
cut_pairs({Key, Value, Next}, Count, Depth) ->
    [{Key, cut(Value, Depth)} | cut_pairs(maps:next(Next), Count - 1, Depth)].

%% ---- atoms, strings and characters ----

-spec quote_atom(atom(), chars()) -> boolean().
quote_atom(Atom, _) -> hd(io_lib:write_atom(Atom)) =:= $'.

-spec write_string(string()) -> chars().
write_string(String) -> write_string(String, $").

-spec write_string(string(), char()) -> chars().
write_string(String, Quote) -> [Quote | quoted(unicode, String, Quote)].

write_unicode_string(String) -> write_string(String).

-spec write_latin1_string(latin1_string()) -> latin1_string().
write_latin1_string(String) -> write_latin1_string(String, $").

-spec write_latin1_string(latin1_string(), char()) -> latin1_string().
write_latin1_string(String, Quote) -> [Quote | quoted(latin1, String, Quote)].

-spec write_string_as_latin1(string()) -> latin1_string().
write_string_as_latin1(String) -> write_string_as_latin1(String, $").

-spec write_string_as_latin1(string(), char()) -> latin1_string().
write_string_as_latin1(String, Quote) -> [Quote | quoted(escaped, String, Quote)].

-spec write_char(char()) -> chars().
write_char($\s) -> "$\\s";
write_char(Char) when is_integer(Char), Char >= 0 -> [$$ | escape(unicode, Char, none)].

write_unicode_char(Char) -> write_char(Char).

-spec write_latin1_char(unicode:latin1_char()) -> latin1_string().
write_latin1_char(Char) when is_integer(Char), Char >= 0, Char =< 255 ->
    [$$ | escape(latin1, Char, none)].

-spec write_char_as_latin1(char()) -> latin1_string().
write_char_as_latin1(Char) when is_integer(Char), Char >= 0 -> [$$ | escape(escaped, Char, none)].

quoted(_, [], Quote) -> [Quote];
quoted(Kind, [Char | Rest], Quote) -> escape(Kind, Char, Quote) ++ quoted(Kind, Rest, Quote).

%% What stands for a character between quotes; `escaped` writes what is beyond Latin-1 in ASCII.
escape(_, Quote, Quote) -> [$\\, Quote];
escape(_, $\\, _) -> "\\\\";
escape(_, Char, _) when Char >= $\s, Char =< $~ -> [Char];
escape(_, Char, _) when Char >= 160, Char =< 255 -> [Char];
escape(unicode, Char, _) when Char > 255 -> [Char];
escape(escaped, Char, _) when Char > 255 -> "\\x{" ++ integer_to_list(Char, 16) ++ "}";
escape(_, $\n, _) -> "\\n";
escape(_, $\r, _) -> "\\r";
escape(_, $\t, _) -> "\\t";
escape(_, $\v, _) -> "\\v";
escape(_, $\b, _) -> "\\b";
escape(_, $\f, _) -> "\\f";
escape(_, $\e, _) -> "\\e";
escape(_, $\d, _) -> "\\d";
escape(_, Char, _) when Char < 160 ->
    [$\\, (Char bsr 6) + $0, ((Char bsr 3) band 7) + $0, (Char band 7) + $0].

%% ---- lists of characters ----

-define(IS_CHAR(C), (C >= 0 andalso C < 16#D800 orelse C > 16#DFFF andalso C < 16#FFFE
                     orelse C > 16#FFFF andalso C =< 16#10FFFF)).

-spec latin1_char_list(term()) -> boolean().
latin1_char_list([Char | Rest]) when is_integer(Char), Char >= 0, Char =< 255 ->
    latin1_char_list(Rest);
latin1_char_list(Rest) -> Rest =:= [].

-spec char_list(term()) -> boolean().
char_list([Char | Rest]) when is_integer(Char), ?IS_CHAR(Char) -> char_list(Rest);
char_list(Rest) -> Rest =:= [].

-spec deep_latin1_char_list(term()) -> boolean().
deep_latin1_char_list(List) -> deep_latin1(List, []).

deep_latin1([Inner | Rest], More) when is_list(Inner) -> deep_latin1(Inner, [Rest | More]);
deep_latin1([Char | Rest], More) when is_integer(Char), Char >= 0, Char =< 255 ->
    deep_latin1(Rest, More);
deep_latin1([], [Rest | More]) -> deep_latin1(Rest, More);
deep_latin1(Rest, More) -> Rest =:= [] andalso More =:= [].

deep_unicode_char_list(List) -> io_lib:deep_char_list(List).

%% ---- collecting input ----
%%
%% The protocol of input: called with `start` and data until the answer is `{stop, Result, Rest}`;
%% other answers are the state for the next call. An older protocol starts with `[]` and answers
%% `{done, Result, Rest}` or `{more, State}`.

collect_chars(State, Data, Count) -> collect_chars(State, Data, latin1, Count).

collect_chars(start, eof, _, _) ->
    {stop, eof, eof};
collect_chars(start, Data, Encoding, Count) when is_binary(Data) ->
    take_binary([], Data, Encoding, Count);
collect_chars(start, Data, _, Count) ->
    take_list([], Data, Count);
collect_chars({binary, Stack, _}, eof, _, _) ->
    {stop, joined(Stack), eof};
collect_chars({binary, Stack, Count}, Data, Encoding, _) ->
    take_binary(Stack, Data, Encoding, Count);
collect_chars({list, Stack, Count}, Data, _, _) ->
    take_list(Stack, Data, Count);
collect_chars([], Chars, _, Count) ->
    take_old([], Chars, Count);
collect_chars({Count, Stack}, Chars, _, _) ->
    take_old(Stack, Chars, Count).

take_list(Stack, Data, 0) -> {stop, lists:reverse(Stack), Data};
take_list(Stack, eof, _) -> {stop, lists:reverse(Stack), eof};
take_list(Stack, [], Count) -> {list, Stack, Count};
take_list(Stack, [Char | Rest], Count) -> take_list([Char | Stack], Rest, Count - 1).

take_old(Stack, Chars, Count) when Count =< 0 -> {done, lists:reverse(Stack), Chars};
take_old(Stack, [Char | Rest], Count) -> take_old([Char | Stack], Rest, Count - 1);
take_old([], eof, _) -> {done, eof, []};
take_old(Stack, eof, _) -> {done, lists:reverse(Stack), []};
take_old(Stack, [], Count) -> {more, {Count, Stack}}.

take_binary(Stack, Data, Encoding, Count) ->
    {Chars, Bytes} = measure(Encoding, Data, Count),
    if
        Chars > Count ->
            {First, Rest} = split_binary(Data, Bytes),
            {stop, joined([First | Stack]), Rest};
        Chars < Count ->
            {binary, [Data | Stack], Count - Chars};
        true ->
            {stop, joined([Data | Stack]), eof}
    end.

%% How many characters a binary has, and how many bytes the first Count of them.
measure(latin1, Data, Count) -> {byte_size(Data), Count};
measure(unicode, Data, Count) -> utf8(Data, Count, 0, 0, none).

utf8(<<Char/utf8, Rest/binary>>, Count, Chars, Bytes, none) when Chars < Count ->
    utf8(Rest, Count, Chars + 1, Bytes + byte_size(<<Char/utf8>>), none);
utf8(<<_/utf8, Rest/binary>>, Count, Chars, Bytes, _) ->
    utf8(Rest, Count, Chars + 1, Bytes, Bytes);
utf8(_, _, Chars, _, At) ->
    {Chars, At}.

joined(Stack) -> list_to_binary(lists:reverse(Stack)).

collect_line(State, Data, Any) -> collect_line(State, Data, latin1, Any).

collect_line(start, eof, _, _) ->
    {stop, eof, eof};
collect_line(start, Data, Encoding, Any) ->
    collect_line([], Data, Encoding, Any);
collect_line([Part | _] = Stack, eof, _, _) when is_binary(Part) ->
    {stop, joined(Stack), eof};
collect_line(Stack, eof, _, _) ->
    {stop, lists:reverse(Stack), eof};
collect_line(Stack, Data, _, _) when is_binary(Data) ->
    line_of_binary(Stack, Data, binary:match(Data, <<"\n">>));
collect_line(Stack, Data, _, _) when is_list(Data) ->
    line_of_list(Data, Stack).

%% A carriage return before the line break is dropped; one at the end of the data is kept apart,
%% because the line break may follow.
line_of_binary([<<"\r">> | Stack], <<"\n", Rest/binary>>, _) ->
    {stop, joined([<<"\n">> | Stack]), Rest};
line_of_binary(Stack, Data, {At, 1}) when At > 0, binary_part(Data, At - 1, 1) =:= <<"\r">> ->
    <<Line:(At - 1)/binary, _:2/binary, Rest/binary>> = Data,
    {stop, joined([<<"\n">>, Line | Stack]), Rest};
line_of_binary(Stack, Data, {At, 1}) ->
    <<Line:(At + 1)/binary, Rest/binary>> = Data,
    {stop, joined([Line | Stack]), Rest};
line_of_binary(Stack, Data, nomatch) ->
    Before = byte_size(Data) - 1,
    case Data of
        <<Line:Before/binary, "\r">> -> [<<"\r">>, Line | Stack];
        _ -> [Data | Stack]
    end.

line_of_list([$\n | Rest], [$\r | Stack]) -> {stop, lists:reverse(Stack, "\n"), Rest};
line_of_list([$\n | Rest], Stack) -> {stop, lists:reverse(Stack, "\n"), Rest};
line_of_list([Char | Rest], Stack) -> line_of_list(Rest, [Char | Stack]);
line_of_list([], Stack) -> Stack.

%% Between the two protocols: M:F speaks the older one.
get_until(State, Data, Call) -> get_until(State, Data, latin1, Call).

get_until(start, Data, Encoding, Call) ->
    get_until([], Data, Encoding, Call);
get_until(State, Data, Encoding, {M, F, Args}) ->
    Chars = case {Data, Encoding} of
                {_, unicode} when is_binary(Data) -> unicode:characters_to_list(Data, utf8);
                _ when is_binary(Data) -> binary_to_list(Data);
                _ -> Data
            end,
    case apply(M, F, [State, Chars | Args]) of
        {done, Result, Rest} when is_binary(Data), is_list(Result), Encoding =:= unicode ->
            {stop, unicode:characters_to_binary(Result, unicode, unicode), Rest};
        {done, Result, Rest} when is_binary(Data), is_list(Result) ->
            {stop, iolist_to_binary(Result), Rest};
        {done, Result, Rest} ->
            {stop, Result, Rest};
        {more, NewState} ->
            NewState
    end.

%% ---- what raises exceptions, at OTP's lines ----

-file("io_lib.erl", 184).
format(Format, Args) ->
    case erlscope_native:format(Format, Args, []) of
        badarg -> erlang:error(badarg, [Format, Args]);
        Chars -> Chars
    end.

-file("io_lib.erl", 199).
format(Format, Args, Options) ->
    case erlscope_native:format(Format, Args, Options) of
        badarg -> erlang:error(badarg, [Format, Args]);
        Chars -> Chars
    end.

-file("io_lib.erl", 212).
scan_format(Format, Args) ->
    case erlscope_native:scan_format(Format, Args) of
        badarg -> erlang:error(badarg, [Format, Args]);
        Items -> Items
    end.

-file("io_lib.erl", 231).
build_text(Items) ->
    case erlscope_native:build_text(Items, []) of
        badarg -> erlang:error(badarg, [Items]);
        Chars -> Chars
    end.

-file("io_lib.erl", 245).
build_text(Items, Options) ->
    case erlscope_native:build_text(Items, Options) of
        badarg -> erlang:error(badarg, [Items, Options]);
        Chars -> Chars
    end.
