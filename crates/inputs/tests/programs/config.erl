-module(config).
%% A configuration that has to fit together.
-export([main/1]).
-spec main(#{host => string(), port => integer(), tls => boolean(), mode => atom(),
             retries => integer()}) -> term().
main(#{tls := true, port := 443} = C) -> {secure, mode(C)};
main(#{tls := true, port := P}) when P < 1024 -> {error, privileged};
main(#{tls := true}) -> {secure, custom};
main(#{host := "localhost", port := 8080} = C) -> {local, mode(C)};
main(#{host := Host}) when length(Host) > 20 -> {error, long};
main(#{retries := N}) when N < 0 -> {error, negative};
main(#{retries := N}) when N > 10 -> {error, stubborn};
main(C) when map_size(C) =:= 0 -> default;
main(C) -> {plain, mode(C)}.

mode(#{mode := debug, retries := 0}) -> debug_once;
mode(#{mode := debug}) -> debug;
mode(#{mode := production}) -> production;
mode(_) -> none.
