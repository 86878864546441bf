%% string: functions on text (unicode:chardata()) and, at the end, the obsolete functions on flat strings.
%%
%% Text is a list of characters, a binary in UTF-8, or a list nested of both. It is walked with
%% unicode_util (native): `cp/1` gives the next character, `gc/1` the next grapheme cluster, each with
%% the rest, which is again a binary if the text was one. A part of a binary is therefore cut out by the
%% difference in size; a part of a list is collected in an accumulator, and comes out flat.
%%
%% A separator is a grapheme cluster. Where separators are looked for, the text is walked by characters,
%% and only a character that begins a separator is looked at as a cluster: so `$\n` is found in "\r\n".
%%
%% Difference from OTP: parts taken from a list that contains binaries are flat lists here, where OTP
%% may leave pieces as binaries; the text is the same.
-module(string).

-compile({no_auto_import, [length/1]}).

-export([casefold/1, chomp/1, equal/2, equal/3, equal/4, find/2, find/3, is_empty/1, length/1,
         lexemes/2, lowercase/1, next_codepoint/1, next_grapheme/1, nth_lexeme/3, pad/2, pad/3,
         pad/4, prefix/2, replace/3, replace/4, reverse/1, slice/2, slice/3, split/2, split/3,
         take/2, take/3, take/4, titlecase/1, to_float/1, to_graphemes/1, to_integer/1, trim/1,
         trim/2, trim/3, uppercase/1]).
%% Obsolete.
-export([centre/2, centre/3, chars/2, chars/3, chr/2, concat/2, copies/2, cspan/2, join/2, left/2,
         left/3, len/1, rchr/2, right/2, right/3, rstr/2, span/2, str/2, strip/1, strip/2, strip/3,
         sub_string/2, sub_string/3, sub_word/2, sub_word/3, substr/2, substr/3, to_lower/1,
         to_upper/1, tokens/2, words/1, words/2]).
%% Native.
-export([list_to_float/1, list_to_integer/1]).

-export_type([grapheme_cluster/0]).

-type grapheme_cluster() :: char() | [char()].
-type direction() :: leading | trailing.
-type text() :: unicode:chardata().

%% A guard: the two characters are never in one grapheme cluster.
-define(IS_APART(CP1, CP2), is_integer(CP1), CP1 < 256, CP1 =/= $\r, is_integer(CP2), CP2 < 256).

%% ---- native functions ----

-spec list_to_float(string()) -> {float(), string()} | {error, no_float | not_a_list}.
list_to_float(_String) -> erlang:nif_error(undef).

-spec list_to_integer(string()) -> {integer(), string()} | {error, no_integer | not_a_list}.
list_to_integer(_String) -> erlang:nif_error(undef).

%% ---- walking ----

-spec next_codepoint(text()) -> [char() | text()] | {error, text()}.
next_codepoint(Text) -> unicode_util:cp(Text).

-spec next_grapheme(text()) -> [grapheme_cluster() | text()] | {error, text()}.
next_grapheme(Text) -> unicode_util:gc(Text).

%% The next grapheme cluster and the rest.
next([CP1 | [CP2 | _] = Rest]) when ?IS_APART(CP1, CP2) -> [CP1 | Rest];
next(Text) ->
    case unicode_util:gc(Text) of
        {error, Where} -> erlang:error({badarg, Where});
        Next -> Next
    end.

%% The next character and the rest.
next_char([CP | _] = Text) when is_integer(CP) -> Text;
next_char(Text) ->
    case unicode_util:cp(Text) of
        {error, Where} -> erlang:error({badarg, Where});
        Next -> Next
    end.

-spec is_empty(text()) -> boolean().
is_empty([Head | Tail]) -> is_empty(Head) andalso is_empty(Tail);
is_empty(Text) -> Text =:= [] orelse Text =:= <<>>.

-spec length(text()) -> non_neg_integer().
length(Text) -> length(Text, 0).

length(Text, N) ->
    case next(Text) of
        [_ | Rest] -> length(Rest, N + 1);
        [] -> N
    end.

-spec to_graphemes(text()) -> [grapheme_cluster()].
to_graphemes(Text) ->
    case next(Text) of
        [GC | Rest] -> [GC | to_graphemes(Rest)];
        [] -> []
    end.

-spec reverse(text()) -> [grapheme_cluster()].
reverse(Text) -> reverse(Text, []).

reverse(Text, Acc) ->
    case next(Text) of
        [GC | Rest] -> reverse(Rest, [GC | Acc]);
        [] -> Acc
    end.

%% ---- parts ----

%% An empty text of the kind of the given one.
empty_like(Text) when is_binary(Text) -> <<>>;
empty_like(_Text) -> [].

%% A rest of the text: the end of a binary is a binary (unicode_util may have taken a character off it).
rest_of(Text, Rest) when is_binary(Text), is_list(Rest) -> unicode:characters_to_binary(Rest);
rest_of(_Text, Rest) -> Rest.

%% What comes before a rest: cut out of a binary, or else the characters collected in reverse.
before(Text, Rest, _Acc) when is_binary(Text) ->
    binary:part(Text, 0, byte_size(Text) - rest_size(Rest));
before(_Text, _Rest, Acc) -> lists:reverse(Acc).

rest_size(Rest) when is_binary(Rest) -> byte_size(Rest);
rest_size([CP | Rest]) -> byte_size(<<CP/utf8>>) + rest_size(Rest);
rest_size([]) -> 0.

%% The accumulator to begin with: for the parts of a binary none is needed.
no_chars(Text) when is_binary(Text) -> none;
no_chars(_Text) -> [].

%% Puts a character, a cluster or a binary on top of characters in reverse.
push(_, none) -> none;
push(CP, Acc) when is_integer(CP) -> [CP | Acc];
push(CPs, Acc) when is_list(CPs) -> lists:reverse(CPs, Acc);
push(Bin, Acc) -> lists:reverse(unicode:characters_to_list(Bin), Acc).

-spec slice(text(), non_neg_integer()) -> text().
slice(Text, Start) when is_integer(Start), Start >= 0 -> rest_of(Text, drop(Text, Start)).

-spec slice(text(), non_neg_integer(), infinity | non_neg_integer()) -> text().
slice(Text, Start, Len) when is_integer(Start), Start >= 0, is_integer(Len), Len > 0 ->
    Rest = rest_of(Text, drop(Text, Start)),
    {After, Acc} = collect(Rest, Len, no_chars(Rest)),
    before(Rest, After, Acc);
slice(Text, Start, infinity) -> rest_of(Text, drop(Text, Start));
slice(Text, _Start, 0) -> empty_like(Text).

drop(Text, 0) -> Text;
drop(Text, N) when N > 0 ->
    case next(Text) of
        [_ | Rest] -> drop(Rest, N - 1);
        [] -> []
    end.

collect(Text, 0, Acc) -> {Text, Acc};
collect(Text, N, Acc) ->
    case next(Text) of
        [GC | Rest] -> collect(Rest, N - 1, push(GC, Acc));
        [] -> {[], Acc}
    end.

-spec pad(text(), integer()) -> text().
pad(Text, Len) -> pad(Text, Len, trailing, $\s).

-spec pad(text(), integer(), direction() | both) -> text().
pad(Text, Len, Where) -> pad(Text, Len, Where, $\s).

-spec pad(text(), integer(), direction() | both, grapheme_cluster()) -> text().
pad(Text, Len, leading, Char) when is_integer(Len) -> [padding(Text, Len, Char), Text];
pad(Text, Len, trailing, Char) when is_integer(Len) -> [Text | padding(Text, Len, Char)];
pad(Text, Len, both, Char) when is_integer(Len) ->
    Missing = max(0, Len - length(Text)),
    Half = lists:duplicate(Missing div 2, Char),
    [Half, Text, Half | lists:duplicate(Missing rem 2, Char)].

padding(Text, Len, Char) -> lists:duplicate(max(0, Len - length(Text)), Char).

%% ---- comparing ----

-spec equal(text(), text()) -> boolean().
equal(A, B) when is_binary(A), is_binary(B) -> A =:= B;
equal([], B) -> is_empty(B);
equal(A, B) -> equal_by(fun unicode_util:cp/1, A, B).

-spec equal(text(), text(), boolean()) -> boolean().
equal(A, B, false) -> equal(A, B);
equal(A, B, true) ->
    equal_by(fun(Text) -> unicode_util:cp(unicode_util:casefold(Text)) end, A, B).

-spec equal(text(), text(), boolean(), none | nfc | nfd | nfkc | nfkd) -> boolean().
equal(A, B, IgnoreCase, none) -> equal(A, B, IgnoreCase);
equal(A, A, IgnoreCase, _Norm) when is_boolean(IgnoreCase) -> true;
equal(A, B, false, Norm) ->
    equal_by(fun(Text) -> unicode_util:cp(unicode_util:Norm(Text)) end, A, B);
equal(A, B, true, Norm) ->
    equal_by(fun(Text) -> unicode_util:cp(unicode_util:casefold(unicode_util:Norm(Text))) end,
             A, B).

%% Next gives the next character to compare, and the rest.
equal_by(Next, [A | As], [B | Bs]) when is_integer(A), A =:= B -> equal_by(Next, As, Bs);
equal_by(Next, A, B) ->
    case {Next(A), Next(B)} of
        {[CP | A1], [CP | B1]} -> equal_by(Next, A1, B1);
        {A1, B1} when is_list(A1), is_list(B1) -> A1 =:= B1;
        {{error, Where}, _} -> erlang:error({badarg, Where});
        {_, {error, Where}} -> erlang:error({badarg, Where})
    end.

%% ---- case ----

-spec uppercase(text()) -> text().
uppercase(Text) -> with_case(Text, $a, -32, fun unicode_util:uppercase/1).

-spec lowercase(text()) -> text().
lowercase(Text) -> with_case(Text, $A, 32, fun unicode_util:lowercase/1).

-spec casefold(text()) -> text().
casefold(Text) -> with_case(Text, $A, 32, fun unicode_util:casefold/1).

%% First is the first of the 26 letters to change by Offset; Change is for what is not ASCII.
with_case(Text, First, Offset, Change) when is_binary(Text) ->
    unicode:characters_to_binary(change(Text, First, Offset, Change));
with_case(Text, First, Offset, Change) when is_list(Text) ->
    case change(Text, First, Offset, Change) of
        [] -> Text;
        Changed -> Changed
    end.

change([CP1 | [CP2 | _] = Rest], First, Offset, Change)
  when is_integer(CP1), CP1 < 128, is_integer(CP2), CP2 < 256 ->
    [change_ascii(CP1, First, Offset) | change(Rest, First, Offset, Change)];
change(<<CP1, CP2, _/binary>> = Text, First, Offset, Change) when CP1 < 128, CP2 < 128 ->
    <<_, Rest/binary>> = Text,
    [change_ascii(CP1, First, Offset) | change(Rest, First, Offset, Change)];
change([], _First, _Offset, _Change) -> [];
change(<<>>, _First, _Offset, _Change) -> [];
change(Text, First, Offset, Change) ->
    case Change(Text) of
        [CP | Rest] when is_integer(CP) -> [CP | change(Rest, First, Offset, Change)];
        [CPs | Rest] -> CPs ++ change(Rest, First, Offset, Change);
        [] -> [];
        {error, Where} -> erlang:error({badarg, Where})
    end.

change_ascii(CP, First, Offset) when First =< CP, CP < First + 26 -> CP + Offset;
change_ascii(CP, _First, _Offset) -> CP.

-spec titlecase(text()) -> text().
titlecase(Text) when is_list(Text); is_binary(Text) ->
    case unicode_util:titlecase(Text) of
        [GC | Rest] when is_binary(Text) ->
            Title = unicode:characters_to_binary([GC]),
            <<Title/binary, (rest_of(Text, Rest))/binary>>;
        [CP | Rest] when is_integer(CP), is_list(Rest) -> [CP | Rest];
        [CPs | Rest] when is_list(Rest) -> CPs ++ Rest;
        [GC, Rest] -> [GC, Rest];
        [GC | <<>>] when is_integer(GC) -> [GC];
        [GC | <<>>] -> GC;
        [GC | Rest] -> [GC, Rest];
        [] -> empty_like(Text)
    end.

%% ---- separators ----

%% Separators as `{Clusters, FirstCharacters}`.
separators(Seps) -> {Seps, [first_char(Sep) || Sep <- Seps]}.

first_char(CP) when is_integer(CP) -> CP;
first_char(Cluster) ->
    [CP | _] = unicode_util:cp(Cluster),
    CP.

%% Walks up to the first separator: `{Rest, Acc}`, where Rest starts with it or is [] at the end.
to_separator(Text, {_, Firsts} = Seps, Acc) when is_binary(Text) ->
    case binary:match(Text, [<<CP/utf8>> || CP <- Firsts]) of
        nomatch -> {[], push(Text, Acc)};
        {Pos, _} ->
            <<Before:Pos/binary, Candidate/binary>> = Text,
            try_separator(Candidate, Seps, push(Before, Acc))
    end;
to_separator(Text, {_, Firsts} = Seps, Acc) ->
    case next_char(Text) of
        [CP | Rest] ->
            case lists:member(CP, Firsts) of
                false -> to_separator(Rest, Seps, [CP | Acc]);
                true -> try_separator(Text, Seps, Acc)
            end;
        [] -> {[], Acc}
    end.

try_separator(Text, {Clusters, _} = Seps, Acc) ->
    [GC | Rest] = next(Text),
    case lists:member(GC, Clusters) of
        true -> {Text, Acc};
        false -> to_separator(rest_of(Text, Rest), Seps, push(GC, Acc))
    end.

%% Walks over separators: `{Rest, Acc}`.
over_separators(Text, Clusters, Acc) ->
    case next(Text) of
        [GC | Rest] ->
            case lists:member(GC, Clusters) of
                true -> over_separators(Rest, Clusters, push(GC, Acc));
                false -> {Text, Acc}
            end;
        [] -> {[], Acc}
    end.

%% Walks to the separators at the end: `{Rest, Acc}`, where Rest starts with them or is [].
to_trailing(Text, {Clusters, _} = Seps, Acc) ->
    case to_separator(Text, Seps, Acc) of
        {[], _} = End -> End;
        {Start, AccStart} = Found ->
            case over_separators(Start, Clusters, AccStart) of
                {[], _} -> Found;
                {Rest, AccRest} -> to_trailing(Rest, Seps, AccRest)
            end
    end.

%% Walks behind the last separator.
behind_last(Text, Clusters, Acc, Behind, AccBehind) ->
    case next(Text) of
        [GC | Rest] ->
            NewAcc = push(GC, Acc),
            case lists:member(GC, Clusters) of
                true -> behind_last(Rest, Clusters, NewAcc, Rest, NewAcc);
                false -> behind_last(Rest, Clusters, NewAcc, Behind, AccBehind)
            end;
        [] -> {Behind, AccBehind}
    end.

-spec trim(text()) -> text().
trim(Text) -> trim(Text, both, unicode_util:whitespace()).

-spec trim(text(), direction() | both) -> text().
trim(Text, Where) -> trim(Text, Where, unicode_util:whitespace()).

-spec trim(text(), direction() | both, [grapheme_cluster()]) -> text().
trim(Text, _Where, []) -> Text;
trim(Text, leading, Seps) when is_list(Seps) ->
    {Rest, _} = over_separators(Text, Seps, none),
    rest_of(Text, Rest);
trim(Text, trailing, Seps) when is_list(Seps) ->
    {Rest, Acc} = to_trailing(Text, separators(Seps), no_chars(Text)),
    before(Text, Rest, Acc);
trim(Text, both, Seps) when is_list(Seps) -> trim(trim(Text, leading, Seps), trailing, Seps).

-spec chomp(text()) -> text().
chomp(Text) -> trim(Text, trailing, [[$\r, $\n], $\n]).

-spec take(text(), [grapheme_cluster()]) -> {text(), text()}.
take(Text, Chars) -> take(Text, Chars, false, leading).

-spec take(text(), [grapheme_cluster()], boolean()) -> {text(), text()}.
take(Text, Chars, Complement) -> take(Text, Chars, Complement, leading).

-spec take(text(), [grapheme_cluster()], boolean(), direction()) -> {text(), text()}.
take(Text, [], Complement, Where) ->
    case {Complement, Where} of
        {false, leading} -> {empty_like(Text), Text};
        {true, trailing} -> {empty_like(Text), Text};
        {true, leading} -> {Text, empty_like(Text)};
        {false, trailing} -> {Text, empty_like(Text)}
    end;
take(Text, Chars, Complement, Where) ->
    None = no_chars(Text),
    {Rest, Acc} = case {Complement, Where} of
                      {false, leading} -> over_separators(Text, Chars, None);
                      {true, leading} -> to_separator(Text, separators(Chars), None);
                      {false, trailing} -> to_trailing(Text, separators(Chars), None);
                      {true, trailing} -> behind_last(Text, Chars, None, Text, None)
                  end,
    case Where of
        leading -> {before(Text, Rest, Acc), rest_of(Text, Rest)};
        trailing -> {before(Text, Rest, Acc), flat_rest(Text, Rest)}
    end.

%% The end of a list is given as flat as its beginning.
flat_rest(Text, Rest) when is_binary(Text) -> rest_of(Text, Rest);
flat_rest(_Text, Rest) -> unicode:characters_to_list(Rest).

-spec lexemes(text(), [grapheme_cluster()]) -> [text()].
lexemes([], _Seps) -> [];
lexemes(Text, []) -> [Text];
lexemes(Text, Seps) when is_list(Seps) -> lexemes_of(Text, separators(Seps)).

lexemes_of(Text, {Clusters, _} = Seps) ->
    case over_separators(Text, Clusters, none) of
        {[], _} -> [];
        {Start, _} ->
            {Rest, Acc} = to_separator(Start, Seps, no_chars(Start)),
            [before(Start, Rest, Acc) | lexemes_of(Rest, Seps)]
    end.

-spec nth_lexeme(text(), pos_integer(), [grapheme_cluster()]) -> text().
nth_lexeme(Text, 1, []) -> Text;
nth_lexeme(Text, N, Seps) when is_list(Seps), is_integer(N), N > 0 ->
    nth_lexeme_of(Text, N, separators(Seps)).

nth_lexeme_of(Text, N, {Clusters, _} = Seps) ->
    case over_separators(Text, Clusters, none) of
        {[], _} -> empty_like(Text);
        {Start, _} ->
            {Rest, Acc} = to_separator(Start, Seps, no_chars(Start)),
            case N of
                1 -> before(Start, Rest, Acc);
                _ -> nth_lexeme_of(rest_of(Text, Rest), N - 1, Seps)
            end
    end.

%% ---- searching ----

-spec prefix(text(), text()) -> nomatch | text().
prefix(Text, Prefix) ->
    case unicode:characters_to_list(Prefix) of
        [] -> Text;
        CPs ->
            case after_prefix(Text, CPs) of
                nomatch -> nomatch;
                Rest -> rest_of(Text, Rest)
            end
    end.

%% The last character must be a cluster of its own, or else the prefix ends within a cluster.
after_prefix(Text, [Last]) ->
    case unicode_util:gc(Text) of
        [Last | Rest] -> Rest;
        _ -> nomatch
    end;
after_prefix(Text, [CP | CPs]) ->
    case unicode_util:cp(Text) of
        [CP | Rest] -> after_prefix(Rest, CPs);
        _ -> nomatch
    end.

-spec find(text(), text()) -> nomatch | text().
find(Text, Pattern) -> find(Text, Pattern, leading).

-spec find(text(), text(), direction()) -> nomatch | text().
find(Text, [], _Where) -> Text;
find(Text, <<>>, _Where) -> Text;
find(Text, Pattern, Where) when Where =:= leading; Where =:= trailing ->
    case locate(Text, unicode:characters_to_list(Pattern), Where) of
        nomatch -> nomatch;
        {Start, _Acc, _After} -> Start
    end.

locate(Text, CPs, trailing) -> locate_last(Text, CPs, no_chars(Text), nomatch);
locate(Text, CPs, _First) -> locate_first(Text, CPs, no_chars(Text)).

%% `{Start, Acc, After}`: the text from the match on, the characters before it in reverse, and the text
%% after the match.
locate_first(Text, CPs, Acc) when is_binary(Text) ->
    case binary:match(Text, unicode:characters_to_binary(CPs)) of
        nomatch -> nomatch;
        {Pos, _} ->
            <<Before:Pos/binary, Start/binary>> = Text,
            Acc1 = push(Before, Acc),
            case after_prefix(Start, CPs) of
                nomatch ->
                    [CP | Rest] = next_char(Start),
                    locate_first(Rest, CPs, push(CP, Acc1));
                After -> {Start, Acc1, After}
            end
    end;
locate_first(Text, [First | _] = CPs, Acc) ->
    case next_char(Text) of
        [First | Rest] ->
            case after_prefix(Text, CPs) of
                nomatch -> locate_first(Rest, CPs, [First | Acc]);
                After -> {Text, Acc, After}
            end;
        [CP | Rest] -> locate_first(Rest, CPs, [CP | Acc]);
        [] -> nomatch
    end.

locate_last(Text, CPs, Acc, Last) ->
    case locate_first(Text, CPs, Acc) of
        nomatch -> Last;
        {Start, AccStart, _} = Found ->
            [CP | Rest] = next_char(Start),
            locate_last(Rest, CPs, push(CP, AccStart), Found)
    end.

-spec split(text(), text()) -> [text()].
split(Text, Pattern) -> split(Text, Pattern, leading).

-spec split(text(), text(), direction() | all) -> [text()].
split(Text, Pattern, Where) ->
    case is_empty(Pattern) of
        true -> [Text];
        false -> split_at(Text, unicode:characters_to_list(Pattern), Where)
    end.

split_at(Text, CPs, Where) ->
    case locate(Text, CPs, Where) of
        nomatch -> [Text];
        {Start, Acc, After} when Where =:= all ->
            [before(Text, Start, Acc) | split_all(rest_of(Text, After), CPs)];
        {Start, Acc, After} when Where =:= leading; Where =:= trailing ->
            [before(Text, Start, Acc), rest_of(Text, After)]
    end.

split_all(Text, CPs) ->
    case locate(Text, CPs, leading) of
        nomatch -> [whole(Text)];
        {Start, Acc, After} -> [before(Text, Start, Acc) | split_all(rest_of(Text, After), CPs)]
    end.

whole(Text) when is_binary(Text) -> Text;
whole(Text) -> unicode:characters_to_list(Text).

-spec replace(text(), text(), text()) -> [text()].
replace(Text, Pattern, Replacement) -> lists:join(Replacement, split(Text, Pattern)).

-spec replace(text(), text(), text(), direction() | all) -> [text()].
replace(Text, Pattern, Replacement, Where) ->
    lists:join(Replacement, split(Text, Pattern, Where)).

%% ---- numbers ----

-spec to_integer(text()) -> {integer(), text()} | {error, no_integer | badarg}.
to_integer(Text) -> to_number(Text, "+-0123456789", no_integer, fun string:list_to_integer/1).

-spec to_float(text()) -> {float(), text()} | {error, no_float | badarg}.
to_float(Text) -> to_number(Text, "+-0123456789eE.,", no_float, fun string:list_to_float/1).

to_number(Text, Chars, NoNumber, Convert) ->
    try
        {Head, Tail} = take(Text, Chars),
        case unicode:characters_to_list(Head) of
            [] -> {error, NoNumber};
            Digits ->
                case Convert(Digits) of
                    {error, _} = Error -> Error;
                    {Number, Rest} when is_binary(Text) ->
                        Used = erlang:length(Digits) - erlang:length(Rest),
                        <<_:Used/binary, After/binary>> = Text,
                        {Number, After};
                    {Number, Rest} -> {Number, Rest ++ Tail}
                end
        end
    catch
        _:_ -> {error, badarg}
    end.

%% ---- obsolete functions on flat strings ----

-spec len(string()) -> non_neg_integer().
len(String) -> erlang:length(String).

-spec concat(string(), string()) -> string().
concat(String1, String2) -> String1 ++ String2.

-spec chr(string(), char()) -> non_neg_integer().
chr(String, Char) when is_integer(Char) -> chr(String, Char, 1).

chr([Char | _], Char, N) -> N;
chr([_ | String], Char, N) -> chr(String, Char, N + 1);
chr([], _Char, _N) -> 0.

-spec rchr(string(), char()) -> non_neg_integer().
rchr(String, Char) when is_integer(Char) -> rchr(String, Char, 1, 0).

rchr([Char | String], Char, N, _Last) -> rchr(String, Char, N + 1, N);
rchr([_ | String], Char, N, Last) -> rchr(String, Char, N + 1, Last);
rchr([], _Char, _N, Last) -> Last.

%% Positions where an empty string would be found are not counted.
-spec str(string(), string()) -> non_neg_integer().
str(String, Sub) when is_list(Sub) -> str(String, Sub, 1).

str([Char | Rest] = String, [Char | _] = Sub, N) ->
    case lists:prefix(Sub, String) of
        true -> N;
        false -> str(Rest, Sub, N + 1)
    end;
str([_ | Rest], Sub, N) -> str(Rest, Sub, N + 1);
str([], _Sub, _N) -> 0.

-spec rstr(string(), string()) -> non_neg_integer().
rstr(String, Sub) when is_list(Sub) -> rstr(String, Sub, 1, 0).

rstr([Char | Rest] = String, [Char | _] = Sub, N, Last) ->
    case lists:prefix(Sub, String) of
        true -> rstr(Rest, Sub, N + 1, N);
        false -> rstr(Rest, Sub, N + 1, Last)
    end;
rstr([_ | Rest], Sub, N, Last) -> rstr(Rest, Sub, N + 1, Last);
rstr([], _Sub, _N, Last) -> Last.

-spec span(string(), string()) -> non_neg_integer().
span(String, Chars) when is_list(Chars) -> span(String, Chars, true, 0).

-spec cspan(string(), string()) -> non_neg_integer().
cspan(String, Chars) when is_list(Chars) -> span(String, Chars, false, 0).

span([Char | String], Chars, Wanted, N) ->
    case lists:member(Char, Chars) of
        Wanted -> span(String, Chars, Wanted, N + 1);
        _ -> N
    end;
span([], _Chars, _Wanted, N) -> N.

-spec substr(string(), pos_integer()) -> string().
substr(String, 1) when is_list(String) -> String;
substr(String, Start) when is_integer(Start), Start > 1 -> from(String, Start).

-spec substr(string(), pos_integer(), non_neg_integer()) -> string().
substr(String, Start, Len) when is_integer(Start), Start >= 1, is_integer(Len), Len >= 0 ->
    up_to(from(String, Start), Len).

from(String, 1) when is_list(String) -> String;
from([_ | String], Start) -> from(String, Start - 1).

up_to([Char | String], Len) when Len > 0 -> [Char | up_to(String, Len - 1)];
up_to(String, _Len) when is_list(String) -> [].

-spec sub_string(string(), pos_integer()) -> string().
sub_string(String, Start) -> substr(String, Start).

-spec sub_string(string(), pos_integer(), pos_integer()) -> string().
sub_string(String, Start, Stop) -> substr(String, Start, Stop - Start + 1).

-spec tokens(string(), string()) -> [nonempty_string()].
tokens(String, Seps) ->
    case Seps of
        [_ | _] -> tokens(lists:reverse(String), Seps, [], []);
        [] ->
            case String of
                [_ | _] -> [String];
                [] -> []
            end
    end.

%% From the end, so that the tokens come out in order.
tokens([Char | String], Seps, Token, Tokens) ->
    case lists:member(Char, Seps) of
        false -> tokens(String, Seps, [Char | Token], Tokens);
        true when Token =:= [] -> tokens(String, Seps, [], Tokens);
        true -> tokens(String, Seps, [], [Token | Tokens])
    end;
tokens([], _Seps, [], Tokens) -> Tokens;
tokens([], _Seps, Token, Tokens) -> [Token | Tokens].

-spec join([string()], string()) -> string().
join([], Sep) when is_list(Sep) -> [];
join([String | Strings], Sep) -> String ++ lists:append([Sep ++ Other || Other <- Strings]).

-spec chars(char(), non_neg_integer()) -> string().
chars(Char, N) -> chars(Char, N, []).

-spec chars(char(), non_neg_integer(), string()) -> string().
chars(Char, N, Tail) when N > 0 -> chars(Char, N - 1, [Char | Tail]);
chars(Char, 0, Tail) when is_integer(Char) -> Tail.

-spec copies(string(), non_neg_integer()) -> string().
copies(String, N) when is_list(String), is_integer(N), N >= 0 ->
    lists:foldl(fun(Copy, Acc) -> Copy ++ Acc end, [], lists:duplicate(N, String)).

-spec strip(string()) -> string().
strip(String) -> strip(String, both).

-spec strip(string(), left | right | both) -> string().
strip(String, Where) when Where =:= left; Where =:= right; Where =:= both ->
    strip(String, Where, $\s).

-spec strip(string(), left | right | both, char()) -> string().
strip(String, left, Char) -> strip_left(String, Char);
strip(String, right, Char) -> strip_right(String, Char);
strip(String, both, Char) -> strip_right(strip_left(String, Char), Char).

strip_left([Char | String], Char) -> strip_left(String, Char);
strip_left(String, Char) when is_list(String), is_integer(Char) -> String.

strip_right([Char | String], Char) ->
    case strip_right(String, Char) of
        [] -> [];
        Rest -> [Char | Rest]
    end;
strip_right([Other | String], Char) -> [Other | strip_right(String, Char)];
strip_right([], Char) when is_integer(Char) -> [].

-spec words(string()) -> pos_integer().
words(String) -> words(String, $\s).

%% One more than the gaps between words: an empty string has one word.
-spec words(string(), char()) -> pos_integer().
words(String, Char) when is_integer(Char) -> gaps(strip(String, both, Char), Char) + 1.

gaps([Char | String], Char) -> 1 + gaps(strip(String, left, Char), Char);
gaps([_ | String], Char) -> gaps(String, Char);
gaps([], _Char) -> 0.

-spec sub_word(string(), integer()) -> string().
sub_word(String, N) -> sub_word(String, N, $\s).

-spec sub_word(string(), integer(), char()) -> string().
sub_word(String, N, Char) when is_integer(N), is_integer(Char) ->
    case words(String, Char) < N of
        true -> [];
        false -> word(strip(String, left, Char), N, Char)
    end.

word(String, 1, Char) -> lists:takewhile(fun(C) -> C =/= Char end, String);
word([Char | String], N, Char) when N > 1 -> word(strip(String, left, Char), N - 1, Char);
word([_ | String], N, Char) when N > 1 -> word(String, N, Char);
word([], _N, _Char) -> [].

-spec left(string(), non_neg_integer()) -> string().
left(String, Len) when is_integer(Len) -> left(String, Len, $\s).

-spec left(string(), non_neg_integer(), char()) -> string().
left(String, Len, Char) when is_integer(Char) ->
    case Len - erlang:length(String) of
        Missing when Missing >= 0 -> String ++ chars(Char, Missing);
        _ -> substr(String, 1, Len)
    end.

-spec right(string(), non_neg_integer()) -> string().
right(String, Len) when is_integer(Len) -> right(String, Len, $\s).

-spec right(string(), non_neg_integer(), char()) -> string().
right(String, Len, Char) when is_integer(Char) ->
    case Len - erlang:length(String) of
        Missing when Missing >= 0 -> chars(Char, Missing, String);
        Surplus -> substr(String, 1 - Surplus)
    end.

-spec centre(string(), non_neg_integer()) -> string().
centre(String, Len) when is_integer(Len) -> centre(String, Len, $\s).

-spec centre(string(), non_neg_integer(), char()) -> string().
centre(String, 0, Char) when is_list(String), is_integer(Char) -> [];
centre(String, Len, Char) when is_integer(Char) ->
    case Len - erlang:length(String) of
        Missing when Missing >= 0 ->
            Before = Missing div 2,
            chars(Char, Before, String ++ chars(Char, Missing - Before));
        Surplus -> substr(String, -Surplus div 2 + 1, Len)
    end.

%% Latin-1 only.
-spec to_lower(string()) -> string();
              (char()) -> char().
to_lower(String) when is_list(String) -> [lower(Char) || Char <- String];
to_lower(Char) when is_integer(Char) -> lower(Char).

lower(Char) when is_integer(Char), Char >= $A, Char =< $Z -> Char + 32;
lower(Char) when is_integer(Char), Char >= 16#C0, Char =< 16#DE, Char =/= 16#D7 -> Char + 32;
lower(Char) -> Char.

-spec to_upper(string()) -> string();
              (char()) -> char().
to_upper(String) when is_list(String) -> [upper(Char) || Char <- String];
to_upper(Char) when is_integer(Char) -> upper(Char).

upper(Char) when is_integer(Char), Char >= $a, Char =< $z -> Char - 32;
upper(Char) when is_integer(Char), Char >= 16#E0, Char =< 16#FE, Char =/= 16#F7 -> Char - 32;
upper(Char) -> Char.
