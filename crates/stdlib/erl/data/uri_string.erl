%% uri_string: URIs after RFC 3986, and the query strings of HTML forms.
%%
%% A URI is text in a list or in a binary; what comes out is of the same kind. In between everything is a
%% list of characters. Errors are values, `{error, Kind, Term}`; Term says what is wrong and may be less exact
%% than OTP's.
-module(uri_string).

-export([allowed_characters/0, compose_query/1, compose_query/2, dissect_query/1, is_host/1,
         is_path/1, normalize/1, normalize/2, parse/1, percent_decode/1, quote/1, quote/2,
         recompose/1, resolve/2, resolve/3, transcode/2, unquote/1]).

-export_type([error/0, uri_map/0, uri_string/0]).

-type uri_string() :: unicode:chardata().
-type uri_map() :: #{fragment => unicode:chardata(), host => unicode:chardata(),
                     path => unicode:chardata(), port => non_neg_integer() | undefined,
                     query => unicode:chardata(), scheme => unicode:chardata(),
                     userinfo => unicode:chardata()}.
-type error() :: {error, atom(), term()}.

-define(IS_ALPHA(C), C >= $a, C =< $z; C >= $A, C =< $Z).
-define(IS_DIGIT(C), C >= $0, C =< $9).

%% ---- characters ----

is_unreserved(C) when ?IS_ALPHA(C); ?IS_DIGIT(C) -> true;
is_unreserved(C) -> lists:member(C, "-._~").

is_sub_delim(C) -> lists:member(C, "!$&'()*+,;=").

is_reserved(C) -> lists:member(C, ":/?#[]@") orelse is_sub_delim(C).

%% The characters of a part; a percent sign stands for an encoded character.
is_scheme(C) when ?IS_ALPHA(C); ?IS_DIGIT(C) -> true;
is_scheme(C) -> lists:member(C, "+-.").

is_regname(C) -> is_unreserved(C) orelse is_sub_delim(C) orelse C =:= $%.

is_userinfo(C) -> is_regname(C) orelse C =:= $:.

is_ipv4(C) -> C =:= $. orelse (C >= $0 andalso C =< $9).

is_ipv6(C) -> C =:= $: orelse is_ipv4(C) orelse is_hex(C).

%% A character of a host name or address.
-spec is_host(char()) -> boolean().
is_host(C) -> (is_regname(C) orelse C =:= $:) andalso C =/= $%.

-spec is_path(char()) -> boolean().
is_path(C) -> is_userinfo(C) orelse C =:= $@ orelse C =:= $/.

is_query(C) -> is_path(C) orelse C =:= $?.

is_hex(C) when ?IS_DIGIT(C) -> true;
is_hex(C) -> (C >= $a andalso C =< $f) orelse (C >= $A andalso C =< $F).

-spec allowed_characters() -> [{atom(), string()}].
allowed_characters() ->
    [{Part, [C || C <- lists:seq(0, 127), Is(C)]}
     || {Part, Is} <- [{scheme, fun is_scheme/1}, {userinfo, fun is_userinfo/1},
                       {host, fun is_host/1}, {ipv4, fun is_ipv4/1}, {ipv6, fun is_ipv6/1},
                       {regname, fun is_regname/1}, {path, fun is_path/1}, {query, fun is_query/1},
                       {fragment, fun is_query/1}, {reserved, fun is_reserved/1},
                       {unreserved, fun is_unreserved/1}]].

%% ---- lists and binaries ----

chars(Text) ->
    case unicode:characters_to_list(Text) of
        Chars when is_list(Chars) -> Chars;
        {_, _, Rest} -> throw({error, invalid_uri, Rest})
    end.

like(Text, Chars) when is_binary(Text) -> unicode:characters_to_binary(Chars);
like(_Text, Chars) -> Chars.

%% ---- parsing ----

-spec parse(uri_string()) -> uri_map() | error().
parse(Text) when is_list(Text); is_binary(Text) ->
    try maps:map(fun(port, Port) -> Port;
                    (_, Chars) -> like(Text, Chars)
                 end, parse_chars(chars(Text)))
    catch throw:{error, _, _} = Error -> Error
    end.

parse_chars(Chars) ->
    {BeforeFragment, Fragment} = cut($#, Chars),
    {BeforeQuery, Query} = cut($?, BeforeFragment),
    {Scheme, Hierarchy} = parse_scheme(BeforeQuery),
    try
        Parts = parse_hierarchy(Hierarchy),
        check(fun is_query/1, Query),
        check(fun is_query/1, Fragment),
        maps:merge(Parts, given([{scheme, Scheme}, {query, Query}, {fragment, Fragment}]))
    catch
        %% What looks like a scheme is blamed.
        throw:{error, invalid_uri, _} when Scheme =/= none -> throw({error, invalid_uri, ":"})
    end.

given(Parts) -> maps:from_list([Part || {_, Value} = Part <- Parts, Value =/= none]).

%% What is before and after the first of a character.
cut(C, Chars) ->
    case lists:splitwith(fun(Char) -> Char =/= C end, Chars) of
        {All, []} -> {All, none};
        {Before, [C | After]} -> {Before, After}
    end.

check(_Is, none) -> ok;
check(Is, Chars) ->
    case lists:dropwhile(Is, Chars) of
        [] -> ok;
        [C | _] -> throw({error, invalid_uri, [C]})
    end.

parse_scheme(Chars) ->
    case lists:splitwith(fun(C) -> C =/= $: andalso C =/= $/ end, Chars) of
        {[C | _] = Scheme, [$: | Rest]} when ?IS_ALPHA(C) ->
            case lists:all(fun is_scheme/1, Scheme) of
                true -> {Scheme, Rest};
                false -> no_scheme(Scheme)
            end;
        {First, [$: | _]} -> no_scheme(First);
        _ -> {none, Chars}
    end.

%% The first part of a relative path has no colon.
no_scheme(Part) ->
    check(fun is_path/1, Part),
    throw({error, invalid_uri, ":"}).

parse_hierarchy("//" ++ Rest) ->
    {Authority, Path} = lists:splitwith(fun(C) -> C =/= $/ end, Rest),
    check(fun is_path/1, Path),
    maps:merge(parse_authority(Authority), #{path => Path});
parse_hierarchy(Path) ->
    check(fun is_path/1, Path),
    #{path => Path}.

parse_authority(Authority) ->
    {UserInfo, HostPort} = case cut($@, Authority) of
                               {_, none} -> {none, Authority};
                               {User, Rest} -> {User, Rest}
                           end,
    check(fun is_userinfo/1, UserInfo),
    {Host, Port} = parse_host(HostPort),
    maps:merge(given([{userinfo, UserInfo}]), maps:merge(#{host => Host}, parse_port(Port))).

parse_host([$[ | Rest]) ->
    {Address, After} = cut($], Rest),
    case is_ipv6_address(Address) of
        true when After =:= [] -> {Address, none};
        true when hd(After) =:= $: -> {Address, tl(After)};
        _ ->
            check(fun is_ipv6/1, Address),
            throw({error, invalid_uri, Address})
    end;
parse_host(HostPort) ->
    {Host, Port} = cut($:, HostPort),
    check(fun is_regname/1, Host),
    {Host, Port}.

parse_port(none) -> #{};
parse_port([]) -> #{port => undefined};
parse_port(Digits) ->
    check(fun(C) -> C >= $0 andalso C =< $9 end, Digits),
    #{port => list_to_integer(Digits)}.

%% Up to eight groups of hexadecimal digits, the last two of them perhaps as an IPv4 address; one "::" stands
%% for the groups that are missing.
is_ipv6_address(Chars) ->
    case string:split(Chars, "::", all) of
        [Groups] -> count_groups(Groups) =:= 8;
        [Left, Right] ->
            case {count_groups_or_none(Left), count_groups_or_none(Right)} of
                {L, R} when is_integer(L), is_integer(R) -> L + R =< 7;
                _ -> false
            end;
        _ -> false
    end.

count_groups_or_none([]) -> 0;
count_groups_or_none(Groups) -> count_groups(Groups).

count_groups(Chars) ->
    Groups = string:split(Chars, ":", all),
    {Last, Others} = {lists:last(Groups), lists:droplast(Groups)},
    case lists:all(fun is_group/1, Others) andalso {is_group(Last), is_ipv4_address(Last)} of
        {true, _} -> length(Groups);
        {_, true} -> length(Groups) + 1;
        _ -> invalid
    end.

is_group(Group) -> length(Group) >= 1 andalso length(Group) =< 4 andalso lists:all(fun is_hex/1, Group).

is_ipv4_address(Chars) ->
    Numbers = string:split(Chars, ".", all),
    length(Numbers) =:= 4 andalso lists:all(fun is_decimal_byte/1, Numbers).

is_decimal_byte(Digits) ->
    Digits =/= [] andalso length(Digits) =< 3 andalso
        lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Digits) andalso
        list_to_integer(Digits) =< 255.

%% ---- putting together ----

-spec recompose(uri_map()) -> uri_string() | error().
recompose(Map) when is_map(Map) ->
    case is_valid_map(Map) of
        true ->
            Texts = [Text || {Key, Text} <- maps:to_list(Map), Key =/= port],
            Chars = recompose_chars(maps:map(fun(port, Port) -> Port;
                                                (_, Text) -> chars(Text)
                                             end, Map)),
            case lists:all(fun is_binary/1, Texts) of
                true -> unicode:characters_to_binary(Chars);
                false -> Chars
            end;
        false -> {error, invalid_map, Map}
    end.

is_valid_map(Map) ->
    is_map_key(path, Map) andalso
        maps:keys(Map) -- [fragment, host, path, port, query, scheme, userinfo] =:= [].

recompose_chars(#{path := Path} = Map) ->
    Scheme = case Map of
                 #{scheme := S} -> S ++ ":";
                 #{} -> ""
             end,
    Scheme ++ authority(Map) ++ encoded(fun is_path/1, rooted(Path, Map))
        ++ prefixed($?, query, Map) ++ prefixed($#, fragment, Map).

%% A path that follows a host starts with a slash.
rooted([C | _] = Path, #{host := _}) when C =/= $/ -> [$/ | Path];
rooted(Path, _Map) -> Path.

prefixed(C, Key, Map) ->
    case Map of
        #{Key := Chars} -> [C | encoded(fun is_query/1, Chars)];
        #{} -> ""
    end.

authority(#{host := Host} = Map) ->
    UserInfo = case Map of
                   #{userinfo := User} -> encoded(fun is_userinfo/1, User) ++ "@";
                   #{} -> ""
               end,
    Port = case Map of
               #{port := undefined} -> ":";
               #{port := Number} -> [$: | integer_to_list(Number)];
               #{} -> ""
           end,
    "//" ++ UserInfo ++ encoded_host(Host) ++ Port;
authority(Map) when not is_map_key(userinfo, Map), not is_map_key(port, Map) -> "".

encoded_host(Host) ->
    case is_ipv6_address(Host) of
        true -> "[" ++ Host ++ "]";
        false -> encoded(fun is_regname/1, Host)
    end.

encoded(Is, Chars) ->
    lists:flatmap(fun(C) ->
                      case Is(C) of
                          true -> [C];
                          false -> percent(C)
                      end
                  end, Chars).

%% A character in UTF-8, percent-encoded.
percent(C) -> percent_bytes(<<C/utf8>>).

percent_bytes(Bytes) ->
    lists:append([[$%, hex_digit(High), hex_digit(Low)] || <<High:4, Low:4>> <= Bytes]).

hex_digit(N) when N < 10 -> $0 + N;
hex_digit(N) -> $A + N - 10.

%% ---- normal form ----

-spec normalize(uri_string() | uri_map()) -> uri_string() | error().
normalize(Uri) -> normalize(Uri, []).

-spec normalize(uri_string() | uri_map(), [] | [return_map]) -> uri_string() | uri_map() | error().
normalize(Uri, Options) ->
    with_map(Uri, fun(Map) ->
        Normal = default_port(normal_path(normal_parts(Map))),
        case Options of
            [return_map] -> Normal;
            [] -> recompose(Normal)
        end
    end).

%% Calls Fun on the parts of a URI, given as text or as a map.
with_map(Map, Fun) when is_map(Map) ->
    try Fun(Map)
    catch throw:{error, _, _} = Error -> Error
    end;
with_map(Text, Fun) ->
    case parse(Text) of
        {error, _, _} = Error -> Error;
        Map -> with_map(Map, Fun)
    end.

%% Scheme and host in lower case; encoded characters in upper case, or plain where that makes no difference.
normal_parts(Map) ->
    maps:map(fun(port, Port) -> Port;
                (Key, Text) ->
                    Chars = normal_percent(chars(Text)),
                    like(Text, case Key =:= scheme orelse Key =:= host of
                                   true -> lower(Chars);
                                   false -> Chars
                               end)
             end, Map).

lower([$%, A, B | Chars]) -> [$%, A, B | lower(Chars)];
lower([C | Chars]) when C >= $A, C =< $Z -> [C + 32 | lower(Chars)];
lower([C | Chars]) -> [C | lower(Chars)];
lower([]) -> [].

normal_percent([$%, A, B | Chars]) ->
    case byte_of(A, B) of
        Byte when Byte < 128 ->
            case is_unreserved(Byte) of
                true -> [Byte | normal_percent(Chars)];
                false -> percent_bytes(<<Byte>>) ++ normal_percent(Chars)
            end;
        Byte -> percent_bytes(<<Byte>>) ++ normal_percent(Chars)
    end;
normal_percent([C | Chars]) -> [C | normal_percent(Chars)];
normal_percent([]) -> [].

byte_of(A, B) ->
    case is_hex(A) andalso is_hex(B) of
        true -> list_to_integer([A, B], 16);
        false -> throw({error, invalid_percent_encoding, unicode:characters_to_binary([$%, A, B])})
    end.

normal_path(#{path := Path} = Map) ->
    Map#{path := like(Path, without_dots(chars(Path)))}.

%% RFC 3986, section 5.2.4.
without_dots(Path) -> without_dots(Path, []).

without_dots([], Acc) -> lists:reverse(Acc);
without_dots("../" ++ Path, Acc) -> without_dots(Path, Acc);
without_dots("./" ++ Path, Acc) -> without_dots(Path, Acc);
without_dots("/./" ++ Path, Acc) -> without_dots([$/ | Path], Acc);
without_dots("/.", Acc) -> without_dots("/", Acc);
without_dots("/../" ++ Path, Acc) -> without_dots([$/ | Path], without_last(Acc));
without_dots("/..", Acc) -> without_dots("/", without_last(Acc));
without_dots(".", Acc) -> without_dots([], Acc);
without_dots("..", Acc) -> without_dots([], Acc);
without_dots([C | Path], Acc) ->
    {Segment, Rest} = lists:splitwith(fun(Char) -> Char =/= $/ end, Path),
    without_dots(Rest, lists:reverse(Segment, [C | Acc])).

without_last([$/ | Acc]) -> Acc;
without_last([_ | Acc]) -> without_last(Acc);
without_last([]) -> [].

default_port(#{port := undefined} = Map) -> default_port(maps:remove(port, Map));
default_port(#{scheme := Scheme} = Map) ->
    SchemeChars = chars(Scheme),
    NoPort = case {SchemeChars, Map} of
                 {"http", #{port := 80}} -> maps:remove(port, Map);
                 {"https", #{port := 443}} -> maps:remove(port, Map);
                 {"ftp", #{port := 21}} -> maps:remove(port, Map);
                 {"ssh", #{port := 22}} -> maps:remove(port, Map);
                 {"sftp", #{port := 22}} -> maps:remove(port, Map);
                 {"tftp", #{port := 69}} -> maps:remove(port, Map);
                 _ -> Map
             end,
    case NoPort of
        #{path := Path} when Path =:= ""; Path =:= <<>> ->
            case SchemeChars =:= "http" orelse SchemeChars =:= "https" of
                true -> NoPort#{path := like(Path, "/")};
                false -> NoPort
            end;
        _ -> NoPort
    end;
default_port(Map) -> Map.

%% ---- references ----

-spec resolve(uri_string() | uri_map(), uri_string() | uri_map()) -> uri_string() | error().
resolve(Ref, Base) -> resolve(Ref, Base, []).

%% RFC 3986, section 5.2.2.
-spec resolve(uri_string() | uri_map(), uri_string() | uri_map(), [] | [return_map]) ->
          uri_string() | uri_map() | error().
resolve(Ref, Base, Options) ->
    with_map(Ref, fun(RefMap) ->
        Target = case is_map_key(scheme, RefMap) of
                     true -> normal_path(RefMap);
                     false -> with_map(Base, fun(BaseMap) -> against(RefMap, BaseMap) end)
                 end,
        case {Target, Options} of
            {{error, _, _}, _} -> Target;
            {_, [return_map]} -> Target;
            {_, []} -> recompose(Target)
        end
    end).

against(_Ref, Base) when not is_map_key(scheme, Base) -> {error, invalid_scheme, ""};
against(#{host := _} = Ref, #{scheme := Scheme}) -> normal_path(Ref#{scheme => Scheme});
against(#{path := RefPath} = Ref, #{path := BasePath} = Base) ->
    Common = maps:merge(maps:with([scheme, userinfo, host, port], Base), maps:with([fragment], Ref)),
    case chars(RefPath) of
        [] ->
            Query = case is_map_key(query, Ref) of
                        true -> maps:with([query], Ref);
                        false -> maps:with([query], Base)
                    end,
            maps:merge(Common#{path => BasePath}, Query);
        [$/ | _] -> normal_path(maps:merge(Common#{path => RefPath}, maps:with([query], Ref)));
        Chars ->
            Path = like(RefPath, merged(Chars, chars(BasePath), Base)),
            normal_path(maps:merge(Common#{path => Path}, maps:with([query], Ref)))
    end.

merged(Ref, [], #{host := _}) -> [$/ | Ref];
merged(Ref, BasePath, _Base) ->
    Dir = lists:dropwhile(fun(C) -> C =/= $/ end, lists:reverse(BasePath)),
    lists:reverse(Dir, Ref).

%% ---- percent encoding ----

-spec quote(unicode:chardata()) -> unicode:chardata().
quote(Text) -> quote(Text, "").

-spec quote(unicode:chardata(), unicode:chardata()) -> unicode:chardata().
quote(Text, Safe) when is_list(Text); is_binary(Text) ->
    SafeChars = unicode:characters_to_list(Safe),
    IsSafe = fun(C) -> is_unreserved(C) orelse lists:member(C, SafeChars) end,
    case unicode:characters_to_list(Text) of
        Chars when is_list(Chars) -> like(Text, encoded(IsSafe, Chars));
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end.

-spec unquote(unicode:chardata()) -> unicode:chardata() | error().
unquote(Text) -> percent_decode(Text).

-spec percent_decode(uri_string() | uri_map()) -> uri_string() | uri_map() | error().
percent_decode(Map) when is_map(Map) ->
    try maps:map(fun(port, Port) -> Port;
                    (Key, Text) ->
                        try decoded(Text)
                        catch throw:{error, Kind, Term} when is_list(Text) ->
                            throw({error, {invalid, {Key, {Kind, Term}}}})
                        end
                 end, Map)
    catch throw:Error -> Error
    end;
percent_decode(Text) when is_list(Text); is_binary(Text) ->
    try decoded(Text)
    catch throw:{error, _, _} = Error -> Error
    end.

decoded(Text) ->
    Bytes = decoded_bytes(chars(Text), <<>>),
    case unicode:characters_to_list(Bytes) of
        Chars when is_list(Chars) -> like(Text, Chars);
        _ -> throw({error, invalid_utf8, Bytes})
    end.

%% A percent sign with fewer than two characters after it stands for itself.
decoded_bytes([$%, A, B | Chars], Acc) -> decoded_bytes(Chars, <<Acc/binary, (byte_of(A, B))>>);
decoded_bytes([C | Chars], Acc) -> decoded_bytes(Chars, <<Acc/binary, C/utf8>>);
decoded_bytes([], Acc) -> Acc.

%% ---- other encodings ----

-spec transcode(uri_string(), [{in_encoding | out_encoding, unicode:encoding()}]) ->
          uri_string() | error().
transcode(Text, Options) when is_list(Text); is_binary(Text) ->
    In = proplists:get_value(in_encoding, Options, utf8),
    Out = proplists:get_value(out_encoding, Options, utf8),
    try
        Chars = transcoded(to_chars(Text, In), In, Out),
        case is_binary(Text) of
            true -> to_bytes(Chars, Out);
            false -> Chars
        end
    catch throw:{error, _, _} = Error -> Error
    end.

to_chars(Bytes, In) ->
    case unicode:characters_to_list(Bytes, In) of
        Chars when is_list(Chars) -> Chars;
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end.

to_bytes(Chars, Out) ->
    case unicode:characters_to_binary(Chars, unicode, Out) of
        Bytes when is_binary(Bytes) -> Bytes;
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end.

%% Encoded bytes in a row make up characters.
transcoded([$%, _, _ | _] = Chars, In, Out) ->
    {Bytes, Rest} = encoded_run(Chars, <<>>),
    percent_bytes(to_bytes(to_chars(Bytes, In), Out)) ++ transcoded(Rest, In, Out);
transcoded([C | Chars], In, Out) -> [C | transcoded(Chars, In, Out)];
transcoded([], _In, _Out) -> [].

encoded_run([$%, A, B | Chars], Acc) ->
    case is_hex(A) andalso is_hex(B) of
        true -> encoded_run(Chars, <<Acc/binary, (list_to_integer([A, B], 16))>>);
        false -> throw({error, invalid_percent_encoding, [$%, A, B | Chars]})
    end;
encoded_run(Chars, Acc) -> {Acc, Chars}.

%% ---- queries: application/x-www-form-urlencoded, as of HTML 5 ----

-type query_list() :: [{unicode:chardata(), unicode:chardata() | true}].

-spec compose_query(query_list()) -> uri_string() | error().
compose_query(Pairs) -> compose_query(Pairs, [{encoding, utf8}]).

-spec compose_query(query_list(), [{encoding, atom()}]) -> uri_string() | error().
compose_query([], _Options) -> [];
compose_query(Pairs, Options) when is_list(Pairs) ->
    try
        Encoding = form_encoding(proplists:get_value(encoding, Options)),
        Parts = [case Pair of
                     {Key, true} -> form_encoded(Key, Encoding);
                     {Key, Value} -> form_encoded(Key, Encoding) ++ "=" ++ form_encoded(Value, Encoding)
                 end || Pair <- Pairs],
        Query = lists:append(lists:join("&", Parts)),
        case lists:all(fun({Key, Value}) ->
                           is_binary(Key) andalso (is_binary(Value) orelse Value =:= true)
                       end, Pairs) of
            true -> list_to_binary(Query);
            false -> Query
        end
    catch throw:{error, _, _} = Error -> Error
    end.

form_encoding(unicode) -> utf8;
form_encoding(Encoding) when Encoding =:= utf8; Encoding =:= latin1; Encoding =:= undefined -> Encoding;
form_encoding(Encoding) -> throw({error, invalid_encoding, Encoding}).

%% A binary is taken as it is for UTF-8. Characters that Latin-1 lacks become numeric character references.
form_encoded(Bytes, utf8) when is_binary(Bytes) -> form_bytes(Bytes);
form_encoded(Text, Encoding)
  when is_list(Text), Encoding =/= undefined; is_binary(Text), Encoding =:= latin1 ->
    case unicode:characters_to_list(Text) of
        Chars when is_list(Chars) ->
            form_bytes(<< <<(form_char(C, Encoding))/binary>> || C <- Chars >>);
        _ -> throw({error, invalid_input, Text})
    end;
form_encoded(Term, _Encoding) -> throw({error, invalid_input, Term}).

form_char(C, utf8) -> <<C/utf8>>;
form_char(C, latin1) when C < 256 -> <<C>>;
form_char(C, latin1) -> list_to_binary(["&#", integer_to_list(C), ";"]).

form_bytes(Bytes) ->
    lists:append([if
                      ?IS_ALPHA(B) -> [B];
                      ?IS_DIGIT(B) -> [B];
                      B =:= $\s -> "+";
                      B =:= $*; B =:= $-; B =:= $.; B =:= $_ -> [B];
                      true -> percent_bytes(<<B>>)
                  end || <<B>> <= Bytes]).

-spec dissect_query(uri_string()) -> query_list() | error().
dissect_query(Query) when Query =:= []; Query =:= <<>> -> [];
dissect_query(Query) when is_list(Query); is_binary(Query) ->
    try
        [case cut($=, Part) of
             {Key, none} -> {form_decoded(Key, Query), true};
             {Key, Value} -> {form_decoded(Key, Query), form_decoded(Value, Query)}
         end || Part <- string:split(query_chars(Query), "&", all)]
    catch throw:{error, _, _} = Error -> Error
    end.

query_chars(Query) ->
    case unicode:characters_to_list(Query) of
        Chars when is_list(Chars) -> Chars;
        {_, _, <<Byte, _/binary>>} when is_binary(Query) -> throw({error, invalid_character, [Byte]});
        {_, _, Rest} -> throw({error, invalid_input, Rest})
    end.

form_decoded(Chars, Query) ->
    Bytes = form_decoded_bytes(Chars, <<>>),
    case unicode:characters_to_list(Bytes) of
        Decoded when is_list(Decoded) -> like(Query, without_references(Decoded));
        {_, _, <<Byte, _/binary>>} -> throw({error, invalid_input, [Byte]})
    end.

form_decoded_bytes([$+ | Chars], Acc) -> form_decoded_bytes(Chars, <<Acc/binary, $\s>>);
form_decoded_bytes([$%, A, B | Chars], Acc) ->
    case is_hex(A) andalso is_hex(B) of
        true -> form_decoded_bytes(Chars, <<Acc/binary, (list_to_integer([A, B], 16))>>);
        false -> throw({error, invalid_percent_encoding, [$%, A, B | Chars]})
    end;
form_decoded_bytes([C | Chars], Acc) -> form_decoded_bytes(Chars, <<Acc/binary, C/utf8>>);
form_decoded_bytes([], Acc) -> Acc.

without_references("&#" ++ Chars) ->
    case lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Chars) of
        {[_ | _] = Digits, [$; | Rest]} -> [list_to_integer(Digits) | without_references(Rest)];
        _ -> [$&, $# | without_references(Chars)]
    end;
without_references([C | Chars]) -> [C | without_references(Chars)];
without_references([]) -> [].
