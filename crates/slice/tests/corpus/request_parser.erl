%% Requests that come in pieces: a parser that goes on where it stopped.
%% inputs: run(one("GET /a?x=1&y=2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET"; "POST / HTTP/1.0\r\n\r\n"; "BAD"; "GET /b HTTP/1.1\r\nContent-Length: 9\r\n\r\nab"; "PUT /q?z HTTP/1.1\r\nA:b\r\nA: c\r\n\r\n"), nat)
-module(request_parser).
-export([run/2]).

run(Text, Cut) ->
    Bin = list_to_binary(Text),
    N = min(byte_size(Bin), Cut * 8),
    <<P1:N/binary, P2/binary>> = Bin,
    case feed(P1, start()) of
        {more, S} -> summary(feed(P2, S));
        Other -> {early, summary(Other)}
    end.

start() -> {line, <<>>, #{headers => []}}.

feed(B, {line, Buf, Req}) ->
    All = <<Buf/binary, B/binary>>,
    case binary:split(All, <<"\r\n">>) of
        [Line, Rest] ->
            case binary:split(Line, <<" ">>, [global]) of
                [M, Path, <<"HTTP/", V/binary>>] ->
                    {Url, Query} = url(Path),
                    feed(Rest, {headers, <<>>, Req#{method => method(M), url => Url, query => Query, version => V}});
                _ -> {bad, Line}
            end;
        [_] -> {more, {line, All, Req}}
    end;
feed(B, {headers, Buf, #{headers := Hs} = Req}) ->
    All = <<Buf/binary, B/binary>>,
    case binary:split(All, <<"\r\n">>) of
        [<<>>, Rest] ->
            Len = binary_to_integer(proplists:get_value(<<"content-length">>, Hs, <<"0">>)),
            feed(Rest, {body, Len, Req#{headers := lists:reverse(Hs)}});
        [H, Rest] ->
            [K, V] = binary:split(H, <<":">>),
            feed(Rest, {headers, <<>>, Req#{headers := [{string:lowercase(K), string:trim(V)} | Hs]}});
        [_] -> {more, {headers, All, Req}}
    end;
feed(B, {body, Len, Req}) when byte_size(B) >= Len ->
    <<Body:Len/binary, Rest/binary>> = B,
    {done, Req#{body => Body}, Rest};
feed(B, {body, Len, Req}) -> {more, {body, Len, Req#{partial => B}}}.

url(P) ->
    case binary:split(P, <<"?">>) of
        [U, Q] -> {U, [case binary:split(KV, <<"=">>) of [K, V] -> {K, V}; [K] -> {K, true} end || KV <- binary:split(Q, <<"&">>, [global])]};
        [U] -> {U, []}
    end.

method(<<"GET">>) -> get;
method(<<"POST">>) -> post;
method(M) -> {other, M}.

summary({done, #{method := M, query := Q} = R, Rest}) -> {M, length(Q), maps:get(body, R), byte_size(Rest), length(maps:get(headers, R))};
summary({more, S}) -> {incomplete, element(1, S)};
summary({bad, L}) -> {bad, L}.
