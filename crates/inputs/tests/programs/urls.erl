-module(urls).
%% Parts of an address.
-export([main/1]).
-spec main(string()) -> term().
main("http://" ++ Rest) -> host(http, Rest);
main("https://" ++ Rest) -> host(https, Rest);
main("mailto:" ++ Rest) ->
    case string:split(Rest, "@") of
        [[], _] -> {error, no_name};
        [_, []] -> {error, no_domain};
        [Name, Domain] -> {mail, Name, Domain};
        [_] -> {error, no_at}
    end;
main("file:///" ++ Path) when Path =/= [] -> {file, Path};
main([$/ | _]) -> relative;
main(_) -> {error, scheme}.

host(_, []) -> {error, no_host};
host(_, [$/ | _]) -> {error, no_host};
host(Scheme, Text) ->
    case string:split(Text, ":") of
        [_, Port] -> port(Scheme, Port);
        [_] -> Scheme
    end.

port(_, []) -> {error, no_port};
port(https, "443") -> default_port;
port(http, "80") -> default_port;
port(_, Port) ->
    case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, Port) of
        true when length(Port) > 5 -> {error, large_port};
        true -> port;
        false -> {error, port}
    end.
