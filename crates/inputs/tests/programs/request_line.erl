-module(request_line).
%% The first line of an HTTP request.
-export([main/1]).
-spec main(binary()) -> term().
main(<<"GET ", Rest/binary>>) -> target(get, Rest);
main(<<"POST ", Rest/binary>>) -> target(post, Rest);
main(<<"DELETE ", Rest/binary>>) -> target(delete, Rest);
main(<<>>) -> {error, empty};
main(_) -> {error, method}.

target(Method, <<"/", Rest/binary>>) -> version(Method, binary:split(Rest, <<" ">>));
target(_, <<"http://", _/binary>>) -> {error, proxy};
target(_, _) -> {error, target}.

version(Method, [Path, <<"HTTP/1.", Minor>>]) when Minor =:= $0; Minor =:= $1 ->
    {ok, Method, Path};
version(_, [_, _]) -> {error, version};
version(_, [_]) -> {error, short}.
