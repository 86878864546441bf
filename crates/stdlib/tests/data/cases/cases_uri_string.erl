-module(cases_uri_string).
-export([cases/0, scripts/0, skipped/0]).

-import(arb, [int/2]).

cases() -> [{allowed_characters, []}, {is_host, [int(0, 130)], [{wrong, 0}]}, {is_path, [int(0, 130)], [{wrong, 0}]}].

%% In scripts/0, since the terms in errors may differ.
skipped() ->
    [{compose_query, 1}, {compose_query, 2}, {dissect_query, 1}, {normalize, 1}, {normalize, 2}, {parse, 1}, {percent_decode, 1},
     {quote, 1}, {quote, 2}, {recompose, 1}, {resolve, 2}, {resolve, 3}, {transcode, 2}, {unquote, 1}].

scripts() ->
    [{"parse", 1500, fun(Lib) -> run(Lib, parse, [uri()]) end},
     {"normalize", 1000, fun(Lib) -> run(Lib, normalize, [arb:pick([uri(), uri(), map()])]) end},
     {"normalize to a map", 300, fun(Lib) -> run(Lib, normalize, [arb:pick([uri(), map()]), [return_map]]) end},
     {"recompose", 1000, fun(Lib) -> run(Lib, recompose, [map()]) end},
     {"resolve", 1000, fun(Lib) -> run(Lib, resolve, [uri(), base()]) end},
     {"resolve to a map", 300, fun(Lib) -> run(Lib, resolve, [uri(), base(), [return_map]]) end},
     {"percent_decode", 500, fun(Lib) -> run(Lib, percent_decode, [arb:pick([kind(encoded()), map()])]) end},
     {"quote", 300, fun(Lib) -> run(Lib, quote, [kind(text())]) end},
     {"quote but some", 300, fun(Lib) -> run(Lib, quote, [kind(text()), arb:pick(["/", "", "ab/ "])]) end},
     {"unquote", 300, fun(Lib) -> run(Lib, unquote, [kind(encoded())]) end},
     {"transcode", 500, fun(Lib) ->
         run(Lib, transcode, ["t" ++ encoded(), [{in_encoding, arb:pick([utf8, latin1])}, {out_encoding, arb:pick([utf8, latin1, utf16])}]])
     end},
     {"compose_query", 500, fun(Lib) -> run(Lib, compose_query, [pairs()]) end},
     {"compose_query in an encoding", 300, fun(Lib) -> run(Lib, compose_query, [pairs(), [{encoding, arb:pick([utf8, latin1])}]]) end},
     {"dissect_query", 800, fun(Lib) -> run(Lib, dissect_query, [kind(query())]) end}].

run(Lib, F, Args) ->
    case try apply(Lib(uri_string), F, Args) catch throw:T -> T end of
        {error, Kind, _} -> {Args, error, Kind};
        Result -> {Args, Result}
    end.

kind(Text) -> arb:pick([Text, unicode:characters_to_binary(Text)]).

join(Parts) -> lists:append([arb:pick(P) || P <- Parts]).

uri() ->
    case rand:uniform(8) of
        1 -> kind(arb:one(arb:list(arb:elements("ab:/?#[]@%.1 "), 8)));
        _ ->
            Authority = arb:pick(["", "//", "//h", "//u@H", "//u:p@h:80", "//h:", "//[::1]:8", "//[1:2::3]", "//[zz]", "//1.2.3.4:8080", "//h:443", "//[::ffff:1.2.3.4]"]),
            Path = arb:pick(["", "/", "/a/b", "/a/../b/./c", "a/b", "../x", "./y:z", "/%7ea%2f", "/a%zz", "a:b", "//x", "/..", "b/.."]),
            %% OTP takes whatever follows the bracket of an address for a part of the host.
            Slash = case lists:suffix("]", Authority) andalso Path =/= "" andalso hd(Path) =/= $/ of true -> "/"; false -> "" end,
            kind(join([["", "", "http:", "HTTP:", "a+b:", "urn:", "1x:", "foo_:"],
                       [Authority], [Slash ++ Path],
                       ["", "", "?", "?q=1", "?a?b/c", "?%7E", "? "], ["", "", "#", "#f", "#f#g", "#%c3%a4"]]))
    end.

base() -> kind(arb:pick(["http://localhost/a/b/c", "http://h", "http:a", "a/b", "http://h/a?q", "foo://u@h:9/x/"])).

text() -> arb:one(arb:list(arb:elements([$a, $b, $/, $\s, $~, $&, 229, 8364]), 6)).

encoded() -> join([["", "a", "%20", "%41"], ["", "%C3%B6", "%C3", "%ff", "b"], ["", "%zz", "%2", "c", "%7e"], ["", "x"]]).

map() ->
    Kind = arb:pick([fun(X) -> X end, fun unicode:characters_to_binary/1]),
    Options = [{scheme, ["http", "HTTPS", "foo"]}, {host, ["h", "H.com", "::1", "a b", "", [229]]}, {userinfo, ["u", "u:p@"]},
               {query, ["q", "a b", ""]}, {fragment, ["f", "x#y"]}],
    Chosen = [{K, Kind(arb:pick(Vs))} || {K, Vs} <- Options, rand:uniform(2) =:= 1],
    Path = [{path, Kind(arb:pick(["", "/a", "a/../b", "a b", "/x/./y", "%7e", "%zz", "a?b"]))} || rand:uniform(20) > 1],
    Port = [{port, arb:pick([80, 443, 8080, undefined])} || lists:keymember(host, 1, Chosen), rand:uniform(2) =:= 1],
    Map = maps:from_list(Chosen ++ Path ++ Port ++ [{extra, Kind("x")} || rand:uniform(30) =:= 1]),
    case Map of
        #{host := _} -> Map;
        _ -> maps:remove(userinfo, Map)
    end.

pairs() ->
    K = fun() -> case rand:uniform(8) of 1 -> arb:pick([a, 1]); _ -> arb:pick(["k y", "", "ä&", <<"bin">>, <<"a=b">>, [8364], "*-._~"]) end end,
    [{K(), case rand:uniform(5) of 1 -> true; _ -> K() end} || _ <- lists:seq(1, rand:uniform(4) - 1)].

query() -> join([["", "a=b", "k", "x+y=%20", "=v"], ["", "&", "&c=%C3%B6", "&d=%zz", "&e=%C3"], ["", "&f=%26%23246%3B", "&g=&#1;", "&", "&h=1=2"]]).
