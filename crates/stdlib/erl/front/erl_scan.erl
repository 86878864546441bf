%% Text to tokens.
%%
%% `lexeme/2' finds the next thing in the text: what it is, its own characters,
%% and what follows. Where it stands, and whether it becomes a token, is decided
%% in one place from these characters. A text that may go on ends with `[]', one
%% that does not with `eof'; where the end of the first kind leaves something
%% undecided the answer is `more', and the characters from there on are kept in
%% the continuation.
-module(erl_scan).

-export([string/1, string/2, string/3, tokens/3, tokens/4, format_error/1,
         reserved_word/1, f_reserved_word/1,
         column/1, end_location/1, line/1, location/1, text/1, category/1, symbol/1,
         continuation_location/1]).

-export_type([error_info/0, options/0, return_cont/0, token/0, tokens/0, category/0, symbol/0]).

-type category() :: atom().
-type symbol() :: atom() | float() | integer() | string().
-type token() :: {category(), erl_anno:anno(), symbol()} | {category(), erl_anno:anno()}.
-type tokens() :: [token()].
-type error_info() :: {erl_anno:location(), module(), term()}.
-type options() :: term().
-type return_cont() :: term().

-record(options, {is_reserved, comments, spaces, text}).

-define(IS_SPACE(C), (is_integer(C) andalso (C >= 0 andalso C =< $\s orelse C >= 16#80 andalso C =< 16#A0))).
-define(IS_DIGIT(C), (C >= $0 andalso C =< $9)).
-define(IS_OCTAL(C), (C >= $0 andalso C =< $7)).
-define(IS_HEX(C), (C >= $0 andalso C =< $9 orelse C >= $a andalso C =< $f orelse C >= $A andalso C =< $F)).
-define(IS_LOWER(C), (C >= $a andalso C =< $z orelse C >= $ß andalso C =< $ÿ andalso C =/= $÷)).
-define(IS_UPPER(C), (C >= $A andalso C =< $Z orelse C =:= $_ orelse C >= $À andalso C =< $Þ andalso C =/= $×)).
-define(IS_NAME(C), (?IS_LOWER(C) orelse ?IS_UPPER(C) orelse ?IS_DIGIT(C) orelse C =:= $@)).
-define(IS_CHAR(C), (is_integer(C) andalso C >= 0)).
-define(IS_UNICODE(C), (is_integer(C) andalso
                        (C >= 0 andalso C < 16#D800 orelse C > 16#DFFF andalso C < 16#FFFE
                         orelse C > 16#FFFF andalso C =< 16#10FFFF))).
-define(IS_DIGIT_OF(C, Base), (C >= $0 andalso C =< $9 andalso C < $0 + Base
                               orelse Base > 10 andalso C >= $A andalso C < $A + Base - 10
                               orelse Base > 10 andalso C >= $a andalso C < $a + Base - 10)).

%%% ------------------------------------------------------------------ interface

string(String) -> string(String, 1, []).

string(String, Location) -> string(String, Location, []).

string(String, Line, Options) when is_list(String), is_integer(Line) ->
    whole(String ++ eof, options(Options), Line, none, []);
string(String, {Line, Column}, Options)
  when is_list(String), is_integer(Line), is_integer(Column), Column >= 1 ->
    whole(String ++ eof, options(Options), Line, Column, []).

%% All forms of a text.
whole(Text, Options, Line, Column, Tokens0) ->
    case scan(Text, Options, Line, Column, Tokens0) of
        {dot, Rest, NextLine, NextColumn, Tokens} when Rest =/= eof ->
            whole(Rest, Options, NextLine, NextColumn, Tokens);
        {error, Error, _Rest} ->
            Error;
        {_, _, NextLine, NextColumn, Tokens} ->
            {ok, lists:reverse(Tokens), place(NextLine, NextColumn)}
    end.

tokens(Continuation, Text, Location) -> tokens(Continuation, Text, Location, []).

tokens([], Text, Line, Options) when is_integer(Line) ->
    form(Text, options(Options), Line, none, []);
tokens([], Text, {Line, Column}, Options) when is_integer(Line), is_integer(Column), Column >= 1 ->
    form(Text, options(Options), Line, Column, []);
tokens({erl_scan_continuation, Pending, Line, Column, Tokens, Options}, Text, _, _) ->
    form(append(Pending, Text), Options, Line, Column, Tokens).

append(Pending, Text) when is_list(Text); Text =:= eof -> Pending ++ Text.

form(Text, Options, Line, Column, Tokens0) when is_list(Text); Text =:= eof ->
    case scan(Text, Options, Line, Column, Tokens0) of
        {more, Pending, NextLine, NextColumn, Tokens} ->
            {more, {erl_scan_continuation, Pending, NextLine, NextColumn, Tokens, Options}};
        {eof, _, NextLine, NextColumn, []} ->
            {done, {eof, place(NextLine, NextColumn)}, eof};
        {_, Rest, NextLine, NextColumn, Tokens} ->
            {done, {ok, lists:reverse(Tokens), place(NextLine, NextColumn)}, Rest};
        {error, Error, Rest} ->
            {done, Error, Rest}
    end.

continuation_location({erl_scan_continuation, _, Line, Column, _, _}) -> place(Line, Column).

options(Options) when is_list(Options) ->
    IsReserved = case lists:keyfind(reserved_word_fun, 1, Options) of
                     {_, Fun} when is_function(Fun, 1) -> Fun;
                     false -> fun reserved_word/1;
                     _ -> erlang:error(badarg, [Options])
                 end,
    Both = proplists:get_bool(return, Options),
    Text = case {proplists:get_bool(text, Options), proplists:get_value(text_fun, Options, none)} of
               {true, _} -> fun(_, _) -> true end;
               {false, TextFun} -> TextFun
           end,
    #options{is_reserved = IsReserved,
             comments = Both orelse proplists:get_bool(return_comments, Options),
             spaces = Both orelse proplists:get_bool(return_white_spaces, Options),
             text = Text};
options(Option) ->
    options([Option]).

column(Token) -> erl_anno:column(element(2, Token)).
end_location(Token) -> erl_anno:end_location(element(2, Token)).
line(Token) -> erl_anno:line(element(2, Token)).
location(Token) -> erl_anno:location(element(2, Token)).
text(Token) -> erl_anno:text(element(2, Token)).

category({Category, _}) -> Category;
category({Category, _, _}) -> Category;
category(Token) -> erlang:error(badarg, [Token]).

symbol({Category, _}) -> Category;
symbol({_, _, Symbol}) -> Symbol;
symbol(Token) -> erlang:error(badarg, [Token]).

format_error({string, Quote, Head}) ->
    What = case Quote of
               $' -> "atom";
               _ -> "string"
           end,
    lists:flatten(["unterminated ", What, " starting with ", io_lib:write_string(Head, Quote)]);
format_error({illegal, What}) -> lists:flatten(io_lib:fwrite("illegal ~w", [What]));
format_error(char) -> "unterminated character";
format_error({base, Base}) -> lists:flatten(io_lib:fwrite("illegal base '~w'", [Base]));
format_error(Other) -> lists:flatten(io_lib:write(Other)).

%% No feature that brings keywords is on from the start.
reserved_word(Name) -> f_reserved_word(Name).

f_reserved_word(Name) ->
    lists:member(Name, ['after', 'and', 'andalso', 'band', 'begin', 'bnot', 'bor', 'bsl', 'bsr', 'bxor',
                        'case', 'catch', 'cond', 'div', 'end', 'fun', 'if', 'let', 'not', 'of', 'or',
                        'orelse', 'receive', 'rem', 'try', 'when', 'xor']).

%%% --------------------------------------------------------------------- places

place(Line, none) -> Line;
place(Line, Column) -> {Line, Column}.

%% Where the text goes on behind some characters.
behind([$\n | Chars], Line, none) -> behind(Chars, Line + 1, none);
behind([_ | Chars], Line, none) -> behind(Chars, Line, none);
behind([$\n | Chars], Line, _) -> behind(Chars, Line + 1, 1);
behind([_ | Chars], Line, Column) -> behind(Chars, Line, Column + 1);
behind([], Line, Column) -> {Line, Column}.

right(none, _) -> none;
right(Column, By) -> Column + By.

anno(Line, Column, #options{text = none}, _, _) ->
    erl_anno:new(place(Line, Column));
anno(Line, Column, #options{text = TextFun}, Category, Text) ->
    Anno = erl_anno:new(place(Line, Column)),
    case TextFun(Category, Text) of
        true -> erl_anno:set_text(Text, Anno);
        false -> Anno
    end.

error_at(Error, Line, Column, EndLine, EndColumn, Rest) ->
    {error, {error, {place(Line, Column), ?MODULE, Error}, place(EndLine, EndColumn)}, Rest}.

%%% --------------------------------------------------------------------- tokens

%% The tokens up to the end of a form, or of the text.
scan(Text, Options, Line, Column, Tokens) ->
    case lexeme(Text, Options) of
        {fixed, Name, Chars, Rest} ->
            Anno = anno(Line, Column, Options, Name, Chars),
            scan(Rest, Options, Line, right(Column, length(Chars)), [{Name, Anno} | Tokens]);
        {token, Category, Symbol, Chars, Rest} ->
            Anno = anno(Line, Column, Options, Category, Chars),
            {NextLine, NextColumn} = behind(Chars, Line, Column),
            scan(Rest, Options, NextLine, NextColumn, [{Category, Anno, Symbol} | Tokens]);
        {skip, Chars, Rest} ->
            {NextLine, NextColumn} = behind(Chars, Line, Column),
            scan(Rest, Options, NextLine, NextColumn, Tokens);
        {dot, Chars, Rest} ->
            Anno = anno(Line, Column, Options, dot, Chars),
            {NextLine, NextColumn} = behind(Chars, Line, Column),
            {dot, Rest, NextLine, NextColumn, [{dot, Anno} | Tokens]};
        {illegal, What, Before, Length, Rest} ->
            %% Characters before the fault are part of the same thing but not at fault.
            {AtLine, AtColumn} = behind(Before, Line, Column),
            error_at({illegal, What}, AtLine, AtColumn, AtLine, right(AtColumn, Length), Rest);
        {illegal_name, Chars, Rest} ->
            {EndLine, EndColumn} = behind(Chars, Line, Column),
            error_at({illegal, atom}, Line, Column, EndLine, EndColumn, Rest);
        {base, Base, Length, Rest} ->
            error_at({base, Base}, Line, Column, Line, right(Column, Length), Rest);
        {unterminated, What, Chars} ->
            {EndLine, EndColumn} = behind(Chars, Line, Column),
            error_at(What, Line, Column, EndLine, EndColumn, eof);
        more ->
            {more, Text, Line, Column, Tokens};
        eof ->
            {eof, eof, Line, Column, Tokens}
    end.

lexeme([], _) -> more;
lexeme(eof, _) -> eof;
lexeme([C | _] = Text, #options{spaces = Wanted}) when ?IS_SPACE(C) -> spaces(Text, Wanted);
lexeme([C | _] = Text, Options) when ?IS_LOWER(C) ->
    case name(Text, []) of
        more -> more;
        {Chars, Rest} ->
            try list_to_atom(Chars) of
                Name ->
                    case (Options#options.is_reserved)(Name) of
                        true -> {fixed, Name, Chars, Rest};
                        false -> {token, atom, Name, Chars, Rest}
                    end
            catch
                error:_ -> {illegal, atom, [], length(Chars), Rest}
            end
    end;
lexeme([C | _] = Text, _) when ?IS_UPPER(C) ->
    case name(Text, []) of
        more -> more;
        {Chars, Rest} ->
            try {token, var, list_to_atom(Chars), Chars, Rest}
            catch error:_ -> {illegal, var, [], length(Chars), Rest}
            end
    end;
lexeme([C | _] = Text, _) when ?IS_DIGIT(C) -> number(Text);
lexeme([$" | Text], _) -> quoted(Text, $", [], [$"]);
lexeme([$' | Text], _) -> quoted(Text, $', [], [$']);
lexeme([$$ | Text], _) -> character(Text);
lexeme([$% | _] = Text, #options{comments = Wanted}) -> comment(Text, [], Wanted);
lexeme([$. | Text], _) -> dot(Text);
lexeme([C | _] = Text, _) when ?IS_CHAR(C) -> symbol_token(Text).

name([C | Text], Chars) when ?IS_NAME(C) -> name(Text, [C | Chars]);
name([], _) -> more;
name(Text, Chars) -> {lists:reverse(Chars), Text}.

%%% ------------------------------------------------------ white space, comments

spaces(Text, false) ->
    case run(Text, fun(C) -> ?IS_SPACE(C) end, infinity, []) of
        {Chars, Rest} -> {skip, Chars, Rest}
    end;
spaces(Text, true) ->
    case space(Text) of
        more -> more;
        {Chars, Rest} -> {token, white_space, Chars, Chars, Rest}
    end.

%% A line break is always the first character of its token; runs of blanks and
%% tabs have a largest length. What comes at the end of a text that may go on is
%% a token once more is known. The common ones share their characters.
space([$\s | _] = Text) -> compact(decided(run(Text, fun(C) -> C =:= $\s end, 16, [])), fun blanks/1);
space([$\t | _] = Text) -> compact(decided(run(Text, fun(C) -> C =:= $\t end, 10, [])), fun tabs/1);
space([$\r | Text]) -> {"\r", Text};
space([$\n]) -> more;
space([$\n, $\s | Text]) -> compact(after_break(Text, $\s, 15), fun break_blanks/1);
space([$\n, $\t | Text]) -> compact(after_break(Text, $\t, 9), fun break_tabs/1);
space([$\n, $\r | Text]) -> {"\n\r", Text};
space([$\n, $\f | Text]) -> {"\n\f", Text};
space([C | Text]) ->
    case decided(run(Text, fun(S) -> ?IS_SPACE(S) andalso S =/= $\n end, infinity, [])) of
        more -> more;
        {Chars, Rest} -> {[C | Chars], Rest}
    end.

%% The first of the blanks or tabs behind a line break has been seen.
after_break(Text, Space, Most) ->
    case decided(run(Text, fun(C) -> C =:= Space end, Most, [])) of
        more -> more;
        {Chars, Rest} -> {[Space | Chars], Rest}
    end.

compact(more, _) -> more;
compact({Chars, Rest}, Shared) -> {Shared(length(Chars)), Rest}.

blanks(N) -> lists:nthtail(16 - N, "                ").

tabs(N) -> lists:nthtail(10 - N, "\t\t\t\t\t\t\t\t\t\t").

break_blanks(N) ->
    element(N,
    {"\n ",
     "\n  ",
     "\n   ",
     "\n    ",
     "\n     ",
     "\n      ",
     "\n       ",
     "\n        ",
     "\n         ",
     "\n          ",
     "\n           ",
     "\n            ",
     "\n             ",
     "\n              ",
     "\n               ",
     "\n                "}).

break_tabs(N) ->
    element(N, {"\n\t", "\n\t\t", "\n\t\t\t", "\n\t\t\t\t", "\n\t\t\t\t\t", "\n\t\t\t\t\t\t", "\n\t\t\t\t\t\t\t", "\n\t\t\t\t\t\t\t\t", "\n\t\t\t\t\t\t\t\t\t", "\n\t\t\t\t\t\t\t\t\t\t"}).

decided({_, []}) -> more;
decided(Run) -> Run.

run([C | Text], Is, Most, Chars) when Most > 0 ->
    case Is(C) of
        true when is_integer(Most) -> run(Text, Is, Most - 1, [C | Chars]);
        true -> run(Text, Is, Most, [C | Chars]);
        false -> {lists:reverse(Chars), [C | Text]}
    end;
run(Text, _, _, Chars) ->
    {lists:reverse(Chars), Text}.

comment([C | Text], Chars, Wanted) when C =/= $\n, ?IS_CHAR(C) ->
    case ?IS_UNICODE(C) of
        true -> comment(Text, [C | Chars], Wanted);
        false -> {illegal, character, [], length(Chars) + 1, Text}
    end;
comment([], _, _) -> more;
comment(Text, Chars0, Wanted) ->
    Chars = lists:reverse(Chars0),
    case Wanted of
        true -> {token, comment, Chars, Chars, Text};
        false -> {skip, Chars, Text}
    end.

%%% -------------------------------------------------------------------- symbols

dot([]) -> more;
dot(eof) -> {dot, ".", eof};
dot([$%| _] = Text) -> {dot, ".", Text};
dot([C | Text]) when ?IS_SPACE(C) -> {dot, [$., C], Text};
dot(".") -> more;
dot([$., $. | Text]) -> {fixed, '...', "...", Text};
dot([$. | Text]) -> {fixed, '..', "..", Text};
dot(Text) -> {fixed, '.', ".", Text}.

symbol_token("?=" ++ Text) -> {fixed, '?=', "?=", Text};
symbol_token("<<" ++ Text) -> {fixed, '<<', "<<", Text};
symbol_token("<-" ++ Text) -> {fixed, '<-', "<-", Text};
symbol_token("<=" ++ Text) -> {fixed, '<=', "<=", Text};
symbol_token(">>" ++ Text) -> {fixed, '>>', ">>", Text};
symbol_token(">=" ++ Text) -> {fixed, '>=', ">=", Text};
symbol_token("->" ++ Text) -> {fixed, '->', "->", Text};
symbol_token("--" ++ Text) -> {fixed, '--', "--", Text};
symbol_token("++" ++ Text) -> {fixed, '++', "++", Text};
symbol_token("=:=" ++ Text) -> {fixed, '=:=', "=:=", Text};
symbol_token("=/=" ++ Text) -> {fixed, '=/=', "=/=", Text};
symbol_token("=<" ++ Text) -> {fixed, '=<', "=<", Text};
symbol_token("=>" ++ Text) -> {fixed, '=>', "=>", Text};
symbol_token("==" ++ Text) -> {fixed, '==', "==", Text};
symbol_token("/=" ++ Text) -> {fixed, '/=', "/=", Text};
symbol_token("||" ++ Text) -> {fixed, '||', "||", Text};
symbol_token(":=" ++ Text) -> {fixed, ':=', ":=", Text};
symbol_token("::" ++ Text) -> {fixed, '::', "::", Text};
symbol_token([$=, C]) when C =:= $:; C =:= $/ -> more;
symbol_token([C]) when C =:= $?; C =:= $<; C =:= $>; C =:= $-; C =:= $+; C =:= $=; C =:= $/; C =:= $|;
                       C =:= $: -> more;
symbol_token([C | Text]) when C =< 16#FF -> {fixed, list_to_atom([C]), [C], Text};
symbol_token([_ | Text]) -> {illegal, character, [], 1, Text}.

%%% -------------------------------------------------------------------- strings

%% Characters is what the string says, Chars what is written, both backwards.
quoted([Quote | Text], Quote, Characters0, Chars0) ->
    Characters = lists:reverse(Characters0),
    Chars = lists:reverse(Chars0, [Quote]),
    case Quote of
        $" -> {token, string, Characters, Chars, Text};
        $' ->
            try {token, atom, list_to_atom(Characters), Chars, Text}
            catch error:_ -> {illegal_name, Chars, Text}
            end
    end;
quoted([$\\ | Text], Quote, Characters, Chars) ->
    case escape(Text) of
        more -> more;
        {ok, Value, Written, Rest} ->
            quoted(Rest, Quote, [Value | Characters], lists:reverse(Written, [$\\ | Chars]));
        {error, Length, Rest} ->
            {illegal, character, lists:reverse(Chars), Length + 1, Rest};
        {eof, Length} ->
            Chars1 = lists:reverse(Chars, lists:duplicate(Length + 1, $\\)),
            {unterminated, {string, Quote, head(Characters)}, Chars1}
    end;
quoted([C | Text], Quote, Characters, Chars) when ?IS_UNICODE(C) ->
    quoted(Text, Quote, [C | Characters], [C | Chars]);
quoted([C | Text], _, _, Chars) when ?IS_CHAR(C) ->
    {illegal, character, lists:reverse(Chars), 1, Text};
quoted([], _, _, _) ->
    more;
quoted(eof, Quote, Characters, Chars) ->
    {unterminated, {string, Quote, head(Characters)}, lists:reverse(Chars)}.

head(Characters) -> string:slice(lists:reverse(Characters), 0, 16).

character([$\\ | Text]) ->
    case escape(Text) of
        more -> more;
        {ok, Value, Written, Rest} -> {token, char, Value, [$$, $\\ | Written], Rest};
        {error, Length, Rest} -> {illegal, character, [], Length + 2, Rest};
        {eof, Length} -> {unterminated, char, lists:duplicate(Length + 2, $$)}
    end;
character([C | Text]) when ?IS_UNICODE(C) -> {token, char, C, [$$, C], Text};
character([C | _]) when ?IS_CHAR(C) -> {illegal, character, [], 1, eof};
character([]) -> more;
character(eof) -> {unterminated, char, "$"}.

%% What is behind a backslash: the character it means and how it is written. For
%% what is wrong the number of characters up to there is known.
escape([A, B, C | Text]) when ?IS_OCTAL(A), ?IS_OCTAL(B), ?IS_OCTAL(C) ->
    {ok, ((A - $0) * 8 + (B - $0)) * 8 + (C - $0), [A, B, C], Text};
escape([A, B]) when ?IS_OCTAL(A), ?IS_OCTAL(B) -> more;
escape([A, B | Text]) when ?IS_OCTAL(A), ?IS_OCTAL(B) -> {ok, (A - $0) * 8 + (B - $0), [A, B], Text};
escape([A]) when ?IS_OCTAL(A) -> more;
escape([A | Text]) when ?IS_OCTAL(A) -> {ok, A - $0, [A], Text};
escape([$x, ${ | Text]) -> braces(Text, []);
escape([$x]) -> more;
escape([$x | eof]) -> {eof, 1};
escape([$x, A, B | Text]) when ?IS_HEX(A), ?IS_HEX(B) ->
    {ok, list_to_integer([A, B], 16), [$x, A, B], Text};
escape([$x, A]) when ?IS_HEX(A) -> more;
escape([$x | Text]) -> {error, 1, Text};
escape([$^, $\n | Text]) -> {ok, $\n, "^\n", Text};
escape([$^, C | Text]) when ?IS_CHAR(C) -> {ok, C band 31, [$^, C], Text};
escape([$^]) -> more;
escape([$^ | eof]) -> {eof, 1};
escape([C | Text]) when ?IS_UNICODE(C) -> {ok, escaped(C), [C], Text};
escape([C | Text]) when ?IS_CHAR(C) -> {error, 1, Text};
escape([]) -> more;
escape(eof) -> {eof, 0}.

braces([C | Text], Digits) when ?IS_HEX(C) -> braces(Text, [C | Digits]);
braces([$} | Text], Digits0) ->
    Digits = lists:reverse(Digits0),
    Length = length(Digits) + 3,
    try list_to_integer(Digits, 16) of
        Value when ?IS_UNICODE(Value) -> {ok, Value, "x{" ++ Digits ++ "}", Text};
        _ -> {error, Length, Text}
    catch
        error:_ -> {error, Length, Text}
    end;
braces([], _) -> more;
braces(eof, Digits) -> {eof, length(Digits) + 2};
braces(Text, Digits) -> {error, length(Digits) + 2, Text}.

escaped($n) -> $\n;
escaped($r) -> $\r;
escaped($t) -> $\t;
escaped($v) -> $\v;
escaped($b) -> $\b;
escaped($f) -> $\f;
escaped($e) -> $\e;
escaped($s) -> $\s;
escaped($d) -> $\d;
escaped(C) -> C.

%%% -------------------------------------------------------------------- numbers

number(Text) ->
    case digits(Text, 10, []) of
        more -> more;
        {_, [$.]} -> more;
        {Chars, [$., C | Rest]} when ?IS_DIGIT(C) -> fraction([C | Rest], [$. | lists:reverse(Chars)]);
        {Chars, [$# | Rest] = All} ->
            case list_to_integer(plain(Chars)) of
                Base when Base >= 2, Base =< 36 -> based(Rest, Base, Chars ++ "#");
                Base -> {base, Base, length(Chars), All}
            end;
        {Chars, Rest} ->
            integer(Chars, plain(Chars), 10, Rest)
    end.

integer(Chars, Digits, Base, Rest) ->
    try {token, integer, list_to_integer(Digits, Base), Chars, Rest}
    catch error:_ -> {illegal, integer, [], length(Chars), Rest}
    end.

based(Text, Base, Chars) ->
    case digits(Text, Base, []) of
        more -> more;
        {Digits, Rest} -> integer(Chars ++ Digits, plain(Digits), Base, Rest)
    end.

fraction(Text, Before) ->
    case digits(Text, 10, []) of
        more -> more;
        {Digits, [E | Rest]} when E =:= $e; E =:= $E -> exponent(Rest, [E | lists:reverse(Digits, Before)]);
        {Digits, Rest} -> float_token(lists:reverse(Before, Digits), Rest)
    end.

exponent([], _) -> more;
exponent([Sign | Text], Before) when Sign =:= $+; Sign =:= $- -> exponent_digits(Text, [Sign | Before]);
exponent(Text, Before) -> exponent_digits(Text, Before).

exponent_digits(Text, Before) ->
    case digits(Text, 10, []) of
        more -> more;
        {Digits, Rest} -> float_token(lists:reverse(Before, Digits), Rest)
    end.

float_token(Chars, Rest) ->
    try {token, float, list_to_float(plain(Chars)), Chars, Rest}
    catch error:_ -> {illegal, float, [], length(Chars), Rest}
    end.

%% Digits, and `_' between two of them.
digits([C | Text], Base, Chars) when ?IS_DIGIT_OF(C, Base) -> digits(Text, Base, [C | Chars]);
digits([$_, C | Text], Base, [_ | _] = Chars) when ?IS_DIGIT_OF(C, Base) ->
    digits(Text, Base, [C, $_ | Chars]);
digits("_", _, [_ | _]) -> more;
digits("_", _, []) -> more;
digits([], _, _) -> more;
digits(Text, _, Chars) -> {lists:reverse(Chars), Text}.

plain(Chars) -> [C || C <- Chars, C =/= $_].
