%% Reading by a format.
%%
%% A reader is {Line, N, Results}: what is left of the line (or eof), how many characters were read,
%% and the values read, the last one first.
-module(io_lib_fread).

-export([fread/2, fread/3]).

-define(IS_BLANK(C), (C =:= $\s orelse C =:= $\t orelse C =:= $\r orelse C =:= $\n)).

%% Line by line: a line is read when its end is there.
fread([], Chars, Format) -> collect(Format, [], 0, [], Chars);
fread({Format, Stack, N, Results}, Chars, _) -> collect(Format, Stack, N, Results, Chars).

collect(Format, [$\r | Stack], N, Results, [$\n | Chars]) ->
    line(Format, lists:reverse(Stack), N, Results, Chars, "\r\n");
collect(Format, Stack, N, Results, [$\n | Chars]) ->
    line(Format, lists:reverse(Stack), N, Results, Chars, "\n");
collect(Format, Stack, N, Results, []) ->
    {more, {Format, Stack, N, Results}};
collect(Format, [$\r | Stack], N, Results, Chars) ->
    line(Format, lists:reverse(Stack), N, Results, Chars, "\r");
collect(Format, Stack, N, Results, [Char | Chars]) ->
    collect(Format, [Char | Stack], N, Results, Chars);
collect(Format, Stack, N, Results, Eof) ->
    line(Format, lists:reverse(Stack), N, Results, Eof, "").

line(Format, Line, N, Results, More, Break) ->
    case read(Format, {Line, N, Results}) of
        {ok, Values, []} when is_list(More) -> {done, {ok, Values}, More};
        {ok, Values, []} -> {done, {ok, Values}, []};
        {ok, Values, Rest} when is_list(More) -> {done, {ok, Values}, Rest ++ Break ++ More};
        {ok, Values, Rest} -> {done, {ok, Values}, Rest ++ Break};
        {more, Format1, N1, Results1} when is_list(Line), is_list(More) ->
            collect(Format1, [], N1 + length(Break), Results1, More);
        {more, Format1, N1, Results1} when is_list(Line) ->
            line(Format1, eof, N1 + length(Break), Results1, More, "");
        Other -> {done, Other, More}
    end.

fread(Format, Line) -> read(Format, {Line, 0, []}).

read([$~ | Format] = All, Reader) ->
    {Control, Width, Suppress, Unicode} = field(Format),
    control(Control, Width, Suppress, Unicode, Reader, All);
read([Blank | Format], Reader) when ?IS_BLANK(Blank) ->
    read(Format, skip(Reader));
read([Char | Format], {[Char | Line], N, Results}) ->
    read(Format, {Line, N + 1, Results});
read([_ | _], {[_ | _], _, _}) ->
    failed(input);
read([_ | _] = Format, {[], N, Results}) ->
    {more, Format, N, Results};
read([_ | _], {eof, 0, []}) ->
    eof;
read([_ | _], {eof, _, _}) ->
    failed(input);
read([], {Line, _, Results}) ->
    {ok, lists:reverse(Results), Line}.

failed(What) -> {error, {fread, What}}.

skip({[Blank | Line], N, Results}) when ?IS_BLANK(Blank) -> skip({Line, N + 1, Results});
skip(Reader) -> Reader.

%% `*`, a width and `t`, in this order.
field([$* | Format]) -> width(Format, none, true);
field(Format) -> width(Format, none, false).

width([Digit | Format], none, Suppress) when Digit >= $0, Digit =< $9 ->
    width(Format, Digit - $0, Suppress);
width([Digit | Format], Width, Suppress) when Digit >= $0, Digit =< $9 ->
    width(Format, 10 * Width + Digit - $0, Suppress);
width([$t | Format], Width, Suppress) -> {Format, Width, Suppress, true};
width(Format, Width, Suppress) -> {Format, Width, Suppress, false}.

%% `l` needs no input; all others do.
control([$l | Format], _, Suppress, _, {_, N, _} = Reader, _) ->
    read(Format, result(Suppress, N, Reader));
control(_, _, _, _, {[], N, Results}, All) ->
    {more, All, N, Results};
control(_, _, _, _, {eof, 0, []}, _) ->
    eof;
control(_, _, _, _, {eof, _, _}, _) ->
    failed(input);
control([$~ | Format], _, _, _, {[$~ | Line], N, Results}, _) ->
    read(Format, {Line, N + 1, Results});
control([Control | Format], Width, Suppress, Unicode, Reader, _) ->
    case value(Control, Width, Unicode, Reader) of
        {value, Value, Rest} -> read(Format, result(Suppress, Value, Rest));
        Error -> failed(Error)
    end;
control(_, _, _, _, _, _) ->
    failed(format).

result(true, _, Reader) -> Reader;
result(false, Value, {Line, N, Results}) -> {Line, N, [Value | Results]}.

%% The value at the reader, or what could not be read.
value($f, Width, false, Reader) -> number(float, fun list_to_float/1, fun float_chars/1, Width, Reader);
value($d, Width, false, Reader) ->
    number(integer, fun list_to_integer/1, fun integer_chars/1, Width, Reader);
value($u, none, false, Reader) -> unsigned(10, Reader);
value($u, Base, false, Reader) when Base >= 2, Base =< 36 -> unsigned(Base, Reader);
value($-, _, false, {[$- | Line], N, Results}) -> {value, -1, {Line, N + 1, Results}};
value($-, _, false, {[$+ | Line], N, Results}) -> {value, 1, {Line, N + 1, Results}};
value($-, _, false, Reader) -> {value, 1, Reader};
value($#, Width, false, Reader) -> based(Width, Reader);
value($s, Width, Unicode, Reader) ->
    case word(Width, Unicode, Reader) of
        {error, _} -> string;
        {Chars, Rest} -> {value, Chars, Rest}
    end;
value($a, Width, Unicode, Reader) when Width =:= none; not Unicode ->
    case word(Width, Unicode, Reader) of
        {error, _} -> atom;
        {Chars, Rest} -> {value, list_to_atom(Chars), Rest}
    end;
value($c, Width, Unicode, Reader) ->
    case exactly(case Width of none -> 1; _ -> Width end, Unicode, Reader) of
        {error, _} -> character;
        {Chars, Rest} -> {value, Chars, Rest}
    end;
value(_, _, _, _) -> format.

number(Name, Convert, Chars, none, Reader) ->
    converted(Name, Convert, Chars(skip(Reader)));
number(Name, Convert, _, Width, Reader) ->
    converted(Name, Convert, exactly(Width, false, Reader)).

%% Blanks in a field of fixed width may stand before a number.
converted(Name, Convert, {Chars, Rest}) ->
    try {value, Convert(without_blanks(Chars)), Rest} catch error:_ -> Name end.

without_blanks([Blank | Rest]) when ?IS_BLANK(Blank) -> without_blanks(Rest);
without_blanks(Chars) -> Chars.

unsigned(Base, Reader) ->
    converted(unsigned, fun(Chars) -> list_to_integer(Chars, Base) end, digits(Base, Reader)).

%% `16#FF`, the base with a sign, possibly; in a field of fixed width the digits fill it.
based(none, Reader) ->
    try
        {Base, {Line, N, Results}} = base(Reader),
        {Digits, Rest} = digits(checked(abs(Base)), {Line, N, Results}),
        {value, sign(Base) * list_to_integer(Digits, abs(Base)), Rest}
    catch
        error:_ -> based
    end;
based(Width, {_, N, Results} = Reader) ->
    try
        {Field, {Line, _, _}} = exactly(Width, false, Reader),
        {Base, {Digits, _, _}} = base({Field, N, Results}),
        {value, list_to_integer(Digits, checked(Base)), {Line, N + Width, Results}}
    catch
        error:_ -> based
    end.

base(Reader) ->
    {Chars, {[$# | Line], N, Results}} = integer_chars(skip(Reader)),
    {list_to_integer(Chars), {Line, N + 1, Results}}.

checked(Base) when Base >= 2, Base =< 36 -> Base.

sign(Base) when Base < 0 -> -1;
sign(_) -> 1.

%% ---- segments: the characters that belong, and the reader after them ----

integer_chars(Reader) ->
    {Sign, Reader1} = sign_char(Reader),
    {Digits, Reader2} = digits(10, Reader1),
    {Sign ++ Digits, Reader2}.

float_chars(Reader) ->
    case integer_chars(Reader) of
        {Whole, {[$. | Line], N, Results}} ->
            {Fraction, Reader1} = digits(10, {Line, N + 1, Results}),
            {Exponent, Reader2} = exponent(Reader1),
            {Whole ++ "." ++ Fraction ++ Exponent, Reader2};
        Whole ->
            Whole
    end.

exponent({[E | Line], N, Results}) when E =:= $e; E =:= $E ->
    {Chars, Reader} = integer_chars({Line, N + 1, Results}),
    {[E | Chars], Reader};
exponent(Reader) ->
    {"", Reader}.

sign_char({[Sign | Line], N, Results}) when Sign =:= $+; Sign =:= $- ->
    {[Sign], {Line, N + 1, Results}};
sign_char(Reader) ->
    {"", Reader}.

digits(Base, {[Char | Line], N, Results} = Reader) ->
    IsDigit = Char >= $0 andalso Char =< $9
        orelse Char >= $A andalso Char < $A + Base - 10
        orelse Char >= $a andalso Char < $a + Base - 10,
    case IsDigit of
        true ->
            {Chars, Rest} = digits(Base, {Line, N + 1, Results}),
            {[Char | Chars], Rest};
        false ->
            {"", Reader}
    end;
digits(_, Reader) ->
    {"", Reader}.

%% Up to the next blank; without `t` up to what is beyond Latin-1, which must not come first.
word(none, Unicode, Reader) ->
    case nonblanks(Unicode, skip(Reader)) of
        {"", {[Char | _], _, _} = Rest} when not ?IS_BLANK(Char) -> {error, Rest};
        Word -> Word
    end;
word(Width, Unicode, Reader) ->
    case exactly(Width, Unicode, Reader) of
        {error, _} = Error -> Error;
        {Chars, Rest} -> {string:trim(Chars, both, " \t\r\n"), Rest}
    end.

nonblanks(Unicode, {[Char | Line], N, Results})
  when not ?IS_BLANK(Char), Unicode orelse Char =< 255 ->
    {Chars, Rest} = nonblanks(Unicode, {Line, N + 1, Results}),
    {[Char | Chars], Rest};
nonblanks(_, Reader) ->
    {"", Reader}.

%% So many characters of one line. The count grows by the width, whatever was read.
exactly(Width, Unicode, {Line, N, Results}) ->
    case exactly(Width, Unicode, Line, []) of
        {error, Rest} -> {error, {Rest, N + Width, Results}};
        {Chars, Rest} -> {Chars, {Rest, N + Width, Results}}
    end.

exactly(0, _, Line, Chars) -> {lists:reverse(Chars), Line};
exactly(Count, Unicode, [Char | Line], Chars) when Char =/= $\n, Unicode orelse Char =< 255 ->
    exactly(Count - 1, Unicode, Line, [Char | Chars]);
exactly(_, _, Line, _) -> {error, Line}.
